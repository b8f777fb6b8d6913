// The transaction of a change that a call makes. Until its turn has come the call may have waited for others' changes, or
// for a password to be hashed; whoever was signed out, removed or given less meanwhile is refused. Work that ends very many things has more
// than one transaction: it is done again until it is finished.
import type { Pool, Transaction } from '../base/database/sql.ts'
import type { Call } from '../base/http/call.ts'
import { holdersOfCall } from '../base/http/room.ts'
import type { Unfinished } from '../core/ending.ts'
import { unfinished } from '../core/ending.ts'
import { patientTransaction } from '../core/sample/catalog-change.ts'

export const changeFor = async <T>(
  call: Call,
  pool: Pool,
  work: (sql: Transaction) => Promise<T | Unfinished>,
): Promise<T> => {
  for (;;) {
    const result = await patientTransaction(pool, holdersOfCall(call), async (sql) => {
      await call.judgeAgain?.()
      return work(sql)
    })
    if (result !== unfinished) return result
  }
}
