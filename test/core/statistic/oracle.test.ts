// Statistics against an oracle that knows all samples and reckons the slow and obvious way; oracle.load.ts and
// npm run soak -- oracle play for longer.
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { chooseSeed } from '../../support/random.ts'
import { play } from './play.ts'

describe('statistics', () => {
  let database: TestDatabase
  before(async () => (database = await openTestDatabase()))
  after(() => database.drop())

  it("equal the oracle's after uploads, deletes, scripts and passes in any order", async () => {
    await play(database.sql, database.url, {
      seed: chooseSeed(),
      operations: Number(process.env['OPERATIONS'] ?? 100),
    })
  }).timeout(600_000)
})
