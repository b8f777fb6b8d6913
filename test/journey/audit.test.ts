// The audit log (docs/management.md#audit-log): changes, before and after, with their actors; sign-ins; and the secrets
// it never shows.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import {
  auditDayBytes,
  auditKeptDays,
  furtherActions,
  removeOldAudit,
  signInsKeptDays,
  writeAudit,
} from '../../src/core/audit.ts'
import type { Client, Person } from '../support/http.ts'
import { addPerson, messageIn } from '../support/http.ts'
import { testPassword } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

type Entry = {
  readonly time: number
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly actorName: string | null
  readonly subjectName: string | null
  readonly detail: { readonly before?: Record<string, unknown>; readonly after?: Record<string, unknown> }
}

describe('the audit log', () => {
  let service: TestService
  let admin: Person
  let call: Client
  before(async () => {
    service = await openTestService()
    admin = await addPerson(service, 'admin')
    call = admin.call
  })
  after(() => service.close())

  const entries = async (query: string) => {
    const { status, body } = await call('GET', `/api/audit?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return (body as { audit: readonly Entry[] }).audit
  }
  const make = async (entity: string, input: object) => {
    const { status, body } = await call('POST', `/api/${entity}`, input)
    assert.equal(status, 201, JSON.stringify(body))
    return (body as Record<string, { uid: string; secret?: string }>)[entity]!
  }

  it('has creations, changes and deletions, before and after', async () => {
    const { uid } = await make('unit', { id: 'c', name: 'Celsius', symbol: '°C' })
    await call('PUT', `/api/unit/${uid}`, { name: 'Degrees' })
    await call('DELETE', `/api/unit/${uid}`)
    const [deleted, updated, created] = await entries(`subject=${uid}`)
    assert.deepEqual([created!.action, created!.actor], ['unit.create', `user ${admin.user.uid}`])
    assert.equal(created!.detail.after!['symbol'], '°C')
    assert.deepEqual(updated!.detail, { before: { name: 'Celsius' }, after: { name: 'Degrees' } })
    assert.deepEqual([deleted!.action, deleted!.detail.before!['name']], ['unit.delete', 'Degrees'])
  })

  it('says so of organizations, properties and streams of a component', async () => {
    const path = `/api/organization/${service.organizationUid}`
    await call('PUT', path, { retentionDays: 400 })
    await call('PUT', path, { retentionDays: null })
    const [last] = await entries('action=organization.update')
    assert.deepEqual(last!.detail, { before: { retentionDays: 400 }, after: { retentionDays: null } })
    const { uid } = await make('component', { id: 'Kiln', stream: [{ id: 'a' }, { id: 'b' }] })
    await call('POST', '/api/comp/Kiln/property', [{ component: { name: 'Big kiln' } }])
    const [named] = await entries(`subject=${uid}`)
    assert.deepEqual(named!.detail, { before: { name: 'Kiln' }, after: { name: 'Big kiln' } })
  })

  it('has creations of an upload: a component with its streams, and streams of one that was there', async () => {
    await make('template', { id: 'oven', timeZone: 'Asia/Tokyo', stream: [{ id: 'set', valueType: 'LONG' }] })
    const put = async (query: string) => assert.equal((await service.put(`/api/feed?${query}`)).status, 200)
    const made = async (action: string) =>
      (await entries(`action=${action}`)).filter(({ actor }) => actor.startsWith('api_key')).map(({ detail }) => detail)
    await put('compId=Oven&compTmplId=oven&compName=Big&folder=/Components/East&t=1&mode=on')
    const { uid } = (await service.sql<[{ uid: string }]>`select uid from component where id = 'Oven'`)[0]
    const stream = [
      { id: 'set', kind: 'random', valueType: 'LONG' },
      { id: 't', kind: 'random', valueType: 'DOUBLE' },
      { id: 'mode', kind: 'random', valueType: 'STRING' },
    ]
    const after = { id: 'Oven', name: 'Big', folder: '/Components/East', timeZone: 'Asia/Tokyo', stream }
    assert.deepEqual(await made('component.create'), [{ after }])
    assert.deepEqual(await made('stream.create'), [])
    await put('compId=Oven&p=2')
    const added = { componentUid: uid, id: 'p', kind: 'random', valueType: 'DOUBLE' }
    assert.deepEqual(await made('stream.create'), [{ after: added }])
    // However many they are, an entry stays one that somebody reads.
    await put(`compId=Wide&${Array.from({ length: 500 }, (_, n) => `s${n}=1`).join('&')}`)
    const [wide] = await made('component.create')
    const shown = wide!.after as { stream: readonly unknown[]; streamCount: number }
    assert.deepEqual([shown.stream.length, shown.streamCount], [20, 500])
  })

  it('has no secret in it, and says that there is a new one', async () => {
    const key = await make('api_key', { name: 'k' })
    const client = await make('oauth_client', { name: 'c', redirectUris: ['https://a.example/'], secret: true })
    const password = 'a password nobody else knows'
    const user = await make('user', { email: 'audited@example.org', password, role: 'guest' })
    await call('PUT', `/api/user/${user.uid}`, { password: `${password} now`, role: 'member' })
    const [changed] = await entries(`subject=${user.uid}`)
    assert.deepEqual(changed!.detail, { before: { role: 'guest' }, after: { role: 'member', password: '(not shown)' } })
    const [made] = await entries(`subject=${client.uid}`)
    assert.equal(made!.detail.after!['secret'], '(not shown)')
    const all = JSON.stringify(await service.sql`select * from audit`)
    for (const secret of [key.secret!, client.secret!, password]) assert.equal(all.includes(secret), false)
  })

  it('has sign-ins, and failed ones', async () => {
    const { user } = await addPerson(service, 'member')
    const login = async (password: string) =>
      (await service.request('POST', '/api/login', { body: JSON.stringify({ email: user.email, password }) })).status
    assert.deepEqual([await login(testPassword), await login('wrong password')], [200, 401])
    await eventually(async () => (await entries(`subject=${user.uid}`)).length === 2)
    const found = await entries(`subject=${user.uid}`)
    assert.deepEqual(
      found.map(({ action, actor, detail }) => `${action} ${actor} ${JSON.stringify(detail)}`).toSorted(),
      [`user.login user ${user.uid} {"address":"127.0.0.1"}`, 'user.login_failed anyone {"address":"127.0.0.1"}'],
    )
  })

  it('is narrowed by actor, action, entity, subject, time and text, and by nothing else', async () => {
    const other = await addPerson(service, 'admin')
    const made = await other.call('POST', '/api/unit', { id: 'k' })
    const { uid } = (made.body as { unit: { uid: string } }).unit
    for (const actor of [other.user.uid, `user ${other.user.uid}`])
      assert.deepEqual(
        (await entries(`actor=${encodeURIComponent(actor)}`)).map(({ subject }) => subject),
        [uid],
      )
    assert.deepEqual(await entries(`actor=${other.user.uid.slice(0, 8)}`), [])
    const units = await entries('entity=unit&limit=1000')
    assert.ok(units.length > 0 && units.every(({ action }) => action.startsWith('unit.')))
    assert.deepEqual(await entries('entity=uni'), [])
    const [{ time }] = (await entries(`subject=${uid}`)) as [Entry]
    assert.equal((await entries(`subject=${uid}&sd=${time}&ed=${time + 1}`)).length, 1)
    assert.deepEqual(await entries(`subject=${uid}&ed=${time}`), [])
    assert.equal((await entries(`text=${uid.toUpperCase()}`)).length, 1)
    assert.equal((await entries('start=1&limit=1')).length, 1)
    for (const [query, message] of [
      ['user=x', /there is no parameter 'user' here, but start, limit, text, actor, action, entity, subject, sd, ed/],
      ['sd=2&ed=1', /sd is after ed/],
      ['sd=yesterday', /sd must be epoch milliseconds/],
    ] as const) {
      const { status, body } = await call('GET', `/api/audit?${query}`)
      assert.equal(status, 400)
      assert.match(messageIn(body), message)
    }
  })

  it('is searched for names, also of deleted entities, and not for the words of its own form', async () => {
    const { uid } = await make('unit', { id: 'knot "1\\2"', name: 'Sea miles', symbol: 'kn' })
    assert.equal((await call('DELETE', `/api/unit/${uid}`)).status, 200)
    for (const text of ['SEA mil', 'knot "1\\2"', '"1']) {
      const found = await entries(`text=${encodeURIComponent(text)}`)
      assert.deepEqual(
        found.map(({ action, subject }) => [action, subject]),
        [
          ['unit.delete', uid],
          ['unit.create', uid],
        ],
        text,
      )
    }
    const { uid: component } = await make('component', { id: 'Deep', stream: [{ id: 'under water' }] })
    assert.deepEqual(
      (await entries('text=under%20WATER')).map(({ subject }) => subject),
      [component],
    )
    for (const text of ['symbolLocation', 'before', '{', '_ea miles', '%'])
      assert.deepEqual(await entries(`text=${encodeURIComponent(text)}`), [], text)
  })

  it('has no action that the documentation does not name', () => {
    const page = readFileSync(new URL('../../docs/management.md', import.meta.url), 'utf8')
    for (const action of furtherActions) assert.ok(page.includes(`\`${action}\``), action)
  })

  it('forgets changes after 400 days and sign-ins after 30', async () => {
    const { sql } = service
    const nowMs = Date.now()
    const add = (action: string, days: number) => sql`
      insert into audit (organization_key, actor, action, subject, at)
      values (null, 'anyone', ${action}, 'old', ${nowMs - days * 86_400_000})`
    for (const days of [signInsKeptDays - 1, signInsKeptDays + 1, auditKeptDays - 1, auditKeptDays + 1])
      for (const action of ['unit.create', 'user.login', 'user.login_failed']) await add(action, days)
    assert.equal(await removeOldAudit(sql, nowMs), false)
    const left = await sql<{ action: string }[]>`select action from audit where subject = 'old' order by action, at`
    assert.deepEqual(
      left.map(({ action }) => action),
      ['unit.create', 'unit.create', 'unit.create', 'user.login', 'user.login_failed'],
    )
  })

  it('takes what replies show and nobody sets only as it was read', async () => {
    const { uid } = await make('oauth_client', { name: 'c', redirectUris: ['https://a.example/'] })
    const path = `/api/oauth_client/${uid}`
    const { body } = await call('GET', path)
    const { oauth_client: shown } = body as { oauth_client: object }
    assert.equal((await call('PUT', path, shown)).status, 200)
    for (const [method, address, input] of [
      ['PUT', path, { hasSecret: true }],
      ['POST', '/api/oauth_client', { name: 'c', redirectUris: ['https://a.example/'], hasSecret: true }],
      ['POST', '/api/cycle', { id: 'x', size: 1, unit: 'day', isStock: true }],
    ] as const) {
      const refused = await call(method, address, input)
      assert.equal(refused.status, 400, JSON.stringify(refused.body))
      assert.match(messageIn(refused.body), /is not set by callers: leave it out/)
    }
  })

  it('names actors and entities as they are called now, and removed ones as they were', async () => {
    const { uid } = await make('unit', { id: 'kelvin', name: 'Kelvin' })
    await call('PUT', `/api/unit/${uid}`, { symbol: 'K' })
    const names = async () => (await entries(`subject=${uid}`)).map(({ subjectName }) => subjectName)
    assert.deepEqual(await names(), ['Kelvin', 'Kelvin'])
    await call('DELETE', `/api/unit/${uid}`)
    // The entry of its change has the symbol alone.
    assert.deepEqual(await names(), ['Kelvin', null, 'Kelvin'])
    const { status } = await service.put('/api/feed?compId=Named&compName=The%20kiln&t=1')
    assert.equal(status, 200)
    const [made] = await entries('action=component.create&text=The%20kiln')
    assert.equal(made!.subjectName, 'The kiln')
    const key = await call('GET', `/api/api_key/${made!.actor.split(' ')[1]}`)
    assert.equal(made!.actorName, (key.body as { api_key: { name: string } }).api_key.name)
    const [stream] = await service.sql<[{ uid: string }]>`
      select stream.uid from stream join component on component.key = component_key where component.id = 'Named'`
    await call('PUT', `/api/stream/${stream.uid}`, { name: 'Heat' })
    const [renamed] = await entries(`subject=${stream.uid}`)
    assert.deepEqual([renamed!.subjectName, renamed!.actorName], ['The kiln · Heat', admin.user.email])
  })

  it('has a share of the day for what a tenant writes at length, beyond which entries are brief, and all there', async () => {
    const { sql } = service
    const [tenant] = await sql<[{ uid: string }]>`
      select coalesce(tenant_uid, uid) as uid from organization where uid = ${service.organizationUid}`
    const counted = async () => {
      const [row] = await sql<[{ bytes: number }]>`
        select coalesce(sum(bytes), 0)::float8 as bytes from audit_day where tenant_uid = ${tenant.uid}`
      return row.bytes
    }
    const leave = async (bytes: number) => {
      await sql`delete from audit_day where tenant_uid = ${tenant.uid}`
      // Of another connection: there is none with the number 0.
      await sql`
        insert into audit_day (tenant_uid, day, backend, bytes)
        values (${tenant.uid}, (now() at time zone 'UTC')::date, 0, ${auditDayBytes - bytes})`
    }
    const { uid } = await make('query', { name: 'Long', sql: 'SELECT 1' })
    const change = async (letter: string) => {
      const text = `-- ${letter.repeat(1500)}`
      assert.equal((await call('PUT', `/api/query/${uid}`, { name: letter, sql: text })).status, 200)
      const [{ detail } = { detail: {} }] = await entries(`subject=${uid}`)
      return detail as { after: Record<string, string>; before: Record<string, string>; cut?: string }
    }
    const former = await counted()
    const detail = await change('a')
    assert.equal(detail.cut, undefined)
    assert.equal((await counted()) - former, JSON.stringify(detail).length)
    // A short one counts nothing.
    await call('PUT', `/api/query/${uid}`, { name: 'b' })
    assert.equal((await counted()) - former, JSON.stringify(detail).length)

    await leave(3500)
    const whole = await change('c')
    assert.equal(whole.after['sql'], `-- ${'c'.repeat(1500)}`)
    const brief = await change('d')
    assert.equal(brief.cut, 'long values: more than the share of the day')
    assert.deepEqual(
      [brief.before['name'], brief.after['name'], brief.after['sql']],
      ['c', 'd', `-- ${'d'.repeat(37)}… (1503 characters)`],
    )
    // All that an upload makes is there, and only the long ones are brief.
    const ids = Array.from({ length: 25 }, (_, n) => `${'s'.repeat(30)}${n}`)
    const put = await service.put(`/api/feed?compId=Brief&${ids.map((id) => `${id}=1`).join('&')}`)
    assert.equal(put.status, 200)
    const [made] = await entries('action=component.create&text=Brief')
    assert.deepEqual([made!.detail.after!['id'], made!.subjectName], ['Brief', 'Brief'])
    assert.match(String(made!.detail.after!['stream']), /^\[\{"id":"s{30}0"… \(20 elements\)$/)

    // Organizations that its people have made share with it, others do not.
    const isBriefIn = async (tenantUid: string | null) => {
      const [{ key }] = await sql<[{ key: number }]>`
        insert into organization (name, tenant_uid) values ('Elsewhere', ${tenantUid}) returning key`
      await writeAudit(sql, { organizationKey: key, actor: 'host' }, 'unit.create', 'U', {
        after: { text: 'a'.repeat(1500) },
      })
      const [entry] = await sql<[{ detail: object }]>`select detail from audit where organization_key = ${key}`
      return 'cut' in entry.detail
    }
    assert.deepEqual([await isBriefIn(tenant.uid), await isBriefIn(null)], [true, false])
    await sql`update audit_day set day = day - 1 where tenant_uid = ${tenant.uid}`
    assert.equal((await change('e')).cut, undefined)
    await sql`update audit_day set day = day - 9 where tenant_uid = ${tenant.uid}`
    await removeOldAudit(sql, Date.now())
    assert.equal(await counted(), 0)
  })
})
