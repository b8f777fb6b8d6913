// Rows of a PostgreSQL, as cells.
import assert from 'node:assert/strict'
import { testConnection } from '../../src/outbound/fetch.ts'
import { openPostgresql } from '../../src/outbound/postgresql.ts'
import type { Target } from '../../src/outbound/target.ts'
import { openEmptyDatabase } from '../support/database.ts'
import { fetchAll, holders, targetFrom } from '../support/outbound.ts'
import { eventually } from '../support/within.ts'
import { describeContract, describeRefusals, refuses } from './contract.ts'
import { describeLongRows } from './long-rows.ts'

describe('rows of an external PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof openEmptyDatabase>>
  let target: Target
  before(async () => {
    database = await openEmptyDatabase()
    target = targetFrom('postgresql', database.url)
    await database.sql.unsafe(`
      create table kept (n integer); insert into kept values (1);
      create table two (n integer); insert into two values (1), (2)`)
  })
  after(() => database.drop())

  /** Each expression, the cell it becomes, and the type that GS SQL sees. */
  const cases: readonly (readonly [string, string | null, string])[] = [
    ['9223372036854775807::bigint', '9223372036854775807', 'LONG'],
    ['(-9223372036854775808)::bigint', '-9223372036854775808', 'LONG'],
    ['32767::smallint', '32767', 'LONG'],
    ['18446744073709551615::numeric', '18446744073709551615', 'DOUBLE'],
    ['12345678901234567890.12345678901234567890::numeric', '12345678901234567890.12345678901234567890', 'DOUBLE'],
    ['0.1::float8 + 0.2::float8', '0.30000000000000004', 'DOUBLE'],
    ['0.1::float4', '0.1', 'DOUBLE'],
    ["'NaN'::float8", 'NaN', 'DOUBLE'],
    ["'-1234.5'::money", '-1234.50', 'DOUBLE'],
    ['true', 'true', 'BOOLEAN'],
    ['false', 'false', 'BOOLEAN'],
    ['null::integer', null, 'LONG'],
    ["''::text", '', 'STRING'],
    [`E'a,b "c"\\nd\\r\\n😀'::text`, 'a,b "c"\nd\r\n😀', 'STRING'],
    [`E'\\ta\\t\\\\b\\\\\\\\n\\b\\f\\x0b'::text`, '\ta\t\\b\\\\n\b\f\v', 'STRING'],
    [`E'\\\\N'::text`, '\\N', 'STRING'],
    [`E'\\\\.'::text`, '\\.', 'STRING'],
    ["date '2026-03-29'", String(Date.UTC(2026, 2, 28, 23)), 'LONG'],
    ["date '2026-03-30'", String(Date.UTC(2026, 2, 29, 22)), 'LONG'],
    ["time '23:59:59.5'", '23:59:59.5', 'STRING'],
    ["timestamp '2026-03-29 01:59:59.999'", String(Date.UTC(2026, 2, 29, 0, 59, 59, 999)), 'LONG'],
    ["timestamp '2026-03-29 03:00:00'", String(Date.UTC(2026, 2, 29, 1)), 'LONG'],
    // It does not happen: the moment after the gap. It happens twice: the first.
    ["timestamp '2026-03-29 02:30:00'", String(Date.UTC(2026, 2, 29, 1)), 'LONG'],
    ["timestamp '2026-10-25 02:30:00'", String(Date.UTC(2026, 9, 25, 0, 30)), 'LONG'],
    ["timestamptz '2026-10-25 02:30:00+02'", String(Date.UTC(2026, 9, 25, 0, 30)), 'LONG'],
    ["timestamptz '2026-10-25 02:30:00+01'", String(Date.UTC(2026, 9, 25, 1, 30)), 'LONG'],
    ["timestamptz '1883-11-18 00:00:00.0009Z'", String(Date.UTC(1883, 10, 18)), 'LONG'],
    ["interval '1 day 02:03:04'", '1 day 02:03:04', 'STRING'],
    ["'\\x00ff10'::bytea", 'AP8Q', 'STRING'],
    ["B'1011'", '1011', 'STRING'],
    [`'{"a": [1, "x"]}'::jsonb`, '{"a": [1, "x"]}', 'STRING'],
    ["'123e4567-e89b-12d3-a456-426614174000'::uuid", '123e4567-e89b-12d3-a456-426614174000', 'STRING'],
    ['array[1, null, 3]', '{1,NULL,3}', 'STRING'],
    ["'on'::mood", 'on', 'STRING'],
  ]

  it('become exact cells with the types that GS SQL sees', async () => {
    await database.sql.unsafe("create type mood as enum ('on', 'off')")
    const sql = `select ${cases.map(([expression], index) => `${expression} as c${index}`).join(', ')}`
    // All rows come by COPY, the first of them by a portal.
    for (const maxRows of [0, 1]) {
      const { columns, rows } = await fetchAll(target, sql, { maxRows })
      assert.deepEqual(
        cases.map(([expression], index) => [expression, rows[0]![index], columns[index]!.type]),
        cases,
      )
    }
  })

  it('are those of one statement, whatever stands at its end', async () => {
    for (const sql of ['values (1), (2)', 'values (1), (2);', 'select 1 union select 2 -- ) to stdout', 'table two'])
      assert.deepEqual((await fetchAll(target, sql)).rows, [['1'], ['2']], sql)
    const breaksOut = 'select 1) to stdout; delete from kept; copy (select 1'
    await refuses(fetchAll(target, breaksOut), { reason: 'sql', message: /syntax error/ })
    await refuses(fetchAll(target, 'select 1) to stdout --'), { reason: 'sql', message: /syntax error/ })
    assert.deepEqual((await fetchAll(target, 'select count(*) from kept')).rows, [['1']])
  })

  describeRefusals('postgresql')
  const large = (mb: number) => `select repeat('x', ${mb} * 1024 * 1024) as t`
  describeLongRows({ target: () => target, large, many: (mb) => `${large(mb)} from generate_series(1, 1000)` })

  describeContract(
    {
      numbers: (n) => `select generate_series(1, ${n}) as n`,
      sleep: (seconds) => `select 1 from pg_sleep(${seconds})`,
      writes: [
        'insert into kept values (2) returning n',
        'delete from kept returning n',
        'with gone as (delete from kept returning n) select n from gone',
        'create table other (n integer)',
        'drop table kept',
        'commit',
        "select set_config('transaction_read_only', 'off', false)",
        'copy kept to stdout',
      ],
      refusedToWrite: ['insert into kept values (2) returning n'],
      countKept: 'select count(*) as n from kept',
      running:
        "select count(*) as n from pg_stat_activity where query like '%pg_sleep(20)%' and state = 'active' and pid <> pg_backend_pid()",
      large,
    },
    () => target,
  )

  it('have cells of so many characters at most, where that is asked for: no more of them leaves the thread', async () => {
    const { rows } = await fetchAll(target, "select repeat('😀', 1000000), 'short'", { mostCharacters: 200 })
    assert.deepEqual(rows, [[`${'😀'.repeat(99)}…`, 'short']])
  })

  it('names the row, the column and the value that cannot be read', async () => {
    const sql =
      "select case when n = 3 then 'infinity'::timestamp else now()::timestamp end as at from generate_series(1, 5) n"
    await refuses(fetchAll(target, sql), { reason: 'value', message: /^row 3, column 'at': 'infinity' is no time$/ })
  })

  it('shows all rows of EXPLAIN and SHOW, whose ends have no count', async () => {
    assert.deepEqual((await fetchAll(target, 'show server_encoding')).rows, [['UTF8']])
    const { rows } = await fetchAll(target, 'explain select * from kept where n = 1')
    assert.match(rows[0]![0]!, /Scan on kept/)
    const cut = await fetchAll(target, 'show all', { maxRows: 20 })
    assert.deepEqual([cut.rows.length, cut.truncated], [20, true])
  })

  it('sends no notification: its transaction is rolled back', async () => {
    const heard: string[] = []
    const listening = await database.sql.listen('of_import', (text) => heard.push(text))
    await fetchAll(target, "select pg_notify('of_import', 'import')")
    // Notifications come in the order of their commits.
    await database.sql`select pg_notify('of_import', 'test')`
    await eventually(() => Promise.resolve(heard.includes('test')))
    assert.deepEqual(heard, ['test'])
    await listening.unlisten()
  })

  it('closes its session as soon as all rows are read: no time limit has to end it', async () => {
    const { setTimeout: given } = globalThis
    // A limit of a second never comes.
    const patient = (listener: () => void, ms?: number, ...values: []) =>
      given(listener, ms === 1000 ? 2 ** 31 - 1 : ms, ...values)
    globalThis.setTimeout = Object.assign(patient, given)
    try {
      const session = await openPostgresql(target, () => {})
      const statement = {
        timeZone: 'UTC',
        timeoutMs: 60_000,
        maxRows: 0,
        batchRows: 10,
        batchBytes: 1e6,
        mostColumns: 9,
      }
      const { batches } = await session.run({ ...statement, sql: 'select n from two' })
      const rows = []
      for await (const batch of batches) rows.push(...batch)
      await session.close()
      assert.deepEqual(rows, [['1'], ['2']])
    } finally {
      globalThis.setTimeout = given
    }
  })

  it('names line and column of an error in the statement', async () => {
    for (const [sql, message] of [
      ['select n\nfrm kept', /^External SQL, line 2, column 5: syntax error at or near "kept"$/],
      ["select '😀é', nothing from kept", /^External SQL, line 1, column 14: column "nothing" does not exist$/],
      ['select 1 / (n - 1) from kept', /^External SQL: division by zero$/],
    ] as const)
      await refuses(fetchAll(target, sql), { reason: 'sql', message })
  })

  it('finds tables by the search path of the connection', async () => {
    await database.sql.unsafe(
      'create schema plant; create table plant.meter (n integer); insert into plant.meter values (7)',
    )
    const { rows } = await fetchAll({ ...target, more: { searchPath: 'plant' } }, 'select n from meter')
    assert.deepEqual(rows, [['7']])
  })

  it('says that the password, the database or the right is wrong', async () => {
    await database.sql.unsafe(`create role reader_of_${process.pid} login password 'right'`)
    try {
      const reader = { ...target, user: `reader_of_${process.pid}`, password: 'right' }
      const test = (changed: Partial<Target>) =>
        testConnection({ ...reader, ...changed }, { timeoutMs: 60_000, holders })
      assert.equal((await test({})).ok, true)
      assert.equal(
        (await test({ password: 'wr0ng' })).error,
        `PostgreSQL refused the user 'reader_of_${process.pid}' or its password`,
      )
      assert.equal(
        (await test({ database: 'nowhere' })).error,
        "the database 'nowhere' is not there, or not open to this user",
      )
      await refuses(fetchAll(reader, 'select n from kept'), { reason: 'rights', message: /may not do this: .*kept/ })
    } finally {
      await database.sql.unsafe(`drop role reader_of_${process.pid}`)
    }
  })

  it('says that the server does not speak TLS where it does not', async () => {
    const { error } = await testConnection({ ...target, tls: true }, { timeoutMs: 60_000, holders })
    assert.equal(error, `${target.host}:${target.port} does not speak TLS: set tls to false where that is wanted`)
  })
})
