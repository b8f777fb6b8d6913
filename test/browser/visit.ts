// Visits of the studio: a fresh browser for each, which fails on whatever the browser complains about, but for refusals
// that a test provokes.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { TestService } from '../support/service.ts'

export type Visits = {
  /** `expected` are complaints that the test provokes. */
  readonly visit: (
    steps: (page: Page) => Promise<void>,
    options?: BrowserContextOptions,
    expected?: RegExp,
  ) => Promise<void>
  readonly signedIn: Visits['visit']
  readonly signIn: (page: Page, password?: string, email?: string) => Promise<void>
  readonly open: (page: Page, hash: string) => Promise<void>
  /** Nothing serious by axe-core, nothing wider than the page; and a picture where SCREENSHOTS names a directory. */
  readonly look: (page: Page, name: string) => Promise<void>
}

export const openVisits = (browser: Browser, service: TestService): Visits => {
  const visit: Visits['visit'] = async (steps, options = {}, expected) => {
    const context = await browser.newContext(options)
    const complaints: string[] = []
    const page = await context.newPage()
    page.on('console', (message) => {
      const text = message.text()
      // The browser itself reports each refused sign-in and each ended session.
      const isRefusal = /status of 40[01]/.test(text) && /\/api\/|login|\/alt\//.test(message.location().url)
      if (['error', 'warning'].includes(message.type()) && !isRefusal && !expected?.test(text)) complaints.push(text)
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('dialog', (dialog) => complaints.push(dialog.message()))
    try {
      await page.goto(service.url)
      await page.waitForSelector('input[name=email]')
      await steps(page)
      assert.deepEqual(complaints, [])
    } finally {
      await context.close()
    }
  }
  const signIn: Visits['signIn'] = async (page, password = service.ownerPassword, email = service.ownerEmail) => {
    await page.fill('input[name=email]', email)
    await page.fill('input[name=password]', password)
    await page.press('input[name=password]', 'Enter')
  }
  return {
    visit,
    signIn,
    signedIn: (steps, options, expected) =>
      visit(
        async (page) => {
          await signIn(page)
          await page.waitForSelector('.side nav')
          await steps(page)
        },
        options,
        expected,
      ),
    open: async (page, hash) => {
      await page.goto(`${service.url}/alt/#/${hash}`)
    },
    look: async (page, name) => {
      const directory = process.env['SCREENSHOTS']
      if (directory) await page.screenshot({ path: `${directory}/${name}.png`, fullPage: true })
      await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
      const found = (await page.evaluate('axe.run()')) as AxeReport
      const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      assert.deepEqual(
        serious.map(({ id, nodes }) => `${name}: ${id} ${nodes.map(({ html }) => html).join()}`),
        [],
      )
      const [wide, shown] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as number[]
      assert.ok(wide! <= shown!, `${name}: ${wide} of ${shown} pixels`)
    },
  }
}

type AxeReport = {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}
