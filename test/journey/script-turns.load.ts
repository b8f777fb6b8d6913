// Scripts that read streams and write samples, many at once (grammar/REFERENCE.md#tables): as if one came after the
// other, on one server and on two, and without losing an upload that comes between.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { transaction } from '../../src/base/database/sql.ts'
import { noteStreamChanges } from '../../src/core/sample/seen.ts'
import type { Service } from '../../src/service.ts'
import type { Client } from '../support/http.ts'
import { clientWith } from '../support/http.ts'
import { addApiKey, addMember, addSession, addUser } from '../support/people.ts'
import { openSecond } from '../support/second.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { isSomebodyWaiting } from '../support/database.ts'
import { eventually } from '../support/within.ts'

type Reply = Awaited<ReturnType<Client>>

describe('scripts that read and write at once', () => {
  let service: TestService
  let second: Service
  let call: Client
  let session: string
  let userUid: string
  before(async () => {
    service = await openTestService()
    second = await openSecond(service)
    const user = await addUser(service.sql, 'admin@example.org')
    await addMember(service.sql, service.organizationUid, user, 'admin')
    userUid = user.uid
    session = await addSession(service.sql, user)
    call = clientWith(service, `session=${session}`)
  })
  after(async () => {
    await second.close()
    await service.close()
  })

  const run = (s: string) => call('POST', '/api/gql', { s })
  const runElsewhere = async (s: string): Promise<Reply> => {
    const reply = await fetch(`${second.url}/api/gql?session=${session}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ s }),
    })
    return { status: reply.status, body: await reply.json(), headers: reply.headers }
  }
  const allWell = (replies: readonly Reply[]) =>
    assert.deepEqual(
      replies.filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${JSON.stringify(body)}`),
      [],
    )
  const valuesOf = async (path: string) => {
    const { json } = await service.get(`/api/comp/${path}/feed`)
    return (json as { data: number }[]).map(({ data }) => data)
  }
  const forty = Array.from({ length: 40 }, (_, index) => index)
  const addOne = (cid: string, id: string) =>
    `UPDATE SAMPLE SET SAMPLE = sample + 1 WHERE CID = '${cid}' AND ID = '${id}'`

  it('adds one forty times when forty add one', async () => {
    await service.put('/api/feed?compId=one&n=0&time=1000')
    allWell(await Promise.all(forty.map(() => run(addOne('one', 'n')))))
    assert.deepEqual(await valuesOf('one/stream/n'), [40])
  })

  it('adds one forty times when two servers do it', async () => {
    await service.put('/api/feed?compId=two&n=0&time=1000')
    allWell(await Promise.all(forty.map((index) => (index % 2 ? run : runElsewhere)(addOne('two', 'n')))))
    assert.deepEqual(await valuesOf('two/stream/n'), [40])
  })

  it('does so for a point stream', async () => {
    const stream = [{ id: 'p', kind: 'point', valueType: 'LONG' }]
    assert.equal((await call('POST', '/api/component', { id: 'point', stream })).status, 201)
    await service.put('/api/feed?compId=point&p=0')
    allWell(await Promise.all(forty.map((index) => (index % 2 ? run : runElsewhere)(addOne('point', 'p')))))
    assert.deepEqual(await valuesOf('point/stream/p'), [40])
  })

  it('counts on where each script appends to what it read last', async () => {
    await service.put('/api/feed?compId=log&n=0&time=1000')
    const append = (index: number) => `
      INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
      SELECT cid, id, endDate + 1, lastValue + 1 FROM Stream WHERE cid = 'log' AND id = 'n' -- ${index}`
    allWell(await Promise.all(forty.map((index) => (index % 2 ? run : runElsewhere)(append(index)))))
    assert.deepEqual(await valuesOf('log/stream/n'), [...forty, 40].toReversed())
  })

  it('lets no two scripts each write what the other has read before', async () => {
    for (const round of forty.slice(0, 10)) {
      await service.put(`/api/feed?compId=skew${round}&a=1&b=1&time=1000`)
      const leave = (mine: string, other: string) => `
        INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
        SELECT 'skew${round}', '${mine}', 1000, 0 FROM Stream WHERE cid = 'skew${round}' AND id = '${other}' AND lastValue = 1`
      allWell(await Promise.all([run(leave('a', 'b')), runElsewhere(leave('b', 'a'))]))
      const left = await valuesOf(`skew${round}`)
      assert.deepEqual(
        left.toSorted((a, b) => a - b),
        [0, 1],
      )
    }
  })

  it('loses neither an upload over the sample that it changes nor its own change', async () => {
    await service.put('/api/feed?compId=put&n=0&time=1000')
    // So many make it slow enough for an upload to come between.
    const many = Array.from({ length: 5000 }, (_, index) => ({ streamId: 'n', data: 1, time: 2000 + index }))
    await service.put('/api/feed?compId=put', JSON.stringify(many))
    for (const round of [1, 2, 3]) {
      const updating = run(addOne('put', 'n'))
      await sleep(20 * round)
      await service.put(`/api/feed?compId=put&n=${1000 * round}&time=1000`)
      allWell([await updating])
      const { json } = await service.get('/api/comp/put/stream/n/feed?sd=1000&ed=1001')
      const [{ data }] = json as [{ data: number }]
      // Before the upload or after it, never over it.
      assert.ok(data === 1000 * round || data === 1000 * round + 1, String(data))
    }
  })

  it('does not bring back a sample that was deleted while it ran', async () => {
    const many = Array.from({ length: 5000 }, (_, index) => ({ streamId: 'n', data: 1, time: 1000 + index }))
    await service.put('/api/feed?compId=gone', JSON.stringify(many))
    const updating = run(addOne('gone', 'n'))
    await sleep(20)
    const removed = await call('DELETE', '/api/comp/gone/stream/n/feed?sd=1000&ed=2000')
    assert.equal(removed.status, 200)
    allWell([await updating])
    const { json } = await service.get('/api/comp/gone/stream/n/feed?sd=1000&ed=2000')
    assert.deepEqual(json, [])
  })

  it('does not bring back a sample whose deletion had begun before it wrote, and ended later', async () => {
    await service.put('/api/feed?compId=going&n=1&time=1000')
    const [stream] = await service.sql<{ key: number; organizationKey: number }[]>`
      select stream.key, organization_key as "organizationKey" from stream
      join component on component.key = component_key where component.id = 'going'`
    let updating: ReturnType<typeof run>
    await transaction(service.sql, async (sql) => {
      await sql`delete from sample where stream_key = ${stream!.key}`
      await noteStreamChanges(sql, stream!.organizationKey, [stream!.key])
      updating = run(addOne('going', 'n'))
      await eventually(() => isSomebodyWaiting(service.sql))
    })
    allWell([await updating!])
    assert.deepEqual(await valuesOf('going/stream/n'), [])
  })

  it('lets uploads pass while a script runs, and does not make it run again for those it does not concern', async () => {
    await service.put('/api/feed?compId=slow&n=0&time=1000')
    const slow = `${addOne('slow', 'n')} AND Len(RPad('', 2000000, 'x')) > 0`
    const [script, ...uploads] = await Promise.all([
      run(slow),
      ...forty.map((index) => service.put(`/api/feed?compId=slow&other=${index}&time=${1000 + index}`)),
    ])
    allWell([script])
    assert.deepEqual(new Set(uploads.map(({ status }) => status)), new Set([200]))
    assert.deepEqual(await valuesOf('slow/stream/n'), [1])
  })

  it('keeps the writes of scripts that delete, change and insert the same streams at once', async () => {
    await service.put('/api/feed?compId=mix&n=0&time=1000')
    const take = `
      INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'mix', 'taken', Coalesce(Max(time), 0) + 1, 1
        FROM Stream WHERE cid = 'mix' AND id = 'taken';
      DELETE FROM SAMPLE WHERE CID = 'mix' AND ID = 'n' AND TIME = (SELECT Min(time) FROM Stream WHERE cid = 'mix' AND id = 'n' AND sample(Range(last=1000)) >= 0)`
    const queue = Array.from({ length: 20 }, (_, index) => ({ streamId: 'n', data: index, time: 1000 + index }))
    await service.put('/api/feed?compId=mix', JSON.stringify(queue))
    allWell(await Promise.all(forty.slice(0, 20).map((index) => (index % 2 ? run : runElsewhere)(take))))
    assert.deepEqual(await valuesOf('mix/stream/n'), [])
    assert.equal((await valuesOf('mix/stream/taken')).length, 20)
  })

  it('counts the memory of a script anew each time that it is run again', async () => {
    await service.put('/api/feed?compId=again&n=0&time=1000')
    // With the text that it was sent, it holds 112 MiB of the 192 that it may.
    const sql = `${forty
      .slice(0, 6)
      .map((index) => `SET @a${index} = @HTTP_BODY;`)
      .join('')} ${addOne('again', 'n')}`
    const connector = { name: 'again', endpoint: 'again', runAsUserUid: userUid, sql }
    assert.equal((await call('POST', '/api/connector', connector)).status, 201)
    const sinks = { resource: 'connector/*/sink', methods: ['PUT'] } as const
    const { secret } = await addApiKey(service.sql, service.organizationUid, [sinks])
    const path = `/api/conn_sink/${service.organizationUid}/again?api_key=${secret}`
    const isWaiting = async () => {
      const rows = await service.sql`
        select from pg_stat_activity
        where query like '%lock_script_turn%' and wait_event = 'advisory' and datname = current_database()`
      return rows.length > 0
    }
    const running = await transaction(service.sql, async (inside) => {
      await inside`
        select lock_script_turn(key, 1000) from organization where uid = ${service.organizationUid}`
      const pushed = service.put(path, 'x'.repeat(8 * 1024 * 1024))
      await eventually(isWaiting)
      assert.equal((await service.put('/api/feed?compId=again&n=1000&time=1000')).status, 200)
      return [pushed]
    })
    const { status, text } = await running[0]!
    assert.deepEqual({ status, text }, { status: 200, text: '{"success":true,"message":"","inserted":0,"updated":1}' })
    assert.deepEqual(await valuesOf('again/stream/n'), [1001])
  })
})
