// Deriving on request (docs/derived.md#derive-on-request): as many requests as one organization may have.
import assert from 'node:assert/strict'
import type { Capability } from '../../src/core/api-key.ts'
import { mostOpen } from '../../src/core/derive/request.ts'
import { openDerivation } from '../support/derive.ts'
import { clientWith } from '../support/http.ts'
import type { Manager } from '../support/manage.ts'
import { openManager } from '../support/manage.ts'
import { addApiKey, addOrganization, addUser } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

describe('deriving on request, of many streams', () => {
  let service: TestService
  let manage: Manager
  let derive: () => Promise<void>
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
    derive = openDerivation(service)
    await service.put('/api/feed?compId=src&a=1,2,3,4&time=1000,2000,3000,4000')
  })
  after(() => service.close())

  it('has a limit of requests that wait, of an organization, and leaves others alone', async () => {
    const stream = Array.from({ length: mostOpen + 5 }, (_, at) => ({
      id: `d${at}`,
      expression: 'a',
      variables: [{ name: 'a', componentId: 'src', streamId: 'a' }],
    }))
    const many = await manage.make('component', { id: 'many', stream })
    const statuses: number[] = []
    for (const each of many.stream)
      statuses.push((await manage.ask('POST', `/api/stream/${each.uid}/derive?wait=false`, {})).status)
    assert.deepEqual(statuses, [...Array<number>(mostOpen).fill(200), ...Array<number>(5).fill(429)])

    const stranger = await addUser(service.sql, 'stranger@example.org')
    const other = await addOrganization(service.sql, 'Other', stranger)
    const all: readonly Capability[] = [{ resource: '*', methods: ['GET', 'PUT', 'POST', 'DELETE'] }]
    const { secret } = await addApiKey(service.sql, other.uid, all)
    const call = clientWith(service, `api_key=${secret}`)
    const made = await call('POST', '/api/component', {
      id: 'src',
      stream: [{ id: 'a' }, { id: 'd', expression: 'a', variables: [{ name: 'a', streamId: 'a' }] }],
    })
    const theirs = (made.body as { component: { stream: { uid: string }[] } }).component.stream[1]!.uid
    assert.equal((await call('POST', `/api/stream/${theirs}/derive?wait=false`, {})).status, 200)
    await derive()
    const ended = (await call('GET', `/api/stream/${theirs}/derive`)).body as { derive: { end: number | null } }
    assert.notEqual(ended.derive.end, null)
    for (const each of many.stream.slice(0, mostOpen)) {
      const { body } = await manage.ask('GET', `/api/stream/${each.uid}/derive`)
      assert.notEqual((body as { derive: { end: number | null } }).derive.end, null)
    }
  }).timeout(120_000)
})
