// Reasons not to start, of a server as users start it: one sentence, exit 1, and nothing made or damaged.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openTestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import { spawnServer, startServer } from '../support/server-process.ts'

describe('a server that cannot start', function () {
  let directory: string
  beforeEach(async () => (directory = await newDirectory('start')))
  afterEach(() => rm(directory, { recursive: true, force: true }))

  const start = async (environment: Readonly<Record<string, string>>) => {
    const child = await spawnServer({ DATA_DIR: directory, ...environment })
    const exit = once(child, 'exit')
    const told = await text(child.stdout)
    const [status] = (await exit) as [number]
    return { told, status, made: await readdir(directory) }
  }

  it('says that the port is in use before the first secrets are made, which are shown only once', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    try {
      assert.deepEqual(await start({ PORT: String(port) }), {
        told: `Port ${port} of 127.0.0.1 is in use by another program: stop it, or set PORT.\n`,
        status: 1,
        made: ['coppice.lock'],
      })
    } finally {
      other.close()
    }
  })

  it('says that the host is not one of this machine', async () => {
    assert.deepEqual(await start({ HOST: '192.0.2.1' }), {
      told: 'This machine has no address 192.0.2.1: set HOST.\n',
      status: 1,
      made: ['coppice.lock'],
    })
    assert.equal((await start({ HOST: 'nowhere.invalid' })).told, 'The host nowhere.invalid is not known: set HOST.\n')
  })

  it('says that its master key is lost, and makes no other', async () => {
    const database = await openTestDatabase()
    try {
      const environment = { DATA_DIR: directory, DATABASE_URL: database.url, PORT: '0' }
      await (await startServer(environment)).end('SIGTERM')
      await rm(join(directory, 'master.key'))
      const { told, status, made } = await start({ ...environment, LOG_LEVEL: 'silent' })
      assert.deepEqual(
        { told, status, made },
        {
          told: 'The master key is not the one this database was made with: set MASTER_KEY, or give DATA_DIR its master.key back.\n',
          status: 1,
          made: ['coppice.lock'],
        },
      )
    } finally {
      await database.drop()
    }
  })

  it('names the remedy for a database that was made by a development version', async () => {
    const database = await openTestDatabase()
    try {
      await database.sql`update migration set name = '0001_organization' where id = 1`
      assert.deepEqual(await start({ DATABASE_URL: database.url, PORT: '0', LOG_LEVEL: 'silent' }), {
        told:
          'The database was made by a development version of Coppice (it has 0001_organization in place of 0001_installation) ' +
          'and cannot be brought up to date: start with an empty one, under another DATABASE_URL or, without DATABASE_URL, another DATA_DIR.\n',
        status: 1,
        made: ['coppice.lock'],
      })
    } finally {
      await database.drop()
    }
  })

  it('names all variables that are wrong', async () => {
    assert.deepEqual(await start({ PORT: 'x', WORKERS: '0', DATABASE_URL: 'mysql://host', MASTER_KEY: 'short' }), {
      told: [
        "PORT must be a whole number from 0 to 65535, not 'x'",
        'DATABASE_URL must look like postgres://user:password@host:5432/database',
        'MASTER_KEY must have at least 16 characters',
        "WORKERS must be a whole number from 1 to 64, not '0'",
        '',
      ].join('\n'),
      status: 1,
      made: [],
    })
  })
})
