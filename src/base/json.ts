// The JSON of bodies: nesting, values and the names of members are limited before V8 builds anything of them (json-scan.ts),
// integers beyond 2^53 stay exact (json-text.ts), and an error is a 400 with its position. Of two members with the same name the last
// counts, as JSON.parse has it.
//
//   parseJson(Buffer.from('[{"data":9007199254740993}]'))  ->  [{ data: 9007199254740993n }]
//
// Bodies of more than 64 KiB are read in slices, one after another, by JSON.parse in pieces: that takes twice its time, but at once
// 600 KB of numbers take it 15 ms, and twelve such calls held everybody's uploads for 0.1 s and more. Heavy ones have turns of their own:
// those of more than 4 MiB, with integers beyond 2^53, which JSON.parse cannot read, or with very many arrays, objects or members.
import { badRequest, shorten } from './errors.ts'
import { jsonErrorOf } from './json-error.ts'
import { readJsonInPieces } from './json-pieces.ts'
import type { Json } from './json-pieces.ts'
import { limits, look, mostTextBytes, mostValues, scan } from './json-scan.ts'
import type { Look } from './json-scan.ts'
import { NotJson, parseExactly, pieceLength, readJsonBytes } from './json-text.ts'
import type { Holders, Shares } from './shares.ts'
import { openShares } from './shares.ts'
import { atOnce, inSlices, openFairBreath } from './slices.ts'
import type { Breathe, Sliced } from './slices.ts'

export type { Json }

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
