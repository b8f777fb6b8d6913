// Fault: the one kind of error that a caller may see. Every code stands in the table below with its HTTP status, and a
// test compares docs/replies.md#errors with it, so the page and the replies cannot disagree. Every other error is our
// own mistake and becomes a plain 500 in reply.ts.
import { ownText } from './own-text.ts'

export const faultCodes = {
  bad_request: 400,
  org_required: 400,
  script_error: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  organization_not_found: 404,
  user_not_found: 404,
  component_not_found: 404,
  template_not_found: 404,
  stream_not_found: 404,
  cycle_not_found: 404,
  unit_not_found: 404,
  folder_not_found: 404,
  statistic_not_found: 404,
  file_not_found: 404,
  api_key_not_found: 404,
  oauth_client_not_found: 404,
  grant_not_found: 404,
  connector_not_found: 404,
  connection_not_found: 404,
  query_not_found: 404,
  dashboard_not_found: 404,
  run_not_found: 404,
  removal_not_found: 404,
  import_not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  stale_version: 409,
  too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  too_many_requests: 429,
  internal: 500,
  busy: 503,
  database_away: 503,
  database_busy: 503,
} as const

export type FaultCode = keyof typeof faultCodes

type FaultMore = {
  /** For the log only, never for the caller. */
  readonly detail?: unknown
  readonly cause?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Further members of the reply, such as the line and column of a script error. */
  readonly members?: Readonly<Record<string, unknown>>
  readonly about?: About
  /** Whether the client has left, so that nobody reads it: it is no refusal, and not counted as one. */
  readonly isGone?: boolean
}

/**
 * The items that the fault is about, of many that came together, counted from 0, and their member: for a door that
 * knows their places.
 */
export type About = { readonly first: number; readonly last: number; readonly member: 'time' | 'value' }

export class Fault extends Error {
  readonly status: number
  readonly code: FaultCode
  readonly detail: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly members: Readonly<Record<string, unknown>>
  readonly about: About | undefined
  readonly isGone: boolean

  constructor(code: FaultCode, message: string, more: FaultMore = {}) {
    super(storableText(message), more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'Fault'
    this.status = faultCodes[code]
    this.code = code
    this.detail = more.detail
    this.headers = more.headers ?? {}
    this.members = more.members ?? {}
    this.about = more.about
    this.isGone = more.isGone ?? false
  }
}

export const badRequest = (message: string, more?: FaultMore) => new Fault('bad_request', message, more)

/** The client has left while it was served: an error that nobody reads. */
export const clientGone = (message = 'the client has gone away') => badRequest(message, { isGone: true })

export const unauthorized = (message: string, challenge = 'Bearer') =>
  new Fault('unauthorized', message, { headers: { 'WWW-Authenticate': challenge } })

export const forbidden = (message: string) => new Fault('forbidden', message)

export type Noun = {
  [Code in FaultCode]: Code extends `${infer Name}_not_found` ? Name : never
}[FaultCode]

/**
 * notFound('component', 'x') is the code component_not_found and the message "component 'x' not found"; with the known
 * ones, "..., there are a, b, c".
 */
export const notFound = (noun: Noun, id: string, known: readonly string[] = []) =>
  new Fault(
    `${noun}_not_found`,
    `${noun.replace('_', ' ')} '${shorten(id)}' not found${known.length > 0 ? `, there are ${listed(known)}` : ''}`,
  )

const mostListed = 300

/** The words that fit into a message. */
export const listed = (words: readonly string[]): string => {
  const shown: string[] = []
  let length = 0
  for (const word of words) {
    length += word.length + 2
    if (length > mostListed) return [...shown, '…'].join(', ')
    shown.push(shorten(word, 40))
  }
  return shown.join(', ')
}

export const conflict = (message: string) => new Fault('conflict', message)

export const tooLarge = (message: string) => new Fault('too_large', message)

export const busy = (message: string, retryAfterSeconds = 1) =>
  new Fault('busy', message, { headers: { 'Retry-After': String(retryAfterSeconds) } })

export const databaseAway = (cause: unknown) =>
  new Fault('database_away', 'the database is away', { cause, headers: { 'Retry-After': '2' } })

/** A reading failed on a standby, and may succeed elsewhere: it can be begun anew (untilItIsRead of base/database/sql.ts). */
export class StandbyLost extends Fault {
  constructor(cause: unknown) {
    super('database_away', 'the database is away', { cause, headers: { 'Retry-After': '2' } })
  }
}

export const tookTooLong = (cause?: unknown) =>
  new Fault('busy', 'it took too long: ask for less, or try again', { cause, headers: { 'Retry-After': '10' } })

/** The database is up, and its administrator can help: the detail says how. */
export const tooManyConnections = (cause: unknown) =>
  new Fault('database_busy', 'the database takes no more connections', {
    cause,
    detail: tooManyConnectionsAdvice,
    headers: { 'Retry-After': '2' },
  })

export const tooManyConnectionsAdvice =
  "the database's max_connections is reached: raise it, or lower DATABASE_CONNECTIONS or WORKERS"

/** A standby, a primary that was replaced, or one whose disk is nearly full (embedded/disk-watch.ts). */
export const databaseReadOnly = (cause: unknown) =>
  new Fault('database_away', 'the database takes no changes now: its disk is nearly full, or it is a standby', {
    cause,
    headers: { 'Retry-After': '2' },
  })

/** Stored samples can still be read. */
export const databaseFull = (cause: unknown) =>
  new Fault('database_away', "the database's disk is full", { cause, headers: { 'Retry-After': '2' } })

/**
 * Cuts a caller's text before it is quoted back in a message: never within a pair of surrogates, of which Postgres'
 * JSON takes no half. A half that was sent is shown as the replacement character, and so is a NUL, here and in every Fault.
 */
export const shorten = (text: string, most = 80) =>
  storableText(text.length > most ? `${firstCharacters(text, most - 1)}…` : text)

/** A text as Postgres takes it, in its JSON too: messages may be kept, such as the reason why a row was refused. */
export const storableText = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed()

/** At most so many UTF-16 units, and whole characters; a log or a message may outlive the text by far. */
export const firstCharacters = (text: string, most: number) => {
  if (text.length <= most) return text
  const cut = text.slice(0, most)
  return ownText(/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut)
}
