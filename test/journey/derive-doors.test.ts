// Derived streams and the doors beside uploads: imports in both of their ways, and sinks. None stores into a derived
// stream, and what they store in its sources derives like an upload.
import assert from 'node:assert/strict'
import { openDerivation } from '../support/derive.ts'
import type { Importing } from '../support/import.ts'
import { openImporting } from '../support/import.ts'
import type { Manager } from '../support/manage.ts'
import { openManager } from '../support/manage.ts'

const dayMs = 86_400_000
const startMs = Date.UTC(2026, 2, 1)

describe('derived streams, at the doors beside uploads', () => {
  let importing: Importing
  let manage: Manager
  let derive: () => Promise<void>
  before(async () => {
    importing = await openImporting()
    manage = await openManager(importing.service)
    derive = openDerivation(importing.service)
    await importing.external`create table r (id text, t bigint, v double precision)`
  })
  after(() => importing.close())

  const component = (id: string) =>
    manage.make('component', {
      id,
      stream: [{ id: 'a' }, { id: 'd', expression: 'a * 2', variables: [{ name: 'a', streamId: 'a' }] }],
    })
  const give = async (rows: readonly (readonly [id: string, timeMs: number, value: number])[]) => {
    await importing.external`truncate r`
    await importing.external`
      insert into r
      select *
      from unnest(${rows.map(([id]) => id)}::text[], ${rows.map(([, t]) => t)}::bigint[], ${rows.map(([, , v]) => v)}::double precision[])`
  }
  const insert = (cid: string) =>
    `INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT '${cid}', id, t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 id STRING, 2 t LONG, 3 v DOUBLE);`
  // A DELETE makes all samples of a run go one by one (core/sample/bulk.ts).
  const ways = {
    'in SQL': insert,
    'one by one': (cid: string) => `${insert(cid)} DELETE FROM SAMPLE WHERE CID = 'nobody' AND ID = 'nothing';`,
  }

  for (const [way, script] of Object.entries(ways)) {
    it(`take nothing of an import that is placed ${way}, which stores nothing then`, async () => {
      const id = `taken ${way}`
      await component(id)
      await give([
        ['a', startMs, 1],
        ['d', startMs, 5],
      ])
      const uid = await importing.make({ name: id, externalSql: 'select id, t, v from r', ingestSql: script(id) })
      const { run } = await importing.run(uid)
      assert.equal(run.state, 'failed')
      assert.match(run.error!, /stream 'd' of component '.*' is derived by an expression and takes no uploads/)
      assert.deepEqual(await importing.samples(id, 'a'), [])
      assert.deepEqual(await importing.samples(id, 'd'), [])
    })

    it(`derive from what an import stores that is placed ${way}, and say what it changed late`, async () => {
      const id = `fed ${way}`
      const { stream } = await component(id)
      const uid = await importing.make({ name: id, externalSql: 'select id, t, v from r', ingestSql: script(id) })
      await give([
        ['a', startMs, 1],
        ['a', startMs + dayMs, 2],
      ])
      assert.equal((await importing.run(uid)).run.error, null)
      await derive()
      assert.deepEqual(await importing.samples(id, 'd'), [
        [startMs, 2],
        [startMs + dayMs, 4],
      ])
      await give([
        ['a', startMs, 7],
        ['a', startMs + 2 * dayMs, 3],
      ])
      assert.equal((await importing.run(uid)).run.error, null)
      await derive()
      const shown = (await manage.one('stream', stream[1]!.uid)) as unknown as { readonly staleFrom: number | null }
      assert.equal(shown.staleFrom, startMs)
      assert.deepEqual((await importing.samples(id, 'd')).at(-1), [startMs + 2 * dayMs, 6])
    })
  }

  it('take nothing of a sink, which stores nothing then', async () => {
    await component('sink')
    const into = 'INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)'
    const sql = `${into} SELECT 'sink', 'a', ${startMs}, 1; ${into} SELECT 'sink', 'd', ${startMs}, 1`
    const sink = { type: 'http', name: 's', endpoint: 's', runAsUserUid: importing.admin.user.uid, sql }
    assert.equal((await manage.ask('POST', '/api/connector', sink)).status, 201)
    const { status, body } = await manage.ask('POST', `/api/conn_sink/${importing.service.organizationUid}/s`, {})
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(JSON.stringify(body), /'d' of component 'sink' is derived/)
    assert.deepEqual(await importing.samples('sink', 'a'), [])
  })
})
