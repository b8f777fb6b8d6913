// Users in the management API (docs/access.md#roles), rule by rule.
import assert from 'node:assert/strict'
import type { Role } from '../../src/core/caller.ts'
import type { User } from '../../src/core/user.ts'
import type { Client } from '../support/http.ts'
import { addPerson, clientWith, messageIn } from '../support/http.ts'
import { addApiKey, addMember, addOrganization, addSession, addUser, testPassword } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

type Shown = {
  readonly uid: string
  readonly email: string
  readonly role: Role
  readonly timeZone: string
  readonly version: number
}
const shownIn = (body: unknown) => (body as { user: Shown }).user

const needsCurrent = 'a new password or another e-mail of your own needs currentPassword, the one that holds now'

describe('managing users', () => {
  let service: TestService
  const people = {} as Record<Role, { user: User; call: Client }>
  before(async () => {
    service = await openTestService({ organizationTimeZone: 'Europe/Berlin' })
    for (const role of ['guest', 'member', 'admin', 'owner'] as const) people[role] = await addPerson(service, role)
  })
  after(() => service.close())

  const login = async (email: string, password: string) =>
    (await service.request('POST', '/api/login', { body: JSON.stringify({ email, password }) })).status

  it('refuses members that make no user', async () => {
    const { call } = people.admin
    for (const [input, message] of [
      [{}, 'a user needs an email, and one without an account here a password'],
      [{ email: 'no address', password: testPassword }, 'email must be an e-mail address'],
      [{ email: 'new@example.org' }, 'password is missing: nobody has an account with this e-mail yet'],
      [{ email: 'new@example.org', password: 'short' }, 'password must have at least 8 characters'],
      [
        { email: 'new@example.org', password: testPassword, role: 'king' },
        'role must be one of guest, member, admin, owner',
      ],
      [
        { email: 'new@example.org', password: testPassword, colour: 'red' },
        "user has no member 'colour', it has uid, email, firstName, lastName, role, timeZone, password, currentPassword, version",
      ],
    ] as const) {
      const { status, body } = await call('POST', '/api/user', input)
      assert.deepEqual([status, messageIn(body)], [400, message])
    }
  })

  it('makes one who can sign in, in the organization’s time zone, and never shows the password', async () => {
    const input = { email: 'New@example.org', password: testPassword, firstName: 'New', role: 'guest' }
    const { status, body } = await people.admin.call('POST', '/api/user', input)
    assert.equal(status, 201)
    const { uid, version, ...rest } = shownIn(body)
    assert.deepEqual(rest, {
      email: 'New@example.org',
      firstName: 'New',
      lastName: '',
      role: 'guest',
      timeZone: 'Europe/Berlin',
    })
    assert.equal(version, 1)
    assert.equal(await login('new@example.org', testPassword), 200)
    const again = await people.admin.call('POST', '/api/user', input)
    assert.equal(again.status, 409)
    const list = await people.admin.call('GET', '/api/user?text=NEW@')
    assert.equal((list.body as { totalCount: number }).totalCount, 1)
    assert.equal(JSON.stringify(list.body).includes('password'), false)
    assert.equal((await people.admin.call('DELETE', `/api/user/${uid}`)).status, 200)
    assert.equal(await login('new@example.org', testPassword), 401)
  })

  it('lets admins manage all but owners', async () => {
    const { call } = people.admin
    const target = await addPerson(service, 'guest')
    assert.equal((await call('PUT', `/api/user/${target.user.uid}`, { role: 'admin' })).status, 200)
    for (const [method, path, input] of [
      ['PUT', `/api/user/${people.admin.user.uid}`, { role: 'owner' }],
      ['PUT', `/api/user/${target.user.uid}`, { role: 'owner' }],
      ['POST', '/api/user', { email: 'o@example.org', password: testPassword, role: 'owner' }],
    ] as const) {
      const { status, body } = await call(method, path, input)
      assert.deepEqual([status, messageIn(body)], [403, 'only an owner may make somebody an owner'])
    }
    const ownerPath = `/api/user/${people.owner.user.uid}`
    for (const change of [{ role: 'guest' }, { firstName: 'X' }, { password: 'another password' }])
      assert.equal((await call('PUT', ownerPath, change)).status, 403)
    const refused = await call('DELETE', ownerPath)
    assert.deepEqual([refused.status, messageIn(refused.body)], [403, 'only an owner may do this to an owner'])
    assert.equal((await people.owner.call('PUT', `/api/user/${target.user.uid}`, { role: 'owner' })).status, 200)
    assert.equal((await people.owner.call('DELETE', `/api/user/${target.user.uid}`)).status, 200)
  })

  it('lets an API key with the capability do what an admin may, not more', async () => {
    const rows = [{ resource: '*', methods: ['GET', 'POST', 'PUT', 'DELETE'] as const }]
    const { secret } = await addApiKey(service.sql, service.organizationUid, rows)
    const call = clientWith(service, `api_key=${secret}`)
    const made = await call('POST', '/api/user', { email: 'key@example.org', password: testPassword })
    assert.equal(made.status, 201)
    assert.equal((await call('PUT', `/api/user/${shownIn(made.body).uid}`, { role: 'owner' })).status, 403)
    assert.equal((await call('DELETE', `/api/user/${people.owner.user.uid}`)).status, 403)
    assert.equal((await call('DELETE', `/api/user/${shownIn(made.body).uid}`)).status, 200)
  })

  it('lets everybody see and change their own account, but not their role, and nobody else’s', async () => {
    for (const role of ['guest', 'member'] as const) {
      const { user, call } = await addPerson(service, role)
      const own = `/api/user/${user.uid}`
      assert.equal((await call('GET', own)).status, 200)
      const changed = await call('PUT', own, { lastName: 'Elm', timeZone: 'Asia/Tokyo' })
      assert.equal(changed.status, 200)
      assert.equal(shownIn(changed.body).timeZone, 'Asia/Tokyo')
      assert.equal((await call('PUT', own, { role: 'admin' })).status, 403)
      assert.equal((await call('GET', '/api/user')).status, 403)
      assert.equal((await call('GET', `/api/user/${people.admin.user.uid}`)).status, 403)
      assert.equal((await call('PUT', `/api/user/${people.admin.user.uid}`, { lastName: 'X' })).status, 403)
      assert.equal((await call('DELETE', own)).status, 403)
    }
  })

  it('signs everybody out who knew the old password', async () => {
    const { user, call } = await addPerson(service, 'member')
    const passwords = { password: 'a much newer password', currentPassword: testPassword }
    const changed = await call('PUT', `/api/user/${user.uid}`, passwords)
    assert.equal(changed.status, 200)
    assert.equal((await call('GET', `/api/user/${user.uid}`)).status, 401)
    assert.equal(await login(user.email, testPassword), 401)
    assert.equal(await login(user.email, 'a much newer password'), 200)
  })

  it('needs the current password for a new one of one’s own, whatever the role', async () => {
    for (const role of ['guest', 'owner'] as const) {
      const { user, call } = await addPerson(service, role)
      const path = `/api/user/${user.uid}`
      const password = 'password of a thief'
      const without = await call('PUT', path, { password })
      assert.deepEqual([without.status, messageIn(without.body)], [400, needsCurrent])
      assert.equal((await call('PUT', path, { password, currentPassword: 'a wrong one' })).status, 403)
      assert.equal((await call('PUT', path, { password, currentPassword: 7 })).status, 400)
      assert.equal((await call('PUT', path, { firstName: 'Still' })).status, 200)
      assert.equal(await login(user.email, testPassword), 200)
      assert.equal((await call('PUT', path, { password, currentPassword: testPassword })).status, 200)
    }
    const { user } = await addPerson(service, 'guest')
    const byAdmin = await people.admin.call('PUT', `/api/user/${user.uid}`, { password: 'given by an admin' })
    assert.equal(byAdmin.status, 200)
    assert.equal(await login(user.email, 'given by an admin'), 200)
  })

  it('needs the current password for another e-mail of one’s own, whatever the role', async () => {
    for (const role of ['guest', 'owner'] as const) {
      const { user, call } = await addPerson(service, role)
      const path = `/api/user/${user.uid}`
      const email = `thief-${user.email}`
      const without = await call('PUT', path, { email })
      assert.deepEqual([without.status, messageIn(without.body)], [400, needsCurrent])
      assert.equal((await call('PUT', path, { email: user.email.toUpperCase() })).status, 400)
      assert.equal((await call('PUT', path, { email, currentPassword: 'a wrong one' })).status, 403)
      assert.equal(await login(user.email, testPassword), 200)
      // An account may be sent back as it was read.
      const read = shownIn((await call('GET', path)).body)
      assert.equal((await call('PUT', path, { ...read, firstName: 'Still' })).status, 200)
      assert.equal((await call('PUT', path, { email, currentPassword: testPassword })).status, 200)
      assert.equal(await login(email, testPassword), 200)
    }
    const { user } = await addPerson(service, 'guest')
    const byAdmin = await people.admin.call('PUT', `/api/user/${user.uid}`, { email: `admin-${user.email}` })
    assert.equal(byAdmin.status, 200)
    assert.equal(await login(`admin-${user.email}`, testPassword), 200)
  })

  it('ends the sessions and grants of a removed user', async () => {
    const { user, call } = await addPerson(service, 'member')
    assert.equal((await call('GET', '/api/component')).status, 200)
    assert.equal((await people.owner.call('DELETE', `/api/user/${user.uid}`)).status, 200)
    assert.equal((await call('GET', '/api/component')).status, 401)
  })

  it('keeps the last owner', async () => {
    const founder = await addUser(service.sql, 'founder@example.org')
    const { uid } = await addOrganization(service.sql, 'Alone', founder)
    const call = clientWith(service, `session=${await addSession(service.sql, founder)}&org=${uid}`)
    assert.equal((await call('DELETE', `/api/user/${founder.uid}`)).status, 409)
    assert.equal((await call('PUT', `/api/user/${founder.uid}`, { role: 'admin' })).status, 409)
    const second = await addPerson(service, 'owner', uid)
    const replies = await Promise.all([
      call('DELETE', `/api/user/${second.user.uid}`),
      second.call('DELETE', `/api/user/${founder.uid}`),
    ])
    // The second caller lost either the right or the other owner.
    assert.equal(replies.filter(({ status }) => status === 200).length, 1)
  })

  it('refuses an e-mail that is taken, whatever its case, and a stale version', async () => {
    const { user, call } = await addPerson(service, 'member')
    const email = people.admin.user.email.toUpperCase()
    const taken = await call('PUT', `/api/user/${user.uid}`, { email, currentPassword: testPassword })
    assert.equal(taken.status, 409)
    assert.equal((await call('PUT', `/api/user/${user.uid}`, { firstName: 'A', version: 1 })).status, 200)
    assert.equal((await call('PUT', `/api/user/${user.uid}`, { firstName: 'B', version: 1 })).status, 409)
    const { call: asOwner } = people.owner
    assert.equal((await asOwner('PUT', `/api/user/${user.uid}`, { role: 'guest', version: 2 })).status, 200)
    assert.equal((await asOwner('PUT', `/api/user/${user.uid}`, { role: 'admin', version: 2 })).status, 409)
  })

  describe('of several organizations', () => {
    it('adds an account that the caller administers elsewhere, and leaves it as it is', async () => {
      const { user: boss } = await addPerson(service, 'owner')
      const { user } = await addPerson(service, 'guest')
      const second = await addOrganization(service.sql, 'Second', boss)
      const call = clientWith(service, `session=${await addSession(service.sql, boss)}&org=${second.uid}`)
      const input = { email: user.email, password: 'password of the boss', role: 'admin' }
      const { status, body } = await call('POST', '/api/user', input)
      assert.equal(status, 201)
      assert.deepEqual([shownIn(body).uid, shownIn(body).role], [user.uid, 'admin'])
      assert.equal(await login(user.email, 'password of the boss'), 401)
      assert.equal(await login(user.email, testPassword), 200)
    })

    it('lets nobody drag a stranger into theirs, nor change an account that others rely on', async () => {
      const stranger = await addUser(service.sql, 'stranger@example.org')
      const foreign = await addOrganization(service.sql, 'Foreign', stranger)
      const call = clientWith(service, `session=${await addSession(service.sql, stranger)}&org=${foreign.uid}`)
      const { user: victim } = await addPerson(service, 'guest')
      assert.equal((await call('POST', '/api/user', { email: victim.email, role: 'guest' })).status, 409)
      await addMember(service.sql, foreign.uid, victim, 'guest')
      for (const change of [{ password: 'password of a thief' }, { email: 'thief@example.org' }, { firstName: 'X' }])
        assert.equal((await call('PUT', `/api/user/${victim.uid}`, change)).status, 403)
      // A user may be sent back as it was read, with another role.
      const read = shownIn((await call('GET', `/api/user/${victim.uid}`)).body)
      assert.equal((await call('PUT', `/api/user/${victim.uid}`, { ...read, role: 'member' })).status, 200)
      assert.equal((await call('DELETE', `/api/user/${victim.uid}`)).status, 200)
      assert.equal(await login(victim.email, testPassword), 200)
    })

    it('does not know the users of another', async () => {
      const stranger = await addUser(service.sql, 'elsewhere@example.org')
      await addOrganization(service.sql, 'Elsewhere', stranger)
      assert.equal((await people.owner.call('GET', `/api/user/${stranger.uid}`)).status, 404)
      assert.equal((await people.owner.call('DELETE', `/api/user/${stranger.uid}`)).status, 404)
    })
  })
})
