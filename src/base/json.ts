// JSON as it must be read from strangers: integers beyond 2^53 stay exact, nesting and the number of values are
// limited before V8 builds anything of them, and what is wrong is a 400 that says where.
//
//   parseJson('[{"data":9007199254740993}]')  ->  [{ data: 9007199254740993n }]
import { randomUUID } from 'node:crypto'
import { badRequest, tooLarge } from './errors.ts'

export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [name: string]: Json | undefined }

const mostNesting = 64
// 100,000 samples have half as many; as empty objects, a million take 60 MB.
const mostValues = 1_000_000

// Below this size even nothing but brackets is harmless, and the scan would cost a tenth of the parsing.
const scanFromLength = 16_384

export const parseJson = (text: string): Json => {
  const longs = text.length >= scanFromLength || /\d{16}/.test(text) ? scan(text) : []
  try {
    return longs.length > 0 ? parseExactly(text, longs) : (JSON.parse(text) as Json)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw badRequest(`the body is not JSON: ${error.message.replace(/\s+/g, ' ').slice(0, 120)}`)
  }
}

type Span = { readonly from: number; readonly until: number }

// JSON.parse with access to the source text is not in Node 20, so a long integer travels as a string behind a
// mark that nobody can guess.
const mark = randomUUID()

const parseExactly = (text: string, longs: readonly Span[]): Json => {
  let marked = ''
  let done = 0
  for (const { from, until } of longs) {
    marked += `${text.slice(done, from)}"${mark}${text.slice(from, until)}"`
    done = until
  }
  return JSON.parse(marked + text.slice(done), (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  ) as Json
}

/** Refuses what is too deep or too much, and finds the integers that a number cannot hold. */
const scan = (text: string): readonly Span[] => {
  const longs: Span[] = []
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === comma) values += 1
    else if (code === openBracket || code === openBrace) {
      depth += 1
      values += 1
      if (depth > mostNesting) throw badRequest(`the body is nested more than ${mostNesting} deep`)
    } else if (code === closeBracket || code === closeBrace) depth -= 1
    else if (isNumeric(code)) {
      const from = at
      while (isNumeric(text.charCodeAt(at + 1))) at += 1
      if (at - from >= 15 && isLong(text.slice(from, at + 1))) longs.push({ from, until: at + 1 })
    }
    if (values > mostValues) throw tooLarge(`the body has more than ${mostValues} values`)
  }
  return longs
}

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Digits, signs, dots and exponents: + - . 0-9 E e. */
const isNumeric = (code: number) =>
  (code >= 0x2b && code <= 0x39 && code !== comma && code !== 0x2f) || code === 0x45 || code === 0x65

/** Leading zeros are not JSON: what has them is left for JSON.parse to refuse. No double has more than 309 digits. */
const isLong = (number: string) =>
  number.length <= 400 && /^-?[1-9]\d+$/.test(number) && !Number.isSafeInteger(Number(number))

const endOfString = (text: string, from: number): number => {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = end
    while (text[escapes - 1] === '\\') escapes -= 1
    if ((end - escapes) % 2 === 0) return end
  }
  return text.length
}
