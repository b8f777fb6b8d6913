// The client against a real service: uploads, readings of any length, entities, scripts, errors.
import assert from 'node:assert/strict'
import type { Client, NewSample } from '../../src/client/client.ts'
import { createClient, signIn } from '../../src/client/client.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import type { ScriptedServer } from './server.ts'
import { answer, openScriptedServer } from './server.ts'

const allOf = async <Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> => {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
const startMs = 1_767_225_600_000
const ticks = (compId: string, count: number): readonly NewSample[] =>
  Array.from({ length: count }, (_, n) => ({ compId, streamId: 'tick', time: startMs + n * 60_000, data: n }))

describe('the client', () => {
  let service: TestService
  let byKey: Client
  let owner: Client
  before(async () => {
    service = await openTestService()
    byKey = createClient({ url: `${service.url}/`, apiKey: service.apiKey })
    const { sessionUid } = await signIn({ email: service.ownerEmail, password: service.ownerPassword }, service)
    owner = createClient({ url: service.url, session: sessionUid })
  })
  after(() => service.close())

  it('stores samples and reads their last values', async () => {
    await byKey.put([{ compId: 'Boiler 1/2', streamId: 'tëmp', time: startMs, data: 20.5 }])
    await byKey.put([{ streamId: 'mode', data: 'on' }], { compId: 'Boiler 1/2' })
    const [temp, mode] = await byKey.lastValues('Boiler 1/2', { retStreamId: true })
    assert.deepEqual(temp, { streamId: 'tëmp', time: startMs, data: 20.5 })
    assert.equal(mode!.data, 'on')
    assert.deepEqual(await byKey.lastValues('Boiler 1/2', { stream: 'tëmp' }), [{ time: startMs, data: 20.5 }])
  })

  it('reads a feed of any length, of one stream and of all, and only as much as is asked for', async () => {
    await byKey.put(ticks('Clock', 2500))
    const one = await allOf(byKey.samples('Clock', { stream: 'tick' }))
    assert.deepEqual(
      one.map(({ data }) => data),
      Array.from({ length: 2500 }, (_, n) => 2499 - n),
    )
    assert.equal((await allOf(byKey.samples('Clock', { retStreamId: true }))).length, 2500)
    assert.equal((await allOf(byKey.samples('Clock', { limit: 1200 }))).length, 1200)
    const window = { stream: 'tick', sd: startMs, ed: startMs + 120_000 }
    assert.deepEqual(
      (await allOf(byKey.samples('Clock', window))).map(({ data }) => data),
      [1, 0],
    )
  })

  it('asks for no more pages than are read', async () => {
    let calls = 0
    const counting = createClient({
      url: service.url,
      apiKey: service.apiKey,
      fetch: (...request) => {
        calls++
        return fetch(...request)
      },
    })
    for await (const { data } of counting.samples('Clock', { stream: 'tick' })) if (data === 1499) break
    assert.equal(calls, 2)
  })

  it('reads statistics', async () => {
    const hours = await allOf(byKey.statistics('Clock', { stream: 'tick', cycle: 'hour', statistic: 'max', limit: 2 }))
    assert.deepEqual(
      hours.map(({ data }) => data),
      [2499, 2459],
    )
  })

  it('lists more entities than a reply has, makes, changes and removes them', async () => {
    const folder = '/Components/Many'
    await byKey.put(
      Array.from({ length: 1100 }, (_, n) => ({ compId: `Many ${n}`, streamId: 'x', time: 1, data: n })),
      { folder },
    )
    const listed = await allOf(owner.entities('component').list({ folder }))
    assert.equal(new Set(listed.map(({ id }) => id)).size, 1100)
    assert.equal((await allOf(owner.entities('component').list({ folder, limit: 3 }))).length, 3)
    const units = owner.entities('unit')
    const unit = await units.make({ id: 'celsius', symbol: ' °C' })
    assert.equal((await units.change(unit.uid, { numberFormat: '0.0', version: unit.version })).numberFormat, '0.0')
    assert.equal((await units.show(unit.uid)).symbol, ' °C')
    await assert.rejects(units.change(unit.uid, { name: 'x', version: 1 }), { status: 409, code: 'stale_version' })
    await units.remove(unit.uid)
    await assert.rejects(units.show(unit.uid), { status: 404, code: 'unit_not_found' })
  })

  it('runs scripts, short and long, and says where one is wrong', async () => {
    const script = "SELECT id FROM Stream WHERE cid = 'Clock'"
    assert.deepEqual((await owner.query(script)).rows, [['tick']])
    assert.deepEqual((await owner.query(`${script}${' '.repeat(20_000)}`)).rows, [['tick']])
    const { inserted } = await owner.run("INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ('Made', 'x', 1, 2)")
    assert.equal(inserted, 1)
    await assert.rejects(owner.query('SELECT\n  nothing here'), { code: 'script_error', line: 2 })
  })

  it('lists all components, also where 1,000 of them have more streams than a reply may', async () => {
    const ids = Array.from({ length: 22 }, (_, n) => `Wide ${String(n).padStart(2, '0')}`)
    for (const compId of ids)
      await byKey.put(Array.from({ length: 1000 }, (_, n) => ({ compId, streamId: `s${n}`, time: 1, data: n })))
    const query = { text: 'Wide', limit: 1000 }
    await assert.rejects(owner.call('GET /api/component', { query }), {
      status: 413,
      message: 'these have more than 20000 streams, ask for fewer: limit=20',
    })
    const listed = await allOf(owner.entities('component').list({ text: 'Wide' }))
    assert.deepEqual(new Set(listed.map(({ id }) => id)), new Set(ids))
    assert.equal(listed.length, ids.length)
    assert.ok(listed.every(({ stream }) => stream.length === 1000))
    const some = await allOf(owner.entities('component').list({ text: 'Wide', limit: 21 }))
    assert.equal(some.length, 21)
  })

  it('reads by a query alone, however long it is, also with a key', async () => {
    const { api_key: made } = await owner.call('POST /api/api_key', {
      body: { name: 'Reader', capabilities: [{ resource: 'gql', methods: ['GET'] }] },
    })
    const reader = createClient({ url: service.url, apiKey: (made as { readonly secret?: string }).secret! })
    const padding = ' '.repeat(20_000)
    assert.deepEqual((await reader.query(`SELECT 1${padding}`)).rows, [[1]])
    const insert = "INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ('Unmade', 'x', 1, 2)"
    for (const client of [owner, reader]) {
      await assert.rejects(client.query(insert), { status: 405, message: 'a script that writes needs POST' })
      const message = 'a script that writes is refused with "reads":true'
      await assert.rejects(client.query(`${insert}${padding}`), { status: 400, message })
    }
    await assert.rejects(byKey.lastValues('Unmade'), { code: 'component_not_found' })
  })

  it('gives the bytes of a file as they are', async () => {
    const path = { compId: 'Gate', streamId: 'notes', fileName: 'a b.bin' }
    const bytes = Uint8Array.of(0, 255, 10, 13)
    const operation = '/api/comp/{compId}/stream/{streamId}/feed/file/{fileName}'
    await byKey.call(`PUT ${operation}`, { path, body: bytes, query: { time: 1 } })
    const reply = await byKey.fetch(`GET ${operation}`, { path })
    assert.deepEqual(new Uint8Array(await reply.arrayBuffer()), bytes)
  })

  it('refuses a name that an address would lose, before anything is sent', async () => {
    await assert.rejects(byKey.lastValues('..'), /cannot be the compId of a path/)
    await assert.rejects(byKey.lastValues(''), /cannot be the compId of a path/)
  })

  it('repeats a parameter that is given as a list, and sets flags', async () => {
    const reply = await byKey.call('PUT /api/feed', {
      query: { compId: 'Clock', time: String(startMs - 1), tick: -1, rsid: ['tick', 'tock'] },
    })
    assert.deepEqual(reply, {
      tick: 2499,
      tock: null,
      missing: [{ itemType: 'stream', itemId: 'tock', componentId: 'Clock' }],
    })
  })
})

describe('an upload of the client', () => {
  let service: TestService
  let server: ScriptedServer
  before(async () => {
    service = await openTestService()
    server = await openScriptedServer()
  })
  after(async () => {
    await server.close()
    await service.close()
  })
  const client = () => createClient({ url: server.url, retries: 2 })
  const sizes = () => server.calls.map(({ body }) => (JSON.parse(body) as readonly unknown[]).length)

  it('stores everything that was added, in arrays', async () => {
    const real = createClient({ url: service.url, apiKey: service.apiKey })
    const upload = real.upload({ maxSamples: 1000 })
    for (const sample of ticks('Clock', 3300)) await upload.add(sample)
    await upload.close()
    assert.deepEqual([upload.stored(), upload.waiting()], [3300, 0])
    assert.equal((await allOf(real.samples('Clock'))).length, 3300)
    await assert.rejects(upload.add({ streamId: 'x', data: 1 }), /closed/)
  })

  it('counts nothing as stored before the server has said so', async () => {
    const upload = client().upload()
    server.script((response) => {
      assert.deepEqual([upload.stored(), upload.waiting()], [0, 2])
      response.end()
    })
    await upload.add(...ticks('a', 2))
    await upload.flush()
    assert.deepEqual([upload.stored(), upload.waiting()], [2, 0])
  })

  it('sends by number, by size, and by age', async () => {
    server.script(answer(200))
    const byNumber = client().upload({ maxSamples: 2 })
    await byNumber.add(...ticks('a', 5))
    await byNumber.close()
    assert.deepEqual(sizes(), [2, 2, 1])
    server.script(answer(200))
    const bySize = client().upload({ maxLength: 100 })
    await bySize.add(...ticks('a', 2), { compId: 'a', streamId: 'x', data: 'long'.repeat(100) }, ...ticks('b', 1))
    await bySize.close()
    assert.deepEqual(sizes(), [1, 1, 1, 1])
    server.script(answer(200))
    const byAge = client().upload({ maxDelayMs: 1 })
    await byAge.add(...ticks('a', 1))
    while (byAge.stored() < 1) await new Promise((resolve) => setTimeout(resolve, 5))
  })

  it('makes its caller wait while too much is under way', async () => {
    let release = () => {}
    server.script((response) => void (release = () => response.end()), answer(200))
    const upload = client().upload({ maxSamples: 1, maxWaiting: 2 })
    let added = 0
    const adding = (async () => {
      for (const sample of ticks('a', 10)) {
        await upload.add(sample)
        added++
      }
    })()
    while (server.calls.length < 1) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.equal(added, 2)
    release()
    await adding
    await upload.close()
    assert.equal(upload.stored(), 10)
  })

  it('stamps samples without a time, so that they may be sent again after a lost answer', async () => {
    server.script((_, request) => request.socket.destroy(), answer(200))
    const upload = client().upload()
    await upload.add({ compId: 'a', streamId: 'x', data: 1 })
    await upload.close()
    const [first, second] = server.calls
    assert.equal(first!.body, second!.body)
    assert.match(first!.body, /"time":\d{13}/)
    assert.equal(upload.stored(), 1)
  })

  it('reports a refusal to the next who adds, flushes or closes, and sends nothing more', async () => {
    server.script(answer(400, { success: false, code: 'bad_request', message: 'no' }))
    const upload = client().upload({ maxSamples: 1 })
    await upload.add(...ticks('a', 3)).catch(() => undefined)
    await assert.rejects(upload.flush(), { code: 'bad_request' })
    await assert.rejects(upload.add(...ticks('a', 1)), { code: 'bad_request' })
    await assert.rejects(upload.close(), { code: 'bad_request' })
    assert.deepEqual([server.calls.length, upload.stored()], [1, 0])
  })

  it('sends nothing that was waiting for its time when another was refused', async () => {
    server.script(answer(400, { success: false, code: 'bad_request', message: 'no' }))
    const upload = client().upload({ maxSamples: 2, maxDelayMs: 20 })
    await upload.add(...ticks('a', 3)).catch(() => undefined)
    await assert.rejects(upload.flush(), { code: 'bad_request' })
    await new Promise((resolve) => setTimeout(resolve, 60))
    assert.equal(server.calls.length, 1)
  })

  it('hands refused samples over and goes on, where that is asked for', async () => {
    server.script(answer(400, { success: false, code: 'bad_request', message: 'no' }), answer(200))
    const refused: unknown[] = []
    const upload = client().upload({ maxSamples: 2, onRefused: (error, samples) => refused.push(error, samples) })
    await upload.add(...ticks('a', 4))
    await upload.close()
    assert.deepEqual((refused[0] as { readonly code: string }).code, 'bad_request')
    assert.deepEqual(refused[1], ticks('a', 2))
    assert.equal(upload.stored(), 2)
  })
})
