// A change that takes long (docs/management.md), such as that of a template that thousands of components follow: others upload and
// change meanwhile, and its own organization finds it as a whole.
import assert from 'node:assert/strict'
import { transaction } from '../../src/base/database/sql.ts'
import { openManager } from '../support/manage.ts'
import type { Manager } from '../support/manage.ts'
import { addOrganization, addUser } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

describe('a change that takes long', () => {
  let service: TestService
  let slow: Manager
  let other: Manager
  before(async () => {
    service = await openTestService()
    slow = await openManager(service)
    const owner = await addUser(service.sql, 'other@example.com')
    const { uid } = await addOrganization(service.sql, 'other', owner)
    other = await openManager({ ...service, organizationUid: uid })
  })
  after(() => service.close())

  const derived = (factor: number) => ({
    id: 'd',
    expression: `a * ${factor}`,
    variables: [{ name: 'a', streamId: 'a' }],
  })

  /** The change of a template waits, in its middle, for a row of a component that follows it. */
  const whileChanging = async (id: string, work: (component: string) => Promise<void>): Promise<void> => {
    const template = await slow.make('template', { id, stream: [{ id: 'a' }, derived(2)] })
    const component = await slow.make('component', { id: `${id}-1`, templateUid: template.uid })
    const [own, second] = template.stream
    const stream = [{ uid: own!.uid }, { uid: second!.uid, ...derived(3) }]
    let changing: Promise<{ readonly status: number }> | undefined
    await transaction(service.sql, async (sql) => {
      await sql`select from component where uid = ${component.uid} for update`
      changing = slow.ask('PUT', `/api/template/${template.uid}`, { stream })
      await eventually(async () => {
        const rows = await service.sql`
          select from pg_stat_activity where wait_event_type = 'Lock' and query like '%template_key%for update%'`
        return rows.length > 0
      })
      await work(`${id}-1`)
    })
    assert.equal((await changing!).status, 200)
  }

  it('keeps no upload and no change of others waiting', () =>
    whileChanging('t', async () => {
      assert.equal((await other.ask('PUT', '/api/feed?compId=fresh&a=1&time=1000')).status, 200)
      assert.equal((await other.ask('PUT', '/api/feed?compId=fresh&a=2&time=2000')).status, 200)
      const made = await other.make('component', { id: 'made', stream: [{ id: 'a' }, derived(2)] })
      assert.equal((await other.ask('PUT', '/api/feed?compId=made&a=1&time=1000')).status, 200)
      assert.equal((await other.ask('DELETE', `/api/component/${made.uid}`)).status, 202)
    }))

  it('is waited for by uploads of its organization, which follow it', async () => {
    let upload: Promise<{ readonly status: number }> | undefined
    await whileChanging('u', async (component) => {
      upload = slow.ask('PUT', `/api/feed?compId=${component}&a=5&time=1000&derMaxS=10&derTout=5000`)
      // Longer than it comes to a lane again.
      await eventually(async () => {
        const rows = await service.sql`
          select from pg_stat_activity where wait_event_type = 'Lock' and query like '%enter_own_gate%'`
        return rows.length > 0
      })
    })
    assert.equal((await upload!).status, 200)
    const { body } = await slow.ask('GET', '/api/comp/u-1/stream/d/feed')
    assert.deepEqual(body, [{ time: 1000, data: 15 }])
  })
})
