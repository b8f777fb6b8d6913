// Samples as they are committed (docs/client.md#live): the events of GET /api/live over fetch, which can send a credential in a
// header. A connection that is lost is made again, with the id of the last event, so that nothing is missing and nothing
// comes twice.
import { CoppiceError } from './error.ts'
import type { ServerEvent } from './events.ts'
import { openEventParser } from './events.ts'
import type { Query } from './operation.ts'
import { sleep } from './retry.ts'
import type { Transport } from './transport.ts'

export type LiveOptions = {
  readonly signal?: AbortSignal | undefined
  /** The id of the last event that was seen, to go on behind it. */
  readonly lastEventId?: string
  /** Called when the connection was lost, and will be made again. */
  readonly onLost?: (error: unknown) => void
}

const longestWaitMs = 30_000

export async function* readLive(
  transport: Transport,
  query: Query,
  { signal, lastEventId = '', onLost }: LiveOptions,
): AsyncGenerator<ServerEvent, void, undefined> {
  let lastId = lastEventId
  let waitMs = 1000
  for (let failures = 0; ;) {
    try {
      const reply = await transport.send(
        'GET /api/live',
        {
          query,
          signal,
          retries: 0,
          headers: { Accept: 'text/event-stream', ...(lastId === '' ? {} : { 'Last-Event-ID': lastId }) },
        },
        (opened) => Promise.resolve(opened),
      )
      const parser = openEventParser(lastId)
      for await (const piece of piecesOf(reply)) {
        for (const event of parser.read(piece)) {
          failures = 0
          lastId = event.id
          yield event
        }
        waitMs = parser.retryMs() ?? waitMs
      }
      onLost?.(undefined)
    } catch (error) {
      signal?.throwIfAborted()
      const isFinal = error instanceof CoppiceError && ![0, 429, 502, 503, 504].includes(error.status)
      if (isFinal) throw error
      onLost?.(error)
      waitMs = Math.max(waitMs, (error instanceof CoppiceError && error.retryAfterMs) || 0)
    }
    await sleep(Math.min(waitMs * 2 ** failures++, longestWaitMs), signal)
  }
}

async function* piecesOf(reply: Response): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = reply.body!.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
