import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { gradually } from '../../src/live/gradually.ts'

describe('live/gradually', () => {
  it('does the work for a crowd some at a time, and others are served in between', async () => {
    let done = 0
    const add = gradually<number>(() => void (done += 1))
    for (let n = 0; n < 1000; n += 1) add(n)
    let turns = 0
    for (let before = -1; before !== done; turns += 1) {
      assert.ok(done - Math.max(0, before) <= 50, `${done - before} at once`)
      before = done
      await setImmediate()
    }
    assert.equal(done, 1000)
    assert.ok(turns >= 20, `${turns} turns`)
  })

  it('does it at once where there are few, and later, too', async () => {
    const done: string[] = []
    const add = gradually<string>((item) => void done.push(item))
    add('a')
    assert.deepEqual(done, ['a'])
    for (let turns = 0; turns < 3; turns += 1) await setImmediate()
    add('b')
    assert.deepEqual(done, ['a', 'b'])
  })

  it('does it once for one that is added again while it waits', async () => {
    const done: string[] = []
    const add = gradually<string>((item) => void done.push(item))
    for (const item of ['a', 'b', 'b', 'c']) add(item)
    for (let turns = 0; turns < 3; turns += 1) await setImmediate()
    assert.deepEqual(done, ['a', 'b', 'c'])
  })
})
