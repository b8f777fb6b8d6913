// multipart/form-data (RFC 7578) as a stream: the parts' headings and bytes in the order in which they come, no
// faster than they are taken, whatever their size.
//
//   for await (const item of readParts(chunks, boundary))
//     if (Buffer.isBuffer(item)) await sink.write(item)   // bytes of the part that began last
//     else begin(item)                                    // { name: 'file', fileName: 'a.png', contentType: 'image/png' }
//
// By hand, because the known parsers were tried and lose bytes: docs/dependencies.md#forms-with-files.
import { badRequest, Fault } from '../errors.ts'

export type Part = {
  /** The form field; '' when the part does not say. */
  readonly name: string
  /** undefined: a plain field. */
  readonly fileName: string | undefined
  readonly contentType: string | undefined
}

const mostHeadingBytes = 16 * 1024
const mostParts = 1000
/** Blanks may stand between a boundary and the end of its line. */
const mostBlanks = 100

/** The boundary of a multipart/form-data Content-Type; undefined when it is another type. */
export const boundaryOf = (contentType = ''): string | undefined => {
  if (!/^\s*multipart\/form-data\s*(;|$)/i.test(contentType)) return undefined
  const boundary = parametersOf(contentType).get('boundary') ?? ''
  if (boundary === '' || boundary.length > 200) throw badRequest('the Content-Type names no boundary')
  return boundary
}

export const readParts = async function* (
  chunks: AsyncIterable<Buffer>,
  boundary: string,
): AsyncGenerator<Part | Buffer> {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  let state: 'preamble' | 'heading' | 'content' | 'epilogue' = 'preamble'
  let parts = 0
  // The held bytes are looked at again with the next chunk. The first boundary has no line before it.
  let held: Buffer = Buffer.from('\r\n')
  for await (const chunk of chunks) {
    if (state === 'epilogue') continue
    const bytes: Buffer = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    let at = 0
    for (;;) {
      if (state === 'heading') {
        const end = bytes.indexOf('\r\n\r\n', at)
        if ((end < 0 ? bytes.length : end) - at > mostHeadingBytes)
          throw badRequest('the heading of a part is too long')
        if (end < 0) break
        parts += 1
        if (parts > mostParts) throw badRequest(`the body has more than ${mostParts} parts`)
        yield partFrom(bytes.toString('utf8', at, end))
        at = end + 4
        state = 'content'
      }
      const found = bytes.indexOf(delimiter, at)
      const contentEnd = found < 0 ? possibleStart(bytes, at, delimiter) : found
      if (state === 'content' && contentEnd > at) yield bytes.subarray(at, contentEnd)
      at = contentEnd
      if (found < 0) break
      const line = endOfBoundary(bytes, found + delimiter.length)
      if (line === 'unknown') break
      if (line === 'none') {
        at = found + delimiter.length
        if (state === 'content') yield bytes.subarray(found, at)
      } else if (line === 'last') {
        state = 'epilogue'
        break
      } else {
        state = 'heading'
        at = line
      }
    }
    held = bytes.subarray(at)
  }
  if (state !== 'epilogue') throw badRequest('the body ends before its last boundary')
}

/** The place from which the end of the bytes may begin a delimiter, in which CR occurs only as the first byte. */
const possibleStart = (bytes: Buffer, from: number, delimiter: Buffer): number => {
  const start = bytes.lastIndexOf(0x0d)
  const isPossible =
    start >= from && start > bytes.length - delimiter.length && delimiter.indexOf(bytes.subarray(start)) === 0
  return isPossible ? start : bytes.length
}

/** The bytes behind a delimiter: the line break before a heading (its place), the last boundary's --, or neither. */
const endOfBoundary = (bytes: Buffer, after: number): number | 'last' | 'none' | 'unknown' => {
  let at = after
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at += 1
  if (at - after > mostBlanks) return 'none'
  const [first, second] = [bytes[at], bytes[at + 1]]
  if (first === undefined) return 'unknown'
  if (first === 0x0d) return second === undefined ? 'unknown' : second === 0x0a ? at : 'none'
  if (first === 0x2d && at === after) return second === undefined ? 'unknown' : second === 0x2d ? 'last' : 'none'
  return 'none'
}

const partFrom = (heading: string): Part => {
  const fields = new Map<string, string>()
  for (const line of heading.split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  const encoding = (fields.get('content-transfer-encoding') ?? 'binary').toLowerCase()
  if (!['binary', '7bit', '8bit'].includes(encoding))
    throw new Fault('unsupported_media_type', `parts encoded as '${encoding.slice(0, 40)}' are not supported`)
  const parameters = parametersOf(fields.get('content-disposition') ?? '')
  return {
    name: parameters.get('name') ?? '',
    fileName: parameters.get('filename') ?? parameters.get('filename*'),
    contentType: fields.get('content-type'),
  }
}

/** 'form-data; name="a"; filename=b' -> name: a, filename: b. The first of a name counts. */
const parametersOf = (value: string): ReadonlyMap<string, string> => {
  const parameters = new Map<string, string>()
  const next = /\s*;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/gy
  next.lastIndex = Math.max(value.indexOf(';'), 0)
  for (let found = next.exec(value); found; found = next.exec(value)) {
    const name = found[1]!.toLowerCase()
    if (!parameters.has(name)) parameters.set(name, found[2]?.replaceAll(/\\(.)/g, '$1') ?? found[3]!)
  }
  return parameters
}
