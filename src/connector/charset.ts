// The text of a pushed body: UTF-8, or the charset that its Content-Type names (docs/connectors.md#the-sink). Names are
// those of the WHATWG's Encoding Standard, which senders mean by them: iso-8859-1 is windows-1252.
import { isUtf8 } from 'node:buffer'
import { setImmediate as turn } from 'node:timers/promises'
import { TextDecoder } from 'node:util'
import { badRequest, Fault, shorten } from '../base/errors.ts'

/** 16 MiB of Chinese take 200 ms at once, a piece 3: others have their turn after each. */
const pieceBytes = 256 * 1024

/** Not async: most bodies are small and UTF-8, and need neither a decoder nor a promise. */
export const charsetText = (bytes: Buffer, contentType: string | undefined): string | Promise<string> => {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8'
  return bytes.length <= pieceBytes && /^utf-?8$/i.test(charset) && isUtf8(bytes)
    ? withoutNul(bytes.toString('utf8', hasBom(bytes) ? 3 : 0))
    : decoded(bytes, charset)
}

const hasBom = (bytes: Buffer) => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

const withoutNul = (text: string): string => {
  if (text.includes('\0')) throw badRequest('the body has a NUL character')
  return text
}

const decoded = async (bytes: Buffer, charset: string): Promise<string> => {
  const decode = decoderOf(charset)
  let text = ''
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    if (from > 0) await turn()
    const isLast = from + pieceBytes >= bytes.length
    text += withoutNul(pieceText(bytes.subarray(from, from + pieceBytes), isLast, decode, charset))
  }
  return text
}

type Decode = (piece: Buffer, isLast: boolean) => string

const decoderOf = (charset: string): Decode => {
  let decoder: TextDecoder
  try {
    decoder = new TextDecoder(charset, { fatal: true })
  } catch {
    throw new Fault('unsupported_media_type', `the charset '${shorten(charset, 40)}' is not known`)
  }
  if (decoder.encoding === 'windows-1252') return windows1252Text
  return (piece, isLast) => decoder.decode(piece, { stream: !isLast })
}

const pieceText = (piece: Buffer, isLast: boolean, decode: Decode, charset: string): string => {
  try {
    return decode(piece, isLast)
  } catch {
    throw badRequest(`the body is not ${charset}`)
  }
}

/** The characters of the bytes 80 to 9F, which Node 20 takes for control characters. */
const from80 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'

const windows1252Text: Decode = (piece) => {
  const plain = piece.toString('latin1')
  if (!/[\x80-\x9f]/.test(plain)) return plain
  const codes = new Uint16Array(piece)
  for (let at = 0; at < codes.length; at += 1)
    if (codes[at]! >= 0x80 && codes[at]! < 0xa0) codes[at] = from80.charCodeAt(codes[at]! - 0x80)
  return Buffer.from(codes.buffer).toString('utf16le')
}
