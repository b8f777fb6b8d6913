// Nobody gives more than they have (docs/access.md#api-keys): the ways in which a key, or a person, could make
// themselves stronger.
import assert from 'node:assert/strict'
import type { Capability } from '../../src/core/api-key.ts'
import type { Method } from '../../src/core/caller.ts'
import type { Client, Person } from '../support/http.ts'
import { addPerson, clientWith, messageIn } from '../support/http.ts'
import { addApiKey, testPassword } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

const all: readonly Method[] = ['GET', 'PUT', 'POST', 'DELETE']
const every = [{ resource: '*', methods: all }]

describe('giving rights over HTTP', () => {
  let service: TestService
  let owner: Person
  let admin: Person
  before(async () => {
    service = await openTestService()
    owner = await addPerson(service, 'owner')
    admin = await addPerson(service, 'admin')
  })
  after(() => service.close())

  const keyWith = async (capabilities: readonly Capability[], more: Parameters<typeof addApiKey>[3] = {}) => {
    const { uid, secret } = await addApiKey(service.sql, service.organizationUid, capabilities, more)
    return { uid, secret, call: clientWith(service, `api_key=${secret}`) }
  }
  const refused = async (call: Client, method: string, path: string, input: unknown, message: RegExp) => {
    const { status, body } = await call(method, path, input)
    assert.equal(status, 403, JSON.stringify(body))
    assert.match(messageIn(body), message)
  }
  const sql = "INSERT INTO Sample (CID, ID, SAMPLE) SELECT 'a', 'b', 1"

  it('refuses a key that makes, or becomes, a key that may do more', async () => {
    const { uid, call } = await keyWith([{ resource: 'api_key', methods: all }])
    const rights = /may not GET component\/\*\/feed, and so cannot give that right/
    await refused(call, 'POST', '/api/api_key', { name: 'x', capabilities: every }, rights)
    await refused(call, 'PUT', `/api/api_key/${uid}`, { capabilities: every }, rights)
    const made = await call('POST', '/api/api_key', {
      name: 'weaker',
      capabilities: [{ resource: 'api_key', methods: ['GET'] }],
    })
    assert.equal(made.status, 201)
  })

  it('refuses a key that switches on, prolongs, opens or reveals a stronger one, but not one that renames or stops it', async () => {
    const strong = await keyWith(every, { enabled: false, addresses: ['10.0.0.1'], expiresMs: Date.now() + 60_000 })
    const { call } = await keyWith([
      { resource: 'api_key', methods: all },
      { resource: 'api_key/*/secret', methods: ['GET'] },
    ])
    const path = `/api/api_key/${strong.uid}`
    for (const change of [{ enabled: true }, { expires: null }, { addresses: [] }])
      await refused(call, 'PUT', path, change, /may not GET component/)
    await refused(call, 'GET', `${path}/secret`, undefined, /may not GET component/)
    for (const change of [{ name: 'renamed' }, { enabled: false }])
      assert.equal((await call('PUT', path, change)).status, 200)
  })

  it('refuses a key that makes a user, or sets a role, password or e-mail, beyond its own rights', async () => {
    const { call } = await keyWith([{ resource: 'user', methods: all }])
    const given = { email: 'made@example.org', password: testPassword }
    for (const role of ['guest', 'member', 'admin', 'owner'])
      await refused(call, 'POST', '/api/user', { ...given, role }, /may not|only an owner/)
    const member = await addPerson(service, 'guest')
    const path = `/api/user/${member.user.uid}`
    for (const change of [
      { role: 'admin' },
      { role: 'member' },
      { password: testPassword },
      { email: 'x@example.org' },
    ])
      await refused(call, 'PUT', path, change, /may not GET/)
    assert.equal((await call('PUT', path, { firstName: 'Ash' })).status, 200)
    const strong = await keyWith(every)
    assert.equal((await strong.call('POST', '/api/user', { ...given, role: 'member' })).status, 201)
    await refused(
      strong.call,
      'POST',
      '/api/user',
      { ...given, email: 'n@example.org', role: 'admin' },
      /may not GET api_key/,
    )
  })

  it('refuses an admin who makes owners, or takes over theirs', async () => {
    const given = { email: 'second@example.org', password: testPassword, role: 'owner' }
    await refused(admin.call, 'POST', '/api/user', given, /owner/)
    await refused(admin.call, 'PUT', `/api/user/${owner.user.uid}`, { password: testPassword }, /owner/)
  })

  it('refuses a key whose connector would run as somebody who may do more', async () => {
    const { call } = await keyWith([{ resource: 'connector', methods: all }])
    const given = { type: 'http', name: 'c', endpoint: 'taken-over', runAsUserUid: owner.user.uid, sql }
    await refused(call, 'POST', '/api/connector', given, /may not GET component\/\*\/feed/)
    const made = await admin.call('POST', '/api/connector', given)
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const { uid } = (made.body as { connector: { uid: string } }).connector
    const path = `/api/connector/${uid}`
    // Another script would do as that user what the caller may not.
    for (const change of [{ sql: `${sql};` }, { endpoint: 'elsewhere' }, { runAsUserUid: admin.user.uid }])
      await refused(call, 'PUT', path, change, /may not GET component\/\*\/feed/)
    assert.equal((await call('PUT', path, { name: 'renamed', enabled: false })).status, 200)
    await refused(call, 'PUT', path, { enabled: true }, /may not GET component/)
    const strong = await keyWith(every)
    assert.equal((await strong.call('PUT', path, { enabled: true })).status, 200)
  })

  it('refuses a key that changes a connector whose user has left, and may come back as anybody', async () => {
    const { call } = await keyWith([{ resource: 'connector', methods: all }])
    const { user } = await addPerson(service, 'guest')
    const given = { type: 'http', name: 'left', endpoint: 'left', runAsUserUid: user.uid, sql }
    const made = await admin.call('POST', '/api/connector', given)
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const path = `/api/connector/${(made.body as { connector: { uid: string } }).connector.uid}`
    assert.equal((await admin.call('DELETE', `/api/user/${user.uid}`)).status, 200)
    for (const change of [{ sql: `${sql};` }, { endpoint: 'elsewhere' }, { timeZone: 'Asia/Tokyo' }])
      await refused(call, 'PUT', path, change, /may not GET component\/\*\/feed/)
    assert.equal((await call('PUT', path, { name: 'renamed' })).status, 200)
    assert.equal((await admin.call('PUT', path, { sql: `${sql};` })).status, 200)
  })

  it('refuses a key whose client users could grant more than it has, and one that opens the organization', async () => {
    const { call } = await keyWith([
      { resource: 'oauth_client', methods: all },
      { resource: 'organization', methods: all },
    ])
    const given = { name: 'Watch', redirectUris: ['https://watch.example/back'] }
    await refused(call, 'POST', '/api/oauth_client', given, /may not GET component/)
    const made = await admin.call('POST', '/api/oauth_client', given)
    const { uid } = (made.body as { oauth_client: { uid: string } }).oauth_client
    for (const change of [{ redirectUris: ['https://other.example/back'] }, { secret: true }, { passwordLogin: true }])
      await refused(call, 'PUT', `/api/oauth_client/${uid}`, change, /may not GET component/)
    assert.equal((await call('PUT', `/api/oauth_client/${uid}`, given)).status, 200)
    await refused(
      call,
      'PUT',
      `/api/organization/${service.organizationUid}`,
      { public: true },
      /may not GET component/,
    )
  })

  it('refuses a key that would show values of a component it may not read by another expression', async () => {
    const make = async (input: object) =>
      (
        (await admin.call('POST', '/api/component', input)).body as {
          component: { uid: string; stream: { uid: string }[] }
        }
      ).component
    await make({ id: 'Secret', stream: [{ id: 'a' }] })
    const variables = [{ name: 'a', componentId: 'Secret', streamId: 'a' }]
    const own = await make({ id: 'Own', stream: [{ id: 'd', expression: 'if(a > 10, 1, 0)', variables }] })
    const { call } = await keyWith([
      { resource: `component/${own.uid}`, methods: all },
      { resource: 'stream', methods: all },
    ])
    const stream = own.stream[0]!.uid
    await refused(call, 'PUT', `/api/stream/${stream}`, { expression: 'a' }, /may not GET component/)
    await refused(
      call,
      'PUT',
      `/api/component/${own.uid}`,
      { stream: [{ uid: stream, expression: 'a' }] },
      /may not GET/,
    )
    assert.equal((await call('PUT', `/api/stream/${stream}`, { name: 'renamed' })).status, 200)
  })
})
