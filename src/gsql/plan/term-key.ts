// Tells whether two terms are the same.
import type { Term } from './plan.ts'
import { partsOf, queryOf } from './terms.ts'

/** Equal for terms that always have the same value, wherever they stand in the statement. */
export type TermKey = (term: Term) => number

/** A key is made of the term's own kind and the keys of its parts, so that a long chain is not written out. */
export const openTermKeys = (): TermKey => {
  const numbers = new WeakMap<Term, number>()
  const known = new Map<string, number>()
  let queries = 0
  const keyOf: TermKey = (term) => {
    const found = numbers.get(term)
    if (found !== undefined) return found
    // No two queries count as the same.
    const own = queryOf(term) ? [term.kind, ++queries] : ownKey(term)
    const key = JSON.stringify([...own, partsOf(term).map(keyOf)])
    const number = known.get(key) ?? known.size
    known.set(key, number)
    numbers.set(term, number)
    return number
  }
  return keyOf
}

const ownKey = (term: Term): readonly unknown[] => {
  switch (term.kind) {
    case 'constant':
      return ['constant', term.type, typeof term.value === 'bigint' ? `${term.value}n` : term.value]
    case 'variable':
    case 'system':
      return [term.kind, term.name]
    case 'column':
      return ['column', term.relation.id, term.column]
    case 'key':
      return ['key', term.group, term.key]
    case 'derived':
      return ['derived', term.sqlType]
    case 'apply':
      return ['apply', term.name, term.type]
    case 'aggregate':
      return ['aggregate', term.name, term.distinct]
    case 'infix':
      return ['infix', term.operator]
    case 'is null':
      return ['is null', term.negated]
    case 'convert':
      return ['convert', term.sqlType]
    case 'not':
    case 'collate':
    case 'in list':
    case 'choose':
    case 'in query':
    case 'exists':
    case 'scalar query':
      return [term.kind]
  }
}
