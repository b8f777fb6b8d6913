// Tiles and marks decide where samples are looked for; the result must not depend on them.
import assert from 'node:assert/strict'
import { transaction } from '../../../src/base/database/sql.ts'
import { openGate } from '../../../src/core/sample/gate.ts'
import { Lane } from '../../../src/core/sample/lane.ts'
import { rollUp } from '../../../src/core/statistic/rollup.ts'
import { readSamples } from '../../../src/core/reading/sample-read.ts'
import { deleteSamples } from '../../../src/core/sample/sample.ts'
import { emptyRows, noRows, pushRow, sortRows, storedMs } from '../../../src/core/sample/rows.ts'
import type { ReadableStream, Window } from '../../../src/core/sample/sample.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { withSeed } from '../../support/random.ts'
import { shortOrLong } from '../../support/soak.ts'
import { addStreams } from '../../support/streams.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const weekMs = 7 * dayMs
const unbounded: Window = { startMs: undefined, endMs: undefined }

describe('core/reading/sample-read', () => {
  let database: TestDatabase
  let lane: Lane
  let streams: readonly ReadableStream[]

  beforeEach(async () => {
    database = await openTestDatabase()
    lane = new Lane({ databaseUrl: database.url, onChange: () => {} })
    const kinds = ['random', 'random', 'interval', 'interval'] as const
    const keys = await addStreams(
      database.sql,
      kinds.map((kind) => ({ kind })),
    )
    streams = kinds.map((kind, n) => ({ key: keys[n]!, kind }))
  })
  afterEach(async () => {
    await lane.close()
    await database.drop()
  })

  /** Shown times. */
  const upload = async (key: number, timesMs: readonly number[]) => {
    const { kind } = streams.find((stream) => stream.key === key)!
    const merges = emptyRows()
    for (const timeMs of timesMs)
      pushRow(merges, key, kind === 'interval' ? 3600 : null, storedMs(kind, timeMs), 'DOUBLE', timeMs)
    await lane.commit({
      at: { serial: 0 },
      organizationKeys: [1],
      appends: noRows,
      merges: sortRows(merges),
      points: noRows,
    })
  }
  const erase = (stream: ReadableStream, startMs: number, endMs: number) =>
    transaction(database.sql, async (sql) => {
      const { claimedUntilMs } = await openGate(sql, 0)
      return deleteSamples(sql, stream, { startMs, endMs }, claimedUntilMs)
    })
  const rollAll = async () => {
    while (await rollUp(database.sql, Date.now()));
  }
  /** The chunks older than a year that a reading locks. */
  const chunksAsked = async (window: Window, limit: number): Promise<number> => {
    const asked: number[] = []
    const watched = new Proxy(database.sql, {
      get: (sql, name) =>
        name === 'begin'
          ? (how: string, work: (sql: unknown) => Promise<unknown>) =>
              sql.begin(how, async (inner) => {
                const result = await work(inner)
                const [row] = await inner<[{ count: number }]>`
                  select count(distinct relation)::integer as count
                  from pg_locks join timescaledb_information.chunks
                    on relation = format('%I.%I', chunk_schema, chunk_name)::regclass
                  where pid = pg_backend_pid() and hypertable_name = 'sample' and range_end < now() - interval '54 weeks'`
                asked.push(row.count)
                return result
              })
          : Reflect.get(sql, name),
    })
    await readSamples(watched, [streams[0]!], window, limit)
    assert.equal(asked.length, 1)
    return asked[0]!
  }

  it('asks only those chunks for old samples in which there are any', async () => {
    const nowMs = Date.now()
    await upload(
      streams[1]!.key,
      Array.from({ length: 60 }, (_, n) => nowMs - (60 + n) * weekMs),
    )
    await upload(streams[0]!.key, [nowMs - 70 * weekMs, nowMs - 70 * weekMs - 1, nowMs - 110 * weekMs])
    await rollAll()
    assert.equal(await chunksAsked(unbounded, 2), 1)
    assert.equal(await chunksAsked(unbounded, 1000), 2)
    // The weeks before the end are asked anyway: they lie in five chunks.
    assert.equal(await chunksAsked({ startMs: undefined, endMs: nowMs - 64 * weekMs }, 1000), 5 + 2)
    await upload(streams[0]!.key, [nowMs - 100 * weekMs])
    assert.equal(await chunksAsked(unbounded, 1000), 3)
  })

  it('finds the latest stored samples, aggregated or not, however it is scattered', () =>
    withSeed(async (random) => {
      const nowMs = Date.now()
      const places = [
        Date.parse('0001-02-03T00:00:00Z'),
        Date.parse('1583-01-01T00:00:00Z'),
        Date.parse('1999-12-31T12:00:00Z'),
        Date.parse('9998-07-01T00:00:00Z'),
        ...[-60, 0, 1, 3, 5, 20, 52, 53, 54, 60, 90, 91, 200, 400, 600].map((weeks) => nowMs - weeks * weekMs),
      ].map((ms) => Math.floor(ms / hourMs) * hourMs)
      const aTime = (kind: ReadableStream['kind']) =>
        random.pick(places) + random.integer(30) * hourMs + (kind === 'interval' ? 0 : random.integer(3) * 1000)
      const stored = new Map(streams.map(({ key }): [number, Set<number>] => [key, new Set()]))
      const expected = (window: Window, limit: number, most: number) =>
        streams
          .flatMap(({ key }) =>
            [...stored.get(key)!]
              .filter((ms) => ms >= (window.startMs ?? -Infinity) && ms < (window.endMs ?? Infinity))
              .toSorted((a, b) => b - a)
              .slice(0, most)
              .map((ms) => [key, ms]),
          )
          .slice(0, limit)
      for (let step = 0; step < shortOrLong(30, 300); step += 1) {
        const stream = random.pick(streams)
        const own = stored.get(stream.key)!
        const chance = random.integer(10)
        if (chance < 6) {
          const times = Array.from({ length: 1 + random.integer(40) }, () => aTime(stream.kind))
          await upload(stream.key, times)
          for (const ms of times) own.add(ms)
        } else if (chance < 8) {
          const [startMs, endMs] = [aTime(stream.kind), aTime(stream.kind)].toSorted((a, b) => a - b) as [
            number,
            number,
          ]
          await erase(stream, startMs, endMs)
          for (const ms of own) if (ms >= startMs && ms < endMs) own.delete(ms)
        } else await rollAll()
        const edges = [aTime('random'), aTime('random')].toSorted((a, b) => a - b)
        for (const window of [
          unbounded,
          { startMs: edges[0], endMs: edges[1]! + 1 },
          { startMs: undefined, endMs: edges[1] },
          { startMs: edges[0], endMs: undefined },
        ]) {
          const [limit, most] = random.pick([
            [1, 1],
            [1000, 1],
            [7, 7],
            [30, 30],
            [1000, 1000],
          ]) as [number, number]
          const found = await readSamples(database.sql, streams, window, limit, most)
          assert.deepEqual(
            found.map(({ streamKey, timeMs }) => [streamKey, timeMs]),
            expected(window, limit, most),
            `step ${step}, ${JSON.stringify({ window, limit, most })}`,
          )
          for (const { timeMs, num } of found) assert.equal(num, timeMs)
        }
      }
    }))
})
