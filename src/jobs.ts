// The whole background surface on one page: every job, its pace and its lock. Jobs run in the primary process; several
// servers on one database share them, because the holder of its lock does each step.
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sharedNow } from './base/clock.ts'
import { divideConnections, jobTransactions } from './base/database/connections.ts'
import { openPool, within } from './base/database/pool.ts'
import { openShares } from './base/shares.ts'
import type { Holding } from './base/shares.ts'
import type { Pool } from './base/database/sql.ts'
import { faultFromSql, transaction } from './base/database/sql.ts'
import { Fault } from './base/errors.ts'
import type { World } from './base/world.ts'
import { removeOldAccessChanges } from './core/access-change.ts'
import { removeOldAudit } from './core/audit.ts'
import { openCompression } from './core/upkeep/compression.ts'
import { openDeriver } from './core/derive/deriver.ts'
import type { Deriver } from './core/derive/deriver.ts'
import { openRequestWork } from './core/derive/request.ts'
import { registerMissing } from './core/derive/state.ts'
import type { RequestWork } from './core/derive/request.ts'
import { sweepContents } from './core/file/blob.ts'
import { dropEmptied, extendWeeklyChunks } from './core/sample/chunk.ts'
import { makeComingChunks } from './core/sample/new-chunks.ts'
import { mergeOldChanges } from './core/sample/catalog-change.ts'
import { openKeyRoom } from './core/upkeep/key-room.ts'
import { trimJournal } from './core/live/trim.ts'
import { removeEndedUses } from './core/limit-use.ts'
import { removeEndedGrants } from './core/oauth-grant.ts'
import { removeOldBodies } from './core/connector.ts'
import { removeOldRuns } from './core/import/import-run.ts'
import { openPageRoom } from './core/upkeep/page-room.ts'
import { openRemover } from './core/upkeep/removal.ts'
import { removeOldRemovals } from './core/upkeep/removal-progress.ts'
import { fillEdges } from './core/sql-role/calendar.ts'
import { endLongWork, openShutOut } from './core/sql-role/watch.ts'
import { archiveSome, newRetentionPace } from './core/upkeep/retention.ts'
import { pacedRollUp } from './core/statistic/rollup-pace.ts'
import { removeEndedResetLinks } from './core/reset-link.ts'
import { removeEndedSessions } from './core/session.ts'
import { warnOfZones } from './core/time/zone-check.ts'
import { compileDerivation } from './gsql/derivation.ts'

type Job = {
  /** Also the name of its lock. */
  readonly name: string
  readonly everyMs: number
  /** For jobs that must not be late; the others take turns, however long one of them takes. */
  readonly waitsForNobody?: true
  /** Every server does it, without a lock. */
  readonly isForEach?: true
  /** It comes at moments that nobody can foresee, up to that time apart. */
  readonly isUnforeseen?: true
  /** Does a bounded piece of work; true when there is more, which is then done without a pause. */
  readonly step: (bench: Bench) => Promise<boolean>
}

/** For jobs that remove something for its age: the earlier clock counts, as retention has it. A wrong one makes nothing old. */
const agreedNow = async ({ sql, clock }: World): Promise<number> => Math.min(clock.now(), await sharedNow(clock, sql))

const removeEnded = async (world: World): Promise<boolean> => {
  const { sql } = world
  const nowMs = await agreedNow(world)
  const areMoreSessions = await removeEndedSessions(sql, nowMs)
  await removeEndedResetLinks(sql, nowMs)
  const areMoreGrants = await removeEndedGrants(sql, nowMs)
  const areMoreChanges = await removeOldAccessChanges(sql, nowMs)
  await removeEndedUses(sql, nowMs)
  await mergeOldChanges(sql, nowMs)
  const areMoreRuns = await removeOldRuns(sql, nowMs)
  await removeOldRemovals(sql, nowMs)
  return areMoreSessions || areMoreGrants || areMoreChanges || areMoreRuns
}

const rollUp = pacedRollUp()
const compress = openCompression()
const keepRoomForKeys = openKeyRoom()
const remove = openRemover()
const archivePace = newRetentionPace()
const shutOut = openShutOut()
const leavePageRoom = openPageRoom()

const jobs: readonly Job[] = [
  // Aggregates of samples, for statistics.
  {
    name: 'rollup',
    everyMs: 500,
    waitsForNobody: true,
    step: async ({ sql, clock }) => {
      await rollUp(sql, clock.now())
      return false
    },
  },
  // Streams that are derived from others.
  {
    name: 'derive',
    everyMs: 1000,
    waitsForNobody: true,
    step: ({ sql, deriver, log }) =>
      deriver.deriveSome(sql, (organization, err) =>
        log.error({ err, organization }, 'streams of an organization could not be derived'),
      ),
  },
  // Derived streams that were saved by a server that took no note of them.
  { name: 'derivations', everyMs: 3_600_000, step: ({ sql }) => registerMissing(sql) },
  // Spans of streams that users want derived anew.
  {
    name: 'derive requests',
    everyMs: 300,
    waitsForNobody: true,
    step: ({ sql, clock, requestWork }) => requestWork(sql, () => clock.now()),
  },
  // Rows that listeners of live feeds can no longer ask for.
  { name: 'live', everyMs: 5000, step: ({ sql }) => trimJournal(sql) },
  // Samples that are older than their organization keeps them.
  {
    name: 'retention',
    everyMs: 60_000,
    step: ({ sql, clock, log }) =>
      archiveSome(
        sql,
        clock.now(),
        (stream, err) => log.error({ err, stream }, 'a stream could not be archived'),
        undefined,
        archivePace,
      ),
  },
  // Samples of deleted streams, and everything below deleted organizations.
  {
    name: 'removal',
    everyMs: 5000,
    step: ({ sql }) => remove(sql),
  },
  // Old chunks of samples, where the edition has compression.
  { name: 'compression', everyMs: 600_000, step: ({ sql, clock }) => compress(sql, clock.now()) },
  // The chunks of the weeks to come, those that retention and removals have emptied, and the one for years to come.
  {
    name: 'chunks',
    everyMs: 3_600_000,
    step: async ({ sql, clock }) => {
      await makeComingChunks(sql, clock.now())
      await dropEmptied(sql, clock.now())
      await extendWeeklyChunks(sql, clock.now())
      return false
    },
  },
  // Room in the pages of chunks whose samples are overwritten again and again.
  {
    name: 'page room',
    everyMs: 10_000,
    step: async ({ sql, clock }) => {
      await leavePageRoom(sql, clock.now())
      return false
    },
  },
  // Keys of components, streams and the like, before they come to an end or to one that is in use.
  {
    name: 'keys',
    everyMs: 600_000,
    step: async ({ sql, clock, log }) => {
      const moved = await keepRoomForKeys(sql, clock.now())
      if (moved.length > 0) log.info({ tables: moved }, 'keys go on in another range')
      return false
    },
  },
  // Contents of files that no sample points to.
  { name: 'contents', everyMs: 30_000, step: ({ sql }) => sweepContents(sql) },
  // Sessions, links for a new password, codes, tokens and windows of limits that have ended, notes of changes that servers have read, and runs of
  // imports that are kept no longer. Imports are begun by the processes that serve (import/runs.ts).
  { name: 'expiry', everyMs: 600_000, step: removeEnded },
  // Entries that the audit log keeps no longer.
  { name: 'audit', everyMs: 3_600_000, step: async (world) => removeOldAudit(world.sql, await agreedNow(world)) },
  // Bodies that connectors in debug kept.
  {
    name: 'bodies',
    everyMs: 3_600_000,
    step: async (world) => {
      await removeOldBodies(world.sql, await agreedNow(world))
      return false
    },
  },
  // Edges for the views of SQL roles, in zones that they have not had.
  {
    name: 'edges',
    everyMs: 5000,
    step: async ({ sql, clock }) => {
      await fillEdges(sql, clock.now())
      return false
    },
  },
  // Work of SQL roles that takes too long, or holds locks of servers.
  {
    name: 'sql roles',
    everyMs: 5000,
    waitsForNobody: true,
    // Else such a role could take the lock first.
    isForEach: true,
    step: async ({ sql, log }) => {
      const ended = await endLongWork(sql)
      if (ended > 0) log.warn({ ended }, 'sessions of SQL roles were ended: docs/bi.md')
      return false
    },
  },
  // SQL roles for whose locks others wait. A job of its own: the other may have to wait for such a lock.
  {
    name: 'sql locks',
    everyMs: 5000,
    waitsForNobody: true,
    isForEach: true,
    isUnforeseen: true,
    step: async ({ sql, watch, log }) => {
      const roles = await shutOut(sql, watch)
      if (roles.length > 0) log.warn({ roles }, 'SQL roles that kept others waiting by locks are shut out: docs/bi.md')
      return false
    },
  },
  // Zones of which the database has other rules than this server.
  {
    name: 'zones',
    everyMs: 86_400_000,
    step: async (world) => {
      await warnOfZones(world)
      return false
    },
  },
]

export type Jobs = {
  /** Waits a moment for the steps under way; a step that is cut off is done again after the next start. */
  readonly stop: () => Promise<void>
}

const waitForStepsMs = 1000
const mostPatienceMs = 86_400_000
/** Aggregates of the years of a wide chunk, or compressing one, take minutes. A job that waited for a lock comes again. */
const stepMs = 3_600_000
const stepLockMs = 30_000
/** It mostly waits for the lock that it looks for. */
const watchLockMs = 1000

/** A job's lock is held by a session that waits for the job. */
const jobSettings = { ...within(stepMs, stepLockMs), idle_in_transaction_session_timeout: '0' }

/** A job has these beside the world. */
type Bench = World & {
  readonly deriver: Deriver
  readonly requestWork: RequestWork
  /** One connection, which nothing else keeps waiting. */
  readonly watch: Pool
}

/** A pool of its own, so that no job waits for a call, nor a call for a job. */
export const openJobPool = (databaseUrl: string, databaseConnections: number): Pool => {
  const { jobs: connections } = divideConnections(databaseConnections)
  const queries = connections - jobTransactions
  return openPool(databaseUrl, { connections, queries, name: 'coppice jobs', settings: jobSettings })
}

export const startJobs = (served: Omit<World, 'sql' | 'readSql'>, databaseUrl: string): Jobs => {
  const sql = openJobPool(databaseUrl, served.config.databaseConnections)
  const watch = openPool(databaseUrl, { connections: 1, name: 'coppice watch', settings: within(stepMs, watchLockMs) })
  const deriver = openDeriver(served.clock, compileDerivation)
  const world: Bench = { ...served, sql, readSql: sql, watch, deriver, requestWork: openRequestWork(deriver) }
  const stopping = new AbortController()
  // Each job listens once, while it waits for its turn or its time. Node warns of a leak at the eleventh.
  setMaxListeners(jobs.length, stopping.signal)
  // One step at a time, and one of the jobs that wait for nobody: each holds its lock and works on another connection.
  const turns = openShares(1)
  const running = jobs.map((job) => {
    const turn = job.waitsForNobody ? openShares(1) : turns
    return repeat(world, job, turn.open([job.name]), stopping.signal)
  })
  return {
    stop: async () => {
      stopping.abort()
      await Promise.race([Promise.all(running), sleep(waitForStepsMs, undefined, { ref: false })])
      await Promise.all([sql, watch].map((pool) => pool.end({ timeout: 1 })))
    },
  }
}

const repeat = async (
  world: Bench,
  { name, everyMs, step, isForEach, isUnforeseen }: Job,
  turn: Holding,
  stopping: AbortSignal,
): Promise<void> => {
  while (!stopping.aborted) {
    let isMore = false
    if (!(await turn.wait(1, mostPatienceMs, stopping))) continue
    try {
      isMore = isForEach ? await step(world) : await underLock(world.sql, name, () => step(world))
    } catch (error) {
      const cause = faultFromSql(error)
      // The request path reports a database that is away; the job just tries again.
      if (!(cause instanceof Fault)) world.log.error({ err: cause, job: name }, 'a job failed and will be tried again')
    } finally {
      turn.give()
    }
    if (!isMore) await pause(isUnforeseen ? everyMs * Math.random() : everyMs, stopping)
  }
}

/** Runs the work if nobody else does; false when somebody else is at it. The work has connections of its own. */
const underLock = (pool: Pool, name: string, work: () => Promise<boolean>): Promise<boolean> =>
  transaction(pool, async (sql) => {
    const [lock] = await sql<
      [{ taken: boolean }]
    >`select pg_try_advisory_xact_lock(hashtext('coppice job'), hashtext(${name})) as taken`
    return lock.taken && (await work())
  })

const pause = (ms: number, stopping: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      stopping.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    stopping.addEventListener('abort', end)
    if (stopping.aborted) end()
  })
