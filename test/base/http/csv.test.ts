import assert from 'node:assert/strict'
import { csvCell, csvLine, textOfCell } from '../../../src/base/http/csv.ts'

describe('cells of CSV', () => {
  const cells: readonly (readonly [value: unknown, cell: string])[] = [
    [null, ''],
    [undefined, ''],
    ['', '""'],
    ['plain', 'plain'],
    [' blank ', ' blank '],
    ['a,b', '"a,b"'],
    ['a "b"', '"a ""b"""'],
    ['two\nlines', '"two\nlines"'],
    [-4.5, '-4.5'],
    [9007199254740993n, '9007199254740993'],
    [false, 'false'],
    [{ a: [1, null] }, '"{""a"":[1,null]}"'],
    [[], '[]'],
    ['=1+1', "'=1+1"],
    ['+49 30', "'+49 30"],
    ['-', "'-"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', `"'\rx"`],
    ["'=1", "''=1"],
    ["''-1", "'''-1"],
    ["'tis", "'tis"],
    ["'", "'"],
  ]
  for (const [value, cell] of cells)
    it(`writes ${typeof value === 'bigint' ? `${value}n` : JSON.stringify(value)} as ${JSON.stringify(cell)}`, () =>
      assert.equal(csvCell(value), cell))

  it('gives each text back as it was', () => {
    const bare = (cell: string) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    for (const [value, cell] of cells) if (typeof value === 'string') assert.equal(textOfCell(bare(cell)), value)
  })

  it('ends a line as RFC 4180 wants it', () => {
    assert.equal(csvLine(['a', 1, null]), 'a,1,\r\n')
  })
})
