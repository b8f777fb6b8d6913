// Readings that take long: they end when their time is over, or when their client has gone away, and one caller's do
// not keep those of others waiting. Here a lock on the samples makes them long.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { transaction } from '../../src/base/database/sql.ts'
import { addApiKey } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

const paths = [
  '/api/comp/Long/feed',
  '/api/comp/Long/stream/a/last_value',
  '/api/comp/Long/stream/a/cycle/day/stat/avg/feed',
  '/api/comp/Long/cycle/day/stat/avg/last_value',
]

/** Leaving sooner after its request, a client is one that has sent all it wants to send, and waits (base/http/connection.ts). */
const halfClosedMs = 100

describe('a long reading', () => {
  let patient: TestService
  let hasty: TestService
  before(async () => {
    patient = await openTestService()
    hasty = await openTestService({ readTimeoutMs: 1000 })
    for (const service of [patient, hasty])
      assert.equal((await service.put('/api/feed?compId=Long&a=1,2&b=1,2&time=1,2')).status, 200)
  })
  after(() => Promise.all([patient.close(), hasty.close()]))

  const whileLocked = ({ sql }: TestService, work: () => Promise<void>) =>
    transaction(sql, async (inside) => {
      await inside`lock table sample in access exclusive mode`
      await work()
    })
  /** Queries of readings that wait for the lock. */
  const waiting = async () => {
    const [row] = await patient.sql<[{ n: number }]>`
      select count(*)::integer as n from pg_stat_activity
      where application_name = 'coppice reader' and wait_event_type = 'Lock' and datname = current_database()`
    return row.n
  }

  it('asks nothing more when its client has gone away', async () => {
    // Longer than it takes to go away, and several queries: statistics ask how streams stand, and then for numbers.
    const path = paths[2]!
    await whileLocked(patient, async () => {
      const leaving = new AbortController()
      const left = assert.rejects(patient.get(path, { signal: leaving.signal }), { name: 'AbortError' })
      await eventually(async () => (await waiting()) > 0)
      await pause(halfClosedMs)
      leaving.abort()
      await left
    })
    const counted = async () => (await patient.request('GET', '/metrics')).text
    await eventually(async () =>
      /_count\{route="[^"]*stat[^"]*feed",method="GET",status="400"\} 1\b/.test(await counted()),
    )
    for (const each of paths) assert.equal((await patient.get(each)).status, 200)
  })

  it('is cancelled in the database when its client has gone away, and nobody after it on that connection', async () => {
    await whileLocked(patient, async () => {
      const leaving = new AbortController()
      const left = Promise.allSettled(paths.map((path) => patient.get(path, { signal: leaving.signal })))
      await eventually(async () => (await waiting()) === paths.length)
      await pause(halfClosedMs)
      leaving.abort()
      await left
      await eventually(async () => (await waiting()) === 0)
    })
    for (let round = 0; round < 10; round += 1)
      for (const each of paths) assert.equal((await patient.get(each)).status, 200)
  })

  it('is not begun for a client that has gone away while its credential was looked up', async () => {
    const { secret } = await addApiKey(patient.sql, patient.organizationUid, [
      { resource: 'component/*/feed', methods: ['GET'] },
    ])
    const counted = async () => {
      const { text } = await patient.request('GET', '/metrics')
      const found = /_count\{route="[^"]*stat[^"]*last_value",method="GET",status="400"\} (\d+)/.exec(text)
      return Number(found?.[1] ?? 0)
    }
    const before = await counted()
    await whileLocked(patient, async () => {
      await transaction(patient.sql, async (inside) => {
        await inside`lock table api_key in access exclusive mode`
        const leaving = new AbortController()
        const path = `${paths[3]}?api_key=${secret}`
        const left = assert.rejects(patient.request('GET', path, { signal: leaving.signal }), { name: 'AbortError' })
        await eventually(async () => {
          const [row] = await patient.sql<[{ n: number }]>`
            select count(*)::integer as n from pg_stat_activity
            where application_name = 'coppice access' and wait_event_type = 'Lock' and datname = current_database()`
          return row.n > 0
        })
        await pause(halfClosedMs)
        leaving.abort()
        await left
      })
      await eventually(async () => (await counted()) === before + 1)
    })
  })

  it('does not keep those of other callers waiting, however many one caller has, from however many addresses', async () => {
    const oldMs = Date.UTC(2010, 5, 1)
    const nowMs = Date.now()
    for (const query of [`compId=Old&a=1&time=${oldMs}`, `compId=Now&a=1&time=${nowMs}`])
      assert.equal((await patient.put(`/api/feed?${query}`)).status, 200)
    const { secret: other } = await addApiKey(patient.sql, patient.organizationUid, [
      { resource: 'component/*/feed', methods: ['GET'] },
    ])
    const [chunk] = await patient.sql<[{ name: string }]>`
      select format('%I.%I', chunk_schema, chunk_name) as name
      from timescaledb_information.chunks
      where hypertable_name = 'sample' and range_start <= ${oldMs} and range_end > ${oldMs}`
    const { hostname, port } = new URL(patient.url)
    await transaction(patient.sql, async (inside) => {
      await inside.unsafe(`lock table ${chunk.name} in access exclusive mode`)
      const slow = Array.from({ length: 50 }, (_, n) => {
        const path =
          `/api/comp/Old/stream/a/${n % 2 === 0 ? 'feed' : 'cycle/day/stat/avg/feed'}` +
          `?sd=${oldMs}&ed=${oldMs + 86_400_000}&api_key=${patient.apiKey}`
        const from = { localAddress: `127.0.0.${2 + (n % 4)}`, agent: false } as const
        return request({ hostname, port, path, ...from })
          .on('error', () => {})
          .end()
      })
      await eventually(async () => (await waiting()) > 3)
      const today = `sd=${nowMs - 86_400_000}&ed=${nowMs + 86_400_001}`
      for (const path of [`feed?limit=1`, `feed?${today}`, `cycle/day/stat/avg/last_value?${today}`])
        assert.equal((await patient.get(`/api/comp/Now/${path}&api_key=${other}`)).status, 200)
      for (const each of slow) each.destroy()
    })
  })

  it('is answered 503 when its time is over, and can be asked again', async () => {
    await whileLocked(hasty, async () => {
      for (const path of paths) {
        const { status, json, headers } = await hasty.get(path)
        assert.deepEqual(json, {
          success: false,
          code: 'busy',
          message: 'it took too long: ask for less, or try again',
        })
        assert.equal(status, 503)
        assert.equal(headers.get('retry-after'), '10')
      }
    })
    for (const path of paths) assert.equal((await hasty.get(path)).status, 200)
  })

  it('keeps nobody from changing things or being ready', async () => {
    await whileLocked(patient, async () => {
      const leaving = new AbortController()
      const readings = Promise.allSettled(
        Array.from({ length: 30 }, () => patient.get(paths[0]!, { signal: leaving.signal })),
      )
      await eventually(async () => (await waiting()) > 3)
      assert.equal((await patient.request('GET', '/readyz')).status, 200)
      leaving.abort()
      await readings
    })
  })
})
