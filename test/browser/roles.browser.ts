// Every page of the studio as each role sees it, in light and in dark: nothing serious by axe-core, nothing wider than the
// page, no error in the console, and no button that the server would refuse.
import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { addPerson } from '../support/http.ts'
import { openManager } from '../support/manage.ts'
import { testPassword } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { skipWithout } from '../support/skip.ts'
import { openBrowser } from './browser.ts'
import { visitStudio } from './visitor.ts'

const roles = ['guest', 'member', 'admin'] as const

/** Words of buttons and links that change something, and the lowest role that may. */
const offered: readonly (readonly [RegExp, (typeof roles)[number]])[] = [
  [/^Add a sample$|^Try it$|^Run$|^Derive again$/, 'member'],
  [/^New |^Delete$|^Edit$|^Save$|^Save this script$|^Add to a dashboard$|^View Secret Key$|^Reset link$/, 'admin'],
]

describe('the pages of the studio by role', function () {
  this.timeout(120_000)
  let browser: Browser | undefined
  let service: TestService
  let places: readonly string[]
  before(async function () {
    browser = await openBrowser()
    if (browser === undefined) return skipWithout(this, 'Chromium')
    service = await openTestService()
    await service.put('/api/feed?compId=Boiler&temp=20.1,20.4,21&mode=on&freq=60000')
    const manage = await openManager(service)
    const [boiler] = await manage.list('component', 'id=Boiler')
    const uid = boiler!.uid
    const derived = {
      componentUid: uid,
      id: 'twice',
      expression: 't * 2',
      variables: [{ name: 't', streamId: 'temp' }],
    }
    const stream = await manage.make('stream', derived)
    const template = await manage.make('template', { id: 'pump', stream: [{ id: 'flow' }] })
    const tile = [{ kind: 'chart', stream: [{ componentUid: uid, streamId: 'temp' }] }]
    const made = await manage.ask('POST', '/api/dashboard', { name: 'North', tile })
    const { dashboard } = made.body as { readonly dashboard: { readonly uid: string } }
    places = [
      'components',
      `component/${uid}`,
      `component/${uid}?tab=files`,
      `component/${uid}?tab=properties`,
      `stream/${stream.uid}`,
      'chart?of=Boiler/temp&of=Boiler/mode',
      'chart?of=Boiler/temp&of=Boiler/mode&table',
      'dashboards',
      `dashboard/${dashboard.uid}`,
      `dashboard/${dashboard.uid}?wall=1`,
      'query',
      'connectors',
      'catalogue',
      'catalogue?tab=units',
      'catalogue?tab=cycles',
      `template/${template.uid}`,
      'operations',
      ...['keys', 'users', 'clients', 'audit', 'applications', 'password'].map((tab) => `security?tab=${tab}`),
    ]
  })
  after(async () => {
    await browser?.close()
    await service?.close()
  })

  for (const role of roles)
    for (const size of ['light', 'dark'] as const)
      it(`have nothing that axe finds serious, and offer nothing that is refused: ${role}, ${size}`, async () => {
        const { user } = await addPerson(service, role)
        await visitStudio(
          browser!,
          service,
          async ({ page, open, look }) => {
            for (const place of places) {
              await open(place)
              await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
              await look(`${role}-${place.replaceAll(/\W+/g, '-')}`)
              const words = await page.locator('main button, main a').allInnerTexts()
              const refused = offered.filter(([, least]) => roles.indexOf(role) < roles.indexOf(least))
              const wrong = words.filter((text) => refused.some(([pattern]) => pattern.test(text.trim())))
              assert.deepEqual(wrong, [], place)
            }
          },
          { email: user.email, password: testPassword, size },
        )
      })
})
