// A lap by itself: pages of rows that no database has, given to listeners without connections.
import assert from 'node:assert/strict'
import type { Pool } from '../../src/base/database/sql.ts'
import type { JournalRow, Page } from '../../src/core/live/journal.ts'
import { eventIdOf, positionFrom } from '../../src/core/live/position.ts'
import { Channels } from '../../src/live/channel.ts'
import { openGiven } from '../../src/live/given.ts'
import { Lap } from '../../src/live/lap.ts'
import type { LapHub } from '../../src/live/lap.ts'
import type { Listener } from '../../src/live/listener.ts'
import { callerOf } from '../support/caller.ts'

const show = { componentId: true, streamId: true, intervalStart: false, formatted: false, unit: false } as const
const from = positionFrom('10:10:')!
const until = positionFrom('20:20:', 'abc')!

const rowOf = (serial: number) =>
  ({
    xact: 12,
    serial,
    organizationKey: 1,
    streamKey: 5,
    storedMs: serial,
    num: serial,
    deletedUntilMs: null,
  }) as JournalRow
const pageOf = (serials: readonly number[], isLast: boolean) =>
  ({ rows: serials.map(rowOf), isLast }) as unknown as Page

/** Streams that are read are always the same one. */
const sql = (() =>
  Promise.resolve([
    { key: 5, kind: 'random', organizationKey: 1, componentKey: 1, componentUid: 'c', componentId: 'C', folder: '/C' },
  ])) as unknown as Pool

const openHub = () => {
  const channels = new Channels<Listener>()
  const texts = new Map<string, string>()
  const behind: string[] = []
  const reported: unknown[] = []
  const asked: string[] = []
  const names = new Map<Listener, string>()
  const hub = {
    channels,
    judging: () => undefined,
    fallBehind: (listener: Listener) => void behind.push(names.get(listener)!),
    report: (error: unknown) => reported.push(error) < 0,
    showSamples: (_componentId, _feed, { unit }) => {
      if (unit) throw new Error('this cannot be shown')
      return ({ num }) => ({ data: num })
    },
  } satisfies LapHub & { report: unknown }
  const lap = new Lap(hub, { from, until, after: undefined })
  /** Each has a channel of its own. */
  const add = (name: string, unit = false) => {
    const caller = { ...callerOf({ key: 1, uid: 'o' }), actor: name, may: () => asked.push(name) > 0 }
    const subscription = { streamKeys: [], componentKeys: [], folders: ['/C'] }
    const send = (bytes: Buffer) => {
      texts.set(name, `${texts.get(name) ?? ''}${bytes.toString()}`)
      return true
    }
    const listener = { isEnded: false, doubt: undefined, send } as unknown as Listener
    names.set(listener, name)
    listener.channel = channels.add({ caller, subscription, componentKeys: [], show: { ...show, unit } }, listener)
    lap.add(listener)
    return listener
  }
  const seen = (name: string) =>
    [...(texts.get(name) ?? '').matchAll(/"data":(\d+)|(id: .*)/g)].map(([, n, id]) => n ?? id)
  return { lap, add, seen, behind, reported, asked }
}

describe('live/lap', () => {
  it('asks for the rights of no channel that has left', async () => {
    const { lap, add, seen, asked } = openHub()
    const [, second] = [add('a'), add('b'), add('c')]
    lap.leave(second.channel)
    await lap.give(sql, pageOf([1, 2], false), { take: openGiven(100).take })
    assert.deepEqual(asked, ['a', 'c', 'a', 'c'])
    assert.deepEqual(['a', 'b', 'c'].map(seen), [['1', '2'], [], ['1', '2']])
  })

  it('goes on without a channel whose events cannot be made, and reports it', async () => {
    const { lap, add, seen, behind, reported } = openHub()
    add('a')
    add('b', true)
    add('c')
    await lap.give(sql, pageOf([1, 2], true), { take: openGiven(100).take })
    const all = ['1', '2', `id: ${eventIdOf(until)}`]
    assert.deepEqual(['a', 'b', 'c'].map(seen), [all, [], all])
    assert.deepEqual(behind, ['b'])
    assert.deepEqual(reported.map(String), ['Error: this cannot be shown'])
  })

  it('gives the first rows of a page that is more than the share to all, and the others next time', async () => {
    const { lap, add, seen, behind } = openHub()
    for (const name of ['a', 'b', 'c']) add(name)
    // The third row would be one too many for the last of them.
    assert.equal(await lap.give(sql, pageOf([1, 2, 3, 4], true), { take: openGiven(8).take }), 2)
    for (const name of ['a', 'b', 'c']) assert.deepEqual(seen(name), ['1', '2'])
    assert.equal(lap.after?.serial, 2)
    assert.equal(await lap.give(sql, pageOf([3, 4], true), { take: openGiven(2).take }), 0)
    assert.equal(lap.after.serial, 2)
    assert.equal(await lap.give(sql, pageOf([3, 4], true), { take: openGiven(8).take }), 2)
    for (const name of ['a', 'b', 'c']) assert.deepEqual(seen(name), ['1', '2', '3', '4', `id: ${eventIdOf(until)}`])
    assert.deepEqual(behind, [])
  })

  it('leaves a tenant out that has had its share, with all that it would have got of the page', async () => {
    const { lap, add, seen, behind } = openHub()
    for (const name of ['a', 'b', 'c']) add(name)
    const parted: string[] = []
    const part = ({ tenantUid }: { readonly tenantUid: string }) => {
      parted.push(tenantUid)
      lap.split(tenantUid)
    }
    await lap.give(sql, pageOf([1, 2, 3, 4], true), { take: openGiven(8).take, part })
    assert.deepEqual(['a', 'b', 'c'].map(seen), [[], [], []])
    assert.deepEqual([parted, behind], [['o'], []])
  })
})
