// Import connectors in the management API (docs/imports.md#import-connectors): the half of connector.ts that is theirs.
//
//   POST {"type":"import","name":"ERP","connectionUid":"...","runningUserUid":"...","externalSql":"SELECT ...",
//         "ingestSql":"INSERT OR REPLACE ...","schedule":"*/5 * * * *"}
import { sharedNow } from '../base/clock.ts'
import type { Clock } from '../base/clock.ts'
import { blankable, boolean, needed, nullable, shownOnly, text, wholeNumber } from '../base/http/members.ts'
import type { Members } from '../base/http/members.ts'
import type { Transaction } from '../base/database/sql.ts'
import type { Caller } from '../core/caller.ts'
import { demand } from '../core/caller.ts'
import { findConnection } from '../core/connection.ts'
import { insertImport, updateImport } from '../core/connector.ts'
import type { ImportConnector, ImportDefinition } from '../core/connector.ts'
import { findOrganizationByKey } from '../core/organization.ts'
import { uidNotFound } from '../core/named.ts'
import { nextRunMs, schedule } from '../core/import/schedule.ts'
import { withGiven } from './entity.ts'
import { runAs, runAsAgain } from './run-as.ts'

const mostSql = 1_000_000

export const importMembers = {
  connectionUid: text(1, 64),
  runningUserUid: nullable(text(1, 64)),
  externalSql: text(1, mostSql),
  ingestSql: text(1, mostSql),
  maxRows: wholeNumber(0, 2 ** 31 - 1),
  skipUnchanged: boolean,
  schedule: blankable(schedule),
  overlapSeconds: wholeNumber(0, 366 * 86_400),
  // Each run sets them.
  lastRunDate: shownOnly({ type: ['integer', 'null'] }),
  nextRun: shownOnly({ type: ['integer', 'null'] }),
  lastError: shownOnly({ type: ['string', 'null'] }),
  failures: shownOnly({ type: 'integer' }),
}

type Change = Members<typeof importMembers> & {
  readonly name?: string | undefined
  readonly enabled?: boolean | undefined
  readonly timeZone?: string | null | undefined
}

export type NewImport = Required<Pick<Change, 'connectionUid' | 'externalSql' | 'ingestSql'>> & {
  readonly name: string
  readonly runningUserUid: string
}

export const readNewImport = (given: Change): NewImport => {
  const { name, connectionUid, runningUserUid, externalSql, ingestSql } = needed(
    'an import',
    given,
    'name',
    'connectionUid',
    'runningUserUid',
    'externalSql',
    'ingestSql',
  )
  return { name, connectionUid, runningUserUid, externalSql, ingestSql }
}

export const importConnectors = (clock: Clock) => {
  /** The next run of an import; its schedule begins anew with each change. */
  const nextRunOf = async (
    sql: Transaction,
    caller: Caller,
    { enabled, schedule: cron, timeZone }: Pick<ImportConnector, 'enabled' | 'schedule' | 'timeZone'>,
  ): Promise<number | null> => {
    if (!enabled || cron === null) return null
    const zone = timeZone ?? (await findOrganizationByKey(sql, caller.organizationKey))!.timeZone
    return nextRunMs(cron, zone, await sharedNow(clock, sql))
  }
  return {
    create: async (sql: Transaction, caller: Caller, given: Change & NewImport): Promise<string> => {
      const definition = {
        name: given.name,
        enabled: given.enabled ?? true,
        timeZone: given.timeZone ?? null,
        sql: given.ingestSql,
        externalSql: given.externalSql,
        maxRows: given.maxRows ?? 0,
        skipUnchanged: given.skipUnchanged ?? true,
        schedule: given.schedule ?? null,
        overlapSeconds: given.overlapSeconds ?? 0,
      }
      return insertImport(sql, caller.organizationKey, {
        ...definition,
        connectionKey: await connectionKey(sql, caller, given.connectionUid),
        runAsUserKey: await runAs(sql, caller, given.runningUserUid),
        nextRunMs: await nextRunOf(sql, caller, definition),
      })
    },
    update: async (sql: Transaction, caller: Caller, connector: ImportConnector, given: Change): Promise<void> => {
      const { ingestSql, runningUserUid } = given
      const changed = withGiven(connector, {
        ...given,
        sql: ingestSql,
        runAsUserUid: runningUserUid ?? undefined,
      })
      const isOther = doesOther(connector, changed)
      const connection = isOther
        ? await connectionKey(sql, caller, changed.connectionUid)
        : (await findConnection(sql, caller.organizationKey, changed.connectionUid))!.key
      await updateImport(sql, connector.key, {
        ...changed,
        connectionKey: connection,
        runAsUserKey: isOther ? await runAsAgain(sql, caller, changed.runAsUserUid) : null,
        nextRunMs: await nextRunOf(sql, caller, changed),
      } satisfies ImportDefinition)
    },
  }
}

/** Another name, and switching it off, let it do nothing else. */
const doesOther = (before: ImportConnector, after: ImportConnector): boolean =>
  (after.enabled && !before.enabled) ||
  (
    [
      'runAsUserUid',
      'connectionUid',
      'externalSql',
      'sql',
      'timeZone',
      'maxRows',
      'skipUnchanged',
      'schedule',
      'overlapSeconds',
    ] as const
  ).some((member) => after[member] !== before[member])

/** The author of the External SQL can read everything that the connection's user may read. */
const connectionKey = async (sql: Transaction, caller: Caller, uid: string): Promise<number> => {
  demand(caller, 'GET connection', uid)
  const connection = await findConnection(sql, caller.organizationKey, uid)
  if (connection === undefined) throw await uidNotFound(sql, caller, 'connection', uid)
  return connection.key
}

export const showImport = (connector: ImportConnector): Readonly<Record<string, unknown>> => ({
  uid: connector.uid,
  type: connector.type,
  name: connector.name,
  enabled: connector.enabled,
  connectionUid: connector.connectionUid,
  runningUserUid: connector.runAsUserUid,
  externalSql: connector.externalSql,
  ingestSql: connector.sql,
  maxRows: connector.maxRows,
  skipUnchanged: connector.skipUnchanged,
  schedule: connector.schedule,
  timeZone: connector.timeZone,
  overlapSeconds: connector.overlapSeconds,
  lastRunDate: connector.lastRunMs,
  nextRun: connector.nextRunMs,
  lastError: connector.lastError,
  failures: connector.failures,
  version: connector.version,
})
