// The studio in a real browser: signing in, the first sample, charts, and what nobody must be able to do to it. No error in
// the console on any page, nothing serious found by axe-core, nothing wider than the page.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as requestTo } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { openManager } from '../support/manage.ts'
import { addApiKey, addMember, addOrganization, addUser, testPassword } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'
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
    await service.put('/api/feed?compId=Clock&tick=1&time=1794700800000')
    await service.sql`update component set time_zone = 'Asia/Kolkata' where id = 'Clock'`
  })
  after(async () => {
    await browser?.close()
    await service?.close()
  })

  /** Fails on whatever the browser complains about, but for refusals that a test provokes. */
  const visit = async (steps: (page: Page) => Promise<void>, options: BrowserContextOptions = {}): Promise<void> => {
    const context = await browser!.newContext(options)
    const complaints: string[] = []
    const page = await context.newPage()
    page.on('console', (message) => {
      // The browser itself reports each refused sign-in, each ended session and each script that is wrong.
      const isRefusal = /status of 40[014]/.test(message.text())
      const isExpected = isRefusal && /\/api\/|login/.test(message.location().url)
      if (['error', 'warning'].includes(message.type()) && !isExpected) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    // A page with changes that are not saved asks whether to leave it.
    page.on('dialog', (dialog) =>
      dialog.type() === 'beforeunload' ? void dialog.accept() : void complaints.push(dialog.message()),
    )
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
      await page.getByRole('link', { name: 'Boiler', exact: true }).waitFor()
      const bytes = (await page.evaluate(`performance.getEntries()
        .filter(({ name, encodedBodySize }) => encodedBodySize && !name.includes('/api/'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`)) as number
      assert.ok(bytes > 20_000 && bytes < 300_000, `the first page takes ${bytes} bytes`)
    }))

  it('shows a file among the last values by its name', async () => {
    const put = `/api/comp/Notebook/stream/notes/feed/file/${encodeURIComponent('a note.txt')}`
    await service.request('PUT', `${put}?api_key=${service.apiKey}`, { body: 'text' })
    await visit(async (page) => {
      await signIn(page)
      await page.locator('.endless .last', { hasText: /^notes a note\.txt$/ }).waitFor()
    })
  })

  it('reports a wrong password until the next attempt, and not after a right one', () =>
    visit(async (page) => {
      await fill(page, 'wrong')
      await alertOf(page).waitFor()
      await shoot(page, 'wrong-password')
      // While the next attempt is under way, the message is gone already.
      let release = () => {}
      const held = new Promise<void>((resolve) => (release = resolve))
      await page.route('**/api/login', async (route) => {
        await held
        await route.continue()
      })
      await fill(page, service.ownerPassword)
      await alertOf(page).waitFor({ state: 'detached' })
      release()
      await page.waitForSelector('.side nav')
      assert.equal(await alertOf(page).count(), 0)
    }))

  it('brings the sign-in back when the session ends, and goes on where one was', () =>
    visit(async (page) => {
      await signIn(page)
      await open(page, 'components?text=Tow')
      // The list listens: else it would notice the end by that, before anything is typed.
      await page.getByRole('row', { name: /Tower/ }).getByText('height').waitFor()
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
      await page.getByRole('link', { name: 'Boiler', exact: true }).waitFor()
      await page.getByLabel('Organization').selectOption({ label: 'Second' })
      await page.getByRole('link', { name: 'Kiln' }).waitFor()
      await page.reload()
      await page.getByRole('link', { name: 'Kiln' }).waitFor()
    })
  })

  it('works below a path of a proxy', async () => {
    const outside: string[] = []
    const proxy = createServer((request, reply) => {
      const { url = '', method, headers } = request
      if (!url.startsWith('/coppice/')) {
        outside.push(url)
        return reply.writeHead(404).end()
      }
      const onward = requestTo(`${service.url}${url.slice('/coppice'.length)}`, { method, headers }, (answer) => {
        reply.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(reply)
      })
      onward.on('error', () => reply.destroy())
      reply.on('close', () => onward.destroy())
      return request.pipe(onward)
    }).listen(0, '127.0.0.1')
    try {
      await once(proxy, 'listening')
      await visit(async (page) => {
        await page.goto(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}/coppice/`)
        await page.waitForSelector('input[name=email]')
        await signIn(page)
        await page.getByRole('link', { name: 'Boiler', exact: true }).click()
        await page.getByRole('row', { name: /mode.*auto/ }).waitFor()
        assert.match(page.url(), /\/coppice\/alt\/#\/component\//)
        assert.deepEqual(outside, [])
      })
    } finally {
      proxy.closeAllConnections()
      proxy.close()
    }
  })

  it('opens a link in the organization that it is of, and says where the person does not belong to it', async () => {
    const bob = await addUser(service.sql, 'bob@example.org')
    await addMember(service.sql, service.organizationUid, bob, 'guest')
    const other = await addOrganization(service.sql, 'Other', bob)
    const { secret } = await addApiKey(service.sql, other.uid, [{ resource: '*', methods: ['PUT', 'POST'] }])
    await service.put(`/api/feed?compId=Boiler&elsewhere=900&api_key=${secret}`)
    let link = ''
    await visit(async (page) => {
      await fill(page, testPassword, bob.email)
      await page.getByLabel('Organization').selectOption({ label: 'Other' })
      await page.getByRole('link', { name: 'Boiler', exact: true }).click()
      await page.getByRole('link', { name: 'elsewhere' }).waitFor()
      link = page.url()
      await page.getByLabel('Organization').selectOption({ index: 0 })
      await page.getByRole('link', { name: 'Components' }).click()
      await page.getByRole('link', { name: 'Boiler', exact: true }).waitFor()
      await page.goto(link)
      await page.getByRole('link', { name: 'elsewhere' }).waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForSelector('input[name=email]')
      assert.doesNotMatch(page.url(), /org=/)
    })
    await visit(async (page) => {
      await signIn(page)
      await page.goto(link)
      await page.getByText('an organization that you do not belong to').waitFor()
    })
  })

  it('shows an empty organization the way to its first sample, and notices when it arrives', async () => {
    const eve = await addUser(service.sql, 'eve@example.org')
    await addOrganization(service.sql, 'Empty', eve)
    await visit(async (page) => {
      await fill(page, testPassword, eve.email)
      await page.getByRole('button', { name: 'Make a key' }).click()
      const line = page.locator('pre', { hasText: 'curl' })
      await line.filter({ hasNotText: 'YOUR_KEY' }).waitFor()
      const address = /'(.*)'/.exec((await line.textContent())!)![1]!
      const key = new URL(address).searchParams.get('api_key')!
      for (const language of ['Python', 'JavaScript', 'Arduino', 'MQTT']) {
        await page.getByRole('button', { name: language }).click()
        await page.locator('pre', { hasText: key }).nth(1).waitFor()
      }
      assert.equal((await fetch(address, { method: 'PUT' })).status, 200)
      await page.getByRole('link', { name: 'Open the component' }).click()
      await page.getByRole('cell', { name: '20.1' }).waitFor()
    })
  })

  it('fills an empty organization with the demo fleet, by one click', async function () {
    this.timeout(180_000)
    const dan = await addUser(service.sql, 'dan@example.org')
    await addOrganization(service.sql, 'Demo', dan)
    await visit(async (page) => {
      await fill(page, testPassword, dan.email)
      await page.getByRole('button', { name: 'Fill in the demo fleet' }).click()
      await page.getByRole('heading', { name: 'Components' }).waitFor({ timeout: 150_000 })
      await page
        .getByRole('link', { name: /^demo-/ })
        .first()
        .waitFor()
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
      await eventually(async () => (await page.locator('textarea').inputValue()) === 'high')
    })
  })

  it('shows last values as they are stored, of a component and of those in a list', async () => {
    const uid = await uidOf('Tower')
    await visit(async (page) => {
      await signIn(page)
      const row = page.getByRole('row', { name: /Tower/ })
      await row.getByText('height 1', { exact: true }).waitFor()
      await service.put('/api/feed?compId=Tower&height=12.5')
      await row.getByText('height 12.5', { exact: true }).waitFor()
      await service.put('/api/feed?compId=Tower&height=1')
      await open(page, `component/${uid}`)
      await page.getByRole('cell', { name: '1', exact: true }).waitFor()
      await service.put('/api/feed?compId=Tower&height=77')
      await page.getByRole('cell', { name: '77', exact: true }).waitFor()
    })
  })

  it('adds a sample by hand, and stores and shows a file', async () => {
    await service.put('/api/feed?compId=Gate&open=0&time=1000')
    const uid = await uidOf('Gate')
    await visit(async (page) => {
      await signIn(page)
      await open(page, `component/${uid}`)
      await page.getByRole('button', { name: 'Add a sample' }).click()
      await page.getByLabel('Value', { exact: true }).fill('42')
      await page.getByLabel(/^Time/).fill('2026-01-01T00:00:00')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('row', { name: /42 2026-01-01 00:00:00/ }).waitFor()
      await open(page, `component/${uid}?tab=files`)
      await page.setInputFiles('input[type=file]', { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hi') })
      await page.getByRole('link', { name: 'a.txt' }).waitFor()
    })
  })

  it('makes a key for the component that was picked and for no other, and shows its secret again', () =>
    visit(async (page) => {
      await signIn(page)
      await open(page, 'security?tab=keys')
      await page.getByRole('button', { name: 'New API key' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Tower key')
      await page.getByLabel('Add one component, by name').fill('Tow')
      await page.getByRole('button', { name: 'Tower', exact: true }).click()
      await page.getByRole('button', { name: 'Save' }).click()
      const secret = await page.getByRole('dialog', { name: 'Secret key' }).locator('pre').textContent()
      const fed = (id: string) =>
        fetch(`${service.url}/api/feed?compId=${id}&height=2&api_key=${secret}`, { method: 'PUT' })
      assert.equal((await fed('Tower')).status, 200)
      assert.equal((await fed('Boiler')).status, 403)
      await page.getByRole('button', { name: 'Close' }).click()
      await page
        .getByRole('row', { name: /Tower key/ })
        .getByRole('button', { name: 'View Secret Key' })
        .click()
      assert.equal(await page.getByRole('dialog').locator('pre').textContent(), secret)
    }))

  it('writes a connector from a recipe, tries it on a message, and lists its calls', () =>
    visit(async (page) => {
      await signIn(page)
      await open(page, 'connectors')
      await page.getByRole('button', { name: 'New HTTP connector' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Hook')
      await page.getByLabel('Endpoint').fill('hook')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Try it' }).click()
      await page.getByText('It would store 1 sample').waitFor()
      await page.getByRole('cell', { name: 'boiler-1' }).waitFor()
      await page.getByLabel('@HTTP_BODY').fill('{"device":"boiler-1","t":"warm"}')
      await page.getByRole('button', { name: 'Try it' }).click()
      await alertOf(page).waitFor()
      await page.getByText('KEY is the secret of an API key').getByRole('link', { name: 'API keys' }).waitFor()
      const { secret } = await addApiKey(service.sql, service.organizationUid, [{ resource: '*', methods: ['POST'] }])
      const sink = `${service.url}/api/conn_sink/${service.organizationUid}/hook?api_key=${secret}`
      const pushed = await fetch(sink, { method: 'POST', body: '{"device":"boiler-2","t":7}' })
      assert.equal(pushed.status, 200)
      await page.getByRole('button', { name: 'Try this call again' }).waitFor()
    }))

  it('runs a query, underlines an error, and shows a result as a chart', () =>
    visit(async (page) => {
      await signIn(page)
      const script = "SELECT time, sample FROM Stream WHERE cid = 'Boiler' AND id = 'temp' AND sample(Range(last=50))"
      await open(page, `query?s=${encodeURIComponent(script)}`)
      await page.getByRole('button', { name: 'Run' }).click()
      await page.getByText('50 rows').waitFor()
      const editor = page.locator('.cm-content')
      await editor.press('Control+End')
      await page.keyboard.type(" OR cid = 'Tow")
      await page.locator('.cm-tooltip-autocomplete').getByText('Tower').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Chart' }).click()
      await page.locator('.picture canvas').waitFor()
      await open(page, `query?s=${encodeURIComponent('SELECT nothing FROM Stream')}`)
      await page.reload()
      await page.getByRole('button', { name: 'Run' }).click()
      await alertOf(page).waitFor()
      await page.locator('.cm-lintRange-error', { hasText: /^nothing/ }).waitFor()
    }))

  it('draws samples when near, statistics with their extremes when far, and keeps the window in the address', () =>
    visit(async (page) => {
      await signIn(page)
      await open(page, 'chart?of=Boiler/temp')
      await page.getByText('samples', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'All data' }).click()
      await page.getByText(/average by .*(hour|day)/).waitFor()
      await shoot(page, 'chart-far')
      const box = (await page.locator('.picture .u-over').boundingBox())!
      await page.mouse.move(box.x + box.width * 0.9, box.y + 50)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width * 0.92, box.y + 50, { steps: 5 })
      await page.mouse.up()
      await page.getByText('samples', { exact: true }).waitFor()
      // The address follows when the window has come to rest.
      const shownDays = () => {
        const [, from, to] = /from=(\d+)&to=(\d+)/.exec(page.url()) ?? []
        return (Number(to) - Number(from)) / 86_400_000
      }
      await eventually(async () => shownDays() < 2)
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
        await open(page, 'chart?of=Clock/tick')
        await page.getByRole('img', { name: /Times in Asia\/Kolkata/ }).waitFor()
        await page.getByRole('button', { name: 'Table' }).click()
        await page.getByRole('cell', { name: /05:30:00/ }).waitFor()
      },
      { timezoneId: 'America/New_York', locale: 'en-GB' },
    ))

  it('says on a page of its own that something is not there', () =>
    visit(async (page) => {
      await signIn(page)
      for (const place of ['component/none', 'stream/none', 'chart?of=none/x', 'dashboard/none', 'connector/none']) {
        await open(page, place)
        await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
        await page.getByRole('main').getByRole('alert').getByText('not found').waitFor()
      }
    }))

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
      // By its text: a title names a link, too, that shows nothing but a broken picture.
      await page.getByRole('region', { name: 'Components' }).getByText(image, { exact: true }).first().waitFor()
      assert.equal(await page.locator('img[src=x]').count(), 0)
      await open(page, `component/${uid}`)
      await page.getByRole('heading', { name: image }).waitFor()
      await page.getByRole('main').getByRole('link', { name: image }).getByText(image, { exact: true }).waitFor()
      assert.equal(await page.locator('img[src=x]').count(), 0)
      await open(page, `chart?of=${encodeURIComponent(`${encodeURIComponent(image)}/${encodeURIComponent(image)}`)}`)
      await page.locator('.picture canvas').waitFor()
      assert.equal(await page.locator('img[src=x]').count(), 0)
    })
  })

  it('has a name in the title of the window that turns nothing behind it around', async () => {
    const id = '\u202eboiler'
    await service.put(`/api/feed?compId=${encodeURIComponent(id)}&t=1`)
    const uid = await uidOf(id)
    await visit(async (page) => {
      await signIn(page)
      await open(page, `component/${uid}`)
      await page.getByRole('heading', { name: 'boiler' }).waitFor()
      assert.equal(await page.title(), '\u2068boiler\u2069 · Coppice')
    })
  })

  it('is no wider than a small phone, however long names are', async () => {
    const [compId, streamId] = ['W'.repeat(250), 'M'.repeat(250)]
    await service.put('/api/feed', JSON.stringify([{ compId, streamId, data: 1 }]))
    const uid = await uidOf(compId)
    const [stream] = await service.sql<{ uid: string }[]>`select uid from stream where id = ${streamId}`
    await service.sql`update component set name = ${'N'.repeat(500)} where id = ${compId}`
    const manage = await openManager(service)
    const described = { name: 'M'.repeat(500), description: 'D'.repeat(500) }
    const template = await manage.make('template', { id: 'wide', ...described })
    const tile = [{ kind: 'text', text: 'T'.repeat(500) }]
    const made = await manage.ask('POST', '/api/dashboard', { ...described, tile })
    const { dashboard } = made.body as { readonly dashboard: { readonly uid: string } }
    await visit(
      async (page) => {
        await signIn(page)
        for (const [place, there] of [
          [`component/${uid}`, 'table a'],
          [`stream/${stream!.uid}`, 'h1'],
          [`chart?of=${compId}/${streamId}`, '.picture canvas'],
          [`template/${template.uid}`, 'dl'],
          [`dashboard/${dashboard.uid}`, '.board-tile'],
          ['chart?of=Boiler/temp', '.picture canvas'],
        ] as const) {
          await open(page, place)
          await page.locator(there).first().waitFor()
          const overBy = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
          const isNarrow = page.waitForFunction(`${overBy} <= 0`)
          await isNarrow.catch(async () => assert.equal(await page.evaluate(overBy), 0, place))
        }
      },
      { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true },
    )
  })

  it('shows the rows of lists, their buttons, and the current page and tab in view of a small phone', () =>
    visit(
      async (page) => {
        await signIn(page)
        await open(page, 'security?tab=keys')
        const isInView = async (what: Locator) => {
          await what.waitFor()
          const { x, width } = (await what.boundingBox())!
          assert.ok(x >= 0 && x + width <= 320, `${await what.innerText()}: from ${x} to ${x + width}`)
        }
        await isInView(page.getByRole('button', { name: 'View Secret Key' }).first())
        await isInView(page.getByRole('button', { name: 'Delete' }).first())
        await isInView(page.locator('.side nav [aria-current]'))
        await open(page, 'security?tab=applications')
        await isInView(page.locator('.tabs [aria-current]', { hasText: 'Connected applications' }))
        await open(page, 'components')
        await isInView(page.locator('.side nav [aria-current]', { hasText: 'Components' }))
      },
      { viewport: { width: 320, height: 640 } },
    ))

  for (const width of [1024, 768])
    it(`shows all parts, tabs and buttons, and last values, in view of a tablet of ${width} pixels`, () =>
      visit(
        async (page) => {
          await signIn(page)
          const areInView = async (what: Locator, right = width) => {
            await what.last().waitFor()
            for (const one of await what.all()) {
              const { x: left, width: own } = (await one.boundingBox())!
              assert.ok(left >= 0 && left + own <= right, `${await one.innerText()}: from ${left} to ${left + own}`)
            }
          }
          await areInView(page.locator('.side nav a'))
          await page.locator('.endless .last').first().waitFor()
          const { x, width: room } = (await page.locator('.endless').boundingBox())!
          await areInView(page.locator('.endless th:visible'), x + room)
          await open(page, 'security?tab=keys')
          await areInView(page.getByRole('button', { name: 'Delete' }))
          await areInView(page.locator('.tabs a'))
          await open(page, 'catalogue?tab=cycles')
          await areInView(page.locator('tbody td[data-title]:visible'))
        },
        { viewport: { width, height: 800 } },
      ))

  it('draws whatever window an address names', () =>
    visit(async (page) => {
      await signIn(page)
      for (const query of [
        'from=-9e15&to=9e15',
        'from=-Infinity&to=Infinity',
        'live=1e300',
        'over=Boiler/temp:%25E0:max',
      ]) {
        await open(page, `chart?of=Boiler/temp&${query}`)
        await page.locator('.picture canvas').waitFor()
      }
      await open(page, 'components')
      await page.getByRole('link', { name: 'Tower', exact: true }).waitFor()
    }))

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
        await page.getByRole('link', { name: 'Boiler', exact: true }).waitFor()
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
        for (const [place, heading] of [
          ['query', 'Query'],
          ['connectors', 'Connectors'],
          ['security?tab=keys', 'Security'],
          ['security?tab=users', 'Security'],
          ['security?tab=clients', 'Security'],
          ['security?tab=audit', 'Security'],
          ['security?tab=applications', 'Security'],
        ] as const) {
          await open(page, place)
          await page.getByRole('heading', { name: heading, exact: true }).waitFor()
          await page.locator('[aria-label="Loading…"]').waitFor({ state: 'detached' })
          await look(place.replace('?tab=', '-'))
        }
      }, options))
})

type AxeReport = {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}
