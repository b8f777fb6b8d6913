// JSON as it must be read from strangers: integers beyond 2^53 stay exact, nesting and the number of values are
// limited before V8 builds anything of them, and what is wrong is a 400 that says where.
//
//   parseJson(Buffer.from('[{"data":9007199254740993}]'))  ->  [{ data: 9007199254740993n }]
import { randomUUID } from 'node:crypto'
import { badRequest, shorten, tooLarge } from './errors.ts'

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
/** As many as an upload has samples; each costs a microsecond, where other values cost a tenth. */
const mostLongs = 100_000

// Below this size even nothing but brackets is harmless, and the scan would cost a tenth of the parsing.
const scanFromLength = 16_384

/** Of bytes that are UTF-8 (jsonBytes of body.ts): hostile bytes are refused before a string is made of them. */
export const parseJson = (bytes: Buffer): Json => {
  const longs = bytes.length >= scanFromLength || sixteenDigits.test(bytes.toString('latin1')) ? scan(bytes) : []
  try {
    return longs.length > 0 ? parseExactly(bytes, longs) : (JSON.parse(bytes.toString('utf8')) as Json)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw badRequest(`the body is not JSON: ${shorten(error.message.replace(/\s+/g, ' '), 120)}`)
  }
}

const sixteenDigits = /\d{16}/

type Span = { readonly from: number; readonly until: number }

// JSON.parse with access to the source text is not in Node 20, so a long integer travels as a string behind a
// mark that nobody can guess.
const mark = randomUUID()

const parseExactly = (bytes: Buffer, longs: readonly Span[]): Json => {
  let marked = ''
  let done = 0
  for (const { from, until } of longs) {
    marked += `${bytes.toString('utf8', done, from)}"${mark}${bytes.toString('latin1', from, until)}"`
    done = until
  }
  return JSON.parse(marked + bytes.toString('utf8', done), (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  ) as Json
}

/** Refuses what is too deep or too much, and finds the integers that a number cannot hold. */
const scan = (bytes: Buffer): readonly Span[] => {
  const longs: Span[] = []
  let depth = 0
  let values = 1
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at]!
    if (code === quote) at = endOfString(bytes, at)
    else if (code === comma) values += 1
    else if (code === openBracket || code === openBrace) {
      depth += 1
      values += 1
      if (depth > mostNesting) throw badRequest(`the body is nested more than ${mostNesting} deep`)
    } else if (code === closeBracket || code === closeBrace) depth -= 1
    else if (isNumeric(code)) {
      const from = at
      while (isNumeric(bytes[at + 1]!)) at += 1
      const length = at + 1 - from
      // No double has more than 309 digits.
      if (length >= 16 && length <= 400 && isLong(bytes.toString('latin1', from, at + 1))) {
        if (longs.length === mostLongs) throw tooLarge(`the body has more than ${mostLongs} integers beyond 2^53`)
        longs.push({ from, until: at + 1 })
      }
    }
    if (values > mostValues) throw tooLarge(`the body has more than ${mostValues} JSON values`)
  }
  return longs
}

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Digits, signs, dots and exponents: + - . 0-9 E e. */
const isNumeric = (code: number) =>
  (code >= 0x2b && code <= 0x39 && code !== comma && code !== 0x2f) || code === 0x45 || code === 0x65

/** Leading zeros are not JSON: such numbers are left for JSON.parse to refuse. */
const isLong = (number: string) => /^-?[1-9]\d+$/.test(number) && !Number.isSafeInteger(Number(number))

const endOfString = (bytes: Buffer, from: number): number => {
  for (let end = bytes.indexOf(quote, from + 1); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let escapes = end
    while (bytes[escapes - 1] === backslash) escapes -= 1
    if ((end - escapes) % 2 === 0) return end
  }
  return bytes.length
}
