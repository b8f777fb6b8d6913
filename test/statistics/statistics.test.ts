import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { play } from './play.ts'

describe('statistics', () => {
  let database: TestDatabase
  before(async () => (database = await openTestDatabase()))
  after(() => database.drop())

  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000_007)

  it(`equal the oracle's after everything (SEED=${seed})`, async function () {
    this.timeout(600_000)
    process.stdout.write(`  the oracle's game: SEED=${seed}\n`)
    await play(database.sql, database.url, { seed, operations: Number(process.env['OPERATIONS'] ?? 800) })
  })
})
