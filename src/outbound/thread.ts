// The thread of one session with an external database (fetch.ts): guards its ways out, opens the session, runs the one
// statement and hands its rows over as cells, some batches ahead of the reader and never more. Faults of the driver, or
// of the other side, stay here: the server ends the thread.
import { parentPort, workerData } from 'node:worker_threads'
import { shorten } from '../base/errors.ts'
import { ExternalError } from './external-error.ts'
import type { Reason } from './external-error.ts'
import { guardThread } from './guard.ts'
import { loadKind } from './open-session.ts'
import { externalError, quotedText } from './sentence.ts'
import type { Print } from './held-rows.ts'
import type { Column, ExternalType, Held, Session, Statement } from './session.ts'
import { openPace } from './pace.ts'
import { limitRounds } from './rounds.ts'
import type { Target } from './target.ts'
import { watchBytes } from './watch.ts'
import { demandNarrow } from './width.ts'

export type Order = {
  readonly target: Target
  /** Without a statement the session is only opened. */
  readonly statement: (Statement & { readonly encoding?: Encoding | undefined }) | undefined
}

/** In place of cells, what a module of the reader's makes of them here: its `openEncoder` is called with what is given. */
export type Encoding = { readonly module: string; readonly given: unknown }

type Encoder = {
  /** Gives the fault of a row, if it has one, as plain data for the reader. A number stands for its text. */
  readonly add: (cells: readonly (string | number | null)[]) => unknown
  readonly bytes: () => number
  readonly take: () => readonly Uint8Array<ArrayBuffer>[]
  /** Describes rows that it has kept until now, if it keeps any. */
  readonly finish: () => unknown
  /** Those, as the reader orders them. */
  readonly give: (order: unknown) => Iterable<readonly Uint8Array<ArrayBuffer>[]>
}

export type Said =
  /** Its work at the moment: it looks the name up, waits for the server, or asks for room (room.ts). */
  | { readonly stage: Stage }
  | { readonly version: string }
  | { readonly columns: readonly { readonly name: string; readonly type: ExternalType }[] }
  /** All rows of a batch, one after another. */
  | { readonly cells: readonly (string | null)[] }
  | { readonly rows: number; readonly encoded: readonly Uint8Array<ArrayBuffer>[] }
  /** By the encoder. */
  | { readonly refused: unknown }
  /** So many are held back so far. */
  | { readonly held: number }
  /** The basis by which all rows are those of the last run; undefined: they are others. */
  | { readonly same: string | undefined }
  | {
      readonly truncated: boolean
      readonly print?: (Print & { readonly basis: string }) | undefined
      readonly kept?: unknown
    }
  /** Kept rows, by the number of the order; undefined: there are no more. */
  | { readonly order: number; readonly given: readonly Uint8Array<ArrayBuffer>[] | undefined }
  | { readonly error: string; readonly reason: Reason }

export type Stage = 'name' | 'server' | 'room'

/** Rows that are the same are dropped, or handed over. There is room. An order of kept rows ends the one before. */
export type Heard = 'more' | 'cancel' | 'drop' | 'release' | 'room' | { readonly order: unknown }

const port = parentPort!
const say = (said: Said, moved: readonly ArrayBuffer[] = []) => port.postMessage(said, [...moved])

/**
 * Drivers write lines about what a server sends them: one that counts its packets in another way, in 15 s and 5 MB of them, 11 MB of
 * lines into the server's own log, and held everybody there for up to 1.3 s.
 */
const beSilent = () => {
  for (const word of ['log', 'info', 'debug', 'warn', 'error', 'trace'] as const) console[word] = () => {}
}

const serve = async ({ target, statement }: Order) => {
  beSilent()
  const guard = guardThread(target.allow)
  limitRounds(guard.cut)
  let enter: () => void = () => {}
  const watch = watchBytes(guard, async () => {
    say({ stage: 'room' })
    await new Promise<void>((entered) => (enter = entered))
    say({ stage: 'server' })
  })
  let session: Session | undefined
  const pace = openPace()
  let decide: (heard: 'drop' | 'release') => void = () => {}
  const decided = new Promise<'drop' | 'release'>((resolve) => (decide = resolve))
  let obey: (order: unknown) => Promise<void> = async () => {}
  port.on('message', (heard: Heard) => {
    if (heard === 'cancel') return void session?.cancel().catch(() => {})
    if (heard === 'drop' || heard === 'release') return decide(heard)
    if (heard === 'more') return pace.more()
    if (heard === 'room') return enter()
    pace.beginAnew()
    void obey(heard.order)
  })
  try {
    say({ stage: 'name' })
    await guard.check(target.host)
    const open = await loadKind(target.kind)
    say({ stage: 'server' })
    session = await open(target, watch.announce)
    say({ version: quotedText(target, session.version) })
    if (statement) {
      watch.ask()
      const { columns, batches, held } = await session.run(statement)
      watch.begin()
      demandNarrow(columns, statement.mostColumns)
      say({ columns: columns.map(({ name, type }) => ({ name, type })) })
      if (statement.holding?.blocks) {
        const isSame = held !== undefined && (await watch.without(areSame(held)))
        say({ same: isSame ? held.basis : undefined })
        if (isSame) held[await decided]()
      }
      const { encoding } = statement
      const encoder =
        encoding &&
        ((await import(encoding.module)) as { openEncoder: (given: unknown) => Encoder }).openEncoder(encoding.given)
      const sink = encoder ? encodedSink(encoder) : cellSink(statement)
      const give = async () => {
        await pace.mayGive(sink.bytes())
        sink.give()
      }
      const truncated = await inBatches(statement, columns, watch.rows(batches), sink, give)
      const print = held?.print()
      // However long the reader takes for the last rows, the external database does not wait for that.
      await session.close()
      session = undefined
      const kept = encoder?.finish()
      while (sink.rows() > 0 || sink.isFull(Infinity)) await give()
      if (kept !== undefined) obey = obeying(encoder!, pace.mayGive)
      say({ truncated, print: print && { ...print, basis: held!.basis }, kept })
      // The reader ends the thread.
      if (kept !== undefined) return
    } else {
      await session.close()
    }
  } catch (thrown) {
    if (thrown instanceof RefusedRow) say({ refused: thrown.refused })
    const { message, reason } = guard.refusal() ?? externalError(target, thrown, statement?.sql)
    say({ error: message, reason })
    await session?.close().catch(() => {})
  } finally {
    watch.end()
  }
  port.close()
}

/** Gives kept rows, as many times as they are asked for. */
const obeying = (encoder: Encoder, mayGive: (bytes: number) => Promise<void>) => {
  let last = 0
  return async (asked: unknown): Promise<void> => {
    const order = (last += 1)
    for (const given of encoder.give(asked)) {
      await mayGive(0)
      if (order !== last) return
      say(
        { order, given },
        given.map(({ buffer }) => buffer),
      )
    }
    say({ order, given: undefined })
  }
}

const areSame = async (held: Held): Promise<boolean> => {
  const report = () => say({ held: held.rows() })
  const timer = setInterval(report, patienceMs)
  void held.hasBegun.then(report)
  try {
    return await held.areSame
  } finally {
    clearInterval(timer)
  }
}

class RefusedRow extends Error {
  readonly refused: unknown

  constructor(refused: unknown) {
    super('a row was refused')
    this.refused = refused
  }
}

/** Rows that wait until they are a batch. */
type Sink = {
  readonly add: (columns: readonly Column[], row: readonly unknown[], rowNumber: number) => void
  /** Hands them over. */
  readonly give: () => void
  readonly rows: () => number
  /** About. */
  readonly bytes: () => number
  readonly isFull: (batchRows: number) => boolean
  /** Whether no more of them are wanted. */
  readonly hasEnough: () => boolean
  /** Whether it may wait for more than the driver gives at once. */
  readonly waits: boolean
}

const cellSink = ({ mostCharacters = Infinity, mostInAll = Infinity }: Statement): Sink => {
  let cells: (string | null)[] = []
  let rows = 0
  let bytes = 0
  let inAll = 0
  const take = (cell: string | null) => {
    const taken = cell === null || cell.length <= mostCharacters ? cell : shorten(cell, mostCharacters)
    bytes += taken?.length ?? 0
    return taken
  }
  return {
    add: (columns, row, rowNumber) => {
      addCells(
        cells,
        columns,
        row,
        rowNumber,
        ({ cell }) =>
          (value) =>
            take(cell(value)),
      )
      rows += 1
    },
    give: () => {
      say({ cells })
      cells = []
      rows = 0
      inAll += bytes
      bytes = 0
    },
    rows: () => rows,
    bytes: () => bytes,
    isFull: (batchRows) => rows >= batchRows,
    hasEnough: () => inAll + bytes >= mostInAll,
    waits: false,
  }
}

/** So much goes over at once: less is more work for both sides than it is worth. */
const encodedBytes = 512 * 1024

const encodedSink = (encoder: Encoder): Sink => {
  const cells: (string | number | null)[] = []
  let rows = 0
  return {
    add: (columns, row, rowNumber) => {
      cells.length = 0
      addCells(cells, columns, row, rowNumber, ({ plain, cell }) => plain ?? cell)
      const refused = encoder.add(cells)
      if (refused !== undefined) throw new RefusedRow(refused)
      rows += 1
    },
    give: () => {
      const encoded = encoder.take()
      say(
        { rows, encoded },
        encoded.map(({ buffer }) => buffer),
      )
      rows = 0
    },
    rows: () => rows,
    bytes: encoder.bytes,
    isFull: () => encoder.bytes() >= encodedBytes,
    hasEnough: () => false,
    waits: true,
  }
}

/** Rows that come slowly are handed over all the same. */
const patienceMs = 500

/** Whether there were more rows than asked for. The last of them wait in the sink. */
const inBatches = async (
  { maxRows, batchRows }: Statement,
  columns: readonly Column[],
  batches: AsyncIterable<readonly (readonly unknown[])[]>,
  sink: Sink,
  give: () => Promise<void>,
): Promise<boolean> => {
  let rowNumber = 0
  let givenMs = performance.now()
  for await (const rows of batches) {
    for (const row of rows) {
      if ((maxRows > 0 && rowNumber === maxRows) || sink.hasEnough()) return true
      rowNumber += 1
      sink.add(columns, row, rowNumber)
      while (sink.isFull(batchRows)) await give()
    }
    if (sink.rows() === 0 || (sink.waits && performance.now() - givenMs < patienceMs)) continue
    await give()
    givenMs = performance.now()
  }
  return false
}

const addCells = <T>(
  cells: (T | null)[],
  columns: readonly Column[],
  row: readonly unknown[],
  rowNumber: number,
  readerOf: (column: Column) => (value: never) => T | null,
): void => {
  for (let index = 0; index < columns.length; index += 1) {
    const value = row[index]
    const column = columns[index]!
    try {
      cells.push(value === null || value === undefined ? null : readerOf(column)(value as never))
    } catch (error) {
      const shown = shorten(Buffer.isBuffer(value) ? value.toString('utf8', 0, 400) : String(value))
      const why = (error as Error).message
      throw new ExternalError('value', `row ${rowNumber}, column '${shorten(column.name)}': '${shown}' ${why}`)
    }
  }
}

await serve(workerData as Order)
