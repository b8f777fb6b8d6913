// The filter of a JSON path, ?(@.k == "v" && @.n > 3): comparisons of members of the element with constants or
// with each other, joined by &&, || and !. Values of different types are never equal and never in order.
import { ownMember, wordTable } from '../../base/own.ts'
import type { Json } from '../value.ts'

export type Filter =
  | { readonly kind: 'or' | 'and'; readonly operands: readonly Filter[] }
  | { readonly kind: 'not'; readonly operand: Filter }
  | { readonly kind: 'exists'; readonly path: readonly string[] }
  | { readonly kind: 'compare'; readonly operator: Comparison; readonly left: Operand; readonly right: Operand }

type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>='
type Operand =
  | { readonly kind: 'path'; readonly path: readonly string[] }
  | { readonly kind: 'constant'; readonly value: string | number | boolean | null }

const maxTokens = 200

/** undefined: not a filter that we know. */
export const parseFilter = (text: string): Filter | undefined => {
  const tokens = tokensOf(text)
  if (!tokens || tokens.length > maxTokens) return undefined
  let next = 0
  const take = (token: string) => tokens[next] === token && ++next > 0

  const list = (kind: 'or' | 'and', sign: string, operand: () => Filter | undefined): Filter | undefined => {
    const first = operand()
    if (!first) return undefined
    const operands = [first]
    while (take(sign)) {
      const more = operand()
      if (!more) return undefined
      operands.push(more)
    }
    return operands.length === 1 ? first : { kind, operands }
  }
  const either = (): Filter | undefined => list('or', '||', () => list('and', '&&', unary))
  const unary = (): Filter | undefined => {
    if (take('!')) {
      const operand = unary()
      return operand && { kind: 'not', operand }
    }
    if (take('(')) {
      const inside = either()
      return inside && take(')') ? inside : undefined
    }
    return comparison()
  }
  const comparison = (): Filter | undefined => {
    const left = operand()
    if (!left) return undefined
    const operator = comparisons.get(tokens[next] ?? '')
    if (!operator) return left.kind === 'path' ? { kind: 'exists', path: left.path } : undefined
    next++
    const right = operand()
    return right && { kind: 'compare', operator, left, right }
  }
  const operand = (): Operand | undefined => {
    const token = tokens[next++]
    if (token === undefined) return undefined
    if (token === '@') return path()
    if (/^['"]/.test(token)) return { kind: 'constant', value: textOf(token) }
    if (/^-?[\d.]/.test(token)) return { kind: 'constant', value: Number(token) }
    const value = words.get(token)
    return value === undefined ? undefined : { kind: 'constant', value }
  }
  const path = (): Operand | undefined => {
    const members: string[] = []
    for (;;) {
      if (take('.')) {
        const name = tokens[next++]
        if (name === undefined || !/^[\p{L}\d_$]/u.test(name)) return undefined
        members.push(name)
      } else if (take('[')) {
        const key = tokens[next++]
        if (key === undefined || !take(']')) return undefined
        members.push(/^['"]/.test(key) ? textOf(key) : key)
      } else return { kind: 'path', path: members }
    }
  }

  const filter = either()
  return next === tokens.length ? filter : undefined
}

const words = wordTable({ true: true, false: false, null: null })

const comparisons = wordTable<Comparison>({
  '==': '==',
  '===': '==',
  '=': '==',
  '!=': '!=',
  '!==': '!=',
  '<>': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
})

const tokenShape =
  /\s*(?:(===|!==|==|!=|<>|<=|>=|&&|\|\||[=<>!()[\].@])|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([\p{L}_$][\p{L}\d_$]*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))/uy

const tokensOf = (text: string): readonly string[] | undefined => {
  const tokens: string[] = []
  const source = text.trimEnd()
  tokenShape.lastIndex = 0
  while (tokenShape.lastIndex < source.length) {
    const found = tokenShape.exec(source)
    if (!found) return undefined
    tokens.push(found[0].trimStart())
  }
  return tokens
}

const textOf = (token: string) => token.slice(1, -1).replaceAll(/\\(.)/g, '$1')

export const testFilter = (filter: Filter, element: Json): boolean => {
  switch (filter.kind) {
    case 'or':
      return filter.operands.some((one) => testFilter(one, element))
    case 'and':
      return filter.operands.every((one) => testFilter(one, element))
    case 'not':
      return !testFilter(filter.operand, element)
    case 'exists':
      return memberAt(element, filter.path) !== undefined
    case 'compare':
      return compare(filter.operator, valueOf(filter.left, element), valueOf(filter.right, element))
  }
}

const valueOf = (operand: Operand, element: Json): Json | undefined =>
  operand.kind === 'constant' ? operand.value : memberAt(element, operand.path)

const memberAt = (element: Json, path: readonly string[]): Json | undefined => {
  let here: Json | undefined = element
  for (const name of path) {
    if (here === undefined) return undefined
    if (name === 'length' && (Array.isArray(here) || typeof here === 'string')) here = here.length
    else if (here === null || typeof here !== 'object') return undefined
    else here = ownMember(here as Readonly<Record<string, Json>>, name)
  }
  return here
}

const compare = (operator: Comparison, left: Json | undefined, right: Json | undefined): boolean => {
  if (operator === '!=') return !compare('==', left, right)
  if (left === undefined || right === undefined) return false
  const a = typeof left === 'bigint' ? Number(left) : left
  const b = typeof right === 'bigint' ? Number(right) : right
  if (operator === '==') return a === b
  if (typeof a !== typeof b || (typeof a !== 'number' && typeof a !== 'string')) return false
  const [x, y] = [a, b] as [number, number]
  return operator === '<' ? x < y : operator === '<=' ? x <= y : operator === '>' ? x > y : x >= y
}
