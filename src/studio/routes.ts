// The studio's address: for now one start page, which shows that samples arrive.
import { createHash } from 'node:crypto'
import type { Route } from '../base/http/call.ts'
import { icon } from './icon.ts'
import { html, script, style } from './start-page.ts'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
}

const iconHeaders = {
  'Content-Type': 'image/svg+xml',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'max-age=86400',
}

const page = { isPage: true } as const

export const studioRoutes = (): readonly Route[] => [
  { method: 'GET', path: '/', handle: async () => ({ status: 200, headers, body: html }), description: page },
  // Browsers ask for /favicon.ico by themselves, on every page.
  ...['/favicon.ico', '/favicon.svg'].map((path): Route => ({
    method: 'GET',
    path,
    handle: async () => ({ status: 200, headers: iconHeaders, body: icon }),
    description: page,
  })),
]
