// Texts that TypeScript prepares for the functions in db/: zones, units, date patterns, JSON paths and regular
// expressions. The work is described as data, because a compiled script comes from another thread.
import { readPattern, writePattern } from './date-pattern.ts'
import type { Position } from '../fault.ts'
import { parseJsonPath } from './json-path.ts'
import { keysForPostgres, stepsForPostgres } from '../emit/json-walk.ts'
import { momentOf } from './moment.ts'
import type { Value } from '../value.ts'
import { arrayText } from '../emit/postgres-array.ts'
import { replacing } from './regular-expression.ts'
import { unitName, zoneName } from './time-zone.ts'

export type Derived =
  /** The value of literals, worked out already. */
  | { readonly kind: 'known'; readonly value: Value }
  | { readonly kind: OfOneText; readonly at: Position }
  /** The moment of a date, or of epoch milliseconds, in the script's zone. */
  | { readonly kind: 'moment'; readonly at: Position }
  | { readonly kind: 'expression' | 'replacement'; readonly at: Position; readonly replacementAt: Position }

type OfOneText = keyof typeof ofOneText

const ofOneText = {
  zone: zoneName,
  unit: unitName,
  'read expression': (text: string, at: Position) => readPattern(text, at).expression,
  'read fields': (text: string, at: Position) => readPattern(text, at).fields,
  'read starts': (text: string, at: Position) => arrayText(readPattern(text, at).starts),
  'write pattern': (text: string, at: Position) => arrayText(writePattern(text, at)),
  'path keys': (text: string, at: Position) => keysForPostgres(parseJsonPath(text, at)),
  'path steps': (text: string, at: Position) => stepsForPostgres(parseJsonPath(text, at)),
} satisfies Readonly<Record<string, (text: string, at: Position) => string | null>>

/** NULL where one of the texts is. */
export const derive = (derived: Derived, values: readonly Value[]): Value => {
  if (derived.kind === 'known') return derived.value
  if (derived.kind === 'moment') return moment(values, derived.at)
  const texts = values.flatMap((value) => (value === null ? [] : String(value)))
  if (texts.length < values.length) return null
  const [first, second] = texts
  if (derived.kind === 'expression' || derived.kind === 'replacement')
    return replacing(first!, second!, derived.at, derived.replacementAt)[derived.kind]
  return ofOneText[derived.kind](first!, derived.at)
}

const moment = ([written, zone]: readonly Value[], at: Position): Value => {
  if (written === null || written === undefined) return null
  return typeof written === 'string' ? momentOf(written, String(zone), at) : Math.trunc(Number(written))
}
