// A server that is killed while it aggregates: statistics are right at that moment, and the next server goes on.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { transaction } from '../../src/base/database/sql.ts'
import { openCalendar } from '../../src/core/time/calendar.ts'
import { readStatistic } from '../../src/core/statistic/statistic-read.ts'
import type { TestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import { spawnServer } from '../support/server-process.ts'
import { openTestDatabase } from '../support/database.ts'
import { addStreams } from '../support/streams.ts'
import { eventually } from '../support/within.ts'

const dayMs = 86_400_000
const days = 200
const firstMs = Math.floor(Date.now() / dayMs) * dayMs - days * dayMs

describe('a server that is killed while it aggregates', function () {
  let database: TestDatabase
  let directory: string
  let server: ChildProcess | undefined
  let streamKeys: readonly number[]
  before(async () => {
    database = await openTestDatabase()
    directory = await newDirectory('killed')
    streamKeys = await addStreams(
      database.sql,
      Array.from({ length: 10 }, () => ({})),
    )
    await database.sql`
      insert into sample (stream_key, time, num)
      select key, ${firstMs}::timestamptz + n * interval '6 hours', n + key
      from generate_series(0, ${days * 4 - 1}) as n, unnest(${streamKeys as number[]}::integer[]) as key`
  })
  after(async () => {
    await kill()
    await rm(directory, { recursive: true })
    await database.drop()
  })

  const start = async () => {
    const child = await spawnServer({ PORT: '0', DATA_DIR: directory, DATABASE_URL: database.url })
    child.stdout.resume()
    server = child
  }
  const kill = async () => {
    if (server?.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }
  /** How many of the days are aggregated. */
  const readyDays = async () => {
    const [phase] = await database.sql<{ readyUntilMs: number }[]>`
      select ready_until as "readyUntilMs" from rollup_phase where minutes = 0`
    return phase ? (phase.readyUntilMs - firstMs) / dayMs : 0
  }
  /** Keeps the server from noting what it has just made, and kills it; false when nothing is noted yet. */
  const killInTheMiddle = () =>
    transaction(database.sql, async (sql) => {
      const [phase] = await sql<{ readyUntilMs: number }[]>`
        select ready_until as "readyUntilMs" from rollup_phase where minutes = 0 for update`
      if (phase === undefined || phase.readyUntilMs <= firstMs) return false
      await pause(100)
      await kill()
      return true
    })
  /** All days, newest first, as a reader gets them and as they must be. */
  const checkStatistics = async () => {
    const calendar = openCalendar({ size: 1, unit: 'day', reference: '2001-01-01T00:00:00' }, 'UTC')
    for (const key of [streamKeys[0]!, streamKeys.at(-1)!]) {
      const stream = { key, kind: 'random', valueType: 'DOUBLE', calendar: undefined } as const
      const all = { startMs: undefined, endMs: undefined }
      const read = await readStatistic(database.sql, [stream], calendar, 'sum', all, 1000)
      const expected = Array.from({ length: days }, (_, at) => 4 * (days - 1 - at) * 4 + 6 + 4 * key)
      assert.deepEqual(
        read.map(({ value }) => value),
        expected,
      )
    }
  }

  it('leaves statistics right, and the tiles it had made; the next one makes the rest', async () => {
    await start()
    while (!(await killInTheMiddle())) await pause(1)
    assert.ok((await readyDays()) < days - 1)
    await checkStatistics()

    await start()
    await eventually(async () => (await readyDays()) > days - 1)
    await kill()
    await checkStatistics()
    const wrong = await database.sql`
      select stream_key, time_bucket('1 hour', time), count(*), sum(num)
      from sample
      where time < (select ready_until from rollup_phase where minutes = 0)
      group by 1, 2
      except
      select stream_key, bucket, samples, sum_num from tile_hour`
    assert.deepEqual([...wrong], [])
    const [tiles] = await database.sql<[{ days: number }]>`select count(*) as days from tile_day`
    assert.ok(tiles.days >= (days - 1) * streamKeys.length)
  })
})
