// What a chart has loaded before serves the next window, where it can.
import assert from 'node:assert/strict'
import { bestOf, isEnough } from '../../src/studio/web/chart/kept.ts'
import type { Kept } from '../../src/studio/web/chart/kept.ts'
import { viewOf, queryOf } from '../../src/studio/web/chart/view.ts'
import { itemAt, shownValue } from '../../src/studio/web/chart/item.ts'
import { withGaps } from '../../src/studio/web/chart/window.ts'

const series = (cycle: string | undefined) => ({
  times: [],
  values: [],
  least: undefined,
  most: undefined,
  cycle,
  isInterval: false,
})
const kept = (from: number, to: number, cycle: string | undefined): Kept => ({
  loaded: { from, to },
  length: (to - from) / 2,
  drawn: [{ label: 'a', unit: '', series: series(cycle) }],
})

describe('a chart of the studio', () => {
  it('draws the finest that has all of the window, else the latest that came', () => {
    const [year, day, week] = [kept(0, 365, 'day'), kept(100, 101, 'minute'), kept(97, 104, 'hour')]
    assert.equal(bestOf([year, day, week], { from: 100.2, to: 100.4 }), day)
    assert.equal(bestOf([year, day, week], { from: 98, to: 101 }), week)
    assert.equal(bestOf([year, day, week], { from: 300, to: 400 }), week)
  })

  it('asks for nothing while it moves within what it has, and never for finer than samples', () => {
    assert.equal(isEnough(kept(0, 200, 'hour'), { from: 90, to: 190 }), true)
    assert.equal(isEnough(kept(0, 200, 'hour'), { from: 90, to: 210 }), false)
    assert.equal(isEnough(kept(0, 200, 'hour'), { from: 90, to: 100 }), false)
    assert.equal(isEnough(kept(0, 200, undefined), { from: 90, to: 91 }), true)
  })

  it('stands in its address with all that it shows', () => {
    const address = 'of=A%2Fb&of=C%2Fd&over=A%2Fb%3Aday%3Amax&from=1&to=100&table='
    const view = viewOf(new URLSearchParams(address))
    assert.deepEqual(view, {
      of: ['A/b', 'C/d'],
      over: [{ of: 'A/b', cycle: 'day', statistic: 'max' }],
      window: { from: 1, to: 100 },
      liveMs: undefined,
      isTable: true,
    })
    assert.deepEqual(queryOf(view), {
      of: ['A/b', 'C/d'],
      over: ['A/b:day:max'],
      from: '1',
      to: '100',
      table: '',
    })
    const wrong = viewOf(new URLSearchParams('of=A%2Fb&over=x&over=A/b:day:worst&from=5&to=1&live=no'))
    assert.deepEqual([wrong.over, wrong.window, wrong.liveMs], [[], undefined, undefined])
  })

  it('shows at the cursor the interval that holds it, or the nearest sample, and nothing in a gap', () => {
    const steps = { ...series('hour'), isInterval: true, starts: [0, 20], times: [10, 30], values: [1, 2] }
    assert.equal(itemAt(steps, 5, 0), 0)
    assert.equal(itemAt(steps, 15, 100), undefined)
    assert.equal(itemAt(steps, 25, 0), 1)
    const samples = { ...series(undefined), times: [0, 10, 11, 50], values: [1, 2, null, 3] }
    assert.equal(itemAt(samples, 8, 5), 1)
    assert.equal(itemAt(samples, 30, 5), undefined)
    assert.equal(shownValue({ ...steps, least: [0.5, 1], most: [4, 5] }, 0, ' °C'), '1 °C (0.5 … 4)')
  })

  it('shows a pause that is much longer than the usual ones as a gap', () => {
    const { times, values } = withGaps([0, 10, 20, 30, 200, 210], [1, 2, 3, 4, 5, 6])
    assert.deepEqual(times, [0, 10, 20, 30, 31, 200, 210])
    assert.deepEqual(values, [1, 2, 3, 4, null, 5, 6])
  })
})
