// The described API as a caller goes through it: every operation with its example, with values that examples cannot
// know filled in, so that a test of all calls needs no list of them.
//
//   const play = await openPlay(service, actor)
//   for (const called of inOrder(operationsOf(description))) await ask(called.method, play.addressOf(called))
import assert from 'node:assert/strict'
import type { User } from '../../src/core/user.ts'
import { clientWith } from './http.ts'
import type { Client } from './http.ts'
import { addConnection } from './import.ts'
import { targetFrom } from './outbound.ts'
import { addApiKey, addOrganization, addSession, addUser, testPassword } from './people.ts'
import type { TestService } from './service.ts'

type Described = { readonly schema: object; readonly example?: unknown }
export type Operation = {
  readonly operationId: string
  readonly security?: readonly unknown[]
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example?: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Described>> }
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, Described>> }>>
}
export type Description = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: object
}
export type Called = { readonly method: string; readonly path: string; readonly operation: Operation }

/** The actor of a play: an owner, and what is made in other ways than by the calls. */
export type Actor = {
  readonly organizationUid: string
  readonly email: string
  readonly password: string
  readonly runAsUserUid: string
  readonly connectionUid: string
  /** Members of a connection to an external database. */
  readonly target: object
  /** Of the OAuth client that is made; no two of a server have the same. */
  readonly clientId?: string
}

/** The owner of a new organization, with a connection to an external database, and the calls that the owner makes. */
export const addActor = async (
  service: TestService,
  externalUrl: string,
  name: string,
): Promise<{ readonly actor: Actor; readonly call: Client; readonly session: string; readonly user: User }> => {
  const user = await addUser(service.sql, `${name}@example.org`)
  const { uid: organizationUid } = await addOrganization(service.sql, name, user)
  const session = await addSession(service.sql, user)
  const { host, port, database, user: login, password } = targetFrom('postgresql', externalUrl)
  const actor = {
    organizationUid,
    email: user.email,
    password: testPassword,
    runAsUserUid: user.uid,
    connectionUid: await addConnection({ sql: service.sql, organizationUid }, externalUrl),
    target: { host, port, database, user: login, password, tls: false },
    clientId: name,
  }
  return { actor, call: clientWith(service, `session=${session}&org=${organizationUid}`), session, user }
}

export type Play = Awaited<ReturnType<typeof openPlay>>

export const operationsOf = (description: Description): readonly Called[] =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

export const encodeBody = (type: string, body: unknown): string => {
  if (type === 'application/x-www-form-urlencoded')
    return new URLSearchParams(body as Readonly<Record<string, string>>).toString()
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** New things first, then changes, readings and, from the last to the first, deletions. */
export const inOrder = (operations: readonly Called[]): readonly Called[] => {
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
export const openPlay = async (service: TestService, actor: Actor) => {
  const { organizationUid, email, password, runAsUserUid, connectionUid, target, clientId = 'portal' } = actor
  const login = await service.request('POST', '/api/login', { body: JSON.stringify({ email, password }) })
  const { sessionUid } = login.json as { readonly sessionUid: string }
  const { secret: sinkKey } = await addApiKey(service.sql, organizationUid, [
    { resource: 'connector/*/sink', methods: ['GET', 'PUT', 'POST', 'DELETE'] },
  ])
  const own = clientWith(service, `session=${sessionUid}&org=${organizationUid}`)
  const importing = { type: 'import', name: 'meter', connectionUid, runningUserUid: runAsUserUid }
  const made = await own('POST', '/api/connector', { ...importing, externalSql: 'select 1 as v', ingestSql: ingest })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const imported = (made.body as { readonly connector: { readonly uid: string } }).connector.uid
  const known = new Map([['endpoint', 'weather']])
  const client = () => ({ client_id: clientId, client_secret: known.get('secret')! })
  const bodies: Readonly<Record<string, () => object>> = {
    postLogin: () => ({ email, password }),
    postOauthClient: () => ({ clientId, redirectUris: [redirectUri], secret: true, passwordLogin: true }),
    postOauthLogin: () => ({ email, password, client_id: clientId, redirect_uri: redirectUri, org: known.get('org') }),
    postOauthAccessToken: () => ({
      ...client(),
      grant_type: 'authorization_code',
      code: known.get('code')!,
      redirect_uri: redirectUri,
    }),
    postOauthRevoke: () => ({ ...client(), token: known.get('token')! }),
    postOauthIntrospect: () => ({ ...client(), token: known.get('token')! }),
    postStream: () => ({ componentUid: known.get('component uid')! }),
    postConnector: () => ({ runAsUserUid }),
    postConnectorImportTest: () => ({ connectionUid: known.get('connection uid')! }),
    postConnection: () => target,
  }
  known.set('org', organizationUid)
  known.set('removal uid', await makeRemoval(own))
  return {
    /** By the values of the examples and those that are known, but for those given: 'path uid', 'query limit'. */
    addressOf: ({ path, operation }: Called, given: ReadonlyMap<string, string> = new Map()): string => {
      const entity = path.split('/')[2]!
      const values = new Map(
        operation.parameters.flatMap((one): [string, string][] =>
          one.example === undefined ? [] : [[`${one.in} ${one.name}`, one.example]],
        ),
      )
      const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        const uid = path.includes('/run') && name === 'uid' ? imported : known.get(`${entity} ${name}`)
        const value = given.get(`path ${name}`) ?? uid ?? known.get(name) ?? values.get(`path ${name}`)
        return encodeURIComponent(value ?? `no ${name}`)
      })
      const query = [...new Map([...values, ...given])]
        .filter(([name]) => name.startsWith('query '))
        .map(([name, value]) => `${encodeURIComponent(name.slice(6))}=${encodeURIComponent(value)}`)
      const credential = {
        all: [`session=${sessionUid}`, `org=${organizationUid}`],
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
    /** The uids that are known by now, by the kind of their thing. */
    uids: (): ReadonlyMap<string, string> =>
      new Map(
        [...known, ['connector uid', imported], ['connection uid', connectionUid], ['user uid', runAsUserUid]]
          .filter((pair): pair is [string, string] => uidForm.test(pair[1]!))
          .map(([name, uid]) => [name.replace(/ uid$/, ''), uid]),
      ),
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
const makeRemoval = async (own: Client): Promise<string> => {
  assert.equal((await own('PUT', '/api/feed?compId=Old&a=1')).status, 200)
  const { body: listed } = await own('GET', '/api/component?id=Old')
  const [old] = (listed as { readonly component: readonly { readonly uid: string }[] }).component
  const { body: removed } = await own('DELETE', `/api/component/${old!.uid}`)
  return (removed as { readonly removal: { readonly uid: string } }).removal.uid
}

const uidForm = /^[0-9a-f]{8}-[0-9a-f-]{27}$/
const redirectUri = 'https://portal.example/back'
const ingest =
  "INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Mast', 'wind', 1767225600000, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 v DOUBLE)"
