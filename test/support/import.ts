// Imports for tests: a service, an external PostgreSQL beside it, and the calls that make, run and read imports.
//
//   const importing = await openImporting()
//   const meter = await importing.make({ externalSql: 'select ...', ingestSql: 'INSERT ...' })
//   assert.deepEqual(counts(await importing.run(meter)), { fetched: 2, inserted: 2, skipped: 0 })
import assert from 'node:assert/strict'
import type { Clock } from '../../src/base/clock.ts'
import { addressRange } from '../../src/base/config.ts'
import type { Config } from '../../src/base/config.ts'
import type { Pool } from '../../src/base/database/sql.ts'
import { transaction } from '../../src/base/database/sql.ts'
import { encryptSecrets, insertConnection } from '../../src/core/connection.ts'
import { openEmptyDatabase } from './database.ts'
import { addPerson } from './http.ts'
import type { HttpAnswer, Person } from './http.ts'
import { loopback, targetFrom } from './outbound.ts'
import { testSecrets } from './people.ts'
import { openTestService } from './service.ts'
import type { TestService } from './service.ts'

export type ShownRun = {
  readonly uid: string
  readonly state: 'waiting' | 'running' | 'succeeded' | 'failed'
  readonly place: number | null
  readonly start: number | null
  readonly end: number | null
  readonly fetched: number
  readonly inserted: number
  readonly skipped: number
  readonly error: string | null
  readonly truncated: boolean
  readonly scheduled: boolean
  readonly elapsed: number
}

export type ShownImport = {
  readonly uid: string
  readonly lastRunDate: number | null
  readonly nextRun: number | null
  readonly lastError: string | null
  readonly failures: number
  readonly version: number
}

export type RunAnswer = { readonly success: boolean; readonly message: string; readonly run: ShownRun }

export type Importing = {
  readonly service: TestService
  /** The external database. */
  readonly external: Pool
  readonly externalUrl: string
  readonly connectionUid: string
  /** Members of a connection to it. */
  readonly target: object
  readonly admin: Person
  readonly ask: (method: string, path: string, input?: unknown) => Promise<HttpAnswer>
  readonly make: (members: object) => Promise<string>
  readonly run: (uid: string) => Promise<RunAnswer>
  readonly runs: (uid: string) => Promise<readonly ShownRun[]>
  readonly show: (uid: string) => Promise<ShownImport>
  /** As the feed shows them, in the order of their times. */
  readonly samples: (componentId: string, streamId: string) => Promise<readonly (readonly [number, unknown])[]>
  readonly close: () => Promise<void>
}

export const openImporting = async (overrides: Partial<Config> = {}, clock?: Clock): Promise<Importing> => {
  const database = await openEmptyDatabase()
  const service = await openTestService({ outboundAllow: loopback.map(addressRange), ...overrides }, clock)
  const connectionUid = await addConnection(service, database.url)
  const admin = await addPerson(service, 'admin')
  const ask = admin.call
  const answered = async <T>(answer: Promise<HttpAnswer>, status = 200): Promise<T> => {
    const { status: found, body } = await answer
    assert.equal(found, status, JSON.stringify(body))
    return body as T
  }
  return {
    service,
    external: database.sql,
    externalUrl: database.url,
    connectionUid,
    target: connectionMembers(database.url),
    admin,
    ask,
    make: async (members) => {
      const given = { type: 'import', name: 'meter', connectionUid, runningUserUid: admin.user.uid, ...members }
      const made = await answered<{ connector: ShownImport }>(ask('POST', '/api/connector', given), 201)
      return made.connector.uid
    },
    run: (uid) => answered<RunAnswer>(ask('POST', `/api/connector/${uid}/run`)),
    runs: async (uid) => (await answered<{ run: ShownRun[] }>(ask('GET', `/api/connector/${uid}/run`))).run,
    show: async (uid) => (await answered<{ connector: ShownImport }>(ask('GET', `/api/connector/${uid}`))).connector,
    samples: async (componentId, streamId) => {
      const { json, status } = await service.get(
        `/api/comp/${componentId}/stream/${streamId}/feed?retTime&retData&sd=0&ed=4102444800000`,
      )
      if (status === 404) return []
      return (json as { time: number; data: unknown }[])
        .map(({ time, data }) => [time, data] as const)
        .toSorted(([a], [b]) => a - b)
    },
    close: async () => {
      await service.close()
      await database.drop()
    },
  }
}

const connectionMembers = (url: string) => {
  const { host, port, database, user, password } = targetFrom('postgresql', url)
  return { host, port, database, user, password, tls: false }
}

export const addConnection = async (
  service: Pick<TestService, 'sql' | 'organizationUid'>,
  url: string,
): Promise<string> => {
  const { host, port, database, user, password } = targetFrom('postgresql', url)
  const [organization] = await service.sql<{ key: number }[]>`
    select key from organization where uid = ${service.organizationUid}`
  const definition = { name: 'external', kind: 'postgresql', host, port, database, user, tls: 'false' } as const
  const { uid } = await transaction(service.sql, (sql) =>
    insertConnection(
      sql,
      organization!.key,
      { ...definition, settings: {} },
      encryptSecrets(testSecrets, { password }),
    ),
  )
  return uid
}

export const counts = ({ run: { fetched, inserted, skipped } }: RunAnswer) => ({ fetched, inserted, skipped })
