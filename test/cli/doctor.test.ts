// coppice doctor: each thing that can be wrong, said in a line.
import assert from 'node:assert/strict'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { migrate } from '../../src/base/database/migrate.ts'
import { openPool } from '../../src/base/database/pool.ts'
import { checkMasterKey, noteBackup } from '../../src/core/installation.ts'
import { openEmptyDatabase, quietLog } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import { typeCommand } from '../support/host-command.ts'
import { testSecrets } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService, testMasterKey } from '../support/service.ts'
import { asSuperuser } from '../support/sql-role.ts'

describe('coppice doctor', () => {
  let service: TestService
  let environment: Readonly<Record<string, string>>
  before(async () => {
    service = await openTestService({ databaseConnections: 20 })
    await checkMasterKey(service.sql, testSecrets)
    const directory = await newDirectory('doctor')
    environment = { DATABASE_URL: service.databaseUrl, MASTER_KEY: testMasterKey, DATA_DIR: directory, PORT: '0' }
  })
  after(() => service.close())

  const examine = async (more: Readonly<Record<string, string>> = {}) =>
    typeCommand(['doctor'], { ...environment, ...more })

  it('finds a server whose everything is well, and ends with 0', async () => {
    await noteBackup(service.sql, Date.now())
    const { code, out } = await examine()
    assert.doesNotMatch(out, /^wrong/m, out)
    assert.equal(code, 0)
    for (const line of [
      /^ok +configuration/m,
      /^ok +node/m,
      /^ok +database +PostgreSQL \d+/m,
      /^ok +timescaledb +2\./m,
      /^ok +schema +up to date/m,
      /^ok +connections/m,
      /^ok +clock/m,
      /^ok +master key +is the one/m,
      /^ok +backup +the last was made within a day/m,
    ])
      assert.match(out, line)
  })

  it('names misspelt variables, and reports all problems of the configuration', async () => {
    const strange = await examine({
      RATE_LIMIT: 'off',
      COPPICE_PORT: '1',
      DATADIR: '/x',
      PATH: '/bin',
      LOG_LEVEL: 'info',
    })
    assert.match(strange.out, /^warn +configuration +RATE_LIMIT is no variable of Coppice: RATE_LIMITS perhaps\?$/m)
    assert.match(strange.out, /^warn +configuration +COPPICE_PORT is no variable of Coppice/m)
    assert.match(strange.out, /^warn +configuration +DATADIR is no variable of Coppice: DATA_DIR perhaps\?$/m)
    assert.doesNotMatch(strange.out, /PATH is no|LOG_LEVEL is no/)
    const broken = await examine({ PORT: 'x', WORKERS: '0' })
    assert.equal(broken.code, 1)
    assert.match(broken.out, /^wrong +configuration +PORT must be a whole number/m)
    assert.match(broken.out, /^wrong +configuration +WORKERS must be a whole number/m)
  })

  it('finds a database that is away, one of another version, and a wrong master key', async () => {
    const away = await examine({ DATABASE_URL: 'postgres://x:y@127.0.0.1:1/none' })
    assert.equal(away.code, 1)
    assert.match(away.out, /^wrong +database +cannot be reached: .*: look at DATABASE_URL/m)
    const key = await examine({ MASTER_KEY: 'quite another master key' })
    assert.equal(key.code, 1)
    assert.match(key.out, /^wrong +master key +is not the one of this database: give DATA_DIR its master\.key back/m)
    await service.sql`insert into migration (name, run_on) values ('9001_from_the_future', now())`
    try {
      assert.match(
        (await examine()).out,
        /^wrong +schema +the database has 9001_from_the_future, unknown here: run the newer version/m,
      )
    } finally {
      await service.sql`delete from migration where name = '9001_from_the_future'`
    }
  })

  it('gives a second user of the database server the advice that its start gives', async () => {
    const database = await openEmptyDatabase()
    const admin = openPool(asSuperuser(database.url), { connections: 1, name: 'superuser' })
    const place = new URL(database.url).pathname.slice(1)
    const name = `Other ${place}`
    const url = Object.assign(new URL(database.url), { username: name, password: 'other' }).href
    try {
      await admin.unsafe(`create role "${name}" login createrole password 'other'`)
      await admin.unsafe(`alter database ${place} owner to "${name}"`)
      const [server] = await admin<{ version: number }[]>`
        select current_setting('server_version_num')::integer as version`
      const found = await examine({ DATABASE_URL: url })
      // Until PostgreSQL 15, CREATEROLE is a right to each role.
      if (server!.version >= 160_000) {
        const [, advice] =
          /^wrong +rights +the role coppice_gsql belongs to another user of this server: run as an administrator: (.*)$/m.exec(
            found.out,
          ) ?? []
        assert.equal(advice, `grant coppice_gsql to "${name}"`, found.out)
        assert.equal(found.code, 1)
        await assert.rejects(migrate(url, quietLog), { message: new RegExp(`administrator: ${advice}\\.$`) })
        await admin.unsafe(advice)
      }
      assert.match((await examine({ DATABASE_URL: url })).out, /^ok +rights/m)
    } finally {
      await admin.unsafe(`drop owned by "${name}" cascade`)
      await admin.unsafe(`alter database ${place} owner to current_user`)
      await admin.unsafe(`drop role "${name}"`)
      await admin.end()
      await database.drop()
    }
  })

  it('finds a master key that others may read, a port in use, too few connections and a backup that is old', async () => {
    const directory = await newDirectory('doctor-open')
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, 'master.key'), testMasterKey)
    await chmod(join(directory, 'master.key'), 0o644)
    const { MASTER_KEY: _, ...without } = environment
    const stranger = createServer((socket) => void socket.end('220 no web server\r\n')).listen(0, '127.0.0.1')
    await new Promise((resolve) => stranger.once('listening', resolve))
    await noteBackup(service.sql, Date.now() - 9 * 86_400_000)
    try {
      const { port } = stranger.address() as AddressInfo
      const found = await typeCommand(['doctor'], {
        ...without,
        DATA_DIR: directory,
        PORT: String(port),
        DATABASE_CONNECTIONS: '900',
        BASE_URL: 'https://data.example',
      })
      assert.equal(found.code, 1)
      assert.match(found.out, /^wrong +master key +.*master\.key may be read by others \(644\): chmod 600/m)
      assert.match(found.out, /^wrong +port +127\.0\.0\.1:\d+ is in use, and does not answer as Coppice does/m)
      assert.match(found.out, /^warn +connections +this server opens up to 900/m)
      assert.match(found.out, /^warn +backup +the last was made 9 days ago: coppice backup/m)
      assert.match(found.out, /^warn +proxy +BASE_URL is https, so a proxy is in front/m)
    } finally {
      stranger.close()
    }
  })

  it('says of a server that runs that it answers, and of a machine without a database that none is there', async () => {
    const { port } = new URL(service.url)
    assert.match(
      (await examine({ PORT: port })).out,
      /^ok +port +a server answers at http:\/\/127\.0\.0\.1:\d+, and is ready$/m,
    )
    const { code, out } = await typeCommand(['doctor'], { DATA_DIR: join(environment['DATA_DIR']!, 'none'), PORT: '0' })
    assert.equal(code, 0, out)
    assert.match(out, /^warn +database +there is none in .*none yet: the first start makes it$/m)
  })
})
