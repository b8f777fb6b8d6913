// PostgreSQL, through `postgres`. Values come as texts and are read here, so that none loses a digit. The statement is
// described before it runs: only one that gives rows is begun, in a read-only transaction, by a portal that is read
// piece by piece.
import { StringDecoder } from 'node:string_decoder'
import postgres from 'postgres'
import { openSocket } from '../base/database/socket.ts'
import { bytesCell, momentCell, textCell } from './cell.ts'
import { ExternalError } from './external-error.ts'
import type { Answer, Column, OpenSession, Statement } from './session.ts'
import type { Target } from './target.ts'
import { connectTimeoutMs, portOf } from './target.ts'
import { tlsOptions } from './tls.ts'

export const openPostgresql: OpenSession = async (target) => {
  const driver = postgres(optionsOf(target))
  // All values come as the texts that the server sent.
  for (const type of Object.keys(driver.options.parsers)) delete driver.options.parsers[Number(type)]
  // The first query is what connects.
  const [row] = await driver.unsafe('show server_version')
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
        const rows = (isCopied(statement) ? copiedRows : portalRows)(transaction, statement, (q) => (running = q))
        return { columns: columns.map((column) => readColumn(column, statement.timeZone)), batches: rows }
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

const optionsOf = (target: Target) => ({
  host: target.host,
  port: portOf(target),
  database: target.database,
  user: target.user,
  pass: target.password,
  // Never looked for anywhere else, such as in the environment.
  password: target.password,
  // Opened here: the driver would begin TLS with a server that has just said no to it.
  ssl: false,
  socket: () =>
    openSocket(
      { host: [target.host], port: [portOf(target)] },
      target.tls === false ? false : tlsOptions(target),
      connectTimeoutMs(target),
    ),
  max: 1,
  idle_timeout: 0,
  max_lifetime: 0,
  connect_timeout: connectTimeoutMs(target) / 1000,
  fetch_types: false,
  target_session_attrs: undefined as never,
  onnotice: () => {},
  connection: { application_name: 'coppice import', client_encoding: 'UTF8' },
})

/** Set inside the transaction: a pooler in between refuses some of them when they come with the connection. */
const settings = `
  select set_config('search_path', coalesce($1, current_setting('search_path')), true),
    set_config('statement_timeout', $2, true),
    set_config('TimeZone', 'UTC', true),
    set_config('DateStyle', 'ISO, YMD', true),
    set_config('IntervalStyle', 'postgres', true),
    set_config('bytea_output', 'hex', true),
    set_config('lc_monetary', 'C', true),
    set_config('extra_float_digits', '3', true)`

/** So many rows at first; after that as many as the bytes allow. */
const firstRows = 50

async function* portalRows(
  transaction: postgres.TransactionSql,
  { sql, batchRows, batchBytes }: Statement,
  onQuery: (query: { cancel: () => unknown }) => void,
): AsyncGenerator<readonly (readonly unknown[])[]> {
  const query = transaction.unsafe(sql, [], { prepare: true }).values()
  onQuery(query)
  const batches = query.cursor(Math.min(firstRows, batchRows)) as unknown as AsyncIterable<readonly (string | null)[][]>
  for await (const rows of batches) {
    const bytes = rows.reduce((sum, row) => sum + row.reduce((all, value) => all + (value?.length ?? 0), 16), 0)
    const fitting = Math.floor((batchBytes * rows.length) / Math.max(1, bytes))
    ;(query as unknown as { cursorRows: number }).cursorRows = Math.max(1, Math.min(batchRows, fitting))
    yield rows
  }
}

/**
 * COPY gives the same texts as a portal for a third of the work here: 0.65 s of CPU for a million rows and not 2.4. What
 * stands in its parentheses has been prepared by itself, so that it is one statement whose words end where it ends. One
 * that is not read to its end cannot be given up without its connection.
 */
const isCopied = ({ sql, maxRows }: Statement): boolean =>
  maxRows === 0 && /^\s*(?:select|with|values)\b/i.test(sql) && !sql.includes(';')

async function* copiedRows(
  transaction: postgres.TransactionSql,
  { sql }: Statement,
  onQuery: (query: { cancel: () => unknown }) => void,
): AsyncGenerator<readonly (readonly unknown[])[]> {
  const query = transaction.unsafe(`copy (${sql}\n) to stdout`)
  onQuery(query)
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of await query.readable()) {
    const lines = (rest + decoder.write(chunk as Buffer)).split('\n')
    rest = lines.pop()!
    yield lines.map(fieldsOf)
  }
}

/** As COPY writes them: tabs in between, \\N for NULL, and a backslash before what would be taken for something else. */
const fieldsOf = (line: string): readonly (string | null)[] => {
  const fields: readonly (string | null)[] = line.split('\t')
  return line.includes('\\') ? fields.map((field) => (field === '\\N' ? null : unescaped(field!))) : fields
}

const letters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

const unescaped = (field: string) => field.replaceAll(/\\(.)/gs, (_, letter: string) => letters[letter] ?? letter)

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
      return { name, type: 'LONG', cell: momentCell(timeZone) }
    default:
      return { name, type: 'STRING', cell: textCell }
  }
}
