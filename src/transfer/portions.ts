// An export is read in portions, each in a transaction and a reading's place of its own, and given on before the next one
// is read: a client that reads slowly, or not at all, holds neither. So an export has no one moment; each portion has.
//
// The other way, one snapshot for all of it, would keep VACUUM from every row that was changed meanwhile, and chunks from
// being dropped, for as long as the client likes; and one that ends in time would end the export of a large organization.
import type { Call } from '../base/http/call.ts'
import { conflict, Fault, shorten } from '../base/errors.ts'
import type { ReadingWorld } from '../base/http/reading.ts'
import { openBreath } from '../base/slices.ts'
import { demandShown } from '../base/database/pool.ts'
import { snapshot, untilItIsRead } from '../base/database/sql.ts'
import type { Transaction } from '../base/database/sql.ts'
import type { Caller } from '../core/caller.ts'
import { holdersOf } from '../core/caller.ts'
import { holdChunks } from '../core/sample/chunk.ts'
import { findKept, hasAllNamed, placeBehind, readScope, scopeStart } from '../core/reading/scope-read.ts'
import type { ScopedStream, StreamScope } from '../core/reading/scope-read.ts'
import type { Encoder } from './encode.ts'
import type { Item, Source } from './source.ts'

/** A portion ends with so many bytes, or after so much time. */
const mostBytes = 1024 * 1024
const mostMs = 1000
/** In each chunk of the window, each stream is looked for. */
const streamsAtOnce = 200
const rowsBetweenBreaths = 500
/** A place is waited for longer once rows have been sent: an export that is cut off has to be begun anew. */
const mostWaits = 15

/** Reads some more, and gives whether that was the last. One that fails goes on at the next call, and adds nothing twice. */
export type Walk = (sql: Transaction) => Promise<boolean>

/** The bytes of an export. Each portion is judged anew: its caller is the one that it began with, and has all rights still. */
export async function* readPortions(
  { readSql, reading }: ReadingWorld,
  caller: Caller,
  call: Call,
  walk: Walk,
  encoder: Pick<Encoder, 'size' | 'take' | 'end'>,
): AsyncGenerator<Buffer> {
  const readPortion = async (sql: Transaction): Promise<boolean> => {
    const endMs = performance.now() + mostMs
    await holdChunks(sql)
    // Each goes on: an encoder may hold back nearly as much as a portion has, and chunks may be waited for.
    do if (await walk(sql)) return true
    while (encoder.size() < mostBytes && performance.now() < endMs)
    return false
  }
  for (let isFirst = true, isOver = false; !isOver; isFirst = false) {
    isOver = await whenThereIsPlace(isFirst ? 1 : mostWaits, (begin) =>
      // A walk goes on behind the last row that it has added.
      untilItIsRead(() =>
        reading(readSql, holdersOf(caller, call.address), call, async (pool) => {
          // When it has its place: that may have taken minutes.
          await call.judgeAgain?.()
          // Its rows are kept though it may be begun anew: those of a standby that is behind are not all.
          await demandShown(pool)
          begin()
          return snapshot(pool, readPortion)
        }),
      ),
    )
    const bytes = encoder.take()
    if (bytes.length > 0) yield bytes
  }
  yield encoder.end()
}

/** Goes through the streams of a scope. */
export const openStreamWalk = <Read extends Item>(
  caller: Caller,
  scope: StreamScope,
  source: Source<Read>,
  encoder: Encoder,
): Walk => {
  const breathe = openBreath(() => {})
  let place = scopeStart
  let streams: readonly ScopedStream[] = []
  let resumeMs: number | undefined
  let most = source.most
  let hasAll = false
  /** The transaction in which the streams are known to be there. */
  let sureIn: Transaction | undefined

  /**
   * The samples of a stream that is removed go by and by, and what is left of it must not look like all. One that has not been
   * begun is left out, as it is of exports that begin now.
   */
  const leaveOutRemoved = async (sql: Transaction): Promise<void> => {
    const kept = await findKept(sql, streams)
    const begun = resumeMs === undefined ? undefined : streams[0]!
    if (begun && !kept.has(begun.key))
      throw conflict(
        `stream '${shorten(begun.id ?? '')}' of '${shorten(begun.component.id ?? '')}' was removed meanwhile`,
      )
    streams = streams.filter(({ key }) => kept.has(key))
  }

  const readStreams = async (sql: Transaction): Promise<void> => {
    const next = await readScope(sql, scope, place, streamsAtOnce)
    place = placeBehind(place, next)
    hasAll = next.length < streamsAtOnce
    sureIn = sql
    streams = next.filter((stream) => source.takes(stream) && caller.may('GET component/feed', stream.component.uid))
  }

  const goOnBehind = (items: readonly Read[], added: number, done: number): void => {
    const last = items[added - 1]
    const isCut = added < items.length
    // Long texts fill a portion with few rows: then fewer are asked for.
    most = isCut ? Math.max(16, 2 * added) : Math.min(source.most, 2 * most)
    const over = isCut ? streams.findIndex(({ key }) => key === last!.streamKey) : done
    resumeMs = last !== undefined && streams[over]?.key === last.streamKey ? last.timeMs : undefined
    streams = streams.slice(over)
  }

  return async (sql) => {
    if (streams.length > 0 && sureIn !== sql) {
      await leaveOutRemoved(sql)
      sureIn = sql
    }
    if (streams.length === 0) {
      if (hasAll) return true
      await readStreams(sql)
      return false
    }
    const { items, done } = await source.read(sql, streams, resumeMs, most)
    const byKey = new Map(streams.map((stream) => [stream.key, stream]))
    let added = 0
    try {
      for await (const some of source.withTexts(sql, items, byKey)) {
        for (const item of some) {
          const stream = byKey.get(item.streamKey)!
          encoder.add(stream, source.rowOf(item, stream))
          added += 1
          if (added % rowsBetweenBreaths === 0) await breathe()
        }
        if (encoder.size() >= mostBytes) break
      }
    } finally {
      if (added > 0 || items.length === 0) goOnBehind(items, added, done)
    }
    return false
  }
}

/** The same walk, whose end is refused where something that was asked for by name has been removed before its turn came. */
export const untilWhole =
  (walk: Walk, scope: Parameters<typeof hasAllNamed>[1]): Walk =>
  async (sql) => {
    const isLast = await walk(sql)
    if (isLast && !(await hasAllNamed(sql, scope)))
      throw conflict('a folder, component or stream that was asked for was removed meanwhile')
    return isLast
  }

const whenThereIsPlace = async <T>(most: number, read: (begin: () => void) => Promise<T>): Promise<T> => {
  for (let waits = 1; ; waits += 1) {
    let hasBegun = false
    try {
      return await read(() => void (hasBegun = true))
    } catch (error) {
      if (hasBegun || waits >= most || !(error instanceof Fault) || error.code !== 'busy') throw error
    }
  }
}
