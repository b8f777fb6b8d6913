// The start of checking a statement: nothing collected yet, and the checkers of its expressions and queries.
import { openTermKeys } from '../plan/term-key.ts'
import { checkExpression } from './expression.ts'
import { checkQuery } from './query.ts'
import type { Checking } from './scope.ts'

/** For one statement; SET adds to the variables for those after it. */
export const openChecking = (variables: Checking['variables']): Checking => {
  let lastId = 0
  const checking: Checking = {
    sites: { positions: [], indexes: new Map() },
    sources: [],
    knownSources: new Map(),
    streams: [],
    readings: new Map(),
    overflows: [],
    size: { repeated: 0, queries: 0, commons: 0 },
    keyOf: openTermKeys(),
    variables,
    nextId: () => ++lastId,
    expression: (expression, place) => checkExpression(checking, expression, place),
    query: (query, outer, want) => checkQuery(checking, query, outer, want),
  }
  return checking
}
