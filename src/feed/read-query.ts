// The parameters that all reading calls share (docs/feeds.md#read), checked once.
import { badRequest, shorten } from '../base/errors.ts'
import { epoch, flag, integerFrom } from '../base/http/params.ts'
import type { Query } from '../base/http/query-string.ts'
import type { Window } from '../core/sample/sample.ts'
import type { After } from '../core/reading/stream-read.ts'
import type { Show } from './wire.ts'

export type ReadQuery = {
  readonly window: Window
  /** The most items of one reply. */
  readonly limit: number
  /** The number that the caller asked for. Where that is more, the reply links to the rest (more.ts). */
  readonly wanted: number
  readonly after: After | undefined
  readonly show: Show
}

const mostItems = 1000

export const readQuery = (query: Query): ReadQuery => {
  const sd = query.get('sd')
  const ed = query.get('ed')
  if (sd !== undefined && ed === undefined) throw badRequest('sd needs ed')
  const startMs = sd === undefined ? undefined : epoch('sd', sd)
  const endMs = ed === undefined ? undefined : epoch('ed', ed)
  if (startMs !== undefined && startMs > endMs!) throw badRequest('sd is after ed')
  const limit = query.get('limit')
  const wanted = limit === undefined ? Infinity : integerFrom('limit', limit, 1)
  const after = query.get('after')
  return {
    window: { startMs, endMs },
    limit: Math.min(mostItems, wanted),
    wanted,
    after: after === undefined ? undefined : afterFrom(after),
    show: {
      componentId: flag(query.get('retcompid')),
      streamId: flag(query.get('retstreamid')),
      intervalStart: flag(query.get('retintvlsd')),
      formatted: flag(query.get('retfdata')),
      unit: flag(query.get('retunit')),
    },
  }
}

/** The place in a link of an earlier reply: the position of a stream, and a time in it. */
const afterFrom = (text: string): After => {
  const [, position, time] = /^(\d{1,6})(?:,(-?\d{1,15}))?$/.exec(text) ?? []
  if (position === undefined) throw badRequest(`after must be as a reply's link has it, not '${shorten(text)}'`)
  return { position: Number(position), timeMs: time === undefined ? undefined : epoch('after', time) }
}
