// Retention (decisions 4): samples older than their organization keeps them go, and what they came to stays, by the
// quarter of an hour, in the table archive. Quarters, because every zone of today has its days, and every stock cycle
// from a quarter of an hour on its intervals, on quarters of UTC; shorter cycles have no statistics from an archive,
// except where all samples of a quarter lie in one interval.
//
// A day's delay keeps clear of uploads that were let in a moment ago: these are refused once they are older than the
// organization keeps samples, so nothing is written any more to what is archived here.
import type { Pool, Transaction } from '../base/sql.ts'
import { transaction } from '../base/sql.ts'
import { untieStreams } from './blob.ts'
import { floorTo } from './span.ts'
import { dayMs, hugeNum } from './tile.ts'

/** Archives a bounded part of what is too old; false when nothing is. */
export const archiveSome = (pool: Pool, nowMs: number): Promise<boolean> =>
  transaction(pool, async (sql) => {
    const [next] = await sql<{ key: number; organizationKey: number; days: number }[]>`
      select stream.key, organization.key as "organizationKey", organization.retention_days as days
      from organization
      join component on component.organization_key = organization.key
      join stream on stream.component_key = component.key
      left join kept on kept.stream_key = stream.key
      where organization.retention_days is not null and stream.kind <> 'point'
        and (kept.until is null
          or kept.until < time_bucket('1 day', ${nowMs}::timestamptz) - (organization.retention_days + 1) * interval '1 day')
      order by stream.key
      limit 1`
    if (next === undefined) return false
    const untilMs = floorTo(nowMs, 0, dayMs) - (next.days + 1) * dayMs
    await sql`
      update organization set kept_until = greatest(kept_until, ${untilMs}) where key = ${next.organizationKey}`
    await archiveStream(sql, next.key, untilMs)
    return true
  })

const mostDays = 28

/** The oldest weeks of a stream, or all that is left; the mark says up to where. */
const archiveStream = async (sql: Transaction, streamKey: number, untilMs: number): Promise<void> => {
  const [first] = await sql<{ timeMs: number }[]>`
    select time as "timeMs" from sample where stream_key = ${streamKey} and time < ${untilMs} order by time limit 1`
  const toMs = first === undefined ? untilMs : Math.min(untilMs, floorTo(first.timeMs, 0, dayMs) + mostDays * dayMs)
  if (first !== undefined) {
    await sql.unsafe(archiveText, [streamKey, first.timeMs, toMs])
    await untieStreams(sql, [streamKey], toMs)
  }
  await sql`
    insert into kept (stream_key, until) values (${streamKey}, ${toMs})
    on conflict (stream_key) do update set until = excluded.until`
}

const isFilled = 'num is not null or long is not null or text is not null'
const isOrdinary = `num between -${hugeNum} and ${hugeNum}`

// What is aggregated is what was deleted, whoever else deletes at the same time.
const archiveText = `
  with gone as (
    delete from sample where stream_key = $1::integer and time >= $2::timestamptz and time < $3::timestamptz returning *
  ), extreme as (
    select time_bucket(interval '15 minutes', time) as bucket, *,
           min(num) over quarter as least_num, max(num) over quarter as most_num,
           min(long) over quarter as least_long, max(long) over quarter as most_long
    from gone
    window quarter as (partition by time_bucket(interval '15 minutes', time))
  )
  insert into archive (stream_key, bucket, first_time, last_time, samples, filled, covered,
    sum_num, weighted_num, huge_num, huge_weighted_num, min_num, max_num, first_num, last_num,
    sum_long, weighted_long, min_long, max_long, first_long, last_long, first_text, last_text, min_time, max_time)
  select stream_key, bucket, min(time), max(time), count(*), count(*) filter (where ${isFilled}),
    sum(span) filter (where ${isFilled}),
    sum(num) filter (where ${isOrdinary}), sum(num * span) filter (where ${isOrdinary}),
    sum(num::numeric) filter (where not ${isOrdinary}), sum(num::numeric * span) filter (where not ${isOrdinary}),
    min(num), max(num),
    first(num, time) filter (where num is not null), last(num, time) filter (where num is not null),
    sum(long), sum(long::numeric * span), min(long), max(long),
    first(long, time) filter (where long is not null), last(long, time) filter (where long is not null),
    first(text, time) filter (where text is not null), last(text, time) filter (where text is not null),
    min(time) filter (where num = least_num or long = least_long),
    min(time) filter (where num = most_num or long = most_long)
  from extreme
  group by stream_key, bucket`
