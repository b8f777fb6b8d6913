// Last values on the pages of the studio: as they come, when they are deleted, and whatever stands beside them.
import assert from 'node:assert/strict'
import type { Browser, Locator } from 'playwright-core'
import { addPerson } from '../support/http.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { skipWithout } from '../support/skip.ts'
import { openBrowser } from './browser.ts'
import { openVisits } from './visit.ts'
import type { Visits } from './visit.ts'

describe('last values in a browser', function () {
  this.timeout(90_000)
  let browser: Browser | undefined
  let service: TestService
  let visits: Visits

  before(async function () {
    browser = await openBrowser()
    if (browser === undefined) return skipWithout(this, 'Chromium')
    service = await openTestService()
    visits = await openVisits(browser, service)
  })
  after(async () => {
    await browser?.close()
    await service?.close()
  })

  const uidOf = async (id: string): Promise<string> => {
    const [row] = await service.sql<{ uid: string }[]>`select uid from component where id = ${id}`
    return row!.uid
  }
  const makeBoard = async (tile: readonly object[]): Promise<string> => {
    const { call } = await addPerson(service, 'owner')
    const { body } = await call('POST', '/api/dashboard', { name: 'Values', tile })
    return (body as { dashboard: { uid: string } }).dashboard.uid
  }
  /** Whether the first letter stands left of the last one. */
  const isReadFromLeft = (text: Locator): Promise<boolean> =>
    text.evaluate((element) => {
      const node = element.firstChild!
      const [first, last] = [0, node.textContent!.length - 1].map((at) => {
        const range = element.ownerDocument.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        return range.getBoundingClientRect().left
      })
      return first! < last!
    })

  it('are dropped when they are deleted, the one before comes back, and later ones are shown', async () => {
    const now = Date.now()
    const ahead = now + 3 * 365.25 * 86_400_000
    const samples = [
      { compId: 'Meter', streamId: 'power', time: now - 5000, data: 41 },
      { compId: 'Meter', streamId: 'power', time: ahead, data: 99 },
    ]
    await service.put('/api/feed', JSON.stringify(samples))
    const of = { componentUid: await uidOf('Meter'), streamId: 'power' }
    const uid = await makeBoard([{ kind: 'value', title: 'Power', stream: [of], width: 4, height: 3 }])
    const { call } = await addPerson(service, 'owner')
    await visits.signedIn(async (page, open) => {
      await open(`dashboard/${uid}`)
      const tile = page.locator('.tile-value')
      await tile.getByText('99', { exact: true }).waitFor()
      await tile.getByText('in 3 yr.').waitFor()
      const { status } = await call('DELETE', `/api/comp/Meter/stream/power/feed?sd=${ahead}&ed=${ahead + 1}`)
      assert.ok(status < 300, String(status))
      await tile.getByText('41', { exact: true }).waitFor()
      await service.put('/api/feed?compId=Meter&power=42')
      await tile.getByText('42', { exact: true }).waitFor()
    })
  })

  it('are read from left to right beside a name that turns the direction of text', async () => {
    const turning = 'p\u2069\u202Ewer'
    await service.put(`/api/feed?compId=Turned&${encodeURIComponent(turning)}=12345`)
    await visits.signedIn(async (page, open) => {
      await open('components?text=Turned')
      const value = page.locator('.last').getByText('12345', { exact: true })
      await value.waitFor()
      assert.ok(await isReadFromLeft(value))
    })
  })

  it('are whole numbers on a tile, however narrow it is', async () => {
    await service.put('/api/feed?compId=Counter&count=123456789012345')
    const of = { componentUid: await uidOf('Counter'), streamId: 'count' }
    const uid = await makeBoard([{ kind: 'value', title: 'Count', stream: [of], width: 2, height: 2 }])
    await visits.signedIn(async (page, open) => {
      await open(`dashboard/${uid}`)
      const value = page.locator('.tile-value strong')
      await page.getByText('123,456,789,012,345', { exact: true }).waitFor()
      const [wide, room, size] = await value.evaluate((element) => {
        const range = element.ownerDocument.createRange()
        range.selectNodeContents(element)
        const { fontSize } = element.ownerDocument.defaultView!.getComputedStyle(element)
        return [range.getBoundingClientRect().width, element.parentElement!.clientWidth, parseFloat(fontSize)]
      })
      assert.ok(wide! <= room!, `${wide} of ${room} pixels`)
      assert.ok(size >= 9)
      await visits.shoot(page, 'value-long')
    })
  })

  it('go on when a component in view is deleted, and pages that failed are loaded once the server works', async () => {
    const ids = Array.from({ length: 140 }, (_, n) => `Row${String(n).padStart(3, '0')}`)
    await service.put('/api/feed', JSON.stringify(ids.map((compId) => ({ compId, streamId: 's', data: 1 }))))
    const [gone, kept] = [await uidOf('Row120'), 'Row121']
    const { call } = await addPerson(service, 'owner')
    await visits.signedIn(
      async (page, open) => {
        let refused = 0
        await page.route(/start=100/, (route) =>
          refused++ < 2
            ? route.fulfill({ status: 500, body: '{"code":"internal","message":"broken"}' })
            : route.continue(),
        )
        await open('components?text=Row')
        await page.getByRole('link', { name: 'Row000' }).waitFor()
        await page.locator('.endless').evaluate((list) => list.scrollTo(0, list.scrollHeight))
        await page.getByText('broken').waitFor()
        await page.getByRole('link', { name: kept }).waitFor({ timeout: 40_000 })
        await page.getByText('broken').waitFor({ state: 'detached' })
        const row = page.getByRole('row', { name: kept })
        await row.getByText('1', { exact: true }).waitFor()
        assert.equal((await call('DELETE', `/api/component/${gone}`)).status, 202)
        await page.getByRole('link', { name: 'Row120' }).waitFor({ state: 'detached' })
        await service.put(`/api/feed?compId=${kept}&s=4711`)
        await row.getByText('4711', { exact: true }).waitFor()
      },
      visits.modes.light,
      /status of 500/,
    )
  })
})
