import assert from 'node:assert/strict'
import { showTime } from '../../src/studio/web/time.ts'

describe('a time as people read it', () => {
  it('is written as ISO writes it, in the zone of the component', () => {
    const ms = Date.parse('2026-07-01T10:30:05.067Z')
    assert.equal(showTime(ms, 'Europe/Berlin'), '2026-07-01 12:30:05')
    assert.equal(showTime(ms, 'Europe/Berlin', true), '2026-07-01 12:30:05.067')
  })
})
