import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { openDepartures } from '../../src/live/departures.ts'

describe('connections of a crowd that leaves', () => {
  it('are closed some at a time, and others are served in between', async () => {
    const departures = openDepartures()
    let closed = 0
    for (let n = 0; n < 1000; n += 1) departures.add({ destroy: () => (closed += 1) })
    let turns = 0
    for (let before = -1; before !== closed; turns += 1) {
      assert.ok(closed - Math.max(0, before) <= 50, `${closed - before} at once`)
      before = closed
      await setImmediate()
    }
    assert.equal(closed, 1000)
    assert.ok(turns >= 20, `${turns} turns`)
  })

  it('are closed at once where there are few, and later ones too', async () => {
    const departures = openDepartures()
    const closed: string[] = []
    departures.add({ destroy: () => closed.push('a') })
    assert.deepEqual(closed, ['a'])
    for (let turns = 0; turns < 3; turns += 1) await setImmediate()
    departures.add({ destroy: () => closed.push('b') })
    assert.deepEqual(closed, ['a', 'b'])
  })
})
