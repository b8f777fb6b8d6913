// Ends listeners of streams, components and folders that there are no more: nothing would ever come of them again.
import type { Pool } from '../base/database/sql.ts'
import { findGone, findGoneFolders } from '../core/live/heard-stream.ts'
import type { Channels } from './channel.ts'
import type { Reason } from './listener.ts'

type Ending = { readonly endInTurn: (reason: Reason) => void }

/** Keys that are looked for in one statement. */
const keysAtOnce = 10_000

export const endOfGone = async <Listener extends Ending>(sql: Pool, channels: Channels<Listener>): Promise<void> => {
  const { streamKeys, componentKeys } = channels.heard()
  const streams = new Set<number>()
  const components = new Set<number>()
  for (let at = 0; at < Math.max(streamKeys.length, componentKeys.length); at += keysAtOnce) {
    const until = at + keysAtOnce
    const gone = await findGone(sql, streamKeys.slice(at, until), componentKeys.slice(at, until))
    for (const key of gone.streams) streams.add(key)
    for (const key of gone.components) components.add(key)
  }
  if (streams.size + components.size === 0) return
  for (const { subscription, wanted, listeners } of channels.all()) {
    if (wanted.componentKeys.some((key) => components.has(key))) endAll(listeners, lostComponent)
    else if (subscription.streamKeys.some((key) => streams.has(key))) endAll(listeners, lostStream)
  }
}

/** With 30,000 folders, all of them at once every second held everybody up for 700 ms. */
const foldersOfTenant = 500

/** The same of folders, which may be renamed, too. */
export const endOfGoneFolders = async <Listener extends Ending>(
  sql: Pool,
  channels: Channels<Listener>,
): Promise<void> => {
  const folders = channels.nextFolders(foldersOfTenant)
  const gone = folders.length === 0 ? [] : await findGoneFolders(sql, folders)
  if (gone.length === 0) return
  const names = new Set(gone.map(({ organizationKey, path }) => `${organizationKey} ${path}`))
  for (const { organizationKey, subscription, listeners } of channels.all())
    if (subscription.folders.some((path) => names.has(`${organizationKey} ${path}`))) endAll(listeners, lostFolder)
}

const lostComponent = { code: 'component_not_found', message: 'a component that is listened to was deleted' }
const lostStream = { code: 'stream_not_found', message: 'a stream that is listened to was deleted' }
const lostFolder = { code: 'folder_not_found', message: 'a folder that is listened to was renamed or deleted' }

const endAll = (listeners: Iterable<Ending>, reason: Reason): void => {
  for (const listener of listeners) listener.endInTurn(reason)
}
