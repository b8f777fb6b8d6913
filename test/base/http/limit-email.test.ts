import assert from 'node:assert/strict'
import { emailBucket } from '../../../src/base/http/limit.ts'
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
})
