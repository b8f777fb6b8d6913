// The journal of live feeds between transactions: late commits, writers that know nothing of a listener, what is trimmed.
import assert from 'node:assert/strict'
import { findGone, heardStart, listHeardStreams } from '../../../src/core/live/heard-stream.ts'
import { openInterest, removeOldInterests } from '../../../src/core/live/interest.ts'
import { readJournal } from '../../../src/core/live/journal.ts'
import { eventIdOf, isAtOrAfter, markOf, positionFrom, positionFromEventId } from '../../../src/core/live/position.ts'
import { trimJournal } from '../../../src/core/live/trim.ts'
import { openGate } from '../../../src/core/sample/gate.ts'
import { transaction } from '../../../src/base/database/sql.ts'
import type { Transaction } from '../../../src/base/database/sql.ts'
import type { TestService } from '../../support/service.ts'
import { openTestService } from '../../support/service.ts'
import { eventually } from '../../support/within.ts'

describe('core/live', function () {
  let service: TestService
  let organizationKey: number
  let streamKey: number
  before(async () => {
    service = await openTestService()
    assert.equal((await service.put('/api/feed?compId=A&x=1')).status, 200)
    const [row] = await service.sql<[{ organizationKey: number; streamKey: number }]>`
      select organization_key as "organizationKey", stream.key as "streamKey"
      from stream join component on component.key = component_key where component.id = 'A'`
    ;({ organizationKey, streamKey } = row)
  })
  after(() => service.close())
  beforeEach(async () => {
    await service.sql`delete from live_journal`
    await service.sql`delete from live_interest`
    await service.sql`delete from live_mark`
  })

  const write = (sql: Transaction, num: number) => sql`
    insert into live_journal (organization_key, stream_key, time, num) values (${organizationKey}, ${streamKey}, now(), ${num})`
  const read = async (from = positionFrom('1:1:')!) => {
    const page = await readJournal(service.sql, {
      from,
      wanted: { componentKeys: [], organizationKeys: [organizationKey] },
    })
    return { ...page, nums: page.rows.map(({ num }) => num) }
  }
  /** A transaction that goes on until it is let go. */
  const begin = async (work: (sql: Transaction) => Promise<unknown>) => {
    let letGo!: () => void
    const waiting = new Promise<void>((resolve) => (letGo = resolve))
    let isAtWork!: () => void
    const begun = new Promise<void>((resolve) => (isAtWork = resolve))
    const done = transaction(service.sql, async (sql) => {
      await work(sql)
      isAtWork()
      await waiting
    })
    await begun
    return async () => {
      letGo()
      await done
    }
  }

  it('gives a transaction that is committed late when it is committed, and nothing twice', async () => {
    const endFirst = await begin((sql) => write(sql, 1))
    const endSecond = await begin((sql) => write(sql, 2))
    await transaction(service.sql, (sql) => write(sql, 3))
    const one = await read()
    assert.deepEqual(one.nums, [3])
    await endSecond()
    const two = await read(one.position)
    assert.deepEqual(two.nums, [2])
    assert.deepEqual((await read(two.position)).nums, [])
    await endFirst()
    const three = await read(two.position)
    assert.deepEqual(three.nums, [1])
    assert.deepEqual((await read(three.position)).nums, [])
    // From the first position on, everything.
    assert.deepEqual((await read(one.position)).nums, [1, 2])
  })

  it('reads in pages, each row once', async () => {
    await transaction(service.sql, async (sql) => {
      await sql`
        insert into live_journal (organization_key, stream_key, time, num)
        select ${organizationKey}, ${streamKey}, now(), n from generate_series(1, 5000) n`
    })
    const from = positionFrom('1:1:')!
    const wanted = { componentKeys: [], organizationKeys: [organizationKey] }
    const nums: (number | null)[] = []
    let page = await readJournal(service.sql, { from, wanted })
    const until = page.position
    for (let pages = 1; ; pages += 1) {
      nums.push(...page.rows.map(({ num }) => num))
      if (page.isLast) {
        assert.equal(pages, 3)
        break
      }
      page = await readJournal(service.sql, { from, until, after: page.rows.at(-1), wanted })
    }
    assert.deepEqual(
      nums,
      Array.from({ length: 5000 }, (_, n) => n + 1),
    )
  })

  it('begins behind the writers that did not know of the interest, and keeps nobody waiting', async () => {
    const endWriter = await begin((sql) => openGate(sql, Number.MAX_SAFE_INTEGER))
    let since: unknown
    const opening = openInterest(service.sql, ['test'], organizationKey, () => true).then((found) => (since = found))
    await eventually(async () => (await service.sql`select from live_interest`).length === 1)
    // Others come and go, and know of it.
    const reply = await service.put('/api/feed?compId=A&x=2')
    assert.equal(reply.status, 200)
    assert.equal((await read()).rows.length, 1)
    assert.equal(since, undefined)
    await endWriter()
    await opening
    const found = (await openInterest(service.sql, ['test'], organizationKey, () => true))!
    assert.ok(isAtOrAfter((await read()).position, found))
  })

  it('keeps rows by the time of their commit, and removes an interest that nobody prolongs', async () => {
    await openInterest(service.sql, ['test'], organizationKey, () => true)
    const endFirst = await begin((sql) => write(sql, 1))
    await transaction(service.sql, (sql) => write(sql, 2))
    await trimJournal(service.sql, 0)
    const before = await read()
    assert.deepEqual(before.nums, [])
    await endFirst()
    const after = await read(before.position)
    assert.deepEqual(after.nums, [1])
    assert.ok(isAtOrAfter(before.position, after.trimmed))
    await service.sql`update live_interest set until = now() - interval '1 second'`
    await removeOldInterests(service.sql)
    await trimJournal(service.sql, 0)
    await trimJournal(service.sql, 0)
    const [left] = await service.sql<[{ n: number }]>`
      select ((select count(*) from live_interest) + (select count(*) from live_journal) + (select count(*) from live_mark))::integer as n`
    assert.equal(left.n, 0)
    assert.equal((await service.put('/api/feed?compId=A&x=3')).status, 200)
    assert.deepEqual((await read()).nums, [])
  })

  it('finds streams and components that are gone', async () => {
    const gone = await findGone(service.sql, [streamKey, 1_000_000], [2_000_000])
    assert.deepEqual([[...gone.streams], [...gone.components]], [[1_000_000], [2_000_000]])
  })

  it('finds the streams of a component without a look at those of others, page by page', async () => {
    const other = Array.from({ length: 3000 }, (_, n) => ({ compId: `Other${n % 3}`, streamId: `s${n}`, data: n }))
    assert.equal((await service.put('/api/feed', JSON.stringify(other))).status, 200)
    await service.sql`analyze stream`
    await service.sql`analyze component`
    const [{ componentKey }] = await service.sql<[{ componentKey: number }]>`
      select key as "componentKey" from component where id = 'A'`
    const list = (folders: readonly string[], streamKeys: readonly number[], whole: readonly number[], most: number) =>
      transaction(service.sql, async (sql) => {
        const found: number[] = []
        const subscription = { streamKeys, componentKeys: whole, folders }
        for (let after = heardStart; ;) {
          const page = await listHeardStreams(
            sql,
            organizationKey,
            subscription,
            folders.length > 0 ? [] : [componentKey],
            after,
            most,
            false,
          )
          found.push(...page.keys())
          if (page.size < most) break
          const last = [...page.values()].at(-1)!
          after = { componentKey: last.componentKey, streamKey: last.key }
        }
        const [{ rows }] = await sql<[{ rows: number }]>`
          select (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows
          from pg_stat_xact_user_tables where relname = 'stream'`
        return { found, rows }
      })
    const one = await list([], [], [componentKey], 500)
    assert.deepEqual(one.found, [streamKey])
    assert.ok(one.rows < 100, String(one.rows))
    assert.deepEqual((await list([], [streamKey], [], 500)).found, [streamKey])
    assert.deepEqual((await list([], [], [], 500)).found, [])
    const all = await list(['/Components'], [], [], 500)
    assert.equal(new Set(all.found).size, 3001)
    assert.equal(all.found.length, 3001)
  })

  it('knows a position among a thousand transactions that are under way, by the id that clients name, too', () => {
    const running = Array.from({ length: 1000 }, (_, n) => 1_234_567_000 + n)
    const text = `${running[0]}:1234569000:${running.join(',')}`
    const position = positionFrom(text, 'abc')!
    assert.deepEqual(position.running, running)
    assert.deepEqual(positionFromEventId(eventIdOf(position)), position)
    const further = Array.from({ length: 200 }, (_, n) => 1_234_568_000 + n)
    const long = positionFrom(`${text},${further.join()}`, 'abc')!
    assert.equal(positionFromEventId(eventIdOf(long)), undefined)
    assert.equal(positionFromEventId('5'), undefined)
  })

  it('gives positions with a mark of the history that they are of', async () => {
    const { position, history } = await read()
    assert.equal(position.history, markOf(history))
    assert.notEqual(markOf(history), markOf(`${history}, another`))
  })

  it('takes no text for a position that is none', () => {
    for (const text of [
      '',
      '1',
      '1:2',
      '2:1:',
      '0:1:',
      '1:2:3',
      '5:9:4',
      '5:9:6,',
      '5:9:8,6',
      '5:9:6,6',
      'x:y:',
      `1:${'9'.repeat(20)}:`,
    ])
      assert.equal(positionFrom(text), undefined, text)
    assert.deepEqual(positionFrom('5:9:6,8'), { xmax: 9, running: [6, 8], text: '5:9:6,8', history: '' })
    const at = (text: string) => positionFrom(text)!
    assert.ok(isAtOrAfter(at('5:9:6,8'), at('5:9:6,8')))
    assert.ok(isAtOrAfter(at('5:9:6'), at('5:9:6,8')))
    assert.ok(!isAtOrAfter(at('5:9:6,8'), at('5:9:6')))
    assert.ok(isAtOrAfter(at('6:12:6,10'), at('5:9:6,8')))
    assert.ok(!isAtOrAfter(at('5:8:6'), at('5:9:6,8')))
  })
})
