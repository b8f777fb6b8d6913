// An import's rows on their way from the body to the store: they gather into batches, the next one while the last is
// stored, and the reach of the import grows with each that is done. Batches are stored one after the other, so that of two
// rows for one time the later wins.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ImportReach, Refusal } from '../core/history-import.ts'
import { emptyRows, pushRow } from './store-rows.ts'
import type { Rows, StoreRows } from './store-rows.ts'
import type { Row } from './rows.ts'

const mostRows = 10_000
const mostBytes = 1024 * 1024
/** The refusals that a report shows; all are counted. */
export const mostRefusals = 100

type Batch = {
  readonly rows: Rows
  readonly startByte: number
  readonly refusals: Refusal[]
  refused: number
  endByte: number
  endLine: number
}

export type Batches = {
  readonly add: (row: Row, line: number) => void
  readonly refuse: (line: number, reason: string) => void
  /** All up to here has been added. */
  readonly reach: (endByte: number, endLine: number) => void
  /** To be awaited where it is given, before more is added. */
  readonly flushIfFull: () => Promise<void> | undefined
  readonly finish: () => Promise<void>
  /** Waits for the batch under way, however it ends. */
  readonly settle: () => Promise<void>
}

export const openBatches = (
  from: ImportReach,
  storeRows: StoreRows,
  /** Called with the reach after each batch. */
  onStored: (reach: ImportReach) => Promise<void>,
): Batches => {
  let reached = from
  let batch = openBatch(from.bytes, from.lines)
  let pending: Promise<void> = Promise.resolve()

  const refuseIn = (some: Batch, line: number, reason: string) => {
    some.refused += 1
    if (some.refusals.length < mostRefusals) some.refusals.push({ line, reason })
  }
  const store = async (some: Batch): Promise<void> => {
    const before = some.refused
    await storeRows(some.rows, (line, reason) => refuseIn(some, line, reason))
    const { stored, refused, refusals } = reached
    reached = {
      ...reached,
      bytes: some.endByte,
      lines: some.endLine,
      stored: stored + some.rows.lines.length - (some.refused - before),
      refused: refused + some.refused,
      refusals:
        refusals.length >= mostRefusals
          ? refusals
          : [...refusals, ...some.refusals.toSorted((a, b) => a.line - b.line)].slice(0, mostRefusals),
    }
    await onStored(reached)
  }
  const flush = async (): Promise<void> => {
    await pending
    const some = batch
    batch = openBatch(some.endByte, some.endLine)
    pending = store(some)
    pending.catch(() => {})
    await nextTurn()
  }
  return {
    add: (row, line) => pushRow(batch.rows, row, line),
    refuse: (line, reason) => refuseIn(batch, line, reason),
    reach: (endByte, endLine) => {
      batch.endByte = endByte
      batch.endLine = endLine
    },
    flushIfFull: () => {
      const isFull = batch.rows.lines.length + batch.refused >= mostRows || batch.endByte - batch.startByte >= mostBytes
      return isFull ? flush() : undefined
    },
    finish: async () => {
      await flush()
      await pending
    },
    settle: () => pending.catch(() => {}),
  }
}

const openBatch = (endByte: number, endLine: number): Batch => ({
  rows: emptyRows(),
  startByte: endByte,
  refusals: [],
  refused: 0,
  endByte,
  endLine,
})
