// Dashboards and the operations page in a real browser: made, arranged by keyboard and by dragging, saved, looked at by
// somebody who may not change them, and shown on a wall.
import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { addPerson } from '../support/http.ts'
import { addApiKey, addOrganization, addUser, testPassword } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { skipWithout } from '../support/skip.ts'
import { openBrowser } from './browser.ts'
import { openVisits } from './visit.ts'
import type { Visits } from './visit.ts'
import { eventually } from '../support/within.ts'

const image = '<img src=x onerror=alert(1)>'

describe('dashboards in a browser', function () {
  this.timeout(90_000)
  let browser: Browser | undefined
  let service: TestService
  let visits: Visits
  const uids = new Map<string, string>()

  before(async function () {
    browser = await openBrowser()
    if (browser === undefined) return skipWithout(this, 'Chromium')
    service = await openTestService()
    visits = await openVisits(browser, service)
    const now = Date.now()
    const samples = Array.from({ length: 300 }, (_, n) => [
      { compId: 'Boiler', streamId: 'temp', time: now - n * 60_000, data: 60 + 8 * Math.sin(n / 20) },
      { compId: 'Boiler', streamId: 'pressure', time: now - n * 60_000, data: 1.5 + Math.cos(n / 9) / 5 },
    ])
    await service.put('/api/feed', JSON.stringify(samples.flat()))
    await service.put('/api/feed?compId=Tank&level=71.5&note=half%20full')
    await service.put(`/api/feed?compId=${encodeURIComponent(image)}&${encodeURIComponent(image)}=4711`)
    for (const row of await service.sql<{ id: string; uid: string }[]>`select id, uid from component`)
      uids.set(row.id, row.uid)
  })
  after(async () => {
    await browser?.close()
    await service?.close()
  })

  const stream = (id: string, streamId: string) => ({ componentUid: uids.get(id)!, streamId })
  const make = async (name: string, tile: readonly object[] = []): Promise<string> => {
    const { call } = await addPerson(service, 'owner')
    const { status, body } = await call('POST', '/api/dashboard', { name, tile })
    assert.equal(status, 201, JSON.stringify(body))
    return (body as { dashboard: { uid: string } }).dashboard.uid
  }
  const stored = async (uid: string) => {
    const [row] = await service.sql<
      {
        version: number
        tiles: { title: string; kind: string; column: number; row: number; width: number; height: number }[]
      }[]
    >`select version, tiles from dashboard where uid = ${uid}`
    return row!
  }
  const some = () => [
    { kind: 'value', title: 'Level', stream: [stream('Tank', 'level')], column: 0, row: 0, width: 3, height: 2 },
    { kind: 'text', title: 'Duty', text: 'Ada, 4711', column: 3, row: 0, width: 3, height: 2 },
    {
      kind: 'chart',
      title: 'Heat',
      stream: [stream('Boiler', 'temp'), stream('Boiler', 'pressure')],
      column: 0,
      row: 2,
      width: 6,
      height: 4,
      seconds: 21_600,
    },
    {
      kind: 'table',
      title: 'All',
      stream: [stream('Tank', 'level'), stream('Tank', 'note'), stream('Boiler', 'temp')],
      column: 6,
      row: 0,
      width: 6,
      height: 4,
    },
  ]
  const tileNamed = (page: Page, name: string) =>
    page.locator('.board-tile', { has: page.getByRole('heading', { name }) })

  it('invites to a first one, and makes it with a tile that is found by a part of a name', () =>
    visits.signedIn(async (page, open) => {
      await open('dashboards')
      await page.getByRole('heading', { name: 'See your streams at a glance' }).waitFor()
      await visits.shoot(page, 'dashboards-none')
      await page.getByRole('button', { name: 'New dashboard' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Boiler house')
      await page.getByRole('button', { name: 'Make it' }).click()
      await page.getByRole('button', { name: 'Add the first tile' }).click()
      await page.getByLabel('Search components').fill('oile')
      await page.getByRole('button', { name: 'temp', exact: true }).click()
      await visits.shoot(page, 'dashboard-add')
      await page.getByRole('dialog').getByRole('button', { name: 'Add a tile' }).click()
      await page.locator('.board-tile .plot canvas').waitFor()
      await page.getByRole('button', { name: 'Add a tile' }).click()
      await page.getByRole('radio', { name: /^Last value/ }).check()
      await page.getByLabel('Search components').fill('Tank')
      await page.getByRole('button', { name: 'level', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Add a tile' }).click()
      await page.locator('.tile-value', { hasText: '71.5' }).waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Full screen' }).waitFor()
      await page.reload()
      await page.locator('.tile-value', { hasText: '71.5' }).waitFor()
      await open('dashboards')
      await page.getByRole('link', { name: 'Boiler house' }).waitFor()
    }))

  it('moves and resizes tiles by arrow keys, and says where they are', async () => {
    const uid = await make('By keys', some())
    await visits.signedIn(async (page, open) => {
      await open(`dashboard/${uid}`)
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      const move = page.getByRole('button', { name: 'Move Level', exact: true })
      await move.focus()
      await page.keyboard.press('ArrowDown')
      await page.getByText('Level: column 1, row 7').waitFor({ state: 'attached' })
      await page.keyboard.press('ArrowRight')
      await page.getByText('Level: column 2, row 7').waitFor({ state: 'attached' })
      assert.ok(await move.evaluate((handle) => handle === handle.ownerDocument.activeElement), 'it keeps the focus')
      await page.getByRole('button', { name: 'Resize Level' }).focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowDown')
      await page.getByText('Level: 4 wide, 3 high').waitFor({ state: 'attached' })
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Full screen' }).waitFor()
    })
    const { tiles } = await stored(uid)
    const { column, row, width, height } = tiles.find(({ title }) => title === 'Level')!
    assert.deepEqual([column, row, width, height], [1, 6, 4, 3])
    assert.equal(tiles.find(({ title }) => title === 'Heat')!.row, 2)
  })

  it('moves and resizes tiles by dragging; Escape takes a drag back, and Cancel all of it', async () => {
    const uid = await make('By mouse', some())
    await visits.signedIn(async (page, open) => {
      await open(`dashboard/${uid}`)
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      const drag = async (handle: string, across: number, down: number, end = () => page.mouse.up()) => {
        const box = (await page.getByRole('button', { name: handle, exact: true }).boundingBox())!
        await page.mouse.move(box.x + 8, box.y + 8)
        await page.mouse.down()
        await page.mouse.move(box.x + 8 + across / 2, box.y + 8 + down / 2, { steps: 4 })
        await page.mouse.move(box.x + 8 + across, box.y + 8 + down, { steps: 4 })
        await end()
      }
      const grid = (await page.locator('.board').boundingBox())!
      const column = (grid.width + 12) / 12
      await drag('Move Duty', -3 * column, 0)
      await page.getByText('Duty: column 1, row 1').waitFor({ state: 'attached' })
      await drag('Resize Duty', column, 76)
      await page.getByText('Duty: 4 wide, 3 high').waitFor({ state: 'attached' })
      await drag('Move All', -2 * column, 4 * 76, async () => {
        await page.keyboard.press('Escape')
        await page.mouse.up()
      })
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Full screen' }).waitFor()
      const { tiles } = await stored(uid)
      const of = (name: string) => tiles.find(({ title }) => title === name)!
      assert.deepEqual([of('Duty').column, of('Duty').row, of('Duty').width, of('Duty').height], [0, 0, 4, 3])
      assert.deepEqual([of('Level').column, of('Level').row], [0, 3])
      assert.deepEqual([of('All').column, of('All').row], [6, 0])
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await page.getByRole('button', { name: 'Remove Heat' }).click()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('heading', { name: 'Heat' }).waitFor()
      assert.equal((await stored(uid)).version, 2)
    })
  })

  it('is dragged by a finger, on a phone in one column', async () => {
    const uid = await make('By finger', some())
    await visits.signedIn(
      async (page, open) => {
        await open(`dashboard/${uid}`)
        await page.getByRole('button', { name: 'Edit', exact: true }).click()
        const first = (await tileNamed(page, 'Duty').boundingBox())!
        const second = (await tileNamed(page, 'Level').boundingBox())!
        assert.ok(first.y > second.y && first.x === second.x, 'one below the other')
        // A finger as the browser reports it.
        const touch = await page.context().newCDPSession(page)
        await page.getByRole('button', { name: 'Move Duty', exact: true }).scrollIntoViewIfNeeded()
        const from = (await page.getByRole('button', { name: 'Move Duty', exact: true }).boundingBox())!
        const over = (await tileNamed(page, 'Level').boundingBox())!
        const at = (y: number) => [{ x: from.x + 8, y }]
        await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from.y + 8) })
        for (const part of [0.3, 0.6, 1])
          await touch.send('Input.dispatchTouchEvent', {
            type: 'touchMove',
            touchPoints: at(from.y + 8 + (over.y + 30 - from.y - 8) * part),
          })
        await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
        await page.getByText(/^Duty: column/).waitFor({ state: 'attached' })
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByRole('button', { name: 'Full screen' }).waitFor()
      },
      { viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true },
    )
    assert.equal((await stored(uid)).version, 2)
  })

  it('shows samples as they are stored, by one connection, which comes back', async () => {
    const uid = await make('Live', some())
    await visits.signedIn(async (page, open) => {
      const listeners: string[] = []
      page.on('request', (request) => request.url().includes('/api/live') && listeners.push(request.url()))
      await open(`dashboard/${uid}`)
      await page.getByText('Live', { exact: true }).nth(1).waitFor()
      await service.put('/api/feed?compId=Tank&level=72.25')
      await tileNamed(page, 'Level').getByText('72.25').waitFor()
      await tileNamed(page, 'All').getByText('72.25').waitFor()
      assert.equal(listeners.length, 1)
      await page.context().setOffline(true)
      await page.evaluate('dispatchEvent(new Event("offline"))')
      await page.context().setOffline(false)
      await service.put('/api/feed?compId=Tank&level=73.5')
      await tileNamed(page, 'Level').getByText('73.5').waitFor()
    })
  })

  it('says of a chart that it cannot be read until it can, without a break', async () => {
    const uid = await make('Failing', [{ ...some()[2], seconds: 600 }])
    await visits.signedIn(
      async (page, open) => {
        let asked = 0
        await page.route(/\/chart\?/, (route) => {
          asked += 1
          return asked > 6
            ? route.continue()
            : route.fulfill({ status: 500, body: '{"code":"internal","message":"broken"}' })
        })
        await open(`dashboard/${uid}`)
        await page.locator('.tile-chart').getByText('broken').waitFor()
        await page.evaluate(`
          globalThis.breaks = 0
          new MutationObserver(() => {
            if (!document.querySelector('.tile-chart .tile-missing')) globalThis.breaks += 1
          }).observe(document.querySelector('.tile-chart'), { childList: true })`)
        await eventually(async () => asked > 4)
        assert.equal(await page.evaluate('globalThis.breaks'), 0)
        await page.locator('.tile-chart .plot canvas').waitFor()
        assert.equal(await page.locator('.tile-chart').getByText('broken').count(), 0)
      },
      {},
      /status of 500/,
    )
  })

  it('says of a tile that its component is gone, also while somebody looks at it', async () => {
    await service.put('/api/feed?compId=Brief&a=1')
    const [{ uid: componentUid } = { uid: '' }] = await service.sql<
      { uid: string }[]
    >`select uid from component where id = 'Brief'`
    const gone = { componentUid, streamId: 'a' }
    const uid = await make('Gone', [
      { kind: 'value', title: 'Short', stream: [gone] },
      { kind: 'table', title: 'Both', stream: [gone, stream('Tank', 'level')], column: 4, width: 6 },
      { kind: 'chart', title: 'Never', stream: [{ componentUid: 'none', streamId: 'x' }], row: 4 },
    ])
    const owner = await addPerson(service, 'owner')
    await visits.signedIn(async (page, open) => {
      await open(`dashboard/${uid}`)
      await tileNamed(page, 'Never').getByText('This component is no longer there.').waitFor()
      await tileNamed(page, 'Short').getByText('1', { exact: true }).waitFor()
      assert.equal((await owner.call('DELETE', `/api/component/${componentUid}`)).status, 202)
      await tileNamed(page, 'Short').getByText('This component is no longer there.').waitFor()
      await tileNamed(page, 'Both').getByText('This component is no longer there.').waitFor()
      await service.put('/api/feed?compId=Tank&level=74.75')
      await tileNamed(page, 'Both').getByText('74.75').waitFor()
    })
  })

  it('keeps changes that are not saved while another page, or a sign-in, comes between', async () => {
    const uid = await make('Draft', some())
    await visits.signedIn(async (page, open) => {
      await open(`dashboard/${uid}`)
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await page.getByRole('button', { name: 'Remove Duty' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Draft, changed')
      await page.getByRole('link', { name: 'Query' }).click()
      await page.getByRole('heading', { name: 'Query' }).waitFor()
      await page.goBack()
      await page.getByRole('button', { name: 'Save' }).waitFor()
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Draft, changed')
      await page.context().clearCookies()
      // The page may notice it by itself, before the click.
      await page.evaluate('document.querySelector(".arrange-bar .first")?.click()')
      await page.getByText('Your session has ended').waitFor()
      await visits.signIn(page)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: 'Draft, changed' }).waitFor()
      assert.deepEqual((await stored(uid)).tiles.map(({ title }) => title).toSorted(), ['All', 'Heat', 'Level'])
    })
  })

  it('asks whose version is to stay when somebody else has saved meanwhile', async () => {
    const uid = await make('Shared', some())
    const other = await addPerson(service, 'admin')
    await visits.signedIn(async (page, open) => {
      await open(`dashboard/${uid}`)
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await page.getByLabel('Name', { exact: true }).fill('Mine')
      assert.equal((await other.call('PUT', `/api/dashboard/${uid}`, { name: 'Theirs' })).status, 200)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Somebody else has changed this dashboard meanwhile.').waitFor()
      await visits.shoot(page, 'dashboard-conflict')
      await page.getByRole('button', { name: 'Keep mine' }).click()
      await page.getByRole('heading', { name: 'Mine', level: 1 }).waitFor()
    })
    assert.equal((await stored(uid)).version, 3)
  })

  it('is looked at by a guest, who is not offered to change it, and full screen hides the frame', async () => {
    const uid = await make('For all', some())
    const guest = await addPerson(service, 'guest')
    await visits.signedInAs(guest.user.email, testPassword, async (page, open) => {
      await open('dashboards')
      assert.equal(await page.getByRole('button', { name: 'New dashboard' }).count(), 0)
      await page.getByRole('link', { name: 'For all' }).click()
      await tileNamed(page, 'Level').locator('strong').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Edit', exact: true }).count(), 0)
      await page.getByRole('button', { name: 'Full screen' }).click()
      await eventually(() => page.evaluate('document.fullscreenElement !== null'))
      await page.locator('.side').waitFor({ state: 'hidden' })
      await visits.shoot(page, 'dashboard-wall')
      await page.getByRole('button', { name: 'Leave full screen' }).click()
      await page.locator('.side').waitFor()
      await eventually(() => page.evaluate('document.fullscreenElement === null'))
      await open(`dashboard/${uid}?edit=1`)
      await page.reload()
      await tileNamed(page, 'Level').locator('strong').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
    })
  })

  it('shows names as texts, whatever they hold', async () => {
    const named = stream(image, image)
    const uid = await make(image, [
      { kind: 'value', title: '', stream: [named] },
      { kind: 'table', title: image, stream: [named], column: 4 },
      { kind: 'chart', title: '', stream: [named], column: 8, seconds: 3600 },
      { kind: 'text', title: '', text: `<b>${image}</b>`, row: 3 },
    ])
    await visits.signedIn(async (page, open) => {
      await open(`dashboard/${uid}`)
      await page.locator('.tile-value', { hasText: '4711' }).waitFor()
      await page.locator('.plot canvas').waitFor()
      await page.getByText(`<b>${image}</b>`).waitFor()
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await page.getByRole('button', { name: `Edit ${image}`, exact: true }).click()
      await page.getByRole('dialog').getByLabel('Search components').fill('<img')
      await page.getByRole('dialog').locator('summary').first().waitFor()
      assert.equal(await page.locator('img[src=x]').count(), 0)
    })
  })

  it('shows the operator how the server is doing, other admins how their organization is, and nobody else', async () => {
    const eve = await addUser(service.sql, 'eve@example.org')
    const elsewhere = await addOrganization(service.sql, 'Elsewhere', eve)
    const { secret } = await addApiKey(service.sql, elsewhere.uid, [{ resource: '*', methods: ['PUT', 'POST'] }])
    await service.put(`/api/feed?compId=Kiln&heat=900&fuel=gas&api_key=${secret}`)
    await visits.signedIn(async (page) => {
      await page.getByRole('link', { name: 'Operations' }).click()
      const storage = page.getByRole('region', { name: 'Storage' })
      await storage.getByText(/MiB|GiB/).waitFor()
      await page
        .getByRole('region', { name: 'Samples per second' })
        .getByText(/^[\d.]+$/)
        .waitFor({ timeout: 30_000 })
      await page.getByRole('heading', { name: 'Refused requests' }).waitFor()
    })
    await visits.signedInAs(eve.email, testPassword, async (page) => {
      await page.getByRole('link', { name: 'Operations' }).click()
      await page.getByRole('region', { name: 'Components' }).getByText('1', { exact: true }).waitFor()
      await page.getByRole('region', { name: 'Streams', exact: true }).getByText('2', { exact: true }).waitFor()
      await page.getByText('All connectors and derived streams do well.').waitFor()
      assert.equal(await page.getByRole('region', { name: 'Storage' }).count(), 0)
    })
    const member = await addPerson(service, 'member')
    await visits.signedInAs(member.user.email, testPassword, async (page, open) => {
      assert.equal(await page.getByRole('link', { name: 'Operations' }).count(), 0)
      await open('operations')
      await page.getByText('Your role does not allow this.').waitFor()
    })
  })

  for (const mode of ['light', 'dark', 'phone'] as const)
    it(`has nothing that axe finds serious, and nothing wider than the page: ${mode}`, async () => {
      const uid = await make(`Wall ${mode}`, some())
      await visits.signedIn(async (page, open) => {
        await open('dashboards')
        await page.getByRole('link', { name: `Wall ${mode}` }).waitFor()
        await visits.look(page, `${mode}-dashboards`)
        await open(`dashboard/${uid}`)
        await page.locator('.plot canvas').waitFor()
        await tileNamed(page, 'Level').locator('strong').waitFor()
        await visits.look(page, `${mode}-dashboard`)
        await page.getByRole('button', { name: 'Edit', exact: true }).click()
        await page.getByRole('button', { name: 'Move Level', exact: true }).waitFor()
        await visits.look(page, `${mode}-dashboard-edit`)
        await page.getByRole('button', { name: 'Edit Heat' }).click()
        await page.getByRole('dialog').locator('summary').first().waitFor()
        await visits.look(page, `${mode}-dashboard-tile`)
        await page.getByRole('button', { name: 'Close' }).click()
        await page.getByRole('button', { name: 'Cancel' }).click()
        await open('operations')
        await page
          .getByRole('region', { name: 'Storage' })
          .getByText(/MiB|GiB/)
          .waitFor()
        await visits.look(page, `${mode}-operations`)
      }, visits.modes[mode])
    })
})
