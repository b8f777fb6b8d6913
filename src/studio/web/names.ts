// The names of things that a form chooses from, by uid or ID.
import type { EntityName, EntityOf, Query } from '../../client/client.ts'
import { useLoad } from './load.ts'
import type { Loaded } from './load.ts'
import { texts } from './texts.ts'

export type Names = Readonly<Record<string, string>>

/** Nobody chooses from more in one field. */
const most = 10_000

const useNames = <Name extends EntityName>(
  entity: Name,
  nameOf: (one: EntityOf<Name>) => readonly [string, string],
): Loaded<Names> =>
  useLoad(`names ${entity}`, async (client, signal) => {
    const names: (readonly [string, string])[] = []
    for await (const one of client.entities(entity).list({ limit: most, ...lean[entity] }, { signal }))
      names.push(nameOf(one))
    return Object.fromEntries(names.filter(([of]) => of !== ''))
  })

/** Templates are heavy with their streams. */
const lean: Readonly<Partial<Record<EntityName, Query>>> = { template: { streams: false } }

export const useUsers = () => useNames('user', ({ uid, email }) => [uid, email])

export const useConnectors = () => useNames('connector', ({ uid, name }) => [uid, name])

/** Users and keys of the organization, as the server's figures and its audit log write them. */
export const useCallers = (): Loaded<Names> =>
  useLoad('names of callers', async (client, signal) => {
    const names: (readonly [string, string])[] = []
    for await (const { uid, email } of client.entities('user').list({ limit: most }, { signal }))
      names.push([`user ${uid}`, email])
    for await (const { uid, name } of client.entities('api_key').list({ limit: most }, { signal }))
      names.push([`api_key ${uid}`, texts.security.audit.byKey(name)])
    return Object.fromEntries(names)
  })

export const useConnections = () => useNames('connection', ({ uid, name }) => [uid, name])

export const useTemplates = () => useNames('template', ({ uid, id, name }) => [uid, name || (id ?? '')])

export const useUnits = () =>
  useNames('unit', ({ uid, name, symbol }) => [uid, symbol ? `${name} (${symbol.trim()})` : name])

/** By ID, as streams name them. */
export const useCycles = () => useNames('cycle', ({ id, name }) => [id ?? '', name || (id ?? '')])
