// Samples of an import that come stream by stream, in the order of their times and of each time the last (bulk.ts). Where
// nothing is stored between them COPY writes them as they come: 1.6 s of our database's CPU for a million, where
// comparing them with nothing and inserting them took 6.
import { copyInto } from '../../base/database/copy.ts'
import type { Transaction } from '../../base/database/sql.ts'
import { unlessMet } from './bulk-latest.ts'
import type { Given } from './bulk-latest.ts'
import type { BulkPlace, Places } from './bulk-place.ts'
import type { Gate } from './gate.ts'
import { makeChunks } from './new-chunks.ts'
import type { Apart } from './new-chunks.ts'
import { markStaleText, timeOf } from './stale.ts'
import { markSourceSpansText } from './touched.ts'

export type BulkGathered = {
  /** So many in all. */
  readonly samples: number
  /** Stretches of samples that lie close together (stale.ts), of each stream in their order. */
  readonly stretches: readonly {
    readonly cid: string
    readonly id: string
    readonly firstMs: number
    readonly lastMs: number
  }[]
  /** Bytes of a binary COPY in the order of stream_key and time: stream_key, time or ms, num, long. As often as asked for. */
  readonly rows: (placeOf: (cid: string, id: string) => BulkPlace, timeAs: 'time' | 'ms') => AsyncIterable<Uint8Array>
}

/** False, and nothing is changed, where they have to be compared with what is there. Throws MetOthers where somebody was faster. */
export const copyGathered = async (
  sql: Transaction,
  gathered: BulkGathered,
  { placeOf, range }: Pick<Places, 'placeOf' | 'range'>,
  nowMs: number,
  gate: Gate,
  apart: Apart,
): Promise<boolean> => {
  // A sample of that time counts as one without a time of its own.
  if (range.firstMs <= nowMs && nowMs <= range.lastMs) return false
  await sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`
  const all = gathered.stretches.map(({ cid, id, firstMs, lastMs }) => [placeOf(cid, id).key, firstMs, lastMs] as const)
  if (await isAnyStored(sql, probesOf(all), range)) return false
  await makeChunks(sql, [range.firstMs, range.lastMs + 1], apart, (note) => {
    for (const [, firstMs, lastMs] of all) note(firstMs, lastMs)
  })
  await unlessMet(
    copyInto(
      sql,
      'copy sample (stream_key, time, num, long) from stdin (format binary)',
      gathered.rows(placeOf, 'time'),
    ),
    undefined,
  )
  const claimed = all
    .filter(([, firstMs]) => firstMs < gate.claimedUntilMs)
    .map(([key, firstMs, lastMs]) => [key, firstMs, Math.min(lastMs, Math.ceil(gate.claimedUntilMs) - 1)] as const)
  if (claimed.length > 0) await sql.unsafe(markStaleText, columnsOf(claimed), { prepare: true })
  await sql.unsafe(markSourceSpansText, columnsOf(all), { prepare: true })
  return true
}

type Stretch = readonly [streamKey: number, firstMs: number, lastMs: number]

/** Each is looked for in every chunk of the range: all of 50,000 in those of ten years take longer than their samples. */
const mostProbes = 1000

/** Some of them, from the first to the last. COPY notices what these have missed. */
const probesOf = (all: readonly Stretch[]): readonly Stretch[] => {
  const step = Math.max(1, all.length / mostProbes)
  return Array.from({ length: Math.min(all.length, mostProbes) }, (_, at) => all[Math.floor(at * step)]!)
}

const columnsOf = (rows: readonly Stretch[]) =>
  ([0, 1, 2] as const).map((column) => `{${rows.map((row) => row[column]).join(',')}}`)

const isAnyStored = async (
  sql: Transaction,
  stretches: readonly Stretch[],
  { firstMs, lastMs }: Given['range'],
): Promise<boolean> => {
  const [found] = await sql.unsafe<[{ isAny: boolean }]>(
    `select exists (
       select from unnest($1::text::integer[], $2::text::bigint[], $3::text::bigint[]) as span (key, first_ms, last_ms)
       cross join lateral (
         select from sample
         where sample.stream_key = span.key
           and sample.time >= ${timeOf('first_ms')} and sample.time <= ${timeOf('last_ms')}
           and sample.time >= ${timeOf(`${BigInt(firstMs)}::bigint`)} and sample.time <= ${timeOf(`${BigInt(lastMs)}::bigint`)}
         limit 1) as stored) as "isAny"`,
    columnsOf(stretches),
  )
  return found.isAny
}

/** The same as rows of a table, to be compared. */
export const givenGathered = async (
  sql: Transaction,
  gathered: BulkGathered,
  { placeOf, range }: Pick<Places, 'placeOf' | 'range'>,
  nowMs: number,
): Promise<Given> => {
  await sql`
    create temp table gathered (stream_key integer, ms bigint, num double precision, long bigint) on commit drop`
  await copyInto(sql, 'copy gathered from stdin (format binary)', gathered.rows(placeOf, 'ms'))
  await sql`analyze gathered`
  return {
    text: `
      select gathered.ctid as place, gathered.stream_key, stream.component_key, null::integer as span, ms, num, long,
        null::text as text, ms = ${nowMs} as is_by_run, false as is_point
      from gathered
      join stream on stream.key = gathered.stream_key`,
    values: [],
    order: ['place'],
    range,
  }
}
