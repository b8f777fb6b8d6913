// The Set-Cookie headers of this room: never readable by scripts, not sent along with other sites' requests, and where
// the service is known by an https address over TLS only, by a name that no sibling domain can set (RFC 6265bis).
import { hostCookie } from '../access/credential.ts'
import type { Config } from '../base/config.ts'

export const cookieOf = (
  { baseUrl }: Pick<Config, 'baseUrl'>,
  name: string,
  value: string,
  seconds: number,
): { readonly 'Set-Cookie': string } => {
  const [written, secure] = baseUrl?.startsWith('https:') ? [hostCookie(name), '; Secure'] : [name, '']
  return { 'Set-Cookie': `${written}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}` }
}

export const clearedCookie = (config: Pick<Config, 'baseUrl'>, name: string) => cookieOf(config, name, '', 0)
