// Spans that are derived anew: late samples, what was there before the expression, and what should not be there.
import assert from 'node:assert/strict'
import type { Pool } from '../../../src/base/database/sql.ts'
import { snapshot, transaction } from '../../../src/base/database/sql.ts'
import { compileDerivation } from '../../../src/gsql/derivation.ts'
import { openDeriver } from '../../../src/core/derive/deriver.ts'
import { usualLimits } from '../../../src/core/derive/pass.ts'
import { closeCommonGate, closeGate } from '../../../src/core/sample/catalog-change.ts'
import { compileWaiting, hours, inTheWay, minuteMs, openDerivations, plain, random, startMs } from './derive-support.ts'
import type { Derivations } from './derive-support.ts'

/** Aborts with the end of the first transaction. */
const cutAfterOne = (sql: Pool, cut: AbortController): Pool =>
  new Proxy(sql, {
    get: (target, property) => {
      const value = Reflect.get(target, property) as unknown
      if (property !== 'begin') return value
      return async (...given: readonly unknown[]) => {
        const result = await (value as (...args: readonly unknown[]) => Promise<unknown>)(...given)
        cut.abort()
        return result
      }
    },
  })

const at = (minute: number) => startMs + minute * minuteMs

describe('a span that is derived anew', () => {
  let all: Derivations
  let { component, upload, pass, stored, state } = {} as Derivations

  before(async () => {
    all = await openDerivations()
    ;({ component, upload, pass, stored, state } = all)
  })
  after(() => all.close())

  const derive = async (streamKey: number, fromMinute: number, toMinute: number): Promise<readonly number[]> => {
    const reached: number[] = []
    const span = { streamKey, fromMs: at(fromMinute), toMs: at(toMinute) }
    await all.deriver.deriveSpan(all.service.sql, span, (ms) => void reached.push((ms - startMs) / minuteMs))
    return reached
  }

  it('has what came late, through the chain, and is stale no more', async () => {
    const { stream } = await component('late', [
      random('a'),
      random('b', 'a * 10', [plain('a')]),
      random('c', 'b + p', [plain('b'), { name: 'p', streamId: 'b', offset: -1 }]),
    ])
    const [b, c] = [stream[1]!.uid, stream[2]!.uid]
    await upload('late', 'a', { 1: 1, 2: 2, 5: 5 })
    await pass()
    await upload('late', 'a', { 2: 3, 3: 4 })
    await pass()
    assert.equal((await state(b)).staleMs, at(2))
    assert.deepEqual(await derive((await state(b)).key, 2, 100), [100])
    assert.deepEqual(await stored('late', 'b'), { 1: 10, 2: 30, 3: 40, 5: 50 })
    assert.deepEqual(await stored('late', 'c'), { 2: 40, 3: 70, 5: 90 })
    assert.equal((await state(b)).staleMs, null)
    assert.equal((await state(c)).staleMs, null)
  })

  it('leaves those stale that reach back into it, from its end on, where it ends before them', async () => {
    const { stream } = await component('back', [
      random('a'),
      random('b', 'a * 10', [plain('a')]),
      random('c', 'b + p', [plain('b'), { name: 'p', streamId: 'b', offset: -1 }]),
    ])
    await upload('back', 'a', { 1: 1, 2: 2, 3: 3, 4: 4 })
    await pass()
    await upload('back', 'a', { 2: 5 })
    await pass()
    await derive((await state(stream[1]!.uid)).key, 1, 3)
    assert.deepEqual(await stored('back', 'b'), { 1: 10, 2: 50, 3: 30, 4: 40 })
    assert.deepEqual(await stored('back', 'c'), { 2: 60, 3: 50, 4: 70 })
    assert.equal((await state(stream[2]!.uid)).staleMs, at(3))
  })

  it('takes those along that are derived from what it had waited for, before its beginning', async () => {
    const { stream } = await component('ahead', [
      random('a'),
      random('b', 'a', [{ name: 'a', streamId: 'a', cycleId: 'hour', statistic: 'last' }]),
      random('c', 'b + 1', [plain('b')]),
    ])
    await upload('ahead', 'a', hours({ 0: 1, 1: 2 }))
    await pass()
    await upload('ahead', 'a', hours({ 2: 3, 3: 4, 4: 5 }))
    await derive((await state(stream[1]!.uid)).key, 6_000, 60_000)
    await pass()
    assert.deepEqual(await stored('ahead', 'b'), hours({ 1: 1, 2: 2, 3: 3, 4: 4 }))
    assert.deepEqual(await stored('ahead', 'c'), hours({ 1: 2, 2: 3, 3: 4, 4: 5 }))
  })

  it('has what was there before the expression, up to where it was asked for', async () => {
    const { uid } = await component('before', [random('a')])
    await upload('before', 'a', { 1: 1, 2: 2, 3: 3, 4: 4 })
    const made = await all.manage.make('stream', { componentUid: uid, ...random('b', '-a', [plain('a')]) })
    assert.equal((await state(made.uid)).staleMs, at(1))
    await pass()
    assert.deepEqual(await stored('before', 'b'), {})
    const { key } = await state(made.uid)
    await derive(key, 1, 3)
    assert.deepEqual(await stored('before', 'b'), { 1: -1, 2: -2 })
    assert.equal((await state(made.uid)).staleMs, at(3))
    await derive(key, 3, 100)
    assert.deepEqual(await stored('before', 'b'), { 1: -1, 2: -2, 3: -3, 4: -4 })
    assert.equal((await state(made.uid)).staleMs, null)
  })

  it('loses what should not be there', async () => {
    const { stream } = await component('gone', [random('a'), random('b', 'a', [plain('a')])])
    await upload('gone', 'a', { 1: 1, 2: 2, 3: 3 })
    await pass()
    const gone = await all.manage.ask('DELETE', `/api/comp/gone/stream/a/feed?sd=${at(3)}&ed=${at(4)}`)
    assert.equal(gone.status, 200)
    await pass()
    const { key, staleMs } = await state(stream[1]!.uid)
    assert.equal(staleMs, at(3))
    await derive(key, 0, 100)
    assert.deepEqual(await stored('gone', 'b'), { 1: 1, 2: 2 })
    await upload('gone', 'a', { 2.5: 5 })
    await pass()
    assert.deepEqual(await stored('gone', 'b'), { 1: 1, 2: 2, 2.5: 5 })
  })

  it('ends with the sample that fails, and keeps what comes before it', async () => {
    const { stream } = await component('fails', [
      { id: 'a', valueType: 'STRING' },
      random('b', 'Cast(a AS DOUBLE)', [plain('a')]),
      random('c', 'b + 1', [plain('b')]),
    ])
    await upload('fails', 'a', { 1: '1', 2: '2', 3: '3' })
    await pass()
    await upload('fails', 'a', { 1: '10', 2: 'x' })
    await pass()
    const { key } = await state(stream[1]!.uid)
    await assert.rejects(derive(key, 0, 100), { message: "line 1, column 6: 'x' is not a DOUBLE" })
    assert.deepEqual(await stored('fails', 'b'), { 1: 10, 2: 2, 3: 3 })
    const { error, staleMs } = await state(stream[1]!.uid)
    assert.deepEqual([error?.timeMs, staleMs], [at(2), at(2)])
    // Streams derived from it are brought as far, and hold what its samples say; where there was no time, they are stale.
    const user = await state(stream[2]!.uid)
    if (user.staleMs !== null) await derive(user.key, 0, 100)
    assert.deepEqual(await stored('fails', 'c'), { 1: 11, 2: 3, 3: 4 })
    assert.equal((await state(stream[2]!.uid)).staleMs, null)
  })

  it('is not stale where the sample that fails is the next one: what is behind it waits', async () => {
    const { stream } = await component('next', [
      { id: 's', valueType: 'STRING' },
      random('n', 'Cast(s AS DOUBLE)', [plain('s')]),
    ])
    const { uid } = stream[1]!
    await upload('next', 's', { 1: '1', 2: 'x', 3: '3' })
    await pass()
    const { key, staleMs } = await state(uid)
    assert.equal(staleMs, null)
    await assert.rejects(derive(key, 0, 100), /'x' is not a DOUBLE/)
    assert.equal((await state(uid)).staleMs, null)
    await upload('next', 's', { 2: '2' })
    await pass()
    assert.deepEqual(await stored('next', 'n'), { 1: 1, 2: 2, 3: 3 })
    assert.equal((await state(uid)).staleMs, null)
  })

  it('works for interval streams, whose gaps come and go with their sources', async () => {
    const { stream } = await component('interval', [
      random('a'),
      { id: 'c', kind: 'interval', baseCycleId: 'hour', expression: 'a', variables: [plain('a')] },
    ])
    await upload('interval', 'a', hours({ 0: 1, 1: 2, 4: 3, 5: 4 }))
    await pass()
    assert.deepEqual(await stored('interval', 'c'), hours({ 1: 1, 2: 2, 3: null, 4: null, 5: 3 }))
    await upload('interval', 'a', hours({ '-2': 5, 2: 6 }))
    await pass()
    const { key, staleMs } = await state(stream[1]!.uid)
    assert.equal(staleMs, at(-60))
    await derive(key, -60_000, 60_000)
    assert.deepEqual(await stored('interval', 'c'), hours({ '-1': 5, 0: null, 1: 1, 2: 2, 3: 6, 4: null, 5: 3 }))
    assert.equal((await state(stream[1]!.uid)).staleMs, null)
  })

  it('leaves those stale whose intervals are no more over for all, since it has lost its last samples', async () => {
    const { stream } = await component('lost', [
      random('s'),
      random('b'),
      random('x', 'If(s > 0, s, null)', [plain('s')]),
      { id: 'd', kind: 'interval', baseCycleId: 'hour', expression: 'b', variables: [plain('b'), plain('x')] },
    ])
    const [x, d] = [stream[2]!.uid, stream[3]!.uid]
    await upload('lost', 's', hours({ 4: 1, 5: 1 }))
    await upload('lost', 'b', hours({ 0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5 }))
    await pass()
    assert.deepEqual(await stored('lost', 'd'), hours({ 1: 0, 2: 1, 3: 2, 4: 3, 5: 4 }))
    await upload('lost', 's', hours({ 4: -1, 5: -1 }))
    await pass()
    assert.equal((await state(x)).staleMs, at(240))
    await derive((await state(x)).key, 240, 1000)
    assert.deepEqual(await stored('lost', 'x'), {})
    const { key, staleMs } = await state(d)
    assert.equal(staleMs, at(60))
    await derive(key, 60, 1000)
    assert.deepEqual(await stored('lost', 'd'), {})
    assert.equal((await state(d)).staleMs, null)
  })

  // Each transaction ends with its first streams.
  const hastily = () =>
    openDeriver({ now: () => Date.now() }, compileDerivation, usualLimits, { partMs: 0, statementMs: 600_000 })

  it('goes through a chain in transactions of bounded length, between which nothing is lost', async () => {
    const { stream } = await component('long', [
      random('a'),
      random('b', 'a * 10', [plain('a')]),
      random('c', 'b + 1', [plain('b')]),
      random('d', 'c + 1', [plain('c')]),
    ])
    const [, b, c, d] = stream.map(({ uid }) => uid)
    await upload('long', 'a', { 1: 1, 2: 2 })
    await pass()
    await upload('long', 'a', { 1: 5 })
    await pass()
    const span = { streamKey: (await state(b!)).key, fromMs: at(0), toMs: at(100) }
    const cut = new AbortController()
    const begun = await hastily().deriveSpan(cutAfterOne(all.service.sql, cut), span, () => {}, cut.signal)
    assert.deepEqual(await stored('long', 'b'), { 1: 50, 2: 20 })
    assert.deepEqual(await stored('long', 'c'), { 1: 11, 2: 21 })
    // If nobody went on with it: the background finds that the next one is other than its source says.
    await pass()
    assert.deepEqual(
      [(await state(b!)).staleMs, (await state(c!)).staleMs, (await state(d!)).staleMs],
      [null, at(1), null],
    )
    const reached: number[] = []
    await hastily().deriveSpan(all.service.sql, { ...span, begun }, (ms) => void reached.push(ms))
    assert.deepEqual(reached, [at(100)])
    assert.deepEqual(await stored('long', 'd'), { 1: 52, 2: 22 })
    for (const uid of [b!, c!, d!]) assert.equal((await state(uid)).staleMs, null)
  })

  it('comes to its end, however many streams are derived from it and however little a transaction does', async () => {
    const users = ['c', 'd', 'e']
    const { stream } = await component('wide', [
      random('a'),
      random('b', 'a * 10', [plain('a')]),
      ...users.map((id) => random(id, 'b + 1', [plain('b')])),
    ])
    const count = 3000
    const of = (factor: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [n, n * factor]))
    await upload('wide', 'a', of(1))
    await pass()
    await upload('wide', 'a', of(2))
    await pass()
    let reports = 0
    const span = { streamKey: (await state(stream[1]!.uid)).key, fromMs: at(0), toMs: at(count) }
    await hastily().deriveSpan(all.service.sql, span, () => {
      assert.ok((reports += 1) < 20, 'it comes to no end')
    })
    for (const id of users) assert.equal((await stored('wide', id))[count - 1], (count - 1) * 20 + 1)
    for (const { uid } of stream.slice(1)) assert.equal((await state(uid)).staleMs, null)
  })

  it('is shown by a preview before anything is saved', async () => {
    const { uid } = await component('preview', [random('a')])
    await upload('preview', 'a', { 1: 1, 2: 2, 3: 3 })
    const [{ componentKey, organizationKey }] = await all.service.sql<
      [{ componentKey: number; organizationKey: number }]
    >`
      select key as "componentKey", organization_key as "organizationKey" from component where uid = ${uid}`
    const drafted = { kind: 'random', valueType: 'BOOLEAN', baseCycleKey: null, componentKey } as const
    const shown = await snapshot(all.service.sql, (sql) =>
      all.deriver.previewDerivation(
        sql,
        organizationKey,
        { ...drafted, expression: 'If(a = 2, null, a = 3)', variables: [plain('a')] },
        { fromMs: at(0), toMs: at(10) },
        10,
      ),
    )
    assert.deepEqual(shown, [
      { timeMs: at(1), value: false },
      { timeMs: at(3), value: true },
    ])
  })

  it('leaves the write gate soon, however long an expression takes, and goes on', async () => {
    const { stream } = await component('gate', [random('a'), random('b', 'a + 1', [plain('a')])])
    await upload('gate', 'a', { 1: 1 })
    await pass()
    const { key } = await state(stream[1]!.uid)
    await all.service.sql`delete from sample where stream_key = ${key}`
    const deriver = openDeriver({ now: () => Date.now() }, compileWaiting)
    const { sql } = all.service
    const own = await all.organizationKey('gate')
    await inTheWay(
      sql,
      () => deriver.deriveSpan(sql, { streamKey: key, fromMs: at(0), toMs: at(10) }, () => {}),
      async () => {
        // Changes of others do not wait for it.
        await transaction(sql, (change) => closeCommonGate(change, 50))
        await transaction(sql, (change) => closeGate(change, own, 5000))
      },
    )
    assert.deepEqual(await stored('gate', 'b'), { 1: 2 })
  })
})
