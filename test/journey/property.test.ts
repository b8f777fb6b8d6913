// Component properties (docs/feeds.md#properties), rule by rule.
import assert from 'node:assert/strict'
import type { Client } from '../support/http.ts'
import { clientWith } from '../support/http.ts'
import { addApiKey } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

const path = '/api/comp/Boiler/property'
const answer = (component: object) => [{ message: '', component, success: true }]

describe('component properties', () => {
  let service: TestService
  let call: Client
  before(async () => {
    service = await openTestService()
    await service.put('/api/feed?compId=Boiler&compName=The%20boiler&temp=1')
    const rows = [{ resource: 'component/*/property', methods: ['GET', 'POST'] as const }]
    const { secret } = await addApiKey(service.sql, service.organizationUid, rows)
    call = clientWith(service, `api_key=${secret}`)
  })
  after(() => service.close())

  it('are those asked for by flags', async () => {
    for (const [query, component] of [
      ['', {}],
      ['?name', { name: 'The boiler' }],
      ['?description', { description: '' }],
      ['?Name&DESCRIPTION=true', { name: 'The boiler', description: '' }],
      ['?name=false', {}],
    ] as const)
      assert.deepEqual((await call('GET', `${path}${query}`)).body, answer(component), query)
  })

  it('refuse every other form of body with the one that is wanted, and change nothing', async () => {
    const form = 'the body must be [{"component":{"name":"N","description":"D"}}], with one of the two or both'
    for (const [input, message] of [
      [{}, form],
      [[], form],
      [[{}, {}], form],
      [[{}], form],
      [[{ component: [] }], 'component must be a JSON object'],
      [[{ component: { name: '' } }], 'name must not be empty'],
      [[{ component: { name: 7 } }], 'name must be a string'],
      [[{ component: { name: 'x'.repeat(513) } }], 'name must have at most 512 characters'],
      [[{ component: { description: 'x'.repeat(10_001) } }], 'description must have at most 10000 characters'],
      [[{ component: { name: 'x', id: 'y' } }], "component has no member 'id', it has name, description"],
      [[{ component: {}, stream: {} }], "the object has no member 'stream', it has message, success, component"],
    ] as const) {
      const { status, body } = await call('POST', path, input)
      assert.deepEqual([status, (body as { message: string }).message], [400, message])
    }
    assert.deepEqual((await call('GET', `${path}?name`)).body, answer({ name: 'The boiler' }))
  })

  it('are set, and answered with the values set', async () => {
    const name = 'x'.repeat(512)
    const set = await call('POST', path, [{ component: { name, description: 'In the cellar' } }])
    assert.deepEqual([set.status, set.body], [200, answer({ name, description: 'In the cellar' })])
    const described = await call('POST', path, [{ component: { description: '' } }])
    assert.deepEqual(described.body, answer({ description: '' }))
    assert.deepEqual((await call('GET', `${path}?name&description`)).body, answer({ name, description: '' }))
    assert.deepEqual((await call('POST', path, [{ component: {} }])).body, answer({}))
    const whole = (await call('GET', `${path}?name`)).body
    assert.equal((await call('POST', path, whole)).status, 200)
  })

  it('are set without a Content-Type too', async () => {
    const rows = [{ resource: 'component', methods: ['POST'] as const }]
    const { secret } = await addApiKey(service.sql, service.organizationUid, rows)
    const body = new Blob([JSON.stringify([{ component: { name: 'Plain' } }])])
    assert.equal((await service.request('POST', `${path}?api_key=${secret}`, { body })).status, 200)
  })

  it('are judged in order: credential, form, right, existence', async () => {
    const feedsOnly = clientWith(service, `api_key=${service.apiKey}`)
    const unknown = clientWith(service, 'api_key=unknown')
    assert.equal((await unknown('POST', path, [])).status, 401)
    assert.equal((await feedsOnly('POST', path, [])).status, 400)
    assert.equal((await feedsOnly('POST', path, [{ component: {} }])).status, 403)
    assert.equal((await feedsOnly('GET', '/api/comp/nothing/property')).status, 403)
    const missing = await call('GET', '/api/comp/nothing/property')
    assert.deepEqual(missing.body, {
      success: false,
      code: 'component_not_found',
      message: "component 'nothing' not found",
    })
    assert.equal((await call('POST', '/api/comp/nothing/property', [{ component: {} }])).status, 404)
  })
})

describe('the limits of properties and uploads', () => {
  let service: TestService
  before(async () => {
    const limit = { count: 3, seconds: 60 }
    service = await openTestService({
      rateLimits: { feed: limit, property: { count: 2, seconds: 60 }, file: limit, login: limit },
    })
  })
  after(() => service.close())

  it('hold for each device apart, and reads of feeds have none', async () => {
    const rows = [{ resource: 'component', methods: ['GET', 'PUT', 'POST'] as const }]
    const { secret } = await addApiKey(service.sql, service.organizationUid, rows)
    const ask = async (method: string, address: string, serial = '') => {
      const headers = serial === '' ? {} : { 'X-Forwarded-For': serial }
      return (await service.request(method, `${address}&api_key=${secret}`, { headers })).status
    }
    const put = (serial?: string) => ask('PUT', '/api/feed?compId=Boiler&temp=1', serial)
    assert.deepEqual([await put(), await put(), await put(), await put()], [200, 200, 200, 429])
    assert.deepEqual([await put('serial-1'), await put('serial-2')], [200, 200])
    assert.equal(await ask('GET', '/api/feed?asPut&compId=Boiler&temp=1'), 429)
    for (let time = 0; time < 5; time += 1) assert.equal(await ask('GET', '/api/comp/Boiler/feed?x'), 200)
    assert.deepEqual([await ask('GET', `${path}?name`), await ask('GET', `${path}?name`)], [200, 200])
    assert.equal(await ask('GET', `${path}?name`), 429)
  })

  it('say when to come back', async () => {
    const reply = await service.put('/api/feed?compId=Boiler&temp=1')
    assert.equal(reply.status, 200)
    await service.put('/api/feed?compId=Boiler&temp=1')
    await service.put('/api/feed?compId=Boiler&temp=1')
    const refused = await service.put('/api/feed?compId=Boiler&temp=1')
    assert.equal(refused.status, 429)
    assert.deepEqual(refused.json, { success: false, code: 'too_many_requests', message: 'more than 3 calls in 60 s' })
    const seconds = refused.headers.get('retry-after')
    assert.match(seconds ?? '', /^(5\d|60)$/)
    assert.equal(refused.headers.get('ratelimit'), `"feed";r=0;t=${seconds}`)
    assert.equal(refused.headers.get('ratelimit-policy'), '"feed";q=3;w=60')
    assert.equal(refused.headers.get('access-control-allow-origin'), '*')
  })
})
