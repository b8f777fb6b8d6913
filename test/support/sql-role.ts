// A person who asks by SQL: a role of an organization, and a connection by it (docs/bi.md).
import { Client } from 'pg'
import { createSqlRole, dropSqlRole } from '../../src/core/sql-role.ts'
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
  const { name, password } = await createSqlRole(sql, { organizationUid }, nowMs)
  const url = Object.assign(new URL(databaseUrl), { username: name, password }).href
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const ask = async (text: string) => (await client.query<unknown[]>({ text, rowMode: 'array' })).rows
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
