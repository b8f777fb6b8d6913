import assert from 'node:assert/strict'
import { csvLine } from '../../src/client/client.ts'
import { csvCells, namedCell } from '../support/csv-cells.ts'

describe('CSV of pages and of the command line', () => {
  for (const [value, cell] of csvCells)
    it(`writes ${namedCell(value)} as ${JSON.stringify(cell)}, as the server does`, () =>
      assert.equal(csvLine([value]), `${cell}\r\n`))
})
