// A limit of failures (docs/access.md#rate-limits): of signing in and of a client's requests for a token. A success is
// not counted, so that a portal may sign in a thousand users a minute from one address; a guess is, by address and by
// the account or client that it is about. The counts are those of all servers on one database.
//
//   limiter.attempt(['address 10.0.0.1', 'e-mail ada@example.org'], () => check(password))
//
// The success of an attempt is known at its end only. So no more attempts are under way at once than may still fail,
// divided by the processes that serve; the rest wait for them, one behind the other, as many as `mostWaiting` says. A
// process always lets one begin, so of many processes one guess each may be too much.
//
// Anybody can use up the bucket of an account whose name they know, and that of an address that they share with others. So
// neither stands in the way of a guesser who has succeeded there lately (`familiar`), who is judged by their own failures at this
// account: strangers keep nobody from signing in where they have done so before.
import type { Clock } from '../clock.ts'
import type { RateLimit } from '../config.ts'
import { busy, clientGone, Fault } from '../errors.ts'
import type { Holders } from '../shares.ts'
import { openShares } from '../shares.ts'

export type Used = { readonly bucket: string; readonly used: number; readonly endsMs: number }

export type Counts = {
  /** Reads the counts whose window has not ended. */
  readonly read: (buckets: readonly string[], nowMs: number) => Promise<readonly Used[]>
  /** Adds, and gives the sums; a window that would end after the last moment is over. */
  readonly add: (uses: readonly Used[], nowMs: number, lastMs: number) => Promise<readonly Used[]>
  /** Makes read give the bucket, with nothing used, until it ends; often called for the same. */
  readonly keep: (bucket: string, endsMs: number) => Promise<void>
}

export type AttemptOptions = {
  readonly isFailure?: (error: unknown) => boolean
  /** Aborted when nobody waits for it any more: then it is not begun. */
  readonly signal?: AbortSignal
  /** The most that wait, by the first bucket; more are refused at once. */
  readonly mostWaiting?: number
  /** Those who share the places of all attempts that wait, or are under way, of guessers who are not familiar. */
  readonly holders?: Holders
  /** The guesser at this account: after a success, only their own failures at it refuse them for a while. */
  readonly familiar?: string
}

export type Failures = {
  readonly attempt: Attempt
  /** Makes a guesser familiar with an account, as a success does. */
  readonly know: (familiar: string) => Promise<void>
}

export type Attempt = <T>(
  /** The guesser and the account guessed at: each has its own count. */
  buckets: readonly [string, ...string[]],
  /** Fails by a Fault of 401, or by a result for which `isFailure` is true. */
  work: (isFamiliar: boolean) => Promise<T>,
  options?: AttemptOptions,
) => Promise<T>

const patienceMs = 10_000
const mostRemembered = 10_000
/** Of guessers who are not familiar: each takes 20 KB, and waits for those of 4,000 others in vain. */
export const mostStrangers = 4000
/** The most names in one look-up. */
const mostAsked = 500
/** As long as a session that is not used: a person has to sign in again after that. */
const knownForMs = 30 * 24 * 3_600_000

/** Kept while any attempt, under way or waiting, needs it. */
type Running = { readonly attempts: Set<Promise<void>>; ended: number; holders: number }

/** Whether a guesser is familiar. */
type Question = {
  readonly familiar: string
  readonly answer: (isKnown: boolean) => void
  readonly fail: (error: unknown) => void
}

/** An attempt that waits: each of its buckets, and those who are there. */
type Entry = {
  readonly buckets: readonly string[]
  readonly all: readonly Running[]
  readonly underWay: Promise<void>
  readonly untilMs: number
}

export const openFailures = (
  limit: RateLimit,
  clock: Clock,
  counts: Counts,
  /** The number of processes that share the counts. */
  processes: () => number = () => 1,
): Failures => {
  const running = new Map<string, Running>()
  const queues = new Map<string, Promise<void>>()
  /** Used-up buckets and the end of their window, and the own ones of those who were refused: without a look-up. */
  const full = new Map<string, number>()
  const strangers = openShares(mostStrangers)
  /** Anybody, until it is known whether they are familiar. */
  const asking = openShares(mostStrangers)
  const questions: Question[] = []
  let isAsking = false

  const hold = (bucket: string): Running => {
    const known = running.get(bucket) ?? { attempts: new Set(), ended: 0, holders: 0 }
    known.holders += 1
    running.set(bucket, known)
    return known
  }
  const letGo = (bucket: string, held: Running, attempt: Promise<void>): void => {
    if (held.attempts.delete(attempt)) held.ended += 1
    held.holders -= 1
    if (held.holders === 0) running.delete(bucket)
  }
  const remember = (bucket: string, endsMs: number): void => {
    full.delete(bucket)
    if (full.size >= mostRemembered) full.delete(full.keys().next().value!)
    full.set(bucket, endsMs)
  }
  const refuse = (bucket: string, endsMs: number, familiar: string | undefined): never => {
    remember(bucket, endsMs)
    if (familiar !== undefined) remember(ownBucket(familiar), endsMs)
    const seconds = Math.max(1, Math.ceil((endsMs - clock.now()) / 1000))
    throw new Fault('too_many_requests', `more than ${limit.count} failures in ${limit.seconds} s`, {
      headers: {
        'Retry-After': String(seconds),
        RateLimit: `"login";r=0;t=${seconds}`,
        'RateLimit-Policy': `"login";q=${limit.count};w=${limit.seconds}`,
      },
    })
  }
  const refuseFull = (buckets: readonly string[], familiar: string | undefined): void => {
    for (const bucket of buckets) {
      const endsMs = full.get(bucket)
      const leftMs = endsMs === undefined ? 0 : endsMs - clock.now()
      if (leftMs > 0 && leftMs <= limit.seconds * 1000) refuse(bucket, endsMs!, familiar)
    }
  }

  /** Resolves when it has begun; or with a wait for its account, for which others of its address do not wait. */
  const enter = async (
    { buckets, all, underWay, untilMs }: Entry,
    { signal, familiar }: AttemptOptions,
  ): Promise<{ readonly wait: Promise<void> } | undefined> => {
    for (;;) {
      if (signal?.aborted) throw clientGone()
      refuseFull(buckets, familiar)
      const endedBefore = all.map(({ ended }) => ended)
      const nowMs = clock.now()
      const found = (await counts.read(buckets, nowMs)).filter(({ endsMs }) => endsMs <= lastEndMs(nowMs, limit))
      for (const { bucket, used, endsMs } of found) if (used >= limit.count) refuse(bucket, endsMs, familiar)
      // Attempts that ended meanwhile may have failed, and be missing in the counts that were read.
      if (all.some(({ ended }, index) => ended !== endedBefore[index])) continue
      const usedOf = (bucket: string) => found.find((each) => each.bucket === bucket)?.used ?? 0
      const mayBegin = (bucket: string) => Math.max(1, Math.floor((limit.count - usedOf(bucket)) / processes()))
      const crowded = all.filter(({ attempts }, index) => attempts.size >= mayBegin(buckets[index]!))
      if (crowded.length === 0) {
        for (const { attempts } of all) attempts.add(underWay)
        return undefined
      }
      const wait = oneOf(crowded, untilMs)
      if (crowded[0] !== all[0]) return { wait }
      await wait
    }
  }

  /** One behind the other by the first bucket: of many that wait, one looks whether it may enter. */
  const inTurn = <T>(first: string, work: () => Promise<T>): Promise<T> => {
    const before = queues.get(first) ?? Promise.resolve()
    const entered = before.then(work)
    const settled = entered.then(
      () => {},
      () => {},
    )
    queues.set(first, settled)
    void settled.then(() => {
      if (queues.get(first) === settled) queues.delete(first)
    })
    return entered
  }

  const know: Failures['know'] = async (familiar) => {
    await counts.keep(familiar, clock.now() + knownForMs)
    full.delete(ownBucket(familiar))
  }

  /** One look-up at a time for all that wait: attempts that are refused cost one, too, and thousands may come at once. */
  const askAll = async (): Promise<void> => {
    isAsking = true
    while (questions.length > 0) {
      const some = questions.splice(0, mostAsked)
      const names = some.map(({ familiar }) => familiar)
      try {
        const found = new Set((await counts.read(names, clock.now())).map(({ bucket }) => bucket))
        for (const { familiar, answer } of some) answer(found.has(familiar))
      } catch (error) {
        for (const { fail } of some) fail(error)
      }
    }
    isAsking = false
  }
  const isKnown = (familiar: string): Promise<boolean> =>
    new Promise((answer, fail) => {
      questions.push({ familiar, answer, fail })
      if (!isAsking) void askAll()
    })

  const isKnownInTurn = async (familiar: string, holders: Holders | undefined): Promise<boolean> => {
    const place = holders && asking.open(holders)
    if (place?.take(1) === false) throw tooMany()
    try {
      return await isKnown(familiar)
    } finally {
      place?.give()
    }
  }

  const attempt: Attempt = async (given, work, options = {}) => {
    const { isFailure = isUnauthorized, mostWaiting = Number.POSITIVE_INFINITY, familiar } = options
    const own = familiar === undefined ? [] : [ownBucket(familiar)]
    refuseFull(own, familiar)
    const isFamiliar = familiar !== undefined && (await isKnownInTurn(familiar, options.holders))
    const buckets = isFamiliar ? own : given
    refuseFull(buckets, familiar)
    const place = isFamiliar || options.holders === undefined ? undefined : strangers.open(options.holders)
    if (place?.take(1) === false) throw tooMany()
    let end = () => {}
    const underWay = new Promise<void>((resolve) => {
      end = resolve
    })
    const all = buckets.map(hold)
    const entry = { buckets, all, underWay, untilMs: performance.now() + patienceMs }
    try {
      if (all[0]!.holders - all[0]!.attempts.size > mostWaiting) throw tooMany()
      for (;;) {
        const crowd = await inTurn(buckets[0], () => enter(entry, options))
        if (crowd === undefined) break
        await crowd.wait
      }
      const result = await work(isFamiliar).catch(async (error: unknown) => {
        if (isFailure(error)) {
          const nowMs = clock.now()
          const endsMs = nowMs + limit.seconds * 1000
          await counts.add(
            [...given, ...own].map((bucket) => ({ bucket, used: 1, endsMs })),
            nowMs,
            lastEndMs(nowMs, limit),
          )
        }
        throw error
      })
      if (familiar !== undefined) await know(familiar)
      return result
    } finally {
      all.forEach((each, index) => letGo(buckets[index]!, each, underWay))
      place?.give()
      end()
    }
  }
  return { attempt, know }
}

/**
 * The last moment at which a window of now may end: the clocks of servers may differ by as much as one. An end behind it
 * means that a clock was ahead and is set back; failures of then are over, or everybody who had one were shut out until it comes.
 */
export const lastEndMs = (nowMs: number, { seconds }: RateLimit): number => nowMs + 2 * seconds * 1000

/** Resolves when one of the attempts has ended that it waits for. */
const oneOf = async (crowded: readonly Running[], untilMs: number): Promise<void> => {
  if (performance.now() > untilMs) throw tooMany()
  await Promise.race(crowded.map(({ attempts }) => Promise.race(attempts)))
}

/** Of the failures of one guesser at one account. */
const ownBucket = (familiar: string) => `own ${familiar}`

const tooMany = () => busy('too many sign-ins at once')

const isUnauthorized = (error: unknown) => error instanceof Fault && error.status === 401

/** The counts of one process alone. */
export const openCounts = (): Counts => {
  const known = new Map<string, Used>()
  const read = (bucket: string, nowMs: number): readonly Used[] => {
    const used = known.get(bucket)
    return used && used.endsMs > nowMs ? [used] : []
  }
  return {
    read: async (buckets, nowMs) => buckets.flatMap((bucket) => read(bucket, nowMs)),
    add: async (uses, nowMs, lastMs) =>
      uses.map((use) => {
        const [before] = read(use.bucket, nowMs)
        const sum = before && before.endsMs <= lastMs ? { ...before, used: before.used + use.used } : use
        known.set(use.bucket, sum)
        return sum
      }),
    keep: async (bucket, endsMs) => void known.set(bucket, { bucket, used: 0, endsMs }),
  }
}
