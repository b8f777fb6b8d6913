// The table of entities in docs/management.md, against what replies really show and requests really take.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Person } from '../support/http.ts'
import { addPerson, messageIn } from '../support/http.ts'
import { testPassword } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

const page = readFileSync(new URL('../../docs/management.md', import.meta.url), 'utf8')
const table = page.slice(page.indexOf('## Entities'), page.indexOf('### Organizations'))
const rows = new Map([...table.matchAll(/^\| (\w+) \| (.+) \|$/gm)].map(([, name, members]) => [name!, members!]))

/** Of those that are made a second time. */
const names: Readonly<Record<string, object>> = {
  unit: { id: 'v' },
  folder: { path: '/Components/Newer' },
  query: { name: 'r' },
  dashboard: { name: 'e' },
}

describe('the entities of the documentation', () => {
  let service: TestService
  let owner: Person
  before(async () => {
    service = await openTestService()
    owner = await addPerson(service, 'owner')
  })
  after(() => service.close())

  const inputs = (): Readonly<Record<string, object>> => ({
    organization: { name: 'Another' },
    user: { email: 'new@example.org', password: testPassword },
    component: { id: 'Kiln', stream: [{ id: 's' }] },
    template: { id: 'kiln' },
    cycle: { id: 'shift', size: 8, unit: 'hour' },
    unit: { id: 'u' },
    folder: { path: '/Components/New' },
    api_key: { name: 'k' },
    oauth_client: { name: 'c', redirectUris: ['https://a.example/'] },
    connector: { name: 'n', endpoint: 'e', runAsUserUid: owner.user.uid, sql: 'SELECT 1' },
    query: { name: 'q', sql: 'SELECT 1' },
    dashboard: { name: 'd' },
  })

  it('are all there, with the members that are shown, a uid, and but for folders a version', async () => {
    const { call } = owner
    const [, known] = page.match(/^`\/api\/\{([^}]+)\}`/m)!
    assert.deepEqual(known!.split(', ').toSorted(), [...rows.keys()].filter((name) => name !== 'entity').toSorted())
    const shown = new Map<string, object>()
    for (const [name, input] of Object.entries(inputs())) {
      const { status, body } = await call('POST', `/api/${name}`, input)
      assert.equal(status, 201, JSON.stringify(body))
      shown.set(name, (body as Record<string, object>)[name]!)
      if (name === 'component') shown.set('stream', (shown.get(name) as { stream: readonly object[] }).stream[0]!)
      // From now on there are two, and each call would have to name one.
      if (name === 'organization') await service.sql`delete from organization where name = 'Another'`
    }
    for (const [name, entity] of shown) {
      const listed = new Set(rows.get(name)!.match(/\w+/g))
      const { uid, version, ...members } = entity as Record<string, unknown>
      assert.equal(typeof uid, 'string', name)
      assert.equal(version, name === 'folder' ? undefined : 1, name)
      const unlisted = Object.keys(members).filter((member) => !listed.has(member))
      assert.deepEqual(unlisted, [], name)
    }
  })

  it('have a uid that a change may repeat, and not give another', async () => {
    const { call } = owner
    for (const name of ['unit', 'folder', 'query', 'dashboard'] as const) {
      const { body } = await call('POST', `/api/${name}`, { ...inputs()[name], ...names[name] })
      const { uid } = (body as Record<string, { readonly uid: string }>)[name]!
      assert.equal((await call('PUT', `/api/${name}/${uid}`, { uid })).status, 200, name)
      const other = await call('PUT', `/api/${name}/${uid}`, { uid: 'another' })
      assert.deepEqual(
        [other.status, messageIn(other.body)],
        [400, `uid of ${name} is not set by callers: leave it out`],
      )
    }
  })

  it('name what a new password needs', async () => {
    assert.match(rows.get('user')!, /currentPassword/)
    const { user, call } = await addPerson(service, 'guest')
    const { status, body } = await call('PUT', `/api/user/${user.uid}`, { password: 'another password' })
    assert.equal(status, 400)
    assert.match(messageIn(body), /currentPassword/)
  })
})
