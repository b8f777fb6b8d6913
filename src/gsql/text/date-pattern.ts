// Date patterns in the manner of java.time, as TOEPOCHMILLIS reads and dtFormatter writes them
// (grammar/REFERENCE.md#functions): yyyy-MM-dd'T'HH:mm:ss.SSSXXX. For reading, a pattern becomes a regular expression
// and a letter per group for the field that it holds; for writing, a list of parts. gs.to_epoch_millis and
// gs.format_millis in db/ do the rest.
import { wordTable } from '../../base/own.ts'
import { scriptFault } from '../fault.ts'
import type { Position } from '../fault.ts'

type Part =
  | { readonly kind: 'field'; readonly letters: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }

/** A pattern may come in a variable, as long as a body may be; Postgres compiles the expression made of it. */
const mostPatternLength = 200

const partsOf = (pattern: string, at: Position): readonly Part[] => {
  if (pattern.length > mostPatternLength)
    throw scriptFault(at, `the date pattern is longer than ${mostPatternLength} characters`)
  const parts: Part[] = []
  let optional = 0
  for (let next = 0; next < pattern.length;) {
    const letter = pattern[next]!
    if (/[A-Za-z]/.test(letter)) {
      let end = next
      while (pattern[end] === letter) end++
      parts.push({ kind: 'field', letters: pattern.slice(next, end) })
      next = end
    } else if (letter === "'") {
      const quoted = /^'((?:[^']|'')*)'/.exec(pattern.slice(next))
      if (!quoted) throw scriptFault(at, "the date pattern has a ' that is not closed")
      // Two quotes in a row are one, inside a text and outside.
      parts.push({ kind: 'text', text: quoted[1] === '' ? "'" : quoted[1]!.replaceAll("''", "'") })
      next += quoted[0].length
    } else if (letter === '[' || letter === ']') {
      optional += letter === '[' ? 1 : -1
      if (optional < 0) throw scriptFault(at, 'the date pattern closes a [ that is not open')
      parts.push({ kind: letter === '[' ? 'open' : 'close' })
      next++
    } else {
      const [character] = pattern.slice(next)[Symbol.iterator]()
      parts.push({ kind: 'text', text: character! })
      next += character!.length
    }
  }
  if (optional > 0) throw scriptFault(at, 'the date pattern opens a [ that is not closed')
  return parts
}

/**
 * The field that a run of letters reads: its letter in `fields`, and its shape. u is y: years before 1 do not occur.
 */
const readable = wordTable<readonly [field: string, shape: string]>({
  y: ['Y', '\\d{1,4}'],
  yy: ['y', '\\d{2}'],
  yyyy: ['Y', '\\d{4}'],
  M: ['M', '\\d{1,2}'],
  MM: ['M', '\\d{2}'],
  MMM: ['b', '[A-Za-z]{3}'],
  MMMM: ['B', '[A-Za-z]{3,9}'],
  d: ['d', '\\d{1,2}'],
  dd: ['d', '\\d{2}'],
  E: ['e', '[A-Za-z]{3}'],
  EE: ['e', '[A-Za-z]{3}'],
  EEE: ['e', '[A-Za-z]{3}'],
  EEEE: ['E', '[A-Za-z]{6,9}'],
  H: ['H', '\\d{1,2}'],
  HH: ['H', '\\d{2}'],
  h: ['h', '\\d{1,2}'],
  hh: ['h', '\\d{2}'],
  a: ['a', '[AaPp][Mm]'],
  m: ['m', '\\d{1,2}'],
  mm: ['m', '\\d{2}'],
  s: ['s', '\\d{1,2}'],
  ss: ['s', '\\d{2}'],
  X: ['X', 'Z|[+-]\\d{2}(?:\\d{2})?'],
  XX: ['X', 'Z|[+-]\\d{4}'],
  XXX: ['X', 'Z|[+-]\\d{2}:\\d{2}'],
  x: ['X', '[+-]\\d{2}(?:\\d{2})?'],
  xx: ['X', '[+-]\\d{4}'],
  xxx: ['X', '[+-]\\d{2}:\\d{2}'],
  Z: ['X', '[+-]\\d{4}'],
  ZZ: ['X', '[+-]\\d{4}'],
  ZZZ: ['X', '[+-]\\d{4}'],
  ZZZZZ: ['X', 'Z|[+-]\\d{2}:\\d{2}'],
  z: ['z', '[A-Za-z][A-Za-z0-9_/+-]*|[+-]\\d{2}(?::?\\d{2})?'],
  zz: ['z', '[A-Za-z][A-Za-z0-9_/+-]*|[+-]\\d{2}(?::?\\d{2})?'],
  zzz: ['z', '[A-Za-z][A-Za-z0-9_/+-]*|[+-]\\d{2}(?::?\\d{2})?'],
  VV: ['z', '[A-Za-z][A-Za-z0-9_/+-]*|[+-]\\d{2}:\\d{2}'],
})

const fieldOf = (letters: string, at: Position): readonly [string, string] => {
  if (/^S{1,9}$/.test(letters)) return ['S', `\\d{${letters.length}}`]
  const found = readable.get(letters.replaceAll('u', 'y'))
  if (found) return found
  const small = readable.has(letters.toLowerCase()) && letters.toLowerCase()
  const hint = small ? `, write ${small}` : letters === 'T' ? `, write ''T''` : ''
  throw scriptFault(at, `'${letters}' is not known in a date pattern${hint}`)
}

export type ReadPattern = {
  readonly expression: string
  readonly fields: string
  /**
   * Where year, month, day, hour, minute, second, milliseconds and the offset begin, 0 where not; empty where places
   * vary.
   */
  readonly starts: readonly number[]
}

export const readPattern = (pattern: string, at: Position): ReadPattern => {
  let fields = ''
  let expression = '^'
  const parts = partsOf(pattern, at)
  for (const part of parts) {
    if (part.kind === 'open') expression += '(?:'
    else if (part.kind === 'close') expression += ')?'
    else if (part.kind === 'text') expression += escapeText(part.text)
    else {
      const [field, shape] = fieldOf(part.letters, at)
      fields += field
      expression += `(${shape})`
    }
  }
  const missing = (what: string) => scriptFault(at, `the date pattern has no ${what}`)
  if (!/[Yy]/.test(fields)) throw missing('year (yyyy)')
  if (!/[MbB]/.test(fields)) throw missing('month (MM)')
  if (!fields.includes('d')) throw missing('day (dd)')
  if (fields.includes('h') !== fields.includes('a'))
    throw scriptFault(at, 'hh and a belong together in a date pattern; HH is the hour of the day')
  const fixed = fixedPlaces(parts)
  return fixed ?? { expression: `${expression}$`, fields, starts: [] }
}

/** Shapes of fields that always have two digits, and the order in which gs.to_epoch_millis wants their places. */
const twoDigits = wordTable<readonly [place: number, shape: string]>({
  MM: [1, '\\d{2}'],
  dd: [2, '\\d{2}'],
  HH: [3, '(?:[01]\\d|2[0-3])'],
  mm: [4, '[0-5]\\d'],
  ss: [5, '[0-5]\\d'],
})

const fixedPlaces = (parts: readonly Part[]): ReadPattern | undefined => {
  const starts = [0, 0, 0, 0, 0, 0, 0, 0]
  let expression = '^'
  let next = 1
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'text') {
      expression += escapeText(part.text)
      next += Array.from(part.text).length
      continue
    }
    if (part.kind !== 'field') return undefined
    const letters = part.letters.replaceAll('u', 'y')
    const [field, shape] = readable.get(letters) ?? []
    // An offset may be long or short, so nothing can follow it.
    if (field === 'X' && index === parts.length - 1) {
      starts[7] = next
      expression += `(?:${shape})`
      break
    }
    const two = twoDigits.get(letters)
    const place = two ? two[0] : letters === 'yyyy' ? 0 : /^S{3,9}$/.test(letters) ? 6 : undefined
    if (place === undefined || starts[place] !== 0) return undefined
    starts[place] = next
    next += letters.length
    expression += two ? two[1] : `\\d{${letters.length}}`
  }
  return { expression: `${expression}$`, fields: '', starts }
}

/** Each part is a run of letters, or a text after a quote. */
export const writePattern = (pattern: string, at: Position): readonly string[] =>
  partsOf(pattern, at).flatMap((part): readonly string[] => {
    if (part.kind === 'text') return [`'${part.text}`]
    if (part.kind !== 'field') return []
    fieldOf(part.letters, at)
    return [part.letters.replaceAll('u', 'y')]
  })

/** A text as it stands, inside a Postgres regular expression. */
const escapeText = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`)
