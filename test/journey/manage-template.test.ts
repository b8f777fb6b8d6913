// Templates in the management API (docs/management.md#entities), and the components and streams made from them.
import assert from 'node:assert/strict'
import type { Manager, ShownComponent } from '../support/manage.ts'
import { done, openManager, refusal } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

describe('managing templates', () => {
  let service: TestService
  let manage: Manager
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
  })
  after(() => service.close())

  const post = (input: unknown) => manage.ask('POST', '/api/template', input)

  it('refuses wrong members', async () => {
    const table: readonly [input: unknown, message: string][] = [
      [{}, 'a template must have a name or an id'],
      [
        { id: 't', folder: '/Components' },
        "template has no member 'folder', it has uid, id, name, description, timeZone, version, fromComponentUid, stream",
      ],
      [{ id: 't', timeZone: 'Nowhere' }, "timeZone 'Nowhere' is not a time zone"],
      [
        {
          id: 't',
          stream: [{ id: 's', expression: 'x', variables: [{ name: 'x', componentId: 'other', streamId: 'a' }] }],
        },
        "a template's variables name streams only, without componentId",
      ],
    ]
    for (const [input, message] of table) assert.deepEqual(await post(input), refusal(400, 'bad_request', message))
    assert.deepEqual(
      await post({ fromComponentUid: 'none' }),
      refusal(404, 'component_not_found', "component 'none' not found"),
    )
    assert.deepEqual(await manage.list('template', ''), [])
  })

  it('refuses an ID that is taken by a template, not one of a component', async () => {
    await manage.make('component', { id: 'shared' })
    await manage.make('template', { id: 'shared' })
    const taken = refusal(409, 'conflict', "there is a template with the id 'shared'")
    assert.deepEqual(await post({ id: 'shared' }), taken)
    const { uid } = await manage.make('template', { id: 'unshared' })
    assert.deepEqual(await manage.ask('PUT', `/api/template/${uid}`, { id: 'shared' }), taken)
  })

  it('makes a template with streams in order, and shows all of it', async () => {
    const made = await manage.make('template', {
      id: 'pump',
      description: 'of pumps',
      timeZone: 'Asia/Tokyo',
      stream: [{ id: 'z', valueType: 'BOOLEAN' }, { id: 'a' }],
    })
    const plain = {
      templateUid: made.uid,
      description: '',
      kind: 'random',
      baseCycleId: null,
      unitUid: null,
      expression: null,
      variables: [],
      version: 1,
    }
    assert.deepEqual(await manage.ask('GET', `/api/template/${made.uid}`), {
      status: 200,
      body: {
        ...done,
        template: {
          uid: made.uid,
          id: 'pump',
          name: 'pump',
          description: 'of pumps',
          timeZone: 'Asia/Tokyo',
          version: 1,
          stream: [
            { ...plain, uid: made.stream[0]!.uid, id: 'z', name: 'z', valueType: 'BOOLEAN', position: 1 },
            { ...plain, uid: made.stream[1]!.uid, id: 'a', name: 'a', valueType: 'DOUBLE', position: 2 },
          ],
        },
      },
    })
  })

  it('changes a template and its streams, of which components made before get the new one', async () => {
    const template = await manage.make('template', { id: 'early', stream: [{ id: 'a' }] })
    const before = await manage.make('component', { id: 'before', templateUid: template.uid })
    await manage.make('stream', { templateUid: template.uid, id: 'b', position: 1 })
    const [a] = template.stream
    assert.equal((await manage.ask('PUT', `/api/stream/${a!.uid}`, { valueType: 'STRING' })).status, 200)
    assert.equal((await manage.ask('PUT', `/api/template/${template.uid}`, { name: 'Late', version: 1 })).status, 200)
    assert.equal((await manage.ask('PUT', `/api/template/${template.uid}`, { name: 'Later', version: 1 })).status, 409)
    const after = await manage.make('component', { id: 'after', templateUid: template.uid })
    assert.deepEqual(
      after.stream.map(({ id, valueType, position }) => [id, valueType, position]),
      [
        ['b', 'DOUBLE', 1],
        ['a', 'STRING', 2],
      ],
    )
    const reached = (await manage.one('component', before.uid)).stream
    assert.deepEqual(reached.slice(0, 1), before.stream)
    assert.deepEqual(
      reached.slice(1).map(({ id, valueType }) => [id, valueType]),
      [['b', 'DOUBLE']],
    )
  })

  it('makes a component from a template: its streams first, then those given', async () => {
    const template = await manage.make('template', {
      id: 'base',
      timeZone: 'Asia/Tokyo',
      stream: [{ id: 'a' }, { id: 'b', expression: 'x', variables: [{ name: 'x', streamId: 'a' }] }],
    })
    const { status, body } = await manage.ask('POST', '/api/component', {
      id: 'derived',
      templateUid: template.uid,
      stream: [{ id: 'c' }],
    })
    assert.equal(status, 201)
    const { component } = body as { component: Record<string, unknown> & { stream: { id: string }[] } }
    assert.deepEqual(
      [component['templateUid'], component['timeZone'], component.stream.map(({ id }) => id)],
      [template.uid, 'Asia/Tokyo', ['a', 'b', 'c']],
    )
    assert.deepEqual(
      await manage.ask('POST', '/api/component', { id: 'other', templateUid: template.uid, stream: [{ id: 'a' }] }),
      refusal(409, 'conflict', "there is a stream with the id 'a'"),
    )
    const zoned = { id: 'zoned', templateUid: template.uid, timeZone: 'Europe/Berlin' }
    const own = await manage.ask('POST', '/api/component', zoned)
    assert.equal((own.body as { component: { timeZone: string } }).component.timeZone, 'Europe/Berlin')
  })

  it('makes a template from a component, and from that a component by an upload', async () => {
    const unit = await manage.make('unit', { id: 'kW', symbol: 'kW' })
    const model = await manage.make('component', {
      id: 'model',
      description: 'the first',
      timeZone: 'Asia/Tokyo',
      stream: [
        { id: 'power', kind: 'interval', baseCycleId: 'hour', unitUid: unit.uid },
        {
          id: 'double',
          expression: 'p * 2',
          variables: [{ name: 'p', componentId: 'model', streamId: 'power', offset: -1 }],
        },
      ],
    })
    const template = await manage.make('template', {
      id: 'meter',
      fromComponentUid: model.uid,
      stream: [{ id: 'more' }],
    })
    assert.deepEqual(
      [template.id, template.name, template.stream.map(({ id }) => id)],
      ['meter', 'model', ['power', 'double', 'more']],
    )
    assert.deepEqual(template.stream[1]!.variables, [{ name: 'p', streamId: 'power', offset: -1 }])

    const time = Date.parse('2026-01-01T10:00:00Z')
    assert.equal((await service.put(`/api/feed?compId=m1&compTmplId=meter&power=5&time=${time - 1}`)).status, 200)
    const reply = await service.get('/api/comp/m1/feed?retStreamId&retIntvlSd&retFData')
    assert.equal(
      reply.text,
      `[{"streamId":"power","sdTime":${time - 3_600_000},"time":${time},"data":5,"fData":"5kW"}]`,
    )
    const [made] = await manage.list('component', 'id=m1')
    assert.deepEqual(
      made!.stream.map(({ id, unitUid, position }) => [id, unitUid, position]),
      [
        ['power', unit.uid, 1],
        ['double', null, 2],
        ['more', null, 3],
      ],
    )
  })

  it('takes the ID of the component when none is given', async () => {
    const { uid } = await manage.make('component', { id: 'nameless', name: 'A name' })
    const template = await manage.make('template', { fromComponentUid: uid })
    assert.deepEqual([template.id, template.name], ['nameless', 'A name'])
  })

  it('refuses to make a template of streams that derive from another component', async () => {
    await manage.make('component', { id: 'elsewhere', stream: [{ id: 'a' }] })
    const { uid } = await manage.make('component', {
      id: 'entangled',
      stream: [{ id: 's', expression: 'x', variables: [{ name: 'x', componentId: 'elsewhere', streamId: 'a' }] }],
    })
    assert.deepEqual(
      await post({ fromComponentUid: uid }),
      refusal(400, 'bad_request', "stream 's' has a variable of component 'elsewhere', a template cannot"),
    )
  })

  it('demands the right to read the component or template that is copied', async () => {
    const { uid } = await manage.make('component', { id: 'secret' })
    const template = await manage.make('template', { id: 'secret' })
    const limited = await openManager(service, [
      { resource: 'template', methods: ['POST'] },
      { resource: 'component', methods: ['POST'] },
    ])
    assert.deepEqual(
      await limited.ask('POST', '/api/template', { id: 'copy', fromComponentUid: uid }),
      refusal(403, 'forbidden', 'this credential may not GET component'),
    )
    assert.deepEqual(
      await limited.ask('POST', '/api/component', { id: 'copy', templateUid: template.uid }),
      refusal(403, 'forbidden', 'this credential may not GET template'),
    )
  })

  it('deletes a template, and leaves the components made from it', async () => {
    const template = await manage.make('template', { id: 'short-lived', stream: [{ id: 'a' }] })
    const before = await manage.make('component', { id: 'long-lived', templateUid: template.uid })
    const { uid } = before
    assert.deepEqual(await manage.ask('DELETE', `/api/template/${template.uid}`), { status: 200, body: done })
    assert.equal((await manage.ask('GET', `/api/template/${template.uid}`)).status, 404)
    const left = (await manage.one('component', uid)) as ShownComponent & { readonly templateUid: string | null }
    assert.deepEqual([left.templateUid, left.stream.map(({ id }) => id)], [null, ['a']])
    // A caller who read it before gets the report of its change, and not that a templateUid cannot be changed.
    const { status, body } = await manage.ask('PUT', `/api/component/${uid}`, before)
    assert.deepEqual([status, (body as { code: string }).code], [409, 'stale_version'])
    assert.equal((await manage.ask('PUT', `/api/component/${uid}`, { ...left, templateUid: template.uid })).status, 400)
    assert.equal((await manage.ask('PUT', `/api/component/${uid}`, left)).status, 200)
    assert.equal((await service.put('/api/feed?compId=new-one&compTmplId=short-lived&a=1')).status, 404)
  })
})
