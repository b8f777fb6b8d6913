import assert from 'node:assert/strict'
import { changedMinute, localText, minuteText, timeOfLocal } from '../../src/studio/web/local-time.ts'

describe('a local time', () => {
  it('is the moment that the clocks of its zone show, over changes of summer time', () => {
    for (const [text, zone, moment] of [
      ['2026-01-01T00:00:00', 'UTC', '2026-01-01T00:00:00Z'],
      ['2026-07-01T12:30', 'Europe/Berlin', '2026-07-01T10:30:00Z'],
      ['2026-03-29T01:59:59', 'Europe/Berlin', '2026-03-29T00:59:59Z'],
      ['2026-03-29T03:00:00', 'Europe/Berlin', '2026-03-29T01:00:00Z'],
      // It happens twice: the first.
      ['2026-10-25T02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00Z'],
      ['2026-10-25T03:00:00', 'Europe/Berlin', '2026-10-25T02:00:00Z'],
      // It does not happen: as much later.
      ['2026-03-29T02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00Z'],
      ['2026-06-01T05:30:00', 'Asia/Kolkata', '2026-06-01T00:00:00Z'],
    ] as const)
      assert.equal(timeOfLocal(text, zone), Date.parse(moment), `${text} ${zone}`)
  })

  it('is written as a field of the browser takes it', () => {
    assert.equal(localText(Date.parse('2026-07-01T10:30:05Z'), 'Europe/Berlin'), '2026-07-01T12:30:05')
  })

  it('is undefined where nothing was written', () => {
    assert.equal(timeOfLocal('', 'UTC'), undefined)
  })

  it('is not sent again where a field without seconds shows the time from before', () => {
    const before = Date.parse('2026-07-01T10:30:05.250Z')
    assert.equal(minuteText(before), '2026-07-01T10:30')
    for (const [text, from, changed] of [
      ['2026-07-01T10:30', before, undefined],
      ['2026-07-01T10:31', before, Date.parse('2026-07-01T10:31:00Z')],
      ['', before, null],
      ['', null, undefined],
      ['2026-07-01T10:30', undefined, Date.parse('2026-07-01T10:30:00Z')],
    ] as const)
      assert.equal(changedMinute(text, from), changed, `${text} ${from}`)
  })
})
