// Many components in one call (docs/management.md#many-components-at-once).
import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openManager, refusal } from '../support/manage.ts'
import type { Manager } from '../support/manage.ts'
import { addApiKey } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { shortOrLong } from '../support/soak.ts'

type Saved = {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly component: readonly { readonly id: string; readonly uid: string; readonly state: string }[]
}

describe('a call with many components', function () {
  this.timeout(120_000)
  let service: TestService
  let manage: Manager
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
  })
  after(() => service.close())

  const save = async (components: unknown): Promise<Saved> => {
    const { status, body } = await manage.ask('PUT', '/api/component', components)
    assert.equal(status, 200, JSON.stringify(body))
    return body as Saved
  }
  const counts = ({ created, updated, unchanged }: Saved) => [created, updated, unchanged]
  const refused = async (components: unknown) => {
    const { status, body } = await manage.ask('PUT', '/api/component', components)
    return [status, (body as { readonly message: string }).message]
  }

  it('makes those that are not there, gives others the members given, and changes nothing when it is made again', async () => {
    const template = await manage.make('template', {
      id: 'boiler',
      description: 'from the template',
      timeZone: 'Asia/Tokyo',
      stream: [{ id: 'temp' }, { id: 'double', expression: 't * 2', variables: [{ name: 't', streamId: 'temp' }] }],
    })
    const unit = await manage.make('unit', { id: 'c', symbol: '°C' })
    await manage.make('component', { id: 'known', name: 'Known', stream: [{ id: 'a' }, { id: 'b' }] })
    const many = [
      { id: 'made', templateUid: template.uid, folder: '/Components/Plant/Deep', stream: [{ id: 'own' }] },
      {
        id: 'known',
        description: 'changed',
        stream: [
          { id: 'b', unitUid: unit.uid },
          { id: 'new', valueType: 'STRING' },
        ],
      },
      { id: 'plain', name: 'Plain one' },
    ]
    const saved = await save(many)
    assert.deepEqual(counts(saved), [2, 1, 0])
    assert.deepEqual(
      saved.component.map(({ id, state }) => [id, state]),
      [
        ['made', 'created'],
        ['known', 'updated'],
        ['plain', 'created'],
      ],
    )
    const [made, known, plain] = await Promise.all(saved.component.map(({ uid }) => manage.one('component', uid)))
    const { uid: _, version, stream, ...members } = made as unknown as Record<string, unknown>
    assert.deepEqual(members, {
      id: 'made',
      name: 'made',
      description: 'from the template',
      folder: '/Components/Plant/Deep',
      timeZone: 'Asia/Tokyo',
      templateUid: template.uid,
    })
    assert.equal(version, 1)
    assert.deepEqual(
      (stream as readonly { id: string }[]).map(({ id }) => id),
      ['temp', 'double', 'own'],
    )
    assert.equal(known!.name, 'Known')
    assert.deepEqual(
      known!.stream.map(({ id, unitUid, valueType }) => [id, unitUid, valueType]),
      [
        ['a', null, 'DOUBLE'],
        ['b', unit.uid, 'DOUBLE'],
        ['new', null, 'STRING'],
      ],
    )
    assert.equal(plain!.name, 'Plain one')
    assert.deepEqual(counts(await save(many)), [0, 0, 3])
    assert.equal((await manage.one('component', known!.uid)).version, known!.version)
    // What the template derives, the component derives.
    assert.equal((await service.put('/api/feed?compId=made&temp=21&derMaxS&derTout')).status, 200)
    const read = await service.get('/api/comp/made/stream/double/last_value')
    assert.deepEqual(
      (read.json as readonly { data: unknown }[]).map(({ data }) => data),
      [42],
    )
  })

  it('stores nothing where one of them cannot be saved, and says which', async () => {
    const first = { id: 'never made' }
    assert.deepEqual(await refused([first, { id: 'x', folder: '/Other' }]), [
      400,
      "component[1]: folder must be /Components or below it, not '/Other'",
    ])
    assert.deepEqual(await refused([first, { name: 'x' }]), [
      400,
      'component[1]: id is missing, by which it is found or made',
    ])
    assert.deepEqual(await refused([first, { id: 'x', colour: 1 }]), [
      400,
      "component[1]: component has no member 'colour', it has id, name, description, folder, timeZone, templateUid, stream",
    ])
    assert.deepEqual(await refused([first, first]), [400, 'component[1] has the id of component[0]'])
    assert.deepEqual(await refused([first, { id: 'x', stream: [{ id: 's', unitUid: 'none' }] }]), [
      404,
      "component[1]: unit 'none' not found",
    ])
    assert.deepEqual(await refused([first, { id: 'x', templateUid: 'none' }]), [404, "template 'none' not found"])
    await manage.make('component', { id: 'zoned', timeZone: 'Europe/Berlin', stream: [{ id: 's' }] })
    assert.deepEqual(await refused([first, { id: 'zoned', timeZone: 'UTC' }]), [
      409,
      "component[1]: 'zoned' is there with another timeZone, which this call does not change",
    ])
    assert.deepEqual(await refused([first, { id: 'zoned', stream: [{ id: 's', valueType: 'STRING' }] }]), [
      409,
      "component[1]: stream 's' is there with another valueType: change it by PUT /api/stream/{uid}",
    ])
    assert.deepEqual(await manage.list('component', 'text=never'), [])
  })

  it('answers another form with the one that is wanted', async () => {
    const form = 'the body must be an array of components: [{"id":"C","stream":[{"id":"s"}]}]'
    assert.deepEqual(await refused({ id: 'one' }), [400, form])
    assert.deepEqual(await refused(undefined), [400, form])
    const { status, body } = await manage.ask('POST', '/api/component', [{ id: 'one' }])
    assert.equal(status, 400)
    assert.match(JSON.stringify(body), /PUT \/api\/component takes an array/)
    const tooMany = Array.from({ length: 10_001 }, (_, n) => ({ id: `m${n}` }))
    assert.deepEqual(await refused(tooMany), [413, 'a call takes up to 10000 components'])
    const empty = `[${'{},'.repeat(500_001)}{}]`
    const reply = await service.request('PUT', `/api/component?session=none`, { body: empty })
    assert.equal(reply.status, 401)
    const { secret } = await addApiKey(service.sql, service.organizationUid, [
      { resource: 'component', methods: ['PUT'] },
    ])
    const values = await service.request('PUT', `/api/component?api_key=${secret}`, { body: empty })
    assert.deepEqual(
      [values.status, (values.json as { readonly message: string }).message],
      [413, 'the body has more than 1000000 JSON values'],
    )
  })

  it('needs the rights to make and to change components', async () => {
    const { uid } = await manage.make('component', { id: 'limited' })
    const limited = await openManager(service, [{ resource: `component/${uid}`, methods: ['GET', 'PUT'] }])
    assert.equal((await limited.ask('PUT', '/api/component', [{ id: 'limited' }])).status, 403)
    const changing = await openManager(service, [{ resource: 'component', methods: ['GET', 'PUT'] }])
    assert.equal((await changing.ask('PUT', '/api/component', [{ id: 'limited', name: 'New' }])).status, 200)
    assert.deepEqual(
      await changing.ask('PUT', '/api/component', [{ id: 'limited' }, { id: 'fresh' }]),
      refusal(403, 'forbidden', 'this credential may not POST component'),
    )
  })

  it('takes thousands while uploads go on and others are served, with one entry in the audit log', async () => {
    const size = shortOrLong(3_000, 10_000)
    const stream = Array.from({ length: 5 }, (_, n) => ({ id: `s${n}`, name: `Stream ${n}` }))
    const many = Array.from({ length: size }, (_, n) => ({
      id: `bulk ${n}`,
      folder: `/Components/Bulk/${n % 50}`,
      stream,
    }))
    const state = { isOver: false }
    const statuses = new Set<number>()
    let uploads = 0
    const upload = async () => {
      for (; !state.isOver; uploads += 1)
        statuses.add((await service.put(`/api/feed?compId=other ${uploads % 20}&a=${uploads}`)).status)
    }
    let turns = 0
    const others = (async () => {
      for (; !state.isOver; turns += 1) await nextTurn()
    })()
    const uploading = upload()
    const saved = await save(many)
    const during = uploads
    state.isOver = true
    await Promise.all([uploading, others])
    assert.deepEqual(counts(saved), [size, 0, 0])
    assert.deepEqual([...statuses], [200])
    assert.ok(during > 5, String(during))
    assert.ok(turns > 100, String(turns))
    assert.deepEqual(counts(await save(many)), [0, 0, size])
    const entries = async (query: string) => {
      const { body } = await manage.ask('GET', `/api/audit?action=component.save_many&${query}`)
      return (body as { readonly audit: readonly { readonly detail: { readonly created: readonly string[] } }[] }).audit
    }
    const [entry] = await entries(`subject=${saved.component[size - 1]!.uid}`)
    assert.equal(entry!.detail.created.length, size)
    assert.equal((await entries(`subject=${saved.component[0]!.uid}`)).length, 1)
    const { body } = await manage.ask('GET', `/api/audit?action=component.create&text=bulk`)
    assert.equal((body as { readonly totalCount: number }).totalCount, 0)
  })
})
