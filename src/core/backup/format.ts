// The parts of a backup, which is one tar archive:
//
//   coppice-backup.json            what it is: version, migrations, tables, the sealed master key
//   <table>/000001.gz …            the rows of each table as COPY gives them, in pieces; joined and unpacked they are one COPY
//   checksums.json                 rows, pieces and SHA-256 of each table, and a checksum made with the master key
//
// The last part is written when all others are, so a backup that was broken off has none and is refused.
import { createHash } from 'node:crypto'
import type { SealedKey } from './sealed-key.ts'
import { damaged } from './tar.ts'

export const format = 1
export const headName = 'coppice-backup.json'
export const sumsName = 'checksums.json'

/** The bytes of a piece before it is compressed. */
export const pieceBytes = 4 * 2 ** 20

export type Table = { readonly name: string; readonly columns: readonly string[] }

export type Head = {
  readonly format: number
  readonly version: string
  readonly madeAtMs: number
  readonly postgres: string
  readonly timescaledb: string
  readonly edition: string
  readonly migrations: readonly string[]
  /** In an order in which each table comes after those that it refers to. */
  readonly tables: readonly Table[]
  /** The hash by which the database knows its master key. */
  readonly keyCheck: string
  /** Null where it was left out. */
  readonly masterKey: SealedKey | null
}

export type TableSum = {
  readonly name: string
  readonly rows: number
  readonly pieces: number
  readonly bytes: number
  readonly sha256: string
}

export type Sums = {
  readonly head: string
  readonly tables: readonly TableSum[]
  /** The last number that each sequence has given. */
  readonly sequences: Readonly<Record<string, string>>
  readonly authentication: string
}

/** The text that `authentication` is made of. */
export const signedText = ({ head, tables, sequences }: Omit<Sums, 'authentication'>) =>
  JSON.stringify([
    head,
    tables.map(({ name, rows, pieces, bytes, sha256 }) => [name, rows, pieces, bytes, sha256]),
    sequences,
  ])

export const pieceName = (table: string, number: number) => `${table}/${String(number).padStart(6, '0')}.gz`

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

export const readHead = (body: Buffer): Head => {
  const head = parse(body) as Head
  if (typeof head.format !== 'number' || !Array.isArray(head.tables) || !Array.isArray(head.migrations))
    throw damaged('its first part does not describe one')
  return head
}

export const readSums = (body: Buffer): Sums => {
  const sums = parse(body) as Sums
  if (!Array.isArray(sums.tables) || typeof sums.sequences !== 'object') throw damaged('its last part has no checksums')
  return sums
}

const parse = (body: Buffer): object => {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Said below.
  }
  throw damaged('it has a part that cannot be read')
}
