// The studio's addresses (docs/studio.md): / leads to it, its one page stands at /alt/ (shared with the authorization
// page, which takes the requests that hold one), its files below.
import type { Route } from '../base/http/call.ts'
import type { BuiltFiles } from './built.ts'
import { icon } from './icon.ts'

const iconHeaders = {
  'Content-Type': 'image/svg+xml',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'max-age=86400',
}

const page = { isPage: true } as const

export const studioRoutes = (files: BuiltFiles): readonly Route[] => [
  {
    method: 'GET',
    path: '/',
    // Relative, because a proxy may serve us below a path of its own.
    handle: async () => ({ status: 302, headers: { Location: 'alt/', 'Cache-Control': 'no-cache' }, body: '' }),
    description: page,
  },
  { method: 'GET', path: '/alt/assets/:name', handle: files.asset, description: page },
  // Browsers ask for /favicon.ico by themselves, on every page.
  ...['/favicon.ico', '/favicon.svg'].map((path): Route => ({
    method: 'GET',
    path,
    handle: async () => ({ status: 200, headers: iconHeaders, body: icon }),
    description: page,
  })),
]
