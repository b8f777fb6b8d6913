import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { keyMay, readCapabilities, rulesFrom, writableResources } from '../../src/access/capability.ts'
import type { Method, Permission } from '../../src/core/caller.ts'

type Rows = Readonly<Record<string, readonly Method[]>>

const may = (rows: Rows, permission: Permission, uid?: string) =>
  keyMay(rulesFrom(Object.entries(rows).map(([resource, methods]) => ({ resource, methods }))), permission, uid)

describe('capabilities of an API key', () => {
  const table: readonly [rows: Rows, permission: Permission, uid: string | undefined, expected: boolean][] = [
    [{}, 'GET component/feed', 'X', false],
    [{ 'component/*/feed': ['GET'] }, 'GET component/feed', 'X', true],
    [{ 'component/*/feed': ['GET'] }, 'GET component/feed', undefined, true],
    [{ 'component/*/feed': ['GET'] }, 'PUT component/feed', 'X', false],
    [{ 'component/*/feed': ['GET', 'PUT'] }, 'DELETE component/feed', 'X', false],
    [{ 'component/*/feed': ['GET'] }, 'GET component/property', 'X', false],
    [{ 'component/*/feed': ['GET'] }, 'GET component', 'X', false],
    // One component only: no other, and none that does not exist yet.
    [{ 'component/X/feed': ['PUT'] }, 'PUT component/feed', 'X', true],
    [{ 'component/X/feed': ['PUT'] }, 'PUT component/feed', 'Y', false],
    [{ 'component/X/feed': ['PUT'] }, 'PUT component/feed', undefined, false],
    // The most specific row decides, also when it forbids.
    [{ 'component/*/feed': ['GET'], 'component/X/feed': [] }, 'GET component/feed', 'X', false],
    [{ 'component/*/feed': ['GET'], 'component/X/feed': [] }, 'GET component/feed', 'Y', true],
    [{ 'component/*/feed': ['GET'], 'component/X': [] }, 'GET component/feed', 'X', false],
    [{ 'component/*/feed': [], 'component/X': ['GET'] }, 'GET component/feed', 'X', true],
    [{ component: ['GET'], 'component/*/feed': [] }, 'GET component/feed', 'X', false],
    [{ component: ['GET'], 'component/*/feed': [] }, 'GET component/property', 'X', true],
    [{ component: ['GET'], 'component/*/feed': ['PUT'] }, 'GET component/feed', 'X', false],
    [{ '*': ['GET'], component: [] }, 'GET component/feed', 'X', false],
    [{ '*': ['GET'], component: [] }, 'GET unit', 'X', true],
    // A row covers all below it that has no row of its own.
    [{ component: ['GET'] }, 'GET component/feed', undefined, true],
    [{ 'component/*': ['GET'] }, 'GET component/feed', 'X', true],
    [{ component: ['GET'] }, 'GET component', 'X', true],
    [{ 'component/X': ['GET'] }, 'GET component', 'X', true],
    [{ 'component/X': ['GET'] }, 'GET component/property', 'X', true],
    [{ 'component/X': ['GET'] }, 'GET component', undefined, false],
    [{ component: ['GET'] }, 'GET stream', 'X', false],
    [{ '*': ['GET'] }, 'GET connector/sink', 'X', true],
    [{ 'connector/*/sink': ['POST'] }, 'POST connector/sink', 'X', true],
    [{ 'connector/X/sink': ['POST'] }, 'POST connector/sink', 'Y', false],
    [{ unit: ['GET', 'POST'] }, 'POST unit', undefined, true],
    // A row for one component or template holds for its streams too; without one, that for streams has decided.
    [{ '*': ['DELETE'], 'component/X': [] }, 'DELETE component/stream', 'X', false],
    [{ '*': ['DELETE'], 'component/X': [] }, 'DELETE component/stream', 'Y', true],
    [{ stream: ['PUT'], 'component/X': ['GET'] }, 'PUT component/stream', 'X', false],
    [{ stream: ['PUT'] }, 'PUT component/stream', 'X', true],
    [{ '*': ['DELETE'], 'template/X': [] }, 'DELETE template/stream', 'X', false],
    [{ '*': ['DELETE'], 'template/X': [], 'component/Y': [] }, 'DELETE template/stream', 'Y', true],
    // Lists show all of them, so they are not for who may not see one.
    [{ '*': ['GET'], 'component/X': [] }, 'GET component', undefined, false],
    [{ '*': ['GET'], 'component/X': [] }, 'GET stream', undefined, false],
    [{ '*': ['GET'], 'component/X': [] }, 'GET template', undefined, true],
    [{ '*': ['GET'], 'template/X': [] }, 'GET stream', undefined, false],
    [{ '*': ['GET'], 'template/X': [] }, 'GET component', undefined, true],
    [{ '*': ['GET'], 'component/X': ['GET', 'PUT'] }, 'GET component', undefined, true],
    [{ '*': ['GET'], 'component/X/feed': [] }, 'GET component', undefined, true],
    [{ '*': ['POST'], 'component/X': [] }, 'POST component', undefined, true],
    [{ connector: ['GET'], 'connector/X': [] }, 'GET connector', undefined, false],
    [{ connector: ['GET'], 'connector/X': [] }, 'GET connector', 'Y', true],
    [{ '*': ['GET'], 'connector/X': ['PUT'] }, 'GET connector', undefined, false],
    [{ '*': ['GET'], 'connector/X/sink': [] }, 'GET connector', undefined, true],
    [{ '*': ['GET'], 'connector/X': [] }, 'GET unit', undefined, true],
    [{ '*': ['GET'], 'stream/X': [] }, 'GET stream', undefined, false],
    [{ '*': ['GET'], 'stream/X': [] }, 'GET component', undefined, true],
    // The audit log shows all of everything.
    [{ '*': ['GET'], 'unit/X': [] }, 'GET audit', undefined, false],
    [{ '*': ['GET'], 'unit/X': ['GET'] }, 'GET audit', undefined, true],
    [{ '*': ['GET'], 'component/X/feed': [] }, 'GET audit', undefined, true],
    // A row that only adds a right takes the log from nobody.
    [{ audit: ['GET'], 'component/X': ['PUT'] }, 'GET audit', undefined, true],
    [{ audit: ['GET'], 'unit/X': [] }, 'GET audit', undefined, true],
    [{ '*': ['GET'], unit: ['PUT'], 'unit/X': ['PUT', 'DELETE'] }, 'GET audit', undefined, true],
    [{ audit: ['GET'], unit: ['GET'], 'unit/X': ['PUT'] }, 'GET audit', undefined, false],
    [{ audit: ['GET'], stream: ['GET'], 'component/X': ['PUT'] }, 'GET audit', undefined, false],
    [{ audit: ['GET'], stream: ['GET'], 'template/X': ['PUT'] }, 'GET audit', undefined, false],
    // Rights that no key has.
    [{ '*': ['GET', 'PUT', 'POST', 'DELETE'] }, 'POST gql', undefined, false],
    [{ gql: ['GET', 'POST'] }, 'POST gql', undefined, false],
    [{ '*': ['GET', 'PUT', 'POST', 'DELETE'] }, 'DELETE organization', 'X', false],
    [{ '*': ['GET', 'PUT', 'POST', 'DELETE'] }, 'PUT organization', 'X', true],
    // Reading scripts.
    [{ gql: ['GET'] }, 'GET gql', undefined, true],
    [{ '*': ['GET'] }, 'GET gql', undefined, true],
    [{ '*': ['GET'], gql: [] }, 'GET gql', undefined, false],
    // The secrets of keys need a row of their own.
    [{ '*': ['GET'] }, 'GET api_key', 'X', true],
    [{ '*': ['GET'] }, 'GET api_key/secret', 'X', false],
    [{ api_key: ['GET'] }, 'GET api_key/secret', 'X', false],
    [{ 'api_key/X': ['GET'] }, 'GET api_key/secret', 'X', false],
    [{ 'api_key/*/secret': ['GET'] }, 'GET api_key/secret', 'X', true],
    [{ 'api_key/X/secret': ['GET'] }, 'GET api_key/secret', 'X', true],
    [{ 'api_key/X/secret': ['GET'] }, 'GET api_key/secret', 'Y', false],
  ]
  for (const [rows, permission, uid, expected] of table)
    it(`${expected ? 'allow' : 'refuse'} ${permission} of ${uid ?? 'any'} by ${JSON.stringify(rows)}`, () =>
      assert.equal(may(rows, permission, uid), expected))

  const notOne = (resource: string) =>
    `resource '${resource}' is not one of *, api_key, api_key/*/secret, audit, component, component/*/feed, ` +
    'component/*/property, connection, connector, connector/*/sink, cycle, dashboard, folder, gql, metrics, oauth_client, organization, ' +
    'query, stream, template, unit, user; a uid may stand in place of a star or after a name'

  it('can be written for every resource that a refusal names, and those are the ones of the documentation', () => {
    for (const resource of writableResources)
      assert.deepEqual(readCapabilities('capabilities', [{ resource, methods: ['GET'] }]), [
        { resource, methods: ['GET'] },
      ])
    const page = readFileSync(new URL('../../docs/access.md', import.meta.url), 'utf8')
    const listed = /^- The resources: ([^]*?)\. /m.exec(page)![1]!
    const words = [...listed.matchAll(/`([^`]+)`/g)].map(([, word]) => word!)
    assert.deepEqual(words.toSorted(), writableResources)
  })

  it('are read by an allow list', () => {
    assert.deepEqual(readCapabilities('capabilities', [{ resource: 'component/*/feed', methods: ['GET', 'GET'] }]), [
      { resource: 'component/*/feed', methods: ['GET'] },
    ])
    for (const [value, message] of [
      [{}, 'capabilities must be an array'],
      [[{ methods: [] }], 'capabilities[0] must name a resource'],
      [[{ resource: 'component', methods: ['PATCH'] }], 'methods[0] must be one of GET, PUT, POST, DELETE'],
      ...[
        'moon',
        'componnt',
        'component/*/secret',
        'component/*/stream',
        'unit/*/feed',
        'connector/sink',
        'component//feed',
        'gql/X',
      ].map((resource) => [[{ resource }], notOne(resource)] as const),
      [
        [{ resource: 'component/*/feed', methods: ['GET', 'POST'] }],
        'capabilities[0]: there is no POST of component/*/feed, only GET, PUT, DELETE',
      ],
      [
        [{ resource: 'component/X/property', methods: ['PUT'] }],
        'capabilities[0]: there is no PUT of component/X/property, only GET, POST',
      ],
      [[{ resource: 'audit', methods: ['DELETE'] }], 'capabilities[0]: there is no DELETE of audit, only GET'],
      [[{ resource: 'gql', methods: ['POST'] }], 'capabilities[0]: there is no POST of gql, only GET'],
      [[{ resource: 'component' }, { resource: 'component/*' }], "capabilities has two rows for 'component'"],
    ] as const)
      assert.throws(() => readCapabilities('capabilities', value), { message })
  })
})
