// One connection for each client (MQTT 5 and 3.1.1, 3.1.4): a second CONNECT of the same key and client ID ends the first,
// and waits until that has stored its messages and its will. Else the will of a connection that broke unseen would come
// after its keep-alive, and overwrite the state that the device has told over the new one. Of this process alone.
import { createHash } from 'node:crypto'

/** Ends a connection; resolves when its messages and its will are stored. */
export type Supersede = () => Promise<void>

export type Session = {
  /** Resolves when the connection that was there before has stored all that it had. */
  readonly before: Promise<void>
  /** The connection is closed, and all that it had is stored. */
  readonly leave: () => void
}

export type Sessions = {
  readonly enter: (key: string, clientId: string, supersede: Supersede) => Session
  readonly size: () => number
}

/** A client without an ID has a connection of its own each time. */
const alone: Session = { before: Promise.resolve(), leave: () => {} }

export const openSessions = (): Sessions => {
  const current = new Map<string, Supersede>()
  return {
    enter: (key, clientId, supersede) => {
      if (clientId === '') return alone
      // Hashed: an ID may have 64 KiB, and stays as long as the connection.
      const id = createHash('sha256').update(`${key}\0${clientId}`).digest('base64')
      const before = current.get(id)?.() ?? Promise.resolve()
      current.set(id, supersede)
      return {
        before,
        leave: () => {
          if (current.get(id) === supersede) current.delete(id)
        },
      }
    },
    size: () => current.size,
  }
}
