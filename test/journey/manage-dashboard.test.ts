// Dashboards over HTTP (docs/management.md#dashboards): tiles are read by an allow list, bounded, and kept whatever
// becomes of the components that they name.
import assert from 'node:assert/strict'
import type { Person } from '../support/http.ts'
import { addPerson, clientWith, messageIn } from '../support/http.ts'
import { addApiKey, addOrganization, addSession, addUser } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

type Shown = {
  readonly uid: string
  readonly name: string
  readonly tile: readonly object[]
  readonly version: number
}

const stream = { componentUid: 'some-uid', streamId: 'temp' }

const times = (count: number, value: object) => Array.from({ length: count }, () => value)

describe('dashboards', () => {
  let service: TestService
  let owner: Person
  before(async () => {
    service = await openTestService()
    owner = await addPerson(service, 'owner')
  })
  after(() => service.close())

  const make = async (members: object): Promise<Shown> => {
    const { status, body } = await owner.call('POST', '/api/dashboard', { name: 'Wall', ...members })
    assert.equal(status, 201, JSON.stringify(body))
    return (body as { readonly dashboard: Shown }).dashboard
  }
  const refused = async (tile: unknown) => {
    const { status, body } = await owner.call('POST', '/api/dashboard', { name: 'Wall', tile })
    return [status, messageIn(body)]
  }

  it('completes its tiles, and shows all members of each', async () => {
    const { tile } = await make({
      tile: [
        { kind: 'chart', stream: [stream] },
        { kind: 'text', text: 'hello' },
      ],
    })
    const unset = { title: '', column: 0, row: 0, width: 4, height: 3, cycleId: null, statistic: null }
    assert.deepEqual(tile, [
      { kind: 'chart', ...unset, stream: [stream], seconds: 86_400, text: '' },
      { kind: 'text', ...unset, stream: [], seconds: null, text: 'hello' },
    ])
  })

  it('takes its tiles back as it has shown them', async () => {
    const { uid, version, ...shown } = await make({
      tile: [
        { kind: 'chart', stream: [stream, stream], cycleId: 'day', statistic: 'avg', seconds: 600 },
        { kind: 'value', title: '<b>', stream: [stream], seconds: 3600 },
        { kind: 'table', stream: [stream], column: 11, width: 1, row: 999, height: 40 },
      ],
    })
    const { status, body } = await owner.call('PUT', `/api/dashboard/${uid}`, { ...shown, version })
    assert.deepEqual(
      [status, (body as { readonly dashboard: Shown }).dashboard],
      [200, { uid, ...shown, version: version + 1 }],
    )
  })

  for (const [tile, message] of [
    [{}, 'tile[0] needs kind: kind is missing'],
    [{ kind: 'clock' }, 'kind must be one of chart, value, table, text'],
    [{ kind: 'text', html: '<b>' }, /^tile\[0\] has no member 'html'/],
    [{ kind: 'chart' }, 'tile[0] is a chart, which needs a stream'],
    [{ kind: 'value', stream: [stream, stream] }, 'tile[0] is a value, which has at most 1 streams'],
    [{ kind: 'text', stream: [stream] }, 'tile[0] is a text, which has at most 0 streams'],
    [{ kind: 'table', stream: times(51, stream) }, 'stream must have at most 50 elements'],
    [
      { kind: 'table', stream: [{ streamId: 'temp' }] },
      'stream[0] needs componentUid, streamId: componentUid is missing',
    ],
    [{ kind: 'text', column: 9, width: 4 }, 'tile[0] does not fit: column and width are at most 12 together'],
    [{ kind: 'text', row: -1 }, 'row must be a whole number from 0 to 999'],
    [{ kind: 'chart', stream: [stream], cycleId: 'day' }, 'tile[0] needs both cycleId and statistic, or none of them'],
    [
      { kind: 'table', stream: [stream], cycleId: 'day', statistic: 'avg' },
      'tile[0] is a table, which has no statistic',
    ],
    [{ kind: 'table', stream: [stream], seconds: 60 }, 'tile[0] is a table, which has no seconds'],
    [{ kind: 'value', stream: [stream], text: 'x' }, 'tile[0] is a value, which has no text'],
    [{ kind: 'chart', stream: [stream], seconds: 59 }, /^seconds must be a whole number from 60 to/],
  ] as const)
    it(`refuses the tile ${JSON.stringify(tile).slice(0, 80)}`, async () => {
      const [status, found] = await refused([tile])
      assert.equal(status, 400)
      if (typeof message === 'string') assert.equal(found, message)
      else assert.match(String(found), message)
    })

  it('has at most 60 tiles, of 256 KiB together', async () => {
    const tile = { kind: 'text', text: 'x' }
    assert.equal((await make({ tile: times(60, tile) })).tile.length, 60)
    assert.deepEqual(await refused(times(61, tile)), [400, 'tile must have at most 60 elements'])
    const long = { kind: 'text', text: 'x'.repeat(10_000) }
    assert.deepEqual(await refused(times(27, long)), [413, 'tile of a dashboard takes at most 262144 bytes'])
  })

  it('refuses a change that names an old version, and takes one that names none', async () => {
    const { uid } = await make({})
    const change = (members: object) => owner.call('PUT', `/api/dashboard/${uid}`, members)
    assert.equal((await change({ name: 'One', version: 1 })).status, 200)
    const late = await change({ name: 'Two', version: 1 })
    assert.deepEqual([late.status, (late.body as { code: string }).code], [409, 'stale_version'])
    assert.equal((await change({ name: 'Three' })).status, 200)
  })

  it('keeps a tile whose component is deleted', async () => {
    const made = await owner.call('POST', '/api/component', { id: 'Brief', stream: [{ id: 'a' }] })
    const { uid: componentUid } = (made.body as { component: { uid: string } }).component
    const { uid, tile } = await make({ tile: [{ kind: 'value', stream: [{ componentUid, streamId: 'a' }] }] })
    assert.equal((await owner.call('DELETE', `/api/component/${componentUid}`)).status, 200)
    const { body } = await owner.call('GET', `/api/dashboard/${uid}`)
    assert.deepEqual((body as { readonly dashboard: Shown }).dashboard.tile, tile)
  })

  it('is in the audit log, before and after', async () => {
    const { uid } = await make({ name: 'Logged' })
    await owner.call('PUT', `/api/dashboard/${uid}`, { tile: [{ kind: 'text', text: 'seen' }] })
    await owner.call('DELETE', `/api/dashboard/${uid}`)
    const { body } = await owner.call('GET', `/api/audit?subject=${uid}`)
    const { audit } = body as { audit: readonly { readonly action: string; readonly detail: object }[] }
    assert.deepEqual(
      audit.map(({ action }) => action),
      ['dashboard.delete', 'dashboard.update', 'dashboard.create'],
    )
    assert.match(JSON.stringify(audit[1]!.detail), /"seen"/)
  })

  it('is seen by guests and changed by admins, and does not exist in another organization', async () => {
    const { uid } = await make({})
    const path = `/api/dashboard/${uid}`
    const statuses = async (call: Person['call']) => [
      (await call('GET', path)).status,
      (await call('PUT', path, { name: 'x' })).status,
    ]
    for (const [role, expected] of [
      ['guest', [200, 403]],
      ['member', [200, 403]],
      ['admin', [200, 200]],
    ] as const)
      assert.deepEqual(await statuses((await addPerson(service, role)).call), expected, role)
    const { secret } = await addApiKey(service.sql, service.organizationUid, [
      { resource: 'dashboard', methods: ['GET'] },
    ])
    assert.deepEqual(await statuses(clientWith(service, `api_key=${secret}`)), [200, 403])
    const eve = await addUser(service.sql, 'eve@example.org')
    await addOrganization(service.sql, 'Elsewhere', eve)
    const stranger = clientWith(service, `session=${await addSession(service.sql, eve)}`)
    assert.deepEqual(await statuses(stranger), [404, 404])
    const { body } = await stranger('GET', '/api/dashboard')
    assert.deepEqual((body as { dashboard: unknown }).dashboard, [])
  })
})
