// Deriving on request and trying expressions (docs/derived.md#derive-on-request), over HTTP: what is refused, how far it
// is, who may, and what it costs whom.
import assert from 'node:assert/strict'
import { transaction } from '../../src/base/database/sql.ts'
import { busy } from '../../src/base/errors.ts'
import type { Capability } from '../../src/core/api-key.ts'
import { openDeriver } from '../../src/core/derive/deriver.ts'
import { usualLimits } from '../../src/core/derive/pass.ts'
import { openRequestWork } from '../../src/core/derive/request.ts'
import { compileDerivation } from '../../src/gsql/derivation.ts'
import { openDerivation } from '../support/derive.ts'
import { addPerson, clientWith } from '../support/http.ts'
import type { Manager } from '../support/manage.ts'
import { openManager } from '../support/manage.ts'
import { addApiKey, addOrganization, addToken, addUser } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

describe('deriving on request', () => {
  let service: TestService
  let manage: Manager
  let derive: () => Promise<void>
  let uid: string
  let componentUid: string
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
    derive = openDerivation(service)
    await service.put('/api/feed?compId=src&a=1,2,3,4&b=10,20,30,40&time=1000,2000,3000,4000')
    const [component] = await manage.list('component', 'id=src')
    componentUid = component!.uid
    uid = (await manage.make('stream', { componentUid, id: 'd', ...sum })).uid
  })
  after(() => service.close())

  const sum = {
    expression: 'a + b',
    variables: [
      { name: 'a', streamId: 'a' },
      { name: 'b', streamId: 'b' },
    ],
  }
  const path = () => `/api/stream/${uid}/derive`
  const dataOf = async () =>
    ((await service.get('/api/comp/src/stream/d/feed')).json as { data: unknown }[])
      .map(({ data }) => data)
      .toReversed()

  it('is refused for what is no span, no derived stream, or not there', async () => {
    const plain = (await manage.one('component', componentUid)).stream[0]!
    const template = await manage.make('template', {
      id: 't',
      stream: [{ id: 'a' }, { id: 'd', ...sum, expression: 'a', variables: [sum.variables[0]] }],
    })
    for (const [status, at, body] of [
      [400, path(), { from: 2, to: 1 }],
      [400, path(), { from: 1, to: 1 }],
      [400, path(), { from: 'yesterday' }],
      [400, path(), { from: 1.5 }],
      [400, path(), { from: 1e20 }],
      [400, path(), { since: 1 }],
      [400, path(), [1, 2]],
      [400, `${path()}?wiat=false`, {}],
      [400, `/api/stream/${plain.uid}/derive`, {}],
      [400, `/api/stream/${template.stream[1]!.uid}/derive`, {}],
      [404, '/api/stream/nobody/derive', {}],
    ] as const) {
      const answer = await manage.ask('POST', at, body)
      assert.equal(answer.status, status, JSON.stringify([body, answer.body]))
    }
    assert.equal((await manage.ask('DELETE', path())).status, 409)
    assert.deepEqual(await manage.ask('GET', path()), {
      status: 200,
      body: { success: true, message: '', derive: null },
    })
  })

  it('waits for its turn, is one at a time for a stream, and can be cancelled', async () => {
    const asked = await manage.ask('POST', `${path()}?wait=false`, { from: 1000, to: 3000 })
    assert.equal(asked.status, 200)
    const { derive: request } = asked.body as { derive: Record<string, unknown> }
    const { start, ...rest } = request
    assert.equal(typeof start, 'number')
    assert.deepEqual(rest, { from: 1000, to: 3000, reached: null, end: null, cancelled: false, error: null })
    assert.equal((await manage.ask('POST', `${path()}?wait=false`, {})).status, 409)
    const cancelled = (await manage.ask('DELETE', path())).body as { derive: Record<string, unknown> }
    assert.equal(cancelled.derive['cancelled'], true)
    assert.notEqual(cancelled.derive['end'], null)
    await derive()
    assert.deepEqual(await dataOf(), [])
    assert.equal((await manage.ask('DELETE', path())).status, 409)
  })

  it('answers when it has ended, and shows how far it came', async () => {
    const asked = manage.ask('POST', path(), { from: 2000, to: 4000 })
    await eventually(async () => {
      const { body } = await manage.ask('GET', path())
      return !(body as { derive: { cancelled: boolean } }).derive.cancelled
    })
    await derive()
    const { status, body } = await asked
    assert.equal(status, 200)
    const { success, derive: request } = body as { success: boolean; derive: Record<string, unknown> }
    assert.equal(success, true)
    assert.deepEqual([request['from'], request['reached'], request['to']], [2000, 4000, 4000])
    assert.deepEqual(await dataOf(), [22, 33])
    await manage.ask('POST', `${path()}?wait=false`, {})
    await derive()
    assert.deepEqual(await dataOf(), [11, 22, 33, 44])
  })

  it('goes on where it was when the server that worked on it is lost', async () => {
    const count = 12_000
    const { stream } = await manage.make('component', {
      id: 'long',
      stream: [{ id: 'a' }, { id: 'd', expression: 'a + 1', variables: [{ name: 'a', streamId: 'a' }] }],
    })
    await service.sql`
      insert into sample (stream_key, time, num)
      select stream.key, to_timestamp(n), n from stream, generate_series(1, ${count}) as n where uid = ${stream[0]!.uid}`
    const at = `/api/stream/${stream[1]!.uid}/derive`
    const to = (count + 1) * 1000
    await manage.ask('POST', `${at}?wait=false`, { from: 0, to })
    const shown = async () => ((await manage.ask('GET', at)).body as { derive: Record<string, number | null> }).derive
    const { clock } = service.service.world
    const deriver = openDeriver(clock, compileDerivation)
    const begun: number[] = []
    const lost = openRequestWork({
      ...deriver,
      deriveSpan: (pool, span, onProgress) =>
        deriver.deriveSpan(pool, span, async (reachedMs) => {
          await onProgress(reachedMs)
          throw busy('the database is away')
        }),
    })
    await assert.rejects(
      lost(service.sql, () => clock.now()),
      /the database is away/,
    )
    const { reached, end } = await shown()
    assert.ok(reached! > 0 && reached! < to, String(reached))
    assert.equal(end, null)
    const other = openRequestWork({
      ...deriver,
      deriveSpan: (pool, span, onProgress, signal) => {
        begun.push(span.fromMs)
        return deriver.deriveSpan(pool, span, onProgress, signal)
      },
    })
    while (await other(service.sql, () => clock.now()));
    assert.equal(begun[0], reached)
    const [row] = await service.sql<[{ samples: number }]>`
      select count(*)::integer as samples
      from sample
      where stream_key = (select key from stream where uid = ${stream[1]!.uid})`
    assert.equal(row.samples, count)
    assert.equal((await shown())['reached'], to)
  })

  it('ends, however many others wait, where a piece takes longer than a turn', async () => {
    const owner = await addUser(service.sql, 'crowd@example.com')
    const other = await addOrganization(service.sql, 'crowd', owner)
    const managers = [manage, await openManager({ ...service, organizationUid: other.uid })]
    const asked: string[] = []
    for (let n = 0; n < 51; n += 1)
      for (const { ask, make } of managers) {
        const next = (name: string) => ({ expression: `${name} + 1`, variables: [{ name, streamId: name }] })
        const stream = [{ id: 'a' }, { id: 'd', ...next('a') }, { id: 'e', ...next('d') }]
        const component = await make('component', { id: `crowd${n}`, stream })
        const derived = component.stream[1]!.uid
        asked.push(derived)
        assert.equal((await ask('POST', `/api/stream/${derived}/derive?wait=false`, { from: 0, to: 1 })).status, 200)
      }
    const { clock } = service.service.world
    const oneLevel = { partMs: 0, statementMs: 500 }
    const oneTurn = openRequestWork(openDeriver(clock, compileDerivation, usualLimits, oneLevel), 0)
    let turns = 0
    while (turns <= 4 * asked.length && (await oneTurn(service.sql, () => clock.now()))) turns += 1
    assert.deepEqual([turns <= 4 * asked.length, turns >= 2 * asked.length], [true, true], String(turns))
  })

  it('ends with the reason where the expression fails', async () => {
    await service.put('/api/feed?compId=bad&s=1,x,3&time=1000,2000,3000')
    const [component] = await manage.list('component', 'id=bad')
    const bad = await manage.make('stream', {
      componentUid: component!.uid,
      id: 'd',
      expression: 'Cast(s AS DOUBLE)',
      variables: [{ name: 's', streamId: 's' }],
    })
    await manage.ask('POST', `/api/stream/${bad.uid}/derive?wait=false`, {})
    await derive()
    const { body } = await manage.ask('GET', `/api/stream/${bad.uid}/derive`)
    const {
      success,
      message,
      derive: request,
    } = body as { success: boolean; message: string; derive: Record<string, unknown> }
    assert.equal(success, false)
    assert.match(message, /'x'/)
    assert.equal(request['error'], message)
    const { deriveError, staleFrom } = (await manage.one('stream', bad.uid)) as unknown as Record<string, unknown>
    assert.equal((deriveError as { time: number }).time, 2000)
    assert.equal(staleFrom, 2000)
  })

  it('is in the audit log, with its span', async () => {
    const { body } = await manage.ask('GET', `/api/audit?subject=${uid}&limit=1000`)
    const actions = (body as { audit: { action: string; detail: unknown }[] }).audit
    assert.ok(actions.some(({ action }) => action === 'stream.derive_cancel'))
    const asked = actions.filter(({ action }) => action === 'stream.derive').map(({ detail }) => detail)
    assert.deepEqual(asked.slice(1), [
      { from: 2000, to: 4000 },
      { from: 1000, to: 3000 },
    ])
  })

  it('follows the streams that are derived from it', async () => {
    await manage.make('stream', {
      componentUid,
      id: 'e',
      expression: 'd * 2',
      variables: [{ name: 'd', streamId: 'd' }],
    })
    await manage.ask('POST', `${path()}?wait=false`, {})
    await derive()
    const { json } = await service.get('/api/comp/src/stream/e/feed')
    assert.deepEqual(
      (json as { data: number }[]).map(({ data }) => data),
      [88, 66, 44, 22],
    )
  })

  it('needs the right to write the samples of its component', async () => {
    const rights = async (...rows: readonly Capability[]) => {
      const { secret } = await addApiKey(service.sql, service.organizationUid, rows)
      const call = clientWith(service, `api_key=${secret}`)
      const post = (await call('POST', `${path()}?wait=false`, { from: 0, to: 1 })).status
      await derive()
      return [post, (await call('GET', path())).status, (await call('DELETE', path())).status]
    }
    const feed = (resource: string, ...methods: Capability['methods']) => ({ resource, methods })
    assert.deepEqual(await rights(feed('component/*/feed', 'GET', 'PUT')), [200, 200, 409])
    assert.deepEqual(await rights(feed(`component/${componentUid}/feed`, 'GET', 'PUT')), [200, 200, 409])
    assert.deepEqual(await rights(feed('component/*/feed', 'GET')), [403, 200, 403])
    assert.deepEqual(await rights(feed('stream', 'GET', 'PUT', 'POST', 'DELETE')), [403, 403, 403])
    assert.deepEqual(
      await rights(feed('component/*/feed', 'GET', 'PUT'), feed(`component/${componentUid}`)),
      [403, 403, 403],
    )
    const { user } = await addPerson(service, 'member')
    for (const [scope, status] of [
      ['read', 403],
      ['read write', 200],
    ] as const) {
      const token = await addToken(service.sql, service.organizationUid, user, { scope })
      const call = clientWith(service, `access_token=${token}`)
      assert.equal((await call('POST', `${path()}?wait=false`, { from: 0, to: 1 })).status, status)
      await derive()
    }
  })

  it('needs no body: without one it is of everything that is behind', async () => {
    const { status, body } = await manage.ask('POST', `${path()}?wait=false`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal((await manage.ask('DELETE', path())).status, 200)
  })
})

describe('an expression that is tried', () => {
  let service: TestService
  let manage: Manager
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
    await service.put('/api/feed?compId=src&a=1,2,3,4&time=1000,2000,3000,4000')
    await service.put('/api/feed?compId=other&a=1&time=1000')
  })
  after(() => service.close())

  const a = { name: 'a', componentId: 'src', streamId: 'a' }
  const ask = (body: object) =>
    manage.ask('POST', '/api/stream/derive_test', { expression: 'a * 2', variables: [a], from: 0, to: 10_000, ...body })

  it('is refused where it could not be saved', async () => {
    for (const [body, message] of [
      [{ expression: undefined }, /a test needs expression, variables, from, to: /],
      [{ variables: [] }, /an expression needs variables/],
      [{ from: 5, to: 5 }, /from must be before to/],
      [{ expression: 'a +' }, /line 1, column 4: the expression ends too early/],
      [{ expression: 'b' }, /unknown variable 'b'/],
      [{ expression: '(SELECT 1)' }, /a query cannot stand/],
      [{ variables: [{ ...a, streamId: 'nope' }] }, /names no stream/],
      [{ variables: [{ ...a, componentId: 'nope' }] }, /names no stream/],
      [{ variables: [{ ...a, cycleId: 'eon' }] }, /names no cycle/],
      [{ variables: [{ name: 'a', streamId: 'a' }] }, /needs a componentId/],
      [{ valueType: 'LONG', expression: "'x'" }, /it gives a text/],
      [{ kind: 'interval' }, /has a baseCycleId/],
      [{ kind: 'point' }, /kind must be one of/],
      [{ limit: 5 }, /no member 'limit'/],
      [{ variables: Array.from({ length: 20_000 }, (_, n) => ({ ...a, name: `v${n}` })) }, /at most 100 elements/],
      [{ expression: 'a'.repeat(10_001) }, /at most 10000 characters/],
    ] as const) {
      const { status, body: told } = await ask(body)
      assert.equal(status, 400, JSON.stringify(told))
      assert.match(JSON.stringify(told), message)
    }
  })

  it('shows what it would give, and stores nothing', async () => {
    const before = await service.sql<{ count: number }[]>`select count(*)::integer as count from sample`
    const rows = [1, 2, 3, 4].map((n) => ({ time: n * 1000, data: n * 2 }))
    assert.deepEqual(await ask({}), { status: 200, body: { success: true, message: '', rows, more: false } })
    assert.deepEqual(((await ask({ from: 2000, to: 4000 })).body as { rows: unknown }).rows, rows.slice(1, 3))
    const mean = { ...a, name: 'm', cycleId: 'second', statistic: 'avg' }
    assert.deepEqual(((await ask({ expression: 'm', variables: [mean] })).body as { rows: unknown }).rows, [
      { time: 2000, data: 1 },
      { time: 3000, data: 2 },
      { time: 4000, data: 3 },
    ])
    assert.deepEqual(await service.sql`select count(*)::integer as count from sample`, before)
    assert.equal((await service.sql`select key from stream where expression is not null`).length, 0)
  })

  it('says why it fails, and where', async () => {
    await service.put('/api/feed?compId=src&t=1,x&time=1000,2000')
    const { status, body } = await ask({
      expression: 'Cast(t AS DOUBLE)',
      variables: [{ ...a, name: 't', streamId: 't' }],
    })
    assert.equal(status, 400)
    assert.match(JSON.stringify(body), /'x'/)
  })

  it('shows a thousand rows, and whether there are more', async () => {
    const count = 1500
    const samples = Array.from({ length: count }, (_, n) => ({ compId: 'long', streamId: 'a', data: n, time: n }))
    assert.equal((await service.put('/api/feed', JSON.stringify(samples))).status, 200)
    const { body } = await ask({ variables: [{ ...a, componentId: 'long' }] })
    const { rows, more } = body as { rows: unknown[]; more: boolean }
    assert.deepEqual([rows.length, more], [1000, true])
  })

  it('costs the same over all times as over those that there are', async () => {
    const { status, body } = await ask({ from: -62_135_596_800_000, to: 253_402_300_799_999 })
    assert.equal(status, 200, JSON.stringify(body))
    const interval = {
      kind: 'interval',
      baseCycleId: 'second',
      componentUid: (await manage.list('component', 'id=src'))[0]!.uid,
    }
    const rolled = await ask({ ...interval, from: -62_135_596_800_000, to: 253_402_300_799_999 })
    assert.equal(rolled.status, 200, JSON.stringify(rolled.body))
    assert.equal((rolled.body as { rows: unknown[] }).rows.length, 3)
  })

  it('ends with the client, however long it would go on', async () => {
    assert.equal((await service.put('/api/feed?compId=endless&a=1,2&time=1,2')).status, 200)
    const { secret } = await addApiKey(service.sql, service.organizationUid, [
      { resource: '*', methods: ['GET', 'PUT', 'POST', 'DELETE'] },
    ])
    const leaving = new AbortController()
    const body = { expression: 'a + 1', variables: [{ ...a, componentId: 'endless' }], from: 0, to: 100_000 }
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    let isHeld = () => {}
    const holding = new Promise<void>((resolve) => (isHeld = resolve))
    // It waits for this lock, for as long as it takes.
    const lock = transaction(service.sql, async (sql) => {
      await sql`lock table sample in access exclusive mode`
      isHeld()
      await held
    })
    await holding
    const asked = fetch(`${service.url}/api/stream/derive_test?api_key=${secret}`, {
      method: 'POST',
      body: JSON.stringify(body),
      signal: leaving.signal,
    }).then(
      ({ status }) => `answered ${status}`,
      () => 'left',
    )
    const running = async () => {
      const [row] = await service.sql<[{ count: number }]>`
        select count(*)::integer as count
        from pg_stat_activity
        where application_name = 'coppice reader' and state = 'active' and datname = current_database()`
      return row.count > 0
    }
    await eventually(running)
    leaving.abort()
    assert.equal(await asked, 'left')
    await eventually(async () => !(await running()))
    release()
    await lock
    assert.equal((await ask({})).status, 200)
  })

  it('reads only what the caller may read, and is no way around it', async () => {
    const [src] = await manage.list('component', 'id=src')
    const streams: Capability = { resource: 'stream', methods: ['GET', 'PUT', 'POST', 'DELETE'] }
    const own: Capability = { resource: `component/${src!.uid}/feed`, methods: ['GET'] }
    const { secret } = await addApiKey(service.sql, service.organizationUid, [streams, own])
    const call = clientWith(service, `api_key=${secret}`)
    const body = { expression: 'a', variables: [a], from: 0, to: 10_000 }
    assert.equal((await call('POST', '/api/stream/derive_test', body)).status, 200)
    const others = { ...body, variables: [{ ...a, componentId: 'other' }] }
    assert.equal((await call('POST', '/api/stream/derive_test', others)).status, 403)
    const nobody = { ...body, variables: [{ ...a, componentId: 'nobody' }] }
    assert.equal((await call('POST', '/api/stream/derive_test', nobody)).status, 403)
    const guest = await addPerson(service, 'guest')
    assert.equal((await guest.call('POST', '/api/stream/derive_test', body)).status, 403)
    const stranger = await addPerson(
      service,
      'owner',
      (await addOrganization(service.sql, 'Far', await addUser(service.sql, 'far@example.org'))).uid,
    )
    assert.equal((await stranger.call('POST', '/api/stream/derive_test', body)).status, 400)
  })
})
