// Stores the rows of an import, batch by batch, through the one write path (docs/transfer.md#import). A row that cannot be
// stored is refused with its line and its reason, and the others are stored: most reasons are found while a batch is
// placed; where one refuses a batch as a whole, the batch is halved until the row stands alone.
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../base/errors.ts'
import type { Caller } from '../core/caller.ts'
import { rootFolder } from '../core/folder.ts'
import { noDerivation } from '../core/sample/batch.ts'
import type { BatchComponent, SampleBatch } from '../core/sample/batch.ts'
import type { Ingestion } from '../core/sample/ingest.ts'
import type { RawValue } from '../core/sample/value.ts'
import type { Refuse, RowStore } from './batches.ts'
import type { Row } from './rows.ts'

/** Rows in columns, with their lines. */
type Rows = {
  readonly componentIds: string[]
  readonly streamIds: string[]
  readonly timesMs: number[]
  readonly values: RawValue[]
  readonly lines: number[]
}

const emptyRows = (): Rows => ({ componentIds: [], streamIds: [], timesMs: [], values: [], lines: [] })

const pushRow = (rows: Rows, { componentId, streamId, timeMs, value }: Row, line: number): void => {
  rows.componentIds.push(componentId)
  rows.streamIds.push(streamId)
  rows.timesMs.push(timeMs)
  rows.values.push(value)
  rows.lines.push(line)
}

const mostWaits = 20
const waitMs = 500
/** Components that the caller may not write, for which nothing is tried again. */
const mostForbidden = 10_000

const mostRows = 20_000

/** `goOn` is called before something is tried again, and throws where the call may not go on: a batch can take minutes. */
export const openSampleStore = (
  ingestion: Pick<Ingestion, 'ingest'>,
  caller: Caller,
  nowMs: () => number,
  goOn: () => Promise<void>,
): RowStore<Row> => {
  const forbidden = new Map<string, string>()

  /** Gives why the rows are refused. An error of `goOn` is no reason of theirs: the next call finds them as they were. */
  const ingest = async (batch: SampleBatch): Promise<Fault | undefined> => {
    for (let waits = 0; ; waits += 1) {
      try {
        await ingestion.ingest(caller, batch)
        return undefined
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        if (error.code !== 'busy' || waits === mostWaits) {
          if (error.status >= 500 || error.status === 401) throw error
          return error
        }
      }
      await sleep(waitMs)
      await goOn()
    }
  }

  const store = async (rows: Rows, from: number, until: number, refuse: Refuse): Promise<void> => {
    if (from === until) return
    const refusals = new Map<number, string>()
    const refused = await ingest(batchOf(rows, from, until, refusals, nowMs()))
    if (refused === undefined) {
      for (const [at, reason] of refusals) refuse(rows.lines[from + at]!, reason)
      return
    }
    if (until - from === 1) {
      if (refused.status === 403 && forbidden.size < mostForbidden)
        forbidden.set(rows.componentIds[from]!, refused.message)
      return refuse(rows.lines[from]!, refused.message)
    }
    const middle = from + Math.floor((until - from) / 2)
    await goOn()
    await store(rows, from, middle, refuse)
    await goOn()
    await store(rows, middle, until, refuse)
  }

  const storeAll = (rows: Rows, refuse: Refuse): Promise<void> => {
    if (forbidden.size === 0) return store(rows, 0, rows.lines.length, refuse)
    const left = emptyRows()
    rows.lines.forEach((line, at) => {
      const [componentId, streamId] = [rows.componentIds[at]!, rows.streamIds[at]!]
      const reason = forbidden.get(componentId)
      if (reason !== undefined) refuse(line, reason)
      else pushRow(left, { componentId, streamId, timeMs: rows.timesMs[at]!, value: rows.values[at]! }, line)
    })
    return store(left, 0, left.lines.length, refuse)
  }

  return {
    most: mostRows,
    open: () => {
      const rows = emptyRows()
      return {
        add: (row, line) => pushRow(rows, row, line),
        count: () => rows.lines.length,
        store: (refuse) => storeAll(rows, refuse),
      }
    },
  }
}

const batchOf = (
  rows: Rows,
  from: number,
  until: number,
  refusals: Map<number, string>,
  uploadMs: number,
): SampleBatch => {
  const indices = new Map<string, number>()
  const components: BatchComponent[] = []
  const numbers: number[] = []
  for (let at = from; at < until; at += 1) {
    const id = rows.componentIds[at]!
    let index = indices.get(id)
    if (index === undefined) {
      index = components.push({ ref: id, name: undefined, templateId: undefined }) - 1
      indices.set(id, index)
    }
    numbers.push(index)
  }
  const isWhole = from === 0 && until === rows.lines.length
  const part = <T>(column: T[]): T[] => (isWhole ? column : column.slice(from, until))
  return {
    form: 'json',
    uploadMs,
    components,
    samples: {
      components: numbers,
      streamRefs: part(rows.streamIds),
      values: part(rows.values),
      timesMs: part(rows.timesMs),
    },
    wantedStreamIds: [],
    creation: { folderPath: rootFolder, streamTemplate: undefined },
    // A gap that was exported is a row; an interval without one was not there.
    fillsGaps: false,
    derivation: noDerivation,
    refusals,
    isRestored: true,
  }
}
