// The streams that hang on those of an upload.
import type { Sql } from '../../base/database/sql.ts'
import type { Memory } from './memory.ts'

/** Streams that are looked at together, with those that may not be come to. */
const mostAhead = 60

/** All that may be come to, in the order of their depths; undefined: too many. */
export const streamsAhead = async (
  sql: Sql,
  usersOf: Memory['usersOf'],
  sourceKeys: readonly number[],
): Promise<readonly number[] | undefined> => {
  const depths = new Map<number, number>()
  for (let next = sourceKeys; next.length > 0;) {
    const users = await usersOf(sql, next)
    next = [...new Set(users.map(({ derived }) => derived))].filter((key) => !depths.has(key))
    for (const { derived, depth } of users) depths.set(derived, depth)
    if (depths.size > mostAhead) return undefined
  }
  return [...depths].toSorted((a, b) => a[1] - b[1] || a[0] - b[0]).map(([key]) => key)
}
