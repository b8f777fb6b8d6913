import assert from 'node:assert/strict'
import { openCalendar } from '../../../src/core/time/calendar.ts'
import { fillIntervals } from '../../../src/core/time/interval.ts'
import type { Value } from '../../../src/core/sample/value.ts'

const ms = (text: string) => Date.parse(text)
const text = (time: number) => new Date(time).toISOString()
const reference = '2001-01-01T00:00:00'
const hours = openCalendar({ size: 1, unit: 'hour', reference }, 'UTC')
const berlinDays = openCalendar({ size: 1, unit: 'day', reference }, 'Europe/Berlin')
const plenty = 100_000

const fill = (
  calendar: typeof hours,
  given: readonly (readonly [time: string, value: Value])[],
  fillsGaps = true,
  most = plenty,
) => {
  const { intervals, fills } = fillIntervals(
    calendar,
    given.map(([time]) => ms(time)),
    given.map(([, value]) => value),
    fillsGaps,
    most,
  )
  return { rows: intervals.map(({ endMs, span, value }) => [text(endMs), span, value]), fills }
}

const valuesOf = (given: Parameters<typeof fill>[1]) => fill(hours, given).rows.map(([, , value]) => value)

describe('core/interval', () => {
  it('refuses more fills than are left, and takes as many', () => {
    const given = [
      ['2026-01-01T01:00:00Z', 1],
      ['2026-01-01T05:00:00Z', 5],
    ] as const
    assert.throws(() => fill(hours, given, true, 2), {
      status: 400,
      message: 'the uploaded times leave more than 100,000 intervals to fill with nulls',
    })
    assert.equal(fill(hours, given, true, 3).fills, 3)
  })

  it('refuses a span of millennia without listing its intervals', () => {
    const seconds = openCalendar({ size: 1, unit: 'second', reference }, 'UTC')
    assert.throws(
      () =>
        fill(seconds, [
          ['0001-01-02T00:00:00Z', 1],
          ['9999-12-30T00:00:00Z', 2],
        ]),
      { status: 400 },
    )
  })

  it('refuses a time whose interval ends beyond the year 9999', () => {
    assert.throws(() => fill(hours, [['9999-12-31T23:30:00Z', 1]]), {
      status: 400,
      message: 'the end of an interval at 253402300800000 is outside the years 1 to 9999',
    })
    assert.deepEqual(fill(hours, [['9999-12-31T22:30:00Z', 1]]).rows, [['9999-12-31T23:00:00.000Z', 3600, 1]])
  })

  it('takes the first end of the calendar', () => {
    assert.deepEqual(fill(hours, [['0001-01-01T00:00:00Z', 1]]).rows, [['0001-01-01T00:00:00.000Z', 3600, 1]])
  })

  it('moves a time between two ends up to the next, and leaves an end where it is', () => {
    assert.deepEqual(fill(hours, [['2026-01-01T00:00:00.001Z', 1]]).rows, [['2026-01-01T01:00:00.000Z', 3600, 1]])
    assert.deepEqual(fill(hours, [['2026-01-01T01:00:00Z', 1]]).rows, [['2026-01-01T01:00:00.000Z', 3600, 1]])
  })

  it('keeps of several values in one interval the one with the latest time, null included', () => {
    assert.deepEqual(
      valuesOf([
        ['2026-01-01T00:30:00Z', 1],
        ['2026-01-01T00:10:00Z', 2],
      ]),
      [1],
    )
    assert.deepEqual(
      valuesOf([
        ['2026-01-01T00:30:00Z', 1],
        ['2026-01-01T00:40:00Z', null],
      ]),
      [null],
    )
    assert.deepEqual(
      valuesOf([
        ['2026-01-01T00:30:00Z', 1],
        ['2026-01-01T00:30:00Z', 2],
      ]),
      [2],
    )
  })

  it('writes null into every missing interval between the first and the last, in order', () => {
    const given = [
      ['2026-01-01T03:00:00Z', 'c'],
      ['2026-01-01T00:30:00Z', 'a'],
    ] as const
    assert.deepEqual(fill(hours, given), {
      rows: [
        ['2026-01-01T01:00:00.000Z', 3600, 'a'],
        ['2026-01-01T02:00:00.000Z', 3600, null],
        ['2026-01-01T03:00:00.000Z', 3600, 'c'],
      ],
      fills: 1,
    })
    assert.deepEqual(fill(hours, given, false), {
      rows: [
        ['2026-01-01T01:00:00.000Z', 3600, 'a'],
        ['2026-01-01T03:00:00.000Z', 3600, 'c'],
      ],
      fills: 0,
    })
  })

  it('follows the local day, which is an hour shorter or longer twice a year', () => {
    assert.deepEqual(
      fill(berlinDays, [
        ['2026-03-28T12:00:00Z', 1],
        ['2026-03-30T12:00:00Z', 3],
      ]).rows,
      [
        ['2026-03-28T23:00:00.000Z', 86_400, 1],
        ['2026-03-29T22:00:00.000Z', 82_800, null],
        ['2026-03-30T22:00:00.000Z', 86_400, 3],
      ],
    )
    assert.deepEqual(fill(berlinDays, [['2026-10-25T12:00:00Z', 1]]).rows, [['2026-10-25T23:00:00.000Z', 90_000, 1]])
  })
})
