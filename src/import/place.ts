// The place of a run is for the work that it makes here. While it waits for its external database (for the connection, the first
// row, the next rows) others may need it: two organizations with a `sleep(40)` kept a third one's run of half a second waiting for
// 40 s. So a run gives its place up once its session's thread has had nothing to do for some seconds, however many rows came in
// between, and takes one again, in its turn, for what came.
import type { Holding } from '../base/shares.ts'
import type { WhileWaiting } from '../outbound/fetch.ts'

const mostIdleMs = 3000
const lookEveryMs = 250
/** A run ends by its signal, and not by itself. */
const patienceMs = 2 ** 31 - 1

/** The place is held to begin with, and whenever rows have come. */
export const openPlace = (place: Holding, signal: AbortSignal, mostMs = mostIdleMs): WhileWaiting => {
  /** Since the place was taken. */
  let beforeMs = 0
  return async (heard, idleMs) => {
    const sinceMs = idleMs()
    const ownMs = () => beforeMs + Math.max(0, idleMs() - sinceMs)
    const giveUpLate = () => {
      if (place.amount > 0 && ownMs() > mostMs) place.give()
    }
    const timer = setInterval(giveUpLate, lookEveryMs)
    const result = await heard.finally(() => clearInterval(timer))
    // However short this time was: others have their turn now, if they wait.
    giveUpLate()
    beforeMs = place.amount > 0 ? ownMs() : 0
    if (place.amount > 0 || (await place.wait(1, patienceMs, signal))) return result
    throw signal.reason
  }
}
