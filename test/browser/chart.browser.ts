// Charts in a real browser: lines that are really drawn, zoom by mouse, wheel, fingers and keys, the live tail, statistics
// over streams, and what of it leaves the page.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { addPerson } from '../support/http.ts'
import { openManager } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { skipWithout } from '../support/skip.ts'
import { eventually } from '../support/within.ts'
import { openBrowser } from './browser.ts'
import { openVisits } from './visit.ts'
import type { Visits } from './visit.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const image = '<img src=x onerror=alert(1)>'
/** Clocks in Berlin were set back at 01:00 UTC. */
const autumnMs = Date.parse('2026-10-25T00:00Z')

describe('charts in a browser', function () {
  this.timeout(60_000)
  let browser: Browser | undefined
  let service: TestService
  let visits: Visits
  before(async function () {
    browser = await openBrowser()
    if (browser === undefined) return skipWithout(this, 'Chromium')
    service = await openTestService()
    visits = await openVisits(browser, service)
    const manage = await openManager(service)
    const unit = await manage.make('unit', { id: 'c', name: 'Celsius', symbol: ' °C' })
    await manage.make('component', {
      id: 'Boiler',
      name: 'Boiler',
      timeZone: 'Europe/Berlin',
      stream: [
        { id: 'temp', name: 'temp', kind: 'random', valueType: 'DOUBLE', unitUid: unit.uid },
        { id: 'kwh', name: 'kwh', kind: 'interval', valueType: 'DOUBLE', baseCycleId: 'hour' },
      ],
    })
    const temp = Array.from({ length: 6000 }, (_, n) => ({
      compId: 'Boiler',
      streamId: 'temp',
      time: autumnMs - 30 * dayMs + n * 10 * minuteMs,
      data: 20 + 5 * Math.sin(n / 12),
    }))
    const kwh = Array.from({ length: 48 }, (_, n) => ({
      compId: 'Boiler',
      streamId: 'kwh',
      time: autumnMs + n * hourMs,
      data: n % 5,
    })).filter((_, n) => n < 20 || n > 24)
    await service.put('/api/feed?autofillGapsWithNulls=false', JSON.stringify([...temp, ...kwh]))
    const nowMs = Date.now()
    const few = Array.from({ length: 20 }, (_, n) => ({
      compId: 'New',
      streamId: 'v',
      time: nowMs - 60_000 + n * 1000,
      data: n % 7,
    }))
    await service.put('/api/feed', JSON.stringify(few))
    await service.put(`/api/feed?compId=${encodeURIComponent(image)}&${encodeURIComponent(image)}=1,2&time=1,2`)
  })
  after(async () => {
    await browser?.close()
    await service?.close()
  })

  const window = (from: number, to: number) => `&from=${from}&to=${to}`
  const shownWindow = async (page: Page): Promise<readonly [number, number]> => {
    const query = new URLSearchParams(new URL(page.url()).hash.split('?')[1])
    return [Number(query.get('from')), Number(query.get('to'))]
  }
  /** The address follows within a moment. */
  const untilWindow = async (page: Page, isRight: (from: number, to: number) => boolean) => {
    for (;;) {
      const [from, to] = await shownWindow(page)
      if (isRight(from, to)) return [from, to] as const
      await page.waitForTimeout(20)
    }
  }
  /** The columns of pixels that have a line's colour in them, from 0 to 1 of the plot. */
  const coloured = (page: Page, series = 1) =>
    page.evaluate(
      `(() => {
        const canvas = document.querySelector('.picture canvas'), over = document.querySelector('.u-over')
        const probe = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
        probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--series-${series}')
        probe.fillRect(0, 0, 1, 1)
        const [r, g, b] = probe.getImageData(0, 0, 1, 1).data
        const box = canvas.getBoundingClientRect(), inner = over.getBoundingClientRect(), ratio = canvas.width / box.width
        const left = Math.round((inner.left - box.left) * ratio), wide = Math.round(inner.width * ratio)
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
        copy.drawImage(canvas, 0, 0)
        const { data, width, height } = copy.getImageData(0, 0, canvas.width, canvas.height)
        const found = []
        for (let x = 0; x < wide; x++)
          for (let y = 0; y < height; y++) {
            const at = 4 * (y * width + left + x)
            if (data[at + 3] > 200 && Math.abs(data[at] - r) + Math.abs(data[at + 1] - g) + Math.abs(data[at + 2] - b) < 24) {
              found.push(x / wide)
              break
            }
          }
        return found
      })()`,
    ) as Promise<readonly number[]>
  const drawnWithin = async (page: Page, isDrawn: (columns: readonly number[]) => boolean, series = 1) => {
    await page.locator('.picture canvas').waitFor()
    for (;;) {
      const columns = await coloured(page, series)
      if (isDrawn(columns)) return
      await page.waitForTimeout(50)
    }
  }
  /** A phone widens its window to what is too wide for it: the screen alone says how wide a page may be. */
  const assertFits = async (page: Page) => {
    const root = 'document.documentElement'
    const [wide, screen] = (await page.evaluate(`[${root}.scrollWidth, ${root}.clientWidth]`)) as number[]
    assert.ok(wide! <= screen!, `${wide} of ${screen} pixels`)
  }
  const untilTrue = async (page: Page, expression: string) => {
    while (!(await page.evaluate(expression))) await page.waitForTimeout(20)
  }
  const middleOf = async (page: Page) => {
    const { x, y, width, height } = (await page.locator('.picture .u-over').boundingBox())!
    return { x: x + width / 2, y: y + height / 2, width }
  }

  it('begin with as much as there is: a new stream fills its chart', () =>
    visits.signedIn(async (page) => {
      await visits.open(page, 'chart?of=New/v')
      await page.locator('.legend').getByText('v', { exact: true }).waitFor()
      await drawnWithin(page, (columns) => columns.length > 0 && columns[0]! < 0.1 && columns.at(-1)! > 0.9)
    }))

  it('show samples when near, average between minimum and maximum when far, and gaps as gaps', () =>
    visits.signedIn(async (page) => {
      await visits.open(page, `chart?of=Boiler/temp${window(autumnMs - 40 * dayMs, autumnMs)}`)
      await page.getByText(/average by .*, with minimum and maximum/).waitFor()
      // The first ten days have no samples.
      await drawnWithin(page, (columns) => columns.length > 0 && columns[0]! > 0.23 && columns[0]! < 0.27)
      await visits.open(page, `chart?of=Boiler/temp${window(autumnMs, autumnMs + hourMs)}`)
      await page.getByText('samples', { exact: true }).waitFor()
    }))

  it('draw an interval stream as steps from start to end, and leave missing intervals empty', () =>
    visits.signedIn(async (page) => {
      // One interval of an hour fills the middle third; without its start it would be a point.
      await visits.open(page, `chart?of=Boiler/kwh${window(autumnMs + 17 * hourMs, autumnMs + 20 * hourMs)}`)
      await drawnWithin(page, (columns) => columns.length > 0 && columns[0]! < 0.02 && columns.at(-1)! < 0.69)
    }))

  it('are drawn whole when their size changes while their first data come, and with a unit of any length', async () => {
    const manage = await openManager(service)
    const unit = await manage.make('unit', { id: 'w', name: 'W', symbol: 'W'.repeat(40) })
    await manage.make('component', { id: 'Long', stream: [{ id: 'v', valueType: 'DOUBLE', unitUid: unit.uid }] })
    await service.put('/api/feed?compId=Long&v=1,2&time=1000,2000')
    await visits.signedIn(
      async (page) => {
        // Smaller in the very turn in which the legend comes, and with it a unit that had no axis before.
        await page.evaluate(`new MutationObserver(() => {
          const chart = document.querySelector('.chart:has(.legend li)')
          if (chart) chart.style.width = '250px'
        }).observe(document.body, { childList: true, subtree: true })`)
        await visits.open(page, 'chart?of=Long/v')
        await page.locator('.legend', { hasText: 'WWW' }).waitFor()
        await drawnWithin(page, (columns) => columns.length > 0)
      },
      { viewport: { width: 320, height: 640 } },
    )
  })

  it('are drawn when there is room for them, after a moment in which there was none', () =>
    visits.signedIn(async (page) => {
      await visits.open(page, 'chart?of=Boiler/temp')
      await drawnWithin(page, (columns) => columns.length > 0)
      const setWidth = async (width: string, isReached: string) => {
        await page.evaluate(`document.querySelector('.chart').style.width = '${width}'`)
        await untilTrue(page, `document.querySelector('.picture .uplot').clientWidth ${isReached}`)
      }
      await setWidth('40px', '< 100')
      await setWidth('', '> 400')
      await drawnWithin(page, (columns) => columns.length > 0 && columns.at(-1)! > 0.5)
    }))

  it('zoom by drag, double click, wheel, keys and buttons, and move', () =>
    visits.signedIn(async (page) => {
      const [from, to] = [autumnMs - 20 * dayMs, autumnMs]
      await visits.open(page, `chart?of=Boiler/temp${window(from, to)}`)
      await drawnWithin(page, (columns) => columns.length > 0)
      const { x, y, width } = await middleOf(page)
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + width / 4, y, { steps: 4 })
      await page.mouse.up()
      const length = to - from
      const [near] = await untilWindow(page, (a, b) => b - a < length * 0.3 && b - a > length * 0.2)
      assert.ok(Math.abs(near - (from + length / 2)) < length * 0.02)
      await page.mouse.dblclick(x, y)
      await untilWindow(page, (a, b) => b - a > length * 0.4)
      // As an event: the browser takes many seconds for a wheel that it moves itself while Control is held.
      const wheel = { deltaY: -300, ctrlKey: true, clientX: x, clientY: y, cancelable: true }
      await page.locator('.picture .u-over').dispatchEvent('wheel', wheel)
      const [, wheeled] = await untilWindow(page, (a, b) => b - a < length * 0.45)
      await page.locator('.picture').focus()
      await page.keyboard.press('ArrowRight')
      const [, moved] = await untilWindow(page, (_, b) => b > wheeled)
      await page.keyboard.down('Shift')
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + 100, y, { steps: 4 })
      await page.mouse.up()
      await page.keyboard.up('Shift')
      await untilWindow(page, (_, b) => b < moved)
      const [a, b] = await shownWindow(page)
      await page.keyboard.press('-')
      await untilWindow(page, (c, d) => d - c > b - a)
      await page.getByRole('button', { name: 'All data' }).click()
      await untilWindow(page, (c, d) => d - c > 41 * dayMs)
    }))

  it('move by one finger and zoom by two', () =>
    visits.signedIn(
      async (page) => {
        const [from, to] = [autumnMs - 20 * dayMs, autumnMs]
        await visits.open(page, `chart?of=Boiler/temp${window(from, to)}`)
        await drawnWithin(page, (columns) => columns.length > 0)
        const { x, y } = await middleOf(page)
        const session = await page.context().newCDPSession(page)
        const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: readonly number[]) =>
          session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map((at, id) => ({ x: at, y, id })) })
        await touch('touchStart', x)
        await touch('touchMove', x + 60)
        await touch('touchEnd')
        const [a, b] = await untilWindow(page, (start) => start > 0 && start < from - dayMs)
        assert.ok(Math.abs(b - a - (to - from)) < hourMs)
        await touch('touchStart', x - 30, x + 30)
        await touch('touchMove', x - 60, x + 60)
        await touch('touchMove', x - 90, x + 90)
        await touch('touchEnd')
        await untilWindow(page, (c, d) => d - c < (b - a) * 0.7)
      },
      { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true },
    ))

  it('show the values at the cursor, by the clock of the component, summer time and all', () =>
    visits.signedIn(
      async (page) => {
        await visits.open(page, `chart?of=Boiler/temp&of=Boiler/kwh${window(autumnMs, autumnMs + 2 * hourMs)}`)
        await page.getByRole('img', { name: /Times in Europe\/Berlin/ }).waitFor()
        await drawnWithin(page, (columns) => columns.length > 0)
        const { x, y, width } = await middleOf(page)
        // 00:30 and 01:30 UTC are both half past two.
        await page.mouse.move(x - width / 4, y)
        await page.locator('.tip', { hasText: '2026-10-25 02:30:00 +02:00' }).waitFor()
        await page.mouse.move(x + width / 4, y)
        await page.locator('.tip', { hasText: '2026-10-25 02:30:00 +01:00' }).waitFor()
        assert.match((await page.locator('.tip').textContent())!, /temp.*°C.*kwh/)
      },
      { timezoneId: 'America/New_York', locale: 'en-US' },
    ))

  it('leaves times alone that are typed while it is live, and says of wrong ones why', () =>
    visits.signedIn(async (page, open) => {
      await open('chart?of=New/v&live=3600000')
      await page.locator('.picture canvas').waitFor()
      const [from, to] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true })]
      const before = await to.inputValue()
      await from.fill('2026-02-31')
      // The window goes on every second.
      await eventually(async () => (await to.inputValue()) !== before)
      assert.equal(await from.inputValue(), '2026-02-31')
      const complaint = (field: typeof from) =>
        field.evaluate((one) => (one as unknown as { validationMessage: string }).validationMessage)
      await from.press('Enter')
      assert.equal(await complaint(from), 'There is no such day or time.')
      await from.fill('2026-02-28')
      await to.fill('2026-02-27')
      await to.press('Enter')
      assert.deepEqual([await complaint(from), await complaint(to)], ['', 'The end must be after the beginning.'])
      await to.fill('2026-03-01')
      await to.press('Enter')
      await eventually(async () => (await shownWindow(page))[1] === Date.parse('2026-03-01T00:00Z'))
    }))

  it('take a window that is typed as ISO writes it', () =>
    visits.signedIn(async (page) => {
      await visits.open(page, 'chart?of=Boiler/temp')
      await page.getByLabel('From', { exact: true }).fill('2026-10-01')
      await page.getByLabel('To', { exact: true }).fill('2026-10-02 12:30')
      await page.keyboard.press('Enter')
      await untilWindow(
        page,
        (from, to) => from === Date.parse('2026-10-01T00:00+02:00') && to === Date.parse('2026-10-02T12:30+02:00'),
      )
    }))

  it('lay a statistic of a cycle over a stream, and add a stream of another component, all in the address', () =>
    visits.signedIn(async (page) => {
      await visits.open(page, `chart?of=Boiler/temp${window(autumnMs - 5 * dayMs, autumnMs)}`)
      await page.getByRole('button', { name: 'Add a statistic' }).click()
      await page.getByLabel('Statistic of temp').selectOption('max')
      await page.getByLabel('Cycle of temp').selectOption('day')
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.locator('.legend').getByText('temp, max by day').waitFor()
      await drawnWithin(page, (columns) => columns.length > 0 && columns.at(-1)! > 0.9, 2)
      await page.getByLabel('Add a stream: search its component').fill('New')
      await page.getByRole('button', { name: 'New · v' }).click()
      await page.locator('.legend').getByText('New · v').waitFor()
      await page.waitForURL(/over=Boiler.*of=New|of=New.*over=Boiler/)
      const link = page.url()
      await page.goto('about:blank')
      await page.goto(link)
      await page.locator('.legend').getByText('Boiler · temp, max by day').waitFor()
      await page.locator('.legend').getByText('New · v').waitFor()
      await page.getByRole('button', { name: 'Remove Boiler · temp, max by day' }).click()
      await page.locator('.legend').getByText('Boiler · temp, max by day').waitFor({ state: 'detached' })
    }))

  it('draw the latest 5,000 intervals of an overlay, and say so', () =>
    visits.signedIn(async (page) => {
      await visits.open(
        page,
        `chart?of=Boiler/temp&over=Boiler/temp:5minute:max${window(autumnMs - 31 * dayMs, autumnMs + 12 * dayMs)}`,
      )
      await page.getByText('temp, max by 5minute: the latest 5,000 intervals of this window are drawn.').waitFor()
      await visits.open(
        page,
        `chart?of=Boiler/temp&over=Boiler/temp:5minute:max${window(autumnMs - 20 * dayMs, autumnMs - 18 * dayMs)}`,
      )
      await drawnWithin(page, (columns) => columns.length > 0 && columns[0]! < 0.05, 2)
      await page.getByText('the latest 5,000 intervals').waitFor({ state: 'detached' })
    }))

  it('show texts as states, the latest thousand of them, at the cursor and in the table', () =>
    visits.signedIn(async (page) => {
      const states = Array.from({ length: 1100 }, (_, n) => ({
        compId: 'Pump',
        streamId: 'state',
        time: autumnMs + n * minuteMs,
        data: n % 2 === 0 ? 'idle' : 'running',
      }))
      await service.put('/api/feed', JSON.stringify(states))
      await visits.open(page, `chart?of=Pump/state${window(autumnMs, autumnMs + 1100 * minuteMs)}`)
      await page.getByText('state: the latest 1,000 texts of this window are shown.').waitFor()
      await visits.open(page, `chart?of=Pump/state${window(autumnMs + minuteMs, autumnMs + 3 * minuteMs)}`)
      await page.getByText('the latest 1,000 texts').waitFor({ state: 'detached' })
      // The texts in the order of the alphabet have the colours: the second is that of the minute from the start.
      await drawnWithin(page, (columns) => columns.length > 0 && columns[0]! < 0.02 && columns.at(-1)! < 0.52, 2)
      // The legend says which colour is which, and nothing but the strip takes height.
      assert.deepEqual(await page.locator('.legend .state').allInnerTexts(), ['idle', 'running'])
      assert.ok((await page.locator('.picture').boundingBox())!.height < 200)
      const { x, y, width } = await middleOf(page)
      await page.mouse.move(x - width / 4, y)
      await page.locator('.tip', { hasText: 'running' }).waitFor()
      await page.getByRole('button', { name: 'Table' }).click()
      await page.getByRole('cell', { name: 'running' }).first().waitFor()
    }))

  it('find a component by its ID, however many others have it in theirs', async () => {
    const many = Array.from({ length: 1001 }, (_, n) => ({ id: `Vat ${n}` }))
    const owner = await addPerson(service, 'owner')
    assert.equal((await owner.call('PUT', '/api/component', many)).status, 200)
    await service.put('/api/feed?compId=Vat&level=4711')
    await visits.signedIn(async (page) => {
      await visits.open(page, 'chart?of=Vat/level')
      await page.getByRole('heading', { name: 'Vat · level' }).waitFor()
    })
  })

  it('become tiles of a dashboard, a new one or one that is there', () =>
    visits.signedIn(async (page) => {
      await visits.open(page, `chart?of=Boiler/temp&of=Boiler/kwh${window(autumnMs - 6 * dayMs, autumnMs)}`)
      const add = async (choose: () => Promise<unknown>) => {
        await page.getByRole('button', { name: 'Add to a dashboard' }).click()
        await page.getByRole('dialog').getByLabel('Dashboard').waitFor()
        await choose()
        await page.getByRole('dialog').getByRole('button', { name: 'Add a tile' }).click()
        await page.getByText('The chart is on Cellar.').waitFor()
      }
      await add(() => page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Cellar'))
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      await add(() =>
        page
          .getByRole('dialog')
          .getByLabel(/^Title/)
          .fill('Once more'),
      )
      await page.getByRole('link', { name: 'Open it' }).click()
      await page.getByRole('heading', { name: 'Once more' }).waitFor()
      const [row] = await service.sql<{ tiles: { seconds: number; row: number; stream: object[] }[] }[]>`
        select tiles from dashboard where name = 'Cellar'`
      assert.deepEqual(
        row!.tiles.map(({ seconds, stream }) => [seconds, stream.length]),
        [
          [604_800, 2],
          [604_800, 2],
        ],
      )
    }))

  it('write every mark of the time axis whole, and in tiles by the clock of the component, too', async () => {
    const manage = await openManager(service)
    const { uid: componentUid } = (await manage.list('component', 'id=Boiler'))[0]!
    const stream = [{ componentUid, streamId: 'temp' }]
    const tile = [{ kind: 'chart', stream, seconds: 21_600, width: 12, height: 4 }]
    const made = await manage.ask('POST', '/api/dashboard', { name: 'Autumn', tile })
    const { uid } = (made.body as { dashboard: { uid: string } }).dashboard
    await visits.signedIn(async (page) => {
      await page.addInitScript(`{
        window.written = []
        const own = CanvasRenderingContext2D.prototype.fillText
        CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
          const half = this.textAlign === 'center' ? this.measureText(text).width / 2 : 0
          window.written.push([text, x - half >= 0 && x + half <= this.canvas.width])
          return own.call(this, text, x, y)
        }
      }`)
      const written = (text: string) =>
        untilTrue(page, `window.written.some(([each]) => each === ${JSON.stringify(text)})`)
      const cut = () => page.evaluate('window.written.filter(([, isWhole]) => !isWhole)')
      // The last midnight stands at the very edge.
      await visits.open(
        page,
        `chart?of=Boiler/temp${window(Date.parse('2026-10-11T00:00+02:00'), Date.parse('2026-10-18T00:00+02:00'))}`,
      )
      await page.reload()
      await drawnWithin(page, (columns) => columns.length > 0)
      await written('2026-10-18')
      assert.deepEqual(await cut(), [])
      // Three hours after clocks were set back.
      await page.clock.setFixedTime(autumnMs + 4 * hourMs)
      await visits.open(page, `dashboard/${uid}`)
      await page.reload()
      await page.locator('.plot canvas').waitFor()
      await written('+01:00')
      assert.deepEqual(await cut(), [])
    })
  })

  it('follow the clock and draw samples as they are stored', () =>
    visits.signedIn(async (page) => {
      await visits.open(page, 'chart?of=New/v&live=3600000')
      await page.getByRole('button', { name: 'Live', pressed: true }).waitFor()
      await drawnWithin(page, (columns) => columns.length > 0)
      await page.getByRole('button', { name: 'Table' }).click()
      await page.getByRole('columnheader', { name: /^v/ }).waitFor()
      await service.put('/api/feed?compId=New&v=4321')
      await page.getByRole('cell', { name: '4,321' }).waitFor()
    }))

  it('ask for the window that is shown last, and cancel what is outdated', () =>
    visits.signedIn(async (page) => {
      await visits.open(page, `chart?of=Boiler/temp${window(autumnMs - 30 * dayMs, autumnMs)}`)
      await drawnWithin(page, (columns) => columns.length > 0)
      let release = () => {}
      const held = new Promise<void>((resolve) => (release = resolve))
      await page.route(/\/chart\?/, async (route) => {
        await held
        await route.continue().catch(() => {})
      })
      await page.evaluate(`{
        window.asked = []
        const own = window.fetch
        window.fetch = (input, init) => {
          if (String(input).includes('/chart?')) window.asked.push(init.signal)
          return own(input, init)
        }
      }`)
      const closer = page.getByRole('button', { name: 'Zoom in' })
      await closer.click()
      await untilTrue(page, 'window.asked.length === 1')
      // The old picture stays until the new data is there.
      assert.ok((await coloured(page)).length > 0)
      await closer.click()
      await closer.click()
      await untilTrue(page, 'window.asked[0].aborted')
      release()
      await page.locator('[aria-label="Loading…"]').waitFor({ state: 'detached' })
      const ended = (await page.evaluate('window.asked.map(({ aborted }) => aborted)')) as readonly boolean[]
      assert.ok(ended.length <= 3 && !ended.at(-1), ended.join())
      await page.unroute(/\/chart\?/)
    }))

  it('leave as a link with the window that is shown, also where nobody chose it', () =>
    visits.signedIn(
      async (page) => {
        await visits.open(page, 'chart?of=Boiler/temp')
        await page.getByRole('button', { name: 'Copy link' }).click()
        await page.getByRole('button', { name: 'Copied' }).waitFor()
        const link = (await page.evaluate('navigator.clipboard.readText()')) as string
        assert.match(link, /#\/chart\?of=Boiler%2Ftemp&from=\d+&to=\d+$/)
        // Where a server is reached without TLS, browsers have no clipboard for scripts.
        await page.evaluate("navigator.clipboard.writeText('nothing')")
        await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        await page.reload()
        await page.getByRole('button', { name: 'Copy link' }).click()
        await page.getByRole('button', { name: 'Copied' }).waitFor()
        await page.getByLabel('Add a stream: search its component').press('Control+v')
        assert.match(
          await page.getByLabel('Add a stream: search its component').inputValue(),
          /#\/chart\?of=Boiler%2Ftemp/,
        )
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    ))

  it('leave as CSV of the window, and as PNG', () =>
    visits.signedIn(async (page) => {
      await visits.open(page, `chart?of=Boiler/temp${window(autumnMs, autumnMs + hourMs)}`)
      await drawnWithin(page, (columns) => columns.length > 0)
      const [csv] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'CSV' }).click(),
      ])
      const lines = (await readFile(await csv.path(), 'utf8')).trim().split('\r\n')
      assert.equal(lines.length, 8)
      assert.match(lines[1]!, /^temp,1792886400000,2026-10-25T02:00:00\.000\+02:00,[\d.]+,,,$/)
      const [png] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'PNG' }).click(),
      ])
      assert.equal((await readFile(await png.path())).subarray(1, 4).toString(), 'PNG')
    }))

  it('show names as texts, in legend, cursor and table', () =>
    visits.signedIn(async (page) => {
      const name = encodeURIComponent(`${encodeURIComponent(image)}/${encodeURIComponent(image)}`)
      await visits.open(page, `chart?of=${name}&over=${name}%3Aday%3Amax`)
      await page.locator('.legend').getByText(image, { exact: true }).waitFor()
      await drawnWithin(page, (columns) => columns.length > 0)
      const { x, y, width } = await middleOf(page)
      await page.mouse.move(x - width / 2 + 4, y)
      await page.locator('.tip', { hasText: image }).waitFor()
      await page.getByRole('button', { name: 'Table' }).click()
      await page.getByRole('columnheader', { name: image }).first().waitFor()
      assert.equal(await page.locator('img[src=x]').count(), 0)
    }))

  it('show the values of intervals beside their times, in a table as wide as a phone', () =>
    visits.signedIn(
      async (page) => {
        await visits.open(page, 'chart?of=Boiler/kwh&table')
        const table = page.locator('.tall:has(td.numbers)')
        await table.getByRole('cell').first().waitFor()
        const [wide, shown] = await table.evaluate((of) => [of.scrollWidth, of.clientWidth])
        assert.ok(wide! <= shown!, `${wide} of ${shown} pixels`)
      },
      { viewport: { width: 390, height: 844 } },
    ))

  for (const [name, options] of [
    ['light', { viewport: { width: 1280, height: 900 } }],
    ['dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
    ['phone', { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }],
  ] as const)
    it(`have nothing that axe finds serious, and nothing wider than the page: ${name}`, () =>
      visits.signedIn(async (page) => {
        await visits.open(page, `chart?of=Boiler/temp&of=Boiler/kwh&over=Boiler%2Ftemp%3Aday%3Aavg`)
        await page.locator('.legend').getByText('temp, avg by day').waitFor()
        await visits.look(page, `chart-${name}`)
        await assertFits(page)
        await page.getByRole('button', { name: 'Add a statistic' }).first().click()
        await page.getByRole('button', { name: 'Table' }).click()
        await visits.look(page, `chart-table-${name}`)
        await assertFits(page)
      }, options))
})
