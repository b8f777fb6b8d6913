// The studio in a real browser: signing in, the first sample, charts, and what nobody must be able to do to it. No error in
// the console on any page, nothing serious found by axe-core, nothing wider than the page.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { addApiKey, addMember, addOrganization, addUser, testPassword } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { skipWithout } from '../support/skip.ts'
import { openBrowser } from './browser.ts'

const image = '<img src=x onerror=alert(1)>'
const dayMs = 86_400_000

describe('the studio in a browser', function () {
  this.timeout(60_000)
  let browser: Browser | undefined
  let service: TestService
  let axe: string
  before(async function () {
    browser = await openBrowser()
    if (browser === undefined) return skipWithout(this, 'Chromium')
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    service = await openTestService()
    const start = Date.now() - 40 * dayMs
    const samples = Array.from({ length: 4000 }, (_, n) => ({
      compId: 'Boiler',
      streamId: 'temp',
      time: start + n * 860_000,
      data: 20 + 5 * Math.sin(n / 12),
    }))
    await service.put('/api/feed', JSON.stringify(samples))
    await service.put('/api/feed?compId=Boiler&mode=auto')
    await service.put('/api/feed?compId=Tower&height=1&time=1794700800000&folder=/Components/High')
    await service.put(`/api/feed?compId=${encodeURIComponent(image)}&${encodeURIComponent(image)}=1`)
    await service.sql`update component set time_zone = 'Asia/Kolkata' where id = 'Tower'`
  })
  after(async () => {
    await browser?.close()
    await service?.close()
  })

  /** Fails on whatever the browser complains about, but for credentials that are refused. */
  const visit = async (steps: (page: Page) => Promise<void>, options: BrowserContextOptions = {}): Promise<void> => {
    const context = await browser!.newContext(options)
    const complaints: string[] = []
    const page = await context.newPage()
    page.on('console', (message) => {
      // The browser itself reports each refused sign-in and each ended session.
      const isSignedOut = message.text().includes('status of 401')
      if (['error', 'warning'].includes(message.type()) && !isSignedOut) complaints.push(message.text())
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
  const fill = async (page: Page, password: string, email = service.ownerEmail) => {
    await page.fill('input[name=email]', email)
    await page.fill('input[name=password]', password)
    await page.press('input[name=password]', 'Enter')
  }
  const signIn = async (page: Page) => {
    await fill(page, service.ownerPassword)
    await page.waitForSelector('.side nav')
  }
  const open = (page: Page, hash: string) => page.goto(`${service.url}/alt/#/${hash}`)
  const uidOf = async (id: string) => {
    const [row] = await service.sql<{ uid: string }[]>`select uid from component where id = ${id}`
    return row!.uid
  }
  const alertOf = (page: Page) => page.locator('[role=alert]')
  const shoot = async (page: Page, name: string) => {
    const dir = process.env['SCREENSHOTS']
    if (dir) await page.screenshot({ path: `${dir}/${name}.png` })
  }

  it('leads there from /, and says nothing in the console at a first visit', () =>
    visit(async (page) => {
      assert.equal(page.url(), `${service.url}/alt/`)
      await signIn(page)
      await page.getByRole('link', { name: 'Boiler' }).waitFor()
    }))

  it('reports a wrong password until the next attempt, and not after a right one', () =>
    visit(async (page) => {
      await fill(page, 'wrong')
      await alertOf(page).waitFor()
      await shoot(page, 'wrong-password')
      await signIn(page)
      assert.equal(await alertOf(page).count(), 0)
    }))

  it('brings the sign-in back when the session ends, and goes on where one was', () =>
    visit(async (page) => {
      await signIn(page)
      await open(page, 'components?text=Tow')
      await page.getByRole('link', { name: 'Tower' }).waitFor()
      await page.context().clearCookies()
      await page.getByRole('searchbox').fill('Towe')
      await page.getByText('Your session has ended').waitFor()
      await signIn(page)
      await page.getByRole('link', { name: 'Tower' }).waitFor()
      assert.match(page.url(), /text=Towe/)
    }))

  it('lets a user of several organizations choose one, and remembers it', async () => {
    const ada = await addUser(service.sql, 'ada@example.org')
    await addMember(service.sql, service.organizationUid, ada, 'guest')
    const second = await addOrganization(service.sql, 'Second', ada)
    const { secret } = await addApiKey(service.sql, second.uid, [{ resource: '*', methods: ['PUT', 'POST'] }])
    await service.put(`/api/feed?compId=Kiln&heat=900&api_key=${secret}`)
    await visit(async (page) => {
      await fill(page, testPassword, ada.email)
      await page.getByRole('link', { name: 'Boiler' }).waitFor()
      await page.getByLabel('Organization').selectOption({ label: 'Second' })
      await page.getByRole('link', { name: 'Kiln' }).waitFor()
      await page.reload()
      await page.getByRole('link', { name: 'Kiln' }).waitFor()
    })
  })

  it('shows an empty organization the way to its first sample, and notices when it arrives', async () => {
    const eve = await addUser(service.sql, 'eve@example.org')
    await addOrganization(service.sql, 'Empty', eve)
    await visit(async (page) => {
      await fill(page, testPassword, eve.email)
      await page.getByRole('button', { name: 'Make a key' }).click()
      const line = page.locator('pre', { hasText: 'curl' })
      await line.filter({ hasNotText: 'your%20key' }).waitFor()
      const address = /"(.*)"/.exec((await line.textContent())!)![1]!
      assert.equal((await fetch(address, { method: 'PUT' })).status, 200)
      await page.getByRole('link', { name: 'Open the component' }).click()
      await page.getByRole('cell', { name: '20.1' }).waitFor()
    })
  })

  it('finds components by text and by folder', () =>
    visit(async (page) => {
      await signIn(page)
      await page.getByRole('searchbox').fill('boil')
      await page.getByText('1 component', { exact: true }).waitFor()
      await page.getByRole('searchbox').fill('')
      await page.getByRole('navigation', { name: 'Folders' }).getByText('High').click()
      await page.getByText('1 component', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Tower' }).waitFor()
    }))

  it('saves the properties of a component', async () => {
    const uid = await uidOf('Tower')
    await visit(async (page) => {
      await signIn(page)
      await open(page, `component/${uid}?tab=properties`)
      await page.getByLabel('Description').fill('high')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved').waitFor()
      await page.reload()
      await page.locator('textarea').waitFor()
      assert.equal(await page.locator('textarea').inputValue(), 'high')
    })
  })

  it('draws samples when near, statistics with their extremes when far, and keeps the window in the address', () =>
    visit(async (page) => {
      await signIn(page)
      await open(page, 'chart?of=Boiler/temp')
      await page.getByText('samples', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'All data' }).click()
      await page.getByText(/average by (hour|day)/).waitFor()
      await shoot(page, 'chart-far')
      const box = (await page.locator('.picture .u-over').boundingBox())!
      await page.mouse.move(box.x + box.width * 0.9, box.y + 50)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width * 0.92, box.y + 50, { steps: 5 })
      await page.mouse.up()
      await page.getByText('samples', { exact: true }).waitFor()
      const link = page.url()
      assert.match(link, /from=\d+&to=\d+/)
      await page.goto('about:blank')
      await page.goto(link)
      await page.getByText('samples', { exact: true }).waitFor()
    }))

  it("shows times as the component's clocks do, wherever the browser is, and names their zone", () =>
    visit(
      async (page) => {
        await signIn(page)
        await open(page, 'chart?of=Tower/height')
        await page.getByText('Times in Asia/Kolkata').waitFor()
        await page.getByRole('button', { name: 'Table' }).click()
        await page.getByRole('cell', { name: /05:30:00/ }).waitFor()
      },
      { timezoneId: 'America/New_York', locale: 'en-GB' },
    ))

  it('draws numbers that are as far apart as numbers can be, and streams without numbers', async () => {
    await service.put('/api/feed?compId=Ends&all=-1.7e308,0,1.7e308&least=0,5e-324,0&time=1,2,3')
    await visit(async (page) => {
      await signIn(page)
      for (const name of ['Ends/all', 'Ends/least', 'Boiler/mode']) {
        await open(page, `chart?of=${name}`)
        await page.locator('.picture canvas').waitFor()
      }
    })
  })

  it('shows names as texts, whatever they hold', async () => {
    const uid = await uidOf(image)
    await visit(async (page) => {
      await signIn(page)
      await page.getByRole('link', { name: image }).waitFor()
      await open(page, `component/${uid}`)
      await page.getByRole('heading', { name: image }).waitFor()
      await open(page, `chart?of=${encodeURIComponent(`${encodeURIComponent(image)}/${encodeURIComponent(image)}`)}`)
      await page.locator('.picture canvas').waitFor()
      assert.equal(await page.locator('img[src=x]').count(), 0)
    })
  })

  it('is served under a policy without inline scripts and styles', async () => {
    const page = await service.request('GET', '/alt/')
    const policy = page.headers.get('content-security-policy')!
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self';/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.equal((await service.request('GET', '/alt/assets/constructor')).status, 404)
  })

  for (const [name, options] of [
    ['light', { viewport: { width: 1100, height: 800 } }],
    ['dark', { viewport: { width: 1100, height: 800 }, colorScheme: 'dark' }],
    ['phone', { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }],
  ] as const)
    it(`has nothing that axe finds serious, and nothing wider than the page: ${name}`, () =>
      visit(async (page) => {
        const look = async (what: string) => {
          await shoot(page, `${name}-${what}`)
          await page.evaluate(axe)
          const found = (await page.evaluate('axe.run()')) as AxeReport
          const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
          const named = serious.map(({ id, nodes }) => `${what}: ${id} ${nodes.map(({ html }) => html).join()}`)
          assert.deepEqual(named, [])
          const [wide, shown] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as number[]
          assert.ok(wide! <= shown!, `${what}: ${wide} of ${shown} pixels`)
        }
        await look('sign-in')
        await signIn(page)
        await page.getByRole('link', { name: 'Boiler' }).waitFor()
        await look('components')
        const uid = await uidOf('Boiler')
        await open(page, `component/${uid}`)
        await page.getByRole('cell', { name: 'auto' }).waitFor()
        await look('component')
        await open(page, `component/${uid}?tab=properties`)
        await page.getByLabel('Description').waitFor()
        await look('properties')
        await open(page, 'chart?of=Boiler/temp')
        await page.getByText('samples', { exact: true }).waitFor()
        await look('chart')
      }, options))
})

type AxeReport = {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}
