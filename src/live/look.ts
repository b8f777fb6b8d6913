// A look at all listeners, once a second: whether they may still listen (docs/live.md#the-end), that their seconds are not over,
// and that they are still there. It goes on beside all readings, however much is given.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../base/errors.ts'
import { faultFromSql } from '../base/database/sql.ts'
import type { Position } from '../core/live/position.ts'
import type { Listener } from './listener.ts'

/** Undefined: what is remembered of credentials is right. Else a promise to await first, one for all listeners. */
export type Settle = () => Promise<void> | undefined

export type Look = {
  /** Never fails. */
  readonly once: () => Promise<void>
  /** Set while listeners are being looked at: who gives them something waits until it is over. */
  readonly underWay: () => Promise<void> | undefined
}

const beatEveryMs = 15_000
/** All wait so long for the look-ups of credentials that were forgotten: most take less, and then nobody falls behind. */
const judgedWithinMs = 100

export const openLook = (
  listeners: ReadonlySet<Listener>,
  settle: Settle,
  positionOf: (listener: Listener) => Position | undefined,
): Look => {
  let underWay: Promise<void> | undefined
  const look = async (): Promise<void> => {
    const nowMs = performance.now()
    // Where it fails, none of them can be judged.
    await settle()?.catch(() => {})
    let looked = 0
    const judging: Promise<void>[] = []
    for (const listener of listeners) {
      if (!listener.isBeingJudged) judging.push(judge(listener))
      if (nowMs >= listener.endAtMs)
        listener.endInTurn({ code: 'time_is_up', message: 'the seconds that were asked for are over' })
      else if (nowMs - listener.sentAtMs >= beatEveryMs) listener.beat(listener.lap ? undefined : positionOf(listener))
      looked += 1
      if (looked % 500 === 0) await setImmediate()
    }
    await Promise.race([Promise.all(judging), sleep(judgedWithinMs)])
  }
  return {
    once: async () => {
      underWay = look()
      await underWay
      underWay = undefined
    },
    underWay: () => underWay,
  }
}

/** Ends one that may listen no longer. Where that cannot be known it is in doubt until the next look. Never fails. */
const judge = async (listener: Listener): Promise<void> => {
  try {
    const judging = listener.call.judgeAgain?.()
    if (judging) {
      listener.isBeingJudged = true
      listener.beginDoubt()
      await judging
    }
    listener.endDoubt()
  } catch (error) {
    const fault = faultFromSql(error)
    if (fault instanceof Fault && fault.status < 500) listener.endInTurn(fault)
    else listener.beginDoubt()
  } finally {
    listener.isBeingJudged = false
  }
}
