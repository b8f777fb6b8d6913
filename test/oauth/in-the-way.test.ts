// Calls that agree, set a password or refresh stand in circles with endings: each holds what the next one waits for, and PostgreSQL ends
// one of them. A call that is ended so is done again, and its caller hears nothing of it.
import assert from 'node:assert/strict'
import { randomToken } from '../../src/base/secret.ts'
import type { Transaction } from '../../src/base/database/sql.ts'
import { transaction } from '../../src/base/database/sql.ts'
import { insertTokens } from '../../src/core/oauth-grant.ts'
import { insertResetLink } from '../../src/core/reset-link.ts'
import type { OauthClient } from '../../src/core/oauth-client.ts'
import type { User } from '../../src/core/user.ts'
import { isSomebodyWaiting } from '../support/database.ts'
import { cookieOf, fieldsOf } from '../support/oauth-page.ts'
import { addClient, addMember, addUser, testPassword, testSecrets } from '../support/people.ts'
import type { TestReply, TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

describe('a call that PostgreSQL ends, because it stands in a circle of those that wait for each other,', () => {
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

  const post = (path: string, members: Readonly<Record<string, string>>, cookie = '') =>
    service.request('POST', path, { body: new URLSearchParams(members), headers: { Cookie: cookie } })
  const asked = () => ({
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: 'https://client.example/callback',
  })
  const addGrant = async () => {
    const [{ key }] = await service.sql<[{ key: number }]>`
      insert into oauth_grant (client_key, user_key, organization_key, scope)
      values (${client.key}, ${user.key}, ${client.organizationKey}, 'read write')
      returning key`
    const refresh = randomToken()
    await insertTokens(
      service.sql,
      key,
      'read write',
      testSecrets.hash(randomToken()),
      testSecrets.hash(refresh),
      Date.now(),
    )
    return refresh
  }

  type Lock = (sql: Transaction) => Promise<unknown>
  const lockAccount: Lock = (sql) => sql`select from user_account where key = ${user.key} for no key update`
  const lockMember: Lock = (sql) => sql`select from member where user_key = ${user.key} for update`
  const lockGrants: Lock = (sql) => sql`select from oauth_grant where user_key = ${user.key} for update`
  const lockTokens: Lock = (sql) => sql`
    select from oauth_token join oauth_grant on key = grant_key where user_key = ${user.key} for update of oauth_token`

  /** The call waits for the first lock, and has the second by then. It has waited for longer, so PostgreSQL ends it. */
  const inCircle = async (first: Lock, second: Lock, call: () => Promise<TestReply>): Promise<TestReply> => {
    let reply: Promise<TestReply>
    await transaction(service.sql, async (sql) => {
      await first(sql)
      reply = call()
      await eventually(() => isSomebodyWaiting(service.sql))
      const locked = Promise.resolve(second(sql))
      await eventually(async () => (await waiting()) === 2)
      await locked
    })
    return reply!
  }
  const waiting = async () => {
    const [{ n }] = await service.sql<[{ n: number }]>`
      select count(*)::integer as n
      from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    return n
  }

  it('is done again for a code without a browser', async () => {
    const body = { ...asked(), email: user.email, password: testPassword }
    const reply = await inCircle(lockAccount, lockMember, () => post('/api/oauth_login', body))
    assert.equal(reply.status, 200, reply.text)
  })

  it('is done again for a code by the page', async () => {
    const page = await service.request('GET', `/alt/?${new URLSearchParams(asked()).toString()}`)
    const cookie = cookieOf(page)
    const signIn = { ...fieldsOf(page), email: user.email, password: testPassword, step: 'signin' }
    const consent = await post('/alt/', signIn, cookie)
    const allow = { ...fieldsOf(consent), step: 'allow' }
    const reply = await inCircle(lockAccount, lockMember, () => post('/alt/', allow, cookie))
    assert.equal(reply.status, 303, reply.text)
  })

  it('is done again for a new password by a link', async () => {
    await addGrant()
    const token = randomToken()
    await insertResetLink(service.sql, testSecrets.hash(token), user.key, undefined, Date.now())
    const form = { token, password: 'another password', again: 'another password' }
    const reply = await inCircle(lockGrants, lockAccount, () => post('/alt/reset', form))
    assert.equal(reply.status, 200, reply.text)
  })

  it('is done again for a refresh, and for the end of its grant', async () => {
    const refresh = await addGrant()
    const of = { client_id: client.clientId, redirect_uri: asked().redirect_uri }
    const reply = await inCircle(lockTokens, lockGrants, () =>
      post('/api/oauth_access_token', { ...of, grant_type: 'refresh_token', refresh_token: refresh }),
    )
    assert.equal(reply.status, 200, reply.text)
    const { refresh_token: token } = reply.json as { refresh_token: string }
    const ended = await inCircle(lockTokens, lockGrants, () => post('/api/oauth_revoke', { ...of, token }))
    assert.equal(ended.status, 200, ended.text)
    assert.equal((await service.sql`select from oauth_grant where user_key = ${user.key}`).length, 0)
  })
})
