// The memory that a script holds in this server, in values and in bytes: texts, their parsed values, rows on their way
// to Postgres and back, effects, and the result until it is sent. Each script has a limit, and all scripts of the
// process share one, by their callers (base/shares.ts).
import { busy } from '../base/errors.ts'
import { openShares } from '../base/shares.ts'
import type { Holders, Holding, Shares } from '../base/shares.ts'
import { scriptFault } from './fault.ts'
import type { Position } from './fault.ts'

export type ScriptMemory = {
  /** Takes room for values and the characters in them; throws when there is none. */
  readonly spend: (at: Position, values: number, characters: number) => void
  /** Takes room for a JSON text that is to be parsed. */
  readonly spendJson: (at: Position, text: string) => void
  /** Gives back the room that was spent on it. */
  readonly giveBack: (characters: number) => void
  /** Gives back everything, of a script that is to run again. */
  readonly beginAnew: () => void
  /** Gives back everything; nothing more can be spent. */
  readonly close: () => void
}

const mebibyte = 1024 * 1024
// A process that has run scripts for a while has 165 MB, and bodies on their way 50. Five organizations whose scripts took
// all that is here brought it to 357 MB, in one run of scripts with wide texts, copied texts and objects; with 192 MiB it
// was 446, and with 144 MiB 353 to 408. test/journey/script-memory.load.ts sees that it stays below 400.
const processBytes = 128 * mebibyte
/**
 * The share of one caller, with room left for others (base/shares.ts): a larger script would be refused at every try.
 */
export const maxScriptBytes = processBytes / 2
export const maxScriptValues = 1_500_000

// By measurement: a number or a short text in a list; a character, of which a text with one beyond Latin-1 has twice the
// bytes; and a character on its way to Postgres, in the text of a list and in what is written to the connection.
const bytesPerValue = 32
const bytesPerCharacter = 1
const wideWeight = 2
const wayWeight = 3
const stepBytes = 64 * 1024

export const openScriptMemory = (total = processBytes): Shares => openShares(total)

export const openMemory = (shares: Shares, holders: Holders): ScriptMemory => new OpenMemory(shares.open(holders))

/** A class, and not an object of closures: every pushed body opens one. */
class OpenMemory implements ScriptMemory {
  readonly #holding: Holding
  #values = 0
  #bytes = 0

  constructor(holding: Holding) {
    this.#holding = holding
  }

  #take(at: Position, more: number): void {
    this.#bytes += more
    const missing = this.#bytes - this.#holding.amount
    if (missing <= 0) return
    if (this.#bytes > maxScriptBytes)
      throw scriptFault(at, `the script holds more than ${maxScriptBytes / mebibyte} MiB of texts, rows and results`)
    if (!this.#holding.take(Math.ceil(missing / stepBytes) * stepBytes))
      throw busy('too many large scripts at once, try again', 2)
  }

  spend(at: Position, values: number, characters: number): void {
    this.#values += values
    if (this.#values > maxScriptValues) throw scriptFault(at, `the script holds more than ${maxScriptValues} values`)
    this.#take(at, values * bytesPerValue + characters * bytesPerCharacter)
  }

  spendJson(at: Position, text: string): void {
    this.#take(at, jsonBytes(text))
  }

  giveBack(characters: number): void {
    this.#bytes -= characters * bytesPerCharacter
  }

  beginAnew(): void {
    this.#values = 0
    this.#bytes = 0
    if (this.#holding.amount > 0) this.#holding.give()
  }

  close(): void {
    this.#bytes = Number.POSITIVE_INFINITY
    this.#holding.give()
  }
}

/** The size of a parsed text: 56 bytes for an object, at most 24 for a member or an element besides its text. */
const jsonBytes = (text: string): number => {
  let bytes = charactersOf(text)
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x7b || code === 0x5b) bytes += 56
    else if (code === 0x2c || code === 0x3a) bytes += 24
  }
  return bytes
}

/** The characters of a value; those of a wide text count with its weight. */
export const charactersOf = (value: unknown): number => {
  if (typeof value !== 'string') return 0
  return wide.test(value) ? wideWeight * value.length : value.length
}

const wide = /[\u0100-\uffff]/

/** The characters of values on their way to Postgres, in addition to their count here. */
export const charactersOnTheirWay = (values: readonly unknown[]): number => wayWeight * charactersIn(values)

export const charactersIn = (row: readonly unknown[]): number => {
  let characters = 0
  for (const value of row) characters += charactersOf(value)
  return characters
}
