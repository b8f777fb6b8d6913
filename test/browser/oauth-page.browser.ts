// The authorization page in a real browser: the contract's address with its parameters in the fragment, forms with
// and without scripts, and what pages of other sites cannot do to it.
import assert from 'node:assert/strict'
import type { IncomingMessage, Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { OauthClient } from '../../src/core/oauth-client.ts'
import { addClient, addMember, addOrganization, addUser, testPassword } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { skipWithout } from '../support/skip.ts'
import { openBrowser } from './browser.ts'

describe('the authorization page in a browser', function () {
  this.timeout(60_000)
  let browser: Browser | undefined
  let service: TestService
  let client: OauthClient
  /** The client's own server, on another site than the service: localhost and 127.0.0.1 are two. */
  let site: Server
  let siteUrl: string
  let sitePage = ''
  let callbacks: IncomingMessage[] = []

  before(async function () {
    browser = await openBrowser()
    if (browser === undefined) return skipWithout(this, 'Chromium')
    site = createServer((request, response) => {
      if (request.url?.startsWith('/callback')) callbacks.push(request)
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(request.url === '/page' ? sitePage : 'You are back.')
    })
    await new Promise<void>((resolve) => site.listen(0, 'localhost', resolve))
    siteUrl = `http://localhost:${(site.address() as AddressInfo).port}`
    service = await openTestService()
    const user = await addUser(service.sql, 'ada@example.org')
    await addMember(service.sql, service.organizationUid, user, 'member')
    client = await addClient(service.sql, service.organizationUid, { redirectUris: [`${siteUrl}/callback`] })
  })
  after(async () => {
    await browser?.close()
    site?.close()
    await service?.close()
  })
  beforeEach(() => {
    callbacks = []
  })

  const asked = (more: Readonly<Record<string, string>> = {}) =>
    new URLSearchParams({
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: `${siteUrl}/callback`,
      state: 'a b&c',
      ...more,
    })

  /** Runs the steps on a page of a fresh browser, and fails on whatever the browser complains about. */
  const visit = async (steps: (page: Page) => Promise<void>, options: BrowserContextOptions = {}): Promise<void> => {
    const context = await browser!.newContext(options)
    const complaints: string[] = []
    try {
      const page = await context.newPage()
      page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
      page.on('pageerror', (error) => void complaints.push(error.message))
      await steps(page)
    } finally {
      await context.close()
    }
    // A wrong password is a 401, a wrong request a 400, which browsers write down.
    assert.deepEqual(
      complaints.filter((text) => !/status of 40[014]/.test(text)),
      [],
    )
  }
  const signInAndAllow = async (page: Page) => {
    await page.fill('input[name=password]', testPassword)
    await page.click('button[value=signin]')
    await page.click('button[value=allow]')
    await page.waitForURL(`${siteUrl}/callback*`)
  }
  const assertCalledBack = (page: Page) => {
    const { searchParams, hash } = new URL(page.url())
    assert.equal(hash, '')
    assert.match(searchParams.get('code') ?? '', /^[A-Za-z0-9_-]{43}$/)
    assert.equal(searchParams.get('state'), 'a b&c')
    assert.equal(callbacks.length, 1)
    assert.equal(callbacks[0]!.headers.referer, undefined)
  }

  it('takes its parameters from behind #signinoauth/, and the e-mail is filled in', () =>
    visit(async (page) => {
      await page.goto(`${service.url}/alt/#signinoauth/?${asked({ email: 'ada@example.org' }).toString()}`)
      await page.waitForSelector('input[name=password]')
      assert.equal(await page.inputValue('input[name=email]'), 'ada@example.org')
      assert.equal(await page.evaluate('document.activeElement.name'), 'password')
      await signInAndAllow(page)
      assertCalledBack(page)
    }))

  it('takes the form that another site posts to it', () =>
    visit(async (page) => {
      const fields = [...asked()].map(
        ([name, value]) => `<input name="${name}" value="${value.replace('&', '&amp;')}">`,
      )
      sitePage = `<form method="post" action="${service.url}/alt/#signinoauth/">${fields.join('')}<button>Go</button></form>`
      await page.goto(`${siteUrl}/page`)
      await page.click('button')
      await page.fill('input[name=email]', 'ada@example.org')
      await signInAndAllow(page)
      assertCalledBack(page)
    }))

  it('works without scripts', () =>
    visit(
      async (page) => {
        await page.goto(`${service.url}/alt/?${asked().toString()}`)
        await page.fill('input[name=email]', 'ada@example.org')
        await page.fill('input[name=password]', 'wrong password')
        await page.click('button[value=signin]')
        assert.match((await page.textContent('[role=alert]')) ?? '', /Wrong e-mail or password/)
        await signInAndAllow(page)
        assertCalledBack(page)
      },
      { javaScriptEnabled: false },
    ))

  it('carries a state with line breaks and signs through the forms unchanged', () =>
    visit(async (page) => {
      const state = 'a\nb\r\nc\t"<ü>'
      await page.goto(`${service.url}/alt/?${asked({ email: 'ada@example.org', state }).toString()}`)
      await signInAndAllow(page)
      assert.equal(new URL(page.url()).searchParams.get('state'), state)
    }))

  it('lets a user of several organizations choose one, and not go on without', () =>
    visit(async (page) => {
      const bea = await addUser(service.sql, 'bea@example.org')
      await addMember(service.sql, service.organizationUid, bea, 'member')
      const { uid } = await addOrganization(service.sql, 'Bea’s', bea)
      await page.goto(`${service.url}/alt/?${asked({ email: bea.email }).toString()}`)
      await page.fill('input[name=password]', testPassword)
      await page.click('button[value=signin]')
      await page.click('button[value=allow]')
      assert.equal(await page.evaluate('document.querySelector("select").checkValidity()'), false)
      const denial = page.locator('button[value=deny]')
      assert.notEqual(await denial.getAttribute('formnovalidate'), null)
      await page.selectOption('select', { label: 'Bea’s' })
      await page.click('button[value=allow]')
      await page.waitForURL(`${siteUrl}/callback*`)
      const [grant] = await service.sql`
        select organization.uid
        from oauth_grant
        join organization on organization.key = organization_key
        where user_key = ${bea.key}`
      assert.deepEqual(grant, { uid })
    }))

  it('leaves it to the user to go back to a client whose request is wrong', () =>
    visit(async (page) => {
      await page.goto(`${service.url}/alt/?${asked({ email: 'ada@example.org', response_type: 'token' }).toString()}`)
      assert.deepEqual(callbacks, [])
      await page.fill('input[name=password]', testPassword)
      await page.click('button[value=signin]')
      await page.waitForSelector('button[value=deny]')
      assert.deepEqual(callbacks, [])
      await page.click('button[value=deny]')
      await page.waitForURL(`${siteUrl}/callback*`)
      assert.equal(new URL(page.url()).searchParams.get('error'), 'unsupported_response_type')
    }))

  it('reports to the client that the user denies', () =>
    visit(async (page) => {
      await page.goto(`${service.url}/alt/?${asked({ email: 'ada@example.org' }).toString()}`)
      await page.fill('input[name=password]', testPassword)
      await page.click('button[value=signin]')
      await page.click('button[value=deny]')
      await page.waitForURL(`${siteUrl}/callback*`)
      assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied')
    }))

  it('fits a screen of 320 pixels, in light and in dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const)
      await visit(
        async (page) => {
          await page.goto(`${service.url}/alt/?${asked({ email: 'ada@example.org' }).toString()}`)
          const fits = 'document.documentElement.scrollWidth <= innerWidth'
          assert.equal(await page.evaluate(fits), true)
          await page.fill('input[name=password]', testPassword)
          await page.click('button[value=signin]')
          await page.waitForSelector('button[value=allow]')
          assert.equal(await page.evaluate(fits), true)
        },
        { viewport: { width: 320, height: 568 }, colorScheme },
      )
  })

  it('cannot be framed', async () => {
    const context = await browser!.newContext()
    const page = await context.newPage()
    sitePage = `<iframe src="${service.url}/alt/?${asked().toString()}"></iframe>`
    await page.goto(`${siteUrl}/page`)
    await page.waitForLoadState('networkidle')
    const frame = page.frames().find((one) => one !== page.mainFrame())!
    assert.equal(await frame.locator('input').count(), 0)
    await context.close()
  })

  it('lets a page of another site change nothing by the cookies of the user who is signed in', async () => {
    const context = await browser!.newContext()
    const page = await context.newPage()
    await page.goto(`${service.url}/healthz`)
    const status = await page.evaluate(
      async ([email, password]) =>
        (await fetch('/api/login', { method: 'POST', body: JSON.stringify({ email, password }) })).status,
      ['ada@example.org', testPassword],
    )
    assert.equal(status, 200)
    const own = await page.evaluate(async () => (await fetch('/api/feed?compId=Own&a=1', { method: 'PUT' })).status)
    assert.equal(own, 200)
    sitePage = `<form method="post" action="${service.url}/api/organization" enctype="text/plain">
      <input name='{"name":"Evil","x' value='":1}'><button>Win</button></form>`
    await page.goto(`${siteUrl}/page`)
    const [answer] = await Promise.all([page.waitForResponse(/api\/organization/), page.click('button')])
    assert.equal(answer.status(), 401)
    await page.goto(`${siteUrl}/page`)
    const isRefused = await page.evaluate(
      (url) =>
        fetch(`${url}/api/feed?compId=Evil&a=1`, { method: 'PUT', credentials: 'include' }).then(
          () => false,
          () => true,
        ),
      service.url,
    )
    assert.equal(isRefused, true)
    await page.goto(`${service.url}/api/feed?asPut&compId=Evil&a=1`)
    const found = await service.sql`select from component where id = 'Evil'`
    assert.equal(found.length, 0)
    await context.close()
  })
})
