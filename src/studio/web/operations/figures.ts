// The figures that the page shows: how each is read, how it is written, and from when on it is a reason to worry. The
// limits are those of docs/operations.md#monitoring.
import type { Figures } from './exposition.ts'
import { pointsOf, sumOf } from './exposition.ts'

export type Reading = { readonly atMs: number; readonly figures: Figures }

export type State = 'fine' | 'watch' | 'worry'

export type Figure = {
  readonly name: FigureName
  /** Undefined where it cannot be known yet. */
  readonly read: (now: Reading, before: Reading | undefined) => number | undefined
  readonly show: (value: number) => string
  readonly state?: (value: number) => State
}

const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 })

const above =
  (watch: number, worry: number) =>
  (value: number): State =>
    value > worry ? 'worry' : value > watch ? 'watch' : 'fine'

export const showBytes = (bytes: number): string => {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${(bytes / 1024 ** power).toLocaleString('en', { maximumFractionDigits: power === 0 ? 0 : 1 })} ${units[power]}`
}

export const showSeconds = (seconds: number): string => {
  if (seconds < 1) return `${(seconds * 1000).toLocaleString('en', { maximumFractionDigits: 1 })} ms`
  if (seconds < 120) return `${number(seconds)} s`
  if (seconds < 7200) return `${number(seconds / 60)} min`
  return seconds < 172_800 ? `${number(seconds / 3600)} h` : `${number(seconds / 86_400)} days`
}

/** How much it has grown in a second; a server that has started anew counts from 0. */
const rate =
  (total: (figures: Figures) => number | undefined): Figure['read'] =>
  (now, before) => {
    const [one, two] = [before && total(before.figures), total(now.figures)]
    if (one === undefined || two === undefined || two < one) return undefined
    return (two - one) / Math.max(0.001, (now.atMs - before!.atMs) / 1000)
  }

const plain =
  (name: string): Figure['read'] =>
  ({ figures }) =>
    sumOf(figures, name)

const isError = ({ status = '' }: Readonly<Record<string, string>>) => status.startsWith('5')

export const errorsOf = (figures: Figures): number => sumOf(figures, 'coppice_http_request_seconds_count', isError) ?? 0

/** The time within which 99 of 100 uploads were answered, as far as the buckets tell it. */
const slowest: Figure['read'] = (now, before) => {
  const buckets = (reading: Reading | undefined) => {
    const counts = new Map<number, number>()
    if (reading === undefined) return counts
    for (const { labels, value } of pointsOf(reading.figures, 'coppice_http_request_seconds_bucket')) {
      if (labels['route'] !== '/api/feed' || labels['method'] !== 'PUT') continue
      const bound = labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels['le'])
      counts.set(bound, (counts.get(bound) ?? 0) + value)
    }
    return counts
  }
  const [early, late] = [buckets(before), buckets(now)]
  const grown = [...late].map(([bound, count]) => [bound, count - (early.get(bound) ?? 0)] as const)
  const all = grown.at(-1)?.[1] ?? 0
  if (before === undefined || all <= 0) return undefined
  const [bound] = grown.toSorted(([a], [b]) => a - b).find(([, count]) => count >= 0.99 * all)!
  return Number.isFinite(bound) ? bound : 30
}

/** Until the first ones are made, it is the age of the year 1970. */
const aggregated: Figure['read'] = ({ figures: all }) => {
  const seconds = sumOf(all, 'coppice_rollup_lag_seconds')
  return seconds !== undefined && seconds > 40 * 31_536_000 ? undefined : seconds
}

export const figures = [
  { name: 'samples', read: rate((all) => sumOf(all, 'coppice_stored_samples_total')), show: number },
  { name: 'requests', read: rate((all) => sumOf(all, 'coppice_http_request_seconds_count')), show: number },
  { name: 'slowest', read: slowest, show: (value) => `≤ ${showSeconds(value)}`, state: above(0.3, 1) },
  { name: 'waiting', read: plain('coppice_waiting_samples'), show: number, state: above(20_000, 100_000) },
  { name: 'storage', read: plain('coppice_database_bytes'), show: showBytes },
  { name: 'lag', read: aggregated, show: showSeconds, state: above(32_400, 86_400) },
  { name: 'failingImports', read: plain('coppice_imports_failing'), show: number, state: above(0, 0) },
  { name: 'lateImports', read: plain('coppice_imports_late'), show: number, state: above(0, 0) },
  { name: 'runningImports', read: plain('coppice_imports_running'), show: number },
  { name: 'failingDerived', read: plain('coppice_derive_failing_streams'), show: number, state: above(0, 0) },
  { name: 'derivedLag', read: plain('coppice_derive_lag_seconds'), show: showSeconds, state: above(5, 60) },
  { name: 'listeners', read: plain('coppice_live_listeners'), show: number, state: above(10_000, 18_000) },
  { name: 'connections', read: plain('coppice_database_connections'), show: number },
  { name: 'memory', read: plain('process_resident_memory_bytes'), show: showBytes },
  {
    name: 'eventLoop',
    read: plain('nodejs_eventloop_lag_p99_seconds'),
    show: showSeconds,
    state: above(0.05, 0.1),
  },
] as const satisfies readonly (Omit<Figure, 'name'> & { readonly name: string })[]

export type FigureName =
  | 'samples'
  | 'requests'
  | 'slowest'
  | 'waiting'
  | 'storage'
  | 'lag'
  | 'failingImports'
  | 'lateImports'
  | 'runningImports'
  | 'failingDerived'
  | 'derivedLag'
  | 'listeners'
  | 'connections'
  | 'memory'
  | 'eventLoop'

export type Refusal = { readonly code: string; readonly count: number; readonly lately: number }

/** Refused requests by their reason, most first; `lately` since the page was opened. */
export const refusalsOf = ({ figures: now }: Reading, { figures: first }: Reading): readonly Refusal[] => {
  const counts = (all: Figures) => {
    const sums = new Map<string, number>()
    for (const { labels, value } of pointsOf(all, 'coppice_refused_requests_total')) {
      const code = labels['code'] ?? ''
      sums.set(code, (sums.get(code) ?? 0) + value)
    }
    return sums
  }
  const early = counts(first)
  return [...counts(now)]
    .map(([code, count]) => ({ code, count, lately: Math.max(0, count - (early.get(code) ?? 0)) }))
    .toSorted((a, b) => b.lately - a.lately || b.count - a.count)
}

export type Caller = { readonly caller: string; readonly count: number }

export const refusedCallersOf = ({ figures: now }: Reading): readonly Caller[] =>
  pointsOf(now, 'coppice_refused_callers')
    .map(({ labels, value }) => ({ caller: labels['caller'] ?? '', count: value }))
    .toSorted((a, b) => b.count - a.count)

export type FailingImport = { readonly uid: string; readonly failures: number; readonly error: string }

export const failingImportsOf = ({ figures: now }: Reading): readonly FailingImport[] => {
  const failures = new Map(
    pointsOf(now, 'coppice_import_connector_failures').map(({ labels, value }) => [labels['connector'], value]),
  )
  return pointsOf(now, 'coppice_import_connector_last_error').map(({ labels }) => ({
    uid: labels['connector'] ?? '',
    failures: failures.get(labels['connector']) ?? 0,
    error: labels['error'] ?? '',
  }))
}
