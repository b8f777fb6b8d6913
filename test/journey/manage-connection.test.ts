// Connections to external databases in the management API (docs/imports.md#connections).
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { addressRange } from '../../src/base/config.ts'
import { openEmptyDatabase } from '../support/database.ts'
import { addMember, addSession, addToken, addUser } from '../support/people.ts'
import type { TestReply, TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually, within } from '../support/within.ts'

type Shown = Readonly<Record<string, unknown>> & { readonly uid: string; readonly version: number }
type Body = { readonly connection: Shown; readonly test: unknown; readonly preview: unknown; readonly message: string }

const secret = 'TOPSECRET-of-the-plant'

describe('connections', () => {
  let service: TestService
  let external: Awaited<ReturnType<typeof openEmptyDatabase>>
  let session = ''
  let given: Readonly<Record<string, unknown>>
  before(async () => {
    service = await openTestService({ outboundAllow: [addressRange('127.0.0.0/8')] })
    external = await openEmptyDatabase()
    const owner = (
      await service.request('POST', '/api/login', {
        body: JSON.stringify({ email: service.ownerEmail, password: service.ownerPassword }),
      })
    ).json as { readonly sessionUid: string }
    session = owner.sessionUid
    const url = new URL(external.url)
    given = {
      name: 'Historian',
      kind: 'postgresql',
      host: url.hostname,
      port: Number(url.port),
      database: url.pathname.slice(1),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      tls: false,
    }
  })
  after(async () => {
    await service.close()
    await external.drop()
  })

  const ask = (method: string, path: string, input?: unknown, credential = `session=${session}`): Promise<TestReply> =>
    service.request(method, `${path}?${credential}`, input === undefined ? {} : { body: JSON.stringify(input) })
  const make = async (changed: Readonly<Record<string, unknown>> = {}): Promise<Shown> => {
    const { status, json, text } = await ask('POST', '/api/connection', { ...given, ...changed })
    assert.equal(status, 201, text)
    return (json as Body).connection
  }
  const refused = async (reply: Promise<TestReply>, status: number, message: RegExp) => {
    const { status: found, json } = await reply
    assert.match((json as Body).message, message)
    assert.equal(found, status)
  }

  it('are made, shown, changed and removed, and never show a secret', async () => {
    const made = await make({ password: secret, tls: true })
    const { uid, ...shown } = made
    assert.deepEqual(shown, {
      name: 'Historian',
      kind: 'postgresql',
      host: given['host'],
      port: given['port'],
      database: given['database'],
      user: given['user'],
      tls: true,
      ca: null,
      certificate: null,
      connectTimeoutMs: null,
      searchPath: null,
      sessionTimeZone: null,
      instance: null,
      sid: null,
      hasPassword: true,
      hasKey: false,
      hasWallet: false,
      version: 1,
    })
    const changed = await ask('PUT', `/api/connection/${uid}`, { ...made, name: 'Plant', searchPath: 'plant' })
    assert.equal(changed.status, 200, changed.text)
    assert.equal((changed.json as Body).connection['searchPath'], 'plant')
    const list = await ask('GET', '/api/connection')
    const audit = await ask('GET', '/api/audit')
    for (const { text } of [changed, list, audit]) assert.equal(text.includes(secret), false)
    assert.match(audit.text, /connection\.create/)
    const rows = await service.sql`select connection::text as row from connection`
    assert.equal(JSON.stringify(rows).includes(secret), false)
    assert.equal((await ask('DELETE', `/api/connection/${uid}`)).status, 200)
    await refused(ask('GET', `/api/connection/${uid}`), 404, /^connection '.*' not found$/)
  })

  it('need the password again when it would be sent elsewhere, or less safely', async () => {
    const { uid } = await make({ kind: 'sqlserver', tls: true, password: secret })
    const elsewhere = { host: 'evil.example', port: 4444, kind: 'mysql', user: 'sa', instance: 'OTHER', tls: false }
    for (const [name, value] of Object.entries({ ...elsewhere, tls: 'no-verify' })) {
      const message = new RegExp(`^another ${name} needs the password again`)
      await refused(ask('PUT', `/api/connection/${uid}`, { [name]: value }), 400, message)
    }
    await refused(ask('PUT', `/api/connection/${uid}`, { tls: false }), 400, /^another tls needs the password again/)
    for (const [name, value] of Object.entries(elsewhere)) {
      const { uid: other } = await make({ kind: 'sqlserver', tls: true, password: secret })
      const { status, text } = await ask('PUT', `/api/connection/${other}`, { [name]: value, password: secret })
      assert.equal(status, 200, text)
    }
    const { status } = await ask('PUT', `/api/connection/${uid}`, { name: 'ERP', database: 'other' })
    assert.equal(status, 200)
    const { uid: oracle } = await make({ kind: 'oracle', wallet: 'one', password: secret })
    const refusal = /^another wallet needs the password again/
    await refused(ask('PUT', `/api/connection/${oracle}`, { wallet: 'two' }), 400, refusal)
    await refused(ask('PUT', `/api/connection/${oracle}`, { wallet: null }), 400, refusal)
    assert.equal((await ask('PUT', `/api/connection/${oracle}`, { wallet: 'two', password: secret })).status, 200)
  })

  it('take MariaDB for the kind that it is', async () => {
    const { kind } = await make({ kind: 'mariadb', password: secret })
    assert.equal(kind, 'mysql')
  })

  it('are refused in a form that cannot be', async () => {
    const cases: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
      [{ kind: 'db2' }, /^kind must be one of postgresql, mysql, sqlserver, oracle$/],
      [{ host: 'a b' }, /^host must be a host's name or address/],
      [{ host: 'db.example:5432' }, /^host must be a host's name or address/],
      [{ host: '/var/run/postgresql' }, /^host must be a host's name or address/],
      [{ host: 'a,b' }, /^host must be a host's name or address/],
      [{ port: 0 }, /^port must be a whole number from 1 to 65535$/],
      [{ tls: 'maybe' }, /^tls must be true, false or "no-verify"$/],
      [{ ca: 'not a certificate' }, /^ca must be a certificate in PEM$/],
      [{ key: 'not a key' }, /^key must be a private key without a passphrase in PEM$/],
      [{ sid: true }, /^sid is for connections of the kind oracle$/],
      [{ kind: 'mysql', sessionTimeZone: '+25:00' }, /^sessionTimeZone /],
      [{ kind: 'sqlserver', instance: 'a;b' }, /^instance must be the name of an instance$/],
      [{ proxy: 'x' }, /^connection has no member 'proxy'/],
    ]
    for (const [changed, message] of cases)
      await refused(ask('POST', '/api/connection', { ...given, ...changed }), 400, message)
    await refused(
      ask('POST', '/api/connection', { name: 'x' }),
      400,
      /^a connection needs name, kind, host, database, user: kind, host, database, user are missing$/,
    )
  })

  it('are not removed while an import uses them', async () => {
    const { uid } = await make()
    await service.sql`
      insert into connector (organization_key, type, name, sql, external_sql, connection_key)
      select organization_key, 'import', 'Night shift', 'x', 'x', key from connection where uid = ${uid}`
    await refused(ask('DELETE', `/api/connection/${uid}`), 409, /^this connection is used by Night shift$/)
    await service.sql`delete from connector where name = 'Night shift'`
    assert.equal((await ask('DELETE', `/api/connection/${uid}`)).status, 200)
  })

  it('are for admins alone, and not for tokens', async () => {
    const { uid } = await make()
    const { sql, organizationUid } = service
    const member = await addUser(sql, 'member@example.org')
    await addMember(sql, organizationUid, member, 'member')
    const admin = await addUser(sql, 'admin@example.org')
    await addMember(sql, organizationUid, admin, 'admin')
    const ofMember = `session=${await addSession(sql, member)}`
    const ofToken = `access_token=${await addToken(sql, organizationUid, admin)}`
    assert.equal(
      (await ask('GET', '/api/connection', undefined, `session=${await addSession(sql, admin)}`)).status,
      200,
    )
    for (const [method, path, input] of [
      ['GET', '/api/connection', undefined],
      ['GET', `/api/connection/${uid}`, undefined],
      ['POST', '/api/connection', given],
      ['PUT', `/api/connection/${uid}`, { name: 'x' }],
      ['DELETE', `/api/connection/${uid}`, undefined],
      ['POST', `/api/connection/${uid}/test`, undefined],
      ['POST', `/api/connection/${uid}/preview`, { sql: 'select 1' }],
    ] as const)
      for (const credential of [ofMember, ofToken])
        assert.equal((await ask(method, path, input, credential)).status, 403, `${method} ${path}`)
  })

  it('are tested: whether they work, or one sentence why not', async () => {
    const { uid } = await make()
    const works = await ask('POST', `/api/connection/${uid}/test`)
    const { test } = works.json as { readonly test: Readonly<Record<string, unknown>> }
    assert.deepEqual([works.status, test['ok'], test['error']], [200, true, ''])
    assert.match(String(test['version']), /^\d+\.\d+/)
    assert.ok(Number(test['ms']) >= 0)
    const { uid: wrong } = await make({ password: secret, user: 'nobody_of_this_name' })
    const fails = await ask('POST', `/api/connection/${wrong}/test`)
    assert.equal(fails.status, 200)
    assert.equal(fails.text.includes(secret), false)
    const reply = fails.json as { readonly test: Readonly<Record<string, unknown>> }
    assert.deepEqual(
      [reply.test['ok'], reply.test['error']],
      [false, "PostgreSQL refused the user 'nobody_of_this_name' or its password"],
    )
  })

  it('are tested for no more than five seconds, whatever their own time is and however slowly a server speaks', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      // The beginning of an authentication of 4 KB, byte by byte.
      const bytes = Buffer.from('5200001000', 'hex').values()
      const dripping = setInterval(() => socket.write(Buffer.of(bytes.next().value ?? 0)), 50)
      socket.once('close', () => clearInterval(dripping))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const { port } = server.address() as AddressInfo
      const { uid } = await make({ password: secret, host: '127.0.0.1', port, connectTimeoutMs: 60_000 })
      const { json } = await ask('POST', `/api/connection/${uid}/test`)
      const { test } = json as { readonly test: { readonly ok: boolean; readonly error: string } }
      assert.equal(test.ok, false)
      assert.match(test.error, /^(127\.0\.0\.1:\d+ did not answer|this server was too busy .*) within [45] s/)
    } finally {
      server.close()
    }
  })

  it('show the first 20 rows of a statement, and the types that GS SQL will see', async () => {
    const { uid } = await make()
    const sql = `select n, 'x' || n as t, repeat('y', 500) as long from generate_series(1, 30) n`
    const { status, json, text } = await ask('POST', `/api/connection/${uid}/preview`, { sql })
    assert.equal(status, 200, text)
    const { preview } = json as { readonly preview: { rows: string[][]; columns: unknown; truncated: boolean } }
    assert.deepEqual(preview.columns, [
      { name: 'n', type: 'LONG' },
      { name: 't', type: 'STRING' },
      { name: 'long', type: 'STRING' },
    ])
    assert.deepEqual([preview.rows.length, preview.truncated], [20, true])
    assert.deepEqual(preview.rows[0], ['1', 'x1', `${'y'.repeat(199)}…`])
    await refused(
      ask('POST', `/api/connection/${uid}/preview`, { sql: 'select nothing' }),
      400,
      /^External SQL, line 1, column 8: column "nothing"/,
    )
  })

  it('show no more of a wide statement than a million characters, and refuse more than 1,000 columns', async () => {
    const { uid } = await make()
    const wide = (columns: number) =>
      `select ${Array(columns).fill("repeat('y', 200)").join()} from generate_series(1, 20)`
    const { status, json, text } = await ask('POST', `/api/connection/${uid}/preview`, { sql: wide(1000) })
    assert.equal(status, 200, text)
    const { preview } = json as { readonly preview: { rows: string[][]; truncated: boolean } }
    assert.deepEqual([preview.rows.length, preview.truncated], [5, true])
    await refused(
      ask('POST', `/api/connection/${uid}/preview`, { sql: wide(1001) }),
      400,
      /^the statement gives 1001 columns, and 1000 are allowed$/,
    )
  })

  it('are left alone when the client of a preview goes away', async () => {
    const { uid } = await make()
    const leaving = new AbortController()
    const asked = fetch(`${service.url}/api/connection/${uid}/preview?session=${session}`, {
      method: 'POST',
      body: JSON.stringify({ sql: 'select 1 from pg_sleep(29)' }),
      signal: leaving.signal,
    })
    const isRunning = async () => {
      const rows = await external.sql`
        select from pg_stat_activity where query like '%pg_sleep(29)' and state = 'active' and pid <> pg_backend_pid()`
      return rows.length > 0
    }
    await eventually(isRunning)
    leaving.abort()
    await assert.rejects(asked)
    // A preview has 30 s.
    await within(20_000, async () => !(await isRunning()))
  })

  it('are tested by one caller no more than three at a time', async () => {
    const { uid } = await make()
    const replies = await Promise.all(Array.from({ length: 12 }, () => ask('POST', `/api/connection/${uid}/test`)))
    const refusedOnes = replies.filter(({ status }) => status === 503)
    assert.ok(refusedOnes.length > 0)
    assert.match(refusedOnes[0]!.text, /too many tests and previews of connections at once/)
  })
})
