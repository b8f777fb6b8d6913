// Changes of the catalogue while uploads go on: nothing is written into what is gone, nothing fails, and what is
// removed goes in the background.
import assert from 'node:assert/strict'
import { changesKeptMs, mergeOldChanges } from '../../src/core/sample/catalog-change.ts'
import { openRemover } from '../../src/core/upkeep/removal.ts'
import type { Manager } from '../support/manage.ts'
import { openManager } from '../support/manage.ts'
import { openSecond } from '../support/second.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

describe('managing while uploads go on', () => {
  let service: TestService
  let manage: Manager
  const remove = openRemover()
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
  })
  after(() => service.close())

  /** Samples of streams that are neither there nor on the way out. */
  const orphans = async () => {
    const [row] = await service.sql<[{ n: number }]>`
      select count(*)::integer as n
      from sample
      where not exists (select from stream where stream.key = sample.stream_key)
        and not exists (select from removal where removal.stream_key = sample.stream_key)`
    return row.n
  }

  it('writes no sample into a stream that is gone, and fails no call', async () => {
    const componentIds = ['w0', 'w1', 'w2']
    const state = { isOver: false }
    const statuses = new Set<number>()
    let n = 0
    const upload = async (compId: string) => {
      while (!state.isOver) {
        n += 1
        const reply = await service.put(`/api/feed?compId=${compId}&a=${n}&b=${n}`)
        statuses.add(reply.status)
      }
    }
    const uploads = componentIds.flatMap((id) => [upload(id), upload(id)])
    let removed = 0
    const answers = new Set<number>()
    while (removed < 20) {
      const listed = await manage.list('component', 'text=w')
      for (const { uid, stream } of listed) {
        const [first, second] = stream
        if (removed % 2 === 0 && first && second) {
          answers.add((await manage.ask('PUT', `/api/stream/${second.uid}`, { position: 1 })).status)
          answers.add((await manage.ask('DELETE', `/api/stream/${first.uid}`)).status)
        }
        answers.add((await manage.ask('DELETE', `/api/component/${uid}`)).status)
        removed += 1
      }
    }
    state.isOver = true
    await Promise.all(uploads)
    assert.deepEqual([...statuses], [200])
    assert.deepEqual(
      [...answers].filter((status) => ![200, 202].includes(status)),
      [],
    )
    assert.equal(await orphans(), 0)
    for (const { stream } of await manage.list('component', 'text=w'))
      assert.deepEqual(
        stream.map(({ position }) => position),
        stream.map((_, index) => index + 1),
      )
  })

  it('removes the queued samples, and nothing else', async () => {
    await service.put('/api/feed?compId=kept&a=1')
    while (await remove(service.sql));
    assert.deepEqual([...(await service.sql`select from removal`)], [])
    const [left] = await service.sql<[{ lost: number }]>`
      select count(*)::integer as lost from sample where stream_key not in (select key from stream)`
    assert.equal(left.lost, 0)
    const samples = (await service.get('/api/comp/kept/feed')).json as { data: number }[]
    assert.deepEqual(
      samples.map(({ data }) => data),
      [1],
    )
  })

  it('lets a server that slept while news of a change grew old forget what it remembers', async () => {
    const sleeper = await openSecond(service)
    try {
      const put = () => fetch(`${sleeper.url}/api/feed?compId=Slept&a=1&api_key=${service.apiKey}`, { method: 'PUT' })
      assert.equal((await put()).status, 200)
      assert.equal((await put()).status, 200)
      const [component] = await manage.list('component', 'id=Slept')
      assert.equal((await manage.ask('DELETE', `/api/component/${component!.uid}`)).status, 202)
      while (await remove(service.sql));
      await mergeOldChanges(service.sql, Date.now() + changesKeptMs + 60_000)
      assert.equal((await put()).status, 200)
      assert.equal(await orphans(), 0)
      assert.equal((await service.get('/api/comp/Slept/feed')).status, 200)
    } finally {
      await sleeper.close()
    }
  })
})
