// SQL Server, through mssql. It has no read-only transaction: the statement must be one SELECT (one-select.ts), its
// transaction is always rolled back, and the documentation asks for a user that may only read.
import { createRequire } from 'node:module'
import mssql from 'mssql'
import type { Column as DriverColumn } from 'mssql'
import { booleanCell, bytesCell, bytesOf, dateCell, localCell, numberCell, otherCell, singleCell } from './cell.ts'
import { demandOneSelect } from './one-select.ts'
import { exactNumbers } from './sqlserver-number.ts'
import type { Answer, Column, OpenSession, Statement } from './session.ts'
import type { Target } from './target.ts'
import { connectTimeoutMs, portOf } from './target.ts'
import { tlsOptions } from './tls.ts'

export const openSqlserver: OpenSession = async (target) => {
  exactNumbers(createRequire(createRequire(import.meta.url).resolve('mssql')))
  const pool = await new mssql.ConnectionPool(configOf(target)).connect()
  pool.on('error', () => {})
  const { recordset } = await pool.request().query("select serverproperty('ProductVersion') as version")
  const transaction = new mssql.Transaction(pool)
  transaction.on('error', () => {})
  let isBegun = false
  let running: mssql.Request | undefined
  return {
    version: String(recordset[0]?.['version']),
    run: async (statement) => {
      demandOneSelect(statement.sql)
      await transaction.begin()
      isBegun = true
      running = new mssql.Request(transaction)
      return answerOf(running, statement)
    },
    cancel: async () => {
      running?.cancel()
    },
    close: async () => {
      running?.cancel()
      if (isBegun) await transaction.rollback().catch(() => {})
      await pool.close()
    },
  }
}

const configOf = (target: Target) => ({
  server: target.host,
  // With the name of an instance its port is asked for, unless one is given.
  ...(target.more.instance === undefined || target.port !== null ? { port: portOf(target) } : {}),
  database: target.database,
  user: target.user,
  password: target.password,
  connectionTimeout: connectTimeoutMs(target),
  requestTimeout: 0,
  pool: { min: 0, max: 1 },
  options: {
    appName: 'coppice import',
    encrypt: target.tls !== false,
    trustServerCertificate: target.tls === 'no-verify',
    cryptoCredentialsDetails: tlsOptions(target),
    readOnlyIntent: true,
    // One attempt has all of the time.
    maxRetriesOnTransientErrors: 0,
    useUTC: true,
    enableArithAbort: true,
    ...(target.more.instance === undefined || target.port !== null ? {} : { instanceName: target.more.instance }),
  },
})

const answerOf = (request: mssql.Request, { sql, timeZone, batchRows, batchBytes }: Statement): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request.stream = true
    request.arrayRowMode = true
    let rows: (readonly unknown[])[] = []
    let bytes = 0
    const isFull = () => rows.length >= batchRows || bytes >= batchBytes
    let isDone = false
    let failure: Error | undefined
    let wake: (() => void) | undefined
    const state = () => ({ isDone, failure })
    request.on('recordset', (columns) =>
      resolve({ columns: columns.map((column) => readColumn(column, timeZone)), batches: batches() }),
    )
    request.on('row', (row) => {
      rows.push(row)
      bytes += bytesOf(row)
      if (!isFull()) return
      request.pause()
      wake?.()
    })
    request.on('error', (error) => {
      failure ??= error
      reject(error)
      wake?.()
    })
    request.on('done', () => {
      isDone = true
      wake?.()
    })
    // Errors come as events.
    request.query(sql).catch(() => {})
    async function* batches() {
      for (;;) {
        while (!isFull() && !state().isDone && !state().failure) await new Promise<void>((more) => (wake = more))
        const { failure: wrong } = state()
        if (wrong) throw wrong
        const batch = rows
        rows = []
        bytes = 0
        if (batch.length > 0) yield batch
        if (state().isDone && rows.length === 0) return
        request.resume()
      }
    }
  })

/** The name of its type, such as datetimeoffset. */
const typeOf = ({ type }: DriverColumn): string =>
  (typeof type === 'function' ? (type as unknown as { declaration: string }) : type).declaration

export const readColumn = (column: DriverColumn, timeZone: string): Column => {
  const { name } = column
  switch (typeOf(column)) {
    case 'tinyint':
    case 'smallint':
    case 'int':
      return { name, type: 'LONG', cell: numberCell }
    // A text: it may be more than a number can say.
    case 'bigint':
      return { name, type: 'LONG', cell: String }
    // Texts too (sqlserver-number.ts).
    case 'decimal':
    case 'numeric':
    case 'money':
    case 'smallmoney':
      return { name, type: 'DOUBLE', cell: String }
    case 'float':
      return { name, type: 'DOUBLE', cell: numberCell }
    case 'real':
      return { name, type: 'DOUBLE', cell: singleCell }
    case 'bit':
      return { name, type: 'BOOLEAN', cell: booleanCell }
    // Dates whose members in UTC are those of the server's clock.
    case 'date':
    case 'datetime':
    case 'datetime2':
    case 'smalldatetime':
      return { name, type: 'LONG', cell: localCell(timeZone) }
    case 'datetimeoffset':
      return { name, type: 'LONG', cell: dateCell }
    case 'time':
      return { name, type: 'STRING', cell: timeCell }
    case 'binary':
    case 'varbinary':
    case 'image':
      return { name, type: 'STRING', cell: bytesCell }
    default:
      return { name, type: 'STRING', cell: otherCell }
  }
}

/** '13:45:30.1234567', without the zeros at its end. */
const timeCell = (time: Date & { readonly nanosecondsDelta?: number }): string => {
  const beyondMs = Math.round((time.nanosecondsDelta ?? 0) * 1e7)
  const fraction = `${String(time.getUTCMilliseconds()).padStart(3, '0')}${String(beyondMs).padStart(4, '0')}`
  let count = fraction.length
  while (fraction[count - 1] === '0') count -= 1
  const digits = fraction.slice(0, count)
  return `${time.toISOString().slice(11, 19)}${digits === '' ? '' : `.${digits}`}`
}
