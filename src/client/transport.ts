// Sends calls: the address with its parameters, the credential, the body, and another try where that is safe.
import { CoppiceError, errorFromReply, unreachable } from './error.ts'
import type { Query, QueryValue } from './operation.ts'
import type { Sent } from './retry.ts'
import { mayRepeat, sleep, waitBefore } from './retry.ts'

export type ClientOptions = {
  /** Of the server, such as https://data.example.org; '' is the page's own. */
  readonly url: string
  readonly apiKey?: string | undefined
  /** The sessionUid of a sign-in. */
  readonly session?: string | undefined
  /** An OAuth access token. */
  readonly token?: string | undefined
  /** The uid of an organization, for users of several. */
  readonly org?: string | undefined
  /** In place of the global fetch. */
  readonly fetch?: typeof fetch
  /** How often a call is tried again, where that is safe; 4 unless given. */
  readonly retries?: number
}

/** A call with its parts still apart; `search` is a whole query, in place of the others, as a link has it. */
export type AnyGiven = Sent & {
  readonly path?: Readonly<Record<string, string | number | undefined>>
  /** Parameters whose order counts. */
  readonly pairs?: readonly (readonly [string, string])[]
  readonly search?: string
}

export type Transport = {
  /** The reply of a call that succeeded, read by `read`, which is part of the try. */
  readonly send: <T>(operation: string, given: AnyGiven, read: (reply: Response) => Promise<T>) => Promise<T>
}

export const openTransport = (options: ClientOptions): Transport => {
  const base = options.url.endsWith('/') ? options.url.slice(0, -1) : options.url
  const fetchIt = options.fetch ?? ((...request: Parameters<typeof fetch>) => fetch(...request))
  const bearer = options.session ?? options.token

  const attempt = async <T>(operation: string, given: AnyGiven, read: (reply: Response) => Promise<T>): Promise<T> => {
    const [method, path] = splitOperation(operation)
    const url = `${base}${fillPath(path, given.path ?? {})}${searchOf(options, given)}`
    const { body, type } = bodyOf(given.body)
    const init = {
      method,
      headers: {
        ...(type === undefined ? {} : { 'Content-Type': type }),
        ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
        ...given.headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(given.signal === undefined ? {} : { signal: given.signal }),
      // Node's fetch sends a stream only so.
      ...(body instanceof ReadableStream ? { duplex: 'half' as const } : {}),
    }
    let reply: Response
    try {
      reply = await fetchIt(url, init)
    } catch (error) {
      given.signal?.throwIfAborted()
      throw unreachable(url, error)
    }
    if (!reply.ok) throw await errorFromReply(reply)
    try {
      return await read(reply)
    } catch (error) {
      given.signal?.throwIfAborted()
      // The connection was lost on the way; anything else is the reader's own fault.
      throw error instanceof TypeError ? unreachable(url, error) : error
    }
  }

  return {
    send: async (operation, given, read) => {
      const isRepeatable = mayRepeat(operation, given)
      const retries = given.retries ?? options.retries ?? 4
      const isStream = given.body instanceof ReadableStream
      for (let tried = 0; ; tried++)
        try {
          return await attempt(operation, given, read)
        } catch (error) {
          const waitMs = waitBefore(error, { tried, retries, isRepeatable, isStream })
          if (waitMs === undefined) throw error
          await sleep(waitMs, given.signal)
        }
    },
  }
}

const splitOperation = (operation: string): readonly [string, string] => {
  const blank = operation.indexOf(' ')
  return [operation.slice(0, blank), operation.slice(blank + 1)]
}

/** A browser, and fetch everywhere, resolves the names . and .. away, even when they are escaped. */
export const fillPath = (path: string, values: Readonly<Record<string, string | number | undefined>>): string => {
  const given = new Map(Object.entries(values))
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(given.get(name) ?? '')
    if (['', '.', '..'].includes(value)) throw new TypeError(`'${value}' cannot be the ${name} of a path`)
    return encodeURIComponent(value)
  })
}

/** API keys stand in the query: the server takes them nowhere else in every call. */
const searchOf = (
  { apiKey, session, token, org }: ClientOptions,
  { query = {}, pairs = [], search }: AnyGiven,
): string => {
  const named = org === undefined ? [] : [['org', org] as const]
  const all = search === undefined ? [...pairs, ...pairsOf(query), ...named] : []
  const isByKey = apiKey !== undefined && session === undefined && token === undefined
  const parts = [
    ...(search ? [search] : []),
    ...all.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
    ...(isByKey ? [`api_key=${encodeURIComponent(apiKey)}`] : []),
  ]
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

const pairsOf = (query: Query): readonly (readonly [string, string])[] =>
  Object.entries(query).flatMap(([name, value]) => valuesOf(value).map((one) => [name, one] as const))

const valuesOf = (value: QueryValue): readonly string[] => {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return (value as readonly (string | number | boolean)[]).flatMap(valuesOf)
  return value === true ? [''] : [String(value)]
}

const bodyOf = (body: unknown): { readonly body?: RequestInit['body']; readonly type?: string } => {
  if (body === undefined) return {}
  if (typeof body === 'string') return { body }
  const isRaw = [Uint8Array, ArrayBuffer, Blob, FormData, URLSearchParams, ReadableStream].some(
    (kind) => body instanceof kind,
  )
  return isRaw ? { body: body as Blob } : { body: JSON.stringify(body), type: 'application/json' }
}

/** JSON as its value, other text as such, nothing as undefined. */
export const readContent = async (reply: Response): Promise<unknown> => {
  const text = await reply.text()
  if (text === '') return undefined
  if (!(reply.headers.get('Content-Type') ?? '').includes('json')) return text
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new CoppiceError('the reply is no JSON', { status: reply.status, code: 'bad_reply', cause })
  }
}
