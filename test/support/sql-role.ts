// A person who asks by SQL: a role of an organization, and a connection by it (docs/bi.md).
import { Client } from 'pg'
import { openPool } from '../../src/base/database/pool.ts'
import { createSqlRole, dropSqlRole } from '../../src/core/sql-role/sql-role.ts'
import type { TestService } from './service.ts'

export type SqlPerson = {
  readonly name: string
  readonly password: string
  readonly url: string
  readonly client: Client
  /** Rows as arrays. */
  readonly ask: (text: string) => Promise<readonly (readonly unknown[])[]>
  /** The message of the refusal. */
  readonly refused: (text: string) => Promise<string>
  readonly leave: () => Promise<void>
}

export const openSqlPerson = async (
  { sql, databaseUrl, organizationUid }: Pick<TestService, 'sql' | 'databaseUrl' | 'organizationUid'>,
  nowMs = Date.now(),
): Promise<SqlPerson> => {
  const admin = openPool(asSuperuser(databaseUrl), { connections: 1, name: 'superuser' })
  const { name, password } = await createSqlRole(sql, { organizationUid }, nowMs, admin)
  await admin.end()
  const url = Object.assign(new URL(databaseUrl), { username: name, password }).href
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  let last: Promise<unknown> = Promise.resolve()
  /** One after the other, as many as may be asked at once: a client of pg 9 has one query at a time. */
  const ask = async (text: string) => {
    const asked = last.then(() => client.query<unknown[]>({ text, rowMode: 'array' }))
    last = asked.catch(() => {})
    return (await asked).rows
  }
  return {
    name,
    password,
    url,
    client,
    ask,
    refused: (text) =>
      ask(text).then(
        (rows) => `not refused: ${JSON.stringify(rows).slice(0, 200)}`,
        (error: Error) => error.message,
      ),
    leave: async () => {
      await client.end().catch(() => {})
      await dropSqlRole(sql, name)
    },
  }
}

/** A test database as the superuser of its server: our own server has one password for both of its users. */
export const asSuperuser = (databaseUrl: string): string => {
  const { username, password } = process.env['TEST_DATABASE_URL']
    ? new URL(process.env['TEST_DATABASE_URL'])
    : { username: 'postgres', password: new URL(databaseUrl).password }
  return Object.assign(new URL(databaseUrl), { username, password }).href
}
