// Errors of a statement, by the errors of drivers: of the kinds that no test has a server of, as their documentation
// says. And texts of servers, as they are quoted.
import assert from 'node:assert/strict'
import { externalError, quotedText } from '../../src/outbound/sentence.ts'
import type { Kind } from '../../src/outbound/target.ts'
import { targetFrom } from '../support/outbound.ts'

describe('outbound/statement-error', () => {
  const say = (kind: Kind, thrown: object, sql: string) => {
    const error = Object.assign(new Error('as the server says'), thrown)
    const { reason, message } = externalError(targetFrom(kind, `x://reader:s3cret@db.example/plant`), error, sql)
    return `${reason} ${message}`
  }

  it('says line and column where the driver knows them', () => {
    assert.equal(
      say('oracle', { errorNum: 904, offset: 9 }, '  select\n  nothing from dual'),
      'sql External SQL, line 2, column 3: as the server says',
    )
    assert.equal(say('sqlserver', { number: 207, lineNumber: 3 }, 'x'), 'sql External SQL, line 3: as the server says')
    assert.equal(say('mysql', { errno: 1054 }, 'x'), 'sql External SQL: as the server says')
  })

  it('says that another statement follows, and not when its text is quoted or a comment', () => {
    const another = 'sql External SQL must be one statement, and another follows'
    assert.equal(say('mysql', { errno: 1064 }, "select ';' from t; -- x\nselect 2"), another)
    assert.equal(say('oracle', { errorNum: 933 }, 'select 1 from dual; select 2 from dual'), another)
    for (const sql of ["select ';x' frm t", 'select 1 frm t; -- more', 'select 1 /* ; x */ frm t ;', "select '"])
      assert.equal(say('mysql', { errno: 1064 }, sql), 'sql External SQL: as the server says', sql)
  })

  it('says that it may only read, which is no missing right', () => {
    for (const [kind, thrown] of [
      ['postgresql', { code: '25006' }],
      ['mysql', { errno: 1792 }],
      ['oracle', { errorNum: 1456 }],
    ] as const)
      assert.equal(say(kind, thrown, 'x'), 'sql External SQL may only read: as the server says')
    assert.match(say('postgresql', { code: '42501' }, 'x'), /^rights the user 'reader' may not do this/)
  })

  it('reads a megabyte of semicolons and quotes once', () => {
    for (const sql of [
      "'".repeat(1_000_000),
      ';'.repeat(1_000_000),
      '/*'.repeat(500_000),
      `${'\n'.repeat(999_999)}x`,
    ]) {
      assert.match(say('mysql', { errno: 1064 }, sql), /^sql/)
      assert.match(say('postgresql', { code: '42601', position: '1000000' }, sql), /^sql/)
    }
  })

  for (const [what, password, text, expected] of [
    ['the first 10,000 characters of a text', 'secret', `${' '.repeat(9995)}first, and no more`, 'first'],
    ['no part of a password that these cut in two', 'secret', `${' '.repeat(10_000)}my secret`, ''],
    ['no password that is in a text as it is', 'my\n\nsecret', 'is my\n\nsecret', 'is ***'],
    ['no password that a text has when it is one line', 'my secret', 'is my\n\nsecret', 'is ***'],
  ] as const)
    it(`quotes ${what}`, () => {
      const target = targetFrom('postgresql', 'postgres://reader@127.0.0.1/plant')
      assert.equal(quotedText({ ...target, password }, text).trim(), expected)
    })
})
