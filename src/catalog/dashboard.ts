// Dashboards in the management API (docs/management.md#dashboards).
//
//   POST {"name":"Boiler house","tile":[{"kind":"value","stream":[{"componentUid":"…","streamId":"temp"}]}]}
import { notFound, tooLarge } from '../base/errors.ts'
import { further, list, needed, readMembers, shownUid, text, versionNumber } from '../base/http/members.ts'
import type { Members } from '../base/http/members.ts'
import {
  dashboardSorts,
  deleteDashboard,
  findDashboard,
  insertDashboard,
  listDashboards,
  lockDashboard,
  updateDashboard,
} from '../core/dashboard.ts'
import type { Dashboard, DashboardDefinition } from '../core/dashboard.ts'
import { showTile, tileReader, tileSchema } from './dashboard-tile.ts'
import type { Entity } from './entity.ts'
import { refuseStale, withGiven } from './entity.ts'

const mostTiles = 60
const mostBytes = 256 * 1024

const members = {
  uid: shownUid,
  name: text(1, 512),
  description: text(0, 10_000),
  tile: further(list(mostTiles, tileReader), {}, (name, tiles) => {
    if (Buffer.byteLength(JSON.stringify(tiles)) > mostBytes)
      throw tooLarge(`${name} of a dashboard takes at most ${mostBytes} bytes`)
    return tiles
  }),
  version: versionNumber,
}

type Change = Omit<Members<typeof members>, 'tile'> & Partial<Pick<DashboardDefinition, 'tiles'>>

const filters = { name: text(0, 512) }

const readDashboard = (input: unknown): Change => {
  const { tile: tiles, ...given } = readMembers('dashboard', input, members)
  return tiles === undefined ? given : { ...given, tiles }
}

export const dashboardEntity: Entity<Dashboard, DashboardDefinition, Change, typeof filters> = {
  name: 'dashboard',
  about: {
    part: 'management',
    one: 'a dashboard',
    many: 'dashboards',
    newMembers: members,
    changeMembers: members,
    needs: ['name'],
    shown: { tile: { type: 'array', items: tileSchema, maxItems: mostTiles } },
    example: {
      name: 'Boiler house',
      description: 'On the wall of the control room',
      tile: [
        { kind: 'text', title: 'On duty', text: 'Ada, 4711', width: 3, height: 2 },
        {
          kind: 'chart',
          title: 'Flow temperature',
          column: 3,
          width: 9,
          height: 4,
          stream: [{ componentUid: '8d3c6f0e-6f0b-4a53-9d0e-2f6a5b7c1d90', streamId: 'temp' }],
          seconds: 86_400,
        },
      ],
    },
  },
  readNew: (input) => {
    const { name, description = '', tiles = [] } = needed('a dashboard', readDashboard(input), 'name')
    return { name, description, tiles }
  },
  readChange: readDashboard,
  filters,
  sorts: dashboardSorts,
  list: (sql, caller, search) => listDashboards(sql, caller.organizationKey, search, search),
  find: (sql, caller, uid) => findDashboard(sql, caller.organizationKey, uid),
  create: (sql, caller, given) => insertDashboard(sql, caller.organizationKey, given),
  update: async (sql, _caller, seen, given) => {
    const dashboard = await lockDashboard(sql, seen.key)
    if (dashboard === undefined) throw notFound('dashboard', seen.uid)
    refuseStale('dashboard', given, dashboard)
    return updateDashboard(sql, dashboard.key, withGiven(dashboard, given))
  },
  remove: async (sql, _caller, { key, uid }) => {
    if (!(await deleteDashboard(sql, key))) throw notFound('dashboard', uid)
    return undefined
  },
  show: ({ uid, name, description, tiles, version }) => ({
    uid,
    name,
    description,
    tile: tiles.map(showTile),
    version,
  }),
}
