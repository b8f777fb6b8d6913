import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../src/base/errors.ts'
import type { Exchange } from '../../../src/base/http/limit-exchange.ts'
import { openCounts } from '../../../src/base/http/limit-failure.ts'
import type { Used } from '../../../src/base/http/limit-failure.ts'
import { openLimiter } from '../../../src/base/http/limit.ts'
import { eventually } from '../../support/within.ts'

const nowMs = 1_700_000_000_000
const clock = { now: () => nowMs }
const limit = { count: 40, seconds: 60 }
const limits = { feed: limit, property: limit, file: limit, login: limit }

/** Servers that share a table, which the test can make slow. */
const openServers = (count: number, processes = count) => {
  const counts = openCounts()
  const names = new Set<string>()
  let told = 0
  let slow = Promise.resolve()
  const report: Exchange['report'] = async (uses, { prefix, leastUsed, untilMs }) => {
    await slow
    told += uses.length
    await counts.add(uses, nowMs, untilMs)
    for (const { bucket } of uses) names.add(bucket)
    const sums = await counts.read([...names], nowMs)
    return sums.filter(({ bucket, used }) => bucket.startsWith(prefix) && used >= leastUsed)
  }
  const servers = Array.from({ length: count }, () => {
    const limiter = openLimiter(limits, clock, { exchange: { processes: () => processes, report } })
    return (device = 'a') => {
      try {
        // Without a lender, the answer is there at once.
        assert.equal(limiter.take('feed', 'api_key 1', device), undefined)
        return true
      } catch (error) {
        assert.ok(error instanceof Fault && error.status === 429, String(error))
        return false
      }
    }
  })
  const stop = () => {
    let go = () => {}
    slow = new Promise((resolve) => {
      go = resolve
    })
    return () => go()
  }
  return { servers, told: () => told, stop, sums: (): Promise<readonly Used[]> => counts.read([...names], nowMs) }
}
const times = (count: number, call: () => boolean) => Array.from({ length: count }, call).filter(Boolean).length

describe('rate limits of several servers', () => {
  it('leave a second server the calls that the first has not used, within a second', async () => {
    const { servers } = openServers(2)
    assert.equal(times(30, servers[0]!), 30)
    assert.equal(times(1, servers[1]!), 1)
    await sleep(1500)
    assert.equal(times(50, servers[1]!), 9)
    await eventually(async () => !servers[0]!())
  })

  it('count a server’s use of a bucket that it would not report by itself', async () => {
    const { servers, sums } = openServers(2)
    // Below half the limit divided by two.
    assert.equal(times(9, servers[1]!), 9)
    assert.equal(times(31, servers[0]!), 31)
    await eventually(async () => (await sums())[0]?.used === 40)
    await eventually(async () => !servers[0]!() && !servers[1]!())
  })

  it('report nothing of devices that stay below the share of a server, and nothing at all while there is one', async () => {
    const several = openServers(4)
    for (let device = 0; device < 1000; device += 1)
      for (const server of several.servers)
        assert.equal(
          times(4, () => server(`device ${device}`)),
          4,
        )
    const alone = openServers(1)
    assert.equal(times(60, alone.servers[0]!), 40)
    await sleep(1000)
    assert.deepEqual([several.told(), alone.told()], [0, 0])
  })

  it('wait for no database: a server goes by its own count until the next report', async () => {
    const { servers, stop, sums } = openServers(2)
    const go = stop()
    assert.equal(times(60, servers[0]!), 40)
    assert.equal(times(30, servers[1]!), 30)
    await sleep(1000)
    assert.deepEqual(await sums(), [])
    go()
    await eventually(async () => !servers[1]!())
  })
})
