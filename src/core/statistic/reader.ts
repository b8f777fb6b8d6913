// A reader: one snapshot of the database, and its facts about the tiles of streams.
//
// Times are always parameters of the statement itself and plans are made for them (force_custom_plan): only then
// does TimescaleDB leave out chunks while planning, which makes 0.3 ms of 15 ms with three years of chunks.
import type { Sql, Transaction } from '../../base/database/sql.ts'
import { firstMs, lastMs } from '../../base/http/params.ts'
import { joinSpans } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import { dayMs, layoutOf, mainPhase, phases } from './tile.ts'
import type { Phase } from './tile.ts'
import { wantTiles } from './wanted.ts'

/** The tiles of a stream, by a reader's snapshot. */
export type TileCoverage = {
  /** The moment up to which the tiles of each phase are ready; phases that are not made, or not of this stream, are missing. */
  readonly readyUntilMs: ReadonlyMap<Phase, number>
  /** Spans whose samples are gone and in the archive. */
  readonly archived: readonly Span[]
  readonly stale: readonly Span[]
}

type CoverageRow = {
  readonly key: number
  readonly minutes: readonly number[]
  readonly sinceMs: readonly number[] | null
  readonly untilMs: readonly number[] | null
  readonly firstMs: readonly number[] | null
  readonly lastMs: readonly number[] | null
}

type ReadyRow = {
  readonly minutes: readonly number[] | null
  readonly layouts: readonly number[] | null
  readonly untilMs: readonly number[] | null
}

/** A transaction with one snapshot, and its tiles of the streams in question. */
export type Reader = { readonly sql: Transaction; readonly coverage: ReadonlyMap<number, TileCoverage> }

/** In a transaction that holds the chunks (`../sample/chunk.ts`). */
export const openReader = async (sql: Transaction, streamKeys: readonly number[]): Promise<Reader> => {
  const [rows, [ready]] = await Promise.all([
    sql<CoverageRow[]>`
      select key, gone."sinceMs", gone."untilMs", marked."firstMs", marked."lastMs",
        array(
          select unnest(minutes) from tile_stream where tile_stream.stream_key = given.key
        ) as minutes
      from unnest(${[...streamKeys]}::integer[]) as given (key)
      cross join lateral (
        select array_agg(since) as "sinceMs", array_agg(until) as "untilMs" from kept where stream_key = key
      ) as gone
      left join (
        select stream_key, array_agg(lower(span)) as "firstMs", array_agg(upper(span)) as "lastMs"
        from (
          select stream_key, unnest(range_agg(tstzrange(first_time, last_time, '[]'))) as span
          from stale_of(${[...streamKeys]}::integer[])
          group by stream_key
        ) as joined
        group by stream_key
      ) as marked on marked.stream_key = key`,
    // Plans are made for times from the next statement on; those of these two are the same for all.
    sql<[ReadyRow]>`
      select array_agg(minutes) as minutes, array_agg(layout) as layouts, array_agg(ready_until) as "untilMs",
        set_config('plan_cache_mode', 'force_custom_plan', true)
      from rollup_phase`,
  ])
  const readyUntilMs = new Map<Phase, number>()
  for (const [at, each] of (ready.minutes ?? []).entries()) {
    const phase = phases.find(({ minutes }) => minutes === each)
    if (phase && ready.layouts![at] === layoutOf(phase)) readyUntilMs.set(phase, ready.untilMs![at]!)
  }
  const coverage = new Map(
    rows.map(({ key, minutes, sinceMs, untilMs, firstMs: from, lastMs: to }) => [
      key,
      {
        readyUntilMs: new Map(
          [...readyUntilMs].filter(([phase]) => phase === mainPhase || minutes.includes(phase.minutes)),
        ),
        archived: joinSpans((sinceMs ?? []).map((each, at): Span => [each, untilMs![at]!])),
        stale: joinSpans((from ?? []).map((each, at): Span => [each, to![at]! + 1])),
      },
    ]),
  )
  await wantTiles(sql, new Map([...coverage].map(([key, { stale }]) => [key, stale])))
  return { sql, coverage }
}

/** The moment up to which some of a stream's samples are archived. */
export const archivedUntil = ({ archived }: TileCoverage): number => archived.at(-1)?.[1] ?? Number.NEGATIVE_INFINITY

/** The moment up to which a stream's hours are listed as tiles. */
export const tiledUntil = ({ readyUntilMs }: TileCoverage): number =>
  readyUntilMs.get(mainPhase) ?? Number.NEGATIVE_INFINITY

/** A moment as a parameter: edges may lie outside of the years that samples have, where Postgres knows no time. */
export const time = (ms: number) => Math.max(firstMs - 366 * dayMs, Math.min(lastMs + 366 * dayMs, ms))

export type Parameter = string | number | readonly (string | number)[]

/**
 * The rows of a statement, which is prepared, because there are few such texts. Its parameters have the types that they
 * are used as: a cast from text would be done anew for every row, and no chunk left out by it.
 */
export const run = <Row extends object>(sql: Sql, text: string, values: readonly Parameter[]) =>
  sql.unsafe<Row[]>(text, values as (string | number)[], { prepare: true })
