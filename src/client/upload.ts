// Uploads many samples: they are collected and sent as arrays, by their number, their size or their age, one array after
// another, so that of two samples for the same time the later one wins. Nothing counts as stored before the server has
// said so: it answers after its commit. A sample without a time gets that of its adding, since it may wait a while; so
// an array may be sent again after a lost answer.
import type { Query } from './operation.ts'

export type NewSample = {
  readonly compId?: string
  readonly streamId: string
  /** Epoch milliseconds. */
  readonly time?: number | null
  readonly data: number | string | boolean | null
}

export type UploadOptions = {
  /** The most samples of an array; 5,000 unless given. */
  readonly maxSamples?: number
  /** The most characters of an array; 4 Mi unless given. */
  readonly maxLength?: number
  /** How long a sample may wait for others; 1,000 unless given. */
  readonly maxDelayMs?: number
  /** How many arrays may wait; `add` waits while there are more. 4 unless given. */
  readonly maxWaiting?: number
  /** compTmplId, folder and the other parameters of an upload. */
  readonly query?: Query
  /** Gets the samples that were refused, in place of `add`, `flush` and `close`, and the upload goes on. */
  readonly onRefused?: (error: unknown, samples: readonly NewSample[]) => void
  readonly signal?: AbortSignal
}

export type Upload = {
  /** Takes samples, and waits while too many are under way. */
  readonly add: (...samples: readonly NewSample[]) => Promise<void>
  /** Sends what is there; it is done once the server has stored everything that was added before. */
  readonly flush: () => Promise<void>
  /** Flushes, and takes no more. */
  readonly close: () => Promise<void>
  /** Samples that the server has acknowledged, and those that it has not yet. */
  readonly stored: () => number
  readonly waiting: () => number
}

/** A batch as the text of its samples. */
type Batch = { readonly texts: string[]; length: number }

export const openUpload = (
  send: (body: string, query: Query, signal: AbortSignal | undefined) => Promise<unknown>,
  options: UploadOptions = {},
): Upload => {
  const { maxSamples = 5000, maxLength = 4 * 1024 * 1024, maxDelayMs = 1000, maxWaiting = 4, query = {} } = options
  const full: Batch[] = []
  let current: Batch = { texts: [], length: 0 }
  let [stored, waiting] = [0, 0]
  let sending: Promise<void> | undefined
  let failure: { readonly error: unknown } | undefined
  let isClosed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let onRoom: (() => void)[] = []

  const makeRoom = () => {
    const waiters = onRoom
    onRoom = []
    for (const go of waiters) go()
  }
  /** Or until the upload has failed. */
  const until = async (isSo: () => boolean): Promise<void> => {
    const isOver = () => failure !== undefined || isSo()
    while (!isOver()) await new Promise<void>((go) => onRoom.push(go))
  }
  const seal = () => {
    clearTimeout(timer)
    timer = undefined
    if (current.texts.length > 0) full.push(current)
    current = { texts: [], length: 0 }
    if (full.length > 0) sending ??= sendAll()
  }
  const sendAll = async (): Promise<void> => {
    for (let batch = full[0]; batch !== undefined; batch = full[0]) {
      const body = `[${batch.texts.join(',')}]`
      try {
        await send(body, query, options.signal)
        stored += batch.texts.length
      } catch (error) {
        if (options.onRefused === undefined || options.signal?.aborted) failure ??= { error }
        else options.onRefused(error, JSON.parse(body) as readonly NewSample[])
      }
      full.shift()
      waiting -= batch.texts.length
      if (failure !== undefined) full.length = 0
      makeRoom()
    }
    sending = undefined
    makeRoom()
  }
  const demandOpen = () => {
    if (failure !== undefined) throw failure.error
    if (isClosed) throw new TypeError('this upload is closed')
  }
  const flush = async () => {
    seal()
    const last = full.at(-1)
    await until(() => last === undefined || !full.includes(last))
    if (failure !== undefined) throw failure.error
  }
  return {
    add: async (...samples) => {
      demandOpen()
      for (const sample of samples) {
        const text = JSON.stringify({ ...sample, time: sample.time ?? Date.now() })
        if (current.texts.length > 0 && current.length + text.length > maxLength) seal()
        current.texts.push(text)
        current.length += text.length
        waiting++
        if (current.texts.length >= maxSamples) seal()
      }
      if (current.texts.length > 0) timer ??= setTimeout(seal, maxDelayMs)
      await until(() => full.length <= maxWaiting)
      if (failure !== undefined) throw failure.error
    },
    flush,
    close: async () => {
      isClosed = true
      await flush()
    },
    stored: () => stored,
    waiting: () => waiting,
  }
}
