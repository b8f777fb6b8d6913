// Derived streams against an oracle that knows all samples; npm run soak -- derive plays for longer.
import { chooseSeed } from '../../support/random.ts'
import { play } from './play.ts'

describe('derived streams', () => {
  it("equal the oracle's after uploads, deletes, edits, requests and passes in any order", async () => {
    await play({
      seed: chooseSeed(),
      operations: Number(process.env['OPERATIONS'] ?? 30),
    })
  }).timeout(600_000)
})
