// The servers that readings go to: the primary, and the standbys of DATABASE_READ_URL (docs/scale.md#standbys). Each has
// pools of its own: for readings of samples and statistics, for lists, and for scripts that only read.
import type { Config } from './base/config.ts'
import { divideConnections } from './base/database/connections.ts'
import { look, lookAsUser } from './base/database/node.ts'
import type { Look, Place } from './base/database/node.ts'
import { checkedPool, openPool, openRoutedPool, within } from './base/database/pool.ts'
import type { Route } from './base/database/pool.ts'
import { isStandbyLoss } from './base/database/sql.ts'
import type { Pool } from './base/database/sql.ts'
import { openStandbys } from './base/database/standbys.ts'
import type { Chosen, Lag, Standbys } from './base/database/standbys.ts'
import type { ScriptPlace } from './connector/run-script.ts'
import { openScriptPool } from './gsql/run/script-pool.ts'
import type { Metrics } from './metrics.ts'

type ReadPlace = ScriptPlace & { readonly listSql: Pool }

type ReadPlaces = {
  readonly primary: ReadPlace
  /** By their addresses. */
  readonly places: ReadonlyMap<string, ReadPlace>
  readonly standbys: Standbys | undefined
}

/** `sql` is the pool of changes, and of lists where there are no standbys. */
export const openReadPlaces = (config: Config, databaseUrl: string, sql: Pool): ReadPlaces => {
  const { readings, calls } = divideConnections(config.databaseConnections)
  const settings = within(config.readTimeoutMs, config.readTimeoutMs)
  // A pool of its own, so that no upload and no change waits behind a long reading.
  const openReadings = (url: string, mayBeStandby: boolean) =>
    openPool(url, { connections: readings, queries: 1, name: 'coppice reader', settings, mayBeStandby })
  const primary: ReadPlace = {
    readSql: openReadings(databaseUrl, false),
    listSql: sql,
    scripts: openScriptPool(databaseUrl, config),
  }
  const { databaseReadUrl } = config
  if (databaseReadUrl === undefined) return { primary, places: new Map(), standbys: undefined }
  const standbys = openStandbys(databaseUrl, databaseReadUrl)
  const openPlace = (url: string): ReadPlace => ({
    readSql: openReadings(url, true),
    listSql: openPool(url, { connections: calls, queries: 1, name: 'coppice lists', settings, mayBeStandby: true }),
    scripts: openScriptPool(url, config, true),
    isLost: (error) => {
      const isLoss = isStandbyLoss(error)
      if (isLoss) standbys.setAside(url)
      return isLoss
    },
  })
  return { primary, places: new Map(standbys.urls.map((url) => [url, openPlace(url)])), standbys }
}

type Ask = (sql: Pool, place: Place) => Promise<Look>

const routeTo = (pool: Pool, { place }: Chosen, ask: Ask = look, isRight = (_server: string) => true): Route => ({
  pool,
  shows: async (sql) => {
    const { shows, server } = await ask(sql, place)
    return shows && isRight(server)
  },
})

/** All connections of a script are to one server: its moment has a name there, and a name elsewhere is of another. */
const sameServer = () => {
  let first: string | undefined
  return (server: string): boolean => (first ??= server) === server
}

/** The place for a script that reads now. */
export const chooseScriptPlace = async ({ primary, places, standbys }: ReadPlaces): Promise<ScriptPlace> => {
  const chosen = await standbys?.choose()
  if (chosen === undefined) return primary
  const { scripts, readSql, isLost } = places.get(chosen.url)!
  const isRight = sameServer()
  return {
    scripts: { ...scripts, sql: checkedPool(routeTo(scripts.sql, chosen, lookAsUser, isRight)) },
    readSql: checkedPool(routeTo(readSql, chosen, look, isRight)),
    ...(isLost ? { isLost } : {}),
  }
}

/** Pools whose reading transactions go to the place that is chosen for each. */
export const routeReadings = ({ primary, places, standbys }: ReadPlaces): Pick<ReadPlace, 'readSql' | 'listSql'> => {
  if (standbys === undefined) return primary
  const routed = (poolOf: (place: ReadPlace) => Pool): Pool => {
    const choose = async () => {
      const chosen = await standbys.choose()
      return chosen && routeTo(poolOf(places.get(chosen.url)!), chosen)
    }
    const setAside = (pool: Pool) => {
      for (const [url, place] of places) if (poolOf(place) === pool) standbys.setAside(url)
    }
    return openRoutedPool(poolOf(primary), choose, setAside)
  }
  return { readSql: routed(({ readSql }) => readSql), listSql: routed(({ listSql }) => listSql) }
}

export const showStandbys = (metrics: Metrics, standbys: Standbys): void => {
  const show = (name: string, help: string, read: (lag: Lag) => number) =>
    metrics.series(name, help, ['standby'], async () =>
      (await standbys.lags()).map((lag) => [[lag.name], read(lag)] as const),
    )
  show('coppice_standby_lag_bytes', 'Bytes of the log that a standby does not show yet', ({ bytes }) => bytes)
  show(
    'coppice_standby_lag_seconds',
    'Age of the last transaction that a standby shows, where it does not show all',
    ({ seconds }) => seconds,
  )
  metrics.gauges(
    'coppice_routed_readings',
    'Readings since the start, by the kind of server that they went to',
    'to',
    () => new Map(Object.entries(standbys.readings)),
  )
}
