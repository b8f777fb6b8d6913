// The order of judgement in the management API (docs/replies.md#order-of-judgement): 401, then 400 of the request's
// form, then 403, then 404.
import assert from 'node:assert/strict'
import type { Client } from '../support/http.ts'
import { addPerson, clientWith } from '../support/http.ts'
import { addApiKey, testPassword } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

type Row = {
  readonly good: object
  /** Bodies of which no entity of the kind can be made. */
  readonly bad: readonly object[]
  /** Bodies that change no existing one; those that differ from `bad`. */
  readonly badChange: readonly object[]
}

const variables = [{ name: 'x', streamId: 'a' }]

const rows: Readonly<Record<string, Row>> = {
  component: {
    good: { id: 'x', stream: [{ id: 's' }] },
    bad: [{}, { id: 7 }, { id: 'x', stream: [{}] }, { id: 'x', stream: [{ id: 's', kind: 'interval' }] }],
    badChange: [{ folder: '/Elsewhere' }, { stream: [{ uid: 'a' }, { description: 'new, without a name' }] }],
  },
  template: {
    good: { id: 'x' },
    bad: [{}, { id: 'x', stream: [{ id: 's', expression: 'x' }] }, { id: 'x', fromComponentUid: 7 }],
    badChange: [
      { fromComponentUid: 'only when made' },
      { stream: [{ id: 's', expression: 'x', variables: [{ ...variables[0], componentId: 'other' }] }] },
    ],
  },
  stream: {
    good: { componentUid: 'none', id: 's' },
    bad: [
      { id: 's' },
      { id: 's', componentUid: 'a', templateUid: 'b' },
      { componentUid: 'none' },
      { componentUid: 'none', id: 's', kind: 'point', valueType: 'FILE' },
      { componentUid: 'none', id: 's', variables },
    ],
    badChange: [{ position: 0 }, { expression: 'x', variables: [...variables, ...variables] }],
  },
  cycle: {
    good: { id: 'x', size: 1, unit: 'day' },
    bad: [
      { id: 'x', size: 1 },
      { size: 1, unit: 'day' },
    ],
    badChange: [{ reference: '2026-02-30T00:00:00' }],
  },
  unit: { good: { id: 'x' }, bad: [{}, { id: 'x', colour: 'red' }], badChange: [{ numberFormat: 'two' }] },
  folder: { good: { path: '/Components/x' }, bad: [{}, { path: '/x' }], badChange: [{ path: '/Components//x' }] },
  user: {
    good: { email: 'x@example.org', password: testPassword },
    bad: [{}, { email: 'nobody' }, { email: 'x@example.org', password: 'short' }],
    badChange: [{ role: 'king' }],
  },
  api_key: {
    good: { name: 'x' },
    bad: [{}, { name: 'x', capabilities: [{ resource: 'moon' }] }],
    badChange: [{ secret: 'another secret' }],
  },
  oauth_client: {
    good: { name: 'x', redirectUris: ['https://a.example/'] },
    bad: [{ name: 'x' }, { redirectUris: ['https://a.example/'] }, { name: 'x', redirectUris: ['a'] }],
    badChange: [{ redirectUris: [] }],
  },
}

describe('the management API', () => {
  let service: TestService
  let asGuest: Client
  let asAdmin: Client
  before(async () => {
    service = await openTestService()
    asGuest = (await addPerson(service, 'guest')).call
    asAdmin = (await addPerson(service, 'admin')).call
  })
  after(() => service.close())

  const statusOf = async (call: Client, method: string, path: string, input?: unknown) =>
    (await call(method, path, input)).status
  const asNobody: Client = (method, path, input) => clientWith(service, 'session=none')(method, path, input)

  for (const [name, { good, bad, badChange }] of Object.entries(rows)) {
    it(`judges a new ${name} by its form before the right to make it`, async () => {
      const post = (call: Client, input: unknown) => statusOf(call, 'POST', `/api/${name}`, input)
      for (const input of [[], { uid: 'x', surprise: 1 }, ...bad]) {
        assert.equal(await post(asNobody, input), 401)
        assert.equal(await post(asGuest, input), 400, JSON.stringify(input))
      }
      assert.equal(await post(asGuest, good), 403)
    })

    it(`judges a change of a ${name} by its form, then the right, then whether there is one`, async () => {
      const put = (call: Client, input: unknown) => statusOf(call, 'PUT', `/api/${name}/none`, input)
      for (const input of [[], { surprise: 1 }, ...badChange])
        assert.equal(await put(asGuest, input), 400, JSON.stringify(input))
      assert.equal(await put(asGuest, {}), 403)
      assert.equal(await put(asAdmin, {}), 404)
      assert.equal(await statusOf(asGuest, 'DELETE', `/api/${name}/none`), 403)
      assert.equal(await statusOf(asAdmin, 'DELETE', `/api/${name}/none`), 404)
    })
  }

  it('judges a list by its form before the right to read it', async () => {
    const asFeeder = clientWith(service, `api_key=${service.apiKey}`)
    for (const name of [...Object.keys(rows), 'organization', 'audit']) {
      for (const query of ['start=-1', 'limit=0', 'text=%00'])
        assert.equal(await statusOf(asFeeder, 'GET', `/api/${name}?${query}`), 400, `${name} ${query}`)
      assert.equal(await statusOf(asFeeder, 'GET', `/api/${name}`), 403)
    }
    for (const query of ['component?folder=/x', 'component?id=%00', 'stream?componentUid=%00'])
      assert.equal(await statusOf(asFeeder, 'GET', `/api/${query}`), 400, query)
  })

  it('judges a key for one component by the form, then says 403 for every other, existing or not', async () => {
    await service.put('/api/feed?compId=Own&s=1')
    await service.put('/api/feed?compId=Other&s=1')
    const uidOf = async (id: string) =>
      (await service.sql<[{ uid: string }]>`select uid from component where id = ${id}`)[0].uid
    const own = await uidOf('Own')
    const methods = ['GET', 'PUT', 'DELETE'] as const
    const { secret } = await addApiKey(service.sql, service.organizationUid, [
      { resource: `component/${own}`, methods },
    ])
    const asKey = clientWith(service, `api_key=${secret}`)
    for (const uid of [await uidOf('Other'), 'none']) {
      assert.equal(await statusOf(asKey, 'PUT', `/api/component/${uid}`, { name: '' }), 400)
      for (const method of methods)
        assert.equal(await statusOf(asKey, method, `/api/component/${uid}`, method === 'PUT' ? {} : undefined), 403)
    }
    assert.equal(await statusOf(asKey, 'PUT', `/api/component/${own}`, { name: 'Mine' }), 200)
    assert.equal(await statusOf(asKey, 'DELETE', `/api/component/${own}`), 202)
    assert.equal(await statusOf(asKey, 'DELETE', `/api/component/${own}`), 404)
  })

  it('judges an organization by its form, then the right, then whether there is one', async () => {
    const own = `/api/organization/${service.organizationUid}`
    const asKey = clientWith(service, `api_key=${service.apiKey}`)
    for (const path of [own, '/api/organization/none'])
      for (const call of [asGuest, asKey]) {
        assert.equal(await statusOf(asNobody, 'PUT', path, { name: '' }), 401)
        assert.equal(await statusOf(call, 'PUT', path, { name: '' }), 400)
      }
    assert.equal(await statusOf(asGuest, 'PUT', own, { name: 'x' }), 403)
    // A guest's missing right is not the reason: an organization of others does not exist.
    assert.equal(await statusOf(asGuest, 'PUT', '/api/organization/none', { name: 'x' }), 404)
    for (const path of [own, '/api/organization/none'])
      for (const method of ['GET', 'PUT', 'DELETE'])
        assert.equal(await statusOf(asKey, method, path, method === 'PUT' ? {} : undefined), 403)
    assert.equal(await statusOf(asKey, 'POST', '/api/organization', {}), 400)
    assert.equal(await statusOf(asKey, 'POST', '/api/organization', { name: 'x' }), 403)
  })
})
