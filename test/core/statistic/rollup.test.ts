import assert from 'node:assert/strict'
import { transaction } from '../../../src/base/database/sql.ts'
import { holdChunks } from '../../../src/core/sample/chunk.ts'
import { openGate } from '../../../src/core/sample/gate.ts'
import { queueRemoval, removeSome } from '../../../src/core/upkeep/removal.ts'
import { rollUp, rollupMetrics } from '../../../src/core/statistic/rollup.ts'
import { pacedRollUp, Pacer } from '../../../src/core/statistic/rollup-pace.ts'
import { upsertSamples, deleteSamples } from '../../../src/core/sample/sample.ts'
import { emptyRows, pushRow } from '../../../src/core/sample/rows.ts'
import { markStale } from '../../../src/core/sample/stale.ts'
import { openReader } from '../../../src/core/statistic/reader.ts'
import type { Statistic } from '../../../src/core/statistic/statistic.ts'
import { layoutOf, mainPhase, phases } from '../../../src/core/statistic/tile.ts'
import { makeTiles } from '../../../src/core/statistic/tile-edition.ts'
import { divideGroups, newPace } from '../../../src/core/statistic/tile-state.ts'
import { wantedTiles } from '../../../src/core/statistic/wanted.ts'
import { skipWithout } from '../../support/skip.ts'
import { addStreams } from '../../support/streams.ts'
import { watched } from '../derive/derive-support.ts'
import { dayMs, hourMs, nowMs, oldMs, TileBed } from './tile-bed.ts'

describe('core/rollup', () => {
  const bed = new TileBed()
  const { addStream, rowsOf, write, rollAll, marks, readDays } = bed
  const read = async (statistic: Statistic) => (await readDays('UTC', statistic)).map(({ value }) => value)
  /** The values of the tiles alone, right or wrong. */
  const tiled = async () => {
    const rows = await bed.database.sql<{ sum: number }[]>`
      select sum_num as sum from tile_day where stream_key = ${bed.streamKey} order by bucket`
    return rows.map(({ sum }) => sum)
  }

  it('claims nothing that is still to come, whatever the clock of the server says', async () => {
    await rollUp(bed.database.sql, Date.now() + 3_650 * dayMs)
    const [state] = await bed.database.sql<[{ isAhead: boolean }]>`
      select claimed_until > now() as "isAhead" from rollup_state`
    assert.equal(state.isAhead, false)
  })

  it('is as late as the phase that is the furthest behind', async () => {
    await rollAll()
    await bed.database.sql`insert into rollup_phase (minutes, kind, ready_until) values (30, 'table', ${oldMs})`
    assert.equal((await rollupMetrics(bed.database.sql, nowMs)).lagMs, nowMs - oldMs)
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
    await transaction(bed.database.sql, async (sql) => {
      const { claimedUntilMs } = await openGate(sql, 0)
      await write([oldMs + dayMs, 5])
      await rollAll()
      assert.deepEqual(await read('sum'), [5, 1])
      assert.deepEqual(await deleteSamples(sql, bed.stream, window, claimedUntilMs), { deleted: 2, archived: 0 })
    })
    assert.deepEqual(await read('sum'), [])
    await rollAll()
    assert.deepEqual(await read('sum'), [])
  })

  it('marks late samples and deletes, reads them right at once, and mends the tiles', async () => {
    await write([oldMs, 1], [oldMs + dayMs, 10])
    await rollAll()
    await write([oldMs + 1, 2])
    await transaction(bed.database.sql, async (sql) => {
      const { claimedUntilMs } = await openGate(sql, 0)
      const window = { startMs: oldMs + dayMs, endMs: oldMs + 2 * dayMs }
      await deleteSamples(sql, bed.stream, window, claimedUntilMs)
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
    const slow = transaction(bed.database.sql, async (sql) => {
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
    const writer = transaction(bed.database.sql, async (sql) => {
      await openGate(sql, 0)
      isInside()
      await mayLeave
    })
    await inside
    await rollAll()
    assert.ok((await rollupMetrics(bed.database.sql, nowMs)).lagMs > 1_000 * dayMs)
    leave()
    await writer
    await rollAll()
    assert.ok((await rollupMetrics(bed.database.sql, nowMs)).lagMs < dayMs)
    assert.deepEqual(await read('sum'), [1])
  })

  it('goes on with all others while a reader of hours keeps the tiles of new zones from being made', async () => {
    await write([oldMs, 1])
    await rollUp(bed.database.sql, nowMs, 500, ['UTC'])
    await write([oldMs + 1, 2])
    let tries = 0
    const noting = watched(bed.database.sql, (text) => {
      if (text.startsWith('lock table chunk_hold in access exclusive')) tries += 1
    })
    const zones = ['UTC', 'Asia/Kathmandu', 'Asia/Kolkata', 'America/New_York']
    const made = async () =>
      (await bed.database.sql`select from rollup_phase where minutes = any(array[15, 30])`).length
    await transaction(bed.database.sql, async (reader) => {
      await holdChunks(reader)
      const pace = newPace()
      for (let step = 0; step < 3; step += 1) await rollUp(noting, nowMs, 500, zones, pace)
      assert.equal(await made(), 0)
      assert.deepEqual(await tiled(), [3])
    })
    // Other readings wait behind each.
    assert.equal(tries, 1)
    await rollUp(bed.database.sql, nowMs, 500, zones)
    assert.equal(await made(), 2)
  })

  it('goes on where it was interrupted', async () => {
    const keys = [bed.streamKey]
    for (let count = 0; count < 3; count += 1) keys.push(await addStream('UTC'))
    for (bed.streamKey of keys) await write([oldMs, bed.streamKey], [oldMs - 90 * dayMs, 1])
    let passes = 0
    while (await rollUp(bed.database.sql, nowMs, 0)) passes += 1
    assert.ok(passes > 1)
    for (bed.streamKey of keys) {
      assert.deepEqual(await tiled(), [1, bed.streamKey])
      assert.deepEqual(await read('sum'), [bed.streamKey, 1])
    }
  })

  it('mends streams that are late in the same hours together, and others after them', async () => {
    const keys = await addStreams(
      bed.database.sql,
      Array.from({ length: 30 }, () => ({})),
      { zone: 'UTC' },
    )
    for (bed.streamKey of keys) await write([oldMs, 1])
    await rollAll()
    const [apart, ...together] = keys
    for (bed.streamKey of together) await write([oldMs + bed.streamKey, 2])
    bed.streamKey = apart!
    await write([oldMs - 40 * dayMs, 3], [oldMs + 1, 4])
    const marked = async () => (await bed.database.sql`select distinct stream_key from stale`).length
    const steps: number[] = []
    for (let count = 30; count > 0; count = await marked()) {
      steps.push(count)
      await rollUp(bed.database.sql, nowMs, 0)
    }
    // The hour of all is the latest; then the marks that the first has before it.
    assert.deepEqual(steps, [30, 1])
    assert.deepEqual(await tiled(), [3, 5])
    for (bed.streamKey of together) assert.deepEqual(await tiled(), [3])
  })

  /** By large steps, until nothing is marked; after each the hours whose tiles say that all samples are 2. */
  const mendInSteps = async (): Promise<readonly number[]> => {
    const { sql } = bed.database
    const pace = { ...newPace(), streamMs: 10_000 * dayMs }
    const right: number[] = []
    while ((await marks()) > 0) {
      await rollUp(sql, nowMs, 0, undefined, pace)
      const [hours] = await sql<[{ right: number }]>`
        select count(*)::integer as right from tile_hour where sum_num = 2 * filled`
      right.push(hours.right)
    }
    return right
  }

  it('mends a part of a stream that has many samples, however large its steps have become', async () => {
    const { sql } = bed.database
    await write([oldMs, 1])
    // 50,000 samples in 56 hours.
    await sql`
      insert into sample (stream_key, time, num)
      select ${bed.streamKey}, time, 1
      from generate_series(${oldMs + 4000}::timestamptz, ${oldMs + 200_000_000}::timestamptz, interval '4 s') as time`
    await rollAll()
    await sql`update sample set num = 2`
    await sql`
      insert into stale_mark (stream_key, first_time, last_time)
      values (${bed.streamKey}, ${oldMs}::timestamptz, ${oldMs + 200_000_000}::timestamptz)`
    assert.deepEqual(await mendInSteps(), [23, 46, 56])
  })

  it('mends some of the streams that were marked together, where they have many samples', async () => {
    const { sql } = bed.database
    await write([oldMs, 1])
    const dense = [await addStream('UTC'), await addStream('UTC')]
    // 15,000 samples of each in 17 hours.
    for (const key of dense)
      await sql`
        insert into sample (stream_key, time, num)
        select ${key}, time, 1
        from generate_series(${oldMs}::timestamptz, ${oldMs + 59_999_000}::timestamptz, interval '4 s') as time`
    await rollAll()
    await sql`update sample set num = 2`
    await sql`
      insert into stale_mark (stream_key, first_time, last_time)
      select key, ${oldMs}::timestamptz, ${oldMs + 59_999_000}::timestamptz
      from unnest(${[bed.streamKey, ...dense]}::integer[]) as key`
    assert.deepEqual(await mendInSteps(), [18, 35])
  })

  /** A stream with so many samples so many hours apart, each of them with a mark; all are 1, and their tiles say 2. */
  const addSparse = async (key: number, samples: number, hours: number): Promise<void> => {
    const { sql } = bed.database
    const times = sql`
      select ${oldMs}::timestamptz - nth * ${hours} * interval '1 hour' as time
      from generate_series(1, ${samples}) as nth`
    await sql`insert into sample (stream_key, time, num) select ${key}, time, 2 from (${times}) as given`
    await rollAll()
    await sql`update sample set num = 1 where stream_key = ${key}`
    await sql`
      insert into stale_mark (stream_key, first_time, last_time) select ${key}, time, time from (${times}) as given`
  }

  it('mends many marks of a stream in a step, where few samples lie between them', async () => {
    await write([oldMs, 1])
    await addSparse(bed.streamKey, 300, 49)
    const pace = { ...newPace(), streamMs: 10_000 * dayMs }
    let steps = 0
    for (; (await marks()) > 0; steps += 1) await rollUp(bed.database.sql, nowMs, 0, undefined, pace)
    assert.ok(steps < 20, `${steps} steps`)
    const [{ sum }] = await bed.database.sql<[{ sum: number }]>`select sum(sum_num) from tile_hour`
    assert.equal(sum, 301)
  })

  it('mends a stream of one mark soon, while another has a great many far apart', async () => {
    const other = await addStream('UTC')
    await write([oldMs, 1])
    await addSparse(bed.streamKey, 40, 2 * 366 * 24)
    await bed.database.sql`
      insert into stale_mark (stream_key, first_time, last_time)
      values (${other}, ${oldMs}::timestamptz, ${oldMs}::timestamptz)`
    const pace = newPace()
    const isMarked = async () => (await bed.database.sql`select from stale_mark where stream_key = ${other}`).length > 0
    let steps = 0
    for (; await isMarked(); steps += 1) await rollUp(bed.database.sql, nowMs, 0, undefined, pace)
    assert.ok(steps <= 22, `${steps} steps`)
    assert.ok((await marks()) > 0)
  })

  it('mends streams that were marked together, which are read from samples until then', async () => {
    const keys: number[] = []
    while (keys.length < 9) keys.push(await addStream('UTC'))
    for (bed.streamKey of keys) await write([oldMs, 1])
    await rollAll()
    const before = await marks()
    const late = emptyRows()
    for (const key of keys) pushRow(late, key, null, oldMs + key, 'DOUBLE', 2)
    await transaction(bed.database.sql, async (sql) => {
      const { claimedUntilMs } = await openGate(sql, 0)
      await markStale(sql, late, claimedUntilMs)
      await upsertSamples(sql, late)
    })
    const groups = async () =>
      (await bed.database.sql`select cardinality(stream_keys) as streams from stale_group`).map(
        ({ streams }) => streams,
      )
    assert.deepEqual([before, await marks(), await groups()], [0, 9, [9]])
    for (bed.streamKey of keys) assert.deepEqual([await tiled(), await read('sum')], [[1], [3]])
    await rollAll()
    assert.deepEqual([await marks(), await groups()], [0, []])
    for (bed.streamKey of keys) assert.deepEqual(await tiled(), [3])
  })

  it('divides groups that are the same as one', async () => {
    await write([oldMs, 1])
    await rollAll()
    const mark = (hours: number) => bed.database.sql`
      insert into stale_group (stream_keys, from_time, until_time)
      values (array[${bed.streamKey}, 1000000]::integer[], ${oldMs}, ${oldMs + hours * hourMs})`
    for (const hours of [1, 2, 1, 1, 2]) await mark(hours)
    assert.equal(await marks(), 10)
    await divideGroups(bed.database.sql)
    assert.deepEqual(
      [
        ...(await bed.database
          .sql`select stream_key as key, first_time as "fromMs", last_time as "lastMs" from stale_mark order by key`),
      ],
      [bed.streamKey, 1000000].map((key) => ({ key, fromMs: oldMs, lastMs: oldMs + 2 * hourMs - 1 })),
    )
    assert.equal(await divideGroups(bed.database.sql), false)
  })

  it('mends a stream that somebody is reading every other time, where it is stale for days', async () => {
    const others = [bed.streamKey, await addStream('UTC'), await addStream('UTC'), await addStream('UTC')]
    const asked = await addStream('UTC')
    for (bed.streamKey of [...others, asked]) await write([oldMs, 1])
    await rollAll()
    // Hours apart, so that each takes a step.
    for (const [nth, key] of others.entries()) {
      bed.streamKey = key
      await write([oldMs - nth * 10 * dayMs, 2])
    }
    await bed.database.sql`
      insert into stale_mark (stream_key, first_time, last_time)
      values (${asked}, ${oldMs - 2 * dayMs}::timestamptz, ${oldMs}::timestamptz)`
    const marked = async () =>
      (await bed.database.sql`select distinct stream_key as key from stale order by key`).map(
        ({ key }) => key as number,
      )
    const before = [...(await wantedTiles(bed.database.sql))]
    await transaction(bed.database.sql, async (sql) => {
      await openReader(sql, [...others, asked])
      assert.deepEqual([before, await wantedTiles(bed.database.sql)], [[], [asked]])
      for (let step = 0; step < 2; step += 1) await rollUp(bed.database.sql, nowMs, 0)
    })
    const left = await marked()
    assert.deepEqual([left.includes(asked), left.length, await wantedTiles(bed.database.sql)], [false, 3, []])
  })

  it('loses no mark of a stream that has more of them than are looked at together', async () => {
    const one = bed.streamKey
    const many = await addStream('UTC')
    for (bed.streamKey of [one, many]) await write([oldMs, 1], [oldMs - 40 * dayMs, 2])
    await rollAll()
    await bed.database.sql`
      insert into stale_mark (stream_key, first_time, last_time)
      select ${many}::integer, ${oldMs}::timestamptz, ${oldMs}::timestamptz from generate_series(1, 6000)`
    await write([oldMs - 40 * dayMs, 4])
    bed.streamKey = one
    await write([oldMs, 3])
    await rollAll()
    assert.deepEqual([await marks(), await tiled()], [0, [2, 3]])
    bed.streamKey = many
    assert.deepEqual(await tiled(), [4, 1])
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
    const [hour] = await bed.database.sql`
      select min_time as "minMs", max_time as "maxMs" from tile_hour
      where stream_key = ${bed.streamKey} and bucket = ${at(1, 0)}`
    assert.deepEqual({ ...hour }, { minMs: at(1, 10), maxMs: at(1, 20) })
    assert.deepEqual(await read('minoccurrence'), [at(1, 10)])
    assert.deepEqual(await read('maxoccurrence'), [at(0, 50)])
    // Beside a part that is read from samples.
    await write([at(0, 10), 1], [at(3, 0), 9])
    assert.deepEqual(await read('minoccurrence'), [at(0, 10)])
    assert.deepEqual(await read('maxoccurrence'), [at(0, 50)])
  })

  it('keeps no tile of a stream that is removed', async () => {
    const gone = bed.streamKey
    await write([oldMs, 1])
    bed.streamKey = await addStream('Asia/Kathmandu')
    await write([oldMs, 2])
    await rollAll()
    await bed.database.sql`delete from stream where key = ${gone}`
    await transaction(bed.database.sql, (sql) => queueRemoval(sql, gone, { tenantUid: 't' }))
    await removeSome(bed.database.sql)
    for (const { hourTable, dayTable } of phases.slice(0, 2))
      for (const table of [hourTable, dayTable])
        assert.deepEqual(
          [...(await bed.database.sql`select stream_key as key from ${bed.database.sql(table)}`)],
          [{ key: bed.streamKey }],
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
    await pass(bed.database.sql, nowMs)
    assert.deepEqual(await tiled(), [1])
    await write([oldMs + 1, 2])
    // It rests.
    await pass(bed.database.sql, nowMs)
    assert.equal(await marks(), 1)
    await pacedRollUp()(bed.database.sql, nowMs)
    assert.equal(await marks(), 0)
    assert.deepEqual(await tiled(), [3])
  })

  it('has sums of large values in its tiles, too: one such value does not send readers to all samples', async () => {
    await write([oldMs, Number.MAX_VALUE], [oldMs + 1, 1], [oldMs + 2, -Number.MAX_VALUE], [oldMs + dayMs, 1e300])
    await rollAll()
    // Behind the back of the tiles.
    await bed.database.sql`delete from sample`
    assert.deepEqual(await read('sum'), [1e300, 1])
    assert.deepEqual(await read('avg'), [1e300, 1 / 3])
  })

  it('reads no tile that another version made with other columns, and makes it anew', async () => {
    await write([oldMs, 1])
    await rollAll()
    await bed.database.sql`update rollup_phase set layout = 1`
    await bed.database.sql`update sample set num = 2`
    assert.deepEqual(await read('sum'), [2])
    await rollAll()
    assert.deepEqual(await tiled(), [2])
    assert.deepEqual([...(await bed.database.sql`select layout from rollup_phase`)], [{ layout: layoutOf(mainPhase) }])
  })

  it('makes its tiles anew when the database was moved to the other edition', async function () {
    if (bed.database.edition !== 'community') return skipWithout(this, 'the Community edition of TimescaleDB')
    await makeTiles(bed.database.sql, phases[0]!, 'table')
    await write([oldMs, 1])
    await rollAll()
    assert.deepEqual(await tiled(), [1])
    assert.deepEqual([...(await bed.database.sql`select kind from rollup_phase`)], [{ kind: 'aggregate' }])
  })
})
