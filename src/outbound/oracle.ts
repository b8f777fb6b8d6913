// Oracle, through `oracledb` in its thin mode, which needs no client of Oracle's. NUMBER comes as text, to its last digit;
// a DATE, which has a time, and a TIMESTAMP are clock readings in the connector's zone. The transaction is read-only.
import { createRequire } from 'node:module'
import oracledb from 'oracledb'
import type { Connection, MetaData, ResultSet } from 'oracledb'
import { bytesCell, bytesOf, dateCell, localCell, numberCell, otherCell, singleCell } from './cell.ts'
import { ExternalError } from './external-error.ts'
import { demandFewRounds } from './rounds.ts'
import type { Column, OpenSession } from './session.ts'
import type { Target } from './target.ts'
import { connectTimeoutMs, portOf } from './target.ts'

export const openOracle: OpenSession = async (target) => {
  readClocksInUtc()
  const connection: Connection = await oracledb.getConnection(optionsOf(target))
  let resultSet: ResultSet | undefined
  return {
    version: connection.oracleServerVersionString,
    run: async ({ sql, timeZone, timeoutMs, batchRows, batchBytes }) => {
      // The server ends nothing by itself: the driver cancels a call that takes longer.
      connection.callTimeout = Math.ceil(timeoutMs)
      await connection.execute('set transaction read only')
      const text = sql.trim().replace(/;$/, '')
      // The statement is prepared here and not run; PL/SQL, which could hold more, is no query.
      if ((await connection.getStatementInfo(text)).statementType !== oracledb.STMT_TYPE_SELECT)
        throw new ExternalError('sql', 'External SQL must be one statement that gives rows')
      const answer = await connection.execute(text, [], {
        resultSet: true,
        outFormat: oracledb.OUT_FORMAT_ARRAY,
        prefetchRows: 0,
        fetchArraySize: batchRows,
        fetchTypeHandler: asRead,
      })
      resultSet = answer.resultSet!
      const columns = resultSet.metaData.map((column) => readColumn(column, timeZone))
      return { columns, batches: inBatches(resultSet, openPace(resultSet.metaData, batchRows, batchBytes)) }
    },
    cancel: () => connection.break(),
    close: async () => {
      await resultSet?.close().catch(() => {})
      await connection.rollback().catch(() => {})
      await connection.close({ drop: true })
    },
  }
}

async function* inBatches(rows: ResultSet, pace: Pace) {
  for (;;) {
    const asked = pace.next()
    const batch = await rows.getRows(asked)
    pace.add(batch)
    if (batch.length > 0) yield batch
    if (batch.length < asked) return
  }
}

export type Pace = { readonly next: () => number; readonly add: (rows: readonly (readonly unknown[])[]) => void }

/**
 * The number of rows to ask for, because the driver gathers as many: as many as fit when all are as wide as they are
 * declared. The width of large objects is not declared: one row first, then as many as those before let expect.
 */
export const openPace = (metaData: readonly MetaData[], batchRows: number, batchBytes: number): Pace => {
  const widths = metaData.map(({ dbTypeName, byteSize }) => (large.has(dbTypeName) ? 0 : (byteSize ?? 40)))
  const declared = widths.reduce((sum, width) => sum + width, 16)
  const most = Math.max(1, Math.min(batchRows, Math.floor(batchBytes / declared)))
  const isKnown = !metaData.some(({ dbTypeName }) => large.has(dbTypeName))
  let next = isKnown ? most : 1
  return {
    next: () => next,
    add: (rows) => {
      if (isKnown) return
      const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 0)
      next = Math.max(1, Math.min(most, 2 * next, Math.floor((batchBytes * rows.length) / Math.max(1, bytes))))
    },
  }
}

const large = new Set(['CLOB', 'NCLOB', 'BLOB', 'LONG', 'LONG RAW', 'JSON', 'XMLTYPE', 'VECTOR', 'OBJECT'])

const optionsOf = (target: Target) => {
  const { wallet, walletPassword, certificate, key, ca } = target.more
  const own = [key, certificate, ca].filter((part) => part !== undefined)
  const walletContent = wallet ?? (own.length > 0 ? own.join('\n') : undefined)
  if (walletContent !== undefined && walletPassword !== undefined) demandFewRounds(walletContent)
  const seconds = Math.ceil(connectTimeoutMs(target) / 1000)
  return {
    user: target.user,
    password: target.password,
    connectString: connectString(target),
    connectTimeout: seconds,
    transportConnectTimeout: seconds,
    // The chain is always verified; this is about the name.
    sslServerDNMatch: target.tls === true,
    ...(walletContent === undefined ? {} : { walletContent }),
    ...(walletPassword === undefined ? {} : { walletPassword }),
  }
}

/** The connect string is written out, so that nothing in it is looked up in files, and no given value can add to it. */
export const connectString = (target: Target): string => {
  const plain = (text: string) => {
    if (!/^[\w.$#:%-]+$/.test(text)) throw new ExternalError('database', `'${text}' is no name of an Oracle database`)
    return text
  }
  const protocol = target.tls === false ? 'tcp' : 'tcps'
  const name = target.more.sid === true ? 'SID' : 'SERVICE_NAME'
  return (
    `(DESCRIPTION=(ADDRESS=(PROTOCOL=${protocol})(HOST=${plain(target.host)})(PORT=${portOf(target)}))` +
    `(CONNECT_DATA=(${name}=${plain(target.database)})))`
  )
}

/** Reads numbers as texts, and large objects as their contents. */
const asRead = ({ dbTypeName }: MetaData) => {
  switch (dbTypeName) {
    case 'NUMBER':
    case 'CLOB':
    case 'NCLOB':
    case 'LONG':
    case 'ROWID':
    case 'UROWID':
      return { type: oracledb.STRING }
    case 'BLOB':
    case 'LONG RAW':
      return { type: oracledb.BUFFER }
    default:
      return undefined
  }
}

export const readColumn = (column: MetaData, timeZone: string): Column => {
  const { name, scale, precision } = column
  switch (column.dbTypeName) {
    case 'NUMBER': {
      const isWhole = scale === 0 && precision !== undefined && precision > 0 && precision <= 18
      return { name, type: isWhole ? 'LONG' : 'DOUBLE', cell: plainNumber }
    }
    case 'BINARY_FLOAT':
      return { name, type: 'DOUBLE', cell: singleCell }
    case 'BINARY_DOUBLE':
    case 'BINARY_INTEGER':
      return { name, type: 'DOUBLE', cell: numberCell }
    case 'BOOLEAN':
      return { name, type: 'BOOLEAN', cell: (value: boolean) => String(value) }
    case 'DATE':
    case 'TIMESTAMP':
      return { name, type: 'LONG', cell: localCell(timeZone) }
    case 'TIMESTAMP WITH TIME ZONE':
    case 'TIMESTAMP WITH LOCAL TIME ZONE':
      return { name, type: 'LONG', cell: dateCell }
    case 'RAW':
    case 'BLOB':
    case 'LONG RAW':
      return { name, type: 'STRING', cell: bytesCell }
    case 'INTERVAL YEAR TO MONTH':
      return { name, type: 'STRING', cell: yearsCell }
    case 'INTERVAL DAY TO SECOND':
      return { name, type: 'STRING', cell: daysCell }
    default:
      return { name, type: 'STRING', cell: otherCell }
  }
}

const twoDigits = (value: number) => String(Math.abs(value)).padStart(2, '0')

/** As Oracle writes them: 1-02, all parts of one sign. */
const yearsCell = ({ years, months }: { readonly years: number; readonly months: number }): string =>
  `${years < 0 || months < 0 ? '-' : ''}${Math.abs(years)}-${twoDigits(months)}`

type Days = Readonly<Record<'days' | 'hours' | 'minutes' | 'seconds' | 'fseconds', number>>

/** 1 02:03:04.5, whose fraction comes in ns. */
const daysCell = ({ days, hours, minutes, seconds, fseconds }: Days): string => {
  const sign = [days, hours, minutes, seconds, fseconds].some((part) => part < 0) ? '-' : ''
  // Nine digits behind the point, of which those at the end that are 0 are left out.
  const digits = String((1e9 + Math.abs(fseconds)) / 1e9).slice(2)
  const time = [hours, minutes, seconds].map(twoDigits).join(':')
  return `${sign}${Math.abs(days)} ${time}${digits === '' ? '' : `.${digits}`}`
}

/** Oracle leaves out the 0 before the point. */
const plainNumber = (text: string | number): string => String(text).replace(/^(-?)\./, '$10.')

type MakeDate = (useLocal: boolean, ...members: number[]) => Date

let isInUtc = false

/** The driver reads a clock in the zone of this process, where some hours do not happen: here all are read in UTC. */
const readClocksInUtc = () => {
  if (isInUtc) return
  isInUtc = true
  const require = createRequire(import.meta.url)
  const util = require('oracledb/lib/util.js') as { makeDate: MakeDate }
  const { makeDate } = util
  util.makeDate = (_useLocal, ...members) => makeDate(false, ...members)
}
