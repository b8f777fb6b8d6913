// The address of a chart, which people cut short and write by hand: whatever it says, there is something to show.
import assert from 'node:assert/strict'
import { ticksOf } from '../../src/studio/web/chart/ticks.ts'
import { viewOf } from '../../src/studio/web/chart/view.ts'
import { withinYears } from '../../src/studio/web/chart/window.ts'
import type { Window } from '../../src/studio/web/chart/window.ts'
import { isoOf } from '../../src/studio/web/chart/zone.ts'

const earliest = Date.parse('0001-01-01T00:00:00Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')
const view = (query: string) => viewOf(new URLSearchParams(query))

/** Fails where the browser knows no such dates. */
const show = (window: Window | undefined) => {
  assert.ok(window !== undefined)
  ticksOf(window, 'Asia/Kolkata', 10)
  return [isoOf(window.from, 'UTC'), isoOf(window.to, 'UTC')]
}

describe('the address of a chart', () => {
  for (const [from, to] of [
    ['-9e15', '9e15'],
    ['-Infinity', 'Infinity'],
    ['1', '1e300'],
    ['-1e300', '1'],
  ] as const)
    it(`names no time outside of the years that the server knows: from ${from} to ${to}`, () => {
      const { window } = view(`of=A/b&from=${from}&to=${to}`)
      assert.ok(window!.from >= earliest && window!.to <= latest && window!.from < window!.to)
      show(window)
    })

  it('has no window where it names none', () => {
    for (const query of ['from=x&to=5', 'from=5&to=5', 'from=6&to=5', 'from=Infinity&to=Infinity', 'to=5'])
      assert.equal(view(query).window, undefined, query)
  })

  it('takes times as ISO writes them, in UTC where they have no offset', () => {
    const year = { from: Date.parse('2025-01-01T00:00:00Z'), to: Date.parse('2026-01-01T00:00:00Z') }
    for (const query of [
      'from=2025-01-01&to=2026-01-01',
      'from=2025-01-01T00:00&to=2026-01-01T00:00',
      'from=2025-01-01T01:00:00%2B01:00&to=2026-01-01T00:00:00.000Z',
    ])
      assert.deepEqual(view(query).window, year, query)
  })

  it('keeps a window that is within these years as it is', () => {
    assert.deepEqual(view('from=1000&to=2000').window, { from: 1000, to: 2000 })
  })

  it('follows the clock for a thousand years at most', () => {
    const { liveMs } = view('live=1e300')
    show({ from: Date.now() - liveMs!, to: Date.now() })
  })

  it('names each stream once, and no more of them than a tile has, whatever it says', () => {
    assert.deepEqual(view('of=A/b&of=A/b&of=A/c').of, ['A/b', 'A/c'])
    const thousands = Array.from({ length: 5000 }, (_, n) => `of=A/${n}&over=A/${n}:day:max`).join('&')
    assert.equal(view(thousands).of.length, 12)
    assert.equal(view(thousands).over.length, 24)
  })

  it('takes a text that is not escaped as it is', () => {
    assert.deepEqual(view('over=A/b:%E0%A4:max').over, [{ of: 'A/b', cycle: '\ufffd', statistic: 'max' }])
    assert.deepEqual(view('over=A/b:%25E0%25A4:max').over, [{ of: 'A/b', cycle: '%E0%A4', statistic: 'max' }])
  })
})

describe('a window that goes beyond the years that the server knows', () => {
  it('is moved back into them with its length, or is all of them', () => {
    for (const from of [-9e15, -62_135_596_800_001, 253_402_300_799_999, 9e15]) {
      const window = withinYears({ from, to: from + 1000 })
      assert.equal(window.to - window.from, 1000)
      show(window)
    }
    const all = ['0001-01-01T00:00:00.000', '9999-12-31T23:59:59.999']
    assert.deepEqual(show(withinYears({ from: -9e15, to: 9e15 })), all)
  })
})
