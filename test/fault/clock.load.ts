// A clock that is set back, by an hour and by a year: as after a wrong one was put right, or a machine was resumed.
import assert from 'node:assert/strict'
import { readConfig } from '../../src/base/config.ts'
import type { TestClock, TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'

const hourMs = 3_600_000
const startMs = Date.parse('2026-11-16T12:00:00Z')

describe('a clock that is set back', () => {
  let service: TestService
  let clock: TestClock
  let session: string
  before(async () => {
    clock = openTestClock(startMs)
    const { rateLimits } = readConfig({ RATE_LIMITS: 'feed=5/60' })
    service = await openTestService({ rateLimits }, clock)
    session = await signIn()
  })
  after(() => service.close())

  const signIn = async (): Promise<string> => {
    const body = JSON.stringify({ email: service.ownerEmail, password: service.ownerPassword })
    const reply = await service.request('POST', '/api/login', { body })
    assert.equal(reply.status, 200, reply.text)
    return (reply.json as { sessionUid: string }).sessionUid
  }
  const put = async (value: number) => (await service.put(`/api/feed?compId=Clock&a=${value}`)).status
  const samples = async () =>
    ((await service.get('/api/comp/Clock/stream/a/feed')).json as { time: number; data: number }[]).map(
      ({ time, data }) => [time - startMs, data],
    )

  it('times samples by the new time, and loses and overwrites none', async () => {
    assert.equal(await put(1), 200)
    clock.set(startMs - hourMs)
    assert.equal(await put(2), 200)
    clock.set(startMs - 365 * 24 * hourMs)
    assert.equal(await put(3), 200)
    assert.deepEqual(await samples(), [
      [0, 1],
      [-hourMs, 2],
      [-365 * 24 * hourMs, 3],
    ])
    const last = await service.get('/api/comp/Clock/last_value')
    assert.equal((last.json as { data: number }[])[0]!.data, 1)
    const counts = await service.get('/api/comp/Clock/stream/a/cycle/year/stat/nongapcount/feed')
    assert.deepEqual(
      (counts.json as { data: number }[]).map(({ data }) => data),
      [2, 1],
    )
  })

  it('keeps sessions that were begun before it, and takes new ones', async () => {
    assert.equal((await service.get(`/api/component?session=${session}`)).status, 200)
    clock.set(startMs - hourMs)
    const another = await signIn()
    assert.equal((await service.get(`/api/component?session=${another}`)).status, 200)
    clock.set(startMs)
    assert.equal((await service.get(`/api/component?session=${another}`)).status, 200)
  })

  it('limits calls in windows of the new time, and locks nobody out until the old one comes again', async () => {
    clock.set(startMs + hourMs)
    const statuses = []
    for (let n = 0; n < 6; n += 1) statuses.push(await put(n))
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
    clock.set(startMs - 2 * hourMs)
    assert.equal(await put(7), 200)
  })
})
