// Rows of external databases that are large, or many megabytes together.
import assert from 'node:assert/strict'
import type { Target } from '../../src/outbound/target.ts'
import { openEmptyDatabase } from '../support/database.ts'
import type { Mariadb } from '../support/mariadb.ts'
import { openMariadb } from '../support/mariadb.ts'
import { fetchAll, targetFrom } from '../support/outbound.ts'
import { skipWithout } from '../support/skip.ts'
import { refuses } from './contract.ts'

describe('large rows of an external PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof openEmptyDatabase>>
  let target: Target
  before(async () => {
    database = await openEmptyDatabase()
    target = targetFrom('postgresql', database.url)
  })
  after(() => database.drop())

  it('are taken where they are more than 64 MB together, among the first and after many small ones', async () => {
    // In one portal: 40 rows of 3 MB, and 60 of 2 MB behind 4,000 of a few bytes.
    const wide = (rows: string, size: string) => `select repeat('x', ${size}) as t from generate_series(1, ${rows}) n`
    for (const [sql, count] of [
      [wide('40', '3000000'), 40],
      [wide('4060', 'case when n > 4000 then 2000000 else 3 end'), 4060],
    ] as const) {
      const { rows } = await fetchAll(target, sql, { batchRows: 5000, timeoutMs: 60_000 })
      assert.equal(rows.length, count)
      assert.ok(rows.at(-1)![0]!.length >= 2_000_000)
    }
  }).timeout(90_000)

  it('end with the reason where one is too large', async () => {
    await refuses(fetchAll(target, "select repeat('x', 100 * 1024 * 1024) as t"), {
      reason: 'value',
      message: /^a row is larger than 4 MB$/,
    })
  })
})

describe('large rows of an external MariaDB', () => {
  let server: Mariadb | undefined
  let target: Target
  before(async function () {
    this.timeout(600_000)
    server = await openMariadb()
    if (server === undefined) return skipWithout(this, 'a MariaDB')
    target = targetFrom('mysql', server.url)
  })
  after(() => server?.stop())

  it('are taken where they are more than 64 MB together', async () => {
    const sql = "select repeat('x', 30000) as t from seq_1_to_5000"
    const { rows } = await fetchAll(target, sql, { batchRows: 5000, timeoutMs: 60_000 })
    assert.equal(rows.length, 5000)
  })

  it('end with the reason where one is too large, and without a wait', async () => {
    const sql = "select repeat('x', 100 * 1024 * 1024) as t"
    await refuses(fetchAll(target, sql), { reason: 'value', message: /^a row is larger than 4 MB$/ })
  })
})
