// COPY into a table. The driver answers such a query with a stream, and says no more about it when it fails after its
// last bytes: by a sample that is there already, by a cancellation, by a connection that is lost. A wait for the
// end of the stream would then never end, so the failure is taken from the query itself.
import type { Writable } from 'node:stream'
import type { Sql } from './sql.ts'

type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** Rejects with the database's error, or with that of the pieces; the connection is ready for the next query then. */
export const copyInto = async (sql: Sql, text: string, pieces: Pieces): Promise<void> => {
  const query = sql.unsafe(text)
  const failed = failureOf(query)
  const stream = await query.writable()
  // All errors are reported by the query.
  stream.on('error', () => {})
  try {
    for await (const piece of pieces) await Promise.race([write(stream, piece), failed])
  } catch (error) {
    if (!stream.destroyed) stream.destroy(error as Error)
    await failed.catch(() => {})
    throw error
  }
  await Promise.race([new Promise<void>((resolve) => stream.end(resolve)), failed])
}

const write = (stream: Writable, piece: Uint8Array) =>
  new Promise<void>((resolve) => stream.write(piece, () => resolve()))

/** The driver rejects a query that has its stream already, where nobody hears of it. */
const failureOf = (query: unknown): Promise<never> => {
  const driven = query as { reject: (error: Error) => void }
  const { reject } = driven
  const failed = new Promise<never>((_, fail) => {
    driven.reject = (error) => {
      fail(error)
      reject(error)
    }
  })
  failed.catch(() => {})
  return failed
}
