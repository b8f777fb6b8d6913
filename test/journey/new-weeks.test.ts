// Scripts and imports of history that wait for a sample of theirs, after others in new weeks: no upload into other new weeks waits
// for them.
import assert from 'node:assert/strict'
import { onOwnConnection } from '../../src/base/database/pool.ts'
import { addPerson } from '../support/http.ts'
import type { Person } from '../support/http.ts'
import { openTestService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

const weekMs = 7 * 86_400_000
const t0 = Date.UTC(2015, 0, 1)

describe('a writer that waits for a sample after it came to new weeks', () => {
  let service: TestService
  let admin: Person
  let heldKey: number
  before(async () => {
    service = await openTestService()
    admin = await addPerson(service, 'admin')
    for (const compId of ['Early', 'Held', 'Upload'])
      assert.equal((await service.put(`/api/feed?compId=${compId}&kwh=1&time=${t0}`)).status, 200)
    const [held] = await service.sql<[{ key: number }]>`
      select stream.key from stream join component on component.key = component_key where component.id = 'Held'`
    heldKey = held.key
  })
  after(() => service.close())

  /** Those who wait for a row that somebody else has, and whether each keeps others from making chunks. */
  const waiting = async () => {
    const rows = await service.sql<{ keeps: boolean }[]>`
      select exists (
        select from pg_locks
        where pg_locks.pid = activity.pid and relation = 'sample'::regclass and mode = 'ShareUpdateExclusiveLock') as keeps
      from pg_stat_activity activity
      where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'transactionid'`
    return rows.map(({ keeps }) => keeps)
  }

  const script = (first: number, held: number) => async () => {
    const s = `
      INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) WITH (FOLDER = '/Components/a') VALUES ('Early', 'kwh', ${first}, 5);
      INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) WITH (FOLDER = '/Components/b') VALUES ('Held', 'kwh', ${held}, 5)`
    return (await admin.call('POST', '/api/gql', { s })).status
  }
  const reading = (first: number, held: number) => async () => {
    const s = `
      INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT cid, 'kwh', ${first}, 5 FROM Stream WHERE cid = 'Early' AND id = 'kwh' AND lastValue IS NOT NULL;
      INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ('Held', 'kwh', ${held}, 5)`
    return (await admin.call('POST', '/api/gql', { s })).status
  }
  const history = (first: number, held: number) => async () => {
    const body = `compId,streamId,time,data\r\nEarly,kwh,${first},5\r\nHeld,kwh,${held},5\r\n`
    return (await service.request('POST', `/api/import?api_key=${service.apiKey}`, { body })).status
  }

  for (const [n, [writer, writing]] of Object.entries({
    'a script': script,
    'a script that reads streams': reading,
    'an import of history': history,
  }).entries())
    it(`lets uploads into other new weeks be acknowledged: ${writer}`, async () => {
      const at = (week: number) => t0 + (10 * (n + 1) + week) * weekMs
      await service.put(`/api/feed?compId=Upload&kwh=1&time=${at(0)}`)
      let running: Promise<number> | undefined
      await onOwnConnection(service.sql, undefined, async (own) => {
        await own`begin`
        await own`insert into sample (stream_key, time, num) values (${heldKey}, ${at(0)}, 1)`
        running = writing(at(1), at(0))()
        await eventually(async () => {
          const found = await waiting()
          if (found.length > 0) assert.deepEqual(found, [false])
          return found.length > 0
        })
        assert.equal((await service.put(`/api/feed?compId=Upload&kwh=1&time=${at(2)}`)).status, 200)
        await own`rollback`
      })
      assert.equal(await running, 200)
      const stored = await service.sql<{ id: string }[]>`
        select component.id from sample
        join stream on stream.key = stream_key join component on component.key = component_key
        where time in (${at(0)}, ${at(1)}) and num = 5 order by 1`
      assert.deepEqual(
        stored.map(({ id }) => id),
        ['Early', 'Held'],
      )
    })
})
