// A message as the upload that it is (docs/mqtt.md#topics-and-payloads): the topic names component and stream, the payload
// is the value, or one of the forms of PUT /feed. Pure.
//
//   Boiler/temp  21.5                        ->  PUT /api/feed  [{"compId":"Boiler","streamId":"temp","data":"21.5"}]
//   Boiler/temp  {"time":1767225600000,"data":21.5}
//   Boiler       [{"streamId":"temp","data":21.5}]
//   Boiler       temp=21.5&mode=heating      ->  PUT /api/feed?compId=Boiler&temp=21.5&mode=heating
import type { Fault } from '../base/errors.ts'
import { badRequest, shorten, tooLarge } from '../base/errors.ts'
import { credentials } from '../base/http/params.ts'
import { decodePercent, parseQuery } from '../base/http/query-string.ts'
import { parseJson } from '../base/json.ts'
import { mostTextLength } from '../core/sample/value.ts'

export type Upload = {
  /** The query of PUT /feed, without a credential. */
  readonly query: string
  readonly body: Buffer | undefined
}

/** As much as an address has: its parameters are read in one go. */
const mostQueryBytes = 64 * 1024

/** Two IDs of 512 characters, each of four bytes with an escape for each. */
const mostTopicLength = 2 * 512 * 4 * 3 + 1

export const uploadFrom = (topic: string, payload: Buffer): Upload => {
  if (topic.length > mostTopicLength) throw badRequest('the topic is longer than IDs may be')
  if (/[+#]/.test(topic)) throw badRequest('a topic has no wildcards: + in an ID is written %2B, and # %23')
  const levels = topic.split('/').map(decodePercent)
  const [compId, streamId] = levels
  if (levels.length > 2 || levels.some((level) => level === undefined || level === ''))
    throw badRequest(
      `the topic must be compId/streamId or compId, a slash in an ID written %2F, not '${shorten(topic)}'`,
    )
  const query = `compId=${encodeURIComponent(compId!)}`
  const first = firstByte(payload)
  if (streamId === undefined) {
    if (first === brace || first === bracket) return { query, body: payload }
    return { query: `${query}&${parametersOf(payload)}`, body: undefined }
  }
  if (first === bracket) throw badRequest('an array is sent to the topic of its component, without a stream')
  const names = `"compId":${JSON.stringify(compId)},"streamId":${JSON.stringify(streamId)}`
  // Control characters take six bytes each in JSON: a mebibyte of them was six, which nobody had counted.
  if (first !== brace && payload.length > mostTextLength * 3) throw tooLongText()
  const text = textOf(payload)
  if (first !== brace && text.length > mostTextLength) throw tooLongText()
  if (first === brace) return { query, body: Buffer.from(`[{${names}${membersOf(text, payload)}]`) }
  return { query, body: Buffer.from(`[{${names},"data":${text === '' ? 'null' : JSON.stringify(text)}}]`) }
}

const tooLongText = (): Fault => badRequest(`a value has at most ${mostTextLength} characters`)

/** The connection has its credential, and the topic its component. */
const parametersOf = (payload: Buffer): string => {
  if (payload.length > mostQueryBytes) throw tooLarge(`parameters have at most ${mostQueryBytes} bytes: send JSON`)
  const text = textOf(payload)
  const stray = parseQuery(text).pairs.find(({ key }) => key === 'compid' || credentials.includes(key))
  if (stray !== undefined) throw badRequest(`${stray.key} does not belong into a message`)
  return text
}

/** It is read at once, and two count: a packet of arrays in arrays with an integer beyond 2^53 took 0.3 s. */
const mostStreamValues = 1000

/** The members of one object and its end, as they are: numbers stay exact. Nothing in it is of another stream. */
const membersOf = (text: string, payload: Buffer): string => {
  const members = text.trim().slice(1)
  const json = parseJson(payload, 'the topic of a stream takes a value, or one object', mostStreamValues)
  const names = Object.keys(json as object)
  if (names.some((name) => /^(?:comp(?:onent)?|stream)id$/i.test(name)))
    throw badRequest('the topic names component and stream, the payload has neither')
  return names.length === 0 ? members : `,${members}`
}

const brace = 0x7b
const bracket = 0x5b

const firstByte = (payload: Buffer): number | undefined => {
  for (const byte of payload) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return byte
  return undefined
}

const decoder = new TextDecoder('utf-8', { fatal: true })

const textOf = (payload: Buffer): string => {
  try {
    return decoder.decode(payload)
  } catch {
    throw badRequest('the payload is not a text in UTF-8')
  }
}
