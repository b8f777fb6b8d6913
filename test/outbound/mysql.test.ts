// Rows of a MySQL or MariaDB, as cells: a MariaDB of Debian's, where it can be had.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fetchRows, testConnection } from '../../src/outbound/fetch.ts'
import { demandReadingWord } from '../../src/outbound/reading-word.ts'
import type { Target } from '../../src/outbound/target.ts'
import type { Mariadb } from '../support/mariadb.ts'
import { openMariadb } from '../support/mariadb.ts'
import { fetchAll, holders, targetFrom } from '../support/outbound.ts'
import { skipWithout } from '../support/skip.ts'
import { eventually } from '../support/within.ts'
import { describeContract, describeRefusals, refuses } from './contract.ts'
import { describeLongRows } from './long-rows.ts'

describe('a connection to a MySQL', () => {
  describeRefusals('mysql')
})

describe('rows of an external MariaDB', () => {
  let server: Mariadb | undefined
  let target: Target
  before(async function () {
    this.timeout(600_000)
    server = await openMariadb()
    if (server === undefined) return skipWithout(this, 'a MariaDB')
    target = targetFrom('mysql', server.url)
    await server.run('create table kept (n integer)', 'insert into kept values (1)')
  })
  after(() => server?.stop())

  /** Each type, a value of it, the cell it becomes, and the type that GS SQL sees. */
  const cases: readonly (readonly [string, string, string | null, string])[] = [
    ['bigint', '9223372036854775807', '9223372036854775807', 'LONG'],
    ['bigint', '-9223372036854775808', '-9223372036854775808', 'LONG'],
    ['bigint unsigned', '18446744073709551615', '18446744073709551615', 'LONG'],
    ['int unsigned', '4294967295', '4294967295', 'LONG'],
    ['mediumint', '-8388608', '-8388608', 'LONG'],
    ['smallint unsigned', '65535', '65535', 'LONG'],
    ['tinyint(1)', '1', '1', 'LONG'],
    ['boolean', 'false', '0', 'LONG'],
    ['year', '2026', '2026', 'LONG'],
    [
      'decimal(40, 20)',
      '12345678901234567890.12345678901234567890',
      '12345678901234567890.12345678901234567890',
      'DOUBLE',
    ],
    ['float', '0.1', '0.1', 'DOUBLE'],
    ['float', '16777216', '16777216', 'DOUBLE'],
    ['double', '0.1 + 0.2e0', '0.30000000000000004', 'DOUBLE'],
    ['bit(1)', "b'1'", 'true', 'BOOLEAN'],
    ['bit(64)', '18446744073709551615', '18446744073709551615', 'LONG'],
    ['int', 'null', null, 'LONG'],
    ['varchar(20)', "''", '', 'STRING'],
    ['text', `'a,b "c"\\nd\\r\\n😀'`, 'a,b "c"\nd\r\n😀', 'STRING'],
    ['varchar(20) character set latin1', "'Zähler'", 'Zähler', 'STRING'],
    ["enum('on', 'off')", "'off'", 'off', 'STRING'],
    ["set('a', 'b')", "'a,b'", 'a,b', 'STRING'],
    ['json', `'{"a": [1, "x"]}'`, '{"a": [1, "x"]}', 'STRING'],
    ['uuid', "'123e4567-e89b-12d3-a456-426614174000'", '123e4567-e89b-12d3-a456-426614174000', 'STRING'],
    ['inet6', "'::1'", '::1', 'STRING'],
    ['blob', "x'00ff10'", 'AP8Q', 'STRING'],
    ['binary(3)', "x'00ff10'", 'AP8Q', 'STRING'],
    ['date', "'2026-03-29'", String(Date.UTC(2026, 2, 28, 23)), 'LONG'],
    ['date', "'2026-03-30'", String(Date.UTC(2026, 2, 29, 22)), 'LONG'],
    ['date', "'0000-00-00'", null, 'LONG'],
    ['datetime', "'0000-00-00 00:00:00'", null, 'LONG'],
    ['date', "'2026-05-00'", null, 'LONG'],
    ['timestamp null', "'0000-00-00 00:00:00'", null, 'LONG'],
    ['time', "'-838:59:59'", '-838:59:59', 'STRING'],
    ['time(3)', "'25:00:00.5'", '25:00:00.5', 'STRING'],
    ['datetime(6)', "'2026-03-29 01:59:59.999999'", String(Date.UTC(2026, 2, 29, 0, 59, 59, 999)), 'LONG'],
    ['datetime', "'2026-03-29 03:00:00'", String(Date.UTC(2026, 2, 29, 1)), 'LONG'],
    ['datetime', "'2026-10-25 02:30:00'", String(Date.UTC(2026, 9, 25, 0, 30)), 'LONG'],
    // Written by a session in UTC: both sides of the hour that happens twice in Berlin.
    ['timestamp', "'2026-10-25 00:30:00'", String(Date.UTC(2026, 9, 25, 0, 30)), 'LONG'],
    ['timestamp(3)', "'2026-10-25 01:30:00.25'", String(Date.UTC(2026, 9, 25, 1, 30, 0, 250)), 'LONG'],
    ['timestamp', "'2026-01-25 01:30:00'", String(Date.UTC(2026, 0, 25, 1, 30)), 'LONG'],
  ]

  it('become exact cells with the types that GS SQL sees', async () => {
    const columns = cases.map(([type], index) => `c${index} ${type}`)
    await server!.run(
      `create table typed (${columns.join(', ')})`,
      "set session sql_mode = 'ALLOW_INVALID_DATES'",
      `insert into typed values (${cases.map(([, value]) => value).join(', ')})`,
    )
    const fetched = await fetchAll(target, 'select * from typed')
    assert.deepEqual(
      cases.map(([type, value], index) => [type, value, fetched.rows[0]![index], fetched.columns[index]!.type]),
      cases,
    )
  })

  const large = (mb: number) => `select repeat('x', ${mb} * 1024 * 1024) as t`
  describeLongRows({ target: () => target, large, many: (mb) => `${large(mb)} from seq_1_to_1000` })

  describeContract(
    {
      numbers: (n) => `select seq as n from seq_1_to_${n}`,
      sleep: (seconds) => `select sleep(${seconds}) as n`,
      writes: [
        'insert into kept values (2) returning n',
        'delete from kept',
        'create table other (n integer)',
        'drop table kept',
        'commit',
        'truncate table kept',
        "select n from kept into outfile '/tmp/coppice-kept'",
      ],
      refusedToWrite: ['select n from kept for update'],
      countKept: 'select count(*) as n from kept',
      running: "select count(*) as n from information_schema.processlist where info like 'select sleep(20)%'",
      large,
    },
    () => target,
  )

  it('begin with a word that reads: a text that only looks harmless is refused before it is sent', async () => {
    const refusal = {
      reason: 'sql',
      message: /^External SQL must begin with SELECT, WITH, VALUES, TABLE, SHOW, EXPLAIN or DESCRIBE, not with '/,
    }
    for (const sql of [
      'analyze table kept',
      '-- x\n/* y */ ( check table kept',
      '/*! analyze table kept */',
      '#\ncall p()',
      'kill 1',
    ])
      assert.throws(() => demandReadingWord(sql), refusal)
    await refuses(fetchAll(target, 'analyze table kept'), refusal)
    for (const sql of [
      'show tables like "kept"',
      '(select 1)',
      '/* a */ -- b\n# c\nwith t as (select 1 as n) select n from t',
      'explain select 1',
      'values (1)',
      'desc kept',
    ])
      demandReadingWord(sql)
    assert.equal((await fetchAll(target, '/* a */ -- b\n# c\n(select 1)')).rows.length, 1)
  })

  it('have no day that there is not, which a server may keep: it is an error, and no other day', async () => {
    await server!.run(
      'create table day (d date, t datetime)',
      "set statement sql_mode = 'ALLOW_INVALID_DATES' for insert into day values ('2026-02-31', '2026-04-31 10:00:00')",
    )
    for (const [column, text] of [
      ['d', '2026-02-31'],
      ['t', '2026-04-31 10:00:00'],
    ] as const)
      await refuses(fetchAll(target, `select ${column} from day`), {
        reason: 'value',
        message: new RegExp(`^row 1, column '${column}': '${text}' is no time$`),
      })
  })

  it('leave no lock behind: that of GET_LOCK() goes with the session', async () => {
    assert.deepEqual((await fetchAll(target, "select get_lock('of_import', 0) as l")).rows, [['1']])
    await eventually(async () => (await fetchAll(target, "select is_free_lock('of_import') as f")).rows[0]![0] === '1')
  })

  it('reads moments by the session zone of the connection', async () => {
    const more = { sessionTimeZone: '-05:00' }
    const sql = 'select hour(from_unixtime(86400)) as h, n from kept'
    assert.deepEqual((await fetchAll({ ...target, more }, sql)).rows, [['19', '1']])
    await server!.run('create table stamped (at timestamp)', "insert into stamped values ('2026-07-01 12:00:00')")
    const { rows } = await fetchAll({ ...target, more }, 'select at from stamped')
    assert.deepEqual(rows, [[String(Date.UTC(2026, 6, 1, 12))]])
  })

  it('refuses a moment whose time happens twice in a session zone by name, and takes all others', async () => {
    const [summer, winter] = [7200, 3600]
    await server!.run(
      "insert into mysql.time_zone (time_zone_id, use_leap_seconds) values (77, 'N')",
      "insert into mysql.time_zone_name (name, time_zone_id) values ('Europe/Berlin', 77)",
      `insert into mysql.time_zone_transition_type (time_zone_id, transition_type_id, \`offset\`, is_dst, abbreviation)
       values (77, 0, ${winter}, 0, 'CET'), (77, 1, ${summer}, 1, 'CEST')`,
      `insert into mysql.time_zone_transition (time_zone_id, transition_time, transition_type_id)
       values (77, ${Date.UTC(2026, 2, 29, 1) / 1000}, 1), (77, ${Date.UTC(2026, 9, 25, 1) / 1000}, 0)`,
      'create table twice (n integer, at timestamp)',
    )
    const moments = [
      Date.UTC(2026, 2, 29, 0, 59, 59),
      Date.UTC(2026, 2, 29, 1),
      Date.UTC(2026, 9, 24, 23, 59, 59),
      Date.UTC(2026, 9, 25, 2),
      Date.UTC(2026, 9, 25, 0),
      Date.UTC(2026, 9, 25, 0, 59, 59),
      Date.UTC(2026, 9, 25, 1),
      Date.UTC(2026, 9, 25, 1, 59, 59),
    ]
    for (const [n, ms] of moments.entries())
      await server!.run(`insert into twice values (${n}, from_unixtime(${ms / 1000}))`)
    const named = { ...target, more: { sessionTimeZone: 'Europe/Berlin' } }
    const { rows } = await fetchAll(named, 'select at from twice where n < 4 order by n')
    assert.deepEqual(
      rows,
      moments.slice(0, 4).map((ms) => [String(ms)]),
    )
    for (const [n, shown] of [
      [4, '02:00:00'],
      [5, '02:59:59'],
      [6, '02:00:00'],
      [7, '02:59:59'],
    ] as const)
      await refuses(fetchAll(named, `select n, at from twice where n = ${n}`), {
        reason: 'value',
        message: new RegExp(
          `^row 1, column 'at': '2026-10-25 ${shown}' happens twice in Europe/Berlin: its connection needs an offset as sessionTimeZone, or none$`,
        ),
      })
    const { rows: all } = await fetchAll(target, 'select at from twice order by n')
    assert.deepEqual(
      all,
      moments.map((ms) => [String(ms)]),
    )
  })

  it('reports a server that is killed while rows come', async () => {
    const sql = 'select seq from seq_1_to_100000000'
    const signal = new AbortController().signal
    const { batches } = await fetchRows(target, sql, {
      maxRows: 0,
      timeZone: 'UTC',
      timeoutMs: 120_000,
      signal,
      holders,
    })
    const read = async () => {
      let isKilled = false
      for await (const _ of batches) {
        if (!isKilled) await server!.kill()
        isKilled = true
      }
    }
    await refuses(read(), { reason: 'lost', message: /was lost$/ }).finally(() => server!.start())
  })

  it('says that the password, the database or the right is wrong', async () => {
    await server!.run(
      "create user reader@'127.0.0.1' identified by 'right'",
      "grant select on plant.kept to reader@'127.0.0.1'",
    )
    const reader = { ...target, user: 'reader', password: 'right' }
    const test = (changed: Partial<Target>) => testConnection({ ...reader, ...changed }, { timeoutMs: 60_000, holders })
    assert.equal((await test({})).ok, true)
    assert.equal((await test({ password: 'wr0ng' })).error, "MySQL refused the user 'reader' or its password")
    assert.match((await test({ database: 'nowhere' })).error!, /^the database 'nowhere' is not there/)
    await server!.run('create table closed (n integer)')
    await refuses(fetchAll(reader, 'select n from closed'), { reason: 'rights', message: /may not do this: .*closed/ })
  })

  it('signs in by the client’s certificate where the server asks for one', async () => {
    await server!.run(
      "create user certified@'127.0.0.1' identified by 'right' require x509",
      "grant select on plant.* to certified@'127.0.0.1'",
    )
    const [certificate, key] = ['certificate', 'key'].map((name) =>
      readFileSync(fileURLToPath(new URL(`../support/tls-${name}.pem`, import.meta.url)), 'utf8'),
    )
    const certified = { ...target, user: 'certified', password: 'right', tls: true, host: 'localhost' } as const
    const test = (more: Target['more']) =>
      testConnection({ ...certified, more: { ca: certificate, ...more } }, { timeoutMs: 15_000, holders })
    assert.equal((await test({ certificate, key })).error, undefined)
    assert.equal((await test({})).error, "MySQL refused the user 'certified' or its password")
  })

  it('verifies the certificate by the connection’s authority and name', async () => {
    const ca = readFileSync(fileURLToPath(new URL('../support/tls-certificate.pem', import.meta.url)), 'utf8')
    const test = (changed: Partial<Target>) => testConnection({ ...target, ...changed }, { timeoutMs: 60_000, holders })
    assert.match((await test({ tls: true, host: 'localhost' })).error!, /signed by nobody known here/)
    assert.equal((await test({ tls: true, host: 'localhost', more: { ca } })).error, undefined)
    assert.match((await test({ tls: true, host: '127.0.0.1', more: { ca } })).error!, /is for another name/)
    assert.equal((await test({ tls: 'no-verify' })).ok, true)
  })
})
