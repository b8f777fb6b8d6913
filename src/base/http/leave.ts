// The end of a server (docs/operations.md#running-it): its connections are closed step by step, so that no call fails that
// was made in good faith. The last step, and the end of everything else (main.ts), come before the ten seconds that containers are given.
//
// A proxy in front is told first, by /readyz, and everything that it sends until it has seen that is answered: it sends no
// upload without a time again by itself. Without this, five of 9,000 such uploads were lost in twelve stops on a busy machine,
// by connections that were closed, or not taken yet, when a request was on its way.
import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerSocket } from './connection.ts'

export type LeavingConnections = {
  readonly sockets: () => Iterable<ServerSocket>
  /** Whether a request on it is being answered, or its body still read. */
  readonly isBusy: (socket: ServerSocket) => boolean
  /** Whether a whole request on it is being answered. */
  readonly isAnswering: (socket: ServerSocket) => boolean
}

/** Whether the server is about to end; it serves on. */
export type Leaving = { isLeaving: boolean }

/** A proxy that asks once a second, and again where the answer is new, has seen it by then (deploy/cluster/haproxy.cfg). */
export const proxySeesWithinMs = 3000

/** Resolves when the proxies, where there are any, send nothing more. */
export const tellProxies = async (leaving: Leaving, hasProxies: boolean): Promise<void> => {
  leaving.isLeaving = true
  if (hasProxies) await sleep(proxySeesWithinMs)
}

type Step = { readonly afterMs: number; readonly isClosed: (socket: ServerSocket) => boolean }

const lastStepMs = 8000

const stepsOf = ({ isBusy, isAnswering }: LeavingConnections, toldMs: number): readonly Step[] => [
  // A client whose connection is idle and has been used may find it closed at any time, and asks again by another one. Some
  // have their next request on the way, which is answered, and they are asked to leave with the reply (app.ts).
  { afterMs: 100, isClosed: (socket) => !isBusy(socket) && socket.bytesWritten > 0 },
  // A new connection has had the time to say what it wants, and bodies and replies to move on.
  { afterMs: 2000, isClosed: (socket) => !isAnswering(socket) || socket.writableLength > 0 },
  { afterMs: lastStepMs - toldMs, isClosed: () => true },
]

/**
 * Resolves when all connections are closed. node:http's own close would cut idle ones at once. `toldMs` is the time that proxies
 * were given before.
 */
export const closeGradually = async (
  servers: readonly Server[],
  connections: LeavingConnections,
  toldMs = 0,
): Promise<void> => {
  const timers = stepsOf(connections, toldMs).map(({ afterMs, isClosed }) =>
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
