// As oracle.test.ts, for longer: a game of more operations, in which more of them meet.
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { chooseSeed } from '../../support/random.ts'
import { play } from './play.ts'

describe('statistics of a longer game', () => {
  let database: TestDatabase
  before(async () => (database = await openTestDatabase()))
  after(() => database.drop())

  it("equal the oracle's after uploads, deletes, scripts and passes in any order", async () => {
    await play(database.sql, database.url, {
      seed: chooseSeed(),
      operations: Number(process.env['OPERATIONS'] ?? 250),
    })
  }).timeout(600_000)
})
