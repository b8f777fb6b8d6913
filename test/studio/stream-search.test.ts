// How the studio finds streams, against a real service: by calls that stay small, however many streams a component has.
import assert from 'node:assert/strict'
import { createClient } from '../../src/client/client.ts'
import type { Client } from '../../src/client/client.ts'
import { loadStreams } from '../../src/studio/web/chart/streams.ts'
import { findChoices, findChoicesOf } from '../../src/studio/web/stream-search.ts'
import { addMember, addSession, addUser } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

const { signal } = new AbortController()
const wide = 8000

describe('the search for streams', function () {
  let service: TestService
  let client: Client
  let asked: string[]
  let bytes: number
  before(async () => {
    service = await openTestService()
    const user = await addUser(service.sql, 'finder@example.org')
    await addMember(service.sql, service.organizationUid, user, 'guest')
    const counted: typeof fetch = async (input, init) => {
      const reply = await fetch(input, init)
      asked.push(new URL(reply.url).pathname)
      bytes += (await reply.clone().arrayBuffer()).byteLength
      return reply
    }
    client = createClient({ url: service.url, session: await addSession(service.sql, user), fetch: counted })
    for (const id of ['Wide1', 'Wide2', 'Wide3']) await service.put(`/api/feed?compId=${id}&first=1&time=1`)
    await service.put('/api/feed?compId=Boiler&supply=1&return=2&time=1')
    // All as one upload would make them, if it could have so many.
    await service.sql`
      insert into stream (component_key, id, name, value_type, kind, position)
      select component.key, 's' || n, 's' || n, 'DOUBLE', 'random', n + 1
      from component, generate_series(1, ${wide}) as n
      where component.id like 'Wide%'`
  })
  after(() => service.close())
  beforeEach(() => {
    asked = []
    bytes = 0
  })

  it('finds components that have more streams together than a list shows', async () => {
    const { components, streams } = await findChoices(client, 'wide', signal)
    assert.deepEqual(
      components.map(({ id }) => id),
      ['Wide1', 'Wide2', 'Wide3'],
    )
    assert.deepEqual(streams, { choices: [], totalCount: 0 })
    assert.ok(bytes < 5000, String(bytes))
  })

  it('finds streams by their own name, and names their component', async () => {
    const { streams } = await findChoices(client, 'supp', signal)
    const [found] = streams.choices
    assert.deepEqual(
      [streams.totalCount, found!.compId, found!.streamId, found!.label],
      [1, 'Boiler', 'supply', 'Boiler · supply'],
    )
  })

  it('offers streams of a component beyond the first by a part of their name, and says how many there are', async () => {
    const { components } = await findChoices(client, 'Wide2', signal)
    const all = await findChoicesOf(client, components[0]!, '', signal)
    assert.deepEqual([all.choices.length, all.totalCount], [50, wide + 1])
    const { choices } = await findChoicesOf(client, components[0]!, 's7999', signal)
    assert.deepEqual(
      choices.map(({ label }) => label),
      ['Wide2 · s7999'],
    )
  })

  it('reads a component of a chart once, and of its streams those that are drawn', async () => {
    const names = ['Wide1/s1', 'Wide1/s2', 'Wide1/s8000', 'Boiler/supply']
    const streams = await loadStreams(client, names, signal)
    assert.deepEqual(
      streams.map(({ label }) => label),
      ['Wide1 · s1', 'Wide1 · s2', 'Wide1 · s8000', 'Boiler · supply'],
    )
    assert.equal(asked.filter((path) => path === '/api/component').length, 2)
    assert.ok(bytes < 10_000, String(bytes))
  })
})
