// Clients that vanish in the middle of whatever they do: nothing is stored by half, and nothing is held for them.
import assert from 'node:assert/strict'
import { largeReplies } from '../../src/base/http/large-reply.ts'
import { exportMemory } from '../../src/transfer/export.ts'
import { openRandom } from '../support/random.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { shortOrLong } from '../support/soak.ts'
import { openWire } from '../support/wire.ts'
import { eventually } from '../support/within.ts'

describe('clients that vanish in the middle', function () {
  this.timeout(300_000)
  let service: TestService
  let session: string
  before(async () => {
    service = await openTestService()
    const body = JSON.stringify({ email: service.ownerEmail, password: service.ownerPassword })
    const reply = await service.request('POST', '/api/login', { body })
    session = (reply.json as { sessionUid: string }).sessionUid
    const samples = Array.from({ length: 20_000 }, (_, time) => ({ compId: 'Kept', streamId: 'a', data: time, time }))
    assert.equal((await service.put('/api/feed', JSON.stringify(samples))).status, 200)
    const text = 'x'.repeat(4000)
    const texts = Array.from({ length: 1000 }, (_, time) => ({ compId: 'Kept', streamId: 'text', data: text, time }))
    assert.equal((await service.put('/api/feed', JSON.stringify(texts))).status, 200)
  })
  after(() => service.close())

  const withBody = (line: string, body: string, headers = '') =>
    `${line} HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  const requests = (n: number): readonly string[] => {
    const key = `api_key=${service.apiKey}`
    const rows = Array.from({ length: 2000 }, (_, time) => ({ compId: `Gone-${n}`, streamId: 'a', data: time, time }))
    const form = `--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n${'x'.repeat(300_000)}\r\n--b--\r\n`
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
      withBody(`POST /api/gql?session=${session}`, JSON.stringify({ s: script })),
      `GET /api/comp/Kept/stream/text/feed?limit=1000&${key} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET /api/export?${key} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET /api/live?compId=Kept&${key} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET /api/comp/Kept/stream/a/cycle/hour/stat/avg/feed?${key} HTTP/1.1\r\nHost: x\r\n\r\n`,
    ]
  }
  const metric = async (name: string): Promise<number> => {
    const { text } = await service.request('GET', '/metrics')
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 'NaN')
  }

  it('store nothing by half, and leave everything that they held to others', async () => {
    const free = { replies: largeReplies.free(), exports: exportMemory.free() }
    const { integer } = openRandom(7)
    const rounds = shortOrLong(4, 100)
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
    await eventually(async () => {
      const left = await service.sql`select from blob where stream_key is null`
      return left.length === 0
    })
    const made = await service.sql<
      { id: string }[]
    >`select id from component where id like 'Gone-%' or id like 'Made-%'`
    assert.deepEqual([...made], [])
    const samples = await service.sql<{ count: number }[]>`select count(*)::integer as count from sample`
    assert.equal(samples[0]!.count, 21_000)
    for (const [n, request] of requests(rounds).entries()) {
      if (request.includes('/api/live?')) continue
      const wire = await openWire(service.url)
      wire.send(request.replace('HTTP/1.1\r\n', 'HTTP/1.1\r\nConnection: close\r\n'))
      assert.match(await wire.rest(), /^HTTP\/1.1 20[01] /, `request ${n}`)
    }
  })
})
