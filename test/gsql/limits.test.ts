// The parts of a script: each list has its limit, and compiling takes time in proportion to the text.
import assert from 'node:assert/strict'
import type { Fault } from '../../src/base/errors.ts'
import { compileScript } from '../../src/gsql/script.ts'
import { countSteps } from '../support/steps.ts'
import { openScripts, rowsOf } from './scripts.ts'
import type { Scripts } from './scripts.ts'

const compile = (script: string) => compileScript(script, 65_536)
const list = (count: number, item: (index: number) => string, between = ',') =>
  Array.from({ length: count }, (_, index) => item(index)).join(between)
const table = "JSON_TABLE(@HTTP_BODY) WITH (a Long '$[*]')"

const refused = (script: string) => {
  try {
    compile(script)
  } catch (error) {
    const { members, message } = error as Fault
    return { column: members['column'], message: message.replace(/^line 1, column \d+: /, '') }
  }
  throw new Error('the script compiled')
}

describe('limits of a script', () => {
  const cases: readonly (readonly [string, number, (count: number) => string, string])[] = [
    ['columns of a SELECT', 1000, (count) => `SELECT ${list(count, () => '1')}`, 'more than 1000 columns'],
    [
      'columns of a table',
      1000,
      (count) => `SELECT 1 FROM CSV_TABLE('') WITH (${list(count, (index) => `1 c${index} LONG`)})`,
      'more than 1000 columns of a table',
    ],
    ['columns of VALUES', 1000, (count) => `VALUES (${list(count, () => '1')})`, 'more than 1000 columns'],
    [
      'terms of ORDER BY',
      100,
      (count) => `SELECT a FROM ${table} ORDER BY ${list(count, (index) => `a+${index}`)}`,
      'more than 100 terms in ORDER BY',
    ],
    [
      'terms of GROUP BY',
      100,
      (count) => `SELECT 1 FROM ${table} GROUP BY ${list(count, (index) => `a+${index}`)}`,
      'more than 100 terms in GROUP BY',
    ],
    [
      'common tables of a statement, wherever they stand',
      50,
      (count) =>
        `WITH w0 AS (WITH v AS (SELECT 1 x) SELECT x FROM v), ${list(count - 2, (index) => `w${index + 1} AS (SELECT x FROM w${index})`)} SELECT 1`,
      'more than 50 common tables in a statement',
    ],
    ['tables of a FROM', 24, (count) => `SELECT 1 FROM ${list(count, () => table)}`, 'more than 24 tables in one FROM'],
    [
      'queries of a statement',
      1000,
      (count) => `SELECT 1 IN (${list(count - 1, () => '(SELECT 1)')})`,
      'more than 1000 queries and tables in a statement',
    ],
    ['statements', 1000, (count) => list(count, () => 'SET @a = 1', ';'), 'more than 1000 statements'],
  ]
  for (const [what, most, script, message] of cases)
    it(`takes ${most} ${what}, and names the place of the next one`, () => {
      compile(script(most))
      const more = refused(script(most + 1))
      assert.equal(more.message, message)
      assert.ok(Number(more.column) > script(most).length / 3, String(more.column))
    })

  it('takes 20000 names, numbers, texts and signs', () => {
    const script = (values: number) => `SELECT 1 IN (${list(values, () => '1')}) `
    compile(script(9998))
    assert.deepEqual(refused(script(9999)), {
      column: 20_010,
      message: 'more than 20000 names, numbers, texts and signs',
    })
  })

  it('counts the columns of each *', () => {
    const doubling = list(40, (index) => `w${index + 1} AS (SELECT *, * FROM w${index})`)
    assert.equal(refused(`WITH w0 AS (SELECT 1 x), ${doubling} SELECT 1`).message, 'more than 1000 columns')
  })

  it('counts the terms of a name given with AS, through queries inside each other', () => {
    const inside = Array.from({ length: 12 }, (_, index) => index).reduceRight(
      (inner, index) => `EXISTS (SELECT ${list(20, () => `b${index}`, '+')} b${index + 1} WHERE ${inner})`,
      'b12 > 1',
    )
    assert.equal(
      refused(`SELECT a+1 b0 FROM ${table} WHERE ${inside}`).message,
      'names given with AS stand for too much',
    )
  })

  it('refuses patterns, paths and replacements that are longer than any need to be', () => {
    const long = 'x'.repeat(2000)
    assert.match(refused(`SELECT TOEPOCHMILLIS('', '${long}')`).message, /^the date pattern is longer than 200 char/)
    assert.match(
      refused(`SELECT JSON_Value('', '$.${long}')`).message,
      /is not a JSON path, it is longer than 1000 characters$/,
    )
    assert.match(
      refused(`SELECT ReplaceAll('', 'a', '${long.repeat(6)}')`).message,
      /^the replacement is longer than 10000 char/,
    )
    assert.match(refused(`SELECT Year(1, '${long}')`).message, /^unknown time zone/)
  })
})

describe('compiling', () => {
  // Each was quadratic or worse: a text of 64 KB of the first took 66 s, of the second 7 s.
  const shapes: Readonly<Record<string, (count: number) => string>> = {
    'brackets that are not closed': (count) => `SELECT ${'['.repeat(count * 8)}`,
    'sums in a long list': (count) => `SELECT a IN (${list(count / 4, (index) => `a+a+a+${index}`)}) FROM ${table}`,
    'names given with AS': (count) =>
      `SELECT ${list(count / 8, (index) => `1 a${index}`)} FROM ${table} WHERE ${list(count / 8, (index) => `(a${index})`, ' OR ')}`,
    'columns of a table': (count) =>
      `SELECT ${list(count / 8, (index) => `c${index}`)} FROM CSV_TABLE('') WITH (${list(count / 8, (index) => `1 c${index} LONG`)})`,
    'names that are not known': (count) => `SELECT ${'x'.repeat(count * 4)} FROM (SELECT 1 ${'y'.repeat(count * 4)})`,
    'statements that set variables': (count) => list(count / 4, (index) => `SET @v${index} = 1`, ';'),
    'groups by what is in the list': (count) =>
      `SELECT ${list(count / 40, (index) => `a+${index}+a+a`)} FROM ${table} GROUP BY a, ${list(count / 40, (index) => `a+${index}`)}`,
    'tables of texts in other tables': (count) =>
      `SELECT 1 FROM (SELECT '1' x) t, ${list(count / 80, (index) => `CSV_TABLE(t.x) WITH (1 y STRING) t${index}`)} WHERE ${list(count / 8, () => `t.x = '1'`, ' AND ')}`,
  }
  const stepsFor = (scripts: readonly string[]) =>
    countSteps(
      new URL('../../src/gsql/script.ts', import.meta.url),
      'compileScript',
      scripts.map((script) => [script, 65_536]),
    )
  it('takes four times the steps for four times as much of anything, and not sixteen times', async () => {
    const steps = await stepsFor(Object.values(shapes).flatMap((script) => [script(800), script(3200)]))
    const growth = Object.keys(shapes).map((what, index) => ({
      what,
      times: Math.round(steps[2 * index + 1]! / steps[2 * index]!),
    }))
    assert.deepEqual(
      growth.filter(({ times }) => times > 6),
      [],
    )
    assert.ok(
      steps.every((count) => count > 1000),
      steps.join(' '),
    )
  })
})

describe('SQL for Postgres', () => {
  let scripts: Scripts
  before(async () => (scripts = await openScripts()))
  after(() => scripts.close())

  const variables = { HTTP_BODY: '[0]' }

  it('writes no column out at every level, which took all memory of the server', async () => {
    const chain = list(45, (index) => `w${index + 1} AS (SELECT x+x x FROM w${index})`)
    const commons = `WITH w0 AS (SELECT a x FROM ${table}), ${chain} SELECT x FROM w45`
    const nested = `SELECT x FROM ${'(SELECT x+x x FROM '.repeat(60)}(SELECT a x FROM ${table})${')'.repeat(60)}`
    const wide = `SELECT y FROM (SELECT CASE WHEN x > 1 THEN x ELSE x+x END y FROM ${'(SELECT CASE x WHEN 1 THEN x WHEN 2 THEN x ELSE x END x FROM '.repeat(40)}(SELECT a x FROM ${table})${')'.repeat(40)})`
    for (const script of [commons, nested, wide])
      assert.deepEqual(await rowsOf(scripts.run(script, { variables })), [[0]])
  })

  it('keeps inner queries apart only where they would become too much', () => {
    const sql = (script: string) => compile(script).statements[0]!.main!.text
    const few = list(4, (index) => `w${index + 1} AS (SELECT x+x+x+x+x+x+x+x x FROM w${index})`)
    assert.doesNotMatch(sql(`WITH w0 AS (SELECT a x FROM ${table}), ${few} SELECT x FROM w4 ORDER BY 1`), /offset 0/)
    const many = list(12, (index) => `w${index + 1} AS (SELECT x+x+x+x+x+x+x+x x FROM w${index})`)
    assert.match(sql(`WITH w0 AS (SELECT a x FROM ${table}), ${many} SELECT x FROM w12 ORDER BY 1`), /offset 0\)/)
  })

  it('takes the longest chain of common tables in its time', async () => {
    const chain = list(49, (index) => `w${index + 1} AS (SELECT x FROM w${index} GROUP BY x)`)
    const script = `WITH w0 AS (SELECT a x FROM ${table}), ${chain} SELECT x FROM w49`
    assert.deepEqual(await rowsOf(scripts.run(script, { variables })), [[0]])
  })
})
