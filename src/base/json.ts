// The JSON of bodies: nesting, values and the names of members are limited before V8 builds anything of them, integers beyond
// 2^53 stay exact (json-text.ts), and an error is a 400 with its position. Of two members with the same name the last
// counts, as JSON.parse has it.
//
//   parseJson(Buffer.from('[{"data":9007199254740993}]'))  ->  [{ data: 9007199254740993n }]
//
// Bodies of more than 64 KiB are read in slices, one after another, by JSON.parse in pieces: that takes twice its time, but at once
// 600 KB of numbers take it 15 ms, and twelve such calls held everybody's uploads for 0.1 s and more. Heavy ones have turns of their own:
// those of more than 4 MiB, with integers beyond 2^53, which JSON.parse cannot read, or with very many arrays, objects or members.
import { randomInt } from 'node:crypto'
import { badRequest, shorten, tooLarge } from './errors.ts'
import { jsonErrorOf } from './json-error.ts'
import { mostNumberBytes } from './json-bytes.ts'
import { readJsonInPieces } from './json-pieces.ts'
import type { Json } from './json-pieces.ts'
import { NotJson, parseExactly, pieceLength, readJsonBytes } from './json-text.ts'
import type { Holders, Shares } from './shares.ts'
import { openShares } from './shares.ts'
import { atOnce, inSlices, openFairBreath } from './slices.ts'
import type { Breathe, Sliced } from './slices.ts'

export type { Json }

const mostNesting = 64
// 100,000 samples have half as many; as empty objects, a million take 60 MB.
const mostValues = 1_000_000
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
 * Of one text in a heavy body, which only an upload can be, and no sample has a longer one. All work on a text is done at once: one of
 * 60 MB took 1.2 to 6.5 s in which nobody was served (busy machine), and 560 MB. In others there are scripts of a million characters.
 */
const mostTextBytes = 512 * 1024

// Below this size even a text of brackets alone is harmless, and the scan would cost a tenth of the parsing.
const scanFromLength = 16_384

const limits = { depth: mostNesting, members: mostValues }

/** By hand, as those with integers beyond 2^53 are read, 64 KiB take up to 20 ms, and 1.8 MiB of small arrays half a second. */
const mostAtOnce = 64 * 1024

/** 100,000 samples in the object form are rarely larger. */
const mostLight = 4 * 1024 * 1024

/**
 * Arrays, objects and their members: 900,000 empty arrays, in 4 KB of gzip, take JSON.parse half a second, 20,000 objects of the same 33
 * names, each in an order of its own, 0.7 s, and so many of either 30 to 60 ms.
 */
const mostLightParts = 50_000

/**
 * Takes bytes that are UTF-8 (jsonBytes of body.ts): hostile bytes are refused before a string is made of them. All at once: `most` values,
 * where they are not bounded by the bytes.
 */
export const parseJson = (bytes: Buffer, wanted?: string, most = mostValues): Json =>
  parseSeen(bytes, look(bytes, most), wanted)

const anybody: Holders = ['anybody']

/** The same; a large body in slices, between which others are served. `holders` are those whose body it is. */
export const readJson = (bytes: Buffer, wanted?: string, holders = anybody): Json | Promise<Json> =>
  readJsonAs(bytes, itself, { wanted, holders })

export type JsonReading = {
  readonly wanted?: string | undefined
  readonly holders?: Holders | undefined
  /** Called where the bytes are needed no more, while values are made of the largest bodies: these were there three times. */
  readonly drop?: (() => void) | undefined
}

/** The same, and what is made of it: of a large body in slices too, in the same turn. */
export const readJsonAs = <T>(
  bytes: Buffer,
  make: (json: Json) => Sliced<T>,
  { wanted, holders = anybody, drop }: JsonReading,
): T | Promise<T> => {
  if (bytes.length <= mostAtOnce) return atOnce(make(parseSeen(bytes, look(bytes, mostValues), wanted)))
  const readAllHeavy = (scanning?: Sliced<Look>) =>
    inTurn(heavyTurns, holders, () => slowly(made(readHeavy(bytes, wanted, drop, scanning), make)))
  if (bytes.length > mostLight) return readAllHeavy(scan(bytes, mostValues, mostTextBytes))
  return readLight(bytes, wanted, holders, make, readAllHeavy)
}

const readLight = async <T>(
  bytes: Buffer,
  wanted: string | undefined,
  holders: Holders,
  make: (json: Json) => Sliced<T>,
  readAllHeavy: () => Promise<T>,
): Promise<T> => {
  const unlessHeavy = (read: Json | typeof heavy): Sliced<T | typeof heavy> =>
    read === heavy ? itself(heavy) : make(read)
  const read = await inTurn(lightTurns, holders, () => slowly(made(readUnlessHeavy(bytes, wanted), unlessHeavy)))
  return read === heavy ? readAllHeavy() : read
}

const itself = function* <T>(value: T): Sliced<T> {
  yield
  return value
}

const made = function* <T, Made>(reading: Sliced<T>, make: (read: T) => Sliced<Made>): Sliced<Made> {
  return yield* make(yield* reading)
}

const look = (bytes: Buffer, most: number): Look =>
  bytes.length >= scanFromLength || sixteenDigits.test(bytes.toString('latin1'))
    ? atOnce(scan(bytes, most))
    : { longs: 0, parts: 0 }

const parseSeen = (bytes: Buffer, { longs }: Look, wanted: string | undefined): Json => {
  try {
    const text = bytes.toString('utf8')
    return longs === 0 ? (JSON.parse(text) as Json) : parseExactly(text, limits)
  } catch (error) {
    throw faultOf(error, wanted)
  }
}

/**
 * The values of a heavy body may take fifty times its bytes: those of several have never been there together, of large ones neither, which
 * blanks may fill up: five of 4.2 MB took 450 MB. Callers have one after
 * another, as they share other things: behind six of one key, 25 KB of gzip, everybody's waited 9 s. Light ones too: a turn of the loop
 * with a slice of each of twelve is as long as one without slices.
 */
const inTurn = async <T>(turns: Shares, holders: Holders, read: () => Promise<T>): Promise<T> => {
  const turn = turns.open(holders)
  if (!turn.enter(1)) await new Promise<void>((enter) => turn.whenItsTurn(1, enter))
  try {
    return await read()
  } finally {
    turn.give()
  }
}
const heavyTurns = openShares(1)
const lightTurns = openShares(1)

const slowly = <T>(work: Sliced<T>): Promise<T> => inSlices(work, openFairBreath())

/** For a body that is read by a reader of its own, which leaves others room by `breathe`. */
export const readInTurn = <T>(bytes: number, holders = anybody, read: (breathe: Breathe) => Promise<T>): Promise<T> =>
  bytes <= mostAtOnce
    ? read(openFairBreath())
    : inTurn(bytes > mostLight ? heavyTurns : lightTurns, holders, () => read(openFairBreath()))

const heavy = Symbol('heavy')

const readUnlessHeavy = function* (bytes: Buffer, wanted: string | undefined): Sliced<Json | typeof heavy> {
  const { longs, parts } = yield* scan(bytes, mostValues)
  if (longs > 0 || parts > mostLightParts) return heavy
  const text = bytes.toString('utf8')
  const value = yield* readUsual(text)
  if (value !== undefined) return value
  const error = yield* jsonErrorOf(text)
  if (error !== undefined) throw notJson(error, wanted)
  return JSON.parse(text) as Json
}

const readUsual = function* (text: string): Sliced<Json | undefined> {
  try {
    return yield* readJsonInPieces(text, JSON.parse, { ...limits, pieceLength })
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const readHeavy = function* (
  bytes: Buffer,
  wanted: string | undefined,
  drop: (() => void) | undefined,
  scanning: Sliced<Look> | undefined,
): Sliced<Json> {
  if (scanning) yield* scanning
  try {
    const reading = readJsonBytes(bytes, limits)
    drop?.()
    return yield* reading
  } catch (error) {
    throw faultOf(error, wanted)
  }
}

const faultOf = (error: unknown, wanted: string | undefined): unknown => {
  if (error instanceof NotJson) return notJson(`${error.message} at position ${error.position - 1}`, wanted)
  return error instanceof SyntaxError ? notJson(error.message, wanted) : error
}

/** The form that is wanted is part of the message: whoever sends no JSON knows no other. */
const notJson = (reason: string, wanted: string | undefined) =>
  badRequest(
    `the body is not JSON: ${shorten(reason.replace(/\s+/g, ' '), 120)}${wanted === undefined ? '' : `; ${wanted}`}`,
  )

const sixteenDigits = /\d{16}/

/** The counts that decide on how a text is read: integers that a number cannot hold, and arrays, objects and members. */
type Look = { longs: number; parts: number }

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

/** Refuses a text that is too deep or holds too many values or names. */
const scan = function* (bytes: Buffer, most: number, mostText = Infinity): Sliced<Look> {
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
