// A reading ends with whoever asked for it: when the client goes away, the query under way is cancelled in Postgres and
// no further one is asked. And it ends in time: each statement by statement_timeout (service.ts), all of them together
// by a look at the clock before each.
import type { Call } from './call.ts'
import { badRequest, tookTooLong } from './errors.ts'
import { guarded } from './pool.ts'
import type { Pool } from './sql.ts'
import type { World } from './world.ts'

/** What postgres.js says of a query, and its types do not. */
type Asked = { readonly executed: boolean; readonly cancel: () => void }

/** Works until the client goes away; then the signal is aborted, and whatever fails by that is nobody's fault. */
export const untilGone = async <T>({ request }: Call, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const leaving = new AbortController()
  const leave = () => leaving.abort()
  request.socket.once('close', leave)
  try {
    return await work(leaving.signal)
  } catch (error) {
    throw leaving.signal.aborted ? gone() : error
  } finally {
    request.socket.off('close', leave)
  }
}

export const reading = <T>({ readSql, config }: World, call: Call, read: (sql: Pool) => Promise<T>): Promise<T> =>
  untilGone(call, (signal) => {
    const deadlineMs = performance.now() + config.readTimeoutMs
    const asked: Asked[] = []
    signal.onabort = () => {
      // A piece of another query is never executed by itself.
      for (const query of asked) if (query.executed) query.cancel()
    }
    const look = () => {
      if (signal.aborted) throw gone()
      if (performance.now() > deadlineMs) throw tookTooLong()
    }
    return read(guarded(readSql, look, (query) => void asked.push(query as Asked)))
  })

/** Nobody reads it. */
const gone = () => badRequest('the client has gone away')
