// PostgreSQL, through `postgres`. Values come as texts and are read here, so that none loses a digit. The statement is
// described before it runs: only one that gives rows is begun, in a read-only transaction that is rolled back, by COPY or
// by a portal that is read piece by piece.
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import postgres from 'postgres'
import { openSocket } from '../base/database/socket.ts'
import { wordTable } from '../base/own.ts'
import { announceMessages } from './announced.ts'
import type { Announce } from './announced.ts'
import { bytesCell, bytesOf, momentCell, openMoments, textCell } from './cell.ts'
import { ExternalError } from './external-error.ts'
import { holdRows } from './held-rows.ts'
import { copyFrames } from './row-frames.ts'
import type { Answer, Column, OpenSession, Statement } from './session.ts'
import type { Target } from './target.ts'
import { connectTimeoutMs, portOf } from './target.ts'
import { tlsOptions } from './tls.ts'

export const openPostgresql: OpenSession = async (target, announce) => {
  const line: Line = {}
  const driver = postgres(optionsOf(target, line, announce))
  line.close = driver.CLOSE
  // All values come as the texts that the server sent.
  for (const type of Object.keys(driver.options.parsers)) delete driver.options.parsers[Number(type)]
  // The first query connects.
  const [row] = await driver.unsafe('show server_version')
  line.isOpen = true
  let running: { cancel: () => unknown } | undefined
  let release: (() => void) | undefined
  let ended: Promise<unknown> = Promise.resolve()

  const begin = (use: (transaction: postgres.TransactionSql) => Promise<Answer>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      // The transaction lasts until the session is closed: the answer is read inside of it.
      ended = driver
        .begin('read only', async (transaction) => {
          resolve(await use(transaction))
          await new Promise<void>((done) => (release = done))
          // Rolled back: a message of pg_notify() would go out with a commit.
          throw new ExternalError('other', 'the session was closed')
        })
        .catch(reject)
    })

  return {
    version: String(row?.['server_version']),
    run: (statement) =>
      begin(async (transaction) => {
        await transaction.unsafe(settings, [
          target.more.searchPath ?? null,
          String(Math.ceil(statement.timeoutMs)),
        ] as string[])
        const { columns } = await transaction.unsafe(statement.sql, [], { prepare: true }).describe()
        if (columns.length === 0) throw new ExternalError('sql', 'External SQL must be one statement that gives rows')
        const onQuery = (query: { cancel: () => unknown }) => (running = query)
        const read = columns.map((column) => readColumn(column, statement.timeZone))
        if (!isCopied(statement)) return { columns: read, batches: portalRows(transaction, line, statement, onQuery) }
        const rows = statement.holding && holdRows(line.socket!, copyFrames(), statement.holding)
        const batches = copiedRows(copy(transaction, statement, onQuery))
        const basis = JSON.stringify(['copy', statement.timeZone, columns.map(({ name, type }) => [name, type])])
        return { columns: read, batches, held: rows && { ...rows, basis } }
      }),
    cancel: async () => {
      await running?.cancel()
    },
    close: async () => {
      release?.()
      await driver.end({ timeout: 1 })
      await ended.catch(() => {})
    },
  }
}

/** The socket that is read from, once it is there, whether the server has answered, and the driver's sign to close a portal. */
type Line = { socket?: Socket; close?: unknown; isOpen?: boolean }

const optionsOf = (target: Target, line: Line, announce: Announce) => ({
  host: target.host,
  port: portOf(target),
  database: target.database,
  user: target.user,
  pass: target.password,
  // The password is never looked for anywhere else, such as in the environment.
  password: target.password,
  // The socket is opened here: the driver would begin TLS with a server that has just refused it.
  ssl: false,
  socket: async () => {
    // A server that closes before it has answered would be called again and again, thousands of times a second.
    if (line.socket && !line.isOpen) throw Object.assign(new Error('closed'), { code: 'CONNECTION_CLOSED' })
    const tls = target.tls === false ? false : tlsOptions(target)
    line.socket = await openSocket({ host: [target.host], port: [portOf(target)] }, tls, connectTimeoutMs(target))
    announceMessages(line.socket, announce)
    return line.socket
  },
  max: 1,
  idle_timeout: 0,
  max_lifetime: 0,
  connect_timeout: connectTimeoutMs(target) / 1000,
  fetch_types: false,
  target_session_attrs: undefined as never,
  onnotice: () => {},
  connection: { application_name: 'coppice import', client_encoding: 'UTF8' },
})

/**
 * Set inside the transaction: a pooler in between refuses some of them when they come with the connection. The same rows come
 * in the same order, if nothing else orders them.
 */
const settings = `
  select set_config('search_path', coalesce($1, current_setting('search_path')), true),
    set_config('statement_timeout', $2, true),
    set_config('TimeZone', 'UTC', true),
    set_config('DateStyle', 'ISO, YMD', true),
    set_config('IntervalStyle', 'postgres', true),
    set_config('bytea_output', 'hex', true),
    set_config('lc_monetary', 'C', true),
    set_config('extra_float_digits', '3', true),
    set_config('synchronize_seqscans', 'off', true)`

/** So many rows at first, so that somebody who waits for them sees some. */
const firstRows = 50

type Row = readonly (string | null)[]

/**
 * Parts of the driver that its types do not show: rows one by one, and a portal that is asked for more when a promise
 * says so.
 */
type PortalQuery = PromiseLike<unknown> & {
  forEachFn: (row: Row) => void
  cursorRows: number
  cursor: (rows: number, onEnd: () => Promise<unknown>) => PortalQuery
  cancel: () => unknown
}

/**
 * Batches by rows and by bytes: the driver would gather all rows of a portal, whatever their size, and forget the last of a
 * statement whose end has no count, such as EXPLAIN. So rows are taken as they come, and when they are enough nothing more is
 * read from the socket until they were taken.
 */
async function* portalRows(
  transaction: postgres.TransactionSql,
  { socket, close }: Line,
  { sql, maxRows, batchRows, batchBytes }: Statement,
  onQuery: (query: { cancel: () => unknown }) => void,
): AsyncGenerator<readonly Row[]> {
  const query = transaction.unsafe(sql, [], { prepare: true }).values() as unknown as PortalQuery
  onQuery(query)
  let [rows, bytes]: [Row[], number] = [[], 0]
  let wake: () => void = () => {}
  let goOn: ((answer?: unknown) => void) | undefined
  let isClosed = false
  let outcome: { readonly error?: unknown } | undefined
  query.forEachFn = (row) => {
    if (isClosed) return
    rows.push(row)
    bytes += bytesOf(row)
    if (bytes < batchBytes) return
    socket!.pause()
    wake()
  }
  const first = Math.min(firstRows, batchRows, maxRows > 0 ? maxRows + 1 : firstRows)
  const onPortalEnd = () =>
    new Promise((resolve) => {
      if (isClosed) return resolve(close)
      goOn = resolve
      wake()
    })
  query.cursor(first, onPortalEnd).then(
    () => {
      outcome = {}
      wake()
    },
    (error: unknown) => {
      outcome = { error }
      wake()
    },
  )
  const isReady = () => bytes >= batchBytes || goOn !== undefined || outcome !== undefined
  try {
    for (;;) {
      while (!isReady()) await new Promise<void>((resolve) => (wake = resolve))
      const batch = rows
      ;[rows, bytes] = [[], 0]
      if (batch.length > 0) yield batch
      if (outcome?.error !== undefined) throw outcome.error
      if (outcome !== undefined && rows.length === 0) return
      query.cursorRows = batchRows
      goOn?.()
      goOn = undefined
      socket!.resume()
    }
  } finally {
    isClosed = true
    goOn?.(close)
    socket!.resume()
  }
}

/**
 * COPY gives the same texts as a portal for a third of the work here: 0.65 s of CPU for a million rows and not 2.4. The
 * query in its parentheses has been prepared by itself, so that it is one statement whose words end where it ends. A
 * COPY that is not read to its end cannot be given up without its connection.
 */
const isCopied = ({ sql, maxRows }: Statement): boolean =>
  maxRows === 0 && /^\s*(?:select|with|values)\b/i.test(sql) && !sql.includes(';')

const copy = (
  transaction: postgres.TransactionSql,
  { sql }: Statement,
  onQuery: (query: { cancel: () => unknown }) => void,
): Promise<Readable> => {
  // The transaction ends with the last row that is sent, whenever that is read.
  const query = transaction.unsafe(`copy (${sql}\n) to stdout; rollback`)
  onQuery(query)
  // An error that comes with the first bytes ends the stream before anybody could listen, and with it the thread.
  const driven = query as unknown as { resolve: (stream: Readable) => void }
  const { resolve } = driven
  driven.resolve = (stream) => {
    // At the end of the rows it is called again, with no stream: a fault there would leave the transaction open.
    driven.resolve = resolve
    resolve(stream.on('error', () => {}))
  }
  const copied = query.readable()
  // Reported to the reader of the rows, who comes later.
  copied.catch(() => {})
  return copied
}

async function* copiedRows(copied: Promise<Readable>): AsyncGenerator<readonly (readonly unknown[])[]> {
  const decoder = new StringDecoder('utf8')
  // Of a line that is not whole yet: put together once, however many pieces a long one comes in.
  let begun: string[] = []
  for await (const chunk of await copied) {
    const [first, ...others] = decoder.write(chunk as Buffer).split('\n')
    begun.push(first!)
    if (others.length === 0) continue
    const lines = [begun.join(''), ...others]
    begun = [lines.pop()!]
    yield lines.map(fieldsOf)
  }
}

/** As COPY writes them: tabs in between, \\N for NULL, and a backslash before what would be taken for something else. */
const fieldsOf = (line: string): readonly (string | null)[] => {
  const fields: readonly (string | null)[] = line.split('\t')
  return line.includes('\\') ? fields.map((field) => (field === '\\N' ? null : unescaped(field!))) : fields
}

const letters = wordTable({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' })

const unescaped = (field: string) => field.replaceAll(/\\(.)/gs, (_, letter: string) => letters.get(letter) ?? letter)

type Described = { readonly name: string; readonly type: number }

const readColumn = ({ name, type }: Described, timeZone: string): Column => {
  switch (type) {
    case 16:
      return { name, type: 'BOOLEAN', cell: (text: string) => (text === 't' ? 'true' : 'false') }
    case 17:
      return { name, type: 'STRING', cell: (text: string) => bytesCell(Buffer.from(text.slice(2), 'hex')) }
    case 20:
    case 21:
    case 23:
    case 26:
      return { name, type: 'LONG', cell: textCell }
    case 700:
    case 701:
    case 1700:
      return { name, type: 'DOUBLE', cell: textCell }
    // '-$1,234.50' in the C locale.
    case 790:
      return { name, type: 'DOUBLE', cell: (text: string) => text.replaceAll(/[^\d.-]/g, '') }
    case 1082:
    case 1114:
    case 1184:
      return { name, type: 'LONG', cell: momentCell(timeZone), plain: openMoments(timeZone) }
    default:
      return { name, type: 'STRING', cell: textCell }
  }
}
