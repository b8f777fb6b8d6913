// Uploads that derive in their own transaction: derMaxS, derTout and the rules by which a branch ends.
import assert from 'node:assert/strict'
import { transaction } from '../../../src/base/database/sql.ts'
import { openDerivations, plain, random } from './derive-support.ts'
import type { Derivations } from './derive-support.ts'

describe('an upload that derives at once', () => {
  let all: Derivations
  let { component, upload, pass, stored, state } = {} as Derivations

  before(async () => {
    all = await openDerivations()
    ;({ component, upload, pass, stored, state } = all)
  })
  after(() => all.close())

  const chain = (id: string) =>
    component(id, [
      random('a'),
      random('b', 'a + 1', [plain('a')]),
      random('c', 'b + 1', [plain('b')]),
      random('d', 'c + 1', [plain('c')]),
    ])
  const marks = async () => (await all.service.sql`select from derive_mark`).length

  it('follows the chain, and leaves nothing to the background', async () => {
    await chain('whole')
    await upload('whole', 'a', { 1: 1, 2: 2 }, '?derMaxS&derTout')
    assert.deepEqual(await stored('whole', 'd'), { 1: 4, 2: 5 })
    assert.equal(await marks(), 0)
  })

  it('shows by rsid what it has derived', async () => {
    await chain('shown')
    const reply = await all.service.put('/api/feed?compId=shown&a=5&rsid=d&derMaxS&derTout')
    assert.deepEqual(reply.json, { d: 8 })
  })

  it('stops at derMaxS, and the background goes on from there', async () => {
    await chain('most')
    await upload('most', 'a', { 1: 1 }, '?derMaxS=2&derTout')
    assert.deepEqual(await stored('most', 'c'), { 1: 3 })
    assert.deepEqual(await stored('most', 'd'), {})
    await pass()
    assert.deepEqual(await stored('most', 'd'), { 1: 4 })
    assert.equal(await marks(), 0)
  })

  it('derives nothing at once without both derMaxS and derTout', async () => {
    await chain('none')
    for (const [minute, query] of ['', '?derMaxS', '?derTout', '?derMaxS=0&derTout', '?derMaxS&derTout=0'].entries())
      await upload('none', 'a', { [minute]: 1 }, query)
    assert.deepEqual(await stored('none', 'b'), {})
    await pass()
    assert.equal(Object.keys(await stored('none', 'd')).length, 5)
  })

  it('ends a branch where another holds the stream, and derives the others', async () => {
    const { stream } = await component('held', [
      random('a'),
      random('b', 'a + 1', [plain('a')]),
      random('c', 'a + 2', [plain('a')]),
    ])
    const { key } = await state(stream[1]!.uid)
    await transaction(all.service.sql, async (sql) => {
      await sql`select from derivation where stream_key = ${key} for update`
      await upload('held', 'a', { 1: 1 }, '?derMaxS&derTout')
    })
    assert.deepEqual(await stored('held', 'b'), {})
    assert.deepEqual(await stored('held', 'c'), { 1: 3 })
    await pass()
    assert.deepEqual(await stored('held', 'b'), { 1: 2 })
  })

  it('never fails by an expression, which ends its branch only', async () => {
    const { stream } = await component('failing', [
      { id: 'a', valueType: 'STRING' },
      random('b', 'Cast(a AS DOUBLE)', [plain('a')]),
      { ...random('c', 'a', [plain('a')]), valueType: 'STRING' },
      random('d', 'b', [plain('b')]),
    ])
    await upload('failing', 'a', { 1: '1', 2: 'x', 3: '3' }, '?derMaxS&derTout')
    assert.deepEqual(await stored('failing', 'd'), { 1: 1 })
    assert.deepEqual(await stored('failing', 'c'), { 1: '1', 2: 'x', 3: '3' })
    assert.equal((await state(stream[1]!.uid)).error?.message, "line 1, column 6: 'x' is not a DOUBLE")
    await upload('failing', 'a', { 2: '2' }, '?derMaxS&derTout')
    assert.deepEqual(await stored('failing', 'd'), { 1: 1, 2: 2, 3: 3 })
  })

  it('leaves one mark for all of a crowd of streams, and the background derives each', async () => {
    const crowd = Array.from({ length: 200 }, (_, n) => random(`b${n}`, 'a + 1', [plain('a')]))
    await component('crowd', [random('a'), ...crowd])
    await upload('crowd', 'a', { 1: 1 }, '?derMaxS&derTout')
    assert.equal(await marks(), 1)
    await pass()
    for (const id of ['b0', 'b100', 'b199']) assert.deepEqual(await stored('crowd', id), { 1: 2 })
    const stale = await all.service.sql`
      select
      from derivation
      join stream on stream.key = stream_key
      join component on component.key = component_key
      where component.id = 'crowd' and stale_from is not null`
    assert.equal(stale.length, 0)
  })
})
