// Components in the management API (docs/management.md#components-and-streams), rule by rule.
import assert from 'node:assert/strict'
import type { Manager, ShownComponent, ShownStream } from '../support/manage.ts'
import { done, openManager, refusal } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

const forbidden = (permission: string) => refusal(403, 'forbidden', `this credential may not ${permission}`)

describe('managing components', () => {
  let service: TestService
  let manage: Manager
  before(async () => {
    service = await openTestService({ organizationTimeZone: 'Europe/Berlin' })
    manage = await openManager(service)
  })
  after(() => service.close())

  const make = (input: unknown) => manage.make('component', input)
  const put = (uid: string, input: unknown) => manage.ask('PUT', `/api/component/${uid}`, input)
  const countAll = async () => {
    const [row] = await service.sql<[{ n: number }]>`
      select (select count(*) from component)::integer + (select count(*) from stream)::integer as n`
    return row.n
  }

  const ids = async (rest: string) => {
    const { status, body } = await manage.ask('GET', `/api/component${rest}`)
    assert.equal(status, 200)
    const { component, totalCount } = body as { component: ShownComponent[]; totalCount: number }
    return [component.map(({ id }) => id), totalCount]
  }

  describe('with a wrong request', () => {
    const form =
      'the body must be a JSON object such as {"id":"Boiler","folder":"/Components/Plant","timeZone":"Europe/Berlin","stream":[{"id":"temp"},{"id":"mode","valueType":"STRING"}]}'
    const table: readonly [input: unknown, message: string][] = [
      [undefined, form],
      [[], `${form}; PUT /api/component takes an array`],
      [{}, 'a component must have a name or an id'],
      [{ id: '' }, 'a component must have a name or an id'],
      [{ name: '' }, 'name must not be empty'],
      [{ id: 7 }, 'id must be a string'],
      [{ id: 'a\nb' }, 'id has a control character'],
      [{ id: 'x'.repeat(513) }, 'id must have at most 512 characters'],
      [{ id: '\ud800' }, 'id has a character that cannot be stored'],
      [{ id: 'x', name: 'x'.repeat(513) }, 'name must have at most 512 characters'],
      [{ id: 'x', description: 'x'.repeat(10_001) }, 'description must have at most 10000 characters'],
      [
        { id: 'x', colour: 'red' },
        "component has no member 'colour', it has uid, id, name, description, folder, timeZone, templateUid, version, stream",
      ],
      [
        JSON.parse('{"id":"x","__proto__":{}}'),
        "component has no member '__proto__', it has uid, id, name, description, folder, timeZone, templateUid, version, stream",
      ],
      [{ id: 'x', timeZone: 'Europe/Atlantis' }, "timeZone 'Europe/Atlantis' is not a time zone"],
      [{ id: 'x', timeZone: '+02:00' }, 'timeZone must be a time zone such as Europe/Berlin'],
      [{ id: 'x', folder: '/Elsewhere' }, "folder must be /Components or below it, not '/Elsewhere'"],
      [{ id: 'x', folder: '/Components//y' }, "folder '/Components//y' has an empty part or a control character"],
      [{ id: 'x', stream: {} }, 'stream must be an array'],
      [{ id: 'x', stream: [1] }, 'stream[0] must be a JSON object'],
      [{ id: 'x', stream: [{ id: 'ok' }, {}] }, 'a stream must have a name or an id'],
      [{ id: 'x', stream: [{ id: 's', kind: 'sometimes' }] }, 'kind must be one of random, interval, point'],
      [{ id: 'x', stream: [{ id: 's', kind: 'interval' }] }, 'an interval stream must have a baseCycleId'],
    ]
    for (const [input, message] of table)
      it(`refuses ${(JSON.stringify(input) ?? 'no body').slice(0, 60)}: ${message}`, async () => {
        const before = await countAll()
        assert.deepEqual(await manage.ask('POST', '/api/component', input), refusal(400, 'bad_request', message))
        assert.equal(await countAll(), before)
      })

    it('refuses a body that is not JSON', async () => {
      const reply = await service.request('POST', `/api/component?api_key=${service.apiKey}`, {
        body: '{"id":',
        headers: { 'Content-Type': 'application/json' },
      })
      assert.equal(reply.status, 400)
    })

    it('refuses an ID that is taken, and names it', async () => {
      await make({ id: 'twin' })
      const before = await countAll()
      assert.deepEqual(
        await manage.ask('POST', '/api/component', { id: 'twin', stream: [{ id: 's' }] }),
        refusal(409, 'conflict', "there is a component with the id 'twin'"),
      )
      assert.equal(await countAll(), before)
    })

    it('refuses two streams of the same ID, and names it', async () => {
      const before = await countAll()
      assert.deepEqual(
        await manage.ask('POST', '/api/component', { id: 'double', stream: [{ id: 's' }, { id: 't' }, { id: 's' }] }),
        refusal(409, 'conflict', "there is a stream with the id 's'"),
      )
      assert.equal(await countAll(), before)
    })

    it('refuses a template, cycle or unit that does not exist', async () => {
      assert.deepEqual(
        await manage.ask('POST', '/api/component', { id: 'x', templateUid: 'none' }),
        refusal(404, 'template_not_found', "template 'none' not found"),
      )
      assert.deepEqual(
        await manage.ask('POST', '/api/component', {
          id: 'x',
          stream: [{ id: 's', kind: 'interval', baseCycleId: 'none' }],
        }),
        refusal(
          404,
          'cycle_not_found',
          "cycle 'none' not found, there are second, minute, 5minute, 15minute, 30minute, hour, day, week, month, quarter, year",
        ),
      )
      assert.deepEqual(
        await manage.ask('POST', '/api/component', { id: 'x', stream: [{ id: 's', unitUid: 'none' }] }),
        refusal(404, 'unit_not_found', "unit 'none' not found"),
      )
    })
  })

  it('makes a component with its streams in the order given, and shows all of it', async () => {
    const { status, body } = await manage.ask('POST', '/api/component', {
      id: 'Boiler',
      description: 'in the cellar',
      folder: '/Components/Plant/',
      stream: [
        { id: 'z', name: 'Zulu', description: 'last', valueType: 'LONG' },
        { id: 'a', kind: 'interval', baseCycleId: 'hour' },
        { name: 'without ID', kind: 'point', valueType: 'BOOLEAN' },
      ],
    })
    assert.equal(status, 201)
    const { component } = body as { component: ShownComponent }
    const [z, a, nameless] = component.stream as readonly [ShownStream, ShownStream, ShownStream]
    const plain = { componentUid: component.uid, unitUid: null, expression: null, variables: [], version: 1 }
    assert.deepEqual(body, {
      success: true,
      message: '',
      component: {
        uid: component.uid,
        id: 'Boiler',
        name: 'Boiler',
        description: 'in the cellar',
        folder: '/Components/Plant',
        timeZone: 'Europe/Berlin',
        templateUid: null,
        version: 1,
        stream: [
          {
            ...plain,
            uid: z.uid,
            id: 'z',
            name: 'Zulu',
            description: 'last',
            kind: 'random',
            valueType: 'LONG',
            baseCycleId: null,
            position: 1,
          },
          {
            ...plain,
            uid: a.uid,
            id: 'a',
            name: 'a',
            description: '',
            kind: 'interval',
            valueType: 'DOUBLE',
            baseCycleId: 'hour',
            position: 2,
          },
          {
            ...plain,
            uid: nameless.uid,
            id: null,
            name: 'without ID',
            description: '',
            kind: 'point',
            valueType: 'BOOLEAN',
            baseCycleId: null,
            position: 3,
          },
        ],
      },
    })
    assert.deepEqual(await manage.ask('GET', `/api/component/${component.uid}`), { status: 200, body })
  })

  it('serves uploads at once, unnamed data in the order of the streams', async () => {
    await make({ id: 'Served', stream: [{ id: 'b' }, { id: 'a' }] })
    assert.equal((await service.put('/api/feed?compId=Served&data=1&data=2')).status, 200)
    const reply = await service.get('/api/comp/Served/last_value?retStreamId')
    assert.deepEqual(
      (reply.json as { streamId: string; data: number }[]).map(({ streamId, data }) => [streamId, data]),
      [
        ['b', 1],
        ['a', 2],
      ],
    )
  })

  describe('lists', () => {
    before(async () => {
      for (const n of [3, 1, 2])
        await make({
          id: `list-${n}`,
          name: `Pump ${n}`,
          description: n === 2 ? 'Leaks 50%' : '',
          folder: `/Components/L${n}`,
          stream: [{ id: `s${n}` }],
        })
    })
    it('refuse a start or limit that is none', async () => {
      for (const [query, message] of [
        ['start=-1', 'start must be at least 0, not -1'],
        ['start=x', "start must be an integer, not 'x'"],
        ['limit=0', 'limit must be at least 1, not 0'],
        ['limit=1.5', "limit must be an integer, not '1.5'"],
      ] as const)
        assert.deepEqual(await manage.ask('GET', `/api/component?${query}`), refusal(400, 'bad_request', message))
    })

    it('refuse a parameter that there is not, naming those that there are', async () => {
      const known = 'start, limit, text'
      for (const [path, message] of [
        [
          'component?foldr=/Components',
          `there is no parameter 'foldr' here, but ${known}, sort, uid, id, folder, templateUid, timeZone, streams`,
        ],
        ['unit?q=x', `there is no parameter 'q' here, but ${known}, sort, id, symbol`],
        ['audit?user=x', `there is no parameter 'user' here, but ${known}, actor, action, entity, subject, sd, ed`],
        ['organization?id=x', `there is no parameter 'id' here, but ${known}, sort, name, public`],
      ] as const)
        assert.deepEqual(await manage.ask('GET', `/api/${path}`), refusal(400, 'bad_request', message))
      // Names ignore case, and credentials go along with anything.
      const org = service.organizationUid
      assert.equal((await manage.ask('GET', `/api/component?LIMIT=1&Text=&org=${org}`)).status, 200)
    })

    it('give a page by name, and the count of all that match', async () => {
      assert.deepEqual(await ids('?text=PUMP&start=1&limit=1'), [['list-2'], 3])
      assert.deepEqual(await ids('?text=pump&limit=9999'), [['list-1', 'list-2', 'list-3'], 3])
      assert.deepEqual(await ids('?text=pump&start=3'), [[], 3])
    })

    it('search ID, name and description, not wildcards', async () => {
      assert.deepEqual(await ids('?text=LIST-3'), [['list-3'], 1])
      assert.deepEqual(await ids('?text=leaks'), [['list-2'], 1])
      assert.deepEqual(await ids('?text=list%25'), [[], 0])
      assert.deepEqual(await ids('?text=50%25'), [['list-2'], 1])
    })

    it('show the streams of each', async () => {
      const listed = await manage.list('component', 'text=list-')
      assert.deepEqual(
        listed.map(({ stream }) => stream.map(({ id }) => id)),
        [['s1'], ['s2'], ['s3']],
      )
    })

    it('can be narrowed to an ID or a folder', async () => {
      assert.deepEqual(await ids('?id=list-2'), [['list-2'], 1])
      assert.deepEqual(await ids('?folder=/Components/L3'), [['list-3'], 1])
    })
  })

  describe('changes', () => {
    it('refuse a stale version', async () => {
      const { uid } = await make({ id: 'stale' })
      assert.equal((await put(uid, { name: 'one', version: 1 })).status, 200)
      assert.deepEqual(
        await put(uid, { name: 'two', version: 1 }),
        refusal(409, 'stale_version', 'this component was changed by somebody else since you read it'),
      )
      assert.equal((await manage.one('component', uid)).name, 'one')
    })

    it('refuse an ID that is taken', async () => {
      await make({ id: 'first' })
      const { uid } = await make({ id: 'second' })
      assert.deepEqual(
        await put(uid, { id: 'first' }),
        refusal(409, 'conflict', "there is a component with the id 'first'"),
      )
    })

    it('refuse another template', async () => {
      const { uid } = await make({ id: 'untemplated' })
      assert.deepEqual(
        await put(uid, { templateUid: 'other' }),
        refusal(400, 'bad_request', 'templateUid is set when a component is made, and stays'),
      )
    })

    it('refuse another zone once interval samples are there', async () => {
      const { uid } = await make({ id: 'zoned', stream: [{ id: 'i', kind: 'interval', baseCycleId: 'day' }] })
      assert.equal((await put(uid, { timeZone: 'Asia/Tokyo' })).status, 200)
      assert.equal((await service.put('/api/feed?compId=zoned&i=1')).status, 200)
      assert.deepEqual(
        await put(uid, { timeZone: 'Europe/Berlin' }),
        refusal(409, 'conflict', "component 'zoned' has samples in interval streams: its timeZone must stay"),
      )
      assert.equal((await put(uid, { timeZone: 'Asia/Tokyo', name: 'same zone' })).status, 200)
    })

    it('refuse to lose a stream from the list', async () => {
      const { uid, stream } = await make({ id: 'forgetful', stream: [{ id: 'a' }, { id: 'b' }] })
      assert.deepEqual(
        await put(uid, { stream: [stream[1]] }),
        refusal(400, 'bad_request', "stream must list all streams; 'a' is missing"),
      )
      assert.deepEqual(
        await put(uid, { stream: [...stream, { uid: 'none' }] }),
        refusal(404, 'stream_not_found', "stream 'none' not found"),
      )
    })

    it('take the members given and leave the rest', async () => {
      const made = await make({ id: 'partly', description: 'kept', folder: '/Components/A', stream: [{ id: 's' }] })
      const { status, body } = await put(made.uid, { name: 'New', folder: '/Components/B/C' })
      assert.equal(status, 200)
      assert.deepEqual(body, {
        ...done,
        component: { ...made, name: 'New', folder: '/Components/B/C', version: 2 },
      })
    })

    it('take a component back as it was read', async () => {
      const made = await make({ id: 'echo', stream: [{ id: 'a', kind: 'interval', baseCycleId: 'hour' }, { id: 'b' }] })
      assert.deepEqual(await put(made.uid, made), {
        status: 200,
        body: { ...done, component: { ...made, version: 2 } },
      })
    })

    it('reorder, change and add streams by the list', async () => {
      const made = await make({ id: 'listed', stream: [{ id: 'a' }, { id: 'b' }] })
      const [a, b] = made.stream
      const stream = [{ ...b, name: 'Bravo' }, { id: 'new', valueType: 'STRING' }, a]
      assert.equal((await put(made.uid, { stream })).status, 200)
      const shown = await manage.one('component', made.uid)
      assert.deepEqual(
        shown.stream.map(({ id, name, position, valueType }) => [id, name, position, valueType]),
        [
          ['b', 'Bravo', 1, 'DOUBLE'],
          ['new', 'new', 2, 'STRING'],
          ['a', 'a', 3, 'DOUBLE'],
        ],
      )
    })

    it('hold for the next upload when an ID changes, and free the old ID', async () => {
      const { uid } = await make({ id: 'old', stream: [{ id: 's' }] })
      await service.put('/api/feed?compId=old&s=1')
      assert.equal((await put(uid, { id: 'new' })).status, 200)
      assert.equal((await service.get('/api/comp/old/last_value')).status, 404)
      assert.equal((await service.put('/api/feed?compId=new&s=2')).status, 200)
      assert.equal((await service.put('/api/feed?compId=old&s=3')).status, 200)
      assert.deepEqual(
        [(await service.get('/api/comp/new/feed')).json, (await service.get('/api/comp/old/feed')).json].map(
          (samples) => (samples as { data: number }[]).map(({ data }) => data),
        ),
        [[2, 1], [3]],
      )
    })

    it('all hold at the same time when none names a version', async () => {
      const { uid } = await make({ id: 'busy' })
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, n) => put(uid, n % 2 === 0 ? { name: 'n' } : { description: 'd' })),
      )
      assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
      const { name, version } = await manage.one('component', uid)
      assert.deepEqual([name, version], ['n', 9])
    })
  })

  describe('deletion', () => {
    it('answers 404 for an unknown component', async () => {
      for (const method of ['GET', 'DELETE'])
        assert.deepEqual(
          await manage.ask(method, '/api/component/none'),
          refusal(404, 'component_not_found', "component 'none' not found"),
        )
      assert.equal((await put('none', {})).status, 404)
    })

    it('answers 200 where there are no samples', async () => {
      const { uid } = await make({ id: 'empty', stream: [{ id: 's' }] })
      assert.deepEqual(await manage.ask('DELETE', `/api/component/${uid}`), { status: 200, body: done })
      assert.equal((await manage.ask('GET', `/api/component/${uid}`)).status, 404)
    })

    it('answers 202 while samples are to be removed, and frees the ID at once', async () => {
      await service.put('/api/feed?compId=reborn&a=1&b=2')
      const [{ uid }] = (await manage.list('component', 'id=reborn')) as [ShownComponent]
      assert.equal((await manage.ask('DELETE', `/api/component/${uid}`)).status, 202)
      assert.equal((await service.get('/api/comp/reborn/last_value')).status, 404)
      assert.equal((await service.put('/api/feed?compId=reborn&a=3')).status, 200)
      const samples = (await service.get('/api/comp/reborn/feed')).json as { data: number }[]
      assert.deepEqual(
        samples.map(({ data }) => data),
        [3],
      )
    })
  })

  it('lets a key that is limited to one component do only what it says', async () => {
    const { uid } = await make({ id: 'mine' })
    const { uid: other } = await make({ id: 'other' })
    const limited = await openManager(service, [{ resource: `component/${uid}`, methods: ['GET'] }])
    assert.equal((await limited.ask('GET', `/api/component/${uid}`)).status, 200)
    assert.deepEqual(await limited.ask('PUT', `/api/component/${uid}`, { name: 'x' }), forbidden('PUT component'))
    assert.deepEqual(await limited.ask('GET', `/api/component/${other}`), forbidden('GET component'))
    assert.deepEqual(await limited.ask('GET', '/api/component/none'), forbidden('GET component'))
    assert.deepEqual(await limited.ask('GET', '/api/component'), forbidden('GET component'))
    assert.deepEqual(await limited.ask('POST', '/api/component', { id: 'more' }), forbidden('POST component'))
    assert.deepEqual(await limited.ask('GET', '/api/stream'), forbidden('GET stream'))
    assert.deepEqual(await limited.ask('GET', '/api/unit'), forbidden('GET unit'))
  })

  it("does not know another organization's components", async () => {
    const [row] = await service.sql<[{ key: number }]>`insert into organization (name) values ('other') returning key`
    const [theirs] = await service.sql<[{ uid: string }]>`
      with home as (insert into folder (organization_key, path) values (${row.key}, '/Components') returning key)
      insert into component (organization_key, id, name, time_zone, folder_key)
      select ${row.key}, 'theirs', 'theirs', 'UTC', key from home
      returning uid`
    assert.equal((await manage.ask('GET', `/api/component/${theirs.uid}`)).status, 404)
    assert.equal((await manage.ask('DELETE', `/api/component/${theirs.uid}`)).status, 404)
    assert.deepEqual(await manage.list('component', 'id=theirs'), [])
    await make({ id: 'theirs' })
  })

  it('refuses a NUL wherever a text may stand', async () => {
    for (const [method, path, message] of [
      ['GET', '/%00', 'the address has a control character'],
      ['DELETE', '/%00', 'the address has a control character'],
      ['GET', '?text=%00', 'text has a character that cannot be stored'],
      ['GET', '?id=a%00b', 'id has a character that cannot be stored'],
      ['GET', '?folder=/Components/%00', 'folder has a character that cannot be stored'],
    ] as const)
      assert.deepEqual(await manage.ask(method, `/api/component${path}`), refusal(400, 'bad_request', message))
  })

  it('writes every change to the audit log', async () => {
    const { uid } = await make({ id: 'watched' })
    await put(uid, { name: 'x' })
    await manage.ask('DELETE', `/api/component/${uid}`)
    const entries = await service.sql<
      { action: string }[]
    >`select action from audit where subject = ${uid} order by key`
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['component.create', 'component.update', 'component.delete'],
    )
  })

  it('writes components of an upload to the audit log, with the actor', async () => {
    const marked = async () => {
      const [row] = await service.sql<[{ key: number }]>`select coalesce(max(key), 0) as key from audit`
      return row.key
    }
    const since = async (key: number) => {
      const entries = await service.sql<{ entry: string }[]>`
        select concat_ws(' ', split_part(actor, ' ', 1), action, coalesce(component.id, stream.id)) as entry
        from audit
        left join component on component.uid = subject
        left join stream on stream.uid = subject
        where audit.key > ${key}
        order by entry`
      return entries.map(({ entry }) => entry)
    }
    const start = await marked()
    await service.put('/api/feed?compId=Uploaded&a=1&b=2')
    assert.deepEqual(await since(start), ['api_key component.create Uploaded'])
    const then = await marked()
    await service.put('/api/feed?compId=Uploaded&a=1&c=2&d=3')
    await service.put('/api/comp/Uploaded/stream/f/feed/file/x', 'x')
    assert.deepEqual(await since(then), [
      'api_key stream.create c',
      'api_key stream.create d',
      'api_key stream.create f',
    ])
    const last = await marked()
    await service.put('/api/feed?compId=Uploaded&a=1&c=2&d=3')
    assert.deepEqual(await since(last), [])
  })
})
