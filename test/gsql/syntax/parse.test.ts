import assert from 'node:assert/strict'
import { compileScript } from '../../../src/gsql/script.ts'

const compile = (script: string) => compileScript(script, 65_536)
const verdictOn = (script: string) => {
  try {
    compile(script)
  } catch (error) {
    return (error as Error).message
  }
  return 'fine'
}

describe('nesting', () => {
  const forms: Readonly<Record<string, (depth: number) => string>> = {
    parentheses: (depth) => `SELECT ${'('.repeat(depth)}1${')'.repeat(depth)}`,
    functions: (depth) => `SELECT ${'Abs('.repeat(depth)}1${')'.repeat(depth)}`,
    signs: (depth) => `SELECT ${'- '.repeat(depth)}x FROM (SELECT 1 x)`,
    NOT: (depth) => `SELECT ${'NOT '.repeat(depth)}TRUE`,
    CASE: (depth) => `SELECT ${'CASE WHEN TRUE THEN '.repeat(depth)}1${' END'.repeat(depth)}`,
    queries: (depth) => `SELECT ${'(SELECT '.repeat(depth)}1${')'.repeat(depth)}`,
    'tables of queries': (depth) =>
      `SELECT 1 FROM ${'(SELECT 1 x FROM '.repeat(depth)}(SELECT 1 x)${')'.repeat(depth)}`,
  }
  for (const [name, form] of Object.entries(forms)) {
    it(`goes to 199 levels of ${name}`, () => assert.equal(verdictOn(form(199)), 'fine'))
    it(`ends with an error far beyond: ${name}`, () =>
      assert.match(verdictOn(form(2000)), /nested deeper than 200 levels$/))
  }

  it('goes to exactly 200 levels', () => {
    assert.equal(verdictOn(forms['parentheses']!(200)), 'fine')
    assert.equal(verdictOn(forms['parentheses']!(201)), 'line 1, column 208: nested deeper than 200 levels')
  })

  it('counts mixtures together', () => {
    assert.match(verdictOn(`SELECT ${'NOT ('.repeat(150)}1${')'.repeat(150)}`), /nested deeper than 200 levels$/)
    assert.match(
      verdictOn(`SELECT ${'(CASE WHEN NOT '.repeat(80)}1${' THEN 1 END)'.repeat(80)}`),
      /nested deeper than 200 levels$/,
    )
  })

  it('begins anew with each statement and each closed parenthesis', () => {
    assert.equal(verdictOn(`SELECT ${Array.from({ length: 300 }, () => '(1)').join(' + ')}`), 'fine')
    assert.equal(verdictOn('SELECT CASE WHEN 1 THEN 1 END; '.repeat(300)), 'fine')
  })
})

describe('long expressions', () => {
  const chains: Readonly<Record<string, (length: number) => string>> = {
    '+': (length) => `SELECT 1${' + 1'.repeat(length)}`,
    '*': (length) => `SELECT 1${' * 1'.repeat(length)}`,
    '=': (length) => `SELECT 1${' = 1'.repeat(length)}`,
    AND: (length) => `SELECT TRUE${' AND TRUE'.repeat(length)}`,
    OR: (length) => `SELECT TRUE${' OR TRUE'.repeat(length)}`,
    'IS NULL': (length) => `SELECT 1${' IS NULL'.repeat(length)}`,
  }
  for (const [sign, chain] of Object.entries(chains)) {
    it(`go to 400 of ${sign}`, () => assert.equal(verdictOn(chain(400)), 'fine'))
    it(`end with an error far beyond: ${sign}`, () =>
      assert.match(verdictOn(chain(2500)), /more than 500 operations inside each other$/))
  }

  it('have no such limit in a list', () => {
    assert.equal(verdictOn(`SELECT 1 IN (${Array.from({ length: 9000 }, (_, index) => index).join(',')})`), 'fine')
  })

  it('end with an error in FULL JOINs, each of which doubles the tables before it', () => {
    const chain = (length: number) =>
      `SELECT 1 FROM (SELECT 1 AS a) t ${Array.from({ length }, (_, index) => `FULL JOIN (SELECT 1 AS b) u${index} ON TRUE`).join(' ')}`
    const nested = (length: number): string =>
      length === 0 ? 'SELECT 1 AS a' : `SELECT t.a FROM (${nested(length - 1)}) t FULL JOIN (SELECT 1 AS b) u ON TRUE`
    for (const script of [chain, nested]) {
      assert.equal(verdictOn(script(5)), 'fine')
      assert.match(verdictOn(script(20)), /FULL JOINs stand too deep inside each other, or after too much$/)
    }
  })

  it('go to 500 of UNION', () => {
    assert.equal(verdictOn(`SELECT 1${' UNION ALL SELECT 1'.repeat(499)}`), 'fine')
    assert.match(verdictOn(`SELECT 1${' UNION ALL SELECT 1'.repeat(500)}`), /more than 500 queries joined/)
  })
})
