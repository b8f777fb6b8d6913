// The windows that a chart opens with and is led to, and whether there is something in them.
import assert from 'node:assert/strict'
import { isSeenIn } from '../../src/studio/web/chart/item.ts'
import { labelsOf, spanAtEnd, withMargin } from '../../src/studio/web/chart/streams.ts'

const hour = 3_600_000
const bare = { values: [], least: undefined, most: undefined, cycle: undefined, isInterval: false }

describe('a window of a chart', () => {
  it('counts an hour back from the latest sample where it reaches further, else from its own end', () => {
    const streams = [{ lastTime: 10 * hour }, { lastTime: undefined }, { lastTime: 8 * hour }]
    assert.deepEqual(spanAtEnd({ from: 0, to: 12 * hour }, streams, hour), { from: 9 * hour + 1, to: 10 * hour + 1 })
    assert.deepEqual(spanAtEnd({ from: 0, to: 5 * hour }, streams, hour), { from: 4 * hour, to: 5 * hour })
    assert.deepEqual(spanAtEnd({ from: 0, to: 5 * hour }, [{ lastTime: undefined }], hour), {
      from: 4 * hour,
      to: 5 * hour,
    })
  })

  it('has a margin of a fiftieth, and an hour around a single sample', () => {
    assert.deepEqual(withMargin({ from: 0, to: 1000 }), { from: -20, to: 1020 })
    assert.deepEqual(withMargin({ from: hour, to: hour + 1 }), { from: hour / 2, to: 1.5 * hour + 1 })
  })

  it('is empty where all samples lie outside', () => {
    const series = { ...bare, times: [1000, 9000], values: [1, 2] }
    assert.equal(isSeenIn(series, { from: 2000, to: 8000 }), false)
    assert.equal(isSeenIn(series, { from: 2000, to: 9000 }), true)
    assert.equal(isSeenIn(series, { from: 9001, to: 9500 }), false)
    assert.equal(isSeenIn({ ...bare, times: [] }, { from: 0, to: 9000 }), false)
  })

  it('is not empty within an interval, or while a text goes on', () => {
    const intervals = { ...bare, times: [1000, 9000], values: [1, 2], isInterval: true }
    assert.equal(isSeenIn(intervals, { from: 2000, to: 8000 }), true)
    assert.equal(isSeenIn(intervals, { from: 9001, to: 9500 }), false)
    const texts = { ...bare, times: [1000], texts: ['on'] }
    assert.equal(isSeenIn(texts, { from: 2000, to: 8000 }), true)
    assert.equal(isSeenIn(texts, { from: 0, to: 999 }), false)
  })
})

describe('the lines of a chart', () => {
  const line = (compId: string, streamId: string, componentName = compId, streamName = streamId) => ({
    compId,
    streamId,
    componentName,
    streamName,
  })

  it('are named by their stream, and by their component where there are several', () => {
    assert.deepEqual(labelsOf([line('A', 'x'), line('A', 'y', 'A', 'Why')]), ['x', 'Why'])
    assert.deepEqual(labelsOf([line('A', 'x', 'Boiler'), line('B', 'x', 'Tank')]), ['Boiler · x', 'Tank · x'])
  })

  it('have different labels where their names are the same', () => {
    const twins = [line('A', 'x', 'Twin'), line('B', 'x', 'Twin'), line('C', 'x', 'Other')]
    assert.deepEqual(labelsOf(twins), ['Twin · x (A/x)', 'Twin · x (B/x)', 'Other · x'])
    assert.deepEqual(labelsOf([line('A', 'x', 'A', 'T'), line('A', 'y', 'A', 'T')]), ['T (x)', 'T (y)'])
  })
})
