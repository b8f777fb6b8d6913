// A process's memory of derived streams, for uploads that derive at once: which are derived from which, and by what.
// It holds for a moment of the catalogue (core/sample/gate.ts); a change of either is noted there. Streams with cycles are
// not remembered: cycles change without a note.
import type { Sql } from '../../base/database/sql.ts'
import type { KnownMoment } from '../sample/gate.ts'
import { readUsers } from './users.ts'
import type { User } from './users.ts'
import { readDefinitions } from './definition.ts'
import type { Definition } from './definition.ts'

export type Memory = {
  readonly usersOf: (sql: Sql, sourceKeys: readonly number[]) => Promise<readonly User[]>
  readonly definitionsOf: (sql: Sql, keys: readonly number[]) => Promise<readonly Definition[]>
}

/** About the bytes of the users that are remembered, and of the definitions: 10,000 of these took 600 MB. */
const mostBytes = 16 * 1024 * 1024
const userBytes = 100
const bytesOf = ({ expression, variables }: Definition): number => 500 + 2 * expression.length + 500 * variables.length

/** Gives the memory of a moment: what was remembered of another is forgotten. */
export const openMemory = (): ((at: KnownMoment) => Memory) => {
  let known = newMemory()
  let moment: KnownMoment = { serial: Number.NaN }
  return (at) => {
    if (at.serial !== moment.serial || at.history !== moment.history) known = newMemory()
    moment = at
    return known
  }
}

const newMemory = (): Memory => {
  const users = openKept<readonly User[]>()
  const definitions = openKept<Definition>()
  return {
    usersOf: async (sql, sourceKeys) => {
      const found = new Map<number, readonly User[]>()
      for (const key of sourceKeys) found.set(key, users.get(key) ?? [])
      const unknown = new Map<number, User[]>()
      for (const key of sourceKeys) if (!users.get(key)) unknown.set(key, [])
      // One by one into the list of its source, of which a hundred thousand may be derived.
      for (const user of await readUsers(sql, [...unknown.keys()])) unknown.get(user.source)!.push(user)
      for (const [key, some] of unknown) {
        found.set(key, some)
        users.keep(key, some, userBytes * (1 + some.length))
      }
      return sourceKeys.flatMap((key) => found.get(key)!)
    },
    definitionsOf: async (sql, keys) => {
      const known = keys.flatMap((key) => definitions.get(key) ?? [])
      const unknown = keys.filter((key) => !definitions.get(key))
      const found = unknown.length === 0 ? [] : await readDefinitions(sql, unknown)
      for (const definition of found)
        if (definition.shape === 'samples') definitions.keep(definition.key, definition, bytesOf(definition))
      return [...found, ...known]
    },
  }
}

/** All are forgotten where they would be too many, and gathered anew. */
const openKept = <T>() => {
  const kept = new Map<number, T>()
  let sum = 0
  return {
    get: (key: number): T | undefined => kept.get(key),
    keep: (key: number, one: T, bytes: number): void => {
      if (bytes > mostBytes || kept.has(key)) return
      if (sum + bytes > mostBytes) {
        kept.clear()
        sum = 0
      }
      kept.set(key, one)
      sum += bytes
    },
  }
}
