import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import {
  badRequest,
  busy,
  conflict,
  databaseAway,
  Fault,
  faultCodes,
  forbidden,
  notFound,
  tooLarge,
  unauthorized,
} from '../../../src/base/errors.ts'
import { openLog } from '../../../src/base/log.ts'
import {
  emptyReply,
  jsonReply,
  keepUntilSent,
  replyFromError,
  toJson,
  writeReply,
} from '../../../src/base/http/reply.ts'

const json = { 'Content-Type': 'application/json; charset=utf-8' }
/** By pages of other origins. */
const seen = { 'Access-Control-Expose-Headers': 'Retry-After' }

/** The reply, and what was logged of it. */
const replyAndLog = (error: unknown) => {
  const lines: Record<string, unknown>[] = []
  const log = openLog('trace', { write: (line) => void lines.push(JSON.parse(line)) })
  return { reply: replyFromError(error, log), lines }
}

describe('base/reply', () => {
  const faults: readonly [error: Error, status: number, headers: object, body: string][] = [
    [badRequest('no'), 400, json, '{"success":false,"code":"bad_request","message":"no"}'],
    [
      unauthorized('who?'),
      401,
      { ...json, 'WWW-Authenticate': 'Bearer' },
      '{"success":false,"code":"unauthorized","message":"who?"}',
    ],
    [forbidden('no'), 403, json, '{"success":false,"code":"forbidden","message":"no"}'],
    [
      notFound('component', 'x'),
      404,
      json,
      `{"success":false,"code":"component_not_found","message":"component 'x' not found"}`,
    ],
    [
      notFound('api_key', 'x'),
      404,
      json,
      `{"success":false,"code":"api_key_not_found","message":"api key 'x' not found"}`,
    ],
    [conflict('no'), 409, json, '{"success":false,"code":"conflict","message":"no"}'],
    [tooLarge('no'), 413, json, '{"success":false,"code":"too_large","message":"no"}'],
    [busy('full'), 503, { ...json, ...seen, 'Retry-After': '1' }, '{"success":false,"code":"busy","message":"full"}'],
    [
      databaseAway(new Error('x')),
      503,
      { ...json, ...seen, 'Retry-After': '2' },
      '{"success":false,"code":"database_away","message":"the database is away"}',
    ],
    [
      Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
      503,
      { ...json, ...seen, 'Retry-After': '2' },
      '{"success":false,"code":"database_away","message":"the database is away"}',
    ],
    [new TypeError('a secret of ours'), 500, json, '{"success":false,"code":"internal","message":"internal error"}'],
    [
      badRequest('no', { members: { line: 1, column: 2 } }),
      400,
      json,
      '{"success":false,"code":"bad_request","message":"no","line":1,"column":2}',
    ],
  ]
  for (const [error, status, headers, body] of faults)
    it(`answers ${status} ${body.slice(16, 60)}`, () =>
      assert.deepEqual(replyAndLog(error).reply, { status, headers, body }))

  it('logs replies above 499, with its cause, and nothing below', () => {
    assert.deepEqual(replyAndLog(badRequest('no')).lines, [])
    const [internal] = replyAndLog(new TypeError('a secret of ours')).lines
    assert.equal(internal!['level'], 'error')
    assert.equal((internal!['err'] as { message: string }).message, 'a secret of ours')
    const away503 = new Fault('database_away', 'away, says this test only', { cause: new Error('connect refused') })
    const [away] = replyAndLog(away503).lines
    assert.equal(away!['level'], 'warn')
    assert.equal((away!['err'] as { message: string }).message, 'connect refused')
  })

  it('has for each code one of the statuses that docs/replies.md#errors names, or 500 and 416', () => {
    const known = new Set([400, 401, 403, 404, 405, 409, 413, 415, 416, 429, 500, 503])
    for (const [code, status] of Object.entries(faultCodes)) assert.ok(known.has(status), `${code}: ${status}`)
  })

  const values: readonly [value: unknown, text: string][] = [
    [{ data: 9007199254740993n }, '{"data":9007199254740993}'],
    [[-9223372036854775808n, '"1"', null, true], '[-9223372036854775808,"\\"1\\"",null,true]'],
    [{ data: '\uFFFF5' }, '{"data":"\uFFFF5"}'],
    [{ data: 0.1 + 0.2 }, '{"data":0.30000000000000004}'],
    [Object.assign(Object.create(null), { ['__proto__']: 1 }), '{"__proto__":1}'],
  ]
  for (const [value, text] of values) it(`writes ${text}`, () => assert.equal(toJson(value), text))

  it('knows the empty reply and a reply of JSON', () => {
    assert.deepEqual(emptyReply, { status: 200, headers: {}, body: '' })
    assert.deepEqual(jsonReply([1], 201), { status: 201, headers: json, body: '[1]' })
  })

  it('logs one reason for 503 once a second, however many calls it refuses', () => {
    const logged = Array.from({ length: 1000 }, () => replyAndLog(busy('this reason is of one test only')).lines)
    // A slow machine may take more than a second for them.
    const told = logged.flat()
    assert.ok(told.length >= 1 && told.length < 10, `${told.length} lines`)
    assert.equal(told[0]!['msg'], 'this reason is of one test only')
  })

  it('keeps the memory of a reply until it is sent, or its reader is gone, or there is none', async () => {
    const events: string[] = []
    const told = (): readonly string[] => events
    const body = 'x'.repeat(50_000_000)
    const server = createServer((request, response) => {
      const letGo = () => void events.push(`let go of ${request.url}`)
      void keepUntilSent(letGo, async () => ({ status: 200, headers: {}, body: request.url === '/small' ? 'x' : body }))
        .then((reply) => writeReply(response, reply))
        .then(() => server.emit('written'))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    try {
      const ask = (path: string) => connect(port, '127.0.0.1').end(`GET ${path} HTTP/1.0\r\n\r\n`)
      const slow = ask('/large').pause()
      await once(server, 'written')
      await new Promise((resolve) => setTimeout(resolve, 100))
      assert.deepEqual(told(), [])
      await once(ask('/small').resume(), 'close')
      assert.deepEqual(told(), ['let go of /small'])
      slow.destroy()
      while (told().length < 2) await new Promise((resolve) => setTimeout(resolve, 10))
      assert.deepEqual(told(), ['let go of /small', 'let go of /large'])
      const failing = keepUntilSent(
        () => void events.push('let go of nothing'),
        () => Promise.reject(new Error('no')),
      )
      await assert.rejects(failing, /no/)
      assert.equal(told().at(-1), 'let go of nothing')
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
