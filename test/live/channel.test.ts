// Channels by themselves: what all of them want is asked for some times a second.
import assert from 'node:assert/strict'
import type { Caller } from '../../src/core/caller.ts'
import { Channels } from '../../src/live/channel.ts'
import type { ChannelFacts } from '../../src/live/channel.ts'

const show = { componentId: true, streamId: true, intervalStart: false, formatted: false, unit: false } as const
const factsOf = (organizationKey: number, componentKeys: readonly number[], folders: readonly string[] = []) =>
  ({
    caller: {
      organizationKey,
      organizationUid: String(organizationKey),
      actor: 'key',
      may: () => true,
    } as unknown as Caller,
    subscription: { streamKeys: [], componentKeys, folders },
    componentKeys,
    show,
  }) satisfies ChannelFacts

const byNumber = (one: number, other: number) => one - other

describe('live/channel', () => {
  it('wants each component once, and everything of organizations with folders or more than 500 components', () => {
    const channels = new Channels<string>()
    channels.add(factsOf(1, [10, 11]), 'a')
    channels.add(factsOf(1, [11, 12]), 'b')
    channels.add(factsOf(2, [], ['/Components']), 'c')
    for (let n = 0; n < 501; n += 1) channels.add(factsOf(3, [1000 + n, 1001 + n]), `d${n}`)
    const { componentKeys, organizationKeys } = channels.wanted()
    assert.deepEqual(componentKeys.toSorted(byNumber), [10, 11, 12])
    assert.deepEqual(organizationKeys.toSorted(byNumber), [2, 3])
  })

  it('gathers them anew only when channels have come or gone', () => {
    const channels = new Channels<string>()
    const first = channels.add(factsOf(1, [10]), 'a')
    const wanted = channels.wanted()
    channels.add(factsOf(1, [10]), 'another of the same channel')
    assert.equal(channels.wanted(), wanted)
    const second = channels.add(factsOf(1, [20]), 'b')
    assert.deepEqual(channels.wanted().componentKeys, [10, 20])
    channels.remove(second, 'b')
    channels.remove(first, 'a')
    assert.deepEqual(channels.wanted().componentKeys, [10])
    channels.remove(first, 'another of the same channel')
    assert.deepEqual(channels.wanted(), { componentKeys: [], organizationKeys: [] })
  })
})
