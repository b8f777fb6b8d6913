// Dashboards: named pages of tiles (docs/management.md#dashboards).
import type { Sql, Transaction } from '../base/database/sql.ts'
import type { Listing, Page, Sorts } from './listing.ts'
import { holds, isEqual, openListing, orderOf } from './listing.ts'
import type { Statistic } from './statistic/statistic.ts'

export const tileKinds = ['chart', 'value', 'table', 'text'] as const

export type Tile = {
  readonly kind: (typeof tileKinds)[number]
  readonly title: string
  /** Its place in a grid of 12 columns, counted from 0. */
  readonly column: number
  readonly row: number
  readonly width: number
  readonly height: number
  readonly stream: readonly TileStream[]
  readonly cycleId: string | null
  readonly statistic: Statistic | null
  /** The length of the window, which ends now. */
  readonly seconds: number | null
  readonly text: string
}

export type TileStream = { readonly componentUid: string; readonly streamId: string }

export type Dashboard = {
  readonly key: number
  readonly uid: string
  readonly name: string
  readonly description: string
  readonly tiles: readonly Tile[]
  readonly version: number
}

export type DashboardDefinition = Pick<Dashboard, 'name' | 'description' | 'tiles'>

const columns = (sql: Sql) => sql`key, uid, name, description, tiles, version`

export const dashboardSorts = {
  name: 'lower(name)',
  description: 'description',
  version: 'version',
} as const satisfies Sorts

export const listDashboards = (
  sql: Transaction,
  organizationKey: number,
  page: Page,
  { name }: { readonly name?: string | undefined },
): Promise<Listing<Dashboard>> =>
  openListing(sql, page, {
    select: sql`select ${columns(sql)}`,
    from: sql`
      from dashboard
      where organization_key = ${organizationKey} and ${holds(sql, page.text, 'name', 'description')}
        and ${isEqual(sql, 'name', name)}`,
    order: orderOf(sql, page, dashboardSorts, 'key'),
    rowBytes: 512 * 1024,
  })

export const findDashboard = async (sql: Sql, organizationKey: number, uid: string): Promise<Dashboard | undefined> => {
  const [row] = await sql<Dashboard[]>`
    select ${columns(sql)} from dashboard where organization_key = ${organizationKey} and uid = ${uid}`
  return row
}

export const lockDashboard = async (sql: Transaction, key: number): Promise<Dashboard | undefined> => {
  const [row] = await sql<Dashboard[]>`select ${columns(sql)} from dashboard where key = ${key} for update`
  return row
}

export const insertDashboard = async (
  sql: Transaction,
  organizationKey: number,
  { name, description, tiles }: DashboardDefinition,
): Promise<Dashboard> => {
  const [row] = await sql<[Dashboard]>`
    insert into dashboard (organization_key, name, description, tiles)
    values (${organizationKey}, ${name}, ${description}, ${sql.json(tiles)})
    returning ${columns(sql)}`
  return row
}

export const updateDashboard = async (
  sql: Transaction,
  key: number,
  { name, description, tiles }: DashboardDefinition,
): Promise<Dashboard> => {
  const [row] = await sql<[Dashboard]>`
    update dashboard
    set name = ${name}, description = ${description}, tiles = ${sql.json(tiles)}, version = version + 1
    where key = ${key}
    returning ${columns(sql)}`
  return row
}

/** False when somebody was faster. */
export const deleteDashboard = async (sql: Transaction, key: number): Promise<boolean> =>
  (await sql`delete from dashboard where key = ${key}`).count === 1
