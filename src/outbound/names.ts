// Names of external hosts. getaddrinfo() would hold one of the few threads in which the whole process looks up names, works on
// files and hashes: two names whose servers never answer, and nobody could find our own database any more. So a name is looked
// for where getaddrinfo() looks, in the hosts file and then by DNS, with the domains of resolv.conf, but by queries that hold
// nothing. Names that DNS does not have by its nature (localhost, numbers, a single word, mDNS) are left to getaddrinfo().
import dns from 'node:dns'
import { readFile } from 'node:fs/promises'
import net from 'node:net'

export type Resolved = { readonly address: string; readonly family: number }

export type NameFiles = { readonly hosts: string; readonly resolver: string }

const usualFiles: NameFiles = { hosts: '/etc/hosts', resolver: '/etc/resolv.conf' }

/** As long as getaddrinfo() takes: 1.5, 3 and 6 s for each server. */
const patience = { timeout: 1500, tries: 3 }

/** Gives a function that finds all addresses of a name, or throws an error with the code ENOTFOUND or EAI_AGAIN. */
export const openNames =
  (
    lookUp: (host: string) => Promise<readonly Resolved[]>,
    files = usualFiles,
  ): ((host: string) => Promise<readonly Resolved[]>) =>
  async (host) => {
    const name = host.toLowerCase()
    if (/(?:^|\.)(?:localhost|\d+|0x[\da-f]*)$/.test(name)) return lookUp(host)
    const listed = addressesIn(await textOf(files.hosts), name)
    if (listed.length > 0) return listed
    for (const candidate of candidatesOf(name, await textOf(files.resolver))) {
      const found = await query(candidate)
      if (found.length > 0) return found
    }
    if (!name.includes('.') || name.endsWith('.local')) return lookUp(host)
    throw nameError('ENOTFOUND', host)
  }

const nameError = (code: string, host: string): Error => Object.assign(new Error(`${code} ${host}`), { code })

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')

/** The words of each line, without its comment. */
const wordsOf = (text: string): readonly (readonly string[])[] =>
  text.split('\n').map((line) => line.split('#', 1)[0]!.trim().split(/\s+/))

const addressesIn = (hosts: string, name: string): readonly Resolved[] =>
  wordsOf(hosts).flatMap(([address = '', ...names]) =>
    net.isIP(address) > 0 && names.some((one) => one.toLowerCase() === name)
      ? [{ address, family: net.isIP(address) }]
      : [],
  )

/** A name that ends with a dot is whole; one with fewer dots than `ndots` is first looked for in the domains. */
export const candidatesOf = (name: string, resolver: string): readonly string[] => {
  if (name.endsWith('.')) return [name.slice(0, -1)]
  let domains: readonly string[] = []
  let most = 1
  for (const [word, ...values] of wordsOf(resolver))
    if (word === 'search' || word === 'domain') domains = values.slice(0, mostDomains)
    else if (word === 'options') most = ndotsIn(values) ?? most
  const inDomains = domains.filter((domain) => domain !== '.').map((domain) => `${name}.${domain.replace(/\.$/, '')}`)
  return name.split('.').length > most ? [name, ...inDomains] : [...inDomains, name]
}

const mostDomains = 6

const ndotsIn = (options: readonly string[]): number | undefined => {
  const option = options.find((one) => /^ndots:\d{1,2}$/.test(one))
  return option === undefined ? undefined : Number(option.slice('ndots:'.length))
}

/** Those that a name server gives when it has none, or nothing by that name. */
const noneCodes = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EBADQUERY'])

/** Empty where there are none; a server that gives no answer is an error. */
const query = async (name: string): Promise<readonly Resolved[]> => {
  const resolver = new dns.promises.Resolver(patience)
  resolver.setServers(dns.getServers())
  const asked = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = asked.flatMap((answer, index) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  )
  if (found.length > 0) return found
  for (const answer of asked)
    if (answer.status === 'rejected' && !noneCodes.has((answer.reason as NodeJS.ErrnoException).code ?? ''))
      throw nameError('EAI_AGAIN', name)
  return []
}
