// The thread of one session with an external database (fetch.ts): guards its ways out, opens the session, runs the one
// statement and hands its rows over as cells, some batches ahead of the reader and never more. Faults of the driver, or
// of the other side, stay here: the server ends the thread.
import { parentPort, workerData } from 'node:worker_threads'
import { shorten } from '../base/errors.ts'
import { ExternalError } from './external-error.ts'
import type { Reason } from './external-error.ts'
import { guardThread } from './guard.ts'
import type { Guard } from './guard.ts'
import { openSession } from './open-session.ts'
import { externalError } from './sentence.ts'
import type { Column, ExternalType, Session, Statement } from './session.ts'
import type { Target } from './target.ts'

export type Order = {
  readonly target: Target
  /** Without a statement the session is only opened. */
  readonly statement: Statement | undefined
}

export type Said =
  | { readonly version: string }
  | { readonly columns: readonly { readonly name: string; readonly type: ExternalType }[] }
  /** All rows of a batch, one after another. */
  | { readonly cells: readonly (string | null)[] }
  | { readonly truncated: boolean }
  | { readonly error: string; readonly reason: Reason }

export type Heard = 'more' | 'cancel'

/** So many batches are on their way or wait to be read. */
const ahead = 3
/** The most that may come in without a whole batch of rows. */
const mostRowBytes = 64 * 1024 * 1024

const port = parentPort!
const say = (said: Said) => port.postMessage(said)

const serve = async ({ target, statement }: Order) => {
  const guard = guardThread(target.allow)
  let session: Session | undefined
  const pace = { credit: ahead }
  let wake: (() => void) | undefined
  port.on('message', (heard: Heard) => {
    if (heard === 'cancel') return void session?.cancel().catch(() => {})
    pace.credit += 1
    wake?.()
  })
  try {
    await guard.check(target.host)
    session = await openSession(target)
    say({ version: session.version })
    if (statement) {
      const { columns, batches } = await session.run(statement)
      say({ columns: columns.map(({ name, type }) => ({ name, type })) })
      const truncated = await inBatches(statement, columns, watched(guard, batches), async (cells) => {
        while (pace.credit === 0) await new Promise<void>((more) => (wake = more))
        pace.credit -= 1
        say({ cells })
      })
      await session.close()
      say({ truncated })
    } else {
      await session.close()
    }
  } catch (thrown) {
    const { message, reason } = guard.refusal() ?? externalError(target, thrown, statement?.sql)
    say({ error: message, reason })
    await session?.close().catch(() => {})
  }
  port.close()
}

/** Whether there were more rows than asked for. */
const inBatches = async (
  { maxRows, batchRows }: Statement,
  columns: readonly Column[],
  batches: AsyncIterable<readonly (readonly unknown[])[]>,
  give: (cells: readonly (string | null)[]) => Promise<void>,
): Promise<boolean> => {
  let rowNumber = 0
  let cells: (string | null)[] = []
  let inBatch = 0
  for await (const rows of batches) {
    for (const row of rows) {
      if (maxRows > 0 && rowNumber === maxRows) {
        if (cells.length > 0) await give(cells)
        return true
      }
      rowNumber += 1
      addCells(cells, columns, row, rowNumber)
      inBatch += 1
      if (inBatch < batchRows) continue
      await give(cells)
      cells = []
      inBatch = 0
    }
    if (cells.length === 0) continue
    await give(cells)
    cells = []
    inBatch = 0
  }
  return false
}

const addCells = (
  cells: (string | null)[],
  columns: readonly Column[],
  row: readonly unknown[],
  rowNumber: number,
): void => {
  for (let index = 0; index < columns.length; index += 1) {
    const value = row[index]
    const column = columns[index]!
    try {
      cells.push(value === null || value === undefined ? null : column.cell(value as never))
    } catch (error) {
      const shown = shorten(Buffer.isBuffer(value) ? value.toString('utf8', 0, 400) : String(value))
      const why = (error as Error).message
      throw new ExternalError('value', `row ${rowNumber}, column '${shorten(column.name)}': '${shown}' ${why}`)
    }
  }
}

/** Ends a session that sends more than any row should have: the driver keeps a row until it is whole. */
async function* watched<T>(guard: Guard, batches: AsyncIterable<T>): AsyncGenerator<T> {
  let markBytes = guard.bytesRead()
  const timer = setInterval(() => {
    if (guard.bytesRead() - markBytes > mostRowBytes)
      guard.cut(new ExternalError('value', `a row is larger than ${mostRowBytes / 1024 / 1024} MB`))
  }, 50)
  try {
    for await (const batch of batches) {
      yield batch
      markBytes = guard.bytesRead()
    }
  } finally {
    clearInterval(timer)
  }
}

await serve(workerData as Order)
