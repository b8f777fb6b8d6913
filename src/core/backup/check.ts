// Reads a backup from its first byte to its last and finds out whether it is whole, unchanged, of a version that can be
// restored here, and whether the master key fits. Nothing else is touched before that.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { migrationNames } from '../../base/database/migrate.ts'
import { openSecrets } from '../../base/secret.ts'
import { BackupError } from './backup-error.ts'
import type { Head, Sums, Table, TableSum } from './format.ts'
import { format, headName, pieceName, readHead, readSums, sha256, signedText, sumsName } from './format.ts'
import { authenticate, openKey } from './sealed-key.ts'
import type { Entry } from './tar.ts'
import { damaged, readTar } from './tar.ts'

export type CheckOptions = {
  readonly path: string
  /** Asked for where the backup holds a sealed master key. */
  readonly passphrase: () => Promise<string>
  /** The master key of this server, where it has one: needed when the backup holds none. */
  readonly masterKey: string | undefined
}

export type Checked = { readonly path: string; readonly head: Head; readonly sums: Sums; readonly masterKey: string }

export const checkBackup = async ({ path, passphrase, masterKey: given }: CheckOptions): Promise<Checked> => {
  const parts = openParts(path)
  try {
    const { head, headSum } = await beginning(parts)
    await refuseNewer(head)
    const masterKey = await keyOf(head, passphrase, given)
    const tables: TableSum[] = []
    for (const table of head.tables) tables.push(await sumOf(parts, table))
    const sums = readSums((await parts.take(sumsName)).body)
    if (sums.head !== headSum || JSON.stringify(sums.tables.map(countless)) !== JSON.stringify(tables))
      throw damaged('its checksums differ from what it holds')
    if (sums.authentication !== authenticate(masterKey, signedText(sums)))
      throw damaged('it was changed after it was made')
    return { path, head, sums, masterKey }
  } finally {
    await parts.close()
  }
}

/** Rows are known to COPY alone; they are signed, and compared when they are stored. */
const countless = ({ name, pieces, bytes, sha256: sum }: TableSum) => ({ name, rows: 0, pieces, bytes, sha256: sum })

export type Parts = {
  /** The next entry, which must have this name. */
  readonly take: (name: string) => Promise<Entry>
  /** The pieces of a table, in order. */
  readonly pieces: (table: Table) => AsyncGenerator<Buffer>
  readonly close: () => Promise<void>
}

export const openParts = (path: string): Parts => {
  const stream = createReadStream(path, { highWaterMark: 2 ** 20 })
  const entries = readTar(stream as AsyncIterable<Buffer>)
  let next: Entry | undefined
  const peek = async (): Promise<Entry> => {
    try {
      next ??= (await entries.next()).value as Entry | undefined
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      throw code === undefined ? error : new BackupError(`The backup cannot be read: ${message}.`, error)
    }
    if (next === undefined) throw damaged('it ends in the middle')
    return next
  }
  const take = async (name: string) => {
    const entry = await peek()
    if (entry.name !== name) throw damaged(`${name} is missing`)
    next = undefined
    return entry
  }
  return {
    take,
    pieces: async function* pieces({ name }) {
      for (let number = 1; (await peek()).name === pieceName(name, number); number++) {
        const { body } = await peek()
        next = undefined
        yield body
      }
    },
    close: async () => {
      stream.destroy()
      await entries.return(undefined).catch(() => {})
    },
  }
}

const beginning = async (parts: Parts): Promise<{ readonly head: Head; readonly headSum: string }> => {
  const { body } = await parts.take(headName)
  return { head: readHead(body), headSum: sha256(body) }
}

const refuseNewer = async ({ format: given, version, migrations }: Head): Promise<void> => {
  if (given > format)
    throw new BackupError(`This backup was made by Coppice ${version}, which is newer: restore it with that version.`)
  const ours = await migrationNames()
  const strange = migrations.find((name, n) => name !== ours[n])
  if (strange !== undefined)
    throw new BackupError(
      `This backup was made by another version of Coppice, ${version} (it has ${strange}, unknown here): restore it with that version.`,
    )
}

const keyOf = async (
  { keyCheck, masterKey: sealed }: Head,
  passphrase: () => Promise<string>,
  given: string | undefined,
): Promise<string> => {
  const isRight = (key: string) => openSecrets(key).hash('master key').toString('hex') === keyCheck
  if (sealed === null) {
    if (given !== undefined && isRight(given)) return given
    throw new BackupError(
      'This backup was made without its master key: set MASTER_KEY to the key of the server that it is from, or put its master.key into DATA_DIR.',
    )
  }
  const key = await openKey(sealed, await passphrase())
  if (!isRight(key)) throw damaged('its master key is not that of its data')
  if (given !== undefined && given !== key) throw otherKey()
  return key
}

export const otherKey = () =>
  new BackupError(
    'The master key here (MASTER_KEY, or master.key in DATA_DIR) is not the one of the backup: take it away, or set the right one.',
  )

const sumOf = async (parts: Parts, table: Table): Promise<TableSum> => {
  const hash = createHash('sha256')
  let bytes = 0
  let pieces = 0
  for await (const piece of parts.pieces(table)) {
    hash.update(piece)
    bytes += piece.length
    pieces += 1
  }
  return { name: table.name, rows: 0, pieces, bytes, sha256: hash.digest('hex') }
}
