// The parameters of GET /api/live (docs/live.md#listen), checked once. A streamId belongs to the compId before it:
//
//   compId=Boiler&streamId=temp&streamId=flow&compId=Meter  ->  two streams of Boiler, and all of Meter
import { badRequest } from '../base/errors.ts'
import type { Call } from '../base/http/call.ts'
import { flag, integerFrom } from '../base/http/params.ts'
import { folderPath } from '../core/folder.ts'
import type { NamedPair } from '../core/live/heard-stream.ts'
import type { Show } from './show.ts'

export type LiveQuery = {
  readonly pairs: readonly NamedPair[]
  readonly folders: readonly string[]
  readonly show: Show
  /** The listener leaves after so many; undefined: never. */
  readonly seconds: number | undefined
  /** The last that the listener has seen, as it says. */
  readonly lastEventId: string | undefined
}

const mostNamed = 1000
const mostSeconds = 86_400

export const liveQuery = ({ query, headers }: Call): LiveQuery => {
  const folders = new Set(query.all('folder').map(folderPath))
  const pairs = pairsOf(query.pairs)
  if (pairs.length === 0 && folders.size === 0) throw badRequest('compId or folder is needed')
  if (pairs.length + folders.size > mostNamed) throw badRequest(`at most ${mostNamed} streams, components and folders`)
  const seconds = query.get('seconds')
  const header = headers['last-event-id']
  return {
    pairs,
    folders: [...folders],
    show: {
      componentId: true,
      streamId: true,
      intervalStart: flag(query.get('retintvlsd')),
      formatted: flag(query.get('retfdata')),
      unit: flag(query.get('retunit')),
    },
    seconds: seconds === undefined ? undefined : Math.min(mostSeconds, integerFrom('seconds', seconds, 0)),
    lastEventId: typeof header === 'string' ? header : query.get('lasteventid'),
  }
}

const pairsOf = (given: Call['query']['pairs']): readonly NamedPair[] => {
  const components = new Map<string, Set<string>>()
  let last: Set<string> | undefined
  for (const { key, value } of given) {
    if (key === 'compid') {
      last = components.get(value) ?? new Set()
      components.set(value, last)
    } else if (key === 'streamid') {
      if (last === undefined) throw badRequest('streamId needs the compId of its component before it')
      last.add(value)
    }
  }
  return [...components].flatMap(([componentId, streamIds]): readonly NamedPair[] =>
    streamIds.size === 0
      ? [{ componentId, streamId: undefined }]
      : Array.from(streamIds, (streamId) => ({ componentId, streamId })),
  )
}
