// JSON paths as the functions in db/ take them: one that does not iterate as its keys, any other as steps in JSON for
// gs.json_walk, with filters as Postgres' own predicates. Of the two, one is null.
import type { Filter } from '../text/json-filter.ts'
import { isIterating } from '../text/json-path.ts'
import type { Step } from '../text/json-path.ts'
import { arrayText } from './postgres-array.ts'

export const keysForPostgres = (steps: readonly Step[]): string | null =>
  steps.some(isIterating)
    ? null
    : arrayText(
        steps.map((step) => (step.kind === 'member' ? step.name : step.kind === 'index' ? String(step.index) : null)),
      )

export const stepsForPostgres = (steps: readonly Step[]): string | null =>
  steps.some(isIterating) ? JSON.stringify(steps.map(stepForPostgres)) : null

const stepForPostgres = (step: Step): Readonly<Record<string, unknown>> => {
  switch (step.kind) {
    case 'member':
      return { kind: 'member', name: step.name }
    case 'index':
      return { kind: 'index', index: step.index }
    case 'all':
      return { kind: 'all' }
    case 'descend':
      return step.name === undefined ? { kind: 'descend' } : { kind: 'descend', name: step.name }
    case 'filter':
      return { kind: 'filter', predicate: `strict ${predicate(step.filter)}` }
    case 'slice':
      return { kind: 'slice', from: step.from ?? null, to: step.to ?? null, step: step.step }
    case 'union':
      return { kind: 'union', keys: step.keys }
  }
}

const predicate = (filter: Filter): string => {
  switch (filter.kind) {
    case 'or':
      return `(${filter.operands.map(predicate).join(' || ')})`
    case 'and':
      return `(${filter.operands.map(predicate).join(' && ')})`
    case 'not':
      return negated(predicate(filter.operand))
    case 'exists':
      return `exists(${member(filter.path)})`
    case 'compare': {
      const sides = [filter.left, filter.right].map((one) =>
        one.kind === 'path' ? member(one.path) : JSON.stringify(one.value),
      )
      return filter.operator === '!=' ? negated(`(${sides.join(' == ')})`) : `(${sides.join(` ${filter.operator} `)})`
    }
  }
}

/** A comparison with a missing member, or one of another type, is false. */
const negated = (text: string) => `(!(${text}) || ((${text}) is unknown))`

const member = (path: readonly string[]): string =>
  `$${path.map((name) => (name === 'length' ? '.size()' : /^\d+$/.test(name) ? `[${name}]` : `.${JSON.stringify(name)}`)).join('')}`
