// A look at the bytes of JSON before anything is made of them: nesting, values and the names of members are limited, and so are
// single numbers and texts. It is one pass over the bytes, in slices, and says how the text is to be read (json.ts). Whether
// it is JSON at all is found out by the reader.
import { randomInt } from 'node:crypto'
import { badRequest, tooLarge } from './errors.ts'
import { mostNumberBytes } from './json-bytes.ts'
import { atOnce } from './slices.ts'
import type { Sliced } from './slices.ts'

const mostNesting = 64
// 100,000 samples have half as many; as empty objects, a million take 60 MB.
export const mostValues = 1_000_000
/** As many as an upload has samples; each costs a microsecond, where other values cost a tenth. */
const mostLongs = 100_000

/**
 * Of members, and different ones: no body has more than some dozens that mean something. For each of them V8 makes another
 * kind of object: 4 MiB with 420,000 take it a second, in which nobody else is served, and 4 MiB of samples 41 ms.
 */
const mostNames = 10_000

/** V8 knows all names of 16,384 characters or more by their length alone, and compares each with all others of that length. */
const mostNameBytes = 8192

/**
 * Of one text in a body of more than 4 MiB, which only an upload can be, and no sample has a longer one. All work on a text is done at once: one of
 * 60 MB took 1.2 to 6.5 s in which nobody was served (busy machine), and 560 MB. In others there are scripts of a million characters.
 */
export const mostTextBytes = 512 * 1024

// Below this size even a text of brackets alone is harmless, and the scan would cost a tenth of the parsing.
const scanFromLength = 16_384

/** Of the reader, too. */
export const limits = { depth: mostNesting, members: mostValues }

const sixteenDigits = /\d{16}/

/** The counts that decide on how a text is read: integers that a number cannot hold, and arrays, objects and members. */
export type Look = { longs: number; parts: number }

/** The same as `scan`, at once. A short text is harmless, and looked at only where it may have large integers. */
export const look = (bytes: Buffer, most: number): Look =>
  bytes.length >= scanFromLength || sixteenDigits.test(bytes.toString('latin1'))
    ? atOnce(scan(bytes, most))
    : { longs: 0, parts: 0 }

/** The place that was reached in a text, and the counts up to there. */
type Seen = Look & {
  at: number
  isInText: boolean
  /** Where the text that was read last begins and ends. */
  textFrom: number
  textUntil: number
  /** Of the text that was read last, up to here. */
  hash: number
  /** 1 for each hash that a name has had. */
  readonly hashes: Uint8Array
  names: number
  depth: number
  values: number
}

const bytesPerSlice = 64 * 1024

/** Refuses a text that is too deep, holds too many values or names, or too long ones. */
export const scan = function* (bytes: Buffer, most: number, mostText = Infinity): Sliced<Look> {
  const hashes = new Uint8Array(2 ** 16)
  const seen: Seen = {
    at: 0,
    isInText: false,
    textFrom: 0,
    textUntil: 0,
    hash: 0,
    hashes,
    names: 0,
    depth: 0,
    values: 1,
    longs: 0,
    parts: 0,
  }
  while (seen.at < bytes.length) {
    scanUpTo(bytes, Math.min(bytes.length, seen.at + bytesPerSlice), seen, most, mostText)
    // It need not come to its end.
    if (seen.isInText) refuseLongText(seen.at - seen.textFrom, mostText)
    yield
  }
  return seen
}

const refuseLongText = (length: number, most: number): void => {
  if (length > most) throw tooLarge(`the body has a text of more than ${most} bytes`)
}

/** Texts are looked at byte by byte: to look for each of millions of escaped quotes takes four times as long. */
const scanUpTo = (bytes: Buffer, end: number, seen: Seen, most: number, mostText: number): void => {
  const { hashes } = seen
  let { at, isInText, textFrom, textUntil, hash, names, depth, values, longs, parts } = seen
  for (; at < end; at += 1) {
    const code = bytes[at]!
    if (isInText) {
      if (code === backslash) {
        at += 1
        hash = hashWith(hash, bytes[at]!)
      } else if (code === quote) {
        isInText = false
        textUntil = at
        refuseLongText(at - textFrom, mostText)
      } else hash = hashWith(hash, code)
    } else if (code === quote) {
      isInText = true
      textFrom = at + 1
      hash = 1
    } else if (code === comma) values += 1
    else if (code === colon) {
      parts += 1
      if (textUntil - textFrom > mostNameBytes)
        throw tooLarge(`the body has a name of a member with more than ${mostNameBytes} bytes`)
      const place = placeOf(hash)
      if (hashes[place] === 1) continue
      hashes[place] = 1
      names += 1
      if (names > mostNames) throw tooLarge(`the body has more than ${mostNames} different names of members`)
    } else if (code === openBracket || code === openBrace) {
      depth += 1
      values += 1
      parts += 1
      if (depth > mostNesting) throw badRequest(`the body is nested more than ${mostNesting} deep`)
    } else if (code === closeBracket || code === closeBrace) depth -= 1
    else if (wordSigns[code] === 1) {
      const from = at
      while (wordSigns[bytes[at + 1]!] === 1 && at - from < mostNumberBytes) at += 1
      const length = at + 1 - from
      if (length > mostNumberBytes)
        throw tooLarge(`the body has a number or word of more than ${mostNumberBytes} bytes`)
      // No double has more than 309 digits.
      if (length >= 16 && length <= 400 && isLong(bytes.toString('latin1', from, at + 1))) longs += 1
      if (longs > mostLongs) throw tooLarge(`the body has more than ${mostLongs} integers beyond 2^53`)
    }
    if (values > most) throw tooLarge(`the body has more than ${most} JSON values`)
  }
  Object.assign(seen, { at, isInText, textFrom, textUntil, hash, names, depth, values, longs, parts })
}

/** Some names have the same hash, and count once: by a number that nobody knows, so that nobody can choose such names. */
const multiplier = 2 * randomInt(2 ** 31) + 1
const hashWith = (hash: number, code: number) => (Math.imul(hash, multiplier) + code) | 0

/** Its bits mixed: by a multiplication alone, 6 of 2,000 such numbers let 20,000 names such as k123 count as fewer than 10,000. */
const placeOf = (hash: number): number => {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed ^= mixed >>> 13
  return Math.imul(mixed, 0xc2b2ae35) >>> 16
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** 1 for the signs of numbers and words, and for all that is in no JSON outside texts. */
const wordSigns = Uint8Array.from({ length: 256 }, (_, code) =>
  Number(code > 0x20 && !'",:[]{}'.includes(String.fromCharCode(code))),
)

/** Leading zeros are not JSON, and refused by the parser. */
const isLong = (number: string) => /^-?[1-9]\d+$/.test(number) && !Number.isSafeInteger(Number(number))
