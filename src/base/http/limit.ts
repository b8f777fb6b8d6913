// Rate limits (docs/access.md#rate-limits): count calls per seconds and bucket, in windows that begin with a bucket's
// first call. A bucket is credential + client address + component + the raw X-Forwarded-For text, where a device's serial
// may stand: a gateway with one key serves a fleet. The calls over the limit get 429 and do not count.
//
// With several WORKERS the count is exact over all of them and still decided in this process: every process may
// grant its share, half the limit divided by the processes, on its own, and the other half is lent out by the
// primary (limit-ledger.ts), asked for before the share runs out. A fleet of quiet devices thus costs no message
// at all. A decision takes 0.9 µs, among 40,000 buckets 1.5 µs. Several servers on one database report to each
// other twice a second the buckets that are used much (limit-exchange.ts); no call waits for that.
//
// Free text in the bucket's name means that the holder of a credential can have any number of buckets. So a
// credential has at most mostPerOwner of them at a time, and its share of all (shares.ts); buckets beyond
// are one together. Where others leave it less than mostPerOwner, those beyond are 64, so that a fleet is served as before.
// Memory stays bounded, and nobody's buckets go for want of room.
import { createHash } from 'node:crypto'
import { addressGroup, forwardedFor, holdersOfAddress } from './address.ts'
import type { Call } from './call.ts'
import type { Clock } from '../clock.ts'
import type { RateLimit, RateLimits } from '../config.ts'
import { Fault } from '../errors.ts'
import { ownText } from '../own-text.ts'
import type { Exchange, Shared } from './limit-exchange.ts'
import { exchangeRegularly } from './limit-exchange.ts'
import type { AttemptOptions, Counts } from './limit-failure.ts'
import { openCounts, openFailures } from './limit-failure.ts'
import type { Reply } from './reply.ts'
import type { Holding } from '../shares.ts'
import { openShares } from '../shares.ts'

export type LimitKind = Exclude<keyof RateLimits, 'login'>

export type Limiter = {
  /** Counts one call; throws the 429, or gives a promise that does when another process must be asked. */
  readonly take: (kind: LimitKind, owner: string, rest: string, group?: string) => Promise<void> | undefined
  /** Wraps a handler behind the guard: guard(limiter.limited('feed', handle)). */
  readonly limited: <C extends { readonly actor: string; readonly tenantUid: string }>(
    kind: LimitKind,
    handle: (caller: C, call: Call) => Promise<Reply>,
  ) => (caller: C, call: Call) => Promise<Reply>
  /**
   * Signing in: failures per address and per e-mail, whatever X-Forwarded-For says. For an address that has signed the
   * e-mail in lately (`isFamiliar`) only its own failures at this e-mail count: strangers do not lock its user out.
   */
  readonly signIn: <T>(
    address: string,
    email: string,
    work: (isFamiliar: boolean) => Promise<T>,
    options?: AttemptOptions,
  ) => Promise<T>
  /** The address is where the e-mail's user is, as after a sign-in. */
  readonly knowAddress: (address: string, email: string) => Promise<void>
  /** A client's requests for a token: failures per address and client. */
  readonly clientRequest: <T>(
    address: string,
    clientId: string,
    work: () => Promise<T>,
    isFailure: (error: unknown) => boolean,
  ) => Promise<T>
}

/** The answer of a lender: calls granted now, and the end of the bucket's window. */
export type Loan = { readonly granted: number; readonly endsMs: number }

/** A request to a lender. Urgent: nothing is left here; only then are the loans of other processes called back. */
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
  /** Registers how the lender gets an unused loan back; after that it has to be asked again. */
  readonly onRecall: (giveBack: (kind: LimitKind, bucket: string, endsMs: number) => number) => void
}

export const mostPerOwner = 50_000
const mostInAll = 200_000

/** The most that wait of one address, behind which there may be many users: some seconds of hashing. */
export const mostWaitingSignIns = 32

type Bucket = Shared & {
  readonly owner: string
  /** Whether it takes one of its owner's places. */
  readonly isCounted: boolean
  /** Whether all is used up until endsMs, in every process. */
  isEmpty: boolean
  borrowing: Promise<void> | undefined
}

/** The keepers of counts that are not this process's alone. */
export type LimitKeepers = {
  readonly lender?: Lender | undefined
  readonly exchange?: Exchange
  readonly failures?: Counts
}

export const openLimiter = (
  limits: RateLimits | 'off',
  clock: Clock,
  { lender, exchange, failures = openCounts() }: LimitKeepers = {},
): Limiter => {
  if (limits === 'off')
    return {
      take: () => undefined,
      limited: (_kind, handle) => handle,
      signIn: (_address, _email, work) => work(false),
      knowAddress: async () => {},
      clientRequest: (_address, _clientId, work) => work(),
    }
  const stores = {
    feed: openStore('feed', limits.feed, clock, lender, exchange),
    property: openStore('property', limits.property, clock, lender, exchange),
    file: openStore('file', limits.file, clock, lender, exchange),
  }
  lender?.onRecall((kind, bucket, endsMs) => stores[kind].giveBack(bucket, endsMs))
  const processes = () => Math.max(lender?.processes ?? 1, exchange?.processes() ?? 1)
  const { attempt, know } = openFailures(limits.login, clock, failures, processes)

  const take: Limiter['take'] = (kind, owner, rest, group) => stores[kind].take(owner, rest, group)
  return {
    take,
    limited: (kind, handle) => (caller, call) => {
      const component = call.params['compId'] ?? call.query.get('compid') ?? ''
      const rest = `${call.address} ${forwardedFor(call.headers)}\n${component}`
      const asking = take(kind, caller.actor, rest, caller.tenantUid)
      return asking === undefined ? handle(caller, call) : asking.then(() => handle(caller, call))
    },
    signIn: (address, email, work, options) =>
      attempt([`address ${addressGroup(address)}`, emailBucket(email)], work, {
        mostWaiting: mostWaitingSignIns,
        ...options,
        holders: holdersOfAddress(address),
        familiar: familiarWith(address, email),
      }),
    knowAddress: (address, email) => know(familiarWith(address, email)),
    // Counted with the address: by the client alone, strangers could keep it from its tokens.
    clientRequest: (address, clientId, work, isFailure) =>
      attempt([`client ${addressGroup(address)} ${hashOf(clientId)}`], work, { isFailure }),
  }
}

const openStore = (
  kind: LimitKind,
  limit: RateLimit,
  clock: Clock,
  lender: Lender | undefined,
  exchange: Exchange | undefined,
) => {
  const buckets = new Map<string, Bucket>()
  const places = openShares(mostInAll)
  const holdings = new Map<string, Holding>()
  const windowMs = limit.seconds * 1000
  const share = lender === undefined ? limit.count : Math.floor(limit.count / 2 / lender.processes)
  const others = exchange && exchangeRegularly(kind, limit, clock, exchange, (name) => buckets.get(name))

  /** Buckets stand in the order of their windows' beginnings, so those that are over are in front. */
  const removeEnded = (nowMs: number) => {
    for (const [name, bucket] of buckets) {
      if (bucket.endsMs > nowMs && bucket.endsMs - nowMs <= windowMs) return
      remove(name, bucket)
    }
  }
  const remove = (name: string, { owner, isCounted }: Bucket) => {
    buckets.delete(name)
    if (!isCounted) return
    const holding = holdings.get(owner)!
    holding.give(1)
    if (holding.amount === 0) holdings.delete(owner)
  }
  /** Gives the bucket's name after it was given a place, or that of one for many, which has none. */
  const takePlace = (owner: string, rest: string, group: string): string => {
    const holding = holdings.get(owner) ?? places.open([group, owner])
    if (holding.amount >= mostPerOwner) return crowd
    if (!holding.take(1)) return `${crowd} ${hashOf(rest)[0]}`
    holdings.set(owner, holding)
    return rest
  }
  const bucketOf = (owner: string, rest: string, group: string, nowMs: number): readonly [string, Bucket] => {
    const name = bucketName(owner, rest)
    const known = buckets.get(name)
    // An end further away than a window means that the clock was set back.
    if (known && known.endsMs > nowMs && known.endsMs - nowMs <= windowMs) return [name, known]
    if (known) remove(name, known)
    removeEnded(nowMs)
    const isCrowd = rest.startsWith(crowd)
    const placed = isCrowd ? rest : takePlace(owner, rest, group)
    if (placed !== rest) return bucketOf(owner, placed, group, nowMs)
    return [name, begin(name, owner, nowMs + windowMs, !isCrowd)]
  }
  const begin = (given: string, owner: string, endsMs: number, isCounted: boolean): Bucket => {
    // Its parts are of a call, and would keep all of its text.
    const name = ownText(given)
    const bucket: Bucket = {
      name,
      owner,
      isCounted,
      left: share,
      used: 0,
      reported: 0,
      isShared: false,
      endsMs,
      isEmpty: false,
      borrowing: undefined,
    }
    buckets.set(name, bucket)
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

  const use = (bucket: Bucket): void => {
    bucket.left -= 1
    bucket.used += 1
    others?.note(bucket)
  }
  const takeSlowly = async (owner: string, rest: string, group: string, from: Lender): Promise<void> => {
    // Others may take a loan while we wait for it, so ask until there is some, or none at all.
    for (;;) {
      const [name, bucket] = bucketOf(owner, rest, group, clock.now())
      if (bucket.left > 0) {
        use(bucket)
        return
      }
      if (bucket.isEmpty) throw refusal(bucket)
      await borrow(name, bucket, from)
    }
  }

  return {
    take: (owner: string, rest: string, group = owner): Promise<void> | undefined => {
      const [name, bucket] = bucketOf(owner, rest, group, clock.now())
      if (bucket.left > 0) {
        use(bucket)
        if (lender !== undefined && bucket.left === share >> 1 && !bucket.isEmpty) void borrow(name, bucket, lender)
        return undefined
      }
      if (lender === undefined || bucket.isEmpty) throw refusal(bucket)
      return takeSlowly(owner, rest, group, lender)
    },
    giveBack: (name: string, endsMs: number): number => {
      const nowMs = clock.now()
      const known = buckets.get(name)
      if (known && known.endsMs <= nowMs) remove(name, known)
      const bucket = buckets.get(name) ?? begin(name, ownerOf(name), endsMs, false)
      const { left } = bucket
      bucket.left = 0
      // The bucket takes the window of the lender, so that all processes begin anew together.
      bucket.endsMs = endsMs
      return left
    },
  }
}

const crowd = '\0crowd'

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64')

/** No e-mail is longer: 64 KB of \uFDFA, which are 18 characters each, took 45 ms of everybody's time before anything was counted. */
const mostEmail = 320
const shortName = (email: string) => (email.length > mostEmail ? hashOf(email) : email)

/**
 * The same for all spellings that a database may take for one: its lower() goes by its collation, and makes i of İ, where this
 * language has two characters. So there are no marks either, and e-mails that differ by them count together.
 */
export const emailBucket = (email: string) =>
  `e-mail ${hashOf(shortName(email).trim().normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().toUpperCase().toLowerCase())}`
/** Of one account alone: e-mails that count together may be two people's, and one of them is a stranger at the other's. */
const familiarWith = (address: string, email: string) => {
  const spelling = shortName(email)
    .trim()
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  return `familiar ${addressGroup(address)} e-mail ${hashOf(spelling)}`
}

/** Long names are kept by their hash: a header may have 16 KB. */
const bucketName = (owner: string, rest: string) => `${owner}\n${rest.length > 120 ? hashOf(rest) : rest}`

const ownerOf = (name: string) => name.slice(0, name.indexOf('\n'))
