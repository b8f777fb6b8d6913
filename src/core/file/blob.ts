// Contents of files: the table blob, whose rows live as follows (db/0017_file.sql). An upload writes its pieces under a
// key that nothing points to (blob-store.ts). When it is whole, publishContent ties it to its sample in the sample's
// own transaction, so that the file appears at once. Replacing or deleting the sample unties it. Contents never change,
// and one that nothing points to stays for a grace period, so that a caller in the middle of reading a file gets the
// whole of it.
//
// Every failure in between, a killed server included, ends the same way: at check_at the sweeper looks whether a sample
// points to the content, and removes it if not. A live content is looked at about once a day.
import { busy } from '../../base/errors.ts'
import type { Pool, Sql, Transaction } from '../../base/database/sql.ts'
import { snapshot, transaction, untilItIsRead } from '../../base/database/sql.ts'
import type { SampleRows } from '../sample/rows.ts'
import { historyText } from '../history.ts'

/** A whole content, before or after a sample points to it. */
export type Content = ContentDetail & {
  readonly pieces: number
  /** Of the database that has given the key (../history.ts). */
  readonly history: string
}

export type BatchFile = {
  readonly content: Content
  /** Whether the server chose the time: then the next free millisecond will do where a file is already. */
  readonly mayMove: boolean
}

type ContentDetail = {
  readonly key: number
  readonly size: number
  /** SHA-256. */
  readonly hash: Buffer
  readonly contentType: string
}

export type StoredFile = ContentDetail & { readonly storedMs: number }

/** The time that a content stays while nothing points to it, from the last sign of its writer or reader. */
export const graceMinutes = 15

const afterGrace = (sql: Sql) => sql`now() + ${graceMinutes} * interval '1 minute'`

/**
 * Ties the content to its sample and unties the one that was there. Gives the sample's row: where the server chose
 * the time and another file is there, a later one. The component is locked, so a free time stays free.
 */
export const publishContent = async (
  sql: Transaction,
  { content, mayMove }: BatchFile,
  rows: SampleRows,
  nowMs: number,
): Promise<SampleRows> => {
  const [streamKey, givenMs, name] = [rows.streamKeys[0]!, rows.storedMs[0]!, rows.texts[0]!]
  const [stored] = await sql<[{ pieces: number }]>`
    select count(*)::integer as pieces from blob_piece
    where blob_key = ${content.key} and ${sql.unsafe(historyText)} = ${content.history}`
  if (stored.pieces !== content.pieces) throw busy('the database has lost a part of the upload, try again')
  const timeMs = mayMove && rows.spans[0] === null ? await freeTime(sql, streamKey, givenMs) : givenMs
  await untieContents(sql, streamKey, timeMs, timeMs + 1)
  const { count } = await sql`
    update blob
    set stream_key = ${streamKey}, time = ${timeMs}, name = ${name}, size = ${content.size}, hash = ${content.hash},
      content_type = ${content.contentType}, stored_at = ${nowMs}
    where key = ${content.key} and stream_key is null`
  if (count === 0) throw busy('the upload took too long, try again')
  return { ...rows, storedMs: [timeMs] }
}

const searchMs = 1000

const freeTime = async (sql: Transaction, streamKey: number, fromMs: number): Promise<number> => {
  for (let freeMs = fromMs; ;) {
    const untilMs = freeMs + searchMs
    const taken = await sql<{ timeMs: number }[]>`
      select time as "timeMs" from sample
      where stream_key = ${streamKey} and time >= ${freeMs} and time < ${untilMs}
      order by time`
    for (const { timeMs } of taken) if (timeMs === freeMs) freeMs += 1
    if (freeMs < untilMs) return freeMs
  }
}

/** To be called in the transaction that deletes or overwrites a stream's samples from a stored time until another. */
export const untieContents = async (
  sql: Transaction,
  streamKey: number,
  fromMs: number,
  untilMs: number,
): Promise<void> => {
  await sql`
    update blob
    set stream_key = null, time = null, name = null, check_at = ${afterGrace(sql)}
    where stream_key = ${streamKey} and time >= ${fromMs} and time < ${untilMs}`
}

/** The same for streams that are gone, or whose samples before a stored time go (retention). */
export const untieStreams = async (
  sql: Transaction,
  streamKeys: readonly number[],
  beforeMs?: number,
): Promise<void> => {
  await sql`
    update blob
    set stream_key = null, time = null, name = null, check_at = ${afterGrace(sql)}
    where stream_key = any(${streamKeys}::integer[]) ${beforeMs === undefined ? sql`` : sql`and time < ${beforeMs}`}`
}

/** For a caller that reads a content for longer than the grace period. */
export const keepContent = async (sql: Sql, key: number): Promise<void> => {
  await sql`update blob set check_at = greatest(check_at, ${afterGrace(sql)}) where key = ${key}`
}

const columns = (sql: Sql) => sql`
  blob.key, blob.size, blob.hash, blob.content_type as "contentType", blob.stored_at as "storedMs"`

/** The file of this name whose sample is stored at this time. */
export const findFileAt = async (
  sql: Sql,
  streamKey: number,
  storedMs: number,
  name: string,
): Promise<StoredFile | undefined> => {
  const [file] = await sql<StoredFile[]>`
    select ${columns(sql)}
    from sample
    join blob on blob.key = sample.long
    where sample.stream_key = ${streamKey} and sample.time = ${storedMs} and sample.text = ${name}`
  return file
}

type Candidate = StoredFile & Place
type Place = { readonly key: number; readonly streamKey: number; readonly timeMs: number }

/** The newest file of this name. Contents know their names and have an index for them; samples decide. */
export const findLatestFile = async (pool: Pool, streamKey: number, name: string): Promise<StoredFile | undefined> => {
  const [newest] = await candidates(pool, streamKey, name, 1)
  if (newest === undefined) return undefined
  if ((await pointedTo(pool, [newest])).has(newest.key)) return newest
  // The file was replaced between the two queries, or retention took its sample away: look again, at one moment.
  return untilItIsRead(() => snapshot(pool, (sql) => findLive(sql, streamKey, name)))
}

const findLive = async (sql: Transaction, streamKey: number, name: string): Promise<StoredFile | undefined> => {
  for (let beforeMs: number | undefined; ;) {
    const some = await candidates(sql, streamKey, name, candidatesAtOnce, beforeMs)
    if (some.length === 0) return undefined
    const live = await pointedTo(sql, some)
    const file = some.find(({ key }) => live.has(key))
    if (file) return file
    beforeMs = some.at(-1)!.timeMs
  }
}

const candidatesAtOnce = 100

const candidates = (
  sql: Sql,
  streamKey: number,
  name: string,
  most: number,
  beforeMs?: number,
): Promise<readonly Candidate[]> =>
  sql<Candidate[]>`
    select ${columns(sql)}, blob.stream_key as "streamKey", blob.time as "timeMs"
    from blob
    where stream_key = ${streamKey} and name = ${name}
      ${beforeMs === undefined ? sql`` : sql`and time < ${beforeMs}`}
    order by time desc
    limit ${most}`

/** The contents that their samples still point to. The times stand in the query to spare it other chunks. */
const pointedTo = async (sql: Sql, places: readonly Place[]): Promise<ReadonlySet<number>> => {
  if (places.length === 0) return new Set()
  const times = places.map(({ timeMs }) => timeMs)
  const samples = await sql<{ key: number }[]>`
    select sample.long as key
    from sample
    where sample.stream_key = any(${[...new Set(places.map(({ streamKey }) => streamKey))]}::integer[])
      and sample.time >= ${Math.min(...times)} and sample.time <= ${Math.max(...times)}
      and sample.long = any(${places.map(({ key }) => key)}::bigint[]) and sample.text is not null`
  return new Set(samples.map(({ key }) => key))
}

export type FileDetail = { readonly key: number; readonly size: number; readonly contentType: string }

export const fileDetails = async (
  sql: Sql,
  keys: readonly (number | bigint)[],
): Promise<ReadonlyMap<number | bigint, FileDetail>> => {
  if (keys.length === 0) return new Map()
  const details = await sql<FileDetail[]>`
    select key, size, content_type as "contentType" from blob where key = any(${keys.map(Number)}::bigint[])`
  return new Map(details.map((detail) => [detail.key, detail]))
}

const contentsAtOnce = 50
const piecesAtOnce = 2048

/** Looks at contents that are due, and removes some that nothing points to; true: there is more. */
export const sweepContents = (pool: Pool): Promise<boolean> =>
  transaction(pool, async (sql) => {
    // A content that is being published or written to is locked, and needs no look. A content published later finds its
    // row gone.
    const due = await sql<{ key: number; streamKey: number | null; timeMs: number }[]>`
      select key, stream_key as "streamKey", time as "timeMs"
      from blob
      where check_at <= now()
      order by check_at
      limit ${contentsAtOnce}
      for update skip locked`
    if (due.length === 0) return false
    const live = await pointedTo(
      sql,
      due.filter((each): each is Place => each.streamKey !== null),
    )
    // Together again: they came together, and so are of times that are close to each other. Scattered over ten years, as after a time of its own for
    // each, 50 took 119 ms in place of 11.
    await sql`
      update blob
      set check_at = now() + ${1 + Math.random()} * interval '1 day'
      where key = any(${[...live]}::bigint[])`
    const dead = due.map(({ key }) => key).filter((key) => !live.has(key))
    const removed = await sql`
      delete from blob_piece
      where ctid = any(array(
        select ctid from blob_piece where blob_key = any(${dead}::bigint[]) limit ${piecesAtOnce}))`
    if (removed.count < piecesAtOnce) await sql`delete from blob where key = any(${dead}::bigint[])`
    return true
  })
