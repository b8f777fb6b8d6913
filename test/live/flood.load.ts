// A flood of samples in one organization (docs/live.md): others hear theirs, begin to listen and lose their rights as ever,
// and its own listeners get all of it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:http'
import { createInterface } from 'node:readline'
import type { LiveListener } from '../support/live.ts'
import { listen } from '../support/live.ts'
import { addApiKey, addOrganization, addUser } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

const rows = 60_000

describe('a flood that is listened to', () => {
  let service: TestService
  let other: { readonly organizationUid: string; readonly key: string }
  const listeners: LiveListener[] = []
  const rights = [{ resource: 'component/*/feed', methods: ['GET', 'PUT'] as const }]
  before(async () => {
    service = await openTestService()
    const { uid } = await addOrganization(service.sql, 'Other', await addUser(service.sql, 'other@example.com'))
    other = { organizationUid: uid, key: (await addApiKey(service.sql, uid, rights)).secret }
    await put('compId=Flood&x=0&time=1', service.apiKey)
    await put('compId=Calm&x=0&time=1', other.key)
  })
  after(() => service.close())
  afterEach(() => {
    for (const listener of listeners.splice(0)) listener.leave()
  })

  const put = async (query: string, key: string) => {
    const reply = await service.request('PUT', `/api/feed?${query}&api_key=${key}`)
    assert.equal(reply.status, 200, reply.text)
  }
  const live = async (query: string, key: string) => {
    const listener = await listen(`${service.url}/api/live?${query}&api_key=${key}`)
    listeners.push(listener)
    await listener.named('live')
    return listener
  }
  /** All in one moment, and nothing is stored but what listeners are shown. */
  const flood = () => service.sql`
    insert into live_journal (organization_key, stream_key, time, num)
    select organization_key, stream.key, to_timestamp(n), n
    from stream
    join component on component.key = component_key and component.id = 'Flood',
      generate_series(1, ${rows}) as n
    order by n`
  /** The listener of the flood, once it has got some of it; `isUnder` while there is more to come. */
  const openFlood = async () => {
    const listener = await live('compId=Flood', service.apiKey)
    await flood()
    await eventually(() => Promise.resolve(listener.samples.length > 1))
    return { isUnder: () => listener.samples.length <= rows, listener }
  }
  const has = ({ samples }: LiveListener, time: number) => samples.some((sample) => sample.time === time)
  const getsAll = async ({ samples }: LiveListener, before: number) => {
    await eventually(() => Promise.resolve(samples.length >= before + rows))
    const seen = samples.slice(before).map(({ data }) => data)
    assert.deepEqual(
      seen,
      Array.from({ length: rows }, (_, n) => n + 1),
    )
  }

  it('keeps no sample of another organization waiting', async () => {
    const calm = await live('compId=Calm', other.key)
    const { isUnder } = await openFlood()
    for (const time of [1000, 2000]) {
      await put(`compId=Calm&x=1&time=${time}`, other.key)
      await calm.until(() => has(calm, time))
    }
    assert.ok(isUnder(), 'the flood was over')
  })

  it('keeps nobody waiting who begins to listen to another organization', async () => {
    const { isUnder } = await openFlood()
    await live('compId=Calm', other.key)
    assert.ok(isUnder(), 'the flood was over')
  })

  it('keeps no listener whose key was revoked', async () => {
    const key = await addApiKey(service.sql, other.organizationUid, rights)
    const calm = await live('compId=Calm', key.secret)
    const { isUnder } = await openFlood()
    await service.sql`update api_key set enabled = false where uid = ${key.uid}`
    await eventually(() => Promise.resolve(calm.isEnded()))
    assert.match((await calm.named('end')).data, /"code":"unauthorized"/)
    assert.ok(isUnder(), 'the flood was over')
  })

  it('is given to its own listeners, each sample once and in order, and then they are live as before', async () => {
    const all = [await live('compId=Flood', service.apiKey), await live('folder=/Components', service.apiKey)]
    const before = all.map(({ samples }) => samples.length)
    await flood()
    for (const [at, listener] of all.entries()) await getsAll(listener, before[at]!)
    await put('compId=Flood&x=-1&time=5000', service.apiKey)
    for (const listener of all) {
      await listener.until(() => listener.samples.at(-1)!.data === -1)
      assert.deepEqual(
        listener.events.filter(({ event }) => event !== 'message').map(({ event }) => event),
        ['live'],
      )
    }
  })

  it('is given once and in order to a listener, too, that stops reading for a while', async () => {
    const address = `${service.url}/api/live?compId=Flood&api_key=${service.apiKey}`
    const [reply] = (await once(get(address, { agent: false }), 'response')) as [IncomingMessage]
    const lines = createInterface(reply)
    const seen: number[] = []
    lines.on('line', (line) => {
      const sample = /^data: .*"data":(-?\d+)/.exec(line)
      if (sample) seen.push(Number(sample[1]))
      if (seen.length === 20_000) lines.pause()
    })
    try {
      await eventually(() => Promise.resolve(seen.length === 1))
      const beside = await live('compId=Flood', service.apiKey)
      await flood()
      await getsAll(beside, 1)
      assert.ok(seen.length <= rows, 'it has read all')
      lines.resume()
      await eventually(() => Promise.resolve(seen.length > rows))
      await put('compId=Flood&x=-9&time=5500', service.apiKey)
      await eventually(() => Promise.resolve(seen.at(-1) === -9))
      assert.deepEqual(seen.slice(1), [...Array.from({ length: rows }, (_, n) => n + 1), -9])
    } finally {
      reply.destroy()
    }
  })

  it('reaches those who come while it is given, too: they miss nothing after their last values', async () => {
    const { isUnder, listener } = await openFlood()
    const late = await live('compId=Flood', service.apiKey)
    await put('compId=Flood&x=-2&time=6000', service.apiKey)
    assert.ok(isUnder(), 'the flood was over')
    for (const each of [listener, late])
      await eventually(() => Promise.resolve(each.samples.some(({ data }) => data === -2)))
    await put('compId=Flood&x=-3&time=7000', service.apiKey)
    for (const each of [listener, late]) {
      await each.until(() => each.samples.at(-1)!.data === -3)
      assert.equal(each.samples.filter(({ data }) => data === -2).length, 1)
    }
  })

  it('is cut off by a gap where its rows are gone before they are given, and others are not', async () => {
    const calm = await live('compId=Calm', other.key)
    const { isUnder, listener } = await openFlood()
    const [{ snapshot }] = await service.sql<[{ snapshot: string }]>`select pg_current_snapshot()::text as snapshot`
    await put('compId=Calm&x=1&time=8000', other.key)
    await calm.until(() => has(calm, 8000))
    assert.ok(isUnder(), 'the flood was over')
    await service.sql`update live_state set trimmed = ${snapshot}::text::pg_snapshot`
    await listener.named('gap')
    await put('compId=Flood&x=-4&time=9000', service.apiKey)
    await put('compId=Calm&x=1&time=9000', other.key)
    await listener.until(() => has(listener, 9000))
    await calm.until(() => has(calm, 9000))
    assert.deepEqual(
      calm.events.filter(({ event }) => event !== 'message').map(({ event }) => event),
      ['live'],
    )
  })
})
