// An import's rows on their way from the body to the store: they gather into batches, the next one while the last is
// stored, and the reach of the import grows with each that is done. Batches are stored one after the other, so that of two
// rows for one time the later wins.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ImportReach, Refusal } from '../core/history-import.ts'

const mostBytes = 1024 * 1024
/** The refusals that a report shows; all are counted. */
export const mostRefusals = 100

export type Refuse = (line: number, reason: string) => void

/** Rows that gather, and are stored together. */
export type Gathered<Row> = {
  readonly add: (row: Row, line: number) => void
  readonly count: () => number
  readonly store: (refuse: Refuse) => Promise<void>
}

export type RowStore<Row> = {
  /** The most rows that are stored together. */
  readonly most: number
  readonly open: () => Gathered<Row>
}

type Batch<Row> = {
  readonly rows: Gathered<Row>
  readonly startByte: number
  readonly refusals: Refusal[]
  refused: number
  endByte: number
  endLine: number
  checksum: number | null
}

export type Batches<Row> = {
  readonly add: (row: Row, line: number) => void
  readonly refuse: Refuse
  /** All up to here has been added. */
  readonly reach: (endByte: number, endLine: number) => void
  /** The end of what was added, and the checksum of the body up to there. */
  readonly endByte: () => number
  readonly setChecksum: (checksum: number | null) => void
  /** To be awaited where it is given, before more is added. */
  readonly flushIfFull: () => Promise<void> | undefined
  readonly finish: () => Promise<void>
  /** Waits for the batch under way, however it ends. */
  readonly settle: () => Promise<void>
}

export const openBatches = <Row>(
  from: ImportReach,
  rowStore: RowStore<Row>,
  /** Called with the reach after each batch. */
  onStored: (reach: ImportReach) => Promise<void>,
): Batches<Row> => {
  const openBatch = (endByte: number, endLine: number, checksum: number | null): Batch<Row> => ({
    rows: rowStore.open(),
    startByte: endByte,
    refusals: [],
    refused: 0,
    endByte,
    endLine,
    checksum,
  })
  let reached = from
  let batch = openBatch(from.bytes, from.lines, from.checksum)
  let pending: Promise<void> = Promise.resolve()

  const refuseIn = (some: Batch<Row>, line: number, reason: string) => {
    some.refused += 1
    if (some.refusals.length < mostRefusals) some.refusals.push({ line, reason })
  }
  const store = async (some: Batch<Row>): Promise<void> => {
    const before = some.refused
    await some.rows.store((line, reason) => refuseIn(some, line, reason))
    const { stored, refused, refusals } = reached
    reached = {
      ...reached,
      bytes: some.endByte,
      checksum: some.checksum,
      lines: some.endLine,
      stored: stored + some.rows.count() - (some.refused - before),
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
    batch = openBatch(some.endByte, some.endLine, some.checksum)
    pending = store(some)
    pending.catch(() => {})
    await nextTurn()
  }
  return {
    add: (row, line) => batch.rows.add(row, line),
    refuse: (line, reason) => refuseIn(batch, line, reason),
    reach: (endByte, endLine) => {
      batch.endByte = endByte
      batch.endLine = endLine
    },
    endByte: () => batch.endByte,
    setChecksum: (checksum) => {
      batch.checksum = checksum
    },
    flushIfFull: () => {
      const isFull = batch.rows.count() + batch.refused >= rowStore.most || batch.endByte - batch.startByte >= mostBytes
      return isFull ? flush() : undefined
    },
    finish: async () => {
      await flush()
      await pending
    },
    settle: () => pending.catch(() => {}),
  }
}
