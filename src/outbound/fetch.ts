// Rows of an external database, as cells of the CSV that @JDBC_RESULT is, and the test of a connection. Each session
// has a thread of its own (thread.ts): values are converted there, its ways out are guarded there, and to give up is to
// end it. The reader sets the pace: only a few batches are on their way.
//
//   const { columns, batches, truncated } = await fetchRows(target, 'select id, at from reading', options)
//   for await (const rows of batches) ...
import { tmpdir } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { shorten } from '../base/errors.ts'
import type { Holders } from '../base/shares.ts'
import { startThread } from '../base/thread.ts'
import { ExternalError } from './external-error.ts'
import type { Print } from './held-rows.ts'
import { openRoom } from './room.ts'
import type { ExternalType, Statement } from './session.ts'
import type { Target } from './target.ts'
import { connectTimeoutMs, kindNames, placeOf } from './target.ts'
import type { Encoding, Heard, Order, Said, Stage } from './thread.ts'

export type ExternalColumn = {
  readonly name: string
  /** The type as GS SQL will see it. */
  readonly type: ExternalType
}

export type ExternalRows = {
  readonly columns: readonly ExternalColumn[]
  /**
   * Read once. Cells: NULL is null, times are epoch ms, a time of day text, numbers plain and exact, booleans true or
   * false, bytes base64.
   */
  readonly batches: AsyncIterable<readonly (readonly (string | null)[])[]>
  /** Whether maxRows or mostInAll cut it short; known when the last batch was read. */
  readonly truncated: () => boolean
}

export type FetchOptions = {
  /** 0: all. */
  readonly maxRows: number
  /** The zone of times that have none of their own. */
  readonly timeZone: string
  /** From now until the last row. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Room for long rows is theirs. */
  readonly holders: Holders
  readonly batchRows?: number
  /** Longer cells are cut before they leave the thread. */
  readonly mostCharacters?: number
  /** It is cut short once the cells have so many characters together. */
  readonly mostInAll?: number
  /** More of them are refused. */
  readonly mostColumns?: number
  readonly whileWaiting?: WhileWaiting
}

/** How the reader waits for columns and rows; `idleMs`: for how long the thread has had nothing to do since it began. */
export type WhileWaiting = <T>(heard: Promise<T>, idleMs: () => number) => Promise<T>

const defaultBatchRows = 1000
/** No database that means well gives more. */
const defaultMostColumns = 4096
const batchBytes = 1024 * 1024
/** Beside buffers: enough for rows that are as long as can be (watch.ts), as texts. */
const memoryMb = 64
/** Values of rows live for a moment: more than this only waits to be collected, 10 to 20 MB of each thread. */
const youngMb = 8
/** The time that a server has to end an abandoned statement, before its connection is cut. */
const cancelMs = 1000

/** Rejects, as reading its batches does, with an ExternalError: one sentence that names the error. */
export const fetchRows = async (target: Target, sql: string, options: FetchOptions): Promise<ExternalRows> => {
  const { thread, hear, columns } = await openFetch(target, sql, options)
  let truncated = false
  return {
    columns,
    truncated: () => truncated,
    batches: readBatches(
      { ...thread, hear },
      (said) => ('cells' in said ? rowsOf(said.cells, columns.length) : undefined),
      (end) => ({ truncated } = end),
    ),
  }
}

/** Rows as what the reader's own module makes of them, in the thread of the session. */
export type EncodedRows = Pick<ExternalRows, 'columns' | 'truncated'> & {
  readonly batches: AsyncIterable<{ readonly rows: number; readonly encoded: readonly Uint8Array[] }>
  /** Set when all rows are those of the last run: then they come only once they are released. */
  readonly same: { readonly basis: string; readonly drop: () => void; readonly release: () => void } | undefined
  /** Known when the last batch was read; undefined where the next run cannot compare its rows with these. */
  readonly print: () => ResultPrint | undefined
  /** Known when the last batch was read; undefined where nothing was kept back. */
  readonly kept: () => KeptRows | undefined
}

/** Rows that the reader's module has kept in the thread, and gives as often as they are asked for, in any order that it knows. */
export type KeptRows = {
  /** By the module. */
  readonly known: unknown
  /** One at a time. */
  readonly give: (order: unknown) => AsyncGenerator<readonly Uint8Array[]>
  /** Needed: the thread waits for it. */
  readonly end: () => void
}

/** By this the next run knows whether it gets the same rows. */
export type ResultPrint = Print & {
  /** All besides that their values depend on. */
  readonly basis: string
}

export type Encoded = Encoding & {
  /** The error of a row that the module refuses. */
  readonly refusal: (refused: unknown) => Error
}

export type Comparison = {
  /** The last run's. */
  readonly blocks: Uint8Array | undefined
  readonly onHeld: (rows: number) => void
}

/** The same for whoever hands the rows on as they are; compared with those of the last run, if that is asked for. */
export const fetchEncoded = async (
  target: Target,
  sql: string,
  options: FetchOptions,
  { module, given, refusal }: Encoded,
  comparison: Comparison | undefined,
): Promise<EncodedRows> => {
  const holding = comparison && { blocks: comparison.blocks, directory: tmpdir() }
  const { thread, hear, columns } = await openFetch(target, sql, options, { module, given }, holding)
  let truncated = false
  let print: ResultPrint | undefined
  let kept: KeptRows | undefined
  const batches = readBatches(
    { ...thread, hear },
    (said) => {
      if ('refused' in said) throw refusal(said.refused)
      return 'encoded' in said ? said : undefined
    },
    (end) => {
      ;({ truncated, print } = { print: undefined, ...end })
      if (end.kept !== undefined) kept = keptRows(thread, end.kept)
    },
  )
  const basis = comparison?.blocks ? await hearSame(hear, comparison) : undefined
  return {
    columns,
    truncated: () => truncated,
    batches,
    print: () => print,
    kept: () => kept,
    same:
      basis === undefined
        ? undefined
        : {
            basis,
            drop: () => {
              thread.say('drop')
              // The thread leaves its session by itself, and nobody waits for that.
              void thread
                .hear((said) => ('truncated' in said ? said : undefined))
                .catch(() => {})
                .finally(thread.end)
            },
            release: () => thread.say('release'),
          },
  }
}

/** The basis, when all rows are the same. */
const hearSame = async (hear: Thread['hear'], { onHeld }: Comparison): Promise<string | undefined> => {
  const { same } = await hear((said) => {
    if ('held' in said) onHeld(said.held)
    return 'same' in said ? said : undefined
  })
  return same
}

const keptRows = (thread: Thread, known: unknown): KeptRows => {
  let last = 0
  return {
    known,
    give: async function* (order) {
      const own = (last += 1)
      thread.say({ order })
      for (;;) {
        // Those of an order that was given up come first.
        const { given } = await thread.hear((said) => ('order' in said && said.order === own ? said : undefined))
        if (given === undefined) return
        thread.say('more')
        yield given
      }
    },
    end: thread.end,
  }
}

const openFetch = async (
  target: Target,
  sql: string,
  options: FetchOptions,
  encoding?: Encoding,
  holding?: Statement['holding'],
) => {
  const { maxRows, timeZone, timeoutMs, batchRows = defaultBatchRows } = options
  const { mostCharacters, mostInAll, mostColumns = defaultMostColumns } = options
  const bounds = { maxRows, batchRows, batchBytes, mostCharacters, mostInAll, mostColumns }
  const statement = { ...bounds, sql, timeZone, timeoutMs, encoding, holding }
  const tooLate = (stage: Stage | undefined) =>
    stage === 'room' ? noRoom : `${kindNames[target.kind]} took longer than ${timeoutMs} ms`
  const thread = openThread({ target, statement }, tooLate, options)
  const { whileWaiting = (heard) => heard } = options
  const hear: Thread['hear'] = (choose) => whileWaiting(thread.hear(choose), thread.idleMs)
  const columns = await hear((said) => ('columns' in said ? said.columns : undefined))
  return { thread, hear, columns }
}

const readBatches = async function* <T>(
  thread: Pick<Thread, 'hear' | 'say' | 'end'>,
  batchOf: (said: Said) => T | undefined,
  onEnd: (end: Extract<Said, { readonly truncated: boolean }>) => void,
): AsyncGenerator<T> {
  let isKept = false
  try {
    for (;;) {
      const next = await thread.hear((said) => {
        const batch = batchOf(said)
        if (batch !== undefined) return { batch }
        return 'truncated' in said ? said : undefined
      })
      if ('truncated' in next) {
        isKept = next.kept !== undefined
        return onEnd(next)
      }
      thread.say('more')
      yield next.batch
    }
  } finally {
    if (!isKept) thread.end()
  }
}

export type ConnectionTest = {
  readonly ok: boolean
  readonly version?: string
  readonly ms: number
  readonly error?: string
}

/** Signs in, and out again. */
export const testConnection = async (target: Target, options: ThreadOptions): Promise<ConnectionTest> => {
  const { timeoutMs } = options
  const sinceMs = performance.now()
  const ms = () => Math.round(performance.now() - sinceMs)
  // Shorter, so that the connection itself reports its timeout.
  const more = { ...target.more, connectTimeoutMs: Math.min(connectTimeoutMs(target), Math.ceil(0.8 * timeoutMs)) }
  const tooLate = (stage: Stage | undefined) => lateSentence(target, stage, Math.ceil(timeoutMs / 1000))
  const thread = openThread({ target: { ...target, more }, statement: undefined }, tooLate, options)
  try {
    const version = await thread.hear((said) => ('version' in said ? said.version : undefined))
    return { ok: true, version, ms: ms() }
  } catch (error) {
    if (!(error instanceof ExternalError)) throw error
    return { ok: false, ms: ms(), error: error.message }
  } finally {
    thread.end()
  }
}

const noRoom = 'too many sessions read long rows at once: try again'

/** It names the one that was waited for: a busy server of ours has not asked anybody yet. */
const lateSentence = (target: Target, stage: Stage | undefined, seconds: number): string => {
  switch (stage) {
    case undefined:
      return `this server was too busy to try ${placeOf(target)} within ${seconds} s: try again`
    case 'name':
      return `the name '${shorten(target.host)}' was not found within ${seconds} s`
    case 'server':
      return `${placeOf(target)} did not answer within ${seconds} s`
    case 'room':
      return noRoom
  }
}

const rowsOf = (cells: readonly (string | null)[], width: number): readonly (readonly (string | null)[])[] => {
  const rows = []
  for (let index = 0; index < cells.length; index += width) rows.push(cells.slice(index, index + width))
  return rows
}

type Thread = {
  /** The next message that `choose` takes; earlier ones are passed over. */
  readonly hear: <T>(choose: (said: Said) => T | undefined) => Promise<T>
  readonly say: (heard: Heard) => void
  readonly idleMs: () => number
  readonly end: () => void
}

type ThreadOptions = Pick<FetchOptions, 'timeoutMs' | 'holders'> & Partial<Pick<FetchOptions, 'signal'>>

const openThread = (
  order: Order,
  tooLate: (stage: Stage | undefined) => string,
  { timeoutMs, signal, holders }: ThreadOptions,
): Thread => {
  const worker = startWorker(order)
  const room = openRoom(holders, timeoutMs)
  const said: Said[] = []
  let stage: Stage | undefined
  let failure: ExternalError | undefined
  let wake: (() => void) | undefined

  let isGivenUp = false

  const end = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
    // The end is not waited for: a name that is being looked up keeps a thread a while.
    if (!isGivenUp) void worker.terminate()
  }
  const fail = (error: ExternalError) => {
    failure ??= error
    wake?.()
  }
  const giveUp = (error: ExternalError) => {
    if (failure) return
    isGivenUp = true
    fail(error)
    worker.postMessage('cancel' satisfies Heard)
    setTimeout(() => void worker.terminate(), cancelMs).unref()
  }
  const cancel = () => giveUp(new ExternalError('cancelled', 'it was cancelled'))
  const timer = setTimeout(() => giveUp(new ExternalError('timeout', tooLate(stage))), timeoutMs)
  if (signal?.aborted) cancel()
  else signal?.addEventListener('abort', cancel)
  worker.on('message', (one: Said) => {
    if ('stage' in one) {
      ;({ stage } = one)
      if (stage === 'room') void room.enter().then((isIn) => isIn && worker.postMessage('room' satisfies Heard))
      return
    }
    said.push(one)
    wake?.()
  })
  worker.on('error', (error: NodeJS.ErrnoException) =>
    fail(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new ExternalError('value', `the rows need more memory than ${memoryMb} MB`, error)
        : new ExternalError('other', 'the session ended by an error of its driver', error),
    ),
  )
  worker.on('exit', () => {
    clearTimeout(timer)
    // Only now its memory is given back.
    room.leave()
    fail(new ExternalError('lost', 'the session has ended'))
  })
  return {
    hear: async (choose) => {
      for (;;) {
        // An abandoned thread gives nothing more; messages before its end still count.
        if (failure && (isGivenUp || said.length === 0)) {
          end()
          throw failure
        }
        const next = said.shift()
        if (next === undefined) {
          await new Promise<void>((resolve) => (wake = resolve))
          continue
        }
        if ('error' in next) {
          end()
          throw new ExternalError(next.reason, next.error)
        }
        const chosen = choose(next)
        if (chosen !== undefined) return chosen
      }
    },
    say: (heard) => worker.postMessage(heard),
    idleMs: () => worker.performance.eventLoopUtilization().idle,
    end,
  }
}

const startWorker = (order: Order): Worker =>
  startThread(new URL('thread.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMb },
    // Nothing of the server's own environment: drivers read users and passwords from there.
    env: {},
    stdin: false,
  })
