// Oracle: the part that can be tested without one, and the whole contract where TEST_ORACLE_URL names one.
import assert from 'node:assert/strict'
import oracledb from 'oracledb'
import { connectString, openPace, readColumn } from '../../src/outbound/oracle.ts'
import { targetFrom } from '../support/outbound.ts'
import { describeContract, describeRefusals } from './contract.ts'

describe('a connection to an Oracle', () => {
  describeRefusals('oracle')

  it('names a service or a SID, encrypted or not, and nothing else', () => {
    const target = targetFrom('oracle', 'oracle://reader:x@erp.example/ERP.example')
    const address = (protocol: string) => `(DESCRIPTION=(ADDRESS=(PROTOCOL=${protocol})(HOST=erp.example)(PORT=1521))`
    assert.equal(connectString(target), `${address('tcp')}(CONNECT_DATA=(SERVICE_NAME=ERP.example)))`)
    const sid = { ...target, tls: true, more: { sid: true } }
    assert.equal(connectString(sid), `${address('tcps')}(CONNECT_DATA=(SID=ERP.example)))`)
    assert.throws(() => connectString({ ...target, database: 'x)(HOST=evil' }), /is no name of an Oracle database/)
  })

  it('asks for as many rows at once as fit by their declared widths, and of large objects by the rows before', () => {
    const column = (dbTypeName: string, byteSize?: number) => ({
      name: 'C',
      dbTypeName,
      dbType: {},
      ...(byteSize ? { byteSize } : {}),
    })
    const megabyte = 1024 * 1024
    assert.equal(openPace([column('NUMBER', 22)], 1000, megabyte).next(), 1000)
    assert.equal(openPace([column('VARCHAR2', 32_767), column('NUMBER', 22)], 5000, megabyte).next(), 31)
    const pace = openPace([column('CLOB'), column('NUMBER', 22)], 5000, megabyte)
    const asked = [2, 2, 2, 3_000_000, 100, 2].map((size) => {
      const next = pace.next()
      pace.add(Array.from({ length: next }, () => ['x'.repeat(size), '1']))
      return next
    })
    assert.deepEqual(asked, [1, 2, 4, 8, 1, 2])
  })

  it('reads values as the driver hands them over', () => {
    const local = new Date(Date.UTC(2026, 2, 29, 3))
    const type = (dbTypeName: string, more = {}) => ({ name: 'C', dbTypeName, dbType: {}, ...more })
    const cases: readonly (readonly [ReturnType<typeof type>, unknown, string, string])[] = [
      [type('NUMBER', { precision: 18, scale: 0 }), '123456789012345678', '123456789012345678', 'LONG'],
      [type('NUMBER'), '12345678901234567890123456789012345678', '12345678901234567890123456789012345678', 'DOUBLE'],
      [type('NUMBER'), '-.5', '-0.5', 'DOUBLE'],
      [type('BINARY_FLOAT'), Math.fround(0.1), '0.1', 'DOUBLE'],
      [type('BINARY_DOUBLE'), 0.1 + 0.2, '0.30000000000000004', 'DOUBLE'],
      [type('DATE'), local, String(Date.UTC(2026, 2, 29, 1)), 'LONG'],
      [type('TIMESTAMP'), local, String(Date.UTC(2026, 2, 29, 1)), 'LONG'],
      [type('TIMESTAMP WITH TIME ZONE'), local, String(Date.UTC(2026, 2, 29, 3)), 'LONG'],
      [type('VARCHAR2'), 'a,b "c"\n😀', 'a,b "c"\n😀', 'STRING'],
      [type('CLOB'), 'long', 'long', 'STRING'],
      [type('BLOB'), Buffer.from([0, 255, 16]), 'AP8Q', 'STRING'],
      [type('JSON'), { a: [1, 'x'] }, '{"a":[1,"x"]}', 'STRING'],
      [type('BOOLEAN'), true, 'true', 'BOOLEAN'],
      [type('NUMBER', { precision: 10, scale: 2 }), '-1234567.89', '-1234567.89', 'DOUBLE'],
      [type('NUMBER', { precision: 19, scale: 0 }), '9223372036854775807', '9223372036854775807', 'DOUBLE'],
      [type('DATE'), new Date(Date.UTC(2026, 9, 25, 3)), String(Date.UTC(2026, 9, 25, 2)), 'LONG'],
      [type('TIMESTAMP'), new Date(Date.UTC(2026, 9, 25, 2, 30)), String(Date.UTC(2026, 9, 25, 0, 30)), 'LONG'],
      [type('TIMESTAMP WITH LOCAL TIME ZONE'), local, String(Date.UTC(2026, 2, 29, 3)), 'LONG'],
      [type('NCHAR'), 'a ', 'a ', 'STRING'],
      [type('ROWID'), 'AAAR3sAAEAAAACXAAA', 'AAAR3sAAEAAAACXAAA', 'STRING'],
      [type('RAW'), Buffer.from([0, 255, 16]), 'AP8Q', 'STRING'],
      [type('XMLTYPE'), '<a>b</a>', '<a>b</a>', 'STRING'],
      [type('INTERVAL YEAR TO MONTH'), { years: 1, months: 2 }, '1-02', 'STRING'],
      [type('INTERVAL YEAR TO MONTH'), { years: 0, months: -3 }, '-0-03', 'STRING'],
      [
        type('INTERVAL DAY TO SECOND'),
        { days: 1, hours: 2, minutes: 3, seconds: 4, fseconds: 500_000_000 },
        '1 02:03:04.5',
        'STRING',
      ],
      [
        type('INTERVAL DAY TO SECOND'),
        { days: 0, hours: 0, minutes: 0, seconds: -1, fseconds: 0 },
        '-0 00:00:01',
        'STRING',
      ],
    ]
    for (const [metaData, value, cell, expected] of cases) {
      const column = readColumn(metaData, 'Europe/Berlin')
      assert.deepEqual([metaData, column.cell(value as never), column.type], [metaData, cell, expected])
    }
  })
})

const url = process.env['TEST_ORACLE_URL']

/** The user must see v$session, as SYSTEM does: oracle://system:...@127.0.0.1:1521/FREEPDB1. */
;(url === undefined ? describe.skip : describe)('rows of the Oracle of TEST_ORACLE_URL', () => {
  before(async () => {
    const { user, password } = targetFrom('oracle', url!)
    const connection = await oracledb.getConnection({
      user,
      password,
      connectString: connectString(targetFrom('oracle', url!)),
    })
    // It may be there from the last time.
    await connection.execute('drop table kept').catch(() => {})
    await connection.execute('create table kept (n number)')
    await connection.execute('insert into kept values (1)')
    await connection.execute('commit')
    await connection.close()
  })

  describeContract(
    {
      numbers: (n) => `select level as n from dual connect by level <= ${n}`,
      sleep: () => 'select count(*) as n from all_objects a, all_objects b, all_objects c',
      writes: [
        'insert into kept values (2)',
        'delete from kept',
        'drop table kept',
        'begin delete from kept; commit; end;',
      ],
      countKept: 'select count(*) as n from kept',
      running:
        "select count(*) as n from v$session s join v$sql q on q.sql_id = s.sql_id where s.status = 'ACTIVE' and q.sql_text like '%all_objects c' and s.sid <> sys_context('userenv', 'sid')",
      large: (megabytes) =>
        `select xmlcast(xmlagg(xmlelement(e, rpad('x', 1024, 'x'))) as clob) as t from dual connect by level <= ${megabytes} * 1024`,
    },
    () => targetFrom('oracle', url!),
  )
})
