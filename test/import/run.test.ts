// Runs of imports, over HTTP: what a run that fails leaves, and what one that succeeds stores.
import assert from 'node:assert/strict'
import { counts, openImporting } from '../support/import.ts'
import type { Importing } from '../support/import.ts'

const readings = `
  INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
  SELECT meter, 'kwh', at, kwh FROM CSV_TABLE(@JDBC_RESULT) WITH (1 meter STRING, 2 at LONG, 3 kwh DOUBLE)`

describe('a run of an import', () => {
  let importing: Importing
  before(async () => {
    importing = await openImporting()
    await importing.external.unsafe(`
      create table reading (meter text, at timestamptz, kwh numeric, note text);
      insert into reading values ('M1', '2026-01-01T00:00:00Z', 1.5, ''), ('M1', '2026-01-01T00:15:00Z', 2.5, null),
        ('M2', '2026-01-01T00:00:00Z', 7, 'a,"b"')`)
  })
  after(() => importing.close())

  const t0 = Date.UTC(2026, 0, 1)

  it('stores what the Ingest SQL makes of the external rows', async () => {
    const uid = await importing.make({
      externalSql: 'select meter, at, kwh from reading order by 1, 2',
      ingestSql: readings,
    })
    const answer = await importing.run(uid)
    assert.deepEqual([answer.success, answer.message], [true, ''])
    assert.deepEqual(counts(answer), { fetched: 3, inserted: 3, skipped: 0 })
    assert.deepEqual(await importing.samples('M1', 'kwh'), [
      [t0, 1.5],
      [t0 + 900_000, 2.5],
    ])
    assert.deepEqual(await importing.samples('M2', 'kwh'), [[t0, 7]])
    assert.deepEqual(counts(await importing.run(uid)), { fetched: 3, inserted: 0, skipped: 3 })
    assert.equal((await importing.runs(uid)).length, 2)
  })
})
