// The description of the API (docs/replies.md#description): a sound document, of which every operation is called with its
// example, its request and its reply judged by its schemas.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Importing } from '../support/import.ts'
import { openImporting } from '../support/import.ts'
import { addApiKey } from '../support/people.ts'

type Described = { readonly schema: object; readonly example?: unknown }
type Operation = {
  readonly operationId: string
  readonly security?: readonly unknown[]
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example?: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Described>> }
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, Described>> }>>
}
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: object
}
type Called = { readonly method: string; readonly path: string; readonly operation: Operation }

describe('the description of the API', function () {
  this.timeout(120_000)
  let importing: Importing
  let document: Document
  before(async () => {
    importing = await openImporting()
    document = (await importing.service.request('GET', '/api/openapi.json')).json as Document
  })
  after(() => importing.close())

  const operations = (): readonly Called[] =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    )

  it('is a sound OpenAPI 3.1 document', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    assert.deepEqual([valid, errors], [true, undefined])
  })

  it('names every operation once', () => {
    const names = operations().map(({ operation }) => operation.operationId)
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    )
    assert.ok(names.length > 90, String(names.length))
  })

  it('has the parameters of readings that the code reads', () => {
    const source = readFileSync(new URL('../../src/feed/read-query.ts', import.meta.url), 'utf8')
    const read = [...source.matchAll(/query\.get\('(\w+)'\)/g)].map(([, name]) => name!)
    const described = document.paths['/api/comp/{compId}/feed']!['get']!.parameters.filter((one) => one.in === 'query')
    assert.deepEqual(described.map(({ name }) => name.toLowerCase()).toSorted(), read.toSorted())
  })

  it('has examples that work, with requests and replies as its schemas say', async () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    ajv.addSchema({ $id: 'coppice', components: document.components })
    const wrong: string[] = []
    const judge = (what: string, schema: object, value: unknown) => {
      const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"coppice#/components/')) as object
      if (!ajv.validate(local, value))
        wrong.push(`${what}: ${ajv.errorsText()} in ${JSON.stringify(value)?.slice(0, 500)}`)
    }
    const play = await openPlay(importing)
    for (const called of inOrder(operations())) {
      const { method, path, operation } = called
      const what = `${method} ${path}`
      const [[type, content] = []] = Object.entries(operation.requestBody?.content ?? {})
      const body = play.bodyOf(called, content?.example)
      if (type === 'application/json') judge(`the request of ${what}`, content!.schema, body)
      const init = type === undefined ? {} : { headers: { 'Content-Type': type }, body: encode(type, body) }
      const reply = await importing.service.request(method, play.addressOf(called), init)
      const [[status, described] = []] = Object.entries(operation.responses)
      const isDone = String(reply.status) === status || (method === 'DELETE' && reply.status === 202)
      if (!isDone) wrong.push(`${what}: ${reply.status} ${reply.text}`)
      const [[replyType, shown] = []] = Object.entries(described!.content)
      if (isDone && replyType === 'application/json') judge(`the reply of ${what}`, shown!.schema, reply.json)
      play.learn(called, reply.json)
    }
    assert.deepEqual(wrong, [])
  })

  it('has rows as CSV and as NDJSON wherever a call reads rows', async () => {
    const play = await openPlay(importing)
    const { service } = importing
    await service.put('/api/feed?compId=Boiler&temp=20.1&mode=%3Don&time=1767225600000')
    const seen: string[] = []
    for (const called of operations().filter(
      ({ method, operation }) => method === 'GET' && operation.responses['200'],
    )) {
      const address = play.addressOf(called)
      const ask = (accept: string) => service.request('GET', address, { headers: { Accept: accept } })
      const { status, json } = await ask('application/json')
      const rows = status === 200 ? rowsIn(called, json) : undefined
      if (rows === undefined) continue
      seen.push(called.path)
      const [csv, ndjson] = [await ask('text/csv'), await ask('application/x-ndjson')]
      assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8', called.path)
      const columns = csv.text.split('\r\n')[0]!.split(',')
      assert.deepEqual(
        rows.flatMap((row) => Object.keys(row)).filter((name) => !columns.includes(name)),
        [],
        called.path,
      )
      assert.equal(ndjson.headers.get('content-type'), 'application/x-ndjson; charset=utf-8', called.path)
      assert.deepEqual(
        ndjson.text.split('\n').slice(0, -1).map(withoutClock),
        rows.map((row) => withoutClock(JSON.stringify(row))),
      )
    }
    for (const path of [
      '/api/comp/{compId}/feed',
      '/api/comp/{compId}/last_value',
      '/api/audit',
      '/api/unit',
      '/api/connector/{uid}/run',
    ])
      assert.ok(seen.includes(path), `${path} is not among ${seen.join(' ')}`)
    assert.ok(seen.length > 20, seen.join(' '))
  })
})

const encode = (type: string, body: unknown): string => {
  if (type === 'application/x-www-form-urlencoded')
    return new URLSearchParams(body as Readonly<Record<string, string>>).toString()
  return typeof body === 'string' ? body : JSON.stringify(body)
}

type Rows = readonly Readonly<Record<string, unknown>>[]

/** The rows of a list, or of a feed; undefined where a call reads none. */
const rowsIn = ({ path }: Called, json: unknown): Rows | undefined => {
  if (/\/(feed|last_value)$/.test(path)) return json as Rows
  const { totalCount, ...members } = (json ?? {}) as Readonly<Record<string, unknown>>
  return totalCount === undefined ? undefined : (Object.values(members).find(Array.isArray) as Rows)
}

/** A run that goes on shows how long. */
const withoutClock = (line: string) => line.replace(/"elapsed":\d+/, '')

/** New things first, then changes, readings and, from the last to the first, deletions. */
const inOrder = (operations: readonly Called[]): readonly Called[] => {
  const phases: readonly ((called: Called) => boolean)[] = [
    ({ operation }) => operation.responses['201'] !== undefined,
    ({ method, operation }) => ['PUT', 'POST'].includes(method) && operation.responses['201'] === undefined,
    ({ method }) => method === 'GET',
  ]
  const removals = operations.filter(({ method }) => method === 'DELETE')
  const isOfComponent = ({ path }: Called) => /\/(comp|conn_sink)\/|\/derive$/.test(path)
  return [
    ...phases.flatMap((isOf) => operations.filter(isOf)),
    ...removals.filter(isOfComponent),
    ...removals.filter((called) => !isOfComponent(called)).toReversed(),
  ]
}

/** The values that examples cannot know: uids, passwords, codes, and the address of an external database. */
const openPlay = async ({ service, admin, make, target }: Importing) => {
  const email = service.ownerEmail
  const password = service.ownerPassword
  const login = await service.request('POST', '/api/login', { body: JSON.stringify({ email, password }) })
  const { sessionUid } = login.json as { readonly sessionUid: string }
  const { secret: sinkKey } = await addApiKey(service.sql, service.organizationUid, [
    { resource: 'connector/*/sink', methods: ['GET', 'PUT', 'POST', 'DELETE'] },
  ])
  const imported = await make({ externalSql: 'select 1 as v', ingestSql: ingest })
  const known = new Map([['endpoint', 'weather']])
  const client = () => ({ client_id: 'portal', client_secret: known.get('secret')! })
  const bodies: Readonly<Record<string, () => object>> = {
    postLogin: () => ({ email, password }),
    postOauthClient: () => ({ clientId: 'portal', redirectUris: [redirectUri], secret: true, passwordLogin: true }),
    postOauthLogin: () => ({ email, password, client_id: 'portal', redirect_uri: redirectUri, org: known.get('org') }),
    postOauthAccessToken: () => ({
      ...client(),
      grant_type: 'authorization_code',
      code: known.get('code')!,
      redirect_uri: redirectUri,
    }),
    postOauthRevoke: () => ({ ...client(), token: known.get('token')! }),
    postOauthIntrospect: () => ({ ...client(), token: known.get('token')! }),
    postStream: () => ({ componentUid: known.get('component uid')! }),
    postConnector: () => ({ runAsUserUid: admin.user.uid }),
    postConnectorImportTest: () => ({ connectionUid: known.get('connection uid')! }),
    postConnection: () => target,
  }
  known.set('org', service.organizationUid)
  known.set('removal uid', await makeRemoval(service, sessionUid))
  return {
    addressOf: ({ path, operation }: Called): string => {
      const entity = path.split('/')[2]!
      const values = new Map(operation.parameters.map((one) => [`${one.in} ${one.name}`, one.example]))
      const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        const own = path.includes('/run') && name === 'uid' ? imported : known.get(`${entity} ${name}`)
        return encodeURIComponent(own ?? known.get(name) ?? values.get(`path ${name}`) ?? `no ${name}`)
      })
      const query = operation.parameters
        .filter((one) => one.in === 'query' && one.example !== undefined)
        .map(({ name, example }) => `${name}=${encodeURIComponent(example!)}`)
      const credential = {
        all: [`session=${sessionUid}`, `org=${service.organizationUid}`],
        none: [],
        key: [`api_key=${sinkKey}`],
      }
      const by = operation.security === undefined ? 'all' : operation.security.length === 0 ? 'none' : 'key'
      return `${address}?${[...query, ...credential[by]].join('&')}`
    },
    bodyOf: ({ operation }: Called, example: unknown): unknown => {
      const more = bodies[operation.operationId]?.()
      return more === undefined ? example : { ...(example as object), ...more }
    },
    learn: ({ path, operation }: Called, reply: unknown): void => {
      if (typeof reply !== 'object' || reply === null) return
      const entity = path.split('/')[2]!
      const { [entity]: shown, ...given } = reply as Readonly<Record<string, unknown>>
      const one = [shown].flat()[0] as { readonly uid?: string; readonly secret?: string } | undefined
      if (operation.responses['201'] || entity === 'grant') known.set(`${entity} uid`, one?.uid ?? '')
      if (entity === 'oauth_client' && one?.secret) known.set('secret', one.secret)
      if (typeof given['oauthCode'] === 'string') known.set('code', given['oauthCode'])
      if (typeof given['access_token'] === 'string') known.set('token', given['access_token'])
      const run = given['run'] as { readonly uid?: string } | undefined
      if (run?.uid !== undefined) known.set('run', run.uid)
    },
  }
}

/** The uid of the removal of a component with a sample. */
const makeRemoval = async (service: Importing['service'], session: string): Promise<string> => {
  assert.equal((await service.put('/api/feed?compId=Old&a=1')).status, 200)
  const credential = `session=${session}&org=${service.organizationUid}`
  const listed = await service.request('GET', `/api/component?id=Old&${credential}`)
  const [old] = (listed.json as { readonly component: readonly { readonly uid: string }[] }).component
  const removed = await service.request('DELETE', `/api/component/${old!.uid}?${credential}`)
  return (removed.json as { readonly removal: { readonly uid: string } }).removal.uid
}

const redirectUri = 'https://portal.example/back'
const ingest =
  "INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Mast', 'wind', 1767225600000, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 v DOUBLE)"
