// Components that come to no lane for a while.
import assert from 'node:assert/strict'
import { HeldComponents } from '../../../src/core/sample/held.ts'

const of = (...keys: readonly number[]) => keys.map((key) => ({ key }))

describe('core/held', () => {
  it('keeps the components of an upload away, and none besides', () => {
    const held = new HeldComponents()
    assert.equal(held.has('one', of(1)), false)
    held.add('one', of(1, 2))
    assert.deepEqual(
      [of(1), of(3, 2), of(3), of()].map((components) => held.has('one', components)),
      [true, true, false, false],
    )
  })

  it('keeps a tenant away that has met sixteen, and no other tenant', () => {
    const held = new HeldComponents()
    for (let key = 1; key <= 15; key += 1) held.add('one', of(key))
    assert.equal(held.has('one', of(99)), false)
    held.add('one', of(16))
    assert.deepEqual([held.has('one', of(99)), held.has('two', of(99))], [true, false])
  })
})
