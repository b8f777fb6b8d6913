// A crowd by itself, on a real journal, with listeners without connections and a hub that does nothing.
import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import type { Position } from '../../src/core/live/position.ts'
import { positionFrom } from '../../src/core/live/position.ts'
import { Channels } from '../../src/live/channel.ts'
import { Crowd } from '../../src/live/crowd.ts'
import type { CrowdHub } from '../../src/live/crowd.ts'
import { Lap } from '../../src/live/lap.ts'
import type { Listener } from '../../src/live/listener.ts'
import { callerOf } from '../support/caller.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

const show = { componentId: true, streamId: true, intervalStart: false, formatted: false, unit: false } as const

describe('live/crowd', () => {
  let service: TestService
  let stream: { readonly organizationKey: number; readonly componentKey: number; readonly key: number }
  const crowds: Crowd[] = []
  before(async () => {
    service = await openTestService()
    assert.equal((await service.put('/api/feed?compId=A&x=0')).status, 200)
    const [row] = await service.sql<[typeof stream]>`
      select component.organization_key as "organizationKey", component.key as "componentKey", stream.key
      from stream join component on component.key = component_key where component.id = 'A'`
    stream = row
  })
  after(() => service.close())
  afterEach(async () => {
    for (const crowd of crowds.splice(0)) await crowd.end()
    await service.sql`delete from live_journal`
  })

  const here = async (): Promise<Position> => {
    const [{ text }] = await service.sql<[{ text: string }]>`select pg_current_snapshot()::text as text`
    return positionFrom(text)!
  }
  const write = async (first: number, last: number): Promise<Position> => {
    await service.sql`
      insert into live_journal (organization_key, stream_key, time, num)
      select ${stream.organizationKey}, ${stream.key}, to_timestamp(n), n
      from generate_series(${first}::integer, ${last}::integer) as n order by n`
    return here()
  }

  /** A crowd of listeners that have everything up to `from`, each with a channel of its own. All hear the same stream. */
  const openCrowd = (count: number, from: Position, until: Position) => {
    const channels = new Channels<Listener>()
    const behind: Listener[] = []
    const errors: unknown[] = []
    let asked = 0
    const state = { position: until, given: 0 }
    const hub: CrowdHub = {
      channels,
      judging: () => undefined,
      fallBehind: (listener) => void behind.push(listener),
      report: (error) => errors.push(error) < 0,
      showSamples: () => (sample) => ({ data: sample.num }),
      world: service.service.world,
      sql: service.sql,
      get position() {
        asked += 1
        return state.position
      },
      isStopped: false,
      goesOn: () => true,
    }
    const lap = new Lap(hub, { from, until, after: undefined })
    const all = Array.from({ length: count }, (_, n) => {
      const caller = callerOf({ key: stream.organizationKey, uid: 'o' })
      const subscription = { streamKeys: [], componentKeys: [stream.componentKey, 1_000_000 + n], folders: [] }
      const { componentKeys } = subscription
      const seen: number[] = []
      const send = (bytes: Buffer) => {
        const nums = [...bytes.toString().matchAll(/"data":(\d+)/g)].map(([, num]) => Number(num))
        seen.push(...nums)
        state.given += nums.length
        return true
      }
      const listener = { isEnded: false, isLive: true, doubt: undefined, send } as unknown as Listener
      listener.channel = channels.add({ caller, subscription, componentKeys, show }, listener)
      lap.add(listener)
      return seen
    })
    const crowd = new Crowd(hub, 'o', lap)
    crowds.push(crowd)
    /** It waits for the hub: there it has seen that nothing is missing. */
    const isNear = async () => {
      await eventually(() => Promise.resolve(asked > 0))
      for (let turns = 0; turns < 3; turns += 1) await setImmediate()
    }
    const haveAll = async (last: number) => {
      await eventually(() => Promise.resolve(behind.length + errors.length > 0 || state.given >= count * last))
      const numbers = Array.from({ length: last }, (_, n) => n + 1)
      assert.deepEqual([behind.length, errors], [0, []])
      for (const seen of all) assert.deepEqual(seen, numbers)
    }
    /** As the hub does it, until it may take the crowd back. */
    const comesBack = () =>
      eventually(async () => {
        await crowd.comeBack()
        return crowd.isAt(state.position)
      })
    return { crowd, state, isNear, haveAll, comesBack }
  }

  it('gives many channels their rows in smaller pages, and lets none of them fall behind', async () => {
    const from = await here()
    const until = await write(1, 2000)
    const { haveAll, comesBack } = openCrowd(120, from, until)
    await haveAll(2000)
    await comesBack()
  })

  it('gives no more than the share of a tenant while the hub stands still, and the rest by itself', async () => {
    const from = await here()
    const { crowd, state, isNear, haveAll, comesBack } = openCrowd(300, from, from)
    await isNear()
    state.position = await write(1, 10)
    await crowd.comeBack()
    assert.equal(state.given, 1800)
    assert.ok(!crowd.isAt(state.position))
    await haveAll(10)
    await comesBack()
    await haveAll(10)
  })

  it('gives nothing while the hub stands still where one row is more than the share', async () => {
    const from = await here()
    const { crowd, state, isNear, haveAll, comesBack } = openCrowd(2001, from, from)
    await isNear()
    state.position = await write(1, 3)
    await crowd.comeBack()
    assert.equal(state.given, 0)
    await haveAll(3)
    await comesBack()
  })

  it('gives a little at once while the hub stands still, and has come back then', async () => {
    const from = await here()
    const { crowd, state, isNear, haveAll } = openCrowd(200, from, from)
    await isNear()
    state.position = await write(1, 10)
    await crowd.comeBack()
    assert.ok(crowd.isAt(state.position))
    await haveAll(10)
  })
})
