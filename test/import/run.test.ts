// Runs of imports, over HTTP: the state after a failed run, and the samples of one that succeeds.
import assert from 'node:assert/strict'
import { onOwnConnection } from '../../src/base/database/pool.ts'
import { addPerson } from '../support/http.ts'
import { counts, openImporting } from '../support/import.ts'
import type { Importing, RunAnswer } from '../support/import.ts'
import { eventually } from '../support/within.ts'

const readings = `
  INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
  SELECT meter, 'kwh', at, kwh FROM CSV_TABLE(@JDBC_RESULT) WITH (1 meter STRING, 2 at LONG, 3 kwh DOUBLE)`

const t0 = Date.UTC(2026, 0, 1)

describe('a run of an import', function () {
  let importing: Importing
  before(async () => {
    importing = await openImporting({ importTimeoutMs: 120_000 })
    await importing.external.unsafe(`
      create table reading (meter text, at timestamptz, kwh numeric, note text);
      insert into reading values ('M1', '2026-01-01T00:00:00Z', 1.5, ''), ('M1', '2026-01-01T00:15:00Z', 2.5, null),
        ('M2', '2026-01-01T00:00:00Z', 7, 'a,"b"')`)
  })
  after(() => importing.close())

  /** Components of this name, made by anybody. */
  const countComponents = async (like: string) =>
    (await importing.service.sql`select from component where id like ${like}`).length

  const failed = (answer: RunAnswer, message: string) => {
    assert.equal(answer.success, false)
    assert.equal(answer.message, message)
    assert.equal(answer.run.error, message)
    assert.equal(answer.run.inserted, 0)
    assert.notEqual(answer.run.end, null)
  }

  it('fails by a value that does not convert, with row, column and place in the script, and stores nothing', async () => {
    const uid = await importing.make({
      externalSql: `select 'F' || n, n, case n when 7 then 'seven' else n::text end from generate_series(1, 10) n`,
      ingestSql: readings,
    })
    failed(await importing.run(uid), "line 3, column 96: row 7, column kwh: 'seven' is not a DOUBLE")
    failed(await importing.run(uid), "line 3, column 96: row 7, column kwh: 'seven' is not a DOUBLE")
    assert.equal(await countComponents('F%'), 0)
    const { lastRunDate, lastError, failures } = await importing.show(uid)
    assert.deepEqual([lastRunDate, failures], [null, 2])
    assert.match(lastError!, /row 7/)
    assert.equal((await importing.runs(uid)).length, 2)
  })

  it('fails by a sample that its stream cannot take, and has created nothing', async () => {
    await importing.service.put('/api/feed?compId=Old&kwh=1')
    const uid = await importing.make({
      externalSql: `select case when n = 25000 then 'Old' else 'G' || n % 3 end, n, case when n = 25000 then 'x' else 'y' end from generate_series(1, 25000) n`,
      ingestSql: `INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT c, 'kwh', t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 c STRING, 2 t LONG, 3 v STRING)`,
    })
    failed(
      await importing.run(uid),
      "line 1, column 63: row 25000: stream 'kwh' of component 'Old' is DOUBLE and cannot take 'x'",
    )
    assert.equal(await countComponents('G%'), 0)
  })

  it('reports a NULL in CID with its row', async () => {
    const uid = await importing.make({
      externalSql: `select case n when 3 then null else 'H' end, n, n from generate_series(1, 5) n`,
      ingestSql: readings,
    })
    failed(await importing.run(uid), 'line 3, column 10: row 3: CID is NULL')
    assert.equal(await countComponents('H%'), 0)
  })

  it('fails by an External SQL that is wrong, that writes, or that is two statements', async () => {
    for (const [externalSql, message] of [
      ['select nothing from nowhere', /nowhere/],
      ['delete from reading returning meter, at, kwh', /read-only/],
      ['select 1; drop table reading', /./],
    ] as const) {
      const answer = await importing.run(await importing.make({ externalSql, ingestSql: readings }))
      assert.equal(answer.success, false, externalSql)
      assert.match(answer.message, message)
    }
    assert.equal((await importing.external`select from reading`).length, 3)
  })

  it('is refused when its running user has left, and when that user may not write any more', async () => {
    const { user } = importing.admin
    const uid = await importing.make({ externalSql: 'select meter, at, kwh from reading', ingestSql: readings })
    const { sql } = importing.service
    await sql`update member set role = 'guest' where user_key = ${user.key}`
    const owner = await importing.service.request('POST', '/api/login', {
      body: JSON.stringify({ email: importing.service.ownerEmail, password: importing.service.ownerPassword }),
    })
    const { sessionUid } = owner.json as { sessionUid: string }
    const start = async () => {
      const { json } = await importing.service.request('POST', `/api/connector/${uid}/run?session=${sessionUid}`)
      return json as RunAnswer
    }
    try {
      failed(await start(), "this import's running user may not PUT component/*/feed")
      await sql`delete from member where user_key = ${user.key}`
      failed(await start(), "this import's running user is gone")
    } finally {
      const [organization] = await sql<{ key: number }[]>`select key from organization limit 1`
      await sql`
        insert into member (organization_key, user_key, role) values (${organization!.key}, ${user.key}, 'admin')
        on conflict do nothing`
      await sql`update member set role = 'admin' where user_key = ${user.key}`
    }
  })

  it('is refused when its running user loses the right, or leaves, while it runs', async () => {
    const { sql } = importing.service
    for (const [change, message] of [
      ['guest', "this import's running user may not PUT component/*/feed"],
      ['left', "this import's running user is gone"],
    ] as const) {
      const { user } = await addPerson(importing.service, 'member')
      const uid = await importing.make({
        externalSql: `select 'Lost', 1, 1 from pg_advisory_lock_shared(7)`,
        ingestSql: readings,
        runningUserUid: user.uid,
      })
      await onOwnConnection(importing.external, undefined, async (own) => {
        await own`select pg_advisory_lock(7)`
        const running = importing.run(uid)
        await eventually(async () => (await importing.runs(uid))[0]?.state === 'running')
        if (change === 'guest') await sql`update member set role = 'guest' where user_key = ${user.key}`
        else await sql`delete from member where user_key = ${user.key}`
        await own`select pg_advisory_unlock(7)`
        failed(await running, message)
      })
      assert.equal(await countComponents('Lost'), 0)
    }
  })

  it('has the rows that were committed before it, and leaves those that commit while it runs to the next', async () => {
    const { external } = importing
    await external.unsafe(`create table late (n integer); insert into late values (1), (2)`)
    const uid = await importing.make({
      externalSql: `select 'Late', n, n from late, pg_advisory_lock_shared(9)`,
      ingestSql: readings,
    })
    await onOwnConnection(external, undefined, async (own) => {
      await own`select pg_advisory_lock(9)`
      const running = importing.run(uid)
      await eventually(
        async () => (await own`select from pg_locks where locktype = 'advisory' and not granted`).length > 0,
      )
      await external`insert into late values (3)`
      await own`select pg_advisory_unlock(9)`
      assert.deepEqual(counts(await running), { fetched: 2, inserted: 2, skipped: 0 })
    })
    assert.deepEqual(counts(await importing.run(uid)), { fetched: 3, inserted: 1, skipped: 2 })
  })

  it('takes IMPORT_TIMEOUT_MS at most', async () => {
    const uid = await importing.make({ externalSql: 'select 1, 2, pg_sleep(600)::text', ingestSql: readings })
    const { config } = importing.service.service.world as { config: { importTimeoutMs: number } }
    const usual = config.importTimeoutMs
    config.importTimeoutMs = 300
    try {
      const answer = await importing.run(uid)
      assert.equal(answer.success, false)
      assert.match(answer.message, /took longer than/)
    } finally {
      config.importTimeoutMs = usual
    }
  })

  it('stores the samples that the Ingest SQL makes of the external rows', async () => {
    const uid = await importing.make({
      externalSql: 'select meter, at, kwh from reading order by 1, 2',
      ingestSql: readings,
    })
    const answer = await importing.run(uid)
    assert.deepEqual([answer.success, answer.message], [true, ''])
    assert.deepEqual(counts(answer), { fetched: 3, inserted: 3, skipped: 0 })
    assert.deepEqual(await importing.samples('M1', 'kwh'), [
      [t0, 1.5],
      [t0 + 900_000, 2.5],
    ])
    assert.deepEqual(await importing.samples('M2', 'kwh'), [[t0, 7]])
    const { lastRunDate, lastError, failures } = await importing.show(uid)
    assert.deepEqual([lastRunDate, lastError, failures], [answer.run.start, null, 0])
  })

  it('sees all rows at once, however many batches they came in', async () => {
    const uid = await importing.make({
      externalSql: `select 'sum', 1000, n from generate_series(1, 60000) n`,
      ingestSql: `
        WITH r AS (SELECT c, t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 c STRING, 2 t LONG, 3 v LONG))
        INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT c, 'sum', t, Sum(v) FROM r GROUP BY c, t;
        INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
        SELECT 'sum', 'last', 2000, Last(v) FROM CSV_TABLE(@JDBC_RESULT) WITH (3 v LONG)`,
    })
    assert.deepEqual(counts(await importing.run(uid)), { fetched: 60_000, inserted: 2, skipped: 0 })
    assert.deepEqual(await importing.samples('sum', 'sum'), [[1000, 1_800_030_000]])
    assert.deepEqual(await importing.samples('sum', 'last'), [[2000, 60_000]])
  })

  it('stores the last of several samples for one time, however wide the rows before it were', async () => {
    // Postgres puts narrow rows of the second batch, of 5,000 rows each, into pages that the wide ones have left.
    const externalSql = `
      select 'Wide', n, case when n <= 4600 then 'few' else repeat('w', 1500) end from generate_series(1, 5000) n
      union all select 'Wide', 9000 + n % 60, case when n < 60 then 'old' else 'new' end from generate_series(0, 119) n`
    const table = 'FROM CSV_TABLE(@JDBC_RESULT) WITH (1 c STRING, 2 t LONG, 3 v STRING)'
    const insert = 'INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)'
    const deletion = `DELETE FROM SAMPLE WHERE CID = 'Wide' AND ID = 'none' AND TIME = 1;`
    for (const [id, ingestSql] of [
      ['copied', `${insert} SELECT c, 'copied', t, v ${table}`],
      ['chosen', `${insert} SELECT c, 'chosen', t, v ${table} WHERE Len(v) > 0`],
      ['last', `${insert} SELECT c, 'last', t, Last(v) ${table} GROUP BY c, t`],
      // Beside a DELETE rows are placed one by one.
      ['copiedRows', `${deletion} ${insert} SELECT c, 'copiedRows', t, v ${table}`],
      ['chosenRows', `${deletion} ${insert} SELECT c, 'chosenRows', t, v ${table} WHERE Len(v) > 0`],
    ] as const) {
      const { message } = await importing.run(await importing.make({ externalSql, ingestSql }))
      assert.equal(message, '')
      const stored = await importing.service.sql<{ text: string; count: number }[]>`
        select left(text, 3) as text, count(*)
        from sample
        join stream on stream.key = sample.stream_key
        join component on component.key = stream.component_key
        where component.id = 'Wide' and stream.id = ${id}
        group by 1 order by 1`
      assert.deepEqual(
        [id, ...stored.map(({ text, count }) => [text, count])],
        [id, ['few', 4600], ['new', 60], ['www', 400]],
      )
    }
  })

  it('gives a new stream the type that all of its values have, whatever the first batches hold', async () => {
    const uid = await importing.make({
      externalSql: `select 'type', n, case when n > 45000 then 'x' || n end from generate_series(1, 45001) n`,
      ingestSql: `
        INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT c, 's', t, v
        FROM CSV_TABLE(@JDBC_RESULT) WITH (1 c STRING, 2 t LONG, 3 v STRING)`,
    })
    assert.deepEqual(counts(await importing.run(uid)), { fetched: 45_001, inserted: 1, skipped: 0 })
    assert.deepEqual(await importing.samples('type', 's'), [[45_001, 'x45001']])
  })

  it('refuses to make a stream of texts that spell nan', async () => {
    const uid = await importing.make({
      externalSql: `select 'nan', 1, 'NaN' union all select 'nan', 2, 'zzz'`,
      ingestSql: `
        INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT c, 's', t, v
        FROM CSV_TABLE(@JDBC_RESULT) WITH (1 c STRING, 2 t LONG, 3 v STRING)`,
    })
    const answer = await importing.run(uid)
    assert.equal(answer.success, false)
    assert.match(answer.message, /cannot take 'NaN'/)
  })

  it('reports the row of a name or text that is too long, however long', async () => {
    for (const [cells, message] of [
      [`'Good', 'x'), (2, repeat('n', 3000000), 'x'`, /row 2: CID must have at most 512 characters$/],
      [`'Good', 'x'), (2, 'Good', repeat(' ', 3000000) || 'nan'`, /row 2: .* cannot take/],
    ] as const) {
      const uid = await importing.make({
        externalSql: `select * from (values (1, ${cells})) v`,
        ingestSql: `
          INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT c, 's', t, v
          FROM CSV_TABLE(@JDBC_RESULT) WITH (1 t LONG, 2 c STRING, 3 v STRING)`,
      })
      assert.match((await importing.run(uid)).message, message)
    }
    assert.equal(await countComponents('Good'), 0)
  })

  it('has @JDBC_RESULT as a text too, with the names first, and @LAST_RUN_DATE and @CONNECTOR_ID', async () => {
    const uid = await importing.make({
      externalSql: 'select meter as m, note from reading order by kwh',
      overlapSeconds: 60,
      skipUnchanged: false,
      ingestSql: `
        INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES
          ('text', 'csv', 1, @JDBC_RESULT), ('text', 'last', 1, @LAST_RUN_DATE), ('text', 'id', 1, @CONNECTOR_ID)`,
    })
    const { run } = await importing.run(uid)
    assert.deepEqual(await importing.samples('text', 'csv'), [[1, 'm,note\r\nM1,""\r\nM1,\r\nM2,"a,""b"""\r\n']])
    assert.deepEqual(await importing.samples('text', 'last'), [[1, 0]])
    assert.deepEqual(await importing.samples('text', 'id'), [[1, uid]])
    await importing.run(uid)
    assert.deepEqual(await importing.samples('text', 'last'), [[1, run.start! - 60_000]])
  })

  it('names a column that the External SQL does not give, whether it gives rows or none', async () => {
    for (const where of ['true', 'false']) {
      const uid = await importing.make({
        externalSql: `select 'M1' as meter, 1 as at where ${where}`,
        ingestSql: `
          INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
          SELECT m, 's', t, kwh FROM CSV_TABLE(@JDBC_RESULT) WITH (1 m STRING, 2 t LONG, 3 kwh DOUBLE)`,
      })
      const { message } = await importing.run(uid)
      assert.match(
        message,
        /^line 3, column \d+: column 3 \(kwh\) is missing: External SQL gives 2 columns \(meter, at\)$/,
      )
    }
  })

  it('takes @JDBC_RESULT that the script sets itself', async () => {
    const uid = await importing.make({
      externalSql: 'select 1',
      ingestSql: `SET @JDBC_RESULT = 'a,b' + @NL + 'set,5'; ${readings}`.replace(
        "'a,b' + @NL + 'set,5'",
        "Replace('meter,at,kwh|set,5,6', '|', '\n')",
      ),
    })
    assert.deepEqual(counts(await importing.run(uid)), { fetched: 1, inserted: 1, skipped: 0 })
    assert.deepEqual(await importing.samples('set', 'kwh'), [[5, 6]])
  })

  it('stores the samples it has when Max Rows cut it short, and leaves @LAST_RUN_DATE', async () => {
    const uid = await importing.make({
      externalSql: `select 'cut', n, n from generate_series(1, 30) n`,
      maxRows: 10,
      ingestSql: readings,
    })
    const answer = await importing.run(uid)
    assert.deepEqual(counts(answer), { fetched: 10, inserted: 10, skipped: 0 })
    assert.equal(answer.run.truncated, true)
    assert.equal((await importing.show(uid)).lastRunDate, null)
    assert.equal((await importing.samples('cut', 'kwh')).length, 10)
    const exact = await importing.make({
      externalSql: `select 'exact', n, n from generate_series(1, 10) n`,
      maxRows: 10,
      ingestSql: readings,
    })
    const { run } = await importing.run(exact)
    assert.equal(run.truncated, false)
    assert.equal((await importing.show(exact)).lastRunDate, run.start!)
  })

  it('deletes and updates as its script says, in its order', async () => {
    await importing.service.put('/api/feed?compId=Del&a=1,2,3&time=1000,2000,3000')
    const uid = await importing.make({
      externalSql: `select 'Del', 4000, 9`,
      ingestSql: `
        DELETE FROM SAMPLE WHERE CID = 'Del' AND ID = 'a' AND TIME = 1000;
        UPDATE SAMPLE SET SAMPLE = 20 WHERE CID = 'Del' AND ID = 'a' AND TIME = 2000;
        INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
        SELECT c, 'a', t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 c STRING, 2 t LONG, 3 v DOUBLE)`,
    })
    const answer = await importing.run(uid)
    assert.equal(answer.message, '')
    assert.deepEqual(await importing.samples('Del', 'a'), [
      [2000, 20],
      [3000, 3],
      [4000, 9],
    ])
  })

  it('updates components that it inserts nothing into', async () => {
    await importing.service.put('/api/feed?compId=Upd&a=1,2&time=1000,2000')
    const uid = await importing.make({
      externalSql: 'select 1',
      ingestSql: `UPDATE SAMPLE SET SAMPLE = 20 WHERE CID = 'Upd' AND ID = 'a' AND TIME = 2000`,
    })
    const answer = await importing.run(uid)
    assert.equal(answer.message, '')
    assert.deepEqual(await importing.samples('Upd', 'a'), [
      [1000, 1],
      [2000, 20],
    ])
  })

  it('reports the row of a sample that is refused, among others with times and without', async () => {
    await importing.service.put('/api/feed?compId=Row&x=1')
    const uid = await importing.make({
      externalSql: `select n, case n when 6 then 'six' else n::text end from generate_series(1, 8) n`,
      ingestSql: `
        INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
        SELECT 'Row', 'x', CASE WHEN n % 2 = 0 THEN n END, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 n LONG, 2 v STRING)`,
    })
    const answer = await importing.run(uid)
    assert.match(answer.message, /: row 6: stream 'x' of component 'Row' is DOUBLE and cannot take 'six'$/)
  })

  it('reads streams beside the external rows', async () => {
    await importing.service.put('/api/feed?compId=Join&last=5&time=1000')
    const uid = await importing.make({
      externalSql: `select 'Join', 2000, 1`,
      ingestSql: `
        INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
        SELECT r.c, 'next', r.t, Cast(s.lastValue AS DOUBLE) + r.v
        FROM CSV_TABLE(@JDBC_RESULT) WITH (1 c STRING, 2 t LONG, 3 v DOUBLE) r JOIN Stream s ON s.cid = r.c AND s.id = 'last'`,
    })
    const answer = await importing.run(uid)
    assert.equal(answer.message, '')
    assert.deepEqual(await importing.samples('Join', 'next'), [[2000, 6]])
  })

  it('takes the options of an INSERT from variables that the script sets', async () => {
    const uid = await importing.make({
      externalSql: `select 'Placed', 1000, 1`,
      ingestSql: `
        SET @folder = '/Components/' + 'hall';
        INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) WITH (FOLDER = @folder)
        SELECT c, 'kwh', t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 c STRING, 2 t LONG, 3 v DOUBLE)`,
    })
    assert.deepEqual(counts(await importing.run(uid)), { fetched: 1, inserted: 1, skipped: 0 })
    const [folder] = await importing.service.sql<[{ path: string }]>`
      select path from component join folder on folder.key = folder_key where component.id = 'Placed'`
    assert.equal(folder.path, '/Components/hall')
  })

  it('stores the last of several samples for one stream and time', async () => {
    const uid = await importing.make({
      externalSql: `select 'twice', 1000, n from generate_series(1, 25000) n`,
      ingestSql: readings,
    })
    assert.deepEqual(counts(await importing.run(uid)), { fetched: 25_000, inserted: 1, skipped: 0 })
    assert.deepEqual(await importing.samples('twice', 'kwh'), [[1000, 25_000]])
  })
})
