// Lists as replies, in pieces where they have long texts. A reply has at most 1,000 items. Where there are more, it has
// a link to the rest, relative to the call's own address: with ed in place of another where one stream is asked for,
// else with after, the stream and the time with which the reply ends. A limit counts over all replies that are linked:
// the link has the rest of it, and there is no link when nothing is left. So callers that asked for no more than fits
// into a reply, and small devices, get no such header.
//
//   Link: <?limit=1500&retStreamId=&after=3,1700000000000>; rel="next"
import type { Call } from '../base/http/call.ts'
import type { Reply } from '../base/http/reply.ts'
import { jsonReply, toJson } from '../base/http/reply.ts'
import type { ReplyPieces } from '../base/http/large-reply.ts'
import type { ReadQuery } from './read-query.ts'

/** The number of items to read in order to know whether there are more. */
export const itemsToRead = ({ limit, wanted }: ReadQuery): number => Math.min(limit + 1, wanted)

/** The place of an item: the position of its stream, and its time. */
type Place = { readonly position: number; readonly timeMs: number }

export const listReply = <Item>(
  call: Call,
  query: ReadQuery,
  items: readonly Item[],
  show: (item: Item) => unknown,
  placeOf: (item: Item) => Place,
  isLastValue: boolean,
): Reply => {
  const reply = jsonReply(items.slice(0, query.limit).map(show))
  return { ...reply, headers: { ...reply.headers, ...linkHeaders(call, query, items, placeOf, isLastValue) } }
}

/** The bytes of a reply with so many bytes of long texts; these are in fData, too, where that is asked for. */
export const largeBytes = ({ show }: ReadQuery, longTextBytes: number, items: number): number =>
  longTextBytes * (show.formatted ? 2 : 1) + bytesPerItem * items

/** The bytes of an item besides its text. */
const bytesPerItem = 256

/** The same reply, of items with their long texts, which come some at a time; or the bytes that it would take. */
export const largeListReply = async <Item>(
  pieces: ReplyPieces,
  call: Call,
  query: ReadQuery,
  items: readonly Item[],
  withTexts: (items: readonly Item[]) => AsyncIterable<readonly Item[]>,
  show: (item: Item) => unknown,
  placeOf: (item: Item) => Place,
  isLastValue: boolean,
): Promise<Reply | number> => {
  let separator = '['
  for await (const some of withTexts(items.slice(0, query.limit)))
    for (const item of some) {
      pieces.add(separator)
      pieces.add(toJson(show(item)))
      separator = ','
    }
  pieces.add(separator === '[' ? '[]' : ']')
  return pieces.reply(linkHeaders(call, query, items, placeOf, isLastValue))
}

const linkHeaders = <Item>(
  call: Call,
  { limit, wanted }: ReadQuery,
  items: readonly Item[],
  placeOf: (item: Item) => Place,
  isLastValue: boolean,
): Readonly<Record<string, string>> => {
  if (items.length <= limit) return {}
  const { position, timeMs } = placeOf(items[limit - 1]!)
  const isOneStream = call.params['streamId'] !== undefined
  const where = isOneStream ? `ed=${timeMs}` : `after=${isLastValue ? position : `${position},${timeMs}`}`
  return {
    Link: `<?${[...givenAgain(call, isOneStream ? 'ed' : 'after', wanted - limit), where].join('&')}>; rel="next"`,
    'Access-Control-Expose-Headers': 'Link',
  }
}

/** Credentials must not be written where they may be logged; the follower of the link has its own. */
const credentials: ReadonlySet<string> = new Set(['api_key', 'session', 'access_token'])

const givenAgain = ({ query }: Call, except: string, left: number): readonly string[] =>
  query.pairs.flatMap(({ name, key, value }) => {
    if (credentials.has(key) || key === except) return []
    return `${encodeURIComponent(name)}=${key === 'limit' ? left : encodeURIComponent(value)}`
  })
