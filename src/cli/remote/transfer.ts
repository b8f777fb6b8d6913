// Export and import of history (docs/transfer.md). An import of a file has a name of its own, made from the file, so
// that the same line typed again goes on where it stopped; a connection that is lost is made again by itself.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Client, Given as Call, ReplyOf } from '../../client/client.ts'
import { CoppiceError } from '../../client/client.ts'
import type { Command } from '../command.ts'
import { exit } from '../command.ts'
import type { Context } from '../context.ts'
import type { Given } from '../given.ts'
import { isGiven, textOf, textsOf, UsageError } from '../given.ts'
import { openProgress } from '../progress.ts'
import type { Progress } from '../progress.ts'
import { readTime, timeAbout } from '../time.ts'
import { writeWhole } from '../whole-file.ts'

type ExportQuery = NonNullable<Call<'GET /api/export'>['query']>

export const exportCommand: Command = {
  name: 'export',
  summary: 'export samples, statistics or the catalogue, however many',
  usage: '[COMPONENT…] [--output FILE]',
  details: 'Without a component or a folder it is the whole organization: all that you may read.',
  examples: [
    'coppice export Boiler --stream temp --from 2026-01-01',
    'coppice export --folder /Components --format ndjson --output history.ndjson',
    'coppice export Boiler --what statistics --cycle day --statistic max',
  ],
  options: {
    what: { type: 'string', value: 'WHAT', about: 'samples, statistics or catalogue; samples unless given' },
    format: {
      type: 'string',
      value: 'FORMAT',
      about: 'csv, ndjson or another that the server knows; csv unless given',
    },
    folder: { type: 'string', value: 'FOLDER', about: 'components in this folder, and below it' },
    stream: { type: 'string', multiple: true, value: 'STREAM', about: 'streams of this ID; repeatable' },
    from: { type: 'string', value: 'TIME', about: `from here on: ${timeAbout}` },
    to: { type: 'string', value: 'TIME', about: 'before this' },
    cycle: { type: 'string', value: 'CYCLE', about: 'of statistics: hour, day, month …' },
    statistic: { type: 'string', value: 'STATISTIC', about: 'of statistics: avg, max, sum …' },
    output: { type: 'string', short: 'o', value: 'FILE', about: 'where to write; the standard output unless given' },
  },
  run: async (context, given) => {
    const timeOf = (name: string) => {
      const text = textOf(given, name)
      return text === undefined ? undefined : readTime(text, context.now())
    }
    const query: ExportQuery = {
      what: textOf(given, 'what') as ExportQuery['what'],
      format: (textOf(given, 'format') ?? 'csv') as ExportQuery['format'],
      folder: textOf(given, 'folder'),
      compId: given.positionals,
      streamId: textsOf(given, 'stream'),
      sd: timeOf('from'),
      ed: timeOf('to'),
      cycle: textOf(given, 'cycle'),
      stat: textOf(given, 'statistic') as ExportQuery['stat'],
    }
    const reply = await (await context.client(given)).fetch('GET /api/export', { query, signal: context.signal })
    const pieces = counted(reply.body as unknown as AsyncIterable<Uint8Array>, openProgress(context, 'bytes'))
    const output = textOf(given, 'output')
    const write = async (to: (piece: Uint8Array) => Promise<void>) => {
      for await (const piece of wholeOnly(pieces)) await to(piece)
    }
    if (output === undefined) await write(context.out)
    else await writeWhole(resolve(context.directory, output), write)
    return exit.done
  },
}

async function* counted(pieces: AsyncIterable<Uint8Array>, bar: Progress): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0
  try {
    for await (const piece of pieces) {
      bytes += piece.length
      bar.set(bytes)
      yield piece
    }
  } finally {
    bar.end()
  }
}

/** A reply that breaks off is an error that says so: its beginning must not be taken for the whole. */
async function* wholeOnly(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* pieces
  } catch (cause) {
    throw new CoppiceError('the export broke off and is not whole', { status: 0, code: 'unreachable', cause })
  }
}

type Report = ReplyOf<'POST /api/import'>['import']

export const importCommand: Command = {
  name: 'import',
  summary: 'import samples from CSV or NDJSON, however many',
  usage: 'FILE [--component COMPONENT] [--stream STREAM]',
  details:
    'CSV has a head with compId, streamId, time and data; NDJSON has these members. A file that ends with .gz is compressed; - is the input.\n' +
    'Typed again, it goes on where it stopped. Rows that are refused are reported, the others are stored: exit code 1.',
  examples: ['coppice import history.ndjson', 'coppice import flow.csv --component Tank --stream flow'],
  options: {
    component: { type: 'string', value: 'COMPONENT', about: 'of all rows' },
    stream: { type: 'string', value: 'STREAM', about: 'of all rows' },
    format: { type: 'string', value: 'FORMAT', about: 'csv or ndjson; by the content unless given' },
    id: { type: 'string', value: 'ID', about: 'the name by which it is gone on with; made from the file unless given' },
    again: { type: 'boolean', about: 'from the beginning, also where it was imported before' },
    json: { type: 'boolean', about: 'the report as JSON' },
  },
  run: async (context, given) => {
    const [name] = given.positionals
    if (name === undefined) throw new UsageError('which file? - is the input')
    const client = await context.client(given)
    const source = name === '-' ? undefined : await sourceOf(context, given, resolve(context.directory, name))
    const report =
      source === undefined ? await sendInput(context, given, client) : await sendFile(context, given, client, source)
    return printReport(context, given, report)
  },
}

type Source = {
  readonly path: string
  readonly id: string
  /** The server then has to find out whether it is the same file. */
  readonly isNamed: boolean
  readonly bytes: number
  readonly isCompressed: boolean
}

/** The same file has the same name; one that has changed, or that goes elsewhere, another. */
const sourceOf = async (context: Context, given: Given, path: string): Promise<Source> => {
  const found = await stat(path)
  if (found.isDirectory()) throw new UsageError(`${path} is a directory`)
  const { size, mtimeMs } = found
  const named = textOf(given, 'id')
  if (named !== undefined && isGiven(given, 'again')) throw new UsageError('--again needs another --id, or none')
  const again = isGiven(given, 'again') ? context.now() : ''
  const parts = [path, size, mtimeMs, textOf(given, 'component') ?? '', textOf(given, 'stream') ?? '', again]
  const made = `cli-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`
  return { path, id: named ?? made, isNamed: named !== undefined, bytes: size, isCompressed: await isGzip(path) }
}

const isGzip = async (path: string): Promise<boolean> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await file.close()
  }
}

const sendInput = (context: Context, given: Given, client: Client): Promise<Report> =>
  send(context, client, queryOf(given), streamOf(context.input()), false)

const sendFile = async (context: Context, given: Given, client: Client, source: Source): Promise<Report> => {
  const { path, id, isNamed, bytes, isCompressed } = source
  const bar = openProgress(context, 'bytes', bytes)
  try {
    for (let before = -1; ;) {
      const known = await findReport(client, id)
      if (known?.done && !isNamed) return known
      const offset = isCompressed || isNamed ? 0 : (known?.bytes ?? 0)
      const pieces = createReadStream(path, { start: offset, highWaterMark: 256 * 1024 })
      const body = streamOf(pieces, (sent) => bar.set(offset + sent))
      try {
        return await send(
          context,
          client,
          { ...queryOf(given), importId: id, ...(isNamed ? {} : { offset }) },
          body,
          isCompressed,
        )
      } catch (error) {
        context.signal.throwIfAborted()
        const isAway = error instanceof CoppiceError && [0, 429, 502, 503, 504].includes(error.status)
        const reached = isAway ? ((await findReport(client, id))?.bytes ?? 0) : -1
        // A try that has brought nothing further is the last.
        if (!isAway || reached <= before) throw error
        before = reached
      } finally {
        pieces.destroy()
      }
    }
  } finally {
    bar.end()
  }
}

const findReport = async (client: Client, id: string): Promise<Report | undefined> => {
  try {
    return (await client.call('GET /api/import/{id}', { path: { id } })).import
  } catch (error) {
    if (error instanceof CoppiceError && error.status === 404) return undefined
    throw error
  }
}

type ImportQuery = NonNullable<Call<'POST /api/import'>['query']>

const queryOf = (given: Given): ImportQuery => ({
  compId: textOf(given, 'component'),
  streamId: textOf(given, 'stream'),
  format: textOf(given, 'format') as ImportQuery['format'],
  importId: textOf(given, 'id'),
})

const send = async (
  { signal }: Context,
  client: Client,
  query: ImportQuery,
  body: ReadableStream<Uint8Array>,
  isCompressed: boolean,
): Promise<Report> => {
  const headers: Record<string, string> = isCompressed ? { 'Content-Encoding': 'gzip' } : {}
  return (await client.call('POST /api/import', { query, body, headers, signal })).import
}

/** As fast as it is read. */
const streamOf = (input: AsyncIterable<Uint8Array>, onSent?: (bytes: number) => void): ReadableStream<Uint8Array> => {
  const pieces = input[Symbol.asyncIterator]()
  let sent = 0
  return new ReadableStream({
    pull: async (controller) => {
      const next = await pieces.next()
      if (next.done) return controller.close()
      sent += next.value.length
      onSent?.(sent)
      controller.enqueue(next.value)
    },
    cancel: async () => void (await pieces.return?.()),
  })
}

const printReport = async (context: Context, given: Given, report: Report): Promise<number> => {
  if (isGiven(given, 'json')) await context.out(`${JSON.stringify(report)}\n`)
  else {
    for (const { line, reason } of report.refusals) await context.err(`line ${line}: ${reason}\n`)
    const more = report.refused - report.refusals.length
    if (more > 0) await context.err(`and ${more} more\n`)
    await context.err(`${report.stored} samples stored, ${report.refused} refused\n`)
  }
  return report.refused === 0 ? exit.done : exit.refused
}
