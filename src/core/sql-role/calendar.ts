// Edges of hours, days and months for the views (docs/bi.md), by the rules of this server: of the zones that components of
// organizations with an SQL role have.
import type { Pool, Sql, Transaction } from '../../base/database/sql.ts'
import { transaction } from '../../base/database/sql.ts'
import { openCalendar } from '../time/calendar.ts'
import type { CycleUnit } from '../time/calendar.ts'

/** Views have no intervals before. */
const firstEdgeMs = Date.UTC(2000, 0, 1)
const dayMs = 86_400_000
const hourMs = 3_600_000
const aheadMs = 400 * dayMs
const leastAheadMs = 366 * dayMs
/** Longer than a month, so that the first one is whole. */
const beforeMs = 32 * dayMs

/** The reference of stock cycles. */
const reference = '2001-01-01T00:00:00'

/** Grows with each release of the rules: 2025b. */
const ownRules = process.versions['tz'] ?? ''

type Extent = { readonly sinceMs: number; readonly untilMs: number }

/** Makes the edges of zones that have none yet, or too few, or by older rules. */
export const fillEdges = async (pool: Pool, nowMs: number, rules = ownRules): Promise<void> => {
  const sinceMs = await firstSampleMs(pool, nowMs)
  if (sinceMs === undefined) return
  for (const zone of await zonesToFill(pool, sinceMs, nowMs, rules))
    await transaction(pool, async (sql) => {
      await sql`lock table bi.calendar in share row exclusive mode`
      const extent = { sinceMs: Math.max(firstEdgeMs, sinceMs - beforeMs), untilMs: nowMs + aheadMs }
      const keys = {
        hour: await fillHours(sql, zone, extent),
        day: await fillLocal(sql, 'day', zone, extent, rules),
        month: await fillLocal(sql, 'month', zone, extent, rules),
      }
      await sql`
        insert into bi.zone (name, hour_key, day_key, month_key)
        values (${zone}, ${keys.hour}, ${keys.day}, ${keys.month})
        on conflict (name) do nothing`
    })
}

/** The beginning of the first week that has samples; undefined where there is no SQL role. */
const firstSampleMs = async (sql: Sql, nowMs: number): Promise<number | undefined> => {
  const [row] = await sql<{ firstMs: number | null }[]>`
    select (
      select min(range_start)
      from timescaledb_information.chunks
      where hypertable_schema = current_schema() and hypertable_name = 'sample'
        and range_end - range_start <= interval '365 days'
    ) as "firstMs"
    from bi.role
    limit 1`
  return row && Math.min(nowMs, row.firstMs ?? nowMs)
}

const zonesToFill = async (sql: Sql, sinceMs: number, nowMs: number, rules: string): Promise<readonly string[]> => {
  const rows = await sql<{ zone: string }[]>`
    select wanted.zone
    from (
      select distinct time_zone as zone
      from component
      where organization_key in (select organization_key from bi.role) and not is_template
    ) as wanted
    where not exists (
      select
      from bi.zone
      join bi.calendar on calendar.key = zone.day_key
      where zone.name = wanted.zone and calendar.since <= ${Math.max(firstEdgeMs, sinceMs)}
        and calendar.until >= ${nowMs + leastAheadMs} and calendar.rules >= ${rules})`
  return rows.map(({ zone }) => zone)
}

const calendarOf = (unit: CycleUnit, zone: string) => openCalendar({ size: 1, unit, reference }, zone)

/** Of the hours of all zones whose clocks showed the same minute at the reference. */
const fillHours = async (sql: Transaction, zone: string, { sinceMs, untilMs }: Extent): Promise<number> => {
  const { originMs } = calendarOf('hour', zone).fixed!
  const pastHourMs = originMs - Math.floor(originMs / hourMs) * hourMs
  const fromMs = Math.floor(sinceMs / dayMs) * dayMs + pastHourMs
  const key = await putCalendar(sql, 'hour', String(pastHourMs / 60_000), '', { sinceMs, untilMs })
  await sql`
    insert into bi.edge (calendar_key, start_time, end_time)
    select ${key}, start_time, start_time + interval '1 hour'
    from generate_series(${fromMs}::timestamptz, ${untilMs}::timestamptz, interval '1 hour') as start_time
    on conflict do nothing`
  return key
}

/** Days and months are made anew: other rules may have moved any of them. */
const fillLocal = async (
  sql: Transaction,
  unit: 'day' | 'month',
  zone: string,
  { sinceMs, untilMs }: Extent,
  rules: string,
): Promise<number> => {
  const calendar = calendarOf(unit, zone)
  const edges = calendar.edgesBetween(calendar.startOf(sinceMs), untilMs, 100_000)
  const key = await putCalendar(sql, unit, zone, rules, { sinceMs, untilMs })
  await sql`delete from bi.edge where calendar_key = ${key}`
  await sql`
    insert into bi.edge (calendar_key, start_time, end_time)
    select ${key}, to_timestamp(start_ms / 1000.0), to_timestamp(end_ms / 1000.0)
    from unnest(${edges.slice(0, -1)}::bigint[], ${edges.slice(1)}::bigint[]) as edge (start_ms, end_ms)`
  return key
}

const putCalendar = async (
  sql: Transaction,
  cycle: string,
  zone: string,
  rules: string,
  { sinceMs, untilMs }: Extent,
): Promise<number> => {
  const [row] = await sql<[{ key: number }]>`
    insert into bi.calendar (cycle, zone, rules, since, until)
    values (${cycle}, ${zone}, ${rules}, ${sinceMs}, ${untilMs})
    on conflict (cycle, zone) do update
    set rules = excluded.rules, since = excluded.since, until = excluded.until
    returning key`
  return row.key
}
