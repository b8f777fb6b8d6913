// The servers that the command line knows: a file with a name for each, readable by its owner alone, since it holds
// sessions and keys. Options decide over the environment, the environment over the file; nothing of it is ever printed.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ClientOptions } from '../client/client.ts'
import type { Given } from './given.ts'
import { memberOf, textOf, UsageError } from './given.ts'
import type { Context } from './context.ts'

export type SavedServer = {
  readonly url: string
  readonly session?: string
  readonly key?: string
  readonly org?: string
  /** Of the user who signed in, for people. */
  readonly email?: string
}

export type Settings = {
  readonly default?: string
  readonly servers: Readonly<Record<string, SavedServer>>
}

type Environment = Context['environment']

export const settingsPath = (environment: Environment): string =>
  environment['COPPICE_CONFIG'] ??
  join(environment['XDG_CONFIG_HOME'] || join(environment['HOME'] || homedir(), '.config'), 'coppice', 'config.json')

export const readSettings = async (environment: Environment): Promise<Settings> => {
  const path = settingsPath(environment)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { servers: {} }
    throw error
  }
  try {
    const { default: first, servers } = JSON.parse(text) as Partial<Settings>
    if (typeof servers !== 'object' || servers === null) throw new TypeError('it has no servers')
    return { ...(typeof first === 'string' ? { default: first } : {}), servers }
  } catch (error) {
    throw new UsageError(`${path} is no configuration: ${(error as Error).message}`)
  }
}

/** Whole or not at all: a file of another name takes its place. */
export const writeSettings = async (environment: Environment, settings: Settings): Promise<void> => {
  const path = settingsPath(environment)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const next = `${path}.${process.pid}`
  await writeFile(next, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(next, path)
}

export const saveServer = async (environment: Environment, name: string, server: SavedServer): Promise<void> => {
  const { servers, default: first } = await readSettings(environment)
  await writeSettings(environment, { default: first ?? name, servers: { ...servers, [name]: server } })
}

/** The server that a command talks to. */
export const chosenServer = async (
  given: Given,
  environment: Environment,
): Promise<SavedServer & { name?: string }> => {
  const settings = await readSettings(environment)
  const name = textOf(given, 'server')
  const url = textOf(given, 'url') ?? (name === undefined ? environment['COPPICE_URL'] || undefined : undefined)
  const key = textOf(given, 'key') ?? (name === undefined ? environment['COPPICE_KEY'] || undefined : undefined)
  const session = name === undefined ? environment['COPPICE_SESSION'] || undefined : undefined
  const org = textOf(given, 'org') ?? (name === undefined ? environment['COPPICE_ORG'] || undefined : undefined)
  const saved = findSaved(settings, name, url)
  const known = url ?? saved?.server.url
  if (known === undefined)
    throw new UsageError('which server? Sign in with coppice login URL, or set COPPICE_URL and COPPICE_KEY')
  if (!/^https?:\/\/[^/?#\s]+/.test(known))
    throw new UsageError(`'${known}' is no address such as https://data.example.org`)
  const { session: savedSession, key: savedKey, ...rest } = saved?.server ?? { url: known }
  const credential =
    key !== undefined
      ? { key }
      : session !== undefined
        ? { session }
        : {
            ...(savedSession === undefined ? {} : { session: savedSession }),
            ...(savedKey === undefined ? {} : { key: savedKey }),
          }
  return {
    ...rest,
    ...credential,
    url: known,
    ...(org === undefined ? {} : { org }),
    ...(saved === undefined ? {} : { name: saved.name }),
  }
}

/** By its name, by the address that was given, or the default. */
const findSaved = ({ servers, default: first }: Settings, name: string | undefined, url: string | undefined) => {
  if (name !== undefined) {
    const server = memberOf(servers, name)
    if (server === undefined)
      throw new UsageError(`there is no server '${name}': ${Object.keys(servers).join(', ') || 'none is saved'}`)
    return { name, server }
  }
  const entries = Object.entries(servers)
  const found =
    url === undefined
      ? entries.find(([one]) => one === (first ?? entries[0]?.[0]))
      : entries.find(([, server]) => sameAddress(server.url, url))
  return found === undefined ? undefined : { name: found[0], server: found[1] }
}

const sameAddress = (one: string, other: string) => withoutSlash(one) === withoutSlash(other)

export const withoutSlash = (url: string): string => (url.endsWith('/') ? url.slice(0, -1) : url)

export const clientOptions = ({ url, session, key, org }: SavedServer): ClientOptions => ({
  url,
  ...(session === undefined ? { apiKey: key } : { session }),
  org,
})
