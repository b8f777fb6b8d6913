// A new password ends whatever the old one began, also what is still under way: logins, and consent pages that are open.
import assert from 'node:assert/strict'
import { randomToken } from '../../src/base/secret.ts'
import type { Transaction } from '../../src/base/database/sql.ts'
import { transaction } from '../../src/base/database/sql.ts'
import { deleteSessionsOfUser } from '../../src/core/session.ts'
import type { OauthClient } from '../../src/core/oauth-client.ts'
import type { User } from '../../src/core/user.ts'
import { cookieOf, fieldsOf } from '../support/oauth-page.ts'
import { addClient, addMember, addSession, addUser, testPassword } from '../support/people.ts'
import type { TestReply, TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { isSomebodyWaiting } from '../support/database.ts'
import { eventually } from '../support/within.ts'

const redirectUri = 'https://client.example/callback'
const anotherHash = 'scrypt$15$8$3$AAAA$AAAA'
const wrongCurrent = '{"success":false,"code":"forbidden","message":"currentPassword is wrong"}'

describe('a new password', () => {
  let service: TestService
  let client: OauthClient
  let user: User
  before(async () => {
    service = await openTestService()
    client = await addClient(service.sql, service.organizationUid)
  })
  after(() => service.close())
  beforeEach(async () => {
    user = await addUser(service.sql, `${randomToken()}@example.org`)
    await addMember(service.sql, service.organizationUid, user, 'member')
  })

  const asked = () => ({ response_type: 'code', client_id: client.clientId, redirect_uri: redirectUri })
  const post = (path: string, members: Readonly<Record<string, string>>, cookie = '') =>
    service.request('POST', path, { body: new URLSearchParams(members), headers: { Cookie: cookie } })

  /** As catalog/user.ts does it; any hash is another one. */
  const change = async (sql: Transaction) => {
    await sql`update user_account set password_hash = ${anotherHash} where key = ${user.key}`
    await deleteSessionsOfUser(sql, user.key)
  }
  /** Changes the password while the call is under way: it has seen the old one, and waits for the new one. */
  const duringChange = async (begin: () => Promise<TestReply>): Promise<TestReply> => {
    let reply: Promise<TestReply>
    await transaction(service.sql, async (sql) => {
      await change(sql)
      reply = begin()
      await eventually(() => isSomebodyWaiting(service.sql))
    })
    return reply!
  }
  const consentOf = async (cookie = '') => {
    const path = `/alt/?${new URLSearchParams(asked()).toString()}`
    const page = await service.request('GET', path, { headers: { Cookie: cookie } })
    const cookies = `${cookie}; ${cookieOf(page)}`
    const signIn = { ...fieldsOf(page), email: user.email, password: testPassword, step: 'signin' }
    const consent = cookie === '' ? await post('/alt/', signIn, cookies) : page
    assert.match(consent.text, /Allow <bdi>Greenhouse Watch<\/bdi>/)
    return () => post('/alt/', { ...fieldsOf(consent), step: 'allow' }, cookies)
  }
  const assertNothing = async (reply: TestReply) => {
    assert.deepEqual([reply.status, reply.headers.get('location')], [400, null])
    const [row] = await service.sql<[{ n: number }]>`
      select count(*)::integer as n from oauth_grant where user_key = ${user.key}`
    assert.equal(row.n, 0)
  }

  it('ends a login that has just seen the old one', async () => {
    const reply = await duringChange(() => post('/api/login', { email: user.email, password: testPassword }))
    assert.equal(reply.status, 401)
    const left = await service.sql`select from session where user_key = ${user.key}`
    assert.equal(left.length, 0)
  })

  it('ends an oauth_login that has just seen the old one', async () => {
    const body = { ...asked(), email: user.email, password: testPassword }
    assert.equal((await duringChange(() => post('/api/oauth_login', body))).status, 401)
    assert.equal((await service.sql`select from oauth_grant where user_key = ${user.key}`).length, 0)
  })

  it('ends another change of the password that has just seen the old one', async () => {
    const session = await addSession(service.sql, user)
    const body = JSON.stringify({ password: 'a password of a thief', currentPassword: testPassword })
    const path = `/api/user/${user.uid}?session=${session}`
    const reply = await duringChange(() => service.request('PUT', path, { body }))
    assert.deepEqual([reply.status, reply.text], [403, wrongCurrent])
    const [row] = await service.sql<[{ hash: string }]>`
      select password_hash as hash from user_account where key = ${user.key}`
    assert.equal(row.hash, anotherHash)
  })

  it('ends a change of the e-mail that has just seen the old one', async () => {
    const session = await addSession(service.sql, user)
    const body = JSON.stringify({ email: 'thief@example.org', currentPassword: testPassword })
    const reply = await duringChange(() => service.request('PUT', `/api/user/${user.uid}?session=${session}`, { body }))
    assert.deepEqual([reply.status, reply.text], [403, wrongCurrent])
    const [row] = await service.sql<[{ email: string }]>`select email from user_account where key = ${user.key}`
    assert.equal(row.email, user.email)
  })

  it('ends a consent page that is open', async () => {
    const open = await consentOf()
    await transaction(service.sql, change)
    await assertNothing(await open())
  })

  it('ends a consent whose button was pressed a moment before', async () => {
    const allow = await consentOf()
    await assertNothing(await duringChange(allow))
  })

  it('ends a consent page that was opened by a session, as signing out does', async () => {
    const session = await addSession(service.sql, user)
    const allow = await consentOf(`session=${session}`)
    const out = await service.request('DELETE', '/api/login', { headers: { Cookie: `session=${session}` } })
    assert.equal(out.status, 200)
    await assertNothing(await allow())
  })

  it('ends nothing of others', async () => {
    const allow = await consentOf(`session=${await addSession(service.sql, user)}`)
    const other = await addUser(service.sql, `${randomToken()}@example.org`)
    await service.sql`update user_account set password_hash = ${anotherHash} where key = ${other.key}`
    assert.equal((await allow()).status, 303)
  })
})
