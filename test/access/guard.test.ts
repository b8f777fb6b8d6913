import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import type { Access } from '../../src/access/guard.ts'
import { openAccess } from '../../src/access/guard.ts'
import type { Call } from '../../src/base/http/call.ts'
import { readConfig } from '../../src/base/config.ts'
import { parseQuery } from '../../src/base/http/query-string.ts'
import { emptyReply } from '../../src/base/http/reply.ts'
import { transaction } from '../../src/base/database/sql.ts'
import type { World } from '../../src/base/world.ts'
import type { Caller } from '../../src/core/caller.ts'
import { demand } from '../../src/core/caller.ts'
import type { Organization } from '../../src/core/organization.ts'
import type { User } from '../../src/core/user.ts'
import { callerForUser } from '../../src/core/user.ts'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase, quietLog } from '../support/database.ts'
import { addApiKey, addMember, addOrganization, addSession, addUser, testSecrets } from '../support/people.ts'
import { openTestClock } from '../support/service.ts'
import { eventually, within } from '../support/within.ts'

const feeds = [{ resource: 'component/*/feed', methods: ['GET', 'PUT'] as const }]

const callOf = (query: string, more: Partial<Pick<Call, 'method' | 'headers' | 'address'>> = {}): Call => ({
  method: 'GET',
  path: '/',
  params: {},
  query: parseQuery(query),
  rawQuery: query,
  headers: {},
  address: '192.0.2.1',
  fault: undefined,
  body: undefined,
  socket: new Socket(),
  actor: undefined,
  callerHolders: undefined,
  judgeAgain: undefined,
  letGo: undefined,
  ...more,
})

describe('the guard', () => {
  const clock = openTestClock(Date.now())
  let database: TestDatabase
  let world: World
  let access: Access
  let owner: User
  let organization: Organization
  before(async () => {
    database = await openTestDatabase()
    const config = { ...readConfig({}), baseUrl: 'https://data.example' }
    world = { config, sql: database.sql, readSql: database.sql, clock, log: quietLog }
    access = openAccess(world, testSecrets)
    owner = await addUser(database.sql, 'owner@example.org')
    organization = await addOrganization(database.sql, 'Ours', owner)
  })
  after(() => database.drop())

  const identify = async (call: Call, by: Access = access) => by.identify(call)
  const outcome = async (call: Call, by: Access = access): Promise<number> => {
    try {
      await by.identify(call)
      return 200
    } catch (error) {
      return (error as { status: number }).status
    }
  }

  describe('with an API key', () => {
    it('holds one of many rows for as long as its call takes, and refuses what is too much', async () => {
      const rows = Array.from({ length: 400 }, (_, n) => ({
        resource: `component/${n}${'x'.repeat(500)}/feed`,
        methods: [],
      }))
      const calls: Call[] = []
      const statuses: number[] = []
      for (let n = 0; n < 40; n += 1) {
        const { secret } = await addApiKey(database.sql, organization.uid, [...feeds, ...rows])
        calls.push(callOf(`api_key=${secret}`))
        statuses.push(await outcome(calls.at(-1)!))
      }
      const count = statuses.filter((status) => status === 200).length
      assert.ok(count >= 10 && count < 40, `${count} of 40`)
      assert.deepEqual(new Set(statuses), new Set([200, 503]))
      const { secret } = await addApiKey(database.sql, organization.uid, [...feeds, ...rows.slice(0, 1)])
      const few = callOf(`api_key=${secret}`)
      assert.equal(await outcome(few), 200)
      assert.deepEqual([few.letGo, typeof calls[0]!.letGo], [undefined, 'function'])
      for (const { letGo } of calls) letGo?.()
      assert.equal(await outcome(callOf(calls.at(-1)!.rawQuery)), 200)
    })

    it('holds it though people of one tenant, of many organizations each, have all of theirs', async () => {
      const { sql } = database
      const made = await sql<{ key: number; uid: string }[]>`
        insert into organization (name) select 'One of many' from generate_series(1, 1000) returning key, uid`
      const keys = made.map(({ key }) => key)
      const addBusy = async (name: string, tenant: string): Promise<User> => {
        const user = await addUser(sql, `${name}@example.org`)
        await sql`update user_account set tenant_uid = ${tenant} where key = ${user.key}`
        await sql`
          insert into member (organization_key, user_key, role)
          select key, ${user.key}, 'owner' from unnest(${keys}::integer[]) as key`
        return user
      }
      const held: Call[] = []
      const hold = async (query: string): Promise<number> => {
        held.push(callOf(query))
        return outcome(held.at(-1)!)
      }
      const refused: number[] = []
      for (let n = 0; n < 5; n += 1) {
        const user = await addBusy(`busy-${n}`, 'one')
        for (let status = 200, sessions = 0; status === 200 && sessions < 80; sessions += 1) {
          status = await hold(`session=${await addSession(sql, user)}&org=${made[0]!.uid}`)
          if (status === 503) refused.push(n)
        }
      }
      assert.deepEqual(refused, [0, 1, 2, 3, 4])
      const other = await addBusy('other', 'another')
      assert.equal(await hold(`session=${await addSession(sql, other)}&org=${made[0]!.uid}`), 200)
      const rows = Array.from({ length: 400 }, (_, n) => ({ resource: `component/${n}/feed`, methods: [] }))
      const { secret } = await addApiKey(sql, organization.uid, [...feeds, ...rows])
      assert.equal(await hold(`api_key=${secret}`), 200)
      for (const { letGo } of held) letGo?.()
    })

    it('refuses an unknown, a disabled and an expired one', async () => {
      const { sql } = database
      const disabled = await addApiKey(sql, organization.uid, feeds, { enabled: false })
      const expiring = await addApiKey(sql, organization.uid, feeds, { expiresMs: clock.now() + 1000 })
      assert.equal(await outcome(callOf('')), 401)
      assert.equal(await outcome(callOf('api_key=unknown')), 401)
      assert.equal(await outcome(callOf(`api_key=${disabled.secret}`)), 401)
      assert.equal(await outcome(callOf(`api_key=${expiring.secret}`)), 200)
      clock.set(clock.now() + 1000)
      assert.equal(await outcome(callOf(`api_key=${expiring.secret}`)), 401)
    })

    it('takes it for what it is: a key is no session, and a session no key', async () => {
      const key = await addApiKey(database.sql, organization.uid, feeds)
      const session = await addSession(database.sql, owner, clock.now())
      for (const query of [`session=${key.secret}`, `access_token=${key.secret}`, `api_key=${session}`])
        for (let time = 0; time < 2; time += 1) assert.equal(await outcome(callOf(query)), 401)
      assert.equal(await outcome(callOf(`api_key=${key.secret}`)), 200)
      assert.equal(await outcome(callOf(`session=${key.secret}`)), 401)
    })

    it('takes it for what it is at the moment when the same secret comes as something else', async () => {
      const { sql } = database
      const key = await addApiKey(sql, organization.uid, feeds)
      const session = await addSession(sql, owner, clock.now())
      const bearer = (secret: string) => callOf('', { headers: { authorization: `Bearer ${secret}` } })
      const calls = (secret: string) => [callOf(`session=${secret}`), callOf(`api_key=${secret}`), bearer(secret)]
      const statuses = (made: readonly Call[]) => {
        const fresh = openAccess(world, testSecrets)
        return Promise.all(made.map((call) => outcome(call, fresh)))
      }
      assert.deepEqual(await statuses(calls(key.secret)), [401, 200, 200])
      assert.deepEqual(await statuses(calls(key.secret).toReversed()), [200, 200, 401])
      assert.deepEqual(await statuses(calls(session)), [200, 401, 200])
      assert.deepEqual(await statuses(calls(session).toReversed()), [200, 401, 200])
    })

    it('keeps it to its addresses, whatever X-Forwarded-For says', async () => {
      const addresses = ['192.0.2.7', '10.0.0.0/8', '2001:db8::/32']
      const { secret } = await addApiKey(database.sql, organization.uid, feeds, { addresses })
      const from = (address: string) =>
        outcome(callOf(`api_key=${secret}`, { address, headers: { 'x-forwarded-for': '10.0.0.1' } }))
      for (const address of ['192.0.2.7', '10.255.0.1', '2001:db8::5']) assert.equal(await from(address), 200, address)
      for (const address of ['192.0.2.8', '11.0.0.1', '2001:db9::5', ''])
        assert.equal(await from(address), 403, address)
    })

    it('refuses an organization that is not the key’s own', async () => {
      const other = await addOrganization(database.sql, 'Other', owner)
      const { secret } = await addApiKey(database.sql, organization.uid, feeds)
      assert.equal(await outcome(callOf(`api_key=${secret}&org=${organization.uid}`)), 200)
      assert.equal(await outcome(callOf(`api_key=${secret}&org=${other.uid}`)), 403)
      assert.equal(await outcome(callOf(`api_key=${secret}&org=unknown`)), 403)
      const cookie = `api_key=${secret};org=${other.uid}`
      assert.equal(await outcome(callOf('', { headers: { cookie } })), 403)
    })

    it('takes one in the Authorization header', async () => {
      const { secret } = await addApiKey(database.sql, organization.uid, feeds)
      const by = (token: string) => outcome(callOf('', { headers: { authorization: `Bearer ${token}` } }))
      assert.deepEqual([await by(secret), await by(secret), await by(`${secret}x`)], [200, 200, 401])
      // Recognized as what it is, wherever it stood before.
      assert.equal(await outcome(callOf(`session=${secret}`)), 401)
      assert.equal(await outcome(callOf(`api_key=${secret}`)), 200)
    })

    it('takes one in the URL whatever cookies another program left on the host', async () => {
      const { secret } = await addApiKey(database.sql, organization.uid, feeds)
      const cookie = 'session=foreign; api_key=foreign; org=foreign'
      assert.equal(await outcome(callOf(`api_key=${secret}`, { headers: { cookie } })), 200)
      const session = await addSession(database.sql, owner)
      const headers = { cookie: 'session=foreign; api_key=foreign', authorization: `Bearer ${session}` }
      assert.equal(await outcome(callOf(`org=${organization.uid}`, { headers })), 200)
    })
  })

  it('forgets of one organization what changed there, and nothing of another', async () => {
    const { sql } = database
    const other = await addOrganization(sql, 'Next door', await addUser(sql, 'next@example.org'))
    const ours = await addApiKey(sql, organization.uid, feeds)
    const theirs = await addApiKey(sql, other.uid, feeds)
    const session = await addSession(sql, owner)
    const calls = [`api_key=${ours.secret}`, `api_key=${theirs.secret}`, `session=${session}&org=${organization.uid}`]
    /** Whether each is remembered: then there is nothing to wait for. */
    const remembered = async () => {
      await access.refresh()
      const known = calls.map((query) => !(access.identify(callOf(query)) instanceof Promise))
      for (const query of calls) await access.identify(callOf(query))
      return known
    }
    // Not before the first snapshot lasts (core/access-change.ts): others write into the same log.
    await eventually(async () => (await remembered()).every(Boolean))
    await sql`update organization set is_public = true where key = ${organization.key}`
    assert.deepEqual(await remembered(), [false, true, true])
    // A change may be reported twice, and its entries be forgotten twice.
    await sql`update api_key set name = 'x' where uid = ${ours.uid}`
    assert.deepEqual((await remembered()).slice(1), [true, true])
    await sql`update member set since = now() where user_key = ${owner.key}`
    assert.deepEqual((await remembered()).slice(1), [true, false])
  })

  describe('with a cookie', () => {
    it('says so, for asPut', async () => {
      const { secret } = await addApiKey(database.sql, organization.uid, feeds)
      assert.equal((await identify(callOf(`api_key=${secret}`))).byCookie, false)
      assert.equal((await identify(callOf('', { headers: { cookie: `api_key=${secret}` } }))).byCookie, true)
    })

    it('refuses changes that another site’s page makes, and lets devices and own pages pass', async () => {
      const user = await addUser(database.sql, 'cookie@example.org')
      await addMember(database.sql, organization.uid, user, 'member')
      const cookie = `session=${await addSession(database.sql, user, clock.now())}`
      const put = (headers: Readonly<Record<string, string>>) =>
        outcome(callOf('', { method: 'PUT', headers: { cookie, host: 'data.local:8080', ...headers } }))
      assert.equal(await put({}), 200)
      assert.equal(await put({ 'sec-fetch-site': 'same-origin' }), 200)
      assert.equal(await put({ 'sec-fetch-site': 'none' }), 200)
      assert.equal(await put({ 'sec-fetch-site': 'cross-site' }), 403)
      assert.equal(await put({ 'sec-fetch-site': 'same-site' }), 403)
      assert.equal(await put({ origin: 'https://evil.example' }), 403)
      assert.equal(await put({ origin: 'null' }), 403)
      assert.equal(await put({ origin: 'http://data.local:8080' }), 200)
      assert.equal(await put({ origin: 'https://data.example' }), 200)
      const read = callOf('', { headers: { cookie, 'sec-fetch-site': 'cross-site' } })
      assert.equal(await outcome(read), 200)
      const byHeader = { authorization: `Bearer ${cookie.slice(8)}`, 'sec-fetch-site': 'cross-site' }
      assert.equal(await outcome(callOf('', { method: 'PUT', headers: byHeader })), 200)
    })

    it('takes no method of the sink for harmless', async () => {
      const { secret } = await addApiKey(database.sql, organization.uid, feeds)
      const sink = access.guardSink(async () => emptyReply)
      const headers = { cookie: `api_key=${secret}`, 'sec-fetch-site': 'cross-site' }
      await assert.rejects(sink(callOf('', { headers })), { status: 403 })
      assert.equal(await sink(callOf('', { headers: { cookie: `api_key=${secret}` } })), emptyReply)
      const basic = `Basic ${Buffer.from(`:${secret}`).toString('base64')}`
      assert.equal(await sink(callOf('', { headers: { authorization: basic } })), emptyReply)
      const session = await addSession(database.sql, owner, clock.now())
      await assert.rejects(sink(callOf(`session=${session}`)), { status: 401 })
    })
  })

  describe('without a credential', () => {
    it('lets anyone read the feeds of a public organization, and nothing else', async () => {
      const open = await addOrganization(database.sql, 'Open', owner)
      const read = (query: string) => access.identify(callOf(query), 'anyone')
      await assert.rejects(async () => read(`org=${open.uid}`), { status: 401 })
      await database.sql`update organization set is_public = true where key = ${open.key}`
      await access.refresh()
      const caller = await read(`org=${open.uid}`)
      assert.equal(caller.organizationKey, open.key)
      demand(caller, 'GET component/feed')
      for (const permission of ['PUT component/feed', 'GET component/property', 'GET component'] as const)
        assert.throws(() => demand(caller, permission), { status: 401 })
      await assert.rejects(async () => read(''), { status: 401 })
      await assert.rejects(async () => read('org=unknown'), { status: 401 })
      assert.equal(await outcome(callOf(`org=${open.uid}`)), 401)
      await assert.rejects(async () => access.identify(callOf(`org=${open.uid}&api_key=unknown`), 'anyone'), {
        status: 401,
      })
    })
  })

  describe('its memory', () => {
    it('forgets within a second what another server revokes', async () => {
      const other = openAccess(world, testSecrets)
      const key = await addApiKey(database.sql, organization.uid, feeds)
      const user = await addUser(database.sql, 'leaving@example.org')
      await addMember(database.sql, organization.uid, user, 'member')
      const session = await addSession(database.sql, user, clock.now())
      const [byKey, bySession] = [callOf(`api_key=${key.secret}`), callOf(`session=${session}`)]
      for (const call of [byKey, bySession]) assert.equal(await outcome(call, other), 200)
      await database.sql`update api_key set enabled = false where key = ${key.key}`
      await within(1000, async () => (await outcome(byKey, other)) === 401)
      await database.sql`update api_key set enabled = true where key = ${key.key}`
      await within(1000, async () => (await outcome(byKey, other)) === 200)
      await database.sql`delete from api_key where key = ${key.key}`
      await within(1000, async () => (await outcome(byKey, other)) === 401)
      await database.sql`update member set role = 'guest' where user_key = ${user.key}`
      await within(1000, async () => (await identify(bySession, other)).user?.role === 'guest')
      await database.sql`delete from user_account where key = ${user.key}`
      await within(1000, async () => (await outcome(bySession, other)) === 401)
    })

    it('refuses nothing that another server has just given', async () => {
      const other = openAccess(world, testSecrets)
      const key = await addApiKey(database.sql, organization.uid, feeds, { enabled: false })
      const user = await addUser(database.sql, 'founding@example.org')
      await addMember(database.sql, organization.uid, user, 'member')
      const session = await addSession(database.sql, user, clock.now())
      const founded = await addOrganization(
        database.sql,
        'Just founded',
        await addUser(database.sql, 'its@example.org'),
      )
      const [byKey, bySession] = [callOf(`api_key=${key.secret}`), callOf(`session=${session}&org=${founded.uid}`)]
      assert.deepEqual([await outcome(byKey, other), await outcome(bySession, other)], [401, 403])
      await database.sql`update api_key set enabled = true where key = ${key.key}`
      await addMember(database.sql, founded.uid, user, 'owner')
      assert.deepEqual([await outcome(byKey, other), await outcome(bySession, other)], [200, 200])
    })

    it('misses no revocation when transactions commit in another order than they began', async () => {
      const other = openAccess(world, testSecrets)
      const [slow, quick] = [
        await addApiKey(database.sql, organization.uid, feeds),
        await addApiKey(database.sql, organization.uid, feeds),
      ]
      for (const { secret } of [slow, quick]) await identify(callOf(`api_key=${secret}`), other)
      await transaction(database.sql, async (sql) => {
        await sql`delete from api_key where key = ${slow.key}`
        await database.sql`delete from api_key where key = ${quick.key}`
        await other.refresh()
        assert.equal(await outcome(callOf(`api_key=${quick.secret}`), other), 401)
        assert.equal(await outcome(callOf(`api_key=${slow.secret}`), other), 200)
      })
      await other.refresh()
      assert.equal(await outcome(callOf(`api_key=${slow.secret}`), other), 401)
    })

    it('forgets an organization that is deleted', async () => {
      const user = await addUser(database.sql, 'founder@example.org')
      const doomed = await addOrganization(database.sql, 'Doomed', user)
      const { secret } = await addApiKey(database.sql, doomed.uid, feeds)
      const session = await addSession(database.sql, user, clock.now())
      assert.equal(await outcome(callOf(`api_key=${secret}`)), 200)
      assert.equal(await outcome(callOf(`session=${session}`)), 200)
      await database.sql`delete from organization where key = ${doomed.key}`
      await access.refresh()
      assert.equal(await outcome(callOf(`api_key=${secret}`)), 401)
      assert.equal(await outcome(callOf(`session=${session}`)), 403)
    })
  })

  it('finds the user of a session that goes on, and of nothing else', async () => {
    const [session, key] = [
      await addSession(database.sql, owner, clock.now()),
      await addApiKey(database.sql, organization.uid, feeds),
    ]
    assert.equal((await access.findSessionUser(session, '192.0.2.1'))?.userUid, owner.uid)
    for (const secret of ['', 'unknown', key.secret])
      assert.equal(await access.findSessionUser(secret, '192.0.2.1'), undefined)
    const long = await addSession(database.sql, owner, clock.now() - 31 * 24 * 3_600_000)
    assert.equal(await access.findSessionUser(long, '192.0.2.1'), undefined)
  })

  it('keeps no name of an organization, which may be long, with the sessions that it remembers', async () => {
    const known = await access.identifyUser(callOf(`session=${await addSession(database.sql, owner)}`))
    assert.ok(known.memberships.length > 0)
    assert.doesNotMatch(JSON.stringify(known.memberships), /Ours/)
  })

  it('names the caller of a refused call, also where the credential is not good for it', async () => {
    const disabled = await addApiKey(database.sql, organization.uid, feeds, { enabled: false })
    const session = await addSession(database.sql, owner, clock.now())
    const actorOf = async (call: Call) => {
      await access.nameCaller(call)
      return call.actor
    }
    assert.equal(await actorOf(callOf(`api_key=${disabled.secret}`)), `api_key ${disabled.uid}`)
    const foreign = { method: 'PUT', headers: { cookie: `session=${session}`, 'sec-fetch-site': 'cross-site' } }
    assert.equal(await actorOf(callOf('', foreign)), `user ${owner.uid}`)
    for (const query of ['', 'api_key=unknown']) assert.equal(await actorOf(callOf(query)), undefined)
  })

  it('gives an account the caller that it is in each of its organizations', async () => {
    const user = await addUser(database.sql, 'two@example.org')
    await addOrganization(database.sql, 'One of two', user)
    await addOrganization(database.sql, 'Two of two', user)
    const { secret } = await addApiKey(database.sql, organization.uid, feeds)
    const session = await addSession(database.sql, user, clock.now())
    const counted = access.guardAccount(async (account) => ({
      ...emptyReply,
      body: `${account.callers.length} ${account.user?.userUid ?? 'key'}`,
    }))
    assert.equal((await counted(callOf(`session=${session}`))).body, `2 ${user.uid}`)
    assert.equal((await counted(callOf(`api_key=${secret}`))).body, '1 key')
    await assert.rejects(counted(callOf('api_key=unknown')), { status: 401 })
  })

  it('throws a fault of the address only after the credential is known to be good', async () => {
    const { secret } = await addApiKey(database.sql, organization.uid, feeds)
    const fault = Object.assign(new Error('broken'), { status: 400 }) as never
    const guarded = access.guard(async () => emptyReply)
    await assert.rejects(guarded({ ...callOf('api_key=unknown'), fault }), { status: 401 })
    await assert.rejects(guarded({ ...callOf(`api_key=${secret}`), fault }), { status: 400 })
  })

  it('makes the caller of a run-as user, unless they are no member', async () => {
    const user = await addUser(database.sql, 'runner@example.org')
    assert.equal(await callerForUser(database.sql, organization.key, user.key), undefined)
    await addMember(database.sql, organization.uid, user, 'member')
    const caller = (await callerForUser(database.sql, organization.key, user.key)) as Caller
    demand(caller, 'PUT component/feed')
    assert.throws(() => demand(caller, 'PUT unit'), { status: 403 })
  })

  it('looks up the key of one address before all the unknown keys that another has sent', async () => {
    const known = await addApiKey(database.sql, organization.uid, feeds)
    const settled: string[] = []
    let asked: Promise<unknown>[] = []
    await transaction(database.sql, async (sql) => {
      await sql`lock table api_key in access exclusive mode`
      const ask = (secret: string, address: string) =>
        outcome(callOf(`api_key=${secret}`, { address })).then((status) => settled.push(`${address} ${status}`))
      asked = Array.from({ length: 1000 }, (_, index) => ask(`nobody-${index}`, '192.0.2.66'))
      asked.push(ask(known.secret, '192.0.2.7'))
    })
    await Promise.all(asked)
    assert.equal(settled.length, 1001)
    // Behind those that were under way, and on a busy machine some more: its connection may have to be opened first.
    const place = settled.indexOf('192.0.2.7 200')
    assert.ok(place >= 0 && place < 200, `answered as number ${place}`)
  })
})
