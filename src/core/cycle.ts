// Cycles: the calendar steps by which statistics are made and interval streams are cut (decisions 4). Every
// organization has the stock cycles, which never change, and may have its own.
import type { Sql } from '../base/sql.ts'
import type { CycleUnit } from './calendar.ts'

export type Cycle = {
  readonly key: number
  readonly uid: string
  readonly id: string | null
  readonly name: string
  readonly size: number
  readonly unit: CycleUnit
  /** A local time such as 2001-01-01T00:00:00, at which one of the intervals starts. */
  readonly reference: string
  /** Null: the zone of the component that is asked about. */
  readonly timeZone: string | null
  readonly isStock: boolean
  readonly version: number
}

const columns = (sql: Sql) => sql`
  cycle.key, cycle.uid, cycle.id, cycle.name, cycle.size, cycle.unit, cycle.reference,
  cycle.time_zone as "timeZone", cycle.is_stock as "isStock", cycle.version`

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
    select ${columns(sql)} from cycle where organization_key = ${organizationKey} and id = ${id}`
  return cycle
}

export const findCycleByKey = async (sql: Sql, key: number): Promise<Cycle | undefined> => {
  const [cycle] = await sql<Cycle[]>`select ${columns(sql)} from cycle where key = ${key}`
  return cycle
}
