import assert from 'node:assert/strict'
import { showAge, showTime } from '../../src/studio/web/time.ts'

describe('a time as people read it', () => {
  it('is written as ISO writes it, in the zone of the component', () => {
    const ms = Date.parse('2026-07-01T10:30:05.067Z')
    assert.equal(showTime(ms, 'Europe/Berlin'), '2026-07-01 12:30:05')
    assert.equal(showTime(ms, 'Europe/Berlin', true), '2026-07-01 12:30:05.067')
  })

  it('is an age, also of a time that lies ahead; a clock that is a little behind says now', () => {
    const now = Date.parse('2026-07-01T10:30:00Z')
    assert.equal(showAge(now - 180_000, now), '3 min. ago')
    assert.equal(showAge(now + 59_999, now), 'now')
    assert.equal(showAge(now + 60_000, now), 'in 1 min.')
    assert.equal(showAge(Date.parse('2029-07-01T10:30:00Z'), now), 'in 3 yr.')
  })
})
