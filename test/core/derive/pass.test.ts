// The background's pass over derived streams: what it stores, what it leaves, and what it costs.
import assert from 'node:assert/strict'
import { addPerson } from '../../support/http.ts'
import { transaction } from '../../../src/base/database/sql.ts'
import { openDeriver } from '../../../src/core/derive/deriver.ts'
import type { CompileExpression } from '../../../src/core/derive/expression.ts'
import { registerMissing } from '../../../src/core/derive/state.ts'
import { closeCommonGate, closeGate } from '../../../src/core/sample/catalog-change.ts'
import { compileDerivation } from '../../../src/gsql/derivation.ts'
import { openTestClock } from '../../support/service.ts'
import { countSteps } from '../../support/steps.ts'
import {
  compileWaiting,
  hours,
  inTheWay,
  minuteMs,
  openDerivations,
  passCounting,
  plain,
  random,
  startMs,
  watched,
} from './derive-support.ts'
import type { Derivations } from './derive-support.ts'
import { openManager } from '../../support/manage.ts'
import { addOrganization, addUser } from '../../support/people.ts'

describe('the pass over derived streams', () => {
  let all: Derivations
  let { component, upload, pass, stored, state } = {} as Derivations

  before(async () => {
    all = await openDerivations()
    ;({ component, upload, pass, stored, state } = all)
  })
  after(() => all.close())

  it('derives where all variables have a sample, whichever comes last', async () => {
    await component('sum', [random('a'), random('b'), random('c', 'a + b', [plain('a'), plain('b')])])
    await upload('sum', 'a', { 1: 1, 2: 2, 3: 3 })
    await pass()
    assert.deepEqual(await stored('sum', 'c'), {})
    await upload('sum', 'b', { 2: 10, 3: 20, 4: 30 })
    await pass()
    assert.deepEqual(await stored('sum', 'c'), { 2: 12, 3: 23 })
    await upload('sum', 'a', { 4: 4 })
    await pass()
    assert.deepEqual(await stored('sum', 'c'), { 2: 12, 3: 23, 4: 34 })
  })

  it('follows chains in one pass', async () => {
    await component('chain', [
      random('a'),
      random('b', 'a * 2', [plain('a')]),
      random('c', 'b + a', [plain('a'), plain('b')]),
      random('d', 'If(c > 5, c, null)', [plain('c')]),
    ])
    await upload('chain', 'a', { 1: 1, 2: 2, 3: 3 })
    await pass()
    assert.deepEqual(await stored('chain', 'd'), { 2: 6, 3: 9 })
  })

  it('derives each sample once, however many servers have a pass at the same time', async () => {
    const depth = 3
    const next = Array.from({ length: depth }, (_, n) => random(`d${n + 1}`, 'x + 1', [plain('x', `d${n}`)]))
    const { stream } = await component('once', [random('d0'), ...next])
    const minutes = Array.from({ length: 40 }, (_, n) => n + 1)
    const servers = minutes.slice(0, 4).map(() => openDeriver({ now: () => Date.now() }, compileDerivation))
    for (const minute of minutes) {
      await upload('once', 'd0', { [minute]: minute })
      await Promise.all(servers.map((server) => server.deriveSome(all.service.sql)))
    }
    await pass()
    const rows = await all.service.sql<{ samples: number }[]>`
      select samples::integer as samples
      from derivation
      where stream_key in (select key from stream where uid = any(${stream.map(({ uid }) => uid)}::text[]))`
    assert.deepEqual(
      rows.map(({ samples }) => samples),
      [minutes.length, minutes.length, minutes.length],
    )
    assert.deepEqual(await stored('once', 'd3'), Object.fromEntries(minutes.map((minute) => [minute, minute + depth])))
  })

  it('comes to the end of a chain, however long its beginning has news and however little a round does', async () => {
    const next = [1, 2, 3, 4].map((n) => random(`d${n}`, 'x + 1', [plain('x', `d${n - 1}`)]))
    await component('endless', [random('d0'), ...next])
    // Each round ends with its first statement.
    const hasty = openDeriver({ now: () => Date.now() }, compileDerivation, { roundMs: 0, statementMs: 600_000 })
    for (let minute = 1; minute <= 20; minute += 1) {
      await upload('endless', 'd0', { [minute]: minute })
      await hasty.deriveSome(all.service.sql)
    }
    assert.ok(Object.keys(await stored('endless', 'd4')).length >= 4)
    await pass()
    assert.equal(Object.keys(await stored('endless', 'd4')).length, 20)
  })

  it('derives news of others while a stream has a great many samples to go', async () => {
    const count = 60_000
    for (const id of ['many', 'one']) await component(id, [random('a'), random('b', 'a + 1', [plain('a')])])
    for (let from = 0; from < count; from += 20_000)
      await upload('many', 'a', Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [from + n, n])))
    const hasty = openDeriver({ now: () => Date.now() }, compileDerivation, { roundMs: 0, statementMs: 600_000 })
    await hasty.deriveSome(all.service.sql)
    await upload('one', 'a', { 1: 1 })
    for (let rounds = 0; rounds < 8; rounds += 1) await hasty.deriveSome(all.service.sql)
    assert.deepEqual(await stored('one', 'b'), { 1: 2 })
    const [row] = await all.service.sql<[{ samples: number }]>`
      select max(samples)::integer as samples
      from derivation
      join stream on stream.key = stream_key
      join component on component.key = component_key
      where component.id = 'many'`
    assert.ok(row.samples < count, String(row.samples))
    await pass()
  })

  it('comes to its end where streams that are done together fail, however little a round does', async () => {
    const perHour = [{ name: 'h', streamId: 'a', cycleId: 'hour', statistic: 'last' }, plain('t')]
    const streams = [random('a'), { id: 't', valueType: 'STRING' }, random('c', 'h + Cast(t AS DOUBLE)', perHour)]
    const made = [await component('hasty1', streams), await component('hasty2', streams)]
    for (const { id } of made) {
      await upload(id!, 'a', { 0: 1, 60: 2 })
      await upload(id!, 't', { 70: '10', 80: 'x', 90: '30' })
    }
    const hasty = openDeriver({ now: () => Date.now() }, compileDerivation, { roundMs: 0, statementMs: 600_000 })
    let rounds = 0
    for (; rounds < 100; rounds += 1) if (!(await hasty.deriveSome(all.service.sql))) break
    assert.ok(rounds < 100, 'rounds go on')
    for (const { id, stream } of made) {
      assert.deepEqual(await stored(id!, 'c'), { 70: 11 })
      assert.equal((await state(stream[2]!.uid)).error?.timeMs, startMs + 80 * minuteMs)
    }
  })

  it('comes to its end where a clock stores nothing at thousands of hours, and looks at none of them again', async () => {
    const perHour = [{ name: 'h', streamId: 'a', cycleId: 'hour', statistic: 'last' }]
    const streams = [random('a'), random('c', 'If(h > 1000000, h, NULL)', perHour)]
    await component('nothing', streams)
    await component('little', streams)
    const many = 5000
    await upload('nothing', 'a', hours(Object.fromEntries(Array.from({ length: many }, (_, at) => [at, at]))))
    await upload('little', 'a', hours({ 0: 1, 1: 2 }))
    const hasty = openDeriver({ now: () => Date.now() }, compileDerivation, { roundMs: 0, statementMs: 600_000 })
    let rounds = 0
    for (; rounds < 100; rounds += 1) if (!(await hasty.deriveSome(all.service.sql))) break
    assert.ok(rounds < 100, 'rounds go on')
    await upload('little', 'a', hours({ 2: 3 }))
    const forOne = await passCounting(all.service.sql)
    await upload('nothing', 'a', hours({ [many]: 5 }))
    assert.equal(await passCounting(all.service.sql), forOne)
    await upload('little', 'a', hours({ '-1': 3 }))
    const forLate = await passCounting(all.service.sql)
    await upload('nothing', 'a', hours({ '-1': 5 }))
    assert.equal(await passCounting(all.service.sql), forLate)
    await upload('nothing', 'a', hours({ 17: 2_000_000, [many + 1]: 5 }))
    await pass()
    // It counts in the hour that begins there.
    assert.deepEqual(await stored('nothing', 'c'), hours({ 18: 2_000_000 }))
  })

  it('does little in a round, also where a clock of minutes goes through months without samples', async () => {
    const per = (name: string, cycleId: string) => ({ name, streamId: name, cycleId, statistic: 'last' })
    const later = 200 * 24 * 60
    await component('months', [random('a'), random('b'), random('c', 'a + b', [per('a', 'minute'), per('b', 'year')])])
    await upload('months', 'b', { [-400 * 24 * 60]: 1, [later + 2]: 1 })
    await upload('months', 'a', { 0: 1, [later]: 2, [later + 2]: 3 })
    const hasty = openDeriver({ now: () => Date.now() }, compileDerivation, { roundMs: 0, statementMs: 600_000 })
    let most = 0
    for (let isMore = true; isMore;) {
      let count = 0
      isMore = await hasty.deriveSome(watched(all.service.sql, () => void (count += 1)))
      most = Math.max(most, count)
    }
    assert.ok(most < 100, `${most} statements in a round`)
    assert.deepEqual(await stored('months', 'c'), { 1: 2, [later + 1]: 3 })
  })

  it('goes from sample to sample of a short cycle, also beside one that is longer than all time', async () => {
    for (const [id, reference] of [
      ['aeon', '1970'],
      ['longest', '2500'],
    ])
      await all.manage.make('cycle', { id, size: 9000, unit: 'year', reference: `${reference}-01-01T00:00:00` })
    const per = (name: string, cycleId: string) => ({ name, streamId: 'a', cycleId, statistic: 'last' })
    const streams = ['aeon', 'longest'].map((cycle) =>
      random(cycle, 'a + Coalesce(b, 0)', [per('a', 'second'), per('b', cycle)]),
    )
    await component('aeons', [random('a'), ...streams])
    const far = 1_000_000_000
    await upload('aeons', 'a', { 0: 1, [far]: 2, [far + 1]: 3 })
    assert.ok((await passCounting(all.service.sql)) < 200)
    const second = 1 / 60
    assert.deepEqual(await stored('aeons', 'aeon'), { [second]: 1, [far + second]: 2 })
    // This one ends in 2500, with the first sample in it.
    assert.deepEqual(await stored('aeons', 'longest'), { [second]: 1, [far + second]: 3 })
  })

  it('asks once how far the variables of all streams are', async () => {
    const per = (name: string) => ({ name, streamId: name, cycleId: 'hour', statistic: 'last' })
    const streams = Array.from({ length: 200 }, (_, n) => random(`d${n}`, `a + b + ${n}`, [per('a'), per('b')]))
    await component('waits', [random('a'), random('b'), ...streams])
    await upload('waits', 'a', hours({ 0: 1, 1: 2 }))
    assert.ok((await passCounting(all.service.sql)) < 100)
    await upload('waits', 'b', hours({ 0: 1, 1: 2 }))
    await pass()
    assert.deepEqual(await stored('waits', 'd7'), hours({ 1: 9 }))
  })

  it('stores what comes before a sample that fails, says which it is, and goes on when that is mended', async () => {
    const { stream } = await component('fails', [
      { id: 'a', valueType: 'STRING' },
      random('b', 'Cast(a AS DOUBLE) * 2', [plain('a')]),
      random('c', 'b + 1', [plain('b')]),
    ])
    await upload('fails', 'a', { 1: '1', 2: '2', 3: 'x', 4: '4' })
    await pass()
    assert.deepEqual(await stored('fails', 'c'), { 1: 3, 2: 5 })
    const [, { uid }] = stream as [unknown, { uid: string }]
    const { error, staleMs } = await state(uid)
    assert.equal(error?.timeMs, startMs + 3 * minuteMs)
    assert.match(error.message, /^line 1, column 6: 'x'/)
    assert.equal(staleMs, null)
    await upload('fails', 'a', { 5: '5' })
    await pass()
    assert.deepEqual(await stored('fails', 'b'), { 1: 2, 2: 4 })
    await upload('fails', 'a', { 3: '3' })
    await pass()
    assert.deepEqual(await stored('fails', 'c'), { 1: 3, 2: 5, 3: 7, 4: 9, 5: 11 })
    assert.equal((await state(uid)).error, null)
  })

  it('derives no late sample by itself, but says from where on the stream is stale', async () => {
    const { stream } = await component('late', [
      random('a'),
      random('b'),
      random('c', 'a + b', [plain('a'), plain('b')]),
    ])
    const [, , { uid }] = stream as [unknown, unknown, { uid: string }]
    await upload('late', 'a', { 1: 1, 2: 2, 3: 3, 5: 5 })
    await upload('late', 'b', { 1: 1, 2: 2, 4: 4, 5: 5 })
    await pass()
    assert.deepEqual(await stored('late', 'c'), { 1: 2, 2: 4, 5: 10 })
    // Nothing else is there at that time, and this is what is there already.
    await upload('late', 'a', { 0: 7, 2: 2 })
    await pass()
    assert.equal((await state(uid)).staleMs, null)
    await upload('late', 'b', { 3: 1 })
    await pass()
    assert.deepEqual(await stored('late', 'c'), { 1: 2, 2: 4, 5: 10 })
    assert.equal((await state(uid)).staleMs, startMs + 3 * minuteMs)
    await upload('late', 'a', { 2: 20, 6: 6 })
    await upload('late', 'b', { 6: 6 })
    await pass()
    assert.equal((await state(uid)).staleMs, startMs + 2 * minuteMs)
    assert.deepEqual(await stored('late', 'c'), { 1: 2, 2: 4, 5: 10, 6: 12 })
  })

  it('takes samples before by offsets', async () => {
    await component('back', [random('a'), random('d', 'a - p', [plain('a'), { name: 'p', streamId: 'a', offset: -1 }])])
    await upload('back', 'a', { 1: 1, 2: 3, 3: 7 })
    await pass()
    assert.deepEqual(await stored('back', 'd'), { 2: 2, 3: 4 })
    await upload('back', 'a', { 5: 10 })
    await pass()
    assert.deepEqual(await stored('back', 'd'), { 2: 2, 3: 4, 5: 3 })
  })

  it('asks once for what looks back at samples that came late, however many they are', async () => {
    const back = (offset: number) => ({ name: `p${-offset}`, streamId: 'a', offset })
    const statements = async (id: string, count: number) => {
      await component(id, [random('a'), random('d', 'a + p1 + p2 * 0', [plain('a'), back(-1), back(-2)])])
      const minutes = Array.from({ length: 300 }, (_, n) => 600 * n)
      await upload(id, 'a', Object.fromEntries(minutes.map((minute) => [minute, minute])))
      await pass()
      // The same values once more, so that nothing is stale by them; hours apart, so that each is marked by itself.
      await upload(id, 'a', Object.fromEntries(minutes.slice(10, 10 + count).map((minute) => [minute, minute])))
      return passCounting(all.service.sql)
    }
    assert.equal(await statements('backs', 200), await statements('back1', 1))
  })

  it('looks at one stream after another as long as there is time, and leaves the others', async () => {
    const back = { name: 'p', streamId: 'a', offset: -1 }
    const derived = ['b', 'c', 'd', 'e']
    await component('each', [random('a'), ...derived.map((id) => random(id, 'a - p', [plain('a'), back]))])
    await upload('each', 'a', { 1: 1, 2: 3 })
    const hasty = openDeriver({ now: () => Date.now() }, compileDerivation, { roundMs: 0, statementMs: 600_000 })
    const filled = async () => {
      const each = await Promise.all(derived.map(async (id) => Object.keys(await stored('each', id)).length))
      return each.filter((count) => count > 0).length
    }
    await hasty.deriveSome(all.service.sql)
    assert.equal(await filled(), 1)
    while (await hasty.deriveSome(all.service.sql));
    assert.equal(await filled(), 4)
  })

  it('finds what hangs on a sample by cycles a million intervals back in as much work as by one', async () => {
    const day = { size: 1, unit: 'day', reference: '2001-01-01T00:00:00' }
    const [near, far] = await countSteps(new URL('affected-steps.ts', import.meta.url), 'affectedBy', [
      [day, 'Europe/Berlin', [1, 2, 3]],
      [day, 'Europe/Berlin', [1, 1000, 1_000_000]],
    ])
    assert.ok(far! <= near! + 100, `${near} ${far}`)
  })

  it('has no value of a cycle before the beginning of time, however long its intervals are', async () => {
    const cycles = [
      { id: 'eon', size: 1_000_000, unit: 'hour' },
      { id: 'age', size: 10_000, unit: 'year' },
      { id: 'today', size: 1, unit: 'day' },
    ]
    for (const cycle of cycles) await all.manage.make('cycle', cycle)
    const variables = cycles.map(({ id }) => ({ name: id, streamId: 'a', cycleId: id, offset: -1_000_000 }))
    const [, { uid }] = (
      await component('eons', [
        random('a'),
        random('b', 'a + Coalesce(eon, age, today, 1)', [plain('a'), ...variables]),
        {
          id: 'c',
          kind: 'interval',
          baseCycleId: 'today',
          expression: 'Coalesce(x, y)',
          variables: [plain('x', 'a'), { ...plain('y', 'a'), offset: -1_000_000 }],
        },
      ])
    ).stream as [unknown, { uid: string }]
    await upload('eons', 'a', { 1: 1, 2: 2, 3000: 3 })
    await pass()
    assert.deepEqual(await stored('eons', 'b'), { 1: 2, 2: 3, 3000: 4 })
    await upload('eons', 'a', { 1: 7 })
    await pass()
    assert.equal((await state(uid)).staleMs, startMs + minuteMs)
    assert.deepEqual(await stored('eons', 'c'), { 1440: 1.5, 2880: null })
  })

  it('takes the statistic of the latest interval of a cycle that has ended', async () => {
    await component('cycle', [
      random('a'),
      random('d', 'a + s', [plain('a'), { name: 's', streamId: 'a', cycleId: 'day', statistic: 'sum' }]),
    ])
    await upload('cycle', 'a', hours({ 1: 1, 2: 3, 24: 5, 25: 7, 49: 9 }))
    await pass()
    assert.deepEqual(await stored('cycle', 'd'), hours({ 24: 9, 25: 11, 49: 21 }))
  })

  it('derives a stream without plain variables at the ends of intervals that are over for all', async () => {
    const day = (name: string, streamId: string, statistic: string) => ({ name, streamId, cycleId: 'day', statistic })
    await component('ends', [
      random('a'),
      random('b'),
      random('c', 'x + y', [day('x', 'a', 'last'), day('y', 'b', 'first')]),
    ])
    await upload('ends', 'a', hours({ 1: 1, 25: 3, 49: 5 }))
    await pass()
    await upload('ends', 'b', hours({ 1: 1, 25: 3 }))
    await pass()
    assert.deepEqual(await stored('ends', 'c'), hours({ 24: 2 }))
    await upload('ends', 'b', hours({ 50: 3 }))
    await pass()
    assert.deepEqual(await stored('ends', 'c'), hours({ 24: 2, 48: 6 }))
  })

  it('derives an interval stream per base interval once all variables have reached its end, gaps included', async () => {
    await component('intervals', [
      random('a'),
      { id: 'b', kind: 'interval', baseCycleId: 'hour' },
      {
        id: 'c',
        kind: 'interval',
        baseCycleId: 'hour',
        expression: 'a + b',
        variables: [plain('a'), plain('b')],
      },
      {
        id: 'd',
        kind: 'interval',
        baseCycleId: 'hour',
        expression: 'a + b',
        variables: [plain('a'), { name: 'b', streamId: 'b', offset: -1 }],
      },
    ])
    await upload('intervals', 'a', hours({ 0: 2, 0.5: 4, 1: 6, 4: 8 }))
    await pass()
    await upload('intervals', 'b', hours({ 1: 10, 2: 20, 3: null, 4: 40, 5: 50 }))
    await pass()
    assert.deepEqual(await stored('intervals', 'c'), hours({ 1: 13, 2: 26, 3: null, 4: null }))
    assert.deepEqual(await stored('intervals', 'd'), hours({ 1: null, 2: 16, 3: null, 4: null }))
    await upload('intervals', 'a', hours({ 4.5: 12, 5: 1 }))
    await pass()
    assert.deepEqual(await stored('intervals', 'c'), hours({ 1: 13, 2: 26, 3: null, 4: null, 5: 60 }))
  })

  it('says that intervals are stale which are no more over for all, where the last sample of a source is deleted', async () => {
    const { stream } = await component('shorter', [
      random('a'),
      random('b'),
      {
        id: 'd',
        kind: 'interval',
        baseCycleId: 'hour',
        expression: 'Coalesce(a, b)',
        variables: [plain('a'), plain('b')],
      },
    ])
    const { uid } = stream[2]!
    await upload('shorter', 'a', hours({ 0: 7, 5: 7 }))
    await upload('shorter', 'b', hours({ 0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5 }))
    await pass()
    assert.deepEqual(await stored('shorter', 'd'), hours({ 1: 7, 2: 1, 3: 2, 4: 3, 5: 4 }))
    const [fromMs, toMs] = [startMs + 290 * minuteMs, startMs + 310 * minuteMs]
    const gone = await all.manage.ask('DELETE', `/api/comp/shorter/stream/a/feed?sd=${fromMs}&ed=${toMs}`)
    assert.equal(gone.status, 200, JSON.stringify(gone.body))
    await pass()
    const { key, staleMs } = await state(uid)
    assert.equal(staleMs, startMs + 60 * minuteMs)
    await all.deriver.deriveSpan(all.service.sql, { streamKey: key, fromMs: staleMs, toMs: startMs * 2 }, () => {})
    assert.deepEqual(await stored('shorter', 'd'), {})
    assert.equal((await state(uid)).staleMs, null)
  })

  it('stays stale where a part was derived anew while its intervals were not over for all', async () => {
    const perHour = (id: string) => ({ name: id, streamId: id, cycleId: 'hour', statistic: 'last' })
    const { stream } = await component('partly', [
      random('a'),
      random('b'),
      random('c', 'Coalesce(a, 0) + b', [perHour('a'), perHour('b')]),
    ])
    const { uid } = stream[2]!
    await upload('partly', 'a', hours({ 0: 7, 5: 7 }))
    await upload('partly', 'b', hours({ 0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5 }))
    await pass()
    const whole = hours({ 1: 7, 2: 1, 3: 2, 4: 3, 5: 4 })
    assert.deepEqual(await stored('partly', 'c'), whole)
    const [fromMs, toMs] = [startMs + 290 * minuteMs, startMs + 310 * minuteMs]
    const gone = await all.manage.ask('DELETE', `/api/comp/partly/stream/a/feed?sd=${fromMs}&ed=${toMs}`)
    assert.equal(gone.status, 200, JSON.stringify(gone.body))
    await pass()
    const { key, staleMs } = await state(uid)
    const anew = (from: number, to: number) =>
      all.deriver.deriveSpan(all.service.sql, { streamKey: key, fromMs: from, toMs: to }, () => {})
    await anew(staleMs!, staleMs! + 60 * minuteMs)
    await upload('partly', 'a', hours({ 5: 7 }))
    await pass()
    assert.equal((await state(uid)).staleMs, startMs + 60 * minuteMs)
    await anew(staleMs!, startMs * 2)
    assert.deepEqual(await stored('partly', 'c'), whole)
    assert.equal((await state(uid)).staleMs, null)
  })

  it('leaves out a hole of ten years in an interval stream of seconds', async () => {
    await component('hole', [
      random('a'),
      { id: 'c', kind: 'interval', baseCycleId: 'second', expression: 'a', variables: [plain('a')] },
    ])
    const years = 10 * 366 * 24
    await upload('hole', 'a', hours({ 0: 1, [-years]: 2, [1 / 3600]: 3 }))
    await pass()
    assert.deepEqual(await stored('hole', 'c'), { [1 / 60]: 1, [-years * 60 + 1 / 60]: 2 })
  })

  it('derives what scripts insert and delete, and files by their names', async () => {
    const { stream } = await component('script', [random('a'), random('b', 'a * 2', [plain('a')])])
    const { call } = await addPerson(all.service, 'owner')
    const run = async (s: string) => {
      const { status, body } = await call('POST', '/api/gql', { s })
      assert.equal(status, 200, JSON.stringify(body))
    }
    const insert = 'INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)'
    await run(
      `${insert} SELECT 'script', 'a', ${startMs}, 1.0; ${insert} SELECT 'script', 'a', ${startMs + minuteMs}, 2.0`,
    )
    await pass()
    assert.deepEqual(await stored('script', 'b'), { 0: 2, 1: 4 })
    await run(`DELETE FROM SAMPLE WHERE CID = 'script' AND ID = 'a' AND TIME = ${startMs}`)
    await pass()
    assert.equal((await state(stream[1]!.uid)).staleMs, startMs)
    await component('file', [
      { id: 'f', valueType: 'FILE' },
      { ...random('n', "'/' + f", [plain('f')]), valueType: 'STRING' },
    ])
    const put = await all.service.put('/api/comp/file/stream/f/feed/file/a.txt', 'text')
    assert.equal(put.status, 200, put.text)
    await pass()
    assert.deepEqual(Object.values(await stored('file', 'n')), ['/a.txt'])
  })

  it('derives streams that were saved before anybody took note of them', async () => {
    const { uid } = await component('before', [random('a')])
    await upload('before', 'a', { 1: 1 })
    const { sql } = all.service
    const [{ streamUid }] = await sql<[{ streamUid: string }]>`
      insert into stream (component_key, id, name, kind, value_type, position, expression, variables)
      select key, 'b', 'b', 'random', 'DOUBLE', 2, 'a + 1', ${sql.json([plain('a')])} from component where uid = ${uid}
      returning uid as "streamUid"`
    assert.equal(await registerMissing(sql), false)
    assert.equal((await state(streamUid)).staleMs, startMs + minuteMs)
    // Servers that remember the source hear of it.
    await upload('before', 'a', { 2: 2 })
    await pass()
    assert.deepEqual(await stored('before', 'b'), { 2: 3 })
  })

  const keyOf = async (uid: string) => (await state(uid)).key
  const errorAtMs = async (uid: string) => {
    const [row] = await all.service.sql<[{ ms: number }]>`
      select error_at as ms from derivation where stream_key = ${await keyOf(uid)}`
    return row.ms
  }

  it('leaves the write gate soon, however long an expression takes', async () => {
    await component('gate', [random('a'), random('b', 'a + 1', [plain('a')])])
    await upload('gate', 'a', { 1: 1 })
    const deriver = openDeriver({ now: () => Date.now() }, compileWaiting)
    const { sql } = all.service
    const own = await all.organizationKey('gate')
    await inTheWay(
      sql,
      () => deriver.deriveSome(sql),
      async () => {
        // Changes of others do not wait for it.
        await transaction(sql, (change) => closeCommonGate(change, 50))
        // One of the organization comes while the expression runs, and an upload behind the change.
        await transaction(sql, (change) => closeGate(change, own, 2500))
        await upload('gate', 'a', { 2: 2 })
      },
    )
    await pass()
    assert.deepEqual(await stored('gate', 'b'), { 1: 2, 2: 3 })
  })

  const isOff = "exists (select from component where id = 'off')"
  const compileOff: CompileExpression = (...given) => {
    const compiled = compileDerivation(...given)
    return { ...compiled, text: `gs.derived_number(case when ${isOff} then 'NaN' else ${compiled.text} end)` }
  }

  it('tries a deep sample that fails again, though a shallow one fails and takes all the time of a round', async () => {
    const compileDeepOff: CompileExpression = (expression, ...given) =>
      (expression.includes('deep') ? compileOff : compileDerivation)(expression, ...given)
    const clock = openTestClock(Date.now())
    const hasty = openDeriver(clock, compileDeepOff, { roundMs: 0, statementMs: 600_000 })
    const passHasty = async () => {
      clock.set(clock.now() + 60_000)
      for (let rounds = 0; await hasty.deriveSome(all.service.sql); rounds += 1) assert.ok(rounds < 100, 'rounds go on')
    }
    await component('turns', [
      random('a'),
      random('shallow', 'Cast(t AS DOUBLE)', [plain('t')]),
      { id: 't', valueType: 'STRING' },
      random('b', 'a + 1', [plain('a')]),
      random('c', 'deep * 2', [plain('deep', 'b')]),
    ])
    const off = await component('off', [])
    await upload('turns', 't', { 1: 'x' })
    await upload('turns', 'a', { 1: 1 })
    await passHasty()
    assert.deepEqual(await stored('turns', 'c'), {})
    assert.equal((await all.manage.ask('DELETE', `/api/component/${off.uid}`)).status, 200)
    await passHasty()
    assert.deepEqual(await stored('turns', 'c'), { 1: 4 })
  })

  it('tries a sample that fails again after one second, then after two, though nothing was touched', async () => {
    const clock = openTestClock(Date.now())
    const startedMs = clock.now()
    const deriver = openDeriver(clock, compileOff)
    const passOff = async () => {
      while (await deriver.deriveSome(all.service.sql));
    }
    const { stream } = await component('again', [random('a'), random('b', 'a + 1', [plain('a')])])
    const triedAt = async () => {
      await passOff()
      const [row] = await all.service.sql<[{ ms: number | null }]>`
        select error_at as ms from derivation where stream_key = (select key from stream where uid = ${stream[1]!.uid})`
      return row.ms === null ? null : row.ms - startedMs
    }
    const off = await component('off', [])
    await upload('again', 'a', { 1: 1, 2: 2 })
    const tried: (number | null)[] = [await triedAt(), await triedAt()]
    for (const ms of [999, 1000, 2999, 3000]) {
      clock.set(startedMs + ms)
      tried.push(await triedAt())
    }
    assert.deepEqual(tried, [0, 0, 0, 1000, 1000, 3000])
    assert.equal((await state(stream[1]!.uid)).error?.timeMs, startMs + minuteMs)
    assert.equal((await all.manage.ask('DELETE', `/api/component/${off.uid}`)).status, 200)
    clock.set(startedMs + 7000)
    assert.equal(await triedAt(), null)
    assert.deepEqual(await stored('again', 'b'), { 1: 2, 2: 3 })
  })

  it('tries a sample that takes too long every ten seconds only, or when it is touched', async () => {
    const clock = openTestClock(Date.now())
    const deriver = openDeriver(clock, compileWaiting)
    const { sql } = all.service
    const passWaiting = async () => {
      while (await deriver.deriveSome(sql));
    }
    const { stream } = await component('slow', [random('a'), random('b', 'a + 1', [plain('a')])])
    const [, { uid }] = stream as [unknown, { uid: string }]
    await upload('slow', 'a', { 1: 1 })
    await inTheWay(
      sql,
      () => Promise.resolve(),
      async () => {
        await passWaiting()
        assert.match((await state(uid)).error!.message, /^the expression takes longer than \d+ ms$/)
        const failedMs = await errorAtMs(uid)
        clock.set(clock.now() + 5000)
        await passWaiting()
        assert.equal(await errorAtMs(uid), failedMs)
      },
      'nobody',
    )
    clock.set(clock.now() + 5000)
    await passWaiting()
    assert.deepEqual(await stored('slow', 'b'), { 1: 2 })
  })

  it('takes turns by tenant: one that has many organizations waits for itself, and nobody for it', async () => {
    const { service } = all
    await pass()
    const owner = await addUser(service.sql, 'crowd@example.com')
    const stream = [random('a'), random('b', 'a + 1', [plain('a')])]
    for (let n = 0; n < 4; n += 1) {
      const { uid } = await addOrganization(service.sql, `crowd ${n}`, owner)
      await service.sql`update organization set tenant_uid = 'crowd' where uid = ${uid}`
      const { make, ask } = await openManager({ ...service, organizationUid: uid })
      await make('component', { id: `crowd ${n}`, stream })
      assert.equal((await ask('PUT', `/api/feed?compId=crowd%20${n}&a=1&time=${startMs}`)).status, 200)
    }
    await component('beside', stream)
    await upload('beside', 'a', { 0: 1 })
    const derived = async (like: string) => {
      const rows = await service.sql`
        select from sample
        join stream on stream.key = stream_key
        join component on component.key = component_key
        where stream.id = 'b' and component.id like ${like}`
      return rows.length
    }
    const deriver = openDeriver({ now: () => Date.now() }, compileDerivation)
    const seen: (readonly [crowd: number, beside: number])[] = []
    while (await deriver.deriveSome(service.sql)) seen.push([await derived('crowd %'), await derived('beside')])
    assert.deepEqual(seen[0], [1, 1])
    assert.deepEqual(await derived('crowd %'), 4)
  })
})
