// The start page in a real browser: no message outlives its cause, the console has no error, and letters keep their
// shape on a phone.
import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { addApiKey, addMember, addOrganization, addUser, testPassword } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { skipWithout } from '../support/skip.ts'
import { openBrowser } from './browser.ts'

type Measured = {
  readonly scales: readonly [x: number, y: number]
  readonly boxes: readonly { readonly left: number; readonly right: number }[]
  readonly pageWidth: number
}

describe('the start page in a browser', function () {
  this.timeout(60_000)
  let browser: Browser | undefined
  let service: TestService
  before(async function () {
    browser = await openBrowser()
    if (browser === undefined) return skipWithout(this, 'Chromium')
    service = await openTestService()
    const start = Date.now() - 200 * 60_000
    const values = Array.from({ length: 200 }, (_, n) => (20 + 5 * Math.sin(n / 12) + (n % 7) / 10).toFixed(6))
    const times = values.map((_, n) => start + n * 60_000)
    await service.put(`/api/feed?compId=Boiler&temp=${values.join()}&time=${times.join()}`)
    await service.put('/api/feed?compId=Boiler&mode=auto')
    await service.put('/api/feed?compId=Tower&height=1&time=1794700800000')
    await service.sql`update component set time_zone = 'Asia/Kolkata' where id = 'Tower'`
  })
  after(async () => {
    await browser?.close()
    await service?.close()
  })

  /** Fails on whatever the browser complains about, but for passwords that are wrong. */
  const visit = async (steps: (page: Page) => Promise<void>, options: BrowserContextOptions = {}): Promise<void> => {
    const context = await browser!.newContext(options)
    const complaints: string[] = []
    const page = await context.newPage()
    page.on('console', (message) => {
      const isWrongPassword = message.text().includes('status of 401') && message.location().url.endsWith('/api/login')
      if (message.type() === 'error' && !isWrongPassword) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    try {
      await page.goto(service.url)
      await steps(page)
      assert.deepEqual(complaints, [])
    } finally {
      await context.close()
    }
  }
  const fill = async (page: Page, password: string) => {
    await page.fill('#email', service.ownerEmail)
    await page.fill('#password', password)
  }
  const signIn = async (page: Page) => {
    await fill(page, service.ownerPassword)
    await page.click('form button')
    await page.waitForSelector('#view:not([hidden])')
  }
  const alertOf = async (page: Page) => page.locator('#alert').textContent()
  const shoot = async (page: Page, name: string) => {
    const dir = process.env['SCREENSHOTS']
    if (dir) await page.screenshot({ path: `${dir}/${name}.png`, fullPage: true })
  }

  it('says nothing in the console at a first visit', async () => {
    const context = await browser!.newContext()
    const said: string[] = []
    const page = await context.newPage()
    page.on('console', (message) => void said.push(message.text()))
    page.on('pageerror', (error) => void said.push(String(error)))
    try {
      await page.goto(service.url)
      await page.waitForSelector('#signin:not([hidden])')
      await signIn(page)
      await page.reload()
      await page.waitForSelector('#view:not([hidden])')
      assert.deepEqual(said, [])
    } finally {
      await context.close()
    }
  })

  it('reports a wrong password until the next attempt, and not after a right one', () =>
    visit(async (page) => {
      await fill(page, 'wrong')
      await page.click('form button')
      await page.locator('#alert:not(:empty)').waitFor()
      await shoot(page, 'wrong-password')
      await signIn(page)
      assert.equal(await alertOf(page), '')
    }))

  /** Holds back the answers to all sign-ins until `answer` is called, and counts them. */
  const holdLogins = async (page: Page) => {
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    const bodies: string[] = []
    await page.route('**/api/login', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      bodies.push(route.request().postData() ?? '')
      await held
      // One that the page has given up is gone.
      await route.continue().catch(() => {})
    })
    return { answer: () => answer(), bodies }
  }

  it('takes the input typed last, while the answer to the attempt before it is still to come', () =>
    visit(async (page) => {
      const { answer, bodies } = await holdLogins(page)
      await fill(page, 'wrong')
      await page.press('#password', 'Enter')
      await fill(page, service.ownerPassword)
      await page.press('#password', 'Enter')
      answer()
      await page.waitForSelector('#view:not([hidden])')
      assert.equal(await alertOf(page), '')
      assert.equal(bodies.length, 2)
    }))

  it('signs in once, however often the button is pressed', () =>
    visit(async (page) => {
      const { answer, bodies } = await holdLogins(page)
      await fill(page, service.ownerPassword)
      for (let presses = 0; presses < 3; presses += 1) await page.click('form button')
      answer()
      await page.waitForSelector('#view:not([hidden])')
      assert.equal(bodies.length, 1)
    }))

  it('takes the same wrong password again, and reports it again', () =>
    visit(async (page) => {
      for (let attempts = 0; attempts < 2; attempts += 1) {
        await fill(page, 'wrong')
        await page.click('form button')
        await page.locator('#alert:not(:empty)').waitFor()
      }
    }))

  it('lets a user of several organizations choose one, and remembers it', async () => {
    const ada = await addUser(service.sql, 'ada@example.org')
    await addMember(service.sql, service.organizationUid, ada, 'guest')
    const second = await addOrganization(service.sql, 'Second', ada)
    const { secret } = await addApiKey(service.sql, second.uid, [{ resource: '*', methods: ['PUT', 'POST'] }])
    await service.put(`/api/feed?compId=Kiln&heat=900&api_key=${secret}`)
    const shown = (page: Page, id: string) =>
      page.locator(`#component option[value=${id}]`).waitFor({ state: 'attached' })
    await visit(async (page) => {
      await page.fill('#email', ada.email)
      await page.fill('#password', testPassword)
      await page.click('form button')
      await page.waitForSelector('#organizations:not([hidden])')
      await shown(page, 'Boiler')
      await page.selectOption('#organization', { label: 'Second' })
      await shown(page, 'Kiln')
      await page.locator('#rows td', { hasText: '900' }).waitFor()
      await shoot(page, 'organizations')
      await page.reload()
      await shown(page, 'Kiln')
      assert.equal(await alertOf(page), '')
    })
    await visit(async (page) => {
      await signIn(page)
      assert.equal(await page.locator('#organizations').isVisible(), false)
    })
  })

  it("shows times as the component's clocks do, wherever the browser is, and names their zone", () =>
    visit(
      async (page) => {
        await signIn(page)
        await page.selectOption('#component', 'Tower')
        await page.locator('#zone', { hasText: 'Times in Asia/Kolkata' }).waitFor()
        await page.locator('#rows td', { hasText: /05:30:00/ }).waitFor()
        await page.locator('#from', { hasText: /05:30/ }).waitFor()
        await shoot(page, 'zone')
      },
      { timezoneId: 'America/New_York', locale: 'en-GB' },
    ))

  it('draws numbers that are as far apart as numbers can be', async () => {
    await service.put('/api/feed?compId=Ends&all=-1.7e308,0,1.7e308&least=0,5e-324,0&time=1,2,3')
    await visit(async (page) => {
      await signIn(page)
      await page.selectOption('#component', 'Ends')
      for (const stream of ['all', 'least']) {
        await page.selectOption('#stream', stream)
        await page.locator('#high', { hasText: stream === 'all' ? '1.7e+308' : '5e-324' }).waitFor()
        assert.match(await page.locator('#line').evaluate((line) => line.outerHTML), /points="([\d.]+,[\d.]+ ?){3}"/)
      }
    })
  })

  it('keeps to the width of the page, however long the names are', async () => {
    const name = 'Ä'.repeat(400)
    await service.put('/api/feed', JSON.stringify([{ compId: name, streamId: name, data: 1 }]))
    for (const width of [320, 1100])
      await visit(
        async (page) => {
          await signIn(page)
          await page.selectOption('#component', name)
          await page.locator(`#stream option[value="${name}"]`).waitFor({ state: 'attached' })
          const [wide, shown] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [
            number,
            number,
          ]
          assert.ok(wide <= shown, `${wide} of ${shown} pixels`)
        },
        { viewport: { width, height: 700 } },
      )
  })

  it('draws a stream without numbers, and one without samples, without a complaint', () =>
    visit(async (page) => {
      await signIn(page)
      await page.selectOption('#stream', 'mode')
      await page.locator('#from', { hasText: 'no numbers yet' }).waitFor()
      await page.waitForSelector('#rows td')
      const attributes = await page.locator('svg').innerHTML()
      assert.doesNotMatch(attributes, /NaN|Infinity|undefined/)
      await shoot(page, 'no-numbers')
    }))

  for (const [name, options] of [
    ['light', { viewport: { width: 1100, height: 800 } }],
    ['dark', { viewport: { width: 1100, height: 800 }, colorScheme: 'dark' }],
    ['phone', { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }],
    ['narrow', { viewport: { width: 300, height: 560 }, colorScheme: 'dark' }],
  ] as const)
    it(`shows labels in their own shape, apart from each other and inside the page: ${name}`, () =>
      visit(async (page) => {
        await shoot(page, `${name}-signin`)
        await signIn(page)
        await page.locator('#line[points*=","]').waitFor()
        await shoot(page, name)
        const { scales, boxes, pageWidth } = await page.evaluate<Measured>(`(() => {
          const { a, d } = document.querySelector('svg').getScreenCTM()
          const boxOf = (id) => document.getElementById(id).getBoundingClientRect().toJSON()
          const boxes = ['from', 'to', 'high', 'low'].map(boxOf)
          return { scales: [a, d], boxes, pageWidth: document.documentElement.scrollWidth }
        })()`)
        assert.ok(Math.abs(scales[0] - scales[1]) < 0.01, String(scales))
        const [from, to] = boxes
        assert.ok(from!.right < to!.left, JSON.stringify(boxes))
        const { width } = options.viewport
        for (const { left, right } of boxes)
          assert.ok(left >= 0 && right <= width && right > left, JSON.stringify(boxes))
        assert.ok(pageWidth <= width, String(pageWidth))
      }, options))
})
