// Rows on their way into a real database and out of it again, by COPY and by upsert.
import assert from 'node:assert/strict'
import { finished } from 'node:stream/promises'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { transaction } from '../../../src/base/database/sql.ts'
import { binaryParameters, copyBuffer, copyText } from '../../../src/core/sample/copy-rows.ts'
import { withLongTexts } from '../../../src/core/reading/long-text.ts'
import { readSamples } from '../../../src/core/reading/sample-read.ts'
import type { Sample, Window } from '../../../src/core/sample/sample.ts'
import type { SampleRows } from '../../../src/core/sample/rows.ts'
import {
  deleteSamples,
  deleteSamplesAt,
  sampleValue,
  setPoints,
  setPointsBinaryText,
  upsertBinaryText,
  upsertSamples,
} from '../../../src/core/sample/sample.ts'
import { emptyRows, pushRow, shownMs, sortRows, storedMs } from '../../../src/core/sample/rows.ts'
import type { StreamKind, ValueType } from '../../../src/core/stream.ts'
import type { Value } from '../../../src/core/sample/value.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addStreams } from '../../support/streams.ts'

const unbounded: Window = { startMs: undefined, endMs: undefined }
const t = Date.parse('2026-01-01T00:00:00Z')
const never = Number.NEGATIVE_INFINITY

type Given = readonly [key: number, timeMs: number, value: Value, type?: ValueType, span?: number]

const rowsOf = (...given: readonly Given[]): SampleRows => {
  const rows = emptyRows()
  for (const [key, timeMs, value, type = 'DOUBLE', span = null] of given) pushRow(rows, key, span, timeMs, type, value)
  return rows
}
const random = (...keys: readonly number[]) => keys.map((key) => ({ key, kind: 'random' as StreamKind }))

const hostileTexts = [
  '',
  'NULL',
  'null',
  '{}',
  '{a,"b"}',
  'a,b',
  '"',
  '\\',
  '\\N',
  "'; drop table sample; --",
  '\n\r\t',
  '\u0001',
  '\u001f',
  ' blank ',
  'ä€😀',
  '\uffff',
  'x'.repeat(100_000),
]
const numbers = [
  0,
  1,
  -1,
  0.1,
  0.30000000000000004,
  5e-324,
  1.7976931348623157e308,
  -1.7976931348623157e308,
  1e21,
  2 ** 53,
]
const longs = [0, -1, 9007199254740991, 9007199254740992n, 9223372036854775807n, -9223372036854775808n]
const times = [-62135596800000, -62135596799999, -1, 0, 1, 999, -999, t, t + 1, 9_999_999_999_999, 253402300799999]

describe('core/sample', () => {
  let database: TestDatabase
  let client: Client
  before(async () => {
    database = await openTestDatabase()
    client = new Client({ connectionString: database.url })
    await client.connect()
  })
  after(async () => {
    await client.end()
    await database.drop()
  })
  beforeEach(async () => {
    await database.sql`truncate sample, point_sample, stale_mark, stale_group`
  })

  const ways = {
    upsert: (rows: SampleRows) => transaction(database.sql, (sql) => upsertSamples(sql, sortRows(rows))),
    copy: async (rows: SampleRows) => {
      const copy = client.query(copyFrom(copyText))
      copy.end(copyBuffer(rows))
      await finished(copy)
    },
    lane: async (rows: SampleRows) => {
      await client.query(upsertBinaryText, binaryParameters(sortRows(rows)))
    },
  }
  const read = async (key: number, type: ValueType = 'DOUBLE', kind: StreamKind = 'random') => {
    const found = await readSamples(database.sql, [{ key, kind }], unbounded, 1000)
    const samples = await transaction(database.sql, async (sql) => {
      const whole: Sample[] = []
      for await (const some of withLongTexts(sql, found, new Map([[key, { kind }]]))) whole.push(...some)
      return whole
    })
    return samples.toReversed().map((sample) => [sample.timeMs, sampleValue(type, sample)])
  }

  const setAll = (...given: readonly Given[]) => transaction(database.sql, (sql) => setPoints(sql, rowsOf(...given)))
  const numsOf = async (...args: Parameters<typeof readSamples> extends [unknown, ...infer Rest] ? Rest : never) =>
    (await readSamples(database.sql, ...args)).map(({ num }) => num)
  const remove = (key: number, kind: StreamKind, startMs: number, endMs: number, claimedUntilMs = never) =>
    transaction(
      database.sql,
      async (sql) => (await deleteSamples(sql, { key, kind }, { startMs, endMs }, claimedUntilMs)).deleted,
    )
  it('reads every short text along, whatever it holds, and of a long one its bytes', async () => {
    const texts = ['\u00015000', '\u0001', 'x'.repeat(1024), 'x'.repeat(1025), 'ä'.repeat(600)]
    await ways.upsert(rowsOf(...texts.map((text, n): Given => [1, t + n, text, 'STRING'])))
    await setAll([2, t, '\u00017', 'STRING'], [3, t, 'ä'.repeat(700), 'STRING'])
    const found = await readSamples(database.sql, random(1), unbounded, 1000)
    const points = [2, 3].map((key) => ({ key, kind: 'point' as StreamKind }))
    const foundPoints = await readSamples(database.sql, points, unbounded, 1000)
    assert.deepEqual(
      [...found.toReversed(), ...foundPoints].map(({ text, textBytes }) => [text, textBytes]),
      [
        ['\u00015000', null],
        ['\u0001', null],
        ['x'.repeat(1024), null],
        [null, 1025],
        [null, 1200],
        ['\u00017', null],
        [null, 1400],
      ],
    )
  })

  it('tells derived streams of a deleted point, by times as by a window', async () => {
    const [point, derived] = await addStreams(database.sql, [{ kind: 'point' }, {}])
    await database.sql`
      with derivation as (
        insert into derivation (stream_key, organization_key)
        select ${derived!}, organization_key from stream join component on component.key = component_key
        where stream.key = ${derived!}
        returning stream_key)
      insert into derivation_source (source_key, derived_key) select ${point!}, stream_key from derivation`
    const marks = async () =>
      (await database.sql`delete from derive_mark returning source_key as key, first_time as time`).map(
        ({ key, time }) => [key, time],
      )
    const of = { key: point!, kind: 'point', valueType: 'DOUBLE' } as const
    await setAll([point!, t, 1])
    assert.equal(await transaction(database.sql, (sql) => deleteSamplesAt(sql, of, [t], never)), 1)
    assert.deepEqual(await marks(), [[point!, t]])
    assert.equal(await transaction(database.sql, (sql) => deleteSamplesAt(sql, of, [t], never)), 0)
    assert.deepEqual(await marks(), [])
    await setAll([point!, t, 1])
    assert.equal(await remove(point!, 'point', t, t + 1), 1)
    assert.deepEqual(await marks(), [[point!, t]])
  })

  it('leaves no stream out whose latest sample is old, where later ones of the next streams fill the limit', async () => {
    const now = Date.now()
    await ways.upsert(rowsOf([1, now, 1], [2, now - 200 * 24 * 3_600_000, 2], [3, now, 3], [4, now, 4]))
    assert.deepEqual(await numsOf(random(1, 2, 3, 4), unbounded, 2, 1), [1, 2])
    assert.deepEqual(await numsOf(random(1, 3, 2, 4), unbounded, 2, 1), [1, 3])
  })

  for (const [name, write] of Object.entries(ways)) {
    it(`keeps every text as it is (${name})`, async () => {
      await write(rowsOf(...hostileTexts.map((text, n): Given => [1, t + n, text, 'STRING'])))
      assert.deepEqual(
        await read(1, 'STRING'),
        hostileTexts.map((text, n) => [t + n, text]),
      )
    })

    it(`keeps every number to its last bit (${name})`, async () => {
      await write(rowsOf(...numbers.map((number, n): Given => [1, t + n, number])))
      assert.deepEqual(
        await read(1),
        numbers.map((number, n) => [t + n, number]),
      )
    })

    it(`keeps every LONG exactly (${name})`, async () => {
      await write(rowsOf(...longs.map((long, n): Given => [1, t + n, long, 'LONG'])))
      assert.deepEqual(
        await read(1, 'LONG'),
        longs.map((long, n) => [t + n, long]),
      )
    })

    it(`keeps every time of the years 1 to 9999 to the millisecond (${name})`, async () => {
      await write(rowsOf(...times.map((time, n): Given => [1, time, n])))
      const expected = times.map((time, n) => [time, n]).toSorted((a, b) => a[0]! - b[0]!)
      assert.deepEqual(await read(1), expected)
    })

    it(`keeps gaps, booleans and spans (${name})`, async () => {
      await write(rowsOf([1, t, true, 'BOOLEAN'], [1, t + 1, false, 'BOOLEAN'], [2, t - 1, null, 'DOUBLE', 3600]))
      assert.deepEqual(await read(1, 'BOOLEAN'), [
        [t, true],
        [t + 1, false],
      ])
      const [gap] = await readSamples(database.sql, [{ key: 2, kind: 'interval' }], unbounded, 1)
      assert.deepEqual(
        { ...gap },
        { streamKey: 2, timeMs: t, span: 3600, num: null, long: null, text: null, textBytes: null },
      )
    })
  }

  it('refuses a stored sample by COPY', async () => {
    await ways.copy(rowsOf([1, t, 1]))
    await assert.rejects(ways.copy(rowsOf([1, t, 2])), { code: '23505' })
    assert.deepEqual(await read(1), [[t, 1]])
  })

  for (const [name, write] of Object.entries({ upsert: ways.upsert, lane: ways.lane })) {
    it(`overwrites all that was stored, another type included (${name})`, async () => {
      await write(rowsOf([1, t, 'text', 'STRING', 60]))
      await write(rowsOf([1, t, 5, 'LONG']))
      const [row] = await database.sql`select span, num, long, text from sample`
      assert.deepEqual({ ...row }, { span: null, num: null, long: 5, text: null })
    })

    it(`overwrites some and adds others, of every type, each row by itself (${name})`, async () => {
      await write(rowsOf([1, t, 1], [2, t, 'old', 'STRING'], [3, t, 7, 'LONG'], [4, t, null, 'DOUBLE', 60], [5, t, 5]))
      await write(
        rowsOf(
          [1, t, 'new', 'STRING', 60],
          [1, t + 1, null, 'DOUBLE', 3600],
          [2, t, 2.5],
          [2, t + 1, 2n ** 53n, 'LONG'],
          [3, t, null],
          [3, t + 1, true, 'BOOLEAN'],
          [4, t, '', 'STRING'],
        ),
      )
      const rows = await database.sql`
        select stream_key, time, span, num, long, text from sample order by stream_key, time`.values()
      assert.deepEqual(
        [...rows],
        [
          [1, t, 60, null, null, 'new'],
          [1, t + 1, 3600, null, null, null],
          [2, t, null, 2.5, null, null],
          [2, t + 1, null, null, 2n ** 53n, null],
          [3, t, null, null, null, null],
          [3, t + 1, null, 1, null, null],
          [4, t, null, null, null, ''],
          [5, t, null, 5, null, null],
        ],
      )
    })
  }

  it('sets points of every type as a lane does', async () => {
    const set = (...given: readonly Given[]) => client.query(setPointsBinaryText, binaryParameters(rowsOf(...given)))
    await set([1, t, 1], [2, t, 'old', 'STRING'], [3, t, null])
    await set([1, t - 1, 2n ** 60n, 'LONG'], [2, t + 1, true, 'BOOLEAN'], [4, t, 'new', 'STRING'])
    const rows = await database.sql`select stream_key, time, num, long, text from point_sample order by 1`.values()
    assert.deepEqual(
      [...rows],
      [
        [1, t - 1, null, 2n ** 60n, null],
        [2, t + 1, 1, null, null],
        [3, t, null, null, null],
        [4, t, null, null, 'new'],
      ],
    )
  })

  it('sorts rows by stream and time and keeps the last of those with the same key', () => {
    const sorted = sortRows(rowsOf([2, t, 1], [1, t + 1, 2], [2, t, 3], [1, t, 4], [2, t - 1, 5], [2, t, 6]))
    assert.deepEqual(
      sorted.streamKeys.map((key, row) => [key, sorted.storedMs[row]! - t, sorted.nums[row]]),
      [
        [1, 0, 4],
        [1, 1, 2],
        [2, -1, 5],
        [2, 0, 6],
      ],
    )
  })

  it('sorts many rows in any order as a plain comparison does', () => {
    const rows = emptyRows()
    for (let n = 0; n < 2000; n += 1) pushRow(rows, (n * 7919) % 37, null, t + ((n * 104_729) % 61), 'DOUBLE', n)
    const expected = new Map<number, readonly number[]>()
    rows.streamKeys.forEach((key, row) =>
      expected.set(key * 1000 + rows.storedMs[row]! - t, [key, rows.storedMs[row]!, rows.nums[row]!]),
    )
    const sorted = sortRows(rows)
    assert.deepEqual(
      sorted.streamKeys.map((key, row) => [key, sorted.storedMs[row], sorted.nums[row]]),
      [...expected].toSorted(([a], [b]) => a - b).map(([, row]) => row),
    )
    assert.equal(sortRows(sorted), sorted)
  })

  it('sets each point once, by the last given', async () => {
    await setAll([1, t + 9, 1], [2, t, 2], [1, t, 3])
    assert.deepEqual(await read(1, 'DOUBLE', 'point'), [[t, 3]])
    await setAll([1, t - 5, 4])
    assert.deepEqual(await read(1, 'DOUBLE', 'point'), [[t - 5, 4]])
    assert.deepEqual(await read(2, 'DOUBLE', 'point'), [[t, 2]])
  })

  it('stores intervals a millisecond before their end, and only intervals', () => {
    assert.deepEqual(
      (['random', 'point', 'interval'] as const).map((kind) => [storedMs(kind, t) - t, shownMs(kind, t) - t]),
      [
        [0, 0],
        [0, 0],
        [-1, 1],
      ],
    )
  })

  it('reads the latest first over weeks, years and what is to come, whatever it is looked for in first', async () => {
    const dayMs = 86_400_000
    const now = Date.now()
    const ages = [-400, -1, 0, 1, 27, 29, 60, 300, 370, 400, 3000]
    const rows = rowsOf(...ages.flatMap((days): Given[] => [11, 12].map((key) => [key, now - days * dayMs, days])), [
      13,
      now - 500 * dayMs,
      7,
    ])
    await transaction(database.sql, (sql) => upsertSamples(sql, rows))
    const newest = (count: number) => ages.slice(0, count)
    for (const limit of [1, 3, 5, 6, 8, 9, 11, 100])
      assert.deepEqual(await numsOf(random(11), unbounded, limit), newest(limit), `limit ${limit}`)
    assert.deepEqual(await numsOf(random(11, 13, 12), unbounded, 15), [...ages, 7, ...newest(3)])
    assert.deepEqual(await numsOf(random(12, 13, 11), unbounded, 100, 1), [-400, 7, -400])
    assert.deepEqual(
      await numsOf(random(11, 13, 12), { startMs: now - 500 * dayMs, endMs: undefined }, 100, 2),
      [-400, -1, 7, -400, -1],
    )
    assert.deepEqual(await numsOf(random(11), { startMs: now - 60 * dayMs, endMs: now }, 100), [1, 27, 29, 60])
  })

  describe('reading', () => {
    beforeEach(async () => {
      const rows = emptyRows()
      for (const key of [1, 2, 3])
        for (let n = 0; n < 5; n += 1) pushRow(rows, key, null, t + n, 'DOUBLE', key * 10 + n)
      for (let n = 1; n <= 5; n += 1) pushRow(rows, 4, 3600, storedMs('interval', t + n * 1000), 'DOUBLE', n)
      await ways.copy(rows)
      await transaction(database.sql, (sql) => setPoints(sql, rowsOf([5, t + 2, 55])))
    })

    it('gives streams in the order given, each from its latest sample back', async () => {
      assert.deepEqual(await numsOf(random(2, 1), unbounded, 1000), [24, 23, 22, 21, 20, 14, 13, 12, 11, 10])
    })

    it('gives no more than the limit: the first stream takes what it needs and leaves the rest', async () => {
      assert.deepEqual(await numsOf(random(1, 2, 3), unbounded, 7), [14, 13, 12, 11, 10, 24, 23])
      assert.deepEqual(await numsOf(random(1, 2, 3), unbounded, 5), [14, 13, 12, 11, 10])
      assert.deepEqual(await numsOf(random(1, 2, 3), unbounded, 1), [14])
      assert.deepEqual(
        await numsOf(random(9, 1, 8, 2, 7, 3), unbounded, 11),
        [14, 13, 12, 11, 10, 24, 23, 22, 21, 20, 34],
      )
    })

    it('gives one per stream where only the last is wanted', async () => {
      assert.deepEqual(await numsOf(random(3, 9, 1, 2), unbounded, 1000, 1), [34, 14, 24])
      assert.deepEqual(await numsOf(random(3, 9, 1, 2), unbounded, 2, 1), [34, 14])
    })

    it('goes from the start, inclusive, to the end, exclusive', async () => {
      assert.deepEqual(await numsOf(random(1), { startMs: t + 1, endMs: t + 3 }, 1000), [12, 11])
      assert.deepEqual(await numsOf(random(1), { startMs: undefined, endMs: t + 3 }, 2), [12, 11])
      assert.deepEqual(await numsOf(random(1), { startMs: t + 1, endMs: t + 1 }, 1000), [])
    })

    it('takes intervals by their ends', async () => {
      const hours = [{ key: 4, kind: 'interval' as const }]
      assert.deepEqual(await numsOf(hours, { startMs: t + 2000, endMs: t + 4000 }, 1000), [3, 2])
      const [last] = await readSamples(database.sql, hours, unbounded, 1)
      assert.equal(last!.timeMs, t + 5000)
    })

    it('points among the others, within the window only', async () => {
      const mixed = [...random(1), { key: 5, kind: 'point' as const }, ...random(2)]
      assert.deepEqual(await numsOf(mixed, { startMs: t + 2, endMs: t + 3 }, 1000), [12, 55, 22])
      assert.deepEqual(await numsOf(mixed, { startMs: t + 3, endMs: t + 4 }, 1000), [13, 23])
      assert.deepEqual(await numsOf(mixed, unbounded, 1000, 1), [14, 55, 24])
    })

    it('gives nothing of no streams', async () => assert.deepEqual(await numsOf([], unbounded, 1000), []))

    it('covers the whole calendar', async () => {
      const all = { startMs: -62135596800000, endMs: 253402300799999 }
      assert.equal((await numsOf([{ key: 4, kind: 'interval' }, ...random(1)], all, 1000)).length, 10)
    })
  })

  describe('deleting', () => {
    it('takes the samples in the window, of one stream, and says how many', async () => {
      await ways.copy(rowsOf([1, t, 0], [1, t + 1, 1], [1, t + 2, 2], [2, t + 1, 9]))
      assert.equal(await remove(1, 'random', t + 1, t + 2), 1)
      assert.deepEqual(await read(1), [
        [t, 0],
        [t + 2, 2],
      ])
      assert.deepEqual(await read(2), [[t + 1, 9]])
      assert.equal(await remove(1, 'random', t + 1, t + 2), 0)
    })

    it('takes intervals by their ends', async () => {
      await ways.copy(rowsOf([1, t - 1, 1, 'DOUBLE', 3600], [1, t + 3_599_999, 2, 'DOUBLE', 3600]))
      assert.equal(await remove(1, 'interval', t, t + 3_600_000), 1)
      assert.deepEqual(await read(1, 'DOUBLE', 'interval'), [[t + 3_600_000, 2]])
    })

    it('takes a point when its time lies in the window', async () => {
      await transaction(database.sql, (sql) => setPoints(sql, rowsOf([5, t, 1])))
      assert.equal(await remove(5, 'point', t + 1, t + 2), 0)
      assert.equal(await remove(5, 'point', t, t + 1), 1)
    })

    it('covers the whole calendar', async () => {
      await ways.copy(rowsOf([1, -62135596800001, 1, 'DOUBLE', 3600], [1, t, 2, 'DOUBLE', 3600]))
      assert.equal(await remove(1, 'interval', -62135596800000, 253402300799999), 2)
    })

    it('marks the times it touched below the claimed time', async () => {
      await ways.copy(rowsOf([1, t, 1], [1, t + 1, 2], [1, t + 3_600_000, 3], [1, t + 7_200_000, 4]))
      await remove(1, 'random', t, t + 10_000_000, t + 7_200_000)
      const marked = await database.sql`select stream_key as key, first_time as first, last_time as last from stale`
      assert.deepEqual([...marked], [{ key: 1, first: t, last: t + 3_600_000 }])
    })
  })
})
