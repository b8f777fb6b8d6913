// The promise of docs/transfer.md: an organization that is exported, and imported into an empty one, gives the same replies to
// every call that reads.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { importMemory } from '../../src/transfer/import.ts'
import { statistics } from '../../src/core/statistic/statistic.ts'
import { addApiKey, addOrganization, addUser } from '../support/people.ts'
import { openTestService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

const t0 = Date.parse('2026-03-28T20:00:00Z')
const hour = 3_600_000
const texts = [
  'plain',
  '',
  ' ',
  'a,b',
  'say "hi"',
  'two\r\nlines',
  '\n',
  '🌲 é',
  '=1+1',
  "'=1+1",
  "''-x",
  '-5',
  '+',
  '@x',
  '\tx',
  "'",
  '0012',
  'true',
  'null',
  'x'.repeat(60_000),
]

describe('an organization that is exported and imported', function () {
  this.timeout(60_000)
  let service: TestService
  let from: string
  let to: string

  const ask = async (key: string, method: string, path: string, body?: string) => {
    const reply = await service.request(method, `${path}${path.includes('?') ? '&' : '?'}api_key=${key}`, {
      body: body ?? null,
    })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text.slice(0, 500)}`)
    return reply
  }
  const make = async (name: string, input: unknown) =>
    ((await ask(from, 'POST', `/api/${name}`, JSON.stringify(input))).json as Record<string, { uid: string }>)[name]!
      .uid

  const newKey = async (name: string) => {
    const organization = await addOrganization(service.sql, name, await addUser(service.sql, `${name}@example.com`))
    const all = [{ resource: '*', methods: ['GET', 'PUT', 'POST', 'DELETE'] as const }]
    return (await addApiKey(service.sql, organization.uid, all)).secret
  }

  before(async () => {
    service = await openTestService()
    from = await newKey('source')
    to = await newKey('target')
    const celsius = await make('unit', { id: 'c', name: 'Celsius', symbol: ' °C', numberFormat: '0.0' })
    const switched = await make('unit', { name: 'Switch', booleanStyle: 'ON_OFF' })
    await make('cycle', {
      id: 'shift',
      name: 'Shift',
      size: 8,
      unit: 'hour',
      reference: '2026-01-01T06:00:00',
      timeZone: 'Europe/Berlin',
    })
    const template = await make('template', {
      id: 'boiler',
      timeZone: 'Europe/Berlin',
      stream: [
        { id: 'temp', unitUid: celsius },
        { id: 'dropped' },
        { id: 'fahrenheit', expression: 'temp * 9 / 5 + 32', variables: [{ name: 'temp', streamId: 'temp' }] },
      ],
    })
    const boiler = await make('component', { id: 'Boiler "1", é', folder: '/Components/North', templateUid: template })
    const listed = (await ask(from, 'GET', `/api/stream?componentUid=${boiler}`)).json as {
      stream: readonly { uid: string; id: string }[]
    }
    await ask(from, 'DELETE', `/api/stream/${listed.stream.find(({ id }) => id === 'dropped')!.uid}`)
    await make('component', {
      id: 'Plant',
      name: '=Plant',
      description: 'two\nlines',
      timeZone: 'America/New_York',
      stream: [
        { id: 'note', valueType: 'STRING' },
        { id: 'count', valueType: 'LONG' },
        { id: 'on', valueType: 'BOOLEAN', unitUid: switched },
        { id: 'kwh', kind: 'interval', baseCycleId: 'hour', unitUid: celsius },
        { id: 'shift', kind: 'interval', baseCycleId: 'shift' },
        { id: 'mode', kind: 'point', valueType: 'STRING' },
        { id: 'photo', valueType: 'FILE' },
        { id: 'empty' },
        {
          id: 'sum',
          kind: 'interval',
          baseCycleId: 'day',
          expression: 'kwh + temp',
          variables: [
            { name: 'kwh', streamId: 'kwh', statistic: 'sum' },
            { name: 'temp', componentId: 'Boiler "1", é', streamId: 'temp' },
          ],
        },
      ],
    })
    await make('component', { name: 'without an ID' })
    const samples = [
      ...texts.map((data, n) => ['Plant', 'note', t0 + n, data]),
      ...['9007199254740993', '-9223372036854775808', '9223372036854775807', 0].map((data, n) => [
        'Plant',
        'count',
        t0 + n * hour,
        data,
      ]),
      ...[true, false, true].map((data, n) => ['Plant', 'on', t0 + n * hour, data]),
      ...[1.5, null, 2.5, null, 5e-324, 1.7976931348623157e308].map((data, n) => ['Plant', 'kwh', t0 + n * hour, data]),
      ['Plant', 'kwh', t0 + 48 * hour, -0.1],
      ['Plant', 'shift', t0, 7],
      ['Plant', 'mode', t0, '@heating'],
      ...Array.from({ length: 60 }, (_, n) => ['Boiler "1", é', 'temp', t0 + n * hour, Math.sin(n) * 100]),
      ['Boiler "1", é', 'temp', t0 - 400 * 24 * hour, 1],
    ].map(([compId, streamId, time, data]) => ({ compId, streamId, time, data }))
    await ask(from, 'PUT', '/api/feed?autofillGapsWithNulls=false&derMaxS&derTout', JSON.stringify(samples))
  })
  after(() => service.close())

  const reports = async (what: string, format: string) => {
    const { text } = await ask(from, 'GET', `/api/export?what=${what}&format=${format}`)
    const { json } = await ask(to, 'POST', `/api/import?what=${what}`, text)
    const shown = (json as { import: { stored: number; refused: number; refusals: unknown } }).import
    assert.deepEqual(shown.refusals, [], what)
    return { stored: shown.stored, lines: text.split('\n').length - 1 }
  }

  const components = ['Boiler "1", é', 'Plant'].map(encodeURIComponent)
  const flags = 'retCompId&retStreamId&retIntvlSd&retFData&retUnit'
  const paths = [
    ...components.flatMap((id) => [
      `/api/comp/${id}/feed?${flags}`,
      `/api/comp/${id}/last_value?${flags}`,
      `/api/comp/${id}/property?name&description`,
    ]),
    ...components.flatMap((id) => statistics.map((stat) => `/api/comp/${id}/cycle/day/stat/${stat}/feed?${flags}`)),
    ...components.map((id) => `/api/comp/${id}/cycle/shift/stat/avg/last_value?${flags}`),
    ...['unit', 'cycle', 'folder', 'template', 'component'].map((name) => `/api/${name}?limit=1000`),
    '/api/export?what=samples&format=ndjson',
    '/api/export?what=catalogue',
    '/api/gql?s=' +
      encodeURIComponent(
        "SELECT id, time, sample(Range(sd='2000-01-01T00:00Z', ed='2030-01-01T00:00Z')) AS value FROM Stream WHERE cid = 'Plant' ORDER BY id, time",
      ),
  ]
  /** Uids are new in each organization: they are numbered in the order in which they come; versions count changes. */
  const comparable = (text: string) => {
    const uids = new Map<string, number>()
    return text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (uid) => {
        if (!uids.has(uid)) uids.set(uid, uids.size)
        return `uid ${uids.get(uid)}`
      })
      .replaceAll(/"version":\d+/g, '"version":0')
      .replaceAll(/"staleFrom":(null|\d+)/g, '"staleFrom":0')
  }

  for (const format of ['csv', 'ndjson'] as const)
    it(`gives the same replies to every call that reads, by way of ${format}`, async () => {
      const catalogue = await reports('catalogue', 'ndjson')
      assert.equal(catalogue.stored, catalogue.lines)
      await reports('samples', format)
      for (const path of format === 'csv' ? paths : paths.filter((each) => !each.includes('/stat/'))) {
        const [one, other] = await Promise.all(
          [from, to].map((key) => service.request('GET', `${path}&api_key=${key}`)),
        )
        assert.equal(one!.status, 200, `${path}: ${one!.text}`)
        assert.equal(other!.status, 200, path)
        assert.equal(comparable(other!.text), comparable(one!.text), path)
      }
      to = await newKey(`target-${format}`)
    })

  it('stays as it is when the same is imported again', async () => {
    await reports('catalogue', 'ndjson')
    await reports('samples', 'csv')
    const exported = () =>
      Promise.all(
        ['what=catalogue', 'what=samples&format=ndjson'].map(
          async (what) => (await ask(to, 'GET', `/api/export?${what}`)).text,
        ),
      )
    const before = await exported()
    await reports('catalogue', 'ndjson')
    await reports('samples', 'csv')
    assert.deepEqual(await exported(), before)
  })

  it('makes the other lines of a catalogue where some are refused, each with its reason', async () => {
    const target = await newKey('target-refused')
    const lines = [
      '{"unit":{"name":"A"}}',
      '{}',
      '{"unit":{}}',
      '{"unit":[]}',
      '{"unit":{"name":"B"}}',
      `{"cycle":{"uid":"${'u'.repeat(65)}","id":"day"}}`,
    ]
    const { json } = await ask(target, 'POST', '/api/import?what=catalogue', lines.join('\n'))
    const noLine = 'a line has one member, such as "unit", with an object'
    const { stored, refused, refusals } = (json as { import: Readonly<Record<string, unknown>> }).import
    assert.deepEqual([stored, refused], [2, 4])
    assert.deepEqual(refusals, [
      { line: 2, reason: noLine },
      { line: 3, reason: 'a unit must have a name or an id' },
      { line: 4, reason: noLine },
      { line: 6, reason: 'uid must have at most 64 characters' },
    ])
    const { text } = await ask(target, 'GET', '/api/export?what=catalogue')
    assert.deepEqual(
      text.match(/"unit":\{[^}]*"name":"[AB]"/g)?.map((unit) => unit.slice(-2, -1)),
      ['A', 'B'],
    )
  })

  it('is charged for the uids that it keeps, until the call ends', async () => {
    const before = importMemory.free()
    const lines = Array.from({ length: 100 }, (_, n) => `{"unit":{"uid":"uid ${n}","name":"kept"}}\n`).join('')
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.write(
      `POST /api/import?what=catalogue&api_key=${await newKey('target-kept')} HTTP/1.1\r\nHost: x\r\nContent-Length: ${lines.length + 1}\r\n\r\n${lines}`,
    )
    await eventually(async () => importMemory.free() <= before - 12 * 1024 * 1024 - 100 * 100)
    socket.destroy()
    await eventually(async () => importMemory.free() === before)
  })
})
