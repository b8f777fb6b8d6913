// A message as the upload that it is (docs/mqtt.md#topics-and-payloads): the topic names component and stream, the payload
// is the value, or one of the forms of PUT /feed. Pure.
//
//   Boiler/temp  21.5                        ->  PUT /api/feed  [{"compId":"Boiler","streamId":"temp","data":"21.5"}]
//   Boiler/temp  {"time":1767225600000,"data":21.5}
//   Boiler       [{"streamId":"temp","data":21.5}]
//   Boiler       temp=21.5&mode=heating      ->  PUT /api/feed?compId=Boiler&temp=21.5&mode=heating
import { badRequest, shorten } from '../base/errors.ts'
import { decodePercent } from '../base/http/query-string.ts'

export type Upload = {
  /** The query of PUT /feed, without a credential. */
  readonly query: string
  readonly body: Buffer | undefined
}

export const uploadFrom = (topic: string, payload: Buffer): Upload => {
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
    return { query: `${query}&${textOf(payload)}`, body: undefined }
  }
  if (first === bracket) throw badRequest('an array is sent to the topic of its component, without a stream')
  const names = `"compId":${JSON.stringify(compId)},"streamId":${JSON.stringify(streamId)}`
  // The members as they are: numbers stay exact.
  if (first === brace) {
    const members = textOf(payload).trimStart().slice(1)
    const comma = /^\s*\}/.test(members) ? '' : ','
    return { query, body: Buffer.from(`[{${names}${comma}${members}]`) }
  }
  const text = textOf(payload)
  return { query, body: Buffer.from(`[{${names},"data":${text === '' ? 'null' : JSON.stringify(text)}}]`) }
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
