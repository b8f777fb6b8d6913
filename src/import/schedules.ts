// Keeps the times of schedules near (docs/imports.md#schedule). A clock that was ahead has put next runs as far ahead: once it
// is right again nothing would run until then, and nothing would be late. They are looked through when the clock goes
// back, and now and then, for it may have done so while no server was up.
import type { Sql } from '../base/database/sql.ts'
import { inSlices, openFairBreath } from '../base/slices.ts'
import type { Sliced } from '../base/slices.ts'
import { moveNextRun, scheduledAfter } from '../core/import/import-run.ts'
import type { Scheduled } from '../core/import/import-run.ts'
import { nextRunMs } from '../core/import/schedule.ts'

const everyMs = 3_600_000
/** That are read together. */
const atOnce = 50

export const openSchedules = (sql: Sql, isStopping: () => boolean) => {
  let seenMs = Infinity
  let againMs = 0
  return {
    keep: async (nowMs: number): Promise<void> => {
      const isBack = nowMs < seenMs
      seenMs = nowMs
      if (!isBack && nowMs < againMs) return
      againMs = nowMs + everyMs
      for (let afterKey = 0; !isStopping();) {
        const some = await scheduledAfter(sql, { afterKey, nowMs, most: atOnce })
        for (const { one, toMs } of await inSlices(broughtBack(some, nowMs), openFairBreath()))
          await moveNextRun(sql, one, toMs)
        if (some.length < atOnce) return
        afterKey = some.at(-1)!.connectorKey
      }
    },
  }
}

type Moved = { readonly one: Scheduled; readonly toMs: number }

/** The time of each may take some milliseconds: 50 that come on a Monday the 29th of February took 0.3 s in one turn. */
export const broughtBack = function* (some: readonly Scheduled[], nowMs: number): Sliced<readonly Moved[]> {
  const moved: Moved[] = []
  for (const one of some) {
    const toMs = broughtBackMs(one, nowMs)
    if (toMs !== undefined) moved.push({ one, toMs })
    yield
  }
  return moved
}

/** Undefined: it is near enough. By one time it may be ahead, or a clock that is set back a little would repeat a run. */
const broughtBackMs = ({ schedule, timeZone, nextRunMs: keptMs }: Scheduled, nowMs: number): number | undefined => {
  const firstMs = nextRunMs(schedule, timeZone, nowMs)
  if (firstMs === null || firstMs >= keptMs) return undefined
  const secondMs = nextRunMs(schedule, timeZone, firstMs)
  return secondMs === null || secondMs >= keptMs ? undefined : firstMs
}
