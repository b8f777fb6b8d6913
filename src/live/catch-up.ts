// The way of a listener until it is live: writers must know of it, it gets the last values, or what was stored since the
// event that it names; then whatever came meanwhile. The same way is gone again by one that has fallen behind.
import { setImmediate } from 'node:timers/promises'
import { Fault } from '../base/errors.ts'
import { faultFromSql } from '../base/database/sql.ts'
import type { Reading } from '../base/http/reading.ts'
import { openShares } from '../base/shares.ts'
import { openBreath } from '../base/slices.ts'
import { heardStart, listHeardStreams, readHeardStreams } from '../core/live/heard-stream.ts'
import type { HeardPlace } from '../core/live/heard-stream.ts'
import { mostRows, readJournal } from '../core/live/journal.ts'
import type { JournalPlace, JournalRow } from '../core/live/journal.ts'
import { isAtOrAfter, positionFromEventId } from '../core/live/position.ts'
import type { Position } from '../core/live/position.ts'
import { longTextBytes, withLongTexts } from '../core/reading/long-text.ts'
import { snapshot } from '../base/database/sql.ts'
import type { Pool } from '../base/database/sql.ts'
import { holdChunks } from '../core/sample/chunk.ts'
import { readSamples, readSamplesIn } from '../core/reading/sample-read.ts'
import type { Sample } from '../core/sample/sample.ts'
import type { Hub } from './hub.ts'
import type { Listener, Sent } from './listener.ts'
import { eventMaker, filesOf, joinEvents, namedEvent, sampleEvent } from './show.ts'
import type { EventText, Streams } from './show.ts'

/**
 * Listeners that read the journal by themselves at one time, one of each tenant, and one of all who read public data; all others read it together. They use the connections of
 * calls, and each goes through the rows of everybody. A turn is for one page: who waits for a client to read has none.
 */
const catchUps = openShares(2)
const catchUpPatienceMs = 600_000

/** Gives the listener all that it lacks, until it is live or gone. Never fails. */
export const bringUp = async (hub: Hub, reading: Reading, listener: Listener): Promise<void> => {
  try {
    if (!(await isHeard(hub, listener))) return
    const position = await startOf(hub, reading, listener)
    if (position === undefined) return
    listener.position = position
    if (!(await catchUp(hub, listener, [namedEvent('live', {})]))) return
    listener.endAtMs = performance.now() + (listener.query.seconds ?? Number.POSITIVE_INFINITY) * 1000
  } catch (error) {
    endFailed(hub, listener, error)
  }
}

/** A listener that fell behind has its position; what happened since may be gone. */
export const bringBack = async (hub: Hub, reading: Reading, listener: Listener): Promise<void> => {
  await listener.doubt
  if (listener.isEnded) return
  const { position } = listener
  if (position === undefined || !hub.hasSince(listener.caller.organizationKey, position))
    return bringUp(hub, reading, listener)
  try {
    await catchUp(hub, listener)
  } catch (error) {
    endFailed(hub, listener, error)
  }
}

/** The database may be away for thousands in one moment. */
const endFailed = (hub: Hub, listener: Listener, error: unknown): void => {
  const fault = faultFromSql(error)
  if (!(fault instanceof Fault)) hub.world.log.error({ err: fault }, 'a listener was not served')
  listener.endInTurn(fault instanceof Fault ? fault : { code: 'internal', message: 'internal error' })
}

/** From here on writers write down what they store; false: the listener is gone. */
const isHeard = async (hub: Hub, listener: Listener): Promise<boolean> => {
  const { organizationKey } = listener.caller
  do {
    // Where others listen they do already.
    if (!hub.isHeard(organizationKey)) await hub.tell(listener)
    if (listener.isEnded) return false
    // A reading after that knows the end of the journal, and is at or after its beginning.
    do await hub.nextReading()
    while (hub.position === undefined && !listener.isEnded)
    // The hub forgets it together with the last listener.
  } while (!hub.isHeard(organizationKey) && !listener.isEnded)
  return !listener.isEnded
}

/** Where the listener goes on: at the event that it names, or here, once it has the last values. */
const startOf = async (hub: Hub, reading: Reading, listener: Listener): Promise<Position | undefined> => {
  const here = hub.beginningOf(listener)!
  listener.hasMissed = false
  listener.rest = undefined
  const { lastEventId } = listener.query
  const before = listener.position
  if (lastEventId !== undefined && before === undefined) {
    const named = positionFromEventId(lastEventId)
    if (named && hub.mayGoOnAt(listener.caller.organizationKey, named)) {
      listener.hasMissed = true
      return named
    }
  }
  if (lastEventId !== undefined || before !== undefined) {
    const message = 'events between are no longer kept: the last values follow'
    if (!(await listener.sendPatiently(joinEvents([namedEvent('gap', { message })], undefined)))) return undefined
  }
  return (await sendLastValues(hub, reading, listener)) ? here : undefined
}

/** The last sample of every stream that is heard, some streams at a time; each part is of another moment, and none before the position. */
const sendLastValues = (hub: Hub, reading: Reading, listener: Listener): Promise<boolean> => {
  const { channel, call, holders, caller } = listener
  const { config, sql, readSql } = hub.world
  // A standby may lack what the position has.
  const pool = config.databaseReadUrl === undefined ? readSql : sql
  const needsUnits = channel.show.formatted || channel.show.unit
  const sendNext = openPortions<Sample, HeardPlace>(listener, streamsAtOnce, async (most, after = heardStart) => {
    const { streams, samples, isWhole, files } = await reading(pool, holders, call, async (inside) => {
      const some = await listHeardStreams(
        inside,
        caller.organizationKey,
        channel.subscription,
        channel.wanted.componentKeys,
        after,
        most,
        needsUnits,
      )
      const found = await lastSamples(inside, new Map([...some].filter(([, stream]) => channel.may(stream))))
      return { ...found, streams: some, files: await filesOf(inside, found.samples, some) }
    })
    const placeOf = (streamKey: number): HeardPlace => ({ ...streams.get(streamKey)!, streamKey })
    const isLast = isWhole && streams.size < most
    return {
      items: samples,
      show: (sample) => sampleEvent(hub.showSamples, sample, streams, files, channel.show),
      placeOf: ({ streamKey }) => placeOf(streamKey),
      next: isLast ? undefined : placeOf(isWhole ? [...streams.keys()].at(-1)! : samples.at(-1)!.streamKey),
    }
  })
  return listener.patiently(sendNext)
}

const streamsAtOnce = 500

/** In the order of the streams, and where their texts are long, the first of them. */
const lastSamples = async (
  pool: Pool,
  streams: Streams,
): Promise<{ readonly samples: readonly Sample[]; readonly isWhole: boolean }> => {
  const all = [...streams.values()]
  if (all.length === 0) return { samples: [], isWhole: true }
  const window = { startMs: undefined, endMs: undefined }
  const inOrder = (samples: readonly Sample[]): readonly Sample[] => {
    const byStream = new Map(samples.map((sample) => [sample.streamKey, sample]))
    return all.flatMap(({ key }) => byStream.get(key) ?? [])
  }
  const found = await readSamples(pool, all, window, all.length, 1)
  if (longTextBytes(found) === 0) return { samples: inOrder(found), isWhole: true }
  return snapshot(pool, async (sql) => {
    await holdChunks(sql)
    const again = inOrder(await readSamplesIn(sql, all, window, all.length, 1))
    const { value: samples = [] } = await withLongTexts(sql, again, streams).next()
    return { samples, isWhole: samples.length === again.length }
  })
}

type Portion<Item, Place> = {
  readonly items: readonly Item[]
  readonly show: (item: Item) => EventText
  readonly placeOf: (item: Item) => Place
  /** Behind all of its items; undefined: there is nothing more. */
  readonly next: Place | undefined
}

/**
 * Sends one portion at a call, as much of it as the client has room for: nothing is kept for it while it does not read, and
 * no place held. The rest is read again, in a smaller portion. Without one the listener has ended.
 */
const openPortions = <Item, Place>(
  listener: Listener,
  usual: number,
  read: (most: number, after: Place | undefined) => Promise<Portion<Item, Place> | undefined>,
): (() => Promise<Sent>) => {
  let most = usual
  let after: Place | undefined
  return async () => {
    const portion = await read(most, after)
    if (portion === undefined) return 'done'
    const { items, show, placeOf, next } = portion
    const sent = await sendSome(listener, items, show)
    if (sent === items.length) {
      most = Math.min(2 * most, usual)
      after = next
      return next === undefined ? 'done' : 'some'
    }
    most = Math.max(1, sent)
    if (sent === 0) return 'nothing'
    after = placeOf(items[sent - 1]!)
    return 'some'
  }
}

const mostSentCharacters = 32 * 1024

/** Gives the number of items that were sent. */
const sendSome = async <Item>(
  listener: Listener,
  items: readonly Item[],
  show: (item: Item) => EventText,
): Promise<number> => {
  let events: EventText[] = []
  let length = 0
  let sent = 0
  for (const [at, item] of items.entries()) {
    const event = show(item)
    events.push(event)
    length += event.length
    if (length < mostSentCharacters && at < items.length - 1) continue
    if (listener.doubt || !listener.send(joinEvents(events, undefined))) return sent
    sent = at + 1
    events = []
    length = 0
    // The connection takes what it can.
    await setImmediate()
  }
  return sent
}

/** Reads the journal from the listener's position to that of the live ones until nothing is missing: then it is live. */
const catchUp = async (hub: Hub, listener: Listener, last: readonly EventText[] = []): Promise<boolean> => {
  for (;;) {
    const position = hub.positionOf(listener)
    if (listener.isEnded || position === undefined) return false
    if (!listener.hasMissed) {
      // At once: later on the hub's position may be one whose events this listener has not got yet.
      if (!listener.send(joinEvents(last, position))) {
        listener.hasMissed = true
        if (!(await listener.sendPatiently(joinEvents([], undefined)))) return false
        continue
      }
      hub.setLive(listener)
      return true
    }
    if (!(await sendSince(hub, listener))) return false
  }
}

/** Sends what was stored since the listener's position, and moves that. */
const sendSince = async (hub: Hub, listener: Listener): Promise<boolean> => {
  const { channel, rest } = listener
  const { wanted, organizationKey, show } = channel
  const from = listener.position!
  const { sql } = hub.world
  // One that fell behind on the way has a part of what the others got, and behind that there is more.
  let until = rest?.until
  const sendNext = openPortions<JournalRow, JournalPlace>(listener, mostRows, async (most, after = rest?.after) => {
    if (until === undefined) {
      // Not before its turn: it would miss again whatever comes while it waits, and of a crowd nobody would ever be live.
      until = hub.positionOf(listener)
      if (until === undefined) return undefined
      listener.hasMissed = false
    }
    const page = await readJournal(sql, { from, until, after, wanted, organizationKey, most })
    // Rows went while the listener read those before them; or a failover came, and both positions say nothing of these rows, or one.
    if (!isAtOrAfter(from, page.trimmed) || page.position.history !== from.history || until.history !== from.history) {
      listener.endSlow()
      return undefined
    }
    const keys = new Set(page.rows.map(({ streamKey }) => streamKey))
    const streams = await readHeardStreams(sql, [...keys], show.formatted || show.unit)
    const heardKeys = await keysHeard(hub, channel, streams)
    const heard = page.rows.filter(({ streamKey }) => heardKeys.has(streamKey))
    const makeEvent = await eventMaker(sql, hub.showSamples, heard, streams)
    return {
      items: heard,
      show: (row) => makeEvent(row, channel),
      placeOf: ({ xact, serial }) => ({ xact, serial }),
      next: page.isLast ? undefined : page.rows.at(-1),
    }
  })
  const isSent = await listener.patiently(() => inTurn(listener, sendNext))
  if (!isSent || until === undefined || !(await listener.sendPatiently(joinEvents([], until)))) return false
  listener.rest = undefined
  listener.position = until
  return true
}

/** Of the streams of a page those that the channel hears. */
const keysHeard = async (hub: Hub, channel: Listener['channel'], streams: Streams): Promise<ReadonlySet<number>> => {
  const breathe = openBreath(() => {})
  const keys = new Set<number>()
  for (const [key, stream] of streams) {
    if (hub.channels.hears(channel, stream)) keys.add(key)
    await breathe()
  }
  return keys
}

const inTurn = async (listener: Listener, sendNext: () => Promise<Sent>): Promise<Sent> => {
  const turn = catchUps.open(listener.holders)
  try {
    if (await turn.wait(1, catchUpPatienceMs)) return listener.isEnded ? 'done' : await sendNext()
    listener.endSlow()
    return 'done'
  } finally {
    turn.give()
  }
}
