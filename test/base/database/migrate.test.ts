import assert from 'node:assert/strict'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '../../../src/base/database/migrate.ts'
import { openPool } from '../../../src/base/database/pool.ts'
import type { Pool } from '../../../src/base/database/sql.ts'
import { transaction } from '../../../src/base/database/sql.ts'
import { openEmptyDatabase, quietLog } from '../../support/database.ts'
import { newDirectory } from '../../support/directory.ts'
import { asSuperuser } from '../../support/sql-role.ts'
import { eventually } from '../../support/within.ts'

type EmptyDatabase = Awaited<ReturnType<typeof openEmptyDatabase>>

/** Puts a list of our own before the server's when it is asked which extensions there are. */
const pretendExtensions = async (sql: Pool, rows: string) => {
  await sql.unsafe(`create schema pretence`)
  await sql.unsafe(
    `create view pretence.pg_available_extensions as
     select * from (values ${rows}) as extension (name, default_version, installed_version)`,
  )
  const [row] = await sql<{ name: string }[]>`select current_database() as name`
  await sql.unsafe(`alter database ${row!.name} set search_path = pretence, public, pg_catalog`)
}

describe('base/migrate', () => {
  let database: EmptyDatabase

  beforeEach(async () => {
    database = await openEmptyDatabase()
  })
  afterEach(() => database.drop())

  const refusal = (message: RegExp) => assert.rejects(migrate(database.url, quietLog), { name: 'StartError', message })

  /** Migrates as another user, who follows the advice of each refusal; gives the refusals. */
  const refusalsOfOther = async (rights: string): Promise<readonly string[]> => {
    const admin = openPool(asSuperuser(database.url), { connections: 1, name: 'superuser' })
    const name = `Other ${new URL(database.url).pathname.slice(1)}`
    const url = Object.assign(new URL(database.url), { username: name, password: 'other' }).href
    const told: string[] = []
    try {
      await admin.unsafe(`create role "${name}" login ${rights} password 'other'`)
      await admin.unsafe(`alter database ${new URL(database.url).pathname.slice(1)} owner to "${name}"`)
      for (; told.length < 3;) {
        const message = await migrate(url, quietLog).then(
          () => undefined,
          (error: Error) => error.message,
        )
        if (message === undefined) break
        told.push(message)
        await admin.unsafe(/run as an administrator: (.*)\.$/.exec(message)?.[1] ?? 'select 1')
      }
    } finally {
      await admin.unsafe(`drop owned by "${name}" cascade`)
      await admin.unsafe(`alter database ${new URL(database.url).pathname.slice(1)} owner to current_user`)
      await admin.unsafe(`drop role "${name}"`)
      await admin.end()
    }
    return told
  }

  it('names the one statement that helps a second service under a user of its own', async () => {
    const first = await openEmptyDatabase()
    await migrate(first.url, quietLog).finally(() => first.drop())
    const [row] = await database.sql<
      { version: number }[]
    >`select current_setting('server_version_num')::integer as version`
    // Until PostgreSQL 15, whoever may create roles may have each.
    const refusals =
      row!.version < 160_000 ? [] : [/belongs to another user of this server: run as .*: grant coppice_gsql to /]
    const told = await refusalsOfOther('createrole')
    assert.equal(told.length, refusals.length, told.join('\n'))
    for (const [at, refused] of refusals.entries()) assert.match(told[at]!, refused)
  })

  it('refuses a server without TimescaleDB', async () => {
    await pretendExtensions(database.sql, `('plpgsql', '1.0', '1.0')`)
    await refusal(/has no TimescaleDB/)
  })

  it('refuses a TimescaleDB older than 2.18', async () => {
    await pretendExtensions(database.sql, `('timescaledb', '2.19.3', '2.9.1')`)
    await refusal(/has TimescaleDB 2\.9\.1; Coppice needs 2\.18 or newer/)
  })

  it('refuses a database made by a newer version, and changes nothing in it', async () => {
    await migrate(database.url, quietLog)
    await database.sql`insert into migration (name, run_on) values ('9001_from_the_future', now())`
    await database.sql`drop table connector_call`
    await refusal(/made by a newer version of Coppice \(it has 9001_from_the_future/)
    const [row] = await database.sql`select to_regclass('connector_call') as found`
    assert.equal(row!['found'], null)
  })

  const refusesDevelopment = async (names: readonly string[], sentence: RegExp) => {
    await database.sql`create table migration (id serial primary key, name text not null, run_on timestamp not null)`
    for (const name of names) await database.sql`insert into migration (name, run_on) values (${name}, now())`
    await refusal(sentence)
    const [row] = await database.sql`select to_regclass('organization') as found`
    assert.equal(row!['found'], null)
  }

  it('refuses a database of before the first release, names the remedy, and changes nothing in it', () =>
    refusesDevelopment(
      ['0001_organization', '0002_component'],
      /^The database was made by a development version of Coppice \(it has 0001_organization in place of 0001_\w+\) and cannot be brought up to date: start with an empty one, under another DATABASE_URL or, without DATABASE_URL, another DATA_DIR\.$/,
    ))

  it('refuses a database in which one of the migrations was left out', async () => {
    const [first, , third] = (await readdir('db')).filter((name) => name.endsWith('.sql')).toSorted()
    const names = [first!, third!].map((name) => name.replace(/\.sql$/, ''))
    await refusesDevelopment(names, new RegExp(`development version of Coppice .it has ${names[1]} in place of`))
  })

  it('applies files that end in .sql, and nothing else', async () => {
    const dir = await newDirectory('migrate')
    try {
      await writeFile(join(dir, '0001_good.sql'), 'create table good (key integer);')
      await writeFile(join(dir, 'README.md'), '# This is no SQL')
      assert.deepEqual((await migrate(database.url, quietLog, dir)).applied, ['0001_good'])
      assert.deepEqual((await migrate(database.url, quietLog, dir)).applied, [])
    } finally {
      await rm(dir, { recursive: true })
    }
  })

  it('applies nothing at all when one of the files fails', async () => {
    const dir = await newDirectory('migrate')
    try {
      await writeFile(join(dir, '0001_good.sql'), 'create table good (key integer);')
      await writeFile(join(dir, '0002_bad.sql'), 'create table bad (key no_such_type);')
      await assert.rejects(migrate(database.url, quietLog, dir), /no_such_type/)
      const [row] = await database.sql`select to_regclass('good') as found`
      assert.equal(row!['found'], null)
    } finally {
      await rm(dir, { recursive: true })
    }
  })

  it('applies every file of db/ in the order of their numbers, once', async () => {
    const files = (await readdir('db'))
      .filter((name) => name.endsWith('.sql'))
      .map((name) => name.replace(/\.sql$/, ''))
    assert.deepEqual((await migrate(database.url, quietLog)).applied, files.toSorted())
    assert.deepEqual((await migrate(database.url, quietLog)).applied, [])
  })

  it('lets one of two servers that start at once do it while the other waits', async () => {
    const both = await Promise.all([migrate(database.url, quietLog), migrate(database.url, quietLog)])
    const counts = both.map(({ applied }) => applied.length).toSorted((a, b) => a - b)
    assert.equal(counts[0], 0)
    assert.ok(counts[1]! > 0)
  })

  describe('while another session has a long transaction on a table', () => {
    let dir: string
    let release: () => Promise<unknown>
    beforeEach(async () => {
      dir = await newDirectory('migrate')
      await writeFile(join(dir, '0001_old.sql'), 'create table old (key integer);')
      await migrate(database.url, quietLog, dir)
      await writeFile(join(dir, '0002_new.sql'), 'alter table old add column id text;')
      release = await new Promise((resolve) => {
        const held: Promise<unknown> = transaction(database.sql, async (sql) => {
          await sql`select from old`
          await new Promise<void>((end) => resolve(() => (end(), held)))
        })
      })
    })
    afterEach(async () => {
      await release()
      await rm(dir, { recursive: true })
    })

    it('lets others read that table, and is done when the transaction is', async () => {
      let isDone = false
      const migrating = migrate(database.url, quietLog, dir).finally(() => (isDone = true))
      await eventually(async () => {
        const [row] = await database.sql<[{ n: number }]>`
          select count(*)::integer as n from pg_stat_activity
          where application_name = 'coppice migrate' and wait_event_type = 'Lock' and datname = current_database()`
        return row.n === 1
      })
      // Behind a waiting ALTER it would be answered only when the other transaction ends.
      await database.sql`select from old`
      assert.equal(isDone, false)
      await release()
      assert.deepEqual((await migrating).applied, ['0002_new'])
    })

    it('gives up after a while, with a sentence and nothing done', async () => {
      await assert.rejects(migrate(database.url, quietLog, dir, 1), {
        name: 'StartError',
        message: /tables of it were locked by others/,
      })
      const found = await database.sql`select from information_schema.columns where table_name = 'old'`
      assert.equal(found.length, 1)
    })
  })

  it('reports the edition and the versions it found', async () => {
    const { edition, postgres, timescaledb } = await migrate(database.url, quietLog)
    const [row] = await database.sql<{ license: string; server: string; extension: string }[]>`
      select
        current_setting('timescaledb.license') as license,
        current_setting('server_version') as server,
        (select extversion from pg_extension where extname = 'timescaledb') as extension`
    assert.equal(edition, row!.license === 'timescale' ? 'community' : 'apache')
    assert.equal(postgres, row!.server.split(' ')[0])
    assert.equal(timescaledb, row!.extension)
  })
})
