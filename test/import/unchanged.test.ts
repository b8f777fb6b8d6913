// Skip Unchanged Rows, and how samples of an import get into streams of every kind. unchanged.load.ts has changes in the middle
// of a run.
import assert from 'node:assert/strict'
import { openManager } from '../support/manage.ts'
import { counts, openImporting } from '../support/import.ts'
import type { Importing } from '../support/import.ts'
import { openTestClock } from '../support/service.ts'

const ofColumns = (time: string) => `
  INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
  SELECT c, s, ${time}, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 c STRING, 2 s STRING, 3 t LONG, 4 v DOUBLE)`

describe('an import', function () {
  // Each run has a thread of its own for the external database.
  const clock = openTestClock(Date.UTC(2026, 5, 1))
  let importing: Importing
  before(async () => {
    importing = await openImporting({}, clock)
    await importing.external.unsafe('create table r (c text, s text, t bigint, v double precision)')
  })
  after(() => importing.close())

  /** The external rows are these now, each as c, s, t, v. */
  const give = async (...rows: readonly (readonly [string, string, number, number | null])[]) => {
    await importing.external.unsafe('truncate r')
    for (const [c, s, t, v] of rows) await importing.external`insert into r values (${c}, ${s}, ${t}, ${v})`
  }
  const make = (time: string, more: object = {}) =>
    importing.make({ externalSql: 'select * from r order by ctid', ingestSql: ofColumns(time), ...more })
  const ran = async (uid: string) => {
    clock.set(clock.now() + 60_000)
    const answer = await importing.run(uid)
    assert.equal(answer.message, '')
    const { inserted, skipped } = counts(answer)
    return [inserted, skipped]
  }

  it('skips samples with times of their own that are stored exactly so', async () => {
    const uid = await make('t')
    await give(['A', 'x', 1000, 5], ['A', 'x', 2000, 5], ['B', 'x', 1000, 5])
    assert.deepEqual(await ran(uid), [3, 0])
    assert.deepEqual(await ran(uid), [0, 3])
    await give(['A', 'x', 1000, 5], ['A', 'x', 2000, 6], ['B', 'x', 1000, 5], ['A', 'x', 3000, 5])
    assert.deepEqual(await ran(uid), [2, 2])
    // A sample that somebody else has changed or deleted is stored again.
    await importing.service.put('/api/feed?compId=B&x=9&time=1000')
    assert.deepEqual(await ran(uid), [1, 3])
    assert.deepEqual(await importing.samples('B', 'x'), [[1000, 5]])
    assert.deepEqual((await importing.samples('A', 'x')).length, 3)
  })

  it('takes samples of one component and time together', async () => {
    const uid = await make('t')
    await give(['T', 'x', 1000, 1], ['T', 'y', 1000, 1], ['T', 'x', 2000, 1])
    assert.deepEqual(await ran(uid), [3, 0])
    await give(['T', 'x', 1000, 1], ['T', 'y', 1000, 2], ['T', 'x', 2000, 1])
    assert.deepEqual(await ran(uid), [2, 1])
  })

  for (const time of ['NULL', 'Now()'])
    it(`skips samples timed by the run, as ${time}, whose values are all those of the run before`, async () => {
      const component = `R${time.length}`
      const uid = await make(time)
      await give([component, 'x', 0, 1], [component, 'y', 0, 2])
      assert.deepEqual(await ran(uid), [2, 0])
      assert.deepEqual(await ran(uid), [0, 2])
      await give([component, 'x', 0, 1], [component, 'y', 0, 3])
      assert.deepEqual(await ran(uid), [2, 0])
      // Somebody else's sample in between does not matter: it is what this import stored last that counts.
      await importing.service.put(`/api/feed?compId=${component}&x=77`)
      assert.deepEqual(await ran(uid), [0, 2])
      await give([component, 'x', 0, 1], [component, 'y', 0, 2])
      assert.deepEqual(await ran(uid), [2, 0])
      assert.deepEqual(
        (await importing.samples(component, 'y')).map(([, value]) => value),
        [2, 3, 2],
      )
      const other = await make(time)
      assert.deepEqual(await ran(other), [2, 0])
    })

  describe('whose rows are those of the last run', () => {
    /** The last run is remembered with another number of rows: a run that does not read its rows reports this number. */
    const mark = (uid: string) =>
      importing.service.sql`
        update import_result set fetched = 4711
        from connector where connector.key = connector_key and uid = ${uid}`
    const ranMarked = async (uid: string) => {
      await mark(uid)
      clock.set(clock.now() + 60_000)
      const answer = await importing.run(uid)
      assert.equal(answer.message, '')
      return counts(answer)
    }
    const unread = (skipped: number) => ({ fetched: 4711, inserted: 0, skipped })

    it('does not read them while its samples are stored as they were', async () => {
      const uid = await make('t')
      await give(['U', 'x', 1000, 5], ['U', 'y', 2000, 6], ['U', 'x', 3000, 5])
      assert.deepEqual(await ran(uid), [3, 0])
      const { lastRunDate } = await importing.show(uid)
      assert.deepEqual(await ranMarked(uid), unread(3))
      assert.deepEqual(await ranMarked(uid), unread(3))
      assert.ok((await importing.show(uid)).lastRunDate! > lastRunDate!)
      // Samples before the first and after the last are not of this import.
      await importing.service.put('/api/feed?compId=U&x=1,2&time=500,4000')
      assert.deepEqual(await ranMarked(uid), unread(3))
    })

    const componentUid = async (id: string) => {
      const { body } = await importing.ask('GET', `/api/component?text=${id}`)
      return (body as { component: [{ uid: string }] }).component[0].uid
    }

    const changes: readonly (readonly [string, (id: string) => Promise<{ status: number }>, inserted: number])[] = [
      ['was changed', (id) => importing.service.put(`/api/feed?compId=${id}&x=9&time=1000`), 1],
      ['was deleted', (id) => importing.ask('DELETE', `/api/comp/${id}/stream/x/feed?sd=1000&ed=1001`), 1],
      ['came in between', (id) => importing.service.put(`/api/feed?compId=${id}&x=9&time=1500`), 0],
      [
        'of a component that was removed is missing',
        async (id) => importing.ask('DELETE', `/api/component/${await componentUid(id)}`),
        3,
      ],
      [
        'of a component that has another name is missing',
        async (id) => importing.ask('PUT', `/api/component/${await componentUid(id)}`, { id: `${id}-old` }),
        3,
      ],
    ]
    for (const [index, [what, change, inserted]] of changes.entries())
      it(`reads them when a sample ${what}`, async () => {
        const id = `V${index}`
        const uid = await make('t')
        await give([id, 'x', 1000, 5], [id, 'y', 2000, 6], [id, 'x', 3000, 5])
        await ran(uid)
        assert.deepEqual(await ranMarked(uid), unread(3))
        assert.match(String((await change(id)).status), /^20/)
        assert.deepEqual(await ranMarked(uid), { fetched: 3, inserted, skipped: 3 - inserted })
        const stored = new Map(await importing.samples(id, 'x'))
        assert.deepEqual([stored.get(1000), stored.get(3000)], [5, 5])
      })

    it('reads them when the Ingest SQL makes something else of them', async () => {
      const uid = await make('t')
      await give(['X', 'x', 1000, 5])
      await ran(uid)
      const changed = { ingestSql: ofColumns('t').replace('v FROM', '2 * v FROM') }
      assert.equal((await importing.ask('PUT', `/api/connector/${uid}`, changed)).status, 200)
      assert.deepEqual(await ranMarked(uid), { fetched: 1, inserted: 1, skipped: 0 })
      assert.deepEqual(await importing.samples('X', 'x'), [[1000, 10]])
      assert.deepEqual(await ranMarked(uid), unread(1))
    })

    for (const [what, ingestSql] of [
      ['the time of the run', ofColumns('t').replace('v FROM', 'v + 0 * Now() FROM')],
      ['@LAST_RUN_DATE', `${ofColumns('t')} WHERE t + 1e15 > @LAST_RUN_DATE`],
    ] as const)
      it(`always reads them where the Ingest SQL asks for ${what}`, async () => {
        const uid = await importing.make({ externalSql: 'select * from r', ingestSql })
        await give(['Y', 'x', 1000, 5], ['Y', 'x', 2000, 5])
        await ran(uid)
        assert.equal((await ranMarked(uid)).fetched, 2)
      })

    it('refuses its running user who may not write any more all the same', async () => {
      const uid = await make('t')
      await give(['Z', 'x', 1000, 5])
      await ran(uid)
      await importing.service.sql`update connector set user_key = null where uid = ${uid}`
      clock.set(clock.now() + 60_000)
      assert.match((await importing.run(uid)).message, /running user is gone/)
    })
  })

  it('stores everything again where skipUnchanged is off', async () => {
    const uid = await make('t', { skipUnchanged: false })
    await give(['O', 'x', 1000, 5])
    assert.deepEqual(await ran(uid), [1, 0])
    assert.deepEqual(await ran(uid), [1, 0])
  })

  it('fills the gaps of interval streams between the first and last that it changes, over all batches', async () => {
    const manage = await openManager(importing.service)
    const stream = { id: 'x', kind: 'interval', valueType: 'DOUBLE', baseCycleId: 'minute' }
    await manage.make('component', { id: 'I', stream: [stream] })
    const uid = await make('t')
    const minute = (n: number) => Date.UTC(2026, 0, 1) + n * 60_000
    await give(['I', 'x', minute(5), 5], ['I', 'x', minute(1) - 30_000, 1], ['I', 'x', minute(1) - 10_000, 2])
    assert.deepEqual(await ran(uid), [2, 0])
    assert.deepEqual(await importing.samples('I', 'x'), [
      [minute(1), 2],
      [minute(2), null],
      [minute(3), null],
      [minute(4), null],
      [minute(5), 5],
    ])
    await importing.service.put(`/api/feed?compId=I&x=3&time=${minute(3)}`)
    assert.deepEqual(await ran(uid), [0, 2])
    assert.deepEqual((await importing.samples('I', 'x'))[2], [minute(3), 3])
    await give(['I', 'x', minute(1), 2], ['I', 'x', minute(5), 5], ['I', 'x', minute(7), 7], ['I', 'x', minute(9), 9])
    assert.deepEqual(await ran(uid), [2, 2])
    assert.deepEqual((await importing.samples('I', 'x')).slice(2), [
      [minute(3), 3],
      [minute(4), null],
      [minute(5), 5],
      [minute(7), 7],
      [minute(8), null],
      [minute(9), 9],
    ])
  })

  it('stores the latest in time of the values in one interval, over all batches', async () => {
    const manage = await openManager(importing.service)
    await manage.make('component', {
      id: 'L',
      stream: [{ id: 'x', kind: 'interval', valueType: 'DOUBLE', baseCycleId: 'minute' }],
    })
    const start = Date.UTC(2026, 0, 1)
    const uid = await importing.make({
      // The latest comes first, and the rest in many batches.
      externalSql: `select 'L', 'x', ${start} + 60000 - n, n from generate_series(0, 45000) n`,
      ingestSql: ofColumns('t'),
    })
    assert.deepEqual(await ran(uid), [1, 0])
    assert.deepEqual(await importing.samples('L', 'x'), [[start + 60_000, 0]])
  })

  it('sets point streams, and keeps LONG and BOOLEAN as they are', async () => {
    const manage = await openManager(importing.service)
    await manage.make('component', {
      id: 'P',
      stream: [
        { id: 'p', kind: 'point', valueType: 'DOUBLE' },
        { id: 'l', kind: 'random', valueType: 'LONG' },
        { id: 'b', kind: 'random', valueType: 'BOOLEAN' },
      ],
    })
    const uid = await importing.make({
      externalSql: `select 9223372036854775807, true`,
      ingestSql: `
        WITH r AS (SELECT l, b FROM CSV_TABLE(@JDBC_RESULT) WITH (1 l LONG, 2 b BOOLEAN))
        INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
        SELECT 'P', 'l', 1000, l FROM r UNION ALL SELECT 'P', 'b', 1000, b FROM r UNION ALL SELECT 'P', 'p', 5, 7`,
    })
    assert.deepEqual(await ran(uid), [3, 0])
    assert.deepEqual(await ran(uid), [0, 3])
    const { text } = await importing.service.get('/api/comp/P/last_value?retStreamId&retData')
    assert.match(text, /9223372036854775807/)
    assert.match(text, /"p","time":\d+,"data":7/)
    assert.match(text, /"b","time":1000,"data":true/)
  })

  it('keeps statistics exact', async () => {
    const uid = await make('t')
    const day = Date.UTC(2026, 0, 1)
    await give(['S', 'x', day + 1000, 1], ['S', 'x', day + 2000, 3])
    await ran(uid)
    const average = async () => {
      const path = `/api/comp/S/stream/x/cycle/day/stat/avg/feed?retData&sd=${day}&ed=${day + 86_400_000 + 1}`
      return ((await importing.service.get(path)).json as { data: number }[]).map(({ data }) => data)
    }
    assert.deepEqual(await average(), [2])
    await give(['S', 'x', day + 1000, 5])
    await ran(uid)
    assert.deepEqual(await average(), [4])
  })
})
