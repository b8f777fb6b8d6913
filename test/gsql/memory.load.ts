// The limits of scripts in this server's memory, in connections and in their backends' memory.
import assert from 'node:assert/strict'
import type { Fault } from '../../src/base/errors.ts'
import type { Holders } from '../../src/base/shares.ts'
import { onOwnConnection } from '../../src/base/database/pool.ts'
import { openMemory, openScriptMemory } from '../../src/gsql/memory.ts'
import { fillDatabase } from './data.ts'
import { messageOf, nowMs, openScripts, rowsOf, testLimits } from './scripts.ts'
import type { Scripts } from './scripts.ts'

const list = (count: number, item: (index: number) => string, between = ',') =>
  Array.from({ length: count }, (_, index) => item(index)).join(between)
const numbers = (count: number) => `[${list(count, () => '1')}]`
const table = (name: string, path: string) => `JSON_TABLE(@HTTP_BODY) WITH (${name} LONG '${path}')`
const mebibyte = 1024 * 1024

describe('the memory of scripts', () => {
  let scripts: Scripts
  let free: number
  before(async () => {
    scripts = await openScripts()
    free = scripts.shares.free()
  })
  after(() => scripts.close())
  afterEach(() => assert.equal(scripts.shares.free(), free, 'all is given back'))

  const refused = (script: string, body: string) => messageOf(scripts.run(script, { variables: { HTTP_BODY: body } }))
  const values = /: the script holds more than 1500000 values$/
  const bytes = /: the script holds more than 64 MiB of texts, rows and results$/

  it('bounds the values of all tables together', async () => {
    // Tables that are not the same, or they would be read once.
    const all = list(25, (index) => `SELECT Max(a${index}) FROM ${table(`a${index}`, '$[*]')}`, ' UNION ALL ')
    assert.match(await refused(all, numbers(400_000)), values)
  })

  it('bounds a table whose columns end in NULL', async () => {
    const columns = list(900, (index) => `c${index} LONG '$.c${index}[*]'`)
    const script = `SELECT Max(c1) FROM JSON_TABLE(@HTTP_BODY) WITH (a LONG '$.a[*]', ${columns})`
    assert.match(await refused(script, `{"a":${numbers(50_000)}}`), values)
  })

  it('bounds the values of a document', async () => {
    const script = `SELECT Max(a) FROM ${table('a', '$[0].a')}`
    assert.match(await refused(script, `[${list(3_000_000, () => '[]')}]`), bytes)
  })

  it('bounds rows of many columns, with Postgres and without', async () => {
    for (const item of ['a', 'a+1'])
      assert.match(await refused(`SELECT ${list(900, () => item)} FROM ${table('a', '$[*]')}`, numbers(2000)), values)
  })

  it('bounds texts that are set, and not one that is set again', async () => {
    const body = 'x'.repeat(10_000_000)
    assert.match(
      await refused(
        list(30, (index) => `SET @a${index} = @HTTP_BODY`, ';'),
        body,
      ),
      bytes,
    )
    await scripts.run(
      list(30, () => 'SET @a = @HTTP_BODY', ';'),
      { variables: { HTTP_BODY: body } },
    )
  })

  it('bounds the writes of several statements together', async () => {
    const insert = `INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'c', 'i', a, 1 FROM ${table('a', '$[*]')}`
    assert.match(
      await refused(
        list(30, () => insert, ';'),
        numbers(100_000),
      ),
      values,
    )
  })

  it('bounds the names of streams that are written, and counts each once', async () => {
    const body = `[${list(80_000, (index) => String(index + 1))}]`
    const insert = (id: string) => `
      INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'c', '${'ж'.padStart(500, 'x')}' + ${id}, a, 1
      FROM ${table('a', '$[*]')}`
    assert.match(await refused(insert('Cast(a AS STRING)'), body), bytes)
    await scripts.run(insert('Cast(a % 2 AS STRING)'), { variables: { HTTP_BODY: body } })
  })

  it('bounds the texts by which rows are found again', async () => {
    const script = `
      SELECT Count(*) FROM (SELECT @HTTP_BODY x UNION ALL SELECT @HTTP_BODY + ' ') t,
        JSON_TABLE(t.x) WITH (a LONG '$[*]') u`
    assert.match(await refused(script, numbers(50_000)), bytes)
  })

  it('bounds the texts of first and last values', async () => {
    await fillDatabase(scripts.sql)
    const long = 'x'.repeat(65_000)
    await scripts.sql`
      insert into sample (stream_key, time, text)
      select 2, ${nowMs - 400 * 3_600_000}::timestamptz + n * interval '1 hour', n || ${long}
      from generate_series(1, 240) as n`
    const lengths = (stat: string) =>
      `SELECT Len(sample(Range(sd=-1y), cycleId='hour', stat='${stat}')) FROM Stream WHERE id = 'state' ORDER BY time`
    // On their way to Postgres they count three times more, and that is given back.
    const rows = await rowsOf(scripts.run(lengths('last')))
    const found = rows.map(([length]) => length)
    assert.deepEqual(
      found.slice(0, 240),
      Array.from({ length: 240 }, (_, n) => 65_000 + String(n + 1).length),
    )
    assert.deepEqual(found.slice(240), [2, 3, 2])
    assert.match(await messageOf(scripts.run(`${lengths('last')}; ${lengths('first')}`)), bytes)
  })

  it('leaves one organization room, whatever another holds', () => {
    const shares = openScriptMemory(64 * mebibyte)
    const at = { line: 1, column: 1 }
    const holdAll = (holders: Holders) => {
      const memory = openMemory(shares, holders)
      try {
        for (;;) memory.spend(at, 0, mebibyte / 2)
      } catch (error) {
        assert.equal((error as Fault).code, 'busy')
      }
    }
    for (let user = 0; user < 20; user += 1) holdAll(['organization 1', `user ${user}`])
    openMemory(shares, ['organization 2', 'their user']).spend(at, 1000, 2 * mebibyte)
  })
})

describe('the connections of scripts', () => {
  const forever = (name: string) =>
    `SELECT Count(*) AS ${name} FROM ${table('a', '$[*]')} x, ${table('b', '$[*]')} y, ${table('c', '$[*]')} z WHERE x.a + y.b + z.c = 4`
  const variables = { HTTP_BODY: numbers(2000) }

  it('are left to others, however many slow scripts one organization has', async () => {
    const scripts = await openScripts({ ...testLimits, timeoutMs: 20_000 })
    const leaving: AbortController[] = []
    try {
      let ended = 0
      const slow = Array.from({ length: 20 }, (_, index) => {
        const holders: Holders = ['organization 1', `user ${index % 4}`]
        leaving.push(new AbortController())
        return scripts
          .run(forever(`n${index}`), { variables, holders, signal: leaving.at(-1)!.signal })
          .catch((error: unknown) => error as Error)
          .finally(() => (ended += 1))
      })
      const theirs: Holders = ['organization 2', 'their user']
      assert.deepEqual(await rowsOf(scripts.run('SELECT 1 + 1', { holders: theirs })), [[2]])
      assert.equal(ended, 0)
      // Postgres takes no notice of the end of a query that it has not begun: that one goes on for as long as it may.
      for (const one of leaving) one.abort()
      for (const error of await Promise.all(slow)) assert.match((error as Error).name, /^(AbortError|Fault)$/)
      assert.equal(scripts.places.waiting(), 0)
    } finally {
      await scripts.close()
    }
  })

  it('keep no statement that was asked once, and of others no more than they may', async () => {
    const scripts = await openScripts()
    const prepared = async () => {
      const [row] = await onOwnConnection(
        scripts.pool,
        undefined,
        (sql) => sql<[{ count: number; length: number }]>`
          select count(*)::int as count, coalesce(sum(length(statement)), 0)::int as length from pg_prepared_statements`,
      )
      return row
    }
    // Numbers are parameters: these scripts differ by their functions.
    const script = (index: number) =>
      `SELECT ${list(10, (bit) => (index & (2 ** bit) ? 'Abs(a)' : 'Sign(a)'))} FROM ${table('a', '$[*]')}`
    try {
      for (let index = 0; index < 100; index += 1) await scripts.run(script(index), { variables: { HTTP_BODY: '[1]' } })
      assert.ok((await prepared()).count < 10)
      let most = 0
      for (let index = 0; index < 1000; index += 1) {
        for (let time = 0; time < 2; time += 1) await scripts.run(script(index), { variables: { HTTP_BODY: '[1]' } })
        if (index % 50 === 0) most = Math.max(most, (await prepared()).length)
      }
      assert.ok(most > 20_000 && most < 200_000, String(most))
    } finally {
      await scripts.close()
    }
  })
})
