// Calls that last by keys with many rows: a listener holds its key, which takes nearly a megabyte.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { addApiKey } from '../support/people.ts'
import { openTestService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

describe('calls that last, by large keys', () => {
  let service: TestService
  const secrets: string[] = []
  before(async () => {
    service = await openTestService()
    assert.equal((await service.put('/api/feed?compId=Boiler&temp=20')).status, 200)
    const rows = Array.from({ length: 400 }, (_, n) => ({
      resource: `component/${n}${'x'.repeat(500)}/feed`,
      methods: [],
    }))
    for (let n = 0; n < 40; n += 1) {
      const all = { resource: 'component/*/feed', methods: ['GET' as const] }
      secrets.push((await addApiKey(service.sql, service.organizationUid, [all, ...rows])).secret)
    }
  })
  after(() => service.close())

  it('give them back at their end, and where they are refused', async () => {
    for (const secret of secrets)
      assert.equal((await service.get(`/api/live?compId=Missing&api_key=${secret}`)).status, 404)
    for (let at = 0; at < secrets.length; at += 10) {
      const some = secrets.slice(at, at + 10)
      const replies = await Promise.all(
        some.map((each) => service.get(`/api/live?compId=Boiler&seconds=0&api_key=${each}`)),
      )
      for (const { status, text } of replies) assert.match(`${status} ${text}`, /^200 .*time_is_up/s)
    }
  })

  it('are refused where they would hold too many of them, and each key is held once', async () => {
    const leaving = new AbortController()
    const listenLong = (secret: string) =>
      fetch(`${service.url}/api/live?compId=Boiler&api_key=${secret}`, { signal: leaving.signal })
    const statuses: number[] = []
    for (const secret of secrets) statuses.push((await listenLong(secret)).status)
    const count = statuses.filter((status) => status === 200).length
    assert.ok(count >= 20 && count < 40, `${count} of 40`)
    assert.deepEqual(new Set(statuses), new Set([200, 503]))
    for (let times = 0; times < 30; times += 1) assert.equal((await listenLong(secrets[0]!)).status, 200)
    assert.equal((await service.get(`/api/comp/Boiler/last_value?api_key=${secrets[39]}`)).status, 200)
    leaving.abort()
  })

  it('are refused, where their bodies do not come, in the same way, and give them back', async () => {
    const { port } = new URL(service.url)
    const replies: string[] = []
    const sockets = secrets.map((secret) => {
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('data', (bytes) => void replies.push(bytes.toString().slice(9, 12)))
      const target = `/api/feed?api_key=${secret}`
      socket.write(`PUT ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n[`)
      return socket
    })
    await eventually(async () => replies.length >= 5)
    assert.deepEqual(new Set(replies), new Set(['503']))
    for (const socket of sockets) socket.destroy()
    await eventually(async () => {
      const last = await Promise.all(
        secrets.slice(20).map((each) => service.get(`/api/live?compId=Boiler&seconds=0&api_key=${each}`)),
      )
      return last.every(({ status }) => status === 200)
    })
  })
})
