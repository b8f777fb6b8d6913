// Rows of an external database (docs/imports.md): a run takes those since @LAST_RUN_DATE, the last run that succeeded. So a
// row that such a run has left out comes in by no other, and one that two of them have taken is counted twice.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from '../../../src/base/database/sql.ts'
import { eventually } from '../../support/within.ts'
import type { Doors, Load, Owner } from './load.ts'

type Run = { readonly end: number | null }

const rows = 'CSV_TABLE(@JDBC_RESULT) WITH (1 t LONG, 2 v DOUBLE, 3 stamp LONG) WHERE stamp > @LAST_RUN_DATE'
const rowsAtOnce = 200

export const imports = async (
  doors: Doors,
  owner: Owner,
  external: { readonly sql: Pool; readonly connection: object },
): Promise<Load> => {
  await external.sql`create table reading (at bigint primary key, v double precision, stamp bigint)`
  const { connection } = (await doors.ask('POST', '/api/connection', external.connection)) as {
    connection: { uid: string }
  }
  const { connector } = (await doors.ask('POST', '/api/connector', {
    type: 'import',
    name: 'import',
    connectionUid: connection.uid,
    runningUserUid: owner.uid,
    // Older rows have come in, or never do: a run must not take longer and longer.
    externalSql: `
      select at, v, stamp from reading
      where stamp > extract(epoch from clock_timestamp() - interval '10 minutes') * 1000`,
    // Samples of the run's own time: each run that has taken rows is seen.
    ingestSql: `
      INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Import', 'v', t, v FROM ${rows};
      INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Import-Run', 'rows', NULL, Count(*) FROM ${rows}`,
    skipUnchanged: false,
  })) as { connector: { uid: string } }
  const path = `/api/connector/${connector.uid}/run`
  /** One of a killed server goes on until its database has noticed that it is gone. */
  const run = async () => {
    const answer = await doors.ask('POST', path, undefined, { refusals: [409] })
    return (answer as { success: boolean } | undefined)?.success === true
  }
  const committed = new Map<number, number>()
  let kept = 0
  /** Nothing is committed while a run may be at its rows: those that it took would be later than its start. */
  const commit = async () => {
    const shown = (await doors.ask('GET', path)) as { run: Run[] } | undefined
    if (shown === undefined || shown.run.some(({ end }) => end === null)) return
    const first = committed.size + 1
    await external.sql`
      insert into reading
      select n, n * 2, floor(extract(epoch from clock_timestamp()) * 1000)
      from generate_series(${first}::bigint, ${first + rowsAtOnce - 1}::bigint) n`
    for (let at = first; at < first + rowsAtOnce; at += 1) committed.set(at, at * 2)
    // A run of the same millisecond would be no later.
    await pause(2)
  }
  const judgeStored = async (isAll: boolean) => {
    const stored = await doors.samples('Import', 'v')
    const isWhole = stored.size % rowsAtOnce === 0 && (isAll ? stored.size === committed.size : stored.size >= kept)
    assert.ok(
      isWhole,
      `${stored.size} samples of ${kept} that were imported, and ${committed.size} that were committed`,
    )
    const first = [...committed].slice(0, stored.size)
    assert.deepEqual(stored, new Map(first.toReversed()))
    let taken = 0
    for (const count of (await doors.samples('Import-Run', 'rows')).values()) taken += count as number
    assert.equal(taken, stored.size, 'rows that runs have taken')
  }
  return {
    name: 'imports',
    step: async () => {
      await commit()
      if (!(await run())) return false
      kept = committed.size
      return true
    },
    judge: async () => {
      await judgeStored(false)
      await eventually(run)
      await judgeStored(true)
    },
  }
}
