import assert from 'node:assert/strict'
import { openLog } from '../src/base/log.ts'
import { openMetrics } from '../src/metrics.ts'
import type { Refused } from '../src/refusals.ts'
import { openRefusals } from '../src/refusals.ts'

const put = { method: 'PUT', path: '/api/feed' } as const
const unauthorized = { code: 'unauthorized', message: 'unknown API key' } as const

describe('refusals', () => {
  const open = () => {
    const clock = { nowMs: 0 }
    const lines: string[] = []
    const metrics = openMetrics()
    const log = openLog('warn', { write: (line) => void lines.push(line) })
    const { count } = openRefusals(metrics, log, () => clock.nowMs)
    const refuse = (address: string, more: Partial<Refused> = {}, actor?: string) =>
      count({
        status: 401,
        fault: unauthorized,
        route: put,
        call: { actor, address },
        hasCredential: true,
        ...more,
      })
    const shown = async (name: string) =>
      (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith(`${name}{`))
    return { clock, lines, refuse, shown }
  }

  it('are counted by reason, route and kind of credential', async () => {
    const { refuse, shown } = open()
    refuse('10.0.0.1')
    refuse('10.0.0.1', { hasCredential: false })
    refuse('10.0.0.1', { status: 429, fault: { code: 'too_many_requests', message: 'wait' } }, 'api_key k1')
    refuse('10.0.0.1', { status: 400, fault: undefined, route: undefined, call: undefined, hasCredential: false })
    const labels = (await shown('coppice_refused_requests_total')).map((line) => line.slice(line.indexOf('{')))
    assert.deepEqual(labels, [
      '{code="unauthorized",method="PUT",route="/api/feed",credential="unrecognized"} 1',
      '{code="unauthorized",method="PUT",route="/api/feed",credential="none"} 1',
      '{code="too_many_requests",method="PUT",route="/api/feed",credential="api_key"} 1',
      '{code="http_400",method="none",route="none",credential="none"} 1',
    ])
  })

  it('show the callers that were refused most in the last minutes, and all others as one', async () => {
    const { clock, refuse, shown } = open()
    for (let n = 0; n < 5000; n += 1) refuse(`10.1.${n >> 8}.${n & 255}`)
    for (let n = 0; n < 5; n += 1) refuse('10.0.0.7', {}, 'api_key busy')
    const callers = await shown('coppice_refused_callers')
    assert.equal(callers.length, 21)
    assert.equal(callers[0], 'coppice_refused_callers{caller="api_key busy"} 5')
    assert.equal(callers.at(-1), 'coppice_refused_callers{caller="other"} 4981')
    clock.nowMs = 300_000
    refuse('2001:db8::1')
    refuse('2001:db8::2')
    assert.deepEqual((await shown('coppice_refused_callers')).slice(0, 2), [
      'coppice_refused_callers{caller="api_key busy"} 5',
      'coppice_refused_callers{caller="address 32.1.13.184.0.0.0.0"} 2',
    ])
    clock.nowMs = 2_000_000
    assert.deepEqual(await shown('coppice_refused_callers'), [])
  })

  it('are remembered of some of any number of callers', async () => {
    const { refuse, shown } = open()
    for (let n = 0; n < 30_000; n += 1) refuse(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`)
    // One that comes when there is no more room is counted, and not by name.
    for (let time = 0; time < 100; time += 1) refuse('192.0.2.1')
    const callers = await shown('coppice_refused_callers')
    assert.equal(callers.length, 21)
    assert.equal(callers.at(-1), 'coppice_refused_callers{caller="other"} 30080')
  })

  it('are logged once a minute for each reason, with the last caller and the number before', () => {
    const { clock, lines, refuse } = open()
    for (let n = 0; n < 100; n += 1) refuse('10.0.0.1')
    refuse('10.0.0.1', { status: 400, fault: { code: 'bad_request', message: 'compId is missing' } })
    refuse('10.0.0.1', { status: 403, fault: { code: 'forbidden', message: 'not from here' } }, 'api_key k1')
    clock.nowMs = 60_000
    refuse('10.0.0.2')
    const seen = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    assert.deepEqual(
      seen.map(({ msg, reason, caller, route, moreBefore }) => [msg, reason, caller, route, moreBefore]),
      [
        ['refused: unknown API key', 'unauthorized', 'address 10.0.0.1', '/api/feed', undefined],
        ['refused: not from here', 'forbidden', 'api_key k1', '/api/feed', undefined],
        ['refused: unknown API key', 'unauthorized', 'address 10.0.0.2', '/api/feed', 99],
      ],
    )
  })

  it('are not logged a thousand times for a thousand reasons', () => {
    const { lines, refuse } = open()
    for (let n = 0; n < 1000; n += 1)
      refuse('10.0.0.1', { status: 403, fault: { code: 'forbidden', message: `reason ${n}` } })
    assert.ok(lines.length < 300, String(lines.length))
  })
})
