// The end of a server (docs/operations.md#running-it): its connections are closed step by step, so that no call fails that
// was made in good faith. The last step, and the end of everything else (main.ts), come before the ten seconds that containers are given.
import { Server } from 'node:net'
import type { ServerSocket } from './connection.ts'

export type LeavingConnections = {
  readonly sockets: () => Iterable<ServerSocket>
  /** Whether a request on it is being answered, or its body still read. */
  readonly isBusy: (socket: ServerSocket) => boolean
  /** Whether a whole request on it is being answered. */
  readonly isAnswering: (socket: ServerSocket) => boolean
}

type Step = { readonly afterMs: number; readonly isClosed: (socket: ServerSocket) => boolean }

const stepsOf = ({ isBusy, isAnswering }: LeavingConnections): readonly Step[] => [
  // A client whose connection is idle and has been used may find it closed at any time, and asks again by another one. Some
  // have their next request on the way, which is answered, and they are asked to leave with the reply (app.ts).
  { afterMs: 100, isClosed: (socket) => !isBusy(socket) && socket.bytesWritten > 0 },
  // A new connection has had the time to say what it wants, and bodies and replies to move on.
  { afterMs: 2000, isClosed: (socket) => !isAnswering(socket) || socket.writableLength > 0 },
  { afterMs: 8000, isClosed: () => true },
]

/** Resolves when all connections are closed. node:http's own close would cut idle ones at once. */
export const closeGradually = async (servers: readonly Server[], connections: LeavingConnections): Promise<void> => {
  const timers = stepsOf(connections).map(({ afterMs, isClosed }) =>
    // On a busy machine timers come late and first: what has arrived meanwhile is read before connections are judged.
    setTimeout(() => setImmediate(() => closeWhere(connections.sockets(), isClosed)), afterMs),
  )
  await Promise.all(
    servers.map((one) => new Promise<void>((resolve) => void Server.prototype.close.call(one, () => resolve()))),
  )
  for (const timer of timers) clearTimeout(timer)
}

const closeWhere = (sockets: Iterable<ServerSocket>, isClosed: (socket: ServerSocket) => boolean): void => {
  for (const socket of sockets) if (isClosed(socket)) socket.destroy()
}
