// COPY that fails at every moment: it is reported, and the connection goes on.
import assert from 'node:assert/strict'
import { copyInto } from '../../../src/base/database/copy.ts'
import type { Sql } from '../../../src/base/database/sql.ts'
import { sqlCode, transaction } from '../../../src/base/database/sql.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openEmptyDatabase } from '../../support/database.ts'

describe('a COPY', () => {
  let database: Omit<TestDatabase, 'edition'>
  before(async () => {
    database = await openEmptyDatabase()
    await database.sql.unsafe('create table thing (n integer primary key)')
  })
  beforeEach(() => database.sql`truncate thing`)
  after(() => database.drop())

  const copy = (sql: Sql, ...texts: readonly string[]) =>
    copyInto(
      sql,
      'copy thing from stdin',
      texts.map((text) => Buffer.from(text)),
    )
  const stored = async () => (await database.sql<{ n: number }[]>`select n from thing order by n`).map(({ n }) => n)
  /** Fails inside a transaction, which goes on from a savepoint before. */
  const failing = async (fail: (sql: Sql) => Promise<void>): Promise<unknown> =>
    transaction(database.sql, async (sql) => {
      await sql`insert into thing values (1)`
      await sql`savepoint before_copy`
      const error = await fail(sql).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      await sql`rollback to savepoint before_copy`
      await copy(sql, '7\n')
      return error
    })

  it('stores all pieces, however they are cut', async () => {
    await transaction(database.sql, (sql) => copy(sql, '1\n2', '0\n', '', '3\n'))
    assert.deepEqual(await stored(), [1, 3, 20])
  })

  it('reports a row that is refused after its last bytes, and the transaction goes on', async () => {
    const error = await failing((sql) => copy(sql, '2\n1\n'))
    assert.equal(sqlCode(error), '23505')
    assert.deepEqual(await stored(), [1, 7])
  })

  it('reports a row that is refused in the middle', async () => {
    const many = Array.from({ length: 200 }, (_, piece) =>
      Array.from({ length: 1000 }, (__, row) => `${piece === 0 && row === 0 ? 1 : 10 + 1000 * piece + row}\n`).join(''),
    )
    const error = await failing((sql) => copy(sql, ...many))
    assert.equal(sqlCode(error), '23505')
    assert.deepEqual(await stored(), [1, 7])
  })

  it('reports the error of whoever makes its pieces, and stores none of them', async () => {
    const broken = new Error('no more pieces')
    const error = await failing((sql) =>
      copyInto(
        sql,
        'copy thing from stdin',
        (function* () {
          yield Buffer.from('5\n')
          throw broken
        })(),
      ),
    )
    assert.equal(error, broken)
    assert.deepEqual(await stored(), [1, 7])
  })

  it('reports a connection that is lost before the database has answered its last bytes', async () => {
    await database.sql.unsafe(`
      create function end_session() returns trigger language plpgsql as $$
      begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
      create trigger end_session after insert on thing for each statement execute function end_session()`)
    try {
      await assert.rejects(transaction(database.sql, (sql) => copy(sql, '5\n')))
    } finally {
      await database.sql.unsafe('drop trigger end_session on thing; drop function end_session()')
    }
    assert.deepEqual(await stored(), [])
  })
})
