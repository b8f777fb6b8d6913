import assert from 'node:assert/strict'
import type { Fault } from '../../../src/base/errors.ts'
import type { SampleBatch } from '../../../src/core/sample/batch.ts'
import { writeFromPlaced } from '../../../src/core/sample/append.ts'
import { emptySamples, noDerivation, pushSample } from '../../../src/core/sample/batch.ts'
import { placeBatch } from '../../../src/core/sample/place.ts'
import { openCalendar } from '../../../src/core/time/calendar.ts'
import type { RegisteredComponent, RegisteredStream } from '../../../src/core/sample/registered.ts'
import type { StreamRef } from '../../../src/core/sample/ref.ts'
import type { SampleRows } from '../../../src/core/sample/rows.ts'
import type { StreamKind, ValueType } from '../../../src/core/stream.ts'
import type { RawValue } from '../../../src/core/sample/value.ts'
import { WrittenTimes } from '../../../src/core/sample/written-times.ts'

const uploadMs = Date.parse('2026-01-10T00:00:00Z')
const hourMs = 3_600_000
const hours = openCalendar({ size: 1, unit: 'hour', reference: '2001-01-01T00:00:00' }, 'UTC')

const stream = (key: number, id: string, kind: StreamKind, valueType: ValueType, more = {}): RegisteredStream => ({
  key,
  uid: `uid-${id}`,
  id,
  kind,
  valueType,
  calendar: kind === 'interval' ? hours : undefined,
  isDerived: false,
  isSource: false,
  position: 1,
  archived: [],
  written: new WrittenTimes(),
  ...more,
})

const component = (retentionDays: number | null, ...streams: readonly RegisteredStream[]): RegisteredComponent => ({
  key: 1,
  uid: 'uid-c',
  id: 'c',
  timeZone: 'UTC',
  streams,
  streamsById: new Map(streams.map((each) => [each.id!, each])),
  retentionDays,
  keptUntilMs: null,
})

const everyKind = (retentionDays: number | null = null) =>
  component(
    retentionDays,
    stream(1, 'num', 'random', 'DOUBLE'),
    stream(2, 'long', 'random', 'LONG'),
    stream(3, 'flag', 'random', 'BOOLEAN'),
    stream(4, 'text', 'random', 'STRING'),
    stream(5, 'point', 'point', 'DOUBLE'),
    stream(6, 'hour', 'interval', 'DOUBLE'),
    stream(7, 'derived', 'random', 'DOUBLE', { isDerived: true }),
    stream(8, 'file', 'random', 'FILE'),
  )

type Given = readonly [ref: StreamRef, value: RawValue, timeMs?: number]

const batch = (given: readonly Given[], more: Partial<SampleBatch> = {}): SampleBatch => {
  const samples = emptySamples()
  for (const [ref, value, timeMs = uploadMs] of given) pushSample(samples, 0, ref, value, timeMs)
  return {
    form: 'json',
    uploadMs,
    components: [{ ref: 'c', name: undefined, templateId: undefined }],
    samples,
    wantedStreamIds: [],
    creation: { folderPath: '/Components', streamTemplate: undefined },
    fillsGaps: true,
    derivation: noDerivation,
    ...more,
  }
}

const rowsOf = (rows: SampleRows) =>
  rows.streamKeys.map((key, row) => [
    key,
    rows.spans[row],
    rows.storedMs[row]! - uploadMs,
    rows.nums[row] ?? rows.longs[row] ?? rows.texts[row] ?? null,
  ])

const place = (given: readonly Given[], owner = everyKind(), more: Partial<SampleBatch> = {}) => {
  const placed = placeBatch(batch(given, more), [owner])
  return placed && { rows: rowsOf(placed.rows), points: rowsOf(placed.points) }
}

const span = (id: string, count: number): readonly Given[] => [
  [id, 1, 0],
  [id, 2, count * hourMs],
]

const divide = (owner: RegisteredComponent, given: readonly Given[]) => {
  const { appends, merges } = writeFromPlaced(
    placeBatch(batch(given), [owner])!,
    { serial: 0 },
    { organizationKey: 1, components: [owner] },
  )
  return [rowsOf(appends), rowsOf(merges)].map((rows) => rows.map(([key, , at, value]) => [key, at, value]))
}

const at = (offset: number) => uploadMs + offset

describe('core/place', () => {
  const refused: readonly [given: Given, message: string][] = [
    [['num', 'warm'], "stream 'num' of component 'c' is DOUBLE and cannot take 'warm'"],
    [['num', true], "stream 'num' of component 'c' is DOUBLE and cannot take 'true'"],
    [['num', 'NaN'], "stream 'num' of component 'c' is DOUBLE and cannot take 'NaN'"],
    [['long', 1.5], "stream 'long' of component 'c' is LONG and cannot take '1.5'"],
    [['flag', 'on'], "stream 'flag' of component 'c' is BOOLEAN and cannot take 'on'"],
    [
      ['text', 'a\0'],
      "stream 'text' of component 'c' is STRING and cannot take 'a\ufffd': it holds a character that cannot be stored",
    ],
    [['file', 'a'], "stream 'file' of component 'c' is FILE and cannot take 'a'"],
    [['point', 'x'], "stream 'point' of component 'c' is DOUBLE and cannot take 'x'"],
    [['hour', 'x'], "stream 'hour' of component 'c' is DOUBLE and cannot take 'x'"],
    [['derived', 1], "stream 'derived' of component 'c' is derived by an expression and takes no uploads"],
    [['derived', null], "stream 'derived' of component 'c' is derived by an expression and takes no uploads"],
  ]
  for (const [given, message] of refused)
    it(`refuses ${JSON.stringify(given)}`, () => assert.throws(() => place([given]), { status: 400, message }))

  it('refuses a whole call for one value that cannot be converted', () => {
    assert.throws(
      () =>
        place([
          ['num', 1],
          ['text', 'fine'],
          ['long', 'x'],
        ]),
      {
        status: 400,
        message: "stream 'long' of component 'c' is LONG and cannot take 'x'",
      },
    )
  })

  it('refuses a sample older than the organization keeps them', () => {
    const old = uploadMs - 7 * 24 * hourMs - 1
    assert.throws(() => place([['num', 1, old]], everyKind(7)), {
      status: 400,
      message: `time ${old} is older than the organization keeps samples: retentionDays is 7, the oldest time ${old + 1}`,
    })
    assert.equal(place([['num', 1, old + 1]], everyKind(7))!.rows.length, 1)
    assert.equal(place([['num', 1, old]], everyKind(null))!.rows.length, 1)
  })

  it('refuses an interval that ends when the first of those begins that are kept', () => {
    const oldest = uploadMs - 7 * 24 * hourMs
    assert.throws(() => place([['hour', 1, oldest]], everyKind(7)), {
      status: 400,
      message: `time ${oldest} is older than the organization keeps samples: retentionDays is 7, the oldest time ${oldest + 1}`,
    })
    assert.equal(place([['hour', 1, oldest + hourMs]], everyKind(7))!.rows.length, 1)
  })

  it('does not look at the time that comes with a point', () => {
    assert.deepEqual(place([['point', 1, 0]], everyKind(7))!.points, [[5, null, 0, 1]])
  })

  it('refuses a stream that is given by name and by position', () => {
    assert.throws(
      () =>
        place(
          [
            ['num', '1'],
            [{ position: 1 }, '2'],
          ],
          everyKind(),
          { form: 'url' },
        ),
      {
        status: 400,
        message: "stream 'num' is given by name and by position",
      },
    )
  })

  it('gives nothing when a stream is missing', () => {
    assert.equal(
      place([
        ['num', 1],
        ['missing', 1],
      ]),
      undefined,
    )
    assert.equal(place([[{ position: 9 }, 1]]), undefined)
    assert.equal(place([[{ uid: 'uid-missing' }, 1]]), undefined)
    assert.equal(place([['__proto__', 1]]), undefined)
  })

  it('changes nothing of the streams that it finds', () => {
    const owner = everyKind()
    for (const each of owner.streams) Object.freeze(each)
    const given: readonly Given[] = [
      ['num', 1, at(10)],
      ['hour', 2, at(20)],
      ['point', 3],
    ]
    assert.deepEqual(place(given, owner), place(given, owner))
    // A sample that was only placed does not count as stored.
    assert.deepEqual(divide(owner, [['num', 1, at(5)]]), [[[1, 5, 1]], []])
  })

  it('looks at each of ten thousand streams once, however many samples name them by uid', () => {
    let looks = 0
    const streams = Array.from({ length: 10_000 }, (_, n) => {
      const made = { ...stream(n, `s${n}`, 'random', 'DOUBLE') }
      const uid = () => {
        looks += 1
        return `uid-${n}`
      }
      return Object.defineProperty(made, 'uid', { get: uid })
    })
    const owner = component(null, ...streams)
    const given = Array.from({ length: 1000 }, (): Given => [{ uid: 'uid-9999' }, 1])
    assert.equal(place(given, owner)!.rows.length, 1000)
    assert.ok(looks <= 2 * streams.length, `${looks} looks`)
  })

  it('refuses more than 100,000 fills in one call, over all its streams', () => {
    const owner = component(null, stream(1, 'a', 'interval', 'DOUBLE'), stream(2, 'b', 'interval', 'DOUBLE'))
    assert.equal(place(span('a', 100_001), owner)!.rows.length, 100_002)
    assert.throws(() => place(span('a', 100_002), owner), { status: 400 })
    assert.equal(place([...span('a', 50_001), ...span('b', 50_001)], owner)!.rows.length, 100_004)
    assert.throws(() => place([...span('a', 50_001), ...span('b', 50_002)], owner), { status: 400 })
    assert.equal(place(span('a', 200_000), owner, { fillsGaps: false })!.rows.length, 2)
  })

  it('finds streams by ID, uid and position', () => {
    assert.deepEqual(
      place([
        ['long', 1],
        [{ uid: 'uid-long' }, 2],
        [{ position: 2 }, 3],
      ])!.rows,
      [
        [2, null, 0, 1],
        [2, null, 0, 2],
        [2, null, 0, 3],
      ],
    )
  })

  it('stores each type in its own column', () => {
    const rows = placeBatch(
      batch([
        ['num', '1.5'],
        ['long', 9007199254740993n],
        ['flag', 'TRUE'],
        ['flag', 0],
        ['text', '1.5'],
      ]),
      [everyKind()],
    )!.rows
    assert.deepEqual(rows.nums, [1.5, null, 1, 0, null])
    assert.deepEqual(rows.longs, [null, 9007199254740993n, null, null, null])
    assert.deepEqual(rows.texts, [null, null, null, null, '1.5'])
  })

  it('ignores null in random and point streams, and keeps it in interval streams', () => {
    assert.deepEqual(
      place([
        ['num', null],
        ['point', null],
        ['hour', null],
      ]),
      {
        rows: [[6, 3600, -1, null]],
        points: [],
      },
    )
  })

  it('times a point by the upload', () => {
    assert.deepEqual(
      place([
        ['point', 1, 5],
        ['point', 2, 3],
      ])!.points,
      [
        [5, null, 0, 1],
        [5, null, 0, 2],
      ],
    )
  })

  it('fills the gaps of each part by itself, and a later part wins', () => {
    const given: readonly Given[] = [
      ['hour', 1, at(hourMs)],
      ['hour', 3, at(3 * hourMs)],
      ['hour', 2, at(2 * hourMs)],
      ['hour', 9, at(9 * hourMs)],
    ]
    const shown = (partStarts: readonly number[]) =>
      place(given, everyKind(), { partStarts })!.rows.map(([, , stored, value]) => [(stored as number) + 1, value])
    const hour = (nth: number, value: number | null) => [nth * hourMs, value]
    assert.deepEqual(shown([0, 2, 3]), [hour(1, 1), hour(2, null), hour(3, 3), hour(2, 2), hour(9, 9)])
    assert.equal(shown([0]).length, 9)
  })

  it('names the sample that it refuses, and its member', () => {
    const aboutOf = (given: readonly Given[], more: Partial<SampleBatch> = {}, owner = everyKind()) => {
      try {
        place(given, owner, more)
      } catch (error) {
        return (error as Fault).about
      }
      return undefined
    }
    assert.deepEqual(
      aboutOf([
        ['num', 1],
        ['num', 'x'],
      ]),
      { first: 1, last: 1, member: 'value' },
    )
    assert.deepEqual(aboutOf([['num', 1, at(-10 * 86_400_000)]], {}, everyKind(9)), {
      first: 0,
      last: 0,
      member: 'time',
    })
    assert.deepEqual(aboutOf([['num', 1], ...span('hour', 200_000), ['num', 1]], { partStarts: [0, 1, 3] }), {
      first: 1,
      last: 2,
      member: 'time',
    })
  })

  it('stores an interval a millisecond before its end', () => {
    assert.deepEqual(place([['hour', 7, uploadMs - 1]])!.rows, [[6, 3600, -1, 7]])
  })

  describe('and core/append, for rows,', () => {
    it('divide them into those later than all that is known, and the rest', () => {
      const owner = everyKind()
      assert.deepEqual(divide(owner, [['num', 1, at(10)]]), [[[1, 10, 1]], []])
      assert.deepEqual(
        divide(owner, [
          ['num', 2, at(10)],
          ['num', 3, at(5)],
          ['num', 4, at(11)],
          ['long', 5, at(1)],
        ]),
        [
          [
            [1, 11, 4],
            [2, 1, 5],
          ],
          [
            [1, 10, 2],
            [1, 5, 3],
          ],
        ],
      )
      assert.deepEqual(divide(owner, [['num', 6, at(11)]]), [[], [[1, 11, 6]]])
    })

    it('append a sample between the last two, once', () => {
      const owner = everyKind()
      const given = [9, 20, 12, 15, 12, 10, 19, 20, 9, 8, 21].map((time): Given => ['num', time, at(time)])
      const [appends, merges] = divide(owner, given).map((rows) => rows.map(([, time]) => time))
      assert.deepEqual({ appends, merges }, { appends: [9, 20, 12, 15, 19, 21], merges: [12, 10, 20, 9, 8] })
      assert.deepEqual(
        divide(
          owner,
          [20, 19, 21, 18].map((time): Given => ['num', time, at(time)]),
        )[0],
        [],
      )
    })

    it('are divided so that the last of one time comes later: an append, then its overwrite', () => {
      assert.deepEqual(
        divide(everyKind(), [
          ['num', 1, at(1)],
          ['num', 2, at(1)],
          ['num', 3, at(1)],
        ]),
        [
          [[1, 1, 1]],
          [
            [1, 1, 2],
            [1, 1, 3],
          ],
        ],
      )
    })
  })
})
