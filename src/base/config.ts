// Configuration (docs/operations.md#configuration): the only reader of process.env. Every variable is optional; problems
// are collected, so that one start reports all of them at once.
// NAME_FILE=path may stand for NAME=value, so that secrets can come from files.
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { defaultConnections, leastConnections } from './database/connections.ts'
import { databaseTarget } from './database/url.ts'
import { ownMember } from './own.ts'

export type RateLimit = { readonly count: number; readonly seconds: number }
export type RateLimits = {
  readonly feed: RateLimit
  readonly property: RateLimit
  readonly file: RateLimit
  readonly login: RateLimit
}
export type AddressRange = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

export type Config = {
  readonly host: string
  readonly port: number
  /** undefined: no MQTT. */
  readonly mqttPort: number | undefined
  /** undefined: http://HOST:PORT with the port that was really opened. */
  readonly baseUrl: string | undefined
  readonly databaseUrl: string | undefined
  readonly databaseReadUrl: string | undefined
  /** The most of one process (connections.ts). */
  readonly databaseConnections: number
  readonly dataDir: string
  /** The port of the embedded database; undefined: a free one. */
  readonly embeddedPort: number | undefined
  readonly masterKey: string | undefined
  readonly ownerEmail: string
  readonly ownerPassword: string | undefined
  readonly organizationName: string
  readonly organizationTimeZone: string
  readonly feedApiKey: string | undefined
  readonly rateLimits: RateLimits | 'off'
  readonly trustedProxies: readonly AddressRange[]
  readonly metricsAddresses: readonly AddressRange[]
  readonly workers: number
  readonly logLevel: string
  readonly fileMaxBytes: number
  readonly readTimeoutMs: number
  readonly gsqlTimeoutMs: number
  readonly gsqlMaxRows: number
  readonly gsqlMaxScriptBytes: number
  /** Addresses, forbidden otherwise, that connections to external databases may reach. */
  readonly outboundAllow: readonly AddressRange[]
  readonly importTimeoutMs: number
  /** The most bytes of a run, and of all runs of a process, in temporary tables. */
  readonly importMaxBytes: number
  readonly importTotalBytes: number
}

export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

const defaultRateLimits: RateLimits = {
  feed: { count: 600, seconds: 60 },
  property: { count: 120, seconds: 60 },
  file: { count: 120, seconds: 60 },
  login: { count: 10, seconds: 60 },
}

/** Adds the names of all variables to `names`, for whoever looks for others. */
export const readConfig = (
  environment: Readonly<Record<string, string | undefined>> = process.env,
  names: Set<string> = new Set(),
): Config => {
  const problems: string[] = []

  const text = (name: string): string | undefined => {
    names.add(name)
    const path = ownMember(environment, `${name}_FILE`)
    const given = ownMember(environment, name)
    if (!path) return given || undefined
    if (given) {
      problems.push(`${name} and ${name}_FILE exclude each other`)
      return undefined
    }
    try {
      return readFileSync(path, 'utf8').replace(/\r?\n$/, '') || undefined
    } catch (error) {
      problems.push(`${name}_FILE: ${(error as Error).message}`)
      return undefined
    }
  }
  /** Reads the variable with `read`, which throws an Error that names the expected form. */
  const value = <T>(name: string, fallback: T, read: (text: string) => T): T => {
    const given = text(name)
    if (given === undefined) return fallback
    try {
      return read(given)
    } catch (error) {
      problems.push(
        `${name} ${(error as Error).message}${/KEY|PASSWORD|DATABASE.*URL/.test(name) ? '' : `, not '${given}'`}`,
      )
      return fallback
    }
  }
  const hostZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

  const config: Config = {
    host: value('HOST', '127.0.0.1', host),
    port: value('PORT', 8080, wholeNumber(0, 65_535)),
    mqttPort: value('MQTT_PORT', undefined as number | undefined, wholeNumber(0, 65_535)),
    baseUrl: value('BASE_URL', undefined, webAddress),
    databaseUrl: value('DATABASE_URL', undefined, databaseAddress),
    databaseReadUrl: value('DATABASE_READ_URL', undefined, databaseAddress),
    databaseConnections: value('DATABASE_CONNECTIONS', defaultConnections, wholeNumber(leastConnections, 1000)),
    dataDir: value('DATA_DIR', './data', String),
    embeddedPort: value('EMBEDDED_PORT', undefined, wholeNumber(1024, 65_535)),
    masterKey: value('MASTER_KEY', undefined, longEnough(16)),
    ownerEmail: value('OWNER_EMAIL', 'owner@localhost', email),
    ownerPassword: value('OWNER_PASSWORD', undefined, longEnough(8)),
    organizationName: value('ORG_NAME', 'My organization', String),
    organizationTimeZone: value('ORG_TIME_ZONE', hostZone, timeZone),
    feedApiKey: value('FEED_API_KEY', undefined, longEnough(8)),
    rateLimits: value('RATE_LIMITS', defaultRateLimits, rateLimits),
    trustedProxies: value('TRUSTED_PROXIES', [], addressRanges),
    metricsAddresses: value('METRICS_ADDRESSES', addressRanges('127.0.0.0/8,::1/128'), addressRanges),
    workers: value('WORKERS', 1, wholeNumber(1, 64)),
    logLevel: value('LOG_LEVEL', 'info', oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent')),
    fileMaxBytes: value('FILE_MAX_BYTES', 256 * 1024 * 1024, wholeNumber(1, 2 ** 40)),
    readTimeoutMs: value('READ_TIMEOUT_MS', 30_000, wholeNumber(1, 3_600_000)),
    gsqlTimeoutMs: value('GSQL_TIMEOUT_MS', 10_000, wholeNumber(1, 3_600_000)),
    gsqlMaxRows: value('GSQL_MAX_ROWS', 100_000, wholeNumber(1, 10_000_000)),
    gsqlMaxScriptBytes: value('GSQL_MAX_SCRIPT_BYTES', 65_536, wholeNumber(1, 10_000_000)),
    outboundAllow: value('OUTBOUND_ALLOW', [], addressRanges),
    importTimeoutMs: value('IMPORT_TIMEOUT_MS', 300_000, wholeNumber(1, 86_400_000)),
    importMaxBytes: value('IMPORT_MAX_BYTES', 4 * 2 ** 30, wholeNumber(2 ** 20, 2 ** 50)),
    importTotalBytes: value('IMPORT_TOTAL_BYTES', 8 * 2 ** 30, wholeNumber(2 ** 20, 2 ** 50)),
  }
  if (config.embeddedPort && config.databaseUrl)
    problems.push('EMBEDDED_PORT is of the embedded database, and DATABASE_URL names another')
  if (config.databaseReadUrl && !config.databaseUrl) problems.push('DATABASE_READ_URL needs DATABASE_URL')
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

const wholeNumber = (least: number, most: number) => (text: string) => {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= least && number <= most)) throw new Error(`must be a whole number from ${least} to ${most}`)
  return number
}

const host = (text: string) => {
  if (!isIP(text) && !/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.?$/.test(text))
    throw new Error('must be an address or a host name')
  return text
}

const webAddress = (text: string) => {
  if (!/^https?:\/\/[^/?#\s]+(\/[^?#\s]*)?$/.test(text))
    throw new Error('must look like https://host or https://host/path')
  return text.replace(/(?<!\/)\/+$/, '')
}

const databaseAddress = (text: string) => {
  databaseTarget(text)
  return text
}

const longEnough = (least: number) => (text: string) => {
  if (text.length < least) throw new Error(`must have at least ${least} characters`)
  return text
}

const email = (text: string) => {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new Error('must be an e-mail address')
  return text
}

const timeZone = (text: string) => {
  try {
    const known = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
    return known.toLowerCase() === text.toLowerCase() ? known : text
  } catch {
    throw new Error('must be a time zone such as Europe/Berlin')
  }
}

const oneOf =
  (...words: readonly string[]) =>
  (text: string) => {
    if (!words.includes(text)) throw new Error(`must be one of ${words.join(', ')}`)
    return text
  }

const rateLimits = (text: string): RateLimits | 'off' => {
  if (text === 'off') return 'off'
  const limits = new Map<string, RateLimit>()
  for (const part of text.split(',')) {
    const found = /^\s*(\w+)=(\d{1,9})\/(\d{1,6})\s*$/.exec(part)
    if (!found || !Object.hasOwn(defaultRateLimits, found[1]!) || found[2] === '0' || found[3] === '0')
      throw new Error("must be 'off' or like feed=600/60,property=120/60")
    limits.set(found[1]!, { count: Number(found[2]), seconds: Number(found[3]) })
  }
  return { ...defaultRateLimits, ...Object.fromEntries(limits) }
}

export const addressRange = (text: string): AddressRange => {
  try {
    return text.includes('/')
      ? ipaddr.parseCIDR(text)
      : [ipaddr.parse(text), ipaddr.parse(text).kind() === 'ipv4' ? 32 : 128]
  } catch {
    throw noRange()
  }
}

/**
 * As people write it: an IPv4 address in four decimal parts. Of fewer, the last part would stand for all that are missing,
 * so that 10.20/16 would be 10.0.0.20/16, and one with a leading zero would be octal.
 */
export const writtenRange = (text: string): AddressRange => {
  const [address = ''] = text.split('/')
  if (!address.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(address)) throw noRange()
  return addressRange(text)
}

const noRange = () => new Error('must be addresses or ranges such as 10.0.0.0/8')

const addressRanges = (text: string): readonly AddressRange[] =>
  text.split(',').map((part) => writtenRange(part.trim()))
