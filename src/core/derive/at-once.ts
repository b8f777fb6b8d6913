// Derives in an upload's own transaction (derMaxS and derTout of docs/feeds.md#upload-in-the-url), behind a savepoint: an
// upload never fails by what is derived from it. Streams that are left stay as marks for the background.
//
// A device waits for it, so it is done twice if need be: first by what is remembered, all streams held by one statement and
// none with a savepoint of its own; and if one fails, again with care.
import type { Clock } from '../../base/clock.ts'
import type { Transaction } from '../../base/database/sql.ts'
import type { KnownMoment } from '../sample/gate.ts'
import type { DeriveAtOnce } from '../sample/store.ts'
import { markSources } from '../sample/touched.ts'
import type { Touched } from '../sample/touched.ts'
import { joinSpans } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import { streamsAhead } from './ahead.ts'
import { deriveChains } from './chain.ts'
import { hasMarks, joinWithinMs, leaveTasks } from './mark.ts'
import type { TouchedSpans } from './mark.ts'
import type { Memory } from './memory.ts'
import { openWork } from './open-work.ts'
import { holdDerivations, keepProgress } from './progress.ts'
import type { Held, Progress } from './progress.ts'
import { deriveStraight } from './straight.ts'
import type { Ahead } from './straight.ts'
import { Distrusted, restoreLimits, settleTransaction } from './work.ts'
import type { Tools, Work } from './work.ts'

/** Samples that need not be counted before they are worked out together. */
const mostSmall = 20_000

/** It stands inside the gate of its organization, where changes wait for it; what is left is left to the background. */
const mostMs = 2000
const mostStatementMs = 1000
/** Chunks cannot be held for up to seconds while one is compressed or dropped, and who waits for this upload would wait with it. */
const mostLockMs = 100

/** Streams of one source that an upload leaves marks for, each by itself. */
const mostLeft = 50

export const openAtOnce =
  (clock: Clock, tools: Tools, memoryOf: (at: KnownMoment) => Memory): DeriveAtOnce =>
  async (sql, gate, touched, { mostStreams, endAt: callEndAt }) => {
    const endAt = Math.min(callEndAt, performance.now() + mostMs)
    const statementMs = Math.min(mostStatementMs, Math.floor(endAt - performance.now()))
    if (statementMs <= 0) return markSources(sql, touched)
    const given = {
      claimedUntilMs: gate.claimedUntilMs,
      heard: gate.heard,
      nowMs: clock.now(),
      endAt,
      statementMs,
      usualMs: statementMs,
    }
    const careful: Work = { ...openWork(tools, sql, given, 'skip'), isSmall: countOf(touched) <= mostSmall }
    const [, usual] = await Promise.all([sql`savepoint upload`, settleTransaction(sql, statementMs, mostLockMs)])
    const spans = spansOf(touched)
    const derive = async (work: Work): Promise<void> => {
      const options = { whenHeld: 'skip', mostStreams, withWaiting: true } as const
      const { left } = await deriveChains({ ...work, isSmall: false }, spans, [], options)
      await leaveTasks(sql, left, undefined, mostLeft)
    }
    try {
      await deriveTrusting(careful, memoryOf(gate), spans, mostStreams, derive)
    } catch (error) {
      // The upload's samples stay, by any error; if the connection is lost, this fails as well.
      await sql`rollback to savepoint upload`
      await (error instanceof Distrusted ? deriveCarefully(sql, careful, touched, derive) : markSources(sql, touched))
    }
    await restoreLimits(sql, usual)
  }

const deriveTrusting = async (
  careful: Work,
  { usersOf, definitionsOf }: Memory,
  spans: TouchedSpans,
  mostStreams: number,
  derive: (work: Work) => Promise<void>,
): Promise<void> => {
  const { sql } = careful
  const ahead = await streamsAhead(sql, usersOf, [...spans.keys()])
  const held = new Map(
    ahead && (await holdDerivations(sql, ahead, 'skip')).map((row): [number, typeof row] => [row.key, row]),
  )
  let kept: readonly Progress[] = []
  const work: Work = {
    ...careful,
    isTrusting: true,
    usersOf,
    definitionsOf,
    hold: ahead ? (keys) => Promise.resolve(keys.flatMap((key) => held.get(key) ?? [])) : careful.hold,
    keep: (progresses) => {
      kept = [...kept, ...progresses]
      return Promise.resolve()
    },
  }
  const isAll = ahead !== undefined && held.size === ahead.length && ahead.length <= mostStreams
  const streams = isAll ? await inOrder(work, ahead, held) : undefined
  const straight =
    streams && !(await areWaitedFor(sql, streams)) ? await deriveStraight(work, spans, streams) : undefined
  if (straight) kept = straight
  else await derive(work)
  await keepProgress(sql, kept, careful.nowMs)
}

const inOrder = async (work: Work, ahead: readonly number[], held: ReadonlyMap<number, Held>): Promise<Ahead> => {
  const definitions = new Map((await work.definitionsOf(work.sql, ahead)).map((each) => [each.key, each]))
  return ahead.flatMap((key) => {
    const [definition, row] = [definitions.get(key), held.get(key)]
    return definition && row ? [{ definition, held: row }] : []
  })
}

/** Whether others have touched before what nobody has derived yet: that comes first. */
const areWaitedFor = (sql: Transaction, streams: Ahead): Promise<boolean> =>
  hasMarks(sql, [
    ...new Set(
      streams.flatMap(({ definition: { key, variables } }) => [key, ...variables.map(({ source }) => source.key)]),
    ),
  ])

const deriveCarefully = async (
  sql: Transaction,
  careful: Work,
  touched: Touched,
  derive: (work: Work) => Promise<void>,
): Promise<void> => {
  // Settings made behind the savepoint went with it.
  await Promise.all([sql`savepoint upload`, settleTransaction(sql, careful.statementMs, mostLockMs)])
  try {
    await derive(careful)
  } catch {
    await sql`rollback to savepoint upload`
    await markSources(sql, touched)
  }
}

const countOf = (touched: Touched) => Array.from(touched.values()).reduce((sum, times) => sum + times.length, 0)

const spansOf = (touched: Touched): TouchedSpans =>
  new Map(
    Array.from(touched, ([key, times]) => [
      key,
      joinSpans(
        times.map((ms): Span => [ms, ms + 1]),
        joinWithinMs,
      ),
    ]),
  )
