// Names that turn the direction of text (UAX #9) beside the host that a person is sent on to.
import assert from 'node:assert/strict'
import { consentPage, refusalPage, signInPage } from '../../src/oauth/page/html.ts'

const turned = '\u202Eevil\u2069\u2066'
const frame = { brand: { name: turned, logo: undefined }, host: 'data.example' } as never
const step = { clientName: turned, carried: {} }
const views = {
  signIn: signInPage(frame, { ...step, email: 'ada@data.example', problem: `no ${turned}` }),
  consent: consentPage(frame, {
    ...step,
    clientOrganization: turned,
    email: 'ada@data.example',
    fullName: turned,
    target: 'client.example',
    choices: [
      { uid: '1', name: turned },
      { uid: '2', name: 'Second' },
    ],
    scope: 'read',
    problem: undefined,
  }),
  refusal: refusalPage(frame, { ...step, target: 'client.example', problem: turned }),
}

describe('a name that turns the direction of text', () => {
  for (const [name, page] of Object.entries(views))
    it(`stands apart, without the characters that turn, on the page ${name}`, () => {
      assert.doesNotMatch(page, /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/)
      // The title of the window and a choice hold text alone.
      const isolated = page.replaceAll(/<bdi>[^<]*<\/bdi>|<title>[^<]*<\/title>|<option[^>]*dir="auto">[^<]*</g, '')
      assert.doesNotMatch(isolated, /evil/)
    })

  it('leaves the host on a line of its own', () => {
    assert.match(views.consent, /<p class="box"><bdi>client\.example<\/bdi><\/p>/)
    assert.match(views.consent, /<p>It was registered by <strong><bdi>evil<\/bdi><\/strong>\.<\/p>/)
  })
})
