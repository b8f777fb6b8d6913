// Many changes at once (docs/management.md): they wait for each other and for uploads, and all of them are made.
import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { openGate } from '../../src/core/sample/gate.ts'
import { transaction } from '../../src/base/database/sql.ts'
import { addPerson } from '../support/http.ts'
import { addApiKey, addMember, addSession, addUser } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { shortOrLong } from '../support/soak.ts'

const atOnce = shortOrLong(40, 200)

describe('managing many things at once', function () {
  let service: TestService
  let secret: string
  let session: string
  let ownerUid: string
  before(async () => {
    service = await openTestService()
    const all = [{ resource: '*', methods: ['GET', 'PUT', 'POST', 'DELETE'] as const }]
    secret = (await addApiKey(service.sql, service.organizationUid, all)).secret
    const owner = await addUser(service.sql, 'maker@example.org')
    await addMember(service.sql, service.organizationUid, owner, 'owner')
    session = await addSession(service.sql, owner)
    ownerUid = owner.uid
  })
  after(() => service.close())

  /** Each over a connection of its own; the bodies come when all heads are there. */
  const sendAll = async (
    calls: readonly (readonly [method: string, path: string, body: unknown])[],
    credential = `api_key=${secret}`,
  ) => {
    const agent = new Agent({ keepAlive: true, maxSockets: calls.length })
    let heads = 0
    let sendBodies = () => {}
    const allHeads = new Promise<void>((resolve) => (sendBodies = resolve))
    const send = ([method, path, body]: (typeof calls)[number]) =>
      new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
        const headers = { 'Content-Type': 'application/json' }
        const sent = request(`${service.url}${path}?${credential}`, { method, agent, headers }, (reply) => {
          let text = ''
          reply.setEncoding('utf8').on('data', (part: string) => (text += part))
          reply.on('end', () => resolve({ status: reply.statusCode!, text })).on('error', reject)
        })
        sent.on('error', reject).flushHeaders()
        sent.once('socket', (socket) =>
          socket.once('connect', () => {
            heads += 1
            if (heads === calls.length) setTimeout(sendBodies, 100)
          }),
        )
        void allHeads.then(() => sent.end(JSON.stringify(body)))
      })
    try {
      return await Promise.all(calls.map(send))
    } finally {
      agent.destroy()
    }
  }
  /** Asserts that all are answered so, and gives the uids. */
  const makeAll = async (
    name: string,
    bodyOf: (n: number) => unknown,
    credential?: string,
  ): Promise<readonly string[]> => {
    const replies = await sendAll(
      Array.from({ length: atOnce }, (_, n) => ['POST', `/api/${name}`, bodyOf(n)] as const),
      credential,
    )
    const refused = replies.filter(({ status }) => status !== 201)
    assert.deepEqual(refused, [])
    return replies.map(({ text }) => (JSON.parse(text) as Record<string, { uid: string }>)[name]!.uid)
  }

  const kinds: readonly (readonly [name: string, bodyOf: (n: number) => unknown])[] = [
    ['component', (n) => ({ id: `c${n}`, stream: [{ id: 'a' }] })],
    ['unit', (n) => ({ id: `u${n}`, name: 'u', symbol: 'u' })],
    ['cycle', (n) => ({ id: `y${n}`, name: 'y', size: n + 1, unit: 'hour', reference: '2026-01-01T00:00:00' })],
    ['template', (n) => ({ id: `t${n}`, stream: [{ id: 'a' }] })],
    ['folder', (n) => ({ path: `/Components/f${n % 7}/g${n}` })],
    ['api_key', (n) => ({ name: `k${n}`, capabilities: [] })],
    ['dashboard', (n) => ({ name: `b${n}`, tile: [{ kind: 'text', text: 'x' }] })],
    ['query', (n) => ({ name: `q${n}`, sql: 'SELECT 1' })],
  ]
  for (const [name, bodyOf] of kinds)
    it(`makes ${atOnce} of a kind: ${name}`, async () => {
      assert.equal(new Set(await makeAll(name, bodyOf)).size, atOnce)
    })

  it(`makes ${atOnce} of each kind that needs a person: clients, connections, connectors, organizations`, async () => {
    const kindsOfPeople: typeof kinds = [
      ['oauth_client', (n) => ({ name: `o${n}`, redirectUris: ['https://portal.example/back'] })],
      ['connection', (n) => ({ name: `d${n}`, kind: 'mysql', host: 'db.example', database: 'd', user: 'u' })],
      ['connector', (n) => ({ name: `s${n}`, endpoint: `s${n}`, runAsUserUid: ownerUid, sql: 'SELECT 1' })],
      ['organization', (n) => ({ name: `O${n}` })],
    ]
    const credential = `session=${session}&org=${service.organizationUid}`
    for (const [name, bodyOf] of kindsOfPeople)
      assert.equal(new Set(await makeAll(name, bodyOf, credential)).size, atOnce, name)
  })

  it('makes users, each of whose passwords takes its time', async () => {
    const users = Array.from({ length: shortOrLong(4, 20) }, (_, n) => ({
      email: `user${n}@example.org`,
      role: 'member',
      password: 'a password that nobody knows',
    }))
    const { call } = await addPerson(service, 'owner')
    const replies = await Promise.all(users.map((user) => call('POST', '/api/user', user)))
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
  })

  it(`makes ${atOnce} streams of one component in places of their own, while uploads go on`, async () => {
    const [component] = await makeAll('component', (n) => ({ id: `s${n}` }))
    const state = { isOver: false }
    const statuses = new Set<number>()
    const upload = async (n: number) => {
      for (let at = 1; !state.isOver; at += 1)
        statuses.add((await service.put(`/api/feed?compId=s${n}&a=${at}&b${at % 50}=1`)).status)
    }
    const uploads = [upload(0), upload(0), upload(1), upload(2)]
    await makeAll('stream', (n) => ({ componentUid: component, id: `x${n}`, position: 1 }))
    state.isOver = true
    await Promise.all(uploads)
    assert.deepEqual([...statuses], [200])
    const [order] = await service.sql<[{ count: number; most: number }]>`
      select count(distinct position)::integer as count, max(position) as most
      from stream
      join component on component.key = stream.component_key
      where component.uid = ${component!}`
    assert.equal(order.count, order.most)
  })

  it('waits for a long upload, and lets others through meanwhile', async () => {
    const uids = await makeAll('component', (n) => ({ id: `d${n}` }))
    assert.equal((await service.put('/api/feed?compId=other&a=1')).status, 200)
    let letGo = () => {}
    const long = transaction(service.sql, async (sql) => {
      await openGate(sql, 0)
      await new Promise<void>((resolve) => (letGo = resolve))
    })
    const removing = sendAll(uids.slice(0, 20).map((uid) => ['DELETE', `/api/component/${uid}`, undefined] as const))
    // While twenty changes want the gate for themselves, uploads pass it, each in its turn.
    for (let n = 0; n < 8; n += 1) assert.equal((await service.put(`/api/feed?compId=other&a=${n}`)).status, 200)
    letGo()
    await long
    assert.deepEqual(new Set((await removing).map(({ status }) => status)), new Set([200]))
  })
})
