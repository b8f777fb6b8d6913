// Many imports of several organizations at once: whose turn it is, and that all of them run.
import assert from 'node:assert/strict'
import { onOwnConnection } from '../../src/base/database/pool.ts'
import { waitingRuns } from '../../src/core/import/import-queue.ts'
import { addPerson } from '../support/http.ts'
import { addConnection, openImporting } from '../support/import.ts'
import type { Importing, RunAnswer, ShownRun } from '../support/import.ts'
import { addOrganization, addUser } from '../support/people.ts'
import { openTestClock } from '../support/service.ts'
import { shortOrLong } from '../support/soak.ts'
import { eventually } from '../support/within.ts'

type Importer = Awaited<ReturnType<typeof addImporter>>

const ingestSql = `
  INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT c, 's', NULL, 1 FROM CSV_TABLE(@JDBC_RESULT) WITH (1 c STRING)`

let added = 0

/**
 * An organization with an admin, whose imports wait in the external database until the test lets them go on. It comes from
 * the one that is given, or is on its own.
 */
const addImporter = async (importing: Importing, from?: { readonly organizationUid: string }) => {
  const { service } = importing
  added += 1
  const owner = await addUser(service.sql, `tenant${added}@example.org`)
  if (from) await service.sql`update user_account set tenant_uid = ${from.organizationUid} where key = ${owner.key}`
  const { uid: organizationUid } = await addOrganization(service.sql, `tenant ${added}`, owner)
  const { call, user } = await addPerson(service, 'admin', organizationUid)
  const connect = () => addConnection({ sql: service.sql, organizationUid }, importing.externalUrl)
  const make = async (members: object): Promise<string> => {
    const given = { type: 'import', name: 'x', ingestSql, runningUserUid: user.uid, ...members }
    const { status, body } = await call('POST', '/api/connector', given)
    assert.equal(status, 201, JSON.stringify(body))
    return (body as { connector: { uid: string } }).connector.uid
  }
  return {
    organizationUid,
    connect,
    make,
    start: async (uid: string) => {
      const { body } = await call('POST', `/api/connector/${uid}/run?wait=false`)
      return (body as RunAnswer).run
    },
    runs: async (uid: string) =>
      ((await call('GET', `/api/connector/${uid}/run`)).body as { run: readonly ShownRun[] }).run,
  }
}

/** Of each organization; 201 in all. */
const importsOfEach = shortOrLong(3, 67)

describe('imports of several organizations', function () {
  this.timeout(shortOrLong(180_000, 900_000))
  const startMs = Date.UTC(2026, 5, 1)
  const clock = openTestClock(startMs)
  let importing: Importing
  before(async () => {
    importing = await openImporting({}, clock)
  })
  after(() => importing.close())

  const counted = ({ fetched, inserted }: ShownRun) => [fetched, inserted]
  const stateOf = async (tenant: Importer, uid: string) => (await tenant.runs(uid))[0]?.state

  /** Each on a connection of its own: of one connection one runs at a time. */
  const held = async (tenant: Importer, lock: number) => {
    const externalSql = `select 'c' from pg_advisory_lock_shared(${lock})`
    return tenant.make({ externalSql, connectionUid: await tenant.connect() })
  }

  it('leave their places to others while their databases let them wait, before the first row and between rows', async () => {
    const [first, second, third] = [
      await addImporter(importing),
      await addImporter(importing),
      await addImporter(importing),
    ]
    await onOwnConnection(importing.external, undefined, async (own) => {
      for (const lock of [1, 2, 3]) await own`select pg_advisory_lock(${lock})`
      const between = `
        select 'c' from (
          select null from pg_sleep(0), generate_series(1, 10000)
          union all select null from pg_advisory_lock_shared(3)) t`
      const runs = [
        [first, await held(first, 1)],
        [first, await held(first, 2)],
        [second, await second.make({ externalSql: between, connectionUid: await second.connect() })],
      ] as const
      for (const [tenant, uid] of runs) await tenant.start(uid)
      const states = () => Promise.all(runs.map(([tenant, uid]) => stateOf(tenant, uid)))
      await eventually(async () => (await states()).every((state) => state === 'running'))
      // All places are taken now.
      const short = await third.make({ externalSql: `select 'c'`, connectionUid: await third.connect() })
      await third.start(short)
      await eventually(async () => (await stateOf(third, short)) === 'succeeded')
      assert.deepEqual(await states(), ['running', 'running', 'running'])
      for (const lock of [1, 2, 3]) await own`select pg_advisory_unlock(${lock})`
      await eventually(async () => (await states()).every((state) => state === 'succeeded'))
      const found = await Promise.all(runs.map(async ([tenant, uid]) => (await tenant.runs(uid)).map(counted)))
      assert.deepEqual(found, [[[1, 1]], [[1, 1]], [[10_001, 1]]])
    })
  })

  it('leave each other a session, and turns go round: one with many delays its own alone', async () => {
    const tenants: Importer[] = []
    for (let index = 0; index < 5; index += 1) tenants.push(await addImporter(importing))
    const [many, second, third, fourth, fifth] = tenants as [Importer, Importer, Importer, Importer, Importer]
    await onOwnConnection(importing.external, undefined, async (own) => {
      for (const lock of [1, 2, 3]) await own`select pg_advisory_lock(${lock})`
      const ofMany = [await held(many, 1), await held(many, 2), await held(many, 2), await held(many, 2)]
      for (const uid of ofMany) await many.start(uid)
      const states = () => Promise.all(ofMany.map((uid) => stateOf(many, uid)))
      await eventually(async () => (await states()).filter((state) => state === 'running').length === 2)
      const begin = async (tenant: Importer) => {
        const uid = await held(tenant, 3)
        await tenant.start(uid)
        await eventually(async () => (await stateOf(tenant, uid)) === 'running')
      }
      for (const tenant of [second, second, third, fourth]) await begin(tenant)
      // All sessions are taken now.
      const ofFifth = await held(fifth, 3)
      assert.deepEqual([(await fifth.start(ofFifth)).state, (await fifth.runs(ofFifth))[0]!.place], ['waiting', 1])
      assert.deepEqual(await states(), ['running', 'running', 'waiting', 'waiting'])
      await own`select pg_advisory_unlock(1)`
      // The session that is given back is for the one that has none, though others have waited longer.
      await eventually(async () => (await stateOf(fifth, ofFifth)) === 'running')
      assert.deepEqual(await states(), ['succeeded', 'running', 'waiting', 'waiting'])
      for (const lock of [2, 3]) await own`select pg_advisory_unlock(${lock})`
      await eventually(async () => (await states()).every((state) => state === 'succeeded'))
      await eventually(async () => (await stateOf(fifth, ofFifth)) === 'succeeded')
    })
  })

  it('have the sessions of one where one of them comes from another', async () => {
    const root = await addImporter(importing)
    const [branch, other] = [await addImporter(importing, root), await addImporter(importing)]
    await onOwnConnection(importing.external, undefined, async (own) => {
      await own`select pg_advisory_lock(7)`
      const ofRoot = [await held(root, 7), await held(root, 7), await held(root, 7)] as const
      const ofOther = [await held(other, 7), await held(other, 7), await held(other, 7)] as const
      const ofBranch = await held(branch, 7)
      for (const uid of ofRoot.slice(0, 2)) assert.equal((await root.start(uid)).state, 'running')
      assert.equal((await root.start(ofRoot[2])).state, 'waiting')
      assert.equal((await branch.start(ofBranch)).state, 'waiting')
      for (const uid of ofOther.slice(0, 2)) {
        await other.start(uid)
        await eventually(async () => (await stateOf(other, uid)) === 'running')
      }
      assert.equal((await other.start(ofOther[2])).state, 'waiting')
      // In the order in which servers look at them, too.
      const waiting = (await waitingRuns(importing.service.sql)).map(({ connectorUid }) => connectorUid)
      assert.deepEqual(waiting, [ofRoot[2], ofOther[2], ofBranch])
      await own`select pg_advisory_unlock(7)`
      await eventually(async () => (await stateOf(branch, ofBranch)) === 'succeeded')
      await eventually(async () => (await stateOf(other, ofOther[2])) === 'succeeded')
    })
  })

  it('all run when many of them are due at once, each once', async () => {
    const tenants = [await addImporter(importing), await addImporter(importing), await addImporter(importing)]
    clock.set(startMs)
    const made: (readonly [Importer, string])[] = []
    for (const tenant of tenants) {
      const connections = [await tenant.connect(), await tenant.connect()]
      for (let index = 0; index < importsOfEach; index += 1) {
        const connectionUid = connections[index % 2]
        const externalSql = `select 'c${index}'`
        made.push([tenant, await tenant.make({ externalSql, connectionUid, schedule: '0 * * * *', timeZone: 'UTC' })])
      }
    }
    clock.set(startMs + 3_600_000)
    for (const [tenant, uid] of made)
      await eventually(async () => {
        const runs = await tenant.runs(uid)
        return runs.length === 1 && runs[0]!.state === 'succeeded'
      })
    const { text } = await importing.service.get('/metrics')
    assert.match(text, /^coppice_imports_waiting 0$/m)
    for (const [tenant, uid] of made) assert.equal((await tenant.runs(uid)).length, 1)
  })
})
