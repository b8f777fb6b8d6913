import assert from 'node:assert/strict'
import { demandNarrow } from '../../src/outbound/width.ts'

describe('the columns of a result', () => {
  const columns = (count: number, length: number) => Array.from({ length: count }, () => ({ name: 'n'.repeat(length) }))

  it('are refused where they are too many, or their names too long', () => {
    demandNarrow(columns(4096, 200), 4096)
    for (const [given, message] of [
      [columns(4097, 1), 'the statement gives 4097 columns, and 4096 are allowed'],
      [columns(2, 600_000), 'the names of the columns have more than 1000000 characters together'],
    ] as const)
      assert.throws(() => demandNarrow(given, 4096), { status: 400, reason: 'sql', message })
  })
})
