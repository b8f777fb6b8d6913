// Transactions that a caller asks for: changes, deletions, uploads that create. A pool has few connections for them, and
// one that waits for a lock keeps its connection meanwhile. So callers share them (shares.ts): a hundred slow changes of
// one caller wait for each other, and not those of others for them.
import { busy } from '../errors.ts'
import type { Holders } from '../shares.ts'
import { transactionShares } from './pool.ts'
import { transaction } from './sql.ts'
import type { Pool, Transaction } from './sql.ts'

/**
 * Longer than a change waits for another (core/sample/catalog-change.ts), and than the pulse takes to find the database silent.
 */
const patienceMs = 30_000

export const callerTransaction = async <T>(
  pool: Pool,
  holders: Holders,
  work: (sql: Transaction) => Promise<T>,
): Promise<T> => {
  const holding = transactionShares(pool).open(holders)
  if (!(await holding.wait(1, patienceMs))) throw busy('too many changes at once, try again')
  try {
    return await transaction(pool, work)
  } finally {
    holding.give()
  }
}
