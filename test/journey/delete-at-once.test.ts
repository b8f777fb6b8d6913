// A thing that somebody deletes while another call about it is under way: of two deletions one is answered with success, and stands in the
// audit log.
import assert from 'node:assert/strict'
import { transaction } from '../../src/base/database/sql.ts'
import { isSomebodyWaiting } from '../support/database.ts'
import { clientWith } from '../support/http.ts'
import { addOrganization, addSession, addToken, addUser } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

describe('a thing that somebody else has deleted while the call waited', () => {
  let service: TestService
  let call: ReturnType<typeof clientWith>
  let ownerUid: string
  let addGrant: () => Promise<string>
  before(async () => {
    service = await openTestService()
    const owner = await addUser(service.sql, 'founder@example.org')
    ownerUid = owner.uid
    const { uid } = await addOrganization(service.sql, 'Plant', owner)
    call = clientWith(service, `session=${await addSession(service.sql, owner)}&org=${uid}`)
    addGrant = () => addToken(service.sql, uid, owner)
  })
  after(() => service.close())

  /** The status of a call that waits for somebody else's deletion. */
  const statusAfterDeletion = async (
    table: string,
    uid: string,
    ask: () => Promise<{ readonly status: number }>,
  ): Promise<number> => {
    let status: Promise<number>
    await transaction(service.sql, async (tx) => {
      await tx`delete from ${tx(table)} where uid = ${uid}`
      let isDone = false
      status = ask().then((reply) => {
        isDone = true
        return reply.status
      })
      await eventually(async () => isDone || (await isSomebodyWaiting(service.sql)))
    })
    return status!
  }

  const sql = "INSERT INTO SAMPLE(CID, ID, SAMPLE) VALUES ('Sunk', 's', 1)"
  const inputs: Readonly<Record<string, () => object>> = {
    component: () => ({ id: 'c' }),
    template: () => ({ id: 't' }),
    cycle: () => ({ id: 'c', size: 3, unit: 'hour' }),
    unit: () => ({ id: 'u' }),
    folder: () => ({ path: '/Components/x' }),
    query: () => ({ name: 'q', sql: 'select 1' }),
    dashboard: () => ({ name: 'd' }),
    connector: () => ({ type: 'http', name: 'c', endpoint: 'c', runAsUserUid: ownerUid, sql }),
    connection: () => ({ name: 'c', kind: 'postgresql', host: 'db.example', database: 'x', user: 'x' }),
    api_key: () => ({ name: 'k', capabilities: [] }),
    oauth_client: () => ({ name: 'c', redirectUris: ['https://client.example/'] }),
  }
  for (const [entity, input] of Object.entries(inputs))
    it(`is not found: ${entity}`, async () => {
      for (const method of ['DELETE', 'PUT']) {
        const made = await call('POST', `/api/${entity}`, input())
        assert.equal(made.status, 201, JSON.stringify(made.body))
        const { uid } = (made.body as Record<string, { uid: string }>)[entity]!
        const change = entity === 'folder' ? { path: '/Components/y' } : { name: 'another' }
        // Templates are components without samples.
        const table = entity === 'template' ? 'component' : entity
        const status = await statusAfterDeletion(table, uid, () =>
          call(method, `/api/${entity}/${uid}`, method === 'PUT' ? change : undefined),
        )
        assert.equal(status, 404, method)
        const entries = await service.sql`select action from audit where subject = ${uid}`
        assert.deepEqual(
          entries.map(({ action }) => action as string),
          [`${entity}.create`],
        )
      }
    })
  it('is not found: grant', async () => {
    await addGrant()
    const [{ uid }] = await service.sql<[{ uid: string }]>`select uid from oauth_grant`
    assert.equal(await statusAfterDeletion('oauth_grant', uid, () => call('DELETE', `/api/grant/${uid}`)), 404)
    assert.deepEqual([...(await service.sql`select action from audit where subject = ${uid}`)], [])
  })
})
