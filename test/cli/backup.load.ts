// coppice backup and restore on a machine: an embedded database, while its server runs, is carried over to another DATA_DIR.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { openPool } from '../../src/base/database/pool.ts'
import { keepMasterKey } from '../../src/base/master-key.ts'
import { findRunning } from '../../src/embedded/cluster.ts'
import { openEmptyDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import { typeCommand } from '../support/host-command.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'
import { eventually } from '../support/within.ts'

describe('coppice backup and restore', () => {
  let server: ServerProcess
  let directory: string
  let from: string
  let environment: Readonly<Record<string, string>>
  let file: string
  before(async function before() {
    this.timeout(300_000)
    directory = await newDirectory('host-backup')
    from = join(directory, 'from')
    environment = { DATA_DIR: from, PATH: process.env['PATH']!, COPPICE_PASSPHRASE: 'correct horse battery' }
    file = join(directory, 'whole.tar')
    server = await startServer({ DATA_DIR: from })
  })
  after(() => server.end('SIGTERM'))

  const put = async (query: string, url = server.url) => {
    const reply = await fetch(`${url}/api/feed?${query}&api_key=${serverApiKey}`, { method: 'PUT' })
    assert.equal(reply.status, 200, await reply.text())
  }
  const read = async (url: string) =>
    (await fetch(`${url}/api/comp/Boiler/feed?retStreamId&limit=1000&api_key=${serverApiKey}`)).text()

  it('leave no file behind when they are broken off, and end with 130', async () => {
    const interrupted = new AbortController()
    const typing = typeCommand(['backup', join(directory, 'broken.tar')], environment, { signal: interrupted.signal })
    await eventually(async () => (await readdir(directory)).some((name) => name.startsWith('broken')))
    interrupted.abort(new Error('interrupted'))
    // It may have been done by then.
    const { code } = await typing
    assert.deepEqual(
      (await readdir(directory)).filter((name) => name.startsWith('broken')),
      code === 0 ? ['broken.tar'] : [],
    )
    assert.ok([0, 130].includes(code), String(code))
  })

  it('do not count a backup that did not get its name', async () => {
    const path = join(directory, 'nameless.tar')
    const lastMs = async () => {
      const sql = openPool((await findRunning(join(from, 'postgres')))!.url, { connections: 1, name: 'test' })
      try {
        const [row] = await sql<{ atMs: number | null }[]>`select backed_up_at as "atMs" from installation`
        return row?.atMs ?? null
      } finally {
        await sql.end({ timeout: 1 })
      }
    }
    const before = await lastMs()
    let asked = 0
    // Something takes the name once it was found to be free.
    const now = () => {
      asked += 1
      if (asked === 2) mkdirSync(path)
      return 1_768_478_400_000
    }
    const { code, err } = await typeCommand(['backup', path], environment, { now })
    assert.equal(code, 1, err)
    assert.match(err, /EISDIR/)
    assert.equal(await lastMs(), before)
  })

  it('never leave the master key out silently', async () => {
    const { COPPICE_PASSPHRASE: _, ...without } = environment
    const asked = await typeCommand(['backup', join(directory, 'none.tar')], without)
    assert.equal(asked.code, 2, asked.err)
    assert.match(asked.err, /a backup holds the master key, under a passphrase: name one by --passphrase-file/)
    const bare = await typeCommand(['backup', join(directory, 'bare.tar'), '--without-master-key'], without)
    assert.equal(bare.code, 0, bare.err)
    assert.match(bare.err, /WARNING: this backup has NO MASTER KEY\. Without the key it cannot be restored/)
    const short = await typeCommand(['backup', join(directory, 'none.tar')], {
      ...environment,
      COPPICE_PASSPHRASE: 'short',
    })
    assert.match(short.err, /the passphrase must have at least 8 characters/)
    const restored = await typeCommand(['restore', join(directory, 'bare.tar')], {
      ...environment,
      DATA_DIR: join(directory, 'no-key'),
    })
    assert.equal(restored.code, 1)
    assert.match(restored.err, /^coppice restore: This backup was made without its master key: set MASTER_KEY/)
  })

  it('carry a server that runs over to an empty DATA_DIR, where it answers the same', async function carry() {
    this.timeout(300_000)
    await put('compId=Boiler&temp=20.1,20.4,21&time=1768478400000,1768478460000,1768478520000')
    const made = await typeCommand(['backup', file], environment)
    assert.equal(made.code, 0, made.err)
    assert.match(made.err, /whole\.tar: [\d,]+ kB, [\d,]+ rows in \d+ tables/)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    const before = await read(server.url)
    const to = join(directory, 'to')
    const cut = join(directory, 'cut.tar')
    await writeFile(cut, (await readFile(file)).subarray(0, 20_000))
    const refused = await typeCommand(['restore', cut], { ...environment, DATA_DIR: to })
    assert.equal(refused.code, 1)
    assert.match(refused.err, /^coppice restore: This is no whole backup of Coppice: it ends in the middle\.$/m)
    await assert.rejects(stat(to), { code: 'ENOENT' })
    const restored = await typeCommand(['restore', file], { ...environment, DATA_DIR: to })
    assert.equal(restored.code, 0, restored.err)
    assert.match(restored.err, /restored [\d,]+ rows of 20/)
    assert.equal(await readFile(join(to, 'master.key'), 'utf8'), await readFile(join(from, 'master.key'), 'utf8'))
    const second = await startServer({ DATA_DIR: to })
    try {
      assert.equal(await read(second.url), before)
      assert.match(before, /"data":21\b/)
      await put('compId=Boiler&temp=22', second.url)
    } finally {
      await second.end('SIGTERM')
    }
    // The database of a server that is stopped is started for it; a file that is there is kept.
    const again = await typeCommand(['backup', file], { ...environment, DATA_DIR: to })
    assert.match(again.err, /^coppice backup: .*whole\.tar is there already: name another file\.$/m)
    const stopped = await typeCommand(['backup', directory], { ...environment, DATA_DIR: to })
    assert.equal(stopped.code, 0, stopped.err)
    const into = await typeCommand(['restore', file], { ...environment, DATA_DIR: to })
    assert.match(
      into.err,
      /^coppice restore: The database is not empty, and a backup is restored into an empty one only/,
    )
  })

  it('restore nothing where a server that starts meanwhile has made a master key', async () => {
    const database = await openEmptyDatabase()
    const starting = new Client({ connectionString: database.url })
    await starting.connect()
    try {
      const to = await newDirectory('host-key')
      await starting.query('select pg_advisory_lock(7046293115)')
      const typing = typeCommand(['restore', file], { ...environment, DATA_DIR: to, DATABASE_URL: database.url })
      await eventually(async () => {
        const { rows } = await starting.query("select from pg_locks where locktype = 'advisory' and not granted")
        return rows.length > 0
      })
      await keepMasterKey(to, 'another key')
      await starting.query('select pg_advisory_unlock(7046293115)')
      const { code, err } = await typing
      assert.equal(code, 1, err)
      assert.match(err, /The master key here .* is not the one of the backup/)
      assert.equal((await database.sql`select from installation`).length, 0)
    } finally {
      await starting.end()
      await database.drop()
    }
  })

  it('refuse a DATA_DIR whose server runs, and one without a database', async () => {
    const running = await typeCommand(['restore', file], environment)
    assert.match(running.err, /^coppice restore: .* is in use by another Coppice/)
    const empty = await typeCommand(['backup', join(directory, 'x.tar')], {
      ...environment,
      DATA_DIR: join(directory, 'empty'),
      MASTER_KEY: 'a key of sixteen characters',
    })
    assert.match(empty.err, /^coppice backup: There is no database in .*empty\/postgres: set DATA_DIR/)
  })
})
