import assert from 'node:assert/strict'
import { transaction } from '../../../src/base/database/sql.ts'
import { openCalendar } from '../../../src/core/time/calendar.ts'
import { openGate } from '../../../src/core/sample/gate.ts'
import { queueRemoval, removeSome } from '../../../src/core/removal.ts'
import { rollUp, rollupMetrics } from '../../../src/core/statistic/rollup.ts'
import { pacedRollUp, Pacer } from '../../../src/core/statistic/rollup-pace.ts'
import { upsertSamples, deleteSamples } from '../../../src/core/sample/sample.ts'
import { emptyRows, pushRow } from '../../../src/core/sample/rows.ts'
import { markStale } from '../../../src/core/sample/stale.ts'
import { openReader } from '../../../src/core/statistic/reader.ts'
import { readStatistic } from '../../../src/core/statistic/statistic-read.ts'
import type { Statistic } from '../../../src/core/statistic/statistic.ts'
import { layoutOf, mainPhase, phases, phasesOfZone, tileKind } from '../../../src/core/statistic/tile.ts'
import { makeTiles, tileEditions } from '../../../src/core/statistic/tile-edition.ts'
import { wantedTiles } from '../../../src/core/statistic/wanted.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { openRandom } from '../../support/random.ts'
import { addStreams } from '../../support/streams.ts'
import { eventually } from '../../support/within.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const nowMs = Date.parse('2026-05-10T12:00:00Z')
const oldMs = Date.parse('2026-05-01T06:00:00Z')

describe('core/rollup', () => {
  let database: TestDatabase
  let streamKey: number
  const stream = () => ({ key: streamKey, kind: 'random', valueType: 'DOUBLE', calendar: undefined }) as const

  beforeEach(async () => {
    database = await openTestDatabase()
    streamKey = await addStream('UTC')
  })
  afterEach(() => database.drop())

  const addStream = async (zone: string): Promise<number> => (await addStreams(database.sql, [{}], { zone }))[0]!
  const rowsOf = (...samples: readonly (readonly [number, number])[]) => {
    const rows = emptyRows()
    for (const [timeMs, value] of samples) pushRow(rows, streamKey, null, timeMs, 'DOUBLE', value)
    return rows
  }
  const write = (...samples: readonly (readonly [number, number])[]) =>
    transaction(database.sql, async (sql) => {
      const { claimedUntilMs } = await openGate(sql, 0)
      await markStale(sql, rowsOf(...samples), claimedUntilMs)
      await upsertSamples(sql, rowsOf(...samples))
    })
  const rollAll = async () => {
    while (await rollUp(database.sql, nowMs));
  }
  const days = openCalendar({ size: 1, unit: 'day', reference: '2001-01-01T00:00:00' }, 'UTC')
  const read = async (statistic: Statistic) =>
    (await readStatistic(database.sql, [stream()], days, statistic, { startMs: undefined, endMs: undefined }, 10)).map(
      ({ value }) => value,
    )
  /** The values of the tiles alone, right or wrong. */
  const tiled = async () => {
    const rows = await database.sql<{ sum: number }[]>`
      select sum_num as sum from tile_day where stream_key = ${streamKey} order by bucket`
    return rows.map(({ sum }) => sum)
  }
  const marks = async () => (await rollupMetrics(database.sql, nowMs)).stale

  it('claims nothing that is still to come, whatever the clock of the server says', async () => {
    await rollUp(database.sql, Date.now() + 3_650 * dayMs)
    const [state] = await database.sql<[{ isAhead: boolean }]>`
      select claimed_until > now() as "isAhead" from rollup_state`
    assert.equal(state.isAhead, false)
  })

  it('is as late as the phase that is the furthest behind', async () => {
    await rollAll()
    await database.sql`insert into rollup_phase (minutes, kind, ready_until) values (30, 'table', ${oldMs})`
    assert.equal((await rollupMetrics(database.sql, nowMs)).lagMs, nowMs - oldMs)
  })

  it('makes no mark for samples that append, and tiles of them when their time has come', async () => {
    await write([oldMs, 1])
    await rollAll()
    await write([nowMs, 5])
    assert.equal(await marks(), 0)
    assert.deepEqual(await tiled(), [1])
    assert.deepEqual(await read('sum'), [5, 1])
  })

  it('marks the sample of a delete, even if it was stored and mended after the delete began', async () => {
    await write([oldMs, 1])
    await rollAll()
    const window = { startMs: oldMs, endMs: oldMs + 2 * dayMs }
    let deleting: Promise<unknown> | undefined
    await transaction(database.sql, async (holder) => {
      // The delete waits for this on its way.
      await holder`lock table archive in share mode`
      deleting = transaction(database.sql, async (sql) => {
        const { claimedUntilMs } = await openGate(sql, 0)
        assert.deepEqual(await deleteSamples(sql, stream(), window, claimedUntilMs), { deleted: 2, archived: 0 })
      })
      await eventually(async () => {
        const waiting = await database.sql`
          select from pg_locks where relation = 'archive'::regclass and not granted`
        return waiting.length > 0
      })
      await write([oldMs + dayMs, 5])
      await rollAll()
      assert.deepEqual(await read('sum'), [5, 1])
    })
    await deleting
    assert.deepEqual(await read('sum'), [])
    await rollAll()
    assert.deepEqual(await read('sum'), [])
  })

  it('marks late samples and deletes, reads them right at once, and mends the tiles', async () => {
    await write([oldMs, 1], [oldMs + dayMs, 10])
    await rollAll()
    await write([oldMs + 1, 2])
    await transaction(database.sql, async (sql) => {
      const { claimedUntilMs } = await openGate(sql, 0)
      const window = { startMs: oldMs + dayMs, endMs: oldMs + 2 * dayMs }
      await deleteSamples(sql, stream(), window, claimedUntilMs)
    })
    assert.deepEqual(await tiled(), [1, 10])
    assert.deepEqual(await read('sum'), [3])
    assert.equal(await marks(), 2)
    await rollAll()
    assert.equal(await marks(), 0)
    assert.deepEqual(await tiled(), [3])
    assert.deepEqual(await read('sum'), [3])
  })

  it('leaves the mark of a write that commits while tiles are made', async () => {
    await write([oldMs, 1])
    await rollAll()
    await write([oldMs + 1, 2])
    let commit!: () => void
    const mayCommit = new Promise<void>((resolve) => (commit = resolve))
    let isWritten!: () => void
    const written = new Promise<void>((resolve) => (isWritten = resolve))
    const slow = transaction(database.sql, async (sql) => {
      const { claimedUntilMs } = await openGate(sql, 0)
      await markStale(sql, rowsOf([oldMs + 2, 4]), claimedUntilMs)
      await upsertSamples(sql, rowsOf([oldMs + 2, 4]))
      isWritten()
      await mayCommit
    })
    await written
    await rollAll()
    assert.deepEqual(await tiled(), [3])
    commit()
    await slow
    assert.equal(await marks(), 1)
    assert.deepEqual(await read('sum'), [7])
    await rollAll()
    assert.deepEqual(await tiled(), [7])
  })

  it('waits with its claim for a writer inside the gate, and tries again', async () => {
    await write([oldMs, 1])
    let leave!: () => void
    const mayLeave = new Promise<void>((resolve) => (leave = resolve))
    let isInside!: () => void
    const inside = new Promise<void>((resolve) => (isInside = resolve))
    const writer = transaction(database.sql, async (sql) => {
      await openGate(sql, 0)
      isInside()
      await mayLeave
    })
    await inside
    await rollAll()
    assert.ok((await rollupMetrics(database.sql, nowMs)).lagMs > 1_000 * dayMs)
    leave()
    await writer
    await rollAll()
    assert.ok((await rollupMetrics(database.sql, nowMs)).lagMs < dayMs)
    assert.deepEqual(await read('sum'), [1])
  })

  it('goes on where it was interrupted', async () => {
    const keys = [streamKey]
    for (let count = 0; count < 3; count += 1) keys.push(await addStream('UTC'))
    for (streamKey of keys) await write([oldMs, streamKey], [oldMs - 90 * dayMs, 1])
    let passes = 0
    while (await rollUp(database.sql, nowMs, 0)) passes += 1
    assert.ok(passes > 1)
    for (streamKey of keys) {
      assert.deepEqual(await tiled(), [1, streamKey])
      assert.deepEqual(await read('sum'), [streamKey, 1])
    }
  })

  it('mends streams that are late in the same hours together, and others after them', async () => {
    const keys = await addStreams(
      database.sql,
      Array.from({ length: 30 }, () => ({})),
      { zone: 'UTC' },
    )
    for (streamKey of keys) await write([oldMs, 1])
    await rollAll()
    const [apart, ...together] = keys
    for (streamKey of together) await write([oldMs + streamKey, 2])
    streamKey = apart!
    await write([oldMs - 40 * dayMs, 3], [oldMs + 1, 4])
    const marked = async () => (await database.sql`select distinct stream_key from stale`).length
    const steps: number[] = []
    for (let count = 30; count > 0; count = await marked()) {
      steps.push(count)
      await rollUp(database.sql, nowMs, 0)
    }
    // The hour of all is the latest; then the marks that the first has before it.
    assert.deepEqual(steps, [30, 1])
    assert.deepEqual(await tiled(), [3, 5])
    for (streamKey of together) assert.deepEqual(await tiled(), [3])
  })

  it('mends streams that were marked together, which are read from samples until then', async () => {
    const keys: number[] = []
    while (keys.length < 9) keys.push(await addStream('UTC'))
    for (streamKey of keys) await write([oldMs, 1])
    await rollAll()
    const before = await marks()
    const late = emptyRows()
    for (const key of keys) pushRow(late, key, null, oldMs + key, 'DOUBLE', 2)
    await transaction(database.sql, async (sql) => {
      const { claimedUntilMs } = await openGate(sql, 0)
      await markStale(sql, late, claimedUntilMs)
      await upsertSamples(sql, late)
    })
    const groups = async () =>
      (await database.sql`select cardinality(stream_keys) as streams from stale_group`).map(({ streams }) => streams)
    assert.deepEqual([before, await marks(), await groups()], [0, 9, [9]])
    for (streamKey of keys) assert.deepEqual([await tiled(), await read('sum')], [[1], [3]])
    await rollAll()
    assert.deepEqual([await marks(), await groups()], [0, []])
    for (streamKey of keys) assert.deepEqual(await tiled(), [3])
  })

  it('mends a stream that somebody is reading every other time, where it is stale for days', async () => {
    const others = [streamKey, await addStream('UTC'), await addStream('UTC'), await addStream('UTC')]
    const asked = await addStream('UTC')
    for (streamKey of [...others, asked]) await write([oldMs, 1])
    await rollAll()
    // Hours apart, so that each takes a step.
    for (const [nth, key] of others.entries()) {
      streamKey = key
      await write([oldMs - nth * 10 * dayMs, 2])
    }
    await database.sql`
      insert into stale_mark (stream_key, first_time, last_time)
      values (${asked}, ${oldMs - 2 * dayMs}::timestamptz, ${oldMs}::timestamptz)`
    const marked = async () =>
      (await database.sql`select distinct stream_key as key from stale order by key`).map(({ key }) => key as number)
    const before = [...(await wantedTiles(database.sql))]
    await transaction(database.sql, async (sql) => {
      await openReader(sql, [...others, asked])
      assert.deepEqual([before, await wantedTiles(database.sql)], [[], [asked]])
      for (let step = 0; step < 2; step += 1) await rollUp(database.sql, nowMs, 0)
    })
    const left = await marked()
    assert.deepEqual([left.includes(asked), left.length, await wantedTiles(database.sql)], [false, 3, []])
  })

  it('loses no mark of a stream that has more of them than are looked at together', async () => {
    const one = streamKey
    const many = await addStream('UTC')
    for (streamKey of [one, many]) await write([oldMs, 1], [oldMs - 40 * dayMs, 2])
    await rollAll()
    await database.sql`
      insert into stale_mark (stream_key, first_time, last_time)
      select ${many}::integer, ${oldMs}::timestamptz, ${oldMs}::timestamptz from generate_series(1, 6000)`
    await write([oldMs - 40 * dayMs, 4])
    streamKey = one
    await write([oldMs, 3])
    await rollAll()
    assert.deepEqual([await marks(), await tiled()], [0, [2, 3]])
    streamKey = many
    assert.deepEqual(await tiled(), [4, 1])
  })

  it('makes tiles of other minutes for zones that need them, and only for these', async () => {
    const made = async () => {
      const rows = await database.sql<{ minutes: number }[]>`select minutes from rollup_phase order by minutes`
      return rows.map(({ minutes }) => minutes)
    }
    await rollAll()
    assert.deepEqual(await made(), [0])
    streamKey = await addStream('Asia/Kathmandu')
    await write([Date.parse('2026-05-01T18:14:59Z'), 1], [Date.parse('2026-05-01T18:15:00Z'), 2])
    await rollAll()
    assert.deepEqual(await made(), [0, 15])
    const rows = await database.sql`select bucket, sum_num as sum from zone_day_15 order by bucket`
    assert.deepEqual(
      [...rows],
      [
        { bucket: Date.parse('2026-04-30T18:15:00Z'), sum: 1 },
        { bucket: Date.parse('2026-05-01T18:15:00Z'), sum: 2 },
      ],
    )
  })

  it('knows the minutes of zones, also where the clocks change by half an hour', () => {
    const minutesOf = (zone: string) => phasesOfZone(zone, nowMs).map(({ minutes }) => minutes)
    assert.deepEqual(minutesOf('UTC'), [0])
    assert.deepEqual(minutesOf('America/New_York'), [0, 240, 300])
    assert.deepEqual(minutesOf('Asia/Tokyo'), [0, 900])
    assert.deepEqual(minutesOf('Asia/Kolkata'), [30])
    assert.deepEqual(minutesOf('Asia/Kathmandu'), [15])
    assert.deepEqual(minutesOf('Australia/Lord_Howe'), [0, 30, 780])
  })

  const madeDays = async () => {
    const rows = await database.sql<{ minutes: number }[]>`
      select minutes from rollup_phase where minutes >= 60 order by minutes`
    return rows.map(({ minutes }) => minutes)
  }
  const readDaysOf = (zone: string) =>
    readStatistic(
      database.sql,
      [stream()],
      openCalendar({ size: 1, unit: 'day', reference: '2001-01-01T00:00:00' }, zone),
      'sum',
      { startMs: undefined, endMs: undefined },
      10,
    )

  it('makes days for both offsets of a zone with summer time, and reads them alone', async () => {
    streamKey = await addStream('America/New_York')
    const at = (text: string) => Date.parse(text)
    // Winter ends on 8 March at 07:00 UTC.
    await write(
      [at('2026-03-07T04:59:59Z'), 1],
      [at('2026-03-07T05:00:00Z'), 2],
      [at('2026-03-08T04:59:59Z'), 4],
      [at('2026-03-09T04:00:00Z'), 8],
      [at('2026-03-10T03:59:59Z'), 16],
    )
    await rollAll()
    assert.deepEqual(await madeDays(), [240, 300])
    const daysOf = async (table: string) =>
      (await database.sql`select bucket, sum_num as sum from ${database.sql(table)} order by bucket`).map((row) => [
        new Date(row['bucket'] as number).toISOString().slice(0, 16),
        row['sum'],
      ])
    assert.deepEqual(await daysOf('zone_day_300'), [
      ['2026-03-06T05:00', 1],
      ['2026-03-07T05:00', 6],
      ['2026-03-08T05:00', 8],
      ['2026-03-09T05:00', 16],
    ])
    assert.deepEqual(await daysOf('zone_day_240'), [
      ['2026-03-07T04:00', 3],
      ['2026-03-08T04:00', 4],
      ['2026-03-09T04:00', 24],
    ])
    const expected = [
      ['2026-03-09T04:00', 24],
      ['2026-03-07T05:00', 6],
      ['2026-03-06T05:00', 1],
    ]
    const readDays = async () =>
      (await readDaysOf('America/New_York')).map(({ startMs, value }) => [
        new Date(startMs).toISOString().slice(0, 16),
        value,
      ])
    assert.deepEqual(await readDays(), expected)
    const { tableOf } = tileEditions[await tileKind(database.sql)]
    // Behind the back of the tiles: hours say where there is something, days how much.
    await database.sql`delete from sample`
    await database.sql`update ${database.sql(await transaction(database.sql, (sql) => tableOf(sql, 'tile_hour')))} set sum_num = -1`
    assert.deepEqual(await readDays(), expected)
  })

  it('mends these days with their hours', async () => {
    streamKey = await addStream('America/New_York')
    await write([oldMs, 1])
    await rollAll()
    await write([oldMs + 1, 2], [oldMs - 3 * hourMs, 4])
    await rollAll()
    assert.equal(await marks(), 0)
    const rows = await database.sql`select sum_num as sum from zone_day_240 order by bucket`
    assert.deepEqual(
      rows.map(({ sum }) => sum),
      [4, 3],
    )
  })

  const keysIn = async (table: string) =>
    (await database.sql`select distinct stream_key as key from ${database.sql(table)} order by key`).map(
      ({ key }) => key,
    )
  const moveTo = (zone: string) => database.sql`
    update component set time_zone = ${zone}
    where key = (select component_key from stream where key = ${streamKey})`
  const readSums = async (zone: string) => (await readDaysOf(zone)).map(({ value }) => value)
  /** The hour that a day of Kathmandu begins in. */
  const cutMs = Date.parse('2026-05-01T18:00:00Z')

  it('has tiles of other hours for the streams in zones that need them, and for no others', async () => {
    const inUtc = streamKey
    const inKathmandu = await addStream('Asia/Kathmandu')
    for (streamKey of [inUtc, inKathmandu]) await write([cutMs, 1], [cutMs + hourMs / 2, 2], [cutMs + hourMs, 4])
    await rollAll()
    assert.deepEqual([await keysIn('tile_hour'), await keysIn('zone_hour_15')], [[inUtc, inKathmandu], [inKathmandu]])
    for (streamKey of [inUtc, inKathmandu]) {
      await write([cutMs + 1, 8])
      assert.deepEqual(await readSums('Asia/Kathmandu'), [6, 9])
    }
    await rollAll()
    assert.deepEqual([await marks(), await keysIn('zone_hour_15')], [0, [inKathmandu]])
    for (streamKey of [inUtc, inKathmandu]) assert.deepEqual(await readSums('Asia/Kathmandu'), [6, 9])
  })

  it('reads a component that came into such a zone from samples, until it has its tiles there', async () => {
    const [moved, other] = [streamKey, await addStream('Asia/Kathmandu')]
    for (streamKey of [moved, other]) await write([cutMs, 1], [cutMs + hourMs / 2, 2])
    await rollAll()
    streamKey = moved
    await moveTo('Asia/Kathmandu')
    assert.deepEqual([await marks(), await readSums('Asia/Kathmandu')], [1, [2, 1]])
    await rollAll()
    assert.deepEqual([await marks(), await keysIn('zone_hour_15')], [0, [moved, other]])
    assert.deepEqual(await readSums('Asia/Kathmandu'), [2, 1])
    await moveTo('UTC')
    await write([cutMs + 1, 4])
    await rollAll()
    await moveTo('Asia/Kathmandu')
    assert.deepEqual(await readSums('Asia/Kathmandu'), [2, 5])
    await rollAll()
    assert.deepEqual([await marks(), await readSums('Asia/Kathmandu')], [0, [2, 5]])
  })

  it('does not list a zone while a component is coming into it, whose streams it would not see', async () => {
    await addStream('Europe/Berlin')
    await write([oldMs, 1], [oldMs + dayMs, 2])
    await rollAll()
    const listed = async () =>
      (await database.sql`select distinct zone from tile_zone order by zone`).map((row) => row['zone'] as string)
    await transaction(database.sql, async (sql) => {
      await sql`
        update component set time_zone = 'Europe/Paris'
        where key = (select component_key from stream where key = ${streamKey})`
      await rollUp(database.sql, nowMs, 500, ['UTC', 'Europe/Berlin', 'Europe/Paris'])
      assert.deepEqual(await listed(), ['Europe/Berlin'])
    })
    await rollAll()
    assert.deepEqual(await listed(), ['Europe/Berlin', 'Europe/Paris'])
    assert.deepEqual([await marks(), await keysIn('zone_day_1320')], [0, [streamKey]])
    assert.deepEqual(await readSums('Europe/Paris'), [2, 1])
  })

  it('has them for all streams of an organization that has a cycle in such a zone', async () => {
    await write([cutMs, 1], [cutMs + hourMs / 2, 2])
    await rollAll()
    const addCycle = (id: string, zone: string) => database.sql`
      insert into cycle (organization_key, id, name, size, unit, reference, time_zone)
      select organization_key, ${id}, ${id}, 1, 'day', '2001-01-01T00:00:00', ${zone}
      from component
      where key = (select component_key from stream where key = ${streamKey})`
    await addCycle('here', 'Asia/Kathmandu')
    await rollAll()
    assert.deepEqual([await keysIn('zone_hour_15'), await readSums('Asia/Kathmandu')], [[streamKey], [2, 1]])
    await addStream('Asia/Kolkata')
    await rollAll()
    assert.deepEqual(await keysIn('zone_hour_30'), [])
    await addCycle('there', 'Asia/Kolkata')
    assert.deepEqual([await marks(), await readSums('Asia/Kolkata')], [1, [2, 1]])
    await rollAll()
    assert.deepEqual([await keysIn('zone_hour_30'), await marks()], [[streamKey], 0])
    assert.deepEqual(await readSums('Asia/Kolkata'), [2, 1])
  })

  it('marks nothing of a component that leaves such a zone', async () => {
    streamKey = await addStream('Asia/Kathmandu')
    await write([oldMs, 1])
    await rollAll()
    await moveTo('UTC')
    assert.equal(await marks(), 0)
  })

  it('stays right while a component goes from zone to zone beside passes', async () => {
    const random = openRandom(5)
    const zones = ['UTC', 'Asia/Kathmandu', 'Europe/Berlin', 'Asia/Kolkata', 'America/New_York']
    for (const zone of zones) await addStream(zone)
    const known = new Map<number, number>()
    let pass: Promise<unknown> = Promise.resolve()
    for (let step = 0; step < 150; step += 1) {
      const what = random.integer(5)
      if (what === 0) await moveTo(random.pick(zones))
      else if (what === 1) {
        await pass
        pass = rollUp(database.sql, nowMs, random.pick([0, 20, 300]))
      } else if (what === 2) {
        const timeMs = oldMs - random.integer(40) * 7_100_000
        known.set(timeMs, step)
        await write([timeMs, step])
      } else if (what === 3 && known.size > 0) {
        const timeMs = random.pick([...known.keys()])
        known.delete(timeMs)
        await transaction(database.sql, async (sql) => {
          const { claimedUntilMs } = await openGate(sql, 0)
          await deleteSamples(sql, stream(), { startMs: timeMs, endMs: timeMs + 1 }, claimedUntilMs)
        })
      }
      const zone = random.pick(zones)
      const calendar = openCalendar({ size: 1, unit: 'day', reference: '2001-01-01T00:00:00' }, zone)
      const sums = new Map<number, number>()
      for (const [timeMs, value] of known) {
        const day = calendar.startOf(timeMs)
        sums.set(day, (sums.get(day) ?? 0) + value)
      }
      const found = (await readDaysOf(zone)).map(({ startMs, value }) => [startMs, value])
      assert.deepEqual(found, [...sums].toSorted(([a], [b]) => b - a).slice(0, 10), `step ${step}, ${zone}`)
    }
    await pass
  })

  it('removes tiles of the version before, which were of all streams, where no zone needs them', async () => {
    await addStream('Asia/Kathmandu')
    await rollAll()
    await database.sql`update component set time_zone = 'UTC'`
    await rollAll()
    const made = async () =>
      (await database.sql`select minutes from rollup_phase order by minutes`).map((row) => row['minutes'])
    const before = await made()
    await database.sql`update rollup_phase set layout = 2`
    for (const name of ['hour_15', 'day_15'])
      await database.sql.unsafe(`alter table zone_${name} rename to tile_${name}`)
    await rollAll()
    assert.deepEqual([before, await made()], [[0, 15], [0]])
  })

  it('makes the tiles of a zone that first comes into use when others have such tiles already', async () => {
    await addStream('Europe/Berlin')
    streamKey = await addStream('Europe/Paris')
    await write([oldMs, 1], [oldMs + dayMs, 2])
    while (await rollUp(database.sql, nowMs, 500, ['UTC', 'Europe/Berlin']));
    assert.deepEqual([await madeDays(), await keysIn('zone_day_1320'), await marks()], [[1320, 1380], [], 0])
    await rollAll()
    assert.deepEqual([await keysIn('zone_day_1320'), await marks()], [[streamKey], 0])
    assert.deepEqual(await readSums('Europe/Paris'), [2, 1])
  })

  it('makes these days anew after a version that does not know them has mended', async () => {
    streamKey = await addStream('Asia/Tokyo')
    await write([oldMs, 1])
    await rollAll()
    await write([oldMs + 1, 2])
    // As that version does.
    await database.sql`delete from stale`
    await database.sql`update rollup_phase set ready_until = default where minutes = 0`
    await rollAll()
    const rows = await database.sql`select sum_num as sum from zone_day_900`
    assert.deepEqual(
      rows.map(({ sum }) => sum),
      [3],
    )
  })

  it('sums values that are too large for a sum of doubles, and does not stumble over them', async () => {
    await write([oldMs, 1.5e308], [oldMs + 1, 1.5e308], [oldMs + dayMs, 1.5e308], [oldMs + dayMs + 1, -1.5e308])
    for (let round = 0; round < 2; round += 1) {
      const average = (await read('avg')) as number[]
      assert.equal(average[0], 0)
      assert.ok(Math.abs(average[1]! / 1.5e308 - 1) < 1e-9)
      assert.deepEqual(await read('sum'), [0, null])
      assert.deepEqual(await read('max'), [1.5e308, 1.5e308])
      await rollAll()
    }
  })

  it('sums the largest double there is as it is', async () => {
    await write([oldMs, Number.MAX_VALUE], [oldMs + dayMs, -Number.MAX_VALUE])
    for (let round = 0; round < 2; round += 1) {
      assert.deepEqual(await read('sum'), [-Number.MAX_VALUE, Number.MAX_VALUE])
      assert.deepEqual(await read('avg'), [-Number.MAX_VALUE, Number.MAX_VALUE])
      await rollAll()
    }
  })

  it('knows when an extreme was, of equal ones the first, in whatever order they were stored', async () => {
    const at = (hours: number, minutes: number) => oldMs + hours * hourMs + minutes * 60_000
    await write([at(2, 5), 9], [at(1, 30), 1], [at(1, 20), 9], [at(1, 10), 1], [at(0, 40), 2], [at(0, 50), 9])
    await rollAll()
    const [hour] = await database.sql`
      select min_time as "minMs", max_time as "maxMs" from tile_hour
      where stream_key = ${streamKey} and bucket = ${at(1, 0)}`
    assert.deepEqual({ ...hour }, { minMs: at(1, 10), maxMs: at(1, 20) })
    assert.deepEqual(await read('minoccurrence'), [at(1, 10)])
    assert.deepEqual(await read('maxoccurrence'), [at(0, 50)])
    // Beside a part that is read from samples.
    await write([at(0, 10), 1], [at(3, 0), 9])
    assert.deepEqual(await read('minoccurrence'), [at(0, 10)])
    assert.deepEqual(await read('maxoccurrence'), [at(0, 50)])
  })

  it('keeps no tile of a stream that is removed', async () => {
    const gone = streamKey
    await write([oldMs, 1])
    streamKey = await addStream('Asia/Kathmandu')
    await write([oldMs, 2])
    await rollAll()
    await database.sql`delete from stream where key = ${gone}`
    await transaction(database.sql, (sql) => queueRemoval(sql, gone))
    await removeSome(database.sql)
    for (const { hourTable, dayTable } of phases.slice(0, 2))
      for (const table of [hourTable, dayTable])
        assert.deepEqual(
          [...(await database.sql`select stream_key as key from ${database.sql(table)}`)],
          [{ key: streamKey }],
        )
    await rollAll()
    assert.deepEqual(await tiled(), [2])
  })

  it('leaves the time to uploads while many come in, and takes it when they have ended', () => {
    const pacer = new Pacer()
    assert.equal(pacer.budgetMs(1_000, 5_000_000), 2_000)
    pacer.passed(3_000, 5_400_000, true)
    // 2,500 rows in a second, then 1,500.
    assert.equal(pacer.budgetMs(4_000, 5_402_500), 50)
    pacer.passed(4_050, 5_403_000, true)
    assert.equal(pacer.budgetMs(5_050, 5_404_500), 2_000)
  })

  it('rests for some seconds when nothing is left to do', () => {
    const pacer = new Pacer()
    pacer.passed(1_000, 0, false)
    assert.equal(pacer.budgetMs(5_999, 1_000_000), undefined)
    assert.equal(pacer.budgetMs(6_000, 1_000_000), 50)
    pacer.passed(6_050, 1_000_000, true)
    assert.equal(pacer.budgetMs(6_060, 1_000_000), 2_000)
  })

  it('does all of it as the job does it, pass after pass', async () => {
    await write([oldMs, 1])
    const pass = pacedRollUp()
    await pass(database.sql, nowMs)
    assert.deepEqual(await tiled(), [1])
    await write([oldMs + 1, 2])
    // It rests.
    await pass(database.sql, nowMs)
    assert.equal(await marks(), 1)
    await pacedRollUp()(database.sql, nowMs)
    assert.equal(await marks(), 0)
    assert.deepEqual(await tiled(), [3])
  })

  it('has sums of large values in its tiles, too: one such value does not send readers to all samples', async () => {
    await write([oldMs, Number.MAX_VALUE], [oldMs + 1, 1], [oldMs + 2, -Number.MAX_VALUE], [oldMs + dayMs, 1e300])
    await rollAll()
    // Behind the back of the tiles.
    await database.sql`delete from sample`
    assert.deepEqual(await read('sum'), [1e300, 1])
    assert.deepEqual(await read('avg'), [1e300, 1 / 3])
  })

  it('reads no tile that another version made with other columns, and makes it anew', async () => {
    await write([oldMs, 1])
    await rollAll()
    await database.sql`update rollup_phase set layout = 1`
    await database.sql`update sample set num = 2`
    assert.deepEqual(await read('sum'), [2])
    await rollAll()
    assert.deepEqual(await tiled(), [2])
    assert.deepEqual([...(await database.sql`select layout from rollup_phase`)], [{ layout: layoutOf(mainPhase) }])
  })

  it('makes its tiles anew when the database was moved to the other edition', async () => {
    if (database.edition !== 'community') return
    await makeTiles(database.sql, phases[0]!, 'table')
    await write([oldMs, 1])
    await rollAll()
    assert.deepEqual(await tiled(), [1])
    assert.deepEqual([...(await database.sql`select kind from rollup_phase`)], [{ kind: 'aggregate' }])
  })
})
