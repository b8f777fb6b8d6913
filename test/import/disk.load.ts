// The limit of imports in temporary tables of our database.
import assert from 'node:assert/strict'
import { openImporting } from '../support/import.ts'
import type { Importing } from '../support/import.ts'

const ingestSql = `
  INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
  SELECT c, 's', t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 c STRING, 2 t LONG, 3 v STRING)`
/** Each row with each. */
const product = `
  INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
  SELECT a.c, 's', a.t, b.v
  FROM CSV_TABLE(@JDBC_RESULT) WITH (1 c STRING, 2 t LONG) a, CSV_TABLE(@JDBC_RESULT) WITH (3 v STRING) b`
/** One after another: a function in FROM would be read to its end before the first row comes. */
const rows = (count: number) =>
  `select 'D', n, repeat('x', 100) from (select generate_series(1, ${count}) as n offset 0) numbers`
const small = 2 * 1024 * 1024
const large = 2 ** 40

describe('the disk that imports take', function () {
  this.timeout(120_000)
  let importing: Importing
  after(() => importing.close())

  const fails = async (externalSql: string, script: string, message: RegExp) => {
    const { success, message: found } = await importing.run(await importing.make({ externalSql, ingestSql: script }))
    assert.equal(success, false)
    assert.match(found, message)
    assert.deepEqual(await importing.samples('D', 's'), [])
  }

  describe('by one run', () => {
    const message = /^it keeps more than 2097152 bytes in temporary tables \(IMPORT_MAX_BYTES\)/
    before(async () => {
      importing = await openImporting({ importMaxBytes: small, importTotalBytes: large })
    })

    it('ends a run that fetches more than IMPORT_MAX_BYTES, though it would go on for long', () =>
      fails(rows(100_000_000), ingestSql, message))

    it('ends a run that makes more than that of its rows', () => fails(rows(3000), product, message))

    it('ends a trial that does', async () => {
      const script = product.replace('(3 v STRING) b', '(3 v STRING) b, CSV_TABLE(@JDBC_RESULT) WITH (2 d LONG) c')
      const more = script
        .replace('c\n', 'c')
        .concat(', CSV_TABLE(@JDBC_RESULT) WITH (2 e LONG) d, CSV_TABLE(@JDBC_RESULT) WITH (2 f LONG) e')
      const { connectionUid } = importing
      const trial = { connectionUid, externalSql: rows(20), ingestSql: more }
      const { status, body } = await importing.ask('POST', '/api/connector/import_test', trial)
      assert.equal(status, 409, JSON.stringify(body))
      assert.match(JSON.stringify(body), /IMPORT_MAX_BYTES/)
    })

    it('takes a run whose samples need no tables, however large these would be', async () => {
      const uid = await importing.make({
        externalSql: `select 'G', n, n from generate_series(1, 60000) n`,
        ingestSql: ingestSql.replace('v STRING', 'v DOUBLE'),
      })
      const { message: found, run } = await importing.run(uid)
      assert.deepEqual([found, run.inserted], ['', 60_000])
    })

    it('takes a run within it', async () => {
      const uid = await importing.make({ externalSql: rows(3000), ingestSql })
      const { message: found, run } = await importing.run(uid)
      assert.deepEqual([found, run.inserted], ['', 3000])
    })
  })

  describe('by all runs at once', () => {
    before(async () => {
      await importing.close()
      importing = await openImporting({ importMaxBytes: large, importTotalBytes: small })
    })

    it('ends a run that would take more than its share of IMPORT_TOTAL_BYTES', () =>
      fails(rows(100_000_000), ingestSql, /too much in temporary tables for 2097152 bytes \(IMPORT_TOTAL_BYTES\)$/))
  })
})
