// A tool's call of the API: by the route's own handler, with the credential of the call around it. So guard, limits, shares
// and audit are those of the same call over HTTP, and a tool can do nothing that its caller could not.
import type { Call, Route } from '../base/http/call.ts'
import { tooLarge } from '../base/errors.ts'
import type { Json } from '../base/json.ts'
import { readJson } from '../base/json.ts'
import { credentials } from '../base/http/params.ts'
import { parseQuery } from '../base/http/query-string.ts'
import type { Reply } from '../base/http/reply.ts'
import { isPieces, toJson } from '../base/http/reply.ts'
import { holdersOfCall } from '../base/http/room.ts'
import { ownMember } from '../base/own.ts'

export type Inner = {
  /** As in the table of routes: 'GET /api/comp/:compId/feed'. */
  readonly route: string
  readonly params?: Readonly<Record<string, string>>
  /** Those that are undefined are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
}

export type InnerCalls = {
  readonly json: (inner: Inner) => Promise<Json>
  /** The beginning of a reply in CSV, whole lines of no more than so many bytes. */
  readonly csv: (inner: Inner, mostBytes: number) => Promise<CutText>
}

export type CutText = { readonly text: string; readonly isCut: boolean }

export const openInnerCalls = (routes: readonly Route[]) => {
  const byName = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]))
  return (outer: Call): InnerCalls => {
    const ask = async (inner: Inner, accept: string): Promise<Reply> => {
      const call = innerCall(outer, inner, accept)
      try {
        return await byName.get(inner.route)!.handle(call)
      } finally {
        call.letGo?.()
      }
    }
    return {
      json: async (inner) => readJson(wholeBody(await ask(inner, 'application/json')), undefined, holdersOfCall(outer)),
      csv: async (inner, mostBytes) => beginning(await ask(inner, 'text/csv'), mostBytes),
    }
  }
}

const innerCall = (outer: Call, { route, params = {}, query = {}, body }: Inner, accept: string): Call => {
  const [method, pattern] = route.split(' ') as [string, string]
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  const own = outer.query.pairs.filter(({ key }) => credentials.includes(key)).map(({ key, value }) => [key, value])
  const rawQuery = new URLSearchParams([...own, ...given] as [string, string][]).toString()
  return {
    ...outer,
    method,
    path: pattern.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(ownMember(params, name) ?? '')),
    params,
    query: parseQuery(rawQuery),
    rawQuery,
    headers: { ...outer.headers, accept },
    body: body === undefined ? undefined : Buffer.from(toJson(body)),
    // The hold of the call around it is that one's to give back.
    letGo: undefined,
  }
}

/** A tool shows some ten thousand characters; a list of far more is not worth reading. */
const mostReplyBytes = 4 * 1024 * 1024

/** The bytes of a reply, whose memory is given back. */
const wholeBody = ({ body, onSent }: Reply): Buffer => {
  try {
    if (typeof body === 'string') return Buffer.from(body === '' ? 'null' : body)
    if (!isPieces(body) || body.bytes > mostReplyBytes)
      throw tooLarge('that is too much at once: ask for fewer with limit, or for one stream')
    return Buffer.concat(body.buffers)
  } finally {
    onSent?.()
  }
}

const beginning = ({ body, onSent }: Reply, mostBytes: number): CutText => {
  try {
    const bytes =
      typeof body === 'string' ? Buffer.from(body) : firstBytes(isPieces(body) ? body.buffers : [], mostBytes)
    if (bytes.length <= mostBytes) return { text: bytes.toString(), isCut: false }
    return { text: bytes.toString('utf8', 0, endOfLines(bytes, mostBytes)), isCut: true }
  } finally {
    onSent?.()
  }
}

/** More than `most` where there are more. */
const firstBytes = (buffers: readonly Buffer[], most: number): Buffer => {
  let bytes = 0
  const first = buffers.filter((buffer) => {
    const isNeeded = bytes <= most
    bytes += buffer.length
    return isNeeded
  })
  return Buffer.concat(first)
}

const quote = '"'.charCodeAt(0)
const lineFeed = '\n'.charCodeAt(0)

/** The end of the last line before `most`; a line feed between quotes ends no line. */
const endOfLines = (bytes: Buffer, most: number): number => {
  let isQuoted = false
  let end = 0
  for (let at = 0; at < most; at += 1)
    if (bytes[at] === quote) isQuoted = !isQuoted
    else if (bytes[at] === lineFeed && !isQuoted) end = at + 1
  return end
}
