// The version that a client already has, and the part that it wants: conditional and range requests of RFC 9110, pure.
import type { IncomingHttpHeaders } from 'node:http'

/** Whether the client's copy is the file: 304. Tags decide over dates. */
export const isUnchanged = (headers: IncomingHttpHeaders, tag: string, storedMs: number): boolean => {
  const known = headers['if-none-match']
  if (known !== undefined)
    return known.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === tag)
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return since >= wholeSeconds(storedMs)
}

/** Bytes from one place until another. */
export type Range = { readonly from: number; readonly until: number }

/**
 * The one range that the request asks for; undefined: all of the file. That is also the answer to several ranges, to an
 * unknown form, and to a client whose copy is another file (If-Range).
 */
export const rangeFrom = (
  headers: IncomingHttpHeaders,
  size: number,
  tag: string,
  storedMs: number,
): Range | 'unsatisfiable' | undefined => {
  const found = /^bytes\s*=\s*(?:(\d+)\s*)?-\s*(\d*)$/i.exec(headers.range?.trim() ?? '')
  if (!found || !isSame(headers['if-range'] as string | undefined, tag, storedMs)) return undefined
  const [, first = '', last = ''] = found
  if (first === '') {
    if (last === '' || size === 0) return undefined
    return Number(last) === 0 ? 'unsatisfiable' : { from: Math.max(0, size - Number(last)), until: size }
  }
  const from = Number(first)
  if (last !== '' && Number(last) < from) return undefined
  if (from >= size) return 'unsatisfiable'
  return { from, until: last === '' ? size : Math.min(size, Number(last) + 1) }
}

/** Only the very same file will do, so a weak tag never does. */
const isSame = (given: string | undefined, tag: string, storedMs: number): boolean =>
  given === undefined || given.trim() === tag || Date.parse(given) === wholeSeconds(storedMs)

const wholeSeconds = (ms: number) => Math.floor(ms / 1000) * 1000
