// Lists of the management API whose rows are large: they are whole, are charged to their caller until they are read,
// and leave others their turn.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { largeReplies } from '../../src/base/http/large-reply.ts'
import { transaction } from '../../src/base/database/sql.ts'
import { ensureFolder } from '../../src/core/folder.ts'
import { addApiKey, addUser } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

describe('a list of large rows', () => {
  let service: TestService
  let secret: string
  before(async () => {
    service = await openTestService()
    const all = [{ resource: '*', methods: ['GET'] as const }]
    secret = (await addApiKey(service.sql, service.organizationUid, all)).secret
    const { sql } = service
    const [organization] = await sql`select key from organization where uid = ${service.organizationUid}`
    const { key: userKey } = await addUser(sql, 'runner@example.org')
    const key = organization!['key'] as number
    await sql`
      insert into connector (organization_key, type, name, endpoint, user_key, sql)
      select ${key}, 'http', 'c' || n, 'e' || n, ${userKey}, repeat('-- "what" 0123', 4000)
      from generate_series(1, 300) as n`
    const folderKey = await transaction(sql, (tx) => ensureFolder(tx, key, '/Components'))
    await sql`
      insert into component (organization_key, id, name, description, folder_key, time_zone)
      select ${key}, 'c' || n, 'c' || n, repeat('ä', 10000), ${folderKey}, 'UTC'
      from generate_series(1, 300) as n`
    await sql`
      insert into stream (component_key, id, name, description, kind, value_type, position)
      select component.key, 's' || n, 's', repeat('x', 9000), 'random', 'DOUBLE', n
      from component, generate_series(1, 5) as n
      where organization_key = ${key}`
    await sql`
      insert into audit (organization_key, actor, action, subject, detail)
      select ${key}, 'anyone', 'unit.update', 'u', jsonb_build_object('before', repeat('b', 20000))
      from generate_series(1, 300)`
  })
  after(() => service.close())

  const large: readonly (readonly [name: string, megabytes: number])[] = [
    ['connector', 16],
    ['component', 18],
    ['stream', 8],
    ['audit', 5],
  ]
  for (const [name, megabytes] of large)
    it(`gives the ${name} list whole, and charges it to its caller until it is read`, async () => {
      const path = `/api/${name}?limit=1000&api_key=${secret}`
      const free = largeReplies.free()
      const reply = await fetch(`${service.url}${path}`)
      const text = await reply.text()
      assert.equal(reply.status, 200, text.slice(0, 200))
      assert.equal(reply.headers.get('content-length'), String(Buffer.byteLength(text)))
      assert.ok(text.length > megabytes * 500_000, `${text.length} characters`)
      const list = JSON.parse(text) as Readonly<Record<string, readonly unknown[]>> & { readonly totalCount: number }
      assert.equal(list[name]!.length, Math.min(1000, list.totalCount))
      // It is given back when the last of it is on its way, which its reader does not wait for.
      await eventually(async () => largeReplies.free() === free)
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {})
      socket.pause()
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      await eventually(async () => free - largeReplies.free() > megabytes * 500_000)
      socket.destroy()
      await eventually(async () => largeReplies.free() === free)
    })
})
