// Scripts that change more samples than one call hands to the writer, in the long form more than it has room for (up to a million, grammar/REFERENCE.md#limits).
import assert from 'node:assert/strict'
import type { Client } from '../support/http.ts'
import { addPerson } from '../support/http.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { shortOrLong } from '../support/soak.ts'

const minutes = 60_000
// With the one that is uploaded, one more than one call hands to the writer, or than wait for it at most.
const rows = shortOrLong(100_000, 400_000)

describe('a large script', function () {
  this.timeout(5 * minutes)
  let service: TestService
  let member: Client
  before(async () => {
    service = await openTestService({ gsqlTimeoutMs: 2 * minutes })
    member = (await addPerson(service, 'member')).call
    await service.put('/api/feed?compId=A&x=1&time=1000')
    await service.sql`
      insert into sample (stream_key, time, num)
      select key, '2026-01-01'::timestamptz + n * interval '1 second', n
      from stream, generate_series(1, ${rows}::integer) as n
      where id = 'x'`
  })
  after(() => service.close())

  const run = async (s: string) => {
    const { status, body } = await member('POST', '/api/gql', { s })
    return { status, message: (body as { message: string }).message }
  }
  const stored = async () => {
    const [row] = await service.sql<[{ count: number; sum: number }]>`select count(*), sum(num) from sample`
    return [row.count, row.sum]
  }
  const sum = (rows * (rows + 1)) / 2 + 1

  it('stores nothing when a statement after its update fails', async () => {
    const { status, message } = await run(`
      UPDATE SAMPLE SET SAMPLE = SAMPLE + 1 WHERE CID = 'A' AND ID = 'x' AND TIME < ${Date.UTC(2026, 0, 2, 9)};
      INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ('A', 'x', 1, 'no number');`)
    assert.equal(status, 400, message)
    assert.deepEqual(await stored(), [rows + 1, sum])
  })

  it('updates all samples of a stream', async () => {
    const { status, message } = await run("UPDATE SAMPLE SET SAMPLE = SAMPLE + 1 WHERE CID = 'A' AND ID = 'x'")
    assert.equal(status, 200, message)
    assert.deepEqual(await stored(), [rows + 1, sum + rows + 1])
  })

  it('inserts more than an upload may have', async () => {
    const list = (count: number) => JSON.stringify(Array<number>(count).fill(1))
    const table = (count: number) => `JSON_TABLE('${list(count)}') WITH (v LONG '$[*]', n Ordinality)`
    const insert = (from: number) =>
      `INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'B', 'y', ${from} + 1000 * a.n + b.n, 1 FROM ${table(60)} a, ${table(1000)} b`
    const { status, message } = await run(`${insert(0)};${insert(100_000)}`)
    assert.equal(status, 200, message)
    const [row] = await service.sql<[{ count: number }]>`
      select count(*) from sample join stream on stream.key = stream_key where id = 'y'`
    assert.equal(row.count, 120_000)
  })

  it('deletes all samples of a stream', async () => {
    const { status, message } = await run("DELETE FROM SAMPLE WHERE CID = 'A' AND ID = 'x'")
    assert.equal(status, 200, message)
    assert.deepEqual(await stored(), [120_000, 120_000])
  })
})
