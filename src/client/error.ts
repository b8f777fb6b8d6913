// The one error of the client: a call that the server refused, or that never got an answer. Programs go by `status` and
// `code` (docs/replies.md#errors); the message is for people.

export class CoppiceError extends Error {
  /** 0: no answer came. */
  readonly status: number
  /** As the server names it; `unreachable` where no answer came. */
  readonly code: string
  /** Of a GS SQL script. */
  readonly line: number | undefined
  readonly column: number | undefined
  /** How long the server asks to wait. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, about: ErrorAbout) {
    super(message, 'cause' in about ? { cause: about.cause } : {})
    this.name = 'CoppiceError'
    this.status = about.status
    this.code = about.code
    this.line = about.line
    this.column = about.column
    this.retryAfterMs = about.retryAfterMs
  }
}

type ErrorAbout = {
  readonly status: number
  readonly code: string
  readonly line?: number | undefined
  readonly column?: number | undefined
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** From a reply that is no success; one that is not ours (a proxy's page) is named by its status. */
export const errorFromReply = async (reply: Response): Promise<CoppiceError> => {
  const text = await reply.text().catch(() => '')
  const body = objectFrom(text)
  const status = reply.status
  const code = textOf(body['code']) ?? textOf(body['error']) ?? `http_${status}`
  const message =
    textOf(body['message']) ??
    textOf(body['error_description']) ??
    (reply.statusText || `the server answered ${status}`)
  return new CoppiceError(message, {
    status,
    code,
    line: numberOf(body['line']),
    column: numberOf(body['column']),
    retryAfterMs: retryAfterMs(reply.headers.get('Retry-After'), Date.now()),
  })
}

export const unreachable = (url: string, cause: unknown): CoppiceError =>
  new CoppiceError(`no answer from ${originOf(url)}: ${reasonOf(cause)}`, { status: 0, code: 'unreachable', cause })

/** Seconds, or the date until which to wait. */
export const retryAfterMs = (header: string | null, nowMs: number): number | undefined => {
  if (header === null || header === '') return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

const objectFrom = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined)

/** Without path and query, where a key may stand. */
const originOf = (url: string): string => {
  try {
    return new URL(url).origin
  } catch {
    return 'the server'
  }
}

/** fetch says "fetch failed" alone; its cause knows why. */
const reasonOf = (error: unknown): string => {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(inner instanceof Error)) return String(inner)
  const [first] = inner instanceof AggregateError ? (inner.errors as readonly unknown[]) : []
  return first instanceof Error ? first.message : inner.message || inner.name
}
