// The names of things that a form chooses from, by uid or ID.
import type { Client } from '../../client/client.ts'
import { useLoad } from './load.ts'
import type { Loaded } from './load.ts'

export type Names = Readonly<Record<string, string>>

/** As many as one list has. */
const all = { limit: 1000 } as const

const useNames = (
  key: string,
  load: (client: Client, signal: AbortSignal) => Promise<readonly (readonly [string, string])[]>,
): Loaded<Names> => useLoad(key, async (client, signal) => Object.fromEntries(await load(client, signal)))

export const useUsers = () =>
  useNames('users', async (client, signal) => {
    const { user } = await client.call('GET /api/user', { query: all, signal })
    return user.map(({ uid, email }) => [uid, email])
  })

export const useConnections = () =>
  useNames('connections', async (client, signal) => {
    const { connection } = await client.call('GET /api/connection', { query: all, signal })
    return connection.map(({ uid, name }) => [uid, name])
  })

export const useUnits = () =>
  useNames('units', async (client, signal) => {
    const { unit } = await client.call('GET /api/unit', { query: all, signal })
    return unit.map(({ uid, name, symbol }) => [uid, symbol ? `${name} (${symbol.trim()})` : name])
  })

/** By ID, as streams name them. */
export const useCycles = () =>
  useNames('cycles', async (client, signal) => {
    const { cycle } = await client.call('GET /api/cycle', { query: all, signal })
    return cycle.flatMap(({ id, name }) => (id === null ? [] : [[id, name]]))
  })
