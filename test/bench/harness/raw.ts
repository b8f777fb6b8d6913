// The speed of the database alone, as the measure for this server: COPY and upsert into an equal hypertable, and the
// SQL that a reading call comes down to, on plain connections.
import { finished } from 'node:stream/promises'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { binaryParameters, copyBuffer, copyText } from '../../../src/core/sample/copy-rows.ts'
import type { SampleRows } from '../../../src/core/sample/rows.ts'
import { upsertBinaryText } from '../../../src/core/sample/sample.ts'
import { emptyRows, pushRow } from '../../../src/core/sample/rows.ts'
import type { Drive, Driven, Times } from './load.ts'

/** An equal of the table sample, beside it. */
export const createRawTable = async (url: string): Promise<void> => {
  const client = await connect(url)
  await client.query(`
    create table raw_sample (like sample including all);
    select create_hypertable('raw_sample', by_range('time', interval '7 days'), create_default_indexes => false)`)
  await client.end()
}

const rawCopyText = copyText.replace('copy sample', 'copy raw_sample')
const rawUpsertText = upsertBinaryText.replace('insert into sample', 'insert into raw_sample')

export type RawWay = 'copy' | 'upsert'

/** Like a batch of load.ts: transaction n has the slice n of the streams, `blocks` samples of each, as Times says. */
export type RawWrite = {
  readonly way: RawWay
  readonly streams: number
  readonly slices: number
  readonly blocks: number
  readonly times: Times
}

/** Rows are in the order of the primary key, which is the fastest. */
export const driveRawWrite = async (url: string, write: RawWrite, options: Drive): Promise<Driven> => {
  let next = options.from
  const driven = await driveClients(url, options, async (client) => {
    const rows = rowsOf(write, next)
    next += 1
    if (write.way === 'upsert') {
      await client.query({ name: 'upsert', text: rawUpsertText, values: binaryParameters(rows) })
      return
    }
    const copy = client.query(copyFrom(rawCopyText))
    copy.end(copyBuffer(rows))
    await finished(copy)
  })
  return { ...driven, next }
}

const rowsOf = ({ streams, slices, blocks, times }: RawWrite, n: number): SampleRows => {
  const rows = emptyRows()
  const slice = n % slices
  const round = Math.floor(n / slices)
  for (let stream = 1; stream <= streams; stream += 1)
    for (let block = 0; block < blocks; block += 1) {
      const k = round * blocks + block
      const timeMs = times.fromMs + times.stepMs * (times.cycle === undefined ? k : k % times.cycle)
      pushRow(rows, slice * streams + stream, null, timeMs, 'DOUBLE', 20 + (k % 100) / 10)
    }
  return rows
}

/** One prepared query after the other. */
export const driveRawQuery = (
  url: string,
  text: string,
  valuesOf: (n: number) => unknown[],
  connections: number,
  seconds: number,
): Promise<Driven> => {
  let n = 0
  return driveClients(url, { connections, seconds, from: 0 }, async (client) => {
    n += 1
    await client.query({ name: 'raw', text, values: valuesOf(n) })
  })
}

const driveClients = async (
  url: string,
  { connections, seconds }: Drive,
  work: (client: Client) => Promise<void>,
): Promise<Driven> => {
  const clients = await Promise.all(Array.from({ length: connections }, () => connect(url)))
  const latenciesMs: number[] = []
  const beganMs = performance.now()
  const untilMs = beganMs + seconds * 1000
  const goOn = async (client: Client) => {
    for (let sentMs = performance.now(); sentMs < untilMs; sentMs = performance.now()) {
      await work(client)
      latenciesMs.push(performance.now() - sentMs)
    }
  }
  await Promise.all(clients.map(goOn))
  const took = (performance.now() - beganMs) / 1000
  await Promise.all(clients.map((client) => client.end()))
  return { ...summaryOf(latenciesMs), seconds: took, failures: 0, next: 0 }
}

export const summaryOf = (latenciesMs: readonly number[]) => {
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0
  return { requests: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99) }
}

const connect = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}
