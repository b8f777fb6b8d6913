// Addresses that people and browsers write or ask for by themselves.
import assert from 'node:assert/strict'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

describe('addresses', () => {
  let service: TestService
  before(async () => (service = await openTestService()))
  after(() => service.close())

  it('lead to the authorization page without their last slash, with all that was given', async () => {
    for (const method of ['GET', 'POST', 'HEAD'])
      for (const query of ['', '?response_type=code&state=a%20b']) {
        const reply = await service.request(method, `/alt${query}`)
        assert.deepEqual([reply.status, reply.headers.get('location')], [308, `alt/${query}`], method)
      }
    const followed = await fetch(`${service.url}/alt?client_id=none&response_type=code`)
    assert.equal(followed.url, `${service.url}/alt/?client_id=none&response_type=code`)
    assert.match(followed.headers.get('content-type') ?? '', /^text\/html/)
  })

  it('give an icon', async () => {
    for (const path of ['/favicon.ico', '/favicon.svg']) {
      const { status, headers, text } = await service.request('GET', path)
      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), 'image/svg+xml')
      assert.match(text, /^<svg /)
      assert.equal((await service.request('HEAD', path)).status, 200)
    }
  })
})
