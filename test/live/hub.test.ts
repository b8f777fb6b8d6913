// A hub by itself, on a real journal, with listeners without connections.
import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { transactionShares } from '../../src/base/database/pool.ts'
import type { Pool } from '../../src/base/database/sql.ts'
import type { Holding } from '../../src/base/shares.ts'
import type { Caller } from '../../src/core/caller.ts'
import { historyText } from '../../src/core/history.ts'
import { Hub } from '../../src/live/hub.ts'
import { addCaller } from '../support/caller.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { openUnreadListener } from '../support/unread-listener.ts'
import type { UnreadListener } from '../support/unread-listener.ts'
import { eventually } from '../support/within.ts'

const count = 500

describe('live/hub', () => {
  let service: TestService
  let caller: Caller
  let hub: Hub
  before(async () => {
    service = await openTestService()
  })
  after(() => service.close())
  beforeEach(async () => {
    caller = await addCaller(service.sql)
    hub = openHub()
  })
  afterEach(() => hub.stop())

  const openHub = ({ sql = service.sql, worldSql = service.sql } = {}): Hub => {
    const world = { ...service.service.world, sql: worldSql }
    return new Hub({ world, sql, showSamples: () => () => ({}), settle: () => undefined }, () => {})
  }
  /** The database, but for statements that begin so: they have another answer, if there is one. */
  const answering = (beginning: string, answer: () => Promise<unknown> | void): Pool =>
    new Proxy(service.sql, {
      apply: (target, self, given: [TemplateStringsArray, ...never[]]): unknown =>
        (given[0][0]!.trim().startsWith(beginning) ? answer() : undefined) ?? Reflect.apply(target, self, given),
    })
  const open = (componentKeys: readonly number[] = []): UnreadListener => {
    const opened = openUnreadListener({ caller, componentKeys, onEnd: (listener) => hub.remove(listener) })
    hub.add(opened.listener)
    return opened
  }
  /** Never more than 50 in one turn of the loop. */
  const assertInTurns = async (counted: () => number) => {
    for (let before = counted(); before < count;) {
      await setImmediate()
      const now = counted()
      assert.ok(now - before <= 50, `${now - before} at once`)
      before = now
    }
  }

  it('ends all listeners some at a time when it stops, and has stopped then', async () => {
    const all = Array.from({ length: count }, () => open())
    let isStopped = false
    const stopping = hub.stop().then(() => (isStopped = true))
    await assertInTurns(() => {
      const ended = all.filter(({ listener }) => listener.isEnded).length
      assert.ok(!isStopped || ended === count)
      return ended
    })
    await stopping
    assert.equal(hub.size, 0)
    for (const { reply } of all) assert.match(reply.text, /"code":"stopping"/)
  })

  it('lets those go on some at a time that wait for one reading', async () => {
    open()
    let gone = 0
    for (let n = 0; n < count; n += 1) void hub.nextReading().then(() => (gone += 1))
    await assertInTurns(() => gone)
  })

  it('reads on while it is looked for what is gone', async () => {
    let isAsked = false
    let answer = () => {}
    const answered = new Promise<readonly object[]>((resolve) => (answer = () => resolve([])))
    hub = openHub({
      sql: answering('select key as "streamKey"', () => {
        isAsked = true
        return answered
      }),
    })
    open([1])
    try {
      await eventually(() => Promise.resolve(isAsked))
      await hub.nextReading()
      await hub.nextReading()
    } finally {
      answer()
    }
  })

  const head = { position: '9:9:', trimmed: '1:1:', catalogSerial: 0, history: 'h', xact: null }

  it('lets all begin anew where positions go back, as with files of an earlier moment', async () => {
    const [{ history }] = await service.sql<[{ history: string }]>`
      select ${service.sql.unsafe(historyText)} as history`
    let goesBack = false
    const earlier = { ...head, history, isLasting: true, logEnd: '0/0', checkpoint: '0/0' }
    hub = openHub({ sql: answering('select head.*', () => (goesBack ? Promise.resolve([earlier]) : undefined)) })
    const { listener } = open()
    const isLiveAfterReadings = async () => {
      for (let readings = 0; readings < 2; readings += 1) await hub.nextReading()
      return listener.isLive
    }
    await hub.tell(listener)
    await isLiveAfterReadings()
    hub.setLive(listener)
    assert.ok(await isLiveAfterReadings())
    assert.ok(hub.hasSince(caller.organizationKey, hub.position!))
    goesBack = true
    assert.ok(!(await isLiveAfterReadings()))
    // Or it went on without a gap, and without what was stored until positions are again where they were.
    assert.ok(!hub.hasSince(caller.organizationKey, listener.position!))
  })

  it('reads again what a crash may have followed before it was on the disk', async () => {
    let readings = 0
    hub = openHub({
      sql: answering('select head.*', () =>
        (readings += 1) === 1
          ? Promise.resolve([{ ...head, isLasting: false, logEnd: '0/0', checkpoint: '0/0' }])
          : undefined,
      ),
    })
    open()
    await eventually(async () => hub.position !== undefined)
    assert.notEqual(hub.position!.text, '9:9:')
  })

  it('has nothing since a position of another history, wherever in this one that would be', async () => {
    const { listener } = open()
    await hub.tell(listener)
    await hub.nextReading()
    const here = hub.position!
    const hasSince = (history: string) => hub.hasSince(caller.organizationKey, { ...here, history })
    assert.deepEqual([hasSince(here.history), hasSince('another')], [true, false])
  })

  it('tells writers once of listeners that come together', async () => {
    let updates = 0
    hub = openHub({ worldSql: answering('update live_interest', () => void (updates += 1)) })
    await Promise.all(Array.from({ length: 20 }, () => hub.tell(open().listener)))
    assert.ok(hub.isHeard(caller.organizationKey))
    // It is there already, or not yet; and since when.
    assert.equal(updates, 2)
  })

  it('tells writers in a share of its own, whatever the listener who came first has under way', async () => {
    const [first, second] = [open().listener, open().listener]
    const shares = transactionShares(service.sql)
    const held = shares.open(first.holders)
    while (held.take(1));
    const waits = shares.open(first.holders)
    const patience = new AbortController()
    const isIn = waits.wait(1, 60_000, patience.signal)
    try {
      await Promise.all([hub.tell(first), hub.tell(second)])
      assert.ok(hub.isHeard(caller.organizationKey))
    } finally {
      patience.abort()
      assert.equal(await isIn, false)
      held.give()
    }
  })

  it('tells writers in turns of tenants, however many organizations one of them has', async () => {
    const told: string[] = []
    const tell = (of: Caller, name: string): Promise<unknown> => {
      const { listener } = openUnreadListener({ caller: of, onEnd: (ended) => hub.remove(ended) })
      hub.add(listener)
      return hub.tell(listener).then(() => told.push(name))
    }
    const [one, other] = [await addCaller(service.sql), await addCaller(service.sql)]
    const more = await Promise.all(Array.from({ length: 40 }, () => addCaller(service.sql)))
    const shares = transactionShares(service.sql)
    const held: Holding[] = []
    for (; shares.free() > 0; held.at(-1)!.take(1))
      held.push(shares.open([`group ${held.length}`, `caller ${held.length}`]))
    const telling = more.map((each) => tell({ ...each, tenantUid: one.tenantUid }, 'one'))
    const isWaiting = ({ organizationKey }: Caller) => shares.waiting(`live ${organizationKey}`) === 1
    await eventually(async () => more.every(isWaiting))
    telling.push(tell(other, 'other'))
    await eventually(async () => isWaiting(other))
    for (const each of held) each.give()
    await Promise.all(telling)
    assert.ok(told.indexOf('other') < 20, `${told.indexOf('other')} of one were told before`)
  })

  it('lets the next of them try where one could not tell them', async () => {
    let updates = 0
    const fails = () => ((updates += 1) === 1 ? Promise.reject(new Error('no place')) : undefined)
    hub = openHub({ worldSql: answering('update live_interest', fails) })
    const [first, second] = [open().listener, open().listener]
    const [failing, waiting] = [hub.tell(first), hub.tell(second)]
    await assert.rejects(failing, { message: 'no place' })
    await waiting
    assert.ok(!hub.isHeard(caller.organizationKey))
    await hub.tell(second)
    assert.ok(hub.isHeard(caller.organizationKey))
  })

  it('does not take those for heard that have left meanwhile', async () => {
    const { listener } = open()
    const telling = hub.tell(listener)
    listener.end({ code: 'gone', message: '' })
    await telling
    assert.ok(!hub.isHeard(caller.organizationKey))
  })
})
