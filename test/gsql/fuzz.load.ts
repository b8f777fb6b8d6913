import assert from 'node:assert/strict'
import { fuzz } from './generator.ts'

describe('random scripts', () => {
  // npm run fuzz tries as many as there is time for.
  it('end in rows or in an error of their own, never in an error of ours or of Postgres', async () => {
    const { rows, error, failures } = await fuzz(120, 1)
    assert.deepEqual(failures, [])
    assert.ok(rows > 30 && error > 30, `${rows} gave rows, ${error} an error`)
  })
})
