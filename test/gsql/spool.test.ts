// The tables that CSV_TABLE(@JDBC_RESULT) reads, and how external rows get into them.
import assert from 'node:assert/strict'
import { onOwnConnection } from '../../src/base/database/pool.ts'
import { makeTables, openResult } from '../../src/gsql/ingest/imported.ts'
import { compileScript } from '../../src/gsql/script.ts'
import { openTestDatabase } from '../support/database.ts'
import type { TestDatabase } from '../support/database.ts'

const script = compileScript(
  `INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
   SELECT s, 'x', l, d FROM CSV_TABLE(@JDBC_RESULT) WITH (2 s STRING, 1 l LONG, 3 d DOUBLE, 4 b BOOLEAN)
   UNION ALL SELECT 'c', 'y', l, 1.0 FROM CSV_TABLE(@JDBC_RESULT) WITH (1 l LONG)`,
  65_536,
  'import',
)

describe('external rows', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.drop())

  type Row = readonly (string | null)[]

  /** What the first table holds then, and how many rows the second has. */
  const kept = (...batches: readonly (readonly Row[])[]) =>
    onOwnConnection(database.sql, undefined, async (own) => {
      try {
        await makeTables(own, script)
        const result = openResult(own, script, ['a', 'b', 'c', 'd'])
        for (const rows of batches) await result.add(rows)
        await result.end()
        const rows = await own`select c1, c2::text, c3, c4 from pg_temp.spool_0 order by n`.values()
        const [other] = await own`select count(*)::integer as count from pg_temp.spool_1`
        return { rows: Array.from(rows), other: other!['count'] as number }
      } finally {
        await own`discard temp`
      }
    })

  it('are kept to the last digit and letter, in their order, in every table that is read', async () => {
    const long = 'é💡'.repeat(40_000)
    const rows: readonly Row[] = [
      ['9223372036854775807', 'plain', '1.5', 'true'],
      ['-9223372036854775808', '', '-1e308', 'false'],
      ['-4294967297', 'ä, "💡"\\N\t\n', '4.9e-324', '1'],
      ['+12.9', 'a'.repeat(33), '-0', '0'],
      ['000123', long, ' 7 ', null],
      [null, null, null, null],
      ['1'],
    ]
    const { rows: found, other } = await kept(rows.slice(0, 2), [], rows.slice(2))
    assert.deepEqual(found, [
      ['plain', '9223372036854775807', 1.5, true],
      ['', '-9223372036854775808', -1e308, false],
      ['ä, "💡"\\N\t\n', '-4294967297', 5e-324, true],
      ['a'.repeat(33), '12', 0, false],
      [long, '123', 7, null],
      [null, null, null, null],
      [null, '1', null, null],
    ])
    assert.equal(other, rows.length)
  })

  it('are refused with the number of the row, the column, the value and the place in the script', async () => {
    const good = ['1', 'a', '1', 'true']
    for (const [row, message] of [
      [['x', 'a', '1', '1'], /^line 2, column 73: row 3, column l: 'x' is not a LONG$/],
      [['9223372036854775808', 'a', '1', '1'], /row 3, column l: '9223372036854775808' is not a LONG$/],
      [['1', 'a', 'NaN', '1'], /row 3, column d: 'NaN' is not a DOUBLE$/],
      [['1', 'a', '', '1'], /row 3, column d: '' is not a DOUBLE$/],
      [['1', 'a', '1', 'yes'], /row 3, column b: 'yes' is not a BOOLEAN$/],
      [['1', 'a\0', '1', '1'], /row 3, column s: the text holds a NUL character$/],
      [['1', 'a\ud83d', '1', '1'], /row 3, column s: 'a.' holds half of a surrogate pair$/],
    ] as const)
      await assert.rejects(kept([good], [good, row, good]), (error: Error) => {
        assert.match(error.message, message)
        return true
      })
  })
})
