// Finds out whether a database answers at all. A network that is cut, and a server that is frozen, close no connection:
// a query would wait until TCP gives up, a quarter of an hour later. Silence alone proves nothing, because a long query
// is silent too. So while a process has connections to a database, one more asks it every two seconds for nothing. When
// even that is not answered, all are destroyed, and their owners see them lost, as when a database is stopped.
//
// Time is counted in ticks: a process that was suspended itself, or was busy, finds one tick gone and the answer there.
import { Socket } from 'node:net'
import { Client, DatabaseError } from 'pg'
import { SocketError } from './socket.ts'
import { pgTarget } from './url.ts'

const askAfterTicks = 2
const silentTicks = 10
/** Keeps routers from forgetting idle connections, and finds lost ones. */
const keepAliveMs = 10_000

export type Pulse = {
  /** Destroys the socket when the database falls silent. */
  readonly watch: (socket: Socket) => void
  /** The connections that are watched, and the one that asks. */
  readonly connections: () => number
}

/** Asks only while there are sockets to watch. */
export const openPulse = (databaseUrl: string, tickMs: number, onIdle: () => void = () => {}): Pulse => {
  const sockets = new Set<Socket>()
  let timer: NodeJS.Timeout | undefined
  let line: Line | undefined
  let isAsking = false
  /** Ticks since the database last answered, or was last found to be silent. */
  let ticks = 0

  const tick = () => {
    ticks += 1
    if (ticks > silentTicks) lose()
    else if (ticks >= askAfterTicks && !isAsking) void ask()
  }
  const lose = () => {
    ticks = 0
    hangUp()
    for (const socket of sockets) socket.destroy(new SocketError('CONNECTION_CLOSED', 'the database does not answer'))
  }
  const ask = async () => {
    isAsking = true
    try {
      line ??= openLine(databaseUrl)
      await line.connected
      await line.client.query('select')
      ticks = 0
    } catch (error) {
      // A refusal is an answer too: it has no connection left for us, or is starting.
      if (error instanceof DatabaseError) ticks = 0
      hangUp()
    } finally {
      isAsking = false
    }
  }
  const hangUp = () => {
    line?.socket.destroy()
    line = undefined
  }
  const forget = (socket: Socket) => {
    sockets.delete(socket)
    if (sockets.size > 0) return
    clearInterval(timer)
    hangUp()
    onIdle()
  }
  return {
    connections: () => sockets.size + (line ? 1 : 0),
    watch: (socket) => {
      if (sockets.size === 0) {
        ticks = 0
        timer = setInterval(tick, tickMs).unref()
      }
      sockets.add(socket)
      socket.setKeepAlive(true, keepAliveMs)
      socket.once('close', () => forget(socket))
    },
  }
}

/** The connection that asks. */
type Line = { readonly client: Client; readonly socket: Socket; readonly connected: Promise<unknown> }

const openLine = (databaseUrl: string): Line => {
  const socket = new Socket().unref()
  const client = new Client({ ...pgTarget(databaseUrl), application_name: 'coppice pulse', stream: () => socket })
  // The next question fails, and the one after that has a new connection.
  client.on('error', () => {})
  return { client, socket, connected: client.connect() }
}

const pulses = new Map<string, Pulse>()

/** Gives the socket back, which is destroyed when the database falls silent. */
export const watched = (databaseUrl: string, socket: Socket): Socket => {
  let pulse = pulses.get(databaseUrl)
  if (pulse === undefined) {
    pulse = openPulse(databaseUrl, 1000, () => pulses.delete(databaseUrl))
    pulses.set(databaseUrl, pulse)
  }
  pulse.watch(socket)
  return socket
}

/** All connections to databases that this process has. */
export const databaseConnections = (): number =>
  [...pulses.values()].reduce((sum, pulse) => sum + pulse.connections(), 0)
