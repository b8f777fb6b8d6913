// PUT /feed with the object form (docs/feeds.md#upload-as-json), which older data loggers send, gzipped.
import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { assertEmpty, assertRefused, componentOf, linesOf, storesNothing, streamsOf } from '../support/feed.ts'
import type { Manager } from '../support/manage.ts'
import { openManager } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'

/** The hint of every refusal of a wrong form. */
const arrayForm = '[{"compId":"C","streamId":"s","data":0,"time":0}]'
const objectForm = '{"feed":{"component":[{"componentId":"C","time":[0],"stream":[{"streamId":"s","data":[0]}]}]}}'
const inObjectForm = `; a body is ${objectForm}`
const eitherForm = `the body must be ${arrayForm} or ${objectForm}`

const t = Date.parse('2026-01-15T12:34:56.789Z')
const feed = (...component: readonly unknown[]) => ({ feed: { component } })

describe('PUT /feed with a JSON object', () => {
  let service: TestService
  let manage: Manager
  before(async () => {
    service = await openTestService({}, openTestClock(t))
    manage = await openManager(service)
    await manage.make('template', { id: 'plain', name: 'Plain', stream: [{ id: 'a', valueType: 'LONG' }] })
    await manage.make('template', { id: 'other', name: 'Other', stream: [{ id: 'o' }] })
  })
  after(() => service.close())

  const put = (body: unknown, query = '') => service.put(`/api/feed?${query}`, JSON.stringify(body))
  const stored = async (body: unknown, query = '') => assertEmpty(await put(body, query))
  const lines = (compId: string) => linesOf(service, compId, t)

  describe('that is refused, and stores nothing at all', () => {
    const good = { componentId: 'X', stream: [{ streamId: 's', data: [1] }] }
    const refused: readonly [body: unknown, message: string][] = [
      [{}, eitherForm],
      [{ feed: {} }, `feed has no component${inObjectForm}`],
      [feed(good, { componentId: 'Y' }), `component 1 has no stream${inObjectForm}`],
      [feed(good, { stream: [] }), `component 1 has neither componentId nor componentUid${inObjectForm}`],
      [
        feed(good, { componentId: 'Y', stream: [{ data: [1] }] }),
        `stream 0 of component 1 has neither streamId nor streamUid${inObjectForm}`,
      ],
      [
        feed(good, { componentId: 'Y', stream: [{ streamId: 's' }] }),
        `stream 0 of component 1 has no data${inObjectForm}`,
      ],
      [
        feed({ componentId: 'X', stream: [{ streamId: 's', data: [1, 2] }] }),
        'stream 0 of component 0 has 2 values and no time',
      ],
      [
        feed({ componentId: 'X', time: [1], stream: [{ streamId: 's', data: [1, 2] }] }),
        'stream 0 of component 0 has 2 values but 1 times',
      ],
      [
        feed({ componentId: 'X', time: [1.5], stream: [{ streamId: 's', data: [1] }] }),
        'time of stream 0 of component 0 must be epoch milliseconds, an integer',
      ],
      [
        feed(good, { componentId: 'X', stream: [{ streamId: 's', data: ['inf'] }] }),
        "stream 's' of component 'X' cannot take 'inf'",
      ],
    ]
    for (const [body, message] of refused)
      it(`says why: ${message}`, () =>
        storesNothing(service, async () => assertRefused(await put(body), 400, 'bad_request', message)))

    const unknown: readonly [body: unknown, code: string, message: string][] = [
      [
        feed(good, { componentUid: 'nobody', stream: [{ streamId: 's', data: [1] }] }),
        'component_not_found',
        "component 'nobody' not found",
      ],
      [
        feed({ componentId: 'X', stream: [{ streamUid: 'nothing', data: [1] }] }),
        'stream_not_found',
        "stream 'nothing' not found",
      ],
      [
        feed(good, { componentId: 'Y', compTmplId: 'none', stream: [{ streamId: 's', data: [1] }] }),
        'template_not_found',
        "template 'none' not found",
      ],
    ]
    for (const [body, code, message] of unknown)
      it(`says why: ${message}`, () =>
        storesNothing(service, async () => assertRefused(await put(body), 404, code, message)))

    it("refuses the uid of another organization's component or stream, which does not exist here", async () => {
      await service.sql`
        with other as (insert into organization (name) values ('other') returning key),
        root as (insert into folder (organization_key, path) select key, '/Components' from other returning key),
        made as (
          insert into component (uid, organization_key, id, name, folder_key, time_zone)
          select 'foreign', other.key, 'f', 'f', root.key, 'UTC' from other, root returning key)
        insert into stream (uid, component_key, id, name, kind, value_type, position)
        select 'foreign-stream', key, 's', 's', 'random', 'DOUBLE', 1 from made`
      await stored(feed({ componentId: 'Mine', stream: [{ streamId: 's', data: [1] }] }))
      await storesNothing(service, async () => {
        for (const body of [
          feed({ componentUid: 'foreign', stream: [{ streamId: 's', data: [1] }] }),
          feed({ componentId: 'Mine', stream: [{ streamUid: 'foreign-stream', data: [1] }] }),
        ])
          assert.equal((await put(body)).status, 404)
      })
    })
  })

  it('takes names of members in any case', async () => {
    const body = { Feed: { Component: [{ componentID: 'Case', Time: [t], Stream: [{ streamID: 'x', DATA: [1] }] }] } }
    await stored(body)
    assert.deepEqual(await lines('Case'), ['x 0=1'])
  })

  it("stores streams with the component's times or their own", async () => {
    await stored(
      feed({
        componentId: 'A',
        time: [t, t + 1],
        stream: [
          { streamId: 'x', data: [1, 2] },
          { streamId: 'y', data: ['a', 'b'], time: [t + 5, t + 4] },
        ],
      }),
    )
    assert.deepEqual(await lines('A'), ['x 1=2', 'x 0=1', 'y 5="a"', 'y 4="b"'])
  })

  it('times a single value by the server', async () => {
    await stored(feed({ componentId: 'B', stream: [{ streamId: 'x', data: [1] }] }))
    assert.deepEqual(await lines('B'), ['x 0=1'])
  })

  it('finds components and streams by their uids', async () => {
    const { uid, stream } = await manage.make('component', {
      id: 'C',
      stream: [{ id: 'x' }, { name: 'without an ID' }],
    })
    await stored(
      feed({
        componentUid: uid,
        stream: [
          { streamUid: stream[1]!.uid, data: [7] },
          { streamId: 'x', data: [8] },
        ],
      }),
    )
    const reply = await service.get('/api/comp/C/feed?retStreamId')
    assert.equal(reply.text, `[{"streamId":"x","time":${t},"data":8},{"streamId":"","time":${t},"data":7}]`)
  })

  it('takes the same component by ID and by uid, with new streams in both', async () => {
    const { uid } = await manage.make('component', { id: 'D' })
    const part = (streamId: string, data: number) => [{ streamId, data: [data] }]
    await stored(
      feed(
        { componentId: 'D', stream: part('x', 1) },
        { componentUid: uid, stream: [...part('x', 2), ...part('y', 3)] },
      ),
    )
    assert.deepEqual(await streamsOf(service.sql, 'D'), ['1 x random DOUBLE', '2 y random DOUBLE'])
    assert.deepEqual(await lines('D'), ['x 0=2', 'y 0=3'])
  })

  it("makes components from compTmplId, its own or the query's, with the default name", async () => {
    await stored(
      feed(
        { componentId: 'E', compTmplId: 'plain', defaults: { name: 'Named' }, stream: [{ streamId: 'a', data: [1] }] },
        { componentId: 'F', stream: [{ streamId: 'o', data: [1] }] },
      ),
      'compTmplId=other',
    )
    const of = async (id: string) => {
      const { name, template } = (await componentOf(service.sql, id))!
      return [name, template, await streamsOf(service.sql, id)]
    }
    assert.deepEqual(await of('E'), ['Named', 'plain', ['1 a random LONG']])
    assert.deepEqual(await of('F'), ['F', 'other', ['1 o random DOUBLE']])
  })

  it('does nothing with an empty list of components', () => storesNothing(service, () => stored(feed())))

  it('takes it gzipped, with the organization named', async () => {
    const body = gzipSync(JSON.stringify(feed({ componentId: 'G', stream: [{ streamId: 'x', data: [1] }] })))
    const headers = { 'Content-Encoding': 'gzip' }
    const path = `/api/feed?org=${service.organizationUid}&api_key=${service.apiKey}`
    assertEmpty(await service.put(path, body, { headers }))
    assert.deepEqual(await lines('G'), ['x 0=1'])
  })
})
