import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { repeat } from '../../src/studio/web/repeat.ts'
import { eventually } from '../support/within.ts'

/** Turns that end when the test says so. */
const openTurns = () => {
  const ends: { readonly end: () => void; readonly fail: () => void }[] = []
  const turn = () =>
    new Promise<void>((resolve, reject) => ends.push({ end: resolve, fail: () => reject(new Error('away')) }))
  return { ends, turn }
}

describe('a reading that a page repeats', () => {
  it('begins anew after the one before has ended, also where that failed', async () => {
    const { ends, turn } = openTurns()
    const stop = repeat(turn, 1, () => true)
    await pause(20)
    assert.equal(ends.length, 1)
    ends[0]!.end()
    await eventually(async () => ends.length === 2)
    await pause(20)
    assert.equal(ends.length, 2)
    ends[1]!.fail()
    await eventually(async () => ends.length === 3)
    stop()
    ends[2]!.end()
    await pause(20)
    assert.equal(ends.length, 3)
  })

  it('rests while nobody looks', async () => {
    const { ends, turn } = openTurns()
    let isSeen = false
    const stop = repeat(turn, 1, () => isSeen)
    ends[0]!.end()
    await pause(20)
    assert.equal(ends.length, 1)
    isSeen = true
    await eventually(async () => ends.length === 2)
    stop()
  })

  it('is read once where it is not to be repeated', async () => {
    const { ends, turn } = openTurns()
    repeat(turn, undefined, () => true)
    ends[0]!.end()
    await pause(20)
    assert.equal(ends.length, 1)
  })
})
