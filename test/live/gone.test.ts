// Listeners of things that there are no more, without a database: it says that all of them are gone.
import assert from 'node:assert/strict'
import type { Pool } from '../../src/base/database/sql.ts'
import { Channels } from '../../src/live/channel.ts'
import { endOfGone, endOfGoneFolders } from '../../src/live/gone.ts'
import { callerOf } from '../support/caller.ts'

const show = { componentId: true, streamId: true, intervalStart: false, formatted: false, unit: false } as const
const caller = callerOf({ key: 1, uid: 'o' })
const count = 20

type Listener = { readonly endInTurn: (reason: { readonly code: string }) => void }

/** Half of them in one channel, each other in its own. */
const openListeners = (subscription: Readonly<Record<'streamKeys' | 'componentKeys', readonly number[]>>) => {
  const channels = new Channels<Listener>()
  const ended: string[] = []
  for (let n = 0; n < count; n += 1) {
    const folders = n < count / 2 ? ['/Components/a'] : ['/Components/a', `/Components/${n}`]
    const listener = { endInTurn: ({ code }: { readonly code: string }) => void ended.push(code) }
    const heard = { ...subscription, folders }
    channels.add({ caller, subscription: heard, componentKeys: subscription.componentKeys, show }, listener)
  }
  return { channels, ended }
}

const saying = (rows: readonly object[]) => (() => Promise.resolve(rows)) as unknown as Pool

const assertAll = (ended: readonly string[], code: string) =>
  assert.deepEqual([ended.length, new Set(ended)], [count, new Set([code])])

describe('live/gone', () => {
  it('ends the listeners of a component in turns, and the hub does not wait for it', async () => {
    const { channels, ended } = openListeners({ streamKeys: [], componentKeys: [7] })
    await endOfGone(saying([{ streamKey: null, componentKey: 7 }]), channels)
    assertAll(ended, 'component_not_found')
  })

  it('ends the listeners of a stream in turns', async () => {
    const { channels, ended } = openListeners({ streamKeys: [8], componentKeys: [] })
    await endOfGone(saying([{ streamKey: 8, componentKey: null }]), channels)
    assertAll(ended, 'stream_not_found')
  })

  it('ends the listeners of a folder in turns', async () => {
    const { channels, ended } = openListeners({ streamKeys: [], componentKeys: [] })
    await endOfGoneFolders(saying([{ organizationKey: 1, path: '/Components/a' }]), channels)
    assertAll(ended, 'folder_not_found')
  })
})
