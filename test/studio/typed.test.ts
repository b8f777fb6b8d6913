import assert from 'node:assert/strict'
import { typedText, typedWindow } from '../../src/studio/web/chart/typed.ts'

describe('the window of a chart, as it is typed', () => {
  it('is of the clocks of its zone, with or without a time', () => {
    assert.deepEqual(typedWindow('2026-07-01', ' 2026-07-01 12:30 ', 'Europe/Berlin'), {
      from: Date.parse('2026-06-30T22:00:00Z'),
      to: Date.parse('2026-07-01T10:30:00Z'),
    })
    assert.equal(typedText(Date.parse('2026-07-01T10:30:05.678Z'), 'Europe/Berlin'), '2026-07-01 12:30:05')
  })

  it('names the field of a day or a time that does not exist', () => {
    assert.deepEqual(typedWindow('2026-02-31', '2026-03-31', 'UTC'), { wrong: 'from' })
    assert.deepEqual(typedWindow('2026-02-28', '2026-04-31 10:00', 'UTC'), { wrong: 'to' })
    assert.deepEqual(typedWindow('2026-02-28 25:00', '2026-03-31', 'UTC'), { wrong: 'from' })
  })

  it('says of a pair that its end is not after its beginning', () => {
    assert.deepEqual(typedWindow('2026-03-02', '2026-03-01', 'UTC'), { wrong: 'order' })
    assert.deepEqual(typedWindow('2026-03-01', '2026-03-01', 'UTC'), { wrong: 'order' })
  })
})
