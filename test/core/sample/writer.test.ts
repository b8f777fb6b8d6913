// Group commit on a real database. Rows are made by hand: no sample refers to a row of another table.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { transaction } from '../../../src/base/database/sql.ts'
import { closeCommonGate, closeGate, noteChange, noteListeners } from '../../../src/core/sample/catalog-change.ts'
import { weekMs } from '../../../src/core/sample/chunk.ts'
import { NotForeseen } from '../../../src/core/sample/foreseen.ts'
import { CatalogChanged, GateClosed, SamplesHeld } from '../../../src/core/sample/lane.ts'
import type { SampleRows } from '../../../src/core/sample/rows.ts'
import { emptyRows, joinRows, noRows, pushRow } from '../../../src/core/sample/rows.ts'
import { deleteSamples } from '../../../src/core/sample/sample.ts'
import type { Write } from '../../../src/core/sample/write.ts'
import { Writer } from '../../../src/core/sample/writer.ts'
import { WrittenTimes } from '../../../src/core/sample/written-times.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'

const t = Date.parse('2026-01-01T00:00:00Z')

type Given = readonly [key: number, timeMs: number, value: number]

const rowsOf = (given: readonly Given[]): SampleRows => {
  const rows = emptyRows()
  for (const [key, timeMs, value] of given) pushRow(rows, key, null, timeMs, 'DOUBLE', value)
  return rows
}
const write = (
  parts: Partial<Record<'appends' | 'merges' | 'points', readonly Given[]>>,
  serial = 0,
  organizationKey = 1,
  componentKey = 1,
): Write => ({
  organizationKey,
  components: [{ key: componentKey }],
  at: { serial },
  appends: parts.appends ? rowsOf(parts.appends) : noRows,
  merges: parts.merges ? rowsOf(parts.merges) : noRows,
  points: parts.points ? rowsOf(parts.points) : noRows,
})
/** Refused by Postgres, and by Postgres only: there is no such time. */
const impossible: Given = [1, 9_224_318_684_800_000, 1]

describe('core/writer', () => {
  let database: TestDatabase
  let writer: Writer
  let second: Writer
  before(async () => {
    database = await openTestDatabase()
  })
  beforeEach(() => {
    const options = { databaseUrl: database.url, lanes: 2, onChange: () => {} }
    writer = new Writer(options)
    second = new Writer(options)
  })
  afterEach(async () => {
    await Promise.all([writer.close(), second.close()])
    await database.sql`truncate sample, point_sample, catalog_change`
  })
  after(() => database.drop())

  const stored = async () =>
    (await database.sql`select stream_key as key, time, num from sample order by stream_key, time`).map(
      ({ key, time, num }) => [key, (time as number) - t, num],
    )
  const count = async () => (await stored()).length
  /** Does the work while nobody can write samples. */
  const whileBlocked = async (work: () => Promise<void>) => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const blocking = transaction(database.sql, async (sql) => {
      await sql`select close_gate()`
      started()
      await held
    })
    let started = () => {}
    await new Promise<void>((resolve) => {
      started = resolve
    })
    try {
      await work()
    } finally {
      release()
      await blocking
    }
  }
  const outcome = (promise: Promise<void>) =>
    promise.then(
      () => 'stored',
      (error: Error & { code?: string }) => error.code ?? error.name,
    )

  it('fails a bad call alone, not those that left together with it', async () => {
    const outcomes: Promise<string>[] = []
    await whileBlocked(async () => {
      for (let n = 0; n < 20; n += 1)
        outcomes.push(outcome(writer.write(write({ appends: [n === 13 ? impossible : [2, t + n, n]] }))))
      await Promise.resolve()
    })
    assert.deepEqual(
      await Promise.all(outcomes),
      Array.from({ length: 20 }, (_, n) => (n === 13 ? '22008' : 'stored')),
    )
    assert.equal(await count(), 19)
  })

  it('fails all that left together when the gate is not to be had, each after one wait, and goes on when it is', async () => {
    const hasty = new Writer({ databaseUrl: database.url, lanes: 1, onChange: () => {}, patienceMs: 300 })
    try {
      await whileBlocked(async () => {
        const outcomes = Array.from({ length: 20 }, (_, n) => outcome(hasty.write(write({ appends: [[2, t + n, n]] }))))
        assert.deepEqual(new Set(await Promise.all(outcomes)), new Set(['55P03']))
      })
      await hasty.write(write({ appends: [[2, t, 1]] }))
      assert.equal(await count(), 1)
    } finally {
      await hasty.close()
    }
  })

  it('waits for the gate for longer than for a sample', async () => {
    const hasty = new Writer({ databaseUrl: database.url, lanes: 1, onChange: () => {}, samplePatienceMs: 50 })
    try {
      let call = Promise.resolve('')
      await whileBlocked(async () => {
        call = outcome(hasty.write(write({ appends: [[2, t, 1]] })))
        assert.equal(await Promise.race([call, sleep(500, 'waits')]), 'waits')
      })
      assert.equal(await call, 'stored')
    } finally {
      await hasty.close()
    }
  })

  it('gives back the calls whose samples somebody holds, and stores those that left together with them', async () => {
    await writer.write(write({ appends: [[2, t, 1]] }))
    const hasty = new Writer({ databaseUrl: database.url, lanes: 1, onChange: () => {}, samplePatienceMs: 100 })
    const calls: Promise<string>[] = []
    const put = (key: number, organizationKey: number) =>
      calls.push(
        hasty.write(write({ merges: [[key, t, 7]] }, 0, organizationKey)).then(
          () => 'stored',
          (error: unknown) => (error instanceof SamplesHeld ? 'held' : String(error)),
        ),
      )
    try {
      await transaction(database.sql, async (sql) => {
        await sql`update sample set num = 2 where stream_key = 2`
        for (const key of [3, 2, 4, 5, 6]) put(key, 1)
        for (const key of [7, 8]) put(key, 2)
        assert.deepEqual(await Promise.all(calls), ['stored', 'held', ...Array<string>(5).fill('stored')])
      })
      assert.deepEqual(await stored(), [[2, 0, 2], ...[3, 4, 5, 6, 7, 8].map((key) => [key, 0, 7])])
      await hasty.write(write({ merges: [[2, t, 7]] }))
      assert.deepEqual((await stored())[0], [2, 0, 7])
    } finally {
      await hasty.close()
    }
  })

  describe('with calls that are larger than a group', () => {
    const bulk = ['a', 'bulk'] as const
    const large = (key: number): Write => {
      const rows = emptyRows()
      for (let n = 0; n <= 20_000; n += 1) pushRow(rows, key, null, t + n, 'DOUBLE', n)
      return { ...write({}), appends: rows, holders: ['a', 'bulk'] }
    }
    /** The first two of its lanes, and only two, wait for one of their samples for as long as the work takes. */
    const whileHeld = async (keys: readonly number[], work: (writer: Writer) => Promise<void>) => {
      const patient = new Writer({ databaseUrl: database.url, lanes: 2, onChange: () => {}, samplePatienceMs: 600_000 })
      try {
        // Makes the chunk.
        await patient.write({ ...write({ appends: [[9, t, 1]] }), holders: ['a', 'bulk'] })
        await transaction(database.sql, async (sql) => {
          for (const key of keys) await sql`insert into sample (stream_key, time, num) values (${key}, ${t}, 1)`
          await work(patient)
        })
      } finally {
        await patient.close()
      }
    }

    it('keeps a lane free of them for those of others', async () => {
      const calls: Promise<void>[] = []
      await whileHeld([1, 2], async (patient) => {
        calls.push(patient.write(large(1)), patient.write(large(2)))
        await patient.write({ ...write({ appends: [[3, t, 1]] }), holders: ['b', 'device'] })
        await patient.write({ ...write({ appends: [[3, t + 1, 1]] }), holders: ['a', 'device'] })
        assert.equal(patient.waitingRows, 40_002)
      })
      await Promise.all(calls)
      assert.equal(await count(), 40_005)
    })

    for (const kind of ['appends', 'merges', 'foreseen'] as const)
      it(`keeps it free of calls of many weeks as well, whose chunks take as long (${kind})`, async () => {
        const old = Date.parse('1500-01-01T00:00:00Z')
        const ofWeeks = (key: number): Write => {
          const rows = rowsOf(Array.from({ length: 600 }, (_, n) => [key, old + n * weekMs, n]))
          const held = write({ [kind === 'merges' ? 'merges' : 'appends']: [[key, t, 1]] })
          if (kind === 'foreseen') return { ...held, foreseen: { rows, derived: [], concernedKeys: [] }, holders: bulk }
          return { ...held, [kind]: joinRows([held[kind], rows]), holders: bulk }
        }
        const calls: Promise<void>[] = []
        await whileHeld([1, 2], async (patient) => {
          calls.push(patient.write(ofWeeks(1)), patient.write(ofWeeks(2)))
          await patient.write({ ...write({ appends: [[3, t, 1]] }), holders: ['b', 'device'] })
          await patient.write({ ...write({ appends: [[3, t + 1, 1]] }), holders: ['a', 'device'] })
          assert.ok(patient.waitingRows > 2)
        })
        await Promise.all(calls)
        assert.equal(await count(), 1205)
      })

    it('stores them by all lanes where nobody else is there', async () => {
      const calls: Promise<void>[] = []
      await whileHeld([1], async (patient) => {
        calls.push(patient.write(large(1)))
        await sleep(20)
        await patient.write(large(2))
        assert.equal(patient.waitingRows, 20_001)
      })
      await Promise.all(calls)
      assert.equal(await count(), 40_003)
    })
  })

  it('refuses a call that foresaw something else alone, and stores the others together', async () => {
    const foreseen = { rows: noRows, derived: [{ key: 99, firstMs: t, lastMs: t, samples: 1 }], concernedKeys: [] }
    const calls: Promise<string>[] = []
    await whileBlocked(async () => {
      for (let n = 0; n < 20; n += 1) {
        const each = write({ appends: [[2, t + n, n]] })
        calls.push(
          writer.write(n === 13 ? { ...each, foreseen } : each).then(
            () => 'stored',
            (error: unknown) => (error instanceof NotForeseen ? 'not foreseen' : String(error)),
          ),
        )
      }
      await Promise.resolve()
    })
    assert.deepEqual(
      await Promise.all(calls),
      Array.from({ length: 20 }, (_, n) => (n === 13 ? 'not foreseen' : 'stored')),
    )
    const [row] = await database.sql`
      select count(*)::integer as samples, count(distinct xmin::text)::integer as commits from sample`
    assert.deepEqual([row!['samples'], row!['commits']], [19, 1])
  })

  it('stores nothing of a bad call, whatever else was in it', async () => {
    await assert.rejects(
      writer.write(write({ appends: [[1, t, 1]], merges: [[2, t, 2], impossible], points: [[3, t, 3]] })),
      { code: '22008' },
    )
    assert.deepEqual(await stored(), [])
    assert.equal((await database.sql`select from point_sample`).length, 0)
  })

  it('answers 503 with Retry-After when too many samples of a caller or a tenant wait, and stores those of others, and those with room of their own', async () => {
    const many = (key: number, caller: string) => {
      const rows = emptyRows()
      for (let n = 0; n < 50_000; n += 1) pushRow(rows, key, null, t + n, 'DOUBLE', n)
      return { ...write({}), appends: rows, holders: ['a', caller] as const }
    }
    const outcomes: Promise<string>[] = []
    const refuses = (call: Promise<void>) =>
      assert.rejects(call, {
        status: 503,
        code: 'busy',
        message: 'too many uploads are waiting',
        headers: { 'Retry-After': '1' },
      })
    await whileBlocked(async () => {
      for (let key = 1; key <= 4; key += 1) outcomes.push(outcome(writer.write(many(key, 'one'))))
      await refuses(writer.write({ ...write({ appends: [[9, t, 1]] }), holders: ['a', 'one'] }))
      const withRoom = { ...write({ appends: [[10, t, 1]] }), holders: ['a', 'one'] as const, hasRoom: true }
      outcomes.push(outcome(writer.write(withRoom)))
      for (let key = 5; key <= 6; key += 1) outcomes.push(outcome(writer.write(many(key, 'two'))))
      assert.equal(writer.waitingRows, 300_001)
      await refuses(writer.write(many(7, 'three')))
      outcomes.push(outcome(writer.write({ ...write({ appends: [[8, t, 1]] }), holders: ['b', 'device'] })))
    })
    assert.deepEqual(await Promise.all(outcomes), Array(8).fill('stored'))
    assert.equal(writer.waitingRows, 0)
    await writer.write(many(9, 'one'))
    const [row] = await database.sql`select count(*)::integer as n from sample`
    assert.equal(row!['n'], 350_002)
  })

  it('stores calls of others while an organization is being changed, and its own when that was brief', async () => {
    const calls: Promise<string>[] = []
    await transaction(database.sql, async (sql) => {
      await closeGate(sql, 1)
      for (const organization of [1, 2, 3])
        calls.push(outcome(writer.write(write({ appends: [[organization, t, 1]] }, 0, organization))))
      assert.deepEqual(await Promise.all(calls.slice(1)), ['stored', 'stored'])
      assert.deepEqual(await stored(), [
        [2, 0, 1],
        [3, 0, 1],
      ])
    })
    assert.equal(await calls[0], 'stored')
    assert.equal(writer.waitingRows, 0)
  })

  it('leaves in groups of 500 organizations at the most', async () => {
    const calls: Promise<string>[] = []
    await whileBlocked(async () => {
      for (let n = 1; n <= 1200; n += 1) calls.push(outcome(writer.write(write({ appends: [[n, t, 1]] }, 0, n))))
      await Promise.resolve()
    })
    assert.deepEqual(new Set(await Promise.all(calls)), new Set(['stored']))
    const groups = await database.sql`select count(*)::integer as rows from sample group by xmin::text order by 1`
    assert.deepEqual(
      groups.map(({ rows }) => rows as number),
      [200, 500, 500],
    )
  })

  it('gives a call back whose organization is being changed for long', async () => {
    await transaction(database.sql, async (sql) => {
      await closeGate(sql, 1)
      await assert.rejects(
        writer.write(write({ appends: [[1, t, 1]] })),
        (error) => error instanceof GateClosed && error.organizationKeys.has(1),
      )
    })
    assert.equal(await count(), 0)
    assert.equal(writer.waitingRows, 0)
  })

  const change = (keys: readonly number[]) =>
    transaction(database.sql, async (sql) => {
      await closeCommonGate(sql)
      await noteChange(sql, keys)
      return sql<[{ serial: number }]>`select max(serial) as serial from catalog_change`
    })
  const changed = (call: Promise<void>) =>
    call.then(
      () => 'stored',
      (error: unknown) => (error instanceof CatalogChanged ? 'changed' : String(error)),
    )

  it('reports a change to the calls that it may concern, and stores those that left together with them', async () => {
    await writer.write(write({ appends: [[1, t, 1]] }))
    await change([7, -5])
    const calls: Promise<string>[] = []
    await whileBlocked(async () => {
      for (const [n, [organization, component]] of [
        [1, 6],
        [1, 7],
        [5, 8],
        [2, 9],
      ].entries())
        calls.push(changed(writer.write(write({ appends: [[1, t + 1 + n, n]] }, 0, organization, component))))
      await Promise.resolve()
    })
    assert.deepEqual(await Promise.all(calls), ['stored', 'changed', 'changed', 'stored'])
    assert.deepEqual(await stored(), [
      [1, 0, 1],
      [1, 1, 0],
      [1, 4, 3],
    ])
  })

  it('reports a change of everything to all, and stores none of it', async () => {
    await writer.write(write({ appends: [[1, t, 1]] }))
    await change([0])
    const calls = Array.from({ length: 5 }, (_, n) => changed(writer.write(write({ appends: [[1, t + 1 + n, 1]] }))))
    assert.deepEqual(await Promise.all(calls), Array(5).fill('changed'))
    assert.equal(await count(), 1)
  })

  it('reports it to the calls of an organization that somebody begins to listen to, and to no others', async () => {
    await writer.write(write({ appends: [[1, t, 1]] }))
    const [{ key }] = await database.sql<[{ key: number }]>`
      insert into organization (name) values ('heard') returning key`
    await transaction(database.sql, async (sql) => {
      await sql`insert into live_interest (organization_key, until) values (${key}, now() + interval '1 hour')`
      await noteListeners(sql)
    })
    const calls = [key, key + 1].map((organization, n) =>
      changed(writer.write(write({ appends: [[1, t + 1 + n, 1]] }, 0, organization))),
    )
    assert.deepEqual(await Promise.all(calls), ['changed', 'stored'])
    await database.sql`delete from live_interest`
  })

  it('does not let a call that is up to date carry along one that is not', async () => {
    const [{ serial }] = await change([7])
    const calls: Promise<string>[] = []
    await whileBlocked(async () => {
      // Both lanes are busy with these, so that the others wait and leave in one group.
      calls.push(outcome(writer.write(write({ appends: [[1, t, 1]] }, serial, 1, 7))))
      calls.push(outcome(second.write(write({ appends: [[1, t + 1, 1]] }, serial))))
      for (const known of [serial, 0, serial])
        calls.push(outcome(writer.write(write({ appends: [[2, t, 1]] }, known, 1, 7))))
      await Promise.resolve()
    })
    const results = await Promise.all(calls)
    assert.equal(results[3], 'Error')
  })

  it('overwrites where an append turns out to be none', async () => {
    await writer.write(
      write({
        appends: [
          [1, t, 1],
          [1, t + 1, 2],
        ],
      }),
    )
    await second.write(
      write({
        appends: [
          [1, t + 1, 3],
          [1, t + 2, 4],
        ],
        merges: [[1, t, 5]],
      }),
    )
    assert.deepEqual(await stored(), [
      [1, 0, 5],
      [1, 1, 3],
      [1, 2, 4],
    ])
  })

  it('takes the next samples of a stream for no appends after one that was none, and then tries again', async () => {
    const written = new WrittenTimes()
    const streams = [{ key: 1, written }]
    await writer.write(write({ appends: [[1, t, 1]] }))
    await second.write({ ...write({ appends: [[1, t, 2]] }), streams })
    const guesses = Array.from({ length: 102 }, (_, n) => written.append(t + n))
    assert.deepEqual(guesses, [...Array<boolean>(100).fill(false), true, true])
    await second.write({ ...write({ appends: [[2, t, 2]] }), streams })
    assert.ok(written.append(t + 200))
  })

  it('keeps of one time the last of a call and the last of a group', async () => {
    const calls: Promise<void>[] = []
    await whileBlocked(async () => {
      calls.push(
        writer.write(
          write({
            appends: [[1, t, 1]],
            merges: [
              [1, t, 2],
              [1, t, 3],
            ],
          }),
        ),
      )
      calls.push(writer.write(write({ merges: [[1, t, 4]] })))
      calls.push(
        writer.write(
          write({
            merges: [
              [1, t, 5],
              [1, t, 6],
            ],
            points: [
              [2, t, 1],
              [2, t, 2],
            ],
          }),
        ),
      )
      await Promise.resolve()
    })
    await Promise.all(calls)
    assert.deepEqual(await stored(), [[1, 0, 6]])
    const [point] = await database.sql`select num from point_sample`
    assert.equal(point!['num'], 2)
  })

  it('writes calls that came while one was under way in few transactions', async () => {
    const calls: Promise<void>[] = []
    await whileBlocked(async () => {
      for (let n = 0; n < 500; n += 1) calls.push(writer.write(write({ appends: [[1, t + n, n]] })))
      await new Promise((resolve) => setImmediate(resolve))
      for (let n = 500; n < 1000; n += 1) calls.push(writer.write(write({ appends: [[1, t + n, n]] })))
    })
    await Promise.all(calls)
    const [row] =
      await database.sql`select count(*)::integer as samples, count(distinct xmin::text)::integer as commits from sample`
    assert.equal(row!['samples'], 1000)
    assert.ok((row!['commits'] as number) <= 4, `${row!['commits']} commits`)
  })

  describe('with a tenant whose calls together are more than 1,000 samples, or long texts', () => {
    const many = (key: number, tenant: string, text?: string, kind: 'appends' | 'merges' = 'appends'): Write => {
      const rows = emptyRows()
      for (let n = 0; n < 600; n += 1)
        pushRow(rows, key, null, t + n, text === undefined ? 'DOUBLE' : 'STRING', text ?? n)
      return { ...write({}), [kind]: rows, holders: [tenant, `key ${key}`] }
    }
    const commitsOf = async (calls: readonly Write[]) => {
      await writer.write(many(1, 'a'))
      await Promise.all(calls.map((call) => writer.write(call)))
      const [row] =
        await database.sql`select count(distinct xmin::text)::integer as commits from sample where stream_key > 1`
      return row!.commits
    }

    it('stores them in one commit where it is by itself', async () => {
      assert.equal(await commitsOf([many(2, 'a'), many(3, 'a')]), 1)
    })

    it('stores them in several where another tenant is there', async () => {
      await writer.write(many(1, 'b'))
      assert.equal(await commitsOf([many(2, 'a'), many(3, 'a')]), 2)
    })

    for (const kind of ['appends', 'merges'] as const)
      it(`counts 200 characters as much as a sample (${kind})`, async () => {
        await writer.write(many(1, 'b'))
        const long = many(2, 'a', 'x'.repeat(400), kind)
        assert.equal(await commitsOf([long, { ...write({ appends: [[3, t, 1]] }), holders: ['a', 'key 3'] }]), 2)
      })
  })

  it('loses nothing when two servers append, overwrite and bring late samples to the same streams', async () => {
    const calls: Promise<void>[] = []
    for (let n = 0; n < 200; n += 1) {
      const key = n % 5
      for (const [own, each] of [writer, second].entries()) {
        // Both think that it appends; half of it is late, and every time is written by both.
        calls.push(
          each.write(
            write({
              appends: [[key, t + n, own]],
              merges: [
                [key, t - n, own],
                [key, t + 500 - n, own],
              ],
            }),
          ),
        )
        calls.push(
          each.write(
            write({
              points: [
                [key, t + n, own],
                [(key + own) % 5, t, own],
              ],
            }),
          ),
        )
      }
      if (n % 40 === 0) await Promise.all(calls)
    }
    await Promise.all(calls)
    const times = new Set<string>()
    for (let n = 0; n < 200; n += 1) for (const time of [n, -n, 500 - n]) times.add(`${n % 5} ${time}`)
    assert.deepEqual(new Set((await stored()).map(([key, time]) => `${String(key)} ${String(time)}`)), times)
  })

  it('has all samples of the last call, or none, when two servers overwrite the same ones while they are deleted', async () => {
    const patient = { databaseUrl: database.url, lanes: 2, onChange: () => {}, samplePatienceMs: 20_000 }
    const servers = [new Writer(patient), new Writer(patient)]
    const times = Array.from({ length: 200 }, (_, n) => t + n)
    const calls: Promise<unknown>[] = []
    const erase = () =>
      transaction(database.sql, async (sql) => {
        // In the order of the writers, so that nobody has to be ended.
        await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`
        await deleteSamples(sql, { key: 1, kind: 'random' }, { startMs: t, endMs: t + 200 }, Number.NEGATIVE_INFINITY)
      })
    const states = new Set<string>()
    for (let n = 0; n < 20; n += 1) {
      for (const [own, each] of servers.entries())
        calls.push(each.write(write({ merges: times.map((ms): Given => [1, ms, 2 * n + own]) })))
      if (n % 5 === 2) calls.push(erase())
      if (n % 5 === 4) await Promise.any(calls.slice(-2))
      const rows = await stored()
      states.add(`${rows.length} of ${new Set(rows.map(([, , value]) => value)).size}`)
    }
    await Promise.all(calls)
    assert.deepEqual(
      [...states].filter((state) => state !== '200 of 1' && state !== '0 of 0'),
      [],
    )
    await servers[0]!.write(write({ merges: times.map((ms): Given => [1, ms, 99]) }))
    await Promise.all(servers.map((each, own) => each.write(write({ merges: [[1, t + 7, 100 + own]] }))))
    const last = (await stored()).map(([, , value]) => Number(value))
    assert.ok([100, 101].includes(last[7]!), String(last[7]))
    assert.deepEqual(last.with(7, 99), Array<number>(200).fill(99))
    await Promise.all(servers.map((each) => each.close()))
  })

  it('answers 503 when the connection ends under it, and goes on with another', async () => {
    await writer.write(write({ appends: [[1, t, 1]] }))
    const calls: Promise<string>[] = []
    await whileBlocked(async () => {
      for (let n = 1; n < 10; n += 1) calls.push(outcome(writer.write(write({ appends: [[1, t + n, n]] }))))
      let ended = 0
      while (ended === 0) {
        const rows = await database.sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'coppice writer' and wait_event_type = 'Lock'`
        ended = rows.length
      }
      assert.deepEqual(await Promise.all(calls), Array(9).fill('database_away'))
    })
    await writer.write(write({ appends: [[1, t + 50, 1]] }))
    assert.deepEqual(await stored(), [
      [1, 0, 1],
      [1, 50, 1],
    ])
  })

  it('answers 503 when there is no database to connect to', async () => {
    const nowhere = new Writer({ databaseUrl: 'postgres://x:y@127.0.0.1:1/z', lanes: 2, onChange: () => {} })
    await assert.rejects(nowhere.write(write({ appends: [[1, t, 1]] })), {
      status: 503,
      code: 'database_away',
      headers: { 'Retry-After': '2' },
    })
    await nowhere.close()
  })

  it('stores waiting calls before it closes, and takes nothing more', async () => {
    const calls: Promise<string>[] = []
    let closing = Promise.resolve()
    await whileBlocked(async () => {
      for (let n = 0; n < 10; n += 1) calls.push(outcome(writer.write(write({ appends: [[1, t + n, n]] }))))
      closing = writer.close()
      calls.push(outcome(writer.write(write({ appends: [[1, t + 99, 1]] }))))
      await Promise.resolve()
    })
    await closing
    assert.deepEqual(await Promise.all(calls), [...Array<string>(10).fill('stored'), 'busy'])
    assert.equal(await count(), 10)
  })

  it('has nothing to wait for when there is nothing to write', () => writer.write(write({})))
})
