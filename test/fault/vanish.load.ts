// Clients that vanish in the middle of whatever they do: nothing is stored by half, and nothing is held for them.
import assert from 'node:assert/strict'
import { transaction } from '../../src/base/database/sql.ts'
import { largeReplies } from '../../src/base/http/large-reply.ts'
import { exportMemory } from '../../src/transfer/export-places.ts'
import { openImporting } from '../support/import.ts'
import type { Importing } from '../support/import.ts'
import { addApiKey } from '../support/people.ts'
import { openRandom } from '../support/random.ts'
import type { TestService } from '../support/service.ts'
import { shortOrLong } from '../support/soak.ts'
import { openWire } from '../support/wire.ts'
import { eventually } from '../support/within.ts'

const imported = 500

describe('clients that vanish in the middle', function () {
  this.timeout(300_000)
  let importing: Importing
  let service: TestService
  let session: string
  let sinkKey: string
  let importUid: string
  before(async () => {
    importing = await openImporting()
    ;({ service } = importing)
    importUid = await importing.make({
      externalSql: `select n, n from generate_series(1, ${imported}) n`,
      ingestSql: `
        INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
        SELECT 'Import', 'a', t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 t LONG, 2 v LONG)`,
    })
    const sink = {
      type: 'http',
      name: 'sink',
      endpoint: 'sink',
      runAsUserUid: importing.admin.user.uid,
      sql: `
        INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
        SELECT c, 's', t, t FROM JSON_TABLE(@HTTP_BODY) WITH (c String '$[*].compId', t Long '$[*].time')`,
    }
    assert.equal((await importing.ask('POST', '/api/connector', sink)).status, 201)
    const capability = { resource: 'connector/*/sink', methods: ['POST'] } as const
    sinkKey = (await addApiKey(service.sql, service.organizationUid, [capability])).secret
    const body = JSON.stringify({ email: service.ownerEmail, password: service.ownerPassword })
    const reply = await service.request('POST', '/api/login', { body })
    session = (reply.json as { sessionUid: string }).sessionUid
    const samples = Array.from({ length: 20_000 }, (_, time) => ({ compId: 'Kept', streamId: 'a', data: time, time }))
    assert.equal((await service.put('/api/feed', JSON.stringify(samples))).status, 200)
    const text = 'x'.repeat(4000)
    const texts = Array.from({ length: 1000 }, (_, time) => ({ compId: 'Kept', streamId: 'text', data: text, time }))
    assert.equal((await service.put('/api/feed', JSON.stringify(texts))).status, 200)
  })
  after(() => importing.close())

  /** Of each stream from which samples are deleted. */
  const deleted = 100
  const putToDelete = async (streamId: string) => {
    const samples = Array.from({ length: deleted }, (_, time) => ({ compId: 'Fewer', streamId, data: time, time }))
    assert.equal((await service.put('/api/feed', JSON.stringify(samples))).status, 200)
  }
  const withBody = (line: string, body: string, headers = '') =>
    `${line} HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  const requests = (n: number): readonly string[] => {
    const key = `api_key=${service.apiKey}`
    const rows = Array.from({ length: 2000 }, (_, time) => ({ compId: `Gone-${n}`, streamId: 'a', data: time, time }))
    const form = `--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n${'x'.repeat(300_000)}\r\n--b--\r\n`
    const csv = `compId,streamId,time,data\n${rows.map(({ time }) => `Gone-${n},c,${time},1`).join('\n')}\n`
    const script = "SELECT cid, sample(cycleId='day', stat='max') FROM Stream"
    return [
      withBody(`PUT /api/feed?${key}`, JSON.stringify(rows)),
      withBody(`PUT /api/comp/Gone-${n}/stream/f/feed/file/raw?${key}`, 'x'.repeat(300_000)),
      withBody(
        `PUT /api/comp/Gone-${n}/stream/g/feed/file/form?${key}`,
        form,
        'Content-Type: multipart/form-data; boundary=b\r\n',
      ),
      withBody(
        `POST /api/component?session=${session}`,
        JSON.stringify({ id: `Made-${n}`, description: 'x'.repeat(5000) }),
      ),
      withBody(`POST /api/conn_sink/${service.organizationUid}/sink?api_key=${sinkKey}`, JSON.stringify(rows)),
      withBody(`POST /api/import?${key}`, csv),
      withBody(`POST /api/connector/${importUid}/run?session=${session}`, ''),
      `DELETE /api/comp/Fewer/stream/d${n}/feed?sd=0&ed=${deleted}&session=${session} HTTP/1.1\r\nHost: x\r\n\r\n`,
      withBody(`POST /api/gql?session=${session}`, JSON.stringify({ s: script })),
      `GET /api/comp/Kept/stream/text/feed?limit=1000&${key} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET /api/export?${key} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET /api/export?format=parquet&${key} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET /api/export?what=statistics&cycle=hour&stat=avg&${key} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET /api/live?compId=Kept&${key} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET /api/comp/Kept/stream/a/cycle/hour/stat/avg/feed?${key} HTTP/1.1\r\nHost: x\r\n\r\n`,
    ]
  }
  const countOf = async (componentId: string, streamId: string): Promise<number> => {
    const [row] = await service.sql<[{ count: number }]>`
      select count(*)::integer as count
      from sample
      join stream on stream.key = sample.stream_key
      join component on component.key = stream.component_key
      where component.id = ${componentId} and stream.id = ${streamId}`
    return row.count
  }
  const hasNoContentsLeft = async () => (await service.sql`select from blob where stream_key is null`).length === 0
  /** Runs that were begun go on without their clients, and succeed. */
  const hasNoRunLeft = async () => {
    const runs = await importing.runs(importUid)
    for (const { error } of runs) assert.equal(error, null)
    return runs.every(({ end }) => end !== null)
  }
  const isIdle = async () => {
    const busy = await service.sql`
      select from pg_stat_activity
      where datname = current_database() and application_name like 'coppice%' and state <> 'idle'`
    return busy.length === 0
  }
  const metric = async (name: string): Promise<number> => {
    const { text } = await service.request('GET', '/metrics')
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 'NaN')
  }

  it('store nothing by half, and leave everything that they held to others', async () => {
    const free = { replies: largeReplies.free(), exports: exportMemory.free() }
    const { integer } = openRandom(7)
    const rounds = shortOrLong(4, 100)
    for (let n = 0; n <= rounds; n += 1) await putToDelete(`d${n}`)
    for (let n = 0; n < rounds; n += 1)
      await Promise.all(
        requests(n).map(async (request) => {
          const wire = await openWire(service.url)
          // Not the last byte of a body; a request without one is sent whole, and left with its reply under way.
          const sent = request.endsWith('\r\n\r\n') ? request.length : integer(request.length - 1)
          wire.send(request.slice(0, sent))
          if (n % 2 === 0) await new Promise((resolve) => wire.socket.write('', resolve))
          wire.socket.destroy()
        }),
      )
    await eventually(async () => largeReplies.free() === free.replies && exportMemory.free() === free.exports)
    await eventually(async () => (await metric('coppice_live_listeners')) === 0)
    await eventually(async () => (await metric('coppice_waiting_samples')) === 0)
    await eventually(hasNoContentsLeft)
    await eventually(hasNoRunLeft)
    const made = await service.sql<
      { id: string }[]
    >`select id from component where id like 'Gone-%' or id like 'Made-%'`
    assert.deepEqual([...made], [])
    for (let n = 0; n < rounds; n += 1)
      assert.ok([0, deleted].includes(await countOf('Fewer', `d${n}`)), `half of deletion ${n}`)
    assert.ok([0, imported].includes(await countOf('Import', 'a')), 'half of an import')
    const [kept] = await service.sql<[{ count: number }]>`
      select count(*)::integer as count
      from sample
      join stream on stream.key = sample.stream_key
      join component on component.key = stream.component_key
      where component.id not in ('Fewer', 'Import')`
    assert.equal(kept.count, 21_000)
    for (const [n, request] of requests(rounds).entries()) {
      if (request.includes('/api/live?')) continue
      const wire = await openWire(service.url)
      wire.send(request.replace('HTTP/1.1\r\n', 'HTTP/1.1\r\nConnection: close\r\n'))
      assert.match(await wire.rest(), /^HTTP\/1.1 20[01] /, `request ${n}`)
    }
  })

  it('are served whole, or not at all, when they vanish while it is done; a run of an import goes on', async () => {
    const [feed, raw, form, , sink, history, run, deletion] = requests(1000)
    await putToDelete('d1000')
    await service.sql`delete from sample using stream, component
      where stream.key = sample.stream_key and component.key = stream.component_key and component.id = 'Import'`
    const kinds = [
      [feed!, 'Gone-1000', 'a', [0, 2000]],
      [raw!, 'Gone-1000', 'f', [0, 1]],
      [form!, 'Gone-1000', 'g', [0, 1]],
      [sink!, 'Gone-1000', 's', [0, 2000]],
      [history!, 'Gone-1000', 'c', [0, 2000]],
      [deletion!, 'Fewer', 'd1000', [0, deleted]],
      [run!, 'Import', 'a', [imported]],
    ] as const
    for (const [request, componentId, streamId, counts] of kinds) {
      const wire = await openWire(service.url)
      await transaction(service.sql, async (sql) => {
        await sql`lock table sample in access exclusive mode`
        wire.send(request)
        await eventually(async () => {
          const waiting = await service.sql`
            select from pg_locks where not granted and relation = 'sample'::regclass and database = (
              select oid from pg_database where datname = current_database())`
          return waiting.length > 0
        })
        wire.socket.destroy()
      })
      await eventually(isIdle)
      await eventually(hasNoRunLeft)
      const count = await countOf(componentId, streamId)
      assert.ok(
        counts.some((allowed) => allowed === count),
        `${request.split('?')[0]}: ${count}`,
      )
    }
    await eventually(hasNoContentsLeft)
  })
})
