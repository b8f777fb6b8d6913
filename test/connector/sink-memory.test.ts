// Scripts of connectors in memory: there are as many of them as anybody makes connectors, and each may have 64 KB.
import assert from 'node:assert/strict'
import { usedHeap } from '../support/heap.ts'
import { addApiKey, addUser } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import type { Wire } from '../support/wire.ts'
import { openWire } from '../support/wire.ts'
import { eventually } from '../support/within.ts'

const mebibyte = 1024 * 1024
const connectors = 1200
/** One more, which is switched on. */
const watched = connectors + 1

describe('the memory of sinks', () => {
  let service: TestService
  let secret: string
  before(async () => {
    service = await openTestService()
    const { sql, organizationUid } = service
    const sink = [{ resource: 'connector/*/sink', methods: ['GET', 'POST'] as const }]
    secret = (await addApiKey(sql, organizationUid, sink)).secret
    const { key: userKey } = await addUser(sql, 'runner@example.org')
    await sql`
      insert into member (organization_key, user_key, role)
      select key, ${userKey}, 'member' from organization where uid = ${organizationUid}`
    // Switched off, they are known all the same.
    await sql`
      insert into connector (organization_key, type, name, endpoint, user_key, sql, enabled)
      select key, 'http', 'c' || n, 'e' || n, ${userKey}, '/*' || n || repeat(' 0123456789', 5900) || '*/ SELECT 1', false
      from organization, generate_series(1, ${watched}::integer) as n
      where uid = ${organizationUid}`
    await sql`update connector set enabled = true, sql = 'SELECT 1' where endpoint = 'e1'`
    await sql`update connector set enabled = true where endpoint = ${`e${watched}`}`
  })
  after(() => service.close())

  const addressOf = (n: number) => `/api/conn_sink/${service.organizationUid}/e${n}?api_key=${secret}`
  const push = async (n: number) => (await service.request('POST', addressOf(n))).status

  it('keeps no more of their scripts than it has room for, and short ones beside them', async () => {
    assert.deepEqual([await push(1), await push(2)], [200, 404])
    const before = usedHeap()
    for (let from = 2; from <= connectors; from += 50)
      for (const status of await Promise.all(
        Array.from({ length: 50 }, (_, n) => push(Math.min(from + n, connectors))),
      ))
        assert.equal(status, 404)
    const kept = usedHeap() - before
    assert.ok(kept < 26 * mebibyte, `${kept} bytes of ${connectors} scripts are kept`)
    assert.equal(await push(1), 200)
  })

  it('has room for some of those that wait for a body at once, and refuses others, which their log shows', async () => {
    const wires: Wire[] = []
    const answered: string[] = []
    try {
      for (const n of [...Array.from({ length: 398 }, (_, at) => at + 2), watched]) {
        const wire = await openWire(service.url)
        wires.push(wire)
        wire.send(`POST ${addressOf(n)} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`)
        wire.reply().then(
          ({ statusLine, body }) => answered.push(`${statusLine} ${body}`),
          () => {},
        )
      }
      await eventually(async () => answered.length > 100)
      for (const answer of answered)
        assert.match(answer, /^HTTP\/1.1 503 .*too many connectors with long scripts are called at once/)
      assert.ok(answered.length < wires.length - 50, `${answered.length} of ${wires.length} were refused`)
      assert.equal(await push(1), 200)
      const { sql } = service
      const errors = () => sql<{ error: string }[]>`
        select error from connector_call join connector on connector.key = connector_key
        where endpoint = ${`e${watched}`}`
      await eventually(async () => (await errors()).length > 0)
      assert.equal((await errors())[0]!.error, 'too many connectors with long scripts are called at once')
    } finally {
      for (const wire of wires) wire.close()
    }
  })
})
