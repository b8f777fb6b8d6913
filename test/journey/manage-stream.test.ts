// Streams in the management API (docs/management.md#components-and-streams), rule by rule, and what uploads make of
// their changes.
import assert from 'node:assert/strict'
import type { Manager, ShownStream } from '../support/manage.ts'
import { done, openManager, refusal } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

const stays = (name: string) =>
  refusal(409, 'conflict', `stream '${name}' has samples: its kind, valueType and baseCycleId must stay`)

describe('managing streams', () => {
  let service: TestService
  let manage: Manager
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
  })
  after(() => service.close())

  let last = 0
  /** A component with these streams, and an ID of its own. */
  const component = (...stream: readonly unknown[]) => manage.make('component', { id: `c${++last}`, stream })
  const put = (uid: string, input: unknown) => manage.ask('PUT', `/api/stream/${uid}`, input)
  const idsOf = async (uid: string) =>
    (await manage.list('stream', `componentUid=${uid}`)).map(({ id, position }) => `${position} ${id}`)
  const dataOf = async (path: string) => {
    const reply = await service.get(path)
    assert.equal(reply.status, 200, reply.text)
    return (reply.json as { data: unknown }[]).map(({ data }) => data)
  }

  describe('with a wrong request', () => {
    const table: readonly [input: object, message: string][] = [
      [{}, 'a stream must have a name or an id'],
      [{ id: 's', kind: 'regular' }, 'kind must be one of random, interval, point'],
      [{ id: 's', valueType: 'double' }, 'valueType must be one of DOUBLE, LONG, BOOLEAN, STRING, FILE'],
      [{ id: 's', kind: 'interval' }, 'an interval stream must have a baseCycleId'],
      [{ id: 's', baseCycleId: 'hour' }, 'only an interval stream has a baseCycleId'],
      [{ id: 's', kind: 'point', valueType: 'FILE' }, 'a point stream cannot hold files'],
      [{ id: 's', position: 0 }, 'position must be a whole number from 1 to 1000000'],
      [
        { id: 's', samples: [] },
        "stream has no member 'samples', it has uid, componentUid, templateUid, id, name, description, kind, valueType, baseCycleId, unitUid, expression, variables, position, version, staleFrom, deriveError",
      ],
      [{ id: 's', expression: 'a + 1' }, 'an expression needs variables'],
      [{ id: 's', variables: [{ name: 'a', streamId: 'a' }] }, 'variables need an expression'],
      [{ id: 's', expression: 'a', variables: 'a' }, 'variables must be an array'],
      [{ id: 's', expression: 'a', variables: [{ name: 'a' }] }, 'variables[0] must have a name and a streamId'],
      [
        { id: 's', expression: 'a', variables: [{ name: '1a', streamId: 'a' }] },
        "name '1a' must be letters, digits and underscores, not beginning with a digit",
      ],
      [
        {
          id: 's',
          expression: 'a',
          variables: [
            { name: 'a', streamId: 'a' },
            { name: 'A', streamId: 'b' },
          ],
        },
        "variable 'a' is given twice",
      ],
      [
        { id: 's', expression: 'a', variables: [{ name: 'a', streamId: 'a', offset: 1 }] },
        'offset must be a whole number from -1000000 to 0',
      ],
      [
        { id: 's', expression: 'a', variables: [{ name: 'a', streamId: 'a', statistic: 'median' }] },
        'statistic must be one of first, last, min, max, avg, sum, minoccurrence, maxoccurrence, gapcount, ' +
          'nongapcount, intvlcount, milliseccount, nongapmilliseccount',
      ],
      [
        { id: 's', kind: 'point', expression: 'a', variables: [{ name: 'a', streamId: 'a' }] },
        'a point or file stream cannot have an expression',
      ],
    ]
    for (const [input, message] of table)
      it(`refuses ${JSON.stringify(input).slice(0, 70)}: ${message.slice(0, 60)}`, async () => {
        const { uid } = await component()
        assert.deepEqual(
          await manage.ask('POST', '/api/stream', { componentUid: uid, ...input }),
          refusal(400, 'bad_request', message),
        )
        assert.deepEqual(await idsOf(uid), [])
      })

    it('refuses a stream without an owner, with two, or of one that does not exist', async () => {
      assert.deepEqual(
        await manage.ask('POST', '/api/stream', { id: 's' }),
        refusal(400, 'bad_request', 'a stream must have a componentUid or a templateUid'),
      )
      assert.deepEqual(
        await manage.ask('POST', '/api/stream', { id: 's', componentUid: 'a', templateUid: 'b' }),
        refusal(400, 'bad_request', 'a stream has a componentUid or a templateUid, not both'),
      )
      assert.deepEqual(
        await manage.ask('POST', '/api/stream', { id: 's', componentUid: 'none' }),
        refusal(404, 'component_not_found', "component 'none' not found"),
      )
      assert.deepEqual(
        await manage.ask('POST', '/api/stream', { id: 's', templateUid: 'none' }),
        refusal(404, 'template_not_found', "template 'none' not found"),
      )
    })

    it('refuses an ID that the component has already', async () => {
      const { uid, stream } = await component({ id: 'a' }, { id: 'b' })
      const taken = refusal(409, 'conflict', "there is a stream with the id 'a'")
      assert.deepEqual(await manage.ask('POST', '/api/stream', { componentUid: uid, id: 'a' }), taken)
      assert.deepEqual(await put(stream[1]!.uid, { id: 'a' }), taken)
    })

    it('refuses a stale version, also when the stream was only moved', async () => {
      const { stream } = await component({ id: 'a' }, { id: 'b' })
      assert.equal((await put(stream[1]!.uid, { position: 1 })).status, 200)
      assert.deepEqual(
        await put(stream[0]!.uid, { name: 'x', version: 1 }),
        refusal(409, 'stale_version', 'this stream was changed by somebody else since you read it'),
      )
    })

    it('refuses to move a stream to another component', async () => {
      const { stream } = await component({ id: 'a' })
      const { uid } = await component()
      assert.deepEqual(
        await put(stream[0]!.uid, { componentUid: uid }),
        refusal(400, 'bad_request', 'a stream cannot be moved to another component'),
      )
    })

    it('refuses another kind, type or base cycle once samples are there', async () => {
      const { id, stream } = await component(
        { id: 'r' },
        { id: 'p', kind: 'point' },
        { id: 'i', kind: 'interval', baseCycleId: 'hour' },
      )
      const [random, point, interval] = stream as readonly [ShownStream, ShownStream, ShownStream]
      assert.equal((await service.put(`/api/feed?compId=${id}&r=1&p=1&i=1`)).status, 200)
      assert.deepEqual(await put(random.uid, { valueType: 'STRING' }), stays('r'))
      assert.deepEqual(await put(random.uid, { kind: 'interval', baseCycleId: 'hour' }), stays('r'))
      assert.deepEqual(await put(point.uid, { kind: 'random' }), stays('p'))
      assert.deepEqual(await put(interval.uid, { baseCycleId: 'day' }), stays('i'))
      assert.equal((await put(interval.uid, { baseCycleId: 'hour', kind: 'interval', name: 'ok' })).status, 200)
    })

    it('refuses to delete or rename a stream that is a variable of another', async () => {
      const source = await component({ id: 'a' }, { id: 'free' })
      const [a, free] = source.stream as readonly [ShownStream, ShownStream]
      const user = await component({
        id: 'sum',
        expression: 'x + 1',
        variables: [{ name: 'x', componentId: source.id, streamId: 'a', offset: -1, cycleId: 'day', statistic: 'MAX' }],
      })
      const inUse = (what: string) => refusal(409, 'conflict', `${what} is a variable of stream 'sum' of '${user.id}'`)
      assert.deepEqual(await manage.ask('DELETE', `/api/stream/${a.uid}`), inUse("stream 'a'"))
      assert.deepEqual(await put(a.uid, { id: 'b' }), inUse("stream 'a'"))
      assert.deepEqual(
        await manage.ask('DELETE', `/api/component/${source.uid}`),
        inUse(`a stream of component '${source.id}'`),
      )
      assert.deepEqual(
        await manage.ask('PUT', `/api/component/${source.uid}`, { id: 'renamed' }),
        inUse(`a stream of component '${source.id}'`),
      )
      assert.equal((await manage.ask('DELETE', `/api/stream/${free.uid}`)).status, 200)
      assert.equal((await manage.ask('DELETE', `/api/component/${user.uid}`)).status, 200)
      assert.equal((await manage.ask('DELETE', `/api/stream/${a.uid}`)).status, 200)
    })

    it('refuses to delete a variable of the same component, but not the component', async () => {
      const { uid, id, stream } = await component(
        { id: 'a' },
        { id: 'b', expression: 'x', variables: [{ name: 'x', streamId: 'a' }] },
      )
      assert.deepEqual(
        await manage.ask('DELETE', `/api/stream/${stream[0]!.uid}`),
        refusal(409, 'conflict', `stream 'a' is a variable of stream 'b' of '${id}'`),
      )
      assert.equal((await manage.ask('DELETE', `/api/component/${uid}`)).status, 200)
    })
  })

  it('shows an expression and its variables as they were given', async () => {
    const variables = [{ name: 'x', streamId: 'a', offset: -1, cycleId: 'day', statistic: 'max' }]
    const { stream } = await component({ id: 'a' }, { id: 'b', expression: '(x - 32) * 5 / 9', variables })
    const shown = await manage.one('stream', stream[1]!.uid)
    assert.equal(shown.expression, '(x - 32) * 5 / 9')
    assert.deepEqual(shown.variables, variables)
    const { body } = await put(stream[1]!.uid, { expression: null })
    assert.deepEqual((body as { stream: { variables: unknown } }).stream.variables, [])
  })

  it('appends a new stream, or puts it where it is wanted', async () => {
    const { uid } = await component({ id: 'a' }, { id: 'b' })
    await manage.make('stream', { componentUid: uid, id: 'end' })
    await manage.make('stream', { componentUid: uid, id: 'second', position: 2 })
    await manage.make('stream', { componentUid: uid, id: 'beyond', position: 99 })
    assert.deepEqual(await idsOf(uid), ['1 a', '2 second', '3 b', '4 end', '5 beyond'])
  })

  it('moves a stream up and down, and closes the gap that a deleted one leaves', async () => {
    const { uid, stream } = await component({ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' })
    const [a, b, , d] = stream
    assert.equal((await put(d!.uid, { position: 2 })).status, 200)
    assert.deepEqual(await idsOf(uid), ['1 a', '2 d', '3 b', '4 c'])
    assert.equal((await put(a!.uid, { position: 3 })).status, 200)
    assert.deepEqual(await idsOf(uid), ['1 d', '2 b', '3 a', '4 c'])
    assert.equal((await manage.ask('DELETE', `/api/stream/${b!.uid}`)).status, 200)
    assert.deepEqual(await idsOf(uid), ['1 d', '2 a', '3 c'])
  })

  it('gives unnamed data the order that holds when it comes', async () => {
    const { id, stream } = await component({ id: 'a' }, { id: 'b' })
    await service.put(`/api/feed?compId=${id}&data=1&data=2`)
    await put(stream[1]!.uid, { position: 1 })
    await service.put(`/api/feed?compId=${id}&data=3&data=4`)
    assert.deepEqual(await dataOf(`/api/comp/${id}/stream/a/feed`), [4, 1])
    assert.deepEqual(await dataOf(`/api/comp/${id}/stream/b/feed`), [3, 2])
  })

  it('writes by the type and kind that hold when the data comes', async () => {
    const { id, stream } = await component({ id: 'a' })
    const { uid } = stream[0]!
    // So that the server remembers the stream as it was.
    await service.put(`/api/feed?compId=${id}&other=1`)
    assert.equal((await service.put(`/api/feed?compId=${id}&a=on`)).status, 400)
    assert.equal((await put(uid, { valueType: 'STRING' })).status, 200)
    assert.equal((await service.put(`/api/feed?compId=${id}&a=on`)).status, 200)
    assert.deepEqual(await dataOf(`/api/comp/${id}/stream/a/feed`), ['on'])
  })

  it('renames without losing samples', async () => {
    const { id, stream } = await component({ id: 'a' })
    await service.put(`/api/feed?compId=${id}&a=1`)
    assert.equal((await put(stream[0]!.uid, { id: 'b' })).status, 200)
    await service.put(`/api/feed?compId=${id}&b=2`)
    assert.deepEqual(await dataOf(`/api/comp/${id}/stream/b/feed`), [2, 1])
    assert.equal((await service.get(`/api/comp/${id}/stream/a/feed`)).status, 404)
  })

  it('takes a unit and shows values in it', async () => {
    const unit = await manage.make('unit', { id: 'c', symbol: ' °C', numberFormat: '0.0' })
    const { id, stream } = await component({ id: 'a' })
    await service.put(`/api/feed?compId=${id}&a=21.55`)
    assert.equal((await put(stream[0]!.uid, { unitUid: unit.uid })).status, 200)
    const reply = await service.get(`/api/comp/${id}/last_value?retFData&retUnit`)
    assert.match(reply.text, /"data":21.55,"fData":"21.6 °C","unit":" °C"/)
    assert.deepEqual(
      await manage.ask('DELETE', `/api/unit/${unit.uid}`),
      refusal(409, 'conflict', "unit 'c' is the unit of streams"),
    )
    assert.equal((await put(stream[0]!.uid, { unitUid: null })).status, 200)
    assert.deepEqual(await manage.ask('DELETE', `/api/unit/${unit.uid}`), { status: 200, body: done })
  })

  it('deletes a stream with its samples in the background, and its ID is free at once', async () => {
    const { id } = await component()
    await service.put(`/api/feed?compId=${id}&a=1`)
    const [stream] = await manage.list('stream', `text=a`).then((all) => all.slice(-1))
    assert.equal((await manage.ask('DELETE', `/api/stream/${stream!.uid}`)).status, 202)
    assert.equal((await service.get(`/api/comp/${id}/stream/a/feed`)).status, 404)
    assert.equal((await service.put(`/api/feed?compId=${id}&a=on`)).status, 200)
    assert.deepEqual(await dataOf(`/api/comp/${id}/stream/a/feed`), ['on'])
  })

  it('lists the streams of components, not of templates unless asked for one', async () => {
    const template = await manage.make('template', { id: 't', stream: [{ id: 'only-in-template' }] })
    assert.deepEqual(await manage.list('stream', 'text=only-in-template'), [])
    const listed = await manage.list('stream', `templateUid=${template.uid}`)
    assert.deepEqual(listed, template.stream)
    assert.equal(listed[0]!.templateUid, template.uid)
    assert.equal(listed[0]!.componentUid, undefined)
  })

  it('gives streams that are made at the same time one order', async () => {
    const { uid } = await component()
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => manage.make('stream', { componentUid: uid, id: `s${n}`, position: 1 })),
    )
    const listed = await manage.list('stream', `componentUid=${uid}`)
    assert.deepEqual(
      listed.map(({ position }) => position),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    )
  })

  describe('for a key that is shut off from a component', () => {
    const all = ['GET', 'PUT', 'POST', 'DELETE'] as const
    const may = async (methods: readonly (typeof all)[number][]) => {
      const shut = await component({ id: 'a' })
      const other = await component({ id: 'a' })
      const limited = await openManager(service, [
        { resource: '*', methods: all },
        { resource: `component/${shut.uid}`, methods },
      ])
      const ask = async (method: string, path: string, input?: unknown) =>
        (await limited.ask(method, path, input)).status
      const tryAll = async ({ uid, stream }: typeof shut) => [
        await ask('GET', `/api/stream/${stream[0]!.uid}`),
        await ask('PUT', `/api/stream/${stream[0]!.uid}`, { name: 'x' }),
        await ask('POST', '/api/stream', { componentUid: uid, id: 'b' }),
        await ask('DELETE', `/api/stream/${stream[0]!.uid}`),
      ]
      return { ofShut: await tryAll(shut), ofOther: await tryAll(other), list: await ask('GET', '/api/stream') }
    }

    it('does nothing to its streams', async () => {
      assert.deepEqual(await may([]), { ofShut: [403, 403, 403, 403], ofOther: [200, 200, 201, 200], list: 403 })
    })

    it('does what the row of the component says', async () => {
      assert.deepEqual(await may(['GET', 'POST']), {
        ofShut: [200, 403, 201, 403],
        ofOther: [200, 200, 201, 200],
        list: 200,
      })
    })

    it("changes a template's streams by the row for streams", async () => {
      const { uid, stream } = await manage.make('template', { id: 'free', stream: [{ id: 'a' }] })
      const limited = await openManager(service, [{ resource: 'stream', methods: all }])
      assert.equal((await limited.ask('PUT', `/api/stream/${stream[0]!.uid}`, { name: 'x' })).status, 200)
      assert.equal((await limited.ask('POST', '/api/stream', { templateUid: uid, id: 'b' })).status, 201)
    })
  })

  it('derives nothing from a component that the key may not read', async () => {
    const own = await component({ id: 'a' })
    const other = await component({ id: 'a' })
    const limited = await openManager(service, [
      { resource: `component/${own.uid}`, methods: ['GET', 'PUT', 'POST', 'DELETE'] },
      { resource: 'stream', methods: ['POST', 'PUT'] },
      { resource: 'component', methods: ['POST'] },
    ])
    const derived = (componentId: string | null) => ({
      expression: 'x + 0',
      variables: [{ name: 'x', streamId: 'a', ...(componentId === null ? {} : { componentId }) }],
    })
    const [kept] = own.stream
    for (const [id, status] of [
      [other.id, 403],
      ['nobody', 403],
      [own.id, 200],
      [null, 200],
    ] as const) {
      const made = status === 200 ? 201 : status
      const ask = async (method: string, path: string, input: unknown) =>
        (await limited.ask(method, path, input)).status
      assert.equal(await ask('POST', '/api/stream', { componentUid: own.uid, name: 'y', ...derived(id) }), made)
      const stream = [{ id: 'a' }, { id: 'y', ...derived(id) }]
      assert.equal(await ask('POST', '/api/component', { name: 'y', stream }), made)
      const { uid } = await manage.make('stream', { componentUid: own.uid, name: 'z', ...derived(null) })
      assert.equal(await ask('PUT', `/api/stream/${uid}`, derived(id)), status)
      const { stream: all } = await manage.one('component', own.uid)
      const rest = all.filter((each) => each.uid !== kept!.uid).map((each) => ({ uid: each.uid }))
      const list = [{ uid: kept!.uid }, ...rest, { id: `v${id}`, ...derived(id) }]
      assert.equal(await ask('PUT', `/api/component/${own.uid}`, { stream: list }), status)
    }
  })
})
