// The time axis of the studio's charts: marks by the component's own clock, whatever zone the browser has.
import assert from 'node:assert/strict'
import { ticksOf } from '../../src/studio/web/chart/ticks.ts'
import { isoOf, momentOf, offsetOf, offsetText } from '../../src/studio/web/chart/zone.ts'

const at = (text: string) => Date.parse(text)
const labels = (from: string, to: string, zone: string, most = 10) =>
  ticksOf({ from: at(from), to: at(to) }, zone, most).labels.map((label) => label.replace('\n', ' | '))

describe('the time axis of a chart', () => {
  it('writes hours by 24, and the date below the first mark of each day', () => {
    assert.deepEqual(labels('2026-11-15T17:00Z', '2026-11-16T03:00Z', 'UTC', 6), [
      '18:00 | 2026-11-15',
      '20:00',
      '22:00',
      '00:00 | 2026-11-16',
      '02:00',
    ])
  })

  for (const [from, to, expected] of [
    ['2026-11-15T10:00:00.000Z', '2026-11-15T10:00:00.004Z', '10:00:00.000 | 2026-11-15 … 10:00:00.004'],
    ['2026-11-15T10:00:00Z', '2026-11-15T10:00:40Z', '10:00:00 | 2026-11-15 … 10:00:40'],
    ['2026-11-15T10:00:00Z', '2026-11-15T11:00:00Z', '10:00 | 2026-11-15 … 11:00'],
    ['2026-11-01T00:00:00Z', '2026-11-09T00:00:00Z', '2026-11-01 … 2026-11-09'],
    ['2026-01-01T00:00:00Z', '2026-07-01T00:00:00Z', '2026-01 … 2026-07'],
    ['2018-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2018 … 2026'],
    ['0001-01-01T00:00:00Z', '9999-01-01T00:00:00Z', '1000 … 9000'],
  ] as const)
    it(`has marks that people know, from ${from} to ${to}`, () => {
      const all = labels(from, to, 'UTC')
      assert.equal(`${all[0]} … ${all.at(-1)}`, expected)
      assert.ok(all.length <= 11, String(all.length))
    })

  it('leaves out the hour that there is not when clocks are set forward, and says the new offset', () => {
    assert.deepEqual(labels('2026-03-29T00:00+01:00', '2026-03-29T06:00+02:00', 'Europe/Berlin', 8), [
      '00:00 | 2026-03-29',
      '01:00',
      '03:00 | +02:00',
      '04:00',
      '05:00',
      '06:00',
    ])
  })

  it('has the hour twice that there is twice when clocks are set back', () => {
    assert.deepEqual(labels('2026-10-25T01:00+02:00', '2026-10-25T04:00+01:00', 'Europe/Berlin', 5), [
      '01:00 | 2026-10-25',
      '02:00',
      '02:00 | +01:00',
      '03:00',
      '04:00',
    ])
  })

  it('begins days at midnight of the zone, which may be at any minute of UTC, also where they have 23 hours', () => {
    const { times } = ticksOf({ from: at('2026-03-27T00:00Z'), to: at('2026-03-31T00:00Z') }, 'Europe/Berlin', 8)
    const days = times.filter((time) => isoOf(time, 'Europe/Berlin').endsWith('T00:00:00.000'))
    assert.deepEqual(
      days.map((time) => new Date(time).toISOString().slice(0, 16)),
      ['2026-03-27T23:00', '2026-03-28T23:00', '2026-03-29T22:00', '2026-03-30T22:00'],
    )
    assert.deepEqual(labels('2026-11-14T18:30Z', '2026-11-16T18:30Z', 'Asia/Kolkata', 3), [
      '2026-11-15',
      '2026-11-16',
      '2026-11-17',
    ])
  })

  it('finds the moment of what clocks show: the first of two, and after the gap where there is none', () => {
    const moment = (local: string) => new Date(momentOf(at(`${local}Z`), 'Europe/Berlin')).toISOString().slice(0, 16)
    assert.equal(moment('2026-10-25T02:30'), '2026-10-25T00:30')
    assert.equal(moment('2026-03-29T02:30'), '2026-03-29T01:30')
    assert.equal(moment('2026-07-01T12:00'), '2026-07-01T10:00')
    assert.equal(offsetText(at('2026-07-01T12:00Z'), 'America/St_Johns'), '-02:30')
    assert.equal(offsetOf(at('2026-07-01T12:00Z'), 'UTC'), 0)
  })
})
