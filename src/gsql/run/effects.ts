// The rows that INSERT, UPDATE and DELETE would write, judged one by one and handed on in batches.
import { badRequest, Fault, shorten } from '../../base/errors.ts'
import { identifier } from '../../base/http/members.ts'
import { epoch, epochNumber } from '../../base/http/params.ts'
import { fixedValue } from './bind.ts'
import { cellFromText } from '../text/cell.ts'
import { scriptFault } from '../fault.ts'
import type { Position } from '../fault.ts'
import { charactersIn, charactersOf } from '../memory.ts'
import type { ScriptMemory } from '../memory.ts'
import type { InsertOptions, InsertPlaces } from '../plan/plan.ts'
import type { Value } from '../value.ts'
import type { CompiledStatement } from '../script.ts'

export type InsertedRow = {
  readonly cid: string
  readonly id: string
  /** undefined: the server's clock. */
  readonly timeMs: number | undefined
  readonly sample: Value
}

/** Rows that a statement writes; of one statement there may be several. */
export type Effect =
  | {
      readonly kind: 'insert'
      readonly statement: InsertStatement
      readonly options: AppliedOptions
      readonly rows: readonly InsertedRow[]
    }
  | {
      readonly kind: 'update'
      readonly statement: UpdateStatement
      readonly rows: readonly (InsertedRow & { readonly timeMs: number })[]
    }
  | {
      readonly kind: 'delete'
      readonly rows: readonly { readonly cid: string; readonly id: string; readonly timeMs: number }[]
    }

/** A statement's place in the script, and those of its values. */
export type InsertStatement = { readonly at: Position; readonly places: InsertPlaces }
export type UpdateStatement = { readonly at: Position; readonly sampleAt: Position }

/** The place of the value of a row, which is counted from 1. */
export const placeOfRow = (place: Position | readonly Position[], row: number): Position =>
  'line' in place ? place : place[row - 1]!

export type AppliedOptions = Readonly<Partial<Record<keyof InsertOptions, string>>>

const batchRows = 10_000

/**
 * Turns rows into effects as they come, so that a million of them are never all in memory as rows. The error of a row
 * is thrown at the end: an error in the middle of a result would spoil its connection.
 */
export const openEffects = (
  statement: CompiledStatement,
  base: Parameters<typeof fixedValue>[1],
  apply: (effect: Effect) => void,
  memory: ScriptMemory,
) => {
  const effectOf = effectMaker(statement, base)
  const { cid, id, sample } = statement.action.kind === 'insert' ? statement.action.takes : touchedColumns
  const names = new Set<Value>()
  let batch: (readonly Value[])[] = []
  /** Characters of the batch, besides those of samples. */
  let passing = 0
  let from = 0
  let failure: { readonly error: unknown } | undefined
  const flush = (): void => {
    try {
      if (batch.length > 0) apply(effectOf(batch, from))
    } catch (error) {
      failure = { error }
    }
    from += batch.length
    // One name for all samples of a stream is left of them.
    if (passing > fewCharacters) memory.giveBack(passing - newNames(names, batch, cid, id))
    passing = 0
    batch = []
  }
  return {
    push: (row: readonly Value[]): void => {
      if (failure !== undefined) return
      try {
        // A place, a time and a sample are kept of it. The texts of a table were counted when it was read.
        const characters = statement.copy ? 0 : charactersIn(row)
        if (characters > 0) passing += characters - charactersOf(row[sample])
        memory.spend(statement.at, 3, characters)
      } catch (error) {
        failure = { error }
      }
      if (batch.push(row) === batchRows) flush()
    },
    end: (): void => {
      if (failure === undefined) flush()
      if (failure !== undefined) throw failure.error
    },
  }
}

const touchedColumns = { cid: 0, id: 1, sample: 3 }

/** Fewer characters are not worth looking through: most scripts write some samples. */
const fewCharacters = 65_536

/** Takes the names that are new, and gives their characters. */
const newNames = (names: Set<Value>, rows: readonly (readonly Value[])[], ...columns: readonly number[]): number => {
  let characters = 0
  for (const row of rows)
    for (const column of columns) {
      const name = row[column]!
      if (names.has(name)) continue
      names.add(name)
      characters += charactersOf(name)
    }
  return characters
}

/** Names that are not looked at again: millions may have 512 characters each. */
const mostJudged = 10_000

/** Makes the effect of a batch of a statement's rows; `from` is the number of rows before. */
export const effectMaker = ({ action, at }: CompiledStatement, base: Parameters<typeof fixedValue>[1]) => {
  const judged = new Set<string>()
  const nameIn = (value: Value | undefined, column: 'CID' | 'ID', place: Place, row: number): string => {
    if (value === null || value === undefined)
      throw scriptFault(placeOfRow(place, row), `row ${row}: ${column} is NULL`)
    const name = String(value)
    if (judged.has(name)) return name
    inRow(place, row, () => identifier(column, name))
    if (judged.size >= mostJudged) judged.clear()
    judged.add(name)
    return name
  }
  const inserting = action.kind === 'insert' ? { at, places: action.places } : undefined
  const updating = action.kind === 'update' ? { at, sampleAt: action.sampleAt } : undefined
  return (batch: readonly (readonly Value[])[], from: number): Effect => {
    if (action.kind === 'insert') {
      const { takes: columns, places } = action
      const inserted = batch.map((row, index): InsertedRow => {
        const number = from + index + 1
        const timeMs = columns.time === undefined ? null : row[columns.time]!
        return {
          cid: nameIn(row[columns.cid], 'CID', places.cid, number),
          id: nameIn(row[columns.id], 'ID', places.id, number),
          timeMs: timeMs === null ? undefined : inRow(places.time, number, () => timeFrom(timeMs)),
          sample: row[columns.sample]!,
        }
      })
      return { kind: 'insert', statement: inserting!, options: optionsOf(action.options, base), rows: inserted }
    } else {
      const touched = batch.map(([cid, id, timeMs, sample]) => ({
        cid: cid as string,
        id: id as string,
        timeMs: timeMs as number,
        sample: sample ?? null,
      }))
      return updating ? { kind: 'update', statement: updating, rows: touched } : { kind: 'delete', rows: touched }
    }
  }
}

type Place = Position | readonly Position[]

/** A faulty row is reported with its number. */
const inRow = <T>(place: Place, row: number, judge: () => T): T => {
  try {
    return judge()
  } catch (error) {
    throw error instanceof Fault ? scriptFault(placeOfRow(place, row), `row ${row}: ${error.message}`) : error
  }
}

/** Whole milliseconds, of any type: a text that is a number counts as one. */
const timeFrom = (value: Exclude<Value, null>): number => {
  if (typeof value === 'bigint') return epochNumber('TIME', value)
  if (typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value)) return epoch('TIME', value)
  const ms = typeof value === 'string' ? cellFromText(value, 'DOUBLE') : value
  if (typeof ms !== 'number' || !Number.isInteger(ms))
    throw badRequest(`TIME must be epoch milliseconds, an integer, not '${shorten(String(value))}'`)
  return epochNumber('TIME', ms)
}

const optionsOf = (options: InsertOptions, base: Parameters<typeof fixedValue>[1]): AppliedOptions =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, term]) => {
      const value = fixedValue(term, base)
      return value === null ? [] : [[name, String(value)]]
    }),
  )
