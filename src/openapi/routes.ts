// The addresses of the description: the document for programs, the page for people.
import { createHash } from 'node:crypto'
import { baseUrlOf } from '../base/http/address.ts'
import type { Call, Route } from '../base/http/call.ts'
import type { Description } from '../base/http/description.ts'
import type { Reply } from '../base/http/reply.ts'
import { jsonType } from '../base/http/reply.ts'
import type { World } from '../base/world.ts'
import { openapiDocument } from './document.ts'
import { pageOf } from './page.ts'
import { script } from './page-script.ts'
import { style } from './page-style.ts'

/** The given routes and these, which describe themselves too. */
export const withDescription = ({ config }: World, version: string, routes: readonly Route[]): readonly Route[] => {
  const document = async ({ headers }: Call): Promise<Reply> => ({
    status: 200,
    headers: { ...jsonType, 'Cache-Control': 'no-cache' },
    body: JSON.stringify({ ...described(), servers: [{ url: baseUrlOf(config, headers) }] }),
  })
  const all: readonly Route[] = [
    ...routes,
    { method: 'GET', path: '/api/openapi.json', handle: document, description: ofDocument },
    {
      method: 'GET',
      path: '/docs',
      handle: async () => ({ status: 200, headers: pageHeaders, body: page(), isKept: true }),
      description: { isPage: true },
    },
  ]
  // Made when they are first asked for: most processes are never asked.
  const described = once(() => openapiDocument(all, version, ''))
  const page = once(() => Buffer.from(pageOf(all)))
  return all
}

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => (made ??= make())
}

const ofDocument: Description = {
  part: 'operations',
  summary: 'This description, as OpenAPI 3.1',
  by: 'nobody',
  reply: { schema: { type: 'object', required: ['openapi', 'info', 'paths'] } },
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; connect-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
}
