// The place of a run while its external database lets it wait (docs/imports.md#a-run).
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { openShares } from '../../src/base/shares.ts'
import { openPlace } from '../../src/import/place.ts'
import { eventually } from '../support/within.ts'

describe('import/place', () => {
  const mostMs = 50
  let idleMs = 0
  /** At each look it has had nothing to do. */
  const idling = () => (idleMs += 20)
  const openOne = async () => {
    const places = openShares(1)
    const ending = new AbortController()
    const place = places.open(['tenant 1', 'import 1'])
    assert.equal(await place.wait(1, 1000), true)
    return { places, place, ending, whileWaiting: openPlace(place, ending.signal, mostMs) }
  }
  /** A message of the session that comes when the test says so. */
  const openMessage = () => {
    let come: (message: string) => void = () => {}
    const heard = new Promise<string>((resolve) => (come = resolve))
    return { heard, come }
  }

  it('is given up once the session has nothing to do, and taken again in its turn before rows are handled', async () => {
    const { places, place, whileWaiting } = await openOne()
    const other = places.open(['tenant 2', 'import 2'])
    const { heard, come } = openMessage()
    const waited = whileWaiting(heard, idling)
    assert.equal(await other.wait(1, 60_000), true)
    let isHandled = false
    void waited.then(() => (isHandled = true))
    come('rows')
    await eventually(async () => places.waiting() === 1)
    assert.equal(isHandled, false)
    other.give()
    assert.equal(await waited, 'rows')
    assert.deepEqual([place.amount, places.free()], [1, 0])
  })

  it('is given up though some rows come now and then', async () => {
    const { places, whileWaiting } = await openOne()
    const other = places.open(['tenant 2', 'import 2'])
    const over = new AbortController()
    const waiting = other.wait(1, 60_000).then((isIn) => {
      over.abort()
      other.give()
      return isIn
    })
    while (!over.signal.aborted) await whileWaiting(pause(1), idling)
    assert.equal(await waiting, true)
  })

  it('is kept while the session works', async () => {
    const { place, places, whileWaiting } = await openOne()
    const { heard, come } = openMessage()
    const waited = whileWaiting(heard, () => 0)
    await pause(600)
    assert.deepEqual([place.amount, places.free()], [1, 0])
    come('rows')
    assert.equal(await waited, 'rows')
  })

  it('is waited for until the run is ended', async () => {
    const { places, place, ending, whileWaiting } = await openOne()
    const other = places.open(['tenant 2', 'import 2'])
    const { heard, come } = openMessage()
    const waited = whileWaiting(heard, idling)
    assert.equal(await other.wait(1, 60_000), true)
    come('rows')
    await eventually(async () => places.waiting() === 1)
    ending.abort(new Error('cancelled'))
    await assert.rejects(waited, /cancelled/)
    assert.deepEqual([place.amount, places.waiting()], [0, 0])
  })

  it('is not waited for by a run whose session fails', async () => {
    const { places, whileWaiting } = await openOne()
    const other = places.open(['tenant 2', 'import 2'])
    let come = () => {}
    const message = new Promise<void>((resolve) => (come = resolve))
    const failing = async () => {
      await message
      throw new Error('lost')
    }
    const waited = whileWaiting(failing(), idling)
    assert.equal(await other.wait(1, 60_000), true)
    come()
    await assert.rejects(waited, /lost/)
  })
})
