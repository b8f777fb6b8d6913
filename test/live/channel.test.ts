// Channels by themselves: what all of them want is asked for some times a second.
import assert from 'node:assert/strict'
import type { Caller } from '../../src/core/caller.ts'
import type { HeardStream } from '../../src/core/live/heard-stream.ts'
import { Channels } from '../../src/live/channel.ts'
import type { ChannelFacts } from '../../src/live/channel.ts'
import { openRandom } from '../support/random.ts'

const show = { componentId: true, streamId: true, intervalStart: false, formatted: false, unit: false } as const
const factsOf = (organizationKey: number, componentKeys: readonly number[], folders: readonly string[] = []) =>
  ({
    caller: {
      organizationKey,
      organizationUid: String(organizationKey),
      tenantUid: `tenant ${organizationKey}`,
      actor: 'key',
      may: () => true,
    } as unknown as Caller,
    subscription: { streamKeys: [], componentKeys, folders },
    componentKeys,
    show,
  }) satisfies ChannelFacts

/** An API key that may see one component of the folder. */
const keyFacts = (componentUid: string) => {
  const facts = factsOf(1, [], ['/Components'])
  const may = (_permission: string, uid?: string) => uid === componentUid
  return { ...facts, caller: { ...facts.caller, may, key: { named: new Map(), addresses: [], expiresMs: null } } }
}

const streamOf = (facts: Partial<HeardStream>) =>
  ({ key: 1, componentKey: 1, componentUid: 'c1', organizationKey: 1, folder: '/Components', ...facts }) as HeardStream

/** Listeners to a folder, each by a channel of its own; `asked` has those whose rights were looked at. */
const openFolderChannels = (count: number) => {
  const channels = new Channels<number>()
  const asked: number[] = []
  const all = Array.from({ length: count }, (_, n) => {
    const facts = factsOf(1, [], ['/Components', '/Components/a', `/Components/${n}`])
    return channels.add({ ...facts, caller: { ...facts.caller, may: () => asked.push(n) > 0 } }, n)
  })
  return { channels, asked, all }
}

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

  it('leaves out the wants of a tenant that is set apart, until it is taken back', () => {
    const channels = new Channels<string>()
    const of = (tenantUid: string, organizationKey: number, componentKey: number) => {
      const facts = factsOf(organizationKey, [componentKey])
      return channels.add({ ...facts, caller: { ...facts.caller, tenantUid } }, `listener ${componentKey}`)
    }
    of('one', 1, 10)
    const child = of('one', 2, 20)
    of('other', 3, 30)
    channels.setApart('one')
    assert.deepEqual(channels.wanted().componentKeys, [30])
    assert.deepEqual(channels.wantedOf('one').componentKeys, [10, 20])
    assert.deepEqual([...channels.listenersOf('one')], ['listener 10', 'listener 20'])
    assert.deepEqual(
      [1, 2, 3, 4].map((key) => channels.tenantOf(key)),
      ['one', 'one', 'other', undefined],
    )
    channels.takeBack('one')
    channels.remove(child, 'listener 20')
    assert.deepEqual(channels.wanted().componentKeys, [10, 30])
    assert.deepEqual(
      [channels.tenantOf(2), channels.hasTenant('one'), channels.hasTenant('else')],
      [undefined, true, false],
    )
  })

  it('gives folders in turns, as many of each tenant, and none that nobody listens to any more', () => {
    const channels = new Channels<string>()
    const many = channels.add(factsOf(1, [], ['/a', '/b', '/c']), 'many')
    channels.add(factsOf(2, [], ['/a']), 'one')
    const next = () => channels.nextFolders(2).map(({ organizationKey, path }) => `${organizationKey} ${path}`)
    assert.deepEqual(next(), ['1 /a', '1 /b', '2 /a'])
    assert.deepEqual(next(), ['1 /c', '1 /a', '2 /a'])
    channels.add(factsOf(1, [], ['/c', '/d']), 'another')
    channels.remove(many, 'many')
    assert.deepEqual(next(), ['1 /c', '1 /d', '2 /a'])
  })

  it('lets listeners of one key hear a folder together, and none by rights that the key had before', () => {
    const channels = new Channels<string>()
    const [before, now] = [keyFacts('old'), keyFacts('new')]
    const first = channels.add(before, 'a')
    const second = channels.add(now, 'b')
    assert.equal(channels.add(before, 'c'), first)
    assert.equal(channels.add({ ...now, caller: { ...now.caller, byCookie: true } }, 'd'), second)
    const hearing = (componentUid: string) => {
      return Array.from(channels.hearing(streamOf({ componentUid })), ({ listeners }) => [...listeners])
    }
    assert.deepEqual(hearing('old'), [['a', 'c']])
    assert.deepEqual(hearing('new'), [['b', 'd']])
    for (const [channel, name] of [
      [first, 'a'],
      [first, 'c'],
      [second, 'b'],
      [second, 'd'],
    ] as const)
      channels.remove(channel, name)
    assert.deepEqual([...channels.all()], [])
  })

  it('finds for one channel what a search among all of them finds', () => {
    const random = openRandom(20)
    const paths = ['/Components', '/Components/a', '/Components/a/b', '/Components/ab', '/Components/b']
    const some = <T>(values: readonly T[]) => values.filter(() => random.integer(4) === 0)
    const counts = { heard: 0, not: 0 }
    for (let times = 0; times < 50; times += 1) {
      const channels = new Channels<number>()
      const all = Array.from({ length: 8 }, (_, n) => {
        const facts = factsOf(1 + random.integer(2), some([1, 2, 3]), some(paths))
        const subscription = { ...facts.subscription, streamKeys: some([1, 2, 3, 4]) }
        const open = some(['c1', 'c2', 'c3'])
        const caller = {
          ...facts.caller,
          actor: `${n}`,
          may: (_permission: string, uid?: string) => open.includes(uid!),
        }
        return channels.add({ ...facts, subscription, caller }, n)
      })
      for (let tries = 0; tries < 20; tries += 1) {
        const componentKey = 1 + random.integer(3)
        const stream = streamOf({
          key: 1 + random.integer(4),
          componentKey,
          componentUid: `c${componentKey}`,
          organizationKey: 1 + random.integer(2),
          folder: random.pick(paths),
        })
        const found = channels.hearing(stream)
        for (const channel of all) {
          const { streamKeys, componentKeys, folders } = channel.subscription
          const isBelow =
            channel.organizationKey === stream.organizationKey &&
            folders.some((path) => `${stream.folder}/`.startsWith(`${path}/`))
          const isHeard =
            streamKeys.includes(stream.key) || componentKeys.includes(componentKey) || (isBelow && channel.may(stream))
          counts[isHeard ? 'heard' : 'not'] += 1
          assert.deepEqual([channels.hears(channel, stream), found.has(channel)], [isHeard, isHeard])
        }
      }
    }
    assert.ok(counts.heard > 1000 && counts.not > 1000, JSON.stringify(counts))
  })

  it('asks for the rights of no other channel when it looks whether one hears a stream, and for its own once', () => {
    const { channels, asked, all } = openFolderChannels(5)
    assert.ok(channels.hears(all[4]!, streamOf({ folder: '/Components/a' })))
    assert.deepEqual(asked, [4])
  })

  it('asks for the rights of those channels only that are looked for, once for each', () => {
    const { channels, asked, all } = openFolderChannels(5)
    const wanted = new Set([all[1], all[3]])
    const found = channels.hearing(streamOf({ folder: '/Components/a' }), (channel) => wanted.has(channel))
    assert.deepEqual([...found], [all[1], all[3]])
    assert.deepEqual(asked, [1, 3])
  })
})
