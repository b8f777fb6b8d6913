import assert from 'node:assert/strict'
import { parseQuery } from '../../src/base/http/query-string.ts'
import { timesFromUrl } from '../../src/feed/times.ts'

const uploadMs = 1_700_000_000_000

const times = (raw: string, count: number, delimiter = ',') =>
  timesFromUrl(parseQuery(raw), delimiter, uploadMs)('temp', count)

describe('feed/times', () => {
  const refused: readonly [raw: string, count: number, message: string][] = [
    ['time=1&freq=1', 1, 'time and freq exclude each other'],
    ['time=1&timeEl=1', 1, 'time and timeEl exclude each other'],
    ['timeEl=1&freq=1', 1, 'timeEl and freq exclude each other'],
    ['TIME=1&timeel=1&Freq=1', 1, 'time and timeEl and freq exclude each other'],
    ['time=&freq=', 1, 'time and freq exclude each other'],
    ['', 2, "2 values for 'temp' need time, timeEl or freq"],
    ['time=1', 2, "2 values for 'temp' but 1 in time"],
    ['time=1,2,3', 2, "2 values for 'temp' but 3 in time"],
    ['timeEl=1,2', 1, "1 values for 'temp' but 2 in timeEl"],
    ['time=', 1, "time must be epoch milliseconds, not ''"],
    ['time=1,', 2, "time must be epoch milliseconds, not ''"],
    ['time=abc', 1, "time must be epoch milliseconds, not 'abc'"],
    ['time=1.5', 1, "time must be epoch milliseconds, not '1.5'"],
    ['time=2026-01-01', 1, "time must be epoch milliseconds, not '2026-01-01'"],
    ['time=253402300800000', 1, 'time 253402300800000 is outside the years 1 to 9999'],
    ['time=-62135596800001', 1, 'time -62135596800001 is outside the years 1 to 9999'],
    ['time=9007199254740993', 1, 'time 9007199254740993 is outside the years 1 to 9999'],
    ['timeEl=-1', 1, 'timeEl must be at least 0, not -1'],
    ['timeEl=x', 1, "timeEl must be an integer, not 'x'"],
    ['timeEl=63835596800001', 1, 'timeEl 63835596800001 reaches back beyond the year 1'],
    ['freq=0', 1, 'freq must be at least 1, not 0'],
    ['freq=-5', 1, 'freq must be at least 1, not -5'],
    ['freq=', 1, "freq must be an integer, not ''"],
    ['freq=1.5', 1, "freq must be an integer, not '1.5'"],
    ['freq=1,2', 2, "freq must be an integer, not '1,2'"],
    ['freq=31917798400001', 3, 'freq 31917798400001 reaches back beyond the year 1'],
    ['freq=9007199254740991', 3, 'freq 9007199254740991 reaches back beyond the year 1'],
  ]
  for (const [raw, count, message] of refused)
    it(`refuses ${raw} for ${count}: ${message}`, () =>
      assert.throws(() => times(raw, count), { status: 400, message }))

  const given: readonly [raw: string, count: number, times: readonly number[]][] = [
    ['', 1, [uploadMs]],
    ['time=5', 1, [5]],
    ['time=5,3,9,3', 4, [5, 3, 9, 3]],
    ['time=-62135596800000,253402300799999', 2, [-62135596800000, 253402300799999]],
    ['time=+5', 1, [5]],
    ['timeEl=0', 1, [uploadMs]],
    ['timeEl=2000,1000,0', 3, [uploadMs - 2000, uploadMs - 1000, uploadMs]],
    ['freq=60000', 1, [uploadMs]],
    ['freq=60000', 3, [uploadMs - 120_000, uploadMs - 60_000, uploadMs]],
    ['freq=31917798400000', 3, [-62135596800000, -30217798400000, uploadMs]],
  ]
  for (const [raw, count, expected] of given)
    it(`makes ${expected.join()} of '${raw}' for ${count}`, () => assert.deepEqual(times(raw, count), expected))

  it('splits at the delimiter given', () => assert.deepEqual(times('time=1;2', 2, ';'), [1, 2]))
})
