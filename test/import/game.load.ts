// Nothing lost, nothing doubled: a random game of external commits, runs of two servers, failures, cancels, killed runs and
// others who change the same samples, against a model. After every run that succeeds, the stored samples are those of one
// clean run. `npm run soak -- imports` plays longer.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '../../src/service.ts'
import { openImporting } from '../support/import.ts'
import type { Importing, RunAnswer, ShownRun } from '../support/import.ts'
import { addSession } from '../support/people.ts'
import { openRandom } from '../support/random.ts'
import { openSecond } from '../support/second.ts'
import { shortOrLong } from '../support/soak.ts'
import { eventually } from '../support/within.ts'

const moves = shortOrLong(8, 400)

describe('imports in a random game', function () {
  this.timeout(shortOrLong(120_000, 3_600_000))
  let importing: Importing
  let second: Service
  let session: string
  before(async () => {
    importing = await openImporting()
    second = await openSecond(importing.service)
    session = await addSession(importing.service.sql, importing.admin.user)
    await importing.external.unsafe(`
      create table reading (n bigint generated always as identity primary key, meter text, at bigint, v double precision);
      create table trap (is_set boolean); insert into trap values (false)`)
  })
  after(async () => {
    await second.close()
    await importing.close()
  })

  it('have stored, after each run that succeeds, exactly what was committed before it', async () => {
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
    const { integer: below } = openRandom(seed)
    const meters = ['A', 'B', 'C']
    /** By meter and time, the value that was committed last. */
    const model = new Map<string, number>()
    const uid = await importing.make({
      // A trap makes the last row one that no sample can be made of.
      externalSql: `
        select meter, at, v::text from reading
        union all select 'A', 1, 'trap' from trap where is_set`,
      ingestSql: `
        WITH r AS (SELECT m, t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 m STRING, 2 t LONG, 3 v DOUBLE))
        INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT m, 'v', t, v FROM r`,
    })
    const commit = async () => {
      // Mostly there is something new; else the run gets the rows of the last one.
      if (below(3) === 0) return
      for (let rows = below(20) + 1; rows > 0; rows -= 1) {
        const [meter, at, v] = [meters[below(meters.length)]!, 1000 * (below(50) + 1), below(10)]
        await importing.external`delete from reading where meter = ${meter} and at = ${at}`
        await importing.external`insert into reading (meter, at, v) values (${meter}, ${at}, ${v})`
        model.set(`${meter} ${at}`, v)
      }
    }
    const stored = async () => {
      const found = new Map<string, number>()
      for (const meter of meters)
        for (const [at, v] of await importing.samples(meter, 'v')) found.set(`${meter} ${at}`, v as number)
      return found
    }
    const sorted = (map: ReadonlyMap<string, number>) => [...map].toSorted(([a], [b]) => (a < b ? -1 : 1))
    /** The stored samples when the last run succeeded. */
    let before = new Map<string, number>()
    const check = async (expected: ReadonlyMap<string, number>, what: string) =>
      assert.deepEqual(sorted(await stored()), sorted(expected), `${what}, SEED=${seed}`)

    const killBackends = (name: string) => importing.service.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = ${name}`
    const disturbances: readonly (() => Promise<unknown>)[] = [
      () => killBackends('coppice imports'),
      () => killBackends('coppice'),
      () => importing.external`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'test'`,
      async () => {
        const [run] = await importing.runs(uid)
        if (run?.end === null) await importing.ask('DELETE', `/api/connector/${uid}/run/${run.uid}`)
      },
      () => importing.ask('PUT', `/api/connector/${uid}`, { name: `n${below(1000)}` }),
    ]

    /** Somebody else changes or deletes one of the stored samples. */
    const meddle = async () => {
      const key = [...before.keys()][below(before.size + 1)]
      if (key === undefined || below(3) > 0) return
      const [meter, at] = key.split(' ')
      if (below(2) === 0) {
        await importing.service.put(`/api/feed?compId=${meter}&v=77&time=${at}`)
        before.set(key, 77)
      } else {
        const span = `sd=${at}&ed=${Number(at) + 1}`
        const { status } = await importing.ask('DELETE', `/api/comp/${meter}/stream/v/feed?${span}`)
        assert.equal(status, 200)
        before.delete(key)
      }
    }
    /** A database that was cut off is away for a moment, for each server. */
    const allEnded = async () => {
      let runs: readonly ShownRun[] = []
      await eventually(async () => (await fetch(`${second.url}/api/connector/${uid}?session=${session}`)).ok)
      await eventually(async () => {
        runs = await importing.runs(uid).catch(() => [{ end: null } as ShownRun])
        return runs.every(({ end }) => end !== null)
      })
      return runs
    }
    /** By either server. */
    const run = async (): Promise<Partial<RunAnswer>> => {
      if (below(2) === 0) return (await importing.ask('POST', `/api/connector/${uid}/run`)).body as Partial<RunAnswer>
      const reply = await fetch(`${second.url}/api/connector/${uid}/run?session=${session}`, { method: 'POST' })
      return (await reply.json()) as Partial<RunAnswer>
    }

    for (let move = 0; move < moves; move += 1) {
      await commit()
      await meddle()
      const kind = below(4)
      if (kind === 0) {
        await importing.external`update trap set is_set = true`
        const answer = await run()
        await importing.external`update trap set is_set = false`
        assert.equal(answer.success, false)
        await check(before, 'a run that failed')
      } else if (kind === 1) {
        const [last] = await importing.runs(uid)
        const running = run()
        await sleep(below(1500))
        await disturbances[below(disturbances.length)]!().catch(() => {})
        const body = await running
        // The answer may be lost and not the run: the list of runs has the truth, and an answer says the same.
        const [ran] = await allEnded()
        const isStored = ran !== undefined && ran.uid !== last?.uid && ran.state === 'succeeded'
        if (body.run) assert.equal(body.success, isStored, `SEED=${seed}`)
        if (isStored) before = new Map(model)
        await check(isStored ? model : before, `a run that was disturbed: ${JSON.stringify(body)}`)
      } else {
        const answer = await run()
        assert.equal(answer.message, '', `SEED=${seed}`)
        before = new Map(model)
        await check(model, 'a run')
        assert.equal(answer.run!.inserted + answer.run!.skipped, model.size, `SEED=${seed}`)
      }
    }
    const last = await importing.run(uid)
    assert.equal(last.message, '')
    await check(model, 'the last run')
    const open = (await importing.runs(uid)).filter(({ end }) => end === null)
    assert.deepEqual(open, [])
  })
})
