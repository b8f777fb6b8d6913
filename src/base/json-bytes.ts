// Reads JSON straight from its bytes, where these are usual: no object is made, and no text of what is not asked for. At
// anything else, such as a nested member, an escaped name or an integer beyond 2^53, the readers throw `unusual`, and the
// bytes are to be read by all the rules, with all the messages (json.ts). The bytes must be UTF-8.
//
// Every byte is looked at once: at 3 ns each, looking is the whole cost.

export const unusual = new Error('unusual')

/** The place from which on is read. Behind `bytes` there is nothing: a byte there is undefined, and equal to nothing. */
export type Cursor = { readonly bytes: Buffer; at: number }

export const quote = 0x22
const comma = 0x2c
const minus = 0x2d
const dot = 0x2e
const zero = 0x30
const nine = 0x39
export const colon = 0x3a
export const openBracket = 0x5b
export const backslash = 0x5c
export const closeBracket = 0x5d
export const openBrace = 0x7b
export const closeBrace = 0x7d

/** The members that mean something. */
export type MemberNames = { readonly texts: readonly Buffer[]; readonly inLowerCase: ReadonlySet<string> }

export const memberNames = (...names: readonly string[]): MemberNames => ({
  // With their closing quotes.
  texts: names.map((name) => Buffer.from(`${name}"`)),
  inLowerCase: new Set(names.map((name) => name.toLowerCase())),
})

/** Behind an opening quote: takes a member's name, and gives its number among these, or -1 for one that means nothing. */
export const readMember = (cursor: Cursor, { texts, inLowerCase }: MemberNames): number => {
  const { bytes, at } = cursor
  for (let number = 0; number < texts.length; number += 1) {
    const text = texts[number]!
    if (bytes[at] !== text[0] || !isText(cursor, text)) continue
    cursor.at = at + text.length
    return number
  }
  skipName(cursor, inLowerCase)
  return -1
}

/** Of names and IDs, which have 512 characters at most. A text with longer ones is read in another way, with limits of its own. */
export const mostNameBytes = 2048

const skipName = (cursor: Cursor, meaningful: ReadonlySet<string>): void => {
  const from = cursor.at
  const end = from + mostNameBytes
  for (let byte = cursor.bytes[cursor.at]!; byte !== quote; byte = cursor.bytes[cursor.at]!) {
    // An escaped name may be a meaningful one after all.
    if (!(byte >= 0x20) || byte === backslash || cursor.at === end) throw unusual
    cursor.at += 1
  }
  // A name in another case may be a meaningful one as well.
  if (meaningful.has(cursor.bytes.toString('latin1', from, cursor.at).toLowerCase())) throw unusual
  cursor.at += 1
}

export const isText = ({ bytes, at }: Cursor, text: Buffer): boolean => {
  for (let n = 0; n < text.length; n += 1) if (bytes[at + n] !== text[n]) return false
  return true
}

/** In a row. A text with more is read in another way, in slices: 60 MB of them took half a second. */
export const mostBlanks = 64 * 1024

/** The next byte that is not blank, without taking it. */
export const next = (cursor: Cursor): number => {
  const { at } = cursor
  let byte = cursor.bytes[cursor.at]!
  while (isBlank(byte)) {
    if (cursor.at - at === mostBlanks) throw unusual
    cursor.at += 1
    byte = cursor.bytes[cursor.at]!
  }
  return byte
}

export const isBlank = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

export const take = (cursor: Cursor, byte: number): void => {
  if (next(cursor) !== byte) throw unusual
  cursor.at += 1
}

/** Takes a comma, or else the end of the list or object. */
export const takesComma = (cursor: Cursor, end: number): boolean => {
  const byte = next(cursor)
  if (byte !== comma && byte !== end) throw unusual
  cursor.at += 1
  return byte === comma
}

/** No sample has a longer one, of 65,536 characters that are escaped: 60 MB of one are not to be looked at without a pause. */
export const mostTextBytes = 512 * 1024

/** Behind an opening quote: takes the string and its closing quote. */
export const readString = (cursor: Cursor): string => {
  const { bytes, at: from } = cursor
  const end = from + mostTextBytes
  let hasEscape = false
  let at = from
  for (let byte = bytes[at]!; byte !== quote; byte = bytes[at]!) {
    if (!(byte >= 0x20) || at >= end) throw unusual
    if (byte === backslash) hasEscape = true
    at += byte === backslash ? 2 : 1
  }
  cursor.at = at + 1
  return hasEscape ? (readByNode(bytes, from - 1, at + 1) as string) : bytes.toString('utf8', from, at)
}

const readByNode = (bytes: Buffer, from: number, until: number): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8', from, until))
  } catch {
    throw unusual
  }
}

export const readScalar = (cursor: Cursor, first: number): string | number | boolean | null => {
  if (first === minus || isDigit(first)) return readNumber(cursor, first)
  if (first !== quote) return readWord(cursor)
  cursor.at += 1
  return readString(cursor)
}

const words: readonly (readonly [null | boolean, Buffer])[] = [
  [null, Buffer.from('null')],
  [true, Buffer.from('true')],
  [false, Buffer.from('false')],
]

const readWord = (cursor: Cursor): null | boolean => {
  for (const [value, text] of words) {
    if (!isText(cursor, text)) continue
    cursor.at += text.length
    return value
  }
  throw unusual
}

/** An ID that is null is as good as none. */
export const readNull = (cursor: Cursor): -1 => {
  if (readWord(cursor) !== null) throw unusual
  return -1
}

export const isDigit = (byte: number) => byte >= zero && byte <= nine

/** With 15 digits and a point. */
const mostUsualLength = 16

/** No double has a tenth of it. A text with a longer one is read in another way, which refuses it: 60 MB of digits, in 60 KB of gzip, took 1.9 s. */
export const mostNumberBytes = 64 * 1024

const powersOfTen = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent)

/**
 * Up to 15 digits are an integer that a double holds exactly, as it does the power of ten that the decimals ask for:
 * one division then rounds as reading the text would. A longer number, or one with an exponent, is for JSON.parse.
 */
export const readNumber = (cursor: Cursor, first: number): number => {
  const { bytes } = cursor
  const from = first === minus ? cursor.at + 1 : cursor.at
  const end = from + mostUsualLength
  let at = from
  let digits = 0
  let byte = bytes[at]!
  for (; isDigit(byte) && at < end; byte = bytes[at]!) {
    digits = digits * 10 + (byte - zero)
    at += 1
  }
  const whole = at - from
  if (byte === dot) {
    at += 1
    for (byte = bytes[at]!; isDigit(byte) && at < end; byte = bytes[at]!) {
      digits = digits * 10 + (byte - zero)
      at += 1
    }
  }
  const decimals = at === from + whole ? 0 : at - from - whole - 1
  const isUsual =
    whole > 0 &&
    (whole === 1 || bytes[from] !== zero) &&
    whole + decimals <= 15 &&
    decimals > 0 === at > from + whole &&
    (byte === comma || byte === closeBrace || isBlank(byte))
  if (!isUsual) return readLongNumber(cursor)
  cursor.at = at
  const number = decimals === 0 ? digits : digits / powersOfTen[decimals]!
  return first === minus ? -number : number
}

const readLongNumber = (cursor: Cursor): number => {
  const { bytes, at: from } = cursor
  let byte = bytes[from]!
  let hasPoint = false
  while (byte !== comma && byte !== closeBrace && !isBlank(byte)) {
    if (!(byte >= 0x20) || cursor.at - from === mostNumberBytes) throw unusual
    if (byte !== minus && !isDigit(byte)) hasPoint = true
    cursor.at += 1
    byte = bytes[cursor.at]!
  }
  const number = readByNode(bytes, from, cursor.at)
  // Without point or exponent, an integer that a number does not hold exactly must become a bigint.
  if (typeof number !== 'number' || (!hasPoint && !Number.isSafeInteger(number))) throw unusual
  return number
}
