// What deriving costs, counted in statements, and what becomes of it when it is cut off.
import assert from 'node:assert/strict'
import { openPaces } from '../../../src/core/derive/work.ts'
import { openDerivations, passCounting, plain, random, watched } from './derive-support.ts'
import type { Derivations } from './derive-support.ts'

describe('what deriving costs', () => {
  let all: Derivations
  let { component, upload, pass, stored } = {} as Derivations

  before(async () => {
    all = await openDerivations()
    ;({ component, upload, pass, stored } = all)
  })
  after(() => all.close())

  const countOf = async (compId: string): Promise<number> => {
    const [row] = await all.service.sql<[{ count: number }]>`
      select count(*)::integer as count
      from sample
      where stream_key in (
        select stream.key from stream join component on component.key = component_key
        where component.id = ${compId} and expression is not null)`
    return row.count
  }

  it('is a handful of statements for ten thousand samples', async () => {
    await component('many', [random('a'), random('b', 'a * 2', [plain('a')])])
    await upload('many', 'a', { 0: 1 })
    const one = await passCounting(all.service.sql)
    await upload('many', 'a', Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [n + 1, n])))
    const tenThousand = await passCounting(all.service.sql)
    assert.equal(await countOf('many'), 10_001)
    // In two pieces.
    assert.ok(tenThousand <= one + 8, `${tenThousand} statements for 10,000 samples, ${one} for one`)
  })

  const fleet = (id: string, size: number) =>
    component(
      id,
      Array.from({ length: size }, (_, n) => [random(`a${n}`), random(`b${n}`, 'a * 2', [plain('a', `a${n}`)])]).flat(),
    )
  const uploadTo = async (compId: string, streams: number) => {
    const body = Array.from({ length: streams }, (_, n) => ({
      compId,
      streamId: `a${n}`,
      data: n,
      time: 1_790_000_000_000,
    }))
    const reply = await all.service.put('/api/feed', JSON.stringify(body))
    assert.equal(reply.status, 200, reply.text)
  }

  it('is the same for ten of a thousand as for ten alone, and for a fleet as for one', async () => {
    await fleet('few', 10)
    await fleet('thousand', 1000)
    await uploadTo('few', 10)
    const few = await passCounting(all.service.sql)
    await uploadTo('thousand', 10)
    assert.equal(await passCounting(all.service.sql), few)
    assert.equal(await countOf('thousand'), 10)
    await uploadTo('few', 1)
    await passCounting(all.service.sql)
    await uploadTo('thousand', 1000)
    const thousand = await passCounting(all.service.sql)
    // It takes turns of five hundred streams.
    assert.ok(thousand <= 3 * few, `${thousand} statements for 1,000 streams, ${few} for 10`)
    assert.equal(await countOf('thousand'), 1000)
  })

  it('loses nothing where it is cut off, whichever statement was the last', async () => {
    await component('cut', [random('a'), random('b', 'a + 1', [plain('a')]), random('c', 'b + 1', [plain('b')])])
    for (let last = 1; ; last += 1) {
      await upload('cut', 'a', { [last]: last })
      let asked = 0
      const failing = watched(all.service.sql, () => {
        asked += 1
        if (asked > last) throw new Error('cut off')
      })
      const isWhole = await all.deriver.deriveSome(failing).then(
        () => true,
        () => false,
      )
      await pass()
      assert.equal((await stored('cut', 'c'))[last], last + 2)
      if (isWhole) break
    }
    assert.equal((await all.service.sql`select from derivation where stale_from is not null`).length, 0)
  })

  it('is less at once for a shape that took too long, down to one sample, and grows again', () => {
    const paces = openPaces()
    const most = paces.of('slow')
    paces.note('slow', false)
    assert.ok(paces.of('slow') < most / 4)
    while (paces.of('slow') > 1) assert.equal(paces.note('slow', false), false)
    // Once too long may be the machine's fault.
    assert.equal(paces.note('slow', false), false)
    while (!paces.note('slow', false));
    assert.equal(paces.of('slow'), 1)
    assert.equal(paces.of('other'), most)
    assert.equal(paces.note('slow', true), false)
    assert.equal(paces.of('slow'), 2)
    for (let n = 0; n < 20; n += 1) paces.note('slow', true)
    assert.equal(paces.of('slow'), most)
  })
})
