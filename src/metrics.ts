// What /metrics shows (decisions 0): how requests fare, what waits to be written, and the process itself.
// Labels are routes and statuses, never anything a caller wrote, so that no secret and no flood of names gets in.
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = {
  readonly observe: (route: string, method: string, status: number, seconds: number) => void
  /** A number that is asked for whenever somebody looks; of several processes their sum, or what all of them tell. */
  readonly gauge: (name: string, help: string, read: () => number | Promise<number>, ofSeveral?: 'sum' | 'max') => void
  readonly registry: Registry
}

export const openMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'coppice_http_request_seconds',
    help: 'Time from a request to its reply, by route, method and status',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  })
  return {
    registry,
    observe: (route, method, status, seconds) => requests.labels(route, method, String(status)).observe(seconds),
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
  }
}
