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

export const reading = async <T>(
  { readSql, config }: World,
  { request }: Call,
  read: (sql: Pool) => Promise<T>,
): Promise<T> => {
  const deadlineMs = performance.now() + config.readTimeoutMs
  const asked: Asked[] = []
  let isGone = false
  const leave = () => {
    isGone = true
    // A piece of another query is never executed by itself.
    for (const query of asked) if (query.executed) query.cancel()
  }
  const sql = guarded(
    readSql,
    () => {
      if (isGone) throw gone()
      if (performance.now() > deadlineMs) throw tookTooLong()
    },
    (query) => void asked.push(query as Asked),
  )
  request.socket.once('close', leave)
  try {
    return await read(sql)
  } catch (error) {
    throw isGone ? gone() : error
  } finally {
    request.socket.off('close', leave)
  }
}

/** Nobody reads it. */
const gone = () => badRequest('the client has gone away')
