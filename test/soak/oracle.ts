// npm run soak -- oracle: the game of test/core/statistic/play.ts for as long as wanted, on a server of its own or on TEST_DATABASE_URL.
//
//   npm run soak -- oracle                                    100,000 operations with new seeds
//   SEED=7 OPERATIONS=2000 npm run soak -- oracle             the same operations each time
//   OPERATIONS=5000 LONGEST=5000 npm run soak -- oracle       in one game
//
// Games are of 2,000 operations each, with seeds that follow each other: what is stored grows with a game, and with it the time
// that the oracle takes for a look (1,000 operations take 30 s at the beginning, 90 s after 4,000).
import { play } from '../core/statistic/play.ts'
import { closeTestServer, openTestDatabase } from '../support/database.ts'
import { chooseSeed } from '../support/random.ts'

const firstSeed = chooseSeed()
const total = Number(process.env['OPERATIONS'] ?? 100_000)
const longest = Number(process.env['LONGEST'] ?? 2000)
const say = (line: string) => void process.stdout.write(`${line}\n`)

const startedAt = performance.now()

const playOne = async (seed: number, operations: number): Promise<void> => {
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
  } finally {
    await database.drop()
  }
}

try {
  for (let done = 0, game = 0; done < total; done += longest, game += 1)
    await playOne(firstSeed + game, Math.min(longest, total - done))
  say('no difference')
} catch (error) {
  process.exitCode = 1
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) process.stderr.write(`${cause.stack}\n`)
} finally {
  await closeTestServer()
}
