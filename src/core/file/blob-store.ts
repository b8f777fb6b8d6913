// The bytes of contents, in and out, piece by piece. No connection is held between two pieces, so that any number
// of slow devices can upload at once and slow readers hold up nobody.
//
// Pieces have 128 KiB: in at 150 MB/s and out at 200 MB/s on two cores; 256 KiB gain a quarter and double the memory of
// a slow upload, 64 KiB cost half. Bytes travel binary, by `pg`: as a parameter in, by COPY out. The text that
// postgres.js makes of them takes half the speed and four times the processor.
//
// A piece is committed without waiting for the disk. The sample that is committed last waits for the log up to its own
// place, and all pieces come before it; then a check finds pieces lost by a crash of the database. A database that
// restarts is waited for a little, because an upload of hours should not end by it.
//
// Connections are few, so each use of one has a place (shares.ts): a caller with many files waits for itself, and not the
// others for it.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError, Pool as PgPool } from 'pg'
import type { ClientConfig } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { divideConnections } from '../../base/database/connections.ts'
import { primaryTarget, refuseStandby } from '../../base/database/primary.ts'
import { busy, Fault } from '../../base/errors.ts'
import { openShares } from '../../base/shares.ts'
import type { Holders, Holding, Shares } from '../../base/shares.ts'
import type { Standbys } from '../../base/database/standbys.ts'
import { connectionFault, endsConnection } from '../../base/database/sql.ts'
import type { World } from '../../base/world.ts'
import { historyText } from '../history.ts'
import { graceMinutes, keepContent } from './blob.ts'
import type { Content } from './blob.ts'

export const pieceBytes = 128 * 1024

const leastPieceBytes = 4096
/** A file whose piece comes within this time is fast: a megabyte a second. */
const fastPieceMs = 125
const memoryPatienceMs = 10_000
/** As for other readings (base/http/reading.ts). */
const placePatienceMs = 20_000
const connectWithinMs = 30_000
/** A standby that is not there within this time is worse than the primary. */
const standbyWithinMs = 2000
/** The time between two signs of a writer or reader: well within the grace period of blob.ts. */
const signAfterMs = 120_000

/** The caller that pieces are read or written for. */
export type FileCaller = {
  readonly holders: Holders
  /** Aborts the signal when the client has gone away, and throws an error that says so. */
  readonly whileThere: <T>(work: (signal?: AbortSignal) => Promise<T>) => Promise<T>
}

export type BlobStoreOptions = {
  readonly signEveryMs?: number
  /** How long a place is waited for at the beginning of a file. */
  readonly patienceMs?: number
  readonly standbys?: Standbys | undefined
}

export class BlobStore {
  readonly #world: World
  readonly #connections: FileConnections
  readonly #standbys: Standbys | undefined
  readonly #standbyConnections: ReadonlyMap<string, FileConnections>
  readonly #signEveryMs: number

  constructor(
    world: World,
    databaseUrl: string,
    { signEveryMs = signAfterMs, patienceMs = placePatienceMs, standbys }: BlobStoreOptions = {},
  ) {
    this.#world = world
    this.#signEveryMs = signEveryMs
    const connections = divideConnections(world.config.databaseConnections).files
    const open = (url: string, mayBeStandby = false) =>
      new FileConnections(openPgPool(url, connections, mayBeStandby), connections, patienceMs)
    this.#connections = open(databaseUrl)
    this.#standbys = standbys
    this.#standbyConnections = new Map(standbys?.urls.map((url) => [url, open(url, true)]))
  }

  /** Must be finished or discarded; the holding is of bytes of memory. */
  begin(caller: FileCaller, holding: Holding): Upload {
    return new Upload(this.#connections, this.#signEveryMs, caller, holding)
  }

  /** The bytes of a content from one place until another. */
  async *read(caller: FileCaller, key: number, from: number, until: number): AsyncGenerator<Buffer> {
    let signedMs = performance.now()
    for (let at = from; at < until;) {
      const number = Math.floor(at / pieceBytes)
      const skip = at - number * pieceBytes
      const length = Math.min(until - at, pieceBytes - skip)
      const patience = at === from ? briefly : forLong
      const bytes = await caller.whileThere((signal) =>
        this.#readPiece({ holders: caller.holders, signal, patience }, key, number, skip, length),
      )
      if (bytes?.length !== length) throw new Error(`content ${key} has no bytes at ${at}`)
      yield bytes
      at += length
      if (performance.now() - signedMs > this.#signEveryMs) {
        await keepContent(this.#world.sql, key)
        signedMs = performance.now()
      }
    }
  }

  /** By a standby that has it, unless that fails. */
  async #readPiece(turn: Turn, ...piece: Piece): Promise<Buffer | undefined> {
    const chosen = await this.#standbys?.choose()
    if (chosen) {
      const setAside = () => {
        this.#standbys!.setAside(chosen.url)
        return undefined
      }
      const standby = this.#standbyConnections.get(chosen.url)!
      const bytes = await standby.use(turn, (pool) => readFrom(pool, ...piece).catch(setAside))
      // One name may stand for several standbys, of which another has it. A piece that is there never changes.
      if (bytes !== undefined) return bytes
    }
    return this.#connections.usePatiently(turn, (pool) => readFrom(pool, ...piece))
  }

  async close(): Promise<void> {
    await Promise.all([this.#connections, ...this.#standbyConnections.values()].map((each) => each.close()))
  }
}

/** One use of a connection: whose it is, and how long it is waited for. */
type Turn = {
  readonly holders: Holders
  readonly signal: AbortSignal | undefined
  readonly patience: Patience
}

/** The connections to one server, and the places at them. */
class FileConnections {
  readonly #pool: PgPool
  readonly #places: Shares
  readonly #patienceMs: number

  constructor(pool: PgPool, connections: number, patienceMs: number) {
    this.#pool = pool
    this.#places = openShares(connections)
    this.#patienceMs = patienceMs
  }

  async use<T>({ holders, signal, patience }: Turn, work: (pool: PgPool) => Promise<T>): Promise<T> {
    const place = this.#places.open(holders)
    if (!(await place.wait(1, patience.times * this.#patienceMs, signal)))
      throw busy('too many pieces of files at once')
    try {
      return await work(this.#pool)
    } finally {
      place.give()
    }
  }

  /** Waits a little for a database that is away; it has no place meanwhile. */
  usePatiently<T>(turn: Turn, work: (pool: PgPool) => Promise<T>): Promise<T> {
    return patiently(turn.patience, () => this.use(turn, work))
  }

  close(): Promise<void> {
    return this.#pool.end()
  }
}

type Piece = readonly [key: number, number: number, skip: number, length: number]

const readFrom = async (pool: PgPool, ...[key, number, skip, length]: Piece): Promise<Buffer | undefined> => {
  const client = await pool.connect().catch(throwAway)
  try {
    const copy = client.query(
      // COPY takes no parameters; these are integers of our own.
      copyTo(`copy (
          select substring(bytes from ${skip + 1} for ${length})
          from blob_piece where blob_key = ${key} and number = ${number}
        ) to stdout (format binary)`),
    )
    const chunks: Buffer[] = []
    for await (const chunk of copy as AsyncIterable<Buffer>) chunks.push(chunk)
    client.release()
    return onlyField(Buffer.concat(chunks))
  } catch (error) {
    client.release(true)
    return throwAway(error)
  }
}

/** One content on its way in: bytes are gathered into a piece, which is written when it is full. */
export class Upload {
  readonly #connections: FileConnections
  readonly #signEveryMs: number
  readonly #caller: FileCaller
  readonly #hash = createHash('sha256')
  readonly #holding: Holding
  #key: number | undefined
  /** Of the database that gave the key (../history.ts): in another one the key may be another upload's. */
  #history = ''
  #pieces = 0
  #piece: Buffer | undefined
  #filled = 0
  #size = 0
  #signedMs = 0
  /** The beginning of the piece. */
  #begunMs = performance.now()

  constructor(connections: FileConnections, signEveryMs: number, caller: FileCaller, holding: Holding) {
    this.#connections = connections
    this.#signEveryMs = signEveryMs
    this.#caller = caller
    this.#holding = holding
  }

  async write(chunk: Buffer): Promise<void> {
    this.#size += chunk.length
    this.#hash.update(chunk)
    for (let at = 0; at < chunk.length;) {
      const piece = await this.#pieceFor(this.#filled + chunk.length - at)
      const copied = chunk.copy(piece, this.#filled, at)
      at += copied
      this.#filled += copied
      if (this.#filled < pieceBytes) continue
      await this.#writePiece(piece)
      // A fast file's next piece takes the same memory; a slow one would hold it for long.
      if (performance.now() - this.#begunMs > fastPieceMs) this.#letGo()
      this.#begunMs = performance.now()
    }
    if (this.#key !== undefined && performance.now() - this.#signedMs > this.#signEveryMs) await this.#sign(this.#key)
  }

  /** Writes the rest; from here on the content waits to be published. */
  async finish(contentType: string): Promise<Content> {
    if (this.#filled > 0 || this.#key === undefined)
      await this.#writePiece(this.#piece?.subarray(0, this.#filled) ?? Buffer.alloc(0))
    this.#letGo()
    const hash = this.#hash.digest()
    return { key: this.#key!, history: this.#history, size: this.#size, pieces: this.#pieces, hash, contentType }
  }

  /** Leaves nothing behind; a content that has been published after all stays. */
  async discard(): Promise<void> {
    this.#letGo()
    // Also when the client has gone.
    if (this.#key !== undefined) await this.#query(undefined, discard, [this.#key, this.#history])
  }

  async #writePiece(bytes: Buffer): Promise<void> {
    if (this.#key === undefined) {
      const made = await this.#ask(insertFirst, [bytes])
      this.#key = Number(made!.key)
      this.#history = made!.history
      this.#signedMs = performance.now()
    } else if ((await this.#ask(insertNext, [this.#key, this.#pieces, bytes, this.#history])) === undefined)
      throw busy('the upload took too long, try again')
    this.#pieces += 1
    this.#filled = 0
  }

  async #sign(key: number): Promise<void> {
    await this.#ask(sign, [key])
    this.#signedMs = performance.now()
  }

  #ask(statement: Statement, values: unknown[]): Promise<Made | undefined> {
    return this.#caller.whileThere((signal) => this.#query(signal, statement, values))
  }

  /** The row that the statement returns, if it does. */
  async #query(
    signal: AbortSignal | undefined,
    { patience = briefly, ...config }: Statement,
    values: unknown[],
  ): Promise<Made | undefined> {
    const turn = { holders: this.#caller.holders, signal, patience }
    const ask = (pool: PgPool) => pool.query<Made>({ ...config, values }).catch(throwAway)
    return (await this.#connections.usePatiently(turn, ask)).rows[0]
  }

  /** Memory for so many bytes of the piece, and no more than twice as many: a thousand slow files hold little. */
  async #pieceFor(bytes: number): Promise<Buffer> {
    const wanted = Math.min(bytes, pieceBytes)
    if (this.#piece && this.#piece.length >= wanted) return this.#piece
    const size = Math.min(pieceBytes, Math.max(wanted, 2 * (this.#piece?.length ?? 0), leastPieceBytes))
    if (!(await this.#holding.wait(size - this.#holding.amount, memoryPatienceMs)))
      throw busy('too many files are being uploaded')
    const piece = Buffer.allocUnsafeSlow(size)
    this.#piece?.copy(piece, 0, 0, this.#filled)
    this.#piece = piece
    return piece
  }

  #letGo(): void {
    this.#piece = undefined
    this.#holding.give()
  }
}

type Patience = {
  /** A place is waited for so many times as long as by others. */
  readonly times: number
  /** The waits before each further attempt at a database that is away. */
  readonly delaysMs: readonly number[]
}

// A caller that has just come learns soon that it is not its turn, or the database is away; one in the middle of a file
// would lose all that it has sent.
const briefly: Patience = { times: 1, delaysMs: [50] }
const forLong: Patience = { times: 6, delaysMs: [50, 500, 2000, 4000, 8000, 8000] }

const afterGrace = `now() + interval '${graceMinutes} minutes'`

type Statement = { readonly name: string; readonly text: string; readonly patience?: Patience }

const insertFirst: Statement = {
  name: 'insert-first-piece',
  text: `
    with made as (insert into blob (check_at) values (${afterGrace}) returning key)
    insert into blob_piece (blob_key, number, bytes) select key, 0, $1 from made
    returning blob_key as key, ${historyText} as history`,
}

// The lock keeps the sweeper away, and a content that it took gets no further pieces. A piece may come twice: the
// answer to the first time was lost.
const insertNext: Statement = {
  name: 'insert-next-piece',
  text: `
    insert into blob_piece (blob_key, number, bytes) select key, $2, $3 from blob where key = $1 and ${historyText} = $4 for key share
    on conflict (blob_key, number) do update set bytes = excluded.bytes
    returning blob_key as key`,
  patience: forLong,
}

const sign: Statement = {
  name: 'sign-blob',
  text: `update blob set check_at = ${afterGrace} where key = $1`,
  patience: forLong,
}

const discard: Statement = {
  name: 'discard-blob',
  text: `
    with gone as (delete from blob where key = $1 and stream_key is null and ${historyText} = $2 returning key)
    delete from blob_piece using gone where blob_key = gone.key`,
}

type Made = { readonly key: string; readonly history: string }

const openPgPool = (databaseUrl: string, connections: number, mayBeStandby: boolean): PgPool => {
  // The pool makes all its clients of the same options, and each needs a place of its own.
  class FileClient extends Client {
    constructor(options: ClientConfig = {}) {
      const within = mayBeStandby ? { connectionTimeoutMillis: standbyWithinMs } : {}
      super({ ...options, ...primaryTarget(databaseUrl), ...within })
    }
  }
  const pool = new PgPool({
    Client: FileClient,
    application_name: 'coppice files',
    max: connections,
    connectionTimeoutMillis: connectWithinMs,
    onConnect: async (client) => {
      if (!mayBeStandby) await refuseStandby(client)
      await client.query('set synchronous_commit = off; set statement_timeout = 60000; set lock_timeout = 20000')
    },
  })
  // A connection that breaks while it is idle is replaced when it is needed.
  pool.on('error', () => {})
  return pool
}

/** An error that is not of the statement is one of the connection: it ended, or could not be had in time. */
const throwAway = (error: unknown): never => {
  throw error instanceof DatabaseError && !endsConnection(error) ? error : connectionFault(error)
}

const awayCodes: ReadonlySet<string> = new Set(['database_away', 'database_busy'])

const patiently = async <T>({ delaysMs }: Patience, work: () => Promise<T>): Promise<T> => {
  for (const delayMs of delaysMs) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Fault) || !awayCodes.has(error.code)) throw error
      await sleep(delayMs)
    }
  }
  return work()
}

const copyHeaderBytes = 19

/** The only field of the only row in COPY's binary format; undefined when there is none. */
const onlyField = (copied: Buffer): Buffer | undefined => {
  const fields = copied.readInt16BE(copyHeaderBytes)
  if (fields < 1) return undefined
  const length = copied.readInt32BE(copyHeaderBytes + 2)
  return length < 0 ? undefined : copied.subarray(copyHeaderBytes + 6, copyHeaderBytes + 6 + length)
}
