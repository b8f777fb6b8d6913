import assert from 'node:assert/strict'
import { apart } from '../../src/studio/web/apart.ts'
import { texts } from '../../src/studio/web/texts.ts'

describe('a name in a sentence', () => {
  it('stays as it is where it is read from left to right', () => {
    assert.equal(apart('Boiler 7 · Zürich 北'), 'Boiler 7 · Zürich 北')
  })

  it('stands apart where it is read from right to left, and holds nothing that turns the rest', () => {
    assert.equal(apart('דוד'), '\u2068דוד\u2069')
    assert.equal(apart('a\u202Eb\u2069\u2066'), '\u2068ab\u2069')
  })

  it('leaves the numbers behind it alone', () => {
    assert.equal(
      texts.chart.textCut('a\u202Eb', 1000),
      '\u2068ab\u2069: the latest 1,000 texts of this window are shown. Zoom in for earlier ones.',
    )
    assert.equal(texts.dashboards.placeSaid('a\u202Eb', 12, 34), '\u2068ab\u2069: column 12, row 34')
  })
})
