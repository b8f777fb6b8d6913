import assert from 'node:assert/strict'
import { csvCell, csvLine, textOfCell } from '../../../src/base/http/csv.ts'
import { csvCells, namedCell } from '../../support/csv-cells.ts'

describe('cells of CSV', () => {
  for (const [value, cell] of csvCells)
    it(`writes ${namedCell(value)} as ${JSON.stringify(cell)}`, () => assert.equal(csvCell(value), cell))

  it('gives each text back as it was', () => {
    const bare = (cell: string) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    for (const [value, cell] of csvCells) if (typeof value === 'string') assert.equal(textOfCell(bare(cell)), value)
  })

  it('ends a line as RFC 4180 wants it', () => {
    assert.equal(csvLine(['a', 1, null]), 'a,1,\r\n')
  })
})
