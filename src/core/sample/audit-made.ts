// The entries of the audit log for components and streams that an upload created (create.ts); they are like those of
// the management API.
import type { Transaction } from '../../base/database/sql.ts'
import { writeAuditOfMany } from '../audit.ts'
import type { Caller } from '../caller.ts'
import type { Stream } from '../stream.ts'
import type { RegisteredComponent } from './registered.ts'

export type MadeComponent = {
  readonly key: number
  readonly uid: string
  /** The component as the management API shows it. */
  readonly shown: { readonly id: string; readonly name: string; readonly folder: string; readonly timeZone: string }
  readonly templateStreams: readonly Stream[]
}

/** As in the management API: a new component is one entry, with the streams it comes with. */
export const writeAuditOfMade = async (
  sql: Transaction,
  caller: Caller,
  components: readonly RegisteredComponent[],
  made: readonly MadeComponent[],
  streams: readonly Stream[],
): Promise<void> => {
  const uids = new Map(components.map(({ key, uid }) => [key, uid]))
  const madeKeys = new Set(made.map(({ key }) => key))
  const added = streams.filter(({ componentKey }) => !madeKeys.has(componentKey))
  const ofMade = streamsByComponent(streams)
  const shownStream = ({ id, kind, valueType }: Stream) => ({ id, kind, valueType })
  await writeAuditOfMany(
    sql,
    caller,
    'component.create',
    made.map(({ uid }) => uid),
    made.map(({ key, shown, templateStreams }) => {
      const all = [...templateStreams, ...(ofMade.get(key) ?? [])]
      const cut = all.length > mostShownStreams ? { streamCount: all.length } : {}
      return { after: { ...shown, stream: all.slice(0, mostShownStreams).map(shownStream), ...cut } }
    }),
  )
  await writeAuditOfMany(
    sql,
    caller,
    'stream.create',
    added.map(({ uid }) => uid),
    added.map((stream) => ({ after: { componentUid: uids.get(stream.componentKey), ...shownStream(stream) } })),
  )
}

/** The entry of a component with more has these and their number, so that it stays readable. */
const mostShownStreams = 20

export const streamsByComponent = (streams: readonly Stream[]): ReadonlyMap<number, readonly Stream[]> => {
  const map = new Map<number, Stream[]>()
  for (const stream of streams) {
    const known = map.get(stream.componentKey)
    if (known) known.push(stream)
    else map.set(stream.componentKey, [stream])
  }
  return map
}
