// coppice sql-role on a machine: a role for people who ask by SQL, made, used, listed and dropped.
import assert from 'node:assert/strict'
import { Client } from 'pg'
import { checkMasterKey } from '../../src/core/installation.ts'
import { typeCommand } from '../support/host-command.ts'
import { addOrganization, addUser, testSecrets } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService, testMasterKey } from '../support/service.ts'

describe('coppice sql-role', () => {
  let service: TestService
  let environment: Readonly<Record<string, string>>
  before(async () => {
    service = await openTestService()
    await checkMasterKey(service.sql, testSecrets)
    environment = { DATABASE_URL: service.databaseUrl, MASTER_KEY: testMasterKey }
    await service.put('/api/feed?compId=boiler&temp=20.5')
  })
  after(() => service.close())

  it('makes a role that reads, lists it, and drops it', async () => {
    const made = await typeCommand(['sql-role', 'create', '--json'], environment)
    assert.equal(made.code, 0, made.err)
    const { role, url } = JSON.parse(made.out) as { readonly role: string; readonly url: string }
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    const { rows } = await client.query('select component_id, value from sample')
    assert.deepEqual(rows, [{ component_id: 'boiler', value: 20.5 }])
    await client.end()
    assert.match((await typeCommand(['sql-role', 'list'], environment)).out, new RegExp(`^${role}  .*Z  open  `, 'm'))
    const dropped = await typeCommand(['sql-role', 'drop', role], environment)
    assert.equal(dropped.code, 0, dropped.err)
    assert.equal((await typeCommand(['sql-role', 'list'], environment)).out, '')
  })

  it('refuses in a sentence, and asks for the organization where there are several', async () => {
    const { uid } = await addOrganization(
      service.sql,
      'Next\u001B[2J door',
      await addUser(service.sql, 'eve@example.org'),
    )
    for (const [words, expected] of [
      [['sql-role'], /create a role, list them/],
      [['sql-role', 'drop'], /create a role, list them/],
      [['sql-role', 'drop', 'postgres'], /There is no SQL role 'postgres'\./],
      [['sql-role', 'create', '--org', uid, '--name', 'No-Name'], /The role's name must have 3 to 63/],
      [['sql-role', 'create', '--org', 'none'], /Organization 'none' not found\./],
      [['sql-role', 'create'], /Name the organization by --org: .*Next\[2J door/],
    ] as const) {
      const { code, err } = await typeCommand([...words], environment)
      assert.notEqual(code, 0)
      assert.match(err, expected)
    }
  })
})
