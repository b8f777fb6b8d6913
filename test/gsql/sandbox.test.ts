// Things that a script cannot do: see other organizations, tables or catalogues, write, take more time, rows or memory
// than it is given, or leave something behind for the next one.
import assert from 'node:assert/strict'
import type { Fault } from '../../src/base/errors.ts'
import { sqlCode } from '../../src/base/database/sql.ts'
import { compileScript } from '../../src/gsql/script.ts'
import { fillDatabase } from './data.ts'
import { hostileNames } from './generator.ts'
import { messageOf, openScripts, rowsOf, testLimits } from './scripts.ts'
import type { Scripts } from './scripts.ts'
import { eventually } from '../support/within.ts'

describe('the sandbox', () => {
  let scripts: Scripts
  before(async () => {
    scripts = await openScripts({ ...testLimits, maxRows: 1000, maxBytes: 1_000_000 })
    await fillDatabase(scripts.sql)
  })
  after(() => scripts.close())
  const codeOf = (text: string) =>
    scripts.pool.unsafe(text).then(
      () => 'done',
      (error: unknown) => sqlCode(error),
    )

  describe('of the database', () => {
    it('lets the role read no table', async () => {
      for (const table of ['component', 'stream', 'sample', 'point_sample', 'organization', 'user_account', 'api_key'])
        assert.equal(await codeOf(`select * from ${table}`), '42501', table)
    })

    it('lets the role write nothing, not even what it could', async () => {
      assert.equal(await codeOf('create temporary table t (a integer)'), '25006')
      assert.equal(await codeOf('insert into component (name) values (1)'), '25006')
    })

    it('shows nothing without an organization', async () => {
      assert.deepEqual([...(await scripts.pool`select * from gs.stream_row`.values())], [])
      assert.deepEqual([...(await scripts.pool`select * from gs.samples(1, null, null, null)`.values())], [])
      assert.deepEqual([...(await scripts.pool`select gs.first_ms(1)`.values())], [[null]])
    })

    it('gives a stream of another organization no samples, even by its key', async () => {
      const rows = await scripts.pool.begin(async (sql) => {
        await sql`select set_config('gs.organization', '1', true), set_config('gs.components', '', true)`
        return sql`select * from gs.samples(8, null, null, null)`
      })
      assert.equal(rows.length, 0)
    })
  })

  describe('of names', () => {
    const body = (name: string) => name.slice(1, -1).replaceAll('""', '"')

    it('lets none out of its signs: of a column, an alias, a table, a common table or a column of JSON and CSV', async () => {
      for (const name of hostileNames) {
        const columns = [
          `SELECT 7 AS ${name}`,
          `SELECT ${name} FROM (SELECT 7 AS ${name}) t ORDER BY ${name}`,
          `SELECT ${name}.${name} FROM (SELECT 7 AS ${name}) AS ${name} WHERE ${name}.${name} = 7`,
          `WITH ${name}(${name}) AS (SELECT 7) SELECT ${name}.* FROM ${name} GROUP BY ${name}`,
          `SELECT ${name} FROM JSON_TABLE('[7]') WITH (${name} LONG '$[0]')`,
          `SELECT ${name} FROM CSV_TABLE('7') WITH (1 ${name} LONG)`,
          `SELECT Max(sample) AS ${name} FROM (SELECT 7 AS sample FROM Stream ${name}) t HAVING Count(*) > 0`,
        ]
        for (const script of columns) {
          const ran = await scripts.run(script)
          assert.deepEqual([ran.columns?.map((column) => column.name), ran.rows], [[body(name)], [[7]]], script)
        }
      }
    })
  })

  describe('of streams', () => {
    const ids = 'SELECT cid, id FROM Stream ORDER BY cid, id'

    it('shows one organization at a time', async () => {
      assert.equal((await rowsOf(scripts.run(ids))).length, 7)
      assert.deepEqual(await rowsOf(scripts.run(ids, { organizationKey: 2 })), [['secret', 'secret']])
      assert.deepEqual(await rowsOf(scripts.run(ids, { organizationKey: 3 })), [])
    })

    it('shows only the components that may be read', async () => {
      assert.deepEqual(await rowsOf(scripts.run(ids, { components: [2] })), [['meter', 'kwh']])
      assert.deepEqual(await rowsOf(scripts.run(ids, { components: [] })), [])
      assert.deepEqual(await rowsOf(scripts.run('SELECT sample FROM Stream', { components: [3] })), [])
      const statistic = "SELECT sample(cycleId='day', stat='max') FROM Stream"
      assert.deepEqual(await rowsOf(scripts.run(statistic, { components: [2] })), [[4]])
    })

    it('quotes nothing of another organization in an error', async () => {
      const casts = 'SELECT 1 FROM Stream WHERE Cast(cname AS LONG) = 1 OR Cast(sample AS LONG) = 1'
      assert.match(await messageOf(scripts.run(casts)), /'The (boiler|meter)' is not a LONG$/)
      assert.match(await messageOf(scripts.run(casts, { organizationKey: 2 })), /'Theirs' is not a LONG$/)
    })

    it('needs a plan that includes them, which parsing and inserting do not', async () => {
      for (const script of [
        ids,
        'SET @x = (SELECT Count(*) FROM Stream)',
        "DELETE FROM SAMPLE WHERE CID = 'a' AND ID = 'b'",
      ]) {
        const error = (await scripts.run(script, { mayReadStreams: false }).catch((fault: unknown) => fault)) as Fault
        assert.equal(error.status, 403, script)
      }
      const insert =
        "INSERT INTO SAMPLE(CID, ID, SAMPLE) SELECT a, 'x', 1 FROM JSON_TABLE('{\"a\":1}') WITH(a String '$.a')"
      assert.equal((await scripts.run(insert, { mayReadStreams: false })).effects.length, 1)
    })

    it('never reads samples of before the script differently in two statements', async () => {
      const script = 'SET @a = (SELECT Count(*) FROM Stream); SET @b = (SELECT Count(*) FROM Stream); SELECT @a = @b'
      assert.deepEqual(await rowsOf(scripts.run(script)), [[true]])
    })
  })

  describe('of time', () => {
    const numbers = (name: string, count: number) =>
      `JSON_TABLE('[${Array.from({ length: count }, (_, index) => index).join(',')}]') WITH(${name} Long '$[*]')`
    const forever = `SELECT Count(*) FROM ${numbers('a', 900)}, ${numbers('b', 900)}, ${numbers('c', 900)}, ${numbers('d', 900)}`

    let hurried: Scripts
    before(async () => (hurried = await openScripts({ ...testLimits, timeoutMs: 200 })))
    after(() => hurried.close())

    it('ends a statement that takes too long', async () => {
      assert.equal(await messageOf(hurried.run(forever)), 'line 1, column 1: the script took longer than 200 ms')
    })

    it('ends a script that takes too long in many steps', async () => {
      const step = `SET @x = (SELECT Count(*) FROM ${numbers('a', 300)}, ${numbers('b', 300)}, ${numbers('c', 30)});\n`
      assert.match(await messageOf(hurried.run(step.repeat(18))), /the script took longer than 200 ms$/)
    })

    it('ends a script when its caller is gone', async () => {
      const controller = new AbortController()
      const running = scripts.run(forever, { signal: controller.signal })
      setTimeout(() => controller.abort(), 50)
      await assert.rejects(running, { name: 'AbortError' })
      await assert.rejects(scripts.run('SELECT 1 + 1', { signal: controller.signal }), { name: 'AbortError' })
    })

    it('refuses a script whose statement is cancelled before its time is over so that it may be tried again', async () => {
      const running = scripts.run(forever.replace('FROM', 'FROM Stream, '))
      const refusal = assert.rejects(running, { code: 'busy', status: 503 })
      await eventually(async () => {
        const cancelled = await scripts.sql`
          select pg_cancel_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'coppice scripts' and state = 'active'
            and clock_timestamp() - query_start > interval '100 milliseconds'`
        return cancelled.length > 0
      })
      await refusal
    })

    it('knows no regular expression that takes for ever', async () => {
      const evil = [
        '(a+)+$',
        '(a|a)*$',
        '(a|aa)+$',
        '(.*a){20}',
        '^(([a-z])+.)+[A-Z]([a-z])+$',
        '(a*)*b',
        '(a|aa)*b',
        '(.*)*x',
        '(.*)(.*)(.*)(.*)x',
        '(a{1,30}){1,30}b',
        '((a{0,9}){0,9}){0,9}b',
        '(a?){50}a{50}',
        '[ab]*a[ab]{0,200}c',
        'a*?a*?a*?a*?b',
        '(x+x+)+y',
      ]
      for (const expression of evil) {
        const script = `SELECT Len(ReplaceAll(RPad('a', 20000, 'a') + '!', '${expression}', 'x')) > 0`
        assert.deepEqual(await rowsOf(scripts.run(script)), [[true]], expression)
      }
    })

    it('ends a regular expression that looks far ahead before each of many matches', async () => {
      const variables = { HTTP_BODY: 'a'.repeat(1_000_000) }
      for (const [expression, by] of [
        ['a*b|a', 'x'],
        ['(a?){200}a{200}', 'x'],
        ['(a*)(b|c)|a', '$1'],
        ['a{0,255}b|a', 'x'],
        ['[^x]*x|a', '$0$0'],
      ]) {
        const script = `SELECT ReplaceAll(@HTTP_BODY, '${expression}', '${by}')`
        assert.equal(
          await messageOf(hurried.run(script, { variables })),
          'line 1, column 1: the script took longer than 200 ms',
        )
      }
      const busy = await hurried.sql`
        select query from pg_stat_activity
        where datname = current_database() and application_name = 'coppice scripts' and state = 'active'`
      assert.deepEqual([...busy], [])
    })

    it('takes no regular expression from a sender that is longer than one that stands in a script', async () => {
      const script = "SELECT ReplaceAll('aaa', @HTTP_BODY, 'x')"
      const variables = { HTTP_BODY: 'a?'.repeat(100_000) }
      assert.match(await messageOf(scripts.run(script, { variables })), /is longer than 1000 characters$/)
    })

    it('knows no LIKE that takes for ever', async () => {
      const script = `SELECT RPad('a', 20000, 'a') LIKE '${'%a'.repeat(40)}%b'`
      assert.deepEqual(await rowsOf(scripts.run(script)), [[false]])
    })
  })

  describe('of size', () => {
    const thousand = `JSON_TABLE('[${'1,'.repeat(999)}1]') WITH(v Long '$[*]')`

    it('ends a result of too many rows', async () => {
      assert.equal((await rowsOf(scripts.run(`SELECT v FROM ${thousand}`))).length, 1000)
      const more = `SELECT v FROM ${thousand} UNION ALL SELECT 1`
      assert.equal(await messageOf(scripts.run(more)), 'line 1, column 1: more than 1000 rows')
      assert.equal(await messageOf(scripts.run(`${more} ORDER BY 1`)), 'line 1, column 1: more than 1000 rows')
      assert.match(
        await messageOf(scripts.run(`INSERT INTO SAMPLE SELECT 'c', 'i', v, v FROM (${more})`)),
        /more than 1000 rows$/,
      )
    })

    it('ends a result of too many bytes', async () => {
      const text = 'line 1, column 1: the result is larger than allowed'
      assert.equal(await messageOf(scripts.run(`SELECT RPad('x', 2000) FROM ${thousand}`)), text)
      assert.equal(await messageOf(scripts.run(`SELECT If(v = 1, RPad('x', 2000), v) FROM ${thousand}`)), text)
      assert.match(
        await messageOf(
          scripts.run(`SELECT @HTTP_BODY, v FROM ${thousand}`, { variables: { HTTP_BODY: 'x'.repeat(2000) } }),
        ),
        /larger than allowed$/,
      )
    })

    it('ends a row of more than half of the bytes that a result may have', async () => {
      const text = 'line 1, column 1: the result is larger than allowed'
      const inTwo = (bytes: number) => `SELECT RPad('x', 250000) AS a, RPad('x', ${bytes}) AS b`
      assert.equal(await messageOf(scripts.run(inTwo(250_001))), text)
      assert.equal((await rowsOf(scripts.run(inTwo(250_000)))).length, 1)
    })

    const bombs: Readonly<Record<string, string>> = {
      RPad: "SELECT RPad('x', 1000000000)",
      'LPad by a huge count': "SELECT LPad('x', 9223372036854775807, 'ü')",
      Replace: "SELECT Len(Replace(RPad('a', 100000, 'a'), 'a', RPad('b', 100000, 'b')))",
      ReplaceAll: "SELECT Len(ReplaceAll(RPad('a', 100000, 'a'), 'a', RPad_200_times))".replace(
        'RPad_200_times',
        `'${'$0'.repeat(400)}'`,
      ),
      '+': `SELECT Len(${Array.from({ length: 40 }, () => "RPad('a', 500000)").join(' + ')})`,
      Concat: `SELECT Len(Concat(${Array.from({ length: 40 }, () => "RPad('a', 500000)").join(', ')}))`,
      Group_Concat: `SELECT Len(Group_Concat(RPad('a', 100000))) FROM ${thousand}`,
      'doubling variables': `SET @a = RPad('a', 1000);${'SET @a = @a + @a;'.repeat(30)}SELECT Len(@a)`,
    }
    for (const [name, script] of Object.entries(bombs))
      it(`stops a bomb made of ${name}`, async () => {
        assert.match(await messageOf(scripts.run(script)), /a text would be longer than 16777216 bytes$/)
      })

    it('stops a JSON document that repeats a large value', async () => {
      const body = JSON.stringify({ text: 'x'.repeat(1_000_000), list: Array.from({ length: 1000 }, () => 1) })
      const script = "SELECT t FROM JSON_TABLE(@HTTP_BODY) WITH(t String '$.text', v Long '$.list[*]')"
      assert.match(
        await messageOf(scripts.run(script, { variables: { HTTP_BODY: body } })),
        /the script holds more than 64 MiB of texts, rows and results$/,
      )
    })

    it('stops a path that looks through a large document on every level', async () => {
      const deep = `'${'['.repeat(150)}' + '"' + RPad('x', 1000000, 'x') + '"' + '${']'.repeat(150)}'`
      for (const call of [`JSON_Value(${deep}, '$..x')`, `JSON_Exists(${deep}, '$..*')`])
        assert.equal(
          await messageOf(scripts.run(`SELECT ${call}`)),
          'line 1, column 1: the text is too large and too deeply nested for a path with ..',
        )
    })

    it('stops a list of IN before it fills the memory', async () => {
      const text = (name: string) => `CSV_TABLE(@HTTP_BODY) WITH (1 ${name} STRING)`
      const pairs = (rows: number, bytes: number) => ({
        HTTP_BODY: Array.from({ length: rows }, (_, row) => `row ${row}`.padEnd(bytes, '.')).join('\n'),
      })
      // Few long texts, and many numbers.
      for (const [script, variables] of [
        [
          `SELECT Count(*) FROM ${text('a')} WHERE a NOT IN (SELECT b.b + c.c FROM ${text('b')} b, ${text('c')} c)`,
          pairs(300, 500),
        ],
        [`SELECT 1 IN (SELECT Len(b.b + c.c) FROM ${text('b')} b, ${text('c')} c)`, pairs(1200, 20)],
      ] as const)
        assert.match(
          await messageOf(scripts.run(script, { variables })),
          /^line 1, column \d+: IN \(SELECT ...\) gives more than 67108864 bytes$/,
        )
    })

    it('writes the LIMIT of a query once, whatever stands in it', async () => {
      const script = Array.from({ length: 30 }).reduce<string>((inner) => `SELECT 1 LIMIT (${inner})`, 'SELECT -1')
      assert.ok(compileScript(script, 65_536).statements[0]!.main!.text.length < 10_000)
      assert.deepEqual(await rowsOf(scripts.run(script)), [[1]])
    })

    it('leaves a statement of many parts less memory for each', async () => {
      const doubled = Array.from({ length: 40 }, (_, level) =>
        level === 0
          ? 'w0 AS (SELECT 1 AS a UNION ALL SELECT 2)'
          : `w${level} AS (SELECT x.a FROM w${level - 1} x, w${level - 1} y LIMIT 2)`,
      )
      const script = `WITH ${doubled.join(', ')} SELECT Count(*) FROM w39`
      const { workMemKb } = compileScript(script, 65_536)
      assert.ok(workMemKb !== undefined && workMemKb < 2000, String(workMemKb))
      assert.deepEqual(await rowsOf(scripts.run(script)), [[2]])
    })

    it('ends tables that double forty times, whatever is asked of them', async () => {
      // With ten seconds the largest backend had 44 MB of its own in memory, and this server nothing to keep.
      const hurried = await openScripts({ ...testLimits, maxRows: 1000, timeoutMs: 200 })
      const doubled = Array.from({ length: 39 }, (_, level) => {
        const one = `SELECT a, t FROM w${level}`
        return `w${level + 1} AS (${one} UNION ALL ${one})`
      })
      const tables = `WITH w0 AS (SELECT 1 AS a, 'x' AS t UNION ALL SELECT 2, 'y'), ${doubled.join(', ')} `
      try {
        for (const query of [
          'SELECT Count(*) FROM w39',
          'SELECT a FROM w39',
          'SELECT a, t FROM w39 ORDER BY t',
          'SELECT DISTINCT x.a FROM w39 x, w38 y WHERE x.a = y.a',
          'SELECT Group_Concat(t) FROM w39',
          "INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT t, 's', a, 1 FROM w39",
        ]) {
          const { statements, workMemKb } = compileScript(tables + query, 65_536)
          const parts = statements[0]!.main!.text.match(/\bselect\b/g)!.length
          assert.ok(parts * workMemKb! <= 100 * 1024, query)
          assert.match(
            await messageOf(hurried.run(tables + query)),
            /^line 1, column \d+: (the script took longer than 200 ms|more than 1000 rows)$/,
            query,
          )
        }
      } finally {
        await hurried.close()
      }
    })

    it('stops a JSON document that is nested too deeply', async () => {
      const body = '['.repeat(100_000) + ']'.repeat(100_000)
      for (const script of [
        "SELECT a FROM JSON_TABLE(@HTTP_BODY) WITH(a String '$..x')",
        "SELECT JSON_Value(@HTTP_BODY, '$..x')",
      ])
        assert.match(await messageOf(scripts.run(script, { variables: { HTTP_BODY: body } })), /the text is not JSON/)
    })
  })

  it('leaves nothing of a broken result in the next one', async () => {
    const broken = `SELECT Cast(v AS LONG) FROM JSON_TABLE('[${'1,'.repeat(900)}"x"]') WITH(v String '$[*]')`
    for (let round = 0; round < 20; round++) {
      assert.match(await messageOf(scripts.run(broken)), /'x' is not a LONG$/)
      const rows = await Promise.all(
        Array.from({ length: 8 }, () => rowsOf(scripts.run('SELECT 1 + 1 UNION ALL SELECT 2 + 1'))),
      )
      for (const each of rows) assert.deepEqual(each, [[2], [3]])
    }
  })
})
