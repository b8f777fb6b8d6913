// Credentials that are good, in every way in which they come: every call of the description, and every other use of a
// secret, succeeds with one, and none is afterwards in the log at its finest level, in a reply but the one that shows it
// once, in a metric, or in a table as it is. (Those that are refused: secrets.test.ts; of connections: test/import.)
import assert from 'node:assert/strict'
import { addressRange } from '../../src/base/config.ts'
import { openLog } from '../../src/base/log.ts'
import { openEmptyDatabase } from '../support/database.ts'
import type { Called, Description } from '../support/described.ts'
import { addActor, encodeBody, inOrder, openPlay, operationsOf } from '../support/described.ts'
import { publish } from '../support/mqtt.ts'
import { cookieOf, fieldsOf } from '../support/oauth-page.ts'
import { loopback } from '../support/outbound.ts'
import type { TestReply, TestService } from '../support/service.ts'
import { openTestService, testMasterKey } from '../support/service.ts'
import { dumpOf } from '../support/dump.ts'

const newPassword = 'a new password, seen by nobody'
const formType = 'application/x-www-form-urlencoded'
const redirectUri = 'https://portal.example/back'

/** Members of replies that are secrets. */
const secretMembers = new Set(['secret', 'sessionUid', 'access_token', 'refresh_token', 'oauthCode'])

/** Not an example of the description, nor a word that stands for one. */
const madeUp = /^[\w-]{16,}$/

const secretsIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member !== 'string') return secretsIn(member)
    const isLink = name === 'url' && member.includes('/alt/reset#')
    return isLink ? [member.split('#')[1]!] : secretMembers.has(name) && madeUp.test(member) ? [member] : []
  })
}

type Seen = { readonly title: string; readonly text: string; readonly own: readonly string[] }

describe('good secrets', function () {
  this.timeout(300_000)
  let service: TestService
  let external: Awaited<ReturnType<typeof openEmptyDatabase>>
  let log = ''
  before(async () => {
    external = await openEmptyDatabase()
    const output = openLog('trace', { write: (line: string) => void (log += line) })
    service = await openTestService({ mqttPort: 0, outboundAllow: loopback.map(addressRange) }, undefined, output)
  })
  after(async () => {
    await service?.close()
    await external?.drop()
  })

  it('are in no log, no reply but the one that shows them, no metric and no table as they are', async () => {
    const { apiKey, ownerPassword } = service
    // Of DATABASE_URL, and of the connection to the external database beside it.
    const passwordOfDatabase = decodeURIComponent(new URL(service.databaseUrl).password)
    assert.ok(passwordOfDatabase.length > 3)
    const secrets = new Set([testMasterKey, passwordOfDatabase, apiKey, ownerPassword, newPassword])
    const seen: Seen[] = []
    const keep = (title: string, reply: TestReply): TestReply => {
      const location = reply.headers.get('location')
      const code = location && new URL(location, service.url).searchParams.get('code')
      const own = [...secretsIn(reply.json), ...(code ? [code] : [])]
      for (const secret of own) secrets.add(secret)
      seen.push({ title, text: `${[...reply.headers].join('\n')}\n${reply.text}`, own })
      return reply
    }
    /** A call that does as it is told. */
    const ask = async (method: string, path: string, init: RequestInit = {}): Promise<TestReply> => {
      const reply = keep(`${method} ${path.replace(/\?.*/, '')}`, await service.request(method, path, init))
      assert.ok(reply.status < 400, `${method} ${path}: ${reply.status} ${reply.text}`)
      return reply
    }
    /** A call that is let in, and fails. */
    const fail = async (method: string, path: string, init: RequestInit = {}): Promise<void> => {
      const { status } = keep(`${method} ${path}`, await service.request(method, path, init))
      assert.ok(status >= 400 && ![401, 403].includes(status), `${method} ${path}: ${status}`)
    }

    const { actor, session } = await addActor(service, external.url, 'portal')
    const { organizationUid: org } = actor
    secrets.add(session).add(actor.password)
    const play = await openPlay(service, actor)
    const description = (await service.request('GET', '/api/openapi.json')).json as Description
    const playOne = async (called: Called) => {
      const [[type, content] = []] = Object.entries(called.operation.requestBody?.content ?? {})
      const body = play.bodyOf(called, content?.example)
      const init = type === undefined ? {} : { headers: { 'Content-Type': type }, body: encodeBody(type, body) }
      play.learn(called, (await ask(called.method, play.addressOf(called), init)).json)
    }
    // Metrics of the server are for its operator alone.
    const inTurn = inOrder(operationsOf(description)).filter(({ path }) => path !== '/api/server_metrics')
    for (const called of inTurn.filter(({ method }) => method !== 'DELETE')) await playOne(called)

    const json = { 'Content-Type': 'application/json' }
    const make = async (entity: string, input: object): Promise<Readonly<Record<string, string>>> => {
      const init = { headers: json, body: JSON.stringify(input) }
      const reply = await ask('POST', `/api/${entity}?session=${session}&org=${org}`, init)
      return (reply.json as Record<string, Readonly<Record<string, string>>>)[entity]!
    }
    const { secret: key } = await make('api_key', {
      name: 'all',
      capabilities: [{ resource: '*', methods: ['GET', 'PUT', 'POST', 'DELETE'] }],
    })
    await ask('PUT', `/api/feed?compId=C&a=1&api_key=${key}`)
    const tokens = await signInByPage()
    // By all ways, on calls that succeed and on calls that fail behind the door.
    const ways: readonly (readonly [query: string, headers: Readonly<Record<string, string>>])[] = [
      [`api_key=${key}`, {}],
      [`API_KEY=${key}`, {}],
      [`api%5Fkey=${key}`, {}],
      [`session=${session}&org=${org}`, {}],
      [`access_token=${tokens.access_token}`, {}],
      ['', { Authorization: `Bearer ${key}` }],
      [`org=${org}`, { Authorization: `Bearer ${session}` }],
      ['', { Authorization: `Bearer ${tokens.access_token}` }],
      ['', { Cookie: `api_key=${key}` }],
      ['', { Cookie: `session=${session}; org=${org}` }],
    ]
    for (const [query, headers] of ways) {
      await ask('GET', `/api/component?${query}`, { headers })
      await ask('PUT', `/api/feed?compId=C&a=1&${query}`, { headers })
      await ask('GET', `/api/comp/C/feed?${query}`, { headers })
      await ask('GET', `/api/live?compId=C&seconds=0&${query}`, { headers })
      await ask('GET', `/api/export?what=samples&compId=C&${query}`, { headers })
      await fail('GET', `/api/comp/none/feed?${query}`, { headers })
      await fail('PUT', `/api/feed?compId=C&a=1&time=wrong&${query}`, { headers })
      await fail('POST', `/api/unit?${query}`, { headers: { ...headers, ...json }, body: '{"id":' })
      await fail('GET', `/api/nowhere?${query}`, { headers })
      await fail('DELETE', `/api/component?${query}`, { headers })
    }
    const sql = "INSERT INTO SAMPLE(CID, ID, SAMPLE) VALUES ('C', 'sunk', Concat(@HTTP_QUERY_RAW, @HTTP_BODY))"
    await make('connector', { name: 'kept', endpoint: 'kept', runAsUserUid: actor.runAsUserUid, sql, debug: true })
    const sinkWays: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      [`?api_key=${key}&x=1`, {}],
      [`?x=1&API%5FKEY=${key}`, {}],
      ['?x=1', { Cookie: `api_key=${key}` }],
      ['?x=1', { Authorization: `Basic ${btoa(`${key}:`)}` }],
      ['?x=1', { Authorization: `Basic ${btoa(`:${key}`)}` }],
    ]
    for (const [query, headers] of sinkWays) {
      await ask('POST', `/api/conn_sink/${org}/kept${query}`, { headers, body: 'text' })
      await fail('POST', `/api/conn_sink/${org}/none${query}`, { headers, body: 'text' })
    }
    const { mqttPort } = service.service
    assert.equal(await publish(mqttPort!, { username: key! }, 'C/mqtt', '1'), 0)
    assert.equal(await publish(mqttPort!, { username: 'device', password: key! }, 'C/mqtt', '2'), 0)
    assert.equal(await publish(mqttPort!, { username: key!, password: key! }, 'too/many/levels', '3'), 0x99)
    await setPasswordByLink()
    for (const path of [
      '/api/audit',
      '/api/api_key',
      '/api/oauth_client',
      '/api/connection',
      '/api/user',
      '/api/grant',
    ])
      await ask('GET', `${path}?limit=1000&session=${session}&org=${org}`)
    await ask('GET', '/metrics')
    let dump = await dumpOf(service.sql)
    for (const called of inTurn.filter(({ method }) => method === 'DELETE')) await playOne(called)
    dump += await dumpOf(service.sql)

    const showing = new Set(
      seen.filter(({ own }) => own.length > 0).map(({ title }) => title.replace(/[0-9a-f-]{36}/, '…')),
    )
    assert.deepEqual([...showing].toSorted(), [
      'GET /api/api_key/…/secret',
      'POST /alt/',
      'POST /api/api_key',
      'POST /api/login',
      'POST /api/oauth_access_token',
      'POST /api/oauth_client',
      'POST /api/oauth_login',
      'POST /api/user/…/reset_link',
    ])
    assert.ok(secrets.size > 18, String(secrets.size))
    for (const secret of secrets) {
      demandAbsent('the log', log, secret)
      demandAbsent('the tables', dump, secret)
      for (const { title, text, own } of seen) if (!own.includes(secret)) demandAbsent(title, text, secret)
    }

    /** As a browser does, with a code and both kinds of tokens; the client shows its secret as Basic. */
    async function signInByPage(): Promise<Readonly<Record<'access_token' | 'refresh_token', string>>> {
      const client = await make('oauth_client', { name: 'basic', redirectUris: [redirectUri], secret: true })
      const authorization = `Basic ${btoa(`${client['clientId']}:${client['secret']}`)}`
      const query = { response_type: 'code', client_id: client['clientId']!, redirect_uri: redirectUri, org }
      const page = await ask('GET', `/alt/?${new URLSearchParams(query).toString()}`)
      const post = (form: Readonly<Record<string, string>>) =>
        ask('POST', '/alt/', { body: new URLSearchParams(form), headers: { Cookie: cookieOf(page) } })
      const { email, password } = actor
      const consent = await post({ ...fieldsOf(page), email, password, step: 'signin' })
      const allowed = await post({ ...fieldsOf(consent), step: 'allow' })
      const code = new URL(allowed.headers.get('location')!).searchParams.get('code')!
      const withSecret = { Authorization: authorization, 'Content-Type': formType }
      const token = async (form: Readonly<Record<string, string>>, path = 'oauth_access_token') =>
        (await ask('POST', `/api/${path}`, { headers: withSecret, body: new URLSearchParams(form).toString() })).json
      type Tokens = Readonly<Record<'access_token' | 'refresh_token', string>>
      const first = (await token({ grant_type: 'authorization_code', code, redirect_uri: redirectUri })) as Tokens
      const second = (await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token })) as Tokens
      const third = (await token({ grant_type: 'refresh_token', refresh_token: second.refresh_token })) as Tokens
      const { active } = (await token({ token: third.access_token }, 'oauth_introspect')) as {
        readonly active: boolean
      }
      assert.equal(active, true)
      return third
    }
    /** By a link for a new password; then with the old one, which is good no more, and with the new one. */
    async function setPasswordByLink(): Promise<void> {
      const email = 'forgetful@example.org'
      const user = await make('user', { email, password: 'the first password of it', role: 'guest' })
      secrets.add('the first password of it')
      const made = await ask('POST', `/api/user/${user['uid']}/reset_link?session=${session}&org=${org}`)
      const [token] = secretsIn(made.json)
      const form = new URLSearchParams({ token: token!, password: newPassword, again: newPassword })
      await ask('POST', '/alt/reset', { body: form })
      const signIn = (password: string) => ({ headers: json, body: JSON.stringify({ email, password }) })
      keep('a sign-in', await service.request('POST', '/api/login', signIn('the first password of it')))
      await ask('POST', '/api/login', signIn(newPassword))
    }
  })
})

/** As it is, escaped, as Basic has it, and as a column of bytes shows it. */
const demandAbsent = (place: string, text: string, secret: string): void => {
  const forms = [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64').replace(/.?=*$/, ''),
    btoa(`:${secret}`).replace(/.?=*$/, ''),
    Buffer.from(secret).toString('hex'),
  ]
  for (const form of forms) {
    const at = text.indexOf(form)
    assert.equal(at, -1, `${place}: ${text.slice(Math.max(0, at - 300), at + 100)}`)
  }
}
