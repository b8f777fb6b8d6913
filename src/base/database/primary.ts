// The primary among the hosts of DATABASE_URL, whichever it is at the moment. While there are connections to it, all
// hosts are asked once a second: when another has become the primary, those to the former are destroyed, and their
// owners see them lost. Of two that take themselves for the primary, the one with the higher timeline is it; a former
// primary that comes back is never taken again. Timelines are those of one cluster: another one, made anew behind the same
// hosts, takes the place of one that is gone, however low its timeline is.
import { Socket } from 'node:net'
import { DatabaseError } from 'pg'
import type { ClientBase } from 'pg'
import type { Node, NodeState } from './node.ts'
import { nodeOf } from './node.ts'
import { watched } from './pulse.ts'
import { openSocket, SocketError, standbyCode } from './socket.ts'
import type { Target } from './socket.ts'
import { databaseTarget, hostUrls, pgTarget, placeOf } from './url.ts'
import type { ConnectionOptions } from 'node:tls'
import { checkServerIdentity } from 'node:tls'

const lookEveryMs = 1000

type Finder = {
  /** The address of the primary, alone. */
  readonly find: () => Promise<string>
  readonly keep: (url: string, socket: Socket) => void
  readonly doubt: (url: string) => void
}

const openFinder = (nodes: readonly Node[]): Finder => {
  const sockets = new Map<Socket, string>()
  let timer: NodeJS.Timeout | undefined
  let current: string | undefined
  let system: string | undefined
  /** The highest that were seen, by cluster. */
  const timelines = new Map<string, number>()
  let looking: Promise<string> | undefined

  const accept = (url: string, state: NodeState): string => {
    const highest = timelines.get(state.system) ?? 0
    const isBeside = current !== undefined && current !== url && state.system !== system
    if (state.isStandby || state.timeline < highest || isBeside) throw noPrimary()
    if (state.timeline > highest || current === undefined || state.system !== system) {
      timelines.set(state.system, state.timeline)
      system = state.system
      current = url
      for (const [socket, place] of sockets) if (place !== url) socket.destroy(former())
    }
    return current
  }
  const look = async (): Promise<string> => {
    try {
      return await Promise.any(nodes.map(async (node) => accept(node.url, await node.ask())))
    } catch (error) {
      throw tellingOf((error as AggregateError).errors as readonly Error[])
    } finally {
      looking = undefined
    }
  }
  const find = async () => current ?? (looking ??= look())
  const doubt = (url: string) => {
    if (current === url) current = undefined
  }
  return {
    find,
    doubt,
    keep: (url, socket) => {
      timer ??= setInterval(() => void (looking ??= look()).catch(() => {}), lookEveryMs).unref()
      sockets.set(socket, url)
      socket.once('close', () => {
        sockets.delete(socket)
        doubt(url)
        if (sockets.size > 0) return
        clearInterval(timer)
        timer = undefined
      })
      // The primary was replaced while this socket was opened.
      if (current !== undefined && current !== url) socket.destroy(former())
    },
  }
}

const noPrimary = () => new SocketError('08001', 'none of its hosts is the primary')
const former = () => new SocketError('CONNECTION_CLOSED', 'it is the primary no more')

/** A refusal says more than a host that is away: nobody mends it by waiting. */
const tellingOf = (errors: readonly Error[]): Error =>
  errors.find((error) => error instanceof DatabaseError && !error.code?.startsWith('57')) ??
  errors.find((error) => error instanceof SocketError && error.code === '08001') ??
  errors[0]!

const finders = new Map<string, Finder>()

const finderOf = (databaseUrl: string): Finder => {
  const known = finders.get(databaseUrl) ?? openFinder(hostUrls(databaseUrl).map(nodeOf))
  finders.set(databaseUrl, known)
  return known
}

export const hasSeveralHosts = (databaseUrl: string): boolean => hostUrls(databaseUrl).length > 1

/** The address of the primary, with no other host; throws where there is none at the moment. */
export const primaryUrl = async (databaseUrl: string): Promise<string> =>
  hasSeveralHosts(databaseUrl) ? finderOf(databaseUrl).find() : databaseUrl

/** A socket to the primary; `given` is the place of the only host. */
export const openPrimarySocket = async (
  databaseUrl: string,
  given: Target,
  tls: false | ConnectionOptions,
  timeoutMs: number,
): Promise<Socket> => {
  if (!hasSeveralHosts(databaseUrl)) return watched(databaseUrl, await openSocket(given, tls, timeoutMs))
  const finder = finderOf(databaseUrl)
  const url = await finder.find()
  const { host, port } = placeOf(url)
  try {
    const socket = watched(url, await openSocket({ host: [host], port: [port] }, tls, timeoutMs))
    finder.keep(url, socket)
    return socket
  } catch (error) {
    finder.doubt(url)
    throw error
  }
}

/** The same for `pg`, which has it connect to a place of its own choice. */
class PrimarySocket extends Socket {
  readonly #databaseUrl: string
  host = ''

  constructor(databaseUrl: string) {
    super()
    this.#databaseUrl = databaseUrl
  }

  override connect(): this {
    const finder = finderOf(this.#databaseUrl)
    const begin = (url: string) => {
      if (this.destroyed) return
      const place = placeOf(url)
      this.host = place.host
      finder.keep(url, watched(url, this))
      super.connect(place)
    }
    finder.find().then(begin, (error: Error) => this.destroy(error))
    return this
  }
}

/** For a client of `pg` that writes. */
export const refuseStandby = async (client: ClientBase): Promise<void> => {
  const { rows } = await client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"')
  if (rows[0]!.isStandby) throw new SocketError(standbyCode, 'it is a standby')
}

/** For a client of `pg`, and for one only. */
export const primaryTarget = (databaseUrl: string) => {
  if (!hasSeveralHosts(databaseUrl))
    return { ...pgTarget(databaseUrl), stream: () => watched(databaseUrl, new Socket()) }
  const socket = new PrimarySocket(databaseUrl)
  const { tls } = databaseTarget(databaseUrl)
  // The certificate is to be that of the host which it has found, and not of the first in the list.
  const ssl = tls && {
    checkServerIdentity: (_name: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
      checkServerIdentity(socket.host, certificate),
    ...tls,
  }
  return { ...pgTarget(databaseUrl), ssl, stream: () => socket }
}
