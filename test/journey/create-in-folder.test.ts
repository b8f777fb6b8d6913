// Auto-creation into a folder (docs/feeds.md#creation) by calls that come at the same time.
import assert from 'node:assert/strict'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

describe('creating components in a new folder', () => {
  let service: TestService
  before(async () => {
    service = await openTestService()
  })
  after(() => service.close())

  it('succeeds for all calls that share the folder and a component', async () => {
    await service.put('/api/feed?compId=m&a=1')
    const statuses: number[] = []
    for (const round of ['1', '2', '3', '4']) {
      // One comes to the shared component after making its own, the other before.
      const before = [
        { compId: `a${round}`, streamId: 's', data: 1 },
        { compId: 'm', streamId: `x${round}`, data: 1 },
      ]
      const after = [
        { compId: 'm', streamId: `y${round}`, data: 1 },
        { compId: `z${round}`, streamId: 's', data: 1 },
      ]
      const replies = await Promise.all(
        [before, after, before, after].map((body) =>
          service.put(`/api/feed?folder=/Components/f${round}`, JSON.stringify(body)),
        ),
      )
      statuses.push(...replies.map(({ status }) => status))
    }
    assert.deepEqual(new Set(statuses), new Set([200]))
    const made = await service.sql<{ path: string; n: number }[]>`
      select folder.path, count(*)::integer as n
      from component
      join folder on folder.key = component.folder_key
      group by 1
      order by 1`
    assert.deepEqual(
      made.map(({ path, n }) => `${path} ${n}`),
      ['/Components 1', '/Components/f1 2', '/Components/f2 2', '/Components/f3 2', '/Components/f4 2'],
    )
  })
})
