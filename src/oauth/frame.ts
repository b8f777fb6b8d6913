// The frame of this room's pages: the brand of the domain they are served on, and headers under which they run their own
// style and, where they have one, their own script, and nothing else.
import { createHash } from 'node:crypto'
import { baseUrlOf, isOwnHost, knowsOwnName } from '../base/http/address.ts'
import type { Call } from '../base/http/call.ts'
import type { Reply } from '../base/http/reply.ts'
import type { World } from '../base/world.ts'
import type { Brand } from '../core/organization.ts'
import { findBrand, isOfOperator } from '../core/organization.ts'
import type { Frame } from './page/html.ts'
import { style } from './page/style.ts'

export type Page = (
  call: Call,
  status: number,
  headers: Reply['headers'],
  draw: (frame: Frame) => string,
) => Promise<Reply>

export const pageOf = ({ sql, config }: World, pageHeaders: Reply['headers']): Page => {
  /** The service's own name is nobody's brand; where that name is not known, every name may be it. */
  const brandOf = async (host: string): Promise<Brand | undefined> => {
    const found = isOwnHost(config, host) ? undefined : await findBrand(sql, host)
    return found && (knowsOwnName(config) || isOfOperator(found)) ? found.brand : undefined
  }
  return async (call, status, headers, draw) => {
    // The brand goes by the name that the browser used, which may be anything.
    const address = baseUrlOf({ ...config, baseUrl: undefined }, call.headers)
    const host = URL.canParse(address) ? new URL(address).hostname : config.host
    return { status, headers: { ...pageHeaders, ...headers }, body: draw({ brand: await brandOf(host), host }) }
  }
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

// There is no form-action: browsers apply it to the redirect that answers the form, which leads to the client.
export const headersWith = (script?: string) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src ${hashOf(style)};${script === undefined ? '' : ` script-src ${hashOf(script)};`} img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'`,
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
})
