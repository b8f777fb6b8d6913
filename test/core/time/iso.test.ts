import assert from 'node:assert/strict'
import { isDay, openIsoText } from '../../../src/core/time/iso.ts'
import { openZone } from '../../../src/core/time/zone.ts'
import { openRandom } from '../../support/random.ts'

describe('a time as text, with the offset of a zone', () => {
  it('has the offset of that moment, when clocks are changed too', () => {
    const text = openIsoText(openZone('Europe/Berlin'))
    assert.equal(text(Date.parse('2026-03-29T00:59:59.999Z')), '2026-03-29T01:59:59.999+01:00')
    assert.equal(text(Date.parse('2026-03-29T01:00:00Z')), '2026-03-29T03:00:00.000+02:00')
    assert.equal(text(Date.parse('2026-10-25T00:30:00Z')), '2026-10-25T02:30:00.000+02:00')
    assert.equal(text(Date.parse('2026-10-25T01:30:00Z')), '2026-10-25T02:30:00.000+01:00')
  })

  it('has seconds in the offset of times before standard time', () => {
    const text = openIsoText(openZone('Europe/Amsterdam'))
    assert.match(text(Date.parse('1850-01-01T00:00:00Z')), /^1850-01-01T00:1\d:\d\d\.000\+00:1\d:\d\d$/)
  })

  it('is the same moment, in any order of times and any zone', () => {
    const random = openRandom(17)
    for (const name of ['UTC', 'America/St_Johns', 'Asia/Kolkata', 'Pacific/Apia']) {
      const text = openIsoText(openZone(name))
      for (let n = 0; n < 1000; n += 1) {
        const ms = Math.floor(random.fraction() * 4e12) - 1e12
        const shown = text(ms)
        if (/:\d\d:\d\d$/.test(shown.slice(23))) continue
        assert.equal(Date.parse(shown), ms, `${name} ${shown}`)
      }
    }
  })

  it('names a day that there is: February 29 in leap years only, and no 31st of short months', () => {
    for (const day of ['2026-01-31', '2024-02-29T00:00Z', '2000-02-29', '2026-12-31T24:00:00Z', '0001-01-31'])
      assert.ok(isDay(day), day)
    for (const day of ['2026-02-29', '2026-02-30T00:00Z', '1900-02-29', '2026-04-31', '2026-13-31', '2026-01-32'])
      assert.ok(!isDay(day), day)
  })
})
