// What /metrics says of materialization: how far behind it is, and how much waits to be made anew.
import assert from 'node:assert/strict'
import { rollUp } from '../../src/core/rollup.ts'
import type { TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'

const nowMs = Date.parse('2026-05-10T12:00:00Z')
const hourMs = 3_600_000

describe('GET /metrics', () => {
  let service: TestService
  const clock = openTestClock(nowMs)
  before(async () => (service = await openTestService({}, clock)))
  after(() => service.close())

  const metric = async (name: string) => {
    const { status, text } = await service.get('/metrics')
    assert.equal(status, 200)
    const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)
    assert.ok(found, `${name} is not there`)
    return Number(found[1])
  }
  const lagHours = async () => (await metric('coppice_rollup_lag_seconds')) / 3_600
  const stale = () => metric('coppice_rollup_stale_marks')
  const rollAll = async () => {
    while (await rollUp(service.sql, clock.now()));
  }

  it('tells how long ago the moment was up to which aggregates are ready', async () => {
    assert.ok((await lagHours()) > 24 * 365)
    await rollAll()
    // Quarters of a day are aggregated, three hours late.
    assert.equal(await lagHours(), 6)
    clock.set(nowMs + 20 * hourMs)
    assert.equal(await lagHours(), 26)
    await rollAll()
    assert.equal(await lagHours(), 8)
  })

  it('tells how many spans of time wait to be aggregated anew', async () => {
    assert.equal(await stale(), 0)
    const old = nowMs - 48 * hourMs
    assert.equal((await service.put(`/api/feed?compId=a&one=1&two=2&time=${old}`)).status, 200)
    assert.equal((await service.put(`/api/feed?compId=a&one=1&time=${clock.now()}`)).status, 200)
    assert.equal(await stale(), 2)
    await rollAll()
    assert.equal(await stale(), 0)
  })
})
