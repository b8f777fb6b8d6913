// References between tables: when a row is deleted, those that refer to it are looked for, once for each deleted row.
import assert from 'node:assert/strict'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'

describe('references between tables', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.drop())

  it('have an index that begins with their columns, all of them: else each deletion reads the whole table', async () => {
    const references = await database.sql<{ name: string; isIndexed: boolean }[]>`
      select format('%s (%s) -> %s', conrelid::regclass, columns, confrelid::regclass) as name,
        exists (
          select from pg_index
          where indrelid = conrelid and (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey
            and (indpred is null or pg_get_expr(indpred, indrelid) = format('(%s IS NOT NULL)', columns))) as "isIndexed"
      from pg_constraint
      cross join lateral (
        select string_agg(attname, ', ') as columns from pg_attribute where attrelid = conrelid and attnum = any(conkey)
      ) as named
      where contype = 'f'
        and not exists (select from pg_depend where objid = conrelid and deptype = 'e')
        and connamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
        -- Roles and zones are few, and made on the host.
        and connamespace <> 'bi'::regnamespace
      order by 1`
    assert.ok(references.length >= 30)
    assert.deepEqual(
      references.filter(({ isIndexed }) => !isIndexed).map(({ name }) => name),
      [],
    )
  })
})
