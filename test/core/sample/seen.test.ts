// The data that a script has read, and whether they still hold when its writes are stored; step by step, in a fixed
// order. journey/script-turns.load.ts tests many scripts at once.
import assert from 'node:assert/strict'
import { readConfig } from '../../../src/base/config.ts'
import { emptySamples, noDerivation, pushSample } from '../../../src/core/sample/batch.ts'
import { transaction } from '../../../src/base/database/sql.ts'
import type { Caller } from '../../../src/core/caller.ts'
import { rootFolder } from '../../../src/core/folder.ts'
import { Ingestion } from '../../../src/core/sample/ingest.ts'
import type { Sight } from '../../../src/core/sample/seen.ts'
import type { SeenSteps } from '../../../src/core/sample/ingest.ts'
import { lockTurn, sightColumns } from '../../../src/core/sample/seen.ts'
import type { WriteStep } from '../../../src/core/sample/store.ts'
import type { TestDatabase } from '../../support/database.ts'
import { addCaller } from '../../support/caller.ts'
import { openTestDatabase, quietLog } from '../../support/database.ts'
import { skipWithout } from '../../support/skip.ts'

const timeMs = Date.parse('2026-05-01T00:00:00Z')

describe('core/seen', () => {
  let database: TestDatabase
  let ingestion: Ingestion
  let caller: Caller
  let keys: ReadonlyMap<string, number>

  before(async () => {
    database = await openTestDatabase()
    caller = await addCaller(database.sql)
    const rows = await database.sql<{ key: number; id: string }[]>`
      with folder as (
          insert into folder (organization_key, path) values (${caller.organizationKey}, '/Components') returning key),
        component as (
          insert into component (organization_key, id, name, folder_key, time_zone)
          select ${caller.organizationKey}, 'c', 'c', key, 'UTC' from folder
          returning key)
      insert into stream (component_key, id, name, kind, value_type, position)
      select key, 's' || n, 's', case n when 3 then 'point' else 'random' end, 'DOUBLE', n
      from component, generate_series(1, 3) as n
      returning key, id`
    keys = new Map(rows.map(({ key, id }) => [id, key]))
    const { sql } = database
    const world = { config: readConfig({}), sql, readSql: sql, clock: { now: () => timeMs }, log: quietLog }
    ingestion = await Ingestion.open(world, database.url)
  })
  after(async () => {
    await ingestion.close()
    await database.drop()
  })
  beforeEach(() =>
    put('s1', 1)
      .then(() => put('s2', 1))
      .then(() => put('s3', 1)),
  )

  const batchOf = (id: string, value: number) => {
    const samples = emptySamples()
    pushSample(samples, 0, id, value, timeMs)
    return {
      form: 'json' as const,
      uploadMs: timeMs,
      components: [{ ref: 'c', name: undefined, templateId: undefined }],
      samples,
      wantedStreamIds: [],
      creation: { folderPath: rootFolder, streamTemplate: undefined },
      fillsGaps: false,
      derivation: noDerivation,
    }
  }
  const put = (id: string, value: number) => ingestion.ingest(caller, batchOf(id, value))
  const write = (id: string, value: number): WriteStep => ({ kind: 'batch', batch: batchOf(id, value) })
  const remove = (id: string): WriteStep => ({ kind: 'delete', series: [{ cid: 'c', id, timesMs: [timeMs] }] })
  const valueOf = async (id: string) => {
    const key = keys.get(id)!
    const [row] = await database.sql<{ num: number }[]>`
      select num from sample where stream_key = ${key} union all select num from point_sample where stream_key = ${key}`
    return row?.num
  }

  /** A script that reads one stream and writes steps made of its value; `between` happens after it has read. */
  const script =
    (read: string, steps: (value: number) => readonly WriteStep[], between: (run: number) => Promise<unknown>) =>
    async (): Promise<SeenSteps<number>> => {
      runs += 1
      const [{ snapshot, ...log }] = await database.sql<[Sight]>`select ${sightColumns(database.sql)}`
      const value = await valueOf(read)
      await between(runs)
      return {
        steps: value === undefined ? [] : steps(value),
        seen: { snapshot, log, streamKeys: [keys.get(read)!] },
        result: runs,
      }
    }
  let runs = 0
  beforeEach(() => (runs = 0))
  const onceOnly = (work: () => Promise<unknown>) => (run: number) => (run === 1 ? work() : Promise.resolve())

  for (const id of ['s1', 's3'])
    it(`runs a script again whose sample was uploaded anew after it was read (${id})`, async () => {
      const between = onceOnly(() => put(id, 10))
      assert.equal(
        await ingestion.ingestSeen(
          caller,
          script(id, (value) => [write(id, value + 1)], between),
        ),
        2,
      )
      assert.equal(await valueOf(id), 11)
    })

  for (const id of ['s1', 's3'])
    it(`deletes no sample that was uploaded anew after it was read (${id})`, async () => {
      const steps = (value: number) => (value === 1 ? [remove(id)] : [])
      assert.equal(
        await ingestion.ingestSeen(
          caller,
          script(
            id,
            steps,
            onceOnly(() => put(id, 10)),
          ),
        ),
        2,
      )
      assert.equal(await valueOf(id), 10)
    })

  it('runs a script once when uploads change what it reads but not what it writes', async () => {
    const steps = (value: number) => [write('s2', value + 1)]
    assert.equal(
      await ingestion.ingestSeen(
        caller,
        script('s1', steps, () => put('s1', 10)),
      ),
      1,
    )
    assert.deepEqual([await valueOf('s1'), await valueOf('s2')], [10, 2])
  })

  it('runs a script again when another script has written a stream that it read', async () => {
    const other = () =>
      ingestion.ingestSeen(
        caller,
        script(
          's2',
          () => [write('s1', 5)],
          () => Promise.resolve(),
        ),
      )
    const steps = (value: number) => [write('s2', value + 1)]
    await ingestion.ingestSeen(
      caller,
      script('s1', steps, (run) => (run === 1 ? other() : Promise.resolve())),
    )
    assert.equal(runs, 3)
    assert.deepEqual([await valueOf('s1'), await valueOf('s2')], [5, 6])
  })

  it('overwrites samples that the same script has written before', async () => {
    const steps = (value: number) => [write('s1', value + 1), write('s1', value + 2), remove('s2'), write('s2', 7)]
    assert.equal(
      await ingestion.ingestSeen(
        caller,
        script('s1', steps, () => Promise.resolve()),
      ),
      1,
    )
    assert.deepEqual([await valueOf('s1'), await valueOf('s2')], [3, 7])
  })

  it('is a conflict, with nothing stored, when it is overtaken each time', async () => {
    const overtaken = script(
      's1',
      (value) => [write('s2', 100), write('s1', value + 1)],
      (run) => put('s1', run),
    )
    await assert.rejects(ingestion.ingestSeen(caller, overtaken), { status: 409 })
    assert.deepEqual([await valueOf('s1'), await valueOf('s2')], [runs, 1])
  })

  it('runs no two scripts of an organization at once that were overtaken', async () => {
    let again = 0
    let most = 0
    const addOne = script(
      's1',
      (value) => [write('s1', value + 1)],
      () => Promise.resolve(),
    )
    const addOneCounted = () => {
      let own = 0
      return async () => {
        own += 1
        if (own === 1) return addOne()
        again += 1
        most = Math.max(most, again)
        return addOne().finally(() => (again -= 1))
      }
    }
    await Promise.all(Array.from({ length: 10 }, () => ingestion.ingestSeen(caller, addOneCounted())))
    assert.equal(await valueOf('s1'), 11)
    assert.equal(most, 1)
  })

  it('sees samples of a compressed chunk as they are', async function () {
    if (database.edition !== 'community') return skipWithout(this, 'the Community edition of TimescaleDB')
    await database.sql`
      alter table sample set (
        timescaledb.compress, timescaledb.compress_segmentby = 'stream_key', timescaledb.compress_orderby = 'time')`
    await database.sql`select compress_chunk(chunk) from show_chunks('sample') as chunk`
    const steps = (value: number) => [write('s1', value + 1), remove('s2')]
    assert.equal(
      await ingestion.ingestSeen(
        caller,
        script(
          's1',
          steps,
          onceOnly(() => put('s1', 10)),
        ),
      ),
      2,
    )
    assert.deepEqual([await valueOf('s1'), await valueOf('s2')], [11, undefined])
  })

  it('leaves a script that has its turn waiting for other locks as long as before', () =>
    transaction(database.sql, async (sql) => {
      const waited = async () => (await sql<[{ lock_timeout: string }]>`show lock_timeout`)[0].lock_timeout
      const usual = await waited()
      await sql`set local lock_timeout = '12345ms'`
      await lockTurn(sql, caller.organizationKey)
      assert.equal(await waited(), '12345ms')
      await sql`set local lock_timeout to default`
      assert.equal(await waited(), usual)
    }))
})
