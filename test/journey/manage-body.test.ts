// The body of a managing call is JSON, whatever its Content-Type says (docs/management.md).
import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { addPerson, messageIn } from '../support/http.ts'
import { openManager, refusal } from '../support/manage.ts'
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

  it('is answered with the uid where a name was given in its place', async () => {
    const manage = await openManager(service)
    const unit = await manage.make('unit', { id: 'by name' })
    const template = await manage.make('template', { id: 'by name' })
    const component = await manage.make('component', { id: 'by name' })
    const hint = (noun: string, uid: string) =>
      refusal(404, `${noun}_not_found`, `${noun} 'by name' not found: its uid is wanted here, ${uid}`)
    const streams = { id: 'x', stream: [{ id: 's', unitUid: 'by name' }] }
    assert.deepEqual(await manage.ask('POST', '/api/component', streams), hint('unit', unit.uid))
    const made = { id: 'x', templateUid: 'by name' }
    assert.deepEqual(await manage.ask('POST', '/api/component', made), hint('template', template.uid))
    assert.deepEqual(await manage.ask('GET', '/api/component/by%20name'), hint('component', component.uid))
    assert.deepEqual(await manage.ask('DELETE', '/api/unit/by%20name'), hint('unit', unit.uid))
    const stream = { componentUid: 'by name', id: 's' }
    assert.deepEqual(await manage.ask('POST', '/api/stream', stream), hint('component', component.uid))
    const sink = { name: 'n', endpoint: 'e', sql: 'SELECT 1', runAsUserUid: service.ownerEmail }
    const { user, call } = await addPerson(service, 'owner')
    assert.equal((await call('POST', '/api/connector', sink)).status, 404)
    const { body } = await call('POST', '/api/connector', { ...sink, runAsUserUid: user.email })
    assert.match(messageIn(body), new RegExp(`its uid is wanted here, ${user.uid}$`))
    // One that the caller may not see is not named.
    const all = { resource: 'component', methods: ['GET', 'POST', 'PUT'] as const }
    const limited = await openManager(service, [all, { resource: `component/${component.uid}`, methods: [] }])
    assert.deepEqual(
      await limited.ask('GET', '/api/component/by%20name'),
      refusal(404, 'component_not_found', "component 'by name' not found"),
    )
  })
})
