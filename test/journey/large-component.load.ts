// A single component whose streams have long texts: there is a limit to these, and within it every reply that shows them is
// whole, and charged to its caller until it is read.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { largeReplies } from '../../src/base/http/large-reply.ts'
import { assertRefused, storesNothing } from '../support/feed.ts'
import { openManager, refusal } from '../support/manage.ts'
import type { Manager } from '../support/manage.ts'
import { addApiKey } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { within } from '../support/within.ts'

describe('a component of many streams with long texts', function () {
  this.timeout(120_000)
  let service: TestService
  let manage: Manager
  let secret: string
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
    secret = (
      await addApiKey(service.sql, service.organizationUid, [{ resource: '*', methods: ['GET', 'PUT', 'POST'] }])
    ).secret
  })
  after(() => service.close())

  /** With 2,000 streams, whose descriptions have so many characters. */
  const makeLarge = async (name: 'component' | 'template', id: string, characters: number) => {
    const { uid } = await manage.make(name, { id })
    await service.sql`
      insert into stream (component_key, id, name, description, kind, value_type, position)
      select component.key, 's' || n, 's', repeat('x', ${characters}::integer), 'random', 'DOUBLE', n
      from component, generate_series(1, 2000) as n
      where uid = ${uid}`
    return uid
  }
  const megabyte = 1_000_000
  const writeUnread = (method: string, path: string, body = '') => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {})
    socket.pause()
    socket.write(
      `${method} ${path}?api_key=${secret} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    return socket
  }
  const ask = async (method: string, path: string, input?: object) => {
    const reply = await fetch(`${service.url}${path}?api_key=${secret}`, {
      method,
      ...(input ? { body: JSON.stringify(input) } : {}),
    })
    const text = await reply.text()
    assert.equal(reply.headers.get('content-length'), String(Buffer.byteLength(text)))
    return { status: reply.status, text }
  }

  for (const name of ['component', 'template'] as const)
    describe(`as a ${name}`, () => {
      let uid: string
      before(async () => (uid = await makeLarge(name, `Large ${name}`, 5000)))
      const calls: readonly [method: string, path: () => string, input: () => object | undefined, status: number][] = [
        ['GET', () => `/${uid}`, () => undefined, 200],
        ['PUT', () => `/${uid}`, () => ({ name: 'another' }), 200],
        [
          'POST',
          () => '',
          () => ({ name: 'like it', id: null, [name === 'component' ? 'templateUid' : 'fromComponentUid']: uid }),
          201,
        ],
      ]
      for (const [method, path, input, status] of calls)
        it(`is shown whole by a ${method}, and charged to its caller until it is read`, async () => {
          if (method === 'POST')
            uid = await makeLarge(name === 'component' ? 'template' : 'component', `For ${name}`, 5000)
          const whole = await ask(method, `/api/${name}${path()}`, input())
          assert.equal(whole.status, status, whole.text.slice(0, 200))
          const shown = JSON.parse(whole.text) as Record<typeof name, { readonly stream: readonly unknown[] }>
          assert.equal(shown[name].stream.length, 2000)
          assert.ok(whole.text.length > 10 * megabyte)
          await within(20_000, async () => largeReplies.waiting() === 0)
          const free = largeReplies.free()
          const socket = writeUnread(method, `/api/${name}${path()}`, input() ? JSON.stringify(input()) : '')
          await within(60_000, async () => free - largeReplies.free() > 10 * megabyte)
          socket.destroy()
          await within(20_000, async () => largeReplies.free() === free)
        })
    })

  it('has texts of 16 MiB at most, whichever call makes them longer', async () => {
    const long = 'y'.repeat(10_000)
    await manage.make('template', { id: 'long', stream: [{ id: 'd', description: long }] })
    // 350 bytes, an ID and a name besides, and 323 bytes are left.
    const uid = await makeLarge('component', 'Heavy', 8033)
    const post = (id: string) => manage.ask('POST', '/api/stream', { componentUid: uid, id, description: long })
    const streams = (await manage.one('component', uid)).stream.map((stream) => ({ uid: stream.uid }))
    const first = streams[0]!.uid
    const message = "the texts of a component's streams may take 16777216 bytes: shorten their descriptions"
    const refused = refusal(413, 'too_large', message)
    await storesNothing(service, async () => {
      assert.deepEqual(await post('one more'), refused)
      assert.deepEqual(await manage.ask('PUT', `/api/stream/${first}`, { description: long }), refused)
      const heavier = [{ uid: first, description: long }, ...streams.slice(1)]
      assert.deepEqual(await manage.ask('PUT', `/api/component/${uid}`, { stream: heavier }), refused)
      const upload = await service.put('/api/feed?compId=Heavy&new=1&dtId=long&dsId=d')
      assertRefused(upload, 413, 'too_large', message)
    })
    assert.equal((await manage.ask('PUT', `/api/stream/${first}`, { description: 'short' })).status, 200)
    assert.equal((await manage.ask('DELETE', `/api/component/${uid}`)).status, 200)
  })
})
