// A group of calls on its way into a real database: all of it or nothing, and never past a gate that has news.
import assert from 'node:assert/strict'
import type { Step } from '../../../src/base/database/script.ts'
import { transaction } from '../../../src/base/database/sql.ts'
import { Fault } from '../../../src/base/errors.ts'
import { closeCommonGate, noteChange } from '../../../src/core/sample/catalog-change.ts'
import type { Gate } from '../../../src/core/sample/gate.ts'
import type { Group } from '../../../src/core/sample/lane.ts'
import { CatalogChanged, Lane, stepsOf } from '../../../src/core/sample/lane.ts'
import type { SampleRows } from '../../../src/core/sample/rows.ts'
import { emptyRows, joinRows, noRows, pushRow } from '../../../src/core/sample/rows.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { eventually } from '../../support/within.ts'

const t = Date.parse('2026-01-01T00:00:00Z')

const rowsOf = (...given: readonly (readonly [key: number, timeMs: number, value: number | string])[]): SampleRows => {
  const rows = emptyRows()
  for (const [key, timeMs, value] of given)
    pushRow(rows, key, null, timeMs, typeof value === 'number' ? 'DOUBLE' : 'STRING', value)
  return rows
}

const group = (given: Partial<Group>): Group => ({
  at: { serial: 0 },
  organizationKeys: [1],
  appends: noRows,
  merges: noRows,
  points: noRows,
  ...given,
})

const isUpsert = (step: Step) => step.kind === 'execute' && step.name === 'upsert-samples'

const sizeOf = (step: Step): number => {
  if (step.kind === 'data') return step.bytes.length
  return step.kind === 'execute' ? step.values.reduce((sum, value) => sum + Buffer.byteLength(value), 0) : 0
}

/** The elements of an array of integers in binary form. */
const keysIn = (array: Buffer): number[] =>
  Array.from({ length: array.readInt32BE(12) }, (_, n) => array.readInt32BE(24 + 8 * n))

const longTextLength = 50_000
const longText = (letter: string, n: number) => String(n).padStart(longTextLength, letter)

describe('core/lane', () => {
  let database: TestDatabase
  let lane: Lane
  let told: Gate[]
  beforeEach(async () => {
    database = await openTestDatabase()
    told = []
    lane = new Lane({ databaseUrl: database.url, onChange: (gate) => told.push(gate) })
  })
  afterEach(async () => {
    await lane.close()
    await database.drop()
  })

  const values = async (query: PromiseLike<Iterable<unknown>>) => [...(await query)]
  const stored = () =>
    values(
      database.sql`select stream_key, time, coalesce(num::text, text) from sample order by stream_key, time`.values(),
    )

  const changeCatalogue = () =>
    transaction(database.sql, async (sql) => {
      await closeCommonGate(sql)
      await noteChange(sql, [7])
      return (await sql<[{ serial: number }]>`select max(serial) as serial from catalog_change`)[0].serial
    })

  it('stores nothing of a group in which an append was stored before, and goes on', async () => {
    await lane.commit(group({ appends: rowsOf([1, t, 1]) }))
    const failing = group({
      appends: rowsOf([1, t + 1, 2], [1, t, 3]),
      merges: rowsOf([2, t, 4]),
      points: rowsOf([3, t, 5]),
    })
    await assert.rejects(lane.commit(failing), { code: '23505' })
    assert.deepEqual(await stored(), [[1, t, '1']])
    await lane.commit(group({ appends: rowsOf([1, t + 2, 6]) }))
    assert.equal((await stored()).length, 2)
    assert.deepEqual(await values(database.sql`select from point_sample`), [])
  })

  it('writes many samples that overwrite others in several statements, and all of them or none', async () => {
    const count = 50_000
    const rows = (value: number, last: readonly (readonly [number, number, number])[] = []) =>
      rowsOf(...Array.from({ length: count }, (_, n) => [1, t + n, value + n] as const), ...last)
    const upserts = [...stepsOf(group({ merges: rows(0) }), t, undefined)].filter(isUpsert)
    assert.equal(upserts.length, 3)
    const sums = () => values(database.sql`select count(*)::integer, sum(num)::float8 from sample`.values())
    const sum = (count * (count - 1)) / 2
    await lane.commit(group({ merges: rows(0) }))
    await lane.commit(group({ merges: rows(1) }))
    assert.deepEqual(await sums(), [[count, sum + count]])
    const refused = group({ merges: rows(2, [[1, t + count - 1, 7]]) })
    await assert.rejects(lane.commit(refused), { code: '21000' })
    assert.deepEqual(await sums(), [[count, sum + count]])
  })

  const textsPerStream = 100
  const texts = (key: number, letter: string) =>
    rowsOf(...Array.from({ length: textsPerStream }, (_, n) => [key, t + n, longText(letter, n)] as const))
  const points = (letter: string) =>
    rowsOf(
      ...Array.from({ length: textsPerStream }, (_, n) => [9 + ((7 * n) % 60), t + n, longText(letter, n)] as const),
    )
  const longGroup = (letter: string, more: readonly (readonly [number, number, string])[] = []) => {
    const [appends, merges] = [texts(1, letter), texts(2, letter)]
    return group({
      appends: joinRows([appends, rowsOf(...more)]),
      merges,
      points: points(letter),
      journal: [{ organizationKey: 1, rows: joinRows([appends, merges]), points: noRows }],
    })
  }
  /** The numbers and the bytes of all long texts, in each of the tables. */
  const longTexts = () =>
    values(
      database.sql`
        select name, left(text, 1), count(*)::integer, count(distinct text)::integer,
               min(char_length(text)), max(char_length(text))
        from (
          select 'samples' as name, text from sample
          union all select 'points', text from point_sample
          union all select 'journal', text from live_journal
        ) as stored
        group by 1, 2
        order by 1, 2`.values(),
    )
  const allOf = (letter: string) => [
    ['journal', letter, 200, 100, longTextLength, longTextLength],
    ['points', letter, 60, 60, longTextLength, longTextLength],
    ['samples', letter, 200, 100, longTextLength, longTextLength],
  ]

  it('makes long texts in steps of 2 MB at most, those of points and of the journal too', () => {
    const sizes = Array.from(stepsOf(longGroup('\u20ac'), t, undefined), sizeOf)
    assert.ok(sizes.length > 20, `${sizes.length}`)
    assert.ok(Math.max(...sizes) <= 2_000_000, `${Math.max(...sizes)}`)
    const sum = sizes.reduce((left, right) => left + right)
    assert.ok(sum > 3 * longTextLength * (4 * textsPerStream + 60), `${sum}`)
  })

  it('sets points of long texts in the order of their streams, over several statements', () => {
    const keys: number[][] = []
    for (const step of stepsOf(group({ points: points('a') }), t, undefined))
      if (step.kind === 'execute' && step.name === 'set-points') keys.push(keysIn(step.values[0] as Buffer))
    assert.ok(keys.length > 1)
    assert.deepEqual(
      keys.flat(),
      Array.from({ length: 60 }, (_, n) => 9 + n),
    )
  })

  it('writes a group of long texts, all of it or none, and the last of those of a point', async () => {
    await lane.commit(longGroup('a'))
    assert.deepEqual(await longTexts(), allOf('a'))
    const [last] = await values(database.sql`select text from point_sample where stream_key = 9 + 33`.values())
    assert.deepEqual(last, [longText('a', 99)])
    const refused = longGroup('b', [[1, t, 'stored before']])
    await assert.rejects(lane.commit(refused), { code: '23505' })
    assert.deepEqual(await longTexts(), allOf('a'))
    await database.sql`truncate sample, point_sample, live_journal`
    await lane.commit(longGroup('\u20ac'))
    assert.deepEqual(await longTexts(), allOf('\u20ac'))
  })

  it('stores nothing of a group of long texts that cannot be made to its end, and goes on', async () => {
    const { merges, ...made } = longGroup('a')
    const broken = rowsOf([3, t, 'never made'])
    broken.longs[0] = 0.5
    const fault = await lane
      .commit({ ...made, merges, journal: [{ organizationKey: 1, rows: broken, points: noRows }] })
      .then(
        () => undefined,
        (error: unknown) => error,
      )
    assert.ok(fault instanceof Fault && fault.status === 503, String(fault))
    assert.deepEqual(await longTexts(), [])
    await lane.commit(longGroup('c'))
    assert.deepEqual(await longTexts(), allOf('c'))
  })

  it('stores nothing of a group that was made by an older catalogue', async () => {
    await lane.commit(group({ appends: rowsOf([1, t, 1]) }))
    const serial = await changeCatalogue()
    for (const rows of [{ appends: rowsOf([1, t + 1, 2]) }, { merges: rowsOf([1, t, 2]) }])
      await assert.rejects(lane.commit(group(rows)), CatalogChanged)
    assert.deepEqual(await stored(), [[1, t, '1']])
    assert.deepEqual(
      told.map((gate) => [gate.serial, gate.changedComponentKeys]),
      [
        [serial, [7]],
        [serial, [7]],
      ],
    )
    await lane.commit(group({ at: { serial }, appends: rowsOf([1, t + 1, 2]) }))
    assert.equal((await stored()).length, 2)
  })

  it('marks samples that it writes below the claimed point, also when that has moved meanwhile', async () => {
    await lane.commit(group({ appends: rowsOf([1, t, 1]) }))
    const stale = () =>
      values(database.sql`select stream_key, first_time, last_time from stale order by stream_key, first_time`.values())
    assert.deepEqual(await stale(), [])
    await database.sql`update rollup_state set claimed_until = ${t + 7_200_000}`
    await lane.commit(
      group({ appends: rowsOf([1, t + 1, 2], [1, t + 7_200_000, 3]), merges: rowsOf([2, t + 3_600_000, 4]) }),
    )
    assert.deepEqual(await stale(), [
      [1, t + 1, t + 1],
      [2, t + 3_600_000, t + 3_600_000],
    ])
    assert.deepEqual(told, [])
  })

  it('writes appends, merges and points in one transaction', async () => {
    await lane.commit(group({ appends: rowsOf([1, t, 1], [2, t, 'a "\\{}, null']) }))
    await lane.commit(
      group({
        appends: rowsOf([1, t + 1, 2]),
        merges: rowsOf([1, t, 3], [2, t, 'null'], [2, t + 1, '"\\']),
        points: rowsOf([4, t, 5], [4, t, 6]),
      }),
    )
    assert.deepEqual(await stored(), [
      [1, t, '3'],
      [1, t + 1, '2'],
      [2, t, 'null'],
      [2, t + 1, '"\\'],
    ])
    assert.deepEqual(await values(database.sql`select stream_key, num from point_sample`.values()), [[4, 6]])
    const [row] = await database.sql`select count(distinct xmin::text)::integer as n from sample where num <> 1`
    assert.equal(row!['n'], 1)
  })

  it('connects again after its connection was ended', async () => {
    await lane.commit(group({ appends: rowsOf([1, t, 1]) }))
    await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'coppice writer'`
    await lane.commit(group({ appends: rowsOf([1, t + 1, 2]) })).catch(() => {})
    await lane.commit(group({ appends: rowsOf([1, t + 2, 3]) }))
    assert.deepEqual((await stored()).at(-1), [1, t + 2, '3'])
  })

  it('waits for a closed gate longer than for samples that somebody holds', async () => {
    const own = new Lane({ databaseUrl: database.url, onChange: () => {}, samplePatienceMs: 20 })
    try {
      await own.commit(group({ appends: rowsOf([1, t, 1]) }))
      let waiting: Promise<void> | undefined
      await transaction(database.sql, async (sql) => {
        await closeCommonGate(sql)
        waiting = own.commit(group({ appends: rowsOf([1, t + 1, 2]) }))
        const begins = new Set<number>()
        const hasBegunAgain = async () => {
          const rows = await database.sql<{ begin: number }[]>`
            select xact_start as begin from pg_stat_activity
            where application_name = 'coppice writer' and wait_event_type = 'Lock'`
          for (const { begin } of rows) begins.add(begin)
          return begins.size > 1
        }
        await Promise.race([waiting, eventually(hasBegunAgain)])
      })
      await waiting
      assert.equal((await stored()).length, 2)
    } finally {
      await own.close()
    }
  })

  it('fails a group that is under way when its connection ends, and stores nothing of it', async () => {
    await lane.commit(group({ appends: rowsOf([1, t, 1]) }))
    // A transaction that holds the gate closed keeps the group waiting inside the database.
    await transaction(database.sql, async (sql) => {
      await closeCommonGate(sql)
      const waiting = lane.commit(group({ appends: rowsOf([1, t + 1, 2]) }))
      const failed = assert.rejects(waiting)
      let ended = 0
      while (ended === 0) {
        const rows = await database.sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'coppice writer' and wait_event_type = 'Lock'`
        ended = rows.length
      }
      await failed
    })
    assert.equal(lane.isAway, true)
    assert.deepEqual(await stored(), [[1, t, '1']])
  })
})
