// A process's memory of components: no more than fits, and a large organization loses its own first.
import assert from 'node:assert/strict'
import { Registry } from '../../../src/core/sample/registry.ts'
import { allOfOrganization } from '../../../src/core/sample/gate.ts'
import { eventually } from '../../support/within.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'

describe('the memory of components', () => {
  let database: TestDatabase
  const organizations: number[] = []
  before(async () => {
    database = await openTestDatabase()
    const { sql } = database
    for (const [components, streams] of [
      [40, 200],
      [40, 1],
    ] as const) {
      const [organization] = await sql<
        [{ key: number }]
      >`insert into organization (name, time_zone) values ('o', 'UTC') returning key`
      const [folder] = await sql<[{ key: number }]>`
        insert into folder (organization_key, path) values (${organization.key}, '/Components') returning key`
      await sql`
        with made as (
          insert into component (organization_key, id, name, folder_key, time_zone)
          select ${organization.key}, 'c' || n, 'c', ${folder.key}, 'UTC' from generate_series(1, ${components}::integer) as n
          returning key)
        insert into stream (component_key, id, name, kind, value_type, position)
        select made.key, 's' || n, 's', 'random', 'DOUBLE', n from made, generate_series(1, ${streams}::integer) as n`
      organizations.push(organization.key)
    }
  })
  after(() => database.drop())

  it('forgets the oldest of the largest organization, and nothing of others', async () => {
    const [wide, narrow] = organizations as [number, number]
    const most = 1_000_000
    const registry = new Registry({ serial: 0 }, most)
    const load = (organization: number, n: number) => registry.load(database.sql, organization, [`c${n}`])
    for (let n = 1; n <= 40; n += 1) {
      assert.ok(await load(narrow, n))
      assert.ok(await load(wide, n))
      assert.ok(registry.bytes() <= most, `${registry.bytes()} after ${n}`)
    }
    const known = (organization: number) =>
      Array.from({ length: 40 }, (_, n) => n + 1).filter((n) => registry.get(organization, `c${n}`))
    assert.equal(known(narrow).length, 40)
    const left = known(wide)
    assert.ok(left.length > 1 && left.length < 40)
    assert.deepEqual(left, left.toSorted((a, b) => a - b).slice(-left.length))
    assert.equal(left.at(-1), 40)
    assert.equal(registry.bytes(), registry.bytes(wide) + registry.bytes(narrow))
  })

  describe('while more components are asked for than one statement reads', () => {
    /** 31 calls for c11 to c39, so that eleven wait while twenty are read. */
    const askAtOnce = (registry: Registry, organization: number) =>
      Promise.all(
        Array.from({ length: 31 }, (_, n) => registry.load(database.sql, organization, [`c${11 + (n % 29)}`])),
      )

    it('reads the others of the organization ahead, and of no other', async () => {
      const [, narrow] = organizations as [number, number]
      const registry = new Registry({ serial: 0 })
      await askAtOnce(registry, narrow)
      await eventually(async () => registry.size === 40)
      assert.equal(registry.bytes(), registry.bytes(narrow))
      assert.equal(registry.get(narrow, 'c40')?.streams.length, 1)
    })

    it('reads none ahead that has many streams', async () => {
      const [wide] = organizations as [number]
      await database.sql`
        insert into component (organization_key, id, name, folder_key, time_zone)
        select ${wide}, 'small', 'small', key, 'UTC' from folder where organization_key = ${wide}`
      const registry = new Registry({ serial: 0 })
      await askAtOnce(registry, wide)
      await eventually(async () => registry.get(wide, 'small') !== undefined)
      assert.equal(registry.size, 29 + 1)
    })

    it('reads none ahead when three quarters of the room are taken', async () => {
      const [wide, narrow] = organizations as [number, number]
      const registry = new Registry({ serial: 0 }, 330_000)
      for (const n of [11, 12, 13, 14, 15]) await registry.load(database.sql, wide, [`c${n}`])
      assert.ok(registry.bytes() > 247_500)
      await askAtOnce(registry, narrow)
      await registry.load(database.sql, narrow, ['c40'])
      assert.equal(registry.size, 5 + 30)
    })

    it('reads them anew when the organization was forgotten', async () => {
      const [, narrow] = organizations as [number, number]
      const registry = new Registry({ serial: 0 })
      await askAtOnce(registry, narrow)
      await eventually(async () => registry.size === 40)
      registry.forget(allOfOrganization(narrow))
      assert.equal(registry.size, 0)
      await askAtOnce(registry, narrow)
      await eventually(async () => registry.size === 40)
    })
  })

  it('does not read more at once than it could remember', async () => {
    const [wide] = organizations as [number]
    await database.sql`
      insert into stream (component_key, id, name, kind, value_type, position)
      select component.key, 'x' || n, 'x', 'random', 'DOUBLE', n
      from component, generate_series(201, 10000) as n
      where organization_key = ${wide} and component.id = any(array['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'c10'])`
    const registry = new Registry({ serial: 0 })
    const refs = Array.from({ length: 40 }, (_, n) => `c${n + 1}`)
    assert.equal(await registry.load(database.sql, wide, refs), false)
    assert.equal(registry.bytes(), 0)
    assert.equal(await registry.load(database.sql, wide, refs.slice(10)), true)
  })
})
