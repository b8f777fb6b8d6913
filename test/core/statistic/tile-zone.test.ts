import assert from 'node:assert/strict'
import { transaction } from '../../../src/base/database/sql.ts'
import { rollUp } from '../../../src/core/statistic/rollup.ts'
import { phasesOfZone, tileKind } from '../../../src/core/statistic/tile.ts'
import { tileEditions } from '../../../src/core/statistic/tile-edition.ts'
import { joinSome, leaveSome, reviewZones } from '../../../src/core/statistic/tile-zone.ts'
import { newPace, readPhases } from '../../../src/core/statistic/tile-state.ts'
import { openRandom } from '../../support/random.ts'
import { addStreams } from '../../support/streams.ts'
import { daysIn, dayMs, hourMs, nowMs, oldMs, TileBed } from './tile-bed.ts'

describe('tiles of zones', () => {
  const bed = new TileBed()
  const { addStream, write, rollAll, marks, readDays } = bed

  it('makes tiles of other minutes for zones that need them, and only for these', async () => {
    const made = async () => {
      const rows = await bed.database.sql<{ minutes: number }[]>`select minutes from rollup_phase order by minutes`
      return rows.map(({ minutes }) => minutes)
    }
    await rollAll()
    assert.deepEqual(await made(), [0])
    bed.streamKey = await addStream('Asia/Kathmandu')
    await write([Date.parse('2026-05-01T18:14:59Z'), 1], [Date.parse('2026-05-01T18:15:00Z'), 2])
    await rollAll()
    assert.deepEqual(await made(), [0, 15])
    const rows = await bed.database.sql`select bucket, sum_num as sum from zone_day_15 order by bucket`
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
    const rows = await bed.database.sql<{ minutes: number }[]>`
      select minutes from rollup_phase where minutes >= 60 order by minutes`
    return rows.map(({ minutes }) => minutes)
  }
  it('makes days for both offsets of a zone with summer time, and reads them alone', async () => {
    bed.streamKey = await addStream('America/New_York')
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
      (await bed.database.sql`select bucket, sum_num as sum from ${bed.database.sql(table)} order by bucket`).map(
        (row) => [new Date(row['bucket'] as number).toISOString().slice(0, 16), row['sum']],
      )
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
    const readNewYork = async () =>
      (await readDays('America/New_York')).map(({ startMs, value }) => [
        new Date(startMs).toISOString().slice(0, 16),
        value,
      ])
    assert.deepEqual(await readNewYork(), expected)
    const { tableOf } = tileEditions[await tileKind(bed.database.sql)]
    // Behind the back of the tiles: hours say where there is something, days how much.
    await bed.database.sql`delete from sample`
    await bed.database
      .sql`update ${bed.database.sql(await transaction(bed.database.sql, (sql) => tableOf(sql, 'tile_hour')))} set sum_num = -1`
    assert.deepEqual(await readNewYork(), expected)
  })

  it('mends these days with their hours', async () => {
    bed.streamKey = await addStream('America/New_York')
    await write([oldMs, 1])
    await rollAll()
    await write([oldMs + 1, 2], [oldMs - 3 * hourMs, 4])
    await rollAll()
    assert.equal(await marks(), 0)
    const rows = await bed.database.sql`select sum_num as sum from zone_day_240 order by bucket`
    assert.deepEqual(
      rows.map(({ sum }) => sum),
      [4, 3],
    )
  })

  const keysIn = async (table: string) =>
    (await bed.database.sql`select distinct stream_key as key from ${bed.database.sql(table)} order by key`).map(
      ({ key }) => key,
    )
  /** Components that wait for tiles of other hours. */
  const joining = async () =>
    (
      await bed.database.sql`
        select component_key as key from tile_member where next_stream is not null order by since, component_key`
    ).map(({ key }) => key as number)
  const componentOf = async (streamKey: number) =>
    (await bed.database.sql`select component_key as key from stream where key = ${streamKey}`)[0]!['key'] as number
  const addCycle = (id: string, zone: string) => bed.database.sql`
    insert into cycle (organization_key, id, name, size, unit, reference, time_zone)
    select organization_key, ${id}, ${id}, 1, 'day', '2001-01-01T00:00:00', ${zone}
    from component
    where key = (select component_key from stream where key = ${bed.streamKey})`
  const moveTo = (zone: string) => bed.database.sql`
    update component set time_zone = ${zone}
    where key = (select component_key from stream where key = ${bed.streamKey})`
  const readSums = async (zone: string) => (await readDays(zone)).map(({ value }) => value)
  const join = () => joinSome(bed.database.sql, { joining: 1000 })
  const review = () => reviewZones(bed.database.sql)
  /** Tiles that nobody needs any more are taken away a day later. */
  const dayLater = async () => {
    await bed.database.sql`update tile_member set spare_since = spare_since - interval '25 hours'`
    await leaveSome(bed.database.sql)
  }
  /** More than are taken in a step. */
  const manyStreams = Array.from({ length: 1001 }, () => ({}))
  /** The hour that a day of Kathmandu begins in. */
  const cutMs = Date.parse('2026-05-01T18:00:00Z')

  it('has tiles of other hours for the streams in zones that need them, and for no others', async () => {
    const inUtc = bed.streamKey
    const inKathmandu = await addStream('Asia/Kathmandu')
    for (bed.streamKey of [inUtc, inKathmandu]) await write([cutMs, 1], [cutMs + hourMs / 2, 2], [cutMs + hourMs, 4])
    await rollAll()
    assert.deepEqual([await keysIn('tile_hour'), await keysIn('zone_hour_15')], [[inUtc, inKathmandu], [inKathmandu]])
    for (bed.streamKey of [inUtc, inKathmandu]) {
      await write([cutMs + 1, 8])
      assert.deepEqual(await readSums('Asia/Kathmandu'), [6, 9])
    }
    await rollAll()
    assert.deepEqual([await marks(), await keysIn('zone_hour_15')], [0, [inKathmandu]])
    for (bed.streamKey of [inUtc, inKathmandu]) assert.deepEqual(await readSums('Asia/Kathmandu'), [6, 9])
  })

  it('reads a component that came into such a zone from samples, until it has its tiles there', async () => {
    const [moved, other] = [bed.streamKey, await addStream('Asia/Kathmandu')]
    for (bed.streamKey of [moved, other]) await write([cutMs, 1], [cutMs + hourMs / 2, 2])
    await rollAll()
    bed.streamKey = moved
    const read = () => readSums('Asia/Kathmandu')
    await moveTo('Asia/Kathmandu')
    assert.deepEqual(await read(), [2, 1])
    await review()
    assert.deepEqual([await joining(), await read()], [[await componentOf(moved)], [2, 1]])
    await join()
    assert.deepEqual([await joining(), await marks(), await read()], [[], 1, [2, 1]])
    await rollAll()
    assert.deepEqual([await marks(), await keysIn('zone_hour_15')], [0, [moved, other]])
    assert.deepEqual(await read(), [2, 1])
    await moveTo('UTC')
    await write([cutMs + 1, 4])
    await rollAll()
    await moveTo('Asia/Kathmandu')
    assert.deepEqual(await read(), [2, 5])
    await rollAll()
    assert.deepEqual([await marks(), await read()], [0, [2, 5]])
  })

  it('sees a component that comes into a zone while that is being listed', async () => {
    await addStream('Europe/Berlin')
    await write([oldMs, 1], [oldMs + dayMs, 2])
    await rollAll()
    await transaction(bed.database.sql, async (sql) => {
      await sql`update component set time_zone = 'Europe/Paris' where key = ${await componentOf(bed.streamKey)}`
      while (await rollUp(bed.database.sql, nowMs, 500, ['UTC', 'Europe/Berlin', 'Europe/Paris']));
      const listed = await bed.database.sql`select from tile_zone where zone = 'Europe/Paris'`
      assert.equal(listed.length, 2)
    })
    assert.deepEqual([await keysIn('zone_day_1320'), await readSums('Europe/Paris')], [[], [2, 1]])
    await rollAll()
    assert.deepEqual([await keysIn('zone_day_1320'), await readSums('Europe/Paris')], [[bed.streamKey], [2, 1]])
  })

  it('sees a component that is made while a cycle comes', async () => {
    await addStream('Asia/Kathmandu')
    await rollAll()
    const [organization] = await bed.database.sql`
      select organization_key as key, folder_key as "folderKey" from component where key = ${await componentOf(bed.streamKey)}`
    await transaction(bed.database.sql, async (sql) => {
      await sql`
        insert into cycle (organization_key, id, name, size, unit, reference, time_zone)
        values (${organization!['key']}, 'here', 'here', 1, 'day', '2001-01-01T00:00:00', 'Asia/Kathmandu')`
      const [made] = await bed.database.sql`
        with made as (
          insert into component (organization_key, id, name, folder_key, time_zone)
          values (${organization!['key']}, 'made', 'made', ${organization!['folderKey']}, 'UTC')
          returning key)
        insert into stream (component_key, id, name, kind, value_type, position)
        select key, 'made', 'made', 'random', 'DOUBLE', 1 from made
        returning key`
      bed.streamKey = made!['key'] as number
      await write([cutMs, 1], [cutMs + hourMs / 2, 2])
      await rollAll()
    })
    assert.deepEqual(await readSums('Asia/Kathmandu'), [2, 1])
    await rollAll()
    assert.deepEqual([await keysIn('zone_hour_15'), await readSums('Asia/Kathmandu')], [[bed.streamKey], [2, 1]])
  })

  it('sees a cycle that comes while the last one of its zone goes', async () => {
    await addStream('Asia/Kathmandu')
    await addCycle('first', 'Asia/Kathmandu')
    await write([cutMs, 1], [cutMs + hourMs / 2, 2])
    await rollAll()
    await transaction(bed.database.sql, async (sql) => {
      await sql`
        insert into cycle (organization_key, id, name, size, unit, reference, time_zone)
        select organization_key, 'second', 'second', 1, 'day', '2001-01-01T00:00:00', time_zone from cycle where id = 'first'`
      await bed.database.sql`delete from cycle where id = 'first'`
      await rollAll()
      await write([cutMs + 1, 4])
      await rollAll()
    })
    assert.deepEqual(await readSums('Asia/Kathmandu'), [2, 5])
    await rollAll()
    assert.deepEqual([await keysIn('zone_hour_15'), await readSums('Asia/Kathmandu')], [[bed.streamKey], [2, 5]])
  })

  it('leaves the days of all others as they are when a component comes', async () => {
    await addStream('America/New_York')
    await write([oldMs, 1])
    await rollAll()
    const ready = async () =>
      (await bed.database.sql`select minutes, ready_until as ms from rollup_phase order by minutes`).map(
        (row) => row['ms'],
      )
    const before = await ready()
    await moveTo('America/New_York')
    await review()
    await join()
    assert.deepEqual([await marks(), await ready()], [1, before])
  })

  it('has them for all streams of an organization that has a cycle in such a zone', async () => {
    await write([cutMs, 1], [cutMs + hourMs / 2, 2])
    await rollAll()
    await addCycle('here', 'Asia/Kathmandu')
    await rollAll()
    assert.deepEqual([await keysIn('zone_hour_15'), await readSums('Asia/Kathmandu')], [[bed.streamKey], [2, 1]])
    await addStream('Asia/Kolkata')
    await rollAll()
    assert.deepEqual(await keysIn('zone_hour_30'), [])
    await addCycle('there', 'Asia/Kolkata')
    assert.deepEqual([await keysIn('zone_hour_30'), await readSums('Asia/Kolkata')], [[], [2, 1]])
    await rollAll()
    assert.deepEqual([await keysIn('zone_hour_30'), await marks()], [[bed.streamKey], 0])
    assert.deepEqual(await readSums('Asia/Kolkata'), [2, 1])
  })

  it('has tiles of a component that leaves such a zone for a day, and then no more', async () => {
    bed.streamKey = await addStream('Asia/Kathmandu')
    await write([cutMs, 1], [cutMs + hourMs / 2, 2])
    await rollAll()
    const phases = async () =>
      (await bed.database.sql`select minutes from tile_member`).map((row) => row['minutes'] as unknown)
    await addCycle('here', 'Asia/Kolkata')
    await rollAll()
    await moveTo('UTC')
    await rollAll()
    assert.deepEqual([await marks(), await joining(), await phases()], [0, [], [[15, 30]]])
    await write([cutMs + 1, 4])
    await rollAll()
    assert.deepEqual([await marks(), await readSums('Asia/Kathmandu')], [0, [2, 5]])
    await dayLater()
    assert.deepEqual([await marks(), await joining(), await phases()], [0, [], [[30]]])
    await bed.database.sql`delete from cycle where id = 'here'`
    await review()
    await dayLater()
    assert.deepEqual([await marks(), await phases(), await readSums('Asia/Kathmandu')], [0, [], [2, 5]])
  })

  it('has only the tiles of its new zone a day after a component went from one such zone to another', async () => {
    bed.streamKey = await addStream('Asia/Kathmandu')
    await addStream('Asia/Kolkata')
    await rollAll()
    await moveTo('Asia/Kolkata')
    const phases = async () =>
      (
        await bed.database
          .sql`select minutes from tile_member where component_key = ${await componentOf(bed.streamKey)}`
      ).map((row) => row['minutes'] as unknown)
    await review()
    assert.deepEqual(await phases(), [[15, 30]])
    await dayLater()
    assert.deepEqual(await phases(), [[30]])
  })

  it('has no place for a component that is deleted', async () => {
    bed.streamKey = await addStream('Asia/Kathmandu')
    await rollAll()
    const members = async () => (await bed.database.sql`select component_key as key from tile_member`).length
    assert.equal(await members(), 1)
    await bed.database.sql`delete from component where key = ${await componentOf(bed.streamKey)}`
    await rollAll()
    assert.equal(await members(), 0)
  })

  it('has all of a component that waits for long while days pass, its first samples too', async () => {
    await addStream('Asia/Kathmandu')
    const waiting = [bed.streamKey, await addStream('UTC')]
    await write([cutMs, 1], [cutMs + hourMs / 2, 2])
    while (await rollUp(bed.database.sql, cutMs + dayMs));
    for (bed.streamKey of waiting) await moveTo('Asia/Kathmandu')
    await review()
    for (bed.streamKey of waiting) await write([cutMs + 2 * dayMs, 4], [cutMs + 2 * dayMs + hourMs / 2, 8])
    // As if many others came first.
    await bed.database.sql`update tile_member set next_stream = null`
    await rollAll()
    await bed.database.sql`update tile_member set next_stream = 0`
    await rollAll()
    assert.deepEqual([await joining(), await marks(), await keysIn('zone_hour_15')], [[], 0, waiting])
    assert.deepEqual(await readSums('Asia/Kathmandu'), [8, 4])
    bed.streamKey = waiting[0]!
    assert.deepEqual(await readSums('Asia/Kathmandu'), [8, 4, 2, 1])
  })

  it('still mends what was deleted before the first sample that a component comes with', async () => {
    await addStream('Asia/Kathmandu')
    await write([cutMs, 1], [cutMs + dayMs, 2])
    await rollAll()
    await bed.remove(cutMs)
    await moveTo('Asia/Kathmandu')
    await rollAll()
    assert.deepEqual([await marks(), await readSums('UTC')], [0, [2]])
  })

  it('does nothing when a cycle comes and goes again and again, and then stays', async () => {
    await addStream('Asia/Kathmandu')
    await addCycle('here', 'Asia/Kathmandu')
    await write([cutMs, 1], [cutMs + hourMs / 2, 2])
    await rollAll()
    for (let time = 0; time < 3; time += 1) {
      await bed.database.sql`delete from cycle where id = 'here'`
      await review()
      await addCycle('here', 'Asia/Kathmandu')
      await review()
      assert.deepEqual([await joining(), await marks()], [[], 0])
    }
    await dayLater()
    assert.equal((await keysIn('tile_stream')).includes(bed.streamKey), true)
  })

  it('has one mark of a stream that comes again', async () => {
    await addStream('Asia/Kathmandu')
    await write([cutMs, 1], [cutMs + hourMs / 2, 2])
    await rollAll()
    for (let time = 0; time < 3; time += 1) {
      await moveTo('Asia/Kathmandu')
      await review()
      await join()
      assert.deepEqual([await joining(), await marks()], [[], 1])
      await moveTo('UTC')
      await review()
      await dayLater()
    }
    await rollAll()
    assert.deepEqual([await marks(), await readSums('Asia/Kathmandu')], [0, [2, 1]])
  })

  it('joins a stream in the middle of a piece, behind which the filling of it is', async () => {
    const first = bed.streamKey
    await write([cutMs, 1], [cutMs + hourMs / 2, 2])
    await addStreams(bed.database.sql, manyStreams, { zone: 'Asia/Kathmandu' })
    const phase = async () =>
      (await bed.database.sql`select piece_until as ms, next_stream as next from rollup_phase where minutes = 15`)[0]
    while (typeof (await phase())?.['ms'] !== 'number') await rollUp(bed.database.sql, nowMs, 0)
    assert.ok(((await phase())!['next'] as number) > first)
    await moveTo('Asia/Kathmandu')
    await review()
    await join()
    await rollAll()
    assert.deepEqual([await marks(), await keysIn('zone_hour_15')], [0, [first]])
    assert.deepEqual(await readSums('Asia/Kathmandu'), [2, 1])
  })

  it('takes a component with many streams in parts, of which those that are taken have their tiles', async () => {
    await addStream('Asia/Kathmandu')
    const keys = await addStreams(bed.database.sql, manyStreams)
    for (bed.streamKey of [keys[0]!, keys[1000]!]) await write([cutMs, 1], [cutMs + hourMs / 2, 2])
    await rollAll()
    await moveTo('Asia/Kathmandu')
    await review()
    const marked = async () => (await bed.database.sql`select stream_key as key from stale_mark`).map(({ key }) => key)
    await join()
    assert.deepEqual([(await joining()).length, await marked()], [1, [keys[0]]])
    const tiled = await bed.database.sql`select min(stream_key) as first, max(stream_key) as last from tile_stream`
    assert.deepEqual([tiled[0]!['first'], tiled[0]!['last']], [keys[0]! - 1, keys[999]])
    await join()
    assert.deepEqual([(await joining()).length, await marked()], [0, [keys[0], keys[1000]]])
    await rollAll()
    assert.deepEqual(await keysIn('zone_hour_15'), [keys[0], keys[1000]])
    assert.deepEqual(await readSums('Asia/Kathmandu'), [2, 1])
  })

  it('takes components in the order in which they came', async () => {
    await addStream('Asia/Kathmandu')
    await rollAll()
    const streams = [bed.streamKey, await addStream('UTC'), await addStream('UTC')] as const
    const keys = await Promise.all(streams.map(componentOf))
    const go = async (at: number, zone: string) => {
      bed.streamKey = streams[at]!
      await moveTo(zone)
      await review()
    }
    for (const at of [1, 0, 2]) await go(at, 'Asia/Kathmandu')
    assert.deepEqual(await joining(), [keys[1], keys[0], keys[2]])
    await go(1, 'UTC')
    await dayLater()
    await go(1, 'Asia/Kathmandu')
    assert.deepEqual(await joining(), [keys[0], keys[2], keys[1]])
  })

  it('fills nothing and loses nothing where another has filled meanwhile', async () => {
    await write([oldMs, 1])
    await rollAll()
    const [state] = await readPhases(bed.database.sql)
    const fill = tileEditions.table.fill
    const elsewhere = { ...state!, nextStream: bed.streamKey + 1, pieceUntilMs: state!.readyUntilMs + hourMs }
    await fill(bed.database.sql, elsewhere, newPace())
    assert.deepEqual((await readPhases(bed.database.sql))[0], state)
  })

  it('stays right while components go from zone to zone, and cycles come and go, beside passes', async () => {
    const random = openRandom(5)
    const zones = ['UTC', 'Asia/Kathmandu', 'Europe/Berlin', 'Asia/Kolkata', 'America/New_York']
    for (const zone of zones) await addStream(zone)
    const streams = new Map([bed.streamKey, await addStream('UTC')].map((key) => [key, new Map<number, number>()]))
    let pass: Promise<unknown> = Promise.resolve()
    let passMs = oldMs - 2 * dayMs
    for (let step = 0; step < 200; step += 1) {
      bed.streamKey = random.pick([...streams.keys()])
      const known = streams.get(bed.streamKey)!
      const move = random.integer(6)
      if (move === 0) await moveTo(random.pick(zones))
      else if (move === 1) {
        await pass
        // Some of them claim more.
        passMs += random.pick([0, 0, hourMs, dayMs])
        pass = rollUp(bed.database.sql, passMs, random.pick([0, 20, 300]))
      } else if (move === 2) {
        const timeMs = oldMs + (20 - random.integer(40)) * 7_100_000
        known.set(timeMs, step)
        await write([timeMs, step])
      } else if (move === 3 && known.size > 0) {
        const timeMs = random.pick([...known.keys()])
        known.delete(timeMs)
        await bed.remove(timeMs)
      } else if (move === 4) {
        const removed = await bed.database.sql`delete from cycle where id = 'here' returning key`
        if (removed.length === 0) await addCycle('here', random.pick(zones))
      } else if (random.integer(3) === 0) {
        await pass
        await dayLater()
      }
      const zone = random.pick(zones)
      const calendar = daysIn(zone)
      const sums = new Map<number, number>()
      for (const [timeMs, value] of known) {
        const day = calendar.startOf(timeMs)
        sums.set(day, (sums.get(day) ?? 0) + value)
      }
      const found = (await readDays(zone)).map(({ startMs, value }) => [startMs, value])
      assert.deepEqual(found, [...sums].toSorted(([a], [b]) => b - a).slice(0, 10), `step ${step}, ${zone}`)
    }
    await pass
  })

  it('removes tiles of the version before, which were of all streams, where no zone needs them', async () => {
    await addStream('Asia/Kathmandu')
    await rollAll()
    await bed.database.sql`update component set time_zone = 'UTC'`
    await rollAll()
    const made = async () =>
      (await bed.database.sql`select minutes from rollup_phase order by minutes`).map((row) => row['minutes'])
    const before = await made()
    await bed.database.sql`update rollup_phase set layout = 2`
    for (const name of ['hour_15', 'day_15'])
      await bed.database.sql.unsafe(`alter table zone_${name} rename to tile_${name}`)
    await rollAll()
    assert.deepEqual([before, await made()], [[0, 15], [0]])
  })

  it('makes the tiles of a zone that first comes into use when others have such tiles already', async () => {
    await addStream('Europe/Berlin')
    bed.streamKey = await addStream('Europe/Paris')
    await write([oldMs, 1], [oldMs + dayMs, 2])
    while (await rollUp(bed.database.sql, nowMs, 500, ['UTC', 'Europe/Berlin']));
    assert.deepEqual([await madeDays(), await keysIn('zone_day_1320'), await marks()], [[1320, 1380], [], 0])
    await rollAll()
    assert.deepEqual([await keysIn('zone_day_1320'), await marks()], [[bed.streamKey], 0])
    assert.deepEqual(await readSums('Europe/Paris'), [2, 1])
  })

  it('makes these days anew after a version that does not know them has mended', async () => {
    bed.streamKey = await addStream('Asia/Tokyo')
    await write([oldMs, 1])
    await rollAll()
    await write([oldMs + 1, 2])
    // As that version does.
    await bed.database.sql`delete from stale`
    await bed.database.sql`update rollup_phase set ready_until = default where minutes = 0`
    await rollAll()
    const rows = await bed.database.sql`select sum_num as sum from zone_day_900`
    assert.deepEqual(
      rows.map(({ sum }) => sum),
      [3],
    )
  })
})
