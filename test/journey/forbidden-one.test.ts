// A row of a key that forbids one entity (docs/access.md#api-keys) holds wherever entities are shown: in lists, with others, in
// exports and in the audit log. The entities and the calls are those of the description, so that the next one is found.
import assert from 'node:assert/strict'
import type { Capability } from '../../src/core/api-key.ts'
import type { Method } from '../../src/core/caller.ts'
import type { Description } from '../support/described.ts'
import { operationsOf } from '../support/described.ts'
import type { Client, Person } from '../support/http.ts'
import { addPerson, clientWith } from '../support/http.ts'
import { addApiKey, testPassword } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

type Made = { readonly uid: string; readonly stream?: readonly Made[] }

/** Calls that answer this key with a refusal. */
const asksForMore: ReadonlySet<string> = new Set([
  // Writes samples.
  '/api/feed',
  '/api/conn_sink/{org}/{endpoint}',
  // Goes by the rights to feeds, as the documentation says.
  '/api/gql',
  // Shows counts and times of one that was asked for: of a connector that runs by itself, a derived stream, an upload.
  '/api/connector/{uid}/run',
  '/api/stream/{uid}/derive',
  '/api/import/{id}',
  // Has a row of its own.
  '/api/api_key/{uid}/secret',
  // Is for people.
  '/api/grant',
  // Of one that goes on; its list is here.
  '/api/removal/{uid}',
])

describe('a row of a key that forbids one entity', () => {
  let service: TestService
  let owner: Person
  let description: Description
  before(async () => {
    service = await openTestService()
    owner = await addPerson(service, 'owner')
    description = (await service.request('GET', '/api/openapi.json')).json as Description
  })
  after(() => service.close())

  let added = 0
  const fresh = () => `e${(added += 1)}`
  const make = async (entity: string, input: object): Promise<Made> => {
    const { status, body } = await owner.call('POST', `/api/${entity}`, input)
    assert.equal(status, 201, JSON.stringify(body))
    return (body as Readonly<Record<string, Made>>)[entity]!
  }
  const keyOf = async (capabilities: readonly Capability[]): Promise<Client> =>
    clientWith(service, `api_key=${(await addApiKey(service.sql, service.organizationUid, capabilities)).secret}`)
  const everything = { resource: '*', methods: ['GET', 'PUT', 'POST', 'DELETE'] } as const

  /** An input for each entity, with the mark in a member that only its own calls show. */
  const inputs = (componentUid: string): Readonly<Record<string, (mark: string) => object>> => ({
    user: (mark) => ({ email: `${fresh()}@example.org`, password: testPassword, firstName: mark }),
    component: (mark) => ({ id: fresh(), name: mark }),
    template: (mark) => ({ id: fresh(), name: mark }),
    stream: (mark) => ({ componentUid, id: fresh(), name: mark }),
    cycle: (mark) => ({ id: fresh(), name: mark, size: 8, unit: 'hour' }),
    unit: (mark) => ({ id: fresh(), name: mark }),
    folder: (mark) => ({ path: `/Components/${mark}` }),
    api_key: (mark) => ({ name: mark }),
    oauth_client: (mark) => ({ name: mark, redirectUris: ['https://a.example/'] }),
    connector: (mark) => ({ name: mark, endpoint: fresh(), runAsUserUid: owner.user.uid, sql: 'SELECT 1' }),
    connection: (mark) => ({ name: mark, kind: 'mysql', host: 'db.example', database: 'x', user: 'x' }),
    query: (mark) => ({ name: mark, sql: 'SELECT 1' }),
    dashboard: (mark) => ({ name: mark }),
  })

  const importLines = async (secret: string, lines: readonly object[]): Promise<unknown> => {
    const { json } = await service.request('POST', `/api/import?what=catalogue&api_key=${secret}`, {
      body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
      headers: { 'Content-Type': 'application/x-ndjson' },
    })
    return (json as { readonly import: { readonly refusals: unknown } }).import.refusals
  }

  it('holds in every call of the description that shows entities', async () => {
    const gets = operationsOf(description).filter(
      ({ method, operation }) => method === 'GET' && !operation.responses['200']?.content['text/event-stream'],
    )
    const paths = gets.map(({ path }) => path)
    const entities = operationsOf(description).flatMap(({ method, path, operation }) => {
      const name = path.slice('/api/'.length)
      return method === 'POST' && operation.responses['201'] && paths.includes(`${path}/{uid}`) ? [name] : []
    })
    const { uid: componentUid } = await make('component', { id: fresh() })
    const input = inputs(componentUid)
    // A key sees one organization, its own.
    assert.deepEqual(entities.filter((name) => name !== 'organization').toSorted(), Object.keys(input).toSorted())

    const others = new Map<string, string>()
    for (const [name, of] of Object.entries(input)) others.set(name, (await make(name, of('other'))).uid)
    others.set('component', componentUid)
    others.set('organization', service.organizationUid)
    const shownBy = (path: string): readonly string[] => {
      if (path === '/api/export') return ['/api/export?what=catalogue']
      // Feeds have rights of their own, which name components.
      if (path.startsWith('/api/comp/{compId}/')) return []
      return [path.replace('{uid}', others.get(path.split('/')[2]!) ?? '{uid}')]
    }
    const addresses = paths.filter((path) => !asksForMore.has(path)).flatMap(shownBy)
    const ask = (credential: string, address: string) =>
      service.request('GET', `${address}${address.includes('?') ? '&' : '?'}api_key=${credential}`)
    const showing = async (credential: string, mark: string, among = addresses) => {
      const shown = async (address: string) => ((await ask(credential, address)).text.includes(mark) ? [address] : [])
      return (await Promise.all(among.map(shown))).flat()
    }
    const all = await addApiKey(service.sql, service.organizationUid, [everything])
    // An address that answers with a refusal shows nothing to anybody, and would prove nothing.
    for (const address of addresses) assert.equal((await ask(all.secret, address)).status, 200, address)
    assert.deepEqual(
      [...asksForMore].filter((path) => !paths.includes(path)),
      [],
    )
    for (const [name, of] of Object.entries(input)) {
      const mark = `mark-${fresh()}`
      const { uid } = await make(name, of(mark))
      const row = { resource: `${name}/${uid}`, methods: ['PUT'] as const }
      const { secret } = await addApiKey(service.sql, service.organizationUid, [everything, row])
      const lists = [`/api/${name}`, '/api/audit']
      assert.deepEqual(await showing(all.secret, mark, lists), lists, name)
      assert.deepEqual(await showing(secret, mark), [], name)
      const call = clientWith(service, `api_key=${secret}`)
      const statusOf = async (path: string) => (await call('GET', path)).status
      assert.deepEqual(
        [
          await statusOf(`/api/${name}`),
          await statusOf(`/api/${name}/${uid}`),
          await statusOf(`/api/${name}/${others.get(name)}`),
          await statusOf('/api/audit'),
        ],
        [403, 403, 200, 403],
        name,
      )
    }
  })

  it('is named where it keeps the key from a list or the audit log', async () => {
    const { uid } = await make('unit', { id: fresh() })
    const shut = { resource: `unit/${uid}`, methods: [] }
    const refusal = async (capabilities: readonly Capability[], path: string) =>
      ((await (await keyOf(capabilities))('GET', path)).body as { readonly message: string }).message
    const reason = `, which shows all: a row keeps it from unit/${uid}`
    const units = { resource: 'unit', methods: ['GET'] } as const
    assert.equal(await refusal([units, shut], '/api/unit'), `this credential may not GET unit${reason}`)
    assert.equal(await refusal([everything, shut], '/api/audit'), `this credential may not GET audit${reason}`)
    assert.equal(await refusal([units, shut], '/api/audit'), 'this credential may not GET audit')
    assert.equal(await refusal([units, shut], `/api/unit/${uid}`), 'this credential may not GET unit')
  })

  it('leaves the others of its kind to an imported catalogue, which does not tell of those that may not be seen', async () => {
    const [shut, known, fresher] = [fresh(), fresh(), fresh()]
    const { uid } = await make('unit', { id: shut })
    await make('unit', { id: known })
    const lines = [shut, known, fresher].map((id) => ({ unit: { id } }))
    const restoredBy = async (capabilities: readonly Capability[]) =>
      importLines((await addApiKey(service.sql, service.organizationUid, capabilities)).secret, lines)
    const reason = 'this credential may not GET unit'
    const everyLine = [1, 2, 3].map((line) => ({ line, reason }))
    assert.deepEqual(await restoredBy([{ resource: '*', methods: ['POST'] }]), everyLine)
    assert.deepEqual(await restoredBy([everything, { resource: `unit/${uid}`, methods: [] }]), [{ line: 1, reason }])
    const { body } = await owner.call('GET', '/api/unit?limit=1000')
    const ids = (body as { readonly unit: readonly { readonly id: string }[] }).unit.map(({ id }) => id)
    assert.equal(ids.includes(fresher), true)
  })

  it('holds for the streams of a component or template, by themselves, too', async () => {
    for (const owned of ['component', 'template'] as const) {
      const made = await make(owned, { id: fresh(), stream: [{ id: 's' }] })
      const path = `/api/stream/${made.stream![0]!.uid}`
      const input = { [`${owned}Uid`]: made.uid, id: fresh() }
      const streams = { resource: 'stream', methods: everything.methods }
      const statuses = async (...methods: Method[]) => {
        const call = await keyOf([streams, { resource: `${owned}/${made.uid}`, methods }])
        const answers = [
          await call('GET', '/api/stream'),
          await call('GET', path),
          await call('PUT', path, { name: fresh() }),
          await call('POST', '/api/stream', input),
          await call('DELETE', path),
        ]
        return answers.map(({ status }) => status)
      }
      assert.deepEqual(await statuses(), [403, 403, 403, 403, 403], owned)
      assert.deepEqual(await statuses('GET'), [200, 200, 403, 403, 403], owned)
      assert.deepEqual(await statuses(...everything.methods), [200, 200, 200, 201, 200], owned)
    }
  })

  describe('of a stream', () => {
    for (const owned of ['component', 'template'] as const)
      it(`holds where its ${owned} is shown, changed and copied`, async () => {
        const made = await make(owned, { id: fresh(), stream: [{ id: 'open' }, { id: 'shut', name: 'hidden name' }] })
        const [open, shut] = made.stream!
        const call = await keyOf([everything, { resource: `stream/${shut!.uid}`, methods: [] }])
        const path = `/api/${owned}/${made.uid}`
        const ids = (body: unknown, name: string) =>
          (body as Readonly<Record<string, { readonly stream: readonly { id: string }[] }>>)[name]!.stream.map(
            ({ id }) => id,
          )
        const shown = await call('GET', path)
        assert.deepEqual([shown.status, ids(shown.body, owned)], [200, ['open']])
        const changed = await call('PUT', path, { description: 'x' })
        assert.deepEqual([changed.status, ids(changed.body, owned)], [200, ['open']])
        for (const stream of [[{ uid: open!.uid }], [{ uid: open!.uid }, { uid: shut!.uid, name: 'another' }]])
          assert.equal((await call('PUT', path, { stream })).status, 403)
        const copy =
          owned === 'component'
            ? await call('POST', '/api/template', { id: fresh(), fromComponentUid: made.uid })
            : await call('POST', '/api/component', { id: fresh(), templateUid: made.uid })
        assert.equal(copy.status, 403)
        const own = await owner.call('GET', path)
        assert.deepEqual(ids(own.body, owned), ['open', 'shut'])
      })

    for (const owned of ['component', 'template'] as const)
      it(`lets its ${owned} be sent back with it as it was read, and not changed, moved or missing`, async () => {
        const id = fresh()
        const made = await make(owned, { id, stream: [{ id: 'open', valueType: 'STRING' }, { id: 'shut' }] })
        const call = await keyOf([everything, { resource: `stream/${made.stream![1]!.uid}`, methods: ['GET'] }])
        const path = `/api/${owned}/${made.uid}`
        const read = async () =>
          ((await call('GET', path)).body as Readonly<Record<string, Made>>)[owned]!.stream as [object, object]
        const put = async (stream: readonly object[]) => (await call('PUT', path, { stream })).status
        assert.equal(await put(await read()), 200)
        const [open, shut] = await read()
        assert.equal(await put([{ ...open, name: 'another' }, shut, { id: 'more' }]), 200)
        const [changed, , more] = (await read()) as readonly object[]
        assert.equal(await put([changed!, { ...shut, name: 'another' }, more!]), 403)
        assert.equal(await put([shut, changed!, more!]), 403)
        assert.equal(await put([changed!, more!]), 403)
        // Before the work that the change of another takes, which would be refused.
        if (owned === 'template') return
        assert.equal((await owner.call('PUT', `/api/feed?compId=${id}&open=text`)).status, 200)
        const numbers = { ...changed, valueType: 'DOUBLE' }
        assert.equal(await put([numbers, { ...shut, name: 'another' }, more!]), 403)
        assert.equal(await put([numbers, shut, more!]), 409)
      })

    it('holds where a change of its template reaches it', async () => {
      const template = await make('template', { id: fresh(), stream: [{ id: 's', name: 'first' }] })
      const model = template.stream![0]!
      const component = await make('component', { id: fresh(), templateUid: template.uid })
      const copy = component.stream![0]!
      const call = await keyOf([everything, { resource: `stream/${copy.uid}`, methods: ['GET'] }])
      const refusal = (method: Method) => ({ status: 403, message: `this credential may not ${method} stream` })
      const refused = async (method: Method, path: string, input?: object) => {
        const { status, body } = await call(method, path, input)
        return { status, message: (body as { readonly message: string }).message }
      }
      const stream = { uid: model.uid, name: 'second' }
      assert.deepEqual(await refused('PUT', `/api/template/${template.uid}`, { stream: [stream] }), refusal('PUT'))
      assert.deepEqual(await refused('PUT', `/api/stream/${model.uid}`, { name: 'second' }), refusal('PUT'))
      assert.deepEqual(await refused('DELETE', `/api/stream/${model.uid}`), refusal('DELETE'))
      const { body } = await owner.call('GET', `/api/stream/${copy.uid}`)
      assert.equal((body as { readonly stream: { readonly name: string } }).stream.name, 'first')
    })

    it('holds where it forbids the component that a change of its template reaches, for the keys that the key makes, too', async () => {
      const template = await make('template', { id: fresh(), stream: [{ id: 's', name: 'first' }, { id: 'unused' }] })
      const [model, unused] = template.stream!
      const { uid } = await make('component', { id: fresh(), templateUid: template.uid })
      const shown = async () => JSON.stringify((await owner.call('GET', `/api/component/${uid}`)).body)
      const before = await shown()
      const row = (...methods: Method[]) => ({ resource: `component/${uid}`, methods })
      const withoutIt = { resource: 'template', methods: ['GET', 'PUT'] } as const
      const calls = [
        [
          'PUT',
          `/api/template/${template.uid}`,
          { stream: [{ uid: model!.uid, name: 'second' }, { uid: unused!.uid }] },
        ],
        ['PUT', `/api/stream/${model!.uid}`, { name: 'second' }],
        ['POST', '/api/stream', { templateUid: template.uid, id: 'new' }],
        ['DELETE', `/api/stream/${unused!.uid}`],
      ] as const
      for (const methods of [[], ['GET']] as const) {
        const call = await keyOf([everything, row(...methods)])
        for (const [method, path, input] of calls) {
          const { status, body } = await call(method, path, input)
          const { message } = body as { readonly message: string }
          assert.deepEqual([status, message], [403, `this credential may not ${method} component`], path)
        }
        const given = (...capabilities: Capability[]) => call('POST', '/api/api_key', { name: fresh(), capabilities })
        assert.equal((await given(withoutIt)).status, 403)
        assert.equal((await given(withoutIt, row(...methods))).status, 201)
      }
      assert.equal(await shown(), before)
      const may = await keyOf([everything, row('GET', 'PUT', 'POST', 'DELETE')])
      for (const [method, path, input] of calls) assert.ok((await may(method, path, input)).status < 300, path)
      assert.notEqual(await shown(), before)
    })

    it('holds for the keys that the key makes: they forbid it too, or have no right to components and templates', async () => {
      const { uid } = (await make('component', { id: fresh(), stream: [{ id: 's' }] })).stream![0]!
      const give = async (methods: readonly Method[], capabilities: readonly Capability[]) => {
        const call = await keyOf([everything, { resource: `stream/${uid}`, methods }])
        const { status, body } = await call('POST', '/api/api_key', { name: fresh(), capabilities })
        return status === 201 ? status : (body as { readonly message: string }).message
      }
      const refusal = (method: Method) =>
        `this credential may not ${method} stream/${uid}, and so cannot give that right`
      const shut = { resource: `stream/${uid}`, methods: [] }
      for (const resource of ['component', 'template']) {
        const changes = { resource, methods: ['GET', 'PUT'] } as const
        assert.equal(await give([], [changes]), refusal('GET'))
        assert.equal(await give([], [{ resource, methods: ['PUT'] }]), refusal('GET'))
        assert.equal(await give(['GET'], [changes]), refusal('PUT'))
        assert.equal(await give(['GET'], [{ resource, methods: ['GET'] }]), 201)
        assert.equal(await give([], [changes, shut]), 201)
      }
      assert.equal(await give([], [{ resource: 'unit', methods: ['GET'] }]), 201)
    })

    it('holds where many components are saved at once', async () => {
      const id = fresh()
      const made = await make('component', { id, stream: [{ id: 'open' }, { id: 'shut' }] })
      const call = await keyOf([everything, { resource: `stream/${made.stream![1]!.uid}`, methods: ['GET'] }])
      const save = (streamId: string) =>
        call('PUT', '/api/component', [{ id, stream: [{ id: streamId, name: 'another' }] }])
      assert.deepEqual([(await save('open')).status, (await save('shut')).status], [200, 403])
      const { uid } = await make('template', { id: fresh(), stream: [{ id: 'shut' }] })
      const template = ((await owner.call('GET', `/api/template/${uid}`)).body as { readonly template: Made }).template
      const shut = await keyOf([everything, { resource: `stream/${template.stream![0]!.uid}`, methods: [] }])
      assert.equal((await shut('PUT', '/api/component', [{ id: fresh(), templateUid: uid }])).status, 403)
    })

    it('holds in an imported catalogue', async () => {
      const id = fresh()
      const made = await make('component', { id, stream: [{ id: 'open' }, { id: 'shut' }, { id: 'a' }] })
      const { secret } = await addApiKey(service.sql, service.organizationUid, [
        everything,
        { resource: `stream/${made.stream![1]!.uid}`, methods: ['GET'] },
      ])
      const derived = (streamId: string, position: number) => ({
        derived: {
          componentUid: 'u',
          streamId,
          position,
          expression: 'a + 1',
          variables: [{ name: 'a', streamId: 'a' }],
        },
      })
      const lines = [{ component: { uid: 'u', id } }, derived('open', 1), derived('shut', 2)]
      const refusals = await importLines(secret, lines)
      assert.deepEqual(refusals, [{ line: 3, reason: 'this credential may not PUT stream' }])
    })

    it('holds in the list of removals', async () => {
      const { uid } = (await make('component', { id: fresh(), stream: [{ id: 's' }] })).stream![0]!
      const call = await keyOf([everything, { resource: `stream/${uid}`, methods: [] }])
      assert.equal((await call('GET', '/api/removal')).status, 403)
      assert.equal((await (await keyOf([everything]))('GET', '/api/removal')).status, 200)
    })
  })
})
