// Every parser with the corpus and some hundred changed inputs, others in each run. For longer, and by coverage:
// npm run soak -- fuzz
import { withSeed } from '../support/random.ts'
import { readCorpus } from './corpus.ts'
import { openEngine } from './engine.ts'
import { fuzzTargets } from './targets.ts'

describe('every parser', function () {
  this.timeout(120_000)
  for (const target of fuzzTargets)
    it(`reads or refuses whatever comes: ${target.name}`, () =>
      withSeed(async (random) => {
        const engine = await openEngine(target, await readCorpus(target.name), random, false)
        await engine.play(300)
      }))
})
