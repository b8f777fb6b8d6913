// A backup of a whole installation in use, and its restore into an empty database: the replies are the same.
import assert from 'node:assert/strict'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { migrate, migrationNames } from '../../../src/base/database/migrate.ts'
import { transaction } from '../../../src/base/database/sql.ts'
import { checkBackup } from '../../../src/core/backup/check.ts'
import { restoreBackup } from '../../../src/core/backup/restore.ts'
import { leftTables, tablesOf } from '../../../src/core/backup/tables.ts'
import { writeBackup } from '../../../src/core/backup/write.ts'
import type { BackupOptions } from '../../../src/core/backup/write.ts'
import { checkMasterKey } from '../../../src/core/installation.ts'
import { findOrganization, lockOrganization, updateOrganization } from '../../../src/core/organization.ts'
import { archiveSome } from '../../../src/core/upkeep/retention.ts'
import type { Service } from '../../../src/service.ts'
import { openService } from '../../../src/service.ts'
import { Client } from 'pg'
import { openEmptyDatabase, openTestDatabase, quietLog } from '../../support/database.ts'
import { openDerivation } from '../../support/derive.ts'
import { newDirectory } from '../../support/directory.ts'
import { openFiles } from '../../support/file.ts'
import { addPerson } from '../../support/http.ts'
import { openManager } from '../../support/manage.ts'
import { addClient, addToken, testPassword, testSecrets } from '../../support/people.ts'
import type { TestService } from '../../support/service.ts'
import { openTestService, testMasterKey } from '../../support/service.ts'
import { eventually } from '../../support/within.ts'

type EmptyDatabase = Awaited<ReturnType<typeof openEmptyDatabase>>

const dayMs = 86_400_000
const today = Math.floor(Date.now() / dayMs) * dayMs
const passphrase = 'correct horse battery'
/** The usual one takes half a second each time. */
const cost = [4, 8, 1] as const

/** The texts of the parts of a tar archive, those of .gz unpacked. */
function* partsOf(archive: Buffer): Generator<string> {
  for (let at = 0; archive[at];) {
    const name = archive.toString('latin1', at, at + 100).replace(/\0.*/s, '')
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 136), 8)
    const content = archive.subarray(at + 512, at + 512 + size)
    yield (name.endsWith('.gz') ? gunzipSync(content) : content).toString('latin1')
    at += 512 + Math.ceil(size / 512) * 512
  }
}

describe('core/backup', () => {
  let service: TestService
  let directory: string
  before(async () => {
    service = await openTestService({ baseUrl: 'http://data.example' })
    await checkMasterKey(service.sql, testSecrets)
    directory = await newDirectory('backup')
  })
  after(() => service.close())

  let made = 0
  const backUp = async (more: Partial<BackupOptions> = {}): Promise<string> => {
    made += 1
    const path = join(directory, `${made}.tar`)
    const file = await open(path, 'w')
    const { databaseUrl } = service
    const output = (bytes: Buffer) => file.write(bytes)
    try {
      await writeBackup({ databaseUrl, masterKey: testMasterKey, passphrase, cost, nowMs: Date.now(), output, ...more })
    } finally {
      await file.close()
    }
    return path
  }
  const check = (path: string, masterKey?: string, word = passphrase) =>
    checkBackup({ path, passphrase: () => Promise.resolve(word), masterKey })
  const restore = async (path: string): Promise<EmptyDatabase> => {
    const database = await openEmptyDatabase()
    await restoreBackup({ checked: await check(path), databaseUrl: database.url, log: quietLog })
    return database
  }
  const put = async (query: string, body?: string) => {
    const { status, text } = await service.put(`/api/feed${query}`, body)
    assert.equal(status, 200, text)
  }

  it('holds every table that a database has, but for tiles, unlogged ones and those that are left for a reason', async () => {
    const database = await openTestDatabase()
    const client = new Client({ connectionString: database.url })
    await client.connect()
    try {
      const { rows } = await client.query<{ name: string }>(
        `select case nspname when 'public' then '' else nspname || '.' end || relname as name
         from pg_class
         join pg_namespace on pg_namespace.oid = relnamespace
         where nspname in ('public', 'bi') and relkind in ('r', 'p') and relpersistence = 'p'
           and relname <> 'migration' and relname !~ '^(tile|zone)_(hour|day)'`,
      )
      const held = (await tablesOf(client, await migrationNames())).map(({ name }) => name)
      assert.deepEqual([...held, ...leftTables.keys()].toSorted(), rows.map(({ name }) => name).toSorted())
    } finally {
      await client.end()
      await database.drop()
    }
  })

  describe('of an installation with something of everything', () => {
    let restored: EmptyDatabase
    let second: Service
    let paths: readonly string[]
    let credentials: Readonly<Record<'key' | 'session' | 'token', string>>
    let keyUid: string
    let acknowledged = 0
    let acknowledgedBefore = 0
    const done = new AbortController()
    /** One after another, until the backup is made. */
    const upload = async () => {
      while (!done.signal.aborted) {
        await put(`?compId=Busy&n=${acknowledged}&m=${acknowledged}&time=${today + acknowledged}`)
        acknowledged += 1
      }
    }
    before(async () => {
      const manage = await openManager(service)
      const unit = await manage.make('unit', { id: 'kw', symbol: 'kW' })
      await manage.make('cycle', {
        id: 'shift',
        name: 'Shift',
        size: 8,
        unit: 'hour',
        reference: '2026-01-01T06:00:00',
      })
      const numbers = { kind: 'random', valueType: 'LONG' }
      const template = await manage.make('template', { id: 'Mould', stream: [{ id: 'n', ...numbers }] })
      await manage.make('component', {
        id: 'Cast',
        templateUid: template.uid,
        folder: '/Components/Hall',
        timeZone: 'Asia/Kathmandu',
      })
      const interval = { kind: 'interval', valueType: 'DOUBLE', baseCycleId: 'minute', unitUid: unit.uid }
      const derived = { id: 'twice', ...interval, expression: 'p * 2', variables: [{ name: 'p', streamId: 'power' }] }
      const words = { id: 'word', kind: 'random', valueType: 'STRING' }
      const point = { id: 'where', kind: 'point', valueType: 'STRING' }
      const flag = { id: 'flag', kind: 'random', valueType: 'BOOLEAN' }
      await manage.make('component', {
        id: 'Meter',
        stream: [{ id: 'power', ...interval }, derived, words, point, flag],
      })
      const minutes = Array.from({ length: 1500 }, (_, n) => n).filter((n) => n % 7 > 0)
      const samples = minutes.map((n) => ({
        compId: 'Meter',
        streamId: 'power',
        data: n / 8,
        time: today - 2 * dayMs + n * 60_000,
      }))
      await put('', JSON.stringify(samples))
      await put(`?compId=Meter&word=${encodeURIComponent('tab\t; "quote" \\N ü 🌲')}&where=here&flag=true`)
      await put(`?compId=Cast&n=9007199254740993&time=${today - 5 * dayMs}`)
      await put(`?compId=Old&t=1,2,3&time=${[40, 39, 38].map((days) => today - days * dayMs).join()}`)
      await openDerivation(service)()
      const { key } = (await findOrganization(service.sql, service.organizationUid))!
      await transaction(service.sql, async (sql) => {
        const organization = (await lockOrganization(sql, key))!
        await updateOrganization(sql, organization, { ...organization, retentionDays: 30 })
      })
      while (await archiveSome(service.sql, Date.now()));
      const photo = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 7919) % 251))
      assert.equal((await openFiles(service).put('/api/comp/Gate/stream/photo/feed/file/a.bin', photo)).status, 200)
      const owner = await addPerson(service, 'owner')
      const session = owner.call
      const hook = {
        type: 'http',
        name: 'Hook',
        endpoint: 'hook',
        runAsUserUid: owner.user.uid,
        sql: "INSERT INTO SAMPLE(CID, ID, SAMPLE) SELECT 'Pushed', 'x', 1",
      }
      assert.equal((await session('POST', '/api/connector', hook)).status, 201)
      const source = {
        name: 'ERP',
        kind: 'postgresql',
        host: 'erp.example',
        database: 'erp',
        user: 'reader',
        password: 'the secret of the ERP',
      }
      assert.equal((await session('POST', '/api/connection', source)).status, 201)
      assert.equal((await session('POST', '/api/query', { name: 'All', sql: 'SELECT 1 AS A' })).status, 201)
      const wall = { name: 'Wall', tile: [{ kind: 'text', text: 'as it was' }] }
      assert.equal((await session('POST', '/api/dashboard', wall)).status, 201)
      const apiKey = (
        await session('POST', '/api/api_key', {
          name: 'Reader',
          capabilities: [{ resource: '*', methods: ['GET', 'PUT'] }],
        })
      ).body
      const { uid, secret } = (apiKey as { api_key: { uid: string; secret: string } }).api_key
      keyUid = uid
      await addClient(service.sql, service.organizationUid, { secret: 'of a client' })
      const login = await service.request('POST', '/api/login', {
        body: JSON.stringify({ email: owner.user.email, password: 'correct horse battery staple' }),
      })
      credentials = {
        key: `api_key=${secret}`,
        session: `session=${(login.json as { sessionUid: string }).sessionUid}`,
        token: `access_token=${await addToken(service.sql, service.organizationUid, owner.user)}`,
      }
      const entities = [
        'organization',
        'user',
        'component',
        'template',
        'stream',
        'cycle',
        'unit',
        'folder',
        'api_key',
        'oauth_client',
        'connector',
        'connection',
        'query',
        'dashboard',
        'audit',
        'grant',
      ]
      const statistics = ['avg', 'sum', 'min', 'max', 'first', 'last', 'gapcount', 'milliseccount']
      paths = [
        ...entities.map((name) => `/api/${name}?`),
        ...['Meter', 'Cast', 'Old', 'Gate'].flatMap((id) => [
          `/api/comp/${id}/feed?retStreamId&limit=1000&`,
          `/api/comp/${id}/last_value?`,
          `/api/comp/${id}/property?name&description&`,
        ]),
        ...statistics.flatMap((name) =>
          ['hour', 'day', 'month', 'shift'].map(
            (cycle) => `/api/comp/Meter/stream/power/cycle/${cycle}/stat/${name}/feed?`,
          ),
        ),
        '/api/comp/Meter/stream/twice/cycle/day/stat/avg/feed?',
        '/api/comp/Old/stream/t/cycle/day/stat/sum/feed?',
        '/api/comp/Gate/stream/photo/feed/file/a.bin?',
        `/api/gql?s=${encodeURIComponent("SELECT cid, id, time, sample(Range(last=100)) FROM Stream WHERE cid <> 'Busy' ORDER BY cid, id, time")}&`,
      ]
      const uploading = upload()
      await eventually(() => Promise.resolve(acknowledged >= 20))
      acknowledgedBefore = acknowledged
      const path = await backUp()
      done.abort()
      await uploading
      restored = await restore(path)
      const { config } = service.service.world
      const { masterKey } = await check(path)
      second = await openService({
        config: { ...config, port: 0 },
        databaseUrl: restored.url,
        masterKey,
        clock: service.service.world.clock,
        log: quietLog,
      })
    })
    after(async () => {
      await second.close()
      await restored.drop()
    })

    const replies = async (url: string, credential: string) => {
      const found: Record<string, string> = {}
      for (const path of paths) {
        const reply = await fetch(`${url}${path}${credential}`)
        const text = Buffer.from(await reply.arrayBuffer()).toString('latin1')

        found[path] = `${reply.status} ${reply.headers.get('etag')} ${reply.headers.get('content-type')} ${text}`
      }
      return found
    }

    it('gives the same replies of all reading calls when it is restored, by the same session', async () => {
      const before = await replies(service.url, credentials.session)
      for (const [path, reply] of Object.entries(before)) assert.match(reply, /^200 /, path)
      assert.deepEqual(await replies(second.url, credentials.session), before)
    })

    it('keeps API keys, OAuth tokens and secrets', async () => {
      for (const credential of [credentials.key, credentials.token])
        assert.deepEqual(await replies(second.url, credential), await replies(service.url, credential))
      const secret = await fetch(`${second.url}/api/api_key/${keyUid}/secret?${credentials.session}`)
      assert.deepEqual(await secret.json(), {
        success: true,
        message: '',
        secret: credentials.key.slice('api_key='.length),
      })
    })

    it('has no credential, password or key in clear text, in any of its parts', async () => {
      const whole = await readFile(await backUp())
      const parts = [...partsOf(whole)]
      const text = parts.join('\n')
      assert.ok(text.includes('erp.example'), 'the rows are not read')
      const secrets = [
        ...Object.values(credentials).map((credential) => credential.slice(credential.indexOf('=') + 1)),
        service.apiKey,
        service.ownerPassword,
        testPassword,
        'of a client',
        testMasterKey,
        passphrase,
        'the secret of the ERP',
      ]
      // Bytes are hexadecimal digits in the rows.
      for (const secret of secrets)
        for (const form of [secret, Buffer.from(secret).toString('hex')])
          assert.ok(!text.includes(form) && !whole.includes(form), secret)
    })

    it('gives numbers that were never given before to what is made after a restore', async () => {
      const uploaded = await fetch(`${second.url}/api/feed?compId=Late&x=1&${credentials.key}`, { method: 'PUT' })
      assert.equal(uploaded.status, 200, await uploaded.text())
      const [before] = await service.sql<[{ last: number }]>`select max(key) as last from stream`
      const [after] = await restored.sql<[{ first: number }]>`
        select min(stream.key) as first from stream join component on component.key = component_key where component.id = 'Late'`
      assert.ok(after.first > before.last)
    })

    it('is the state of one moment, with every sample that was acknowledged before it began', async () => {
      const rows = await restored.sql<{ id: string; count: number; last: number }[]>`
        select stream.id, count(*), max(num) as last
        from sample
        join stream on stream.key = stream_key
        join component on component.key = component_key
        where component.id = 'Busy'
        group by 1`
      assert.equal(rows.length, 2)
      for (const { count, last } of rows) assert.equal(count, last + 1, 'a sample in the middle is missing')
      assert.equal(rows[0]!.count, rows[1]!.count, 'half of an upload is there')
      assert.ok(rows[0]!.count >= acknowledgedBefore, `${rows[0]!.count} of ${acknowledgedBefore}`)
    })

    it('is refused where a server has begun with the database while it waited', async () => {
      const checked = await check(await backUp())
      const database = await openEmptyDatabase()
      const server = new Client({ connectionString: database.url })
      await server.connect()
      try {
        await migrate(database.url, quietLog)
        await server.query('select pg_advisory_lock(7046293115)')
        const restoring = restoreBackup({ checked, databaseUrl: database.url, log: quietLog })
        const refusal = assert.rejects(restoring, /^BackupError: The database is not empty/)
        await eventually(async () => {
          const { rows } = await server.query("select from pg_locks where locktype = 'advisory' and not granted")
          return rows.length > 0
        })
        await checkMasterKey(database.sql, testSecrets)
        await server.query('select pg_advisory_unlock(7046293115)')
        await refusal
        assert.equal((await database.sql`select from installation`).length, 1)
      } finally {
        await server.end()
        await database.drop()
      }
    })

    it('is refused, and nothing is touched, where the database is not empty', async () => {
      const checked = await check(await backUp())
      const again = { checked, databaseUrl: restored.url, log: quietLog }
      await assert.rejects(restoreBackup(again), {
        name: 'BackupError',
        message: /^The database is not empty, and a backup/,
      })
      const foreign = await openEmptyDatabase()
      try {
        await foreign.sql`create table theirs (key integer)`
        await assert.rejects(
          restoreBackup({ ...again, databaseUrl: foreign.url }),
          /^BackupError: The database is not empty/,
        )
        assert.deepEqual([...(await foreign.sql`select to_regclass('migration')::text as name`)], [{ name: null }])
      } finally {
        await foreign.drop()
      }
    })
  })

  it('is refused before anything is touched when it was cut or changed, wherever', async () => {
    const path = await backUp()
    const whole = await readFile(path)
    const wrong = join(directory, 'wrong.tar')
    const refuses = async (bytes: Buffer, what: string) => {
      await writeFile(wrong, bytes)
      await assert.rejects(
        check(wrong),
        { name: 'BackupError', message: /^(This is no whole backup|This backup|The (pass|master))/ },
        what,
      )
    }
    for (const part of [0, 0.1, 0.5, 0.9])
      await refuses(whole.subarray(0, Math.floor(whole.length * part)), `cut at ${part}`)
    // Its end, without the last part and without the last blocks.
    await refuses(whole.subarray(0, whole.lastIndexOf('checksums.json')), 'without checksums')
    for (const place of ['"edition": "', 'sample/000001.gz', '"rows": ', '"authentication": "']) {
      const bytes = Buffer.from(whole)
      const at = bytes.lastIndexOf(place) + place.length - 1
      bytes[at] = bytes[at]! ^ 1
      await refuses(bytes, `changed at ${place}`)
    }
    const inPiece = Buffer.from(whole)
    const head = inPiece.indexOf('sample/000001.gz')
    inPiece[head + 512 + 20]! ^= 1
    await refuses(inPiece, 'changed in a piece')
    await refuses(Buffer.from('no tar at all'.repeat(1000)), 'no tar')
    await assert.rejects(check(join(directory, 'none.tar')), /^BackupError: The backup cannot be read: ENOENT/)
  })

  it('is found out when somebody has changed it and made its checksums anew', async () => {
    const { head, sums, masterKey } = await check(await backUp())
    assert.notEqual(head.masterKey, null)
    const { authenticate } = await import('../../../src/core/backup/sealed-key.ts')
    const { signedText } = await import('../../../src/core/backup/format.ts')
    const changed = { ...sums, tables: sums.tables.map((table) => ({ ...table, rows: table.rows + 1 })) }
    assert.equal(authenticate(masterKey, signedText(sums)), sums.authentication)
    assert.notEqual(authenticate(masterKey, signedText(changed)), sums.authentication)
    assert.notEqual(authenticate('another key', signedText(sums)), sums.authentication)
  })

  it('needs its passphrase, or the master key itself where that was left out', async () => {
    const sealed = await backUp()
    await assert.rejects(check(sealed, undefined, 'wrong horse battery'), /^BackupError: The passphrase is not the one/)
    await assert.rejects(
      check(sealed, 'another key'),
      /^BackupError: The master key here .* is not the one of the backup/,
    )
    const bare = await backUp({ passphrase: undefined })
    assert.ok(!(await readFile(bare)).includes(testMasterKey))
    assert.ok(!(await readFile(sealed)).includes(testMasterKey))
    for (const key of [undefined, 'another key'])
      await assert.rejects(
        check(bare, key),
        /^BackupError: This backup was made without its master key: set MASTER_KEY/,
      )
    assert.equal((await check(bare, testMasterKey)).masterKey, testMasterKey)
    await assert.rejects(
      backUp({ masterKey: 'another key' }),
      /^BackupError: The master key is not the one this database/,
    )
  })

  it('is restored as it was when it is of a version before, and then brought up to date', async () => {
    const [names, older, target] = [await migrationNames(), await openEmptyDatabase(), await openEmptyDatabase()]
    try {
      await migrate(older.url, quietLog, undefined, undefined, names.length - 1)
      await checkMasterKey(older.sql, testSecrets)
      await older.sql`insert into organization (name) values ('Of old')`
      const checked = await check(await backUp({ databaseUrl: older.url }))
      assert.deepEqual(checked.head.migrations, names.slice(0, -1))
      await restoreBackup({ checked, databaseUrl: target.url, log: quietLog })
      assert.deepEqual((await migrate(target.url, quietLog)).applied, names.slice(-1))
      assert.deepEqual([...(await target.sql`select key, name from organization`)], [{ key: 1, name: 'Of old' }])
    } finally {
      await older.drop()
      await target.drop()
    }
  })

  it('is refused where a server of a later version has brought the schema further while it waited', async () => {
    const [names, older, target] = [await migrationNames(), await openEmptyDatabase(), await openEmptyDatabase()]
    const first = new Client({ connectionString: target.url })
    await first.connect()
    const waiting = (count: number) =>
      eventually(async () => {
        const { rows } = await first.query(
          `select from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`,
        )
        return rows.length === count
      })
    try {
      await migrate(older.url, quietLog, undefined, undefined, names.length - 1)
      await checkMasterKey(older.sql, testSecrets)
      const checked = await check(await backUp({ databaseUrl: older.url }))
      await first.query('select pg_advisory_lock(7046293115)')
      const restoring = restoreBackup({ checked, databaseUrl: target.url, log: quietLog })
      const refusal = assert.rejects(restoring, /^BackupError: The database is not empty/)
      refusal.catch(() => {})
      await waiting(1)
      const starting = migrate(target.url, quietLog)
      await waiting(2)
      await first.query('select pg_advisory_unlock(7046293115)')
      assert.deepEqual((await starting).applied, names.slice(-1))
      await refusal
      assert.equal((await target.sql`select from installation`).length, 0)
    } finally {
      await first.end()
      await older.drop()
      await target.drop()
    }
  })

  it('is not of a database that nobody has used', async () => {
    const empty = await openEmptyDatabase()
    try {
      await assert.rejects(backUp({ databaseUrl: empty.url }), /^BackupError: There is nothing to back up/)
    } finally {
      await empty.drop()
    }
  })

  it('leaves an empty database behind when its restore is broken off, which can be begun again', async () => {
    const checked = await check(await backUp())
    const target = await openEmptyDatabase()
    try {
      let ending: Promise<unknown> | undefined
      const cut = () =>
        (ending ??= target.sql`
          select pg_terminate_backend(pid, 10000) from pg_stat_activity where application_name = 'coppice restore'`.execute())
      // It is so small that it might be done before.
      const beforeCommit = async () => void (await ending)
      await assert.rejects(
        restoreBackup({ checked, databaseUrl: target.url, log: quietLog, progress: cut, beforeCommit }),
      )
      const [found] = await target.sql<[{ count: number }]>`select count(*) from organization`
      assert.equal(found.count, 0)
      await restoreBackup({ checked, databaseUrl: target.url, log: quietLog })
      const [after] = await target.sql<[{ count: number }]>`select count(*) from organization`
      assert.equal(after.count, 1)
    } finally {
      await target.drop()
    }
  })

  it('is broken off when nobody wants it any more', async () => {
    const stopping = new AbortController()
    const backingUp = backUp({ signal: stopping.signal, progress: () => stopping.abort(new Error('enough')) })
    await assert.rejects(backingUp, /enough/)
  })
})
