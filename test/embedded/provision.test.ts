import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isOlder, provision } from '../../src/embedded/provision.ts'
import { testInstallation } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'

describe('embedded/provision', () => {
  let dir: string
  let prefix: string
  /** A PATH on which there is nothing but what a test puts there. */
  let path: string
  const lines: string[] = []
  const progress = (line: string) => void lines.push(line)

  beforeEach(async () => {
    dir = await newDirectory('provision')
    prefix = join(dir, 'cache', 'postgres')
    path = join(dir, 'bin')
    await mkdir(path)
    lines.length = 0
  })
  afterEach(() => rm(dir, { recursive: true }))

  /** An installation as far as it is looked at: a pg_config on the PATH, and the files it leads to. */
  const installOnHost = async ({ version, timescaledb }: { version: string; timescaledb?: string }) => {
    await mkdir(join(dir, 'share', 'extension'), { recursive: true })
    if (timescaledb)
      await writeFile(join(dir, 'share', 'extension', 'timescaledb.control'), `default_version = '${timescaledb}'\n`)
    for (const name of ['postgres', 'initdb']) await writeFile(join(path, name), '')
    const answer = `echo ${path}; echo ${join(dir, 'share')}; echo 'PostgreSQL ${version}'`
    await writeFile(join(path, 'pg_config'), `#!/bin/sh\n${answer}\n`)
    await chmod(join(path, 'pg_config'), 0o755)
  }

  const noWay = {
    name: 'StartError',
    message:
      'There is no PostgreSQL 15 or newer with TimescaleDB on this host, and it cannot be fetched: this host has no apt-get. ' +
      'Either run `docker compose up`, which brings a database along, or set ' +
      'DATABASE_URL=postgres://user:password@host:5432/database to a server that has TimescaleDB.',
  }

  it('names both ways out where there is neither TimescaleDB nor apt, and leaves nothing behind', async () => {
    await assert.rejects(provision({ prefix, progress, path }), noWay)
    assert.deepEqual(await readdir(join(dir, 'cache')), ['postgres.lock'])
  })

  it('passes over a PostgreSQL of the host that has no TimescaleDB', async () => {
    await installOnHost({ version: '17.2' })
    await assert.rejects(provision({ prefix, progress, path }), noWay)
  })

  it('passes over a PostgreSQL of the host that is too old, or whose TimescaleDB is', async () => {
    await installOnHost({ version: '14.9', timescaledb: '2.19.3' })
    await assert.rejects(provision({ prefix, progress, path }), noWay)
    await installOnHost({ version: '17.2', timescaledb: '2.9.1' })
    await assert.rejects(provision({ prefix, progress, path }), noWay)
  })

  it('passes over a PostgreSQL of the host that cannot read the data there are', async () => {
    await installOnHost({ version: '16.4', timescaledb: '2.19.0' })
    await assert.rejects(provision({ prefix, progress, path, major: 17 }), noWay)
  })

  it('takes a PostgreSQL of the host that has TimescaleDB, and fetches nothing', async () => {
    await installOnHost({ version: '16.4 (Debian 16.4-1)', timescaledb: '2.19.0' })
    assert.deepEqual(await provision({ prefix, progress, path, major: 16 }), {
      binDir: path,
      version: '16.4',
      major: 16,
      timescaledb: '2.19.0',
      origin: 'host',
    })
    assert.deepEqual(lines, [])
  })

  it('refuses a host without time zones before it fetches anything, and names the package', async () => {
    await assert.rejects(provision({ prefix, progress, path, zoneDir: join(dir, 'zoneinfo') }), {
      name: 'StartError',
      message: `The database needs the time zones in ${join(dir, 'zoneinfo')}: install the package tzdata.`,
    })
  })

  it('does not trust a prefix whose programs do not run', async () => {
    const bin = join(prefix, 'usr/lib/postgresql/17/bin')
    await mkdir(bin, { recursive: true })
    await writeFile(join(prefix, 'installation.json'), '{"version":"17.11","timescaledb":"2.19.3"}')
    await writeFile(join(bin, 'postgres'), '#!/bin/sh\nexit 1\n')
    await chmod(join(bin, 'postgres'), 0o755)
    await assert.rejects(provision({ prefix, progress, path }), noWay)
  })

  it('clears away the rest of a broken-off run', async () => {
    await mkdir(join(dir, 'cache', 'postgres.work-abcdef', 'root'), { recursive: true })
    await assert.rejects(provision({ prefix, progress, path }), noWay)
    assert.deepEqual(await readdir(join(dir, 'cache')), ['postgres.lock'])
  })

  it('finds the programs that an earlier run fetched, without apt', async () => {
    const installation = await testInstallation()
    if (installation.origin === 'host') return
    const root = installation.binDir.slice(0, installation.binDir.indexOf('/usr/lib/postgresql'))
    assert.deepEqual(await provision({ prefix: root, progress, path }), installation)
    assert.deepEqual(lines, [])
  })

  it('compares versions by their numbers', () => {
    assert.equal(isOlder('2.9.1', '2.15'), true)
    assert.equal(isOlder('2.15.0', '2.15'), false)
    assert.equal(isOlder('10', '9'), false)
  })
})
