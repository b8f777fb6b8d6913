import assert from 'node:assert/strict'
import { inSlices, openFairBreath } from '../../src/base/slices.ts'

describe('base/slices', () => {
  it('gives work slices as long as others have just taken in between, of 3 to 10 ms', async () => {
    let nowMs = 0
    const lengths: number[] = []
    const others = [0, 7, 20, 1, 0]
    const work = function* () {
      for (const taken of others) {
        const turn = lengths.length
        setImmediate(() => {
          nowMs += taken
          lengths.push(0)
        })
        while (lengths.length === turn) {
          nowMs += 1
          yield
        }
      }
    }
    const slices: number[] = []
    let beganMs = 0
    const breathe = openFairBreath(() => nowMs)
    await inSlices(work(), () => {
      const turn = breathe()
      if (turn) slices.push(nowMs - beganMs)
      return turn?.then(() => void (beganMs = nowMs))
    })
    assert.deepEqual(slices, [3, 3, 7, 10, 3])
  })
})
