import assert from 'node:assert/strict'
import type { Fault } from '../../../src/base/errors.ts'
import { unauthorized } from '../../../src/base/errors.ts'
import { emailBucket, openLimiter } from '../../../src/base/http/limit.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'

describe('the count of failures at an e-mail', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.drop())

  it('is one for all spellings that the database takes for the same', async () => {
    // Without halves of pairs, which are no characters.
    const found = await database.sql<{ character: string; small: string }[]>`
      select chr(n) as character, lower(chr(n)) as small
      from generate_series(128, 1114111) as n
      where n not between 55296 and 57343 and lower(chr(n)) <> chr(n)`
    assert.ok(found.length > 1000)
    const differing = found.filter(
      ({ character, small }) => emailBucket(`a${character}b`) !== emailBucket(`a${small}b`),
    )
    assert.deepEqual(differing, [])
  })

  it('is another for another e-mail', () => {
    assert.notEqual(emailBucket('ada@example.org'), emailBucket('eve@example.org'))
    assert.equal(emailBucket('mississippi@example.org'), emailBucket(' mİssIssippi@EXAMPLE.org'))
  })

  it('does not go by the spelling of names that are no e-mails: of 64 KB that takes long, and anybody can make up the token of a link', () => {
    const [long, e] = ['x'.repeat(320), 'é@example.org'] as const
    assert.equal(emailBucket(e), emailBucket(e.toUpperCase()))
    assert.notEqual(emailBucket(long + e), emailBucket(long + e.toUpperCase()))
    assert.equal(emailBucket(long + e), emailBucket(long + e))
  })

  it('makes nobody familiar with the account of another e-mail that counts together with theirs', async () => {
    const none = { count: 600, seconds: 60 }
    const limits = { feed: none, property: none, file: none, login: { count: 2, seconds: 60 } }
    const { signIn } = openLimiter(limits, { now: () => 1_700_000_000_000 })
    const familiarAs = (email: string) => signIn('203.0.113.1', email, async (isFamiliar) => isFamiliar)
    const guessFrom = (address: string) =>
      signIn(address, others, async () => {
        throw unauthorized('wrong')
      }).catch((error: Fault) => error.status)
    const [own, others] = ['jöhn@example.org', 'john@example.org'] as const
    assert.equal(emailBucket(own), emailBucket(others))
    assert.deepEqual([await familiarAs(own), await familiarAs(own)], [false, true])
    assert.equal(await familiarAs(' JöHN@example.ORG '), true)
    assert.deepEqual([await guessFrom('203.0.113.2'), await guessFrom('203.0.113.3')], [401, 401])
    assert.equal(await guessFrom('203.0.113.1'), 429)
  })
})
