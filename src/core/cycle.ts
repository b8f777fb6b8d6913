// Cycles: the calendar steps by which statistics are made and interval streams are cut (docs/statistics.md#cycles).
// Every organization has the stock cycles, which never change, and may have its own.
import { notFound } from '../base/errors.ts'
import type { Fault } from '../base/errors.ts'
import type { Sql, Transaction } from '../base/database/sql.ts'
import { unlessTaken } from '../base/database/sql.ts'
import type { CycleUnit } from './time/calendar.ts'
import type { Listing, Page, Sorts } from './listing.ts'
import { holds, isEqual, openListing, orderOf } from './listing.ts'

export type CycleDefinition = {
  readonly id: string | null
  readonly name: string
  readonly size: number
  readonly unit: CycleUnit
  /** A local time such as 2001-01-01T00:00:00, at which one of the intervals starts. */
  readonly reference: string
  /** Null: the zone of the component that is asked about. */
  readonly timeZone: string | null
}

export type Cycle = CycleDefinition & {
  readonly key: number
  readonly uid: string
  readonly isStock: boolean
  readonly version: number
}

const select = (sql: Sql) => sql`
  select cycle.key, cycle.uid, cycle.id, cycle.name, cycle.size, cycle.unit, cycle.reference,
  cycle.time_zone as "timeZone", cycle.is_stock as "isStock", cycle.version`

const secondsOf: Readonly<Record<CycleUnit, number>> = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 7 * 86_400,
  month: 31 * 86_400,
  year: 366 * 86_400,
}

/** The length of its longest intervals, but for changes of the clock. */
export const longestSeconds = ({ size, unit }: Pick<CycleDefinition, 'size' | 'unit'>): number => size * secondsOf[unit]

/** Intervals longer than the calendar of samples serve nobody, and their edges are no exact numbers. */
export const mostCycleSeconds = 10_000 * secondsOf.year

/** The length of a base interval is stored with its sample, in seconds, as an integer of four bytes. */
export const mostBaseSeconds = 68 * secondsOf.year

/** 2001-01-01 was a Monday, so weeks that are counted from it begin on Mondays. */
export const stockReference = '2001-01-01T00:00:00'

/** Gives a new organization its stock cycles. */
export const insertStockCycles = async (sql: Sql, organizationKey: number): Promise<void> => {
  await sql`
    insert into cycle (organization_key, id, name, size, unit, reference, is_stock)
    select ${organizationKey}, id, name, size, unit, ${stockReference}, true
    from (values
      ('second', 'Second', 1, 'second'),
      ('minute', 'Minute', 1, 'minute'),
      ('5minute', '5 minutes', 5, 'minute'),
      ('15minute', '15 minutes', 15, 'minute'),
      ('30minute', '30 minutes', 30, 'minute'),
      ('hour', 'Hour', 1, 'hour'),
      ('day', 'Day', 1, 'day'),
      ('week', 'Week', 1, 'week'),
      ('month', 'Month', 1, 'month'),
      ('quarter', 'Quarter', 3, 'month'),
      ('year', 'Year', 1, 'year')) as stock (id, name, size, unit)
    on conflict do nothing`
}

export const findCycle = async (sql: Sql, organizationKey: number, id: string): Promise<Cycle | undefined> => {
  const [cycle] = await sql<Cycle[]>`
    ${select(sql)} from cycle where organization_key = ${organizationKey} and id = ${id}`
  return cycle
}

/** The IDs of cycles, as many as fit into a message. */
export const cycleIds = async (sql: Sql, organizationKey: number): Promise<readonly string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id
    from cycle
    where organization_key = ${organizationKey} and id is not null
    order by is_stock desc, key
    limit 50`
  return rows.map(({ id }) => id)
}

/** The Fault for an ID that no cycle has. */
export const cycleNotFound = async (sql: Sql, organizationKey: number, id: string): Promise<Fault> =>
  notFound('cycle', id, await cycleIds(sql, organizationKey))

export const findCycleByKey = async (sql: Sql, key: number): Promise<Cycle | undefined> => {
  const [cycle] = await sql<Cycle[]>`${select(sql)} from cycle where key = ${key}`
  return cycle
}

export const findCycleByUid = async (sql: Sql, organizationKey: number, uid: string): Promise<Cycle | undefined> => {
  const [cycle] = await sql<Cycle[]>`
    ${select(sql)} from cycle where organization_key = ${organizationKey} and uid = ${uid}`
  return cycle
}

export const cycleSorts = {
  name: 'lower(name)',
  id: 'lower(id)',
  size: 'size',
  // As units of time follow each other, not as their names do.
  unit: "array_position(array['second', 'minute', 'hour', 'day', 'week', 'month', 'year'], unit)",
  timeZone: 'time_zone',
  version: 'version',
} as const satisfies Sorts

export type CycleFilter = {
  readonly id?: string | undefined
  readonly unit?: CycleUnit | undefined
  readonly isStock?: boolean | undefined
}

/** The stock cycles first, from the shortest, then the organization's own by name. */
export const listCycles = (
  sql: Transaction,
  organizationKey: number,
  page: Page,
  { id, unit, isStock }: CycleFilter = {},
): Promise<Listing<Cycle>> =>
  openListing<Cycle>(sql, page, {
    select: select(sql),
    from: sql`
      from cycle
      where organization_key = ${organizationKey} and ${holds(sql, page.text, 'id', 'name')}
        and ${isEqual(sql, 'id', id)} and ${isEqual(sql, 'unit', unit)} and ${isEqual(sql, 'is_stock', isStock)}`,
    order: orderOf(
      sql,
      page,
      cycleSorts,
      'key',
      sql`is_stock desc, case when is_stock then key end, ${sql.unsafe(cycleSorts.name)}`,
    ),
  })

export const lockCycle = async (sql: Transaction, key: number): Promise<Cycle | undefined> => {
  const [cycle] = await sql<Cycle[]>`${select(sql)} from cycle where key = ${key} for update`
  return cycle
}

export const insertCycle = async (
  sql: Transaction,
  organizationKey: number,
  cycle: CycleDefinition,
): Promise<Cycle> => {
  const [made] = await unlessTaken(
    sql<[{ key: number }]>`
      insert into cycle ${sql({ organization_key: organizationKey, ...columns(cycle) })} returning key`,
    taken(cycle),
  )
  return (await findCycleByKey(sql, made.key))!
}

/** The caller holds the cycle's lock. */
export const updateCycle = async (sql: Transaction, key: number, cycle: CycleDefinition): Promise<Cycle> => {
  await unlessTaken(
    sql`update cycle set ${sql(columns(cycle))}, version = version + 1 where key = ${key}`,
    taken(cycle),
  )
  return (await findCycleByKey(sql, key))!
}

const columns = (cycle: CycleDefinition) => ({
  id: cycle.id,
  name: cycle.name,
  size: cycle.size,
  unit: cycle.unit,
  reference: cycle.reference,
  time_zone: cycle.timeZone,
})

const taken = (cycle: CycleDefinition) => `there is a cycle with the id '${cycle.id}'`

export const deleteCycle = async (sql: Transaction, key: number): Promise<void> => {
  await sql`delete from cycle where key = ${key}`
}

export const isBaseCycle = async (sql: Sql, key: number): Promise<boolean> => {
  const [row] = await sql<[{ used: boolean }]>`
    select exists (select from stream where base_cycle_key = ${key}) as used`
  return row.used
}
