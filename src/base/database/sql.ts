// The database as the rest of the code sees it: a postgres.js tag whose times are epoch milliseconds,
// and the one place where Postgres error codes become Faults.
import type postgres from 'postgres'
import {
  badRequest,
  busy,
  conflict,
  databaseAway,
  databaseFull,
  databaseReadOnly,
  Fault,
  StandbyLost,
  tookTooLong,
  tooManyConnections,
} from '../errors.ts'
import { unreplicatedRoutine } from './socket.ts'

type Types = { timestamptz: number; int8: number | bigint }

/** A query runs on the pool (Sql) or inside sql.begin(sql => ...) (Transaction); most functions take either. */
export type Pool = postgres.Sql<Types>
export type Transaction = postgres.TransactionSql<Types>
export type Sql = Pool | Transaction
/** A piece of SQL that stands inside another. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

/** Runs the work in one transaction; the parameter shadows the pool's name, so that the pool cannot slip in. */
export const transaction = <T>(pool: Pool, work: (sql: Transaction) => Promise<T>): Promise<T> =>
  pool.begin(work) as Promise<T>

/**
 * Runs queries that all see the database as it is at one moment; with a name, as it is seen by the transaction that
 * gave the name, which is on the same server and still open.
 */
export const snapshot = <T>(pool: Pool, read: (sql: Transaction) => Promise<T>, name?: string): Promise<T> =>
  pool.begin('isolation level repeatable read read only', async (sql) => {
    if (name !== undefined) await sql.unsafe(`set transaction snapshot '${name}'`)
    return read(sql)
  }) as Promise<T>

/** The name by which another transaction can see the same state as this one. */
export const snapshotName = async (sql: Transaction): Promise<string> => {
  const [row] = await sql<[{ name: string }]>`select pg_export_snapshot() as name`
  return row.name
}

/** A timestamptz as Postgres reads it. Samples lie in the years 1 to 9999; the intervals around them may not. */
export const timestamptzFromMs = (ms: number): string => {
  const text = new Date(ms).toISOString()
  if (text.length === 24) return text.startsWith('0000') ? `0001${text.slice(4)} BC` : text
  // Beyond four digits ISO has a sign and six: +010000-01-01T00:00:00.000Z, and -000001 is the year 2 BC.
  const year = Number(text.slice(1, 7))
  return text.startsWith('+') ? `${year}${text.slice(7)}` : `${String(year + 1).padStart(4, '0')}${text.slice(7)} BC`
}

/** Reads '2026-11-15 01:31:48.25+00', which is how Postgres writes a timestamptz in a UTC session. */
export const msFromTimestamptz = (text: string): number =>
  text[10] === ' ' && !text.endsWith('C') ? Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : msFromFar(text)

/** Reads '10000-01-01 00:00:00+00' and '0001-12-31 00:00:00+00 BC'. */
const msFromFar = (text: string): number => {
  const [, year, day, time, era] = /^(\d+)-(\d\d-\d\d) ([\d:.]+)\+00( BC)?$/.exec(text) ?? []
  if (year === undefined) throw new RangeError(`'${text}' is not a time`)
  const isoYear = era ? 1 - Number(year) : Number(year)
  const sign = isoYear < 0 ? '-' : '+'
  return Date.parse(`${isoYear === 0 ? '0000' : sign + String(Math.abs(isoYear)).padStart(6, '0')}-${day}T${time}Z`)
}

/** int8 is a number while that is exact, else a bigint. */
export const integerFromText = (text: string): number | bigint => {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'NO_TLS',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08001',
  '08003',
  '08006',
  // Of a commit that may be on no standby (socket.ts).
  '08007',
])

/** The code of an error that came from Postgres or the way to it, such as 23505; undefined for others. */
export const sqlCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/**
 * Whether the database ends the connection with this error, and not the statement only. By the code: an error says so in
 * the language of the server.
 */
export const endsConnection = (error: unknown): boolean =>
  /^(08...|25P0[34]|28...|3D000|53300|55000|57P..)$/.test(sqlCode(error) ?? '')

/** A failed query as a Fault for its caller; errors with no meaning to a caller pass unchanged. */
export const faultFromSql = (error: unknown): unknown => {
  if (error instanceof Fault) return error
  const code = sqlCode(error)
  // A NUL, wherever a caller may write text: in a path, a search, an ID.
  if (code === '22021') return badRequest('a text has a character that cannot be stored')
  // Rules of use are checked before; this catches a change that slips in between two transactions.
  if (code === '23503') return conflict('something that this needs, or that needs it, was changed just now')
  // Two calls took the same locks in another order; Postgres ended this one, which has stored nothing.
  if (code === '40P01') return busy('another call was in the way, try again')
  // Raised by lock_timeout.
  if (code === '55P03') return busy('another call is in the way, try again')
  if (code === '53200') return busy('the database is out of memory or locks, try again')
  if (code === '53100') return databaseFull(error)
  if (code === '25006') return databaseReadOnly(error)
  if (code === '53300') return fullness.note(error)
  // Raised by temp_file_limit.
  if (code === '53400') return badRequest('sorting or grouping takes more disk than allowed')
  // Raised by statement_timeout; or the query was cancelled in place of the one before it on its connection, which
  // ended at that moment.
  if (code === '57014') return tookTooLong(error)
  return code !== undefined && awayCodes.has(code) ? fullness.nameOf(error, lateCodes.has(code)) : error
}

/**
 * Codes, or classes of them, of a standby that is behind, that lost what was read to a change of the primary, that refuses
 * us, has too little of something, or is broken.
 */
const standbyCodes = /^(25006|40...|55000|28...|3D...|53[123]..|58...|XX...)$/

/** Whether a reading may have failed only because it was on a standby, or because the way to it was lost. */
export const isStandbyLoss = (error: unknown): boolean => {
  const code = sqlCode(error instanceof Fault ? error.cause : error)
  return code !== undefined && (awayCodes.has(code) || standbyCodes.test(code))
}

const mostLosses = 10

/** A reading that a standby did not give to its end is begun anew, at another or at the primary. */
export const untilItIsRead = async <T>(read: () => Promise<T>): Promise<T> => {
  for (let losses = 1; ; losses += 1)
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof StandbyLost) || losses === mostLosses) throw error
    }
}

/** A notice of a commit that may be on no standby. */
export const isUnreplicated = ({ routine }: { readonly routine?: string | undefined }): boolean =>
  routine === unreplicatedRoutine

export const unreplicated = () => databaseAway(new Error('the commit is not known to be on a standby'))

/** The fault of a connection that ended or could not be had, whatever the reason. */
export const connectionFault = (error: unknown): Fault => {
  const code = sqlCode(error)
  // The other driver, `pg`, gives no code when it has waited for too long.
  return code === '53300' ? fullness.note(error) : fullness.nameOf(error, code === undefined || lateCodes.has(code))
}

/** Codes of a connection that was not ready in time, or was closed before (socket.ts). */
const lateCodes = new Set(['08001', 'CONNECT_TIMEOUT'])
const fullForMs = 5000

/**
 * A database that has just refused a connection because it has too many is not away when the next one is not ready in
 * time: those who ask for connections are many, and each refusal takes it a process.
 */
export const openFullness = (nowMs: () => number) => {
  let untilMs = Number.NEGATIVE_INFINITY
  return {
    note: (error: unknown): Fault => {
      untilMs = nowMs() + fullForMs
      return tooManyConnections(error)
    },
    nameOf: (error: unknown, isLate: boolean): Fault =>
      isLate && nowMs() < untilMs ? tooManyConnections(error) : databaseAway(error),
    /** For tests. */
    forget: () => void (untilMs = Number.NEGATIVE_INFINITY),
  }
}

export const fullness = openFullness(() => performance.now())

/** Waits for a query; a unique key that is there already (23505) is a conflict with this message. */
export const unlessTaken = async <T>(query: PromiseLike<T>, message: string): Promise<T> => {
  try {
    return await query
  } catch (error) {
    throw sqlCode(error) === '23505' ? conflict(message) : error
  }
}
