// A link for a forgotten password (docs/access.md#forgotten-passwords): made by an admin, used once, by whoever has it.
import assert from 'node:assert/strict'
import { addressRange } from '../../src/base/config.ts'
import { openLog } from '../../src/base/log.ts'
import type { Role } from '../../src/core/caller.ts'
import { removeEndedResetLinks } from '../../src/core/reset-link.ts'
import type { Person } from '../support/http.ts'
import { addPerson, clientWith, messageIn } from '../support/http.ts'
import { addApiKey, addMember, addOrganization, addSession, addToken, testPassword } from '../support/people.ts'
import type { TestClock, TestReply, TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'

const hourMs = 3_600_000

describe('a link for a new password', () => {
  let service: TestService
  let clock: TestClock
  let owner: Person
  let admin: Person
  let logged = ''
  before(async () => {
    clock = openTestClock(Date.now())
    const rateLimits = { count: 5, seconds: 60 }
    service = await openTestService(
      {
        rateLimits: { feed: rateLimits, property: rateLimits, file: rateLimits, login: rateLimits },
        trustedProxies: [addressRange('127.0.0.1')],
      },
      clock,
      openLog('trace', { write: (line) => (logged += line) }),
    )
    owner = await addPerson(service, 'owner')
    admin = await addPerson(service, 'admin')
  })
  after(() => service.close())
  // Failures of one test are not those of the next.
  beforeEach(() => clock.set(clock.now() + 2 * 60_000))

  const newPassword = 'a new one, much longer'
  const linkFor = (by: Person, uid: string) => by.call('POST', `/api/user/${uid}/reset_link`)
  const tokenFor = async (by: Person, uid: string): Promise<string> => {
    const { status, body } = await linkFor(by, uid)
    assert.equal(status, 200, JSON.stringify(body))
    const { url } = (body as { reset_link: { url: string } }).reset_link
    assert.ok(url.startsWith(`${service.url}/alt/reset#`), url)
    return new URL(url).hash.slice(1)
  }
  const use = (token: string, password = newPassword, again = password): Promise<TestReply> =>
    service.request('POST', '/alt/reset', { body: new URLSearchParams({ token, password, again }) })
  const signIn = (email: string, password: string, address = '127.0.0.1') =>
    service.request('POST', '/api/login', {
      body: JSON.stringify({ email, password }),
      headers: { 'X-Forwarded-For': address },
    })
  const ended = /This link was used, has expired or was replaced by another: ask for a new one\./

  it('sets a password once, and ends sessions, tokens and itself', async () => {
    const { user, call } = await addPerson(service, 'member')
    const accessToken = await addToken(service.sql, service.organizationUid, user, { nowMs: clock.now() })
    const byToken = clientWith(service, `access_token=${accessToken}`)
    assert.equal((await call('GET', '/api/component')).status, 200)
    assert.equal((await byToken('GET', '/api/component')).status, 200)
    const token = await tokenFor(admin, user.uid)
    const done = await use(token)
    assert.equal(done.status, 200, done.text)
    assert.match(done.text, /The password is set/)
    assert.equal((await call('GET', '/api/component')).status, 401)
    assert.equal((await byToken('GET', '/api/component')).status, 401)
    assert.equal((await signIn(user.email, testPassword)).status, 401)
    assert.equal((await signIn(user.email, newPassword)).status, 200)
    const again = await use(token, 'yet another password')
    assert.equal(again.status, 404)
    assert.match(again.text, ended)
    const { body } = await owner.call('GET', `/api/audit?subject=${user.uid}`)
    const entries = (body as { audit: { action: string; actor: string }[] }).audit
    assert.deepEqual(
      entries.filter(({ action }) => action.startsWith('user.reset')).map(({ action, actor }) => [action, actor]),
      [
        ['user.reset_password', 'anyone'],
        ['user.reset_link', `user ${admin.user.uid}`],
      ],
    )
  })

  it('is for one use also when it is used many times at once', async () => {
    const { user } = await addPerson(service, 'member')
    const token = await tokenFor(admin, user.uid)
    const replies = await Promise.all(['one', 'two', 'three'].map((word) => use(token, `${word} password of many`)))
    assert.deepEqual(
      replies.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 404, 404],
    )
  })

  it('keeps its token out of the address, the log, the database and what other sites are told', async () => {
    const { user } = await addPerson(service, 'member')
    const { status, headers, body } = await linkFor(admin, user.uid)
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    const token = new URL((body as { reset_link: { url: string } }).reset_link.url).hash.slice(1)
    const [row] = await service.sql<[{ text: string }]>`
      select encode(token_hash, 'escape') || encode(token_hash, 'base64') as text from reset_link where user_key = ${user.key}`
    assert.ok(!row.text.includes(token))
    const page = await service.request('GET', '/alt/reset')
    assert.equal(page.status, 200)
    const wrong = await use(token, 'short')
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /The password must have from 8 to 1000 characters\./)
    for (const reply of [page, wrong, await use(token, newPassword, 'something else'), await use('unknown')]) {
      assert.equal(reply.headers.get('referrer-policy'), 'no-referrer')
      assert.equal(reply.headers.get('cache-control'), 'no-store')
      assert.match(
        reply.headers.get('content-security-policy')!,
        /^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'$/,
      )
      assert.equal(reply.headers.get('location'), null)
    }
    assert.equal((await use(token)).status, 200)
    assert.match(logged, /"method":"POST","url":"\/alt\/reset\?","status":200/)
    assert.equal(logged.includes(token), false, 'the log has the token')
  })

  it('shows what was typed as text, never as a part of the page', async () => {
    const reply = await use('"><script>alert(1)</script>')
    assert.doesNotMatch(reply.text, /<script>alert/)
    const { user } = await addPerson(service, 'member')
    const token = await tokenFor(admin, user.uid)
    assert.match((await use(token, 'short')).text, new RegExp(`value="${token}"`))
  })

  it('ends after a day, by another link, and by a password that is set otherwise', async () => {
    const { user } = await addPerson(service, 'member')
    const first = await tokenFor(admin, user.uid)
    const second = await tokenFor(admin, user.uid)
    assert.match((await use(first)).text, ended)
    assert.equal((await admin.call('PUT', `/api/user/${user.uid}`, { password: 'set by the admin' })).status, 200)
    assert.match((await use(second)).text, ended)
    const third = await tokenFor(admin, user.uid)
    clock.set(clock.now() + 24 * hourMs + 1)
    assert.match((await use(third)).text, ended)
    await removeEndedResetLinks(service.sql, clock.now())
    assert.deepEqual([...(await service.sql`select from reset_link where user_key = ${user.key}`)], [])
    const renewed = await addSession(service.sql, admin.user, clock.now())
    admin = { ...admin, call: clientWith(service, `session=${renewed}`) }
    owner = { ...owner, call: clientWith(service, `session=${await addSession(service.sql, owner.user, clock.now())}`) }
  })

  it('is made by those who may set that password, by a session, and not for oneself', async () => {
    const refused = async (by: Person['call'], uid: string, message: RegExp, expected = 403) => {
      const { status, body } = await by('POST', `/api/user/${uid}/reset_link`)
      assert.equal(status, expected, JSON.stringify(body))
      assert.match(messageIn(body), message)
    }
    const people = new Map<Role, Person>()
    for (const role of ['guest', 'member'] as const) people.set(role, await addPerson(service, role))
    const { user: member } = people.get('member')!
    for (const { call, user } of people.values()) {
      await refused(call, admin.user.uid, /may not PUT user/)
      await refused(call, user.uid, /your own password needs currentPassword/)
    }
    await refused(admin.call, admin.user.uid, /your own password needs currentPassword/)
    await refused(owner.call, owner.user.uid, /your own password needs currentPassword/)
    await refused(admin.call, owner.user.uid, /only an owner may do this to an owner/)
    await refused(admin.call, 'no-such-user', /no-such-user/, 404)
    const { secret } = await addApiKey(service.sql, service.organizationUid, [
      { resource: '*', methods: ['GET', 'PUT', 'POST', 'DELETE'] },
    ])
    await refused(clientWith(service, `api_key=${secret}`), member.uid, /is made by a person who is signed in/)
    const token = await addToken(service.sql, service.organizationUid, admin.user, { nowMs: clock.now() })
    await refused(clientWith(service, `access_token=${token}`), member.uid, /an OAuth token may not PUT user/)
    assert.deepEqual([...(await service.sql`select from reset_link`)], [])
    const stranger = await addPerson(service, 'member')
    await addOrganization(service.sql, 'Theirs', stranger.user)
    await refused(admin.call, stranger.user.uid, /belongs to other organizations too/)
    const second = await addPerson(service, 'owner')
    assert.equal((await linkFor(owner, second.user.uid)).status, 200)
  })

  it('holds only while its maker may still set that password', async () => {
    const setRole = (uid: string, role: Role) => owner.call('PUT', `/api/user/${uid}`, { role })
    const maker = await addPerson(service, 'admin')
    const target = await addPerson(service, 'member')
    const promoted = await tokenFor(maker, target.user.uid)
    assert.equal((await setRole(target.user.uid, 'owner')).status, 200)
    assert.match((await use(promoted)).text, ended)
    assert.equal((await setRole(target.user.uid, 'member')).status, 200)
    assert.equal((await setRole(maker.user.uid, 'member')).status, 200)
    assert.match((await use(promoted)).text, ended)
    assert.equal((await setRole(maker.user.uid, 'admin')).status, 200)
    const other = await addOrganization(service.sql, 'Another', owner.user)
    await addMember(service.sql, other.uid, target.user, 'guest')
    assert.match((await use(promoted)).text, ended)
    await service.sql`delete from member where organization_key = ${other.key}`
    assert.equal((await use(promoted)).status, 200)
    const last = await tokenFor(maker, target.user.uid)
    assert.equal((await owner.call('DELETE', `/api/user/${maker.user.uid}`)).status, 200)
    assert.match((await use(last)).text, ended)
  })

  it('counts as a failed sign-in where it does not hold, and a good one is refused then too', async () => {
    const { user } = await addPerson(service, 'member')
    const token = await tokenFor(admin, user.uid)
    for (let n = 0; n < 5; n++) assert.equal((await use(`guess ${n}`)).status, 404)
    const limited = await use('one more guess')
    assert.equal(limited.status, 429)
    assert.match(limited.text, /Too many attempts\. Try again in \d+ seconds\./)
    assert.ok(limited.headers.get('retry-after'))
    assert.equal((await signIn(user.email, testPassword)).status, 429)
    clock.set(clock.now() + 61_000)
    assert.equal((await use(token)).status, 200)
  })

  it('lets its user sign in from there, however strangers guess at the e-mail', async () => {
    const { user } = await addPerson(service, 'member')
    for (let n = 1; n <= 5; n++) assert.equal((await signIn(user.email, 'wrong', `192.0.2.${n}`)).status, 401)
    assert.equal((await signIn(user.email, testPassword)).status, 429)
    assert.equal((await use(await tokenFor(admin, user.uid))).status, 200)
    assert.equal((await signIn(user.email, newPassword)).status, 200)
    assert.equal((await signIn(user.email, newPassword, '192.0.2.6')).status, 429)
  })
})
