// The control of imports: one at a time in all servers, cancelled, changed and deleted while it runs, after a killed
// server.
import assert from 'node:assert/strict'
import type { Fault } from '../../src/base/errors.ts'
import { onOwnConnection } from '../../src/base/database/pool.ts'
import { transaction } from '../../src/base/database/sql.ts'
import type { Pool } from '../../src/base/database/sql.ts'
import { deleteConnector, lockConnector } from '../../src/core/connector.ts'
import { endAbandoned, queueDue, queueRun } from '../../src/core/import/import-queue.ts'
import {
  claimRun,
  failRun,
  findRun,
  finishRun,
  giveUpClaim,
  holdState,
  tryLock,
} from '../../src/core/import/import-run.ts'
import type { ImportOrder, ImportRun } from '../../src/core/import/import-run.ts'
import { addPerson, clientWith } from '../support/http.ts'
import { counts, openImporting } from '../support/import.ts'
import type { Importing, RunAnswer, ShownRun } from '../support/import.ts'
import { addApiKey } from '../support/people.ts'
import { eventually } from '../support/within.ts'

const ingestSql = `
  INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
  SELECT c, 's', t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 c STRING, 2 t LONG, 3 v DOUBLE)`
const slowSql = `select 'Slow', n, n from generate_series(1, 600) n, lateral (select pg_sleep(n * 0 + 0.1)) p`

type Ending = Pick<ImportOrder, 'connectorKey' | 'version'>

describe('imports, while they run', function () {
  let importing: Importing
  before(async () => {
    importing = await openImporting()
  })
  after(() => importing.close())

  const until = async <T>(find: () => Promise<T | undefined>): Promise<T> => {
    let found: T | undefined
    await eventually(async () => (found = await find()) !== undefined)
    return found!
  }
  const begin = async (uid: string): Promise<ShownRun> => {
    const { status, body } = await importing.ask('POST', `/api/connector/${uid}/run?wait=false`)
    assert.equal(status, 200, JSON.stringify(body))
    return (body as RunAnswer).run
  }
  const ended = (uid: string, runUid: string) =>
    until(async () => (await importing.runs(uid)).find((run) => run.uid === runUid && run.end !== null))
  /** As another server would, on a connection of its own. */
  const queueAndClaim = async (own: Pool, uid: string, connectorKey: number) => {
    const nowMs = Date.now()
    const run = { uid, connectorKey, startMs: nowMs }
    const claimElsewhere = () =>
      onOwnConnection(importing.service.sql, undefined, async (other) => {
        const isClaimed = await claimRun(other, run)
        await giveUpClaim(other)
        return isClaimed
      })
    // Before it is seen to wait, so that the service does not take it.
    assert.equal(await tryLock(own, connectorKey, 'session'), true)
    assert.equal(await queueRun(importing.service.sql, { uid, connectorKey, scheduled: false, nowMs }), true)
    assert.equal(await claimElsewhere(), false)
    assert.equal(await claimRun(own, run), true)
    assert.equal(await claimElsewhere(), false)
  }
  const waitingForLocks = async () => {
    const waiting = await importing.service.sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return waiting.length
  }
  const nothingStored = async () => assert.deepEqual(await importing.samples('Slow', 's'), [])

  it('refuses to start one that runs, here or elsewhere', async () => {
    const uid = await importing.make({ externalSql: slowSql, ingestSql })
    const { uid: run } = await begin(uid)
    const again = await importing.ask('POST', `/api/connector/${uid}/run`)
    assert.equal(again.status, 409)
    await importing.ask('DELETE', `/api/connector/${uid}/run/${run}`)
    await ended(uid, run)
    const [row] = await importing.service.sql<{ key: number }[]>`select key from connector where uid = ${uid}`
    await onOwnConnection(importing.service.sql, undefined, async (own) => {
      await queueAndClaim(own, 'of another server', row!.key)
      assert.equal((await importing.ask('POST', `/api/connector/${uid}/run`)).status, 409)
      await giveUpClaim(own)
    })
  })

  it('closes a run whose server is gone, and goes ahead', async () => {
    const uid = await importing.make({ externalSql: `select 'Gone', 1, 1`, ingestSql })
    const [row] = await importing.service.sql<{ key: number }[]>`select key from connector where uid = ${uid}`
    // As a killed server leaves it: the lock went with its connection, the row stayed.
    await onOwnConnection(importing.service.sql, undefined, async (own) => {
      await queueAndClaim(own, 'killed', row!.key)
      await giveUpClaim(own)
    })
    // A look of the service that had seen it wait may hold the lock for a moment.
    const answer = await until(async () => {
      const { status, body } = await importing.ask('POST', `/api/connector/${uid}/run`)
      return status === 409 ? undefined : (body as RunAnswer)
    })
    assert.deepEqual(counts(answer), { fetched: 1, inserted: 1, skipped: 0 })
    const [last, killed] = await importing.runs(uid)
    assert.equal(last!.error, null)
    assert.deepEqual([killed!.uid, killed!.error], ['killed', 'the server stopped while it ran'])
    assert.notEqual(killed!.end, null)
  })

  it('answers a caller who waits for a run that another server has begun and left', async () => {
    const uid = await importing.make({ externalSql: `select 'Left', 1, 1`, ingestSql })
    const [row] = await importing.service.sql<{ key: number }[]>`select key from connector where uid = ${uid}`
    const { status, body } = await onOwnConnection(importing.service.sql, undefined, async (own) => {
      // The service does not begin it itself.
      assert.equal(await tryLock(own, row!.key, 'session'), true)
      const asked = importing.ask('POST', `/api/connector/${uid}/run`)
      const { uid: run } = await until(async () => (await importing.runs(uid))[0])
      assert.equal(await claimRun(own, { uid: run, connectorKey: row!.key, startMs: Date.now() }), true)
      await giveUpClaim(own)
      return asked
    })
    const { success, message } = body as RunAnswer
    assert.deepEqual([status, success, message], [200, false, 'the server stopped while it ran'])
  })

  it('shows how far a run is, and cancels it', async () => {
    const uid = await importing.make({ externalSql: slowSql.replace('0.1', '0.002'), ingestSql })
    await importing.ask('PUT', `/api/connector/${uid}`, { externalSql: slowSql })
    const { uid: run, end } = await begin(uid)
    assert.equal(end, null)
    const cancelled = await importing.ask('DELETE', `/api/connector/${uid}/run/${run}`)
    assert.equal(cancelled.status, 200)
    const { error, inserted } = await ended(uid, run)
    assert.deepEqual([error, inserted], ['it was cancelled', 0])
    await nothingStored()
    assert.equal((await importing.ask('DELETE', `/api/connector/${uid}/run/unknown`)).status, 404)
    const { failures, lastError } = await importing.show(uid)
    assert.deepEqual([failures, lastError], [0, null])
  })

  it('ends a run that another server is asked to cancel, within some seconds', async () => {
    const uid = await importing.make({ externalSql: slowSql, ingestSql })
    const { uid: run } = await begin(uid)
    await importing.service.sql`update import_run set cancelled = true where uid = ${run}`
    assert.equal((await ended(uid, run)).error, 'it was cancelled')
    await nothingStored()
  })

  it('ends a run whose connector is changed, switched off or deleted, storing nothing', async () => {
    for (const change of [{ name: 'other' }, { enabled: false }]) {
      const uid = await importing.make({ externalSql: slowSql, ingestSql })
      const { uid: run } = await begin(uid)
      assert.equal((await importing.ask('PUT', `/api/connector/${uid}`, change)).status, 200)
      assert.equal((await ended(uid, run)).error, 'the connector was changed while it ran')
      assert.equal((await importing.show(uid)).failures, 0)
    }
    const uid = await importing.make({ externalSql: slowSql, ingestSql })
    const waiting = importing.ask('POST', `/api/connector/${uid}/run`)
    await until(async () => ((await importing.runs(uid)).length > 0 ? true : undefined))
    assert.equal((await importing.ask('DELETE', `/api/connector/${uid}`)).status, 200)
    const { body } = await waiting
    assert.equal((body as RunAnswer).success, false)
    await nothingStored()
  })

  for (const [index, [what, change, message]] of (
    [
      [
        'taken over by another server',
        'update import_run set ended_at = now() where ended_at is null',
        'the connector is gone, or another server has taken the import over',
      ],
      ['cancelled', 'update import_run set cancelled = true where ended_at is null', 'it was cancelled'],
      ['changed', 'update connector set version = version + 1', 'the connector was changed while it ran'],
    ] as const
  ).entries())
    it(`stores nothing of a run that is ${what} at the last moment, when everything is worked out`, async () => {
      const { sql } = importing.service
      const id = `Late${index}`
      const uid = await importing.make({ externalSql: `select '${id}', 1, 1`, ingestSql })
      // While its samples are stored, in the same transaction: nobody can come later.
      await sql.unsafe(`
        create function come_late() returns trigger language plpgsql as 'begin ${change}; return new; end';
        create trigger come_late before insert on component for each row execute function come_late()`)
      try {
        const answer = await importing.run(uid)
        assert.deepEqual([answer.message, answer.run.fetched], [message, 1])
      } finally {
        await sql.unsafe('drop trigger come_late on component; drop function come_late')
      }
      assert.deepEqual(await importing.samples(id, 's'), [])
      assert.equal((await importing.runs(uid))[0]!.state, 'failed')
    })

  for (const [what, hold] of [
    ['is edited', lockConnector],
    ['has a run that ends', holdState],
  ] as const)
    it(`is not waited for, nor does it wait, where it is due and ${what}`, async () => {
      const { sql } = importing.service
      const uid = await importing.make({ externalSql: `select 'Due', 1, 1`, ingestSql, schedule: '0 0 1 1 *' })
      const [due] = await sql<{ connectorKey: number; nextRunMs: number }[]>`
        select key as "connectorKey", next_run_at as "nextRunMs"
        from connector join import_state on connector_key = key
        where uid = ${uid}`
      const queue = () => queueDue(sql, due!, due!.nextRunMs, { uid: what, nowMs: Date.now() })
      await transaction(sql, async (tx) => {
        await hold(tx, due!.connectorKey)
        let isQueued: boolean | undefined
        const queued = queue().then((is) => (isQueued = is))
        queued.catch(() => {})
        await eventually(async () => isQueued !== undefined || (await waitingForLocks()) === 1)
        assert.equal(isQueued, false)
        await tx`update import_state set next_run_at = next_run_at where connector_key = ${due!.connectorKey}`
      })
      assert.equal(await queue(), true)
      await importing.ask('DELETE', `/api/connector/${uid}`)
    })

  const endings = [
    ['succeeds', (sql: Pool, order: Ending, run: ImportRun) => transaction(sql, (tx) => finishRun(tx, order, run))],
    ['fails', (sql: Pool, order: Ending, run: ImportRun) => failRun(sql, order, { ...run, error: 'x' })],
    [
      'has lost its server',
      async (sql: Pool, { connectorKey }: Ending, { endMs }: ImportRun, own: Pool) => {
        await giveUpClaim(own)
        await endAbandoned(sql, { connectorKey, nowMs: endMs! })
      },
    ],
  ] as const
  for (const [what, end] of endings)
    it(`ends while it is due, and neither waits for the other in vain: one that ${what}`, async () => {
      const { sql } = importing.service
      const uid = await importing.make({ externalSql: slowSql, ingestSql })
      const order = await onOwnConnection(sql, undefined, async (own) => {
        const [connector] = await own<{ key: number }[]>`select key from connector where uid = ${uid}`
        await queueAndClaim(own, what, connector!.key)
        const found = { connectorKey: connector!.key, version: 1 }
        const run = { ...(await findRun(sql, found.connectorKey, what))!, endMs: Date.now() }
        let ending: Promise<unknown> | undefined
        await transaction(sql, async (tx) => {
          await tx`select from import_state where connector_key = ${found.connectorKey} for update`
          ending = end(sql, found, run, own)
          ending.catch(() => {})
          await eventually(async () => (await waitingForLocks()) === 1)
          // As another server does with one that is due.
          const { count } = await tx`
            insert into import_run (uid, connector_key, started_at, scheduled)
            values ('another', ${found.connectorKey}, 'infinity', true)
            on conflict (connector_key) where ended_at is null do nothing`
          assert.equal(count, 0)
        })
        await ending
        await giveUpClaim(own)
        return found
      })
      assert.notEqual((await findRun(sql, order.connectorKey, what))!.endMs, null)
      await importing.ask('DELETE', `/api/connector/${uid}`)
    })

  for (const [what, end] of endings)
    it(`ends while its connector is deleted, and neither waits for the other in vain: one that ${what}`, async () => {
      const { sql } = importing.service
      const uid = await importing.make({ externalSql: slowSql, ingestSql })
      await onOwnConnection(sql, undefined, async (own) => {
        const [connector] = await own<[{ key: number }]>`select key from connector where uid = ${uid}`
        const { key } = connector
        await queueAndClaim(own, what, key)
        const run = { ...(await findRun(sql, key, what))!, endMs: Date.now() }
        let ending: Promise<unknown> | undefined
        await transaction(sql, async (tx) => {
          await lockConnector(tx, key)
          // As a deletion does, before it comes to the state.
          await tx`select from import_run where connector_key = ${key} for update`
          ending = end(sql, { connectorKey: key, version: 1 }, run, own)
          ending.catch(() => {})
          await eventually(async () => (await waitingForLocks()) === 1)
          assert.equal(await deleteConnector(tx, key), true)
        })
        // 'conflict' is told to one that wanted to store.
        await ending?.catch((error: unknown) => assert.equal((error as Fault).code, 'conflict'))
      })
    })

  it('runs one at a time for each connection', async () => {
    const slow = await importing.make({ externalSql: slowSql, ingestSql })
    const other = await importing.make({ externalSql: `select 'Turn', 1, 1`, ingestSql })
    const { uid: run } = await begin(slow)
    const waiting = importing.run(other)
    const { state, place, start, elapsed } = await until(async () => (await importing.runs(other))[0])
    assert.deepEqual([state, place, start, elapsed], ['waiting', 1, null, 0])
    await importing.ask('DELETE', `/api/connector/${slow}/run/${run}`)
    assert.deepEqual(counts(await waiting), { fetched: 1, inserted: 1, skipped: 0 })
    const [before, begun] = [(await importing.runs(slow))[0]!, (await importing.runs(other))[0]!]
    assert.equal(begun.state, 'succeeded')
    assert.ok(begun.start! >= before.end!, `begun at ${begun.start} beside one that ended at ${before.end}`)
  })

  it('cancels a run that waits: it has ended by that, is no failure, and runs that wait behind it move up', async () => {
    const slow = await importing.make({ externalSql: slowSql, ingestSql })
    const others = [
      await importing.make({ externalSql: `select 'Turn', 2, 1`, ingestSql }),
      await importing.make({ externalSql: `select 'Turn', 3, 1`, ingestSql }),
    ] as const
    const { uid: run } = await begin(slow)
    const first = importing.ask('POST', `/api/connector/${others[0]}/run`)
    const one = await until(async () => (await importing.runs(others[0]))[0])
    const second = await begin(others[1])
    assert.deepEqual([second.state, second.place], ['waiting', 2])
    assert.equal((await importing.ask('POST', `/api/connector/${others[0]}/run`)).status, 409)
    const { body } = await importing.ask('DELETE', `/api/connector/${others[0]}/run/${one.uid}`)
    const { state, error, end } = (body as RunAnswer).run
    assert.deepEqual([state, error, end === null], ['failed', 'it was cancelled', false])
    assert.equal(((await first).body as RunAnswer).message, 'it was cancelled')
    assert.equal((await importing.show(others[0])).failures, 0)
    assert.equal((await importing.runs(others[1]))[0]!.place, 1)
    const { body: cancelled } = await importing.ask('DELETE', `/api/connector/${slow}/run/${run}`)
    assert.notEqual((cancelled as RunAnswer).run.end, null)
    assert.equal((await ended(others[1], second.uid)).error, null)
  })

  it('runs one that waits when no server is left that it was asked of', async () => {
    const uid = await importing.make({ externalSql: `select 'Left', 1, 1`, ingestSql })
    const [row] = await importing.service.sql<{ key: number }[]>`select key from connector where uid = ${uid}`
    const queued = { uid: 'left', connectorKey: row!.key, scheduled: false, nowMs: Date.now() }
    assert.deepEqual(
      await Promise.all([
        queueRun(importing.service.sql, queued),
        queueRun(importing.service.sql, { ...queued, uid: 'x' }),
      ]).then((won) => won.toSorted()),
      [false, true],
    )
    await until(async () => (await importing.runs(uid)).find(({ end }) => end !== null))
    assert.deepEqual(await importing.samples('Left', 's'), [[1, 1]])
  })

  it('does not begin one that waits and whose connector is switched off or deleted', async () => {
    const slow = await importing.make({ externalSql: slowSql, ingestSql })
    const off = await importing.make({ externalSql: `select 'Never', 1, 1`, ingestSql })
    const gone = await importing.make({ externalSql: `select 'Never', 2, 1`, ingestSql })
    const { uid: run } = await begin(slow)
    const { uid: waiting } = await begin(off)
    const asked = importing.ask('POST', `/api/connector/${gone}/run`)
    await until(async () => (await importing.runs(gone))[0])
    await importing.ask('PUT', `/api/connector/${off}`, { enabled: false })
    await importing.ask('DELETE', `/api/connector/${gone}`)
    const { error } = await ended(off, waiting)
    assert.equal(error, 'the connector is switched off')
    const { status, body } = await asked
    assert.deepEqual([status, (body as { message: string }).message], [409, 'the connector is gone'])
    await importing.ask('DELETE', `/api/connector/${slow}/run/${run}`)
    assert.deepEqual(await importing.samples('Never', 's'), [])
  })

  it('refuses to run one that is switched off, or is no import', async () => {
    const uid = await importing.make({ externalSql: `select 'Off', 1, 1`, ingestSql, enabled: false })
    assert.equal((await importing.ask('POST', `/api/connector/${uid}/run`)).status, 409)
    assert.equal((await importing.ask('POST', '/api/connector/unknown/run')).status, 404)
    const http = { name: 'h', endpoint: 'h', runAsUserUid: importing.admin.user.uid, sql: 'SELECT 1' }
    const { body } = await importing.ask('POST', '/api/connector', http)
    const { connector } = body as { connector: { uid: string } }
    assert.equal((await importing.ask('POST', `/api/connector/${connector.uid}/run`)).status, 400)
    assert.equal((await importing.ask('GET', `/api/connector/${connector.uid}/run`)).status, 400)
  })

  describe('and their rights', () => {
    const members = () => ({
      type: 'import',
      name: 'x',
      connectionUid: importing.connectionUid,
      runningUserUid: importing.admin.user.uid,
      externalSql: 'select 1',
      ingestSql: 'SELECT 1',
    })

    it('lets members see imports and their runs, and neither save nor start nor cancel them', async () => {
      const uid = await importing.make({ externalSql: `select 'Role', 1, 1`, ingestSql })
      const { call } = await addPerson(importing.service, 'member')
      assert.equal((await call('GET', `/api/connector/${uid}`)).status, 200)
      assert.equal((await call('GET', `/api/connector/${uid}/run`)).status, 200)
      assert.equal((await call('POST', '/api/connector', members())).status, 403)
      assert.equal((await call('POST', `/api/connector/${uid}/run`)).status, 403)
      assert.equal((await call('DELETE', `/api/connector/${uid}/run/x`)).status, 403)
      const trial = { connectionUid: importing.connectionUid, externalSql: 'select 1', ingestSql: 'SELECT 1' }
      assert.equal((await call('POST', '/api/connector/import_test', trial)).status, 403)
    })

    it('refuses a key that may save connectors but not see the connection, or may not do what the running user may', async () => {
      const { sql, organizationUid } = importing.service
      const methods = ['GET', 'PUT', 'POST', 'DELETE'] as const
      const withKey = async (resources: readonly string[]) => {
        const capabilities = resources.map((resource) => ({ resource, methods: [...methods] }))
        const { secret } = await addApiKey(sql, organizationUid, capabilities)
        return clientWith(importing.service, `api_key=${secret}`)
      }
      const noConnection = await withKey(['connector', 'component/*/feed'])
      const refused = await noConnection('POST', '/api/connector', members())
      assert.equal(refused.status, 403)
      assert.match(JSON.stringify(refused.body), /may not GET connection/)
      const noFeed = await withKey(['connector', 'connection'])
      assert.match(JSON.stringify((await noFeed('POST', '/api/connector', members())).body), /component\/\*\/feed/)
      const both = await withKey(['connector', 'connection', 'component/*/feed'])
      const made = await both('POST', '/api/connector', members())
      assert.equal(made.status, 201, JSON.stringify(made.body))
      const { connector } = made.body as { connector: { uid: string } }
      const renamed = await noFeed('PUT', `/api/connector/${connector.uid}`, { name: 'y' })
      assert.equal(renamed.status, 200)
      const other = await noConnection('PUT', `/api/connector/${connector.uid}`, { externalSql: 'select 2' })
      assert.equal(other.status, 403)
    })

    it('refuses members of the other type, a script that is wrong, and a schedule that never comes', async () => {
      for (const [change, message] of [
        [{ endpoint: 'x' }, /endpoint is no member of an import/],
        [{ ingestSql: 'INSERT INTO SAMPLE' }, /line 1/],
        [{ schedule: '0 0 30 2 *' }, /never comes/],
        [{ schedule: 'hourly' }, /five fields/],
        [{ schedule: '61 * * * *' }, /minute/],
        [{ connectionUid: 'unknown' }, /connection 'unknown' not found/],
        [{ maxRows: -1 }, /maxRows/],
      ] as const) {
        const { status, body } = await importing.ask('POST', '/api/connector', { ...members(), ...change })
        assert.ok(status === 400 || status === 404, JSON.stringify(change))
        assert.match(JSON.stringify(body), message)
      }
      const http = { name: 'h', endpoint: 'h2', runAsUserUid: importing.admin.user.uid, sql: 'SELECT 1', maxRows: 5 }
      assert.match(JSON.stringify((await importing.ask('POST', '/api/connector', http)).body), /maxRows is no member/)
    })

    it('tries an Ingest SQL on the first 20 rows, as the caller, and stores nothing', async () => {
      const trial = { connectionUid: importing.connectionUid, externalSql: slowSql.replace('0.1', '0'), ingestSql }
      const { status, body } = await importing.ask('POST', '/api/connector/import_test', trial)
      assert.equal(status, 200, JSON.stringify(body))
      const { fetched, rows, columns } = body as { fetched: number; rows: unknown[]; columns: unknown[] }
      assert.deepEqual([fetched, rows.length, columns.length], [20, 20, 3])
      assert.deepEqual(rows[4], { cid: 'Slow', id: 's', time: 5, sample: 5 })
      await nothingStored()
      const wrong = { ...trial, externalSql: `select 'a', 'b', 1` }
      const refused = await importing.ask('POST', '/api/connector/import_test', wrong)
      assert.equal(refused.status, 400)
      assert.match(JSON.stringify(refused.body), /row 1, column t: 'b' is not a LONG/)
    })

    it('shows of a trial no more texts than a million characters, and the row that goes beyond', async () => {
      const { status, body } = await importing.ask('POST', '/api/connector/import_test', {
        connectionUid: importing.connectionUid,
        externalSql: `select n, repeat('x', 100000) from generate_series(1, 20) n`,
        ingestSql: `
          INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Long', 's', t, v
          FROM CSV_TABLE(@JDBC_RESULT) WITH (1 t LONG, 2 v STRING)`,
      })
      assert.equal(status, 200)
      const { fetched, rows } = body as { fetched: number; rows: unknown[] }
      assert.deepEqual([fetched, rows.length], [20, 11])
    })
  })
})
