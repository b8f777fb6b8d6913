// The addresses that a connection may reach: none of this machine's or its network's own, in any form of writing,
// unless OUTBOUND_ALLOW names them. An address inside another (mapped, NAT64, 6to4) is judged by both.
import ipaddr from 'ipaddr.js'
import { addressRange } from '../base/config.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Public by its number, and yet the host of an Azure machine. */
const hosts = [addressRange('168.63.129.16')]
/** All IPv6 addresses that lead anywhere on the internet; the translators' own prefix is beside it. */
const global = addressRange('2000::/3')
const nat64 = addressRange('64:ff9b::/96')
const mapped = addressRange('::ffff:0:0/96')
const sixToFour = addressRange('2002::/16')

export const mayReach = (written: string, allow: readonly string[]): boolean => {
  // A zone (fe80::1%eth0) is of link-local addresses only.
  const text = written.split('%')[0]!
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  const inner = innerOf(address)
  const forms = inner === undefined ? [address] : [address, inner]
  const ranges = allow.map(addressRange)
  if (forms.some((form) => ranges.some((range) => isIn(form, range)))) return true
  return inner === undefined ? isPublic(address) : isPublic(inner)
}

const isIn = (address: Address, [base, bits]: readonly [Address, number]): boolean =>
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
