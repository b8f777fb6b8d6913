import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chown, lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { openCluster } from '../../src/embedded/cluster.ts'
import type { Cluster } from '../../src/embedded/cluster.ts'
import { mostLogBytes } from '../../src/embedded/log-file.ts'
import { databaseUser } from '../../src/embedded/place.ts'
import type { Installation } from '../../src/embedded/provision.ts'
import { quietLog, testInstallation } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'

const clusterModule = new URL('../../src/embedded/cluster.ts', import.meta.url).href
const logModule = new URL('../../src/base/log.ts', import.meta.url).href
const settings = { shared_buffers: '16MB', min_dynamic_shared_memory: '0' }

const ask = async (url: string, query: string): Promise<unknown[]> => {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(query)
    return rows.flatMap((row) => Object.values(row))
  } finally {
    await client.end()
  }
}

const isAlive = async (pid: number) => {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return status !== '' && !/\) [ZX] /.test(status)
}

/** A process of the data's owner that has ended and that its parent never asks about. */
const makeZombie = async (owner: { uid: number; gid: number }) => {
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], owner)
  const [text] = (await once(parent.stdout, 'data')) as [Buffer]
  const pid = Number(text.toString())
  while (await isAlive(pid)) await pause(10)
  return { pid, parent }
}

describe('embedded/cluster', function () {
  // Many starts and stops of a real server, on a machine that may have other things to do.
  let installation: Installation
  let base: string
  let dir: string
  let cluster: Cluster | undefined

  const openHere = async () => {
    cluster = await openCluster({ installation, dir, settings, log: quietLog })
    return cluster
  }

  before(async () => {
    installation = await testInstallation()
    base = await newDirectory("cluster's data")
    dir = join(base, 'postgres')
    const { url } = await openHere()
    await ask(url, 'create table note (text text)')
    await ask(url, 'create extension timescaledb')
    await cluster?.stop()
  })
  afterEach(async () => {
    await cluster?.stop()
    cluster = undefined
  })
  after(() => rm(base, { recursive: true, force: true }))

  it('belongs with all its files to the user who runs it, and nobody else may enter', async () => {
    const { uid, mode } = await stat(join(dir, 'data'))
    assert.equal(uid, (await databaseUser())?.uid ?? process.getuid?.())
    assert.equal(mode & 0o077, 0)
    for (const file of await readdir(join(dir, 'data'), { recursive: true }))
      assert.equal((await lstat(join(dir, 'data', file))).uid, uid, file)
  })

  /** The same cluster, opened by another process. */
  const openElsewhere = async ({ thenExit }: { thenExit: boolean }) => {
    const script = `
      const { openCluster } = await import(${JSON.stringify(clusterModule)})
      const { openLog } = await import(${JSON.stringify(logModule)})
      const options = JSON.parse(process.argv[1])
      const cluster = await openCluster({ ...options, log: openLog('silent') })
      console.log(cluster.url, cluster.pid())
      if (${thenExit}) process.exit()`
    const options = JSON.stringify({ installation, dir, settings })
    const other = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, options])
    const [text] = (await once(other.stdout, 'data')) as [Buffer]
    const [url, pid] = text.toString().trim().split(' ')
    return { other, url: url!, pid: Number(pid) }
  }

  const refusal = (message: RegExp) => assert.rejects(openHere(), { name: 'StartError', message })

  const owner = async () => {
    const { uid, gid } = await stat(join(dir, 'data'))
    return { uid, gid }
  }

  /** The lock file of a starting server, with another process's number in it. */
  const lockWith = async (pid: number) => {
    const path = join(dir, 'data', 'postmaster.pid')
    await writeFile(path, `${pid}\n${join(dir, 'data')}\n1700000000\n5432\n\n127.0.0.1\n  12345  678\nready   \n`)
    const { uid, gid } = await owner()
    await chown(path, uid, gid)
  }

  it('refuses data of a newer and of an older PostgreSQL, and changes nothing', async () => {
    const path = join(dir, 'data', 'PG_VERSION')
    const real = await readFile(path, 'utf8')
    await writeFile(path, '99\n')
    await refusal(/were made by PostgreSQL 99, newer than the \d+\.\d+ here: use that, or another DATA_DIR/)
    await writeFile(path, '12\n')
    await refusal(/were made by PostgreSQL 12, and the one here is \d+\.\d+: install PostgreSQL 12 with TimescaleDB/)
    await writeFile(path, real)
    assert.deepEqual(await ask((await openHere()).url, 'select count(*)::int from note'), [0])
  })

  it('refuses a directory that holds something else, and leaves it alone', async () => {
    const other = join(base, 'other')
    await mkdir(join(other, 'data'), { recursive: true })
    await writeFile(join(other, 'data', 'novel.txt'), 'chapter one')
    await assert.rejects(openCluster({ installation, dir: other, log: quietLog }), {
      name: 'StartError',
      message: `${join(other, 'data')} is not empty and holds no database: move it away, or use another DATA_DIR.`,
    })
    assert.equal(await readFile(join(other, 'data', 'novel.txt'), 'utf8'), 'chapter one')
  })

  it('says so when the password is gone', async () => {
    await rename(join(dir, 'password'), join(dir, 'password.away'))
    await refusal(/^The embedded database does not open without its password: ENOENT/)
    await rename(join(dir, 'password.away'), join(dir, 'password'))
  })

  it('says so when TimescaleDB cannot be loaded, and ends the server', async () => {
    const broken = { ...settings, shared_preload_libraries: 'timescaledb-0.0.0' }
    await assert.rejects(openCluster({ installation, dir, settings: broken, log: quietLog }), {
      name: 'StartError',
      message: /^This PostgreSQL cannot load TimescaleDB: could not access file "timescaledb-0\.0\.0"/,
    })
  })

  it('lets nobody in without the password, and shows that to nobody', async () => {
    const { url, adminUrl } = await openHere()
    for (const open of [url, adminUrl]) {
      const stranger = Object.assign(new URL(open), { password: 'guess' }).href
      await assert.rejects(ask(stranger, 'select 1'), { code: '28P01' })
    }
    assert.equal((await stat(join(dir, 'password'))).mode & 0o777, 0o600)
    assert.equal((await stat(join(dir, 'log'))).mode & 0o777, 0o600)
    assert.equal((await stat(join(dir, 'data'))).mode & 0o777, 0o700)
    assert.deepEqual(await ask(adminUrl, "select current_setting('listen_addresses')"), ['127.0.0.1'])
  })

  it('connects as a role that is no superuser but may make roles', async () => {
    const { url } = await openHere()
    assert.deepEqual(
      await ask(url, 'select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user'),
      [false, true, false],
    )
  })

  it('lets roles that are made into its own database only', async () => {
    const { url, adminUrl } = await openHere()
    await ask(adminUrl, "create role reader login password 'of reader'")
    const of = (database: string) =>
      Object.assign(new URL(url), { username: 'reader', password: 'of reader', pathname: `/${database}` }).href
    for (const database of ['postgres', 'template1'])
      await assert.rejects(ask(of(database), 'select 1'), { code: '42501' }, database)
    assert.deepEqual(await ask(of('coppice'), 'select 1'), [1])
  })

  it('runs as an ordinary user even when root starts it', async () => {
    const pid = (await openHere()).pid()!
    assert.notEqual((await stat(`/proc/${pid}`)).uid, 0)
  })

  it('keeps all data from one start to the next, and settings made by alter system', async () => {
    const first = await openHere()
    await ask(first.url, "insert into note values ('kept')")
    await ask(first.adminUrl, "alter system set work_mem = '7MB'")
    await first.stop()
    const second = await openHere()
    assert.deepEqual(await ask(second.url, "select text from note where text = 'kept'"), ['kept'])
    assert.deepEqual(await ask(second.url, 'show work_mem'), ['7MB'])
  })

  it('refuses a statement that wants more memory than a process may have, and goes on', async () => {
    const { url, pid } = await openHere()
    const texts = Array.from({ length: 60 }, (_, n) => `length(repeat('x', 15000000 + n + ${n}))`)
    const before = pid()
    await assert.rejects(ask(url, `select ${texts.join(' + ')} from generate_series(1, 1) as n`), { code: '53200' })
    assert.deepEqual(
      await ask(url, `select ${texts.slice(0, 10).join(' + ')} as sum from generate_series(1, 1) as n`),
      [150_000_055],
    )
    assert.equal(pid(), before)
  })

  it('keeps its log short while it runs, and the log before it', async () => {
    const { url } = await openHere()
    const log = join(dir, 'log')
    await appendFile(log, 'x'.repeat(mostLogBytes + 1))
    while ((await stat(log)).size > mostLogBytes) await pause(50)
    assert.ok((await stat(`${log}.1`)).size > mostLogBytes)
    await ask(url, "do 'begin raise log ''still written''; end'")
    assert.match(await readFile(log, 'utf8'), /^[^x]*still written/)
  })

  it('listens on the port that it is given, and says so where another program has it', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    await assert.rejects(openCluster({ installation, dir, settings, port, log: quietLog }), {
      message: `Port ${port} of 127.0.0.1 is in use by another program: stop it, or set EMBEDDED_PORT.`,
    })
    other.close()
    await once(other, 'close')
    cluster = await openCluster({ installation, dir, settings, port, log: quietLog })
    assert.equal(new URL(cluster.url).host, `127.0.0.1:${port}`)
  })

  it('has ended the server when stop resolves, connections or not', async () => {
    const { url, pid, stop } = await openHere()
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    const asleep = assert.rejects(client.query('select pg_sleep(60)'))
    await stop()
    assert.equal(await isAlive(pid()!), false)
    await asleep
  })

  it('ends the server when the process exits without a stop', async () => {
    const { other, pid } = await openElsewhere({ thenExit: true })
    await once(other, 'exit')
    while (await isAlive(pid)) await pause(20)
  })

  it('takes over from a server that was killed with its database running, and loses nothing', async () => {
    const { other, url, pid } = await openElsewhere({ thenExit: false })
    await ask(url, "insert into note values ('acknowledged')")
    other.kill('SIGKILL')
    await once(other, 'exit')
    assert.equal(await isAlive(pid), true)

    const { size } = await stat(join(dir, 'log'))
    const next = await openHere()
    assert.equal(await isAlive(pid), false)
    const logged = (await readFile(join(dir, 'log'), 'utf8')).slice(size)
    assert.match(logged, /database system was shut down at/)
    assert.deepEqual(await ask(next.url, "select text from note where text = 'acknowledged'"), ['acknowledged'])
  })

  describe('with a lock file that nobody holds', () => {
    it('starts although the number in it is that of a dead process that nobody reaped', async () => {
      const { pid, parent } = await makeZombie(await owner())
      await lockWith(pid)
      assert.deepEqual(await ask((await openHere()).url, 'select 1'), [1])
      parent.kill()
    })

    it('starts although the number in it is by now another program, and lets that live', async () => {
      const stranger = spawn('sleep', ['60'], { ...(await owner()), cwd: join(dir, 'data') })
      await once(stranger, 'spawn')
      await lockWith(stranger.pid!)
      assert.deepEqual(await ask((await openHere()).url, 'select 1'), [1])
      assert.equal(await isAlive(stranger.pid!), true)
      stranger.kill()
    })
  })

  describe('when the server dies', () => {
    it('reports it, starts it again under the same address, and keeps acknowledged rows', async () => {
      const { url, pid, onExit } = await openHere()
      await ask(url, "insert into note values ('before the fall')")
      const fallen = pid()!
      const told = new Promise<string>((resolve) => onExit(resolve))
      process.kill(fallen, 'SIGKILL')
      assert.equal(await told, 'was ended by SIGKILL')
      while (pid() === fallen) await pause(20)
      assert.deepEqual(await ask(url, "select text from note where text = 'before the fall'"), ['before the fall'])
    })

    it('starts it again although one of its processes is busy and does not notice', async () => {
      const { url, pid } = await openHere()
      const fallen = pid()!
      const busy = new Client({ connectionString: url })
      busy.on('error', () => {})
      await busy.connect()
      const cut = assert.rejects(busy.query('select sum(n) from (select generate_series(1, 20000000000) as n) as s'))
      const running = "select count(*)::int from pg_stat_activity where state = 'active' and query like '%sum(n)%'"
      while ((await ask(url, running))[0] !== 2) await pause(20)
      process.kill(fallen, 'SIGKILL')
      await cut
      while (pid() === fallen) await pause(20)
      assert.deepEqual(await ask(url, 'select 1'), [1])
    })

    it('does not start it again once stop was called', async () => {
      const { url, pid, stop } = await openHere()
      const fallen = pid()!
      process.kill(fallen, 'SIGKILL')
      while (await isAlive(fallen)) await pause(5)
      await stop()
      // Of a connection that came while the last of its processes ended, it is the end that is told.
      await assert.rejects(ask(url, 'select 1'), /ECONNREFUSED|ECONNRESET/)
    })
  })

  // The last of all, because no test can use the data afterwards.
  describe('with data of a newer TimescaleDB', () => {
    it('refuses them, and ends the server', async () => {
      const { adminUrl, pid, stop } = await openHere()
      await ask(
        adminUrl.replace(/postgres$/, 'coppice'),
        "update pg_extension set extversion = '99.0' where extname = 'timescaledb'",
      )
      await stop()
      await refusal(/^The data do not open with TimescaleDB .* no update path from version "99\.0"/)
      assert.equal(await isAlive(pid()!), false)
    })
  })
})
