// Several servers on one database: their limits are one (docs/access.md#rate-limits), from one report to the next.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '../../src/service.ts'
import { openSecond } from '../support/second.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

describe('several servers', function () {
  const count = 40
  let service: TestService
  let second: Service
  before(async () => {
    const limit = { count, seconds: 3600 }
    service = await openTestService({ rateLimits: { feed: limit, property: limit, file: limit, login: limit } })
    second = await openSecond(service)
    // Each has announced itself twice by then, so each has seen the other.
    await sleep(6000)
  })
  after(async () => {
    await second.close()
    await service.close()
  })

  const put = async (url: string, id: string) =>
    (await fetch(`${url}/api/feed?compId=${id}&temp=1&api_key=${service.apiKey}`, { method: 'PUT' })).status

  it('know of each other, and forget one that has closed', async () => {
    await eventually(async () => {
      const [row] = await service.sql<[{ n: number }]>`select count(*)::integer as n from limit_process`
      return row.n === 2
    })
    const third = await openSecond(service)
    await eventually(async () => {
      const [row] = await service.sql<[{ n: number }]>`select count(*)::integer as n from limit_process`
      return row.n === 3
    })
    await third.close()
    const [row] = await service.sql<[{ n: number }]>`select count(*)::integer as n from limit_process`
    assert.equal(row.n, 2)
  })

  it('let as many calls pass together as one would alone', async () => {
    let passed = 0
    for (let round = 0; round < count; round += 1) {
      for (const url of [service.url, second.url]) {
        const status = await put(url, 'Boiler')
        assert.ok(status === 200 || status === 429, String(status))
        if (status === 200) passed += 1
      }
      await sleep(100)
    }
    // Twenty more are two seconds' traffic here.
    assert.ok(passed >= count && passed <= count + 20, `${passed} passed`)
    assert.equal(await put(service.url, 'Other boiler'), 200)
  })

  const burst = async (url: string, id: string, calls: number) => {
    const statuses = await Promise.all(Array.from({ length: calls }, () => put(url, id)))
    for (const status of statuses) assert.ok(status === 200 || status === 429, String(status))
    return statuses.filter((status) => status === 200).length
  }

  it('let a burst pass up to the limit at each server, and no further', async () => {
    const urls = [service.url, second.url]
    const passed = await Promise.all(urls.map((url) => burst(url, 'Burst', count * 2)))
    assert.ok(
      passed.every((calls) => calls <= count) && passed[0]! + passed[1]! >= count,
      `${passed.join(' and ')} passed`,
    )
    assert.deepEqual(await Promise.all(urls.map((url) => burst(url, 'Burst', count))), [0, 0])
  })

  it('hold to one limit again after a burst that left each server some of its own', async () => {
    const urls = [service.url, second.url]
    const passed = await Promise.all(urls.map((url) => burst(url, 'Half a burst', count / 2 + 1)))
    for (const [n, url] of urls.entries())
      await eventually(async () => {
        // Reports come twice a second: by their own count alone, servers would go on for six seconds.
        await sleep(300)
        const isPassed = (await put(url, 'Half a burst')) === 200
        if (isPassed) passed[n]! += 1
        return !isPassed
      })
    assert.ok(
      passed.every((calls) => calls < count) && passed[0]! + passed[1]! >= count,
      `${passed.join(' and ')} passed`,
    )
  })
})
