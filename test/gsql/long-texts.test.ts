// Texts that strangers push, at their longest: searches, numbers and quotes cost time by their length, not by its
// square, and PostgreSQL, whose searches no time limit ends, is not asked for more.
import assert from 'node:assert/strict'
import { readJsonText } from '../../src/base/json-text.ts'
import { jsonLimits } from '../../src/gsql/text/json-table.ts'
import { atOnce } from '../../src/base/slices.ts'
import { messageOf, openScripts } from './scripts.ts'
import type { Scripts } from './scripts.ts'

const readJson = (text: string) => atOnce(readJsonText(text, jsonLimits))

describe('long texts in scripts', () => {
  let scripts: Scripts
  before(async () => (scripts = await openScripts()))
  after(() => scripts.close())

  const ask = (script: string, body: string, part = '') =>
    scripts.run(`SET @part = ${part === '' ? "''" : '@HTTP_METHOD'}; ${script}`, {
      variables: { http_body: body, http_method: part },
    })
  const first = async (script: string, body: string, part?: string) => (await ask(script, body, part)).rows[0]![0]

  const long = 'a'.repeat(1_000_000)
  const part = `b${'a'.repeat(999)}`
  const searches: readonly [search: string, bytes: number][] = [
    ['IndexOf(@HTTP_BODY, @part)', 1000],
    ['Contains(@HTTP_BODY, @part)', 1000],
    ["Replace(@HTTP_BODY, @part, 'x')", 1000],
    ["@HTTP_BODY LIKE '%' + @part", 1001],
    ["@HTTP_BODY LIKE '%' + @part ESCAPE '!'", 1001],
    ['parseCsv(@HTTP_BODY, 2, @part)', 1000],
    ['Trim(@HTTP_BODY, @part)', 1000],
    ['LTrim(@HTTP_BODY, @part)', 1000],
    ['RTrim(@HTTP_BODY, @part)', 1000],
  ]
  for (const [search, bytes] of searches)
    it(`refuses ${search} of a thousand characters in a million`, async () => {
      const message = `a text of ${bytes} bytes is too long to be looked for in one of 1000000`
      assert.ok((await messageOf(ask(`SELECT ${search}`, long, part))).endsWith(message))
    })

  it('looks for a short text in the longest, and for a long one in a short', async () => {
    assert.equal(await first('SELECT IndexOf(@HTTP_BODY, @part)', `${long}needle`, 'needle'), 1_000_001)
    assert.equal(await first('SELECT Contains(@HTTP_BODY, @part)', `xx${part}`, part), true)
    assert.equal(await first("SELECT @HTTP_BODY LIKE '%' + @part", `xx${part}`, part), true)
  })

  it('refuses a delimiter of CSV_TABLE of more than 8 characters', async () => {
    const table = (delimiter: string) => `SELECT a FROM CSV_TABLE(@HTTP_BODY, FALSE, '${delimiter}') WITH (2 a STRING)`
    assert.equal(await first(table('12345678'), 'x12345678y'), 'y')
    assert.match(await messageOf(ask(table('123456789'), 'x')), /must have at most 8 characters$/)
  })

  it('gives a field of parseCsv behind a hundred thousand quoted ones, and one that holds as many delimiters', async () => {
    assert.equal(await first('SELECT parseCsv(@HTTP_BODY, 100001)', `${'"a""b",'.repeat(100_000)}"c"`), 'c')
    const held = 'a,'.repeat(100_000)
    assert.equal(await first('SELECT Len(parseCsv(@HTTP_BODY, 1))', `"${held}",b`), held.length)
    assert.equal(await first('SELECT parseCsv(@HTTP_BODY, 2)', `"${held}",b`), 'b')
    assert.equal(await first('SELECT parseCsv(@HTTP_BODY, 100001)', `"${held}b`), 'b')
  })

  it('reads a whole number of JSON beyond all doubles as infinite, and makes no bigint of it', async () => {
    assert.equal(readJson('9'.repeat(400)), Number.POSITIVE_INFINITY)
    assert.equal(readJson(`-${'9'.repeat(5_000_000)}`), Number.NEGATIVE_INFINITY)
    assert.equal(readJson('9'.repeat(300)), BigInt('9'.repeat(300)))
    const table = (type: string) => `SELECT a FROM JSON_TABLE(@HTTP_BODY) WITH (a ${type} '$.a')`
    for (const type of ['LONG', 'DOUBLE', 'STRING'])
      assert.match(await messageOf(ask(table(type), `{"a":${'9'.repeat(1_000_000)}}`)), /^line 1, column \d+: row 1/)
    assert.equal(await first(table('STRING'), `{"a":[${'9'.repeat(1_000_000)}]}`), '[1e999]')
  })

  it('refuses a number of more than 1100 digits in the script itself', async () => {
    assert.equal(await first(`SELECT ${'7'.padStart(1100, '0')}`, ''), 7)
    assert.match(await messageOf(ask(`SELECT ${'7'.padStart(60_000, '0')}`, '')), /does not fit in a LONG$/)
  })

  const prepared: readonly [script: string, most: number, of: string, message: RegExp][] = [
    ["SELECT TOEPOCHMILLIS('x', @HTTP_BODY)", 200, "'", /the date pattern is longer than 200 characters$/],
    ['SELECT dtFormatter(0, @HTTP_BODY)', 200, '-', /the date pattern is longer than 200 characters$/],
    ["SELECT JSON_Value('{}', @HTTP_BODY)", 1000, '$', /is not a JSON path, it is longer than 1000 characters$/],
    ["SELECT ReplaceAll('a', 'a', @HTTP_BODY)", 10_000, 'x', /the replacement is longer than 10000 characters$/],
    ["SELECT ReplaceAll('a', @HTTP_BODY, 'a')", 1000, 'x', /is longer than 1000 characters$/],
    ['SELECT Year(0, @HTTP_BODY)', 64, 'A', /unknown time zone 'A/],
    ["SELECT DateTrunc(@HTTP_BODY, 0, 'UTC')", 64, 'A', /unknown unit 'A/],
  ]
  for (const [script, most, of, message] of prepared)
    it(`refuses more than ${most} characters from a body in ${script}`, async () => {
      assert.match(await messageOf(ask(script, of.repeat(most + 1))), message)
      assert.match(await messageOf(ask(script, of.repeat(16_000_000))), message)
    })

  it('suggests nothing for a name that is longer than 64 characters', async () => {
    const name = 'n'.repeat(64)
    assert.match(await messageOf(scripts.run(`SELECT ${name} FROM (SELECT 1 AS ${name.slice(1)}m)`)), /did you mean/)
    assert.doesNotMatch(await messageOf(scripts.run(`SELECT ${name}n FROM (SELECT 1 AS ${name}m)`)), /did you mean/)
  })

  it('refuses hexadecimal of more than 1100 characters', async () => {
    assert.equal(await first('SELECT HexToLong(@HTTP_BODY)', 'ff'.padStart(1100, '0')), 255)
    assert.match(await messageOf(ask('SELECT HexToLong(@HTTP_BODY)', 'ff'.padStart(1101, '0'))), /is not hexadecimal$/)
  })
})
