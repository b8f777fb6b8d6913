import assert from 'node:assert/strict'
import { openMetrics } from '../src/metrics.ts'

describe('metrics', () => {
  it('show how long requests took, by route, method and status', async () => {
    const { observe, registry } = openMetrics()
    const put = { method: 'PUT', path: '/api/feed' } as const
    for (const seconds of [0.0005, 0.001, 0.002, 20]) observe(put, 200, seconds)
    observe(put, 400, 0.5)
    observe({ method: 'GET', path: '/healthz' }, 200, 0.25)
    const lines = (await registry.metrics()).split('\n').filter((line) => line.includes('coppice_http_request_seconds'))
    const told = (labels: string, le: string, value: number) =>
      assert.ok(lines.includes(`coppice_http_request_seconds_bucket{${labels},le="${le}"} ${value}`), lines.join('\n'))
    const uploads = 'route="/api/feed",method="PUT",status="200"'
    told(uploads, '0.001', 2)
    told(uploads, '0.003', 3)
    told(uploads, '10', 3)
    told(uploads, '+Inf', 4)
    told('route="/api/feed",method="PUT",status="400"', '0.3', 0)
    told('route="/api/feed",method="PUT",status="400"', '1', 1)
    assert.ok(lines.includes(`coppice_http_request_seconds_count{${uploads}} 4`))
    assert.ok(lines.includes(`coppice_http_request_seconds_sum{${uploads}} 20.0035`))
    assert.ok(lines.includes('coppice_http_request_seconds_count{route="/healthz",method="GET",status="200"} 1'))
    assert.ok(lines.includes('# TYPE coppice_http_request_seconds histogram'))
  })
})
