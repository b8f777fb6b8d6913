// The Set-Cookie headers of this room: never readable by scripts, not sent along with other sites' requests,
// and over TLS only where the service is known by an https address.
import type { Config } from '../base/config.ts'

type Attributes = { readonly path?: string }

export const cookieOf = (
  { baseUrl }: Pick<Config, 'baseUrl'>,
  name: string,
  value: string,
  seconds: number,
  { path = '/' }: Attributes = {},
): { readonly 'Set-Cookie': string } => {
  const secure = baseUrl?.startsWith('https:') ? '; Secure' : ''
  return { 'Set-Cookie': `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}` }
}

export const clearedCookie = (config: Pick<Config, 'baseUrl'>, name: string) => cookieOf(config, name, '', 0)
