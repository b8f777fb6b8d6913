// npm run soak -- oracle: the game of test/core/statistic/play.ts for as long as wanted, on a server of its own or on TEST_DATABASE_URL.
//
//   npm run soak -- oracle                            100,000 operations with a new seed
//   SEED=7 OPERATIONS=5000 npm run soak -- oracle     the same operations each time
import { play } from '../core/statistic/play.ts'
import { closeTestServer, openTestDatabase } from '../support/database.ts'
import { chooseSeed } from '../support/random.ts'

const seed = chooseSeed()
const operations = Number(process.env['OPERATIONS'] ?? 100_000)
const say = (line: string) => void process.stdout.write(`${line}\n`)

const startedAt = performance.now()
const database = await openTestDatabase()
say(`SEED=${seed}, ${operations} operations, ${database.edition} edition`)
try {
  await play(database.sql, database.url, {
    seed,
    operations,
    onProgress: (done, counts) => {
      const seconds = Math.round((performance.now() - startedAt) / 1000)
      say(
        `${done} in ${seconds} s: ${Object.entries(counts)
          .map(([name, count]) => `${count} ${name}`)
          .join(', ')}`,
      )
    },
  })
  say('no difference')
} catch (error) {
  process.exitCode = 1
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) process.stderr.write(`${cause.stack}\n`)
} finally {
  await database.drop()
  await closeTestServer()
}
