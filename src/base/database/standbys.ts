// The standbys of DATABASE_READ_URL, and which of them a reading may go to: one that shows all that was stored when the
// reading began, whoever stored it and by whichever server. So a reply by a standby is the reply that the primary
// would have given, and nobody misses what they have just written (docs/scale.md#standbys).
//
// The primary is asked how far its log goes, one question at a time for all readings that wait; then a standby must have
// come as far, on the same timeline. One that does not come in time has no readings until it has.
// On an idle database, where the standby has come far enough already, that question is the only one.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Node, NodeState, Place } from './node.ts'
import { nodeOf } from './node.ts'
import { primaryUrl } from './primary.ts'
import { hostUrls } from './url.ts'

export type Standbys = {
  /** The addresses of all hosts, of which one may be the primary. */
  readonly urls: readonly string[]
  /** A standby for a reading that begins now; undefined: the primary. */
  readonly choose: () => Promise<Chosen | undefined>
  /** Has no readings for a while, because one has failed there. */
  readonly setAside: (url: string) => void
  readonly lags: () => Promise<readonly Lag[]>
  /** How many readings went there. */
  readonly readings: { standby: number; primary: number }
  readonly close: () => void
}

/** Its address, and the place in the log that it must show. */
export type Chosen = { readonly url: string; readonly place: Place }

/** A standby that is away, or of another timeline or cluster, has neither number. */
export type Lag = { readonly name: string; readonly bytes: number; readonly seconds: number }

const lookEveryMs = 1000
/** A standby that is further behind than this is worse than the primary. */
const patienceMs = 100
const pauseMs = 2
const asideMs = 1000

type Standby = {
  readonly node: Node
  asideUntilMs: number
  /** The place that it did not come to in time. */
  missed: number
}

export const openStandbys = (databaseUrl: string, readUrl: string): Standbys => {
  const standbys = hostUrls(readUrl).map((url): Standby => ({ node: nodeOf(url), asideUntilMs: 0, missed: 0 }))
  const readings = { standby: 0, primary: 0 }
  let turn = 0

  const askPrimary = async (): Promise<NodeState> => {
    const state = await nodeOf(await primaryUrl(databaseUrl)).ask()
    if (state.isStandby) throw new Error('the primary has become a standby')
    return state
  }
  const isUsable = ({ node, asideUntilMs, missed }: Standby): boolean => {
    const state = node.latest()
    return state?.isStandby === true && state.position >= missed && performance.now() >= asideUntilMs
  }
  const isOnLog = (state: NodeState | undefined, { system, timeline }: NodeState): boolean =>
    state?.isStandby === true && state.system === system && state.timeline === timeline
  /** Whether it has come as far as the primary was. */
  const hasCome = (state: NodeState | undefined, goal: NodeState): boolean =>
    isOnLog(state, goal) && state!.position >= goal.position

  const comesTo = async (standby: Standby, goal: NodeState): Promise<boolean> => {
    const { node } = standby
    if (hasCome(node.latest(), goal)) return true
    const untilMs = performance.now() + patienceMs
    for (;;) {
      const state = await node.ask()
      if (hasCome(state, goal)) return true
      if (!isOnLog(state, goal)) return false
      if (performance.now() >= untilMs) break
      await sleep(pauseMs)
    }
    standby.missed = goal.position
    return false
  }
  const find = async (): Promise<Chosen | undefined> => {
    const usable = standbys.filter(isUsable)
    if (usable.length === 0) return undefined
    const goal = await askPrimary()
    turn += 1
    const standby = usable[turn % usable.length]!
    return (await comesTo(standby, goal)) ? { url: standby.node.url, place: goal } : undefined
  }
  const choose = async (): Promise<Chosen | undefined> => {
    // Without an answer the primary's pool gives the error, if there is one.
    const chosen = await find().catch(() => undefined)
    readings[chosen === undefined ? 'primary' : 'standby'] += 1
    return chosen
  }
  const look = (): void => {
    for (const { node } of standbys) node.ask().catch(() => {})
  }
  look()
  const timer = setInterval(look, lookEveryMs).unref()

  const lags = async (): Promise<readonly Lag[]> => {
    const goal = await askPrimary().catch(() => undefined)
    const found = await Promise.all(
      standbys.map(async ({ node }): Promise<readonly Lag[]> => {
        const state = await node.ask().catch(() => undefined)
        if (state?.isStandby === false) return []
        if (state === undefined || goal === undefined || !isOnLog(state, goal))
          return [{ name: node.name, bytes: Number.NaN, seconds: Number.NaN }]
        const bytes = Math.max(0, goal.position - state.position)
        return [{ name: node.name, bytes, seconds: bytes === 0 ? 0 : state.ageSeconds }]
      }),
    )
    return found.flat()
  }
  return {
    urls: standbys.map(({ node }) => node.url),
    choose,
    setAside: (url) => {
      for (const standby of standbys) if (standby.node.url === url) standby.asideUntilMs = performance.now() + asideMs
    },
    lags,
    readings,
    close: () => clearInterval(timer),
  }
}
