// Texts that are numbers (docs/feeds.md#values): uploads make DOUBLEs of them, and a STRING that has nothing else
// becomes one.
import assert from 'node:assert/strict'
import { rollUp } from '../../src/core/statistic/rollup.ts'
import { linesOf, storesNothing, streamsOf } from '../support/feed.ts'
import { openManager } from '../support/manage.ts'
import type { Manager, ShownStream } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

const hourMs = 3_600_000
const t = Math.floor(Date.now() / hourMs) * hourMs - 100 * 24 * hourMs

describe('a STRING stream of numbers', function () {
  let service: TestService
  let manage: Manager
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
  })
  after(() => service.close())

  const make = async (id: string, members: object = {}): Promise<ShownStream> => {
    const { stream } = await manage.make('component', { id, stream: [{ id: 's', valueType: 'STRING', ...members }] })
    return stream[0]!
  }
  const upload = async (compId: string, values: readonly unknown[], stepMs = hourMs) => {
    const samples = values.map((data, n) => ({ compId, streamId: 's', data, time: t + n * stepMs }))
    assert.equal((await service.put('/api/feed', JSON.stringify(samples))).status, 200)
  }
  const change = (uid: string, members: object = {}) =>
    manage.ask('PUT', `/api/stream/${uid}`, { valueType: 'DOUBLE', ...members })
  const statistic = async (compId: string, statId: string) => {
    const reply = await service.get(`/api/comp/${compId}/stream/s/cycle/year/stat/${statId}/feed`)
    assert.equal(reply.status, 200, reply.text)
    return (reply.json as { data: unknown }[]).map(({ data }) => data)
  }
  const rollAll = async () => {
    while (await rollUp(service.sql, Date.now()));
  }

  it('becomes a DOUBLE, its samples and all statistics too, aggregated or not', async () => {
    const { uid } = await make('Good')
    await upload('Good', ['21.5', ' -1e1 ', '3', 4])
    await rollAll()
    assert.deepEqual(await statistic('Good', 'avg'), [null])
    const { status, body } = await change(uid)
    assert.equal(status, 200, JSON.stringify(body))
    const expected = { avg: 4.625, min: -10, max: 21.5, sum: 18.5, first: 21.5, last: 4, nongapcount: 4 }
    for (const [statId, value] of Object.entries(expected))
      assert.deepEqual(await statistic('Good', statId), [value], statId)
    assert.deepEqual(
      await linesOf(service, 'Good', t),
      [3, 2, 1, 0].map((n) => `s ${n * hourMs}=${[21.5, -10, 3, 4][n]}`),
    )
    await rollAll()
    for (const [statId, value] of Object.entries(expected))
      assert.deepEqual(await statistic('Good', statId), [value], statId)
    await upload('Good', [1])
    assert.deepEqual(await statistic('Good', 'sum'), [-2])
    assert.equal((await service.put('/api/feed?compId=Good&s=on')).status, 400)
  })

  it('becomes one by its component, as an interval or a point stream, gaps included', async () => {
    for (const [id, members] of [
      ['Interval', { kind: 'interval', baseCycleId: 'hour' }],
      ['Point', { kind: 'point' }],
    ] as const) {
      await make(id, members)
      await upload(id, ['1.5', null, '2.5'])
      const [component] = await manage.list('component', `id=${id}`)
      const { uid } = component!.stream[0]!
      const put = await manage.ask('PUT', `/api/component/${component!.uid}`, {
        stream: [{ uid, valueType: 'DOUBLE' }],
      })
      assert.equal(put.status, 200, JSON.stringify(put.body))
      assert.deepEqual(await statistic(id, 'max'), [2.5])
      assert.deepEqual(await streamsOf(service.sql, id), [`1 s ${id.toLowerCase()} DOUBLE`])
    }
  })

  it('keeps its type while one value is no number, or when more is to change than that', async () => {
    const { uid } = await make('Bad')
    await upload('Bad', ['1', 'on', '2'])
    const refused = await storesNothing(service, () => change(uid))
    assert.deepEqual(refused, {
      status: 409,
      body: {
        success: false,
        code: 'conflict',
        message: "stream 's' has a value that is no number, 'on': its valueType must stay",
      },
    })
    for (const value of ['0x10', '1e999', '1'.repeat(401)]) {
      await upload('Bad', ['1', value, '2'])
      assert.equal((await change(uid)).status, 409, value)
    }
    await upload('Bad', ['1', '1.25', '2'])
    assert.equal((await change(uid, { kind: 'point' })).status, 409)
    assert.equal((await manage.ask('PUT', `/api/stream/${uid}`, { valueType: 'LONG' })).status, 409)
    assert.equal((await change(uid)).status, 200)
    assert.equal((await manage.ask('PUT', `/api/stream/${uid}`, { valueType: 'STRING' })).status, 409)
  })

  it('loses nothing that is uploaded meanwhile', async () => {
    const { uid } = await make('Busy')
    await upload(
      'Busy',
      Array.from({ length: 5000 }, (_, n) => String(n)),
      1000,
    )
    let sent = 0
    const over = new AbortController()
    const uploading = Promise.all(
      [1, 2].map(async (lane) => {
        for (let n = 0; !over.signal.aborted || n < 20; n += 1) {
          const reply = await service.put(`/api/feed?compId=Busy&s=1&time=${t + 10_000_000 + 2 * n + lane}`)
          assert.equal(reply.status, 200, reply.text)
          sent += 1
        }
      }),
    )
    assert.equal((await change(uid)).status, 200)
    over.abort()
    await uploading
    const [row] = await service.sql<[{ count: number; numbers: number }]>`
      select count(*)::integer as count, count(num)::integer as numbers
      from sample join stream on stream.key = stream_key where stream.uid = ${uid}`
    assert.deepEqual({ ...row }, { count: 5000 + sent, numbers: 5000 + sent })
    assert.deepEqual(await statistic('Busy', 'nongapcount'), [5000 + sent])
  })
})
