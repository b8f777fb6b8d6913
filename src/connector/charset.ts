// The text of a pushed body: UTF-8, or the charset that its Content-Type names (gs-sql.md 6).
import { TextDecoder } from 'node:util'
import { badRequest, Fault, shorten } from '../base/errors.ts'

export const charsetText = (bytes: Buffer, contentType: string | undefined): string => {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1]
  const text = decode(bytes, charset === undefined ? utf8 : decoderOf(charset), charset ?? 'utf-8')
  if (text.includes('\0')) throw badRequest('the body has a NUL character')
  return text
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const decoderOf = (charset: string): TextDecoder => {
  try {
    return new TextDecoder(charset, { fatal: true })
  } catch {
    throw new Fault('unsupported_media_type', `the charset '${shorten(charset, 40)}' is not known`)
  }
}

const decode = (bytes: Buffer, decoder: TextDecoder, charset: string): string => {
  try {
    return decoder.decode(bytes)
  } catch {
    throw badRequest(`the body is not ${charset}`)
  }
}
