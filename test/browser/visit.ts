// A visit to the studio in a real browser, which fails on whatever the browser complains about: errors of scripts,
// messages in the console, dialogs; and how a page is judged: by axe-core, by its width, and by eye.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { TestService } from '../support/service.ts'

type Steps = (page: Page, open: (hash: string) => Promise<unknown>) => Promise<void>

export type Visits = {
  /** The sign-in that is shown. */
  readonly fillIn: (page: Page, email: string, password: string) => Promise<void>
  readonly signedInAs: (email: string, password: string, steps: Steps, options?: BrowserContextOptions) => Promise<void>
  /** As the owner. */
  readonly signedIn: (steps: Steps, options?: BrowserContextOptions) => Promise<void>
  /** Asserts that axe-core finds nothing serious, and that nothing is wider than the page. */
  readonly look: (page: Page, what: string) => Promise<void>
  /** For people, where SCREENSHOTS names a directory. */
  readonly shoot: (page: Page, name: string) => Promise<void>
  readonly modes: Readonly<Record<'light' | 'dark' | 'phone', BrowserContextOptions>>
}

type AxeReport = {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

export const openVisits = async (browser: Browser, service: TestService): Promise<Visits> => {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

  const fillIn: Visits['fillIn'] = async (page, email, password) => {
    await page.fill('input[name=email]', email)
    await page.fill('input[name=password]', password)
    await page.press('input[name=password]', 'Enter')
  }
  const signedInAs: Visits['signedInAs'] = async (email, password, steps, options = {}) => {
    const context = await browser.newContext(options)
    const complaints: string[] = []
    const page = await context.newPage()
    page.on('console', (message) => {
      // The browser itself reports calls that are refused, and those that a test lets fail.
      const isExpected = /status of 4(01|04|09)|ERR_INTERNET_DISCONNECTED/.test(message.text())
      if (['error', 'warning'].includes(message.type()) && !isExpected) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    // A page with changes that are not saved asks whether to leave it.
    page.on('dialog', (dialog) =>
      dialog.type() === 'beforeunload' ? void dialog.accept() : void complaints.push(dialog.message()),
    )
    try {
      await page.goto(service.url)
      await fillIn(page, email, password)
      await page.waitForSelector('.side nav')
      await steps(page, (hash) => page.goto(`${service.url}/alt/#/${hash}`))
      assert.deepEqual(complaints, [])
    } finally {
      await context.close()
    }
  }
  const shoot: Visits['shoot'] = async (page, name) => {
    const dir = process.env['SCREENSHOTS']
    if (dir) await page.screenshot({ path: `${dir}/${name}.png`, fullPage: true })
  }
  return {
    fillIn,
    signedInAs,
    signedIn: (steps, options) => signedInAs(service.ownerEmail, service.ownerPassword, steps, options),
    shoot,
    look: async (page, what) => {
      await shoot(page, what)
      await page.evaluate(axe)
      const { violations } = (await page.evaluate('axe.run()')) as AxeReport
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      const named = serious.map(({ id, nodes }) => `${what}: ${id} ${nodes.map(({ html }) => html).join()}`)
      assert.deepEqual(named, [])
      const [wide, shown] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as number[]
      assert.ok(wide! <= shown!, `${what}: ${wide} of ${shown} pixels`)
    },
    modes: {
      light: { viewport: { width: 1280, height: 860 } },
      dark: { viewport: { width: 1280, height: 860 }, colorScheme: 'dark' },
      phone: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
    },
  }
}
