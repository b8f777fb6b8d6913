import assert from 'node:assert/strict'
import type { Transaction } from '../../src/base/database/sql.ts'
import { transaction } from '../../src/base/database/sql.ts'
import type { ReachingMembers, StreamChange } from '../../src/core/template-reach.ts'
import { addReached, changeReached, lockComponentsOf } from '../../src/core/template-reach.ts'
import { streamDetailsOf } from '../../src/core/stream.ts'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'

const components = 2500

describe('core/template-reach', () => {
  let database: TestDatabase
  let templateKey: number
  before(async () => {
    database = await openTestDatabase()
    const { sql } = database
    const [organization] = await sql<[{ key: number }]>`insert into organization (name) values ('o') returning key`
    const [template] = await sql<[{ key: number }]>`
      insert into component (organization_key, is_template, name) values (${organization.key}, true, 't') returning key`
    templateKey = template.key
    const [folder] = await sql<[{ key: number }]>`
      insert into folder (organization_key, path) values (${organization.key}, '/Components') returning key`
    await sql`
      insert into component (organization_key, name, time_zone, folder_key, template_key)
      select ${organization.key}, 'c', 'UTC', ${folder.key}, ${templateKey} from generate_series(1, ${components}::integer)`
    await sql`
      insert into stream (component_key, id, name, description, kind, value_type, position)
      select key, 'a', 'A', '', 'random', 'DOUBLE', 1 from component where organization_key = ${organization.key}`
  })
  after(() => database.drop())

  const members: ReachingMembers = { name: 'A', description: '', unitKey: null, expression: null, variables: null }
  const changeTo = (now: Partial<ReachingMembers>): StreamChange => ({
    id: 'a',
    kind: 'random',
    valueType: 'DOUBLE',
    baseCycleKey: null,
    former: members,
    now: { ...members, ...now },
  })
  /** Nothing of it stays. */
  const trying = async <T>(work: (sql: Transaction) => Promise<T>): Promise<T> => {
    let outcome: T | undefined
    await transaction(database.sql, async (sql) => {
      outcome = await work(sql)
      throw new Error('undone')
    }).catch((error: Error) => assert.equal(error.message, 'undone'))
    return outcome!
  }
  it('keeps nothing of each of the streams that it changes, however many, and counts them', async () => {
    await trying(async (sql) => {
      await lockComponentsOf(sql, templateKey)
      const [one, other] = await sql<[{ uid: string }, { uid: string }]>`
        select stream.uid from stream join component on component.key = component_key
        where template_key = ${templateKey} order by stream.key limit 2`
      const reached = await changeReached(sql, templateKey, [changeTo({ name: 'B' })], [other.uid, 'none', one.uid])
      const uids = [one.uid, other.uid].toSorted()
      assert.deepEqual(
        { ...reached, uids: reached.uids.toSorted() },
        { streams: components, derived: [], derivedIn: [], uids },
      )
    })
  })

  it('gives those that are derived by their keys', async () => {
    const { reached, keys, componentKeys } = await trying(async (sql) => {
      const variables = [{ name: 'x', streamId: 'x' }]
      const change = changeTo({ expression: 'x', variables })
      const rows = await sql<{ key: number; componentKey: number }[]>`
        select stream.key, component_key as "componentKey" from stream join component on component.key = component_key
        where template_key = ${templateKey}`
      return {
        reached: await changeReached(sql, templateKey, [change], []),
        keys: rows.map(({ key }) => key),
        componentKeys: rows.map(({ componentKey }) => componentKey),
      }
    })
    const ordered = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)
    assert.equal(reached.streams, components)
    assert.deepEqual(ordered(reached.derived), ordered(keys))
    assert.deepEqual(ordered(reached.derivedIn), ordered(componentKeys))
  })

  it('adds streams, and keeps nothing of those that are not derived', async () => {
    await trying(async (sql) => {
      await sql`
        insert into stream (component_key, id, name, description, kind, value_type, position)
        values (${templateKey}, 'b', 'B', '', 'random', 'DOUBLE', 2)`
      const models = (await streamDetailsOf(sql, [templateKey])).filter(({ id }) => id === 'b')
      assert.deepEqual(await addReached(sql, templateKey, models, []), {
        streams: components,
        derived: [],
        derivedIn: [],
        uids: [],
      })
    })
  })
})
