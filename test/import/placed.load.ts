// Samples of an import are gathered where the script only copies columns, placed in SQL where no rule could refuse one,
// and else one by one, as those of an upload (core/sample/bulk.ts). Whichever way they go, the same is stored and the same
// is counted.
import assert from 'node:assert/strict'
import { transaction } from '../../src/base/database/sql.ts'
import { openManager } from '../support/manage.ts'
import { counts, openImporting } from '../support/import.ts'
import type { Importing } from '../support/import.ts'
import type { Random } from '../support/random.ts'
import { openRandom } from '../support/random.ts'
import { openTestClock } from '../support/service.ts'
import { shortOrLong } from '../support/soak.ts'
import { eventually } from '../support/within.ts'

const columns =
  'CSV_TABLE(@JDBC_RESULT) WITH (1 c STRING, 2 s STRING, 3 t LONG, 4 v DOUBLE, 5 l LONG, 6 b BOOLEAN, 7 x STRING)'
const insert = (cid: string, stream: string, value: string, more = '') =>
  `INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT ${cid}, ${stream}, t, ${value} FROM ${columns} ${more};`

/** A DELETE makes all samples of the run go one by one. */
const oneByOne = `DELETE FROM SAMPLE WHERE CID = 'nobody' AND ID = 'nothing';`

const scripts: readonly ((cid: string) => string)[] = [
  (cid) => insert(cid, 's', 'v'),
  (cid) => insert(cid, `s`, 'l') + insert(cid, `s`, 'v', 'WHERE l > 3'),
  (cid) => insert(cid, `'long'`, 'l') + insert(cid, 's', 'v') + insert(cid, `'seven'`, '7'),
  // Two samples of one stream and time.
  (cid) => insert(cid, 's', 'l') + insert(cid, 's', 'v'),
  (cid) => insert(cid, `'long'`, 'l'),
  (cid) => insert(cid, `'flag'`, 'b'),
  (cid) => insert(cid, `'text'`, 'x'),
  // Of a type that the stream has to be asked about.
  (cid) => insert(cid, `'text'`, 'l'),
  (cid) => insert(cid, `'hourly'`, 'v'),
]

describe('samples of an import', function () {
  this.timeout(shortOrLong(120_000, 900_000))
  const clock = openTestClock(Date.UTC(2026, 5, 1))
  let importing: Importing
  before(async () => {
    importing = await openImporting({}, clock)
    await importing.external.unsafe(
      'create table r (c text, s text, t bigint, v double precision, l bigint, b boolean, x text)',
    )
    const manage = await openManager(importing.service)
    const stream = (id: string, valueType: string) => ({ id, kind: 'random', valueType })
    for (const prefix of ['got-', 'sql-', 'one-'])
      for (const c of ['A', 'B', 'C'])
        await manage.make('component', {
          id: `${prefix}${c}`,
          stream: [
            stream('long', 'LONG'),
            stream('flag', 'BOOLEAN'),
            stream('text', 'STRING'),
            { id: 'hourly', kind: 'interval', baseCycleId: 'hour', valueType: 'DOUBLE' },
          ],
        })
  })
  after(() => importing.close())

  /** Plain rows have no sample that cannot be gathered; later ones have times at which nothing is stored yet. */
  const give = async (random: Random, isPlain: boolean, later: number) => {
    const orNull = <T>(value: T) => (random.integer(6) === 0 ? null : value)
    const longs = isPlain ? ['4', '-7', '0'] : ['9223372036854775807', '4', '-7']
    await importing.external`truncate r`
    for (let row = random.integer(40); row >= 0; row -= 1) {
      const time = later + 1000 * random.integer(6)
      await importing.external`
        insert into r values (
          ${random.pick(['A', 'B', 'C'])}, ${random.pick(['x', 'y'])}, ${isPlain ? time : orNull(time)},
          ${orNull(random.pick([0, 1.5, -1e300, 5]))}, ${orNull(random.pick(longs))},
          ${orNull(random.integer(2) === 0)}, ${orNull(random.pick(['', 'a', 'é, "💡"']))})`
    }
  }
  const stored = (prefix: string) => importing.service.sql`
    select substr(component.id, 5) as c, stream.id as s, value_type, time, num, long, text
    from sample
    join stream on stream.key = stream_key
    join component on component.key = component_key
    where component.id like ${`${prefix}%`}
    order by 1, 2, 4`
  const stale = (prefix: string) => importing.service.sql`
    select substr(component.id, 5) as c, stream.id as s, first_time, last_time
    from stale
    join stream on stream.key = stream_key
    join component on component.key = component_key
    where component.id like ${`${prefix}%`}
    order by 1, 2, 3, 4`

  it('are the same, however they are placed', async () => {
    const random = openRandom(15)
    const externalSql = 'select * from r order by ctid'
    const ways = await Promise.all(
      scripts.map(async (script) => [
        await importing.make({ externalSql, ingestSql: script(`'one-' + c`) + oneByOne }),
        await importing.make({ externalSql, ingestSql: script(`'sql-' + c`) }),
        await importing.make({
          externalSql: `select 'got-' || c, s, t, v, l, b, x from r order by ctid`,
          ingestSql: script('c'),
        }),
      ]),
    )
    for (let round = 0; round < shortOrLong(ways.length, 60); round += 1) {
      clock.set(clock.now() + 60_000)
      await give(random, round % 3 > 0, round % 2 === 0 ? 0 : 3_600_000 * round)
      const found = []
      for (const [way, uid] of ways[round % ways.length]!.entries()) {
        const answer = await importing.run(uid)
        assert.equal(answer.message, '', `round ${round}`)
        const prefix = ['one-', 'sql-', 'got-'][way]!
        found.push({ counts: counts(answer), stored: [...(await stored(prefix))], stale: [...(await stale(prefix))] })
      }
      assert.deepEqual(found[1], found[0], `placed in SQL, round ${round}`)
      assert.deepEqual(found[2], found[0], `gathered, round ${round}`)
    }
  })

  /** Those of the second run, whose first was there before. */
  const overtaken = async (cid: string, externalSql: string) => {
    const uid = await importing.make({ externalSql, ingestSql: insert(cid, 's', 'v') })
    await importing.external`truncate r`
    await importing.external`insert into r values ('A', 'x', 1000, 1)`
    assert.equal((await importing.run(uid)).message, '')
    await importing.external`insert into r select 'A', 'x', 1000 * n, n from generate_series(2, 5) as n`
    // A sample that is there before the one that is written, once: what a sequence gives is not taken back.
    await importing.service.sql.unsafe(`
      create sequence times_met;
      create function meanwhile() returns trigger language plpgsql as $$
      begin
        if new.num = 2 and nextval('times_met') = 1 then
          insert into sample (stream_key, time, num) values (new.stream_key, new.time, 77);
        end if;
        return new;
      end $$;
      create trigger meanwhile before insert on sample for each row execute function meanwhile()`)
    try {
      return counts(await importing.run(uid))
    } finally {
      await importing.service.sql.unsafe(
        'drop trigger meanwhile on sample; drop function meanwhile(); drop sequence times_met',
      )
    }
  }
  const upTo = (last: number) => Array.from({ length: last }, (_, at) => [1000 * (at + 1), at + 1])

  it('are stored over those that came in between, where nothing was when they were compared', async () => {
    const found = await overtaken(`'late-' + c`, 'select * from r')
    assert.deepEqual(found, { fetched: 5, inserted: 4, skipped: 1 })
    assert.deepEqual(await importing.samples('late-A', 'x'), upTo(5))
  })

  for (const [title, cid, own] of [
    ['are gathered', 'c', 'seen-got'],
    ['are placed in SQL', `c + ''`, 'seen-sql'],
  ] as const)
    it(`are not written over by a script that has not seen them, where they ${title}`, async () => {
      const { service } = importing
      await service.put(`/api/feed?compId=${own}&x=1&time=500`)
      const uid = await importing.make({
        externalSql: `select '${own}', 'x', 1000 * n, 10 * n from generate_series(2, 5) n`,
        ingestSql: `INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT ${cid}, s, t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 c STRING, 2 s STRING, 3 t LONG, 4 v DOUBLE)`,
      })
      const script = `INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT '${own}', 'x', 2000, Count(*) FROM Stream WHERE cid = '${own}' AND id = 'x' AND sample(Range(last=1000)) >= 0`
      const waits = (type: string) =>
        eventually(
          async () => (await service.sql`select from pg_locks where not granted and locktype = ${type}`).length > 0,
        )
      // The import stops with its last sample, when all are written and nobody sees them.
      await service.sql.unsafe(`
        create function stop_here() returns trigger language plpgsql as $$
        begin
          perform pg_advisory_xact_lock(4711);
          return null;
        end $$;
        create trigger stop_here after insert on sample for each row when (new.num = 50) execute function stop_here()`)
      try {
        const under = await transaction(service.sql, async (sql) => {
          await sql`select pg_advisory_xact_lock(4711)`
          const running = importing.run(uid)
          await waits('advisory')
          // A later transaction has ended: the script's snapshot is of a time after the import began.
          await service.put('/api/feed?compId=another&x=1&time=500')
          const asked = importing.ask('POST', '/api/gql', { s: script })
          await Promise.race([waits('transactionid'), asked])
          return { running, asked }
        })
        assert.equal((await under.running).message, '')
        const { status, body } = await under.asked
        assert.equal(status, 200, JSON.stringify(body))
      } finally {
        await service.sql.unsafe('drop trigger stop_here on sample; drop function stop_here()')
      }
      // It ran again, and has seen all five.
      assert.deepEqual((await importing.samples(own, 'x'))[1], [2000, 5])
    })

  it('are looked for in a thousand of their streams, and not read again for a digest that nobody keeps', async () => {
    const { service } = importing
    const weekMs = Date.UTC(2024, 5, 1)
    await service.put(`/api/feed?compId=first-of-week&x=1&time=${weekMs}`)
    const read = async () => {
      const [row] = await service.sql<[{ scans: number; rows: number; written: number }]>`
        select sum(seq_scan + idx_scan)::integer as scans, sum(seq_tup_read + idx_tup_fetch)::integer as rows,
          sum(n_tup_ins)::integer as written
        from pg_stat_user_tables
        join timescaledb_information.chunks on chunk_schema = schemaname and chunk_name = relname
        where hypertable_name = 'sample'`
      return row
    }
    const streams = 10_001
    const uid = await importing.make({
      externalSql: `select 'many-' || n % 100, 's' || n, ${weekMs}::bigint, n, n, true, '' from generate_series(1, ${streams}) n`,
      ingestSql: insert('c', 's', 'v'),
    })
    const before = await read()
    const answer = await importing.run(uid)
    assert.equal(answer.message, '')
    assert.deepEqual(counts(answer), { fetched: streams, inserted: streams, skipped: 0 })
    let after = before
    await eventually(async () => (after = await read()).written >= before.written + streams)
    assert.ok(after.scans - before.scans < streams / 2, `${after.scans - before.scans} scans`)
    assert.ok(after.rows - before.rows < streams / 2, `${after.rows - before.rows} rows`)
  })

  it('are stored over those that came in between, where they were gathered and nothing was there', async () => {
    const externalSql = `select 'soon-' || c, s, t, v, l, b, x from r where t > 1000 or not exists (select from r where t > 1000)`
    const found = await overtaken('c', externalSql)
    assert.deepEqual(found, { fetched: 4, inserted: 4, skipped: 0 })
    assert.deepEqual(await importing.samples('soon-A', 'x'), upTo(5))
  })
})
