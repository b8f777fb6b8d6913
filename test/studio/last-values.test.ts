// The last values of a page, event by event.
import assert from 'node:assert/strict'
import { openLastValues } from '../../src/studio/web/last-values.ts'
import type { LastValues } from '../../src/studio/web/last-values.ts'

const stream = { compId: 'Meter', streamId: 'power' }
const sample = (time: number, data: number) => ({ ...stream, time, data })
const shown = (lasts: LastValues) => [...lasts.shown()].map(([name, { time, data }]) => [name, time, data])

describe('last values on a page', () => {
  it('keep the latest sample, not one that comes late', () => {
    const lasts = openLastValues()
    lasts.take(sample(2000, 2))
    lasts.take(sample(1000, 1))
    assert.deepEqual(shown(lasts), [['Meter/power', 2000, 2]])
    lasts.take(sample(2000, 3))
    assert.deepEqual(shown(lasts), [['Meter/power', 2000, 3]])
  })

  it('drop a value that was deleted, ask for the last one once, and go on with later samples', () => {
    const lasts = openLastValues()
    lasts.take(sample(9000, 99))
    lasts.forget({ ...stream, sd: 9000, ed: 9001 })
    assert.deepEqual(shown(lasts), [])
    assert.deepEqual([lasts.nextLost(), lasts.nextLost()], [stream, undefined])
    lasts.answer(stream, { time: 1000, data: 1 })
    assert.deepEqual(shown(lasts), [['Meter/power', 1000, 1]])
    lasts.take(sample(2000, 2))
    assert.deepEqual(shown(lasts), [['Meter/power', 2000, 2]])
  })

  it('keep a value that lies outside of what was deleted', () => {
    const lasts = openLastValues()
    lasts.take(sample(9000, 99))
    lasts.forget({ ...stream, sd: 0, ed: 9000 })
    lasts.forget({ ...stream, streamId: 'other', sd: 0, ed: 10_000 })
    assert.deepEqual(shown(lasts), [['Meter/power', 9000, 99]])
    assert.equal(lasts.nextLost(), undefined)
  })

  it('ask again when more is deleted while the answer is under way, and drop that answer', () => {
    const lasts = openLastValues()
    lasts.take(sample(9000, 99))
    lasts.forget({ ...stream, sd: 9000, ed: 9001 })
    lasts.nextLost()
    lasts.forget({ ...stream, sd: 1000, ed: 1001 })
    lasts.answer(stream, { time: 1000, data: 1 })
    assert.deepEqual(shown(lasts), [])
    assert.deepEqual(lasts.nextLost(), stream)
    lasts.answer(stream, undefined)
    assert.deepEqual(shown(lasts), [])
  })

  it('hold what another connection has brought until the last values have come, and no longer', () => {
    const lasts = openLastValues(new Map([['Meter/gone', { time: 9000, data: 99 }]]))
    lasts.take(sample(1000, 1))
    assert.deepEqual(shown(lasts), [
      ['Meter/gone', 9000, 99],
      ['Meter/power', 1000, 1],
    ])
    lasts.complete()
    assert.deepEqual(shown(lasts), [['Meter/power', 1000, 1]])
    lasts.begin()
    lasts.take(sample(500, 5))
    lasts.complete()
    assert.deepEqual(shown(lasts), [['Meter/power', 500, 5]])
  })

  it('keep so many streams of each component, say of which some are missing, and go on with those that are kept', () => {
    const lasts = openLastValues(new Map(), 2)
    for (const streamId of ['a', 'b', 'c', 'd']) lasts.take({ compId: 'Many', streamId, time: 1000, data: 1 })
    lasts.take(sample(1000, 1))
    lasts.take({ compId: 'Many', streamId: 'b', time: 2000, data: 2 })
    assert.deepEqual(shown(lasts), [
      ['Many/a', 1000, 1],
      ['Many/b', 2000, 2],
      ['Meter/power', 1000, 1],
    ])
    assert.deepEqual([...lasts.cut()], ['Many'])
  })
})
