// The Set-Cookie headers of this room: never readable by scripts, not sent along with other sites' requests, and where
// the service is known by an https address, over TLS only and under a name that no sibling domain can set (RFC
// 6265bis).
import { cookieValue, hostCookie } from '../access/credential.ts'
import type { Config } from '../base/config.ts'

export const cookieOf = (
  { baseUrl }: Pick<Config, 'baseUrl'>,
  name: string,
  value: string,
  seconds: number,
): { readonly 'Set-Cookie': string } => {
  const [written, secure] = isHttps(baseUrl) ? [hostCookie(name), '; Secure'] : [name, '']
  return { 'Set-Cookie': `${written}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}` }
}

export const clearedCookie = (config: Pick<Config, 'baseUrl'>, name: string) => cookieOf(config, name, '', 0)

/**
 * A cookie that this service has set, for the pages that browsers show: where it is known by https, a cookie of a plain
 * name may be a sibling domain's, which would sign the browser in as somebody else. API clients name theirs as they
 * like.
 */
export const ownCookie = (
  { baseUrl }: Pick<Config, 'baseUrl'>,
  header: string | undefined,
  name: string,
): string | undefined => cookieValue(header, isHttps(baseUrl) ? hostCookie(name) : name)

const isHttps = (baseUrl: string | undefined) => baseUrl?.startsWith('https:') === true
