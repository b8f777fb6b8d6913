// Requests that were refused leave a trace: they are counted by reason, route and kind of credential, and for a while
// by caller, so that an operator sees the callers refused most. A refused credential is also logged, once a minute for
// each reason (docs/operations.md#the-log). Labels are ours (codes, routes, uids) or addresses, and no more of them than so many.
import { addressGroup } from './base/http/address.ts'
import type { Call, Route } from './base/http/call.ts'
import type { Fault } from './base/errors.ts'
import type { Log } from './base/log.ts'
import type { Metrics } from './metrics.ts'

export type Refusals = {
  /** Counts a request that has a route, or at least an address; without a fault, the status is the reason. */
  readonly count: (refused: Refused) => void
}

/** Of a client that has left meanwhile none is counted: nothing was refused to it. */
export type Refusal = Pick<Fault, 'code' | 'message'> & { readonly isGone?: boolean }

export type Refused = {
  readonly status: number
  readonly fault: Refusal | undefined
  readonly route: Pick<Route, 'method' | 'path'> | undefined
  readonly call: Pick<Call, 'actor' | 'address'> | undefined
  /** Whether a credential came along, for a call whose caller is not known. */
  readonly hasCredential: boolean
}

const windowMs = 300_000
const mostCallers = 10_000
const mostShown = 20
const logEveryMs = 60_000
const mostReasons = 200

export const openRefusals = (metrics: Metrics, log: Log, nowMs: () => number = () => performance.now()): Refusals => {
  const refused = metrics.counter('coppice_refused_requests_total', 'Requests that were refused, by reason', [
    'code',
    'method',
    'route',
    'credential',
  ])
  const callers = openWindow(nowMs)
  metrics.gauges(
    'coppice_refused_callers',
    `Requests refused in the last ten minutes or less, of the ${mostShown} callers with most and of all others`,
    'caller',
    callers.most,
  )
  const logged = openReasons(nowMs, log)
  return {
    count: ({ status, fault, route, call, hasCredential }) => {
      if (fault?.isGone) return
      const code = fault?.code ?? `http_${status}`
      const { method = 'none', path = 'none' } = route ?? {}
      refused(code, method, path, credentialOf(call, hasCredential))
      const caller = call && (call.actor ?? `address ${addressGroup(call.address)}`)
      if (caller !== undefined) callers.add(caller)
      if (fault && (status === 401 || status === 403)) logged(fault, caller, path)
    },
  }
}

/** user, api_key, unrecognized or none. */
const credentialOf = (call: Refused['call'], hasCredential: boolean): string =>
  call?.actor?.split(' ', 1)[0] ?? (hasCredential ? 'unrecognized' : 'none')

/** Counts of this span of time and the one before. */
const openWindow = (nowMs: () => number) => {
  let [now, before] = [new Map<string, number>(), new Map<string, number>()]
  let endsMs = nowMs() + windowMs
  const turn = () => {
    const lateMs = nowMs() - endsMs
    if (lateMs < 0) return
    before = lateMs < windowMs ? now : new Map()
    now = new Map()
    endsMs = nowMs() + windowMs
  }
  return {
    add: (caller: string) => {
      turn()
      const name = now.has(caller) || now.size < mostCallers ? caller : 'other'
      now.set(name, (now.get(name) ?? 0) + 1)
    },
    most: (): ReadonlyMap<string, number> => {
      turn()
      const sums = new Map(before)
      for (const [caller, count] of now) sums.set(caller, (sums.get(caller) ?? 0) + count)
      const others = sums.get('other') ?? 0
      sums.delete('other')
      const sorted = [...sums].toSorted(([, one], [, two]) => two - one)
      const rest = sorted.slice(mostShown).reduce((sum, [, count]) => sum + count, others)
      return new Map([...sorted.slice(0, mostShown), ...(rest > 0 ? [['other', rest] as const] : [])])
    },
  }
}

const openReasons = (nowMs: () => number, log: Log) => {
  const reasons = new Map<string, { readonly nextMs: number; readonly times: number }>()
  return ({ code, message }: Pick<Fault, 'code' | 'message'>, caller: string | undefined, route: string): void => {
    const reason = reasons.has(message) || reasons.size < mostReasons ? message : code
    const { nextMs, times } = reasons.get(reason) ?? { nextMs: 0, times: 0 }
    if (nowMs() < nextMs) return void reasons.set(reason, { nextMs, times: times + 1 })
    reasons.set(reason, { nextMs: nowMs() + logEveryMs, times: 0 })
    log.warn({ reason: code, caller, route, moreBefore: times || undefined }, `refused: ${reason}`)
  }
}
