// The texts beside the cursor of a chart, and in its table.
import assert from 'node:assert/strict'
import { spanText } from '../../src/studio/web/chart/zone.ts'

describe('the span of an interval in letters', () => {
  const at = (iso: string) => Date.parse(iso)

  it('names the date once where both ends have the same', () => {
    assert.equal(
      spanText(at('2026-11-18T22:15:00Z'), at('2026-11-18T22:30:00Z'), 'UTC'),
      '2026-11-18 22:15:00 – 22:30:00',
    )
  })

  it('names both dates where they differ, and where it begins with its day', () => {
    const spans = [
      ['2026-11-18T23:45:00Z', '2026-11-19T00:00:00Z', '2026-11-18 23:45:00 – 2026-11-19'],
      ['2026-11-18T00:00:00Z', '2026-11-18T01:00:00Z', '2026-11-18 – 2026-11-18 01:00:00'],
      ['2026-11-18T00:00:00Z', '2026-11-19T00:00:00Z', '2026-11-18 – 2026-11-19'],
      ['2026-11-17T23:00:00Z', '2026-11-18T22:00:00Z', '2026-11-17 23:00:00 – 2026-11-18 22:00:00'],
    ] as const
    for (const [start, end, text] of spans) assert.equal(spanText(at(start), at(end), 'UTC'), text)
  })
})
