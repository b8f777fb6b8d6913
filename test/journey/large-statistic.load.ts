// First and last values that are long texts: replies with them are whole, and their memory is charged before they are read.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { largeReplies } from '../../src/base/http/large-reply.ts'
import { rollUp } from '../../src/core/statistic/rollup.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

type Item = { readonly streamId?: string; readonly time: number; readonly data: unknown; readonly fData?: string }

const dayMs = 86_400_000

describe('a reply of first and last values that are long texts', () => {
  let service: TestService
  before(async () => {
    service = await openTestService()
  })
  after(() => service.close())
  const put = async (items: readonly object[]) =>
    assert.equal((await service.put('/api/feed', JSON.stringify(items))).status, 200)
  const read = async (path: string) => (await service.get(`/api/comp/${path}`)).json as readonly Item[]

  const long = 'ä"\n'.repeat(20_000)
  const begun = '\u00019'
  const firstDayMs = Date.UTC(2026, 0, 1)

  describe('of some streams', () => {
    before(async () => {
      const at = (day: number, data: string, streamId = 'a') => ({
        compId: 'L',
        streamId,
        time: firstDayMs + day * dayMs,
        data,
      })
      await put([
        at(0, `${long}0`),
        at(0.5, 'short'),
        at(1, begun),
        at(1.5, `${begun}${long}`),
        ...Array.from({ length: 30 }, (_, day) => at(2 + day, `${long}${2 + day}`)),
        at(40, 'no number', 'b'),
        at(1, `${long}c`, 'c'),
        at(3, `${long}d`, 'd'),
      ])
    })
    const days = Array.from({ length: 30 }, (_, day) => `${long}${31 - day}`)

    const check = async () => {
      const data = async (path: string) => (await read(path)).map((item) => item.data)
      assert.deepEqual(await data('L/stream/a/cycle/day/stat/first/feed'), [...days, begun, `${long}0`])
      assert.deepEqual(await data('L/stream/a/cycle/day/stat/last/feed'), [...days, `${begun}${long}`, 'short'])
      const all = await read('L/cycle/day/stat/last/feed?retStreamId')
      assert.deepEqual(
        all.map(({ streamId }) => streamId),
        [...Array.from({ length: 32 }, () => 'a'), 'b', 'c', 'd'],
      )
      assert.deepEqual(
        all.slice(-3).map((item) => item.data),
        ['no number', `${long}c`, `${long}d`],
      )
      assert.deepEqual(await data('L/cycle/day/stat/last/last_value'), [days[0], 'no number', `${long}c`, `${long}d`])
      // The stream in which an earlier reply ended has later ones, which are not asked for.
      const after = `1,${firstDayMs + 2 * dayMs}`
      assert.deepEqual(await data(`L/cycle/day/stat/last/feed?after=${after}`), [
        'short',
        'no number',
        `${long}c`,
        `${long}d`,
      ])
    }

    it('shows each as it was stored, in its order', check)

    it('shows the same from tiles', async () => {
      while (await rollUp(service.sql, Date.now()));
      await check()
    })

    it('shows them formatted, and in one reply with a length', async () => {
      const { headers, text, json } = await service.get(
        '/api/comp/L/stream/a/cycle/day/stat/first/feed?limit=1&retFData',
      )
      assert.equal(headers.get('content-length'), String(Buffer.byteLength(text)))
      assert.deepEqual(
        (json as readonly Item[]).map(({ data, fData }) => [data, fData]),
        [[days[0], days[0]]],
      )
    })
  })

  describe('of many', () => {
    before(async () => {
      for (let part = 0; part < 4; part += 1)
        await put(
          Array.from({ length: 100 }, (_, index) => ({
            compId: 'Vast',
            streamId: 'a',
            time: firstDayMs + (part * 100 + index) * 3_600_000,
            data: '\u0002'.repeat(65_000),
          })),
        )
    })

    it('is refused, with the remedy, when it would be larger than any may be', async () => {
      const { status, json } = await service.get('/api/comp/Vast/cycle/hour/stat/last/feed')
      assert.deepEqual([status, (json as { readonly code: string }).code], [413, 'too_large'])
      assert.equal((await service.get('/api/comp/Vast/cycle/hour/stat/last/feed?limit=3')).status, 200)
      assert.equal((await service.get('/api/comp/Vast/cycle/hour/stat/nongapcount/feed')).status, 200)
    })

    it('is charged until it has been sent', async () => {
      const all = largeReplies.free()
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {})
      socket.pause()
      const path = `/api/comp/Vast/cycle/hour/stat/last/feed?limit=100&api_key=${service.apiKey}`
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      await eventually(() => Promise.resolve(largeReplies.free() <= all - 100 * 65_000))
      socket.destroy()
      await eventually(() => Promise.resolve(largeReplies.free() === all))
    })
  })
})
