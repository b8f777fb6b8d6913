import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Transaction } from '../../../src/base/database/sql.ts'
import { transaction } from '../../../src/base/database/sql.ts'
import { openCalendar } from '../../../src/core/time/calendar.ts'
import type { CycleDefinition } from '../../../src/core/time/calendar.ts'
import { closeCommonGate } from '../../../src/core/sample/catalog-change.ts'
import { allOfOrganization, openGate } from '../../../src/core/sample/gate.ts'
import { archiveSome, newRetentionPace } from '../../../src/core/upkeep/retention.ts'
import { rollUp } from '../../../src/core/statistic/rollup.ts'
import { deleteSamples, upsertSamples } from '../../../src/core/sample/sample.ts'
import { emptyRows, pushRow } from '../../../src/core/sample/rows.ts'
import { readStatistic } from '../../../src/core/statistic/statistic-read.ts'
import type { StatisticStream } from '../../../src/core/statistic/statistic.ts'
import { statistics } from '../../../src/core/statistic/statistic.ts'
import { forgetTiles } from '../../../src/core/statistic/tile-edition.ts'
import type { TestDatabase } from '../../support/database.ts'
import { isSomebodyWaiting, openTestDatabase } from '../../support/database.ts'
import { addStreams } from '../../support/streams.ts'
import { eventually } from '../../support/within.ts'
import { watched } from '../derive/derive-support.ts'

const minuteMs = 60_000
const dayMs = 1_440 * minuteMs
const nowMs = Date.parse('2026-05-20T12:00:00Z')
const oldMs = Date.parse('2026-05-01T03:00:00Z')
const reference = '2001-01-01T00:00:00'

describe('core/upkeep/retention', () => {
  let database: TestDatabase
  let streams: readonly StatisticStream[]
  const minutes = openCalendar({ size: 1, unit: 'minute', reference }, 'Asia/Kathmandu')

  beforeEach(async () => {
    database = await openTestDatabase()
    const made = [{}, { kind: 'interval', valueType: 'LONG' }] as const
    const owner = { zone: 'Asia/Kathmandu', unit: 'minute', reference, retentionDays: 10 }
    const keys = await addStreams(database.sql, made, owner)
    streams = [
      { key: keys[0]!, kind: 'random', valueType: 'DOUBLE', calendar: undefined },
      { key: keys[1]!, kind: 'interval', valueType: 'LONG', calendar: minutes },
    ]
    const samples = emptyRows()
    const [random, interval] = streams as [StatisticStream, StatisticStream]
    for (let at = 0; at < 3_400; at += 1)
      pushRow(samples, random.key, null, oldMs + at * 5 * minuteMs + (at % 7), 'DOUBLE', (at * 37) % 101)
    for (let at = 1; at <= 2_000; at += 1)
      if (at % 3 > 0)
        pushRow(
          samples,
          interval.key,
          60,
          oldMs + at * minuteMs - 1,
          'LONG',
          at % 11 === 0 ? null : 2n ** 61n + BigInt(at % 13),
        )
    await transaction(database.sql, (sql) => upsertSamples(sql, samples))
  })
  afterEach(() => database.drop())

  const archiveAll = async () => {
    while (await archiveSome(database.sql, nowMs));
  }
  const cycles: readonly (readonly [cycle: CycleDefinition, zone: string])[] = [
    [{ size: 15, unit: 'minute', reference }, 'UTC'],
    [{ size: 1, unit: 'day', reference }, 'Asia/Kathmandu'],
    [{ size: 1, unit: 'month', reference }, 'America/New_York'],
  ]
  /** Each statistic by one of the cycles: all of them by all is the oracle's. */
  const readCycles = async () => {
    const read = []
    for (const [index, statistic] of statistics.entries())
      for (const stream of streams) {
        const window = { startMs: undefined, endMs: undefined }
        const calendar = openCalendar(...cycles[index % cycles.length]!)
        read.push([statistic, await readStatistic(database.sql, [stream], calendar, statistic, window, 1000)])
      }
    return read
  }

  it('keeps the statistics of samples that are gone', async () => {
    const before = await readCycles()
    await archiveAll()
    const untilMs = Date.parse('2026-05-09T00:00:00Z')
    const [left] = await database.sql<[{ count: number; first: number }]>`
      select count(*) as count, min(time) as first from sample`
    assert.ok(left.count > 0 && left.first >= untilMs)
    assert.deepEqual(await readCycles(), before)
    while (await rollUp(database.sql, nowMs));
    assert.deepEqual(await readCycles(), before)
  })

  it('keeps the average of intervals by how long they are', async () => {
    const [, interval] = streams as [StatisticStream, StatisticStream]
    const doubles: StatisticStream = { ...interval, valueType: 'DOUBLE' }
    await transaction(database.sql, async (sql) => {
      await sql`delete from sample where stream_key = ${interval.key}`
      await sql`update stream set value_type = 'DOUBLE' where key = ${interval.key}`
      const rows = emptyRows()
      pushRow(rows, interval.key, 60, oldMs - 1, 'DOUBLE', 10)
      pushRow(rows, interval.key, 180, oldMs + minuteMs - 1, 'DOUBLE', 20)
      await upsertSamples(sql, rows)
    })
    await archiveAll()
    const years = openCalendar({ size: 1, unit: 'year', reference }, 'UTC')
    const [found] = await readStatistic(
      database.sql,
      [doubles],
      years,
      'avg',
      { startMs: undefined, endMs: undefined },
      1,
    )
    assert.equal(found!.value, 17.5)
    const [row] = await database.sql<[{ count: number }]>`
      select count(*) from sample where stream_key = ${interval.key}`
    assert.equal(row.count, 0)
  })

  it('keeps a sum of the largest doubles there are', async () => {
    const samples = emptyRows()
    pushRow(samples, streams[0]!.key, null, oldMs - dayMs, 'DOUBLE', Number.MAX_VALUE)
    await transaction(database.sql, (sql) => upsertSamples(sql, samples))
    await archiveAll()
    const window = { startMs: undefined, endMs: oldMs }
    const quarters = openCalendar({ size: 15, unit: 'minute', reference }, 'UTC')
    const read = await readStatistic(database.sql, [streams[0]!], quarters, 'sum', window, 10)
    assert.deepEqual(
      read.map(({ value }) => value),
      [Number.MAX_VALUE],
    )
  })

  it('goes on day after day, also after tiles were made', async () => {
    const before = await readCycles()
    while (await rollUp(database.sql, nowMs));
    await archiveAll()
    while (await archiveSome(database.sql, nowMs + 3 * dayMs));
    assert.deepEqual(await readCycles(), before)
    const [organization] = await database.sql<[{ keptUntilMs: number }]>`
      select kept_until as "keptUntilMs" from organization`
    assert.equal(organization.keptUntilMs, Date.parse('2026-05-12T00:00:00Z'))
  })

  it('leaves out intervals that it does not know', async () => {
    await archiveAll()
    const [random] = streams as [StatisticStream]
    const calendar = openCalendar({ size: 7, unit: 'minute', reference }, 'UTC')
    const window = { startMs: undefined, endMs: Date.parse('2026-05-08T00:00:00Z') }
    assert.deepEqual(await readStatistic(database.sql, [random], calendar, 'sum', window, 5), [])
  })

  it('leaves them out also where some of their samples are still there', async () => {
    await archiveAll()
    const [random] = streams as [StatisticStream]
    // Days that begin at 00:07: the first minutes of the one around the first kept sample are not known.
    const calendar = openCalendar({ size: 1, unit: 'day', reference: '2001-01-01T00:07:00' }, 'UTC')
    const all = { startMs: undefined, endMs: undefined }
    const read = await readStatistic(database.sql, [random], calendar, 'sum', all, 20)
    assert.deepEqual(
      read.map(({ startMs }) => new Date(startMs).toISOString().slice(0, 10)),
      ['2026-05-12', '2026-05-11', '2026-05-10', '2026-05-09'],
    )
  })

  it('lets a delete take the archive in whole quarters', async () => {
    await archiveAll()
    const [random] = streams as [StatisticStream]
    const window = { startMs: Date.parse('2026-05-02T00:00:00Z'), endMs: Date.parse('2026-05-03T00:00:00Z') }
    await transaction(database.sql, (sql) => deleteSamples(sql, random, window, 0))
    const calendar = openCalendar({ size: 1, unit: 'day', reference }, 'UTC')
    const read = (endMs: number) =>
      readStatistic(database.sql, [random], calendar, 'nongapcount', { startMs: undefined, endMs }, 1)
    assert.equal((await read(window.startMs + 1))[0]!.timeMs, window.startMs)
    assert.equal((await read(window.endMs + 1))[0]!.timeMs, window.startMs)
  })

  it('lets a delete take quarters that are made while it waits for their samples', async () => {
    const [random] = streams as [StatisticStream]
    const window = { startMs: oldMs, endMs: oldMs + dayMs }
    let deleting: Promise<unknown> = Promise.resolve()
    await transaction(database.sql, async (sql) => {
      await sql`
        with gone as (
          delete from sample where stream_key = ${random.key} and time < ${window.endMs}::timestamptz returning time)
        insert into archive (stream_key, bucket, first_time, last_time, samples, filled)
        select ${random.key}, ${window.startMs}::timestamptz, min(time), max(time), count(*), count(*) from gone`
      deleting = transaction(database.sql, (inner) => deleteSamples(inner, random, window, 0))
      await eventually(() => isSomebodyWaiting(database.sql))
    })
    await deleting
    assert.deepEqual([...(await database.sql`select first_time from archive`)], [])
  })

  it('leaves nothing of a stream that is removed', async () => {
    while (await rollUp(database.sql, nowMs));
    await archiveAll()
    await transaction(database.sql, (sql) =>
      forgetTiles(
        sql,
        streams.map(({ key }) => key),
      ),
    )
    const [left] = await database.sql<[{ count: number }]>`
      select (select count(*) from archive) + (select count(*) from kept) as count`
    assert.equal(left.count, 0)
  })

  it('touches nothing of an organization that keeps samples for ever', async () => {
    await database.sql`update organization set retention_days = null`
    assert.equal(await archiveSome(database.sql, nowMs), false)
  })

  const countIn = async (table: string) => {
    const [row] = await database.sql<[{ count: number }]>`select count(*) from ${database.sql(table)}`
    return row.count
  }
  const readKeptUntil = async () => {
    const [row] = await database.sql<[{ keptUntilMs: number | null; isAhead: boolean }]>`
      select kept_until as "keptUntilMs", kept_until > now() as "isAhead" from organization`
    return row
  }
  const archivedStreams = async () => {
    const rows = await database.sql<{ key: number }[]>`select distinct stream_key as key from archive order by key`
    return rows.map(({ key }) => key)
  }
  /** One stream, for a week or four. */
  const pace = newRetentionPace()
  const archiveOne = () => archiveSome(database.sql, nowMs, undefined, 0, pace)

  /** Resolves when somebody waits for a lock that this transaction holds. */
  const isWaitedFor = async (sql: Transaction) => {
    while ((await sql`select from pg_locks where pg_backend_pid() = any(pg_blocking_pids(pid))`).length === 0)
      await sleep(10)
  }

  const countOld = async () => {
    const [row] = await database.sql<[{ count: number }]>`
      select count(*) from sample where stream_key = ${streams[0]!.key} and time < '2026-05-09'`
    return row.count
  }
  const pieces = async (mostSamples: number) => {
    const found: number[] = []
    const own = newRetentionPace(mostSamples)
    for (let left = await countOld(); left > 0;) {
      await archiveSome(database.sql, nowMs, undefined, -1, own)
      const now = await countOld()
      if (now < left) found.push(left - now)
      left = now
    }
    return found
  }

  it('archives whole days at once, of so many samples at most', async () => {
    // Of 252 samples, and then of 288.
    assert.deepEqual(await pieces(600), [540, 576, 576, 576])
  })

  it('archives a day of more samples by whole quarters of an hour', async () => {
    const { sql } = database
    await sql`delete from sample where stream_key = ${streams[0]!.key} and time > '2026-05-02T00:16:00Z'`
    const before = await readCycles()
    assert.deepEqual(await pieces(100), [99, 99, 58])
    assert.deepEqual(await readCycles(), before)
  })

  it('archives the samples of one quarter of an hour at once, however many they are', async () => {
    const { sql } = database
    await sql`delete from sample where stream_key = ${streams[0]!.key} and time > '2026-05-01T03:42:00Z'`
    const before = await readCycles()
    assert.deepEqual(await pieces(1), [3, 3, 3])
    assert.deepEqual(await readCycles(), before)
  })

  it('takes the days to keep from a change that is under way', async () => {
    let archiving: Promise<boolean> | undefined
    await transaction(database.sql, async (sql) => {
      await sql`update organization set retention_days = null`
      archiving = archiveSome(database.sql, nowMs)
      await isWaitedFor(sql)
      // A writer that waits for us is not inside the gate yet.
      await closeCommonGate(sql)
    })
    assert.equal(await archiving, false)
    assert.equal((await readKeptUntil()).keptUntilMs, null)
    assert.equal(await countIn('archive'), 0)
  })
  it('archives nothing before all writers know of it', async () => {
    await transaction(database.sql, async (sql) => {
      await openGate(sql, 0)
      await assert.rejects(archiveSome(database.sql, nowMs), { code: 'busy' })
    })
    assert.equal((await readKeptUntil()).keptUntilMs, null)
    assert.equal(await countIn('archive'), 0)
    await archiveOne()
    const gate = await transaction(database.sql, (sql) => openGate(sql, 0))
    const [row] = await database.sql<[{ key: number }]>`select key from organization where retention_days is not null`
    assert.deepEqual(gate.changedComponentKeys, [allOfOrganization(row.key)])
  })

  it('notes a change for writers once a day, and none for memories of credentials', async () => {
    await archiveAll()
    await archiveAll()
    assert.equal(await countIn('catalog_change'), 1)
    assert.equal(await countIn('access_change'), 0)
    await database.sql`update organization set is_public = true`
    assert.equal(await countIn('access_change'), 1)
  })

  it('goes on with the stream where it stopped', async () => {
    const [random, interval] = streams as [StatisticStream, StatisticStream]
    assert.equal(await archiveOne(), true)
    assert.deepEqual(await archivedStreams(), [random.key])
    const queued = await database.sql`select stream_key as key from retention_queue`
    assert.deepEqual([...queued], [{ key: interval.key }])
    while (await archiveOne());
    assert.deepEqual(await archivedStreams(), [random.key, interval.key])
  })

  it('lets organizations take turns, though one of them has years to archive', async () => {
    const { sql } = database
    const owner = { zone: 'UTC', unit: 'minute', reference }
    const [years] = (await addStreams(sql, [{}], { ...owner, retentionDays: 20 })) as [number]
    await sql`
      insert into sample (stream_key, time, num)
      select ${years}, ${oldMs - 1500 * dayMs}::timestamptz + n * interval '1 day', 1 from generate_series(0, 1400) as n`
    for (let step = 0; step < 4; step += 1) await archiveOne()
    // It begins to remove samples only now.
    const [late] = (await addStreams(sql, [{}], { ...owner, retentionDays: 30 })) as [number]
    await sql`insert into sample (stream_key, time, num) values (${late}, ${oldMs - 100 * dayMs}::timestamptz, 1)`
    const left = async (key: number) => (await sql`select from sample where stream_key = ${key}`).length
    let steps = 0
    for (; steps < 20 && (await left(late)) > 0; steps += 1) await archiveOne()
    assert.ok(steps <= 4, String(steps))
    assert.ok((await left(years)) > 0)
    while (await archiveOne());
    assert.equal(await left(years), 0)
  })

  it('gives as many organizations a turn as there is time for, so that thousands of small ones are no long work', async () => {
    const { sql } = database
    const small = []
    for (let n = 0; n < 3; n += 1)
      small.push(...(await addStreams(sql, [{}], { zone: 'UTC', unit: 'minute', reference, retentionDays: 20 })))
    await sql`
      insert into sample (stream_key, time, num)
      select unnest(${small}::integer[]), ${oldMs - 100 * dayMs}::timestamptz, 1`
    assert.equal(await archiveSome(sql, nowMs, undefined, 60_000), true)
    const streamKeys = streams.map(({ key }) => key)
    assert.deepEqual(await archivedStreams(), [...streamKeys, ...small])
  })

  it('goes on with what is queued while a long upload keeps a pass from its beginning, and tries that again only a while later', async () => {
    const { sql } = database
    const own = newRetentionPace()
    const archive = () => archiveSome(sql, nowMs, undefined, 0, own)
    const keptUntil = async () =>
      (await sql<{ ms: number | null }[]>`select kept_until as ms from organization order by key`).map(({ ms }) => ms)
    assert.equal(await archive(), true)
    const moved = (await keptUntil())[0]
    await addStreams(sql, [{}], { zone: 'UTC', unit: 'minute', reference, retentionDays: 20 })
    let tries = 0
    const noting = watched(sql, (text) => {
      if (text.startsWith('select close_common_gate')) tries += 1
    })
    await transaction(sql, async (upload) => {
      await openGate(upload, 0)
      while (await archiveSome(noting, nowMs, undefined, 0, own));
    })
    assert.equal((await archivedStreams()).length, 2)
    assert.deepEqual([await keptUntil(), tries], [[moved, null], 1])
    own.heldUntilMs = 0
    while (await archive());
    assert.equal((await keptUntil()).includes(null), false)
  })

  it('comes to its end while the days to keep of another organization change all the time', async () => {
    const { sql } = database
    const owner = { zone: 'UTC', unit: 'minute', reference }
    const many = Array.from({ length: 1100 }, () => ({}))
    await addStreams(sql, many, { ...owner, retentionDays: 20 })
    const [last] = (await addStreams(sql, [{}], { ...owner, retentionDays: 30 })) as [number]
    await sql`insert into sample (stream_key, time, num) values (${last}, ${oldMs - 100 * dayMs}::timestamptz, 1)`
    for (let step = 0; step < 8; step += 1) {
      await archiveOne()
      await sql`update organization set kept_until = null where retention_days = 20`
    }
    assert.ok((await archivedStreams()).includes(last))
  })

  it('takes a stream of many months in pieces', async () => {
    const [random] = streams as [StatisticStream]
    await database.sql`
      insert into sample (stream_key, time, num)
      select ${random.key}, ${oldMs - 100 * dayMs}::timestamptz + n * interval '1 day', 1 from generate_series(0, 90) as n`
    const before = await readCycles()
    let steps = 1
    while (await archiveOne()) steps += 1
    assert.equal(steps, 4 + 1 + 1)
    assert.deepEqual(await readCycles(), before)
  })

  it('leaves the rest alone when an organization comes to keep more', async () => {
    const [random] = streams as [StatisticStream]
    await archiveOne()
    await database.sql`update organization set retention_days = 36500`
    while (await archiveOne());
    assert.deepEqual(await archivedStreams(), [random.key])
  })

  it('joins samples that should not be there any more to the archive', async () => {
    const before = await readCycles()
    await database.sql`
      create table late as
      select * from sample
      where extract(minute from time)::integer % 15 / 5 = case when extract(hour from time) > 12 then 0 else 2 end`
    await database.sql`delete from sample using late where (sample.stream_key, sample.time) = (late.stream_key, late.time)`
    await archiveAll()
    assert.notDeepEqual(await readCycles(), before)
    await database.sql`insert into sample select * from late`
    while (await archiveSome(database.sql, nowMs + dayMs));
    assert.deepEqual(await readCycles(), before)
  })

  it('goes on with the others when a stream cannot be archived', async () => {
    const [random, interval] = streams as [StatisticStream, StatisticStream]
    await database.sql.unsafe(`alter table archive add check (stream_key <> ${random.key})`)
    const failed: number[] = []
    while (await archiveSome(database.sql, nowMs, (streamKey) => failed.push(streamKey)));
    assert.deepEqual(failed, [random.key])
    assert.deepEqual(await archivedStreams(), [interval.key])
  })

  it('goes on with the others when one takes too much room', async () => {
    const [random, interval] = streams as [StatisticStream, StatisticStream]
    await database.sql.unsafe(`
      create function refuse() returns trigger language plpgsql as $$
        begin raise 'temporary file size exceeds temp_file_limit' using errcode = '53400'; end $$;
      create trigger refuse before insert on archive for each row when (new.stream_key = ${random.key})
        execute function refuse()`)
    const failed: number[] = []
    while (await archiveSome(database.sql, nowMs, (streamKey) => failed.push(streamKey)));
    assert.deepEqual(failed, [random.key])
    assert.deepEqual(await archivedStreams(), [interval.key])
  })

  it('archives nothing that is not old by the clock of the database, too', async () => {
    await archiveSome(database.sql, Date.now() + 3_650 * dayMs)
    assert.equal((await readKeptUntil()).isAhead, false)
  })
})
