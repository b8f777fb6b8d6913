// DATABASE_URL, read in one way for both drivers: the place of the database, and whether the way to it is encrypted.
//
//   postgres://user:password@host/database?sslmode=verify-full&sslrootcert=/etc/ssl/database.pem
//   postgres://user:password@one:5432,two:5432,three:5432/database
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'

export type DatabaseTarget = {
  /** The URL without its TLS parameters, which each driver reads in a way of its own. */
  readonly url: string
  /** False for a connection that is not encrypted. */
  readonly tls: false | ConnectionOptions
}

/** An address for each of the hosts. */
export const hostUrls = (text: string): readonly string[] => {
  const [, scheme, authority, rest] = /^(\w+:\/\/)([^/?#]*)(.*)$/s.exec(text) ?? []
  if (authority === undefined) return [text]
  const at = authority.lastIndexOf('@') + 1
  const hosts = authority.slice(at).split(',')
  return hosts.map((host) => `${scheme}${authority.slice(0, at)}${host}${rest}`)
}

/** The address of the first of several hosts. Throws an Error whose message goes on after the variable's name. */
export const databaseTarget = (text: string): DatabaseTarget => {
  const [first, ...others] = hostUrls(text)
  const hasHost = (url: string) => URL.canParse(url) && new URL(url).host !== ''
  if (
    !/^postgres(ql)?:\/\//.test(text) ||
    !URL.canParse(first!) ||
    (others.length > 0 && !hostUrls(text).every(hasHost))
  )
    throw new Error('must look like postgres://user:password@host:5432/database')
  const url = new URL(first!)
  const session = url.searchParams.get(sessionParameter)
  if (session !== null && !sessionWords.has(session))
    throw new Error(`must have a ${sessionParameter} of ${[...sessionWords].join(', ')}`)
  const mode = url.searchParams.get('sslmode') ?? 'disable'
  const isKnown = (name: string): name is keyof typeof tlsModes => Object.hasOwn(tlsModes, name)
  if (!isKnown(mode)) throw new Error(`must have an sslmode of ${Object.keys(tlsModes).join(', ')}`)
  const files = Object.entries(tlsFiles).flatMap(([parameter, option]) => {
    const path = url.searchParams.get(parameter)
    return path === null ? [] : [[option, contentOf(parameter, path)] as const]
  })
  for (const parameter of ['sslmode', sessionParameter, ...Object.keys(tlsFiles)]) url.searchParams.delete(parameter)
  return { url: url.href, tls: tlsModes[mode] && { ...tlsModes[mode], ...Object.fromEntries(files) } }
}

/**
 * libpq's word for the wanted kind of server. Here the variable decides on it: DATABASE_URL is for the primary and
 * DATABASE_READ_URL for standbys, whichever host has become which.
 */
const sessionParameter = 'target_session_attrs'
const sessionWords: ReadonlySet<string> = new Set([
  'any',
  'primary',
  'read-write',
  'standby',
  'prefer-standby',
  'read-only',
])

/** The host and the port of an address with one host. */
export const placeOf = (url: string): { readonly host: string; readonly port: number } => {
  const { hostname, port } = new URL(url)
  return { host: decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1') || 'localhost', port: Number(port || 5432) }
}

/**
 * Settings of every connection, so that the database notices in half a minute when it has lost us: until then it keeps
 * the locks of our transactions, and goes on with our queries.
 */
export const sessionSettings = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '4',
  tcp_user_timeout: '30000',
  client_connection_check_interval: '5000',
}

/** For a client of `pg`. */
export const pgTarget = (text: string) => {
  const { url, tls } = databaseTarget(text)
  const path = searchPath(text)
  return {
    connectionString: url,
    ssl: tls,
    options: path === undefined ? sessionOptions : `${sessionOptions} -c search_path=${path}`,
  }
}

/**
 * The schema in which our tables are, where it must be said: by default a user's own comes first, and one named coppice has
 * views of our tables' names (docs/bi.md).
 */
export const searchPath = (text: string): string | undefined =>
  decodeURIComponent(new URL(hostUrls(text)[0]!).username) === 'coppice' ? 'public' : undefined

export const sessionOptions = Object.entries(sessionSettings)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')

/**
 * The modes of libpq without allow and prefer: a server that answers must not decide whether data travel in the clear.
 */
const tlsModes = {
  disable: false,
  require: { rejectUnauthorized: false },
  'verify-ca': { checkServerIdentity: () => undefined },
  'verify-full': {},
} satisfies Record<string, false | ConnectionOptions>

const tlsFiles = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' }

const contentOf = (parameter: string, path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`must name a file that can be read as ${parameter} (${(error as Error).message})`, { cause: error })
  }
}
