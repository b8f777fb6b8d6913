// How smooth a chart of ten million samples is, in a real browser: zoom steps from all of them down to ten seconds, moves, and
// the wheel turned without a pause. A picture is there when the page has stopped to load and has drawn a frame.
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../browser/browser.ts'
import { say } from './feed/data.ts'
import { openBenchDatabase } from './harness/database.ts'
import { atEnd } from './harness/process.ts'
import { benchApiKey, startCoppice } from './harness/subjects.ts'
import { median, printTable } from './harness/table.ts'
import type { BenchOptions } from './main.ts'

const all = 10_000_000
const perImport = 500_000
const startMs = Date.parse('2026-01-01T00:00:00Z')

/** One a second. */
const load = async (url: string): Promise<void> => {
  for (let from = 0; from < all; from += perImport) {
    const lines = Array.from({ length: perImport }, (_, n) => {
      const at = from + n
      const value = 20 + 5 * Math.sin(at / 13_751) + Math.sin(at / 37)
      return `Wide,all,${startMs + at * 1000},${value.toFixed(3)}`
    })
    const body = `compId,streamId,time,data\n${lines.join('\n')}\n`
    const reply = await fetch(`${url}/api/import?api_key=${benchApiKey}`, { method: 'POST', body })
    if (!reply.ok) throw new Error(await reply.text())
    await reply.text()
  }
}

type Step = { readonly ms: number; readonly longestFrame: number; readonly isLoaded: boolean }

/** Run in the page: does something to the chart, and watches frames until the picture is there. */
const watched = `window.watched = async (act) => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const isLoading = () => document.querySelector('main [role=status] .spinner') !== null
  let before = await frame()
  const began = performance.now()
  await act()
  let [ms, longestFrame, isLoaded] = [0, 0, false]
  for (let quiet = 0; quiet < 15; quiet += 1) {
    const now = await frame()
    longestFrame = Math.max(longestFrame, now - before)
    before = now
    if (quiet === 0) ms = performance.now() - began
    if (isLoading()) [quiet, isLoaded] = [-1, true]
  }
  return { ms, longestFrame, isLoaded }
}
window.wheel = (deltaY) => {
  const over = document.querySelector('.picture .u-over')
  const { left, top, width } = over.getBoundingClientRect()
  const at = { clientX: left + width / 2, clientY: top + 20 }
  over.dispatchEvent(new WheelEvent('wheel', { deltaY, ctrlKey: true, bubbles: true, cancelable: true, ...at }))
}`

const step = (page: Page, act: string) => page.evaluate(`watched(async () => { ${act} })`) as Promise<Step>

/** A strong turn: three quarters of the window are left. */
const closer = 'wheel(-160)'

const shownMs = async (page: Page): Promise<number> => {
  const read = (label: string) => page.getByLabel(label, { exact: true }).inputValue()
  const times = await Promise.all([read('From'), read('To')])
  const [from = 0, to = 0] = times.map((time) => Date.parse(`${time.replace(' ', 'T')}Z`))
  return to - from
}

const lengthText = (ms: number): string => {
  const [unit, length] = [
    ['days', 86_400_000] as const,
    ['hours', 3_600_000] as const,
    ['minutes', 60_000] as const,
  ].find(([, each]) => ms >= 2 * each) ?? ['seconds', 1000]
  return `${(ms / length).toFixed(ms / length < 10 ? 1 : 0)} ${unit}`
}

const open = async (browser: Browser, url: string): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  await page.goto(url)
  await page.fill('input[name=email]', 'owner@localhost')
  await page.fill('input[name=password]', 'password of the bench')
  await page.press('input[name=password]', 'Enter')
  await page.waitForSelector('.side nav')
  await page.goto(`${url}/alt/#/chart?of=Wide/all`)
  await page.locator('.picture canvas').waitFor()
  await page.evaluate(watched)
  return page
}

const showAll = "[...document.querySelectorAll('button')].find((each) => each.textContent === 'All data').click()"

export const run = async ({ rounds }: BenchOptions): Promise<void> => {
  const browser = await openBrowser()
  if (browser === undefined) return
  atEnd(() => browser.close())
  const database = await openBenchDatabase()
  const coppice = await startCoppice(database.url)
  say(`${database.description}; ${all.toLocaleString('en')} samples, one a second`)
  await load(coppice.url)
  const steps = new Map<number, { readonly length: string; readonly found: Step[] }>()
  const moves: Step[] = []
  const page = await open(browser, coppice.url)
  for (let round = 0; round < rounds; round += 1) {
    // Nothing is kept of the round before.
    await page.reload()
    await page.locator('.picture canvas').waitFor()
    await page.evaluate(watched)
    await step(page, showAll)
    for (let n = 0, length = Number.POSITIVE_INFINITY; length > 10_000; n += 1) {
      const found = await step(page, closer)
      length = await shownMs(page)
      const known = steps.get(n) ?? { length: lengthText(length), found: [] }
      known.found.push(found)
      steps.set(n, known)
      if (n % 4 === 1)
        moves.push(
          await step(page, "[...document.querySelectorAll('button')].find((each) => each.title === 'Later').click()"),
        )
    }
  }
  printTable(
    'studio: a zoom step of ten million samples, to the picture',
    ['window', 'ms', 'longest frame, ms', 'loads'],
    [...steps.values()].map(({ length, found }) => rowOf(length, found)),
  )
  printTable(
    'studio: other gestures',
    ['', 'ms', 'longest frame, ms', 'loads'],
    [rowOf('a move by half the window', moves), rowOf('all data', [await step(page, showAll)])],
  )
  printTable(
    'studio: 200 turns of the wheel, one in each frame',
    ['', 'frames', 'p99, ms', 'longest, ms'],
    [await turn(page)],
  )
}

const rowOf = (title: string, found: readonly Step[]) => [
  title,
  median(found.map(({ ms }) => ms)),
  Math.max(...found.map(({ longestFrame }) => longestFrame)),
  found.some(({ isLoaded }) => isLoaded) ? 'yes' : 'no',
]

/** In and out again: the time from frame to frame. */
const turn = async (page: Page) => {
  const frames = (await page.evaluate(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const times = [await frame()]
    for (let n = 0; n < 200; n += 1) {
      wheel(n % 100 < 50 ? -60 : 60)
      times.push(await frame())
    }
    return times.slice(1).map((time, n) => time - times[n])
  })()`)) as number[]
  const sorted = frames.toSorted((a, b) => a - b)
  return ['frames', frames.length, sorted[Math.floor(frames.length * 0.99)], sorted.at(-1)]
}
