// A socket that several stop, each for a reason of its own: its driver, rows that are held, a session that waits for room. It
// flows when none of them stops it, and the driver stops and starts it as if nobody else were there.
import type { Socket } from 'node:net'

export type Stopper = 'driver' | 'held' | 'room'

export type Valve = {
  readonly stop: (by: Stopper) => void
  readonly goOn: (by: Stopper) => void
  /** Resolves when nobody else stops it. */
  readonly whenOpenBut: (own: Stopper) => Promise<void>
}

const valves = new WeakMap<Socket, Valve>()

export const valveOf = (socket: Socket): Valve => {
  const known = valves.get(socket)
  if (known) return known
  const made = openValve(socket)
  valves.set(socket, made)
  return made
}

const openValve = (socket: Socket): Valve => {
  const [pause, resume] = [socket.pause.bind(socket), socket.resume.bind(socket)]
  const stoppers = new Set<Stopper>()
  let wake = () => {}
  const stop = (by: Stopper) => {
    stoppers.add(by)
    pause()
  }
  const goOn = (by: Stopper) => {
    stoppers.delete(by)
    wake()
    if (stoppers.size === 0) resume()
  }
  socket.pause = () => {
    stop('driver')
    return socket
  }
  socket.resume = () => {
    goOn('driver')
    return socket
  }
  const isOpenBut = (own: Stopper) => [...stoppers].every((by) => by === own)
  return {
    stop,
    goOn,
    whenOpenBut: async (own) => {
      while (!isOpenBut(own)) await new Promise<void>((more) => (wake = more))
    },
  }
}
