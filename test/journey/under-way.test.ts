// Calls that are under way while their caller is signed out, removed or given less: the body of one of them can be a
// minute on its way, a file's hours, and it must not do what its caller may do no more.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { randomToken } from '../../src/base/secret.ts'
import type { Role } from '../../src/core/caller.ts'
import type { User } from '../../src/core/user.ts'
import { addApiKey, addMember, addSession, addUser } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

type UnderWay = { readonly finish: () => Promise<{ readonly status: number | undefined; readonly text: string }> }

const everything = [{ resource: '*', methods: ['GET', 'PUT', 'POST', 'DELETE'] as const }]

describe('a call that is under way', () => {
  let service: TestService
  let admin: User
  let session: string
  let ownerSession: string
  before(async () => {
    service = await openTestService()
    const owner = await addUser(service.sql, `${randomToken()}@example.org`)
    await addMember(service.sql, service.organizationUid, owner, 'owner')
    ownerSession = await addSession(service.sql, owner)
  })
  after(() => service.close())
  beforeEach(async () => {
    admin = await addUser(service.sql, `${randomToken()}@example.org`)
    await addMember(service.sql, service.organizationUid, admin, 'admin')
    session = await addSession(service.sql, admin)
  })

  /** Resolves when the server has let the call in and waits for its body. */
  const begin = async (method: string, path: string, body: string): Promise<UnderWay> => {
    const call = request(`${service.url}${path}`, {
      method,
      agent: false,
      headers: { 'Content-Length': Buffer.byteLength(body), Expect: '100-continue' },
    })
    call.flushHeaders()
    await once(call, 'continue')
    return {
      finish: async () => {
        const answered = once(call, 'response') as Promise<[IncomingMessage]>
        call.end(body)
        const [response] = await answered
        return { status: response.statusCode, text: await text(response) }
      },
    }
  }
  const bySession = (path: string) => `${path}?session=${session}`
  const asOwner = async (method: string, path: string, body?: object) => {
    const reply = await service.request(method, `${path}?session=${ownerSession}`, { body: JSON.stringify(body) })
    assert.ok(reply.status < 300, reply.text)
  }
  const signOut = async () => assert.equal((await service.request('DELETE', bySession('/api/login'))).status, 200)
  const sql = "INSERT INTO SAMPLE(CID, ID, SAMPLE) SELECT 'Late', 'a', 1"

  const calls: readonly [string, string, (name: string) => unknown][] = [
    ['POST', '/api/api_key', (name) => ({ name, capabilities: everything })],
    ['POST', '/api/user', (name) => ({ email: `${name}@example.org`, password: 'a password', role: 'admin' })],
    ['POST', '/api/oauth_client', (name) => ({ name, redirectUris: ['https://a.example/'] })],
    ['POST', '/api/connector', (name) => ({ type: 'http', name, endpoint: name, runAsUserUid: admin.uid, sql })],
    ['POST', '/api/organization', (name) => ({ name })],
    ['POST', '/api/unit', (name) => ({ id: name })],
    ['POST', '/api/gql', () => ({ s: sql })],
    ['PUT', '/api/feed', () => [{ compId: 'Late', streamId: 'a', data: 1 }]],
    ['PUT', '/api/comp/Late/stream/f/feed/file/a.txt', () => 'a file'],
    ['POST', '/api/comp/Late/property', () => [{ component: { name: 'Late' } }]],
  ]
  for (const [method, path, bodyOf] of calls)
    it(`does nothing for a user who has signed out: ${method} ${path}`, async () => {
      const call = await begin(method, bySession(path), JSON.stringify(bodyOf(`late-${randomToken()}`)))
      await signOut()
      assert.deepEqual(await call.finish(), {
        status: 401,
        text: '{"success":false,"code":"unauthorized","message":"unknown session or token"}',
      })
      const made = await service.sql`
        select from audit where actor = ${`user ${admin.uid}`} and action not like 'user.log%'`
      assert.equal(made.length, 0)
      assert.equal((await service.get('/api/comp/Late/feed')).status, 404)
    })

  it('does nothing for a user who was removed from the organization', async () => {
    const call = await begin(
      'POST',
      bySession('/api/api_key'),
      JSON.stringify({ name: 'late', capabilities: everything }),
    )
    await asOwner('DELETE', `/api/user/${admin.uid}`)
    assert.equal((await call.finish()).status, 401)
  })

  it('does nothing for a key that was deleted, switched off or given less', async () => {
    const changes: readonly ((uid: string) => Promise<void>)[] = [
      (uid) => asOwner('DELETE', `/api/api_key/${uid}`),
      (uid) => asOwner('PUT', `/api/api_key/${uid}`, { enabled: false }),
      (uid) => asOwner('PUT', `/api/api_key/${uid}`, { capabilities: [{ resource: 'unit', methods: ['GET'] }] }),
    ]
    const statuses = []
    for (const change of changes) {
      const { uid, secret } = await addApiKey(service.sql, service.organizationUid, everything)
      const call = await begin('PUT', `/api/comp/Late/stream/f/feed/file/a.txt?api_key=${secret}`, 'a file')
      await change(uid)
      statuses.push((await call.finish()).status)
    }
    assert.deepEqual(statuses, [401, 401, 403])
    assert.equal((await service.get('/api/comp/Late/feed')).status, 404)
  })

  it('does nothing by a role that its user has no more', async () => {
    const call = await begin(
      'POST',
      bySession('/api/api_key'),
      JSON.stringify({ name: 'late', capabilities: everything }),
    )
    await asOwner('PUT', `/api/user/${admin.uid}`, { role: 'guest' satisfies Role })
    assert.deepEqual(JSON.parse((await call.finish()).text), {
      success: false,
      code: 'forbidden',
      message: 'the rights of this credential were changed while the call was under way, make it again',
    })
  })

  it('does nothing for a connector that was changed, switched off, deleted, or whose user has left', async () => {
    const changes: readonly [(uid: string) => Promise<void>, number][] = [
      [(uid) => asOwner('PUT', `/api/connector/${uid}`, { enabled: false }), 404],
      [(uid) => asOwner('DELETE', `/api/connector/${uid}`), 404],
      [(uid) => asOwner('PUT', `/api/connector/${uid}`, { sql: sql.replace('Late', 'Changed') }), 200],
      [() => asOwner('DELETE', `/api/user/${admin.uid}`), 403],
    ]
    const { secret } = await addApiKey(service.sql, service.organizationUid, everything)
    for (const [change, status] of changes) {
      const endpoint = randomToken()
      const body = JSON.stringify({ type: 'http', name: endpoint, endpoint, runAsUserUid: admin.uid, sql })
      const made = await service.request('POST', bySession('/api/connector'), { body })
      const call = await begin('POST', `/api/conn_sink/${service.organizationUid}/${endpoint}?api_key=${secret}`, 'x')
      await change(JSON.parse(made.text).connector.uid)
      assert.equal((await call.finish()).status, status)
    }
    assert.equal((await service.get('/api/comp/Late/feed')).status, 404)
    assert.equal((await service.get('/api/comp/Changed/feed')).status, 200)
  })

  it('goes on for a user who has joined another organization', async () => {
    const path = `${bySession('/api/unit')}&org=${service.organizationUid}`
    const call = await begin('POST', path, JSON.stringify({ id: randomToken() }))
    const other = await service.request('POST', bySession('/api/organization'), { body: '{"name":"Another"}' })
    assert.equal(other.status, 201)
    assert.equal((await call.finish()).status, 201)
  })
})
