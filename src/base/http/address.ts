// Client addresses: which proxies are believed about them, and whether one lies in a list of ranges.
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { AddressRange, Config } from '../config.ts'
import { ownText } from '../own-text.ts'

/**
 * The socket's peer, unless that is a trusted proxy: then X-Forwarded-For, read from the right up to the first address
 * that is not itself a trusted proxy. Addresses further left are the client's own invention.
 */
export const clientAddress = (
  peer: string | undefined,
  headers: IncomingHttpHeaders,
  trustedProxies: readonly AddressRange[],
): string => {
  let address = plainAddress(peer ?? '')
  if (trustedProxies.length === 0 || !inRanges(address, trustedProxies)) return address
  const forwarded = forwardedFor(headers).split(',')
  for (let index = forwarded.length - 1; index >= 0; index -= 1) {
    const next = ownText(plainAddress(forwarded[index]!.trim()))
    if (!ipaddr.isValid(next)) return address
    address = next
    if (!inRanges(address, trustedProxies)) return address
  }
  return address
}

/**
 * Whether the request came through a proxy that nobody entered as trusted: its address then stands for all of its clients,
 * and says nothing of them.
 */
export const isFromStrangeProxy = (
  peer: string | undefined,
  headers: IncomingHttpHeaders,
  trustedProxies: readonly AddressRange[],
): boolean =>
  (headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined) &&
  !inRanges(plainAddress(peer ?? ''), trustedProxies)

/** The raw X-Forwarded-For text; free text from devices, some of which put their serial there. */
export const forwardedFor = (headers: IncomingHttpHeaders): string => {
  const value = headers['x-forwarded-for']
  return value === undefined ? '' : Array.isArray(value) ? value.join(',') : value
}

/** An IPv4 address that came through an IPv6 socket is written plainly. */
const plainAddress = (address: string) => (address.startsWith('::ffff:') ? address.slice(7) : address)

export const inRanges = (address: string, ranges: readonly AddressRange[]): boolean => {
  if (ranges.length === 0 || !ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return ranges.some(([base, bits]) => parsed.kind() === base.kind() && parsed.match(base, bits))
}

/** Whether all addresses of one range are in the other. */
export const isWithin = ([base, bits]: AddressRange, [outer, outerBits]: AddressRange): boolean =>
  base.kind() === outer.kind() && bits >= outerBits && base.match(outer, outerBits)

/**
 * The address as one caller's: a client with one IPv6 address has all of its /64. Of an IPv4 address that came through an
 * IPv6 socket, the /64 would be that of all of them.
 */
export const addressGroup = (address: string): string => prefixOf(address, 8)

/** The address as one site's, which may have 65,536 of these groups: a /48 of IPv6. */
export const addressSite = (address: string): string => prefixOf(address, 6)

const prefixOf = (address: string, bytes: number): string => {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, bytes).join('.')
}

/**
 * The holders of a stranger's shares. A site with IPv6 has a /48, and in it 65,536 of /64: they are callers of one group.
 */
export const holdersOfAddress = (address: string): readonly [string, ...string[]] => {
  const [site, group] = [addressSite(address), addressGroup(address)]
  return site === group ? [group] : [`${site}/48`, group]
}

/** {base_url} as users know it: BASE_URL, or where this request found us. */
export const baseUrlOf = (config: Pick<Config, 'baseUrl' | 'host' | 'port'>, headers: IncomingHttpHeaders): string =>
  config.baseUrl ?? `http://${headers.host || `${hostOf(config)}:${config.port}`}`

/** Whether the name leads to the service itself, and not to an organization's brand of it. */
export const isOwnHost = (config: Pick<Config, 'baseUrl' | 'host'>, name: string): boolean =>
  canonicalHost(name) === ownHost(config) || isNameless(name)

/** Whether BASE_URL says under which name users reach us: without it a proxy may serve us under any. */
export const knowsOwnName = (config: Pick<Config, 'baseUrl' | 'host'>): boolean =>
  config.baseUrl !== undefined && !isNameless(ownHost(config))

const ownHost = ({ baseUrl, host }: Pick<Config, 'baseUrl' | 'host'>) =>
  (baseUrl === undefined ? host : new URL(baseUrl).hostname).toLowerCase()

/** An address, this machine, or no host's name at all. */
const isNameless = (host: string): boolean => {
  const written = canonicalHost(host)
  return written === undefined || written === 'localhost' || isIP(written) !== 0
}

/**
 * A host's name as browsers write it: 127.1, 0x7f.1 and 2130706433 are all 127.0.0.1. Undefined: no host's name at all.
 */
const canonicalHost = (name: string): string | undefined => {
  const url = `http://${isIP(name) === 6 ? `[${name}]` : name}/`
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : undefined
}

/** An IPv6 address stands in brackets before a port. */
export const hostOf = ({ host }: Pick<Config, 'host'>): string => (host.includes(':') ? `[${host}]` : host)
