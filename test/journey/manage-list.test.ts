// Lists of the management API (docs/management.md#lists): their filters, their order and their pages.
import assert from 'node:assert/strict'
import { addPerson, messageIn } from '../support/http.ts'
import type { Person } from '../support/http.ts'
import { openManager, refusal } from '../support/manage.ts'
import type { Manager } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

type Row = Readonly<Record<string, unknown>>

describe('a list', function () {
  let service: TestService
  let manage: Manager
  let owner: Person
  let templateUid: string
  let unitUid: string
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
    owner = await addPerson(service, 'owner')
    unitUid = (await manage.make('unit', { id: 'c', name: 'Celsius', symbol: '°C' })).uid
    await manage.make('unit', { id: 'a', name: 'ampere', symbol: 'A' })
    templateUid = (await manage.make('template', { id: 'pump', stream: [{ id: 'flow' }] })).uid
    await manage.make('template', { id: 'valve', name: 'A valve' })
    const components = [
      { id: 'one', name: 'Zebra', folder: '/Components/North', templateUid },
      {
        id: 'Two',
        name: 'alpha',
        folder: '/Components/North/Deep',
        timeZone: 'Europe/Berlin',
        description: 'über',
        stream: streams,
      },
      { id: 'three', name: 'Beta', folder: '/Components/Northern', description: 'at the 100% gate' },
      { name: 'without an ID', folder: '/Components/South' },
    ]
    for (const component of components) await manage.make('component', component)
    await manage.make('cycle', { id: 'shift', name: 'Shift', size: 8, unit: 'hour' })
  })
  after(() => service.close())

  const streams = [
    { id: 's', valueType: 'STRING' },
    { id: 'i', kind: 'interval', baseCycleId: 'hour' },
    { id: 'D', expression: 'v * 2', variables: [{ name: 'v', streamId: 'k' }] },
    { id: 'k', name: 'Kelvin' },
  ]

  const rows = async (entity: string, query: string): Promise<readonly Row[]> => {
    const { status, body } = await owner.call('GET', `/api/${entity}?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    const { [entity]: found, totalCount } = body as { readonly [entity: string]: unknown }
    assert.equal(totalCount, (found as readonly Row[]).length)
    return found as readonly Row[]
  }
  const members = async (entity: string, query: string, member = 'id') =>
    (await rows(entity, query)).map((row) => row[member])
  /** Each query of an entity gives these, in this order. */
  const expect = async (entity: string, member: string, table: Readonly<Record<string, readonly unknown[]>>) => {
    const found = new Map<string, unknown>()
    for (const query of Object.keys(table)) found.set(query, await members(entity, query, member))
    assert.deepEqual(Object.fromEntries(found), table)
  }

  const uidOfComponent = async (id: string) => (await rows('component', `id=${id}`))[0]!['uid'] as string

  it('filters and sorts components', async () => {
    await expect('component', 'name', {
      'sort=name': ['alpha', 'Beta', 'without an ID', 'Zebra'],
      'sort=-name': ['Zebra', 'without an ID', 'Beta', 'alpha'],
      'sort=id': ['Zebra', 'Beta', 'alpha', 'without an ID'],
      'sort=-id': ['without an ID', 'alpha', 'Beta', 'Zebra'],
      'SORT=-Folder': ['without an ID', 'Beta', 'alpha', 'Zebra'],
      'sort=timeZone,-name': ['alpha', 'Zebra', 'without an ID', 'Beta'],
      'folder=/Components/North': ['alpha', 'Zebra'],
      'folder=/Components/North/': ['alpha', 'Zebra'],
      [`templateUid=${templateUid}`]: ['Zebra'],
      'templateUid=': ['alpha', 'Beta', 'without an ID'],
      'timeZone=Europe/Berlin': ['alpha'],
      'id=three': ['Beta'],
      [`uid=${await uidOfComponent('three')}`]: ['Beta'],
      'uid=three': [],
      'text=LPHA': ['alpha'],
      'text=100%25 GATE': ['Beta'],
      'text=wo': ['alpha'],
      'text=one%0AZeb': ['Zebra'],
      'text=ÜBER': ['alpha'],
      'folder=/Components/North&text=z&sort=-id': ['Zebra'],
    })
  })

  it('leaves out the streams of components and templates on request', async () => {
    for (const [entity, query] of [
      ['component', 'id=Two'],
      ['template', 'id=pump'],
    ] as const) {
      const count = async (more: string) => ((await rows(entity, query + more))[0]!['stream'] as unknown[]).length
      assert.ok((await count('')) > 0)
      assert.equal(await count('&streams=true'), await count(''))
      assert.equal(await count('&streams=false'), 0)
    }
  })

  it('filters and sorts streams', async () => {
    const [two] = await rows('component', 'id=Two')
    const kUid = (two!['stream'] as readonly Row[])[3]!['uid'] as string
    assert.equal((await owner.call('PUT', `/api/stream/${kUid}`, { unitUid })).status, 200)
    await expect('stream', 'id', {
      '': ['flow', 's', 'i', 'D', 'k'],
      'componentId=Two&sort=id': ['D', 'i', 'k', 's'],
      'sort=-position,id': ['k', 'D', 'i', 'flow', 's'],
      'sort=-componentId,-name': ['s', 'k', 'i', 'D', 'flow'],
      'kind=interval': ['i'],
      'valueType=STRING': ['s'],
      'baseCycleId=hour': ['i'],
      [`unitUid=${unitUid}`]: ['k'],
      'unitUid=&folder=/Components/North/Deep': ['s', 'i', 'D'],
      'derived=true': ['D'],
      'derived=false&componentId=Two': ['s', 'i', 'k'],
      'folder=/Components/North': ['flow', 's', 'i', 'D', 'k'],
      'id=flow': ['flow'],
      'text=kelv': ['k'],
      [`templateUid=${templateUid}`]: ['flow'],
      [`componentUid=${String(two!['uid'])}&kind=random&sort=-id`]: ['s', 'k', 'D'],
    })
  })

  it('filters and sorts the other entities', async () => {
    await expect('template', 'id', {
      'sort=-id': ['valve', 'pump'],
      'id=valve': ['valve'],
      'sort=name': ['valve', 'pump'],
    })
    await expect('cycle', 'id', {
      'unit=month': ['month', 'quarter'],
      'isStock=false': ['shift'],
      'id=day': ['day'],
      'sort=-unit,size&unit=hour': ['hour', 'shift'],
      'sort=-unit,id&text=e&isStock=true': [
        'year',
        'quarter',
        'week',
        '15minute',
        '30minute',
        '5minute',
        'minute',
        'second',
      ],
    })
    await expect('unit', 'id', {
      'sort=symbol': ['a', 'c'],
      'sort=-name': ['c', 'a'],
      'symbol=A': ['a'],
      'id=c': ['c'],
    })
    await expect('folder', 'path', {
      'path=/Components/North': ['/Components/North', '/Components/North/Deep'],
      'sort=-path&text=south': ['/Components/South'],
      'parent=/Components': ['/Components/North', '/Components/Northern', '/Components/South'],
      'parent=/Components/North': ['/Components/North/Deep'],
      'parent=/Components/North/Deep': [],
    })
    await addPerson(service, 'guest')
    const [guest] = await rows('user', 'role=guest')
    assert.deepEqual(await members('user', `email=${String(guest!['email']).toUpperCase()}`, 'role'), ['guest'])
    assert.deepEqual(await members('user', 'sort=-role', 'role'), ['guest', 'owner', 'owner'])
    assert.equal((await owner.call('POST', '/api/api_key', { name: 'Off', enabled: false })).status, 201)
    await expect('api_key', 'name', { 'enabled=false': ['Off'], 'name=Off&sort=-expires': ['Off'] })
    const client = { name: 'Portal', clientId: 'portal', redirectUris: ['https://portal.example/back'] }
    assert.equal((await owner.call('POST', '/api/oauth_client', client)).status, 201)
    await expect('oauth_client', 'name', { 'clientId=portal&sort=-clientId': ['Portal'], 'requirePkce=false': [] })
    const connector = { name: 'Sink', endpoint: 'sink', runAsUserUid: owner.user.uid, sql: 'SELECT 1' }
    assert.equal((await owner.call('POST', '/api/connector', connector)).status, 201)
    await expect('connector', 'name', {
      'type=http&enabled=true&sort=-lastRunDate': ['Sink'],
      'type=import': [],
      'endpoint=sink': ['Sink'],
      [`runAsUserUid=${owner.user.uid}`]: ['Sink'],
      'connectionUid=none': [],
    })
    assert.equal((await owner.call('POST', '/api/query', { name: 'Q', sql: 'SELECT 1' })).status, 201)
    assert.equal((await owner.call('POST', '/api/dashboard', { name: 'B' })).status, 201)
    await expect('dashboard', 'name', { 'name=B&sort=-description': ['B'], 'name=b': [] })
    await expect('query', 'name', { 'name=Q&sort=-timeZone': ['Q'], 'name=q': [] })
    await expect('connection', 'name', { 'kind=mysql&host=db&sort=-host': [] })
    await expect('organization', 'public', { 'public=false&sort=-name': [false], 'public=true': [] })
  })

  it('refuses filters and members to sort by that there are none of, with those that there are', async () => {
    const refused = async (query: string) => messageIn((await manage.ask('GET', `/api/component?${query}`)).body)
    assert.equal(
      await refused('folders=x'),
      "there is no parameter 'folders' here, but start, limit, text, sort, uid, id, folder, templateUid, timeZone, streams",
    )
    const known = 'name, id, description, folder, timeZone, templateUid, version (-name: descending)'
    assert.equal(await refused('sort=size'), `sort takes ${known}, not 'size'`)
    assert.equal(await refused('sort=name,'), `sort takes ${known}, not ''`)
    assert.equal(await refused('sort=name,-NAME'), 'sort names name twice')
    assert.equal(await refused('sort=constructor'), `sort takes ${known}, not 'constructor'`)
    assert.deepEqual(
      await manage.ask('GET', '/api/stream?kind=odd'),
      refusal(400, 'bad_request', 'kind must be one of random, interval, point'),
    )
    assert.deepEqual(
      await manage.ask('GET', '/api/stream?derived=yes'),
      refusal(400, 'bad_request', 'derived must be true or false'),
    )
    assert.equal(
      messageIn((await manage.ask('GET', '/api/audit?sort=time')).body),
      "there is no parameter 'sort' here, but start, limit, text, actor, action, entity, subject, sd, ed",
    )
  })

  it('shows each row on one page, also where many are equal in the order', async () => {
    const many = Array.from({ length: 25 }, (_, n) => ({ compId: `same${n}`, streamId: 'a', data: n }))
    assert.equal((await service.put('/api/feed?folder=/Components/Same', JSON.stringify(many))).status, 200)
    await service.sql`update component set name = 'Same' where id like 'same%'`
    for (const sort of ['name', '-name', 'folder', '-version,timeZone']) {
      const seen: unknown[] = []
      for (let start = 0; start < 25; start += 10) {
        const page = await manage.list('component', `folder=/Components/Same&sort=${sort}&start=${start}&limit=10`)
        seen.push(...page.map(({ id }) => id))
      }
      assert.equal(new Set(seen).size, 25, sort)
    }
  })
})
