// Forms of the studio in a real browser: users, keys, scripts that are kept, and the lines of the first steps.
import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { addPerson } from '../support/http.ts'
import { addApiKey, addOrganization, addUser, testPassword } from '../support/people.ts'
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
    service = await openTestService({ mqttPort: 0 })
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

  it('keeps what is typed into an editor while other pages are shown, and asks before the browser leaves it', async () => {
    const { user, call } = await addPerson(service, 'admin')
    const made = async (kind: string, members: object) => {
      const { status, body } = await call('POST', `/api/${kind}`, members)
      assert.equal(status, 201, JSON.stringify(body))
      return (body as Record<string, { readonly uid: string; readonly version: number }>)[kind]!
    }
    const http = { type: 'http', name: 'Typed', endpoint: 'typed', runAsUserUid: user.uid, sql: 'SELECT 1' }
    const connector = await made('connector', http)
    const component = await made('component', { id: 'Typed', name: 'Typed' })
    const random = { componentUid: component.uid, kind: 'random', valueType: 'DOUBLE' }
    await made('stream', { ...random, id: 'v' })
    const stream = await made('stream', {
      ...random,
      id: 'twice',
      expression: 'v * 2',
      variables: [{ name: 'v', streamId: 'v' }],
    })
    await visits.signedIn(async (page, open) => {
      let asked = 0
      page.on('dialog', () => (asked += 1))
      const editor = page.locator('.cm-content')
      const type = async (text: string) => {
        await editor.click()
        await page.keyboard.press('ControlOrMeta+A')
        await page.keyboard.insertText(text)
      }
      const places = [
        [`connector/${connector.uid}`, 'SELECT 2'],
        [`stream/${stream.uid}`, 'v * 3'],
        ['query', 'SELECT 3 AS c'],
      ] as const
      for (const [place, text] of places) {
        await open(place)
        await type(text)
        await open('dashboards')
        await page.getByRole('heading', { name: 'Dashboards' }).waitFor()
        await open(place)
        await page.getByText(text, { exact: true }).first().waitFor()
        assert.equal(await editor.textContent(), text)
      }
      await page.reload()
      assert.equal(asked, 1)
      // Somebody else is faster: nothing is overwritten unasked.
      await open(places[0][0])
      await type('SELECT 2')
      await page.getByText('Your changes are not saved yet.').waitFor()
      await call('PUT', `/api/connector/${connector.uid}`, { sql: 'SELECT 9', version: connector.version })
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('button', { name: 'Keep mine' }).click()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Your changes are not saved yet.').waitFor({ state: 'detached' })
      const [saved] = await service.sql<{ sql: string }[]>`select sql from connector where uid = ${connector.uid}`
      assert.equal(saved!.sql, 'SELECT 2')
      await page.reload()
      assert.equal(asked, 1)
    })
  })

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

  it('names a person without a name by the e-mail, and offers nobody a link to reset their own password', () =>
    visits.signedIn(async (page, open) => {
      await page.locator('.side').getByText(service.ownerEmail, { exact: true }).waitFor()
      await open('security?tab=users')
      const own = page.getByRole('row', { name: service.ownerEmail })
      await own.getByRole('button', { name: 'Edit' }).waitFor()
      assert.equal(await own.getByRole('button', { name: 'Reset link' }).count(), 0)
    }))

  it('keeps a name of any length within the navigation', async () => {
    const { user } = await addPerson(service, 'guest')
    await service.sql`update user_account set first_name = ${'N'.repeat(200)} where key = ${user.key}`
    await visits.signedInAs(user.email, testPassword, async (page) => {
      await page.locator('.person', { hasText: 'NNN' }).waitFor()
      const sides = '[".side", ".person"].map((each) => document.querySelector(each).getBoundingClientRect().right)'
      const [side, name] = (await page.evaluate(sides)) as number[]
      assert.ok(name! < side!, `${name} of ${side}`)
    })
  })

  it('gives the first field of a dialog the focus, also where it waits for the server', async () => {
    await service.put('/api/feed?compId=Kiln&temp=1')
    await visits.signedIn(async (page, open) => {
      await open('components')
      await page.getByRole('button', { name: 'New component' }).click()
      await page.getByRole('dialog').getByLabel('ID').and(page.locator(':focus')).waitFor()
    })
  })

  it('says why a secret or a link cannot be shown', async () => {
    const { user } = await addPerson(service, 'member')
    const { uid } = await addApiKey(service.sql, service.organizationUid, [])
    await visits.signedIn(async (page, open) => {
      await open('security?tab=keys')
      await page.getByRole('row', { name: 'a key' }).getByRole('button', { name: 'View Secret Key' }).waitFor()
      await service.sql`delete from api_key where uid = ${uid}`
      await page.getByRole('row', { name: 'a key' }).getByRole('button', { name: 'View Secret Key' }).click()
      await page.getByRole('dialog', { name: 'Secret key' }).getByRole('alert').waitFor()
      await open('security?tab=users')
      const reset = page.getByRole('row', { name: user.email }).getByRole('button', { name: 'Reset link' })
      await reset.waitFor()
      await service.sql`delete from member where user_key = ${user.key}`
      await reset.click()
      await page.getByRole('dialog', { name: 'Reset link' }).getByRole('alert').waitFor()
    })
  })

  it('looks for a component of a key without saving the key at Enter', async () => {
    await service.put('/api/feed?compId=Kiln&temp=1')
    await visits.signedIn(async (page, open) => {
      await open('security?tab=keys')
      await page.getByRole('button', { name: 'New API key' }).click()
      await page.getByLabel('Name', { exact: true }).fill('of the kiln')
      const search = page.getByLabel('Add one component, by name')
      await search.fill('Kil')
      await search.press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Kiln' }).click()
      await page.getByRole('dialog').getByText('Kiln', { exact: true }).waitFor()
      assert.equal((await service.sql`select from api_key where name = 'of the kiln'`).length, 0)
    })
  })

  it('shows the port of MQTT in the first steps, and says where there is none', async () => {
    const without = await openTestService()
    try {
      for (const [one, line] of [
        [service, `-p ${service.service.mqttPort} `],
        [without, 'This server has no MQTT port yet'],
      ] as const) {
        const eve = await addUser(one.sql, 'eve@example.org')
        await addOrganization(one.sql, 'Empty', eve)
        const { signedInAs } = await openVisits(browser!, one)
        await signedInAs(eve.email, testPassword, async (page) => {
          await page.getByRole('button', { name: 'MQTT' }).click()
          await page.locator('pre', { hasText: line }).waitFor()
        })
      }
    } finally {
      await without.close()
    }
  })
})
