// A game by which a reply is found out that shows more than one moment (docs/replies.md): one value after the other is
// stored in all streams of a component, each by one call, while readers ask for them in every way there is. A reply with
// two values is torn.
//
//   await play({ upload: uploadAll(…), half: uploadHalf(…), readers: { feed: () => dataOf('/api/comp/Even/feed') } })
import assert from 'node:assert/strict'
import { shortOrLong } from './soak.ts'

/** Gives what must all be the same, if the reply is of one moment. */
export type Reader = () => Promise<readonly unknown[]>

export type Game = {
  readonly upload: (value: number) => Promise<unknown>
  /** Leaves what half of an upload would: readers that do not notice it would notice nothing at all. */
  readonly half: (value: number) => Promise<unknown>
  readonly readers: Readonly<Record<string, Reader>>
  /** Done over and over beside the readers. */
  readonly beside?: readonly (() => Promise<unknown>)[]
}

/** An even number: games that delete in every second turn end with an upload. */
export const uploads = shortOrLong(6, 200)

const different = (values: readonly unknown[]) => [...new Set(values.map(String))]

export const play = async (game: Game): Promise<void> => {
  const { upload, half, beside = [] } = game
  const readers = Object.entries(game.readers)
  const over = new AbortController()
  const torn: unknown[] = []
  let replies = 0
  const readOnce = async ([name, read]: readonly [string, Reader]): Promise<void> => {
    const values = await read()
    replies += 1
    if (different(values).length > 1) torn.push([name, different(values)])
  }
  const untilOver = async (work: () => Promise<unknown>): Promise<void> => {
    do await work()
    while (!over.signal.aborted)
  }
  await upload(0)
  const working = Promise.all([...readers.map((reader) => () => readOnce(reader)), ...beside].map(untilOver))
  working.catch(() => over.abort())
  try {
    for (let value = 1; value <= uploads && !over.signal.aborted; value += 1) await upload(value)
  } finally {
    over.abort()
  }
  await working
  for (const reader of readers) await readOnce(reader)
  assert.deepEqual(torn, [], `${torn.length} of ${replies} replies`)

  await half(uploads + 1)
  const blind: unknown[] = []
  for (const [name, read] of readers) {
    const values = different(await read())
    if (values.length < 2) blind.push([name, values])
  }
  assert.deepEqual(blind, [], 'readers that take half of an upload for all of it')
}

/** A value of its own where some are missing, so that the reply counts as torn: all or nothing. */
export const whole =
  (count: number, read: Reader): Reader =>
  async () => {
    const values = await read()
    return values.length === 0 || values.length === count ? values : [...values, `${values.length} of ${count}`]
  }

/** Of a statistic over old and new samples, which is no whole number: it counts as torn by itself. */
export const integers =
  (read: Reader): Reader =>
  async () =>
    (await read()).flatMap((value) => [value, Math.round(Number(value))])

export type Sample = {
  readonly compId: string
  readonly streamId: string
  readonly time: number
  readonly data: unknown
}

export const samplesOf = (
  compId: string,
  streamIds: readonly string[],
  timesMs: readonly number[],
  data: unknown,
): readonly Sample[] => streamIds.flatMap((streamId) => timesMs.map((time) => ({ compId, streamId, data, time })))

/** Every second stream, and of the others all samples but those of the first time. */
export const halfOf = (
  compId: string,
  streamIds: readonly string[],
  timesMs: readonly number[],
  data: unknown,
): readonly Sample[] =>
  samplesOf(compId, streamIds, timesMs, data).filter(
    ({ streamId, time }) => streamIds.indexOf(streamId) % 2 === 0 || time !== timesMs[0],
  )

export const numbered = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `s${n}`)

type Item = { readonly data: unknown }

/** Calls by one address and one credential, which may read feeds, statistics and GS SQL, export, and upload. */
export const openReadings = (url: string, credential: string) => {
  const ask = async (method: string, path: string, body?: string, headers: Readonly<Record<string, string>> = {}) => {
    const address = `${url}${path}${path.includes('?') ? '&' : '?'}${credential}`
    const reply = await fetch(address, { method, headers, ...(body === undefined ? {} : { body }) })
    return { status: reply.status, text: await reply.text() }
  }
  const text = async (path: string, Accept = '*/*') => {
    const reply = await ask('GET', path, undefined, { Accept })
    assert.equal(reply.status, 200, reply.text)
    return reply.text
  }
  const lines = async (path: string, accept?: string) =>
    (await text(path, accept)).split(/\r?\n/).filter((line) => line !== '')
  const send = async (method: string, path: string, body?: string): Promise<unknown> => {
    const reply = await ask(method, path, body)
    assert.ok(reply.status >= 200 && reply.status < 300, reply.text)
    return reply.text === '' ? undefined : (JSON.parse(reply.text) as unknown)
  }
  const put = (samples: readonly Sample[]) => send('PUT', '/api/feed', JSON.stringify(samples))
  const script = (gsql: string) => send('POST', `/api/gql?s=${encodeURIComponent(gsql)}`)
  return {
    ask,
    text,
    lines,
    send,
    put,
    script,
    uploadAll: (compId: string, streamIds: readonly string[], timesMs: readonly number[]) => (value: number) =>
      put(samplesOf(compId, streamIds, timesMs, value)),
    uploadHalf: (compId: string, streamIds: readonly string[], timesMs: readonly number[]) => (value: number) =>
      put(halfOf(compId, streamIds, timesMs, value)),
    json: async <T>(path: string) => JSON.parse(await text(path)) as T,
    /** The values of a reading. */
    dataOf: async (path: string) => (JSON.parse(await text(path)) as readonly Item[]).map(({ data }) => data),
    /** Those of the first column. */
    queried: async (gsql: string) => {
      const { rows } = JSON.parse(await text(`/api/gql?s=${encodeURIComponent(gsql)}`)) as { rows: unknown[][] }
      return rows.map(([value]) => value)
    },
    exported: async (query: string) =>
      (await lines(`/api/export?format=ndjson&${query}`)).map((line) => (JSON.parse(line) as Item).data),
  }
}

export type Readings = ReturnType<typeof openReadings>

/**
 * Those of a component that may not be there: none then, as of one that is there with nothing. An export that found it and
 * has lost it before its first bytes says so by 409 (docs/transfer.md).
 */
export const orNone =
  ({ ask }: Readings, path: string, read: (text: string) => readonly unknown[]): Reader =>
  async () => {
    const { status, text } = await ask('GET', path)
    assert.ok(status === 200 || status === 404 || (status === 409 && path.startsWith('/api/export?')), text)
    return status === 200 ? read(text) : []
  }

export const dataIn = (text: string): readonly unknown[] =>
  (JSON.parse(text) as readonly Item[]).map(({ data }) => data)

/** The last cell of each row. */
export const lastCells = (csv: readonly string[]): readonly unknown[] =>
  csv.slice(1).map((line) => line.split(',').at(-1))
