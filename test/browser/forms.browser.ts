// Forms of the studio in a real browser: users, and scripts that are kept.
import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { addPerson } from '../support/http.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { skipWithout } from '../support/skip.ts'
import { openBrowser } from './browser.ts'
import { openVisits } from './visit.ts'
import type { Visits } from './visit.ts'

describe('forms of the studio in a browser', function () {
  this.timeout(60_000)
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

  it('begins with the role that a user has, when somebody edits the user', async () => {
    const { user } = await addPerson(service, 'admin')
    await visits.signedIn(async (page, open) => {
      await open('security?tab=users')
      await page.getByRole('row', { name: user.email }).getByRole('button', { name: 'Edit' }).click()
      assert.equal(await page.getByLabel('Role').inputValue(), 'admin')
    })
  })

  it('keeps all that is typed into the editor, however fast, and the browser finds nothing to refuse', () =>
    visits.signedIn(async (page, open) => {
      await open(`query?s=${encodeURIComponent("SELECT 'x' AS A")}`)
      await page.locator('.cm-content').click()
      await page.keyboard.press('ControlOrMeta+A')
      const text = 'SELECT 1 AS a, 2 AS b, 3 AS c, 4 AS d, 5 AS e, 6 AS f, 7 AS g, 8 AS h, 9 AS i'
      await page.keyboard.type(text)
      await page.keyboard.press('Escape')
      assert.equal(await page.locator('.cm-content').textContent(), text)
      await page.getByRole('button', { name: 'Run' }).click()
      await page.getByText('1 row', { exact: true }).waitFor()
    }))

  it('keeps, changes and removes a script for the organization', () =>
    visits.signedIn(async (page, open) => {
      await open(`query?s=${encodeURIComponent('SELECT 1 AS A')}`)
      await page.getByRole('button', { name: 'Save this script' }).click()
      await page.getByLabel('Name', { exact: true }).fill('One')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('button', { name: 'One', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Run' }).click()
      await page.getByText('1 row', { exact: true }).waitFor()
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: 'CSV' }).click()
      assert.equal((await downloading).suggestedFilename(), 'query.csv')
      await page.locator('.cm-content').click()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('SELECT 2 AS B')
      await page.getByRole('button', { name: 'Save into One' }).click()
      await page.getByRole('button', { name: 'Save into One' }).waitFor({ state: 'detached' })
      const saved = await service.sql<{ sql: string }[]>`select sql from query`
      assert.deepEqual([...saved], [{ sql: 'SELECT 2 AS B' }])
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('button', { name: 'One', exact: true }).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Clear' }).click()
      await page.getByRole('button', { name: 'SELECT 1 AS A' }).waitFor({ state: 'detached' })
    }))
})
