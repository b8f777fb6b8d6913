// Visits to the studio, each in a fresh browser, which fail on whatever the browser complains about: errors of scripts,
// messages in the console, dialogs; and how a page is judged: by axe-core, by its width, and by eye.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { TestService } from '../support/service.ts'

type Steps = (page: Page, open: (hash: string) => Promise<unknown>) => Promise<void>

export type Visits = {
  /** At the page for signing in. `expected` are complaints that the test provokes. */
  readonly visit: (steps: Steps, options?: BrowserContextOptions, expected?: RegExp) => Promise<void>
  /** As the owner. */
  readonly signedIn: Visits['visit']
  readonly signedInAs: (email: string, password: string, ...visit: Parameters<Visits['visit']>) => Promise<void>
  readonly signIn: (page: Page, password?: string, email?: string) => Promise<void>
  readonly open: (page: Page, hash: string) => Promise<void>
  /** Asserts that axe-core finds nothing serious, and that nothing is wider than the page; and shoots it. */
  readonly look: (page: Page, name: string) => Promise<void>
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

/** The browser itself reports each call that is refused, and those that a test lets fail. */
const ofRefusals = /status of 4(0[014]|09)|ERR_INTERNET_DISCONNECTED/

export const openVisits = async (browser: Browser, service: TestService): Promise<Visits> => {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

  const open: Visits['open'] = async (page, hash) => {
    await page.goto(`${service.url}/alt/#/${hash}`)
  }
  const visit: Visits['visit'] = async (steps, options = {}, expected) => {
    const context = await browser.newContext(options)
    const complaints: string[] = []
    const page = await context.newPage()
    page.on('console', (message) => {
      const text = message.text()
      if (!['error', 'warning'].includes(message.type()) || ofRefusals.test(text) || expected?.test(text)) return
      complaints.push(text)
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    // A page with changes that are not saved asks whether to leave it.
    page.on('dialog', (dialog) =>
      dialog.type() === 'beforeunload' ? void dialog.accept() : void complaints.push(dialog.message()),
    )
    try {
      await page.goto(service.url)
      await page.waitForSelector('input[name=email]')
      await steps(page, (hash) => open(page, hash))
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
  const signedInAs: Visits['signedInAs'] = (email, password, steps, ...rest) =>
    visit(
      async (page, openIt) => {
        await signIn(page, password, email)
        await page.waitForSelector('.side nav')
        await steps(page, openIt)
      },
      ...rest,
    )
  const shoot: Visits['shoot'] = async (page, name) => {
    const directory = process.env['SCREENSHOTS']
    if (directory) await page.screenshot({ path: `${directory}/${name}.png`, fullPage: true })
  }
  return {
    visit,
    signedIn: (...given) => signedInAs(service.ownerEmail, service.ownerPassword, ...given),
    signedInAs,
    signIn,
    open,
    shoot,
    look: async (page, name) => {
      await shoot(page, name)
      await page.evaluate(axe)
      const { violations } = (await page.evaluate('axe.run()')) as AxeReport
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      const named = serious.map(({ id, nodes }) => `${name}: ${id} ${nodes.map(({ html }) => html).join()}`)
      assert.deepEqual(named, [])
      const [wide, shown] = (await page.evaluate(
        '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
      )) as number[]
      assert.ok(wide! <= shown!, `${name}: ${wide} of ${shown} pixels`)
    },
    modes: {
      light: { viewport: { width: 1280, height: 860 } },
      dark: { viewport: { width: 1280, height: 860 }, colorScheme: 'dark' },
      phone: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
    },
  }
}
