// The metrics of /metrics (docs/operations.md#monitoring): of requests, of waiting writes, and of the process itself.
// Labels are routes, statuses and the bounded names of refusals.ts, never a caller's text, so that no secret and no
// flood of names gets in. docs/operations.md explains each. The gauges are registered in service.ts, where their
// objects are opened, the counts of refusals in refusals.ts.
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import type { Metric } from 'prom-client'
import type { Route } from './base/http/call.ts'

/** The route that a request is counted under. The same object each time. */
type CountedRoute = Pick<Route, 'method' | 'path'>

export type Series = readonly (readonly [values: readonly string[], number: number])[]

export type Metrics = {
  readonly observe: (route: CountedRoute, status: number, seconds: number) => void
  /** A number that is read at every scrape; of several processes their sum, or the value that all of them report. */
  readonly gauge: (name: string, help: string, read: () => number | Promise<number>, ofSeveral?: 'sum' | 'max') => void
  /** The same by a label, of which there are only a few. */
  readonly gauges: (name: string, help: string, label: string, read: () => ReadonlyMap<string, number>) => void
  /** The same by several labels, whose values are read together with the numbers, and which all processes report alike. */
  readonly series: (name: string, help: string, labels: readonly string[], read: () => Promise<Series>) => void
  /** A number that only grows, read at every scrape. */
  readonly total: (name: string, help: string, read: () => number) => void
  /** Gives a function that counts one more, of these values of the labels. */
  readonly counter: (name: string, help: string, labels: readonly string[]) => (...values: readonly string[]) => void
  readonly registry: Registry
}

export const openMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = openRequestHistogram()
  registry.registerMetric(requests.metric)
  return {
    registry,
    observe: requests.observe,
    gauge: (name, help, read, ofSeveral = 'sum') => {
      const made = new Gauge({
        name,
        help,
        aggregator: ofSeveral,
        registers: [registry],
        async collect() {
          made.set(await read())
        },
      })
    },
    gauges: (name, help, label, read) => {
      const made = new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        collect() {
          made.reset()
          for (const [value, number] of read()) made.set({ [label]: value }, number)
        },
      })
    },
    series: (name, help, labels, read) => {
      const made = new Gauge({
        name,
        help,
        labelNames: [...labels],
        aggregator: 'max',
        registers: [registry],
        async collect() {
          const found = await read()
          made.reset()
          for (const [values, number] of found)
            made.set(Object.fromEntries(labels.map((label, index) => [label, values[index]!])), number)
        },
      })
    },
    total: (name, help, read) => {
      const made = new Counter({
        name,
        help,
        registers: [registry],
        collect() {
          made.reset()
          made.inc(read())
        },
      })
    },
    counter: (name, help, labels) => {
      const made = new Counter({ name, help, labelNames: [...labels], registers: [registry] })
      return (...values) => made.labels(...values).inc()
    },
  }
}

/** All gauges of one look at /metrics are read at once. */
const togetherMs = 500

/** Gives what is being read, or was read last, for a while; a reading that has failed is tried again. */
export const readOnce = <T>(read: () => Promise<T>, forMs = togetherMs): (() => Promise<T>) => {
  let last: { readonly found: Promise<T>; readonly atMs: number; isOver: boolean } | undefined
  return () => {
    if (last !== undefined && (!last.isOver || performance.now() - last.atMs <= forMs)) return last.found
    const found = read()
    const own = { found, atMs: performance.now(), isOver: false }
    last = own
    found.then(
      () => (own.isOver = true),
      () => last === own && (last = undefined),
    )
    return found
  }
}

const bounds = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]

/**
 * The numbers of requests that took at most bounds[n] seconds but more than the bound before; the last took longer than
 * all.
 */
type Counted = { readonly counts: number[]; sum: number }

/** prom-client's own checks and hashes the labels with every observation: 4 µs of an upload's 94, here 0.05. */
const openRequestHistogram = () => {
  const name = 'coppice_http_request_seconds'
  const help = 'Time from a request to its reply, by route, method and status'
  const byRoute = new Map<CountedRoute, Map<number, Counted>>()

  const countedOf = (route: CountedRoute, status: number): Counted => {
    const byStatus = byRoute.get(route) ?? new Map<number, Counted>()
    byRoute.set(route, byStatus)
    const counted = byStatus.get(status) ?? { counts: Array<number>(bounds.length + 1).fill(0), sum: 0 }
    byStatus.set(status, counted)
    return counted
  }
  const observe: Metrics['observe'] = (route, status, seconds) => {
    const counted = byRoute.get(route)?.get(status) ?? countedOf(route, status)
    let bound = 0
    while (bound < bounds.length && seconds > bounds[bound]!) bound += 1
    counted.counts[bound]! += 1
    counted.sum += seconds
  }

  const valuesOf = ({ path, method }: CountedRoute, status: number, { counts, sum }: Counted) => {
    const labels = { route: path, method, status: String(status) }
    let below = 0
    const buckets = counts.map((count, at) => {
      below += count
      return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[at] ?? '+Inf' }, value: below }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: below },
    ]
  }
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: [...byRoute].flatMap(([route, byStatus]) =>
      [...byStatus].flatMap(([status, counted]) => valuesOf(route, status, counted)),
    ),
  })
  // All that a registry asks of a metric.
  return { observe, metric: { name, get } as unknown as Metric }
}
