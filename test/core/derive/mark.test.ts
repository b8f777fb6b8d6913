// Marks of what is to be derived: whose they are, what finding them costs, and what becomes of those that lead nowhere.
import assert from 'node:assert/strict'
import { transaction } from '../../../src/base/database/sql.ts'
import { openDeriver } from '../../../src/core/derive/deriver.ts'
import type { CompileExpression } from '../../../src/core/derive/expression.ts'
import { deriveMetrics, settleMarks, takeMarks } from '../../../src/core/derive/mark.ts'
import { compileDerivation } from '../../../src/gsql/derivation.ts'
import { openDerivations, plain, random } from './derive-support.ts'
import type { Derivations } from './derive-support.ts'

describe('marks of what is to be derived', () => {
  let all: Derivations
  let { component, upload, pass } = {} as Derivations
  let sql: Derivations['service']['sql']

  before(async () => {
    all = await openDerivations()
    ;({ component, upload, pass } = all)
    ;({ sql } = all.service)
  })
  after(() => all.close())
  afterEach(() => sql`delete from derive_mark`)

  const keyOf = async (compId: string, id: string) => {
    const [row] = await sql<[{ key: number }]>`
      select stream.key
      from stream
      join component on component.key = component_key
      where component.id = ${compId} and stream.id = ${id}`
    return row.key
  }

  /** As servers of the version before do. */
  const mark = (sourceKey: number) =>
    sql`insert into derive_mark (source_key, first_time, last_time) values (${sourceKey}, now(), now())`

  const owners = async () => {
    const rows = await sql<{ key: number | null }[]>`select organization_key as key from derive_mark order by 1`
    return rows.map(({ key }) => key)
  }

  /** The component, with all that is derived in it, becomes that of an organization behind the others. */
  const moveAway = async (compId: string): Promise<number> => {
    const [{ key }] = await sql<[{ key: number }]>`insert into organization (name) values ('other') returning key`
    await sql`update component set organization_key = ${key} where id = ${compId}`
    await sql`
      update derivation set organization_key = ${key}
      where stream_key in (
        select stream.key from stream join component on component.key = component_key where component.id = ${compId})`
    return key
  }

  const samplesOf = async (key: number) =>
    (await sql<{ value: number }[]>`select num as value from sample where stream_key = ${key} order by time`).map(
      ({ value }) => value,
    )

  it('have the organization of their source, whoever leaves them', async () => {
    await component('owned', [random('a'), random('b', 'a', [plain('a')])])
    const own = await all.organizationKey('owned')
    await mark(await keyOf('owned', 'a'))
    assert.deepEqual(await owners(), [own])
    await upload('owned', 'a', { 1: 1 })
    assert.deepEqual(await owners(), [own, own])
  })

  it('are taken in work that does not grow with the marks of others', async () => {
    await component('few', [random('a'), random('b', 'a', [plain('a')])])
    await component('crowd', [random('a'), random('b', 'a', [plain('a')])])
    const other = await moveAway('few')
    const [few, crowd] = [await keyOf('few', 'a'), await keyOf('crowd', 'a')]
    await sql`
      insert into derive_mark (source_key, first_time, last_time)
      select ${crowd}, now(), now() from generate_series(1, 20000)`
    await mark(few)
    await sql`analyze derive_mark`
    await transaction(sql, async (own) => {
      const taken = await takeMarks(own, other, 100)
      assert.deepEqual([...taken.touched.keys()], [few])
      const [{ rows }] = await own<[{ rows: number }]>`
        select (seq_tup_read + idx_tup_fetch)::integer as rows
        from pg_stat_xact_user_tables
        where relname = 'derive_mark'`
      assert.ok(rows > 0 && rows < 10, String(rows))
    })
  })

  it('are given their organization where they are from before they had one, and go where they lead nowhere', async () => {
    await component('old', [random('a'), random('b', 'a', [plain('a')])])
    const own = await all.organizationKey('old')
    await mark(await keyOf('old', 'a'))
    await sql`update derive_mark set organization_key = null`
    await mark(2_000_000_000)
    assert.deepEqual(await owners(), [null, null])
    assert.deepEqual(await settleMarks(sql), { organizationKeys: [], isMore: true })
    assert.deepEqual(await settleMarks(sql), { organizationKeys: [own], isMore: false })
    assert.deepEqual(await owners(), [own])
  })

  it('go with their organization, and nobody waits for them', async () => {
    await component('leaving', [random('a'), random('b', 'a', [plain('a')])])
    const other = await moveAway('leaving')
    await sql`update organization set is_removed = true where key = ${other}`
    await mark(await keyOf('leaving', 'a'))
    await sql`update derive_mark set at = now() - interval '1 hour'`
    const { waiting, lagMs } = await deriveMetrics(sql)
    assert.deepEqual({ waiting, lagMs }, { waiting: 0, lagMs: 0 })
    await pass()
    assert.deepEqual(await owners(), [])
  })

  it('go where nothing is derived by them any more, though another stream fails in every pass', async () => {
    await component('failing', [{ id: 'a', valueType: 'STRING' }, random('b', 'Cast(a AS DOUBLE)', [plain('a')])])
    await upload('failing', 'a', { 1: 'x' })
    await pass()
    await component('over', [random('a')])
    await mark(await keyOf('over', 'a'))
    await sql`
      insert into derive_mark (source_key, derived_key, first_time, last_time)
      select key, 2000000000, now(), now() from stream where key = ${await keyOf('over', 'a')}`
    await all.deriver.deriveSome(sql)
    const { waiting, lagMs, failing } = await deriveMetrics(sql)
    assert.deepEqual({ waiting, lagMs, failing }, { waiting: 0, lagMs: 0, failing: 1 })
  })

  it('stay where their organization fails, and are worked off for the others', async () => {
    await component('broken', [random('a'), random('b', 'a + 666', [plain('a')])])
    await component('sound', [random('a'), random('b', 'a + 1', [plain('a')])])
    await upload('broken', 'a', { 1: 1 })
    await upload('sound', 'a', { 1: 1 })
    const other = await moveAway('sound')
    await sql`update derive_mark set organization_key = ${other} where source_key = ${await keyOf('sound', 'a')}`
    const own = await all.organizationKey('broken')
    assert.ok(own < other)
    const compile: CompileExpression = (text, ...given) => {
      if (text.includes('666')) throw Object.assign(new Error('cancelled'), { code: '57014' })
      return compileDerivation(text, ...given)
    }
    const deriver = openDeriver({ now: () => Date.now() }, compile)
    const failed: unknown[] = []
    await deriver.deriveSome(sql, (organization, error) => failed.push([organization, (error as Error).message]))
    assert.deepEqual(failed, [[own, 'cancelled']])
    assert.deepEqual(await samplesOf(await keyOf('sound', 'b')), [2])
    assert.deepEqual(await owners(), [own])
    await assert.rejects(deriver.deriveSome(sql), { message: 'cancelled' })
    await pass()
    assert.deepEqual(await samplesOf(await keyOf('broken', 'b')), [667])
  })
})
