// JSONPath as GS SQL knows it (gs-sql.md 3): $.a.b, $.a[0], $['a b'], $.list[*].v, $..x (once), slices, unions and
// $.list[?(@.k == "v")].v. The package jsonpath reads the path, once; the steps are walked here, without its
// evaluation of expressions, so a path can do nothing but look.
import jsonpath from 'jsonpath'
import { shorten } from '../../base/errors.ts'
import { ownMember, wordTable } from '../../base/own.ts'
import { scriptFault } from '../fault.ts'
import type { Position } from '../fault.ts'
import { parseFilter, testFilter } from './json-filter.ts'
import type { Filter } from './json-filter.ts'

export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [member: string]: Json }

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

/** What the step leads to; at most one value unless it iterates. */
export const takeStep = (value: Json, step: Step): readonly Json[] => {
  switch (step.kind) {
    case 'member':
      return one(value, step.name)
    case 'index':
      return one(value, step.index)
    case 'all':
      return childrenOf(value)
    case 'descend':
      return descend(value, step.name)
    case 'filter':
      return childrenOf(value).filter((child) => testFilter(step.filter, child))
    case 'slice':
      return slice(value, step)
    case 'union':
      return step.keys.flatMap((key) => one(value, key))
  }
}

/** The one value at the end of steps that do not iterate; undefined where there is none. */
export const valueAt = (value: Json, steps: readonly Step[]): Json | undefined => {
  let here: Json = value
  for (const step of steps) {
    const next = takeStep(here, step)
    if (next.length === 0) return undefined
    here = next[0]!
  }
  return here
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value)

const one = (value: Json, key: string | number): readonly Json[] => {
  if (isArray(value)) {
    const index = typeof key === 'number' ? key : /^\d{1,9}$/.test(key) ? Number(key) : Number.NaN
    const found = value.at(index)
    return Number.isNaN(index) || found === undefined ? [] : [found]
  }
  if (value === null || typeof value !== 'object') return []
  const found = ownMember(value as Readonly<Record<string, Json>>, String(key))
  return found === undefined ? [] : [found]
}

const childrenOf = (value: Json): readonly Json[] => {
  if (isArray(value)) return value
  return value !== null && typeof value === 'object' ? Object.values(value) : []
}

/** Everything below, or everything below that has the name, each before what is inside it. */
const descend = (value: Json, name: string | undefined): readonly Json[] => {
  const found: Json[] = []
  const open: Json[] = [value]
  while (open.length > 0) {
    const here = open.pop()!
    if (name !== undefined && !isArray(here)) found.push(...one(here, name))
    const children = childrenOf(here)
    if (name === undefined) for (const child of children) found.push(child)
    for (let index = children.length - 1; index >= 0; index--) open.push(children[index]!)
  }
  return found
}

const slice = (value: Json, { from, to, step }: Extract<Step, { kind: 'slice' }>): readonly Json[] => {
  if (!isArray(value)) return []
  return value.slice(from, to).filter((_, index) => index % step === 0)
}
