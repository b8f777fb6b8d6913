// Records of a body that arrives in chunks: its lines, or in CSV lines and all that stands in quotes. Each is given by its
// bytes, with its line and the byte behind it; no more of the body is held than one record, which has a limit. However small
// the chunks are, each byte is looked at once and copied a bounded number of times.
import { isAscii, isUtf8 } from 'node:buffer'
import { badRequest, tooLarge } from '../base/errors.ts'

export type BodyRecord = {
  /** Good until the next record comes. */
  readonly bytes: Buffer
  readonly isAscii: boolean
  readonly hasQuotes: boolean
  /** Counted from 1. */
  readonly line: number
  /** The bytes and lines of the body up to its end. */
  readonly endByte: number
  readonly endLine: number
}

export type Records = {
  readonly add: (chunk: Buffer) => void
  /** The last record, where no line end stands behind it. */
  readonly end: () => void
}

export const openRecords = (
  { isCsv, mostBytes }: { readonly isCsv: boolean; readonly mostBytes: number },
  start: { readonly bytes: number; readonly lines: number },
  take: (record: BodyRecord) => void,
): Records => {
  let held = Buffer.alloc(0)
  let heldBytes = 0
  let hasQuotes = false
  let isInQuotes = false
  let endByte = start.bytes
  let endLine = start.lines
  let line = start.lines + 1
  let isFirst = start.bytes === 0

  const hold = (bytes: Buffer): void => {
    const size = heldBytes + bytes.length
    if (size > mostBytes) throw tooLarge(`line ${line} is longer than ${mostBytes} bytes`)
    if (size > held.length) {
      const larger = Buffer.allocUnsafe(Math.min(mostBytes, Math.max(16_384, 2 * size)))
      held.copy(larger, 0, 0, heldBytes)
      held = larger
    }
    bytes.copy(held, heldBytes)
    heldBytes = size
  }
  const give = (tail: Buffer, isTailAscii: boolean): void => {
    let bytes = tail
    let isPlain = isTailAscii
    if (heldBytes > 0) {
      hold(tail)
      bytes = held.subarray(0, heldBytes)
      isPlain = isAscii(bytes)
      heldBytes = 0
    }
    if (isFirst && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.subarray(3)
    isFirst = false
    if (bytes.at(-1) === carriageReturn) bytes = bytes.subarray(0, -1)
    if (bytes.length > mostBytes) throw tooLarge(`line ${line} is longer than ${mostBytes} bytes`)
    if (bytes.length > 0) take({ bytes, isAscii: isPlain, hasQuotes, line, endByte, endLine })
    hasQuotes = false
    line = endLine + 1
  }

  return {
    add: (chunk) => {
      const isPlain = isAscii(chunk)
      const mayQuote = isCsv && (isInQuotes || chunk.includes(quote))
      let from = 0
      if (!mayQuote) {
        for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
          endByte += end + 1 - from
          endLine += 1
          // A body of empty lines alone is not worth a record for each.
          if (end === from && heldBytes === 0) line = endLine + 1
          else give(chunk.subarray(from, end), isPlain)
          from = end + 1
        }
      } else {
        for (let at = 0; at < chunk.length; at += 1) {
          const byte = chunk[at]!
          if (byte === quote) {
            isInQuotes = !isInQuotes
            hasQuotes = true
          } else if (byte === lineFeed) {
            endLine += 1
            if (isInQuotes) continue
            endByte += at + 1 - from
            give(chunk.subarray(from, at), isPlain)
            from = at + 1
          }
        }
      }
      if (from === chunk.length) return
      endByte += chunk.length - from
      hold(chunk.subarray(from))
    },
    end: () => {
      if (heldBytes === 0) return
      endLine += 1
      give(Buffer.alloc(0), true)
    },
  }
}

type Written = Pick<BodyRecord, 'bytes' | 'isAscii'>

export const demandUtf8 = ({ bytes, isAscii: isPlain }: Written): void => {
  if (!isPlain && !isUtf8(bytes)) throw badRequest('the line is not UTF-8')
}

export const textOf = (record: Written, from = 0, until = record.bytes.length): string =>
  record.bytes.toString(record.isAscii ? 'latin1' : 'utf8', from, until)

const lineFeed = 0x0a
const carriageReturn = 0x0d
const quote = 0x22
