// API keys in the management API (docs/access.md#api-keys), rule by rule.
import assert from 'node:assert/strict'
import { writableResources } from '../../src/access/capability.ts'
import type { Client } from '../support/http.ts'
import { addPerson, clientWith, messageIn } from '../support/http.ts'
import { addApiKey, addOrganization, addUser } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'

type Shown = { readonly uid: string; readonly secret?: string; readonly version: number }
const shownIn = (body: unknown) => (body as { api_key: Shown }).api_key

const feeds = [{ resource: 'component/*/feed', methods: ['GET', 'PUT'] as const }]

describe('managing API keys', () => {
  let service: TestService
  let call: Client
  const clock = openTestClock(Date.now())
  before(async () => {
    service = await openTestService({}, clock)
    call = (await addPerson(service, 'admin')).call
  })
  after(() => service.close())

  const make = async (input: object) => {
    const { status, body } = await call('POST', '/api/api_key', { name: 'a key', ...input })
    assert.equal(status, 201, JSON.stringify(body))
    return shownIn(body) as Required<Shown>
  }
  const put = (secret: string, id = 'Boiler') =>
    service.request('PUT', `/api/feed?compId=${id}&temp=1&api_key=${secret}`).then(({ status }) => status)
  const get = (secret: string, id = 'Boiler') =>
    service.request('GET', `/api/comp/${id}/feed?api_key=${secret}`).then(({ status }) => status)
  const uidOf = async (id: string) => {
    const [row] = await service.sql<{ uid: string }[]>`select uid from component where id = ${id}`
    return row!.uid
  }

  it('refuses members that make no key', async () => {
    for (const [input, message] of [
      [{}, 'an API key must have a name'],
      [
        { name: 'x', capabilities: [{ resource: 'moon', methods: [] }] },
        `resource 'moon' is not one of ${writableResources.join(', ')}; a uid may stand in place of a star or after a name`,
      ],
      [
        { name: 'x', addresses: ['localhost'] },
        "addresses[0] 'localhost' is not an address, nor a range such as 10.0.0.0/8",
      ],
      [
        { name: 'x', addresses: ['10.0.0.0/33'] },
        "addresses[0] '10.0.0.0/33' is not an address, nor a range such as 10.0.0.0/8",
      ],
      [
        { name: 'x', addresses: ['10.20/16'] },
        "addresses[0] '10.20/16' is not an address, nor a range such as 10.0.0.0/8",
      ],
      [{ name: 'x', secret: 'short' }, 'secret must have at least 8 characters'],
      [
        { name: 'x', secret: 'user:password' },
        'secret may have letters, digits and signs, but no blank, quote, comma, colon, semicolon or backslash',
      ],
      [{ name: 'x', enabled: 1 }, 'enabled must be true or false'],
      ...[0, clock.now()].map(
        (expires) =>
          [{ name: 'x', expires }, 'expires is in the past: to switch a key off, set enabled to false'] as const,
      ),
    ] as const) {
      const { status, body } = await call('POST', '/api/api_key', input)
      assert.deepEqual([status, messageIn(body)], [400, message])
    }
  })

  it('refuses a row for an unknown entity, and gives the uid of a component that was named by its ID', async () => {
    for (const id of ['Kiln 1', 'a/b', 'Kiln']) assert.equal((await call('POST', '/api/component', { id })).status, 201)
    const other = await addOrganization(service.sql, 'Elsewhere', await addUser(service.sql, 'elsewhere@example.org'))
    const rule = (what: string, given: string) =>
      `capabilities name a ${what} by its uid, not its ID, and '${given}' is none`
    for (const [resource, message] of [
      [
        'component/Kiln/feed',
        `${rule('component', 'Kiln')}: that is the ID of the component with the uid ${await uidOf('Kiln')}`,
      ],
      [
        'component/Kiln 1',
        `${rule('component', 'Kiln 1')}: that is the ID of the component with the uid ${await uidOf('Kiln 1')}`,
      ],
      [
        'component/a/b/feed',
        `${rule('component', 'a/b')}: that is the ID of the component with the uid ${await uidOf('a/b')}`,
      ],
      ['component/Nothing/property', `${rule('component', 'Nothing')}: there is no component with this uid`],
      [`organization/${other.uid}`, `${rule('organization', other.uid)}: there is no organization with this uid`],
      ...[
        'template',
        'stream',
        'cycle',
        'unit',
        'folder',
        'api_key',
        'oauth_client',
        'connector',
        'connection',
        'query',
        'dashboard',
        'user',
      ].map((entity) => [`${entity}/hour`, `${rule(entity, 'hour')}: there is no ${entity} with this uid`] as const),
    ] as const) {
      const { status, body } = await call('POST', '/api/api_key', {
        name: 'x',
        capabilities: [{ resource, methods: ['GET'] }],
      })
      assert.deepEqual([status, messageIn(body)], [400, message])
    }
  })

  it('keeps a row whose component has gone, when it is sent back as it was read', async () => {
    const made = await call('POST', '/api/component', { id: 'Brief' })
    const component = (made.body as { component: { uid: string } }).component.uid
    const capabilities = [{ resource: `component/${component}/feed`, methods: ['GET'] }]
    const { uid } = await make({ capabilities })
    assert.equal((await call('DELETE', `/api/component/${component}`)).status, 200)
    assert.equal((await call('PUT', `/api/api_key/${uid}`, { name: 'renamed', capabilities })).status, 200)
    assert.equal((await call('POST', '/api/api_key', { name: 'x', capabilities })).status, 400)
  })

  it('shows the secret when the key is made, and later only on request, which is written down', async () => {
    const { uid, secret } = await make({ capabilities: feeds })
    assert.match(secret, /^[A-Za-z0-9_-]{43}$/)
    for (const path of [`/api/api_key/${uid}`, '/api/api_key?limit=1000'])
      assert.equal(JSON.stringify((await call('GET', path)).body).includes(secret), false)
    const { status, body, headers } = await call('GET', `/api/api_key/${uid}/secret`)
    assert.deepEqual([status, body], [200, { success: true, message: '', secret }])
    assert.equal(headers.get('cache-control'), 'no-store')
    const audit = (await call('GET', '/api/audit?text=reveal')).body as {
      audit: readonly { action: string; subject: string }[]
    }
    assert.deepEqual(
      audit.audit.map(({ action, subject }) => [action, subject]),
      [['api_key.reveal', uid]],
    )
    assert.equal(JSON.stringify(audit).includes(secret), false)
  })

  it('takes a secret that devices already know, once', async () => {
    const { secret } = await make({ secret: 'device-key/7+=@!', capabilities: feeds })
    assert.equal(secret, 'device-key/7+=@!')
    assert.equal(await put(encodeURIComponent(secret)), 200)
    const again = await call('POST', '/api/api_key', { name: 'x', secret })
    assert.equal(again.status, 409)
  })

  it('reveals no secret to a key that may read everything', async () => {
    const { uid } = await make({ capabilities: feeds })
    const reader = await addApiKey(service.sql, service.organizationUid, [{ resource: '*', methods: ['GET'] }])
    const byKey = clientWith(service, `api_key=${reader.secret}`)
    assert.equal((await byKey('GET', `/api/api_key/${uid}`)).status, 200)
    assert.equal((await byKey('GET', `/api/api_key/${uid}/secret`)).status, 403)
  })

  it('does not know the keys of another organization', async () => {
    const stranger = await addUser(service.sql, 'stranger@example.org')
    const { uid: foreign } = await addOrganization(service.sql, 'Foreign', stranger)
    const { uid } = await addApiKey(service.sql, foreign, feeds)
    for (const path of [`/api/api_key/${uid}`, `/api/api_key/${uid}/secret`])
      assert.equal((await call('GET', path)).status, 404)
    assert.equal((await call('DELETE', `/api/api_key/${uid}`)).status, 404)
  })

  it('holds a change as soon as it is answered', async () => {
    const { uid, secret } = await make({ capabilities: feeds })
    assert.equal(await put(secret), 200)
    const change = (input: unknown) => call('PUT', `/api/api_key/${uid}`, input)
    await change({ capabilities: [{ resource: 'component/*/feed', methods: ['GET'] }] })
    assert.deepEqual([await put(secret), await get(secret)], [403, 200])
    await change({ addresses: ['192.0.2.1'] })
    assert.equal(await get(secret), 403)
    await change({ addresses: ['127.0.0.0/8', '::1'] })
    assert.equal(await get(secret), 200)
    await change({ enabled: false })
    assert.equal(await get(secret), 401)
    await change({ enabled: true })
    assert.equal(await get(secret), 200)
    assert.equal(await get(secret), 200)
    assert.equal((await change({ name: 'stale', version: 1 })).status, 409)
    assert.equal((await change({ secret: 'another-secret' })).status, 400)
    assert.equal((await call('DELETE', `/api/api_key/${uid}`)).status, 200)
    assert.equal(await get(secret), 401)
  })

  it('refuses a key once it has expired, and lets it be changed and read back', async () => {
    const { uid, secret } = await make({ capabilities: feeds, expires: clock.now() + 1000 })
    const change = async (input: unknown) => (await call('PUT', `/api/api_key/${uid}`, input)).status
    assert.equal(await put(secret), 200)
    clock.set(clock.now() + 1000)
    assert.equal(await put(secret), 401)
    const { body } = await call('GET', `/api/api_key/${uid}`)
    assert.equal(await change({ ...shownIn(body), name: 'expired' }), 200)
    assert.equal(await change({ expires: clock.now() - 1 }), 400)
    assert.equal(await change({ expires: null }), 200)
    assert.equal(await put(secret), 200)
  })

  it('keeps a key for one component to it, whether the other exists or not', async () => {
    const { secret: all } = await make({ capabilities: feeds })
    assert.deepEqual([await put(all, 'One'), await put(all, 'Two')], [200, 200])
    const resource = `component/${await uidOf('One')}/feed`
    const { secret } = await make({ capabilities: [{ resource, methods: ['GET', 'PUT'] }] })
    assert.deepEqual([await put(secret, 'One'), await get(secret, 'One')], [200, 200])
    assert.deepEqual([await put(secret, 'Two'), await get(secret, 'Two')], [403, 403])
    assert.deepEqual([await put(secret, 'Three'), await get(secret, 'Three')], [403, 403])
    const three = await service.sql`select from component where id = 'Three'`
    assert.equal(three.length, 0)
  })

  it('needs GET beside PUT for rsid, and PUT for asPut, whose key must not come by cookie', async () => {
    const { secret: writer } = await make({ capabilities: [{ resource: 'component/*/feed', methods: ['PUT'] }] })
    const { secret: reader } = await make({ capabilities: [{ resource: 'component/*/feed', methods: ['GET'] }] })
    const path = '/api/feed?compId=Boiler&temp=1'
    const status = async (method: string, query: string, headers: Record<string, string> = {}) =>
      (await service.request(method, `${path}${query}`, { headers })).status
    assert.equal(await status('PUT', `&api_key=${writer}`), 200)
    assert.equal(await status('PUT', `&rsid=temp&api_key=${writer}`), 403)
    assert.equal(await status('GET', `&asPut&api_key=${writer}`), 200)
    assert.equal(await status('GET', `&asPut&api_key=${reader}`), 403)
    assert.equal(await status('GET', '&asPut', { Cookie: `api_key=${writer}` }), 403)
    assert.equal(await status('PUT', '', { Cookie: `api_key=${writer}` }), 200)
  })
})
