// A whole service for tests: on a database of its own, on a free port, with a clock the test may set.
//
//   const service = await openTestService()
//   const reply = await service.put('/api/feed?compId=Boiler&temp=20.1')
//   assert.equal(reply.status, 200)
import { randomBytes, scryptSync } from 'node:crypto'
import type { Clock } from '../../src/base/clock.ts'
import type { Config } from '../../src/base/config.ts'
import { readConfig } from '../../src/base/config.ts'
import { openSecrets } from '../../src/base/secret.ts'
import type { Pool } from '../../src/base/database/sql.ts'
import { bootstrap } from '../../src/core/bootstrap.ts'
import { openCompiler } from '../../src/gsql/compiler.ts'
import type { Compiler } from '../../src/gsql/compiler.ts'
import type { Service, ServiceOptions } from '../../src/service.ts'
import { openService } from '../../src/service.ts'
import { openTestDatabase, quietLog } from './database.ts'

export type TestClock = Clock & { set: (ms: number) => void }

/** Stands still until the test moves it. */
export const openTestClock = (startMs: number): TestClock => {
  let nowMs = startMs
  return { now: () => nowMs, set: (ms) => (nowMs = ms) }
}

export type TestReply = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
}

export type TestService = {
  readonly service: Service
  readonly url: string
  readonly databaseUrl: string
  readonly sql: Pool
  readonly organizationUid: string
  /** Of the first API key: component/*\/feed GET and PUT. */
  readonly apiKey: string
  readonly ownerEmail: string
  readonly ownerPassword: string
  /** Each adds the first API key to an address that has no credential of its own. */
  readonly get: (path: string, init?: RequestInit) => Promise<TestReply>
  readonly put: (path: string, body?: string | Uint8Array<ArrayBuffer>, init?: RequestInit) => Promise<TestReply>
  readonly request: (method: string, path: string, init?: RequestInit) => Promise<TestReply>
  readonly close: () => Promise<void>
}

export const testMasterKey = 'a master key for tests only'

/** As hashPassword does, with N = 16: a real hash is a third of a second of a core, and so is every sign-in by it. */
export const hashCheaply = (password: string): Promise<string> => {
  const salt = randomBytes(16)
  const hash = scryptSync(password.normalize('NFKC'), salt, 32, { N: 16, r: 8, p: 1 })
  return Promise.resolve(['scrypt', 4, 8, 1, salt.toString('base64'), hash.toString('base64')].join('$'))
}

const { gsqlMaxScriptBytes } = readConfig({})
let compiler: Compiler | undefined

/** The threads that compile are of all services of this process: to start one from source takes a second of a core. */
export const sharedWith = (config: Config): { readonly compiler?: Compiler } =>
  config.gsqlMaxScriptBytes === gsqlMaxScriptBytes
    ? { compiler: (compiler ??= openCompiler({ maxBytes: gsqlMaxScriptBytes })) }
    : {}

export const openTestService = async (
  overrides: Partial<Config> = {},
  clock: Clock = { now: () => Date.now() },
  log = quietLog,
  more: Pick<ServiceOptions, 'mqttLimits'> = {},
): Promise<TestService> => {
  const database = await openTestDatabase()
  const apiKey = 'first-api-key-of-the-tests'
  const ownerPassword = 'password of the owner'
  const config: Config = {
    ...readConfig({
      PORT: '0',
      RATE_LIMITS: 'off',
      ORG_TIME_ZONE: 'UTC',
      FEED_API_KEY: apiKey,
      OWNER_PASSWORD: ownerPassword,
    }),
    ...overrides,
  }
  const service = await openService({
    config,
    databaseUrl: database.url,
    masterKey: testMasterKey,
    clock,
    log,
    ...sharedWith(config),
    ...more,
  })
  const first = await bootstrap(service.world, openSecrets(testMasterKey), hashCheaply)
  const request = async (method: string, path: string, init: RequestInit = {}): Promise<TestReply> => {
    const reply = await fetch(`${service.url}${path}`, { redirect: 'manual', ...init, method })
    const text = await reply.text()
    const isJson = text !== '' && (reply.headers.get('content-type') ?? '').startsWith('application/json')
    return { status: reply.status, headers: reply.headers, text, json: isJson ? JSON.parse(text) : undefined }
  }
  const withKey = (path: string, init: RequestInit) => {
    const hasCredential = /[?&](api_key|session|access_token)=/i.test(path) || init.headers !== undefined
    return hasCredential ? path : `${path}${path.includes('?') ? '&' : '?'}api_key=${apiKey}`
  }
  return {
    service,
    url: service.url,
    databaseUrl: database.url,
    sql: database.sql,
    organizationUid: first!.organizationUid,
    apiKey,
    ownerEmail: config.ownerEmail,
    ownerPassword,
    request,
    get: (path, init = {}) => request('GET', withKey(path, init), init),
    put: (path, body, init = {}) =>
      request('PUT', withKey(path, init), { ...init, ...(body === undefined ? {} : { body }) }),
    close: async () => {
      await service.close()
      await database.drop()
    },
  }
}
