// Lists of core/listing.ts read to their end.
import assert from 'node:assert/strict'
import type { Pool, Transaction } from '../../src/base/database/sql.ts'
import { transaction } from '../../src/base/database/sql.ts'
import type { Listing } from '../../src/core/listing.ts'

export const wholeListing = <Row>(pool: Pool, list: (sql: Transaction) => Promise<Listing<Row>>) =>
  transaction(pool, async (sql) => {
    const { totalCount, pageCount, read } = await list(sql)
    const rows = await read(1000, Number.POSITIVE_INFINITY)
    assert(typeof rows !== 'number')
    assert.equal(rows.length, pageCount)
    return { rows, totalCount }
  })
