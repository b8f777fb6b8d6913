// Derived streams as a client sees them (docs/derived.md): what stops them, what they wait for, and what they give.
import assert from 'node:assert/strict'
import { openDerivation } from '../support/derive.ts'
import { addPerson } from '../support/http.ts'
import type { Manager } from '../support/manage.ts'
import { openManager } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

const hourMs = 3_600_000

describe('derived streams', () => {
  let service: TestService
  let manage: Manager
  let derive: () => Promise<void>
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
    derive = openDerivation(service)
  })
  after(() => service.close())

  type Shown = {
    readonly uid: string
    readonly staleFrom: number | null
    readonly deriveError: { readonly at: number; readonly time: number; readonly message: string } | null
  }
  /** Streams of a new component, by ID. */
  const make = async (id: string, stream: readonly object[]): Promise<Readonly<Record<string, string>>> => {
    const made = await manage.make('component', { id, stream })
    return Object.fromEntries(made.stream.map((each) => [each.id!, each.uid]))
  }
  const from = (expression: string, ...variables: readonly (string | object)[]) => ({
    expression,
    variables: variables.map((each) => (typeof each === 'string' ? { name: each, streamId: each } : each)),
  })
  const stateOf = async (uid: string) => (await manage.one('stream', uid)) as unknown as Shown
  const put = async (query: string) => {
    const { status, text } = await service.put(`/api/feed?${query}`)
    assert.equal(status, 200, text)
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  }
  /** The samples, the earliest first. */
  const samples = async (path: string) =>
    ((await service.get(`/api/comp/${path}/feed`)).json as { time: number; data: unknown }[])
      .map(({ time, data }) => [time, data])
      .toReversed()
  const metric = async (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec((await service.get('/metrics')).text)![1])
  const rederive = async (uid: string, body: object = {}) => {
    const asked = await manage.ask('POST', `/api/stream/${uid}/derive?wait=false`, body)
    assert.equal(asked.status, 200, JSON.stringify(asked.body))
    await derive()
    return (await manage.ask('GET', `/api/stream/${uid}/derive`)).body as {
      success: boolean
      derive: Record<string, unknown>
    }
  }

  it('stop where an expression fails, say so, and leave uploads alone', async () => {
    const { d } = await make('failing', [
      { id: 's', valueType: 'STRING' },
      { id: 'd', ...from('Cast(s AS DOUBLE)', 's') },
      { id: 'e', ...from('d * 2', 'd') },
    ])
    await put('compId=failing&s=1,2,x,4&time=1000,2000,3000,4000&derMaxS&derTout')
    await derive()
    assert.deepEqual(await samples('failing/stream/d'), [
      [1000, 1],
      [2000, 2],
    ])
    assert.deepEqual(await samples('failing/stream/e'), [
      [1000, 2],
      [2000, 4],
    ])
    const { deriveError, staleFrom } = await stateOf(d!)
    assert.equal(deriveError!.time, 3000)
    assert.match(deriveError!.message, /'x'/)
    assert.ok(Math.abs(deriveError!.at - Date.now()) < 600_000)
    assert.equal(staleFrom, null)
    assert.equal(await metric('coppice_derive_failing_streams'), 1)

    await put('compId=failing&s=5&time=5000')
    await derive()
    assert.equal((await samples('failing/stream/d')).length, 2)

    await put('compId=failing&s=3&time=3000')
    await derive()
    assert.deepEqual(
      (await samples('failing/stream/e')).map(([, data]) => data),
      [2, 4, 6, 8, 10],
    )
    assert.equal((await stateOf(d!)).deriveError, null)
    assert.equal(await metric('coppice_derive_failing_streams'), 0)
  })

  it('stop at a value that their type cannot hold', async () => {
    const { l } = await make('whole', [{ id: 'a' }, { id: 'l', valueType: 'LONG', ...from('a / 2', 'a') }])
    await put('compId=whole&a=2,4,5&time=1000,2000,3000')
    await derive()
    assert.deepEqual(await samples('whole/stream/l'), [
      [1000, 1],
      [2000, 2],
    ])
    assert.equal((await stateOf(l!)).deriveError!.time, 3000)
  })

  it('go no further back by themselves: what comes late makes them stale, until they are derived anew', async () => {
    const { d } = await make('late', [{ id: 'a' }, { id: 'd', ...from('a + 1', 'a') }])
    await put('compId=late&a=1,3&time=1000,3000')
    await derive()
    assert.equal((await stateOf(d!)).staleFrom, null)
    await put('compId=late&a=2&time=2000')
    await derive()
    assert.deepEqual(await samples('late/stream/d'), [
      [1000, 2],
      [3000, 4],
    ])
    assert.equal((await stateOf(d!)).staleFrom, 2000)
    const { success, derive: request } = await rederive(d!)
    assert.equal(success, true)
    assert.equal(request['from'], 2000)
    assert.equal(request['reached'], request['to'])
    assert.deepEqual(
      (await samples('late/stream/d')).map(([, data]) => data),
      [2, 3, 4],
    )
    assert.equal((await stateOf(d!)).staleFrom, null)
  })

  it('keep what they have when a sample they were derived from is deleted or overwritten, and say since when', async () => {
    const { d } = await make('gone', [{ id: 'a' }, { id: 'd', ...from('a', 'a') }])
    await put('compId=gone&a=1,2,3&time=1000,2000,3000')
    await derive()
    assert.equal((await manage.ask('DELETE', '/api/comp/gone/stream/a/feed?sd=2000&ed=2001')).status, 200)
    await derive()
    assert.equal((await samples('gone/stream/d')).length, 3)
    assert.equal((await stateOf(d!)).staleFrom, 2000)
    await put('compId=gone&a=7&time=1000')
    await derive()
    assert.equal((await stateOf(d!)).staleFrom, 1000)
    await rederive(d!)
    assert.deepEqual(await samples('gone/stream/d'), [
      [1000, 7],
      [3000, 3],
    ])
  })

  it('leave to a request what was there when the expression was saved or changed', async () => {
    await put('compId=before&a=1,2&time=1000,2000')
    const [component] = await manage.list('component', 'id=before')
    const { uid } = await manage.make('stream', { componentUid: component!.uid, id: 'd', ...from('a * 10', 'a') })
    await put('compId=before&a=3&time=3000')
    await derive()
    assert.deepEqual(await samples('before/stream/d'), [[3000, 30]])
    assert.equal((await stateOf(uid)).staleFrom, 1000)
    await rederive(uid)
    assert.deepEqual(
      (await samples('before/stream/d')).map(([, data]) => data),
      [10, 20, 30],
    )
    assert.equal((await manage.ask('PUT', `/api/stream/${uid}`, from('a * 100', 'a'))).status, 200)
    assert.equal((await stateOf(uid)).staleFrom, 1000)
    await rederive(uid, { from: 2000 })
    assert.deepEqual(
      (await samples('before/stream/d')).map(([, data]) => data),
      [10, 200, 300],
    )
    assert.equal((await stateOf(uid)).staleFrom, 1000)
  })

  it('derive at once only with derMaxS and derTout, as many streams as the call allows', async () => {
    await make('chain', [
      { id: 'a' },
      { id: 'b', ...from('a + 1', 'a') },
      { id: 'c', ...from('b + 1', 'b') },
      { id: 'd', ...from('c + 1', 'c') },
    ])
    const last = 'rsid=b&rsid=c&rsid=d'
    const none = { b: null, c: null, d: null }
    assert.deepEqual(await put(`compId=chain&a=1&time=1000&${last}`), none)
    assert.deepEqual(await put(`compId=chain&a=1&time=1000&derMaxS=20&${last}`), none)
    assert.deepEqual(await put(`compId=chain&a=1&time=1000&derMaxS=20&derTout=0&${last}`), none)
    assert.deepEqual(await put(`compId=chain&a=1&time=1000&derTout=15000&${last}`), none)
    assert.deepEqual(await put(`compId=chain&a=1&time=1000&derMaxS=2&derTout&${last}`), { b: 2, c: 3, d: null })
    assert.deepEqual(await put(`compId=chain&a=5&time=2000&derMaxS&derTout&${last}`), { b: 6, c: 7, d: 8 })
    await derive()
    assert.deepEqual(await samples('chain/stream/d'), [
      [1000, 4],
      [2000, 8],
    ])
  })

  it('derive from samples of every door alike', async () => {
    await make('doors', [{ id: 'a' }, { id: 'd', ...from('-a', 'a') }])
    await put('compId=doors&a=1&time=1000')
    const json = JSON.stringify([{ compId: 'doors', streamId: 'a', data: 2, time: 2000 }])
    assert.equal((await service.put('/api/feed', json)).status, 200)
    const element = { componentId: 'doors', time: [3000], stream: [{ streamId: 'a', data: [3] }] }
    assert.equal((await service.put('/api/feed', JSON.stringify({ feed: { component: [element] } }))).status, 200)
    const { call, user } = await addPerson(service, 'member')
    const insert = (time: number) =>
      `INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'doors', 'a', ${time}, ${time / 1000}`
    assert.equal((await call('POST', '/api/gql', { s: insert(4000) })).status, 200)
    const sink = { type: 'http', name: 'x', endpoint: 'doors', runAsUserUid: user.uid, sql: insert(5000) }
    assert.equal((await manage.ask('POST', '/api/connector', sink)).status, 201)
    const pushed = await manage.ask('POST', `/api/conn_sink/${service.organizationUid}/doors`, {})
    assert.equal(pushed.status, 200, JSON.stringify(pushed.body))
    await derive()
    assert.deepEqual(
      (await samples('doors/stream/d')).map(([, data]) => data),
      [-1, -2, -3, -4, -5],
    )
  })

  it('have statistics, are read by scripts and are sources like any other', async () => {
    await put('compId=chain&a=9&time=3000')
    await derive()
    const { json } = await service.get('/api/comp/chain/stream/d/cycle/hour/stat/sum/feed')
    assert.deepEqual((json as { data: number }[])[0]!.data, 4 + 8 + 12)
    const { call } = await addPerson(service, 'member')
    const script = "SELECT sample(Range(last=1)) AS d FROM Stream WHERE cid = 'chain' AND id = 'd'"
    const { body } = await call('POST', '/api/gql', { s: script })
    assert.deepEqual((body as { rows: unknown }).rows, [[12]])
  })

  it('derive where all plain variables have a sample at the same time, and take those before by offsets', async () => {
    await make('same', [
      { id: 'a' },
      { id: 'b' },
      { id: 'sum', ...from('a + b', 'a', 'b') },
      { id: 'rise', ...from('a - p', 'a', { name: 'p', streamId: 'a', offset: -1 }) },
    ])
    await put('compId=same&a=1,2,4&time=1000,2000,3000')
    await put('compId=same&b=10,20&time=2000,4000')
    await derive()
    assert.deepEqual(await samples('same/stream/sum'), [[2000, 12]])
    assert.deepEqual(await samples('same/stream/rise'), [
      [2000, 1],
      [3000, 2],
    ])
  })

  it('take statistics of cycles, and derive at their ends where there is nothing else', async () => {
    await make('cycles', [
      { id: 'a' },
      { id: 'mean', ...from('a - m', 'a', { name: 'm', streamId: 'a', cycleId: 'hour' }) },
      { id: 'peak', ...from('m', { name: 'm', streamId: 'a', cycleId: 'hour', statistic: 'max' }) },
    ])
    const times = [0, 1, 2, 3].map((half) => (half * hourMs) / 2)
    await put(`compId=cycles&a=1,3,5,7&time=${times.join(',')}`)
    await derive()
    assert.deepEqual(await samples('cycles/stream/mean'), [
      [times[2], 3],
      [times[3], 5],
    ])
    assert.deepEqual(await samples('cycles/stream/peak'), [[hourMs, 3]])
  })

  it('roll variables up by base intervals, once all of them have reached the end, gaps included', async () => {
    await make('hours', [
      { id: 'a' },
      { id: 'b' },
      { id: 'd', kind: 'interval', baseCycleId: 'hour', ...from('a + b', 'a', 'b') },
    ])
    await put(`compId=hours&a=1,3,5&time=0,1000,${2 * hourMs}`)
    await put(`compId=hours&b=10,20&time=0,${hourMs}`)
    await derive()
    assert.deepEqual(await samples('hours/stream/d'), [[hourMs, 12]])
    await put(`compId=hours&b=30&time=${2 * hourMs}`)
    await derive()
    assert.deepEqual(await samples('hours/stream/d'), [
      [hourMs, 12],
      [2 * hourMs, null],
    ])
  })
})
