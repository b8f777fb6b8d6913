// Skip Unchanged Rows, where samples change while an import of many rows runs, whose rows are those of the last run.
import assert from 'node:assert/strict'
import { onOwnConnection } from '../../src/base/database/pool.ts'
import { counts, openImporting } from '../support/import.ts'
import type { Importing } from '../support/import.ts'
import { openTestClock } from '../support/service.ts'
import { eventually } from '../support/within.ts'

describe('an import whose rows are those of the last run and that has looked at its samples while they came', () => {
  const clock = openTestClock(Date.UTC(2026, 5, 1))
  let importing: Importing
  before(async () => {
    importing = await openImporting({}, clock)
  })
  after(() => importing.close())

  const runLater = async (uid: string) => {
    clock.set(clock.now() + 60_000)
    const answer = await importing.run(uid)
    assert.equal(answer.message, '')
    return counts(answer)
  }
  const ran = async (uid: string) => {
    const { inserted, skipped } = await runLater(uid)
    return [inserted, skipped]
  }
  /** The last run is remembered with another number of rows: a run that does not read its rows reports this number. */
  const mark = (uid: string) =>
    importing.service.sql`
      update import_result set fetched = 4711
      from connector where connector.key = connector_key and uid = ${uid}`
  const ranMarked = async (uid: string) => {
    await mark(uid)
    return runLater(uid)
  }
  const componentUid = async (id: string) => {
    const { body } = await importing.ask('GET', `/api/component?text=${id}`)
    return (body as { component: [{ uid: string }] }).component[0].uid
  }

  /** More than a block (outbound/held-rows.ts); the last waits until the test lets it come. */
  const rows = 20_000
  const isWaited = 7
  const makeLong = (id: string, type = 'DOUBLE') =>
    importing.make({
      externalSql: `
        select '${id}', 'x', 1000 * n, n::double precision from generate_series(1, ${rows - 1}) n
        union all select '${id}', 'y', 1000, 6 from pg_advisory_lock_shared(${isWaited})`,
      ingestSql: `
          INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
          SELECT c, s, t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 c STRING, 2 s STRING, 3 t LONG, 4 v ${type})`,
    })
  const fifth = async (id: string) => {
    const path = `/api/comp/${id}/stream/x/feed?retData&sd=5000&ed=5001`
    return ((await importing.service.get(path)).json as readonly { data: unknown }[])[0]?.data
  }
  const isAfterLook = async () => {
    const looked = await importing.service.sql`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'coppice imports'
        and state = 'idle' and query ilike 'commit%'`
    return looked.length > 0
  }
  /** Runs it, and makes the change after the look and before the last row. */
  const ranWhile = (uid: string, change: () => Promise<{ status: number }>) =>
    onOwnConnection(importing.external, undefined, async (own) => {
      await own`select pg_advisory_lock(${isWaited})`
      await mark(uid)
      clock.set(clock.now() + 60_000)
      const running = importing.run(uid)
      await eventually(isAfterLook)
      const { status } = await change()
      await own`select pg_advisory_unlock(${isWaited})`
      assert.match(String(status), /^20/)
      return running
    })
  const all = { fetched: rows, inserted: 0, skipped: rows }

  it('restores a sample that was changed before it, and counts an upload after its look as one after the run', async () => {
    const uid = await makeLong('W')
    assert.deepEqual(await ran(uid), [rows, 0])
    const upload = () => importing.service.put('/api/feed?compId=W&x=77&time=5000')
    assert.deepEqual(counts(await ranWhile(uid, upload)), { ...all, fetched: 4711 })
    assert.equal(await fifth('W'), 77)
    assert.deepEqual(await ranMarked(uid), { ...all, inserted: 1, skipped: rows - 1 })
    assert.equal(await fifth('W'), 5)
    assert.deepEqual(await ranMarked(uid), { ...all, fetched: 4711 })
  })

  const overtaking: readonly (readonly [string, (id: string) => Promise<{ status: number }>, inserted: number])[] = [
    ['was deleted', (id) => importing.ask('DELETE', `/api/comp/${id}/stream/x/feed?sd=5000&ed=5001`), 1],
    [
      'of a component that was removed is missing',
      async (id) => importing.ask('DELETE', `/api/component/${await componentUid(id)}`),
      rows,
    ],
    [
      'of a component that has another name is missing',
      async (id) => importing.ask('PUT', `/api/component/${await componentUid(id)}`, { id: `${id}-old` }),
      rows,
    ],
  ]
  for (const [index, [what, change, inserted]] of overtaking.entries())
    it(`reads them all the same when a sample ${what} since`, async () => {
      const id = `WO${index}`
      const uid = await makeLong(id)
      assert.deepEqual(await ran(uid), [rows, 0])
      const answer = await ranWhile(uid, () => change(id))
      assert.equal(answer.message, '')
      assert.deepEqual(counts(answer), { ...all, inserted, skipped: rows - inserted })
      assert.equal(await fifth(id), 5)
    })

  it('reads them all the same when a stream has another type since', async () => {
    const uid = await makeLong('WT', 'STRING')
    assert.deepEqual(await ran(uid), [rows, 0])
    assert.equal(await fifth('WT'), '5')
    const [x] = await importing.service.sql<{ uid: string }[]>`
      select stream.uid from stream join component on component.key = component_key
      where component.id = 'WT' and stream.id = 'x'`
    const retype = () => importing.ask('PUT', `/api/stream/${x!.uid}`, { valueType: 'DOUBLE' })
    // Texts become numbers in the background, before the samples of the run are stored or after.
    assert.equal((await ranWhile(uid, retype)).run.fetched, rows)
    assert.equal(await fifth('WT'), 5)
  })

  it('refuses them all the same when its organization keeps no samples of their age since', async () => {
    const uid = await makeLong('WK')
    assert.deepEqual(await ran(uid), [rows, 0])
    const keep = (retentionDays: number | null) =>
      importing.ask('PUT', `/api/organization/${importing.service.organizationUid}`, { retentionDays })
    assert.match((await ranWhile(uid, () => keep(30))).message, /older than/)
    assert.equal((await keep(null)).status, 200)
  })
})
