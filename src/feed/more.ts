// Lists as replies, in pieces where they have long texts, as CSV or NDJSON where the caller prefers these. A reply has at
// most 1,000 items (docs/feeds.md#more-than-1000-items). Where there are more, it has a link to the rest, relative to the
// call's own address: with ed in place of another where one stream is asked for, else with after, the stream and the time
// with which the reply ends. A limit counts over all replies that are linked: the link has the rest of it, and there is no
// link when nothing is left. So callers that asked for no more than fits into a reply, and small devices, get no such
// header.
//
//   Link: <?limit=1500&retStreamId=&after=3,1700000000000>; rel="next"
import type { Call } from '../base/http/call.ts'
import type { Reply } from '../base/http/reply.ts'
import { jsonReply, toJson } from '../base/http/reply.ts'
import type { ReplyPieces } from '../base/http/large-reply.ts'
import { rowTexts } from '../base/http/row-format.ts'
import type { RowFormat } from '../base/http/row-format.ts'
import { openIsoText } from '../core/time/iso.ts'
import { openZone } from '../core/time/zone.ts'
import type { ReadQuery } from './read-query.ts'
import { columnsOf } from './wire.ts'

/** The number of items to read in order to know whether there are more. */
export const itemsToRead = ({ limit, wanted }: ReadQuery): number => Math.min(limit + 1, wanted)

/** The place of an item: the position of its stream, and its time. */
type Place = { readonly position: number; readonly timeMs: number }

type Timed = { readonly timeMs: number }
type Show<Item> = (item: Item) => Readonly<Record<string, unknown>>

/** Items as lines, and not as JSON; the zone is the component's. */
export type Lines = {
  readonly format: Exclude<RowFormat, 'json'>
  readonly timeZone: string
  readonly hasFiles: boolean
}

export const listReply = <Item extends Timed>(
  call: Call,
  query: ReadQuery,
  items: readonly Item[],
  show: Show<Item>,
  placeOf: (item: Item) => Place,
  isLastValue: boolean,
  lines?: Lines,
): Reply => {
  const shown = items.slice(0, query.limit)
  const reply = lines ? linesReply(query, shown, show, lines) : jsonReply(shown.map(show))
  return { ...reply, headers: { ...reply.headers, ...linkHeaders(call, query, items, placeOf, isLastValue) } }
}

const linesReply = <Item extends Timed>(
  query: ReadQuery,
  items: readonly Item[],
  show: Show<Item>,
  lines: Lines,
): Reply => {
  const { headers, before, textOf } = textsOf(query, show, lines)
  return { status: 200, headers, body: before + items.map(textOf).join('') }
}

/** The texts of JSON where no lines are asked for. */
const textsOf = <Item extends Timed>(query: ReadQuery, show: Show<Item>, lines: Lines | undefined) => {
  if (lines === undefined)
    return { headers: {}, before: '[', between: ',', textOf: (item: Item) => toJson(show(item)), after: ']' }
  const texts = rowTexts(lines.format, columnsOf(query.show, lines.hasFiles), { before: '', after: '' })
  const isoTime = openIsoText(openZone(lines.timeZone))
  const shown =
    lines.format === 'csv' ? (item: Item) => Object.assign(show(item), { isoTime: isoTime(item.timeMs) }) : show
  return { ...texts, textOf: (item: Item) => [...texts.row(shown(item))].join('') }
}

/** The bytes of a reply with so many bytes of long texts; these are in fData, too, where that is asked for. */
export const largeBytes = ({ show }: ReadQuery, longTextBytes: number, items: number): number =>
  longTextBytes * (show.formatted ? 2 : 1) + bytesPerItem * items

/** The bytes of an item besides its text. */
const bytesPerItem = 256

/** The same reply, of items with their long texts, which come some at a time; or the bytes that it would take. */
export const largeListReply = async <Item extends Timed>(
  pieces: ReplyPieces,
  call: Call,
  query: ReadQuery,
  items: readonly Item[],
  withTexts: (items: readonly Item[]) => AsyncIterable<readonly Item[]>,
  show: Show<Item>,
  placeOf: (item: Item) => Place,
  isLastValue: boolean,
  lines?: Lines,
): Promise<Reply | number> => {
  const { headers, before, between, textOf, after } = textsOf(query, show, lines)
  let separator = before
  for await (const some of withTexts(items.slice(0, query.limit)))
    for (const item of some) {
      pieces.add(separator)
      pieces.add(textOf(item))
      separator = between
    }
  pieces.add(separator === before ? before + after : after)
  return pieces.reply({ ...headers, ...linkHeaders(call, query, items, placeOf, isLastValue) })
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
