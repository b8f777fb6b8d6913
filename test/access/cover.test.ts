import assert from 'node:assert/strict'
import type { Rights } from '../../src/access/cover.ts'
import {
  demandCapabilities,
  demandClient,
  demandRole,
  demandRunAs,
  missingRight,
  rightsOfKey,
} from '../../src/access/cover.ts'
import { methodsOf } from '../../src/access/capability.ts'
import type { Capability } from '../../src/core/api-key.ts'
import type { Caller, Method, Permission, Role } from '../../src/core/caller.ts'
import { httpMethods, resources, userCaller } from '../../src/core/caller.ts'
import { openRandom } from '../support/random.ts'

const organization = { key: 1, uid: 'O', tenantUid: 'O' }
const person = (role: Role): Caller => userCaller(organization, { key: 1, uid: 'U', role })
const keyCaller = (
  capabilities: readonly Capability[],
  more: { readonly expiresMs?: number; readonly addresses?: readonly string[] } = {},
): Caller => ({
  organizationKey: 1,
  organizationUid: 'O',
  tenantUid: 'O',
  actor: 'api_key K',
  user: undefined,
  byCookie: false,
  may: rightsOfKey(capabilities).may,
  key: { named: rightsOfKey(capabilities).named, addresses: [], expiresMs: null, ...more },
})
const row = (resource: string, ...allowed: readonly Method[]): Capability => ({ resource, methods: allowed })
const all = httpMethods
const plain = { expiresMs: null, addresses: [] }

/** Everything that can be done in a small world: two components, each with a stream, and things of other kinds. */
const deeds = (): readonly ((rights: Rights) => boolean)[] => {
  const uids: Readonly<Record<string, readonly (string | undefined)[]>> = {
    component: [undefined, 'X', 'Y'],
    template: [undefined, 'X', 'Y'],
    stream: [undefined, 'S', 'T'],
    api_key: [undefined, 'K', 'L'],
  }
  // A component or template is shown and changed with all its streams that no row of the key forbids.
  const passes = ({ may, named }: Rights, permission: Permission, uid: string) =>
    named.get('stream')?.includes(uid) !== true || may(permission, uid)
  const throughs = [
    ['GET', 'GET stream'],
    ['PUT', 'GET stream'],
    ['POST', 'GET stream'],
    ['PUT', 'PUT stream'],
  ] as const
  const throughOwners = (['component', 'template'] as const).flatMap((entity) =>
    [undefined, 'X', 'Y'].flatMap((owner) =>
      ['S', 'T'].flatMap((stream) =>
        throughs.map(
          ([method, permission]) =>
            (rights: Rights) =>
              rights.may(`${method} ${entity}`, owner) && passes(rights, permission, stream),
        ),
      ),
    ),
  )
  // A change of a template's streams reaches the components that no row of the key forbids.
  const throughTemplates = (['template', 'stream'] as const).flatMap((entity) =>
    [undefined, 'X', 'S', 'Z'].flatMap((uid) =>
      ['X', 'Y'].flatMap((component) =>
        (['PUT component/stream', 'POST component/stream'] as const).map(
          (permission) => (rights: Rights) => rights.may(`PUT ${entity}`, uid) && rights.may(permission, component),
        ),
      ),
    ),
  )
  const direct = resources.flatMap((resource) =>
    methodsOf(resource).flatMap((method) => {
      const own = uids[resource.split('/')[0]!] ?? [undefined, 'Z']
      // A call on a stream needs that of its component or template, too.
      if (resource.endsWith('/stream'))
        return own.flatMap((owner) =>
          uids['stream']!.map((stream) => (rights: Rights) => {
            return rights.may(`${method} stream`, stream) && rights.may(`${method} ${resource}`, owner)
          }),
        )
      return own.map((uid) => (rights: Rights) => rights.may(`${method} ${resource}`, uid))
    }),
  )
  return [...direct, ...throughOwners, ...throughTemplates]
}

describe('giving rights', () => {
  it('is allowed exactly where all that can be done with them can be done by the giver', () => {
    const random = openRandom(1307)
    const rows = ['*', 'component', 'component/X', 'component/Y', 'component/*/feed', 'component/X/feed']
    const more = [
      'component/Y/property',
      'stream',
      'stream/S',
      'template',
      'template/X',
      'api_key',
      'api_key/*/secret',
      'api_key/K/secret',
      'gql',
    ]
    const pick = (mostRows: number): readonly Capability[] =>
      [...rows, ...more]
        .filter(() => random.integer(13) < mostRows)
        .map((resource) => row(resource, ...httpMethods.filter(() => random.integer(3) > 0)))
    const everything = deeds()
    let refused = 0
    for (let round = 0; round < 4000; round += 1) {
      const [giver, given] = [rightsOfKey(pick(6)), rightsOfKey(pick(2))]
      const isCovered = everything.every((isDone) => !isDone(given) || isDone(giver))
      assert.equal(
        missingRight(giver, given) === undefined,
        isCovered,
        JSON.stringify([...giver.named, ...given.named]),
      )
      if (!isCovered) refused += 1
    }
    assert.ok(refused > 400 && refused < 3600, `${refused} refused`)
  })

  it('names the missing right when a key is given more than its giver has', () => {
    const limited = keyCaller([row('api_key', 'POST', 'PUT'), row('component/X/feed', 'GET', 'PUT')])
    demandCapabilities(limited, { ...plain, capabilities: [row('component/X/feed', 'PUT'), row('api_key', 'POST')] })
    for (const [capabilities, missing] of [
      [[row('*', ...all)], 'GET component/*/feed'],
      [[row('component/*/feed', 'PUT')], 'PUT component/*/feed'],
      [[row('component/X/feed', 'DELETE')], 'DELETE component/X/feed'],
      [[row('component/Y/feed', 'PUT')], 'PUT component/Y/feed'],
      [[row('api_key', 'GET')], 'GET api_key'],
    ] as const)
      assert.throws(() => demandCapabilities(limited, { ...plain, capabilities }), {
        code: 'forbidden',
        message: `this credential may not ${missing}, and so cannot give that right`,
      })
  })

  it('is for a person as far as the role goes: an admin gives all that a key can have', () => {
    const capabilities = [row('*', ...all), row('api_key/*/secret', 'GET')]
    demandCapabilities(person('admin'), { ...plain, capabilities })
    assert.throws(() => demandCapabilities(person('member'), { ...plain, capabilities }), { code: 'forbidden' })
    for (const role of ['guest', 'member', 'admin'] as const) demandRole(person('admin'), role)
    assert.throws(() => demandRole(person('admin'), 'owner'), /may not DELETE organization/)
    demandRole(person('owner'), 'owner')
  })

  it('makes a row that forbids hold for what is given, too', () => {
    const shut = keyCaller([row('*', ...all), row('component/X')])
    assert.throws(() => demandCapabilities(shut, { ...plain, capabilities: [row('*', ...all)] }), /component\/X/)
    demandCapabilities(shut, { ...plain, capabilities: [row('*', ...all), row('component/X')] })
  })

  it('lets a key make nobody who can do more: roles, run-as users and clients', () => {
    const every = keyCaller([row('*', ...all)])
    const users = keyCaller([row('user', ...all), row('connector', ...all), row('oauth_client', ...all)])
    demandRole(every, 'member')
    assert.throws(() => demandRole(every, 'admin'), /may not GET api_key\/\*\/secret/)
    demandRole(keyCaller([row('*', ...all), row('api_key/*/secret', 'GET')]), 'admin')
    assert.throws(() => demandRole(users, 'guest'), /may not GET component\/\*\/feed/)
    demandRunAs(every, 'owner')
    assert.throws(() => demandRunAs(users, 'owner'), /may not GET component\/\*\/feed/)
    demandClient(every)
    assert.throws(() => demandClient(users), /may not GET component\/\*\/feed/)
  })

  it('lets a key give nothing that lasts longer than it or reaches more addresses', () => {
    const capabilities = [row('component/*/feed', 'PUT')]
    const own = [row('api_key', 'POST'), ...capabilities]
    const short = keyCaller(own, { expiresMs: 1000 })
    demandCapabilities(short, { ...plain, capabilities, expiresMs: 1000 })
    for (const expiresMs of [null, 1001])
      assert.throws(() => demandCapabilities(short, { ...plain, capabilities, expiresMs }), /cannot outlive/)
    const near = keyCaller(own, { addresses: ['10.0.0.0/8', '2001:db8::/32'] })
    demandCapabilities(near, { ...plain, capabilities, addresses: ['10.1.0.0/16', '10.0.0.1', '2001:db8::1'] })
    for (const addresses of [[], ['10.0.0.1', '11.0.0.1'], ['0.0.0.0/0'], ['2001:db9::1']])
      assert.throws(() => demandCapabilities(near, { ...plain, capabilities, addresses }), /more addresses/)
  })

  it('is asked in a time that grows with the rows, not with their square', () => {
    const spread = (count: number) => Array.from({ length: count }, (_, index) => row(`component/${index}/feed`, 'GET'))
    const questions = (count: number) => {
      let asked = 0
      const { may, named } = rightsOfKey(spread(count))
      const counting: Rights = { named, may: (...question) => ((asked += 1), may(...question)) }
      assert.equal(missingRight(counting, rightsOfKey(spread(count))), undefined)
      return asked
    }
    assert.ok(questions(1000) < 11 * questions(100))
  })
})
