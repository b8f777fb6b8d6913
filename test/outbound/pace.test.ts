// How far a session is ahead of its reader.
import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { openPace } from '../../src/outbound/pace.ts'

const small = 1000
const large = 60 * 1024 * 1024

describe('the pace of a session', () => {
  /** The numbers of the batches that may be given so far, of those that are asked for one after another. */
  const open = (sizes: readonly number[]) => {
    const pace = openPace()
    const given: number[] = []
    void (async () => {
      for (const [number, bytes] of sizes.entries()) {
        await pace.mayGive(bytes)
        given.push(number)
      }
    })()
    return {
      pace,
      given: async () => {
        await turn()
        return given.length
      },
    }
  }

  it('is three batches ahead of the reader, while they are small', async () => {
    const { pace, given } = open([small, small, small, small, small])
    assert.equal(await given(), 3)
    pace.more()
    assert.equal(await given(), 4)
  })

  it('is one batch ahead of the reader, when that is large', async () => {
    const { pace, given } = open([small, large, large, small])
    assert.equal(await given(), 1)
    pace.more()
    assert.equal(await given(), 2)
    pace.more()
    assert.equal(await given(), 3)
    pace.more()
    assert.equal(await given(), 4)
  })

  it('begins anew with each order, and forgets what is on its way', async () => {
    const { pace, given } = open(Array.from({ length: 20 }, () => small))
    assert.equal(await given(), 3)
    pace.beginAnew()
    assert.equal(await given(), 6)
    pace.more()
    assert.equal(await given(), 7)
  })
})
