// What a script holds in this server's memory, in values and in bytes: texts, what is parsed of them, rows on their way
// to Postgres and back, what is to be written, and the result until it is sent. Each script has a limit, and all scripts
// of the process share one, by their callers (base/shares.ts).
import { busy } from '../base/errors.ts'
import { openShares } from '../base/shares.ts'
import type { Holders, Holding, Shares } from '../base/shares.ts'
import { scriptFault } from './fault.ts'
import type { Position } from './fault.ts'
import type { Value } from './value.ts'

export type ScriptMemory = {
  /** Takes room for values and the characters in them; throws when there is none. */
  readonly spend: (at: Position, values: number, characters: number) => void
  /** Takes room for a JSON text that is to be parsed. */
  readonly spendJson: (at: Position, text: string) => void
  /** Gives back what was spent on it. */
  readonly giveBack: (characters: number) => void
  /** Gives back everything, of a script that is to run again. */
  readonly beginAnew: () => void
  /** Gives back everything; nothing more can be spent. */
  readonly close: () => void
}

const mebibyte = 1024 * 1024
export const maxScriptValues = 4_000_000
export const maxScriptBytes = 192 * mebibyte
const processBytes = 512 * mebibyte

// By measurement: a number in a list, and its digits on their way to Postgres; a character here, and one on its way.
const bytesPerValue = 40
const bytesPerCharacter = 2
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

/** What parsing makes of a text: 56 bytes for an object, at most 24 for a member or an element besides its text. */
const jsonBytes = (text: string): number => {
  let bytes = bytesPerCharacter * text.length
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x7b || code === 0x5b) bytes += 56
    else if (code === 0x2c || code === 0x3a) bytes += 24
  }
  return bytes
}

export const charactersOf = (value: Value | undefined): number => (typeof value === 'string' ? value.length : 0)

export const charactersIn = (row: readonly unknown[]): number => {
  let characters = 0
  for (const value of row) if (typeof value === 'string') characters += value.length
  return characters
}
