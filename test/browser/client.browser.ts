// The client in a page of another origin: bundled as a page would, with nothing of Node in it.
import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { build } from 'esbuild'
import type * as Coppice from '../../src/client/client.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { skipWithout } from '../support/skip.ts'
import { openBrowser } from './browser.ts'

declare const coppice: typeof Coppice

const bundle = async (): Promise<string> => {
  const entry = new URL('../../src/client/client.ts', import.meta.url).pathname
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'coppice',
  })
  return outputFiles[0]!.text
}

describe('the client in a browser', function () {
  this.timeout(60_000)
  let browser: Browser | undefined
  let service: TestService
  let page: Page
  before(async function () {
    browser = await openBrowser()
    if (browser === undefined) return skipWithout(this, 'Chromium')
    service = await openTestService()
    page = await browser.newPage()
    await page.addScriptTag({ content: await bundle() })
  })
  after(async () => {
    await browser?.close()
    await service?.close()
  })

  it('uploads, reads a feed of several replies, follows live samples, and knows errors', async () => {
    const { url, apiKey } = service
    const found = await page.evaluate(
      async (options) => {
        const client = coppice.createClient(options)
        const upload = client.upload({ maxSamples: 500 })
        for (let time = 1; time <= 1200; time++)
          await upload.add({ compId: 'Clock', streamId: 'tick', time, data: time })
        await upload.close()
        let count = 0
        for await (const { data } of client.samples('Clock', { stream: 'tick' })) count += Number(data) > 0 ? 1 : 0
        const kinds: string[] = []
        for await (const { kind } of client.live([{ compId: 'Clock' }], { seconds: 0 })) kinds.push(kind)
        const error: unknown = await client.lastValues('Nobody').catch((caught: unknown) => caught)
        return {
          stored: upload.stored(),
          count,
          kinds,
          code: error instanceof coppice.CoppiceError ? error.code : String(error),
        }
      },
      { url, apiKey },
    )
    assert.deepEqual(found, { stored: 1200, count: 1200, kinds: ['sample', 'live'], code: 'component_not_found' })
  })

  it('signs in and uses a session, which travels in a header', async () => {
    const { url, ownerEmail: email, ownerPassword: password } = service
    const symbol = await page.evaluate(
      async (given) => {
        const { sessionUid } = await coppice.signIn(given, { url: given.url })
        const units = coppice.createClient({ url: given.url, session: sessionUid }).entities('unit')
        return (await units.make({ id: 'bar', symbol: ' bar' })).symbol
      },
      { url, email, password },
    )
    assert.equal(symbol, ' bar')
  })
})
