// Texts of strangers on the pages that the server draws: names of users, organizations, brands and applications, and the
// words of an address, are shown as texts, whatever they would be as markup.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Person } from '../support/http.ts'
import { addPerson, clientWith } from '../support/http.ts'
import { addSession, testPassword } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

/** Ends a text, an attribute in either quotes and a script, and is different in each place. */
const hostile = (place: string) => `${place}'"></script><script>alert(1)</script><img src=x onerror=alert(1)>`
const escaped = (place: string) =>
  hostile(place).replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')
const redirectUri = 'https://client.example/callback'
const domain = 'data.brand.example'

describe('pages with texts of strangers', () => {
  let service: TestService
  let owner: Person
  let session: string
  let clientId: string
  before(async () => {
    service = await openTestService()
    owner = await addPerson(service, 'owner')
    session = await addSession(service.sql, owner.user)
    const change = async (method: string, path: string, input: object) => {
      const { status, body } = await owner.call(method, path, input)
      assert.ok(status < 300, JSON.stringify(body))
      return body
    }
    await change('PUT', `/api/user/${owner.user.uid}`, { firstName: hostile('first'), lastName: hostile('last') })
    const brand = { domain, name: hostile('brand'), logo: `/${hostile('logo')}` }
    await change('PUT', `/api/organization/${service.organizationUid}`, { name: hostile('organization'), brand })
    const made = await change('POST', '/api/oauth_client', {
      name: hostile('client'),
      redirectUris: [redirectUri],
      requirePkce: false,
    })
    clientId = (made as { readonly oauth_client: { readonly clientId: string } }).oauth_client.clientId
  })
  after(() => service.close())

  /** By node:http: fetch does not let a test choose the Host header, by which the brand is found. */
  const ask = async (path: string, more: { readonly cookie?: string; readonly form?: Record<string, string> } = {}) => {
    const body = more.form && new URLSearchParams(more.form).toString()
    const headers = {
      Host: domain,
      ...(more.cookie ? { Cookie: more.cookie } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
    }
    const asked = request(`${service.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      agent: false,
    })
    asked.end(body)
    const [reply] = (await once(asked, 'response')) as [IncomingMessage]
    return { reply, page: await text(reply) }
  }
  const authorization = (more: Record<string, string> = {}) =>
    `/alt/?${new URLSearchParams({ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, ...more }).toString()}`

  /** The page shows all of these texts, and none of its markup is theirs. */
  const shows = async (places: readonly string[], path: string, more: Parameters<typeof ask>[1] = {}) => {
    const { reply, page } = await ask(path, more)
    assert.match(reply.headers['content-type'] ?? '', /^text\/html/, path)
    for (const place of places)
      assert.ok(page.includes(escaped(place)), `${path} does not show ${place}: ${page.slice(-2500)}`)
    assert.doesNotMatch(page, /<script>alert|<img src=x|'">/, path)
    const policy = reply.headers['content-security-policy']
    assert.match(String(policy), /default-src 'none'/, path)
    assert.doesNotMatch(String(policy), /unsafe/, path)
  }

  it('shows names of brand and client, and the suggested e-mail, as texts where a user signs in', async () => {
    await shows(['brand', 'logo', 'client', 'email'], authorization({ email: hostile('email') }))
  })

  it('shows names of user and organization as texts where a user agrees, with one organization and with several', async () => {
    const cookie = `session=${session}`
    const always = ['brand', 'client', 'organization', 'first', 'last']
    await shows(always, authorization(), { cookie })
    const call = clientWith(service, `session=${session}`)
    assert.equal((await call('POST', '/api/organization', { name: hostile('second') })).status, 201)
    await shows([...always, 'second'], authorization({ state: hostile('state') }), { cookie })
  })

  it('shows words of an address as texts where it is refused', async () => {
    await shows(['brand', 'client'], authorization({ scope: hostile('scope') }), { cookie: `session=${session}` })
    await shows(['brand'], authorization({ client_id: hostile('id') }))
    await shows(['brand'], authorization({ redirect_uri: hostile('redirect') }))
    await shows(['brand'], authorization(), { form: { carried: hostile('carried') } })
  })

  it('shows the brand and a code as texts where a new password is set', async () => {
    await shows(['brand'], '/alt/reset')
    const form = { token: hostile('token'), password: testPassword, again: testPassword }
    await shows(['brand'], '/alt/reset', { form })
    const { uid } = (await addPerson(service, 'guest')).user
    const { body } = await owner.call('POST', `/api/user/${uid}/reset_link?org=${service.organizationUid}`)
    const { url } = (body as { readonly reset_link: { readonly url: string } }).reset_link
    const again = { token: new URL(url).hash.slice(1), password: hostile('one'), again: hostile('other') }
    const { page } = await ask('/alt/reset', { form: again })
    assert.match(page, /The two passwords differ/)
    assert.doesNotMatch(page, /one(?:'|&#39;)|other(?:'|&#39;)/)
  })

  it('shows nothing of them in the description and the studio, and no page where a reply names them', async () => {
    for (const path of ['/docs', `/docs?x=${encodeURIComponent(hostile('query'))}`, '/alt/', '/api/openapi.json'])
      assert.doesNotMatch((await ask(path)).page, /alert\(1\)/, path)
    const paths = [
      '/api/organization',
      `/api/component/${encodeURIComponent(hostile('uid'))}`,
      `/${encodeURI('<script>')}`,
    ]
    for (const path of paths) {
      const { reply } = await ask(`${path}?session=${session}&org=${service.organizationUid}`)
      assert.doesNotMatch(reply.headers['content-type'] ?? '', /html|xml/, path)
    }
  })
})
