import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { openPool } from '../../../src/base/database/pool.ts'
import type { Pool, Transaction } from '../../../src/base/database/sql.ts'
import { snapshot, sqlCode, transaction } from '../../../src/base/database/sql.ts'
import { openCalendar } from '../../../src/core/time/calendar.ts'
import { openCompression } from '../../../src/core/upkeep/compression.ts'
import { dropEmptied, holdChunks, extendWeeklyChunks } from '../../../src/core/sample/chunk.ts'
import { openGate } from '../../../src/core/sample/gate.ts'
import { Lane } from '../../../src/core/sample/lane.ts'
import { queueRemoval, removeSome } from '../../../src/core/upkeep/removal.ts'
import { archiveSome } from '../../../src/core/upkeep/retention.ts'
import { rollUp } from '../../../src/core/statistic/rollup.ts'
import type { SampleRows } from '../../../src/core/sample/rows.ts'
import { deleteSamples } from '../../../src/core/sample/sample.ts'
import { emptyRows, noRows, pushRow } from '../../../src/core/sample/rows.ts'
import { readStatistic } from '../../../src/core/statistic/statistic-read.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addStreams } from '../../support/streams.ts'
import { skipWithout } from '../../support/skip.ts'
import { openSqlPerson } from '../../support/sql-role.ts'
import { eventually } from '../../support/within.ts'

const dayMs = 86_400_000
const nowMs = Date.parse('2026-05-20T12:00:00Z')
/** A chunk begins here. */
const oldMs = Date.parse('2026-04-02T00:00:00Z')

/** A pool that counts the transactions that are begun. */
const counting = (sql: Pool) => {
  let begun = 0
  const pool = new Proxy(sql, {
    get: (own, name) => {
      if (name === 'begin') begun += 1
      return Reflect.get(own, name) as unknown
    },
  })
  return { pool, transactions: () => begun }
}

describe('core/chunk', () => {
  let database: TestDatabase
  let lane: Lane
  let streamKeys: readonly number[]

  beforeEach(async () => {
    database = await openTestDatabase()
    lane = new Lane({ databaseUrl: database.url, onChange: () => {} })
    streamKeys = await addStreams(
      database.sql,
      Array.from({ length: 150 }, () => ({})),
    )
  })
  afterEach(async () => {
    await lane.close()
    await database.drop()
  })

  /** A sample a minute from oldMs on, with the values 1, 2, 3 ... */
  const fill = (key: number, count: number, fromMs = oldMs) => database.sql`
    insert into sample (stream_key, time, num)
    select ${key}, ${fromMs}::timestamptz + n * interval '1 minute', n + 1 from generate_series(0, ${count - 1}) as n`
  const rollAll = async () => {
    while (await rollUp(database.sql, nowMs));
  }
  const compressSome = openCompression()
  const compressAll = async () => {
    await rollAll()
    while (await compressSome(database.sql, nowMs));
  }
  const upload = (merges: SampleRows) =>
    lane.commit({ at: { serial: 0 }, organizationKeys: [1], appends: noRows, merges, points: noRows })
  const rowsOf = (...samples: readonly (readonly [number, number, number])[]) => {
    const rows = emptyRows()
    for (const [key, timeMs, value] of samples) pushRow(rows, key, null, timeMs, 'DOUBLE', value)
    return rows
  }
  const compressed = async () => {
    const rows = await database.sql<{ startMs: number }[]>`
      select range_start as "startMs" from timescaledb_information.chunks
      where hypertable_name = 'sample' and is_compressed order by 1`
    return rows.map(({ startMs }) => startMs)
  }
  /** Those of weeks. */
  const chunks = async () => {
    const [row] = await database.sql<[{ count: number }]>`
      select count(*) from timescaledb_information.chunks
      where hypertable_name = 'sample' and range_end - range_start = interval '7 days'`
    return row.count
  }
  const days = openCalendar({ size: 1, unit: 'day', reference: '2001-01-01T00:00:00' }, 'UTC')
  const sums = async (key: number) => {
    const stream = { key, kind: 'random', valueType: 'DOUBLE', calendar: undefined } as const
    const all = { startMs: undefined, endMs: undefined }
    return (await readStatistic(database.sql, [stream], days, 'sum', all, 10)).map(({ value }) => value)
  }
  const erase = (key: number, startMs: number, endMs: number) =>
    transaction(database.sql, async (sql) => {
      const { claimedUntilMs } = await openGate(sql, 0)
      return (await deleteSamples(sql, { key, kind: 'random' }, { startMs, endMs }, claimedUntilMs)).deleted
    })

  describe('compression', () => {
    it('is in the Community edition only: elsewhere nothing is compressed, and nothing fails', async function () {
      if (database.edition === 'community') return skipWithout(this, 'the Apache edition of TimescaleDB')
      await fill(streamKeys[0]!, 10)
      await rollAll()
      assert.equal(await compressSome(database.sql, nowMs), false)
      assert.deepEqual(await compressed(), [])
    })

    const inCommunity = (rule: string, check: () => Promise<void>) =>
      it(rule, async function () {
        if (database.edition !== 'community') return skipWithout(this, 'the Community edition of TimescaleDB')
        await check()
      })

    inCommunity('takes the chunks of which late samples have become rare, once they are aggregated', async () => {
      await fill(streamKeys[0]!, 10)
      await fill(streamKeys[0]!, 10, nowMs - 15 * dayMs)
      await fill(streamKeys[0]!, 10, nowMs - dayMs)
      assert.equal(await compressSome(database.sql, nowMs), false)
      await compressAll()
      assert.deepEqual(await compressed(), [oldMs])
    })

    inCommunity('leaves a chunk alone that has been written to lately', async () => {
      await fill(streamKeys[0]!, 10)
      await rollAll()
      await upload(rowsOf([streamKeys[0]!, oldMs + 5, 5]))
      while (await compressSome(database.sql, nowMs));
      assert.deepEqual(await compressed(), [])
      await compressAll()
      assert.deepEqual(await compressed(), [oldMs])
    })

    inCommunity('changes no statistic, and late samples, overwrites and deletes still come in', async () => {
      const key = streamKeys[0]!
      await fill(key, 1_440 * 2)
      const [second, first] = (await sums(key)) as [number, number]
      await compressAll()
      assert.deepEqual(await sums(key), [second, first])
      await upload(rowsOf([key, oldMs + 30_000, 0.5], [key, oldMs + 60_000, 1_002]))
      assert.deepEqual(await sums(key), [second, first + 0.5 + 1_000])
      assert.equal(await erase(key, oldMs + dayMs, oldMs + dayMs + 60_000), 1)
      assert.deepEqual(await sums(key), [second - 1_441, first + 1_000.5])
      await rollAll()
      assert.deepEqual(await sums(key), [second - 1_441, first + 1_000.5])
    })

    inCommunity('lets an upload and a delete change as many streams and samples as they like', async () => {
      await database.sql`
        insert into sample (stream_key, time, num)
        select key, ${oldMs}::timestamptz + n * interval '4 seconds', n
        from unnest(${streamKeys as number[]}::integer[]) as key, generate_series(1, 1000) as n`
      const [key] = streamKeys as [number]
      await database.sql`
        insert into sample (stream_key, time, num)
        select ${key}, ${oldMs + dayMs}::timestamptz + n * interval '4 seconds', n from generate_series(1, 110000) as n`
      await compressAll()
      assert.deepEqual(await compressed(), [oldMs])
      await upload(rowsOf(...streamKeys.map((each) => [each, oldMs + 4_000, 7] as const)))
      const [overwritten] = await database.sql<[{ count: number }]>`select count(*) from sample where num = 7`
      assert.ok(overwritten.count >= 150)
      assert.equal(await erase(key, oldMs + dayMs, nowMs), 110_000)
    })

    inCommunity('takes what came late along when enough of it has gathered', async () => {
      await fill(streamKeys[0]!, 10)
      await compressAll()
      await fill(streamKeys[1]!, 2_000)
      const rows = async () => {
        const [chunk] = await database.sql<[{ name: string }]>`
          select show_chunks('sample', newer_than => ${oldMs}::timestamptz, older_than => ${nowMs}::timestamptz)::text as name`
        const [row] = await database.sql.unsafe<[{ count: number }]>(`select count(*) from only ${chunk.name}`)
        return row.count
      }
      await compressAll()
      assert.equal(await rows(), 2_000)
      assert.equal(await compressSome(database.sql, nowMs, 2 ** 16), true)
      assert.equal(await rows(), 0)
      // And not again and again: the file of its rows is as small as they are.
      assert.equal(await compressSome(database.sql, nowMs, 2 ** 16), false)
    })

    inCommunity('shows a reader with an older snapshot nothing that came behind it', async () => {
      const [key, late] = streamKeys as [number, number]
      await fill(key, 10)
      await rollAll()
      await snapshot(database.sql, async (sql) => {
        await holdChunks(sql)
        await sql`select`
        await fill(late, 2_000)
        await rollAll()
        assert.equal(await compressSome(database.sql, nowMs, 2 ** 16), false)
        assert.deepEqual(
          [...(await sql`select stream_key as key, count(*) from sample group by 1`)],
          [{ key, count: 10 }],
        )
      })
      assert.equal(await compressSome(database.sql, nowMs, 2 ** 16), true)
    })

    inCommunity('leaves what came late to a reader with an older snapshot', async () => {
      const late = streamKeys[1]!
      await fill(streamKeys[0]!, 10)
      await compressAll()
      await fill(late, 2_000)
      await rollAll()
      await snapshot(database.sql, async (sql) => {
        await holdChunks(sql)
        await sql`select`
        assert.equal(await compressSome(database.sql, nowMs, 2 ** 16), false)
        const [row] = await sql<[{ count: number }]>`select count(*) from sample where stream_key = ${late}`
        assert.equal(row.count, 2_000)
      })
      assert.equal(await compressSome(database.sql, nowMs, 2 ** 16), true)
    })

    inCommunity('comes to its end beside readers that relieve one another', async () => {
      await fill(streamKeys[0]!, 10)
      await rollAll()
      const over = new AbortController()
      const readOn = async (n: number) => {
        await pause(n * 250)
        while (!over.signal.aborted)
          await snapshot(database.sql, async (sql) => {
            await holdChunks(sql)
            await pause(1_000)
          })
      }
      const readers = [0, 1, 2, 3].map(readOn)
      await pause(1_000)
      assert.equal(await compressSome(database.sql, nowMs), true)
      over.abort()
      await Promise.all(readers)
      assert.deepEqual(await compressed(), [oldMs])
    })

    inCommunity('gives way to a reader also where a cancellation came between two statements', async () => {
      // It is allowed first, which takes a while.
      await compressAll()
      await fill(streamKeys[0]!, 10)
      await rollAll()
      // Cancelling this has no effect, as between two statements. The function is its superuser's.
      const { pathname } = new URL(database.url)
      const owner = new Client(Object.assign(new URL(process.env['TEST_DATABASE_URL']!), { pathname }).href)
      await owner.connect()
      await owner.query(`
        alter function compress_chunk(regclass, boolean, boolean) rename to compress_really;
        create function compress_chunk(chunk regclass) returns regclass language plpgsql as $$
          begin
            perform compress_really(chunk);
            begin
              perform pg_sleep(60);
            exception when query_canceled then
            end;
            return chunk;
          end $$`)
      const restore = async () => {
        await owner.query(`
          drop function compress_chunk(regclass);
          alter function compress_really rename to compress_chunk`)
        await owner.end()
      }
      let compressing: Promise<boolean> | undefined
      await snapshot(database.sql, async (sql) => {
        await holdChunks(sql)
        compressing = compressSome(database.sql, nowMs)
        await eventually(async () => {
          assert.notEqual(await Promise.race([compressing, Promise.resolve()]), false)
          const asleep = await database.sql`
            select from pg_stat_activity where wait_event = 'PgSleep' and query like '%compress_chunk%'`
          return asleep.length > 0
        })
        const [row] = await sql<[{ count: number }]>`select count(*) from sample`
        assert.equal(row.count, 10)
      }).finally(restore)
      assert.equal(await compressing, false)
      await compressAll()
      assert.deepEqual(await compressed(), [oldMs])
    })

    inCommunity('goes on with younger chunks beside one that somebody writes to all the time', async () => {
      await compressAll()
      const weekMs = 7 * dayMs
      for (const n of [0, 1, 2]) await fill(streamKeys[0]!, 10, oldMs + n * weekMs)
      await rollAll()
      const over = new AbortController()
      // One of them has written before, and the others wait behind the compression, which waits for that one.
      const write = async (ms: number) => {
        await pause(ms)
        for (let n = 0; !over.signal.aborted; n += 1)
          await transaction(database.sql, async (sql) => {
            await sql`
              insert into sample (stream_key, time, num) values (${streamKeys[1]!}, ${oldMs + ms + n}::timestamptz, 1)`
            await pause(900)
          })
      }
      const writing = [0, 300, 600].map(write)
      await pause(700)
      const compress = openCompression()
      const outcomes: boolean[] = []
      for (let run = 0; run < 4; run += 1) outcomes.push(await compress(database.sql, nowMs))
      over.abort()
      await Promise.all(writing)
      assert.deepEqual(await compressed(), [oldMs + weekMs, oldMs + 2 * weekMs])
      assert.deepEqual(outcomes, [false, true, true, false])
      await rollAll()
      while (await compress(database.sql, nowMs));
      assert.deepEqual(
        await compressed(),
        [0, 1, 2].map((n) => oldMs + n * weekMs),
      )
    })

    describe('that readers have refused', () => {
      const longAgoMs = nowMs - 1.1 * dayMs
      let readers: Pool
      let over: AbortController
      let reading: Promise<void>[]
      let ended: number
      beforeEach(async () => {
        readers = openPool(database.url, { connections: 8, queries: 1, name: 'test readers' })
        over = new AbortController()
        reading = []
        ended = 0
        // It is allowed first, for which nobody may read.
        await compressAll()
        await fill(streamKeys[0]!, 10)
        await rollAll()
      })
      afterEach(async () => {
        over.abort()
        await Promise.all(reading)
        await readers.end()
      })

      type Reading = (sql: Transaction, ms: number) => Promise<unknown>
      const asleep: Reading = (sql, ms) => sql`select pg_sleep(${ms / 1000})`
      const holdFor = (pool: Pool, ms: number, work = asleep) =>
        snapshot(pool, async (sql) => {
          await holdChunks(sql)
          await work(sql, ms)
        })
      /** So many readers that begin anew each time that they have come to their end. */
      const relieve = (count: number, ms: number, work?: Reading) => {
        const readOn = async (_: unknown, n: number) => {
          await pause((n * ms) / count)
          while (!over.signal.aborted)
            await holdFor(readers, ms, work).catch((error: unknown) => {
              assert.match(sqlCode(error) ?? '', /^(57014|57P01|40P01|08006|CONNECTION_)/)
              ended += 1
            })
        }
        reading = Array.from({ length: count }, readOn)
      }

      inCommunity('comes to its end after a day beside readers of which one is always long', async () => {
        const compress = openCompression()
        relieve(2, 6_000)
        await pause(3_500)
        assert.equal(await compress(database.sql, nowMs), false)
        assert.equal(await compress(database.sql, nowMs + 0.9 * dayMs), false)
        // A late sample of that week keeps it from being looked at, which changes nothing about the day.
        await database.sql`
          insert into stale_mark (stream_key, first_time, last_time)
          values (${streamKeys[0]!}, ${oldMs}::timestamptz, ${oldMs}::timestamptz)`
        assert.equal(await compress(database.sql, nowMs + 0.95 * dayMs), false)
        await database.sql`delete from stale_mark`
        assert.equal(ended, 0)
        assert.equal(await compress(database.sql, nowMs + 1.1 * dayMs), true)
        assert.deepEqual(await compressed(), [oldMs])
        assert.ok(ended > 0)
      })

      inCommunity('is allowed after a day beside readers of the samples, and not before', async () => {
        await database.sql`alter table sample set (timescaledb.compress = false)`
        const isAllowed = async () => {
          const [row] = await database.sql<[{ is: boolean }]>`
            select compression_enabled as is from timescaledb_information.hypertables where hypertable_name = 'sample'`
          return row.is
        }
        relieve(2, 6_000, async (sql, ms) => {
          await sql`select count(*) from sample`
          await asleep(sql, ms)
        })
        await pause(3_500)
        const compress = openCompression()
        assert.equal(await compress(database.sql, nowMs), false)
        assert.equal(await compress(database.sql, nowMs + 0.9 * dayMs), false)
        assert.deepEqual([await isAllowed(), ended], [false, 0])
        await compress(database.sql, nowMs + 1.1 * dayMs)
        assert.equal(await isAllowed(), true)
        assert.ok(ended > 0)
      })

      inCommunity('begins the day anew for a chunk that another server has compressed meanwhile', async () => {
        const compress = openCompression()
        const reader = holdFor(readers, 5_000)
        await pause(3_100)
        assert.equal(await compress(database.sql, nowMs), false)
        assert.equal(await compress(database.sql, nowMs + 0.5 * dayMs), false)
        await reader
        while (await openCompression()(database.sql, nowMs));
        assert.deepEqual(await compressed(), [oldMs])
        await fill(streamKeys[1]!, 1_000)
        await rollAll()
        relieve(2, 6_000)
        await pause(3_500)
        assert.equal(await compress(database.sql, nowMs + 1.1 * dayMs, 8192), false)
        assert.equal(ended, 0)
      })

      inCommunity('begins the day anew for one that another server has compressed anew meanwhile, too', async () => {
        const compress = openCompression()
        while (await compress(database.sql, nowMs));
        await fill(streamKeys[1]!, 1_000)
        await rollAll()
        const reader = holdFor(readers, 5_000)
        await pause(3_100)
        assert.equal(await compress(database.sql, nowMs, 8192), false)
        await reader
        await openCompression()(database.sql, nowMs, 8192)
        await fill(streamKeys[0]!, 1_000, oldMs + 1)
        await rollAll()
        relieve(2, 6_000)
        await pause(3_500)
        assert.equal(await compress(database.sql, nowMs + 20 * dayMs, 8192), false)
        assert.equal(ended, 0)
      })

      inCommunity('comes to its end after a day beside short ones that leave it no gap, and not before', async () => {
        relieve(4, 2_500)
        await pause(2_500)
        assert.equal(await openCompression(nowMs - 0.9 * dayMs)(database.sql, nowMs), false)
        assert.equal(ended, 0)
        assert.equal(await openCompression(longAgoMs)(database.sql, nowMs), true)
        assert.deepEqual(await compressed(), [oldMs])
      })

      inCommunity('comes to its end after a day beside readers of the same chunk', async () => {
        relieve(3, 3_000, async (sql, ms) => {
          await sql`select count(*) from sample where time >= ${oldMs}::timestamptz`
          await asleep(sql, ms)
        })
        await pause(3_000)
        assert.equal(await openCompression(longAgoMs)(database.sql, nowMs), true)
        assert.deepEqual(await compressed(), [oldMs])
      })

      inCommunity('ends after a day the sessions of those who ask nothing', async () => {
        relieve(2, 12_000, (_, ms) => pause(ms))
        await pause(6_500)
        assert.equal(await openCompression(longAgoMs)(database.sql, nowMs), true)
      })

      inCommunity('waits for backups, however long it has been refused', async () => {
        const pool = openPool(database.url, { connections: 2, name: 'coppice backup' })
        // A long one, and one that is begun meanwhile.
        for (const [beforeMs, ms] of [
          [3_100, 5_000],
          [100, 10_000],
        ] as const) {
          const backup = holdFor(pool, ms)
          await pause(beforeMs)
          assert.equal(await openCompression(longAgoMs)(database.sql, nowMs), false)
          await backup
        }
        await pool.end()
        assert.deepEqual(await compressed(), [])
      })

      inCommunity('takes no session of a SQL role for a backup, whatever that calls itself', async () => {
        const [{ uid }] = await database.sql<[{ uid: string }]>`select uid from organization limit 1`
        const person = await openSqlPerson({ sql: database.sql, databaseUrl: database.url, organizationUid: uid })
        try {
          await person.ask("set application_name = 'coppice backup'")
          await person.ask('begin')
          await person.ask('select from sample limit 1')
          await pause(3_100)
          assert.equal(await openCompression(longAgoMs)(database.sql, nowMs), true)
          assert.match(await person.refused('select'), /terminat|closed|not queryable/)
        } finally {
          await person.leave()
        }
      })
    })

    inCommunity('waits for no standby while it keeps readers out', async () => {
      await fill(streamKeys[0]!, 10)
      await rollAll()
      const ends: string[] = []
      const noting = new Proxy(database.sql, {
        get: (sql, name) =>
          name === 'begin'
            ? (work: Parameters<typeof transaction>[1]) =>
                transaction(sql, async (inside) => {
                  const result = await work(inside)
                  const alone = await inside<{ end: string }[]>`
                    select current_setting('synchronous_commit') as end from pg_locks
                    where pid = pg_backend_pid() and relation = 'chunk_hold'::regclass and mode = 'AccessExclusiveLock'`
                  ends.push(...alone.map(({ end }) => end))
                  return result
                })
            : (Reflect.get(sql, name) as unknown),
      })
      assert.equal(await compressSome(noting, nowMs), true)
      assert.deepEqual(ends, ['local'])
    })

    inCommunity('is not begun beside a reader that takes long', async () => {
      await fill(streamKeys[0]!, 10)
      assert.equal(await compressSome(database.sql, nowMs), false)
      await rollAll()
      const { pool, transactions } = counting(database.sql)
      await transaction(database.sql, async (sql) => {
        await holdChunks(sql)
        await pause(3_100)
        assert.equal(await compressSome(pool, nowMs), false)
      })
      // The one that asks which tiles there are.
      assert.equal(transactions(), 1)
    })

    inCommunity('takes old tiles, too, and late samples, overwrites and deletes still reach them', async () => {
      const [key, other] = streamKeys as [number, number]
      const monthsAgoMs = nowMs - 200 * dayMs - ((nowMs - 200 * dayMs) % dayMs)
      for (const each of [key, other]) await fill(each, 1_440 * 2, monthsAgoMs)
      const [second, first] = (await sums(key)) as [number, number]
      await compressAll()
      assert.deepEqual(await compressedTiles(), ['tile_day', 'tile_hour'])
      assert.equal(await looseTiles(), 0)
      assert.deepEqual(await sums(key), [second, first])
      await upload(rowsOf([key, monthsAgoMs + 30_000, 0.5], [key, monthsAgoMs + 60_000, 1_002]))
      assert.equal(await erase(key, monthsAgoMs + dayMs, monthsAgoMs + dayMs + 60_000), 1)
      await rollAll()
      const [stale] = await database.sql<[{ count: number }]>`select count(*) from stale`
      assert.equal(stale.count, 0)
      assert.deepEqual(await sums(key), [second - 1_441, first + 1_000.5])
      // Those of other streams stay compressed: a stream has two days of hours, and two days.
      assert.ok((await looseTiles()) <= 48 + 2, `${await looseTiles()} rows`)
      assert.deepEqual(await sums(other), [second, first])
      await transaction(database.sql, (sql) => queueRemoval(sql, other, { tenantUid: 't' }))
      await removeSome(database.sql)
      const [left] = await database.sql<[{ count: number }]>`select count(*) from tile_hour where stream_key = ${other}`
      assert.equal(left.count, 0)
    })
    const tileChunks = () => database.sql<{ view: string; name: string; isCompressed: boolean }[]>`
      select view_name as view, format('%I.%I', chunk_schema, chunk_name) as name, is_compressed as "isCompressed"
      from timescaledb_information.chunks as chunk
      join timescaledb_information.continuous_aggregates
        on materialization_hypertable_name = chunk.hypertable_name`
    const compressedTiles = async () => {
      const all = await tileChunks()
      return [...new Set(all.filter(({ isCompressed }) => isCompressed).map(({ view }) => view))].toSorted()
    }
    /** Rows beside compressed ones. */
    const looseTiles = async () => {
      let rows = 0
      for (const { name, isCompressed } of await tileChunks())
        if (isCompressed) {
          const [row] = await database.sql.unsafe<[{ count: number }]>(`select count(*) from only ${name}`)
          rows += row.count
        }
      return rows
    }

    inCommunity('gives way to an upload that waits for it', async () => {
      const key = streamKeys[0]!
      await compressAll()
      await fill(key, 10)
      let leave!: () => void
      const mayLeave = new Promise<void>((resolve) => (leave = resolve))
      let isInside!: () => void
      const inside = new Promise<void>((resolve) => (isInside = resolve))
      const slow = transaction(database.sql, async (sql) => {
        await sql`insert into sample (stream_key, time, num) values (${key}, ${oldMs + 1}, 1)`
        isInside()
        await mayLeave
      })
      await inside
      const compression = compressSome(database.sql, nowMs)
      const isWaiting = async () => {
        const [row] = await database.sql<[{ count: number }]>`select count(*) from pg_locks where not granted`
        return row.count > 0
      }
      while (!(await isWaiting())) await pause(10)
      await upload(rowsOf([key, oldMs + 2, 1]))
      assert.equal(await compression, false)
      leave()
      await slow
      await compressAll()
      assert.deepEqual(await compressed(), [oldMs])
    })

    inCommunity('goes together with retention and removal', async () => {
      const [kept, gone] = streamKeys as [number, number]
      await fill(kept, 1_440)
      await fill(gone, 1_440)
      await compressAll()
      const before = await sums(kept)
      await transaction(database.sql, (sql) => queueRemoval(sql, gone, { tenantUid: 't' }))
      assert.deepEqual(await removeSome(database.sql), { streams: 1, samples: 1_440 })
      assert.deepEqual(await sums(kept), before)
      await database.sql`update organization set retention_days = 10`
      while (await archiveSome(database.sql, nowMs));
      assert.deepEqual(await sums(kept), before)
      assert.equal(await dropEmptied(database.sql, nowMs), 1)
      assert.deepEqual(await sums(kept), before)
    })
  })

  describe('chunks of which nothing is left', () => {
    it('are dropped, and only these', async () => {
      await fill(streamKeys[0]!, 10)
      await fill(streamKeys[0]!, 10, oldMs + 7 * dayMs)
      await fill(streamKeys[1]!, 10, oldMs + 14 * dayMs)
      await rollAll()
      assert.equal(await dropEmptied(database.sql, nowMs), 0)
      await transaction(database.sql, (sql) => queueRemoval(sql, streamKeys[0]!, { tenantUid: 't' }))
      await removeSome(database.sql)
      assert.equal(await dropEmptied(database.sql, nowMs), 2)
      assert.equal(await chunks(), 1)
      assert.deepEqual(await sums(streamKeys[1]!), [55])
    })

    it('are there again when a sample comes', async () => {
      const key = streamKeys[0]!
      await fill(key, 10)
      await rollAll()
      await erase(key, oldMs, nowMs)
      assert.equal(await dropEmptied(database.sql, nowMs), 1)
      await upload(rowsOf([key, oldMs, 3]))
      assert.deepEqual(await sums(key), [3])
      await rollAll()
      assert.deepEqual(await sums(key), [3])
    })

    it('stay while somebody reads who still sees samples in them', async () => {
      const key = streamKeys[0]!
      await fill(key, 10)
      const seen = await database.sql.begin('isolation level repeatable read read only', async (sql) => {
        await holdChunks(sql)
        await sql`select from organization`
        await erase(key, oldMs, nowMs)
        assert.equal(await dropEmptied(database.sql, nowMs), 0)
        const [row] = await sql<[{ count: number }]>`select count(*) from sample`
        return row.count
      })
      assert.equal(seen, 10)
      assert.equal(await dropEmptied(database.sql, nowMs), 1)
    })

    it('are left for the next time where a reader is in the way of all of them', async () => {
      const key = streamKeys[0]!
      for (let week = 0; week < 6; week++) await fill(key, 1, oldMs - week * 7 * dayMs)
      await erase(key, 0, nowMs)
      const { pool, transactions } = counting(database.sql)
      await transaction(database.sql, async (sql) => {
        await holdChunks(sql)
        assert.equal(await dropEmptied(pool, nowMs), 0)
      })
      assert.equal(transactions(), 3)
      assert.equal(await dropEmptied(database.sql, nowMs), 6)
    })

    it('stay when a sample comes just before', async () => {
      const key = streamKeys[0]!
      await fill(key, 10)
      await erase(key, oldMs, nowMs)
      const late = new Proxy(database.sql, {
        get: (sql, name) =>
          name === 'begin'
            ? async (work: Parameters<typeof transaction>[1]) => {
                await upload(rowsOf([key, oldMs, 3]))
                return transaction(sql, work)
              }
            : (Reflect.get(sql, name) as unknown),
      })
      assert.equal(await dropEmptied(late, nowMs), 0)
      assert.deepEqual(await sums(key), [3])
    })

    it('stay while somebody writes', async () => {
      const key = streamKeys[0]!
      await fill(key, 10)
      await erase(key, oldMs, nowMs)
      await transaction(database.sql, async (sql) => {
        await openGate(sql, 0)
        assert.equal(await dropEmptied(database.sql, nowMs), 0)
        await sql`insert into sample (stream_key, time, num) values (${key}, ${oldMs}, 1)`
      })
      assert.equal(await dropEmptied(database.sql, nowMs), 0)
      assert.deepEqual(await sums(key), [1])
    })
  })

  describe('wide chunks', () => {
    const yearMs = 365.25 * dayMs
    /** From when on times to come share one. */
    const wideFrom = async () => {
      const [row] = await database.sql<[{ fromMs: number }]>`
        select range_start as "fromMs" from timescaledb_information.chunks
        where hypertable_name = 'sample' and range_end - range_start > interval '7 days' and range_start > now()
        order by range_start limit 1`
      return row.fromMs
    }
    const timesOf = async (key: number) => {
      const rows = await database.sql<{ timeMs: number }[]>`
        select time as "timeMs" from sample where stream_key = ${key} order by time`
      return rows.map(({ timeMs }) => timeMs)
    }

    it('take samples scattered over all years, so that there are never more than some', async () => {
      const years = [
        ...Array.from({ length: 199 }, (_, n) => 1 + 10 * n),
        ...Array.from({ length: 200 }, (_, n) => 2040 + 39 * n),
      ]
      const times = years.map((year) => Date.parse(`${String(year).padStart(4, '0')}-02-03T04:05:06Z`))
      await upload(rowsOf(...times.map((ms, n) => [streamKeys[0]!, ms, n] as const)))
      assert.equal(await chunks(), 0)
      assert.deepEqual(await timesOf(streamKeys[0]!), times)
      await rollAll()
      const [tiles] = await database.sql<[{ count: number }]>`
        select count(*) from timescaledb_information.chunks where hypertable_name <> 'sample'`
      assert.ok(tiles.count < 10, `${tiles.count} chunks of tiles`)
      assert.equal((await sums(streamKeys[0]!)).length, 10)
      assert.equal(await dropEmptied(database.sql, nowMs), 0)
    })

    it('leave the weeks of twenty-five years and those ahead to chunks of their own', async () => {
      const aheadMs = Date.now() + 2.9 * yearMs
      await upload(rowsOf([1, Date.parse('2000-01-06T00:00:00Z'), 1], [1, Date.now(), 2], [1, aheadMs, 3]))
      assert.equal(await chunks(), 3)
      await upload(rowsOf([1, Date.parse('2000-01-05T23:59:59Z'), 1], [1, Date.now() + 3.1 * yearMs, 3]))
      assert.equal(await chunks(), 3)
    })

    it('begin later when the years have passed, with all their samples', async () => {
      const key = streamKeys[0]!
      const soonMs = Date.now()
      const before = await wideFrom()
      const times = [2.5, 3.5, 4.5, 100, 7000].map((years) => Math.floor(soonMs + years * yearMs))
      await upload(rowsOf(...times.map((ms, n) => [key, ms, n] as const)))
      assert.equal(await extendWeeklyChunks(database.sql, soonMs), false)
      assert.equal(await chunks(), 1)
      const laterMs = soonMs + 1.2 * yearMs
      assert.equal(await extendWeeklyChunks(database.sql, laterMs), true)
      assert.ok((await wideFrom()) > before + yearMs)
      assert.deepEqual(await timesOf(key), times)
      assert.equal(await extendWeeklyChunks(database.sql, laterMs), false)
      await dropEmptied(database.sql, nowMs)
      assert.equal(await chunks(), 2)
      assert.deepEqual(await timesOf(key), times)
    })

    it('are made where the one of times to come is missing', async () => {
      const before = await wideFrom()
      await database.sql`select drop_chunks('sample', newer_than => ${before}::timestamptz)`
      assert.equal(await extendWeeklyChunks(database.sql, Date.now()), true)
      assert.ok(Math.abs((await wideFrom()) - before) <= 7 * dayMs)
      assert.equal(await extendWeeklyChunks(database.sql, Date.now()), false)
    })

    it('stay where they are while somebody writes or reads', async () => {
      const laterMs = Date.now() + 1.2 * yearMs
      const before = await wideFrom()
      await transaction(database.sql, async (sql) => {
        await openGate(sql, 0)
        assert.equal(await extendWeeklyChunks(database.sql, laterMs), false)
      })
      await transaction(database.sql, async (sql) => {
        await sql`select from sample limit 1`
        assert.equal(await extendWeeklyChunks(database.sql, laterMs), false)
      })
      await transaction(database.sql, async (sql) => {
        await holdChunks(sql)
        assert.equal(await extendWeeklyChunks(database.sql, laterMs), false)
      })
      assert.equal(await wideFrom(), before)
      assert.equal(await extendWeeklyChunks(database.sql, laterMs), true)
    })
  })
})
