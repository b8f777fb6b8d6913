// Makes a backup of a database in use: all tables by one snapshot, so that it is the state of one moment, however long it
// takes. Nobody waits for it; a new version of the schema, the dropping of chunks and compression wait until it is done.
//
// Measured against PostgreSQL's own tools: see README.md. Memory stays flat: a piece is compressed while the next one is
// read, and no more is held.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { migrationNames, presentMigrations } from '../../base/database/migrate.ts'
import { primaryTarget } from '../../base/database/primary.ts'
import { openSecrets } from '../../base/secret.ts'
import { productVersion } from '../../base/version.ts'
import { BackupError } from './backup-error.ts'
import type { Head, Sums, Table, TableSum } from './format.ts'
import { format, headName, pieceBytes, pieceName, sha256, signedText, sumsName } from './format.ts'
import type { SealedKey } from './sealed-key.ts'
import { authenticate, sealKey } from './sealed-key.ts'
import { copyOut, sequencesOf, tablesOf } from './tables.ts'
import { tarEnd, tarEntry } from './tar.ts'

export type BackupOptions = {
  readonly databaseUrl: string
  readonly masterKey: string
  /** Undefined leaves the master key out: it must then be kept elsewhere. */
  readonly passphrase: string | undefined
  /** The cost of guessing the passphrase, where it is not the usual one. */
  readonly cost?: SealedKey['cost']
  readonly nowMs: number
  /** Takes the next bytes of the file. */
  readonly output: (bytes: Buffer) => Promise<unknown>
  readonly progress?: (done: Progress) => void
  /** Aborted when it is to end early. */
  readonly signal?: AbortSignal
}

/** Bytes are those of the file so far. */
export type Progress = { readonly table: string; readonly bytes: number }

export type Backup = { readonly bytes: number; readonly rows: number; readonly tables: readonly TableSum[] }

const compress = promisify(gzip)

export const writeBackup = async (options: BackupOptions): Promise<Backup> => {
  const { databaseUrl, masterKey, passphrase, nowMs, output, signal } = options
  const sealed = passphrase === undefined ? null : await sealKey(masterKey, passphrase, options.cost)
  const client = await connect(databaseUrl)
  let bytes = 0
  const put = async (name: string, body: Buffer) => {
    signal?.throwIfAborted()
    const entry = tarEntry({ name, body }, nowMs)
    bytes += entry.length
    await output(entry)
  }
  try {
    await takeSnapshot(client)
    const head: Head = { ...(await describe(client, masterKey, nowMs)), masterKey: sealed }
    const headBody = Buffer.from(JSON.stringify(head, null, 2))
    await put(headName, headBody)
    const tables: TableSum[] = []
    for (const table of head.tables) {
      const report = () => options.progress?.({ table: table.name, bytes })
      tables.push(await writeTable(client, table, put, report))
    }
    // Last, so that no row has a number that its sequence has not given.
    const parts = { head: sha256(headBody), tables, sequences: await sequencesOf(client, head.tables) }
    const sums: Sums = { ...parts, authentication: authenticate(masterKey, signedText(parts)) }
    await put(sumsName, Buffer.from(JSON.stringify(sums, null, 2)))
    await output(tarEnd())
    return { bytes: bytes + tarEnd().length, rows: tables.reduce((sum, { rows }) => sum + rows, 0), tables }
  } finally {
    await client.end().catch(() => {})
  }
}

const connect = async (databaseUrl: string): Promise<Client> => {
  const client = new Client({ ...primaryTarget(databaseUrl), application_name: 'coppice backup' })
  // A connection that breaks fails the query under way; the event as well must not end the process.
  client.on('error', () => {})
  await client.connect()
  return client
}

const takeSnapshot = async (client: Client) => {
  await client.query(
    'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0; set timezone = UTC',
  )
  if ((await presentMigrations(client)).length === 0)
    throw new BackupError('There is nothing to back up: this database has never been used by Coppice.')
  await client.query('begin isolation level repeatable read read only')
  // A chunk that is dropped is gone for old snapshots as well; LOCK takes no snapshot yet.
  await client.query('lock table chunk_hold in access share mode')
}

const describe = async (client: Client, masterKey: string, nowMs: number): Promise<Omit<Head, 'masterKey'>> => {
  const migrations = await presentMigrations(client)
  const ours = await migrationNames()
  // Of an older version is fine: its migrations are known.
  if (migrations.some((name, n) => name !== ours[n]))
    throw new BackupError(
      'The database is of another version of Coppice: make the backup with the program of that version.',
    )
  const { rows } = await client.query<{ postgres: string; timescaledb: string; license: string; keyCheck: Buffer }>(
    `select current_setting('server_version') as postgres,
       (select extversion from pg_extension where extname = 'timescaledb') as timescaledb,
       current_setting('timescaledb.license') as license, key_check as "keyCheck"
     from installation`,
  )
  const found = rows[0]
  if (found === undefined) throw new BackupError('There is nothing to back up: no server has used this database yet.')
  if (!openSecrets(masterKey).hash('master key').equals(found.keyCheck))
    throw new BackupError(
      'The master key is not the one this database was made with: a backup with it would be of no use.',
    )
  return {
    format,
    version: productVersion,
    madeAtMs: nowMs,
    postgres: found.postgres,
    timescaledb: found.timescaledb,
    edition: found.license === 'timescale' ? 'community' : 'apache',
    migrations,
    tables: await tablesOf(client, migrations),
    keyCheck: found.keyCheck.toString('hex'),
  }
}

type Put = (name: string, body: Buffer) => Promise<void>

const writeTable = async (client: Client, table: Table, put: Put, report: () => void): Promise<TableSum> => {
  const copy = client.query(copyTo(copyOut(table)))
  const hash = createHash('sha256')
  let bytes = 0
  let pieces = 0
  let writing = Promise.resolve()
  const write = async (packing: Promise<Buffer>, number: number) => {
    const body = await packing
    hash.update(body)
    bytes += body.length
    await put(pieceName(table.name, number), body)
    report()
  }
  try {
    for await (const piece of inPieces(copy as AsyncIterable<Buffer>)) {
      const packing = compress(piece, { level: 1 })
      // The last one may still be on its way to the file, none before it.
      await writing
      pieces += 1
      writing = write(packing, pieces)
      // Reported where it is waited for.
      writing.catch(() => {})
    }
    await writing
  } catch (error) {
    copy.destroy()
    throw error
  }
  return { name: table.name, rows: copy.rowCount, pieces, bytes, sha256: hash.digest('hex') }
}

/** The bytes of a stream in buffers of 4 MiB; the last has what is left. */
async function* inPieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let heldBytes = 0
  for await (const chunk of chunks) {
    held.push(chunk)
    heldBytes += chunk.length
    if (heldBytes < pieceBytes) continue
    yield Buffer.concat(held)
    held = []
    heldBytes = 0
  }
  if (heldBytes > 0) yield Buffer.concat(held)
}
