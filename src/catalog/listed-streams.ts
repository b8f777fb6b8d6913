// Streams as the list of their component or template (docs/management.md#components-and-streams): shown with it, and
// changed, made and ordered by a PUT of it.
import { badRequest, notFound, tooLarge } from '../base/errors.ts'
import type { Reader } from '../base/http/members.ts'
import { further, trueOrFalse } from '../base/http/members.ts'
import type { Transaction } from '../base/database/sql.ts'
import type { Caller } from '../core/caller.ts'
import { demand, hiddenFrom } from '../core/caller.ts'
import type { Listing } from '../core/listing.ts'
import { putNumbersBeside } from '../core/sample/retype.ts'
import { countStreams, mostStreams, orderStreams, streamDetailsOf } from '../core/stream.ts'
import type { StreamDetail } from '../core/stream.ts'
import { refuseHeavy, weighStreams } from '../core/stream-weight.ts'
import { saveDerivations } from './derivation.ts'
import {
  addStreams,
  becomesNumbers,
  changeStream,
  concernsWriters,
  derivesOther,
  keysOfDerived,
  wouldChange,
} from './stream.ts'
import type { Owner } from './stream.ts'
import type { DescribedStream, ListedStream } from './stream-definition.ts'

/** Components or templates, each with its streams. */
export const withTheirStreams = <Row extends { readonly key: number }>(
  sql: Transaction,
  { read, ...listing }: Listing<Row>,
): Listing<Row & { readonly streams: readonly StreamDetail[] }> => {
  let [owners, streams] = [0, 0]
  return {
    ...listing,
    read: async (most, roomBytes) => {
      const rows = await read(most, roomBytes)
      if (typeof rows === 'number') return rows
      const byOwner = new Map(rows.map((owner): [number, StreamDetail[]] => [owner.key, []]))
      const keys = [...byOwner.keys()]
      const counts = await countStreams(sql, keys)
      for (const key of keys) {
        streams += counts.get(key) ?? 0
        if (owners > 0 && streams > mostListed)
          throw tooLarge(`these have more than ${mostListed} streams, ask for fewer: limit=${owners}`)
        owners += 1
      }
      const bytes = await weighStreams(sql, keys)
      if (bytes > roomBytes) return bytes
      for (const stream of await streamDetailsOf(sql, keys)) byOwner.get(stream.componentKey)!.push(stream)
      return rows.map((owner) => Object.assign(owner, { streams: byOwner.get(owner.key)! }))
    },
  }
}

/** The same for a list of many, of which nobody wants to see the streams. */
export const withoutStreams = <Row extends object>({
  read,
  ...listing
}: Listing<Row>): Listing<Row & { readonly streams: readonly StreamDetail[] }> => ({
  ...listing,
  read: async (most, roomBytes) => {
    const rows = await read(most, roomBytes)
    return typeof rows === 'number' ? rows : rows.map((row) => Object.assign(row, { streams: [] }))
  },
})

/** The streams of a component or template that rows of the key forbid are not shown with it. */
export const seenStreams = (caller: Caller) => {
  const hidden = hiddenFrom(caller, 'stream')
  return <Row extends { readonly streams: readonly StreamDetail[] }>(row: Row): Row =>
    hidden.size === 0 ? row : { ...row, streams: row.streams.filter(({ uid }) => !hidden.has(uid)) }
}

/** A filter of these lists. */
export const showsStreams: Reader<boolean> = further(
  trueOrFalse,
  { description: 'false leaves the streams out, and stream is empty' },
  (_name, shows) => shows,
)

/** Streams that a list shows with their owners: 20,000 make a reply of 7 MB. One owner alone may have half of that. */
const mostListed = 2 * mostStreams

const mostChanged = 1000

/**
 * A stream that a row of the key keeps it from changing may be listed as it is and where it is, so that a component can be
 * sent back as it was read. Asked before anything is done, and again of the streams as they are by then.
 */
export const demandListed = async (
  sql: Transaction,
  caller: Caller,
  owner: Owner,
  streams: readonly StreamDetail[],
  listed: readonly ListedStream[],
): Promise<void> => {
  const named = new Set(caller.key?.named.get('stream'))
  if (named.size === 0) return
  for (const [index, stream] of streams.entries()) {
    if (!named.has(stream.uid) || caller.may('PUT stream', stream.uid)) continue
    const each = listed[index]
    const isThere = each?.kind === 'known' && each.uid === stream.uid
    if (!isThere || (await wouldChange(sql, owner, stream, each.change))) demand(caller, 'PUT stream', stream.uid)
  }
}

/**
 * The effect of a PUT of a component or template on the streams it lists: those with a uid are changed, those without
 * are new, and the list's order becomes theirs. All that exist must be listed, so that nobody deletes a stream by
 * forgetting it.
 */
export const arrangeStreams = async (
  sql: Transaction,
  caller: Caller,
  owner: Owner,
  streams: readonly StreamDetail[],
  listed: readonly ListedStream[],
): Promise<void> => {
  await demandListed(sql, caller, owner, streams, listed)
  const left = new Map(streams.map((stream) => [stream.uid, stream]))
  const keys: (number | undefined)[] = []
  const changedKeys = new Set<number>()
  const fresh: DescribedStream[] = []
  let changed = 0
  let hasHeavier = false
  for (const each of listed) {
    if (each.kind === 'new') {
      fresh.push(each.stream)
      keys.push(undefined)
      continue
    }
    const stream = left.get(each.uid)
    if (stream === undefined) throw notFound('stream', each.uid)
    left.delete(each.uid)
    const { isChanged, derived, isHeavier } = await changeStream(sql, owner, stream, each.change)
    if (isHeavier) hasHeavier = true
    for (const key of derived) changedKeys.add(key)
    if (isChanged) changed += 1
    // Each takes its statements, and writers may be waiting.
    if (changed > mostChanged) throw tooLarge(`a call may change ${mostChanged} streams`)
    keys.push(stream.key)
  }
  const [missing] = left.values()
  if (missing) throw badRequest(`stream must list all streams; '${missing.id ?? missing.name}' is missing`)
  if (hasHeavier) await refuseHeavy(sql, [owner.key])
  const made = await addStreams(sql, owner, fresh)
  await saveDerivations(sql, owner, [...changedKeys, ...keysOfDerived(made)])
  const freshKeys = made.map((stream) => stream.key).values()
  await orderStreams(
    sql,
    keys.map((key) => key ?? freshKeys.next().value!),
  )
}

/** Whether the list that a PUT gives changes what writers remember. */
export const listConcernsWriters = (streams: readonly StreamDetail[], listed: readonly ListedStream[]): boolean =>
  streams.some((stream, index) => {
    const each = listed[index]
    return each?.kind !== 'known' || each.uid !== stream.uid || concernsWriters(stream, each.change)
  }) || listed.some((each) => each.kind === 'new' && each.stream.expression !== null)

/** Whether it changes what any of them is derived by. */
export const listDerives = (streams: readonly StreamDetail[], listed: readonly ListedStream[]): boolean => {
  const byUid = new Map(streams.map((stream) => [stream.uid, stream]))
  return listed.some((each) => {
    if (each.kind === 'new') return each.stream.expression !== null
    const stream = byUid.get(each.uid)
    return stream !== undefined && derivesOther(stream, each.change)
  })
}

/** The work for streams that become numbers that can be done before the gate is closed, which is most of it. */
export const prepareNumbers = async (
  sql: Transaction,
  streams: readonly StreamDetail[],
  listed: readonly ListedStream[],
): Promise<void> => {
  const byUid = new Map(streams.map((stream) => [stream.uid, stream]))
  for (const each of listed) {
    const stream = each.kind === 'known' ? byUid.get(each.uid) : undefined
    if (each.kind === 'known' && stream && becomesNumbers(stream, each.change))
      await putNumbersBeside(sql, stream.key, stream.id ?? stream.name)
  }
}
