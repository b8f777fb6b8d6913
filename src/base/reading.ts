// A reading ends in time: each statement by statement_timeout (service.ts), all of them together by a look at the clock
// before each. And it ends with whoever asked for it: when the client has gone away, no further query is asked.
//
// The query under way is not cancelled. Readings share connections, on which queries of several wait one behind the
// other, and postgres.js 3.4.9 loses count there: it hands the rows of a cancelled query that was waiting to whoever
// asked next.
import type { Call } from './call.ts'
import { whenGone } from './connection.ts'
import { badRequest, tookTooLong } from './errors.ts'
import { guarded } from './pool.ts'
import type { Pool } from './sql.ts'
import type { World } from './world.ts'

/** Works until the client goes away; then the signal is aborted, and whatever fails by that is nobody's fault. */
export const untilGone = async <T>({ request }: Call, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const leaving = new AbortController()
  const stopWatching = whenGone(request.socket, () => leaving.abort())
  try {
    return await work(leaving.signal)
  } catch (error) {
    throw leaving.signal.aborted ? gone() : error
  } finally {
    stopWatching()
  }
}

export const reading = <T>({ readSql, config }: World, call: Call, read: (sql: Pool) => Promise<T>): Promise<T> =>
  untilGone(call, (signal) => {
    const deadlineMs = performance.now() + config.readTimeoutMs
    const look = () => {
      if (signal.aborted) throw gone()
      if (performance.now() > deadlineMs) throw tookTooLong()
    }
    return read(guarded(readSql, look))
  })

/** Nobody reads it. */
const gone = () => badRequest('the client has gone away')
