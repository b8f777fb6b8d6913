// Derives a span of a stream anew, and of all that is derived from it: piece by piece, each in a transaction that brings
// every stream of the chain up to the same time. Samples in the span are replaced, and those out of place removed.
import type { Clock } from '../../base/clock.ts'
import { badRequest } from '../../base/errors.ts'
import type { Pool, Transaction } from '../../base/database/sql.ts'
import { transaction } from '../../base/database/sql.ts'
import { inOwnGate } from '../sample/gate.ts'
import { shownMs } from '../sample/rows.ts'
import type { Span } from '../time/span.ts'
import { readDefinitions } from './definition.ts'
import { deriveAll, newTask } from './level.ts'
import type { Task } from './level.ts'
import { findIncomplete } from './incomplete.ts'
import { leaveTasks } from './mark.ts'
import { holdDerivations, keepProgress, noteStale, openProgress, openSpans } from './progress.ts'
import type { Progress } from './progress.ts'
import { openWork } from './open-work.ts'
import { slotsOf } from './statement.ts'
import { readUsers } from './users.ts'
import { restoreLimits, settleTransaction } from './work.ts'
import type { Tools, Work } from './work.ts'

export type AnewSpan = {
  readonly streamKey: number
  readonly fromMs: number
  readonly toMs: number
  readonly begun?: BegunPiece | undefined
}

/** A piece is done in transactions, each of which stands inside the write gate of its organization for so long (pass.ts). */
export type PartLimits = { readonly partMs: number; readonly statementMs: number }
export const usualPartLimits: PartLimits = { partMs: 200, statementMs: 500 }
const usualMs = 4000
/** Samples of a stream in one piece. */
const mostSamples = 5_000

/** A piece of which a part is done: it goes on with the streams that are not, however long a chain is. */
export type BegunPiece = {
  readonly fromMs: number
  /** Of streams that follow: one that had waited for its sources may have gone on from before the piece. */
  readonly startMs: number
  /** Before it all is done by the streams that are done, and by the asked one before the second. */
  readonly reachedMs: number
  readonly askedMs: number
  readonly message: string | undefined
  readonly done: ReadonlySet<number>
}

/** Gives a piece that was begun when the signal came. Begun anew, it is done again without harm. */
export const openAnew =
  (clock: Clock, tools: Tools, limits: PartLimits) =>
  async (
    pool: Pool,
    { streamKey, fromMs, toMs, begun }: AnewSpan,
    onProgress: (reachedMs: number) => Promise<void> | void,
    signal?: AbortSignal,
  ): Promise<BegunPiece | undefined> => {
    let atMs = fromMs
    let piece = begun?.fromMs === fromMs ? begun : undefined
    while (atMs < toMs) {
      if (signal?.aborted) return piece
      const part = await derivePart(pool, clock, tools, limits, streamKey, [atMs, toMs], piece)
      piece = part.isLeft ? part.piece : undefined
      if (part.isLeft) continue
      if (part.piece.message !== undefined) throw badRequest(part.piece.message)
      atMs = part.piece.reachedMs
      await onProgress(atMs)
    }
    return undefined
  }

type Levels = readonly (readonly number[])[]

/** The stream and all that is derived from it, by depth. */
const readLevels = async (sql: Transaction, streamKey: number): Promise<Levels> => {
  const rows = await sql<{ keys: number[] }[]>`
    with recursive reached (key) as (
      select ${streamKey}::integer
      union
      select derived_key from reached join derivation_source on source_key = reached.key
    )
    select array_agg(stream_key order by stream_key) as keys
    from reached
    join derivation on stream_key = reached.key
    group by depth
    order by depth`
  return rows.map(({ keys }) => keys)
}

type Part = { readonly piece: BegunPiece; readonly isLeft: boolean }

const derivePart = async (
  pool: Pool,
  clock: Clock,
  tools: Tools,
  { partMs, statementMs }: PartLimits,
  streamKey: number,
  span: Span,
  begun: BegunPiece | undefined,
): Promise<Part> => {
  const [row] = await pool<{ organizationKey: number }[]>`
    select organization_key as "organizationKey" from derivation where stream_key = ${streamKey}`
  // It is derived no more.
  if (row === undefined) return { piece: newPiece(span[0], span[1]), isLeft: false }
  return inOwnGate<Part>(
    (work) => transaction(pool, work),
    row.organizationKey,
    async (sql, enter) => {
      const { claimedUntilMs, heard } = await enter({ serial: Number.MAX_SAFE_INTEGER })
      const usual = await settleTransaction(sql, usualMs)
      const endAt = performance.now() + partMs
      const limitMs = Math.min(usualMs, statementMs + (await planningMs(sql)))
      const work = openWork(tools, sql, {
        claimedUntilMs,
        heard,
        nowMs: clock.now(),
        endAt,
        statementMs: limitMs,
        usualMs,
      })
      const part = await deriveStreams(
        work,
        streamKey,
        span[1],
        begun ?? newPiece(span[0], await pieceEnd(sql, streamKey, span)),
      )
      // The gate of all may be waited for as long as anybody does.
      await restoreLimits(sql, usual)
      return part
    },
  )
}

/**
 * The time that PostgreSQL may take to plan a statement over all chunks, which are as many as the samples of all organizations make:
 * with 1,560 of them, on a busy machine, no request from the beginning ended within its limit.
 */
const planningMs = async (sql: Transaction): Promise<number> => {
  const [row] = await sql<[{ chunks: number }]>`
    select count(*)::integer as chunks from pg_inherits where inhparent = 'sample'::regclass`
  return 2 * row.chunks
}

const newPiece = (fromMs: number, reachedMs: number): BegunPiece => ({
  fromMs,
  startMs: fromMs,
  reachedMs,
  askedMs: reachedMs,
  message: undefined,
  done: new Set(),
})

const deriveStreams = async (work: Work, streamKey: number, toMs: number, begun: BegunPiece): Promise<Part> => {
  const { sql } = work
  const done = new Set(begun.done)
  const changed = new Map<number, readonly Span[]>()
  let { startMs, reachedMs, askedMs, message } = begun
  let isLeft = false
  let isFirst = true
  const levels = await readLevels(sql, streamKey)
  for (const level of levels) {
    const keys = level.filter((key) => !done.has(key))
    if (keys.length === 0) continue
    if (reachedMs <= startMs) break
    isLeft = !isFirst && performance.now() > work.endAt
    if (isLeft) break
    isFirst = false
    const span: Span = [startMs, reachedMs]
    const all = await holdAll(sql, keys)
    await rewrite(work, all, span)
    // Those that there was no time for are as they were, and come first in the next part.
    const rewritten = all.filter(({ changed: own, left }) => own !== undefined || !left.some(([ms]) => ms <= span[0]))
    isLeft = rewritten.length < all.length
    await findLast(sql, rewritten, span)
    for (const progress of rewritten) {
      const failedMs = progress.failed?.timeMs
      // All of the chain are brought to the same time.
      for (const [leftMs] of progress.left) reachedMs = Math.min(reachedMs, leftMs)
      if (progress.definition.key === streamKey && failedMs !== undefined) {
        message = progress.failed!.message
        // Those derived from it are brought as far as it has come.
        reachedMs = Math.min(reachedMs, failedMs)
      }
      // Samples before the failing one are right now, from the beginning of the piece on. Where none is behind it, all waits.
      const { staleMs, lastMs } = progress
      if (failedMs !== undefined && (staleMs === undefined ? lastMs >= failedMs : staleMs >= span[0]))
        progress.staleMs = failedMs
      if (progress.definition.key === streamKey) askedMs = reachedMs
    }
    const isLast = reachedMs === toMs || message !== undefined
    for (const progress of rewritten) {
      const isAsked = progress.definition.key === streamKey
      await settleStale(work, progress, [span[0], reachedMs], { isLast, isAsked })
      // Its sources are further than it is: unless somebody goes on with it, that is all there is to say so.
      if (!isAsked && reachedMs < askedMs) noteStale(progress, reachedMs)
    }
    // Samples of the piece that are not due yet were removed. Behind it there are others, so that nobody goes on from there.
    for (const [progress, { completeMs, timeMs }] of await findIncomplete(sql, rewritten))
      noteStale(progress, timeMs < span[0] ? timeMs : Math.max(span[0], completeMs + 1))
    await keepProgress(sql, rewritten, work.nowMs)
    await leaveWaiting(sql, rewritten, reachedMs)
    for (const { definition, changed: own } of rewritten) {
      done.add(definition.key)
      if (!own) continue
      changed.set(definition.key, [own])
      startMs = Math.min(startMs, shownMs(definition.kind, own[0]))
    }
    if (isLeft) break
  }
  if (levels.some((level) => level.some((key) => !done.has(key)))) await leaveUsers(sql, changed, done)
  return { piece: { fromMs: begun.fromMs, startMs, reachedMs, askedMs, message, done }, isLeft }
}

/**
 * Streams that are derived from those that were changed, and are not done yet, become marks: if nobody goes on with the
 * piece, the background finds what is missing in them, or from where on they are stale.
 */
const leaveUsers = async (
  sql: Transaction,
  changed: ReadonlyMap<number, readonly Span[]>,
  done: ReadonlySet<number>,
): Promise<void> => {
  const tasks = new Map<number, Task>()
  for (const { source, derived } of await readUsers(sql, [...changed.keys()])) {
    if (done.has(derived)) continue
    const task = tasks.get(derived) ?? newTask(derived)
    tasks.set(derived, task)
    task.bySource.set(source, changed.get(source)!)
  }
  await leaveTasks(sql, [...tasks.values()])
}

const holdAll = async (sql: Transaction, keys: readonly number[]): Promise<readonly Progress[]> => {
  const held = new Map((await holdDerivations(sql, keys, 'wait')).map((row) => [row.key, row]))
  const definitions = await readDefinitions(sql, [...held.keys()])
  return definitions.map((definition) => openProgress(definition, held.get(definition.key)!))
}

/** Where a piece ends: behind so many samples of what the stream is derived from. */
const pieceEnd = async (sql: Transaction, streamKey: number, [fromMs, toMs]: Span): Promise<number> => {
  const [definition] = await readDefinitions(sql, [streamKey])
  const slot = definition && slotsOf(definition)[0]
  if (slot === undefined) return toMs
  const { key, kind } = slot.first.source
  const [row] = await sql<{ timeMs: number }[]>`
    select time as "timeMs"
    from sample
    where stream_key = ${key} and time >= ${fromMs} and time < ${toMs}
    order by time
    offset ${mostSamples}
    limit 1`
  return row ? Math.min(toMs, shownMs(kind, row.timeMs)) : toMs
}

const rewrite = async (work: Work, progresses: readonly Progress[], span: Span): Promise<void> => {
  const pieces = progresses.flatMap((progress) => {
    const { error, definition, lastMs, touchedMs } = progress
    if (error && error.timeMs >= span[0] && error.timeMs < span[1]) progress.error = undefined
    // Its sources, just derived, may now have samples that it waited for: nothing is left out behind its last one.
    const fromMs =
      definition.shape === 'clocked' && touchedMs !== undefined && progress.error === undefined
        ? Math.min(span[0], Math.max(lastMs + 1, touchedMs))
        : span[0]
    // From there on it goes on by itself, also where nobody has touched anything since the expression was saved.
    if (touchedMs === undefined || span[1] > touchedMs) progress.touchedMs = Math.min(touchedMs ?? span[0], span[0])
    return openSpans(progress, [[fromMs, span[1]]]).map((each) => ({ progress, span: each }))
  })
  await deriveAll(work, pieces, 'rewrite')
}

/** The sample that was last may be gone. */
const findLast = async (sql: Transaction, progresses: readonly Progress[], span: Span): Promise<void> => {
  const unsure = progresses.filter(({ lastMs }) => lastMs >= span[0] && lastMs < span[1])
  if (unsure.length === 0) return
  const rows = await sql<{ key: number; lastMs: number | null }[]>`
    select key, (
      select time from sample where stream_key = key and time < ${span[1]} order by time desc limit 1) as "lastMs"
    from unnest(${unsure.map(({ definition: { key } }) => key)}::integer[]) as key`
  const byKey = new Map(rows.map(({ key, lastMs }) => [key, lastMs]))
  for (const progress of unsure) {
    const last = byKey.get(progress.definition.key) ?? null
    progress.lastMs = last === null ? Number.NEGATIVE_INFINITY : shownMs(progress.definition.kind, last)
  }
}

/**
 * A stream that is stale from within the piece is so from its end on. At the end of all, samples that follow are looked at:
 * of those that were stale, and of those whose sources were derived, since they may reach back into the span.
 */
const settleStale = async (
  work: Work,
  progress: Progress,
  [fromMs, untilMs]: Span,
  { isLast, isAsked }: { readonly isLast: boolean; readonly isAsked: boolean },
): Promise<void> => {
  const { staleMs, lastMs, failed } = progress
  if (failed !== undefined) return
  const isWithin = staleMs !== undefined && staleMs >= fromMs && staleMs < untilMs
  const isMended = isWithin || (isLast && staleMs === untilMs)
  if (isMended) progress.staleMs = isLast ? undefined : untilMs
  if (!isLast || (isAsked && !isMended)) return
  const endMs = Math.min(lastMs + 1, progress.staleMs ?? Number.POSITIVE_INFINITY)
  if (endMs > untilMs) {
    await deriveAll(work, [{ progress, span: [untilMs, endMs] }], 'compare')
    if (progress.left.length > 0) noteStale(progress, untilMs)
    progress.left = []
  } else if (isMended && lastMs < untilMs && (await hasMore(work.sql, progress, untilMs))) noteStale(progress, untilMs)
}

/** Whether all sources have samples behind, where the stream has none. */
const hasMore = async (
  sql: Transaction,
  { definition: { variables } }: Progress,
  untilMs: number,
): Promise<boolean> => {
  const keys = [...new Set(variables.map(({ source }) => source.key))]
  const rows = await sql`
    select
    from unnest(${keys}::integer[]) as key
    where exists (select from sample where stream_key = key and time >= ${untilMs} limit 1)
      or exists (select from point_sample where stream_key = key and time >= ${untilMs})`
  return rows.length === keys.length
}

/** Spans that waited behind an error that is gone become marks, which the background works off. */
const leaveWaiting = async (sql: Transaction, progresses: readonly Progress[], reachedMs: number): Promise<void> => {
  const tasks = progresses.flatMap(({ definition, error, pendingMs }) => {
    const own: readonly Span[] = [[reachedMs, pendingMs ?? reachedMs]]
    return error === undefined && own[0]![0] < own[0]![1] ? [{ ...newTask(definition.key), own }] : []
  })
  await leaveTasks(sql, tasks)
}
