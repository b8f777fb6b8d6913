// Facts of the whole installation: the check that the master key is the one this database knows. With another key every
// API key would be unknown and every encrypted secret lost; better not to start.
import type { Secrets } from '../base/secret.ts'
import type { Sql } from '../base/database/sql.ts'
import { StartError } from '../base/start-error.ts'

/** Whether it has seen no master key yet. */
export const isNewInstallation = async (sql: Sql): Promise<boolean> =>
  (await sql`select from installation limit 1`).length === 0

export const checkMasterKey = async (sql: Sql, secrets: Secrets): Promise<void> => {
  const check = secrets.hash('master key')
  await sql`insert into installation (key_check) values (${check}) on conflict do nothing`
  const [row] = await sql<[{ keyCheck: Buffer }]>`select key_check as "keyCheck" from installation`
  if (!check.equals(row.keyCheck)) throw wrongMasterKey()
}

/** A backup of everything was made; nothing depends on it, but somebody may ask how old the last one is. */
export const noteBackup = async (sql: Sql, atMs: number): Promise<void> => {
  await sql`update installation set backed_up_at = ${atMs}`
}

/** The database on its disk. Each file is looked at, so not too often. */
export const databaseBytes = async (sql: Sql): Promise<number> => {
  const [row] = await sql<[{ bytes: number }]>`select pg_database_size(current_database())::bigint as bytes`
  return row.bytes
}

export const wrongMasterKey = () =>
  new StartError(
    'The master key is not the one this database was made with: set MASTER_KEY, or give DATA_DIR its master.key back.',
  )
