// Changes of a template reach the components that were made from it (docs/management.md#templates). Expressions are in
// derive-saving.test.ts.
import assert from 'node:assert/strict'
import { openManager } from '../support/manage.ts'
import type { Manager, ShownComponent, ShownStream } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

describe("a change of a template's streams", function () {
  let service: TestService
  let manage: Manager
  let count = 0
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
  })
  after(() => service.close())

  /** A template with these streams, and two components made from it, one by an upload. */
  const play = async (stream: readonly object[]) => {
    count += 1
    const id = `template-${count}`
    const template = await manage.make('template', { id, stream })
    const one = await manage.make('component', { id: `${id}-one`, templateUid: template.uid })
    assert.equal((await service.put(`/api/feed?compId=${id}-two&compTmplId=${id}&extra=1`)).status, 200)
    const [two] = await manage.list('component', `id=${id}-two`)
    return { template, one, two: two! }
  }
  const streamOf = async ({ uid }: ShownComponent, id: string): Promise<ShownStream & { description: string }> => {
    const [stream] = await manage.list('stream', `componentUid=${uid}&id=${id}`)
    assert.ok(stream, id)
    return stream as never
  }
  const idsOf = async ({ uid }: ShownComponent) => (await manage.one('component', uid)).stream.map(({ id }) => id)
  const change = async (stream: ShownStream | undefined, input: object) => {
    const { status, body } = await manage.ask('PUT', `/api/stream/${stream!.uid}`, input)
    assert.equal(status, 200, JSON.stringify(body))
  }

  it('adds a new stream to the components, behind their own', async () => {
    const { template, one, two } = await play([{ id: 'a' }])
    await manage.make('stream', { templateUid: template.uid, id: 'b', kind: 'interval', baseCycleId: 'hour' })
    assert.deepEqual(await idsOf(one), ['a', 'b'])
    assert.deepEqual(await idsOf(two), ['a', 'extra', 'b'])
    assert.equal((await streamOf(two, 'b')).baseCycleId, 'hour')
    // A device's next upload finds it.
    assert.equal((await service.put(`/api/feed?compId=${two.id}&b=5&time=3600000`)).status, 200)
    assert.deepEqual(await idsOf(two), ['a', 'extra', 'b'])
  })

  it('adds none where the component has one of that id', async () => {
    const { template, two } = await play([{ id: 'a' }])
    await manage.make('stream', { templateUid: template.uid, id: 'extra', name: 'Another', valueType: 'STRING' })
    assert.deepEqual(await idsOf(two), ['a', 'extra'])
    const { name, valueType } = await streamOf(two, 'extra')
    assert.deepEqual([name, valueType], ['extra', 'DOUBLE'])
  })

  it('gives them another name, description and unit, each where theirs is still the template’s', async () => {
    const unit = await manage.make('unit', { id: `unit-${count}`, name: 'u' })
    const own = await manage.make('unit', { id: `own-${count}`, name: 'u' })
    const { template, one, two } = await play([{ id: 'a', name: 'A', description: 'first' }, { id: 'z' }])
    await change(await streamOf(two, 'a'), { name: 'My own', unitUid: own.uid })
    const [model, other] = template.stream
    await change(model, { name: 'B', description: 'second', unitUid: unit.uid })
    const membersOf = async (component: ShownComponent) => {
      const { name, description, unitUid, version } = await streamOf(component, 'a')
      return { name, description, unitUid, version }
    }
    assert.deepEqual(await membersOf(one), { name: 'B', description: 'second', unitUid: unit.uid, version: 2 })
    assert.deepEqual(await membersOf(two), { name: 'My own', description: 'second', unitUid: own.uid, version: 3 })
    assert.equal((await streamOf(one, 'z')).version, 1)
    // By a PUT of the whole template, too.
    const stream = [{ uid: model!.uid, name: 'C' }, { uid: other!.uid }, { id: 'new' }]
    assert.equal((await manage.ask('PUT', `/api/template/${template.uid}`, { stream })).status, 200)
    assert.equal((await streamOf(one, 'a')).name, 'C')
    assert.equal((await streamOf(two, 'a')).name, 'My own')
    assert.deepEqual(await idsOf(two), ['a', 'z', 'extra', 'new'])
  })

  it('leaves id, kind, value type, base cycle and order to the components', async () => {
    const { template, one } = await play([{ id: 'a' }, { id: 'b' }])
    const [a, b] = template.stream
    await change(a, { id: 'renamed' })
    await change(b, { kind: 'interval', baseCycleId: 'day', valueType: 'LONG', position: 1 })
    assert.deepEqual(await idsOf(one), ['a', 'b'])
    const { kind, valueType, baseCycleId } = await streamOf(one, 'b')
    assert.deepEqual([kind, valueType, baseCycleId], ['random', 'DOUBLE', null])
  })

  it('removes it from those that have not used it, and leaves it where it has samples, was changed or is a variable', async () => {
    const { template, one, two } = await play([{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }])
    assert.equal((await service.put(`/api/feed?compId=${two.id}&a=1`)).status, 200)
    await change(await streamOf(two, 'b'), { description: 'mine' })
    const variables = [{ name: 'v', streamId: 'c' }]
    await manage.make('stream', { componentUid: two.uid, id: 'derived', expression: 'v', variables })
    for (const { uid } of template.stream) assert.equal((await manage.ask('DELETE', `/api/stream/${uid}`)).status, 200)
    assert.deepEqual(await idsOf(one), [])
    assert.deepEqual(await idsOf(two), ['a', 'b', 'c', 'extra', 'derived'])
    const { stream } = await manage.one('component', two.uid)
    assert.deepEqual(
      stream.map(({ position }) => position),
      [1, 2, 3, 4, 5],
    )
    // Writers do not remember what is gone.
    assert.equal((await service.put(`/api/feed?compId=${two.id}&d=text`)).status, 200)
    assert.equal((await streamOf(two, 'd')).valueType, 'STRING')
    const { body } = await manage.ask('GET', `/api/audit?action=template.reach&subject=${template.uid}`)
    const { audit } = body as { audit: { detail: unknown }[] }
    assert.deepEqual(
      audit.map(({ detail }) => detail),
      [{ removed: 2 }, { removed: 1 }, { removed: 1 }, { removed: 1 }],
    )
  })

  it('is of any number of components, whose streams are read and noted some at a time', async () => {
    const expression = `a + ${'1 + '.repeat(50)}1`
    const variables = [{ name: 'a', streamId: 'a' }]
    const stream = [{ id: 'a' }, { id: 'd', expression, variables }]
    const template = await manage.make('template', { id: 'of-many', stream })
    const many = Array.from({ length: 1100 }, (_, n) => ({ id: `many-${n}`, templateUid: template.uid }))
    assert.equal((await manage.ask('PUT', '/api/component', many)).status, 200)
    const [before] = await service.sql`select max(serial)::float8 as serial from catalog_change`
    await change(template.stream[1], { expression: expression.replace('1', '2') })
    const notes = await service.sql`
      select component_key as key from catalog_change where serial > ${before!['serial']}`
    assert.deepEqual(
      notes.map(({ key }) => key < 0),
      [true],
    )
    const [last] = await manage.list('component', 'id=many-1099')
    assert.equal((await service.put('/api/feed?compId=many-1099&a=1&time=1000&rsid=d&derMaxS&derTout')).status, 200)
    assert.equal((await streamOf(last!, 'd')).expression, expression.replace('1', '2'))
    const { text } = await service.get('/api/comp/many-1099/stream/d/last_value')
    assert.deepEqual(JSON.parse(text), [{ time: 1000, data: 53 }])
    // One that is wrong is found, wherever it stands among them.
    const circle = { variables: [{ name: 'a', streamId: 'd' }], expression: 'a' }
    const refused = await manage.ask('PUT', `/api/stream/${template.stream[1]!.uid}`, circle)
    assert.equal(refused.status, 400)
  })

  it('is refused where it would make a component too heavy', async () => {
    const { template, one } = await play([{ id: 'a' }])
    const heavy = Array.from({ length: 30 }, (_, n) => ({ id: `h${n}`, description: 'x'.repeat(10_000) }))
    await service.sql`
      insert into stream (component_key, id, name, description, kind, value_type, position)
      select key, 'own ' || n, 'own', repeat('x', 10000), 'random', 'DOUBLE', n + 1
      from component, generate_series(1, 1600) as n
      where uid = ${one.uid}`
    const put = (more: readonly object[]) =>
      manage.ask('PUT', `/api/template/${template.uid}`, { stream: [{ uid: template.stream[0]!.uid }, ...more] })
    const { status, body } = await put(heavy)
    assert.equal(status, 413, JSON.stringify(body).slice(0, 500))
    assert.equal((await manage.one('template', template.uid)).stream.length, 1)
    assert.equal((await put([{ id: 'light' }])).status, 200)
  })
})
