// A clock that is set back, by an hour and by a year: as after a wrong one was put right, or a machine was resumed; and
// what the jobs of a server remove while its clock is ahead.
import assert from 'node:assert/strict'
import { systemClock } from '../../src/base/clock.ts'
import { readConfig } from '../../src/base/config.ts'
import { transaction } from '../../src/base/database/sql.ts'
import { issueCode, readAuthorizationRequest } from '../../src/oauth/authorize.ts'
import { startJobs } from '../../src/jobs.ts'
import { insertSession } from '../../src/core/session.ts'
import type { Person } from '../support/http.ts'
import { addPerson } from '../support/http.ts'
import { addApiKey, addClient, testSecrets } from '../support/people.ts'
import type { TestClock, TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const startMs = Date.parse('2026-11-16T12:00:00Z')

describe('a clock that is set back', () => {
  let service: TestService
  let clock: TestClock
  let session: string
  before(async () => {
    clock = openTestClock(startMs)
    const { rateLimits } = readConfig({ RATE_LIMITS: 'feed=5/60' })
    service = await openTestService({ rateLimits }, clock)
    session = await signIn()
  })
  after(() => service.close())

  const signIn = async (): Promise<string> => {
    const body = JSON.stringify({ email: service.ownerEmail, password: service.ownerPassword })
    const reply = await service.request('POST', '/api/login', { body })
    assert.equal(reply.status, 200, reply.text)
    return (reply.json as { sessionUid: string }).sessionUid
  }
  const put = async (value: number) => (await service.put(`/api/feed?compId=Clock&a=${value}`)).status
  const samples = async () =>
    ((await service.get('/api/comp/Clock/stream/a/feed')).json as { time: number; data: number }[]).map(
      ({ time, data }) => [time - startMs, data],
    )

  it('times samples by the new time, and loses and overwrites none', async () => {
    assert.equal(await put(1), 200)
    clock.set(startMs - hourMs)
    assert.equal(await put(2), 200)
    clock.set(startMs - 365 * dayMs)
    assert.equal(await put(3), 200)
    assert.deepEqual(await samples(), [
      [0, 1],
      [-hourMs, 2],
      [-365 * dayMs, 3],
    ])
    const last = await service.get('/api/comp/Clock/last_value')
    assert.equal((last.json as { data: number }[])[0]!.data, 1)
    const counts = await service.get('/api/comp/Clock/stream/a/cycle/year/stat/nongapcount/feed')
    assert.deepEqual(
      (counts.json as { data: number }[]).map(({ data }) => data),
      [2, 1],
    )
  })

  it('keeps sessions that were begun before it, and takes new ones', async () => {
    assert.equal((await service.get(`/api/component?session=${session}`)).status, 200)
    clock.set(startMs - hourMs)
    const another = await signIn()
    assert.equal((await service.get(`/api/component?session=${another}`)).status, 200)
    clock.set(startMs)
    assert.equal((await service.get(`/api/component?session=${another}`)).status, 200)
  })

  it('keeps codes and tokens that were given before it, and makes none that was used good again', async () => {
    const { user } = await addPerson(service, 'member')
    const client = await addClient(service.sql, service.organizationUid)
    const request = await readAuthorizationRequest(
      service.sql,
      { response_type: 'code', client_id: client.clientId, redirect_uri: client.redirectUris[0]! },
      service.url,
    )
    const grantor = { userKey: user.key, userUid: user.uid, organizationKey: client.organizationKey }
    const giveCode = () => transaction(service.sql, (sql) => issueCode(sql, testSecrets, clock.now(), request, grantor))
    const ask = async (members: Readonly<Record<string, string>>) => {
      const body = new URLSearchParams({ client_id: client.clientId, ...members })
      const { status, json } = await service.request('POST', '/api/oauth_access_token', { body })
      return { status, ...(json as { error?: string; access_token: string; refresh_token: string }) }
    }
    const redeem = (code: string) => ask({ grant_type: 'authorization_code', code })
    const refresh = (token: string) => ask({ grant_type: 'refresh_token', refresh_token: token })
    const works = async (token: string) => (await service.get(`/api/component?access_token=${token}`)).status === 200

    clock.set(startMs)
    const codes = [await giveCode(), await giveCode(), await giveCode()] as const
    const [kept, renewed] = [await redeem(codes[0]), await redeem(codes[1])]
    const next = await refresh(renewed.refresh_token)
    clock.set(startMs - hourMs)
    const late = await redeem(codes[2])
    for (const { access_token: token } of [kept, renewed, next, late]) assert.equal(await works(token), true)
    const again = await refresh(next.refresh_token)
    assert.equal(await works(again.access_token), true)
    // Each takes the tokens of its grant back.
    for (const used of [await refresh(renewed.refresh_token), await redeem(codes[0]), await redeem(codes[2])])
      assert.deepEqual([used.status, used.error], [400, 'invalid_grant'])
    for (const { access_token: token } of [kept, again, late]) assert.equal(await works(token), false)
  })

  it('ends keys by the new time, however often it is set', async () => {
    const capabilities = [{ resource: 'component/*/feed', methods: ['GET'] }] as const
    const { secret } = await addApiKey(service.sql, service.organizationUid, capabilities, { expiresMs: startMs })
    assert.equal((await service.put('/api/feed?compId=Key&a=1')).status, 200)
    const statuses = []
    for (const aheadMs of [-1, 0, -hourMs, -1, 0]) {
      clock.set(startMs + aheadMs)
      statuses.push((await service.get(`/api/comp/Key/last_value?api_key=${secret}`)).status)
    }
    assert.deepEqual(statuses, [200, 401, 200, 200, 401])
  })

  it('limits calls in windows of the new time, and locks nobody out until the old one comes again', async () => {
    clock.set(startMs + hourMs)
    const statuses = []
    for (let n = 0; n < 6; n += 1) statuses.push(await put(n))
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
    clock.set(startMs - 2 * hourMs)
    assert.equal(await put(7), 200)
  })

  it('limits failed sign-ins in windows of the new time, and locks nobody out until the old one comes again', async () => {
    const signInBy = async (password: string) => {
      const body = JSON.stringify({ email: service.ownerEmail, password })
      return (await service.request('POST', '/api/login', { body })).status
    }
    const fail = async () => {
      for (let n = 0; n < 10; n += 1) assert.equal(await signInBy('wrong'), 401)
    }
    clock.set(startMs + hourMs)
    await fail()
    assert.equal(await signInBy(service.ownerPassword), 429)
    clock.set(startMs - 2 * hourMs)
    assert.equal(await signInBy(service.ownerPassword), 200)
    await fail()
    assert.equal(await signInBy(service.ownerPassword), 429)
    clock.set(startMs - hourMs)
    assert.equal(await signInBy(service.ownerPassword), 200)
  })
})

describe('a server whose clock is a year ahead, and then set back', () => {
  let service: TestService
  let owner: Person
  let aheadMs = 0
  before(async () => {
    service = await openTestService({}, { ...systemClock, now: () => Date.now() + aheadMs })
    owner = await addPerson(service, 'owner')
  })
  after(() => service.close())

  /** One of everything that is removed for its age; all of them have this name. */
  const add = async (name: string, atMs: number) => {
    const { sql, organizationUid } = service
    const { user } = await addPerson(service, 'member')
    const hash = Buffer.from(name)
    const sample = await service.put(`/api/feed?compId=Kept&a=${name}&time=${atMs - 28 * dayMs}`)
    assert.equal(sample.status, 200, sample.text)
    await insertSession(sql, hash, user.key, atMs)
    const client = await addClient(sql, organizationUid)
    await sql`
      with made as (
        insert into oauth_grant (uid, client_key, user_key, organization_key, scope)
        values (${name}, ${client.key}, ${user.key}, ${client.organizationKey}, 'read write')
        returning key)
      insert into oauth_token (token_hash, grant_key, kind, scope, expires_at)
      select ${hash}::bytea, key, 'access', 'read write', ${atMs + dayMs}::timestamptz from made`
    await sql`
      insert into reset_link (token_hash, user_key, expires_at) values (${hash}, ${user.key}, ${atMs + dayMs})`
    await sql`insert into audit (at, actor, action, subject) values (${atMs - 100 * dayMs}, 'anyone', 'x', ${name})`
    await sql`insert into audit (at, actor, action, subject) values (${atMs}, 'anyone', 'user.login', ${name})`
    await sql`insert into access_change (at, tag) values (${atMs}, ${name})`
    const connector = { type: 'http', name, endpoint: name, runAsUserUid: owner.user.uid, sql: 'SELECT 1' }
    assert.equal((await owner.call('POST', '/api/connector', connector)).status, 201)
    await sql`
      insert into connector_call (connector_key, at, method, bytes, rows, ms, body)
      select key, ${atMs}::timestamptz, 'POST', 1, 1, 1, ${name} from connector where name = ${name}`
    await sql`
      insert into import_run (uid, connector_key, started_at, ended_at, scheduled)
      select ${name}, key, ${atMs}::timestamptz, ${atMs}::timestamptz, false from connector where name = ${name}`
    await sql`
      insert into removal_progress (organization_key, entity, subject, name, ended_at, streams)
      values (${client.organizationKey}, 'stream', '', ${name}, ${atMs}, 1)`
  }
  const stored = async () => {
    const namesIn = async (text: string) => (await service.sql.unsafe<{ name: string }[]>(text)).map(({ name }) => name)
    const hashes = (table: string) =>
      namesIn(`
      select convert_from(token_hash, 'utf8') as name from ${table} where token_hash in ('young', 'old') order by 1`)
    return {
      sample: await namesIn('select text as name from sample order by time'),
      session: await hashes('session'),
      oauth_token: await hashes('oauth_token'),
      oauth_grant: await namesIn('select uid as name from oauth_grant order by 1'),
      reset_link: await hashes('reset_link'),
      audit: await namesIn("select subject as name from audit where subject in ('young', 'old') order by at"),
      access_change: await namesIn("select tag as name from access_change where tag in ('young', 'old') order by at"),
      connector_call: await namesIn('select body as name from connector_call where body is not null order by at'),
      import_run: await namesIn('select uid as name from import_run order by started_at'),
      removal_progress: await namesIn('select name from removal_progress order by ended_at'),
    }
  }

  it('removes what is old by the clock of the database, too, and nothing else', async () => {
    await add('old', Date.now() - 730 * dayMs)
    await add('young', Date.now())
    const path = `/api/organization/${service.organizationUid}`
    assert.equal((await owner.call('PUT', path, { retentionDays: 30 })).status, 200)
    const before = await stored()
    assert.deepEqual(before.sample, ['old', 'young'])

    aheadMs = 365 * dayMs
    const jobs = startJobs(service.service.world, service.databaseUrl)
    try {
      // Each job has done a pass when all that is old has gone.
      await eventually(async () => !Object.values(await stored()).some((names) => names.includes('old')))
    } finally {
      await jobs.stop()
      aheadMs = 0
    }
    assert.deepEqual(
      await stored(),
      Object.fromEntries(
        Object.entries(before).map(([table, names]) => [table, names.filter((name) => name !== 'old')]),
      ),
    )
  })
})
