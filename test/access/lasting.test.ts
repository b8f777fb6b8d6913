// Calls that last by keys with many rows: a listener holds its key, which takes nearly a megabyte.
import assert from 'node:assert/strict'
import { addApiKey } from '../support/people.ts'
import { openTestService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

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
})
