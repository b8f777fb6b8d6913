// Rate limits over several servers on one database (docs/access.md#rate-limits): exact within a second's traffic, and
// no call waits for it. Twice a second each process tells how much it has used of the buckets that are used much, and
// reads what others tell. Much is half the limit divided by the processes, or anything of a bucket that another process
// told of: so what nobody tells of cannot be over the limit.
//
// While there is one server nothing is told and nothing read. A database that is slow or away delays the next round.
import type { Clock } from '../clock.ts'
import type { RateLimit } from '../config.ts'
import type { Used } from './limit-failure.ts'

export type Exchange = {
  /** Processes of all servers on this database; 1 while there is one server. */
  readonly processes: () => number
  /** Adds what was used, and gives what all together have used of all buckets that were told of. */
  readonly tell: (uses: readonly Used[]) => Promise<readonly Used[]>
}

/** What a bucket is to others. */
export type Shared = {
  readonly name: string
  /** May still be granted here. */
  left: number
  /** Calls granted here in this window, and how many of them the others know of. */
  used: number
  reported: number
  /** Others told of it. */
  isShared: boolean
  isEmpty: boolean
  endsMs: number
}

const everyMs = 450
const mostTold = 10_000

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

  const tell = async (): Promise<void> => {
    const told = [...changed].slice(0, mostTold)
    // What is used while they are told is told the next time.
    const latestMs = clock.now() + limit.seconds * 1000
    const uses = told.map(({ name, used, reported, endsMs }) => ({
      bucket: prefix + name,
      used: used - reported,
      endsMs: Math.min(endsMs, latestMs),
    }))
    for (const bucket of told) changed.delete(bucket)
    try {
      const totals = await exchange.tell(uses)
      told.forEach((bucket, index) => (bucket.reported += uses[index]!.used))
      for (const total of totals) if (total.bucket.startsWith(prefix)) heed(total)
    } catch {
      for (const bucket of told) changed.add(bucket)
    }
  }
  const heed = ({ bucket: name, used, endsMs }: Used): void => {
    const bucket = find(name.slice(prefix.length))
    const nowMs = clock.now()
    if (bucket === undefined || endsMs <= nowMs) return
    bucket.isShared = true
    // Its window is the others', so that all begin anew together.
    bucket.endsMs = Math.min(endsMs, nowMs + limit.seconds * 1000)
    const untold = bucket.used - bucket.reported
    if (untold > 0) changed.add(bucket)
    const left = Math.max(0, limit.count - used - untold)
    bucket.left = Math.min(bucket.left, left)
    if (left === 0) bucket.isEmpty = true
  }
  const schedule = (): void => {
    timer ??= setTimeout(async () => {
      await tell()
      timer = undefined
      if (isUsed) usedAtMs = performance.now()
      isUsed = false
      // What was used and not told of counts for others as long as its window lasts.
      if (changed.size > 0 || performance.now() - usedAtMs < limit.seconds * 1000) schedule()
    }, everyMs).unref()
  }

  return {
    /** On the way of every upload. */
    note: (bucket: Shared): void => {
      const processes = exchange.processes()
      if (processes === 1) return
      if (bucket.isShared || bucket.used * 2 * processes >= limit.count) changed.add(bucket)
      isUsed = true
      if (timer === undefined) schedule()
    },
  }
}
