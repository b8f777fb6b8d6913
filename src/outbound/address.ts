// The addresses that a connection may reach: none of this machine's or its network's own, in any form of writing,
// unless OUTBOUND_ALLOW names them. An address inside another (mapped, NAT64, 6to4) is judged by both. Numbers alone do not
// tell: this machine may have public addresses, to which packets go past every firewall, and so may its neighbours.
import os from 'node:os'
import ipaddr from 'ipaddr.js'
import { addressRange } from '../base/config.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [Address, number]
type Networks = readonly Range[] | 'unknown'

/** Public by its number, and yet the host of an Azure machine. */
const hosts = [addressRange('168.63.129.16')]
/** All IPv6 addresses that lead anywhere on the internet; the translators' own prefix is beside it. */
const global = addressRange('2000::/3')
const nat64 = addressRange('64:ff9b::/96')
const mapped = addressRange('::ffff:0:0/96')
const sixToFour = addressRange('2002::/16')

/** `own` are the networks of this machine; where nobody knows them, none but allowed addresses are reached. */
export const mayReach = (written: string, allow: readonly string[], own: Networks = ownNetworks()): boolean => {
  // A zone (fe80::1%eth0) is of link-local addresses only.
  const text = written.split('%')[0]!
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  const inner = innerOf(address)
  const forms = inner === undefined ? [address] : [address, inner]
  const ranges = allow.map(addressRange)
  const isInOne = (some: readonly Range[]) => forms.some((form) => some.some((range) => isIn(form, range)))
  if (isInOne(ranges)) return true
  if (own === 'unknown' || isInOne(own)) return false
  return inner === undefined ? isPublic(address) : isPublic(inner)
}

/** Interfaces come and go while the server runs. To ask takes 0.07 ms. */
const askAgainMs = 1000

const ownNetworks = (): Networks => {
  const nowMs = performance.now()
  if (nowMs >= asked.untilMs) asked = { networks: askNetworks(), untilMs: nowMs + askAgainMs }
  return asked.networks
}

const askNetworks = (): Networks => {
  try {
    return networksOf(os.networkInterfaces())
  } catch {
    // A sandbox may forbid the question.
    return 'unknown'
  }
}

let asked: { readonly networks: Networks; readonly untilMs: number } = { networks: 'unknown', untilMs: 0 }

/** Of a network with a shorter prefix, as some tunnels have that take all there is, the machine's own address alone is meant. */
const shortest = { ipv4: 8, ipv6: 32 }

/** The addresses of interfaces, each with the network that is reached by it directly. */
export const networksOf = (
  interfaces: Readonly<Record<string, readonly Pick<os.NetworkInterfaceInfo, 'address' | 'cidr'>[] | undefined>>,
): readonly Range[] =>
  Object.values(interfaces).flatMap((some = []) =>
    some.map(({ address, cidr }) => {
      const alone = addressRange(address.split('%')[0]!)
      const range = cidr === null ? alone : addressRange(cidr)
      return range[1] < shortest[range[0].kind()] ? alone : range
    }),
  )

const isIn = (address: Address, [base, bits]: Range): boolean =>
  address.kind() === base.kind() && address.match(base, bits)

const isPublic = (address: Address): boolean => {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv6' ? isIn(address, global) : !hosts.some((range) => isIn(address, range))
}

/** The IPv4 address that a translator would go to. */
const innerOf = (address: Address): ipaddr.IPv4 | undefined => {
  if (address.kind() !== 'ipv6') return undefined
  const bytes = address.toByteArray()
  if (isIn(address, mapped) || isIn(address, nat64)) return new ipaddr.IPv4(bytes.slice(12))
  return isIn(address, sixToFour) ? new ipaddr.IPv4(bytes.slice(2, 6)) : undefined
}
