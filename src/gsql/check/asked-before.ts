// The queries that are asked before another: for texts that tables are made of, and for streams whose statistics are
// wanted. Each asks only for the rows that ON and WHERE may leave.
import { scriptFault } from '../fault.ts'
import type { Position } from '../fault.ts'
import type { JoinPlan, Relation, Term } from '../plan/plan.ts'
import { closedReading } from './open-reading.ts'
import type { Checking } from './scope.ts'
import { isOfStream } from './stream-table.ts'
import { closedOver } from '../plan/closed-over.ts'
import { canFail, conjuncts, someTerm } from '../plan/terms.ts'
import { infix } from './types.ts'

/**
 * A table read from texts of the tables before it is read only for the rows that ON and WHERE leave of those. A
 * condition that could fail counts as long as all before it do: they may be there to be tested first. A row that ON
 * refuses has no part in the table even where LEFT JOIN keeps it.
 */
export const noteFilters = ({ sources }: Checking, from: readonly JoinPlan[], where: Term | undefined) => {
  for (const [index, { relation, on }] of from.entries()) {
    const source = relation.origin.kind === 'source' ? relation.origin.source : undefined
    const asked = source?.asked
    if (!asked || asked.left.length === 0) continue
    const isClosed = closedOver([...asked.left.map((join) => join.relation), ...asked.commons])
    const concerning = (test: Term | undefined): readonly Term[] => {
      let isWhole = true
      return conjuncts(test).filter((one) => {
        const counts = (isWhole || !canFail(one)) && isClosed(one)
        isWhole &&= counts
        return counts
      })
    }
    const filters = [...concerning(on)]
    if (!hasRowsWithout(from, index)) {
      const later = from.slice(index + 1).filter(({ join }) => join !== 'left')
      filters.push(...later.flatMap((join) => concerning(join.on).filter((one) => !canFail(one))), ...concerning(where))
    }
    sources[source.index] = { ...source, asked: { ...asked, where: filters } }
  }
}

/**
 * Closes the reading of a Stream. Streams are asked for their statistics before the query runs, so it must be known
 * which of them it is about.
 */
export const noteStream = (
  checking: Checking,
  from: readonly JoinPlan[],
  index: number,
  where: Term | undefined,
  at: Position,
) => {
  const { relation, join, on } = from[index]!
  const reading = checking.readings.get(relation.id)
  if (!reading) return
  checking.readings.delete(relation.id)
  const { statistics, sampleAt } = reading
  if (statistics.length > 0 && sampleAt)
    throw scriptFault(sampleAt, 'sample cannot stand beside sample(..., cycleId, stat) in one SELECT')
  const parts = [
    ...(join === 'right' || join === 'full' ? [] : conjuncts(on)),
    ...(join === 'left' || join === 'full' || hasRowsWithout(from, index) ? [] : conjuncts(where)),
  ]
  const own = parts.filter((part) => !someTerm(part, (term) => !isKnownOf(term, relation)) && !canFail(part))
  checking.streams.push({
    relation,
    reading: closedReading(reading),
    at,
    where: own.length > 0 ? infix('BOOLEAN', 'and', ...own) : undefined,
  })
}

/** Whether a later join may make rows in which this table's columns are NULL: WHERE may look for just those. */
const hasRowsWithout = (from: readonly JoinPlan[], index: number) =>
  from.slice(index + 1).some(({ join }) => join === 'right' || join === 'full')

const isKnownOf = (term: Term, relation: Relation) =>
  term.kind !== 'column' || (term.relation.id === relation.id && isOfStream(term.column))
