// Rows that are longer than a session may take, and such as need room: for PostgreSQL and MySQL, which say how long they are.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { fetchRows } from '../../src/outbound/fetch.ts'
import type { Target } from '../../src/outbound/target.ts'
import { portOf } from '../../src/outbound/target.ts'
import { fetchAll } from '../support/outbound.ts'
import { refuses } from './contract.ts'

const megabyte = 1024 * 1024

/** `large` gives a statement with one row of so many MB, `many` one with a thousand of them. */
export type LongRows = {
  readonly target: () => Target
  readonly large: (mb: number) => string
  readonly many: (mb: number) => string
}

export const describeLongRows = ({ target, large, many }: LongRows): void => {
  it('refuses a row that is too long with its first bytes', async () => {
    const relay = await openCounter(target())
    try {
      await refuses(fetchAll(relay.target, large(60)), { reason: 'value', message: /^a row is larger than 4 MB$/ })
      // As much as fits between two sides that do not read.
      assert.ok(relay.bytes() < 30 * megabyte, `${relay.bytes()}`)
    } finally {
      relay.close()
    }
  })

  it('takes little memory for rows that are too long, however many sessions get them', async () => {
    const before = process.memoryUsage.rss()
    let most = before
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 10)
    const all = await Promise.allSettled(Array.from({ length: 6 }, () => fetchAll(target(), many(60), { maxRows: 20 })))
    clearInterval(timer)
    assert.deepEqual(
      all.map((one) => one.status === 'rejected' && (one.reason as Error).message),
      all.map(() => 'a row is larger than 4 MB'),
    )
    // Six threads, 20 MB each.
    assert.ok(most - before < 240 * megabyte, `${Math.round((most - before) / megabyte)} MB`)
  })

  it('has room for long rows of one session of an organization, and of another one beside', async () => {
    const open = (organization: string, timeoutMs = 60_000) => {
      const { signal } = new AbortController()
      const holders = [`tenant ${organization}`, `user of ${organization}`] as const
      return fetchRows(target(), many(1), { maxRows: 20, timeZone: 'UTC', timeoutMs, signal, holders, batchRows: 1 })
    }
    const readAll = async (opened: ReturnType<typeof open>) => {
      let rows = 0
      for await (const batch of (await opened).batches) rows += batch.length
      return rows
    }
    const first = await open('first')
    const reading = first.batches[Symbol.asyncIterator]()
    await reading.next()
    const late = 'too many sessions read long rows at once: try again'
    await assert.rejects(readAll(open('first', 4000)), { message: late })
    assert.equal(await readAll(open('second')), 20)
    const waiting = readAll(open('first'))
    await reading.return?.()
    assert.equal(await waiting, 20)
  })
}

/** In front of a server, it counts the bytes that the server sends. */
const openCounter = async (target: Target) => {
  let bytes = 0
  const server = createServer((client) => {
    const upstream = connect(portOf(target), target.host)
    for (const socket of [client, upstream]) socket.on('error', () => {})
    upstream.on('data', ({ length }) => (bytes += length))
    upstream.pipe(client)
    client.pipe(upstream)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { target: { ...target, host: '127.0.0.1', port }, bytes: () => bytes, close: () => void server.close() }
}
