// A visitor of the studio for tests: signs in, opens places, and fails on whatever the browser complains about. It looks
// at a page with axe-core, in light, dark and on a phone, and keeps a picture of it where SCREENSHOTS names a directory.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { TestService } from '../support/service.ts'

export type Visitor = {
  readonly page: Page
  /** A place behind the #. */
  readonly open: (place: string) => Promise<unknown>
  /** Nothing that axe finds serious, nothing wider than the page. */
  readonly look: (name: string) => Promise<void>
}

export const sizes = {
  light: { viewport: { width: 1100, height: 800 } },
  dark: { viewport: { width: 1100, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
} as const satisfies Record<string, BrowserContextOptions>

const axe = () => readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Calls that a test has the server refuse are reported by the browser itself; everything else it says is a fault. */
export const visitStudio = async (
  browser: Browser,
  service: TestService,
  steps: (visitor: Visitor) => Promise<void>,
  {
    email = service.ownerEmail,
    password = service.ownerPassword,
    size = 'light',
  }: { readonly email?: string; readonly password?: string; readonly size?: keyof typeof sizes } = {},
): Promise<void> => {
  const context = await browser.newContext(sizes[size])
  const complaints: string[] = []
  const page = await context.newPage()
  page.on('console', (message) => {
    const isRefusal = /status of 4\d\d/.test(message.text()) && message.location().url.includes('/api/')
    if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('dialog', (dialog) => complaints.push(dialog.message()))
  try {
    await page.goto(service.url)
    await page.fill('input[name=email]', email)
    await page.fill('input[name=password]', password)
    await page.press('input[name=password]', 'Enter')
    await page.waitForSelector('.side nav')
    await steps({
      page,
      open: (place) => page.goto(`${service.url}/alt/#/${place}`),
      look: (name) => lookAt(page, `${size}-${name}`),
    })
    assert.deepEqual(complaints, [])
  } finally {
    await context.close()
  }
}

const lookAt = async (page: Page, name: string): Promise<void> => {
  await page.locator('[aria-label="Loading…"]').first().waitFor({ state: 'detached' })
  const directory = process.env['SCREENSHOTS']
  if (directory) await page.screenshot({ path: `${directory}/${name}.png`, fullPage: true })
  await page.evaluate(axe())
  const { violations } = (await page.evaluate('axe.run()')) as AxeReport
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const named = serious.map(({ id, nodes }) => `${name}: ${id} ${nodes.map(({ html }) => html).join()}`)
  assert.deepEqual(named, [])
  // The window of a phone grows with what is wider than it, so its own width is no measure.
  const wide = (await page.evaluate('document.documentElement.scrollWidth')) as number
  assert.ok(wide <= page.viewportSize()!.width, `${name}: ${wide} pixels`)
}

type AxeReport = {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}
