// Uploads that derive in their own transaction: derMaxS, derTout and the rules by which a branch ends.
import assert from 'node:assert/strict'
import { sqlCode, transaction } from '../../../src/base/database/sql.ts'
import { Ingestion } from '../../../src/core/sample/ingest.ts'
import { closeCommonGate, closeGate } from '../../../src/core/sample/catalog-change.ts'
import { compileDerivation } from '../../../src/gsql/derivation.ts'
import { openDeriver } from '../../../src/core/derive/deriver.ts'
import { parseQuery } from '../../../src/base/http/query-string.ts'
import { batchFromUrl } from '../../../src/feed/put-url.ts'
import { callerOf } from '../../support/caller.ts'
import { eventually } from '../../support/within.ts'
import { openDerivations, plain, random, compileWaiting, inTheWay, startMs, watched } from './derive-support.ts'
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

  it('ends a branch where nothing new is derived, and counts only streams that have derived something', async () => {
    const none = 'If(a > 100, a, null)'
    await component('nothing', [
      random('a'),
      ...['b', 'c', 'd'].map((id) => random(id, none, [plain('a')])),
      random('e', 'b + 1', [plain('b')]),
      random('f', 'Coalesce(b, a)', [plain('a'), { name: 'b', streamId: 'b', cycleId: 'day' }]),
    ])
    await upload('nothing', 'a', { 1: 1 }, '?derMaxS=1&derTout')
    for (const id of ['b', 'c', 'd', 'e']) assert.deepEqual(await stored('nothing', id), {}, id)
    assert.deepEqual(await stored('nothing', 'f'), { 1: 1 })
  })

  it('stores the upload when derTout is over, and leaves to the background what was not derived by then', async () => {
    await component('over', [random('a'), random('b', 'a + 1', [plain('a')])])
    const own = await openOwn(compileWaiting)
    await inTheWay(
      all.service.sql,
      () => Promise.resolve(),
      async () => {
        await own.put(`compId=over&a=1&time=${startMs}`, '&derMaxS&derTout=50')
        assert.deepEqual(await stored('over', 'a'), { 0: 1 })
        assert.deepEqual(await stored('over', 'b'), {})
        assert.equal(await marks(), 1)
      },
      'nobody',
    )
    await own.close()
    await pass()
    assert.deepEqual(await stored('over', 'b'), { 0: 2 })
  })

  it('is stored where nobody is derived from it any more', async () => {
    await component('source', [random('a'), random('other')])
    const by = (streamId: string) => [{ name: 'x', componentId: 'source', streamId }]
    const { stream } = await component('user', [random('b', 'x + 1', by('a'))])
    await upload('source', 'a', { 1: 1 }, '?derMaxS&derTout')
    assert.deepEqual(await stored('user', 'b'), { 1: 2 })
    const edited = await all.manage.ask('PUT', `/api/stream/${stream[0]!.uid}`, { variables: by('other') })
    assert.equal(edited.status, 200, JSON.stringify(edited.body))
    await upload('source', 'a', { 2: 2 }, '?derMaxS&derTout')
    assert.deepEqual(await stored('source', 'a'), { 1: 1, 2: 2 })
    assert.deepEqual(await stored('user', 'b'), { 1: 2 })
  })

  it('never fails by an error that nobody knows of', async () => {
    await component('broken', [random('a'), random('b', 'a + 1', [plain('a')])])
    const own = await openOwn((...given) => ({
      ...compileDerivation(...given),
      text: 'no_such_function()',
      explain: () => undefined,
    }))
    await own.put(`compId=broken&a=1&time=${startMs}`)
    await own.close()
    assert.deepEqual(await stored('broken', 'a'), { 0: 1 })
    assert.deepEqual(await stored('broken', 'b'), {})
    await pass()
    assert.deepEqual(await stored('broken', 'b'), { 0: 2 })
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

  /** Calls `onError` where the chunks cannot be held. */
  const holdingFails = <T extends object>(sql: T, onError: (error: unknown) => void): T =>
    new Proxy(sql, {
      apply: (target, _this, given: unknown[]) => {
        const query = (target as unknown as (...args: unknown[]) => unknown)(...given)
        const [text] = given as [readonly string[]]
        if (text[0]?.startsWith('lock table chunk_hold')) (query as Promise<unknown>).catch(onError)
        return query
      },
      get: (target, property) => {
        const value = Reflect.get(target, property) as unknown
        return property === 'begin'
          ? (work: (inside: object) => Promise<unknown>) =>
              (value as (work: (inside: object) => Promise<unknown>) => unknown)((inside) =>
                work(holdingFails(inside, onError)),
              )
          : value
      },
    })

  /** An ingestion beside that of the service. */
  const openOwn = async (compile = compileDerivation, onKeptOut = (_error: unknown) => {}) => {
    const { world } = all.service.service
    let asked = 0
    const own = { ...world, sql: watched(holdingFails(world.sql, onKeptOut), () => void (asked += 1)) }
    const ingestion = await Ingestion.open(own, all.service.databaseUrl, openDeriver(world.clock, compile))
    const [organization] = await world.sql<[{ key: number; uid: string }]>`select key, uid from organization limit 1`
    const caller = callerOf(organization)
    return {
      put: (query: string, atOnce = '&derMaxS&derTout') =>
        ingestion.ingest(caller, batchFromUrl(parseQuery(query + atOnce), startMs)),
      asked: () => asked,
      organizationKey: organization.key,
      close: () => ingestion.close(),
    }
  }

  it('asks the database as often for a chain of fifteen as for one stream', async () => {
    const own = await openOwn()
    const counts: number[] = []
    for (const depth of [1, 15]) {
      const id = `depth${depth}`
      const next = Array.from({ length: depth }, (_, n) => random(`b${n + 1}`, 'x + 1', [plain('x', `b${n}`)]))
      await component(id, [random('b0'), ...next])
      await own.put(`compId=${id}&b0=1&time=${startMs}`)
      const before = own.asked()
      await own.put(`compId=${id}&b0=2&time=${startMs + 60_000}`)
      counts.push(own.asked() - before)
      assert.deepEqual(await stored(id, `b${depth}`), { 0: depth + 1, 1: depth + 2 })
    }
    await own.close()
    assert.equal(counts[1], counts[0])
    assert.equal(await marks(), 0)
  })

  it('works out expressions before it enters the write gate, where others would wait for it', async () => {
    await component('waiting', [random('a'), random('b', 'a + 1', [plain('a')])])
    const own = await openOwn(compileWaiting)
    await inTheWay(
      all.service.sql,
      () => own.put(`compId=waiting&a=1&time=${startMs}`),
      () => transaction(all.service.sql, (sql) => closeCommonGate(sql)),
    )
    await own.close()
    assert.deepEqual(await stored('waiting', 'b'), { 0: 2 })
  })

  it('leaves the write gate soon where it has to read before, and the rest to the background', async () => {
    const before = { name: 'p', streamId: 'a', offset: -1 }
    await component('reading', [random('a'), random('b', 'a + p', [plain('a'), before])])
    await upload('reading', 'a', { 0: 1 })
    await pass()
    const own = await openOwn(compileWaiting)
    await inTheWay(
      all.service.sql,
      () => own.put(`compId=reading&a=2&time=${startMs + 60_000}`),
      () => transaction(all.service.sql, (sql) => closeGate(sql, own.organizationKey, 8000)),
    )
    await own.close()
    await pass()
    assert.deepEqual(await stored('reading', 'b'), { 1: 3 })
  })

  it('waits for a sample that somebody holds by itself, and then comes to no lane where all would wait for it', async () => {
    const { stream } = await component('waited', [random('a'), random('b', 'a + 1', [plain('a')])])
    const own = await openOwn()
    const waiting = () => all.service.sql<{ name: string; since: number }[]>`
      select application_name as name, xact_start as since from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    const puts: Promise<unknown>[] = []
    await transaction(all.service.sql, async (sql) => {
      await sql`insert into sample (stream_key, time, num) select key, ${startMs}, 1 from stream where uid = ${stream[0]!.uid}`
      puts.push(own.put(`compId=waited&a=2&time=${startMs}`))
      // In a lane, in a transaction that waits as long again, and in one that waits for longer.
      const begun = new Set<number>()
      await eventually(async () => {
        for (const { since } of await waiting()) begun.add(since)
        return begun.size === 3
      })
      puts.push(own.put(`compId=waited&a=2&time=${startMs}`))
      // The second tries it, and then waits for the first outside the database.
      let looks = 0
      await eventually(async () => {
        const found = await waiting()
        assert.ok(!found.some(({ name }) => name === 'coppice writer'))
        looks += 1
        return looks === 20
      })
    })
    await Promise.all(puts)
    await own.close()
    assert.deepEqual(await stored('waited', 'a'), { 0: 2 })
    await pass()
    assert.deepEqual(await stored('waited', 'b'), { 0: 3 })
  })

  it('waits a moment for chunks that nobody may hold, and leaves to the background what reads them', async () => {
    const day = { name: 'x', streamId: 'a', cycleId: 'day' }
    await component('kept out', [
      random('a'),
      random('b', 'a + Coalesce(x, 0)', [plain('a'), day]),
      random('c', 'a + 1', [plain('a')]),
    ])
    await upload('kept out', 'a', { 0: 1 })
    await pass()
    const codes: (string | undefined)[] = []
    const own = await openOwn(compileDerivation, (error) => codes.push(sqlCode(error)))
    await transaction(all.service.sql, async (sql) => {
      await sql`lock table chunk_hold in access exclusive mode`
      await own.put(`compId=kept out&a=2&time=${startMs + 60_000}`)
    })
    // Not by the end of its time, a second.
    assert.deepEqual(codes, ['55P03'])
    await own.close()
    assert.deepEqual(await stored('kept out', 'a'), { 0: 1, 1: 2 })
    await pass()
    assert.equal(Object.keys(await stored('kept out', 'b')).length, 2)
    assert.deepEqual(await stored('kept out', 'c'), { 0: 2, 1: 3 })
  })

  it('stores values of all types as they are worked out', async () => {
    const typed = (id: string, valueType: string, expression: string, ...names: string[]) => ({
      id,
      valueType,
      expression,
      variables: names.map((name) => plain(name)),
    })
    await component('typed', [
      { id: 'n', valueType: 'LONG' },
      { id: 's', valueType: 'STRING' },
      { id: 'o', valueType: 'BOOLEAN' },
      { id: 'i', kind: 'interval', baseCycleId: 'minute' },
      typed('twice', 'LONG', 'n * 2', 'n'),
      typed('quoted', 'STRING', `'"' + s + '\\' + Cast(twice AS STRING)`, 's', 'twice'),
      typed('both', 'BOOLEAN', 'o AND twice > 2', 'o', 'twice'),
      typed('length', 'DOUBLE', 'Len(quoted) + If(both, i, 0) / 3', 'quoted', 'both', 'i'),
    ])
    const own = await openOwn()
    await own.put(`compId=typed&n=9007199254740&s=a,"&o=true&i=1&time=${startMs}&delim=;`)
    await own.close()
    assert.deepEqual(await stored('typed', 'twice'), { 0: 18_014_398_509_480 })
    assert.deepEqual(await stored('typed', 'quoted'), { 0: '"a,"\\18014398509480' })
    assert.deepEqual(await stored('typed', 'both'), { 0: true })
    assert.deepEqual(await stored('typed', 'length'), { 0: 19 + 1 / 3 })
    assert.equal(await marks(), 0)
  })
})
