// Files under load and under breakage: many at once, slow ones, ones that break off, ones that are replaced while they
// are read. Every byte is compared.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { sweepContents } from '../../src/core/file/blob.ts'
import { pieceBytes } from '../../src/core/file/blob-store.ts'
import { openRemover } from '../../src/core/upkeep/removal.ts'
import type { Files } from '../support/file.ts'
import { openFiles } from '../support/file.ts'
import { openManager } from '../support/manage.ts'
import { openRandom } from '../support/random.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { shortOrLong } from '../support/soak.ts'
import { openWire } from '../support/wire.ts'
import { eventually } from '../support/within.ts'

const path = (name: string, component = 'Yard', stream = 'photo') =>
  `/api/comp/${component}/stream/${stream}/feed/file/${name}`

describe('many files', () => {
  let service: TestService
  let files: Files
  before(async () => {
    service = await openTestService({ fileMaxBytes: 64 * 1024 * 1024 })
    files = openFiles(service)
  })
  after(() => service.close())

  const counts = async () => {
    const [row] = await service.sql<[{ contents: number; pieces: number }]>`
      select (select count(*)::integer from blob) as contents, (select count(*)::integer from blob_piece) as pieces`
    return row
  }
  /** As if the grace period were over. */
  const sweepAll = async () => {
    await service.sql`update blob set check_at = now()`
    while (await sweepContents(service.sql));
  }

  it('go up and come down at once in random sizes, byte for byte', async function () {
    const random = openRandom(50)
    const contents = Array.from({ length: shortOrLong(12, 50) }, (_, index) => ({
      name: `file-${index}`,
      component: `Yard ${index % 5}`,
      bytes: random.bytes(random.integer(2) === 0 ? random.integer(5000) + 1 : random.integer(8 * pieceBytes) + 1),
    }))
    const roundTrip = async ({ name, component, bytes }: (typeof contents)[number], index: number) => {
      const address = path(name, encodeURIComponent(component))
      const uploaded = await (index % 2 === 0 ? files.put(address, bytes) : files.putForm(address, bytes))
      assert.equal(uploaded.status, 200, uploaded.text)
      const whole = await files.get(address)
      assert.ok(whole.bytes.equals(bytes), `${name} of ${bytes.length} bytes`)
      const from = random.integer(bytes.length)
      const part = await files.get(address, { Range: `bytes=${from}-` })
      assert.ok(part.bytes.equals(bytes.subarray(from)), `${name} from ${from}`)
    }
    await Promise.all(contents.map(roundTrip))
    for (const { name, component, bytes } of contents)
      assert.ok((await files.get(path(name, encodeURIComponent(component)))).bytes.equals(bytes), name)
  })

  it('hold up nobody when devices are slow', async function () {
    const before = await counts()
    const bytes = openRandom(51).bytes(pieceBytes + 5)
    const slow = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const wire = await openWire(service.url)
        wire.send(`PUT ${path(`slow-${index}`, 'Slow')}?api_key=${service.apiKey} HTTP/1.1\r\nHost: x\r\n`)
        wire.send(`Content-Length: ${bytes.length}\r\n\r\n`)
        wire.send(bytes.subarray(0, bytes.length - 1))
        return wire
      }),
    )
    await eventually(async () => (await counts()).pieces === before.pieces + 100)
    // All of them wait for a last byte. No connection waits with them, and neither do others.
    const [waiting] = await service.sql<[{ busy: number }]>`
      select count(*)::integer as busy from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`
    assert.equal(waiting.busy, 0)
    assert.equal((await files.put(path('quick'), 'quick')).status, 200)
    assert.equal((await service.put('/api/feed?compId=Yard&temp=1')).status, 200)
    const manage = await openManager(service)
    await manage.make('component', { id: 'Changed meanwhile', name: 'x' })
    assert.equal((await service.get('/api/comp/Slow/feed')).status, 404)
    for (const wire of slow) wire.send(bytes.subarray(-1))
    for (const wire of slow) {
      assert.equal((await wire.reply()).statusLine, 'HTTP/1.1 200 OK')
      wire.close()
    }
    const listed = (await service.get('/api/comp/Slow/feed')).json as { data: string; size: number }[]
    assert.equal(listed.length, 100)
    for (const { data } of listed.slice(0, 5)) assert.ok((await files.get(data)).bytes.equals(bytes))
  })

  it('survive connections that the database ends', async () => {
    const bytes = openRandom(55).bytes(6 * pieceBytes)
    const before = await counts()
    const wire = await openWire(service.url)
    wire.send(`PUT ${path('survivor')}?api_key=${service.apiKey} HTTP/1.1\r\nHost: x\r\n`)
    wire.send(`Content-Length: ${bytes.length}\r\n\r\n`)
    wire.send(bytes.subarray(0, 3 * pieceBytes))
    await eventually(async () => (await counts()).pieces === before.pieces + 3)
    const ended = await service.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'coppice files'`
    assert.ok(ended.length > 0)
    wire.send(bytes.subarray(3 * pieceBytes))
    assert.equal((await wire.reply()).statusLine, 'HTTP/1.1 200 OK')
    wire.close()
    assert.ok((await files.get(path('survivor'))).bytes.equals(bytes))
  })

  describe('that break off', () => {
    const heading = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'

    for (const [what, headers, body] of [
      ['in the middle of a body', 'Content-Length: 1000000\r\n', Buffer.alloc(3 * pieceBytes)],
      ['in the middle of a chunk', 'Transfer-Encoding: chunked\r\n', `f4240\r\n${'x'.repeat(3 * pieceBytes)}`],
      [
        'in the middle of a form',
        'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n',
        heading + 'x'.repeat(3 * pieceBytes),
      ],
    ] as const)
      it(`leave nothing behind ${what}`, async () => {
        const before = await counts()
        const wire = await openWire(service.url)
        wire.send(`PUT ${path('broken', 'Broken')}?api_key=${service.apiKey} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`)
        wire.send(body)
        await eventually(async () => (await counts()).pieces > before.pieces)
        wire.close()
        await eventually(async () => (await counts()).contents === before.contents)
        assert.deepEqual(await counts(), before)
        assert.equal((await service.get('/api/comp/Broken/feed')).status, 404)
      })

    it('do so as well when the client ends them in good order, but too early', async () => {
      const before = await counts()
      const wire = await openWire(service.url)
      wire.send(`PUT ${path('broken', 'Broken')}?api_key=${service.apiKey} HTTP/1.1\r\nHost: x\r\n`)
      wire.send('Content-Length: 1000000\r\n\r\n')
      wire.send(Buffer.alloc(3 * pieceBytes))
      await eventually(async () => (await counts()).pieces > before.pieces)
      wire.socket.end()
      await eventually(async () => (await counts()).contents === before.contents)
      assert.deepEqual(await counts(), before)
    })

    it('leave the file that they were to replace as it was', async () => {
      await files.put(`${path('kept')}?time=7000`, 'kept')
      const before = await counts()
      const wire = await openWire(service.url)
      wire.send(`PUT ${path('kept')}?time=7000&api_key=${service.apiKey} HTTP/1.1\r\nHost: x\r\n`)
      wire.send('Content-Length: 1000000\r\n\r\n')
      wire.send(Buffer.alloc(3 * pieceBytes))
      await eventually(async () => (await counts()).pieces > before.pieces)
      wire.close()
      await eventually(async () => (await counts()).contents === before.contents)
      assert.equal((await files.get(path('kept'))).bytes.toString(), 'kept')
    })
  })

  /** A download whose body is not read yet. */
  const open = async (address: string): Promise<IncomingMessage> => {
    const call = request(`${service.url}${address}?api_key=${service.apiKey}`, { agent: false })
    call.end()
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    return response
  }
  const readAll = async (response: IncomingMessage): Promise<Buffer> => {
    const chunks: Buffer[] = []
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  it('are read to their end by those who began before they were replaced or deleted', async function () {
    const random = openRandom(52)
    // More than the buffers on the way can hold, so that most of it is still in the database.
    const [old, replacing] = [random.bytes(20_000_000), random.bytes(1000)]
    await files.put(`${path('replaced')}?time=8000`, old)
    await files.put(`${path('deleted')}?time=8001`, old)
    const [first, second] = [await open(path('replaced')), await open(path('8001/deleted'))]
    await files.put(`${path('replaced')}?time=8000`, replacing)
    const manage = await openManager(service)
    await manage.ask('DELETE', '/api/comp/Yard/stream/photo/feed?sd=8001&ed=8002')
    while (await sweepContents(service.sql));
    assert.ok((await files.get(path('replaced'))).bytes.equals(replacing))
    assert.equal((await files.get(path('8001/deleted'))).status, 404)
    assert.ok((await readAll(first)).equals(old))
    assert.ok((await readAll(second)).equals(old))
  })

  it('end in an error when their pieces are gone while they are read, never in other bytes', async function () {
    const bytes = openRandom(53).bytes(20_000_000)
    await files.put(`${path('gone')}?time=9000`, bytes)
    const response = await open(path('gone'))
    const manage = await openManager(service)
    await manage.ask('DELETE', '/api/comp/Yard/stream/photo/feed?sd=9000&ed=9001')
    await sweepAll()
    await assert.rejects(readAll(response))
  })

  it('are always one or the other when they are replaced all the time', async function () {
    const random = openRandom(54)
    const versions = Array.from({ length: 4 }, () => random.bytes(pieceBytes + random.integer(3 * pieceBytes)))
    const address = path('changing')
    await files.put(`${address}?time=10000`, versions[0]!)
    const over = new AbortController()
    const replace = async () => {
      for (let round = 0; round < 20; round += 1)
        assert.equal((await files.put(`${address}?time=10000`, random.pick(versions))).status, 200)
      over.abort()
    }
    const read = async () => {
      let reads = 0
      for (; !over.signal.aborted; reads += 1) {
        const { status, bytes } = await files.get(reads % 2 === 0 ? address : path('10000/changing'))
        assert.equal(status, 200)
        assert.ok(versions.some((version) => version.equals(bytes)))
      }
      return reads
    }
    const [, ...reads] = await Promise.all([replace(), read(), read(), read()])
    assert.ok(reads.every((count) => count > 0))
  })

  describe('whose owners go', () => {
    it('go with their stream', async () => {
      await sweepAll()
      const before = await counts()
      await files.put(path('a', 'Doomed'), 'x')
      await files.put(path('b', 'Doomed', 'other'), 'x')
      const manage = await openManager(service)
      const [component] = await manage.list('component', 'text=Doomed')
      const { stream } = await manage.one('component', component!.uid)
      await manage.ask('DELETE', `/api/stream/${stream[0]!.uid}`)
      const drain = async () => {
        const remove = openRemover()
        while (await remove(service.sql));
      }
      await drain()
      await sweepAll()
      assert.equal((await counts()).contents, before.contents + 1)
      await manage.ask('DELETE', `/api/component/${component!.uid}`)
      await drain()
      await sweepAll()
      assert.deepEqual(await counts(), before)
    })

    it('go with their organization', async () => {
      const manage = await openManager(service)
      await files.put(path('last', 'Last'), Buffer.alloc(2 * pieceBytes))
      assert.ok((await counts()).contents > 0)
      const session = await service.request('POST', '/api/login', {
        body: JSON.stringify({ email: service.ownerEmail, password: service.ownerPassword }),
        headers: { 'Content-Type': 'application/json' },
      })
      const { sessionUid } = session.json as { sessionUid: string }
      const address = `/api/organization/${service.organizationUid}?session=${sessionUid}`
      assert.equal((await service.request('DELETE', address)).status, 202)
      assert.equal((await manage.ask('GET', path('last', 'Last'))).status, 401)
      const remove = openRemover()
      while (await remove(service.sql));
      await sweepAll()
      assert.deepEqual(await counts(), { contents: 0, pieces: 0 })
    })
  })
})
