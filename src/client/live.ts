// Samples as they are committed (docs/client.md#live): the events of GET /api/live over fetch, which can send a
// credential in a header. A connection that is lost is made again behind the last event that came whole, so that nothing
// is missing; some may come twice.
import { CoppiceError } from './error.ts'
import type { ServerEvent } from './events.ts'
import { openEventParser } from './events.ts'
import type { Query } from './operation.ts'
import { sleep } from './retry.ts'
import type { Transport } from './transport.ts'

/** A component, some of its streams, or a folder with everything below it. */
export type LiveOf =
  | { readonly compId: string; readonly streams?: readonly string[] | undefined }
  | { readonly folder: string }

export type LiveOptions = {
  /** retFData, retUnit, retIntvlSd. */
  readonly query?: Query
  /** How long to listen; until it is aborted, or the loop is left, unless given. */
  readonly seconds?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** The id of the last event that was seen, to go on behind it. */
  readonly lastEventId?: string
  /** How long no byte may come until the connection counts as lost, in milliseconds; 40,000 unless given. */
  readonly silentMs?: number
  /** Called when the connection was lost, and will be made again. */
  readonly onLost?: (reason: string) => void
}

export type LiveEvent<Sample> = { readonly id: string } & (
  | { readonly kind: 'sample'; readonly sample: Sample & { readonly compId: string; readonly streamId: string } }
  | {
      readonly kind: 'deleted'
      readonly compId: string
      readonly streamId: string
      readonly sd: number
      readonly ed: number
    }
  /** The last values, or the events that were missed, are complete. */
  | { readonly kind: 'live' }
  /** Some events are no longer kept; the last values follow. */
  | { readonly kind: 'gap'; readonly message: string }
)

export async function* readLive<Sample>(
  transport: Transport,
  of: readonly LiveOf[],
  { query, seconds, signal, lastEventId = '', silentMs = longestSilenceMs, onLost }: LiveOptions,
): AsyncGenerator<LiveEvent<Sample>, void, undefined> {
  const endsMs = seconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + seconds * 1000
  let lastId = lastEventId
  let waitMs = 1000
  for (let failures = 0; ;) {
    const leftSeconds = seconds === undefined ? undefined : Math.max(0, Math.ceil((endsMs - Date.now()) / 1000))
    const watch = openWatch(silentMs, signal)
    try {
      const asked = { ...query, seconds: leftSeconds, lastEventId: lastId || undefined }
      const reply = await watch.wait(() => open(transport, of, asked, watch.signal))
      const parser = openEventParser(lastId)
      for await (const piece of piecesOf(reply, watch)) {
        for (const event of parser.read(piece)) {
          const end = endOf(event)
          if (end === 'over') return
          if (end !== undefined) throw end
          failures = 0
          lastId = event.id
          const shown = shownEvent(event)
          if (shown !== undefined) yield shown
        }
        lastId = parser.lastId()
        waitMs = parser.retryMs() ?? waitMs
      }
      onLost?.('the connection was closed')
    } catch (error) {
      signal?.throwIfAborted()
      const isFinal = error instanceof CoppiceError && ![0, 429, 502, 503, 504].includes(error.status)
      if (isFinal) throw error
      onLost?.((error as Error).message)
      waitMs = Math.max(waitMs, (error instanceof CoppiceError && error.retryAfterMs) || 0)
    } finally {
      watch.close()
    }
    await sleep(Math.min(waitMs * 2 ** failures++, longestWaitMs), signal)
    if (Date.now() >= endsMs) return
  }
}

const longestWaitMs = 30_000

/** The server says something every 15 seconds; a connection to one that stands still, or is cut off, stays open for hours. */
const longestSilenceMs = 40_000

type Watch = ReturnType<typeof openWatch>

/** Ends a connection that brings nothing while it is waited for: a program that is busy itself loses none. */
const openWatch = (silentMs: number, signal: AbortSignal | undefined) => {
  const control = new AbortController()
  const end = () => control.abort(signal!.reason)
  if (signal?.aborted) end()
  signal?.addEventListener('abort', end)
  const lose = () =>
    control.abort(
      new CoppiceError(`the server was silent for ${silentMs / 1000} seconds`, { status: 0, code: 'unreachable' }),
    )
  return {
    signal: control.signal,
    wait: async <T>(step: () => Promise<T>): Promise<T> => {
      const timer = setTimeout(lose, silentMs)
      try {
        return await step()
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => signal?.removeEventListener('abort', end),
  }
}

const open = (transport: Transport, of: readonly LiveOf[], query: Query, signal: AbortSignal) =>
  transport.send(
    'GET /api/live',
    { pairs: of.flatMap(pairsOf), query, signal, retries: 0, headers: { Accept: 'text/event-stream' } },
    (reply) => Promise.resolve(reply),
  )

/** A stream belongs to the component before it. */
const pairsOf = (one: LiveOf): readonly (readonly [string, string])[] =>
  'folder' in one
    ? [['folder', one.folder]]
    : [['compId', one.compId], ...(one.streams ?? []).map((id) => ['streamId', id] as const)]

const shownEvent = ({ type, data, id }: ServerEvent): LiveEvent<never> | undefined => {
  const content = JSON.parse(data) as object
  if (type === 'message') return { kind: 'sample', sample: content as never, id }
  // An event of a newer server is none of this client's business.
  return ['deleted', 'live', 'gap'].includes(type) ? ({ ...content, kind: type, id } as LiveEvent<never>) : undefined
}

/** Ends that a client cannot mend by coming back are errors. */
const endOf = ({ type, data }: ServerEvent): 'over' | CoppiceError | undefined => {
  if (type !== 'end') return undefined
  const { code, message } = JSON.parse(data) as { readonly code: string; readonly message: string }
  if (code === 'time_is_up') return 'over'
  return new CoppiceError(message, { code, status: statusOfEnd.get(code) ?? 503 })
}

const statusOfEnd = new Map([
  ['unauthorized', 401],
  ['forbidden', 403],
  ['component_not_found', 404],
  ['stream_not_found', 404],
])

async function* piecesOf(reply: Response, watch: Watch): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = reply.body!.getReader()
  try {
    for (;;) {
      const { done, value } = await watch.wait(() => reader.read())
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
