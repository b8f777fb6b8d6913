// The contract of every kind of external database: the same tests for each server that can be had, in its own words.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { ExternalError } from '../../src/outbound/external-error.ts'
import { fetchRows, testConnection } from '../../src/outbound/fetch.ts'
import type { Kind, Target } from '../../src/outbound/target.ts'
import { fetchAll, holders } from '../support/outbound.ts'

export type Dialect = {
  /** Rows with the numbers 1 to n, in order, in a column n. */
  readonly numbers: (n: number) => string
  /** A statement that takes so many seconds and gives a row. */
  readonly sleep: (seconds: number) => string
  /** Rows whose third is no time in the column at. */
  readonly brokenThird?: string
  /** Statements that would change the table kept (n integer), all refused. */
  readonly writes: readonly string[]
  /** Those of them, or others, that only a read-only transaction refuses. */
  readonly refusedToWrite?: readonly string[]
  /** How many rows the table kept has. */
  readonly countKept: string
  /** How many statements of ours the server is running. */
  readonly running: string
  /** Sends a text of so many MB in one row. */
  readonly large: (megabytes: number) => string
}

type Refusal = { readonly reason: string; readonly message: RegExp }

export const refuses = (work: Promise<unknown>, { reason, message }: Refusal) =>
  assert.rejects(work, (error) => {
    assert.ok(error instanceof ExternalError, String(error))
    assert.match(error.message, message)
    assert.equal(error.reason, reason)
    assert.doesNotMatch(error.message, /\n/)
    return true
  })

/** The words of a server until TLS begins, before and after its client says anything. */
const tlsBeginnings: Readonly<Record<Kind, { readonly first?: Buffer; readonly second?: Buffer }>> = {
  postgresql: { second: Buffer.from('S') },
  mysql: {
    first: Buffer.from(
      '500000000a352e352e352d31302e302e300001000000616263646566676800ffff2102003f801500000000000000000000' +
        '616263646566676861626364006d7973716c5f6e61746976655f70617373776f726400',
      'hex',
    ),
  },
  sqlserver: {},
  oracle: {},
}

/** Sentences that need no server. */
export const describeRefusals = (kind: Kind) => {
  const target = (changed: Partial<Target>): Target => ({
    kind,
    host: '127.0.0.1',
    port: 1,
    database: 'plant',
    user: 'reader',
    password: 'S3cret!',
    tls: false,
    more: {},
    allow: ['127.0.0.0/8'],
    ...changed,
  })
  const test = (changed: Partial<Target>) => testConnection(target(changed), { timeoutMs: 60_000, holders })

  it('says that nobody listens at a closed port', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const { ok, error } = await test({ port })
    assert.deepEqual({ ok, error }, { ok: false, error: `nobody listens at 127.0.0.1:${port}` })
  })

  it('says that a name is unknown', async () => {
    const { ok, error } = await test({ host: 'no-such-host.invalid' })
    assert.deepEqual({ ok, error }, { ok: false, error: "the name 'no-such-host.invalid' is unknown" })
  })

  it('says that an address may not be reached, by number and by name', async () => {
    for (const host of ['127.0.0.1', 'localhost', '::1', '::ffff:127.0.0.1']) {
      const { ok, error } = await test({ host, allow: [] })
      assert.equal(ok, false)
      assert.match(
        error!,
        /^the address .* may not be reached: the operator of this server can name it in OUTBOUND_ALLOW$/,
      )
    }
  })

  it('says that a server does not answer, within the time of the connection', async () => {
    // It takes connections and says nothing.
    const server = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    try {
      const { ok, error } = await test({ port, more: { connectTimeoutMs: 1000 } })
      assert.equal(ok, false)
      assert.match(error!, /did not answer within 1 s$/)
    } finally {
      server.close()
    }
  })

  it('says that a server does not answer which begins with TLS and then is silent', async () => {
    const begin = tlsBeginnings[kind]
    const server = createServer((socket) => {
      socket.on('error', () => {})
      if (begin.first) socket.write(begin.first)
      if (begin.second) socket.once('data', () => socket.write(begin.second!))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    try {
      const { ok, error } = await test({ port, tls: true, more: { connectTimeoutMs: 1000 } })
      assert.equal(ok, false)
      assert.match(error!, /^127\.0\.0\.1:\d+ did not answer within 1 s$/)
    } finally {
      server.close()
    }
  })

  it('says of a test for which there was no time at all that this server was too busy', async () => {
    const { ok, error } = await testConnection(target({}), { timeoutMs: 1, holders })
    assert.deepEqual([ok, error], [false, 'this server was too busy to try 127.0.0.1:1 within 1 s: try again'])
  })

  it('says so when a server that is none of this kind answers, which it asks once', async () => {
    let asked = 0
    const server = createServer((socket) => {
      asked += 1
      socket.on('error', () => {})
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    try {
      const { ok, error } = await test({ port, more: { connectTimeoutMs: 1000 } })
      assert.equal(ok, false)
      assert.doesNotMatch(error!, /S3cret|\n/)
      assert.equal(asked, 1)
    } finally {
      server.close()
    }
  })
}

export const describeContract = (dialect: Dialect, target: () => Target) => {
  it('signs in and says the version', async () => {
    const { ok, version, error } = await testConnection(target(), { timeoutMs: 60_000, holders })
    assert.deepEqual({ ok, error }, { ok: true, error: undefined })
    assert.match(version!, /\d+\.\d+/)
  })

  it('gives all rows in order, in batches', async () => {
    const { rows, truncated } = await fetchAll(target(), dialect.numbers(2500), { batchRows: 1000 })
    assert.deepEqual(
      rows.map(([n]) => n),
      Array.from({ length: 2500 }, (_, index) => String(index + 1)),
    )
    assert.equal(truncated, false)
  })

  it('stops after maxRows and says that there were more', async () => {
    const cut = await fetchAll(target(), dialect.numbers(50), { maxRows: 20 })
    assert.deepEqual([cut.rows.length, cut.truncated], [20, true])
    const whole = await fetchAll(target(), dialect.numbers(20), { maxRows: 20 })
    assert.deepEqual([whole.rows.length, whole.truncated], [20, false])
  })

  it('gives no rows of an empty result, and its columns', async () => {
    const { rows, columns } = await fetchAll(target(), `select n from (${dialect.numbers(3)}) t where n > 5`)
    assert.deepEqual([rows, columns.map(({ name }) => name.toLowerCase())], [[], ['n']])
  })

  it('refuses a statement that would change anything, and changes nothing', async function () {
    for (const sql of dialect.writes)
      await assert.rejects(fetchAll(target(), sql), (error) => error instanceof ExternalError, sql)
    const { rows } = await fetchAll(target(), dialect.countKept)
    assert.deepEqual(rows, [['1']])
  })

  it('refuses a second statement', async () => {
    const both = `${dialect.countKept}; ${dialect.writes[0]!}`
    const message = /^External SQL must be one statement, and another follows$/
    await refuses(fetchAll(target(), both), { reason: 'sql', message })
    const { rows } = await fetchAll(target(), dialect.countKept)
    assert.deepEqual(rows, [['1']])
  })

  it('says of a statement that would write that it may only read, where that is what refuses it', async () => {
    for (const sql of dialect.refusedToWrite ?? [])
      await refuses(fetchAll(target(), sql), { reason: 'sql', message: /^External SQL may only read: ./ })
  })

  it('quotes the server on a wrong statement', async () => {
    await refuses(fetchAll(target(), 'select nothing_of_this_name from kept'), {
      reason: 'sql',
      message: /^External SQL(?:, line 1(?:, column 8)?)?: .*nothing_of_this_name/i,
    })
  })

  it('ends a statement that takes too long, and leaves nothing running there', async () => {
    await refuses(fetchAll(target(), dialect.sleep(20), { timeoutMs: 1500 }), {
      reason: 'timeout',
      message: /took (too long|longer than 1500 ms)/,
    })
    await nothingRuns(dialect, target())
  })

  it('ends a statement that is cancelled, and leaves nothing running there', async () => {
    const controller = new AbortController()
    const work = fetchAll(target(), dialect.sleep(20), { signal: controller.signal })
    setTimeout(() => controller.abort(), 1500)
    await refuses(work, { reason: 'cancelled', message: /cancelled/ })
    await nothingRuns(dialect, target())
  })

  it('ends a row that is larger than 4 MB, and takes one of 3', async () => {
    const { rows } = await fetchAll(target(), dialect.large(3))
    assert.equal(rows[0]![0]!.length, 3 * 1024 * 1024)
    await assert.rejects(fetchAll(target(), dialect.large(100)), (error) => error instanceof ExternalError)
  })

  it('is not ahead of its reader by more than a few batches', async () => {
    const signal = new AbortController().signal
    const options = { maxRows: 0, timeZone: 'UTC', timeoutMs: 60_000, signal, holders, batchRows: 100 }
    const { batches } = await fetchRows(target(), dialect.numbers(200_000), options)
    const before = process.memoryUsage().rss
    for await (const _ of batches) {
      await new Promise((resolve) => setTimeout(resolve, 1500))
      break
    }
    assert.ok(process.memoryUsage().rss - before < 150e6)
  })
}

const nothingRuns = async (dialect: Dialect, target: Target) => {
  for (let tries = 0; tries < 50; tries += 1) {
    const { rows } = await fetchAll(target, dialect.running)
    if (rows[0]![0] === '0') return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.fail('the statement still runs')
}
