// Functions of the database that run with their owner's rights: a caller must not be able to slip a temporary table
// between them and the tables they read (CVE-2018-1058's kin; PostgreSQL's own advice, CREATE FUNCTION).
import assert from 'node:assert/strict'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'

describe('functions with their owner’s rights', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.drop())

  it('look among temporary tables last, all of them', async () => {
    const functions = await database.sql<{ name: string; path: string | null }[]>`
      select pg_proc.oid::regprocedure::text as name,
        (select setting from unnest(proconfig) as setting where setting like 'search_path=%') as path
      from pg_proc
      where prosecdef
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
        and pronamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`
    assert.ok(functions.length >= 3)
    assert.deepEqual(
      functions.filter(({ path }) => path?.endsWith(', pg_temp') !== true),
      [],
    )
  })
})
