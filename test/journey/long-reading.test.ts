// Readings that take long: they end when their time is over, and ask nothing more when their client has gone away. What
// makes them long here is a lock on the samples.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { transaction } from '../../src/base/sql.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { within } from '../support/within.ts'

const paths = [
  '/api/comp/Long/feed',
  '/api/comp/Long/stream/a/last_value',
  '/api/comp/Long/stream/a/cycle/day/stat/avg/feed',
  '/api/comp/Long/cycle/day/stat/avg/last_value',
]

describe('a long reading', () => {
  let patient: TestService
  let hasty: TestService
  before(async () => {
    patient = await openTestService()
    hasty = await openTestService({ readTimeoutMs: 300 })
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
      await within(5000, async () => (await waiting()) > 0)
      // Directly behind the request it would be a client that has sent all it wants to send, and waits.
      await pause(100)
      leaving.abort()
      await left
    })
    const counted = async () => (await patient.request('GET', '/metrics')).text
    await within(5000, async () =>
      /_count\{route="[^"]*stat[^"]*feed",method="GET",status="400"\} 1\b/.test(await counted()),
    )
    for (const each of paths) assert.equal((await patient.get(each)).status, 200)
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
      await within(5000, async () => (await waiting()) > 3)
      assert.equal((await patient.request('GET', '/readyz')).status, 200)
      leaving.abort()
      await readings
    })
  })
})
