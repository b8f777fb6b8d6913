// The query of an import (docs/transfer.md#import), checked once.
import { randomUUID } from 'node:crypto'
import type { Call } from '../base/http/call.ts'
import { badRequest, shorten } from '../base/errors.ts'
import { identifier } from '../base/http/members.ts'
import { integerFrom, refuseUnknown } from '../base/http/params.ts'
import type { Query } from '../base/http/query-string.ts'
import type { Fixed } from './rows.ts'

export const imported = ['samples', 'catalogue'] as const
export type Imported = (typeof imported)[number]

export const importFormats = ['csv', 'ndjson'] as const
export type ImportFormat = (typeof importFormats)[number]

export type ImportQuery = {
  readonly what: Imported
  readonly id: string
  readonly fixed: Fixed
  /** Undefined: the body's first byte says it. */
  readonly format: ImportFormat | undefined
  /** The byte of the whole with which this body begins; undefined: it is the whole. */
  readonly offset: number | undefined
}

export const importParameters = ['what', 'importId', 'compId', 'streamId', 'format', 'offset'] as const

/** It stands in an address, where `.` and `..` mean something else. */
const importId = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/

export const readImportQuery = ({ query, headers }: Pick<Call, 'query' | 'headers'>): ImportQuery => {
  refuseUnknown(query, importParameters)
  const id = query.get('importid') ?? randomUUID()
  if (!importId.test(id))
    throw badRequest(`importId must be 1 to 64 letters, digits, dots, dashes or underscores, not '${shorten(id)}'`)
  const offset = query.get('offset')
  const fixed = { componentId: idOf(query, 'compId'), streamId: idOf(query, 'streamId') }
  if (fixed.streamId !== undefined && fixed.componentId === undefined) throw badRequest('streamId needs compId')
  const what = word('what', query.get('what'), imported) ?? 'samples'
  const format = word('format', query.get('format'), importFormats) ?? formatOfType(headers['content-type'])
  if (what === 'catalogue') {
    if (fixed.componentId !== undefined || offset !== undefined)
      throw badRequest('a catalogue is imported as a whole: no compId, streamId or offset')
    if (format === 'csv') throw badRequest('a catalogue is imported as ndjson')
  }
  return {
    what,
    id,
    fixed,
    format,
    offset: offset === undefined ? undefined : integerFrom('offset', offset, 0),
  }
}

const idOf = (query: Query, name: string): string | undefined => {
  const id = query.get(name.toLowerCase())
  return id === undefined ? undefined : identifier(name, id)
}

const word = <Word extends string>(name: string, given: string | undefined, words: readonly Word[]) => {
  if (given === undefined) return undefined
  const known = words.find((one) => one === given.toLowerCase())
  if (known === undefined) throw badRequest(`${name} must be one of ${words.join(', ')}, not '${shorten(given)}'`)
  return known
}

/** Other types say nothing: curl names that of a form for whatever it sends. */
const formatOfType = (type = ''): ImportFormat | undefined =>
  /^text\/csv\b/i.test(type)
    ? 'csv'
    : /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines)\b/i.test(type)
      ? 'ndjson'
      : undefined
