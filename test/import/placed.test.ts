// Samples of an import are placed in SQL where no rule could refuse one, and else one by one, as those of an upload
// (core/sample/bulk.ts). Whichever way they go, the same is stored and the same is counted.
import assert from 'node:assert/strict'
import { openManager } from '../support/manage.ts'
import { counts, openImporting } from '../support/import.ts'
import type { Importing } from '../support/import.ts'
import type { Random } from '../support/random.ts'
import { openRandom } from '../support/random.ts'
import { openTestClock } from '../support/service.ts'
import { shortOrLong } from '../support/soak.ts'

const columns =
  'CSV_TABLE(@JDBC_RESULT) WITH (1 c STRING, 2 s STRING, 3 t LONG, 4 v DOUBLE, 5 l LONG, 6 b BOOLEAN, 7 x STRING)'
const insert = (prefix: string, stream: string, value: string, more = '') =>
  `INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT '${prefix}' + c, ${stream}, t, ${value} FROM ${columns} ${more};`

/** A DELETE makes all samples of the run go one by one. */
const oneByOne = `DELETE FROM SAMPLE WHERE CID = 'nobody' AND ID = 'nothing';`

const scripts: readonly ((prefix: string) => string)[] = [
  (prefix) => insert(prefix, 's', 'v'),
  (prefix) => insert(prefix, `s`, 'l') + insert(prefix, `s`, 'v', 'WHERE l > 3'),
  (prefix) => insert(prefix, `'long'`, 'l'),
  (prefix) => insert(prefix, `'flag'`, 'b'),
  (prefix) => insert(prefix, `'text'`, 'x'),
  // Of a type that the stream has to be asked about.
  (prefix) => insert(prefix, `'text'`, 'l'),
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
    for (const prefix of ['sql-', 'one-'])
      for (const c of ['A', 'B', 'C'])
        await manage.make('component', {
          id: `${prefix}${c}`,
          stream: [stream('long', 'LONG'), stream('flag', 'BOOLEAN'), stream('text', 'STRING')],
        })
  })
  after(() => importing.close())

  const give = async (random: Random) => {
    const orNull = <T>(value: T) => (random.integer(6) === 0 ? null : value)
    await importing.external`truncate r`
    for (let row = random.integer(40); row >= 0; row -= 1)
      await importing.external`
        insert into r values (
          ${random.pick(['A', 'B', 'C'])}, ${random.pick(['x', 'y'])}, ${orNull(1000 * random.integer(6))},
          ${orNull(random.pick([0, 1.5, -1e300, 5]))}, ${orNull(random.pick(['9223372036854775807', '4', '-7']))},
          ${orNull(random.integer(2) === 0)}, ${orNull(random.pick(['', 'a', 'é, "💡"']))})`
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
    const ways = await Promise.all(
      scripts.map(async (script) => ({
        sql: await importing.make({ externalSql: 'select * from r order by ctid', ingestSql: script('sql-') }),
        one: await importing.make({
          externalSql: 'select * from r order by ctid',
          ingestSql: script('one-') + oneByOne,
        }),
      })),
    )
    for (let round = 0; round < shortOrLong(scripts.length, 60); round += 1) {
      clock.set(clock.now() + 60_000)
      await give(random)
      const { sql, one } = ways[round % ways.length]!
      const [first, second] = [await importing.run(sql), await importing.run(one)]
      assert.equal(first.message, '')
      assert.equal(second.message, '')
      assert.deepEqual(counts(first), counts(second), `round ${round}`)
      assert.deepEqual([...(await stored('sql-'))], [...(await stored('one-'))], `round ${round}`)
      assert.deepEqual([...(await stale('sql-'))], [...(await stale('one-'))], `round ${round}`)
    }
  })

  it('are stored over those that came in between, where nothing was when they were compared', async () => {
    const uid = await importing.make({ externalSql: 'select * from r', ingestSql: insert('late-', 's', 'v') })
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
      assert.deepEqual(counts(await importing.run(uid)), { fetched: 5, inserted: 4, skipped: 1 })
    } finally {
      await importing.service.sql.unsafe(
        'drop trigger meanwhile on sample; drop function meanwhile(); drop sequence times_met',
      )
    }
    assert.deepEqual(
      await importing.samples('late-A', 'x'),
      [1, 2, 3, 4, 5].map((n) => [1000 * n, n]),
    )
  })
})
