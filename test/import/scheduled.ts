// Imports with a schedule, for tests that set the clock: of schedule.test.ts and schedule.load.ts.
import { openImporting } from '../support/import.ts'
import type { Importing, ShownRun } from '../support/import.ts'
import { openTestClock } from '../support/service.ts'
import { eventually } from '../support/within.ts'

export const start = Date.UTC(2026, 5, 1)
export const minute = 60_000

const ingestSql = `
  INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Clock', 's', NULL, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 v LONG)`

/** For the group of tests in which it is called. */
export const openScheduled = () => {
  const clock = openTestClock(start)
  let importing: Importing
  before(async () => {
    importing = await openImporting({}, clock)
  })
  after(() => importing.close())

  const make = (more: object = {}) =>
    importing.make({ externalSql: 'select 1', ingestSql, schedule: '*/5 * * * *', timeZone: 'UTC', ...more })
  const runsUntil = async (uid: string, count: number): Promise<readonly ShownRun[]> => {
    const allEnded = async () => {
      const runs = await importing.runs(uid)
      return runs.length >= count && runs.every(({ end }) => end !== null)
    }
    await eventually(allEnded)
    return importing.runs(uid)
  }
  /** Until the server has looked for what is due: another import, due before everything, has failed for want of a user. */
  const aLook = async () => {
    const uid = await importing.make({ externalSql: 'select 1', ingestSql: 'SELECT 1', schedule: '* * * * *' })
    await importing.service.sql`update connector set user_key = null where uid = ${uid}`
    await importing.service.sql`
      update import_state set next_run_at = 'epoch' from connector where connector.key = connector_key and uid = ${uid}`
    await eventually(async () => (await importing.runs(uid)).some(({ end }) => end !== null))
    await importing.ask('DELETE', `/api/connector/${uid}`)
  }
  return { clock, importing: () => importing, make, runsUntil, aLook }
}
