// Files in a real browser: uploaded by a page of another origin, shown, downloaded, and never able to do harm.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import type { Files } from '../support/file.ts'
import { openFiles } from '../support/file.ts'
import { openRandom } from '../support/random.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { skipWithout } from '../support/skip.ts'
import { openBrowser } from './browser.ts'

const path = (name: string) => `/api/comp/Gate/stream/photo/feed/file/${encodeURIComponent(name)}`

// One red pixel.
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

// One second of 8000 samples of 8 bits.
const wavHeader = '52494646641f000057415645666d74201000000001000100401f0000401f00000100080064617461401f0000'

describe('files in a browser', function () {
  this.timeout(60_000)
  let browser: Browser | undefined
  let service: TestService
  let files: Files
  let elsewhere: Server
  let page: Page
  before(async function () {
    browser = await openBrowser()
    if (browser === undefined) return skipWithout(this, 'Chromium')
    service = await openTestService()
    files = openFiles(service)
    elsewhere = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><input type="file" id="chosen">')
    })
    elsewhere.listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
  })
  after(async () => {
    await browser?.close()
    elsewhere?.close()
    await service?.close()
  })
  beforeEach(async () => {
    page = await (await browser!.newContext()).newPage()
  })
  afterEach(() => page.context().close())

  const url = (name: string, query = '') => `${service.url}${path(name)}?api_key=${service.apiKey}${query}`

  it('are uploaded by a page of another origin, as a form and as they are', async () => {
    const bytes = openRandom(70).bytes(700_000)
    await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`)
    await page.setInputFiles('#chosen', { name: 'night.bin', mimeType: 'image/x-night', buffer: bytes })
    for (const [name, isForm] of [
      ['by form.bin', true],
      ['as it is.bin', false],
    ] as const) {
      // In the page there are other types than here, so this is text.
      const status = await page.evaluate<number>(`(async () => {
        const file = document.querySelector('#chosen').files[0]
        const form = new FormData()
        form.append('file', file)
        const reply = await fetch(${JSON.stringify(url(name))}, { method: 'PUT', body: ${isForm ? 'form' : 'file'} })
        return reply.status
      })()`)
      assert.equal(status, 200)
      const stored = await files.get(path(name))
      assert.ok(stored.bytes.equals(bytes))
      assert.equal(stored.headers.get('content-type'), 'image/x-night')
    }
  })

  it('are read in part by a page of another origin, which sees size and tag', async () => {
    await files.put(path('part.txt'), '0123456789')
    await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`)
    const seen = await page.evaluate<string[]>(`(async () => {
      const reply = await fetch(${JSON.stringify(url('part.txt'))}, { headers: { Range: 'bytes=2-4' } })
      const tag = reply.headers.get('ETag')
      const again = await fetch(${JSON.stringify(url('part.txt'))}, { cache: 'no-store', headers: { 'If-None-Match': tag } })
      return [await reply.text(), reply.headers.get('Content-Range'), String(again.status)]
    })()`)
    assert.deepEqual(seen, ['234', 'bytes 2-4/10', '304'])
  })

  for (const [name, content] of [
    ['page.html', '<!doctype html><title>safe</title><script>document.title = "harm"</script>'],
    [
      'drawing.svg',
      '<svg xmlns="http://www.w3.org/2000/svg"><title>safe</title><script>document.title = "harm"</script></svg>',
    ],
    // Neither is a text file that looks like a page.
    ['looks-like-a-page.txt', '<!doctype html><script>document.title = "harm"</script>'],
  ] as const)
    it(`run no script when they are opened: ${name}`, async () => {
      await files.put(
        path(name),
        content,
        name.endsWith('.txt') ? { 'Content-Type': 'text/plain' } : { 'Content-Type': '' },
      )
      const refused: string[] = []
      page.on('console', (message) => refused.push(message.text()))
      const reply = await page.goto(url(name))
      assert.equal(reply!.status(), 200)
      assert.notEqual(await page.title(), 'harm')
      if (name.endsWith('.html')) assert.match(refused.join(), /script/i)
    })

  it('are shown when they are pictures', async () => {
    await files.put(path('dot.png'), png, { 'Content-Type': 'image/png' })
    await page.goto(url('dot.png'))
    assert.equal(await page.evaluate<number>('document.images[0].naturalWidth'), 1)
  })

  it('are played when they are sounds', async () => {
    const second = Buffer.concat([Buffer.from(wavHeader, 'hex'), Buffer.alloc(8000, 128)])
    await files.put(path('silence.wav'), second, { 'Content-Type': 'audio/wav' })
    await page.goto(url('silence.wav'))
    await page.waitForFunction('document.querySelector("video, audio").duration === 1')
  })

  it('are saved when they are attachments, under a name that deceives nobody', async () => {
    const name = 'photo\u202egpj/..\\"é;.exe'
    await files.put(path(name), 'content')
    const downloading = page.waitForEvent('download')
    await page.goto(url(name, '&disposition=attachment')).catch(() => {})
    const download = await downloading
    assert.match(download.suggestedFilename(), /^photo_gpj_\.\.__?é;\.exe$/)
    assert.equal(await readFile(await download.path(), 'utf8'), 'content')
  })
})
