// The background's part (docs/derived.md#when-it-is-derived): whatever was touched and not derived at once. An organization has a transaction at a time, which
// takes marks, does what they ask for, and leaves what there was no time for; if it fails, its marks are where they were.
// Tenants take turns, an organization of each at a time, and those whose work takes long are done beside the others, so that
// nobody waits for them.
//
// Shallow streams come before deep ones, lest a deep one be derived by half of what it hangs on. So marks that come while a
// round's work goes on wait until it is done: else the end of a chain would wait for as long as its beginning has news.
import type { Clock } from '../../base/clock.ts'
import type { Pool, Sql } from '../../base/database/sql.ts'
import { faultFromSql, sqlCode, transaction } from '../../base/database/sql.ts'
import { Fault } from '../../base/errors.ts'
import { inOwnGate } from '../sample/gate.ts'
import { deriveChains } from './chain.ts'
import { tooLong } from './expression.ts'
import { isOnlyToTry, newTask, retryLateAfterMs } from './level.ts'
import type { Task } from './level.ts'
import { leaveTasks, settleMarks, takeMarks } from './mark.ts'
import { openWork } from './open-work.ts'
import { restoreLimits, settleTransaction } from './work.ts'
import type { Tools } from './work.ts'

/**
 * A round stands inside the write gate of its organization, where changes wait for it: it takes so long, and one statement
 * more, or the search for a sample that fails (work.ts), which is over after two statements' time. A change waits for longer than that at once (../sample/catalog-change.ts).
 */
export type RoundLimits = { readonly roundMs: number; readonly statementMs: number }
export const usualLimits: RoundLimits = { roundMs: 100, statementMs: 150 }
const usualMs = 4000
const slowMs = 100
const mostMarks = 5000
/** Failed streams of an organization that a round tries again, in turn. */
const mostRetried = 20

export const openPass = (clock: Clock, tools: Tools, limits: RoundLimits) => {
  const slow = new Set<number>()
  const begun = new Map<number, Begun>()
  const waiting = new Map<number, readonly number[]>()
  const patience = openPatience(clock)
  const round = async (pool: Pool, organizationKey: number): Promise<boolean> => {
    const startedAt = performance.now()
    const known = begun.get(organizationKey)
    const { isMore, left, untried } = await deriveRound(
      pool,
      clock,
      tools,
      limits,
      organizationKey,
      known?.sinceMs,
      waiting.get(organizationKey),
    )
    // The next round begins with them: those before them may take all the time of each.
    if (untried.length > 0) waiting.set(organizationKey, untried)
    else waiting.delete(organizationKey)
    const next = left && goOn(known, left)
    if (next) begun.set(organizationKey, next)
    else begun.delete(organizationKey)
    if (performance.now() - startedAt > slowMs) slow.add(organizationKey)
    else slow.delete(organizationKey)
    return isMore
  }
  // An organization whose round failed comes behind the others: it may take the connection with it.
  const failed = new Set<number>()
  const inTurns = openTurns()
  return async (pool: Pool, onFailed: OnFailed = throwOn): Promise<boolean> => {
    const marked = await settleMarks(pool)
    let { isMore } = marked
    const inTurn = async (keys: readonly number[]): Promise<void> => {
      for (const key of keys)
        try {
          if (await round(pool, key)) isMore = true
          failed.delete(key)
        } catch (error) {
          failed.add(key)
          if (isOfDatabase(error)) throw error
          onFailed(key, error)
        }
    }
    const toRetry = patience.choose(await organizationsToRetry(pool, clock), marked.organizationKeys)
    const wanting = new Set([...marked.organizationKeys, ...toRetry, ...waiting.keys()])
    const turn = await inTurns(pool, wanting)
    isMore ||= turn.isMore
    const keys = turn.keys.toSorted((a, b) => Number(failed.has(a)) - Number(failed.has(b)))
    const ends = await Promise.allSettled([
      inTurn(keys.filter((key) => !slow.has(key))),
      inTurn(keys.filter((key) => slow.has(key))),
    ])
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    return isMore
  }
}

/**
 * Of the organizations of each tenant (db/0040_tenant.sql) one, in turn: somebody who has made hundreds waits for them, and nobody
 * else. Those that wanted their turn and have not had it want it still.
 */
const openTurns = () => {
  const lastOf = new Map<string, number>()
  let left: readonly number[] = []
  return async (pool: Pool, wanting: Iterable<number>) => {
    const all = [...new Set([...wanting, ...left])]
    if (all.length === 0) return { keys: [], isMore: false }
    const rows = await pool<{ key: number; tenant: string }[]>`
      select key, coalesce(tenant_uid, uid) as tenant
      from organization
      where key = any(${all}::integer[]) and not is_removed
      order by key`
    const chosen = new Map<string, number>()
    for (const { key, tenant } of rows) {
      const last = lastOf.get(tenant) ?? 0
      const isNext = (chosen.get(tenant) ?? 0) <= last && key > last
      if (!chosen.has(tenant) || isNext) chosen.set(tenant, key)
    }
    lastOf.clear()
    for (const [tenant, key] of chosen) lastOf.set(tenant, key)
    const keys = new Set(chosen.values())
    left = rows.flatMap(({ key }) => (keys.has(key) ? [] : key))
    return { keys: [...keys], isMore: left.length > 0 }
  }
}

/** Is told of an organization whose streams could not be derived; the others are, and it is tried again. */
export type OnFailed = (organizationKey: number, error: unknown) => void

const throwOn: OnFailed = (_, error) => {
  throw error
}

/** Whether the database has no room for anybody, or is away. */
const isOfDatabase = (error: unknown): boolean => {
  const fault = faultFromSql(error)
  return fault instanceof Fault && (fault.code === 'database_away' || fault.code === 'database_busy')
}

const organizationsToRetry = async (pool: Pool, clock: Clock): Promise<readonly number[]> => {
  const rows = await pool<{ key: number }[]>`
    select distinct organization.key
    from derivation
    join organization on organization.key = derivation.organization_key and not is_removed
    where ${isDueAt(pool, clock.now())}`
  return rows.map(({ key }) => key)
}

const firstPatienceMs = 1000
const longestPatienceMs = 60_000

/**
 * An organization in which nothing changes tries what fails again after one second, two, four: every second,
 * and in thousands of organizations, that would take all the time of the pass.
 */
const openPatience = (clock: Clock) => {
  const known = new Map<number, { readonly dueMs: number; readonly nextMs: number }>()
  return {
    choose: (failing: readonly number[], changed: readonly number[]): readonly number[] => {
      const nowMs = clock.now()
      const stillFailing = new Set(failing)
      for (const key of known.keys()) if (!stillFailing.has(key)) known.delete(key)
      for (const key of changed) known.delete(key)
      const chosen = failing.filter((key) => nowMs >= (known.get(key)?.dueMs ?? nowMs))
      for (const key of chosen) {
        const waitMs = known.get(key)?.nextMs ?? firstPatienceMs
        known.set(key, { dueMs: nowMs + waitMs, nextMs: Math.min(2 * waitMs, longestPatienceMs) })
      }
      return chosen
    },
  }
}

/** A sample that fails is tried, in turn with others, but one that took too long not sooner. */
const isDueAt = (sql: Sql, nowMs: number) => sql`
  error_at is not null and (error_message not like ${`${tooLong}%`} or error_at <= ${nowMs - retryLateAfterMs})`

/** How many streams a round has left, which wait since then, and the depth that it reached. */
type Left = { readonly sinceMs: number; readonly streams: number; readonly depth: number }

/** Work of an organization that is done to its end; the rounds that came no further with it. */
type Begun = Left & { readonly stuck: number }

/** A stream with a great many samples is not waited for. */
const mostStuck = 5

const goOn = (known: Begun | undefined, left: Left): Begun | undefined => {
  const isStuck = known && left.streams >= known.streams && left.depth <= known.depth
  const stuck = isStuck ? known.stuck + 1 : 0
  return stuck < mostStuck ? { ...left, stuck } : undefined
}

type Round = {
  readonly isMore: boolean
  readonly left: Left | undefined
  /** Streams that fail and have not had their turn. */
  readonly untried: readonly number[]
}

const nothingDone: Round = { isMore: false, left: undefined, untried: [] }

/** With a time, of marks that were left until then; with streams that were not tried, of these among those that fail. */
const deriveRound = (
  pool: Pool,
  clock: Clock,
  tools: Tools,
  { roundMs, statementMs }: RoundLimits,
  organizationKey: number,
  untilMs: number | undefined,
  toTry: readonly number[] | undefined,
): Promise<Round> =>
  inOwnGate<Round>(
    (work) => transaction(pool, work),
    organizationKey,
    async (sql, enter) => {
      // Across servers: the marks of an organization are worked off by one at a time.
      const [lock] = await sql<[{ taken: boolean }]>`
      select pg_try_advisory_xact_lock(hashtext('coppice derive'), ${organizationKey}) as taken,
        set_config('lock_timeout', ${String(heldMs)}, true)`
      if (!lock.taken) return nothingDone
      const { claimedUntilMs, heard } = await enter({ serial: Number.MAX_SAFE_INTEGER })
      const usual = await settleTransaction(sql, usualMs)
      const nowMs = clock.now()
      const { touched, tasks, isMore, sinceMs } = await takeMarks(sql, organizationKey, mostMarks, untilMs)
      const failing = toTry ?? (untilMs === undefined ? await readFailing(sql, organizationKey, nowMs) : [])
      const wanted = new Map(tasks.map((task) => [task.key, task]))
      for (const key of failing) if (!wanted.has(key)) wanted.set(key, newTask(key))
      const { left, depth } = await deriveChains(
        openWork(tools, sql, {
          claimedUntilMs,
          heard,
          nowMs,
          endAt: performance.now() + roundMs,
          statementMs,
          usualMs,
        }),
        touched,
        [...wanted.values()] satisfies Task[],
        { whenHeld: 'wait', mostStreams: Number.POSITIVE_INFINITY },
      )
      const isDated = Number.isFinite(sinceMs)
      await leaveTasks(sql, left, isDated ? sinceMs : undefined)
      // The gate of all may be waited for as long as anybody does.
      await restoreLimits(sql, usual)
      const untried = left.filter(isOnlyToTry).map(({ key }) => key)
      const streams = left.length - untried.length
      return {
        isMore: isMore || left.length > 0 || untilMs !== undefined,
        left: isDated && streams > 0 ? { sinceMs, streams, depth } : undefined,
        untried,
      }
    },
  ).catch((error: unknown) => {
    if (sqlCode(error) !== '55P03') throw error
    return nothingDone
  })

/** A script may hold a derived stream for long, or a change the gate: nobody waits for that here. Longer than an expression may take. */
const heldMs = 300

const readFailing = async (sql: Sql, organizationKey: number, nowMs: number): Promise<readonly number[]> => {
  const rows = await sql<{ key: number }[]>`
    select stream_key as key
    from derivation
    where organization_key = ${organizationKey} and ${isDueAt(sql, nowMs)}
    order by error_at
    limit ${mostRetried}`
  return rows.map(({ key }) => key)
}
