// Which calls the client tries again, and that it never carries one out twice that must not be.
import assert from 'node:assert/strict'
import type { Client } from '../../src/client/client.ts'
import { CoppiceError, createClient } from '../../src/client/client.ts'
import { retryAfterMs } from '../../src/client/error.ts'
import { waitBefore } from '../../src/client/retry.ts'
import type { ScriptedServer } from './server.ts'
import { answer, hangUp, openScriptedServer } from './server.ts'

const away = answer(503, { success: false, code: 'database_away', message: 'away' }, { 'Retry-After': '0' })
const limited = answer(429, { success: false, code: 'too_many_requests', message: 'wait' }, { 'Retry-After': '0' })

describe('the client, when a call fails', () => {
  let server: ScriptedServer
  let client: Client
  before(async () => {
    server = await openScriptedServer()
    client = createClient({ url: server.url, apiKey: 'secret key' })
  })
  after(() => server.close())

  const times = { compId: 'Boiler', streamId: 'temp', data: 1 }
  const cases: readonly [rule: string, repeats: boolean, call: () => Promise<unknown>][] = [
    ['a reading', true, () => client.lastValues('Boiler')],
    ['an upload whose samples have times', true, () => client.put([{ ...times, time: 1 }])],
    [
      'an upload in the URL with times',
      true,
      () => client.call('PUT /api/feed', { query: { compId: 'a', time: '1', x: 2 } }),
    ],
    ['an upload of which one sample has no time', false, () => client.put([{ ...times, time: 1 }, times])],
    [
      'an upload in the URL without a time',
      false,
      () => client.call('PUT /api/feed', { query: { compId: 'a', x: 2 } }),
    ],
    ['an upload by GET', false, () => client.call('GET /api/feed', { query: { asPut: true, compId: 'a', x: 2 } })],
    ['a new entity', false, () => client.entities('unit').make({ id: 'bar' })],
    ['a change', false, () => client.entities('unit').change('uid', { name: 'bar' })],
    ['a removal', false, () => client.entities('unit').remove('uid')],
    ['a script that may write', false, () => client.run('SELECT 1')],
    [
      'a push to a sink',
      false,
      () => client.call('GET /api/conn_sink/{org}/{endpoint}', { path: { org: 'o', endpoint: 'e' } }),
    ],
  ]
  for (const [rule, repeats, call] of cases) {
    it(`${repeats ? 'tries' : 'does not try'} ${rule} again when the server is away`, async () => {
      server.script(away, answer(200, '[]'))
      if (repeats) await call()
      else await assert.rejects(call(), { status: 503, code: 'database_away' })
      assert.equal(server.calls.length, repeats ? 2 : 1)
    })
    it(`${repeats ? 'tries' : 'does not try'} ${rule} again when the connection is lost`, async () => {
      server.script(hangUp, answer(200, '[]'))
      if (repeats) await call()
      else await assert.rejects(call(), { status: 0, code: 'unreachable' })
      assert.equal(server.calls.length, repeats ? 2 : 1)
    })
  }

  it('tries every call again after a 429, which says that nothing was done', async () => {
    server.script(limited, answer(201, { success: true, message: '', unit: { uid: 'u' } }))
    assert.deepEqual(await client.entities('unit').make({ id: 'bar' }), { uid: 'u' })
    assert.deepEqual(
      server.calls.map(({ method, body }) => [method, body]),
      [
        ['POST', '{"id":"bar"}'],
        ['POST', '{"id":"bar"}'],
      ],
    )
  })

  it('gives up after the number of tries that is given', async () => {
    server.script(away)
    await assert.rejects(createClient({ url: server.url, retries: 2 }).lastValues('Boiler'), { code: 'database_away' })
    assert.equal(server.calls.length, 3)
  })

  it('does not try a refusal again', async () => {
    server.script(answer(404, { success: false, code: 'component_not_found', message: "component 'x' not found" }))
    await assert.rejects(client.lastValues('x'), (error: unknown) => {
      assert.ok(error instanceof CoppiceError)
      assert.deepEqual(
        [error.status, error.code, error.message],
        [404, 'component_not_found', "component 'x' not found"],
      )
      return true
    })
    assert.equal(server.calls.length, 1)
  })

  it('names a refusal that is not the server’s by its status', async () => {
    server.script(answer(418, '<html>no</html>'))
    await assert.rejects(client.lastValues('x'), { status: 418, code: 'http_418' })
  })

  it('never shows the credential in an error', async () => {
    server.script(hangUp)
    await assert.rejects(
      createClient({ url: server.url, apiKey: 'secret key', retries: 0 }).lastValues('x'),
      (error) => {
        assert.doesNotMatch(`${String(error)} ${(error as Error).stack}`, /secret/)
        return true
      },
    )
  })

  it('ends a wait when it is aborted', async () => {
    const controller = new AbortController()
    server.script((response, request) => {
      answer(503, {}, { 'Retry-After': '30' })(response, request)
      setImmediate(() => controller.abort(new Error('enough')))
    })
    await assert.rejects(client.lastValues('x', { signal: controller.signal }), /enough/)
  })

  it('does not wait longer than a minute, but says how long the server asks to wait', () => {
    const error = new CoppiceError('wait', { status: 429, code: 'too_many_requests', retryAfterMs: 61_000 })
    const trying = { tried: 0, retries: 4, isRepeatable: true, isStream: false }
    assert.equal(waitBefore(error, trying), undefined)
    assert.equal(retryAfterMs('61', 0), 61_000)
    assert.equal(retryAfterMs('Thu, 01 Jan 1970 00:00:10 GMT', 4000), 6000)
  })

  it('waits longer from try to try', () => {
    const error = new CoppiceError('away', { status: 503, code: 'busy' })
    const waits = [0, 1, 2].map((tried) =>
      waitBefore(error, { tried, retries: 4, isRepeatable: true, isStream: false }, () => 0.5),
    )
    assert.deepEqual(waits, [250, 500, 1000])
  })
})
