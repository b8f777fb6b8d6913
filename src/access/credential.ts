// Finding the credential in a request (docs/access.md#credentials): the first place that holds one decides, the URL,
// then the Authorization header, then the cookies, so that a cookie which some other program left on the host never
// stands in the way of a key in the URL. Within one place a session or token decides over an API key. guard.ts finds
// out whether it is any good.
import type { Call } from '../base/http/call.ts'
import { unauthorized } from '../base/errors.ts'

export type Credential = {
  /**
   * A token is a session's or an OAuth access token: the one is used like the other (docs/oauth.md#rights-of-a-token). A
   * bearer is either, or an API key: programs have one field for a secret, whatever it is.
   */
  readonly kind: 'token' | 'api_key' | 'bearer'
  readonly secret: string
  readonly byCookie: boolean
}

type Request = Pick<Call, 'query' | 'headers'>

export const findCredential = ({ query, headers }: Request): Credential | undefined => {
  const { cookie, authorization } = headers
  const token = query.get('session') || query.get('access_token')
  if (token) return { kind: 'token', secret: token, byCookie: false }
  const apiKey = query.get('api_key')
  if (apiKey) return { kind: 'api_key', secret: apiKey, byCookie: false }
  const bearer = authorization === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
  if (bearer) return { kind: 'bearer', secret: bearer, byCookie: false }
  const session = cookieValue(cookie, 'session')
  if (session) return { kind: 'token', secret: session, byCookie: true }
  const keyCookie = cookieValue(cookie, 'api_key')
  return keyCookie ? { kind: 'api_key', secret: keyCookie, byCookie: true } : undefined
}

const findApiKey = ({ query, headers }: Request): Credential | undefined => {
  const parameter = query.get('api_key')
  if (parameter) return { kind: 'api_key', secret: parameter, byCookie: false }
  const cookie = cookieValue(headers.cookie, 'api_key')
  return cookie ? { kind: 'api_key', secret: cookie, byCookie: true } : undefined
}

/** The sink takes API keys only, and also as either half of Basic (docs/connectors.md#the-sink). */
export const findSinkCredential = (request: Request): Credential | undefined => {
  const found = findApiKey(request)
  if (found) return found
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const mark = text.indexOf(':')
  const [user, password] = mark < 0 ? [text, ''] : [text.slice(0, mark), text.slice(mark + 1)]
  if (user !== '' && password !== '') throw unauthorized('Basic takes the API key alone, as user or as password')
  const secret = user || password
  return secret === '' ? undefined : { kind: 'api_key', secret, byCookie: false }
}

/**
 * The uid of the organization that the call names. A key in the URL has an organization of its own, which a stray
 * cookie does not contradict.
 */
export const findOrganizationUid = ({ query, headers }: Request, credential?: Credential): string | undefined => {
  const named = query.get('org')
  if (named) return named
  const isKeyInUrl = credential?.kind === 'api_key' && !credential.byCookie
  return isKeyInUrl ? undefined : cookieValue(headers.cookie, 'org') || undefined
}

/** The name under which https services set a cookie of their own; browsers take it from nobody else. */
export const hostCookie = (name: string) => `__Host-${name}`

/** Devices write `Cookie:api_key=K;org=O`, with or without blanks. A __Host- cookie wins, then the first of several. */
export const cookieValue = (header: string | undefined, name: string): string | undefined => {
  if (header === undefined) return undefined
  const own = header.includes('__Host-') ? plainCookie(header, hostCookie(name)) : undefined
  return own || plainCookie(header, name)
}

/** A longer run of blanks is no browser's and no device's: stepped over, 60 KB of them took a stranger's request 16 to 32 ms. */
const mostBlanks = 64

/** Looked for by its name: cut at each semicolon, 60 KB of these took a stranger's request 15 ms. */
const plainCookie = (header: string, name: string): string | undefined => {
  for (let at = header.indexOf(name); at >= 0; at = header.indexOf(name, at + 1)) {
    let before = at - 1
    while (before >= at - mostBlanks && isBlank(header[before])) before -= 1
    let mark = at + name.length
    while (mark < at + name.length + mostBlanks && isBlank(header[mark])) mark += 1
    if ((before >= 0 && header[before] !== ';') || header[mark] !== '=') continue
    const end = header.indexOf(';', mark)
    const value = header.slice(mark + 1, end < 0 ? undefined : end).trim()
    return value.startsWith('"') && value.endsWith('"') && value.length > 1 ? value.slice(1, -1) : value
  }
  return undefined
}

const isBlank = (character: string | undefined): boolean => character?.trim() === ''
