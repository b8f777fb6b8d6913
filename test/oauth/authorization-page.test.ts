import assert from 'node:assert/strict'
import { get as httpGet } from 'node:http'
import { transaction } from '../../src/base/database/sql.ts'
import type { OauthClient } from '../../src/core/oauth-client.ts'
import { isSomebodyWaiting } from '../support/database.ts'
import { carriedIn, carry, cookieOf, fieldsOf } from '../support/oauth-page.ts'
import { addClient, addMember, addOrganization, addSession, addUser, testPassword } from '../support/people.ts'
import type { TestReply, TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

const redirectUri = 'https://client.example/callback'

describe('the authorization page', () => {
  const clock = openTestClock(Date.now())
  let service: TestService
  let client: OauthClient
  let asked: Readonly<Record<string, string>>
  before(async () => {
    service = await openTestService({}, clock)
    const ada = await addUser(service.sql, 'ada@example.org')
    await addMember(service.sql, service.organizationUid, ada, 'member')
    client = await addClient(service.sql, service.organizationUid, { name: 'Green <House> & "Watch"' })
    asked = { response_type: 'code', client_id: client.clientId, redirect_uri: redirectUri, state: 'x/y z&=' }
  })
  after(() => service.close())

  const get = (query: Readonly<Record<string, string>>, headers: Record<string, string> = {}) =>
    service.request('GET', `/alt/?${new URLSearchParams(query).toString()}`, { headers })
  const post = (form: Readonly<Record<string, string>>, cookie = '') =>
    service.request('POST', '/alt/', { body: new URLSearchParams(form), headers: { Cookie: cookie } })

  /** Goes through the page like a browser without scripts: fields from the form, the cookie from the reply. */
  const signIn = async (page: TestReply, password = testPassword) => {
    const cookie = cookieOf(page)
    const reply = await post({ ...fieldsOf(page), email: 'ada@example.org', password, step: 'signin' }, cookie)
    return { reply, cookie }
  }

  it('asks for e-mail and password first, naming the client, the e-mail filled in', async () => {
    const page = await get({ ...asked, email: 'ada@example.org' })
    assert.equal(page.status, 200)
    assert.match(page.text, /Green &lt;House&gt; &amp; &quot;Watch&quot;/)
    assert.match(page.text, /name="email"\s+value="ada@example.org"/)
    assert.deepEqual(Object.keys(fieldsOf(page)), ['carried', 'seal'])
    assert.deepEqual(carriedIn(page), { ...asked, scope: 'read write' })
  })

  it('takes its parameters from a form body too', async () => {
    const page = await post({ ...asked, email: 'bea@example.org' })
    assert.equal(page.status, 200)
    assert.match(page.text, /value="bea@example.org"/)
  })

  it('carries the headers of a page that nobody else may frame, cache or learn from', async () => {
    for (const page of [await get(asked), await get({ client_id: 'unknown' }), await post(asked)]) {
      assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none';.*frame-ancestors 'none'/)
      assert.equal(page.headers.get('x-frame-options'), 'DENY')
      assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
      assert.equal(page.headers.get('cache-control'), 'no-store')
      assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
    }
    assert.match((await get(asked)).headers.get('set-cookie') ?? '', /; HttpOnly; SameSite=Lax$/)
  })

  it('shows an error and sends the browser nowhere for an unknown client or redirect', async () => {
    for (const wrong of [
      { client_id: 'unknown' },
      { redirect_uri: 'https://client.example/' },
      { redirect_uri: 'https://client.example/callback/../x' },
      { redirect_uri: '' },
      { client_id: '' },
    ]) {
      const page = await get({ ...asked, ...wrong })
      assert.equal(page.status, 400, JSON.stringify(wrong))
      assert.equal(page.headers.get('location'), null)
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    }
  })

  it('reports other errors of its request to the client, once the user has signed in and presses the button', async () => {
    const careful = await addClient(service.sql, service.organizationUid, { requirePkce: true })
    for (const [wrong, error] of [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ response_type: '' }, 'invalid_request'],
      [{ code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
      [{ client_id: careful.clientId }, 'invalid_request'],
    ] as const) {
      const page = await get({ ...asked, ...wrong })
      assert.deepEqual([page.status, page.headers.get('location')], [200, null])
      for (const step of ['deny', 'allow']) {
        const early = await post({ ...fieldsOf(page), step }, cookieOf(page))
        assert.deepEqual([early.status, early.headers.get('location')], [400, null])
      }
      const { reply: refusal, cookie } = await signIn(page)
      assert.deepEqual([refusal.status, refusal.headers.get('location')], [400, null])
      assert.match(refusal.text, /Go back to <bdi>client\.example<\/bdi>/)
      for (const step of ['deny', 'allow']) {
        const reply = await post({ ...fieldsOf(refusal), step }, cookie)
        assert.equal(reply.status, 303)
        const target = new URL(reply.headers.get('location')!)
        assert.equal(target.origin + target.pathname, redirectUri)
        assert.equal(target.searchParams.get('error'), error)
        assert.equal(target.searchParams.get('state'), 'x/y z&=')
        assert.equal(target.searchParams.get('iss'), service.url)
      }
    }
  })

  it('sends nobody on who is signed in already but has not pressed a button', async () => {
    const dora = await addUser(service.sql, 'dora@example.org')
    const cookie = `session=${await addSession(service.sql, dora, clock.now())}`
    const page = await get({ ...asked, response_type: 'token' }, { Cookie: cookie })
    assert.deepEqual([page.status, page.headers.get('location')], [400, null])
    assert.match(page.text, /Go back to <bdi>client\.example<\/bdi>/)
  })

  it('echoes a state whatever it holds, up to 2,048 characters', async () => {
    for (const state of ['a\nb\r\n\tc', '\0', '\u{1f33f} ü "<&>', 'ü'.repeat(2048)]) {
      const { reply: consent, cookie } = await signIn(await get({ ...asked, state }))
      const reply = await post({ ...fieldsOf(consent), step: 'allow' }, cookie)
      assert.equal(new URL(reply.headers.get('location')!).searchParams.get('state'), state)
    }
    const long = await get({ ...asked, state: 'x'.repeat(2049) })
    assert.deepEqual([long.status, long.headers.get('location')], [400, null])
  })

  it('refuses a wrong password and stays', async () => {
    const { reply } = await signIn(await get(asked), 'wrong password')
    assert.equal(reply.status, 401)
    assert.match(reply.text, /Wrong e-mail or password/)
    assert.match(reply.text, /name="email"\s+value="ada@example.org"/)
    assert.equal(reply.text.includes('wrong password'), false)
  })

  it('asks for consent, and sends the browser on with a code that works and the state', async () => {
    const { reply: consent, cookie } = await signIn(await get(asked))
    assert.equal(consent.status, 200)
    assert.match(consent.text, /Allow <bdi>Green &lt;House&gt; &amp; &quot;Watch&quot;<\/bdi> to use your account\?/)
    assert.match(consent.text, /client\.example/)
    const reply = await post({ ...fieldsOf(consent), step: 'allow' }, cookie)
    assert.equal(reply.status, 303)
    assert.equal(reply.headers.get('referrer-policy'), 'no-referrer')
    const location = reply.headers.get('location')!
    assert.match(location, /^https:\/\/client\.example\/callback\?code=[A-Za-z0-9_-]{43}&state=x%2Fy%20z%26%3D&iss=/)
    assert.equal(new URL(location).searchParams.get('iss'), service.url)
    const code = new URL(location).searchParams.get('code')!
    const body = new URLSearchParams({ grant_type: 'authorization_code', code, client_id: client.clientId })
    assert.equal((await service.request('POST', '/api/oauth_access_token', { body })).status, 200)
  })

  it('adds to a redirect_uri that has a query', async () => {
    const uri = 'https://client.example/callback?tenant=7'
    const other = await addClient(service.sql, service.organizationUid, { redirectUris: [uri] })
    const page = await get({ response_type: 'code', client_id: other.clientId, redirect_uri: uri })
    const { reply: consent, cookie } = await signIn(page)
    const reply = await post({ ...fieldsOf(consent), step: 'allow' }, cookie)
    assert.match(
      reply.headers.get('location') ?? '',
      /^https:\/\/client\.example\/callback\?tenant=7&code=[^&]+&iss=[^&]+$/,
    )
  })

  it('takes any scope, and nothing that only the library would know', async () => {
    for (const more of [{ scope: 'a "b" \u00fc' }, { scope: ' ' }, { allowed: 'false' }]) {
      const { reply: consent, cookie } = await signIn(await get({ ...asked, ...more }))
      assert.match(consent.text, /It can read and change the data/)
      const reply = await post({ ...fieldsOf(consent), ...more, step: 'allow' }, cookie)
      assert.match(reply.headers.get('location') ?? '', /\?code=/, JSON.stringify(more))
    }
  })

  it('issues nothing to a user who was removed meanwhile', async () => {
    const carl = await addUser(service.sql, 'carl@example.org')
    await addMember(service.sql, service.organizationUid, carl, 'member')
    const page = await get(asked)
    const cookie = cookieOf(page)
    const form = { ...fieldsOf(page), email: carl.email, password: testPassword, step: 'signin' }
    const consent = await post(form, cookie)
    await service.sql`delete from user_account where key = ${carl.key}`
    const reply = await post({ ...fieldsOf(consent), step: 'allow' }, cookie)
    assert.deepEqual([reply.status, reply.headers.get('location')], [400, null])
  })

  it('issues nothing for a client that changes while the user agrees', async () => {
    const { key, clientId } = await addClient(service.sql, service.organizationUid)
    const { reply: consent, cookie } = await signIn(await get({ ...asked, client_id: clientId }))
    let agreeing: Promise<TestReply> | undefined
    await transaction(service.sql, async (sql) => {
      await sql`update oauth_client set version = version + 1 where key = ${key}`
      agreeing = post({ ...fieldsOf(consent), step: 'allow' }, cookie)
      await eventually(() => isSomebodyWaiting(service.sql))
    })
    const { status, headers } = (await agreeing)!
    assert.deepEqual([status, headers.get('location')], [400, null])
  })

  it('reports to the client that the user denies', async () => {
    const { reply: consent, cookie } = await signIn(await get(asked))
    const reply = await post({ ...fieldsOf(consent), step: 'deny' }, cookie)
    const target = new URL(reply.headers.get('location')!)
    assert.equal(target.searchParams.get('error'), 'access_denied')
    assert.equal(target.searchParams.get('code'), null)
  })

  it('issues nothing to a form that another browser or site fills in', async () => {
    const { reply: consent, cookie } = await signIn(await get(asked))
    const fields = fieldsOf(consent)
    const foreign = cookieOf(await get(asked))
    for (const [form, sent] of [
      [fields, ''],
      [fields, foreign],
      [{ ...fields, seal: '' }, cookie],
      [{ ...fields, seal: fieldsOf(await get(asked))['seal']! }, cookie],
    ] as const) {
      const reply = await post({ ...form, step: 'allow' }, sent)
      assert.equal(reply.status, 200)
      assert.match(reply.text, /type="password"/)
    }
    const strange = await post({ ...asked, email: 'ada@example.org', password: testPassword, step: 'signin' }, cookie)
    assert.match(strange.text, /type="password"/)
  })

  it('issues nothing for a ticket of another request, a forged one, or one that is ten minutes old', async () => {
    const other = await addClient(service.sql, service.organizationUid)
    const { reply: consent, cookie } = await signIn(await get(asked))
    const fields = fieldsOf(consent)
    const forged = Buffer.from(fields['ticket']!, 'base64url')
    forged[20]! ^= 1
    const carried = carriedIn(consent)
    for (const wrong of [
      { carried: carry({ ...carried, client_id: other.clientId }) },
      { carried: carry({ ...carried, state: 'another' }) },
      { carried: carry({ ...carried, scope: 'read' }) },
      { carried: carry({ ...carried, org: service.organizationUid }) },
      { carried: 'nonsense' },
      { carried: carry({ ...carried, state: 1 as never }) },
      { ticket: forged.toString('base64url') },
      { ticket: '' },
    ]) {
      const reply = await post({ ...fields, ...wrong, step: 'allow' }, cookie)
      assert.equal(reply.status, 400, JSON.stringify(wrong))
      assert.equal(reply.headers.get('location'), null)
    }
    const nowMs = clock.now()
    clock.set(nowMs + 600_000)
    assert.equal((await post({ ...fields, step: 'allow' }, cookie)).status, 400)
    clock.set(nowMs)
    assert.equal((await post({ ...fields, step: 'allow' }, cookie)).status, 303)
  })

  it('asks a user who is signed in already for consent only, and lets them take another account', async () => {
    const bert = await addUser(service.sql, 'bert@example.org')
    await addMember(service.sql, service.organizationUid, bert, 'guest')
    const cookie = `session=${await addSession(service.sql, bert, clock.now())}`
    const consent = await get(asked, { Cookie: cookie })
    assert.match(consent.text, /bert@example.org/)
    const all = `${cookie}; ${cookieOf(consent)}`
    const other = await post({ ...fieldsOf(consent), step: 'switch' }, all)
    assert.match(other.text, /type="password"/)
    const reply = await post({ ...fieldsOf(consent), step: 'allow' }, all)
    assert.match(reply.headers.get('location') ?? '', /code=/)
    assert.match((await get(asked, { Cookie: 'session=unknown' })).text, /type="password"/)
  })

  it('shows the brand of the domain it is served on, and only there', async () => {
    const named = await openTestService({ baseUrl: 'http://data.example' })
    try {
      await brandOrganization(named, 'data.brand.example')
      const page = await rawGet(named.url, '/alt/?response_type=code', 'data.brand.example:8443')
      assert.match(page, /Brand &amp; Sons/)
      assert.match(page, /<img src="data:image\/png;base64,AAAA"/)
      assert.doesNotMatch(page, />Coppice</)
      for (const host of ['[', 'a b', '%', '/', 'data.example'])
        assert.match(await rawGet(named.url, '/alt/?response_type=code', host), /Coppice/)
      const plain = (await named.request('GET', '/alt/?response_type=code')).text
      assert.match(plain, /Coppice/)
      assert.doesNotMatch(plain, /Brand/)
    } finally {
      await named.close()
    }
  })

  it("shows nobody's brand but the operator's where BASE_URL does not give the own name", async () => {
    const brander = await brandOrganization(service, 'public.example')
    assert.doesNotMatch(await rawGet(service.url, '/alt/?response_type=code', 'public.example'), /Brand/)
    await service.sql`update organization set brand = '{}' where uid = ${brander}`
    await service.sql`
      update organization set brand = ${service.sql.json({ domain: 'public.example', name: 'Operator' })}
      where uid = ${service.organizationUid}`
    assert.match(await rawGet(service.url, '/alt/?response_type=code', 'public.example'), /Operator/)
  })

  it('is the studio when nothing is asked', async () => {
    const page = await service.request('GET', '/alt/')
    assert.equal(page.status, 200)
    assert.match(page.text, /<div id="app">/)
  })

  it('runs no script', async () => {
    const page = await service.request('GET', '/alt/?response_type=code')
    const policy = page.headers.get('content-security-policy')!
    assert.match(policy, /^default-src 'none';/)
    assert.doesNotMatch(policy, /script-src|unsafe/)
  })
})

/** Gives the uid of a new organization that has a brand, of whatever domain. */
const brandOrganization = async (service: TestService, domain: string): Promise<string> => {
  const owner = await addUser(service.sql, 'owner@brand.example')
  const { uid } = await addOrganization(service.sql, 'Branded', owner)
  const brand = { domain, name: 'Brand & Sons', logo: 'data:image/png;base64,AAAA' }
  await service.sql`update organization set brand = ${service.sql.json(brand)} where uid = ${uid}`
  return uid
}

/** fetch does not let a test choose the Host header. */
const rawGet = (url: string, path: string, host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    httpGet(`${url}${path}`, { headers: { Host: host }, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve(text))
    }).on('error', reject)
  })
