// Rate limits (section 8, decisions 8): count calls per seconds and bucket, in windows that begin with a bucket's
// first call. A bucket is credential + client address + the raw X-Forwarded-For text, where a device's serial
// may stand. The calls over the limit get 429 and do not count.
//
// With several WORKERS the count is exact over all of them and still decided in this process: every process may
// grant its share, half the limit divided by the processes, on its own, and the other half is lent out by the
// primary (limit-ledger.ts), asked for before the share runs out. A fleet of quiet devices thus costs no message
// at all. A decision takes 0.9 µs, among 40,000 buckets 1.5 µs.
//
// Free text in the bucket's name means that who holds a credential can have as many buckets as they like. So a
// credential has at most mostPerOwner of them at a time, and what goes beyond shares one; memory stays bounded.
import { createHash } from 'node:crypto'
import { forwardedFor } from './address.ts'
import type { Call } from './call.ts'
import type { Clock } from './clock.ts'
import type { RateLimit, RateLimits } from './config.ts'
import { Fault } from './errors.ts'
import type { Reply } from './reply.ts'

export type LimitKind = keyof RateLimits

export type Limiter = {
  /** Counts one call; throws the 429, or gives a promise that does when another process must be asked. */
  readonly take: (kind: LimitKind, owner: string, rest: string) => Promise<void> | undefined
  /** Wraps a handler behind the guard: guard(limiter.limited('feed', handle)). */
  readonly limited: <C extends { readonly actor: string }>(
    kind: Exclude<LimitKind, 'login'>,
    handle: (caller: C, call: Call) => Promise<Reply>,
  ) => (caller: C, call: Call) => Promise<Reply>
  /** Sign-ins: per address and per e-mail, whatever X-Forwarded-For says. */
  readonly takeLogin: (address: string, email: string) => Promise<void>
}

/** What a lender says: calls granted now, and when the bucket's window ends. */
export type Loan = { readonly granted: number; readonly endsMs: number }

/** What is asked of a lender. Urgent: nothing is left here; only then what other processes hold is called back. */
export type Request = {
  readonly kind: LimitKind
  readonly bucket: string
  readonly endsMs: number
  readonly isUrgent: boolean
}

/** The other half of the limits, when it is kept by another process. */
export type Lender = {
  readonly processes: number
  /** The loan is received as the message arrives and not a moment later: a recall may be right behind it. */
  readonly borrow: (request: Request, receive: (loan: Loan) => void) => void
  /** Tells how the lender gets back what is not used yet: it then has to be asked again. */
  readonly onRecall: (giveBack: (kind: LimitKind, bucket: string, endsMs: number) => number) => void
}

export const mostPerOwner = 50_000
const mostInAll = 200_000

type Bucket = {
  readonly owner: string
  left: number
  endsMs: number
  /** All is used up until endsMs, in every process. */
  isEmpty: boolean
  borrowing: Promise<void> | undefined
}

export const openLimiter = (limits: RateLimits | 'off', clock: Clock, lender?: Lender): Limiter => {
  if (limits === 'off') return { take: () => undefined, limited: (_kind, handle) => handle, takeLogin: async () => {} }
  const stores = {
    feed: openStore('feed', limits.feed, clock, lender),
    property: openStore('property', limits.property, clock, lender),
    file: openStore('file', limits.file, clock, lender),
    login: openStore('login', limits.login, clock, lender),
  }
  lender?.onRecall((kind, bucket, endsMs) => stores[kind].giveBack(bucket, endsMs))

  const take: Limiter['take'] = (kind, owner, rest) => stores[kind].take(owner, rest)
  return {
    take,
    limited: (kind, handle) => (caller, call) => {
      const asking = take(kind, caller.actor, `${call.address} ${forwardedFor(call.headers)}`)
      return asking === undefined ? handle(caller, call) : asking.then(() => handle(caller, call))
    },
    takeLogin: async (address, email) => {
      await take('login', 'address', networkOf(address))
      await take('login', 'e-mail', email.trim().toLowerCase())
    },
  }
}

const openStore = (kind: LimitKind, limit: RateLimit, clock: Clock, lender: Lender | undefined) => {
  const buckets = new Map<string, Bucket>()
  const counts = new Map<string, number>()
  const windowMs = limit.seconds * 1000
  const share = lender === undefined ? limit.count : Math.floor(limit.count / 2 / lender.processes)

  /** Buckets stand in the order of their windows' beginnings, so those that are over are in front. */
  const removeEnded = (nowMs: number) => {
    for (const [name, bucket] of buckets) {
      if (bucket.endsMs > nowMs && bucket.endsMs - nowMs <= windowMs) return
      remove(name, bucket)
    }
  }
  const remove = (name: string, { owner }: Bucket) => {
    buckets.delete(name)
    const count = counts.get(owner)! - 1
    if (count === 0) counts.delete(owner)
    else counts.set(owner, count)
  }
  const bucketOf = (owner: string, rest: string, nowMs: number): readonly [string, Bucket] => {
    const name = bucketName(owner, rest)
    const known = buckets.get(name)
    // An end further away than a window means that the clock was set back.
    if (known && known.endsMs > nowMs && known.endsMs - nowMs <= windowMs) return [name, known]
    if (known) remove(name, known)
    removeEnded(nowMs)
    const isCrowded = (counts.get(owner) ?? 0) >= mostPerOwner || buckets.size >= mostInAll
    if (isCrowded && rest !== crowd) return bucketOf(owner, crowd, nowMs)
    return [name, begin(name, owner, nowMs + windowMs)]
  }
  const begin = (name: string, owner: string, endsMs: number): Bucket => {
    const bucket = { owner, left: share, endsMs, isEmpty: false, borrowing: undefined }
    buckets.set(name, bucket)
    counts.set(owner, (counts.get(owner) ?? 0) + 1)
    return bucket
  }

  const borrow = (name: string, bucket: Bucket, from: Lender): Promise<void> =>
    (bucket.borrowing ??= new Promise((resolve) => {
      const isUrgent = bucket.left === 0
      from.borrow({ kind, bucket: name, endsMs: bucket.endsMs, isUrgent }, (loan) => {
        bucket.left += loan.granted
        bucket.endsMs = loan.endsMs
        bucket.isEmpty = isUrgent && loan.granted === 0
        bucket.borrowing = undefined
        resolve()
      })
    }))

  const refusal = ({ endsMs }: Bucket): Fault => {
    const seconds = Math.max(1, Math.ceil((endsMs - clock.now()) / 1000))
    return new Fault('too_many_requests', `more than ${limit.count} calls in ${limit.seconds} s`, {
      headers: {
        'Retry-After': String(seconds),
        RateLimit: `"${kind}";r=0;t=${seconds}`,
        'RateLimit-Policy': `"${kind}";q=${limit.count};w=${limit.seconds}`,
      },
    })
  }

  const takeSlowly = async (owner: string, rest: string, from: Lender): Promise<void> => {
    // Others may take what was granted while we waited for it, so ask until there is some, or none at all.
    for (;;) {
      const [name, bucket] = bucketOf(owner, rest, clock.now())
      if (bucket.left > 0) {
        bucket.left -= 1
        return
      }
      if (bucket.isEmpty) throw refusal(bucket)
      await borrow(name, bucket, from)
    }
  }

  return {
    take: (owner: string, rest: string): Promise<void> | undefined => {
      const [name, bucket] = bucketOf(owner, rest, clock.now())
      if (bucket.left > 0) {
        bucket.left -= 1
        if (lender !== undefined && bucket.left === share >> 1 && !bucket.isEmpty) void borrow(name, bucket, lender)
        return undefined
      }
      if (lender === undefined || bucket.isEmpty) throw refusal(bucket)
      return takeSlowly(owner, rest, lender)
    },
    giveBack: (name: string, endsMs: number): number => {
      const nowMs = clock.now()
      const known = buckets.get(name)
      if (known && known.endsMs <= nowMs) remove(name, known)
      const bucket = buckets.get(name) ?? begin(name, ownerOf(name), endsMs)
      const { left } = bucket
      bucket.left = 0
      // From now on its window is the lender's, so that all processes begin anew together.
      bucket.endsMs = endsMs
      return left
    },
  }
}

const crowd = '\0crowd'

/** Long names are kept by their hash: a header may have 16 KB. */
const bucketName = (owner: string, rest: string) =>
  `${owner}\n${rest.length > 120 ? createHash('sha256').update(rest).digest('base64') : rest}`

const ownerOf = (name: string) => name.slice(0, name.indexOf('\n'))

/** One subscriber has a whole /64 of IPv6 addresses. */
const networkOf = (address: string): string => {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('%')[0]!.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill('0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')
}
