// npm run soak -- fuzz: every parser for a minute of CPU time, by coverage; MINUTES=60 for longer, and names of parsers as
// arguments for only these. KEEP=1 adds what reached something new to the corpus. By CPU time an hour is an hour's work, also
// beside others on a busy machine. A signal to end has it say and keep what it has.
import { setImmediate } from 'node:timers/promises'
import { chooseSeed, openRandom } from '../support/random.ts'
import { readCorpus, writeCorpus } from './corpus.ts'
import { openEngine } from './engine.ts'
import { fuzzTargets } from './targets.ts'

const seed = chooseSeed()
const minutes = Number(process.env['MINUTES'] ?? 1)
const names = process.argv.slice(2)
const say = (line: string) => void process.stdout.write(`${line}\n`)
/** The tree stays small, and `npm run test:load` short. */
const mostKept = 500
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

say(`SEED=${seed}, ${minutes} minutes of CPU time each`)
for (const target of fuzzTargets) {
  if (stop.signal.aborted || (names.length > 0 && !names.includes(target.name))) continue
  const corpus = await readCorpus(target.name)
  const engine = await openEngine(target, corpus, openRandom(seed), true)
  const start = process.cpuUsage()
  const usedMinutes = () => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 60e6
  }
  let played = 0
  try {
    for (; usedMinutes() < minutes && !stop.signal.aborted; played += 1000) {
      await engine.play(1000)
      // A signal comes in a turn of the event loop, and the engine may need none.
      await setImmediate()
    }
    say(
      `${target.name}: ${played} inputs in ${usedMinutes().toFixed(1)} minutes, ${engine.found.length} reached something new`,
    )
  } catch (error) {
    process.exitCode = 1
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) say(String(cause.stack))
  }
  if (process.env['KEEP'] === '1') {
    const small = engine.found.filter((input) => input.length <= 1000)
    const kept = [...corpus, ...small]
    if (kept.length > mostKept) say(`${target.name}: ${kept.length - mostKept} are not kept, the corpus is full`)
    await writeCorpus(target.name, kept.slice(0, mostKept))
  }
}
