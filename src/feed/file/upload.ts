// PUT of a file (docs/files.md#upload): a form with the file in its field `file`, or the file itself as the body. It
// streams: the bytes are written piece by piece as they arrive, and the file exists once its last byte is there and its
// sample is committed.
//
// A caller who will be refused (403, or a stream that takes no files) is still read to the end, with nothing stored: an
// error in the form comes first (docs/replies.md#order-of-judgement). One that asks before it sends (Expect) is refused
// at once.
import { extname } from 'node:path'
import { lookup } from 'mime-types'
import { bodyChunks } from '../../base/http/body-stream.ts'
import type { Call } from '../../base/http/call.ts'
import { badRequest, Fault, shorten, tooLarge } from '../../base/errors.ts'
import { identifier } from '../../base/http/members.ts'
import { boundaryOf, readParts } from '../../base/http/multipart.ts'
import type { Part } from '../../base/http/multipart.ts'
import { epoch } from '../../base/http/params.ts'
import { untilClosed } from '../../base/http/reading.ts'
import { waitsWithBody } from '../../base/http/refused-body.ts'
import type { Reply } from '../../base/http/reply.ts'
import { emptyReply } from '../../base/http/reply.ts'
import { holdersOfCall, roomOf } from '../../base/http/room.ts'
import type { World } from '../../base/world.ts'
import { noDerivation } from '../../core/sample/batch.ts'
import { componentFromQuery, creationFromQuery } from '../creation.ts'
import type { SampleBatch } from '../../core/sample/batch.ts'
import type { BlobStore, FileCaller } from '../../core/file/blob-store.ts'
import type { Caller } from '../../core/caller.ts'
import type { Ingestion } from '../../core/sample/ingest.ts'
import { fileName } from './name.ts'

export const putFile =
  (world: World, ingestion: Ingestion, store: BlobStore) =>
  async (caller: Caller, call: Call): Promise<Reply> => {
    const { fileMaxBytes } = world.config
    const batch = batchFromCall(call, world.clock.now())
    const boundary = boundaryOf(call.headers['content-type'])
    if (Number(call.headers['content-length'] ?? 0) > fileMaxBytes + mostFormBytes) throw fileTooLarge(fileMaxBytes)
    const refusal = await ingestion.foresee(caller, batch).catch(faultOnly)
    if (refusal) {
      if (waitsWithBody(call.body)) throw refusal
      await readFile(call, boundary, fileMaxBytes, async () => {})
      throw refusal
    }
    const holders = holdersOfCall(call)
    const whileThere: FileCaller['whileThere'] = (work) => untilClosed(call, work)
    const upload = store.begin({ holders, whileThere }, roomOf(call).pieces.open(holders))
    try {
      const given = await readFile(call, boundary, fileMaxBytes, (bytes) => upload.write(bytes))
      // That may have taken hours, and its key have been revoked meanwhile.
      await call.judgeAgain?.()
      const content = await upload.finish(contentType(given, call.params['fileName']!))
      await ingestion.ingest(caller, { ...batch, file: { content, mayMove: call.query.get('time') === undefined } })
    } catch (error) {
      // A content that cannot be removed now is swept later.
      await upload.discard().catch((cause: unknown) => world.log.debug({ err: cause }, 'upload not discarded'))
      throw error
    }
    return emptyReply
  }

const batchFromCall = ({ params, query }: Call, uploadMs: number): SampleBatch => {
  const [time, ...more] = query.all('time')
  if (more.length > 0) throw badRequest('time is given more than once')
  return {
    form: 'file',
    uploadMs,
    components: [componentFromQuery(query, params['compId']!)],
    samples: {
      components: [0],
      streamRefs: [identifier('streamId', params['streamId']!)],
      values: [fileName(params['fileName'] ?? '')],
      timesMs: [time === undefined ? uploadMs : epoch('time', time)],
    },
    wantedStreamIds: [],
    creation: creationFromQuery(query),
    fillsGaps: false,
    derivation: noDerivation,
  }
}

/** A form may have so much besides the file: boundaries, headings, other fields. */
const mostFormBytes = 1024 * 1024

/** Gives the file's bytes to `take`; returns the content type that the client says it has. */
const readFile = async (
  { body, headers }: Call,
  boundary: string | undefined,
  mostBytes: number,
  take: (bytes: Buffer) => Promise<void>,
): Promise<string | undefined> => {
  let size = 0
  const takeCounted = async (bytes: Buffer) => {
    size += bytes.length
    if (size > mostBytes) throw fileTooLarge(mostBytes)
    await take(bytes)
  }
  const chunks = upTo(bodyChunks(body), mostBytes)
  if (boundary === undefined) {
    for await (const chunk of chunks) await takeCounted(chunk)
    if (size === 0) throw badRequest('the body is empty: send the file, or a form with it in the field file')
    return headers['content-type']
  }
  let file: Part | undefined
  let isInFile = false
  for await (const item of readParts(chunks, boundary)) {
    if (Buffer.isBuffer(item)) {
      if (isInFile) await takeCounted(item)
    } else {
      isInFile = item.name === 'file'
      if (!isInFile && item.fileName !== undefined)
        throw badRequest(`the file must be in the form field 'file', not in '${shorten(item.name)}'`)
      if (isInFile && file) throw badRequest('the form has more than one file')
      if (isInFile) file = item
    }
  }
  // Browsers send an empty part without a name when no file was chosen.
  if (file === undefined || (file.fileName === '' && size === 0)) throw badRequest("the form has no file in 'file'")
  return file.contentType
}

const upTo = async function* (chunks: AsyncIterable<Buffer>, mostBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > mostBytes + mostFormBytes) throw fileTooLarge(mostBytes)
    yield chunk
  }
}

/** The type that the client names, where a header can repeat it; else by the name's ending. */
const contentType = (given: string | undefined, name: string): string => {
  const type = given?.trim() ?? ''
  const isUsable = type.length <= 255 && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;[\x20-\x7e]*)?$/.test(type)
  // curl declares every body as a form by default.
  const isSaid = isUsable && !/^application\/x-www-form-urlencoded/i.test(type)
  return isSaid ? type : lookup(extname(name)) || 'application/octet-stream'
}

const fileTooLarge = (mostBytes: number) => tooLarge(`the file is larger than ${mostBytes} bytes`)

/** A Fault as a value, to be thrown later; anything else now. */
const faultOnly = (error: unknown): Fault => {
  if (error instanceof Fault && error.status < 500) return error
  throw error
}
