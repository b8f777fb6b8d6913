// The parameters that all reading calls share (4.3, decisions 3), checked once.
import { badRequest } from '../base/errors.ts'
import { epoch, flag, integerFrom } from '../base/params.ts'
import type { Query } from '../base/query.ts'
import type { Window } from '../core/sample.ts'
import type { Show } from './wire.ts'

export type ReadQuery = { readonly window: Window; readonly limit: number; readonly show: Show }

const mostItems = 1000

export const readQuery = (query: Query): ReadQuery => {
  const sd = query.get('sd')
  const ed = query.get('ed')
  if (sd !== undefined && ed === undefined) throw badRequest('sd needs ed')
  const startMs = sd === undefined ? undefined : epoch('sd', sd)
  const endMs = ed === undefined ? undefined : epoch('ed', ed)
  if (startMs !== undefined && startMs > endMs!) throw badRequest('sd is after ed')
  return {
    window: { startMs, endMs },
    limit: Math.min(mostItems, integerFrom('limit', query.get('limit') ?? String(mostItems), 1)),
    show: {
      componentId: flag(query.get('retcompid')),
      streamId: flag(query.get('retstreamid')),
      intervalStart: flag(query.get('retintvlsd')),
      formatted: flag(query.get('retfdata')),
      unit: flag(query.get('retunit')),
    },
  }
}
