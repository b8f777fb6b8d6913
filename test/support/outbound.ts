// External databases for tests: a target from a URL, and all that a statement gives.
import type { Holders } from '../../src/base/shares.ts'
import type { ExternalColumn, FetchOptions } from '../../src/outbound/fetch.ts'
import { fetchRows } from '../../src/outbound/fetch.ts'
import type { Kind, Target } from '../../src/outbound/target.ts'

/** Of the sessions of a test. */
export const holders: Holders = ['tenant test', 'user test']

export const loopback = ['127.0.0.0/8', '::1/128']

/** postgres://user:password@host:port/database, without TLS. */
export const targetFrom = (kind: Kind, url: string, changed: Partial<Target> = {}): Target => {
  const { hostname, port, pathname, username, password } = new URL(url)
  return {
    kind,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? null : Number(port),
    database: decodeURIComponent(pathname.slice(1)),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    tls: false,
    more: {},
    allow: loopback,
    ...changed,
  }
}

export type Fetched = {
  readonly columns: readonly ExternalColumn[]
  readonly rows: readonly (readonly (string | null)[])[]
  readonly truncated: boolean
}

export const fetchAll = async (target: Target, sql: string, changed: Partial<FetchOptions> = {}): Promise<Fetched> => {
  const { signal } = new AbortController()
  const options = { maxRows: 0, timeZone: 'Europe/Berlin', timeoutMs: 60_000, signal, holders }
  const { columns, batches, truncated } = await fetchRows(target, sql, { ...options, ...changed })
  const rows = []
  for await (const batch of batches) rows.push(...batch)
  return { columns, rows, truncated: truncated() }
}
