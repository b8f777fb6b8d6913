import assert from 'node:assert/strict'
import {
  connectionsInAll,
  defaultConnections,
  divideConnections,
  leastConnections,
  writerLanes,
} from '../../../src/base/database/connections.ts'

/** PostgreSQL's own default, less those it keeps for superusers. */
const usualMost = 97
const pulse = 1

describe('base/database-connections', () => {
  it('gives away no more than there are, and to each what it needs, whatever the number', () => {
    for (let total = leastConnections; total <= 1000; total += 1) {
      const parts = Object.values(divideConnections(total))
      assert.ok(writerLanes + pulse + parts.reduce((sum, part) => sum + part, 0) <= total, String(total))
      assert.ok(Math.min(...parts) >= 1, String(total))
    }
  })

  it('gives all of them away by default', () => {
    assert.deepEqual(divideConnections(defaultConnections), {
      jobs: 9,
      imports: 8,
      calls: 7,
      readings: 10,
      scripts: 6,
      files: 3,
      access: 2,
    })
  })

  it('leaves room for people on a PostgreSQL as it comes, with two workers', () => {
    assert.deepEqual(
      [1, 2, 4].map((workers) => connectionsInAll(defaultConnections, workers)),
      [48, 88, 166],
    )
    assert.ok(connectionsInAll(defaultConnections, 2) <= usualMost - 9)
  })
})
