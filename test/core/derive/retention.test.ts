// Derived streams of an organization that does not keep its samples for ever: they are archived like any other, and what
// is archived is neither derived nor replaced.
import assert from 'node:assert/strict'
import { transaction } from '../../../src/base/database/sql.ts'
import { findOrganization, lockOrganization, updateOrganization } from '../../../src/core/organization.ts'
import { archiveSome } from '../../../src/core/upkeep/retention.ts'
import { openDerivation } from '../../support/derive.ts'
import { openDerivations, plain, random } from './derive-support.ts'
import type { Derivations } from './derive-support.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const today = Math.floor(Date.now() / dayMs) * dayMs

describe('a derived stream whose samples are not kept', () => {
  let all: Derivations
  before(async () => {
    all = await openDerivations()
  })
  after(() => all.close())

  const keep = async (retentionDays: number | null) => {
    const { sql, organizationUid } = all.service
    const { key } = (await findOrganization(sql, organizationUid))!
    await transaction(sql, async (own) => {
      const organization = (await lockOrganization(own, key))!
      await updateOrganization(own, organization, { ...organization, retentionDays })
    })
    while (await archiveSome(sql, Date.now()));
  }
  const put = async (query: string, ...days: readonly number[]) => {
    const body = days.map((day) => ({ compId: 'C', streamId: 'a', data: day, time: today - day * dayMs + hourMs }))
    const { status, text } = await all.service.put(`/api/feed${query}`, JSON.stringify(body))
    assert.equal(status, 200, text)
  }
  /** Without gaps, which the archive has not all of, of any stream. */
  const sums = async (streamId: string) => {
    const { json } = await all.service.get(`/api/comp/C/stream/${streamId}/cycle/day/stat/sum/feed`)
    return (json as { data: number | null }[]).flatMap(({ data }) => data ?? [])
  }
  const samples = async (streamId: string) =>
    ((await all.service.get(`/api/comp/C/stream/${streamId}/feed`)).json as { data: number }[]).map(({ data }) => data)

  it('keeps its statistics, and is derived where samples are kept', async () => {
    const { stream } = await all.component('C', [
      random('a'),
      random('d', 'a * 2', [plain('a')]),
      { id: 'i', kind: 'interval', baseCycleId: 'day', expression: 'a', variables: [plain('a')] },
    ])
    const derive = openDerivation(all.service)
    await put('', 30, 20, 9, 5)
    await derive()
    const before = { d: await sums('d'), i: await sums('i') }
    assert.deepEqual(before.d, [10, 18, 40, 60])
    // Late, and soon too old.
    await put('', 25)
    await derive()
    await keep(10)
    assert.deepEqual(await samples('a'), [5, 9])
    assert.deepEqual(await samples('d'), [10, 18])
    assert.deepEqual(await sums('d'), before.d)
    assert.deepEqual(await sums('i'), before.i)
    for (const { uid } of stream.slice(1)) {
      const asked = await all.manage.ask('POST', `/api/stream/${uid}/derive?wait=false`, { from: today - 40 * dayMs })
      assert.equal(asked.status, 200, JSON.stringify(asked.body))
      await derive()
      assert.equal((await all.state(uid)).staleMs, null)
    }
    assert.deepEqual(await sums('d'), before.d)
    assert.deepEqual(await sums('i'), before.i)
    // At once and in the background, behind what is archived.
    await put('?derMaxS&derTout', 4)
    await put('', 3)
    await derive()
    assert.deepEqual(await samples('d'), [6, 8, 10, 18])
    assert.deepEqual((await sums('i')).slice(-before.i.length), before.i)
  })
})
