import assert from 'node:assert/strict'
import { openMemory } from '../../../src/core/derive/memory.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addStreams } from '../../support/streams.ts'
import { watched } from './derive-support.ts'

describe('the memory of derived streams', () => {
  let database: TestDatabase
  let asked: number
  before(async () => (database = await openTestDatabase()))
  after(() => database.drop())
  beforeEach(() => (asked = 0))

  const counting = () =>
    watched(database.sql, (text) => {
      if (/^\s*select (?:source_key|derived\.key)/.test(text)) asked += 1
    })
  const openAt = (serial: number) => openMemory()({ serial, history: 'h' })
  /** Derived from the first by an expression of so many characters. */
  const addDerived = async (count: number, characters: number) => {
    const { sql } = database
    const [source, ...derived] = await addStreams(
      sql,
      Array.from({ length: count + 1 }, () => ({})),
    )
    await sql`
      update stream
      set expression = 'x' || repeat(' ', ${characters - 1}::integer), variables = ${sql.json([{ name: 'x', streamId: 'made 1' }])}
      where key = any(${derived}::integer[])`
    await sql`
      insert into derivation (stream_key, organization_key)
      select stream.key, organization_key from stream join component on component.key = component_key
      where stream.key = any(${derived}::integer[])`
    await sql`insert into derivation_source select ${source!}, unnest(${derived}::integer[])`
    return { source: source!, derived }
  }

  it('gives the streams derived from each source, of those that it knows and of others, and asks once for each', async () => {
    const [one, other] = [await addDerived(3, 10), await addDerived(2, 10)]
    const { usersOf } = openAt(1)
    const derivedFrom = async (...sources: readonly number[]) =>
      (await usersOf(counting(), sources)).map(({ derived }) => derived).toSorted((a, b) => a - b)
    assert.deepEqual(await derivedFrom(one.source), one.derived)
    assert.deepEqual(await derivedFrom(other.source, one.source, other.derived[0]!), [...one.derived, ...other.derived])
    assert.equal(asked, 2)
    assert.deepEqual(await derivedFrom(other.derived[0]!, one.source, other.source), [...one.derived, ...other.derived])
    assert.equal(asked, 2)
  })

  it('holds no more definitions than so many bytes of them', async () => {
    const { derived } = await addDerived(150, 65_536)
    const { definitionsOf } = openAt(1)
    const ask = async (keys: readonly number[]) => {
      const found = await definitionsOf(counting(), keys)
      assert.deepEqual(
        found.map(({ key }) => key).toSorted((a, b) => a - b),
        keys,
      )
    }
    const [some, others] = [derived.slice(0, 100), derived.slice(100)]
    await ask(some)
    await ask(some)
    assert.equal(asked, 1)
    await ask(others)
    assert.equal(asked, 2)
    // Those before had to go.
    await ask(some)
    assert.equal(asked, 3)
  })
})
