// The TLS parameters of the database's address, by both drivers, on a server that speaks it and one that does not.
import assert from 'node:assert/strict'
import { chmod, chown, copyFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { databaseTarget, hostUrls, pgTarget, placeOf } from '../../../src/base/database/url.ts'
import { openPool } from '../../../src/base/database/pool.ts'
import { openCluster } from '../../../src/embedded/cluster.ts'
import type { Cluster } from '../../../src/embedded/cluster.ts'
import { quietLog, testInstallation } from '../../support/database.ts'
import { newDirectory } from '../../support/directory.ts'

const certificate = fileURLToPath(new URL('../../support/tls-certificate.pem', import.meta.url))
const key = fileURLToPath(new URL('../../support/tls-key.pem', import.meta.url))

describe('base/database-url', () => {
  it('refuses a text that is no address of a database', () => {
    for (const text of ['', 'localhost', 'mysql://host/db', 'postgres://host:x'])
      assert.throws(
        () => databaseTarget(text),
        /^Error: must look like postgres:\/\/user:password@host:5432\/database$/,
      )
  })

  it('refuses a way of encryption that it does not know, or that anybody can switch off', () => {
    for (const mode of ['prefer', 'allow', '', 'yes', 'constructor'])
      assert.throws(
        () => databaseTarget(`postgres://host/db?sslmode=${mode}`),
        /^Error: must have an sslmode of disable, require, verify-ca, verify-full$/,
      )
  })

  it('refuses a certificate that cannot be read', () => {
    assert.throws(
      () => databaseTarget('postgres://host/db?sslmode=require&sslrootcert=/nowhere.pem'),
      /^Error: must name a file that can be read as sslrootcert \(ENOENT/,
    )
  })

  it('is not encrypted unless the address says so, and keeps the rest of the address', () => {
    assert.deepEqual(databaseTarget('postgres://a:b%40@host:1/db?application_name=x'), {
      url: 'postgres://a:b%40@host:1/db?application_name=x',
      tls: false,
    })
    assert.deepEqual(databaseTarget('postgres://host/db?sslmode=verify-full'), { url: 'postgres://host/db', tls: {} })
  })

  it('takes several hosts, and gives an address for each', () => {
    const url = 'postgres://a:b%2C%40@one:1,[::1]:2,three/db?sslmode=require'
    assert.deepEqual(hostUrls(url), [
      'postgres://a:b%2C%40@one:1/db?sslmode=require',
      'postgres://a:b%2C%40@[::1]:2/db?sslmode=require',
      'postgres://a:b%2C%40@three/db?sslmode=require',
    ])
    assert.equal(databaseTarget(url).url, 'postgres://a:b%2C%40@one:1/db')
    assert.deepEqual(hostUrls(url).map(placeOf), [
      { host: 'one', port: 1 },
      { host: '::1', port: 2 },
      { host: 'three', port: 5432 },
    ])
  })

  it('refuses a list of hosts in which one is missing, or is none', () => {
    for (const hosts of ['one,', ',one', 'one,,two', 'one,two:x', 'one,two three'])
      assert.throws(() => databaseTarget(`postgres://${hosts}/db`), /^Error: must look like postgres:/, hosts)
  })

  it("takes libpq's word for the wanted kind of server, which changes nothing, and no other", () => {
    const url = 'postgres://one,two/db?target_session_attrs='
    assert.equal(databaseTarget(`${url}read-write`).url, 'postgres://one/db')
    for (const word of ['', 'writable', 'constructor'])
      assert.throws(() => databaseTarget(url + word), /^Error: must have a target_session_attrs of any, primary/)
  })

  describe('on a server', function () {
    let dir: string
    let cluster: Cluster
    const open = async (settings: Readonly<Record<string, string>>) => {
      const installation = await testInstallation()
      cluster = await openCluster({
        installation,
        dir,
        settings: { shared_buffers: '16MB', ...settings },
        log: quietLog,
      })
    }
    before(async () => {
      dir = await newDirectory('tls')
      await open({})
    })
    after(async () => {
      await cluster?.stop()
      await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    })

    const question = 'select coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as ssl'
    /** Whether the connections of both drivers are encrypted, or why there are none. */
    const outcomes = async (parameters: string, host = 'localhost'): Promise<readonly unknown[]> => {
      const url = Object.assign(new URL(cluster.url), { hostname: host, search: parameters }).href
      const pool = openPool(url, { connections: 1, name: 'test of TLS' })
      const client = new Client(pgTarget(url))
      client.on('error', () => {})
      const reason = (error: unknown) => (error as Error).message
      const answers = [
        await pool.unsafe<[{ ssl: boolean }]>(question).then(([row]) => row.ssl, reason),
        await client
          .connect()
          .then(() => client.query<{ ssl: boolean }>(question))
          .then(({ rows }) => rows[0]!.ssl, reason),
      ]
      await pool.end({ timeout: 1 })
      await client.end().catch(() => {})
      return answers
    }

    it('refuses to connect where TLS is asked for and the server does not speak it', async () => {
      assert.deepEqual(await outcomes(''), [false, false])
      assert.deepEqual(await outcomes('?sslmode=disable'), [false, false])
      assert.deepEqual(await outcomes('?sslmode=require'), [
        'the database does not speak TLS',
        'The server does not support SSL connections',
      ])
    })

    it('checks certificate and name of a server that speaks TLS as far as the address says', async () => {
      const { uid, gid } = await stat(join(dir, 'data'))
      await cluster.stop()
      const serverKey = join(dir, 'key.pem')
      await copyFile(key, serverKey)
      await chmod(serverKey, 0o600)
      await chown(serverKey, uid, gid)
      await copyFile(certificate, join(dir, 'certificate.pem'))
      await open({ ssl: 'on', ssl_cert_file: join(dir, 'certificate.pem'), ssl_key_file: serverKey })

      const unknown = Array(2).fill('self-signed certificate')
      assert.deepEqual(await outcomes(''), [false, false])
      assert.deepEqual(await outcomes('?sslmode=require'), [true, true])
      assert.deepEqual(await outcomes('?sslmode=verify-ca'), unknown)
      assert.deepEqual(await outcomes('?sslmode=verify-full'), unknown)
      const trusted = `&sslrootcert=${encodeURIComponent(certificate)}`
      assert.deepEqual(await outcomes(`?sslmode=verify-ca${trusted}`, '127.0.0.1'), [true, true])
      assert.deepEqual(await outcomes(`?sslmode=verify-full${trusted}`), [true, true])
      for (const answer of await outcomes(`?sslmode=verify-full${trusted}`, '127.0.0.1'))
        assert.match(String(answer), /IP: 127\.0\.0\.1 is not in the cert's list/)
    })
  })
})
