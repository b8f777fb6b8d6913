// MySQL and MariaDB, through `mysql2`. The statement is prepared, so that nothing can follow it, in a session that only
// reads: MariaDB lets DDL out of a read-only transaction, and not out of a read-only session. It is a transaction of its own,
// which ends with the last row that is sent, whenever that is read.
//
// A session's clock is set to the connector's offset of this moment, unless the connection says another zone: NOW() is
// then the local time that users expect, and a TIMESTAMP, which the server shows in that offset, is exact on both sides
// of a change of summer time. In a zone by name it is not: there one whose time happens twice is refused.
import type { Socket } from 'node:net'
import { createConnection } from 'mysql2'
import type { Connection, ConnectionOptions, FieldPacket, PrepareStatementInfo } from 'mysql2'
import { openZone } from '../core/time/zone.ts'
import { announcePackets } from './announced.ts'
import type { Announce, PacketParser } from './announced.ts'
import { bytesCell, bytesOf, momentCell, numberCell, openMoments, plainNumber, singleCell, textCell } from './cell.ts'
import { ExternalError } from './external-error.ts'
import { holdRows } from './held-rows.ts'
import { readTimesFaster } from './mysql-times.ts'
import { demandReadingWord } from './reading-word.ts'
import { executeFrames } from './row-frames.ts'
import type { Answer, Column, OpenSession, Statement } from './session.ts'
import type { Target } from './target.ts'
import { connectTimeoutMs, portOf } from './target.ts'
import { tlsOptions } from './tls.ts'

export const openMysql: OpenSession = async (target, announce) => {
  readTimesFaster()
  const connection = await connect(target, announce)
  // From now on a waiting caller gets the error.
  connection.on('error', () => {})
  const version = String((await ask(connection, 'select version()'))[0])
  return {
    version,
    run: async (statement) => {
      demandReadingWord(statement.sql)
      const zone = target.more.sessionTimeZone ?? offsetOf(statement.timeZone, Date.now())
      const limit = /mariadb/i.test(version)
        ? `max_statement_time = ${statement.timeoutMs / 1000}`
        : `max_execution_time = ${Math.ceil(statement.timeoutMs)}`
      // Else it hangs up on a reader that waits for a minute, for room or for our database.
      const patience = `net_write_timeout = ${Math.ceil(statement.timeoutMs / 1000)}`
      await ask(connection, `set session ${limit}, ${patience}, time_zone = '${zone}'`)
      await ask(connection, 'set session transaction read only')
      return execute(connection, statement, zone)
    },
    // Cancels by a connection of its own: this one is busy.
    cancel: async () => {
      const other = await connect(target, announce)
      other.on('error', () => {})
      await ask(other, `kill query ${connection.threadId}`).finally(() => other.destroy())
    },
    close: async () => {
      connection.destroy()
    },
  }
}

const connect = async (target: Target, announce: Announce): Promise<Connection> => {
  const connection = createConnection(optionsOf(target))
  const { packetParser } = connection as unknown as { readonly packetParser: PacketParser }
  const plain = streamOf(connection)
  announcePackets(plain, packetParser, announce)
  await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())))
  if (streamOf(connection) !== plain) announcePackets(streamOf(connection), packetParser, announce)
  return connection
}

const optionsOf = (target: Target): ConnectionOptions => ({
  host: target.host,
  port: portOf(target),
  database: target.database,
  user: target.user,
  password: target.password,
  ...(target.tls === false ? {} : { ssl: { ...tlsOptions(target), verifyIdentity: target.tls === true } as never }),
  connectTimeout: connectTimeoutMs(target),
  charset: 'utf8mb4',
  // A server could ask for any file of ours.
  flags: ['-LOCAL_FILES'],
  // No code is made from the names that a server sends.
  disableEval: true,
  rowsAsArray: true,
  supportBigNumbers: true,
  bigNumberStrings: true,
  dateStrings: true,
  jsonStrings: true,
})

/** The first row of the answer. */
const ask = (connection: Connection, sql: string): Promise<readonly unknown[]> =>
  new Promise((resolve, reject) =>
    connection.query(sql, (error, rows) => (error ? reject(error) : resolve(firstOf(rows)))),
  )

const firstOf = (rows: unknown): readonly unknown[] => (Array.isArray(rows) ? (rows[0] as readonly unknown[]) : [])

const prepare = (connection: Connection, sql: string): Promise<PrepareStatementInfo> =>
  new Promise((resolve, reject) =>
    connection.prepare(sql, (error, prepared) => (error ? reject(error) : resolve(prepared))),
  )

const givesNoRows = 'External SQL must be one statement that gives rows'

const execute = async (
  connection: Connection,
  { sql, timeZone, maxRows, batchRows, batchBytes, holding }: Statement,
  zone: string,
): Promise<Answer> => {
  const prepared = await prepare(connection, sql)
  if ((prepared as unknown as { readonly columns: readonly unknown[] }).columns.length === 0)
    throw new ExternalError('sql', givesNoRows)
  const rows = holding && maxRows === 0 ? holdRows(streamOf(connection), executeFrames(), holding) : undefined
  const running = prepared.execute([])
  const batches = readBatches(connection, running, batchRows, batchBytes)
  const fields = await new Promise<readonly Field[]>((resolve, reject) => {
    // A server that lies may send none, or one after another: the driver keeps the columns of each, and with them all bytes
    // that came at once. 340 MB of results, of a row of 60 KB each, had a peak of 470 MB, where others have 110.
    let results = 0
    running.on('fields', (given: readonly Field[] | undefined) => {
      results += 1
      if (results > 1) batches.fail(new ExternalError('sql', 'External SQL must give one result'))
      else if (given) resolve(given)
      else batches.fail(new ExternalError('sql', givesNoRows))
    })
    running.once('end', () => reject(new ExternalError('sql', givesNoRows)))
    batches.onError(reject)
  })
  const columns = fields.map((field) => readColumn(field, timeZone, zone))
  const basis = JSON.stringify(['execute', timeZone, zone])
  // The driver counts packets, and would miss those of the rows.
  const drop = () => {
    rows!.forget()
    batches.end()
  }
  return { columns, batches: batches.rows(), held: rows && { ...rows, basis, drop } }
}

/** The socket that it reads from, encrypted or not, which the driver's types do not show. */
const streamOf = (connection: Connection) => (connection as unknown as { readonly stream: Socket }).stream

type Running = ReturnType<PrepareStatementInfo['execute']>

/**
 * Rows as the driver reads them. The connection waits while a batch does: a stream of the driver's counts rows and not
 * bytes, and takes half as long again (4.5 s of CPU for a million rows, and not 2.8).
 */
const readBatches = (connection: Connection, running: Running, batchRows: number, batchBytes: number) => {
  let batch: (readonly unknown[])[] = []
  let bytes = 0
  let isOver = false
  let failure: Error | undefined
  let wake = () => {}
  let onError = (_error: Error) => {}
  const isFull = () => batch.length >= batchRows || bytes >= batchBytes
  const fail = (error: Error) => {
    failure ??= error
    onError(error)
    wake()
  }
  running.on('result', (row: unknown) => {
    if (failure) return
    const values = row as readonly unknown[]
    batch.push(values)
    bytes += bytesOf(values)
    if (!isFull()) return
    connection.pause()
    wake()
  })
  const end = () => {
    isOver = true
    wake()
  }
  running.on('end', end)
  running.on('error', fail)
  // The driver reports to the connection alone that it was lost: a reader of rows would wait for ever.
  connection.once('error', fail)
  return {
    end,
    fail,
    onError: (hear: (error: Error) => void) => {
      onError = hear
      if (failure) hear(failure)
    },
    rows: async function* (): AsyncGenerator<readonly (readonly unknown[])[]> {
      for (;;) {
        if (failure) throw failure
        if (isFull() || isOver) {
          const full = batch
          batch = []
          bytes = 0
          if (full.length > 0) yield full
          if (isOver && batch.length === 0) return
          connection.resume()
        }
        if (!failure && !isFull() && !isOver) await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}

/** An offset as MySQL takes it: '+02:00'. */
const offsetOf = (timeZone: string, nowMs: number): string => {
  const minutes = Math.round(openZone(timeZone).offsetMs(nowMs) / 60_000)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}

type Field = Pick<FieldPacket, 'name'> & {
  readonly columnType: number
  readonly characterSet: number
  readonly columnLength: number
}

const binary = 63

export const readColumn = (field: Field, timeZone: string, sessionZone: string): Column => {
  const { name } = field
  switch (field.columnType) {
    // TINY, SHORT, LONG, INT24, YEAR as numbers, LONGLONG as text.
    case 1:
    case 2:
    case 3:
    case 9:
    case 13:
      return { name, type: 'LONG', cell: numberCell, plain: plainNumber }
    case 8:
      return { name, type: 'LONG', cell: textCell }
    case 4:
      return { name, type: 'DOUBLE', cell: singleCell }
    case 5:
      return { name, type: 'DOUBLE', cell: numberCell, plain: plainNumber }
    // DECIMAL, NEWDECIMAL.
    case 0:
    case 246:
      return { name, type: 'DOUBLE', cell: textCell }
    // TIMESTAMP.
    case 7:
    case 17:
      return { name, type: 'LONG', cell: unlessZero(sessionCell(sessionZone)) }
    // DATE, DATETIME, NEWDATE.
    case 10:
    case 12:
    case 14:
    case 18:
      return { name, type: 'LONG', cell: unlessZero(momentCell(timeZone)), plain: unlessZero(openMoments(timeZone)) }
    // BIT.
    case 16:
      return field.columnLength === 1
        ? { name, type: 'BOOLEAN', cell: (bits: Buffer) => (bits[0] === 0 ? 'false' : 'true') }
        : { name, type: 'LONG', cell: (bits: Buffer) => String(BigInt(`0x${bits.toString('hex')}`)) }
    // GEOMETRY, which mysql2 reads.
    case 255:
      return { name, type: 'STRING', cell: (value: unknown) => JSON.stringify(value) }
    default:
      return field.characterSet === binary
        ? {
            name,
            type: 'STRING',
            cell: (value: Buffer | string) => (typeof value === 'string' ? value : bytesCell(value)),
          }
        : { name, type: 'STRING', cell: textCell }
  }
}

/** 0000-00-00, and dates without a month or a day, are MySQL's way to say that there is none. */
const unlessZero = <T>(cell: (text: string) => T): ((text: string) => T | null) => {
  // The one before is often the same.
  let [lastText, last]: [string | undefined, T | null] = [undefined, null]
  return (text) => {
    if (text === lastText) return last
    last = /^\d+-(?:00|\d\d-00)/.test(text) ? null : cell(text)
    lastText = text
    return last
  }
}

const sessionCell = (sessionZone: string): ((text: string) => string) => {
  if (!/^[+-]/.test(sessionZone)) return onceCell(sessionZone)
  const cell = momentCell('UTC')
  const offset = sessionZone.replace(/^([+-])(\d):/, '$10$2:')
  return (text) => cell(`${text}${offset}`)
}

/** No offset lasts less than six days, and clocks were never set back by more than one. */
const afterChangeMs = 1.5 * 86_400_000

/** A moment that its server has written as a time without an offset, unless that time happens twice. */
const onceCell = (timeZone: string): ((text: string) => string) => {
  const momentOf = openMoments(timeZone)
  const zone = openZone(timeZone)
  return (text) => {
    const ms = momentOf(text)
    const setBackMs = zone.offsetMs(ms) - zone.offsetMs(ms + afterChangeMs)
    // Later than all of the change, the same time would be another moment.
    if (setBackMs > 0 && zone.offsetMs(ms + setBackMs) < zone.offsetMs(ms))
      throw new Error(`happens twice in ${timeZone}: its connection needs an offset as sessionTimeZone, or none`)
    return String(ms)
  }
}
