// Organizations in the management API (docs/management.md#organizations), rule by rule.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { findApiKeyBySecret } from '../../src/core/api-key.ts'
import { transaction } from '../../src/base/database/sql.ts'
import { openShares } from '../../src/base/shares.ts'
import { holdersOf, publicCaller } from '../../src/core/caller.ts'
import { findOrganization } from '../../src/core/organization.ts'
import { openRemover, removeSomeOfOrganization } from '../../src/core/upkeep/removal.ts'
import { callerForUser, findUserByEmail, listMemberships, refuseManyMemberships } from '../../src/core/user.ts'
import { clientWith, messageIn } from '../support/http.ts'
import {
  addApiKey,
  addMember,
  addOrganization,
  addSession,
  addUser,
  testPassword,
  testSecrets,
} from '../support/people.ts'
import { openSecond } from '../support/second.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

type Shown = {
  readonly uid: string
  readonly name: string
  readonly timeZone: string
  readonly public: boolean
  readonly version: number
}
const shownIn = (body: unknown) => (body as { organization: Shown }).organization
const namesIn = (body: unknown) => (body as { organization: readonly Shown[] }).organization.map(({ name }) => name)

describe('managing organizations', () => {
  let service: TestService
  before(async () => {
    service = await openTestService({ baseUrl: 'http://data.example' })
  })
  after(() => service.close())

  let added = 0
  const addPerson = async (timeZone = 'Europe/Paris') => {
    added += 1
    const user = await addUser(service.sql, `person${added}@example.org`, timeZone)
    return { user, call: clientWith(service, `session=${await addSession(service.sql, user)}`) }
  }
  const addFounder = async (name: string) => {
    const { user, call } = await addPerson()
    return { user, call, organization: await addOrganization(service.sql, name, user) }
  }

  it('lets any signed-in user make one and own it, with stock cycles and their time zone', async () => {
    const { user, call } = await addPerson('Asia/Tokyo')
    const { status, body } = await call('POST', '/api/organization', { name: 'North plant' })
    assert.equal(status, 201)
    const { uid, ...rest } = shownIn(body)
    assert.deepEqual(rest, {
      name: 'North plant',
      timeZone: 'Asia/Tokyo',
      public: false,
      plan: { gsql: true },
      retentionDays: null,
      brand: {},
      version: 1,
    })
    const cycles = await call('GET', `/api/cycle?org=${uid}`)
    assert.equal((cycles.body as { totalCount: number }).totalCount, 11)
    const users = await call('GET', `/api/user?org=${uid}`)
    assert.deepEqual(
      (users.body as { user: readonly { uid: string; role: string }[] }).user.map((one) => [one.uid, one.role]),
      [[user.uid, 'owner']],
    )
  })

  it('is one of a thousand at most for a user, who is not added to further ones either', async () => {
    const { user, call } = await addPerson()
    await service.sql`
      with made as (
        insert into organization (name, time_zone) select 'o' || n, 'UTC' from generate_series(1, 998) as n returning key)
      insert into member (organization_key, user_key, role) select key, ${user.key}, 'owner' from made`
    const make = () => call('POST', '/api/organization', { name: 'x' })
    const statuses = (await Promise.all([make(), make(), make(), make()])).map(({ status }) => status)
    assert.deepEqual(
      [201, 409].map((one) => statuses.filter((status) => status === one).length),
      [2, 2],
    )
    const { body } = await make()
    assert.equal(messageIn(body), 'a user belongs to 1000 organizations at most')
    const { user: boss, organization } = await addFounder('Full house')
    const second = await addOrganization(service.sql, 'Second house', boss)
    await addMember(service.sql, organization.uid, user, 'guest')
    const asBoss = clientWith(service, `session=${await addSession(service.sql, boss)}&org=${second.uid}`)
    const joined = await asBoss('POST', '/api/user', { email: user.email, role: 'guest' })
    assert.equal(messageIn(joined.body), 'a user belongs to 1000 organizations at most')
  })

  it('is counted with one that the user is just being added to', async () => {
    const { user, call } = await addPerson()
    await service.sql`
      with made as (
        insert into organization (name, time_zone) select 'o' || n, 'UTC' from generate_series(1, 1000) as n returning key)
      insert into member (organization_key, user_key, role)
      select key, ${user.key}, 'owner' from made order by key limit 999`
    const { making } = await transaction(service.sql, async (sql) => {
      await refuseManyMemberships(sql, user.key)
      await sql`
        insert into member (organization_key, user_key, role) select max(key), ${user.key}, 'guest' from organization`
      let isOver = false
      const asked = call('POST', '/api/organization', { name: 'x' }).finally(() => (isOver = true))
      await eventually(
        async () => isOver || (await service.sql`select from pg_locks where not granted limit 1`).length > 0,
      )
      return { making: asked }
    })
    assert.equal(messageIn((await making).body), 'a user belongs to 1000 organizations at most')
  })

  it('makes none for an API key, nor without a name', async () => {
    const all = [{ resource: '*', methods: ['GET', 'PUT', 'POST', 'DELETE'] as const }]
    const { secret } = await addApiKey(service.sql, service.organizationUid, all)
    const byKey = clientWith(service, `api_key=${secret}`)
    assert.equal((await byKey('POST', '/api/organization', { name: 'X' })).status, 403)
    const { call } = await addPerson()
    assert.equal((await call('POST', '/api/organization', {})).status, 400)
    assert.equal((await call('POST', '/api/organization', { name: '' })).status, 400)
  })

  it('lists those that a user belongs to, without naming one, and to a key its own', async () => {
    const { user, call } = await addFounder('Alpha')
    await addOrganization(service.sql, 'Beta', user)
    await addFounder('Gamma')
    assert.deepEqual(namesIn((await call('GET', '/api/organization')).body), ['Alpha', 'Beta'])
    assert.deepEqual(namesIn((await call('GET', '/api/organization?text=BET')).body), ['Beta'])
    const page = (await call('GET', '/api/organization?start=1&limit=1')).body
    assert.deepEqual([namesIn(page), (page as { totalCount: number }).totalCount], [['Beta'], 2])
    const { secret } = await addApiKey(service.sql, service.organizationUid, [{ resource: '*', methods: ['GET'] }])
    const byKey = clientWith(service, `api_key=${secret}`)
    assert.deepEqual(namesIn((await byKey('GET', '/api/organization')).body), ['My organization'])
    const feedsOnly = clientWith(service, `api_key=${service.apiKey}`)
    assert.equal((await feedsOnly('GET', '/api/organization')).status, 403)
  })

  it('does not know others', async () => {
    const { organization } = await addFounder('Hidden')
    const { call } = await addPerson()
    const all = [{ resource: '*', methods: ['GET', 'PUT'] as const }]
    const { secret } = await addApiKey(service.sql, service.organizationUid, all)
    for (const ask of [call, clientWith(service, `api_key=${secret}`)]) {
      assert.equal((await ask('GET', `/api/organization/${organization.uid}`)).status, 404)
      assert.equal((await ask('PUT', `/api/organization/${organization.uid}`, { name: 'X' })).status, 404)
    }
    assert.equal((await call('DELETE', `/api/organization/${organization.uid}`)).status, 404)
  })

  it('changes the members given, and refuses a stale version', async () => {
    const { call, organization } = await addFounder('Delta')
    const path = `/api/organization/${organization.uid}`
    const changed = await call('PUT', path, { name: 'Epsilon', retentionDays: 30, plan: { gsql: false }, version: 1 })
    assert.equal(changed.status, 200)
    assert.deepEqual(shownIn(changed.body), {
      ...shownIn((await call('GET', path)).body),
      name: 'Epsilon',
      retentionDays: 30,
      plan: { gsql: false },
      version: 2,
    })
    const late = await call('PUT', path, { name: 'Zeta', version: 1 })
    assert.deepEqual([late.status, (late.body as { code: string }).code], [409, 'stale_version'])
  })

  it('refuses wrong members', async () => {
    const { call, organization } = await addFounder('Picky')
    for (const [input, message] of [
      [{ retentionDays: 0 }, 'retentionDays must be a whole number from 1 to 100000'],
      [{ public: 'yes' }, 'public must be true or false'],
      [{ brand: { domain: 'https://x' } }, "domain must be a host name, not 'https://x'"],
      [
        { brand: { logo: 'https://evil.example/x.png' } },
        'logo must be a data: URL of an image, or a path of this server',
      ],
      [{ brand: { logo: '//evil.example/x.png' } }, 'logo must be a data: URL of an image, or a path of this server'],
      [{ brand: { logo: 'data:text/html,x' } }, 'logo must be a data: URL of an image, or a path of this server'],
      [{ brand: { colour: 'red' } }, "brand has no member 'colour', it has domain, name, logo"],
      [
        { owner: 'me' },
        "organization has no member 'owner', it has uid, name, timeZone, public, plan, retentionDays, brand, version",
      ],
    ] as const) {
      const { status, body } = await call('PUT', `/api/organization/${organization.uid}`, input)
      assert.deepEqual([status, messageIn(body)], [400, message])
    }
  })

  it('is public or not at once', async () => {
    const { call, organization } = await addFounder('Open')
    const path = `/api/comp/x/feed?org=${organization.uid}`
    assert.equal((await service.request('GET', path)).status, 401)
    await call('PUT', `/api/organization/${organization.uid}`, { public: true })
    assert.equal((await service.request('GET', path)).status, 404)
    assert.equal((await service.request('PUT', `/api/feed?compId=x&a=1&org=${organization.uid}`)).status, 401)
    assert.equal((await service.request('GET', `/api/comp/x/property?org=${organization.uid}`)).status, 401)
    await call('PUT', `/api/organization/${organization.uid}`, { public: false })
    assert.equal((await service.request('GET', path)).status, 401)
  })

  it('has a time zone of its own, at first that of the user who makes it', async () => {
    const { user, call } = await addPerson('Asia/Tokyo')
    const make = async (given: object) => shownIn((await call('POST', '/api/organization', given)).body)
    const first = await make({ name: 'First' })
    const second = await make({ name: 'Second', timeZone: 'America/New_York' })
    assert.deepEqual([first.timeZone, second.timeZone], ['Asia/Tokyo', 'America/New_York'])
    await call('PUT', `/api/organization/${second.uid}`, { timeZone: 'America/Lima' })
    await call('PUT', `/api/user/${user.uid}?org=${first.uid}`, { timeZone: 'Asia/Seoul' })
    const zoneOf = async ({ uid }: Shown) => shownIn((await call('GET', `/api/organization/${uid}`)).body).timeZone
    assert.deepEqual([await zoneOf(first), await zoneOf(second)], ['Asia/Tokyo', 'America/Lima'])
    const own = await call('GET', `/api/user/${user.uid}?org=${first.uid}`)
    assert.equal((own.body as { user: { timeZone: string } }).user.timeZone, 'Asia/Seoul')
    assert.equal((await make({ name: 'Third' })).timeZone, 'Asia/Seoul')
  })

  it('gives its zone to scripts that name none and to components that uploads make, whatever its owner’s other ones do', async () => {
    const { call } = await addPerson('Asia/Tokyo')
    const make = async (given: object) => shownIn((await call('POST', '/api/organization', given)).body)
    const first = await make({ name: 'First' })
    const hour = async () => {
      const { body } = await call('POST', `/api/gql?org=${first.uid}`, { s: 'SELECT Hour(0)' })
      return (body as { rows: readonly unknown[][] }).rows[0]![0]
    }
    const zoneOfNew = async (id: string) => {
      await call('PUT', `/api/feed?org=${first.uid}`, [{ compId: id, streamId: 'a', data: 1 }])
      const { body } = await call('GET', `/api/component?org=${first.uid}&id=${id}`)
      return (body as { component: readonly { timeZone: string }[] }).component[0]!.timeZone
    }
    assert.deepEqual([await hour(), await zoneOfNew('a')], [9, 'Asia/Tokyo'])
    const second = await make({ name: 'Second', timeZone: 'America/Lima' })
    await call('PUT', `/api/organization/${second.uid}`, { timeZone: 'UTC' })
    assert.deepEqual([await hour(), await zoneOfNew('b')], [9, 'Asia/Tokyo'])
    await call('PUT', `/api/organization/${first.uid}`, { timeZone: 'Asia/Kolkata' })
    assert.deepEqual([await hour(), await zoneOfNew('c')], [5, 'Asia/Kolkata'])
  })

  it('lets an admin change its time zone', async () => {
    const { organization } = await addFounder('Zones')
    const { user: admin, call: asAdmin } = await addPerson()
    await addMember(service.sql, organization.uid, admin, 'admin')
    const changed = await asAdmin('PUT', `/api/organization/${organization.uid}`, { timeZone: 'UTC' })
    assert.equal(shownIn(changed.body).timeZone, 'UTC')
  })

  it('shares as one with all that its people make, however many steps away, and for good', async () => {
    const founder = await addPerson()
    const own = shownIn((await founder.call('POST', '/api/organization', { name: 'Root' })).body)
    const email = 'branch@example.org'
    const person = { email, password: testPassword, role: 'owner' }
    assert.equal((await founder.call('POST', `/api/user?org=${own.uid}`, person)).status, 201)
    const branch = (await findUserByEmail(service.sql, email))!
    const call = clientWith(service, `session=${await addSession(service.sql, branch)}`)
    const second = shownIn((await call('POST', '/api/organization', { name: 'Second' })).body)
    assert.equal((await call('DELETE', `/api/organization/${own.uid}`)).status, 202)
    assert.equal((await call('DELETE', `/api/organization/${second.uid}`)).status, 202)
    const third = shownIn((await call('POST', '/api/organization', { name: 'Third' })).body)

    const { key } = (await findOrganization(service.sql, third.uid))!
    const { secret } = await addApiKey(service.sql, third.uid, [])
    const known = await findApiKeyBySecret(service.sql, testSecrets.hash(secret))
    assert.equal(known?.tenantUid, own.uid)
    const [membership] = await listMemberships(service.sql, branch.key)
    assert.equal(membership!.tenantUid, own.uid)
    const caller = (await callerForUser(service.sql, key, branch.key))!
    assert.deepEqual(holdersOf(caller, '127.0.0.1'), [`tenant ${own.uid}`, `user ${branch.uid}`])
  })

  it('shares not with those who read it without a credential, who share with their like', async () => {
    const organization = (await findOrganization(service.sql, service.organizationUid))!
    const reader = holdersOf(publicCaller(organization), '192.0.2.7')
    assert.deepEqual(reader, ['anyone', `anyone of tenant ${organization.tenantUid}`, 'anyone 192.0.2.7'])
    const places = openShares(12)
    const addresses = Array.from({ length: 100 }, (_, n) => `192.0.2.${n}`)
    for (const address of addresses) while (places.open(holdersOf(publicCaller(organization), address)).take(1));
    assert.equal(places.open([`tenant ${organization.tenantUid}`, 'api_key 1']).take(1), true)
    assert.equal(places.open(['tenant another', 'api_key 2']).take(1), true)
  })

  it('shares with no other where the operator’s people make it', async () => {
    const owner = (await findUserByEmail(service.sql, service.ownerEmail))!
    const admin = clientWith(service, `session=${await addSession(service.sql, owner)}`)
    const email = 'sales@example.org'
    const made = await admin('POST', '/api/user', { email, password: testPassword, role: 'member' })
    assert.equal(made.status, 201)
    const user = (await findUserByEmail(service.sql, email))!
    const call = clientWith(service, `session=${await addSession(service.sql, user)}`)
    for (const name of ['Customer A', 'Customer B']) {
      const { uid } = shownIn((await call('POST', '/api/organization', { name })).body)
      assert.equal((await findOrganization(service.sql, uid))!.tenantUid, uid)
    }
  })

  it('gives a domain to one organization only', async () => {
    const [one, two] = [await addFounder('One'), await addFounder('Two')]
    const brand = { domain: 'Data.One.example', name: 'One', logo: '/logo.png' }
    const changed = await one.call('PUT', `/api/organization/${one.organization.uid}`, { brand })
    assert.deepEqual((shownIn(changed.body) as unknown as { brand: unknown }).brand, {
      ...brand,
      domain: 'data.one.example',
    })
    const taken = { brand: { domain: 'DATA.one.example' } }
    assert.equal((await two.call('PUT', `/api/organization/${two.organization.uid}`, taken)).status, 409)
    assert.equal((await one.call('PUT', `/api/organization/${one.organization.uid}`, { brand: null })).status, 200)
    assert.equal((await two.call('PUT', `/api/organization/${two.organization.uid}`, taken)).status, 200)
  })

  it('gives a domain that two claim at once to one of them', async () => {
    const founders = await Promise.all(['Hasty', 'Hastier', 'Hastiest'].map(addFounder))
    const claim = { brand: { domain: 'race.example' } }
    const replies = await Promise.all(
      founders.map(({ call, organization }) => call('PUT', `/api/organization/${organization.uid}`, claim)),
    )
    assert.deepEqual(replies.map(({ status }) => String(status)).toSorted(), ['200', '409', '409'])
  })

  it('lets nobody brand the service itself', async () => {
    const { call, organization } = await addFounder('Brander')
    const path = `/api/organization/${organization.uid}`
    for (const domain of [
      'data.example',
      'DATA.example',
      '127.0.0.1',
      'localhost',
      'LocalHost',
      '10.0.0.7',
      '192.0.2.1',
      '127.1',
      '0x7f.1',
      '2130706433',
    ]) {
      const { status, body } = await call('PUT', path, { brand: { domain, name: 'Evil' } })
      assert.equal(status, 400, domain)
      assert.match(messageIn(body), /this service's own, or an address/)
    }
    assert.equal((await call('POST', '/api/organization', { name: 'X', brand: { domain: 'localhost' } })).status, 400)
    const named = await openTestService({ baseUrl: 'https://Data.Example:8443/coppice' })
    try {
      const body = JSON.stringify({ brand: { domain: 'data.example' } })
      const login = JSON.stringify({ email: named.ownerEmail, password: named.ownerPassword })
      const { sessionUid } = (await named.request('POST', '/api/login', { body: login })).json as { sessionUid: string }
      const own = `/api/organization/${named.organizationUid}?session=${sessionUid}`
      const headers = { 'Content-Type': 'application/json' }
      assert.equal((await named.request('PUT', own, { body, headers })).status, 400)
    } finally {
      await named.close()
    }
  })

  it('lets only the operator claim a domain where BASE_URL does not give the own name', async () => {
    for (const baseUrl of [undefined, 'http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080']) {
      const unnamed = await openTestService({ baseUrl })
      try {
        const login = JSON.stringify({ email: unnamed.ownerEmail, password: unnamed.ownerPassword })
        const { json } = await unnamed.request('POST', '/api/login', { body: login })
        const { sessionUid } = json as { sessionUid: string }
        const ask = async (method: string, path: string, input: object) => {
          const body = JSON.stringify(input)
          return (await unnamed.request(method, `${path}?session=${sessionUid}`, { body })).status
        }
        const claim = { name: 'Claims', brand: { domain: 'public.example' } }
        assert.equal(await ask('POST', '/api/organization', claim), 403)
        assert.equal(await ask('POST', '/api/organization', { name: 'Plain', brand: { name: 'Plain' } }), 201)
        const [row] = await unnamed.sql<{ uid: string }[]>`select uid from organization where name = 'Plain'`
        assert.equal(await ask('PUT', `/api/organization/${row!.uid}`, claim), 403)
        assert.equal(await ask('PUT', `/api/organization/${unnamed.organizationUid}`, claim), 200)
      } finally {
        await unnamed.close()
      }
    }
  })

  it('leaves the accounts of its owners to them alone when it is deleted, and frees those of others', async () => {
    const { user, call, organization } = await addFounder('Orphans')
    const { user: guest } = await addPerson()
    await addMember(service.sql, organization.uid, guest, 'guest')
    const { user: elsewhere } = await addFounder('Elsewhere')
    await addMember(service.sql, organization.uid, elsewhere, 'guest')
    assert.equal((await call('DELETE', `/api/organization/${organization.uid}`)).status, 202)
    const { call: asStranger, organization: strange } = await addFounder('Strangers')
    const add = (email: string) =>
      asStranger('POST', `/api/user?org=${strange.uid}`, { email, password: 'password of a thief' })
    assert.equal((await add(user.email)).status, 409)
    assert.equal((await add(elsewhere.email)).status, 409)
    assert.equal((await add(guest.email)).status, 201)
    const [known] = await service.sql<{ uid: string }[]>`select uid from user_account where email = ${guest.email}`
    assert.notEqual(known!.uid, guest.uid)
    assert.equal((await call('POST', '/api/organization', { name: 'Anew' })).status, 201)
  })

  it('is deleted by an owner alone, with all that is in it', async () => {
    const { user, call, organization } = await addFounder('Ending')
    const { user: admin, call: asAdmin } = await addPerson()
    await addMember(service.sql, organization.uid, admin, 'admin')
    const rows = [{ resource: 'component/*/feed', methods: ['GET', 'PUT'] as const }]
    const { secret } = await addApiKey(service.sql, organization.uid, rows)
    const put = () => service.request('PUT', `/api/feed?compId=Boiler&temp=20&api_key=${secret}`)
    assert.equal((await put()).status, 200)
    const path = `/api/organization/${organization.uid}`
    assert.equal((await asAdmin('DELETE', path)).status, 403)
    assert.equal((await call('DELETE', path)).status, 202)
    assert.equal((await call('GET', path)).status, 404)
    assert.equal((await put()).status, 401)
    while (await removeSomeOfOrganization(service.sql));
    const left = await service.sql`select from organization where key = ${organization.key}`
    assert.equal(left.length, 0)
    const removal = await service.sql`select from removal`
    assert.equal(removal.length, 1)
    // The owner is still somebody, who may begin anew.
    assert.equal((await call('POST', '/api/organization', { name: 'Anew' })).status, 201)
    const [entry] = await service.sql`
      select actor from audit where action = 'organization.delete' and subject = ${organization.uid}`
    assert.deepEqual(entry, { actor: `user ${user.uid}` })
  })

  it('is gone at once for everybody, though its contents go in parts afterwards', async () => {
    const { call, organization } = await addFounder('Large')
    const rows = [{ resource: 'component/*/feed', methods: ['GET', 'PUT'] as const }]
    const { secret } = await addApiKey(service.sql, organization.uid, rows)
    const batch = Array.from({ length: 250 }, (_, n) => ({ compId: `C${n}`, streamId: 's', data: n, time: 1 }))
    const body = JSON.stringify(batch)
    const upload = await service.request('PUT', `/api/feed?api_key=${secret}`, { body })
    assert.equal(upload.status, 200)
    const exposure = { public: true, brand: { domain: 'large.example' } }
    assert.equal((await call('PUT', `/api/organization/${organization.uid}`, exposure)).status, 200)
    const readPublic = () => service.request('GET', `/api/comp/C0/feed?org=${organization.uid}`)
    assert.equal((await readPublic()).status, 200)
    const components = async () =>
      (await service.sql`select from component where organization_key = ${organization.key}`).length

    // Another server has let its callers in already, and believes so for another moment.
    const second = await openSecond(service)
    try {
      const late = async (method: string, path: string) =>
        (await fetch(`${second.url}${path}api_key=${secret}`, { method })).status
      assert.equal(await late('PUT', '/api/feed?compId=C0&s=1&time=2&'), 200)
      assert.equal((await call('DELETE', `/api/organization/${organization.uid}`)).status, 202)
      const statuses = [
        await late('PUT', '/api/feed?compId=C0&s=1&time=3&'),
        await late('PUT', '/api/feed?compId=C0&new=1&time=3&'),
        await late('PUT', '/api/feed?compId=New&s=1&time=3&'),
        await late('GET', '/api/comp/C0/feed?'),
        (await readPublic()).status,
        (await call('GET', `/api/organization/${organization.uid}`)).status,
        (await call('DELETE', `/api/organization/${organization.uid}`)).status,
      ]
      assert.ok(
        statuses.every((status) => status === 401 || status === 404),
        String(statuses),
      )
    } finally {
      await second.close()
    }
    const { call: other, organization: heir } = await addFounder('Heir')
    const taking = await other('PUT', `/api/organization/${heir.uid}`, { brand: { domain: 'large.example' } })
    assert.equal(taking.status, 200)

    const counts = [await components()]
    while (await removeSomeOfOrganization(service.sql)) counts.push(await components())
    assert.deepEqual(counts, [250, 150, 50, 0, 0])
    const remove = openRemover()
    while (await remove(service.sql));
    const [left] = await service.sql<[{ n: number }]>`
      select count(*)::integer as n from sample where stream_key not in (select key from stream)`
    assert.equal(left.n, 0)
  })

  it('keeps no upload waiting for the removal of its keys and connectors, of which there may be many', async () => {
    const { call, organization } = await addFounder('Many keys')
    const { secret } = await addApiKey(service.sql, organization.uid, [{ resource: '*', methods: ['PUT'] }])
    const put = () => service.put(`/api/feed?compId=a&x=1&api_key=${secret}`)
    assert.equal((await put()).status, 200)
    let deleting: Promise<{ readonly status: number }> | undefined
    // Whoever holds one of them stands for the time that all of them take.
    await transaction(service.sql, async (sql) => {
      await sql`
        select from api_key
        where organization_key = (select key from organization where uid = ${organization.uid})
        for update`
      deleting = call('DELETE', `/api/organization/${organization.uid}`)
      await eventually(async () => {
        const waiting = await service.sql`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query ilike '%delete from "api_key"%'`
        return waiting.length === 1
      })
      assert.equal((await Promise.race([put(), sleep(5000, { status: 0 })])).status, 200)
    })
    assert.equal((await deleting!).status, 202)
    assert.equal((await put()).status, 401)
  })
})
