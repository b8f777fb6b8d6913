// npm run soak -- derive: the game of test/core/derive/play.ts for as long as wanted, with servers that are killed.
//
//   npm run soak -- derive                            20 games of 300 operations, each with a new seed
//   SEED=7 OPERATIONS=500 GAMES=1 npm run soak -- derive     the same operations each time
import { play } from '../core/derive/play.ts'
import { closeTestServer } from '../support/database.ts'
import { chooseSeed } from '../support/random.ts'

const first = chooseSeed()
const games = Number(process.env['GAMES'] ?? 20)
const operations = Number(process.env['OPERATIONS'] ?? 300)
const say = (line: string) => void process.stdout.write(`${line}\n`)

try {
  for (let seed = first; seed < first + games; seed += 1) {
    say(`SEED=${seed}, ${operations} operations`)
    await play({
      seed,
      operations,
      kills: true,
      onProgress: (done, counts) =>
        say(
          `${done}: ${Object.entries(counts)
            .map(([name, count]) => `${count} ${name}`)
            .join(', ')}`,
        ),
    })
  }
  say('no difference')
} catch (error) {
  process.exitCode = 1
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) process.stderr.write(`${cause.stack}\n`)
} finally {
  await closeTestServer()
}
