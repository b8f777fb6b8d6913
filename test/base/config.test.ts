import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError, readConfig } from '../../src/base/config.ts'
import { newDirectory } from '../support/directory.ts'

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
}

describe('base/config', () => {
  let dir: string
  before(async () => (dir = await newDirectory('config')))
  after(() => rm(dir, { recursive: true }))

  const refused: readonly [environment: Record<string, string>, problem: string][] = [
    [{ PORT: '65536' }, "PORT must be a whole number from 0 to 65535, not '65536'"],
    [{ PORT: '80a' }, "PORT must be a whole number from 0 to 65535, not '80a'"],
    [{ PORT: '-1' }, "PORT must be a whole number from 0 to 65535, not '-1'"],
    [{ HOST: 'a b' }, "HOST must be an address or a host name, not 'a b'"],
    [{ HOST: 'a..b' }, "HOST must be an address or a host name, not 'a..b'"],
    [{ BASE_URL: 'example.org' }, "BASE_URL must look like https://host or https://host/path, not 'example.org'"],
    [
      { DATABASE_URL: 'mysql://u:S3CRET@h/d' },
      'DATABASE_URL must look like postgres://user:password@host:5432/database',
    ],
    [{ DATABASE_READ_URL: 'postgres://h/d' }, 'DATABASE_READ_URL needs DATABASE_URL'],
    [
      { EMBEDDED_PORT: '5433', DATABASE_URL: 'postgres://h/d' },
      'EMBEDDED_PORT is of the embedded database, and DATABASE_URL names another',
    ],
    [{ MASTER_KEY: 'S3CRET' }, 'MASTER_KEY must have at least 16 characters'],
    [{ OWNER_PASSWORD: 'S3CRET' }, 'OWNER_PASSWORD must have at least 8 characters'],
    [{ FEED_API_KEY: 'S3CRET' }, 'FEED_API_KEY must have at least 8 characters'],
    [{ OWNER_EMAIL: 'nobody' }, "OWNER_EMAIL must be an e-mail address, not 'nobody'"],
    [{ ORG_TIME_ZONE: 'Mars' }, "ORG_TIME_ZONE must be a time zone such as Europe/Berlin, not 'Mars'"],
    [{ RATE_LIMITS: 'feed=0/60' }, "RATE_LIMITS must be 'off' or like feed=600/60,property=120/60, not 'feed=0/60'"],
    [{ RATE_LIMITS: 'feeds=1/60' }, "RATE_LIMITS must be 'off' or like feed=600/60,property=120/60, not 'feeds=1/60'"],
    [
      { TRUSTED_PROXIES: '10.0.0.0/33' },
      "TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8, not '10.0.0.0/33'",
    ],
    [{ TRUSTED_PROXIES: '10.20/16' }, "TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8, not '10.20/16'"],
    [
      { OUTBOUND_ALLOW: '10.0.0.1,010.0.0.1' },
      "OUTBOUND_ALLOW must be addresses or ranges such as 10.0.0.0/8, not '10.0.0.1,010.0.0.1'",
    ],
    [{ DATABASE_CONNECTIONS: '29' }, "DATABASE_CONNECTIONS must be a whole number from 30 to 1000, not '29'"],
    [{ WORKERS: '0' }, "WORKERS must be a whole number from 1 to 64, not '0'"],
    [{ LOG_LEVEL: 'loud' }, "LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not 'loud'"],
  ]
  for (const [environment, problem] of refused)
    it(`refuses ${Object.entries(environment).join(' ')}`, () => assert.deepEqual(problemsOf(environment), [problem]))

  it('reports every problem at once', () => {
    assert.equal(problemsOf({ PORT: 'x', WORKERS: 'x', LOG_LEVEL: 'x' }).length, 3)
  })

  it('refuses a secret given twice, and a file that cannot be read', () => {
    assert.deepEqual(problemsOf({ MASTER_KEY: 'x'.repeat(16), MASTER_KEY_FILE: '/dev/null' }), [
      'MASTER_KEY and MASTER_KEY_FILE exclude each other',
    ])
    const [problem, ...more] = problemsOf({ MASTER_KEY_FILE: join(dir, 'nothing') })
    assert.match(problem!, /^MASTER_KEY_FILE: ENOENT/)
    assert.deepEqual(more, [])
  })

  it('reads a secret from a file, without the line end behind it', async () => {
    const path = join(dir, 'key')
    await writeFile(path, 'a key from a file\r\n')
    assert.equal(readConfig({ MASTER_KEY_FILE: path }).masterKey, 'a key from a file')
  })

  it('has the defaults of docs/operations.md#configuration', () => {
    const { host, port, dataDir, ownerEmail, organizationName, workers, logLevel, rateLimits, ...rest } = readConfig({})
    assert.deepEqual(
      { host, port, dataDir, ownerEmail, organizationName, workers, logLevel, rateLimits },
      {
        host: '127.0.0.1',
        port: 8080,
        dataDir: './data',
        ownerEmail: 'owner@localhost',
        organizationName: 'My organization',
        workers: 1,
        logLevel: 'info',
        rateLimits: {
          feed: { count: 600, seconds: 60 },
          property: { count: 120, seconds: 60 },
          file: { count: 120, seconds: 60 },
          login: { count: 10, seconds: 60 },
        },
      },
    )
    assert.equal(rest.databaseUrl, undefined)
    assert.equal(rest.organizationTimeZone, new Intl.DateTimeFormat().resolvedOptions().timeZone)
    assert.equal(rest.fileMaxBytes, 268_435_456)
  })

  it('takes an empty variable for one that is not set', () => {
    assert.equal(readConfig({ PORT: '', DATABASE_URL: '' }).port, 8080)
  })

  it('changes only the rate limits that are named', () => {
    assert.deepEqual(readConfig({ RATE_LIMITS: 'feed=5/10, login=2/30' }).rateLimits, {
      feed: { count: 5, seconds: 10 },
      property: { count: 120, seconds: 60 },
      file: { count: 120, seconds: 60 },
      login: { count: 2, seconds: 30 },
    })
    assert.equal(readConfig({ RATE_LIMITS: 'off' }).rateLimits, 'off')
  })

  it('drops the slash at the end of BASE_URL', () => {
    assert.equal(readConfig({ BASE_URL: 'https://example.org/coppice/' }).baseUrl, 'https://example.org/coppice')
  })
})
