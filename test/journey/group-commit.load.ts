// Uploads from many connections to two servers on one database, while the catalogue changes under them: an upload
// answered with 200 is stored, and nothing is stored where it does not belong.
import assert from 'node:assert/strict'
import { transaction } from '../../src/base/database/sql.ts'
import type { Service } from '../../src/service.ts'
import { crowd } from '../support/crowd.ts'
import { linesOf } from '../support/feed.ts'
import type { Manager } from '../support/manage.ts'
import { openManager } from '../support/manage.ts'
import { openSecond } from '../support/second.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

describe('uploads together', () => {
  let service: TestService
  let second: Service
  let manage: Manager
  before(async () => {
    service = await openTestService()
    second = await openSecond(service)
    manage = await openManager(service)
  })
  after(async () => {
    await second.close()
    await service.close()
  })

  const urlOf = (n: number) => (n % 2 === 0 ? service.url : second.url)
  const put = (n: number, query: string, body?: string) =>
    fetch(`${urlOf(n)}/api/feed?api_key=${service.apiKey}&${query}`, { method: 'PUT', ...(body ? { body } : {}) })
  const stored = async (n: number, query: string, body?: string) => {
    const reply = await put(n, query, body)
    assert.equal(`${reply.status} ${await reply.text()}`, '200 ')
  }
  const get = async (n: number, path: string) => {
    const reply = await fetch(`${urlOf(n)}/api/comp/${path}${path.includes('?') ? '&' : '?'}api_key=${service.apiKey}`)
    return reply.text()
  }
  /** Uploads on both servers until the work is done; gives how many were answered with 200. */
  const uploadDuring = async (query: (n: number) => string, work: () => Promise<void>): Promise<readonly number[]> => {
    const state = { isOver: false, next: 0 }
    const acknowledged: number[] = []
    const upload = async () => {
      while (!state.isOver) {
        state.next += 1
        const n = state.next
        await stored(n, query(n))
        acknowledged.push(n)
      }
    }
    const uploading = Promise.all(Array.from({ length: 8 }, upload))
    try {
      await work()
    } finally {
      state.isOver = true
    }
    await uploading
    return acknowledged
  }
  /** Samples of streams that are neither there nor on the way out. */
  const orphans = async () => {
    const [row] = await service.sql<[{ n: number }]>`
      select count(*)::integer as n
      from sample
      where not exists (select from stream where stream.key = sample.stream_key)
        and not exists (select from removal where removal.stream_key = sample.stream_key)`
    return row.n
  }

  it('answers 503 with Retry-After while too many wait, and stores all that it answers with 200', async () => {
    const body = (id: string) =>
      `[${Array.from({ length: 100_000 }, (_, n) => `{"compId":"${id}","streamId":"s","data":1,"time":${n}}`).join()}]`
    await crowd(6, 6, (n) => stored(0, `compId=full-${n}&s=1&time=-1`))
    let replies: Promise<Response>[] = []
    await transaction(service.sql, async (sql) => {
      await sql`select close_common_gate()`
      replies = Array.from({ length: 6 }, (_, n) => put(0, '', body(`full-${n}`)))
      const early = await Promise.any(replies.map(async (reply) => (await reply).clone()))
      assert.equal(early.status, 503)
      assert.equal(early.headers.get('retry-after'), '1')
      assert.equal(await early.text(), '{"success":false,"code":"busy","message":"too many uploads at once"}')
    })
    const statuses = (await Promise.all(replies)).map(({ status }) => status)
    assert.ok(statuses.includes(200))
    for (const [n, status] of statuses.entries()) {
      const [row] = await service.sql<[{ count: number }]>`
        select count(*)::integer as count
        from sample join stream on stream.key = stream_key join component on component.key = component_key
        where component.id = ${`full-${n}`}`
      assert.equal(row.count, status === 200 ? 100_001 : 1)
    }
  })

  it('is read from every server as soon as one has answered', async () => {
    for (let n = 0; n < 20; n += 1) {
      await stored(n, `compId=Seen&a=${n}&time=${n}`)
      assert.equal(await get(n + 1, 'Seen/last_value'), `[{"time":${n},"data":${n}}]`)
    }
  })

  it('appends, overwrites and comes late at once, and the last word is kept', async () => {
    await crowd(300, 30, (n) => {
      const times = [1000 + n, 1000 - n, n % 50]
      return stored(
        n,
        `compId=Mixed&a=${times.map(() => n).join()}&time=${times.join()}&b=${times.map(() => `t${n}`).join()}`,
      )
    })
    const times = new Set<number>()
    for (let n = 0; n < 300; n += 1) for (const time of [1000 + n, 1000 - n, n % 50]) times.add(time)
    const samples = JSON.parse(await get(0, 'Mixed/stream/a/feed')) as { time: number; data: number }[]
    assert.deepEqual(
      samples.map(({ time }) => time),
      [...times].toSorted((a, b) => b - a),
    )
    for (const { time, data } of samples)
      assert.ok([1000 + data, 1000 - data, data % 50].includes(time), `${time} holds ${data}, which nobody sent`)
    for (const n of [0, 1]) {
      await stored(n, `compId=Mixed&a=${7 + n}&time=1000`)
      assert.ok((await linesOf(service, 'Mixed')).includes(`a 1000=${7 + n}`))
    }
  })

  it('is never lost when its stream gets another name, on whichever server', async () => {
    const { stream } = await manage.make('component', { id: 'Named', stream: [{ id: 'a' }] })
    const acknowledged = await uploadDuring(
      (n) => `compId=Named&a=${n}&time=${n}`,
      async () => {
        for (let n = 0; n < 12; n += 1) {
          const answer = await manage.ask('PUT', `/api/stream/${stream[0]!.uid}`, { id: `old-${n}` })
          assert.equal(answer.status, 200, JSON.stringify(answer.body))
          await new Promise((resolve) => setTimeout(resolve, 30))
        }
      },
    )
    assert.ok(acknowledged.length > 12)
    const rows = await service.sql<{ n: number; count: number }[]>`
      select num::integer as n, count(*)::integer as count
      from sample join stream on stream.key = stream_key join component on component.key = component_key
      where component.id = 'Named'
      group by num`
    assert.deepEqual(
      rows.map(({ n }) => n).toSorted((a, b) => a - b),
      acknowledged.toSorted((a, b) => a - b),
    )
    assert.deepEqual(
      rows.filter(({ count }) => count !== 1),
      [],
    )
    assert.equal(await orphans(), 0)
  })

  it('never lands in a component that is gone, and later samples are in the new one', async () => {
    const acknowledged = await uploadDuring(
      (n) => `compId=Doomed&a=${n}&b=${n}&time=${n}`,
      async () => {
        for (let n = 0; n < 12; n += 1) {
          const [component] = await manage.list('component', 'id=Doomed')
          if (component) {
            const { status } = await manage.ask('DELETE', `/api/component/${component.uid}`)
            assert.ok([200, 202, 404].includes(status), String(status))
          }
          await new Promise((resolve) => setTimeout(resolve, 30))
        }
      },
    )
    assert.ok(acknowledged.length > 12)
    assert.equal(await orphans(), 0)
    await stored(0, 'compId=Doomed&a=1&time=0')
    await stored(1, 'compId=Doomed&a=2&time=-1')
    const lines = await linesOf(service, 'Doomed')
    assert.ok(lines.includes('a 0=1') && lines.includes('a -1=2'))
    const [{ count }] = await service.sql<[{ count: number }]>`
      select count(*)::integer as count from component where id = 'Doomed'`
    assert.equal(count, 1)
  })

  it('is judged by the type that a stream has when it comes', async () => {
    const { stream } = await manage.make('component', { id: 'Typed', stream: [{ id: 'a' }, { id: 'b' }] })
    // Both servers remember a DOUBLE.
    for (const n of [0, 1]) await stored(n, 'compId=Typed&b=1')
    assert.equal((await manage.ask('PUT', `/api/stream/${stream[0]!.uid}`, { valueType: 'STRING' })).status, 200)
    for (const n of [0, 1]) await stored(n, `compId=Typed&a=warm&time=${n}`)
    assert.deepEqual((await linesOf(service, 'Typed')).slice(0, 2), ['a 1="warm"', 'a 0="warm"'])
    assert.equal((await manage.ask('PUT', `/api/stream/${stream[0]!.uid}`, { valueType: 'LONG' })).status, 409)
  })

  it('keeps to a deletion of samples that went on meanwhile', async () => {
    await stored(0, 'compId=Cleared&a=1&time=1')
    const acknowledged = await uploadDuring(
      (n) => `compId=Cleared&a=${n}&time=${1000 + n}`,
      async () => {
        for (let n = 0; n < 5; n += 1) {
          const { status } = await manage.ask('DELETE', '/api/comp/Cleared/stream/a/feed?sd=0&ed=1000')
          assert.equal(status, 200)
          await stored(n, 'compId=Cleared&a=1&time=1')
        }
      },
    )
    const lines = await linesOf(service, 'Cleared')
    assert.equal(lines.length, Math.min(1000, acknowledged.length + 1))
  })
})
