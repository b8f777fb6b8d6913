// What a chart shows, as its address says it (#/chart?of=Boiler/temp&over=Boiler/temp:day:max&from=…&to=…), so that a
// link shows a colleague the same picture: the streams, the statistics over them, and the window or how much of the
// latest.
import type { Statistic } from '../../../client/client.ts'
import { decoded } from '../decoded.ts'
import { withinYears } from './window.ts'
import type { Window } from './window.ts'

export type Over = { readonly of: string; readonly cycle: string; readonly statistic: Statistic }

export type View = {
  readonly of: readonly string[]
  readonly over: readonly Over[]
  /** Undefined: the window that fits the data there is. */
  readonly window: Window | undefined
  /** The length of a window that ends now; undefined: it stands still. */
  readonly liveMs: number | undefined
  readonly isTable: boolean
}

/** Those that are numbers; times of extremes are none to draw. */
export const drawnStatistics = [
  'avg',
  'min',
  'max',
  'sum',
  'first',
  'last',
  'nongapcount',
  'gapcount',
] as const satisfies readonly Statistic[]

/** As many as a tile of a dashboard holds. Each takes several calls: an address with thousands would make a flood of them. */
const mostStreams = 12
/** Some for each. */
const mostOver = 24

const firstOf = (texts: readonly string[], most: number) => [...new Set(texts)].slice(0, most)

/** A thousand years. */
const mostLiveMs = 1000 * 365.25 * 86_400_000

export const viewOf = (query: URLSearchParams): View => {
  const window = { from: momentIn(query.get('from')), to: momentIn(query.get('to')) }
  const liveMs = Number(query.get('live') ?? Number.NaN)
  return {
    of: firstOf(query.getAll('of'), mostStreams),
    over: firstOf(query.getAll('over'), mostOver).flatMap(overOf),
    window: window.to - window.from >= 1 ? withinYears(window) : undefined,
    liveMs: liveMs >= 1000 ? Math.min(liveMs, mostLiveMs) : undefined,
    isTable: query.has('table'),
  }
}

/** Milliseconds, or as ISO writes it; without an offset in UTC, because an address is the same for everybody. */
const momentIn = (text: string | null): number => {
  const ms = Number(text ?? Number.NaN)
  if (text === null || !Number.isNaN(ms)) return ms
  return Date.parse(/^\d{4}-\d\d-\d\dT[\d:.]+$/.test(text) ? `${text}Z` : text)
}

const overOf = (text: string): readonly Over[] => {
  const [of, cycle, statistic] = text.split(':')
  const known = drawnStatistics.find((one) => one === statistic)
  return of && cycle && known ? [{ of, cycle: decoded(cycle), statistic: known }] : []
}

export const queryOf = ({
  of,
  over,
  window,
  liveMs,
  isTable,
}: View): Readonly<Record<string, string | readonly string[]>> => ({
  of,
  over: over.map((one) => `${one.of}:${encodeURIComponent(one.cycle)}:${one.statistic}`),
  ...(liveMs === undefined
    ? window && { from: String(Math.round(window.from)), to: String(Math.round(window.to)) }
    : { live: String(Math.round(liveMs)) }),
  ...(isTable ? { table: '' } : {}),
})
