// JSON as it must be read from strangers: integers beyond 2^53 stay exact, nesting is limited before V8's
// parser builds a million frames, and what is wrong is a 400 that says where.
//
//   parseJson('[{"data":9007199254740993}]')  ->  [{ data: 9007199254740993n }]
import { badRequest } from './errors.ts'

export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [name: string]: Json | undefined }

const mostNesting = 64

// Below this size even nothing but brackets is harmless, and the scan would cost a tenth of the parsing.
const scanFromLength = 16_384

export const parseJson = (text: string): Json => {
  if (text.length >= scanFromLength) refuseDeepNesting(text)
  try {
    return /\d{16}/.test(text) ? parseExactly(text) : (JSON.parse(text) as Json)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw badRequest(`the body is not JSON: ${error.message.replace(/\s+/g, ' ').slice(0, 120)}`)
  }
}

// A long integer is parsed as a string behind a NUL, which no text of a caller may contain, and then made a bigint.
const token = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g
const longMark = '\u0000'

const parseExactly = (text: string): Json => {
  if (text.includes('\\u0000')) throw badRequest('the body has a NUL character')
  const marked = text.replace(token, (found) => (found[0] === '"' ? found : exactInteger(found)))
  return JSON.parse(marked, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(longMark) ? BigInt(value.slice(1)) : value,
  ) as Json
}

/** Leading zeros are not JSON: what has them is left for JSON.parse to refuse. */
const exactInteger = (digits: string) =>
  Number.isSafeInteger(Number(digits)) || /^-?0/.test(digits) ? digits : `"\\u0000${digits}"`

const refuseDeepNesting = (text: string): void => {
  let depth = 0
  let isText = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isText) {
      if (code === 0x5c) at += 1
      else if (code === 0x22) isText = false
    } else if (code === 0x22) isText = true
    else if (code === 0x5b || code === 0x7b) {
      depth += 1
      if (depth > mostNesting) throw badRequest(`the body is nested more than ${mostNesting} deep`)
    } else if (code === 0x5d || code === 0x7d) depth -= 1
  }
}
