// What outlives its stream: a removed stream's row goes at once, so that its ID is free again, and its samples
// go afterwards, a bounded batch at a time (jobs.ts), so that uploads never wait. Keys are never given twice,
// so samples on the way out are nobody's.
import type { Pool, Sql, Transaction } from '../base/sql.ts'
import { transaction } from '../base/sql.ts'

/** Whether any of the streams holds a sample. */
export const haveSamples = async (sql: Sql, streamKeys: readonly number[]): Promise<boolean> => {
  const [row] = await sql<[{ any: boolean }]>`
    select exists (select from point_sample where stream_key = any(${streamKeys}::integer[]))
      or exists (select from sample where stream_key = any(${streamKeys}::integer[])) as any`
  return row.any
}

/** Hands the samples of these streams to the remover; in the transaction that removes the streams. */
export const queueRemoval = async (sql: Transaction, streamKeys: readonly number[]): Promise<void> => {
  await sql`
    insert into removal (stream_key)
    select unnest(${streamKeys}::integer[])
    on conflict do nothing`
}

/** The same for all streams of an organization that is about to be deleted. */
export const queueRemovalOfAll = async (sql: Transaction, organizationKey: number): Promise<void> => {
  await sql`
    insert into removal (stream_key)
    select stream.key
    from stream
    join component on component.key = stream.component_key
    where component.organization_key = ${organizationKey} and not component.is_template
    on conflict do nothing`
}

export type Removed = {
  /** Streams of which nothing is left. */
  readonly streams: number
  readonly samples: number
}

const streamsAtOnce = 100

/**
 * Removes up to mostSamples samples of one queued stream, and drops queued streams without samples from the
 * queue. Nothing removed means that nothing is left, or that other processes are at it.
 */
export const removeSome = (pool: Pool, mostSamples = 10_000): Promise<Removed> =>
  transaction(pool, async (sql) => {
    // No limit is needed on what one small batch decompresses (Community edition).
    await sql`select set_config('timescaledb.max_tuples_decompressed_per_dml_transaction', '0', true)`
    const queued = await sql<{ key: number; hasSamples: boolean }[]>`
      select stream_key as key, exists (select from sample where sample.stream_key = removal.stream_key) as "hasSamples"
      from removal
      order by since, stream_key
      limit ${streamsAtOnce}
      for update skip locked`
    const empty = queued.filter((stream) => !stream.hasSamples).map((stream) => stream.key)
    if (empty.length > 0) {
      await sql`delete from point_sample where stream_key = any(${empty}::integer[])`
      await sql`delete from removal where stream_key = any(${empty}::integer[])`
    }
    const full = queued.find((stream) => stream.hasSamples)
    return {
      streams: empty.length,
      samples: full === undefined ? 0 : await deleteOldest(sql, full.key, mostSamples),
    }
  })

// Two statements, because only times that are known when the delete is planned spare it all other chunks.
const deleteOldest = async (sql: Transaction, streamKey: number, most: number): Promise<number> => {
  const [batch] = await sql<[{ fromMs: number; untilMs: number }]>`
    select min(time) as "fromMs", max(time) as "untilMs"
    from (select time from sample where stream_key = ${streamKey} order by time limit ${most}) as oldest`
  const { count } = await sql`
    delete from sample
    where stream_key = ${streamKey} and time >= ${batch.fromMs} and time <= ${batch.untilMs}`
  return count
}
