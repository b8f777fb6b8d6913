// The judgements of `coppice doctor`, each one line: ok, a warning, or wrong, and the one thing that helps. Pure.
import { connectionsInAll } from '../../base/database/connections.ts'
import { leastPostgres, leastTimescaledb } from '../../base/database/migrate.ts'
import type { Config } from '../../base/config.ts'
import type { Diagnosis } from '../../core/diagnosis.ts'

export type Finding = {
  readonly level: 'ok' | 'warn' | 'wrong'
  /** Its subject, such as disk. */
  readonly about: string
  readonly text: string
  readonly help?: string
}

export const ok = (about: string, text: string): Finding => ({ level: 'ok', about, text })
export const warn = (about: string, text: string, help: string): Finding => ({ level: 'warn', about, text, help })
export const wrong = (about: string, text: string, help: string): Finding => ({ level: 'wrong', about, text, help })

const isOlder = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true }) < 0

/** Variables of the command line itself. */
const ownVariables = new Set(
  ['URL', 'KEY', 'SESSION', 'ORG', 'CONFIG', 'PASSPHRASE', 'TEST_RUN'].map((name) => `COPPICE_${name}`),
)

/** Names that look like ours and are not: a misspelt variable is silently its default otherwise. */
export const judgeNames = (given: readonly string[], known: ReadonlySet<string>): readonly Finding[] =>
  given.flatMap((name) => {
    const base = name.replace(/_FILE$/, '')
    if (known.has(base) || ownVariables.has(name)) return []
    const meant = [...known].find((one) => one.length > 5 && isNear(base.replace(/^COPPICE_/, ''), one))
    if (meant === undefined && !name.startsWith('COPPICE_')) return []
    return [
      warn(
        'configuration',
        `${name} is no variable of Coppice`,
        meant === undefined ? 'see docs/operations.md#configuration' : `${meant} perhaps?`,
      ),
    ]
  })

/** The same but for case and marks, or with one letter more, less or other. */
const isNear = (name: string, other: string): boolean => {
  const [one, two] = [name, other].map((text) => text.toUpperCase().replaceAll(/[^A-Z]/g, '')) as [string, string]
  if (one === two) return true
  if (Math.abs(one.length - two.length) > 1) return false
  let at = 0
  while (at < one.length && one[at] === two[at]) at += 1
  const [restOne, restTwo] = [one.slice(at), two.slice(at)]
  return restOne.slice(1) === restTwo || restOne === restTwo.slice(1) || restOne.slice(1) === restTwo.slice(1)
}

export const judgeProxy = ({ baseUrl, trustedProxies, host }: Config): readonly Finding[] => {
  if (baseUrl?.startsWith('https:') && trustedProxies.length === 0)
    return [
      warn(
        'proxy',
        'BASE_URL is https, so a proxy is in front, and no proxy is trusted: all clients seem to have its address',
        'set TRUSTED_PROXIES to its address',
      ),
    ]
  if (!['127.0.0.1', '::1', 'localhost'].includes(host) && trustedProxies.length === 0)
    return [
      warn(
        'proxy',
        `the server listens on ${host} without TLS and without a proxy`,
        'put a proxy in front: docs/operations.md#behind-a-proxy',
      ),
    ]
  return [ok('proxy', trustedProxies.length === 0 ? 'none; local clients only' : 'trusted')]
}

export const judgeDisk = (place: string, freeBytes: number, allBytes: number): Finding => {
  const text = `${sizeOf(freeBytes)} of ${sizeOf(allBytes)} are free in ${place}`
  if (freeBytes < 1e9) return wrong('disk', text, 'make room: the database stops when it is full')
  return freeBytes < allBytes / 10 ? warn('disk', text, 'make room soon') : ok('disk', text)
}

const sizeOf = (bytes: number) => (bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`)

export const judgeGrowth = ({ recentBytes, bytes }: Diagnosis, freeBytes: number | undefined): readonly Finding[] => {
  if (recentBytes === null) return []
  const weekly = recentBytes / 4
  const text = `the database has ${sizeOf(bytes)}, and grew by about ${sizeOf(weekly)} a week`
  const weeks = freeBytes === undefined || weekly === 0 ? Infinity : freeBytes / weekly
  return weeks < 8
    ? [
        warn(
          'growth',
          `${text}: room for ${Math.floor(weeks)} weeks`,
          'make room, or let organizations keep less (retentionDays)',
        ),
      ]
    : [ok('growth', text)]
}

export const judgeDatabase = (
  found: Diagnosis,
  config: Config,
  ours: readonly string[],
  keyHash: Buffer | undefined,
): readonly Finding[] => [
  Number.parseInt(found.postgres, 10) < leastPostgres
    ? wrong('database', `PostgreSQL ${found.postgres}`, `Coppice needs ${leastPostgres} or newer`)
    : ok('database', `PostgreSQL ${found.postgres}`),
  judgeTimescaledb(found),
  judgeMigrations(found, ours),
  judgeConnections(found, config),
  judgeRights(found),
  judgeClock(found),
  ...(found.isStandby
    ? [wrong('database', 'DATABASE_URL is a standby, which takes no writes', 'name the primary')]
    : []),
  ...judgeKey(found, keyHash),
]

const judgeTimescaledb = ({ timescaledb, edition }: Diagnosis): Finding => {
  if (timescaledb === '') return wrong('timescaledb', 'the database server has none', 'install the extension there')
  if (timescaledb === null) return ok('timescaledb', 'will be made at the first start')
  return isOlder(timescaledb, leastTimescaledb)
    ? wrong('timescaledb', timescaledb, `Coppice needs ${leastTimescaledb}: alter extension timescaledb update`)
    : ok('timescaledb', `${timescaledb}, ${edition} edition`)
}

const judgeRights = ({ mayMakeRoles, hasScriptRole, missingGrant }: Diagnosis): Finding => {
  if (missingGrant !== '')
    return wrong(
      'rights',
      'the role coppice_gsql belongs to another user of this server',
      `run as an administrator: ${missingGrant}`,
    )
  return mayMakeRoles || hasScriptRole
    ? ok('rights', 'the user may run scripts under a role of their own')
    : wrong('rights', 'the user may not make the role coppice_gsql', 'give it CREATEROLE')
}

const judgeMigrations = ({ migrations }: Diagnosis, ours: readonly string[]): Finding => {
  const strange = migrations.findIndex((name, n) => name !== ours[n])
  if (strange >= 0)
    return wrong(
      'schema',
      `the database has ${migrations[strange]}, unknown here`,
      'run the newer version that made it',
    )
  const missing = ours.length - migrations.length
  if (missing === 0) return ok('schema', `up to date, with ${ours.length} migrations`)
  return warn(
    'schema',
    migrations.length === 0 ? 'none yet' : `${missing} migrations are missing`,
    'the next start makes them',
  )
}

const judgeConnections = ({ connections, used }: Diagnosis, { databaseConnections, workers }: Config): Finding => {
  const wanted = connectionsInAll(databaseConnections, workers)
  const text = `this server opens up to ${wanted}, the database has ${connections} for it, and others use ${used}`
  return wanted + used > connections
    ? warn('connections', text, 'raise max_connections, or lower DATABASE_CONNECTIONS or WORKERS')
    : ok('connections', text)
}

const judgeClock = ({ aheadMs }: Diagnosis): Finding => {
  const seconds = Math.abs(aheadMs) / 1000
  const text = `the database's clock and ours differ by ${seconds.toFixed(1)} s`
  return seconds > 2 ? warn('clock', text, 'synchronize both machines (NTP)') : ok('clock', text)
}

const judgeKey = ({ keyCheck }: Diagnosis, keyHash: Buffer | undefined): readonly Finding[] => {
  if (keyCheck === null) return []
  if (keyHash === undefined)
    return [
      wrong(
        'master key',
        'there is none, and the database was made with one',
        'give DATA_DIR its master.key back, or set MASTER_KEY',
      ),
    ]
  return keyHash.equals(keyCheck)
    ? [ok('master key', 'is the one of this database')]
    : [wrong('master key', 'is not the one of this database', 'give DATA_DIR its master.key back, or set MASTER_KEY')]
}

export const judgeStandby = ({ isStandby, lagSeconds }: Diagnosis): Finding => {
  if (!isStandby) return warn('standby', 'DATABASE_READ_URL is no standby', 'name a hot standby of the same server')
  const text = `the last change that it has is ${Math.round(lagSeconds ?? 0)} s old`
  return (lagSeconds ?? 0) > 60
    ? warn('standby', text, 'look whether it still receives; on a quiet primary this is usual')
    : ok('standby', text)
}

export const judgeBackup = ({ backedUpMs, keyCheck }: Diagnosis, nowMs: number): readonly Finding[] => {
  if (keyCheck === null) return []
  if (backedUpMs === null)
    return [warn('backup', 'none was made by coppice backup', 'coppice backup DIRECTORY, every night')]
  const days = Math.floor((nowMs - backedUpMs) / 86_400_000)
  const text = `the last was made ${days === 0 ? 'within a day' : `${days} days ago`}`
  return [days > 7 ? warn('backup', text, 'coppice backup DIRECTORY') : ok('backup', text)]
}
