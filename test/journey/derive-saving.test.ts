// What holds when derived streams are saved, and what they are derived from changed or removed (docs/derived.md).
import assert from 'node:assert/strict'
import { addPerson } from '../support/http.ts'
import type { Manager, ShownComponent } from '../support/manage.ts'
import { openManager, refusal } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

const from = (streamId: string, more: object = {}) => ({
  expression: 'v * 2',
  variables: [{ name: 'v', streamId, ...more }],
})

describe('derived streams, as they are saved', () => {
  let service: TestService
  let manage: Manager
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
  })
  after(() => service.close())

  const streamOf = ({ stream }: ShownComponent, id: string) => stream.find((each) => each.id === id)!
  const derivationOf = async (component: ShownComponent, id: string) => {
    const { expression, variables } = streamOf(await manage.one('component', component.uid), id)
    return { expression, variables }
  }
  const notDerived = { expression: null, variables: [] }
  /** What the database says they are derived from. */
  const sourcesOf = async (component: ShownComponent, id: string) => {
    const rows = await service.sql<{ id: string }[]>`
      select source.id
      from derivation_source
      join stream as source on source.key = source_key
      join stream as derived on derived.key = derived_key
      join component on component.key = derived.component_key
      where component.uid = ${component.uid} and derived.id = ${id}
      order by source.id`
    return rows.map((row) => row.id)
  }

  it('refuse uploads in every form, with nothing stored', async () => {
    await manage.make('component', { id: 'taken', stream: [{ id: 'a' }, { id: 'd', ...from('a') }] })
    const sample = { compId: 'taken', streamId: 'd', data: 1, time: 1000 }
    const element = { componentId: 'taken', time: [1000], stream: [{ streamId: 'd', data: [1] }] }
    const replies = [
      await service.put('/api/feed?compId=taken&a=1&d=1&time=1000'),
      await service.put('/api/feed?compId=taken&data=1&data=2&time=1000'),
      await service.put('/api/feed', JSON.stringify([{ ...sample, streamId: 'a' }, sample])),
      await service.put('/api/feed', JSON.stringify({ feed: { component: [element] } })),
    ]
    for (const { status, text } of replies) {
      assert.equal(status, 400, text)
      assert.match(text, /'d' of component 'taken' is derived/)
    }
    assert.equal((await service.get('/api/comp/taken/feed')).text, '[]')
  })

  it('refuse the samples of scripts', async () => {
    const s = "INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'taken', 'd', 1000, 1"
    const { call } = await addPerson(service, 'member')
    const { status, body } = await call('POST', '/api/gql', { s })
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(JSON.stringify(body), /'d' of component 'taken' is derived/)
  })

  it('refuse files', async () => {
    const { status } = await service.put('/api/comp/taken/stream/d/feed/file/x.txt', 'x')
    assert.equal(status, 400)
  })

  it('refuse that what they are derived from is removed or renamed, in another component and in their own', async () => {
    const source = await manage.make('component', { id: 'used', stream: [{ id: 'a' }, { id: 'b' }] })
    const user = await manage.make('component', {
      id: 'user',
      stream: [{ id: 'own' }, { id: 'd', ...from('a', { componentId: 'used' }) }, { id: 'e', ...from('own') }],
    })
    const a = streamOf(source, 'a')
    const inUse = refusal(409, 'conflict', "stream 'a' is a variable of stream 'd' of 'user'")
    assert.deepEqual(await manage.ask('DELETE', `/api/stream/${a.uid}`), inUse)
    assert.deepEqual(await manage.ask('PUT', `/api/stream/${a.uid}`, { id: 'c' }), inUse)
    const component = refusal(409, 'conflict', "a stream of component 'used' is a variable of stream 'd' of 'user'")
    assert.deepEqual(await manage.ask('DELETE', `/api/component/${source.uid}`), component)
    assert.deepEqual(await manage.ask('PUT', `/api/component/${source.uid}`, { id: 'c' }), component)
    const own = refusal(409, 'conflict', "stream 'own' is a variable of stream 'e' of 'user'")
    assert.deepEqual(await manage.ask('DELETE', `/api/stream/${streamOf(user, 'own').uid}`), own)
    assert.equal((await manage.ask('DELETE', `/api/stream/${streamOf(source, 'b').uid}`)).status, 200)
    assert.equal((await manage.ask('DELETE', `/api/component/${user.uid}`)).status, 200)
    assert.equal((await manage.ask('DELETE', `/api/component/${source.uid}`)).status, 200)
  })

  it('refuse that what they are derived from gets a type with which they cannot be worked out', async () => {
    const same = { ...from('a'), expression: 'v' }
    const { stream } = await manage.make('component', { id: 'typed', stream: [{ id: 'a' }, { id: 'd', ...same }] })
    const { status, body } = await manage.ask('PUT', `/api/stream/${stream[0]!.uid}`, { valueType: 'STRING' })
    assert.equal(status, 400, JSON.stringify(body))
    assert.equal((await manage.ask('PUT', `/api/stream/${stream[0]!.uid}`, { valueType: 'LONG' })).status, 200)
  })

  it('refuse variables of other components in a template, and streams of another organization', async () => {
    const stream = [{ id: 'a' }, { id: 'd', ...from('a', { componentId: 'taken' }) }]
    const { status, body } = await manage.ask('POST', '/api/template', { id: 'far', stream })
    assert.equal(status, 400)
    assert.match(JSON.stringify(body), /a template's variables name streams only/)
  })

  it('keep what they are derived from in the same transaction', async () => {
    const made = await manage.make('component', {
      id: 'kept',
      stream: [{ id: 'a' }, { id: 'b' }, { id: 'd', ...from('a') }],
    })
    const { uid } = streamOf(made, 'd')
    assert.deepEqual(await sourcesOf(made, 'd'), ['a'])
    await manage.ask('PUT', `/api/stream/${uid}`, from('b'))
    assert.deepEqual(await sourcesOf(made, 'd'), ['b'])
    assert.equal((await manage.ask('PUT', `/api/stream/${uid}`, from('d'))).status, 400)
    assert.deepEqual(await sourcesOf(made, 'd'), ['b'])
    assert.equal((await manage.ask('PUT', `/api/stream/${uid}`, { expression: null })).status, 200)
    assert.deepEqual(await sourcesOf(made, 'd'), [])
    assert.equal((await service.put('/api/feed?compId=kept&d=1')).status, 200)
  })

  it('show since when they may be behind: from the first sample that was there', async () => {
    await service.put('/api/feed?compId=old&a=1,2,3&time=1000,2000,3000')
    const [component] = await manage.list('component', 'id=old')
    const made = await manage.make('stream', { componentUid: component!.uid, id: 'd', ...from('a') })
    const { staleFrom, deriveError } = made as unknown as Record<string, unknown>
    assert.deepEqual([staleFrom, deriveError], [1000, null])
  })

  it('are behind when a cycle that they are derived by is cut otherwise', async () => {
    await service.put('/api/feed?compId=cut&a=1,2&time=1000,2000')
    const cycle = await manage.make('cycle', { id: 'shift', size: 8, unit: 'hour' })
    const [component] = await manage.list('component', 'id=cut')
    const day = from('a', { cycleId: 'shift' })
    const { uid } = await manage.make('stream', { componentUid: component!.uid, id: 'd', ...day })
    await service.sql`update derivation set stale_from = null`
    assert.equal((await manage.ask('PUT', `/api/cycle/${cycle.uid}`, { size: 6 })).status, 200)
    const { staleFrom } = (await manage.one('stream', uid)) as unknown as Record<string, unknown>
    assert.equal(staleFrom, 1000)
  })

  describe('of a template', () => {
    it('are made with a component, which derives from its own streams', async () => {
      const template = await manage.make('template', { id: 'meter', stream: [{ id: 'a' }, { id: 'd', ...from('a') }] })
      const made = await manage.make('component', { id: 'meter-1', templateUid: template.uid })
      assert.deepEqual(await sourcesOf(made, 'd'), ['a'])
      await service.put('/api/feed?compId=meter-2&compTmplId=meter&a=1')
      const [uploaded] = await manage.list('component', 'id=meter-2')
      assert.deepEqual(await sourcesOf(uploaded!, 'd'), ['a'])
    })

    it('reach the components made from it when they are added, changed and removed', async () => {
      const template = await manage.make('template', { id: 'boiler', stream: [{ id: 'a' }, { id: 'p' }] })
      const one = await manage.make('component', { id: 'boiler-1', templateUid: template.uid })
      await service.put('/api/feed?compId=boiler-2&compTmplId=boiler&a=1&time=1000')
      const [two] = await manage.list('component', 'id=boiler-2')

      const added = await manage.make('stream', { templateUid: template.uid, id: 'd', ...from('a') })
      for (const component of [one, two!]) {
        assert.deepEqual(await derivationOf(component, 'd'), from('a'))
        assert.deepEqual(await sourcesOf(component, 'd'), ['a'])
      }
      assert.equal((await manage.ask('PUT', `/api/stream/${added.uid}`, from('p'))).status, 200)
      for (const component of [one, two!]) assert.deepEqual(await sourcesOf(component, 'd'), ['p'])

      const { stream } = await manage.one('template', template.uid)
      const list = [
        ...stream.map(({ uid, id }) => (id === 'd' ? { uid, expression: null } : { uid })),
        { id: 'f' },
        { id: 'e', ...from('f') },
      ]
      assert.equal((await manage.ask('PUT', `/api/template/${template.uid}`, { stream: list })).status, 200)
      for (const component of [one, two!]) {
        assert.deepEqual(await derivationOf(component, 'd'), notDerived)
        assert.deepEqual(await derivationOf(component, 'e'), from('f'))
        assert.deepEqual(await sourcesOf(component, 'd'), [])
        assert.deepEqual(await sourcesOf(component, 'e'), ['f'])
      }
      const { body } = await manage.ask('GET', `/api/audit?action=template.reach&subject=${template.uid}`)
      const { audit } = body as { audit: { detail: unknown }[] }
      assert.deepEqual(
        audit.map(({ detail }) => detail),
        [{ streams: 6 }, { streams: 2 }, { streams: 2 }],
      )
    })

    it('leave alone what has become another in a component', async () => {
      const template = await manage.make('template', { id: 'own', stream: [{ id: 'a' }, { id: 'd', ...from('a') }] })
      const component = await manage.make('component', { id: 'own-1', templateUid: template.uid })
      const own = { expression: 'v * 3', variables: [{ name: 'v', streamId: 'a' }] }
      await manage.ask('PUT', `/api/stream/${streamOf(component, 'd').uid}`, own)
      const other = { ...own, expression: 'v * 4' }
      assert.equal((await manage.ask('PUT', `/api/stream/${streamOf(template, 'd').uid}`, other)).status, 200)
      assert.deepEqual(await derivationOf(component, 'd'), own)
    })

    it('are refused where they would make a circle in a component', async () => {
      const template = await manage.make('template', { id: 'ring', stream: [{ id: 'a' }, { id: 'b' }] })
      const component = await manage.make('component', { id: 'ring-1', templateUid: template.uid })
      assert.equal((await manage.ask('PUT', `/api/stream/${streamOf(component, 'a').uid}`, from('b'))).status, 200)
      const { status, body } = await manage.ask('PUT', `/api/stream/${streamOf(template, 'b').uid}`, from('a'))
      assert.equal(status, 400)
      assert.match(JSON.stringify(body), /derived from itself: b → a → b/)
      assert.deepEqual(await derivationOf(component, 'b'), notDerived)
    })

    it('reach thousands of components at once', async () => {
      const template = await manage.make('template', { id: 'fleet', stream: [{ id: 'a' }] })
      const count = 3_000
      const samples = Array.from({ length: count }, (_, n) => ({
        compId: `car-${n}`,
        streamId: 'a',
        data: n,
        time: 1000,
      }))
      assert.equal((await service.put('/api/feed?compTmplId=fleet', JSON.stringify(samples))).status, 200)
      await manage.make('stream', { templateUid: template.uid, id: 'd', ...from('a') })
      const [row] = await service.sql<[{ count: number }]>`
        select count(*)::integer as count
        from derivation_source
        join stream on stream.key = derived_key
        join component on component.key = stream.component_key
        where component.id like 'car-%'`
      assert.equal(row.count, count)
    }).timeout(60_000)
  })
})
