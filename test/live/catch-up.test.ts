// Listeners that catch up, without a database: what they read of the journal comes when the test says so.
import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import type { Reading } from '../../src/base/http/reading.ts'
import { markOf, positionFrom } from '../../src/core/live/position.ts'
import { bringBack } from '../../src/live/catch-up.ts'
import { Channels } from '../../src/live/channel.ts'
import type { Hub } from '../../src/live/hub.ts'
import type { Listener } from '../../src/live/listener.ts'
import { callerOf } from '../support/caller.ts'
import { openUnreadListener } from '../support/unread-listener.ts'

const history = markOf('h')
const [before, here] = [positionFrom('10:10:', history)!, positionFrom('20:20:', history)!]
const head = { position: here.text, trimmed: '1:1:', catalogSerial: 1, history: 'h', xact: null }

type Fragment = { readonly texts: readonly string[]; readonly values: readonly unknown[] }

/** The organization that rows are read of. */
const organizationOf = ({ texts, values }: Fragment): unknown => {
  if (texts[0] === 'and organization_key = ') return values[0]
  const inside = values.filter((value): value is Fragment => value instanceof Promise).map(organizationOf)
  return inside.find((key) => key !== undefined)
}

const openCatchUps = () => {
  const underWay: { readonly organizationKey: unknown; readonly answer: () => void }[] = []
  const live: number[] = []
  const channels = new Channels<Listener>()
  const askJournal = (organizationKey: unknown) =>
    new Promise<unknown>((resolve) => {
      const answer = () => {
        underWay.splice(underWay.indexOf(asked), 1)
        resolve([head])
      }
      const asked = { organizationKey, answer }
      underWay.push(asked)
    })
  const sql = (texts: readonly string[], ...values: readonly unknown[]) =>
    texts[0]!.includes('select head.*')
      ? askJournal(organizationOf({ texts, values }))
      : Object.assign(Promise.resolve([]), { texts, values })
  const hub = {
    world: { sql: Object.assign(sql, { unsafe: () => '' }) },
    channels,
    hasSince: () => true,
    positionOf: () => here,
    setLive: ({ caller }: Listener) => void live.push(caller.organizationKey),
  } as unknown as Hub
  const open = (organizationKey: number, actor = 'key') => {
    const caller = { ...callerOf({ key: organizationKey, uid: String(organizationKey) }), actor }
    const { listener, reply } = openUnreadListener({ caller, componentKeys: [1] })
    listener.channel = channels.add(listener.facts, listener)
    listener.position = before
    listener.hasMissed = true
    return { listener, reply, begin: () => void bringBack(hub, undefined as unknown as Reading, listener) }
  }
  /** The organizations whose rows are being read. */
  const asked = async () => {
    for (let turns = 0; turns < 5; turns += 1) await setImmediate()
    return underWay.map(({ organizationKey }) => organizationKey)
  }
  const answer = (key: number) => underWay.find(({ organizationKey }) => organizationKey === key)!.answer()
  return { open, asked, live, answer }
}

describe('live/catch-up', () => {
  it('reads the journal for one listener of a tenant at a time, and for another tenant beside it', async () => {
    const { open, asked, live, answer } = openCatchUps()
    for (let n = 0; n < 20; n += 1) open(1, `key ${n % 3}`).begin()
    assert.deepEqual(await asked(), [1])
    open(2).begin()
    assert.deepEqual(await asked(), [1, 2])
    answer(2)
    assert.deepEqual([await asked(), live], [[1], [2]])
    for (let left = 19; left >= 0; left -= 1) {
      answer(1)
      assert.deepEqual(await asked(), left > 0 ? [1] : [])
    }
    assert.equal(live.length, 21)
  })

  it('makes one live after another though something is stored all the time', async () => {
    const { open, asked, live, answer } = openCatchUps()
    const crowd = Array.from({ length: 10 }, () => open(1))
    for (const { begin } of crowd) begin()
    for (let count = 1; count <= crowd.length; count += 1) {
      assert.deepEqual(await asked(), [1])
      // All that wait have missed it; the one that is read for knows where it goes on.
      for (const { listener } of crowd.slice(count)) listener.hasMissed = true
      answer(1)
      await asked()
      assert.equal(live.length, count)
    }
  })

  it('ends one whose position is of another history', async () => {
    const { open, asked, live, answer } = openCatchUps()
    const { listener, reply, begin } = open(1)
    listener.position = positionFrom(before.text, markOf('of before a failover'))
    begin()
    await asked()
    answer(1)
    assert.deepEqual([await asked(), live], [[], []])
    assert.match(reply.text, /"code":"too_slow"/)
  })

  it('does not read it for one whose client has no room, nor keeps others waiting for that', async () => {
    const { open, asked, live, answer } = openCatchUps()
    const [full, other] = [open(1), open(1)]
    full.reply.writableLength = 100_000
    full.begin()
    other.begin()
    assert.deepEqual(await asked(), [1])
    answer(1)
    assert.deepEqual([await asked(), live], [[], [1]])
    full.reply.drain()
    assert.deepEqual(await asked(), [1])
    answer(1)
    assert.deepEqual([await asked(), live], [[], [1, 1]])
  })
})
