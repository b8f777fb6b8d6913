// Sessions in a real browser, from their beginning to their end: OAuth with a real redirect to an application, a new
// password, also by a link, a server that goes away and comes back, and applications whose access is ended.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { readConfig } from '../../src/base/config.ts'
import type { OauthClient } from '../../src/core/oauth-client.ts'
import type { Service } from '../../src/service.ts'
import { openService } from '../../src/service.ts'
import { quietLog } from '../support/database.ts'
import { addClient, addMember, addSession, addUser, testPassword } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService, testMasterKey } from '../support/service.ts'
import { skipWithout } from '../support/skip.ts'
import { openBrowser } from './browser.ts'
import { openVisits } from './visit.ts'
import type { Visits } from './visit.ts'

/** Names are texts on every page. */
const image = '<img src=x onerror=alert(1)>'

describe('sessions in a browser', function () {
  this.timeout(60_000)
  let browser: Browser | undefined
  let service: TestService
  let visits: Visits
  let site: Server
  let siteUrl: string
  let client: OauthClient
  before(async function () {
    browser = await openBrowser()
    if (browser === undefined) return skipWithout(this, 'Chromium')
    site = createServer((_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Back</title>You are back.'),
    )
    await new Promise<void>((resolve) => site.listen(0, 'localhost', resolve))
    siteUrl = `http://localhost:${(site.address() as AddressInfo).port}`
    service = await openTestService()
    visits = await openVisits(browser, service)
    client = await addClient(service.sql, service.organizationUid, {
      name: image,
      redirectUris: [`${siteUrl}/callback`],
      secret: 'the secret of the client',
    })
    await service.put('/api/feed?compId=Boiler&temp=20.1')
  })
  after(async () => {
    await browser?.close()
    site?.close()
    await service?.close()
  })
  const alertOf = (page: Page) => page.locator('[role=alert]')
  const member = async (email: string) => {
    const user = await addUser(service.sql, email)
    await addMember(service.sql, service.organizationUid, user, 'member')
    return user
  }
  const authorization = () =>
    `${service.url}/alt/#signinoauth/?${new URLSearchParams({
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: `${siteUrl}/callback`,
      state: 'a state',
    }).toString()}`

  it('begin with OAuth: a wrong password, the right one, consent, the redirect, tokens; and end in the studio', async () => {
    const ada = await member('ada@example.org')
    await visits.visit(async (page) => {
      await page.goto('about:blank')
      await page.goto(authorization())
      await page.waitForSelector('button[value=signin]')
      await visits.signIn(page, 'wrong', ada.email)
      await alertOf(page).waitFor()
      await visits.signIn(page, testPassword, ada.email)
      await page.waitForSelector('button[value=allow]')
      assert.equal(await alertOf(page).count(), 0)
      await page.getByRole('heading', { name: `Allow ${image} to use your account?` }).waitFor()
      assert.equal(await page.locator('img[src=x]').count(), 0)
      await page.click('button[value=allow]')
      await page.waitForURL(`${siteUrl}/callback*`)
      const { searchParams } = new URL(page.url())
      assert.equal(searchParams.get('state'), 'a state')
      const reply = await service.request('POST', '/api/oauth_access_token', {
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: searchParams.get('code')!,
          redirect_uri: `${siteUrl}/callback`,
          client_id: client.clientId,
          client_secret: 'the secret of the client',
        }),
      })
      assert.equal(reply.status, 200, reply.text)
      const { access_token: token } = reply.json as { access_token: string }
      const read = () => service.request('GET', `/api/comp/Boiler/last_value?access_token=${token}`)
      assert.equal((await read()).status, 200)
      await page.goto(`${service.url}/alt/#/security?tab=applications`)
      await page.waitForSelector('input[name=email]')
      await visits.signIn(page, testPassword, ada.email)
      await page.getByRole('row', { name: image }).getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('No application acts for you').waitFor()
      assert.equal((await read()).status, 401)
    })
  })

  it('end by signing out, and then the cookie opens nothing', () =>
    visits.signedIn(async (page) => {
      const cookies = await page.context().cookies()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForSelector('input[name=email]')
      assert.equal(await page.getByText('Your session has ended').count(), 0)
      await page.context().addCookies(cookies)
      await page.reload()
      await page.waitForSelector('input[name=email]')
    }))

  it('leave none of their scripts to the next person at the same window', async () => {
    const dana = await member('dana@example.org')
    const script = "SELECT 'a secret of the owner' AS said"
    await visits.signedIn(async (page, open) => {
      await open(`query?${new URLSearchParams({ s: script }).toString()}`)
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByRole('cell', { name: 'a secret of the owner' }).waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForSelector('input[name=email]')
      const kept = () => page.evaluate('JSON.stringify([Object.entries(localStorage), location.href])')
      assert.doesNotMatch(String(await kept()), /secret/)
      await visits.signIn(page, testPassword, dana.email)
      await open('query')
      await page.getByText('Scripts that you run are kept here').waitFor()
      assert.equal(await page.getByText('a secret of the owner').count(), 0)
      // A session that only ends leaves them to its own person, and not to another.
      await page.goto('about:blank')
      await open(`query?${new URLSearchParams({ s: "SELECT 'of Dana' AS said" }).toString()}`)
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByRole('cell', { name: 'of Dana' }).waitFor()
      const signInAgain = async (password: string, email: string) => {
        await page.context().clearCookies()
        await page.goto('about:blank')
        await open('query')
        await visits.signIn(page, password, email)
        await page.getByRole('heading', { name: 'Lately run' }).waitFor()
      }
      await signInAgain(testPassword, dana.email)
      await page.getByRole('button', { name: 'of Dana' }).waitFor()
      await signInAgain(service.ownerPassword, service.ownerEmail)
      await page.getByText('Scripts that you run are kept here').waitFor()
      assert.equal(await page.getByText('of Dana').count(), 0)
    })
  })

  it('leave no script in the address of another window, nor to somebody else after a session that only ends', async () => {
    const fred = await member('fred@example.org')
    const script = "SELECT 'a secret of the owner' AS said"
    const place = `${service.url}/alt/#/query?${new URLSearchParams({ s: script }).toString()}`
    await visits.signedIn(async (page) => {
      const other = await page.context().newPage()
      await other.goto(place)
      await other.getByRole('button', { name: 'Run', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await other.waitForSelector('input[name=email]')
      assert.doesNotMatch(other.url(), /secret/)
      // A link is followed by whoever signs in.
      await other.goto(place)
      await visits.signIn(other, testPassword, fred.email)
      await other.getByRole('button', { name: 'Run', exact: true }).waitFor()
      assert.match(other.url(), /secret/)
      await page.locator('.side nav').waitFor()
      const endSession = async () => {
        await other.context().clearCookies()
        await other.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        await other.waitForSelector('input[name=email]')
      }
      await endSession()
      await visits.signIn(other, testPassword, fred.email)
      await other.getByRole('button', { name: 'Run', exact: true }).waitFor()
      assert.match(other.url(), /secret/)
      await endSession()
      await visits.signIn(other)
      await other.getByRole('link', { name: 'Boiler', exact: true }).waitFor()
      assert.doesNotMatch(other.url(), /secret/)
    })
  })

  it('are of the same person in all windows of a browser, and end in all of them', async () => {
    const named = async (name: string) => {
      const user = await member(`${name}@example.org`)
      await service.sql`update user_account set first_name = ${name} where key = ${user.key}`
      return user
    }
    const [gina, hugo] = [await named('Gina'), await named('Hugo')]
    await visits.signedIn(async (page, open) => {
      // A page that asks for nothing by itself.
      await open('query')
      const other = await page.context().newPage()
      await other.goto(`${service.url}/alt/`)
      await other.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForSelector('input[name=email]')
      await visits.signIn(other, testPassword, gina.email)
      await page.getByText('Gina Oak').waitFor()
      // Without a word between the windows: by the server's, once somebody looks at the page again.
      const cookie = { name: 'session', value: await addSession(service.sql, hugo), url: service.url }
      await page.context().addCookies([cookie])
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
      await page.getByText('Hugo Oak').waitFor()
    })
  })

  it('go on with a new password of one’s own, and all others end', async () => {
    const cleo = await member('cleo@example.org')
    const other = await addSession(service.sql, cleo)
    await visits.visit(
      async (page) => {
        await page.goto(`${service.url}/alt/#/security?tab=password`)
        await page.waitForSelector('input[name=email]')
        await visits.signIn(page, testPassword, cleo.email)
        const change = async (current: string) => {
          await page.getByLabel('Current password').fill(current)
          await page.getByLabel('New password').fill('another horse battery staple')
          await page.getByRole('button', { name: 'Change password' }).click()
        }
        await change('wrong')
        await page.getByText('currentPassword is wrong').waitFor()
        await change(testPassword)
        await page.getByText('Your password is changed.').waitFor()
        assert.equal(await page.getByLabel('New password').inputValue(), '')
        await page.reload()
        await page.getByRole('button', { name: 'Change password' }).waitFor()
        assert.equal((await service.request('GET', `/api/user?session=${other}`)).status, 401)
      },
      {},
      /403/,
    )
  })

  it('begin anew by a link for a new password, whose secret leaves the address', async () => {
    const bob = await member('bob@example.org')
    const owner = await service.request('POST', '/api/login', {
      body: JSON.stringify({ email: service.ownerEmail, password: service.ownerPassword }),
    })
    const { sessionUid } = owner.json as { sessionUid: string }
    const made = await service.request('POST', `/api/user/${bob.uid}/reset_link?session=${sessionUid}`)
    const { url } = (made.json as { reset_link: { url: string } }).reset_link
    await visits.visit(async (page) => {
      await page.goto(url)
      await page.locator('input[name=token]').waitFor({ state: 'hidden' })
      assert.equal(page.url(), `${service.url}/alt/reset`)
      assert.equal(await page.inputValue('input[name=token]'), url.split('#')[1])
      await visits.look(page, 'reset')
      await page.fill('input[name=password]', 'a new password')
      await page.fill('input[name=again]', 'another password')
      await page.click('button')
      await alertOf(page).getByText('The two passwords differ.').waitFor()
      await page.fill('input[name=password]', 'a new password')
      await page.fill('input[name=again]', 'a new password')
      await page.click('button')
      await page.getByRole('heading', { name: 'The password is set' }).waitFor()
      await page.getByRole('link', { name: 'To the sign-in' }).click()
      await page.waitForSelector('input[name=email]')
      await visits.signIn(page, 'a new password', bob.email)
      await page.getByRole('link', { name: 'Boiler', exact: true }).waitFor()
    })
  })

  it('end while a page listens: it asks to sign in again, and goes on there', async () => {
    const eve = await member('eve@example.org')
    const [row] = await service.sql<{ uid: string }[]>`select uid from component where id = 'Boiler'`
    await visits.visit(async (page) => {
      await visits.signIn(page, testPassword, eve.email)
      await page.waitForSelector('.side nav')
      await visits.open(page, `component/${row!.uid}`)
      await page.getByRole('cell', { name: '20.1' }).waitFor()
      // Elsewhere all sessions of the user are ended.
      const other = await addSession(service.sql, eve)
      const changed = await service.request('PUT', `/api/user/${eve.uid}?session=${other}`, {
        body: JSON.stringify({ password: testPassword, oldPassword: testPassword }),
      })
      if (changed.status !== 200) await service.sql`delete from session where user_key = ${eve.key}`
      await page.getByText('Your session has ended').waitFor()
      await visits.signIn(page, testPassword, eve.email)
      await page.getByRole('cell', { name: '20.1' }).waitFor()
    })
  })

  it('outlast a server that goes away: the page says so, and goes on by itself when it is back', async () => {
    const away = await openTestService()
    await away.put('/api/feed?compId=Boiler&temp=20.1')
    const [row] = await away.sql<{ uid: string }[]>`select uid from component where id = 'Boiler'`
    let again: Service | undefined
    try {
      const own = await openVisits(browser!, away)
      await own.signedIn(
        async (page) => {
          await own.open(page, `component/${row!.uid}`)
          await page.getByRole('cell', { name: '20.1' }).waitFor()
          const port = new URL(away.url).port
          await away.service.close()
          await page.getByRole('link', { name: 'Chart', exact: true }).click()
          await alertOf(page).getByText('The server cannot be reached').first().waitFor()
          again = await openService({
            config: readConfig({ PORT: port, RATE_LIMITS: 'off' }),
            databaseUrl: away.databaseUrl,
            masterKey: testMasterKey,
            clock: { now: () => Date.now() },
            log: quietLog,
          })
          await page.locator('.picture canvas').waitFor()
          await page.locator('.away').waitFor({ state: 'detached' })
          assert.equal(await alertOf(page).count(), 0)
        },
        {},
        /Failed to load resource|ERR_|Failed to fetch/,
      )
    } finally {
      await again?.close()
      await away.sql.end()
    }
  })

  for (const [name, options] of [
    ['light', { viewport: { width: 1100, height: 800 } }],
    ['dark', { viewport: { width: 1100, height: 800 }, colorScheme: 'dark' }],
    ['phone', { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }],
  ] as const)
    it(`have pages in one design, with nothing that axe finds serious: ${name}`, async () => {
      const user = await member(`${name}@example.org`)
      await visits.visit(async (page) => {
        // The measures and colours of the first things that one sees.
        const design = () =>
          page.evaluate(
            `['h1', 'input[type=password]', 'button'].map((one) => {
              const { color, backgroundColor, fontFamily, fontSize, borderRadius } = getComputedStyle(document.querySelector(one))
              return [one, color, backgroundColor, fontFamily, fontSize, one === 'button' ? borderRadius : '']
            })`,
          )
        await visits.look(page, `sign-in-${name}`)
        const studio = await design()
        await page.goto('about:blank')
        await page.goto(authorization())
        await page.waitForSelector('button[value=signin]')
        assert.deepEqual(await design(), studio)
        await visits.look(page, `oauth-sign-in-${name}`)
        await visits.signIn(page, testPassword, user.email)
        await page.waitForSelector('button[value=allow]')
        await visits.look(page, `oauth-consent-${name}`)
      }, options)
    })
})
