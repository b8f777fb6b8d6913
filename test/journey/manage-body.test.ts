// The body of a managing call is JSON, whatever its Content-Type says (docs/management.md).
import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { addApiKey, addSession, addUser, addMember } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

describe('the body of a managing call', () => {
  let service: TestService
  let secret: string
  before(async () => {
    service = await openTestService()
    const all = [{ resource: '*', methods: ['GET', 'PUT', 'POST', 'DELETE'] as const }]
    secret = (await addApiKey(service.sql, service.organizationUid, all)).secret
  })
  after(() => service.close())

  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
    service.request('POST', `/api/unit?api_key=${secret}`, { body, headers })

  const types = ['application/x-www-form-urlencoded', 'application/json', 'text/plain', 'multipart/form-data', 'x', '']
  for (const type of types)
    it(`is JSON as '${type}'`, async () => {
      const { status, text } = await post('\ufeff {"name":"u"}\r\n', { 'Content-Type': type })
      assert.equal(status, 201, text)
    })

  it('may be gzip', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Encoding': 'gzip' }
    assert.equal((await post(gzipSync('{"name":"u"}'), headers)).status, 201)
  })

  it('is refused with its error', async () => {
    const refused: readonly [body: string, message: RegExp][] = [
      ['name=u', /^the body is not JSON: Unexpected token.*; the body must be a JSON object such as {"id":"celsius"/],
      ['{"name":"u"', /^the body is not JSON: /],
      ['', /^the body must be a JSON object such as {"id":"celsius",.*}$/],
      ['[]', /^the body must be a JSON object such as {"id":"celsius",.*}$/],
      ['"name"', /^the body must be a JSON object such as {"id":"celsius",.*}$/],
    ]
    for (const [body, message] of refused) {
      const { status, json } = await post(body, { 'Content-Type': 'application/x-www-form-urlencoded' })
      assert.equal(status, 400)
      assert.match((json as { message: string }).message, message)
    }
  })

  it('may be a form where a script is sent', async () => {
    const user = await addUser(service.sql, 'form@example.org')
    await addMember(service.sql, service.organizationUid, user, 'member')
    const session = await addSession(service.sql, user)
    for (const body of ['s=SELECT+1+AS+one', '{"s":"SELECT 1 AS one"}']) {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      const { json } = await service.request('POST', `/api/gql?session=${session}`, { body, headers })
      assert.deepEqual((json as { rows: unknown }).rows, [[1]], body)
    }
  })
})
