// The studio's built files (dist/web, made by `npm run build`), kept in memory: there are few, and they never change
// while the server runs. A name is looked up among them, never in the file system.
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { lookup } from 'mime-types'
import { acceptsGzip } from '../base/http/accepted.ts'
import type { Call } from '../base/http/call.ts'
import { notFound } from '../base/errors.ts'
import type { Reply } from '../base/http/reply.ts'

export type BuiltFiles = {
  /** The one page, at any place of the studio. */
  readonly page: (call: Call) => Promise<Reply>
  readonly asset: (call: Call) => Promise<Reply>
}

/** A page loads and contacts nothing but this server (docs/studio.md#nothing-from-outside). */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "frame-src 'self' blob:",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
}

/** Their names change with their content. */
const assetHeaders = {
  'Content-Security-Policy': "default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'public, max-age=31536000, immutable',
}

const notBuilt = Buffer.from('<!doctype html><title>Coppice</title><p>The studio is not built: npm run build</p>')

type BuiltFile = { readonly content: Buffer; packed?: Promise<Buffer> }

const built = new URL('../../dist/web/', import.meta.url)

export const openBuiltFiles = (): BuiltFiles => {
  const files = new Map<string, BuiltFile>()
  for (const name of filesBelow(built)) files.set(name, { content: readFileSync(new URL(name, built)) })
  return {
    page: (call) => replyWith(call, files.get('index.html') ?? { content: notBuilt }, pageHeaders),
    asset: async (call) => {
      const name = `assets/${call.params['name']}`
      const file = files.get(name)
      if (!file) throw notFound('file', name)
      const type = { 'Content-Type': lookup(name) || 'application/octet-stream' }
      return replyWith(call, file, { ...assetHeaders, ...type })
    },
  }
}

const filesBelow = (directory: URL): readonly string[] => {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(directory.pathname.length).replace(/^\/+/, ''))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

const pack = promisify(gzip)

/** Packed once, when a browser first asks for it so. */
const replyWith = async (call: Call, file: BuiltFile, headers: Reply['headers']): Promise<Reply> => {
  if (!acceptsGzip(call.headers))
    return { status: 200, headers: { ...headers, Vary: 'Accept-Encoding' }, body: file.content, isKept: true }
  file.packed ??= pack(file.content)
  const encoded = { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' }
  return { status: 200, headers: { ...headers, ...encoded }, body: await file.packed, isKept: true }
}
