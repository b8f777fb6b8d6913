// The run-as user of a connector (docs/connectors.md): whose rights hold, when they change, and when the user leaves.
import assert from 'node:assert/strict'
import type { Capability } from '../../src/core/api-key.ts'
import type { Client } from '../support/http.ts'
import { addPerson, clientWith, messageIn } from '../support/http.ts'
import { addApiKey, addOrganization } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

describe("a connector's run-as user", () => {
  let service: TestService
  let admin: Client
  let sinkKey: string
  let made = 0
  before(async () => {
    service = await openTestService()
    admin = (await addPerson(service, 'admin')).call
    const capability = { resource: 'connector/*/sink', methods: ['POST'] as const }
    sinkKey = (await addApiKey(service.sql, service.organizationUid, [capability])).secret
    await service.put('/api/feed?compId=Kept&x=1&time=1000')
  })
  after(() => service.close())

  const create = async (runAsUserUid: string, sql: string) => {
    made += 1
    const input = { name: `c${made}`, endpoint: `e${made}`, runAsUserUid, timeZone: 'UTC', sql }
    const { status, body } = await admin('POST', '/api/connector', input)
    assert.equal(status, 201, JSON.stringify(body))
    return (body as { connector: { uid: string; endpoint: string } }).connector
  }
  const push = (endpoint: string) =>
    service.request('POST', `/api/conn_sink/${service.organizationUid}/${endpoint}?api_key=${sinkKey}`)
  const insert = (component: string) => `INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT '${component}', 's', 1, 1`
  const kept = async () => (await service.get('/api/comp/Kept/feed')).json

  it('must be allowed to DELETE what a script deletes, and to PUT what it updates', async () => {
    const guest = await addPerson(service, 'guest')
    for (const [script, right] of [
      ["DELETE FROM SAMPLE WHERE CID = 'Kept' AND ID = 'x'", 'DELETE'],
      ["UPDATE SAMPLE SET SAMPLE = 2 WHERE CID = 'Kept' AND ID = 'x'", 'PUT'],
    ] as const) {
      const { endpoint } = await create(guest.user.uid, script)
      const { status, json } = await push(endpoint)
      assert.equal(status, 403, script)
      const { message } = json as { message: string }
      assert.match(message, new RegExp(`^this connector's run-as user may not ${right} component/.*/feed$`))
    }
    assert.deepEqual(await kept(), [{ time: 1000, data: 1 }])
  })

  it('has the rights of its role as soon as that is changed', async () => {
    const { user } = await addPerson(service, 'member')
    const { endpoint } = await create(user.uid, insert('Role'))
    assert.equal((await push(endpoint)).status, 200)
    for (const [role, status] of [
      ['guest', 403],
      ['member', 200],
    ] as const) {
      assert.equal((await admin('PUT', `/api/user/${user.uid}`, { role })).status, 200)
      assert.equal((await push(endpoint)).status, status, role)
    }
  })

  it('may leave: the connector then refuses to run, and can be read, changed and given to another', async () => {
    const { user } = await addPerson(service, 'member')
    // A user who belongs to another organization as well keeps the account.
    await addOrganization(service.sql, 'their own', user)
    const { uid, endpoint } = await create(user.uid, insert('Left'))
    assert.equal((await push(endpoint)).status, 200)
    assert.equal((await admin('DELETE', `/api/user/${user.uid}`)).status, 200)
    assert.equal((await push(endpoint)).status, 403)

    const change = async (input: object) => {
      const { status, body } = await admin('PUT', `/api/connector/${uid}`, input)
      assert.equal(status, 200, JSON.stringify(body))
      return (body as { connector: { runAsUserUid: string | null; enabled: boolean } }).connector
    }
    const { body } = await admin('GET', `/api/connector/${uid}`)
    const shown = (body as { connector: { runAsUserUid: string | null } }).connector
    assert.equal(shown.runAsUserUid, null)
    assert.equal((await change({ enabled: false })).enabled, false)
    assert.equal((await push(endpoint)).status, 404)
    // A connector can be sent back as it was read.
    assert.deepEqual((await change({ ...shown, version: undefined })).runAsUserUid, null)
    assert.equal((await push(endpoint)).status, 403)
    const { user: next } = await addPerson(service, 'member')
    assert.equal((await change({ runAsUserUid: next.uid })).runAsUserUid, next.uid)
    assert.equal((await push(endpoint)).status, 200)
  })

  it('may come back in any role after leaving, so that only those who may do all with samples change what it runs', async () => {
    const { user } = await addPerson(service, 'member')
    await addOrganization(service.sql, 'elsewhere', user)
    const { uid, endpoint } = await create(user.uid, insert('Gone'))
    assert.equal((await admin('DELETE', `/api/user/${user.uid}`)).status, 200)
    const by = async (methods: Capability['methods']) => {
      const { secret } = await addApiKey(service.sql, service.organizationUid, [
        { resource: 'connector', methods: ['GET', 'PUT'] },
        { resource: 'component/*/feed', methods },
      ])
      return clientWith(service, `api_key=${secret}`)
    }
    const [reader, writer] = [await by(['GET']), await by(['GET', 'PUT', 'DELETE'])]
    const path = `/api/connector/${uid}`
    assert.equal((await reader('PUT', path, { enabled: false })).status, 200)
    for (const input of [
      { enabled: true },
      { sql: insert('Other') },
      { endpoint: `${endpoint}2` },
      { timeZone: null },
    ]) {
      const { status, body } = await reader('PUT', path, input)
      assert.equal(status, 403, JSON.stringify(input))
      assert.match(messageIn(body), /may not PUT component\/\*\/feed, and so cannot give that right/)
    }
    assert.equal((await writer('PUT', path, { sql: insert('Other'), enabled: true })).status, 200)
  })

  it('is somebody of the organization: a new connector needs one, and takes nobody else', async () => {
    const input = { name: 'n', endpoint: 'n', sql: 'SELECT 1' }
    assert.equal((await admin('POST', '/api/connector', { ...input, runAsUserUid: null })).status, 400)
    assert.equal((await admin('POST', '/api/connector', { ...input, runAsUserUid: 'nobody' })).status, 404)
  })
})
