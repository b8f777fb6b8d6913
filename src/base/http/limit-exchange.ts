// Rate limits over several servers on one database (docs/access.md#rate-limits): exact from one report to the next, and
// no call waits for it, so a burst passes at each server up to the limit. Twice a second each process reports how much it has used of the buckets that are used much, and
// reads the reports of others, of buckets of which a quarter is used. Much is half the limit divided by the processes, or
// anything of a bucket that others have reported: so a bucket that nobody reports, or reads, cannot be over the limit.
//
// While there is one server nothing is reported and nothing read. A database that is slow or away delays the next round.
import type { Clock } from '../clock.ts'
import type { RateLimit } from '../config.ts'
import type { Used } from './limit-failure.ts'
import { lastEndMs } from './limit-failure.ts'

export type Exchange = {
  /** Processes of all servers on this database; 1 while there is one server. */
  readonly processes: () => number
  /** Adds the use of this process, and gives the sums of all processes for the buckets that are asked for. */
  readonly report: (uses: readonly Used[], asked: Asked) => Promise<readonly Used[]>
}

export type Asked = {
  /** The beginning of their names. */
  readonly prefix: string
  /** Of which so much is used, at least. */
  readonly leastUsed: number
  /** Which end until then. */
  readonly untilMs: number
}

/** A bucket as other processes know it. */
export type Shared = {
  readonly name: string
  /** The calls that may still be granted here. */
  left: number
  /** Calls granted here in this window, and how many of them the others know of. */
  used: number
  reported: number
  /** Whether others reported it. */
  isShared: boolean
  isEmpty: boolean
  endsMs: number
}

const everyMs = 450
const mostReported = 10_000

export const exchangeRegularly = (
  kind: string,
  limit: RateLimit,
  clock: Clock,
  exchange: Exchange,
  find: (name: string) => Shared | undefined,
) => {
  const changed = new Set<Shared>()
  let timer: NodeJS.Timeout | undefined
  let isUsed = false
  let usedAtMs = 0
  const prefix = `${kind} `

  const report = async (): Promise<void> => {
    const reports = [...changed].slice(0, mostReported)
    // Calls that come while these are reported are reported the next time.
    const nowMs = clock.now()
    const latestMs = nowMs + limit.seconds * 1000
    const uses = reports.map(({ name, used, reported, endsMs }) => ({
      bucket: prefix + name,
      used: used - reported,
      endsMs: Math.min(endsMs, latestMs),
    }))
    for (const bucket of reports) changed.delete(bucket)
    try {
      const totals = await exchange.report(uses, {
        prefix,
        leastUsed: limit.count / 4,
        untilMs: lastEndMs(nowMs, limit),
      })
      reports.forEach((bucket, index) => (bucket.reported += uses[index]!.used))
      for (const total of totals) applyTotal(total)
    } catch {
      for (const bucket of reports) changed.add(bucket)
    }
  }
  const applyTotal = ({ bucket: name, used, endsMs }: Used): void => {
    const bucket = find(name.slice(prefix.length))
    const nowMs = clock.now()
    if (bucket === undefined || endsMs <= nowMs) return
    bucket.isShared = true
    // The bucket takes the window of the others, so that all begin anew together.
    bucket.endsMs = Math.min(endsMs, nowMs + limit.seconds * 1000)
    const unreported = bucket.used - bucket.reported
    if (unreported > 0) changed.add(bucket)
    const left = Math.max(0, limit.count - used - unreported)
    bucket.left = Math.min(bucket.left, left)
    if (left === 0) bucket.isEmpty = true
  }
  const schedule = (): void => {
    timer ??= setTimeout(async () => {
      await report()
      timer = undefined
      if (isUsed) usedAtMs = performance.now()
      isUsed = false
      // Calls that were not reported count for others as long as their window lasts.
      if (changed.size > 0 || performance.now() - usedAtMs < limit.seconds * 1000) schedule()
    }, everyMs).unref()
  }

  return {
    /** Called by every upload. */
    note: (bucket: Shared): void => {
      const processes = exchange.processes()
      if (processes === 1) return
      if (bucket.isShared || bucket.used * 2 * processes >= limit.count) changed.add(bucket)
      isUsed = true
      if (timer === undefined) schedule()
    },
  }
}
