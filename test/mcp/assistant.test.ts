// Assistants (docs/assistants.md), by the official SDK's own client, over HTTP.
import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import type { Capability } from '../../src/core/api-key.ts'
import type { User } from '../../src/core/user.ts'
import { agree } from '../support/oauth-page.ts'
import { addApiKey, addClient, addMember, addOrganization, addToken, addUser, testPassword } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

const startMs = Date.parse('2026-03-01T00:00:00Z')
const reading = ['find_components', 'find_streams', 'describe_component', 'explain', 'read_samples', 'last_values']
const readingTools = [...reading, 'read_statistics', 'run_gs_sql']
const writingTools = ['put_samples', 'set_properties']

describe('an assistant', () => {
  let service: TestService
  let user: User
  before(async () => {
    service = await openTestService()
    user = await addUser(service.sql, 'ada@example.org')
    await addMember(service.sql, service.organizationUid, user, 'member')
    const samples = Array.from({ length: 300 }, (_, at) => [
      { compId: 'boiler-1', streamId: 'temp', time: startMs + at * 60_000, data: at },
      { compId: 'boiler-1', streamId: 'note', time: startMs + at * 60_000, data: `${'x'.repeat(500)} ${at}` },
      { compId: 'boiler-2', streamId: 'temp', time: startMs + at * 60_000, data: -at },
    ])
    assert.equal((await service.put('/api/feed', JSON.stringify(samples.flat()))).status, 200)
  })
  after(() => service.close())

  const address = () => new URL(`${service.url}/api/mcp`)
  const open = async (token: string) => {
    const client = new Client({ name: 'test', version: '1' })
    const requestInit = { headers: { Authorization: `Bearer ${token}` } }
    await client.connect(new StreamableHTTPClientTransport(address(), { requestInit }))
    return client
  }
  const byKey = async (...capabilities: readonly Capability[]) =>
    open((await addApiKey(service.sql, service.organizationUid, capabilities)).secret)
  const byToken = async (scope: 'read' | 'read write') =>
    open(await addToken(service.sql, service.organizationUid, user, { scope }))
  const run = async (client: Client, name: string, given: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: given })
    const [{ text }] = content as [{ readonly text: string }]
    return { text, isError: isError === true }
  }
  const found = async (client: Client, name: string, given: Record<string, unknown> = {}) => {
    const { text, isError } = await run(client, name, given)
    assert.equal(isError, false, text)
    return JSON.parse(text) as {
      readonly columns: readonly string[]
      readonly rows: readonly (readonly unknown[])[]
      readonly cut?: true
      readonly goOn?: string
    }
  }
  const toolsOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)
  const uidOf = async (id: string) =>
    (await service.sql<[{ uid: string }]>`select uid from component where id = ${id}`)[0].uid

  it('signs in by OAuth, led by the metadata alone, and gets the tools of its scope', async () => {
    const client = await addClient(service.sql, service.organizationUid, { requirePkce: true })
    let tokens: OAuthTokens | undefined
    let verifier = ''
    let asked: URL | undefined
    const authProvider: OAuthClientProvider = {
      redirectUrl: client.redirectUris[0]!,
      clientMetadata: { redirect_uris: [...client.redirectUris], scope: 'read' },
      clientInformation: () => ({ client_id: client.clientId }),
      tokens: () => tokens,
      saveTokens: (given) => void (tokens = given),
      redirectToAuthorization: (url) => void (asked = url),
      saveCodeVerifier: (given) => void (verifier = given),
      codeVerifier: () => verifier,
    }
    const transport = new StreamableHTTPClientTransport(address(), { authProvider })
    await assert.rejects(new Client({ name: 'test', version: '1' }).connect(transport), UnauthorizedError)
    assert.equal(asked!.searchParams.get('resource'), address().href)
    asked!.searchParams.set('scope', 'read')
    const back = new URL(await agree(service, asked!, user.email, testPassword))
    await transport.finishAuth(back.searchParams.get('code')!)
    assert.equal(tokens!.scope, 'read')
    const assistant = new Client({ name: 'test', version: '1' })
    await assistant.connect(new StreamableHTTPClientTransport(address(), { authProvider }))
    assert.deepEqual(await toolsOf(assistant), readingTools)
    assert.equal((await found(assistant, 'find_components')).rows.length, 2)
  })

  it('is refused without a credential, and led to the authorization service', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const refused = await service.request('POST', '/api/mcp', { body })
    assert.equal(refused.status, 401)
    const [, metadata] =
      /^Bearer resource_metadata="([^"]+)"$/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
    const shown = await service.request('GET', new URL(metadata!).pathname)
    assert.deepEqual(shown.json, {
      resource: address().href,
      authorization_servers: [service.url],
      scopes_supported: ['read', 'write'],
      bearer_methods_supported: ['header', 'query'],
      resource_name: 'Coppice',
    })
    assert.equal((await service.request('GET', '/.well-known/oauth-protected-resource')).text, shown.text)
    for (const method of ['GET', 'DELETE']) {
      const { status, headers } = await service.request(method, '/api/mcp')
      assert.deepEqual([status, headers.get('allow')], [405, 'POST'])
    }
  })

  it('writes only where its token or key may', async () => {
    const reader = await byToken('read')
    const writer = await byToken('read write')
    assert.deepEqual(await toolsOf(reader), readingTools)
    assert.deepEqual(await toolsOf(writer), [...readingTools, ...writingTools])
    const samples = [{ component: 'new-1', stream: 'temp', time: '2026-03-01T00:00:00Z', value: 7 }]
    assert.equal((await run(reader, 'put_samples', { samples })).isError, true)
    assert.equal((await service.get('/api/comp/new-1/feed')).status, 404)
    assert.equal((await run(writer, 'put_samples', { samples })).text, '{"stored":1}')
    assert.equal((await service.get('/api/comp/new-1/feed')).text, `[{"time":${startMs},"data":7}]`)
    assert.equal((await run(writer, 'set_properties', { component: 'new-1', name: 'New one' })).isError, false)
    const [{ actor }] = await service.sql<[{ actor: string }]>`
      select actor from audit where action = 'component.update' order by key desc limit 1`
    assert.match(actor, /^user .* via oauth_client /)
    await service.sql`delete from component where id = 'new-1'`
  })

  it('sees and writes only the components of its key', async () => {
    const uid = await uidOf('boiler-1')
    const one = await byKey(
      { resource: `component/${uid}/feed`, methods: ['GET', 'PUT'] },
      { resource: 'gql', methods: ['GET'] },
    )
    assert.deepEqual(await toolsOf(one), [...readingTools, 'put_samples'])
    assert.equal((await found(one, 'read_samples', { component: 'boiler-1', stream: 'temp' })).rows.length, 100)
    for (const component of ['boiler-2', 'nowhere'])
      assert.deepEqual(await run(one, 'read_samples', { component }), {
        text: 'forbidden: this credential may not GET component/*/feed',
        isError: true,
      })
    assert.equal((await run(one, 'find_components')).isError, true)
    const script = 'SELECT DISTINCT cid FROM Stream'
    assert.deepEqual(await run(one, 'run_gs_sql', { script }), { text: 'cid\r\nboiler-1\r\n', isError: false })
    const samples = [{ component: 'boiler-2', stream: 'temp', value: 1 }]
    assert.equal((await run(one, 'put_samples', { samples })).isError, true)
    const described = await found(one, 'describe_component', { component: 'boiler-1' })
    assert.deepEqual(
      described.rows.map(([id]) => id),
      ['temp', 'note'],
    )
  })

  it('sees nothing of another organization', async () => {
    const stranger = await addUser(service.sql, 'eve@example.org')
    const other = await addOrganization(service.sql, 'Next door', stranger)
    const client = await open(await addToken(service.sql, other.uid, stranger))
    assert.equal((await found(client, 'find_components')).rows.length, 0)
    const { text, isError } = await run(client, 'last_values', { component: 'boiler-1' })
    assert.deepEqual([text, isError], ["component_not_found: component 'boiler-1' not found", true])
    assert.equal((await run(client, 'run_gs_sql', { script: 'SELECT cid FROM Stream' })).text, 'cid\r\n')
  })

  it('finds, describes and explains', async () => {
    const client = await byToken('read')
    const components = await found(client, 'find_components', { text: 'BOILER', limit: 1 })
    assert.deepEqual([components.rows[0]![0], components.rows[0]!.at(-1)], ['boiler-1', ['temp', 'note']])
    assert.equal(components.goOn, 'call again with start 1')
    const streams = await found(client, 'find_streams', { text: 'temp' })
    assert.deepEqual(
      streams.rows.map((row) => row.slice(0, 2)),
      [
        ['boiler-1', 'temp'],
        ['boiler-2', 'temp'],
      ],
    )
    const described = await found(client, 'describe_component', { component: 'boiler-2' })
    assert.deepEqual(described.rows[0]!.slice(-2), ['2026-03-01T04:59:00.000Z', -299])
    const zones = await found(client, 'explain', { about: 'time zones', text: 'berlin' })
    assert.deepEqual(zones.rows, [['Europe/Berlin']])
    const cycles = await found(client, 'explain', { about: 'cycles', text: 'month' })
    assert.deepEqual(cycles.rows[0]!.slice(0, 2), ['month', 'Month'])
    const { resources } = await client.listResources()
    for (const { uri } of resources) {
      const [content] = (await client.readResource({ uri })).contents
      assert.ok('text' in content! && content.text.length > 500)
    }
    await assert.rejects(client.readResource({ uri: 'coppice://secrets' }))
  })

  it('finds streams of components that are too large to be shown', async () => {
    const stream = Array.from({ length: 412 }, (_, n) => ({
      id: n === 0 ? 'needle' : `s${n}`,
      kind: 'random',
      valueType: 'DOUBLE',
      description: 'x'.repeat(10_000),
    }))
    const client = await byToken('read')
    const { secret } = await addApiKey(service.sql, service.organizationUid, [
      { resource: 'component', methods: ['POST'] },
    ])
    const body = JSON.stringify({ id: 'large', stream })
    assert.equal((await service.request('POST', `/api/component?api_key=${secret}`, { body })).status, 201)
    const { rows } = await found(client, 'find_streams', { text: 'needle' })
    assert.deepEqual(
      rows.map(([component, id]) => [component, id]),
      [['large', 'needle']],
    )
  })

  it('reads samples, last values and statistics, and goes on where a result was cut', async () => {
    const client = await byToken('read')
    const seen: unknown[] = []
    let end: string | undefined
    for (let calls = 1; ; calls += 1) {
      const given = { component: 'boiler-1', stream: 'note', limit: 500, ...(end === undefined ? {} : { end }) }
      const { columns, rows, cut, goOn } = await found(client, 'read_samples', given)
      assert.deepEqual(columns, ['time', 'value', 'unit'])
      assert.ok(Buffer.byteLength(JSON.stringify(rows)) <= 40_000)
      seen.push(...rows.map(([time]) => time))
      if (!cut) {
        assert.ok(calls > 3)
        break
      }
      end = /^call again with end (.*)$/.exec(goOn!)![1]!
    }
    const expected = Array.from({ length: 300 }, (_, at) => new Date(startMs + (299 - at) * 60_000).toISOString())
    assert.deepEqual(seen, expected)
    const last = await found(client, 'last_values', { component: 'boiler-2' })
    assert.deepEqual(last.rows, [['temp', '2026-03-01T04:59:00.000Z', -299, '']])
    const hours = await found(client, 'read_statistics', {
      component: 'boiler-1',
      stream: 'temp',
      cycle: 'hour',
      statistic: 'max',
      start: '2026-03-01',
      end: '2026-03-01T02:30:00Z',
    })
    assert.deepEqual(hours.rows, [
      ['2026-03-01T01:00:00.000Z', '2026-03-01T02:00:00.000Z', 119, ''],
      ['2026-03-01T00:00:00.000Z', '2026-03-01T01:00:00.000Z', 59, ''],
    ])
  })

  it('runs scripts that read, and gets the beginning of a long result', async () => {
    const client = await byToken('read write')
    const script = "SELECT cid, Count(*) AS n FROM Stream WHERE id = 'temp' GROUP BY cid ORDER BY cid"
    assert.equal((await run(client, 'run_gs_sql', { script })).text, 'cid,n\r\nboiler-1,1\r\nboiler-2,1\r\n')
    const long = "SELECT time, sample(Range(last=300)) AS v FROM Stream WHERE id = 'note'"
    const { text } = await run(client, 'run_gs_sql', { script: long })
    assert.ok(Buffer.byteLength(text) < 41_000)
    assert.match(text, / \d+\r\n\n\{"cut":true,"goOn":"select fewer/)
    const writes = "INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'x', 'y', 1, 1"
    assert.deepEqual(await run(client, 'run_gs_sql', { script: writes }), {
      text: 'method_not_allowed: a script that writes needs POST',
      isError: true,
    })
  })

  it('is taught by refusals', async () => {
    const client = await byToken('read write')
    for (const [name, given, expected] of [
      ['read_samples', {}, /^bad_request: missing: component$/],
      ['read_samples', { component: 'boiler-1', limit: 100_000 }, /limit must be a whole number from 1 to 500/],
      [
        'read_samples',
        { component: 'boiler-1', begin: 1 },
        /has no member 'begin', it has component, stream, start, end/,
      ],
      ['read_samples', { component: 'boiler-1', start: 'yesterday', end: 'now' }, /start must be a time such as 2026-/],
      [
        'read_samples',
        { component: 'boiler-1', start: '2026-02-30', end: 'now' },
        /start must be a time such as 2026-/,
      ],
      ['read_samples', { component: 'x'.repeat(100_000) }, /component must have at most 512 characters/],
      [
        'read_statistics',
        { component: 'boiler-1', cycle: 'day', statistic: 'mean' },
        /there are first, last, min, max/,
      ],
      [
        'read_statistics',
        { component: 'boiler-1', cycle: 'decade', statistic: 'avg' },
        /cycle 'decade' not found, there/,
      ],
      ['run_gs_sql', { script: 'SELEKT 1' }, /^script_error: /],
      ['put_samples', { samples: [{ stream: 'a', value: 1 }] }, /samples\[0\]\.component is missing/],
      ['explain', { about: 'secrets' }, /about must be one of units, cycles/],
      ['find_components', [] as never, /the arguments must be/],
      ['drop_everything', {}, /there is no such tool for this credential, but find_components/],
    ] as const) {
      const { text, isError } = await run(client, name, given)
      assert.equal(isError, true, text)
      assert.match(text, expected)
    }
  })

  it('sends one message at a time, and keeps no session', async () => {
    const key = (await addApiKey(service.sql, service.organizationUid, [])).secret
    const post = (body: unknown) => service.request('POST', `/api/mcp?api_key=${key}`, { body: JSON.stringify(body) })
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    assert.equal((await post([list, list])).status, 400)
    const reply = await post(list)
    assert.deepEqual([reply.status, reply.headers.get('mcp-session-id')], [200, null])
    assert.equal((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202)
    assert.equal((await post({ id: 1 })).status, 400)
  })

  it('sends at most a thousand values beside the arguments of a tool', async () => {
    const key = (await addApiKey(service.sql, service.organizationUid, [])).secret
    const post = (body: unknown) => service.request('POST', `/api/mcp?api_key=${key}`, { body: JSON.stringify(body) })
    const ones = (count: number) => Array.from({ length: count }, () => 1)
    // The message, its four members, and the list in the last of them.
    const ping = (count: number) => ({ jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: ones(count) } })
    const { status, text } = await post(ping(995))
    assert.equal(status, 413)
    assert.match(text, /a message has at most 1000 values beside the arguments of a tool/)
    assert.notEqual((await post(ping(994))).status, 413)
    const deep = { jsonrpc: '2.0', id: 1, method: 'ping', params: Array.from({ length: 40 }, () => ones(40)) }
    assert.equal((await post(deep)).status, 413)
    const call = { name: 'put_samples', arguments: { samples: ones(5000) } }
    const refused = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
    assert.deepEqual([refused.status, (refused.json as { result: { isError: boolean } }).result.isError], [200, true])
  })

  it('is counted by tool and outcome', async () => {
    const { text } = await service.request('GET', '/metrics')
    assert.match(text, /coppice_mcp_tool_calls_total\{tool="read_samples",outcome="done"\} \d+/)
    assert.match(text, /coppice_mcp_tool_calls_total\{tool="unknown",outcome="refused"\} \d+/)
  })

  it('gets no token for another server', async () => {
    const { clientId } = await addClient(service.sql, service.organizationUid)
    const login = (resource: string) =>
      service.request('POST', '/api/oauth_login', {
        body: JSON.stringify({
          email: user.email,
          password: testPassword,
          response_type: 'code',
          client_id: clientId,
          redirect_uri: 'https://client.example/callback',
          resource,
        }),
      })
    assert.equal((await login('https://evil.example/mcp')).status, 400)
    const { oauthCode: code } = (await login(address().href)).json as { readonly oauthCode: string }
    const redeem = (resource: string) =>
      service.request('POST', '/api/oauth_access_token', {
        body: new URLSearchParams({ grant_type: 'authorization_code', client_id: clientId, code, resource }),
      })
    const refused = await redeem('https://evil.example/mcp')
    assert.deepEqual([refused.status, (refused.json as { error: string }).error], [400, 'invalid_target'])
    assert.equal((await redeem(address().href)).status, 200)
  })
})
