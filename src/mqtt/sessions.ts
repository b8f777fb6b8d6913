// One connection for each client (MQTT 5 and 3.1.1, 3.1.4): a second CONNECT of the same key and client ID ends the first,
// and waits until that has stored its messages and its will. Else the will of a connection that broke unseen would come
// after its keep-alive, and overwrite the state that the device has told over the new one. Of this process alone.
import { createHash } from 'node:crypto'
import type { Holders } from '../base/shares.ts'
import type { Place } from './places.ts'

/** Ends a connection; resolves when its messages and its will are stored. */
export type Supersede = () => Promise<void>

export type Session = {
  /** Resolves when the connection that was there before has stored all that it had. */
  readonly before: Promise<void>
  /** The connection is closed, and all that it had is stored. */
  readonly leave: () => void
}

/** A connection of a client, whose place the next one of the same client takes over. */
export type Current = { readonly place: Place; readonly supersede: Supersede }

export type Sessions = {
  /** Undefined: its caller has no place left. */
  readonly enter: (key: string, clientId: string, holders: Holders, own: Current) => Session | undefined
  readonly size: () => number
}

/** A client without an ID has a connection of its own each time. */
const alone: Session = { before: Promise.resolve(), leave: () => {} }

export const openSessions = (): Sessions => {
  const current = new Map<string, Current>()
  return {
    enter: (key, clientId, holders, own) => {
      if (clientId === '') return own.place.settle(holders, undefined) ? alone : undefined
      // Hashed: an ID may have 64 KiB, and stays as long as the connection.
      const id = createHash('sha256').update(`${key}\0${clientId}`).digest('base64')
      const older = current.get(id)
      if (!own.place.settle(holders, older?.place)) return undefined
      current.set(id, own)
      return {
        before: older?.supersede() ?? Promise.resolve(),
        leave: () => {
          if (current.get(id) === own) current.delete(id)
        },
      }
    },
    size: () => current.size,
  }
}
