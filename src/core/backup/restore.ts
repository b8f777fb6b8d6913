// Restores a checked backup into an empty database. The schema is brought to the state that the backup was made in, by
// the same migrations, which never change; then all rows are stored in one transaction, so that a restore that was broken
// off has stored none and can be begun again. A server that starts then brings the schema up to date, as always.
//
// Nothing of the database's own is carried over: it may be of another version of PostgreSQL or TimescaleDB, or of the
// other edition.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { holdSchema, migrate, presentMigrations } from '../../base/database/migrate.ts'
import { primaryTarget } from '../../base/database/primary.ts'
import type { Log } from '../../base/log.ts'
import { BackupError } from './backup-error.ts'
import type { Checked, Parts } from './check.ts'
import { openParts } from './check.ts'
import type { Table, TableSum } from './format.ts'
import { headName, pieceBytes } from './format.ts'
import { copyIn, setSequences } from './tables.ts'
import { damaged } from './tar.ts'
import type { Progress } from './write.ts'

export type RestoreOptions = {
  readonly checked: Checked
  readonly databaseUrl: string
  readonly log: Log
  readonly progress?: (done: Progress) => void
  /** The master key is kept before the rows that need it are there for good. */
  readonly beforeCommit?: () => Promise<void>
}

/** Refuses a database that holds anything but what a restore that was broken off has left: the schema without a row. */
export const refuseUsed = async (databaseUrl: string, { head }: Checked): Promise<void> => {
  const client = await connect(databaseUrl)
  try {
    const present = await presentMigrations(client)
    const isFree =
      present.length === 0
        ? await isWithoutTables(client)
        : present.every((name, n) => name === head.migrations[n]) &&
          (await client.query('select from installation')).rows.length === 0
    if (!isFree) throw notEmpty()
  } finally {
    await client.end().catch(() => {})
  }
}

const isWithoutTables = async (client: Client): Promise<boolean> => {
  const { rows } = await client.query(
    `select
     from pg_class
     where relkind in ('r', 'p', 'v', 'm') and relnamespace = current_schema()::regnamespace
       and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
     limit 1`,
  )
  return rows.length === 0
}

const notEmpty = () =>
  new BackupError(
    'The database is not empty, and a backup is restored into an empty one only: name another DATABASE_URL or, without DATABASE_URL, another DATA_DIR.',
  )

export const restoreBackup = async ({
  checked,
  databaseUrl,
  log,
  progress,
  beforeCommit,
}: RestoreOptions): Promise<void> => {
  const { path, head, sums } = checked
  await refuseUsed(databaseUrl, checked)
  await migrate(databaseUrl, log, undefined, undefined, head.migrations.length)
  const client = await connect(databaseUrl)
  const parts = openParts(path)
  try {
    await client.query('begin')
    // A server that started meanwhile has made an installation of its own, or a later schema, by which these rows would have to be changed; one that
    // starts now waits, and finds these.
    await holdSchema(client)
    await client.query('lock table installation in share row exclusive mode')
    const isAsMade = (await presentMigrations(client)).length === head.migrations.length
    if (!isAsMade || (await client.query('select from installation')).rows.length > 0) throw notEmpty()
    // Rows that the migrations made stand in the way of the same rows of the backup. Not by truncate, which would take
    // away the chunks that the migrations have laid out.
    for (const { name } of head.tables.toReversed()) await client.query(`delete from ${name}`)
    await parts.take(headName)
    let bytes = 0
    for (const [n, table] of head.tables.entries())
      await storeTable(client, parts, table, sums.tables[n]!, (more) => {
        bytes += more
        progress?.({ table: table.name, bytes })
      })
    await setSequences(client, sums.sequences)
    await beforeCommit?.()
    await client.query('commit')
    // Plans of the first calls would be made for empty tables.
    await client.query(`analyze ${head.tables.map(({ name }) => name).join(', ')}`)
  } finally {
    await parts.close()
    await client.end().catch(() => {})
  }
}

const connect = async (databaseUrl: string): Promise<Client> => {
  const client = new Client({ ...primaryTarget(databaseUrl), application_name: 'coppice restore' })
  client.on('error', () => {})
  await client.connect()
  await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set timezone = UTC')
  return client
}

const unpack = promisify(gunzip)

const storeTable = async (
  client: Client,
  parts: Parts,
  table: Table,
  expected: TableSum,
  report: (bytes: number) => void,
): Promise<void> => {
  const hash = createHash('sha256')
  const unpacked = async function* unpacked() {
    for await (const piece of parts.pieces(table)) {
      hash.update(piece)
      // A piece ends with the chunk that filled it.
      yield await unpack(piece, { maxOutputLength: 4 * pieceBytes })
      report(piece.length)
    }
  }
  const triggers = await triggersOf(client, table)
  for (const name of triggers) await client.query(`alter table ${table.name} disable trigger ${name}`)
  const copy = client.query(copyFrom(copyIn(table)))
  await pipeline(Readable.from(unpacked()), copy)
  for (const name of triggers) await client.query(`alter table ${table.name} enable trigger ${name}`)
  // The file may have changed since it was checked; then nothing is committed.
  if (hash.digest('hex') !== expected.sha256 || copy.rowCount !== expected.rows)
    throw damaged('it was changed while it was restored')
}

/** Our own ones, which report changes to servers that run; there are none. */
const triggersOf = async (client: Client, { name }: Table): Promise<readonly string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(tgname) as name
     from pg_trigger
     join pg_proc on pg_proc.oid = tgfoid
     where tgrelid = $1::regclass and not tgisinternal and pronamespace::regnamespace::text !~ '^_timescaledb'`,
    [name],
  )
  return rows.map((row) => row.name)
}
