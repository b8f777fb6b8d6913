// Live feeds (docs/live.md) of many listeners, and of one that hears as much as it may.
import assert from 'node:assert/strict'
import type { LiveListener } from '../support/live.ts'
import { listen } from '../support/live.ts'
import { addApiKey } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

describe('live feeds of a crowd', function () {
  let service: TestService
  const listeners: LiveListener[] = []
  before(async () => {
    service = await openTestService()
  })
  after(() => service.close())
  afterEach(() => {
    for (const listener of listeners.splice(0)) listener.leave()
  })
  const live = async (query: string) => {
    const listener = await listen(`${service.url}/api/live?${query}&api_key=${service.apiKey}`)
    listeners.push(listener)
    await listener.named('live')
    return listener
  }
  const put = async (query: string, body?: string) => {
    const reply = await service.put(`/api/feed?${query}`, body)
    assert.equal(reply.status, 200, reply.text)
  }

  it('give every sample to channels that together hear more than the share of their organization', async () => {
    const channels = Array.from({ length: 60 }, (_, n) => `Z${n}`)
    await put('', JSON.stringify([...channels, 'Q'].map((compId) => ({ compId, streamId: 'x', data: 0, time: 1 }))))
    const all = await Promise.all(channels.map((compId) => live(`compId=Q&compId=${compId}`)))
    const times = Array.from({ length: 2000 }, (_, n) => n + 2)
    await put('', JSON.stringify(times.map((time) => ({ compId: 'Q', streamId: 'x', time, data: time }))))
    for (const listener of all) {
      const seen = () => new Set(listener.samples.filter(({ compId }) => compId === 'Q').map(({ time }) => time))
      await listener.until(() => seen().size === 2001)
    }
    await put('compId=Q&x=1&time=9000')
    for (const { until, samples } of all) await until(() => samples.some(({ time }) => time === 9000))
  })

  it('refuse a listener whose caller listens to as many streams as its share', async () => {
    const streams = Array.from({ length: 1000 }, (_, n) => `s${n}`)
    await put('', JSON.stringify(streams.map((streamId) => ({ compId: 'Big', streamId, data: 0, time: 1 }))))
    const key = await addApiKey(service.sql, service.organizationUid, [
      { resource: 'component/*/feed', methods: ['GET'] },
    ])
    const url = `${service.url}/api/live?compId=Big&${streams.map((id) => `streamId=${id}`).join('&')}&api_key=${key.secret}`
    // They read: a reply of fetch that nobody reads or holds is given up when it is collected, and its listener with it.
    const all = await Promise.all(Array.from({ length: 100 }, () => listen(url)))
    listeners.push(...all)
    const refused = await fetch(url)
    const ended = all.filter(({ isEnded }) => isEnded()).map(({ events }) => events.at(-1)?.data)
    assert.deepEqual({ status: refused.status, ended }, { status: 503, ended: [] })
    for (const { leave } of all) leave()
    await eventually(async () => {
      const again = new AbortController()
      const { status } = await fetch(url, { signal: again.signal })
      again.abort()
      return status === 200
    })
  })
})
