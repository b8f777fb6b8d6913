// npm run soak -- drawn: looks for inputs that hold the server for longer than a plain one does. Shapes are drawn at random from
// test/hostile/drawn.ts, those that cost most are changed further, and what still costs as much when it is sent again is said, with its seed.
// MINUTES=10 for each door, and names of doors as arguments for only these.
import { setTimeout as pause } from 'node:timers/promises'
import { doors } from '../hostile/drawn.ts'
import type { Door, Shape } from '../hostile/drawn.ts'
import { pauseUnder, readPlain } from '../hostile/pause.ts'
import { openTarget } from '../hostile/target.ts'
import { chooseSeed, openRandom } from '../support/random.ts'
import type { Random } from '../support/random.ts'

const minutes = Number(process.env['MINUTES'] ?? 2)
const seed = chooseSeed()
/** Of the time that the largest plain upload takes when it is read at once; more is a fault. */
const mostPauses = 10
const mostMs = 20_000
const say = (line: string) => void process.stdout.write(`${line}\n`)

type Tried = { readonly shape: Shape; readonly pauses: number; readonly ms: number }

const draw = ({ knobs }: Door, random: Random): Shape =>
  Object.fromEntries(Object.entries(knobs).map(([name, values]) => [name, random.pick(values)]))

const change = ({ knobs }: Door, shape: Shape, random: Random): Shape => {
  const names = Object.keys(knobs)
  const changed: Record<string, string | number> = { ...shape }
  for (let n = 1 + random.integer(3); n > 0; n -= 1) {
    const name = random.pick(names)
    changed[name] = random.pick(knobs[name]!)
  }
  return changed
}

const target = await openTarget()
const plain = readPlain()
say(`SEED=${seed}, ${minutes} minutes each; the largest plain upload is read in ${plain} s`)

const names = process.argv.slice(2)
for (const [name, door] of Object.entries(doors)) {
  if (names.length > 0 && !names.includes(name)) continue
  const random = openRandom(seed)
  let worst: Tried[] = []
  const statuses = new Map<number, number>()
  const tryOne = async (shape: Shape): Promise<Tried> => {
    const startMs = performance.now()
    const lagS = await pauseUnder(target, async (to) => {
      const reply = await door.send(to, shape)
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
      return reply
    })
    return { shape, pauses: lagS / plain, ms: performance.now() - startMs }
  }
  const show = ({ shape, pauses, ms }: Tried) =>
    `${pauses.toFixed(1)} pauses, ${Math.round(ms)} ms: ${JSON.stringify(shape)}`
  const tooMuch = ({ pauses, ms }: Tried) => pauses > mostPauses || ms > mostMs
  for (const endMs = performance.now() + minutes * 60_000; performance.now() < endMs;) {
    const shape =
      worst.length < 8 || random.integer(3) === 0 ? draw(door, random) : change(door, random.pick(worst).shape, random)
    try {
      let tried = await tryOne(shape)
      // Twice more: a busy machine makes pauses of its own.
      for (let again = 0; again < 2 && tooMuch(tried); again += 1) {
        const next = await tryOne(shape)
        if (next.pauses < tried.pauses) tried = next
      }
      if (tooMuch(tried)) {
        process.exitCode = 1
        say(`${name}: ${show(tried)}`)
      }
      worst = [...worst, tried].toSorted((a, b) => b.pauses - a.pauses).slice(0, 8)
    } catch (error) {
      process.exitCode = 1
      say(`${name}: ${String(error)}: ${JSON.stringify(shape)}`)
      await target.startAgain()
      await pause(100)
    }
  }
  say(`${name}: ${JSON.stringify([...statuses])}; the worst: ${worst.slice(0, 3).map(show).join('\n  ')}`)
}
await target.end()
