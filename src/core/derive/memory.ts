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

const mostRemembered = 10_000

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
  const users = new Map<number, readonly User[]>()
  const definitions = new Map<number, Definition>()
  return {
    usersOf: async (sql, sourceKeys) => {
      const unknown = sourceKeys.filter((key) => !users.has(key))
      if (unknown.length > 0) {
        const found = await readUsers(sql, unknown)
        if (users.size + unknown.length > mostRemembered) users.clear()
        for (const key of unknown) users.set(key, [])
        for (const user of found) users.set(user.source, [...(users.get(user.source) ?? []), user])
      }
      return sourceKeys.flatMap((key) => users.get(key) ?? [])
    },
    definitionsOf: async (sql, keys) => {
      const unknown = keys.filter((key) => !definitions.has(key))
      const found = unknown.length === 0 ? [] : await readDefinitions(sql, unknown)
      if (definitions.size + found.length > mostRemembered) definitions.clear()
      const all = [...found, ...keys.flatMap((key) => definitions.get(key) ?? [])]
      for (const definition of found) if (definition.shape === 'samples') definitions.set(definition.key, definition)
      return all
    },
  }
}
