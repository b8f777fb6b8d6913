// What becomes of grants that were given before they were of one organization (db/0023_access.sql).
import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '../../src/base/database/migrate.ts'
import { openEmptyDatabase, quietLog } from '../support/database.ts'

const schema = fileURLToPath(new URL('../../db', import.meta.url))

describe('a database of the version before', () => {
  it('keeps grants whose organization is certain, and one organization for each domain', async () => {
    const database = await openEmptyDatabase()
    const before = await mkdtemp(join(tmpdir(), 'coppice-before-'))
    try {
      for (const file of await readdir(schema)) if (file < '0023') await cp(join(schema, file), join(before, file))
      await migrate(database.url, quietLog, before)
      const { sql } = database
      await sql.unsafe(`
        insert into organization (name, brand)
        values ('Client''s', '{"domain": "a.example"}'), ('Second', '{"domain": "A.example", "name": "x"}'), ('Third', '{}');
        insert into user_account (email, time_zone, password_hash)
        values ('only second', 'UTC', ''), ('first and second', 'UTC', ''), ('none', 'UTC', ''), ('second and third', 'UTC', '');
        insert into member (organization_key, user_key, role)
        values (2, 1, 'owner'), (1, 2, 'owner'), (2, 2, 'owner'), (2, 4, 'owner'), (3, 4, 'owner');
        insert into oauth_client (organization_key, client_id, name, redirect_uris) values (1, 'c', 'c', '{}');
        insert into oauth_grant (client_key, user_key, scope) values (1, 1, 'any'), (1, 2, null), (1, 3, null), (1, 4, null);
        insert into oauth_token (token_hash, grant_key, kind, expires_at)
        select decode(md5(key::text), 'hex'), key, 'access', now() from oauth_grant`)
      await migrate(database.url, quietLog)
      const grants = await sql`
        select oauth_grant.user_key as user, organization_key as organization, oauth_grant.scope, oauth_token.scope as token
        from oauth_grant
        left join oauth_token on grant_key = oauth_grant.key
        order by 1`
      assert.deepEqual(grants.map(Object.values), [
        [1, 2, 'read write', 'read write'],
        [2, 1, 'read write', 'read write'],
      ])
      const brands = await sql`select brand from organization order by key`
      assert.deepEqual(
        brands.map(({ brand }) => brand as unknown),
        [{ domain: 'a.example' }, { name: 'x' }, {}],
      )
    } finally {
      await rm(before, { recursive: true })
      await database.drop()
    }
  })
})
