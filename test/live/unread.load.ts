// Listeners of live feeds (docs/live.md) that do not read: nothing is kept for them, nobody waits for them, and they get
// everything once they do.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:http'
import { createInterface } from 'node:readline'
import { usedHeap } from '../support/heap.ts'
import { listen } from '../support/live.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

describe('listeners that do not read', () => {
  let service: TestService
  before(async () => {
    service = await openTestService()
  })
  after(() => service.close())

  // More than the buffers of a connection take.
  const ids = Array.from({ length: 200 }, (_, n) => `s${n}`)
  const textBytes = 65_536
  const putTexts = async (time: number) => {
    for (let from = 0; from < ids.length; from += 50) {
      const samples = ids.slice(from, from + 50).map((streamId) => {
        return { compId: 'Long', streamId, time, data: streamId.padEnd(textBytes, '.') }
      })
      const reply = await service.put('/api/feed', JSON.stringify(samples))
      assert.equal(reply.status, 200, reply.text)
    }
  }
  const url = () => `${service.url}/api/live?compId=Long&api_key=${service.apiKey}`
  const open = async (): Promise<IncomingMessage> => {
    const [reply] = (await once(get(url(), { agent: false }), 'response')) as [IncomingMessage]
    return reply
  }
  /** The streams of samples as they come, and whether the listener was live behind them. */
  const reader = (reply: IncomingMessage) => {
    const seen: string[] = []
    const lines = createInterface(reply)
    lines.on('line', (line) => {
      const sample = /^data: \{"compId":"Long","streamId":"([^"]*)","time":(\d+),/.exec(line)
      if (sample) seen.push(`${sample[1]} ${sample[2]}`)
      if (line === 'event: live') seen.push('live')
    })
    return { seen, pause: () => lines.pause(), resume: () => lines.resume() }
  }
  /** One that reads comes last, so that all others have got what there is room for. */
  const passBy = async (time: number) => {
    const listener = await listen(url())
    await listener.named('live')
    assert.deepEqual(new Set(listener.samples.map((sample) => sample.time)), new Set([time]))
    assert.equal(listener.samples.length, ids.length)
    listener.leave()
  }
  const mostKept = 20_000_000

  it('take next to no memory for last values and for later ones, and get each once when they read', async () => {
    await putTexts(1000)
    await passBy(1000)
    const before = usedHeap()
    const replies = await Promise.all(Array.from({ length: 6 }, open))
    try {
      await passBy(1000)
      assert.ok(usedHeap() - before < mostKept, `${usedHeap() - before} bytes for last values`)
      const readers = replies.map(reader)
      const values = (time: number) => ids.map((id) => `${id} ${time}`)
      for (const { seen } of readers) {
        await eventually(() => Promise.resolve(seen.at(-1) === 'live'))
        assert.deepEqual(seen, [...values(1000), 'live'])
      }
      for (const { pause } of readers) pause()
      await putTexts(2000)
      await passBy(2000)
      assert.ok(usedHeap() - before < mostKept, `${usedHeap() - before} bytes for later ones`)
      for (const { seen, resume } of readers) {
        resume()
        await eventually(() => Promise.resolve(seen.length > 2 * ids.length))
        assert.deepEqual(seen, [...values(1000), 'live', ...values(2000)])
      }
    } finally {
      for (const reply of replies) reply.destroy()
    }
  })
})
