// How long a database may keep us waiting until it is taken for away. Only its own silence counts: a process that was
// suspended, or whose loop was held, finds its timers due before it has read what came meanwhile.
//
// So time is counted in ticks, of which a late one counts as one, and whatever has arrived by the last is read before the
// judgement (as in http/leave.ts).
import type { Client } from 'pg'

const ticksInAll = 10

/** Calls once the time has passed, unless it is stopped before by the function that it gives. */
export const afterSilence = (ms: number, onSilence: () => void): (() => void) => {
  let ticks = 0
  let judging: NodeJS.Immediate | undefined
  const timer = setInterval(() => {
    ticks += 1
    if (ticks < ticksInAll) return
    clearInterval(timer)
    judging = setImmediate(onSilence)
  }, ms / ticksInAll)
  return () => {
    clearInterval(timer)
    clearImmediate(judging)
  }
}

/** Connects a client of `pg`, whose own timer would not know whose silence it measures. */
export const connectWithin = async (client: Client, ms: number): Promise<void> => {
  const stop = afterSilence(ms, () => client.connection.stream.destroy(new Error('the database does not answer')))
  try {
    await client.connect()
  } finally {
    stop()
  }
}
