// Samples that come late: where nothing is stored around them they are copied like appends, and wherever that was a wrong
// guess they overwrite after all.
import assert from 'node:assert/strict'
import { readConfig } from '../../../src/base/config.ts'
import { parseQuery } from '../../../src/base/http/query-string.ts'
import type { Caller } from '../../../src/core/caller.ts'
import { Ingestion } from '../../../src/core/sample/ingest.ts'
import { LateTimes } from '../../../src/core/sample/late-times.ts'
import { batchFromUrl } from '../../../src/feed/put-url.ts'
import { addCaller } from '../../support/caller.ts'
import { openTestDatabase, quietLog } from '../../support/database.ts'
import type { TestDatabase } from '../../support/database.ts'
import { eventually } from '../../support/within.ts'

const appendedMs = 1_000_000

describe('the memory of late samples', () => {
  const append = (late: LateTimes, timeMs: number, key = 1) => late.append(key, timeMs, appendedMs)
  const wanted = (late: LateTimes) => late.takeWanted(1000, 1e9)
  const lookedAt = (fromMs: number, untilMs: number): LateTimes => {
    const late = new LateTimes()
    append(late, 510)
    append(late, 500)
    assert.deepEqual(wanted(late), [{ streamKey: 1, firstMs: 500, lastMs: 510 }])
    late.answer({ streamKey: 1, fromMs, untilMs })
    return late
  }

  it('guesses nothing before it was looked around them, which it wants from the second on', () => {
    const late = new LateTimes()
    assert.equal(append(late, 500), false)
    assert.equal(late.isWanted, false)
    assert.equal(append(late, 400), false)
    assert.deepEqual(wanted(late), [{ streamKey: 1, firstMs: 400, lastMs: 500 }])
    assert.equal(append(late, 300), false)
    assert.equal(late.isWanted, false)
  })

  it('takes samples for new as long as they go on, forwards or backwards, where nothing is stored', () => {
    const late = lookedAt(100, 900)
    for (const timeMs of [499, 511, 512, 300, 899, 101]) assert.equal(append(late, timeMs), true, String(timeMs))
    for (const timeMs of [500, 505, 899, 101, 300]) assert.equal(append(late, timeMs), false, String(timeMs))
    for (const timeMs of [900, 100, 1000, 50]) assert.equal(append(late, timeMs), false, String(timeMs))
  })

  it('takes samples for new that come in order, in parts each of which is before the last', () => {
    const late = lookedAt(100, 900)
    for (const timeMs of [400, 410, 420, 300, 310, 399]) assert.equal(append(late, timeMs), true, String(timeMs))
    for (const timeMs of [310, 350, 400, 405, 500]) assert.equal(append(late, timeMs), false, String(timeMs))
  })

  it('takes none for new among the appends of the stream', () => {
    const late = lookedAt(100, 2 * appendedMs)
    assert.equal(append(late, appendedMs - 1), true)
    assert.equal(append(late, appendedMs), false)
    assert.equal(append(late, appendedMs + 1), false)
  })

  it('wants another look ever more rarely where it is of no use', () => {
    const late = new LateTimes()
    const looks: number[] = []
    for (let n = 0; n < 1000; n += 1) {
      append(late, n)
      for (const { streamKey } of wanted(late)) {
        looks.push(n)
        late.answer({ streamKey, fromMs: n, untilMs: n })
      }
    }
    assert.ok(looks.length > 2 && looks.length < 12, looks.join())
  })

  it('looks at once again where many guesses were right', () => {
    const late = lookedAt(100, 900)
    for (let timeMs = 511; timeMs < 600; timeMs += 1) append(late, timeMs)
    late.forget([])
    let strays = 0
    for (; !late.isWanted; strays += 1) append(late, 1000 + strays)
    const [span] = wanted(late)
    assert.equal(span?.lastMs, 1000 + strays - 1)
    assert.ok(strays <= 4, String(strays))
  })

  it('trusts nothing around a stream once a copy was refused', () => {
    const late = lookedAt(100, 900)
    assert.equal(append(late, 511), true)
    late.forget([1])
    assert.equal(append(late, 512), false)
    assert.equal(append(late, 499), false)
  })

  it('takes spans together that are near each other', () => {
    const late = new LateTimes()
    for (const [key, timeMs] of [
      [1, 1000],
      [2, 50_000],
      [3, 1200],
    ] as const) {
      append(late, timeMs, key)
      append(late, timeMs - 1, key)
    }
    assert.deepEqual(
      late.takeWanted(10, 500).map(({ streamKey }) => streamKey),
      [1, 3],
    )
    assert.deepEqual(
      late.takeWanted(10, 500).map(({ streamKey }) => streamKey),
      [2],
    )
  })

  it('knows so many streams and no more', () => {
    const late = new LateTimes(10)
    for (let key = 1; key <= 30; key += 1) append(late, 500, key)
    for (let key = 1; key <= 30; key += 1) append(late, 400, key)
    assert.equal(late.isWanted, false)
    append(late, 300, 30)
    assert.equal(wanted(late).length, 1)
  })
})

describe('samples that come late', () => {
  const nowMs = Date.parse('2026-05-01T00:00:00Z')
  let database: TestDatabase
  let ingestion: Ingestion
  let caller: Caller

  before(async () => {
    database = await openTestDatabase()
    caller = await addCaller(database.sql)
    await database.sql.unsafe(`
      create table way (time timestamptz, text text);
      create function note_way() returns trigger language plpgsql as $$
        begin insert into way values (new.time, current_query()); return null; end $$;
      create trigger note_way after insert or update on sample for each row execute function note_way()`)
    const { sql } = database
    const world = { config: readConfig({}), sql, readSql: sql, clock: { now: () => nowMs }, log: quietLog }
    ingestion = await Ingestion.open(world, database.url)
  })
  after(async () => {
    await ingestion.close()
    await database.drop()
  })

  const put = (compId: string, samples: Readonly<Record<number, number>>) => {
    const times = Object.keys(samples).map((minute) => nowMs + Number(minute) * 60_000)
    const query = `compId=${compId}&a=${Object.values(samples).join()}&time=${times.join()}`
    return ingestion.ingest(caller, batchFromUrl(parseQuery(query), nowMs))
  }
  /** How the sample of a minute was last written. */
  const wayOf = async (minute: number): Promise<string | undefined> => {
    const [row] = await database.sql<{ text: string }[]>`
      select text from way where time = ${nowMs + minute * 60_000} order by ctid desc limit 1`
    return /^\s*(copy|insert)/i.exec(row?.text ?? '')?.[1]?.toLowerCase()
  }
  /** Uploads, each older than the last, until one of them is copied; gives its minute. */
  const uploadUntilCopied = async (compId: string, firstMinute: number): Promise<number> => {
    let minute = firstMinute
    await eventually(async () => {
      minute -= 1
      await put(compId, { [minute]: minute })
      return (await wayOf(minute)) === 'copy'
    })
    return minute
  }
  const stored = async (compId: string, minute: number) => {
    const [row] = await database.sql<{ num: number }[]>`
      select num
      from sample
      join stream on stream.key = stream_key
      join component on component.key = component_key
      where component.id = ${compId} and time = ${nowMs + minute * 60_000}`
    return row?.num
  }

  it('are copied where nothing is stored around them, backwards and forwards', async () => {
    await put('history', { 0: 0 })
    await put('history', { 1: 1 })
    const minute = await uploadUntilCopied('history', -10_000)
    await put('history', { [minute - 2]: 1, [minute - 1]: 2 })
    assert.equal(await wayOf(minute - 2), 'copy')
    assert.equal(await wayOf(minute - 1), 'copy')
    await put('history', { [-9_000]: 3 })
    assert.equal(await wayOf(-9_000), 'copy')
    assert.equal(await stored('history', -9_000), 3)
  })

  it('overwrite where others have stored samples since it was looked', async () => {
    await put('raced', { 0: 0 })
    await put('raced', { 1: 1 })
    const minute = await uploadUntilCopied('raced', -20_000)
    await database.sql`
      insert into sample (stream_key, time, num)
      select stream.key, ${nowMs + (minute - 1) * 60_000}, 7
      from stream
      join component on component.key = component_key
      where component.id = 'raced'`
    await put('raced', { [minute - 2]: 8, [minute - 1]: 9 })
    assert.equal(await stored('raced', minute - 1), 9)
    assert.equal(await stored('raced', minute - 2), 8)
    assert.equal(await wayOf(minute - 1), 'insert')
    // The surroundings are not trusted after that.
    await put('raced', { [minute - 3]: 1 })
    assert.equal(await wayOf(minute - 3), 'insert')
  })

  it('overwrite where they come again, in one upload and in the next', async () => {
    await put('again', { 0: 0 })
    await put('again', { 1: 1 })
    const minute = await uploadUntilCopied('again', -30_000)
    const timeMs = nowMs + (minute - 1) * 60_000
    await ingestion.ingest(caller, batchFromUrl(parseQuery(`compId=again&a=1,2&time=${timeMs},${timeMs}`), nowMs))
    assert.equal(await stored('again', minute - 1), 2)
    await put('again', { [minute - 1]: 3 })
    assert.equal(await stored('again', minute - 1), 3)
    await put('again', { [minute]: 4 })
    assert.equal(await stored('again', minute), 4)
  })
})
