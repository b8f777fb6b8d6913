// Work that remembers nothing and trusts nothing: every row is asked for, and every statement has its savepoint.
import type { Transaction } from '../../base/database/sql.ts'
import { readUsers } from './users.ts'
import { readDefinitions } from './definition.ts'
import { holdDerivations, keepProgress } from './progress.ts'
import type { Tools, Work } from './work.ts'

type Given = Pick<Work, 'claimedUntilMs' | 'heard' | 'nowMs' | 'endAt' | 'statementMs' | 'usualMs'>

export const openWork = (tools: Tools, sql: Transaction, given: Given, whenHeld: 'wait' | 'skip' = 'wait'): Work => ({
  ...tools,
  ...given,
  sql,
  done: { steps: 0 },
  isSmall: false,
  isTrusting: false,
  usersOf: readUsers,
  definitionsOf: readDefinitions,
  hold: (keys) => holdDerivations(sql, keys, whenHeld),
  keep: (progresses) => keepProgress(sql, progresses, given.nowMs),
})
