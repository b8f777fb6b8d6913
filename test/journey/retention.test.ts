// Uploads while an organization does not keep its samples, and once it keeps them again (docs/statistics.md#retention).
import assert from 'node:assert/strict'
import { transaction } from '../../src/base/database/sql.ts'
import { findOrganization, lockOrganization, updateOrganization } from '../../src/core/organization.ts'
import { archiveSome } from '../../src/core/upkeep/retention.ts'
import { openManager } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const today = Math.floor(Date.now() / dayMs) * dayMs

describe('retention', () => {
  let service: TestService
  beforeEach(async () => {
    service = await openTestService()
  })
  afterEach(() => service.close())

  const keep = async (retentionDays: number | null) => {
    const { key } = (await findOrganization(service.sql, service.organizationUid))!
    await transaction(service.sql, async (sql) => {
      const organization = (await lockOrganization(sql, key))!
      await updateOrganization(sql, organization, { ...organization, retentionDays })
    })
  }
  const archive = async () => {
    while (await archiveSome(service.sql, Date.now()));
  }
  const put = async (streamId: string, ...days: readonly number[]) => {
    const samples = days.map((day) => ({ compId: 'C', streamId, data: day, time: today - day * dayMs }))
    const { status, text } = await service.put('/api/feed', JSON.stringify(samples))
    return status === 200 ? 'stored' : (JSON.parse(text) as { message: string }).message.replaceAll(/\d{9,}/g, 'T')
  }
  const sums = async (streamId: string) => {
    const reply = await service.get(`/api/comp/C/stream/${streamId}/cycle/day/stat/sum/feed`)
    return (reply.json as { data: number }[]).map(({ data }) => data)
  }
  const tooOld = 'time T is older than the organization keeps samples: retentionDays is 10, the oldest time T'
  const gone = (streamId: string) =>
    `time T of stream '${streamId}' is archived, from T to before T, and takes no samples any more`

  it('refuses nothing that was never archived when it is set for a minute and removed', async () => {
    assert.equal(await put('a', 1), 'stored')
    await keep(10)
    await archive()
    assert.equal(await put('a', 11), tooOld)
    assert.equal(await put('new', 11), tooOld)
    await keep(null)
    assert.equal(await put('a', 11, 400), 'stored')
    assert.equal(await put('new', 11, 3000), 'stored')
  })

  it('refuses, when raised or removed, samples between the first and last that are archived of a stream, and nothing else', async () => {
    assert.equal(await put('a', 30, 20, 1), 'stored')
    assert.equal(await put('b', 1), 'stored')
    await keep(10)
    await archive()
    for (const days of [100, null]) {
      await keep(days)
      await archive()
      for (const day of [30, 25, 20, 15]) assert.equal(await put('a', day), gone('a'), `${day} days ago, ${days} kept`)
      assert.equal(await put('a', 31, 60, 5), 'stored')
      assert.equal(await put('b', 31, 20, 12), 'stored')
    }
    assert.deepEqual(await sums('a'), [1, 5, 20, 30, 31, 60])
    assert.deepEqual(await sums('b'), [1, 12, 20, 31])
    // And what was uploaded so goes in its turn, and is joined to what is archived.
    await keep(40)
    await archive()
    assert.deepEqual(await sums('a'), [1, 5, 20, 30, 31, 60])
    assert.equal(await put('a', 35), 'stored')
    await keep(10)
    await archive()
    assert.deepEqual(await sums('a'), [1, 5, 20, 30, 31, 35, 60])
    assert.deepEqual(await sums('b'), [1, 12, 20, 31])
    await keep(null)
    for (const day of [60, 50, 35, 20, 12]) assert.equal(await put('a', day), gone('a'), `${day} days ago`)
    assert.equal(await put('a', 61, 10), 'stored')
    assert.deepEqual(await sums('a'), [1, 5, 10, 20, 30, 31, 35, 60, 61])
  })

  it('refuses gaps that would be filled where samples are archived', async () => {
    const manage = await openManager(service)
    await manage.make('component', { id: 'C', stream: [{ id: 'i', kind: 'interval', baseCycleId: 'day' }] })
    assert.equal(await put('i', 20, 18), 'stored')
    await keep(10)
    await archive()
    await keep(null)
    assert.equal(await put('i', 22, 5), gone('i'))
    assert.equal(await put('i', 22, 21), 'stored')
    assert.equal(await put('i', 9, 5), 'stored')
    assert.equal(await put('i', 19), gone('i'))
  })
})
