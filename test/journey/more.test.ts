// A reply has 1,000 items at most; a caller who wanted more gets a link to the rest, and gets all of it by following
// links.
import assert from 'node:assert/strict'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

const t = Math.floor(Date.now() / 1000) * 1000 - 86_400_000

type Item = { readonly streamId: string; readonly time: number; readonly data: number }

describe('a reply that is cut', () => {
  let service: TestService
  before(async () => {
    service = await openTestService()
    const samples = [
      ...Array.from({ length: 2500 }, (_, n) => ({ compId: 'C', streamId: 'a', data: n, time: t + 1000 * n })),
      ...Array.from({ length: 10 }, (_, n) => ({ compId: 'C', streamId: 'b', data: n, time: t + 1000 * n })),
      ...Array.from({ length: 1200 }, (_, n) => ({ compId: 'C', streamId: 'c', data: n, time: t + 1000 * n })),
      ...Array.from({ length: 2300 }, (_, n) => ({ compId: 'Wide', streamId: `s${n}`, data: n, time: t })),
    ]
    assert.equal((await service.put('/api/feed', JSON.stringify(samples))).status, 200)
  })
  after(() => service.close())

  /** The pages behind an address, as they are linked. */
  const follow = async (path: string): Promise<readonly (readonly Item[])[]> => {
    const pages: (readonly Item[])[] = []
    let address: string | undefined = path
    while (address !== undefined && pages.length < 20) {
      const reply = await service.get(address)
      assert.equal(reply.status, 200, reply.text)
      pages.push(reply.json as readonly Item[])
      const link = reply.headers.get('link')
      if (link === null) break
      const target = /^<(.*)>; rel="next"$/.exec(link)?.[1]
      assert.ok(target !== undefined && !target.includes(service.apiKey), link)
      const next: URL = new URL(target, `http://host${address}`)
      address = `${next.pathname}${next.search}`
    }
    return pages
  }
  const sizes = (pages: readonly (readonly Item[])[]) => pages.map((page) => page.length)
  const down = (streamId: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${streamId} ${count - 1 - n}`)
  const shown = (pages: readonly (readonly Item[])[]) => pages.flat().map(({ streamId, data }) => `${streamId} ${data}`)

  it('links to the rest of a stream, with or without a limit that is larger than the most', async () => {
    for (const query of ['retStreamId', 'retStreamId&limit=5000', `retStreamId=true&sd=${t}&ed=${t + 9e6}`]) {
      const pages = await follow(`/api/comp/C/stream/a/feed?${query}`)
      assert.deepEqual(sizes(pages), [1000, 1000, 500], query)
      assert.deepEqual(shown(pages), down('a', 2500))
    }
  })

  it('links to the rest of all streams, from the one in which it ends', async () => {
    for (const query of ['retStreamId', `retStreamId&limit=5000&sd=${t}&ed=${t + 9e6}`]) {
      const pages = await follow(`/api/comp/C/feed?${query}`)
      assert.deepEqual(sizes(pages), [1000, 1000, 1000, 710], query)
      assert.deepEqual(shown(pages), [...down('a', 2500), ...down('b', 10), ...down('c', 1200)])
    }
  })

  it('links to the last values of the streams that follow', async () => {
    const pages = await follow('/api/comp/Wide/last_value?retStreamId')
    assert.deepEqual(sizes(pages), [1000, 1000, 300])
    assert.deepEqual(
      shown(pages),
      Array.from({ length: 2300 }, (_, n) => `s${n} ${n}`),
    )
  })

  it('links to the rest of statistics, of a stream and of all', async () => {
    const one = await follow('/api/comp/C/stream/a/cycle/second/stat/sum/feed?retStreamId')
    assert.deepEqual(shown(one), down('a', 2500))
    const all = await follow('/api/comp/C/cycle/second/stat/sum/feed?retStreamId')
    assert.deepEqual(shown(all), [...down('a', 2500), ...down('b', 10), ...down('c', 1200)])
    const last = await follow('/api/comp/Wide/cycle/second/stat/sum/last_value?retStreamId')
    assert.deepEqual(sizes(last), [1000, 1000, 300])
  })

  it('gives no more than the limit over all links together', async () => {
    for (const [path, expected] of [
      ['stream/a/feed?retStreamId&limit=2200', [1000, 1000, 200]],
      ['stream/a/feed?LIMIT=1001', [1000, 1]],
      ['stream/a/feed?limit=2000', [1000, 1000]],
      ['feed?limit=3333', [1000, 1000, 1000, 333]],
      ['stream/a/cycle/second/stat/sum/feed?limit=1500', [1000, 500]],
      ['cycle/second/stat/sum/feed?limit=2750', [1000, 1000, 750]],
    ] as const)
      assert.deepEqual(sizes(await follow(`/api/comp/C/${path}`)), expected, path)
    assert.deepEqual(sizes(await follow('/api/comp/Wide/last_value?limit=1234')), [1000, 234])
  })

  it('has no link when nothing was left out, or as much as was asked for is there', async () => {
    for (const path of [
      'stream/a/feed?limit=1000',
      'stream/a/feed?limit=10',
      'feed?limit=1',
      'stream/b/feed?limit=5000',
      `stream/c/feed?sd=${t}&ed=${t + 1_000_000}`,
      'last_value',
    ])
      assert.equal((await service.get(`/api/comp/C/${path}`)).headers.get('link'), null, path)
  })

  it('lets pages of other origins see the link', async () => {
    const { headers } = await service.get('/api/comp/C/feed')
    assert.equal(headers.get('access-control-expose-headers'), 'Link')
  })

  for (const after of ['', 'x', '0x1', '1,', '1,2,3', '1,x', '99999999999', '1,99999999999999999999'])
    it(`refuses after=${after}`, async () => {
      assert.equal((await service.get(`/api/comp/C/feed?after=${after}`)).status, 400)
    })
})
