// SQL Server: the part that can be tested without one, and the whole contract where TEST_SQLSERVER_URL names one.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import mssql from 'mssql'
import { testConnection } from '../../src/outbound/fetch.ts'
import { demandOneSelect } from '../../src/outbound/one-select.ts'
import { exactNumber } from '../../src/outbound/sqlserver-number.ts'
import { readColumn } from '../../src/outbound/sqlserver.ts'
import type { Target } from '../../src/outbound/target.ts'
import { holders, targetFrom } from '../support/outbound.ts'
import { countSteps } from '../support/steps.ts'
import { describeContract, describeRefusals } from './contract.ts'

describe('a connection to a SQL Server', () => {
  describeRefusals('sqlserver')

  it('takes one SELECT', () => {
    for (const sql of [
      'select 1',
      " SELECT [delete], \"update\", 'drop; it''s' from t -- delete\n order by 1 offset 2 rows fetch next 3 rows only;",
      'with a as (select 1e5 as n, 0xdead as b) select n from a /* drop /* it */ delete */ where n > 1.5',
      "select a.x from a inner merge join b on a.x = b.x option (use hint ('x'))",
      "select * from openquery(INSQL, 'select * from History')",
      'select @@version, #t.n from #t',
    ])
      assert.doesNotThrow(() => demandOneSelect(sql), sql)
  })

  it('refuses everything else, however it is hidden', () => {
    for (const sql of [
      '',
      'delete from t',
      'exec sp_who',
      'sp_who',
      'select 1; select 2',
      'select 1 delete from t',
      'select 1delete from t',
      'select 1e5delete from t',
      'select 0xdelete from t',
      'select * into other from t',
      'select 1 commit delete from t',
      "select 1 /* ' */ delete from t /* ' */",
      'select 1 /* -- */ delete from t',
      'select 1 --\r delete from t',
      "select 1 --\u2028 '\n delete from t --'",
      'with a as (select 1 as n) update t set n = 1',
      'with a as (select 1 as n) delete from a',
      "select 'x",
      'select 1 /* x',
      'select [x',
      'select 1 merge into t using u on 1 = 1 when matched then delete',
      'if 1 = 1 select 1',
      'begin select 1 end',
      'declare @x int select @x',
      "select 1 waitfor delay '1:00'",
    ])
      assert.throws(() => demandOneSelect(sql), /External SQL/, sql)
  })

  it('reads a text of a million characters in as many steps as its length asks for', async () => {
    const sql = (count: number) => `select ${"'a''b', [c]]d], 1.5, e /* ' */,".repeat(count)} 1`
    const module = new URL('../../src/outbound/one-select.ts', import.meta.url)
    const [some, many] = await countSteps(module, 'demandOneSelect', [[sql(3000)], [sql(30_000)]])
    assert.ok(some! > 1000)
    assert.ok(many! < 12 * some!, `${some} steps, then ${many}`)
  })

  it('has decimals and money to their last digit, from the bytes of the wire', () => {
    const decimal = (value: bigint, scale: number, sign = 1) => {
      const digits = Buffer.from(value.toString(16).padStart(32, '0'), 'hex').toReversed()
      return exactNumber(Buffer.concat([Buffer.from([17, sign]), digits]), { type: { name: 'NumericN' }, scale })
    }
    assert.equal(decimal(99_999_999_999_999_999_999_999_999_999_999_999_999n, 0), '9'.repeat(38))
    assert.equal(decimal(12_345_678_901_234_567_890n, 10), '1234567890.1234567890')
    assert.equal(decimal(5n, 3, 0), '-0.005')
    assert.equal(decimal(0n, 2, 0), '0.00')
    const money = (high: number, low: number) => {
      const bytes = Buffer.alloc(9)
      bytes[0] = 8
      bytes.writeInt32LE(high, 1)
      bytes.writeUInt32LE(low, 5)
      return exactNumber(bytes, { type: { name: 'MoneyN' } })
    }
    assert.equal(money(0x7fff_ffff, 0xffff_ffff), '922337203685477.5807')
    assert.equal(money(-0x8000_0000, 0), '-922337203685477.5808')
    assert.equal(exactNumber(Buffer.from([4, 0xff, 0xff, 0xff, 0xff]), { type: { name: 'MoneyN' } }), '-0.0001')
    assert.equal(exactNumber(Buffer.from([1]), { type: { name: 'Int' } }), undefined)
  })

  it('reads values as the driver hands them over', () => {
    const local = new Date(Date.UTC(2026, 2, 29, 3))
    const time = Object.assign(new Date(Date.UTC(1970, 0, 1, 13, 45, 30, 120)), { nanosecondsDelta: 0.0000345 })
    const cases: readonly (readonly [string, unknown, string, string])[] = [
      ['bigint', '9223372036854775807', '9223372036854775807', 'LONG'],
      ['int', -5, '-5', 'LONG'],
      ['decimal', '12345678901234567890.12', '12345678901234567890.12', 'DOUBLE'],
      ['money', '922337203685477.5807', '922337203685477.5807', 'DOUBLE'],
      ['float', 0.1 + 0.2, '0.30000000000000004', 'DOUBLE'],
      ['real', Math.fround(0.1), '0.1', 'DOUBLE'],
      ['bit', true, 'true', 'BOOLEAN'],
      ['datetime2', local, String(Date.UTC(2026, 2, 29, 1)), 'LONG'],
      ['date', new Date(Date.UTC(2026, 9, 26)), String(Date.UTC(2026, 9, 25, 23)), 'LONG'],
      ['datetimeoffset', local, String(Date.UTC(2026, 2, 29, 3)), 'LONG'],
      ['time', time, '13:45:30.1200345', 'STRING'],
      ['varbinary', Buffer.from([0, 255, 16]), 'AP8Q', 'STRING'],
      ['nvarchar', 'a,b "c"\n😀', 'a,b "c"\n😀', 'STRING'],
      ['uniqueidentifier', '123E4567-E89B-12D3-A456-426614174000', '123E4567-E89B-12D3-A456-426614174000', 'STRING'],
      ['sql_variant', 5, '5', 'STRING'],
      ['tinyint', 255, '255', 'LONG'],
      ['smallint', -32_768, '-32768', 'LONG'],
      ['bigint', '-9223372036854775808', '-9223372036854775808', 'LONG'],
      ['numeric', '0.00000000000000000001', '0.00000000000000000001', 'DOUBLE'],
      ['smallmoney', '-214748.3648', '-214748.3648', 'DOUBLE'],
      ['float', Number.MIN_VALUE, '5e-324', 'DOUBLE'],
      ['bit', false, 'false', 'BOOLEAN'],
      ['datetime', new Date(Date.UTC(2026, 9, 25, 2, 30)), String(Date.UTC(2026, 9, 25, 0, 30)), 'LONG'],
      ['smalldatetime', new Date(Date.UTC(2026, 9, 25, 3)), String(Date.UTC(2026, 9, 25, 2)), 'LONG'],
      ['datetime2', new Date(Date.UTC(2026, 2, 29, 2, 30)), String(Date.UTC(2026, 2, 29, 1)), 'LONG'],
      ['time', new Date(Date.UTC(1970, 0, 1)), '00:00:00', 'STRING'],
      ['binary', Buffer.from([0, 255, 16]), 'AP8Q', 'STRING'],
      ['image', Buffer.alloc(0), '', 'STRING'],
      ['varchar', '', '', 'STRING'],
      ['xml', '<a b="c"/>', '<a b="c"/>', 'STRING'],
    ]
    for (const [declaration, value, cell, type] of cases) {
      const column = readColumn({ name: 'c', type: { declaration } }, 'Europe/Berlin')
      assert.deepEqual([declaration, column.cell(value as never), column.type], [declaration, cell, type])
    }
  })
})

describe('a named instance of a SQL Server', function () {
  this.timeout(60_000)
  // Of its own, so that a server of this machine is not in the way.
  const host = '127.14.34.1'

  it('is asked for its port at UDP 1434, and reached there', async () => {
    let reached = 0
    const server = createServer((socket) => {
      reached += 1
      socket.on('error', () => {}).end()
    }).listen(0, host)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const browser = createSocket('udp4')
    browser.on('message', (_, from) => {
      const text = `ServerName;HISTORIAN;InstanceName;PLANT;IsClustered;No;Version;16.0.1000.6;tcp;${port};;`
      const head = Buffer.from([5, 0, 0])
      head.writeUInt16LE(text.length, 1)
      browser.send(Buffer.concat([head, Buffer.from(text)]), from.port, from.address)
    })
    browser.bind(1434, host)
    await once(browser, 'listening')
    try {
      const target = { ...targetFrom('sqlserver', `x://reader:x@${host}/plant`), more: { instance: 'PLANT' } }
      const test = (changed: Partial<Target>) =>
        testConnection({ ...target, ...changed }, { timeoutMs: 30_000, holders })
      const { ok } = await test({})
      assert.deepEqual([ok, reached > 0], [false, true])
      const before = reached
      assert.match((await test({ more: { instance: 'OTHER' } })).error!, /^127.14.34.1 knows no instance 'OTHER', or/)
      assert.match((await test({ allow: [] })).error!, /may not be reached/)
      assert.equal(reached, before)
    } finally {
      browser.close()
      server.close()
    }
  })
})

const url = process.env['TEST_SQLSERVER_URL']

/** The user must see sys.dm_exec_requests, as sa does: sqlserver://sa:...@127.0.0.1:1433/master. */
;(url === undefined ? describe.skip : describe)('rows of the SQL Server of TEST_SQLSERVER_URL', () => {
  before(async () => {
    const { host, port, user, password, database } = targetFrom('sqlserver', url!)
    const options = { trustServerCertificate: true }
    const pool = new mssql.ConnectionPool({ server: host, port: port ?? 1433, user, password, database, options })
    await pool.connect()
    await pool.request().query("if object_id('kept') is not null drop table kept")
    await pool.request().query('create table kept (n integer)')
    await pool.request().query('insert into kept values (1)')
    await pool.close()
  })

  describeContract(
    {
      numbers: (n) =>
        `select top (${n}) row_number() over (order by (select null)) as n from sys.all_columns a, sys.all_columns b`,
      // A statement that waits is no SELECT: this one counts for a while.
      sleep: () => 'select count_big(*) as n from sys.all_columns a, sys.all_columns b, sys.all_columns c',
      writes: [
        'insert into kept values (2)',
        'delete from kept',
        'drop table kept',
        'select 1 as n commit delete from kept',
      ],
      countKept: 'select count(*) as n from kept',
      running:
        "select count(*) as n from sys.dm_exec_requests r cross apply sys.dm_exec_sql_text(r.sql_handle) t where t.text like '%sys.all_columns c' and r.session_id <> @@spid",
      large: (megabytes) => `select replicate(cast('x' as varchar(max)), ${megabytes} * 1024 * 1024) as t`,
    },
    () => targetFrom('sqlserver', url!, { tls: 'no-verify' }),
  )
})
