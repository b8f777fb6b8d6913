// The only way out of a thread that talks to an external database. Each driver opens sockets in its own way, and some
// follow where a server sends them; all of that ends in Socket.connect, which is guarded here: a name is resolved once,
// all of its addresses are checked, and only a checked address is connected to. There is no other way out: no sockets
// of the file system, no datagrams but to a checked address.
import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'
import { mayReach } from './address.ts'
import { ExternalError } from './external-error.ts'
import { openNames } from './names.ts'
import type { Resolved } from './names.ts'

export type Guard = {
  /** Resolves and checks before a driver is loaded: gives its addresses, or throws the reason. */
  readonly check: (host: string) => Promise<readonly string[]>
  /** The first refusal: drivers wrap or swallow it. */
  readonly refusal: () => ExternalError | undefined
  /** The bytes that have come in by all sockets so far. */
  readonly bytesRead: () => number
  /** Ends all sockets, for that reason. */
  readonly cut: (error: ExternalError) => void
}

export const guardThread = (allow: readonly string[]): Guard => {
  const names = new Map<string, Promise<readonly Resolved[]>>()
  const sockets: net.Socket[] = []
  let refusal: ExternalError | undefined

  const refuse = (message: string): ExternalError => {
    const error = new ExternalError('forbidden', message)
    refusal ??= error
    return error
  }
  const demandAddress = (address: string, of = address): void => {
    if (mayReach(address, allow)) return
    const which = of === address ? address : `${of} (${address})`
    throw refuse(`the address ${which} may not be reached: the operator of this server can name it in OUTBOUND_ALLOW`)
  }
  const { lookup: usual } = dns.promises
  const findAddresses = openNames((host) => usual(host, { all: true }))
  const resolveOnce = (host: string): Promise<readonly Resolved[]> => {
    const known = names.get(host)
    if (known) return known
    const found = findAddresses(host).then((addresses) => {
      for (const { address } of addresses) demandAddress(address, host)
      return addresses
    })
    names.set(host, found)
    return found
  }
  const checked = (host: string): Promise<readonly Resolved[]> => {
    if (net.isIP(host) === 0) return resolveOnce(host)
    demandAddress(host)
    return Promise.resolve([{ address: host, family: net.isIP(host) }])
  }

  /** In place of dns.lookup, for sockets and for drivers that look up by themselves. */
  const lookup = (host: string, given: unknown, last?: unknown): void => {
    const callback = (last ?? given) as (error: Error | null, ...found: unknown[]) => void
    const options = (last === undefined ? {} : typeof given === 'number' ? { family: given } : given) as {
      readonly all?: boolean
      readonly family?: number | string
    }
    const family = Number(String(options?.family ?? 0).replace('IPv', ''))
    checked(host).then(
      (all) => {
        const found = family === 0 ? all : all.filter((one) => one.family === family)
        if (found.length === 0) callback(Object.assign(new Error(`no address of ${host}`), { code: 'ENOTFOUND' }))
        else if (options?.all) callback(null, [...found])
        else callback(null, found[0]!.address, found[0]!.family)
      },
      (error: Error) => callback(error),
    )
  }
  dns.lookup = lookup as typeof dns.lookup
  dns.promises.lookup = (async (host: string, options?: { readonly all?: boolean }) => {
    const found = await checked(host)
    return options?.all ? found : found[0]
  }) as typeof dns.promises.lookup

  const socketClass = net.Socket.prototype as unknown as { connect: Connect }
  const { connect } = socketClass
  const { [normalizeName]: normalize } = net as unknown as { readonly [normalizeName]: (given: unknown[]) => Given }
  socketClass.connect = function (...given) {
    const [options, callback] = Array.isArray(given[0]) ? (given[0] as unknown as Given) : normalize(given)
    const host = options.host ?? 'localhost'
    try {
      if (options.path !== undefined) throw refuse('a socket of the file system may not be reached')
      if (net.isIP(host) !== 0) demandAddress(host)
    } catch (error) {
      // Reported as a socket reports that nobody answers: its owner listens by then.
      process.nextTick(() => this.destroy(error as Error))
      return this
    }
    sockets.push(this)
    // By this name a certificate is verified; Node sets it for names alone.
    Object.assign(this, { [verifiedName]: host })
    return connect.call(this, { ...options, host, lookup, noDelay: true }, ...(callback ? [callback] : []))
  }

  // Before it sends, a socket takes a port of its own at any address of this machine: that reaches nobody.
  const { createSocket } = dgram
  dgram.createSocket = (given: dgram.SocketType | dgram.SocketOptions, ...more: []) => {
    const options = typeof given === 'string' ? { type: given } : given
    return createSocket({ ...options, lookup: datagramLookup }, ...more)
  }
  const datagramLookup: NonNullable<dgram.SocketOptions['lookup']> = (host, options, callback) => {
    if (host === '0.0.0.0' || host === '::') callback(null, host, net.isIP(host))
    else lookup(host, options, callback)
  }

  const datagramClass = dgram.Socket.prototype as unknown as { send: Send; connect: () => void }
  const { send } = datagramClass
  datagramClass.send = function (...given) {
    // (message, [offset, length,] port, address, callback): a driver has resolved the address before.
    const address = given.slice(1).find((one) => typeof one === 'string')
    if (address === undefined || net.isIP(address) === 0) throw refuse('a datagram needs an address')
    demandAddress(address)
    send.apply(this, given)
  }
  datagramClass.connect = () => {
    throw refuse('a datagram needs an address')
  }

  return {
    check: async (host) => (await checked(host)).map(({ address }) => address),
    refusal: () => refusal,
    cut: (error) => {
      refusal ??= error
      for (const socket of sockets) socket.destroy(error)
    },
    bytesRead: () => sockets.reduce((sum, socket) => sum + socket.bytesRead, 0),
  }
}

type Given = readonly [{ readonly host?: string; readonly path?: string }, (() => void) | null]
type Connect = (this: net.Socket, ...given: unknown[]) => net.Socket
type Send = (this: dgram.Socket, ...given: unknown[]) => void

/** Node's own names that its documentation does not have; test/outbound/guard.test.ts fails where they change. */
const normalizeName = '_normalizeArgs'
const verifiedName = '_host'
