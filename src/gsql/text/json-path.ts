// JSONPath as GS SQL knows it (grammar/REFERENCE.md#tables): $.a.b, $.a[0], $['a b'], $.list[*].v, $..x (once), slices,
// unions and $.list[?(@.k == "v")].v. The package jsonpath reads the path, once; the steps are walked here, without its
// evaluation of expressions, so a path can do nothing but look.
import jsonpath from 'jsonpath'
import { shorten } from '../../base/errors.ts'
import { ownMember, wordTable } from '../../base/own.ts'
import { scriptFault } from '../fault.ts'
import type { Position } from '../fault.ts'
import { parseFilter, testFilter } from './json-filter.ts'
import type { Filter } from './json-filter.ts'
import type { Json } from '../value.ts'

export type Step =
  | { readonly kind: 'member'; readonly name: string }
  /** From the end when negative. */
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'all' }
  /** name undefined: everything below. */
  | { readonly kind: 'descend'; readonly name: string | undefined }
  | { readonly kind: 'filter'; readonly filter: Filter }
  | {
      readonly kind: 'slice'
      readonly from: number | undefined
      readonly to: number | undefined
      readonly step: number
    }
  | { readonly kind: 'union'; readonly keys: readonly (string | number)[] }

type Component = {
  readonly operation?: 'member' | 'subscript'
  readonly scope?: 'child' | 'descendant'
  readonly expression: { readonly type: string; readonly value: unknown }
}

/** Whether the step can lead to more than one place, and so makes rows in a JSON_TABLE. */
export const isIterating = (step: Step) => step.kind !== 'member' && step.kind !== 'index'

/** The package takes the square of a path's length; one may come in a variable, as long as a body may be. */
const mostPathLength = 1000

export const parseJsonPath = (path: string, at: Position): readonly Step[] => {
  const bad = (why = '') => scriptFault(at, `'${shorten(path)}' is not a JSON path${why}`)
  if (!path.startsWith('$')) throw bad(', it must begin with $')
  if (path.length > mostPathLength) throw bad(`, it is longer than ${mostPathLength} characters`)
  let components: readonly Component[]
  try {
    components = jsonpath.parse(plainNames(path)) as readonly Component[]
  } catch {
    const name = /\.([^.[\]()'"\s]*[^\w.[\]()'"\s*$][^.[\]()'"\s]*)/.exec(path)?.[1]
    throw bad(name === undefined ? '' : `; such a name is written ["${name}"]`)
  }
  const steps = components.slice(1).map((component) => {
    const step = stepOf(component)
    if (!step) throw bad()
    return step
  })
  if (steps.filter(({ kind }) => kind === 'descend').length > 1)
    throw scriptFault(at, `'${shorten(path)}' has more than one ..`)
  return steps
}

/** The package knows names of ASCII letters only: $.größe becomes $["größe"]. Brackets are left as they are. */
const plainNames = (path: string): string =>
  path.includes('[')
    ? path
    : path.replaceAll(/(\.\.?)([\p{L}_$][\p{L}\p{Nd}_$]*)/gu, (whole, dots: string, name: string) =>
        /^\w+$/.test(name) ? whole : `${dots === '..' ? '..' : ''}["${name}"]`,
      )

const stepOf = ({ scope, expression: { type, value } }: Component): Step | undefined => {
  if (scope === 'descendant') {
    if (type === 'wildcard') return { kind: 'descend', name: undefined }
    if (type === 'identifier' || type === 'string_literal') return { kind: 'descend', name: unescape(value as string) }
    return undefined
  }
  switch (type) {
    case 'identifier':
    case 'string_literal':
      return { kind: 'member', name: unescape(value as string) }
    case 'numeric_literal':
      return { kind: 'index', index: value as number }
    case 'wildcard':
      return { kind: 'all' }
    case 'slice':
      return sliceOf(value as string)
    case 'union':
      return unionOf(value as readonly Component[])
    case 'script_expression': {
      const last = /^\(@\.length\s*-\s*(\d{1,9})\)$/.exec(value as string)
      return last ? { kind: 'index', index: -Number(last[1]) } : undefined
    }
    case 'filter_expression': {
      const filter = parseFilter((value as string).slice(2, -1))
      return filter && { kind: 'filter', filter }
    }
    default:
      return undefined
  }
}

const sliceOf = (text: string): Step | undefined => {
  const [from, to, step] = text.split(':').map((part) => (part === '' ? undefined : Number(part)))
  return (step ?? 1) > 0 ? { kind: 'slice', from, to, step: step ?? 1 } : undefined
}

const unionOf = (parts: readonly Component[]): Step | undefined => {
  const keys = parts.map(({ expression: { type, value } }) =>
    type === 'string_literal' ? unescape(value as string) : type === 'numeric_literal' ? (value as number) : undefined,
  )
  return keys.includes(undefined) ? undefined : { kind: 'union', keys: keys as (string | number)[] }
}

/** In ['it\'s'] the package leaves the backslashes where they are. */
const unescape = (text: string) =>
  text.replaceAll(/\\u([0-9a-fA-F]{4})|\\(.)/g, (_, code: string | undefined, one: string) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : (escapes.get(one) ?? one),
  )

const escapes = wordTable({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' })

/** The values that an iterating step leads to, and undefined now and then during the search. */
export const iterate = (value: Json, step: Step): Iterable<Json | undefined> => {
  switch (step.kind) {
    case 'member':
    case 'index':
      return [valueAt(value, [step])]
    case 'all':
      return childrenOf(value)
    case 'descend':
      return descend(value, step.name)
    case 'filter':
      return filtered(value, step.filter)
    case 'slice':
      return slice(value, step)
    case 'union':
      return step.keys.map((key) => one(value, key))
  }
}

/** The one value at the end of steps that do not iterate; undefined where there is none. */
export const valueAt = (value: Json, steps: readonly Step[]): Json | undefined => {
  let here: Json | undefined = value
  for (const step of steps) {
    if (step.kind === 'member') here = one(here, step.name)
    else if (step.kind === 'index') here = one(here, step.index)
    else throw new Error(`a step ${step.kind} leads to more than one value`)
    if (here === undefined) return undefined
  }
  return here
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value)

const one = (value: Json, key: string | number): Json | undefined => {
  if (isArray(value)) {
    const index = typeof key === 'number' ? key : /^\d{1,9}$/.test(key) ? Number(key) : Number.NaN
    return Number.isNaN(index) ? undefined : value.at(index)
  }
  if (value === null || typeof value !== 'object') return undefined
  return ownMember(value as Readonly<Record<string, Json>>, String(key))
}

const childrenOf = (value: Json): readonly Json[] => {
  if (isArray(value)) return value
  return value !== null && typeof value === 'object' ? Object.values(value) : []
}

const filtered = function* (value: Json, filter: Filter): Generator<Json | undefined> {
  for (const child of childrenOf(value)) yield testFilter(filter, child) ? child : undefined
}

/** Everything below, or everything below that has the name, each before its own members. */
const descend = function* (value: Json, name: string | undefined): Generator<Json | undefined> {
  const open: { readonly children: readonly Json[]; next: number }[] = []
  let here: Json | undefined = value
  while (here !== undefined) {
    const children = childrenOf(here)
    if (name === undefined) yield* children
    else yield isArray(here) ? undefined : one(here, name)
    if (children.length > 0) open.push({ children, next: 0 })
    while (open.length > 0 && open.at(-1)!.next === open.at(-1)!.children.length) open.pop()
    const around = open.at(-1)
    here = around?.children[around.next++]
  }
}

const slice = (value: Json, { from, to, step }: Extract<Step, { kind: 'slice' }>): readonly Json[] => {
  if (!isArray(value)) return []
  return value.slice(from, to).filter((_, index) => index % step === 0)
}
