// A primary whose synchronous standbys are all away (docs/scale.md#standbys): nothing is acknowledged, and readings go on. So no job may
// wait for a standby while it keeps readers out.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { openPool } from '../../src/base/database/pool.ts'
import type { Pool } from '../../src/base/database/sql.ts'
import { snapshot } from '../../src/base/database/sql.ts'
import { dropEmptied, extendWeeklyChunks, holdChunks } from '../../src/core/sample/chunk.ts'
import { mainPhase } from '../../src/core/statistic/tile.ts'
import { makeTiles, removeTiles } from '../../src/core/statistic/tile-edition.ts'
import { newDirectory } from '../support/directory.ts'
import type { OwnDatabase } from '../support/own-database.ts'
import { openOwnDatabase } from '../support/own-database.ts'
import { eventually } from '../support/within.ts'

const dayMs = 86_400_000
const nowMs = Date.parse('2026-05-20T12:00:00Z')

describe('a database without any standby', () => {
  let database: OwnDatabase
  let local: Pool
  let waiting: Pool
  /** Its transactions commit as those of jobs. TimescaleDB gives its single queries a transaction's number, so that they would wait as well, holding nothing. */
  let jobs: Pool
  let readers: Pool
  before(async () => {
    database = await openOwnDatabase(join(await newDirectory('no-standby'), 'postgres'))
    await database.start()
    const open = (settings: Readonly<Record<string, string>>) =>
      openPool(database.url, { connections: 3, name: 'test', settings })
    local = open({ synchronous_commit: 'local' })
    waiting = open({})
    jobs = new Proxy(local, {
      get: (target, name) => Reflect.get(name === 'begin' ? waiting : target, name) as unknown,
    })
    readers = open({ lock_timeout: '2s' })
    await database.ask("alter system set synchronous_standby_names = 'nobody'")
    await database.ask('select pg_reload_conf()')
    await eventually(async () => (await local`show synchronous_standby_names`)[0]!['synchronous_standby_names'] !== '')
  })
  after(async () => {
    for (const pool of [local, waiting, readers]) await pool?.end({ timeout: 1 })
    await database?.stop()
  })

  const works: readonly (readonly [rule: string, work: () => Promise<unknown>, expected: unknown])[] = [
    ['drops chunks', () => dropEmptied(jobs, nowMs), 1],
    ['moves the wide chunk on', () => extendWeeklyChunks(jobs, Date.now() + 440 * dayMs), true],
    ['makes tiles', () => makeTiles(jobs, mainPhase, 'table'), undefined],
    ['removes tiles', () => removeTiles(jobs, mainPhase), undefined],
  ]
  for (const [rule, work, expected] of works)
    it(`${rule}, and readings go on`, async () => {
      await local`insert into sample (stream_key, time, num) values (1, '2026-04-02', 1)`
      await local`delete from sample`
      const working = work()
      let isOver = false
      const ended = working.then(() => (isOver = true))
      ended.catch(() => {})
      // In the end it has committed, or waits for a standby.
      await eventually(async () => {
        const commits = await local`select from pg_stat_activity where wait_event = 'SyncRep'`
        return isOver || commits.length > 0
      })
      await snapshot(readers, (sql) => holdChunks(sql))
      assert.equal(await working, expected)
    })
})
