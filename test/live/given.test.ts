// The share of a page of the journal that channels are given.
import assert from 'node:assert/strict'
import { Channels } from '../../src/live/channel.ts'
import { openGiven } from '../../src/live/given.ts'
import { callerOf } from '../support/caller.ts'

const show = { componentId: true, streamId: true, intervalStart: false, formatted: false, unit: false } as const

describe('live/given', () => {
  it('gives organizations of one tenant one share, and nothing less to others', () => {
    const channels = new Channels<string>()
    const channelOf = (key: number, tenantUid: string) => {
      const caller = { ...callerOf({ key, uid: `organization ${key}` }), tenantUid }
      const subscription = { streamKeys: [], componentKeys: [key], folders: [] }
      return channels.add({ caller, subscription, componentKeys: [key], show }, `listener ${key}`)
    }
    const [one, child, other] = [channelOf(1, 'one'), channelOf(2, 'one'), channelOf(3, 'other')]
    const given = openGiven(3)
    assert.deepEqual(
      [one, child, one, child, one].map((channel) => given.take(channel)),
      [true, true, true, false, false],
    )
    assert.deepEqual(
      [2, 2, 1, 1].map((count) => given.take(other, count)),
      [true, false, true, false],
    )
    assert.deepEqual([one, child, other].map(given.countOf), [3, 3, 3])
    assert.ok(openGiven(3).take(one), 'the next page begins anew')
  })
})
