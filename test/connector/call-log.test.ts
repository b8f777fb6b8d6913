// The log of sink calls: a call that cannot be kept costs no other.
import assert from 'node:assert/strict'
import { openCallLog } from '../../src/connector/call-log.ts'
import type { CallLog } from '../../src/connector/call-log.ts'
import { removeOldBodies } from '../../src/core/connector.ts'
import type { SinkCall } from '../../src/core/connector.ts'
import { addPerson } from '../support/http.ts'
import { openTestClock, openTestService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

describe('the log of sink calls', () => {
  let service: TestService
  let log: CallLog
  let connectorKey: number
  before(async () => {
    service = await openTestService({}, openTestClock(1_700_000_000_000))
    log = openCallLog(service.service.world)
    const admin = await addPerson(service, 'admin')
    const input = { name: 'a', endpoint: 'a', runAsUserUid: admin.user.uid, sql: 'SELECT 1' }
    await admin.call('POST', '/api/connector', input)
    const [row] = await service.sql<[{ key: number }]>`select key from connector`
    connectorKey = row.key
  })
  after(() => service.close())
  beforeEach(() => service.sql`delete from connector_call`)

  const call = (ms: number, more: Partial<SinkCall> = {}): SinkCall => ({
    connectorKey,
    atMs: 1_700_000_000_000,
    method: 'POST',
    bytes: 1,
    rows: 0,
    ms,
    error: null,
    body: null,
    query: null,
    ...more,
  })
  const kept = async () => [
    ...(await service.sql`select ms, bytes, error, body, query from connector_call order by key`.values()),
  ]

  it('keeps all others when one cannot be kept', async () => {
    for (const ms of [1, 2, 3, 4, 5]) log.add(call(ms, ms === 4 ? { rows: 2 ** 40 } : {}))
    await log.flush()
    assert.deepEqual(
      (await kept()).map(([ms]) => ms as number),
      [1, 2, 3, 5],
    )
  })

  it('waits for a write under way when somebody asks', async () => {
    log.add(call(1))
    const first = log.flush()
    await log.flush()
    assert.equal((await kept()).length, 1)
    await first
  })

  it('keeps texts that no database takes as they are', async () => {
    log.add(call(1, { error: 'x\ud83cy', body: 'a\0b', query: '\udf33' }))
    await log.flush()
    assert.deepEqual(await kept(), [[1, 1, 'x\ufffdy', 'a\ufffdb', '\ufffd']])
  })

  it('keeps a call that announced more bytes than there are', async () => {
    log.add(call(1, { bytes: 99_999_999_999 }))
    await log.flush()
    assert.deepEqual(
      (await kept()).map(([, bytes]) => bytes as number),
      [2 ** 31 - 1],
    )
  })

  it('keeps the last hundred of each connector', async () => {
    for (const from of [0, 60]) {
      for (let ms = from; ms < from + 60; ms += 1) log.add(call(ms))
      await log.flush()
    }
    assert.deepEqual(
      (await kept()).map(([ms]) => ms as number),
      Array.from({ length: 100 }, (_, nth) => nth + 20),
    )
  })

  it('keeps bodies and queries for seven days, and the rest of a call for longer', async () => {
    const dayMs = 86_400_000
    const nowMs = 1_700_000_000_000
    for (const days of [8, 6]) log.add(call(days, { atMs: nowMs - days * dayMs, body: 'b', query: 'q' }))
    await log.flush()
    await removeOldBodies(service.sql, nowMs)
    assert.deepEqual(await kept(), [
      [8, 1, null, null, null],
      [6, 1, null, 'b', 'q'],
    ])
  })

  it('keeps the bodies of calls that come at once up to eight megabytes of memory, and the calls without them beyond', async () => {
    const body = 'b'.repeat(65_536)
    for (const from of [0, 100]) {
      for (let ms = from; ms < from + 100; ms += 1) log.add(call(ms, { body }))
      await log.flush()
      const bodies = (await kept()).map(([, , , each]) => each)
      assert.deepEqual(bodies, [...Array(64).fill(body), ...Array(36).fill(null)])
    }
  })

  it('keeps the calls of the last moment when the service stops', async () => {
    const stopped = await openTestService()
    const admin = await addPerson(stopped, 'admin')
    const hook = {
      name: 'a',
      endpoint: 'a',
      runAsUserUid: admin.user.uid,
      sql: "INSERT INTO SAMPLE(CID, ID, SAMPLE) SELECT 'a', 'b', 1",
    }
    await admin.call('POST', '/api/connector', hook)
    const capabilities = [{ resource: 'connector/*/sink', methods: ['POST'] }]
    const { body } = await admin.call('POST', '/api/api_key', { name: 'a', capabilities })
    const { secret } = (body as { api_key: { secret: string } }).api_key
    const { status } = await stopped.request('POST', `/api/conn_sink/${stopped.organizationUid}/a?api_key=${secret}`)
    assert.equal(status, 200)
    await stopped.service.close()
    const [row] = await stopped.sql<[{ calls: number }]>`select count(*)::int as calls from connector_call`
    await stopped.close()
    assert.equal(row.calls, 1)
  })
})
