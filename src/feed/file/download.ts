// GET and HEAD of a file (docs/files.md#download): the newest of its name, or the one at a time; whole, a range of it
// (RFC 9110), or base64 text from start on. Only the pieces asked for are read, as fast as the client takes them.
import { Readable } from 'node:stream'
import type { Call } from '../../base/http/call.ts'
import { badRequest, Fault, notFound, shorten } from '../../base/errors.ts'
import { epoch, integerFrom } from '../../base/http/params.ts'
import { untilClosed, untilGone } from '../../base/http/reading.ts'
import type { ReadingWorld } from '../../base/http/reading.ts'
import type { Reply } from '../../base/http/reply.ts'
import { holdersOfCall } from '../../base/http/room.ts'
import type { Pool } from '../../base/database/sql.ts'
import { findFileAt, findLatestFile } from '../../core/file/blob.ts'
import type { StoredFile } from '../../core/file/blob.ts'
import type { BlobStore, FileCaller } from '../../core/file/blob-store.ts'
import type { Caller } from '../../core/caller.ts'
import { demand } from '../../core/caller.ts'
import type { ReadStream } from '../../core/reading/stream-read.ts'
import { findForReading } from '../../core/reading/stream-read.ts'
import { storedMs } from '../../core/sample/rows.ts'
import { isUnchanged, rangeFrom } from './condition.ts'
import { dispositionHeader, fileName } from './name.ts'
import type { Disposition } from './name.ts'

type Wanted = {
  readonly name: string
  readonly timeMs: number | undefined
  readonly disposition: Disposition
  readonly base64: { readonly start: number; readonly limit: number } | undefined
}

export const getFile =
  ({ readSql, reading }: ReadingWorld, store: BlobStore) =>
  async (caller: Caller, call: Call): Promise<Reply> => {
    const wanted = wantedFrom(call)
    const { name, timeMs } = wanted
    // In a place of its own: the single queries of all callers wait on one another.
    const file = await reading(readSql, holdersOfCall(call), call, async (sql) => {
      const stream = await findFileStream(sql, caller, call)
      return timeMs === undefined
        ? findLatestFile(sql, stream.key, name)
        : findFileAt(sql, stream.key, storedMs(stream.kind, timeMs), name)
    })
    if (file === undefined) throw notFound('file', name)
    return wanted.base64 ? base64Reply(store, call, file, wanted.base64) : fileReply(store, call, file, wanted)
  }

const wantedFrom = ({ params, query, headers }: Call): Wanted => {
  const time = params['time']
  const start = query.get('start')
  const limit = query.get('limit')
  if (limit !== undefined && start === undefined) throw badRequest('limit needs start')
  return {
    name: fileName(params['fileName'] ?? ''),
    timeMs: time === undefined ? undefined : epoch('time', time),
    disposition: disposition(query.get('disposition') ?? headers['content-disposition']?.split(';')[0] ?? 'inline'),
    base64:
      start === undefined
        ? undefined
        : {
            start: integerFrom('start', start, 0),
            limit: limit === undefined ? Number.POSITIVE_INFINITY : integerFrom('limit', limit, 0),
          },
  }
}

const disposition = (given: string): Disposition => {
  const word = given.trim().toLowerCase()
  if (word === 'inline' || word === 'attachment') return word
  throw badRequest(`disposition must be inline or attachment, not '${shorten(given)}'`)
}

const findFileStream = async (sql: Pool, caller: Caller, { params }: Call): Promise<ReadStream> => {
  const { compId, streamId } = params as { compId: string; streamId: string }
  const found = await findForReading(sql, caller.organizationKey, compId, streamId)
  demand(caller, 'GET component/feed', found?.component.uid)
  if (found === undefined) throw notFound('component', compId)
  const { stream } = found
  if (stream === undefined) throw notFound('stream', streamId)
  if (stream.valueType !== 'FILE' || stream.kind === 'point')
    throw badRequest(
      `stream '${shorten(streamId)}' is ${stream.kind === 'point' ? 'a point stream' : stream.valueType} and has no files`,
    )
  return stream
}

const sandbox = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/**
 * A stored page or drawing opened in the browser must not act in our name: no scripts, no origin of its own, no
 * guessing at types. Files are the organization's, so only the reader's own browser may keep it.
 */
const safeHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': sandbox,
  // The key may stand in the address.
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'private, no-cache',
  'Access-Control-Expose-Headers': 'Content-Disposition, Content-Length, Content-Range, ETag',
}

const fileReply = async (store: BlobStore, call: Call, file: StoredFile, wanted: Wanted): Promise<Reply> => {
  const { key, size } = file
  const tag = `"${file.hash.toString('base64url')}"`
  const headers = {
    ...safeHeaders,
    ETag: tag,
    'Last-Modified': new Date(file.storedMs).toUTCString(),
    'Accept-Ranges': 'bytes',
    'Content-Disposition': dispositionHeader(wanted.disposition, wanted.name),
  }
  if (isUnchanged(call.headers, tag, file.storedMs)) return { status: 304, headers, body: nothing() }
  const range = call.method === 'GET' ? rangeFrom(call.headers, size, tag, file.storedMs) : undefined
  if (range === 'unsatisfiable')
    throw new Fault('range_not_satisfiable', `the file has ${size} bytes`, {
      headers: { 'Content-Range': `bytes */${size}` },
    })
  const { from, until } = range ?? { from: 0, until: size }
  return {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      ...(range ? { 'Content-Range': `bytes ${from}-${until - 1}/${size}` } : {}),
      // A browser shows a sound or a film in a page of its own making, which then loads it.
      ...(/^(audio|video)\//i.test(file.contentType)
        ? { 'Content-Security-Policy': `media-src 'self'; ${sandbox}` }
        : {}),
      'Content-Type': file.contentType,
      'Content-Length': String(until - from),
    },
    body: call.method === 'HEAD' ? nothing() : await begun(store.read(callerOf(call), key, from, until)),
  }
}

const base64Reply = async (
  store: BlobStore,
  call: Call,
  { key, size }: StoredFile,
  { start, limit }: { readonly start: number; readonly limit: number },
): Promise<Reply> => {
  const from = Math.min(start, size)
  const until = Math.min(size, from + limit)
  return {
    status: 200,
    headers: {
      ...safeHeaders,
      'Content-Type': 'text/plain',
      'Content-Length': String(Math.ceil((until - from) / 3) * 4),
    },
    body: call.method === 'HEAD' ? nothing() : await begun(base64(store.read(callerOf(call), key, from, until))),
  }
}

/** Three bytes at a time make four characters, also across pieces. */
const base64 = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const whole = bytes.length - (bytes.length % 3)
    rest = bytes.subarray(whole)
    if (whole > 0) yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1')
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'), 'latin1')
}

/** Bytes behind the first piece reach one that has closed its sending side, and waits, and find out one that has left. */
const callerOf = (call: Call): FileCaller => {
  let watch: typeof untilGone = untilGone
  return {
    holders: holdersOfCall(call),
    whileThere: (work) => {
      const until = watch
      watch = untilClosed
      return until(call, work)
    },
  }
}

const nothing = () => Readable.from([])

/** The first piece is read before the reply begins, so that an absent database can still be reported. */
const begun = async (chunks: AsyncGenerator<Buffer>): Promise<Readable> => {
  const first = await chunks.next()
  const all = async function* () {
    if (!first.done) yield first.value
    yield* chunks
  }
  return Readable.from(all(), { objectMode: false })
}
