import assert from 'node:assert/strict'
import { openPool } from '../../../src/base/database/pool.ts'
import type { Pool } from '../../../src/base/database/sql.ts'
import { transaction } from '../../../src/base/database/sql.ts'
import type { Counting } from '../../../src/core/upkeep/removal-progress.ts'
import { countSome, haveSamples, openRemover, queueRemoval, removeSome } from '../../../src/core/upkeep/removal.ts'
import { newTurn } from '../../../src/core/upkeep/removal-turn.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { eventually } from '../../support/within.ts'

const firstMs = Date.parse('2026-01-01T00:00:00Z')

describe('core/upkeep/removal', () => {
  let database: TestDatabase

  before(async () => (database = await openTestDatabase()))
  after(() => database.drop())
  beforeEach(async () => {
    await database.sql`truncate sample, point_sample, archive, removal, removal_progress, organization cascade`
  })

  /** A sample a day, so that they lie in many chunks. */
  const fill = (streamKey: number, days: number) => database.sql`
    insert into sample (stream_key, time, num)
    select ${streamKey}, ${firstMs}::timestamptz + n * interval '1 day', n from generate_series(1, ${days}) as n`
  const counts = async () => {
    const rows = await database.sql<{ key: number; n: number }[]>`
      select stream_key as key, count(*)::integer as n from sample group by 1 order by 1`
    return Object.fromEntries(rows.map(({ key, n }) => [key, n]))
  }
  const queue = (...keys: readonly number[]) =>
    transaction(database.sql, async (sql) => {
      for (const key of keys) await queueRemoval(sql, key, { tenantUid: 'own' })
    })

  it('does nothing when nothing is queued', async () => {
    await fill(1, 3)
    assert.deepEqual(await removeSome(database.sql), { streams: 0, samples: 0 })
    assert.deepEqual(await counts(), { 1: 3 })
  })

  it('removes no more than a batch at a time, oldest first, and nothing of other streams', async () => {
    await fill(1, 25)
    await fill(2, 25)
    await queue(1)
    assert.deepEqual(await removeSome(database.sql, 10), { streams: 0, samples: 10 })
    const [left] = await database.sql<[{ oldest: number }]>`
      select min(num)::integer as oldest from sample where stream_key = 1`
    assert.equal(left.oldest, 11)
    assert.deepEqual(await removeSome(database.sql, 10), { streams: 0, samples: 10 })
    assert.deepEqual(await removeSome(database.sql, 10), { streams: 1, samples: 5 })
    assert.deepEqual(await removeSome(database.sql, 10), { streams: 0, samples: 0 })
    assert.deepEqual(await counts(), { 2: 25 })
  })

  it('removes many small streams in one batch, and stops within one where the batch is full', async () => {
    for (const key of [1, 2, 3, 4]) await fill(key, 4)
    await fill(9, 4)
    await queue(4, 2, 1, 3, 8)
    assert.deepEqual(await removeSome(database.sql, 10), { streams: 2, samples: 10 })
    assert.deepEqual(await counts(), { 3: 2, 4: 4, 9: 4 })
    assert.deepEqual(await removeSome(database.sql, 6), { streams: 1, samples: 6 })
    assert.deepEqual(await counts(), { 9: 4 })
    assert.deepEqual(await removeSome(database.sql, 6), { streams: 2, samples: 0 })
    assert.deepEqual([...(await database.sql`select from removal`)], [])
  })

  it('takes the one sample of point streams, and streams without any, together', async () => {
    await database.sql`
      insert into point_sample (stream_key, time, num) values (1, now(), 1), (2, now(), 2), (3, now(), 3)`
    await queue(1, 2, 7)
    assert.deepEqual(await removeSome(database.sql), { streams: 3, samples: 0 })
    const left = await database.sql`select stream_key as key from point_sample`
    assert.deepEqual([...left], [{ key: 3 }])
  })

  it('lets several processes be at it at once', async () => {
    for (const key of [1, 2, 3]) await fill(key, 30)
    await queue(1, 2, 3)
    const work = async () => {
      for (;;) {
        const { streams, samples } = await removeSome(database.sql, 7)
        if (streams + samples === 0) return
      }
    }
    await Promise.all([work(), work(), work()])
    await work()
    assert.deepEqual(await counts(), {})
    assert.deepEqual([...(await database.sql`select from removal`)], [])
  })

  it('removes those that a server of the version before has queued', async () => {
    await fill(1, 3)
    await database.sql`insert into removal (stream_key) values (1)`
    assert.deepEqual(await removeSome(database.sql), { streams: 1, samples: 3 })
    assert.deepEqual([...(await database.sql`select from removal`)], [])
  })

  describe('of many tenants', () => {
    /** Streams of a tenant that are to be counted and removed; gives the key of their progress. */
    const queueMany = async (tenant: string, first: number, last: number, sql = database.sql): Promise<number> => {
      const [{ key }] = await sql<[{ key: number }]>`
        insert into removal_progress (organization_key, entity, subject, name, streams)
        values (1, 'component', 'uid', 'name', ${last - first + 1})
        returning key`
      await sql`
        insert into removal (stream_key, tenant_uid, progress_key)
        select n, ${tenant}, ${key} from generate_series(${first}::integer, ${last}::integer) as n`
      return key
    }
    /** Gives its key. */
    const removeOrganization = async (tenant: string, components: number): Promise<number> => {
      const [{ key }] = await database.sql<[{ key: number }]>`
        insert into organization (name, tenant_uid, is_removed) values ('gone', ${tenant}, true) returning key`
      await database.sql`
        insert into component (organization_key, is_template, name)
        select ${key}, true, 'c' from generate_series(1, ${components}::integer)`
      return key
    }
    const isOver = async (progressKey: number) =>
      (await database.sql`select from removal_progress where key = ${progressKey} and ended_at is not null`).length ===
      1
    const isGone = async (organizationKey: number) =>
      (await database.sql`select from organization where key = ${organizationKey}`).length === 0
    const mostSteps = 100
    const stepsUntil = async (isDone: () => Promise<boolean>): Promise<number> => {
      const remove = openRemover()
      for (let steps = 1; steps <= mostSteps; steps++) {
        await remove(database.sql)
        if (await isDone()) return steps
      }
      return assert.fail(`it is not done in ${mostSteps} steps`)
    }

    for (const small of ['a', 'z'])
      it(`ends the small one of ${small} in a few steps beside the long queue of another`, async () => {
        const long = await queueMany('m', 1, 5000)
        await fill(9000, 3)
        const key = await queueMany(small, 9000, 9000)
        const steps = await stepsUntil(() => isOver(key))
        assert.ok(steps <= 4, String(steps))
        assert.deepEqual(await counts(), {})
        assert.equal(await isOver(long), false)
      })

    it('ends a small one in a few steps while an organization goes', async () => {
      const organization = await removeOrganization('m', 5000)
      await fill(9000, 3)
      const key = await queueMany('z', 9000, 9000)
      const steps = await stepsUntil(() => isOver(key))
      assert.ok(steps <= 4, String(steps))
      assert.equal(await isGone(organization), false)
    })

    it('lets organizations that are deleted go in turn', async () => {
      const large = await removeOrganization('a', 5000)
      const small = await removeOrganization('z', 10)
      const steps = await stepsUntil(() => isGone(small))
      assert.ok(steps <= 5, String(steps))
      assert.equal(await isGone(large), false)
    })

    it('removes the folders, units and all else of an organization some at a time', async () => {
      const key = await removeOrganization('m', 1)
      const { sql } = database
      await sql`
        insert into folder (organization_key, path) select ${key}, '/Components/' || n from generate_series(1, 2500) as n`
      await sql`insert into unit (organization_key, name) select ${key}, 'u' from generate_series(1, 1500)`
      await sql`insert into query (organization_key, name, sql) values (${key}, 'q', 'q')`
      const remove = openRemover()
      const left = async () => {
        const [row] = await sql<[{ folders: number; units: number }]>`
          select (select count(*)::integer from folder) as folders, (select count(*)::integer from unit) as units`
        return [row.folders, row.units] as const
      }
      let [folders, units] = await left()
      for (let steps = 0; !(await isGone(key)); steps += 1) {
        assert.ok(steps < 20)
        await remove(sql)
        const [foldersNow, unitsNow] = await left()
        assert.ok(folders - foldersNow + units - unitsNow <= 1000)
        ;[folders, units] = [foldersNow, unitsNow]
      }
      assert.deepEqual([folders, units], [0, 0])
    })

    it('counts all that one has queued before it removes the first', async () => {
      await fill(1, 3)
      await fill(250, 4)
      const key = await queueMany('m', 1, 250)
      const read = async () => {
        const [row] = await database.sql<[{ samples: number; removed: number }]>`
          select samples::integer, samples_removed::integer as removed from removal_progress where key = ${key}`
        return row
      }
      const remove = openRemover()
      const seen = []
      for (let isMore = true; isMore; isMore = await remove(database.sql)) seen.push(await read())
      assert.deepEqual(
        seen.filter(({ samples, removed }) => samples < 7 && removed > 0),
        [],
      )
      assert.deepEqual(seen.at(-1), { samples: 7, removed: 7 })
      assert.equal(await isOver(key), true)
    })

    /** Does something else before the first query that has such a text. */
    const doingBefore = <T extends object>(sql: T, text: string, work: () => Promise<unknown>): T =>
      new Proxy(sql, {
        apply: (target, _this, given: unknown[]) => {
          const ask = () => (target as unknown as (...args: unknown[]) => unknown)(...given)
          return String(given[0]).includes(text) ? work().then(ask) : ask()
        },
        get: (target, property) => {
          const value = Reflect.get(target, property) as unknown
          return property === 'begin'
            ? (inside: (sql: object) => unknown) =>
                (value as (work: (sql: object) => unknown) => unknown)((own) => inside(doingBefore(own, text, work)))
            : value
        },
      })

    it('counts what is queued while it begins to remove, too', async () => {
      await fill(1, 3)
      await fill(2, 4)
      await queue(1)
      let late = 0
      const meanwhile = doingBefore(database.sql, 'for update skip locked', async () => {
        late ||= await queueMany('own', 2, 2)
      })
      assert.deepEqual(await removeSome(meanwhile), { streams: 1, samples: 3 })
      assert.deepEqual(await counts(), { 2: 4 })
      const remove = openRemover()
      while (await remove(database.sql));
      const [progress] = await database.sql`
        select samples::integer, samples_removed::integer as removed from removal_progress where key = ${late}`
      assert.deepEqual(progress, { samples: 4, removed: 4 })
    })

    it('counts so many samples at once, however many a stream has, and nothing twice', async () => {
      for (const [key, days] of [
        [1, 4],
        [2, 25],
        [3, 4],
      ] as const)
        await fill(key, days)
      const key = await queueMany('m', 1, 3)
      await fill(9, 12)
      const other = await queueMany('z', 9, 9)
      const counted = async (progressKey: number) => {
        const [row] = await database.sql<[{ samples: number }]>`
          select samples::integer from removal_progress where key = ${progressKey}`
        return row.samples
      }
      const turn = newTurn()
      const counting: Counting = new Map()
      const seen = []
      while (await countSome(database.sql, turn, counting, { streams: 100, samples: 10 })) {
        turn.hasGotOn = true
        seen.push([await counted(key), await counted(other)])
      }
      assert.deepEqual(seen, [
        [4, 0],
        [4, 0],
        [4, 0],
        [4, 12],
        [29, 12],
        [33, 12],
      ])
      assert.equal(counting.size, 0)
    })

    it('counts the others where another process has counted the stream that was begun', async () => {
      await fill(1, 12)
      await fill(2, 3)
      const key = await queueMany('m', 1, 2)
      const counting: Counting = new Map()
      const most = { streams: 1, samples: 10 }
      assert.equal(await countSome(database.sql, newTurn(), counting, most), true)
      assert.equal(await countSome(database.sql, newTurn(), new Map(), { ...most, samples: 100 }), true)
      assert.equal(await countSome(database.sql, newTurn(), counting, most), true)
      assert.equal(await countSome(database.sql, newTurn(), counting, most), false)
      const [row] = await database.sql`select samples::integer from removal_progress where key = ${key}`
      assert.equal(row!['samples'], 15)
    })

    for (const [title, disturb] of [
      [
        'that another process is at',
        (work: () => Promise<void>) =>
          transaction(database.sql, async (sql) => {
            await sql`select from removal where tenant_uid = 'a' for update`
            await work()
          }),
      ],
      [
        'whose pieces fail',
        async (work: () => Promise<void>) => {
          await database.sql`
            create function fail_removal() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`
          await database.sql`
            create trigger fail_removal before delete on removal for each row when (old.tenant_uid = 'a') execute function fail_removal()`
          await work().finally(() => database.sql`drop function fail_removal cascade`)
        },
      ],
    ] as const)
      it(`does all of the others without a pause beside one ${title}, and reports that once`, async () => {
        for (const tenant of ['a', 'm', 'z'])
          await database.sql`
            insert into removal (stream_key, tenant_uid)
            select n + ${tenant.charCodeAt(0) * 1000}, ${tenant} from generate_series(1, 450) as n`
        const left = async () => {
          const rows = await database.sql<{ tenant: string }[]>`
            select tenant_uid as tenant from removal group by 1 order by 1`
          return rows.map(({ tenant }) => tenant)
        }
        await disturb(async () => {
          const remove = openRemover()
          const untilPause = async () => {
            const reported: unknown[] = []
            const report = (error: unknown) => reported.push(error) > 0
            while (await remove(database.sql).catch(report));
            return reported.length
          }
          const reports = title.endsWith('fail') ? 1 : 0
          assert.equal(await untilPause(), reports)
          assert.deepEqual(await left(), ['a'])
          // It is alone now, and tried again after each pause.
          assert.equal(await untilPause(), reports)
        })
        const remove = openRemover()
        while (await remove(database.sql));
        assert.deepEqual(await left(), [])
      })

    it('rests where no piece can be begun', async () => {
      await queueMany('a', 1, 500)
      const remove = openRemover()
      for (let step = 0; step < 6; step += 1) assert.equal(await remove(database.sql), true)
      const away = openPool('postgres://127.0.0.1:1/none', { connections: 1, name: 'away' })
      try {
        for (let step = 0; step < 3; step += 1) assert.equal(await remove(away).catch(() => false), false)
      } finally {
        await away.end({ timeout: 0 })
      }
      while (await remove(database.sql));
      assert.deepEqual([...(await database.sql`select from removal`)], [])
    })

    it('goes on with the others where one fails', async () => {
      await removeOrganization('m', 10)
      await database.sql`
        create function fail_removal() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`
      await database.sql`
        create trigger fail_removal before delete on component for each statement execute function fail_removal()`
      try {
        await fill(1, 3)
        const key = await queueMany('m', 1, 1)
        await assert.rejects(openRemover()(database.sql), { message: 'broken' })
        assert.equal(await isOver(key), true)
      } finally {
        await database.sql`drop function fail_removal cascade`
      }
    })

    /** Of a database of its own: connections give their counts late, at the latest when they end. */
    const readAlone = async (own: TestDatabase, table: string, work: (sql: Pool) => Promise<unknown>) => {
      const sql = openPool(own.url, { connections: 1, name: 'alone' })
      await work(sql).finally(() => sql.end())
      await eventually(async () => {
        const left = await own.sql`
          select from pg_stat_activity where application_name = 'alone' and datname = current_database()`
        return left.length === 0
      })
      const [row] = await own.sql<[{ rows: number; scans: number }]>`
        select (seq_tup_read + idx_tup_fetch)::integer as rows, (seq_scan + idx_scan)::integer as scans
        from pg_stat_user_tables
        where relname = ${table}`
      return row
    }

    it('does not look through the grants of all organizations for one whose members are gone', async () => {
      const own = await openTestDatabase()
      try {
        const before = await readAlone(own, 'oauth_grant', async (sql) => {
          const [{ key }] = await sql<[{ key: number }]>`
            insert into organization (name, is_removed) values ('gone', true) returning key`
          await sql`
            insert into folder (organization_key, path) select ${key}, '/Components/' || n from generate_series(1, 2500) as n`
        })
        const after = await readAlone(own, 'oauth_grant', async (sql) => {
          const remove = openRemover()
          while (await remove(sql));
        })
        assert.deepEqual([...(await own.sql`select from folder where path <> '/Components'`)], [])
        assert.equal(after.scans - before.scans, 0)
      } finally {
        await own.drop()
      }
    })

    it('reads as much of a long queue in a step as of a short one', async () => {
      const own = await openTestDatabase()
      const alone = async (work: (sql: Pool) => Promise<unknown>) => (await readAlone(own, 'removal', work)).rows
      try {
        const before = await alone(async (sql) => {
          await queueMany('m', 1, 20_000, sql)
          await queueMany('n', 30_001, 50_000, sql)
          await sql`update removal set samples = 0 where tenant_uid = 'm'`
          await sql`analyze removal, removal_progress`
        })
        const after = await alone(async (sql) => {
          const remove = openRemover()
          for (let step = 0; step < 4; step++) await remove(sql)
        })
        assert.ok(after - before > 400 && after - before < 4000, String(after - before))
      } finally {
        await own.drop()
      }
    })
  })

  it('knows whether any of some streams has samples', async () => {
    await fill(1, 1)
    await database.sql`insert into point_sample (stream_key, time) values (2, now())`
    assert.equal(await haveSamples(database.sql, []), false)
    assert.equal(await haveSamples(database.sql, [3, 4]), false)
    assert.equal(await haveSamples(database.sql, [3, 1]), true)
    assert.equal(await haveSamples(database.sql, [3, 2]), true)
  })

  it('counts archived samples as samples', async () => {
    await database.sql`
      insert into archive (stream_key, bucket, first_time, last_time, samples, filled)
      values (1, ${firstMs}, ${firstMs}, ${firstMs}, 1, 1)`
    assert.equal(await haveSamples(database.sql, [3, 1]), true)
    assert.equal(await haveSamples(database.sql, [3]), false)
  })
})
