// The pool on a database whose connections are cut at every bad moment, through a proxy that does the cutting.
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { onOwnConnection, openPool } from '../../../src/base/database/pool.ts'
import { Fault } from '../../../src/base/errors.ts'
import type { Pool, Transaction } from '../../../src/base/database/sql.ts'
import { faultFromSql, fullness, snapshot, sqlCode, transaction } from '../../../src/base/database/sql.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { eventually, within } from '../../support/within.ts'

/** A proxy between pool and database, which counts its bytes and can be cut. */
const openProxy = async (databaseUrl: string) => {
  const { hostname, port } = new URL(databaseUrl)
  const pairs = new Set<readonly [Socket, Socket]>()
  let most = 0
  let bytesLeft = Number.POSITIVE_INFINITY
  let isRefusing = false
  const server: Server = createServer((client) => {
    if (isRefusing) return void client.destroy()
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true })
    const pair = [client, upstream] as const
    pairs.add(pair)
    most = Math.max(most, pairs.size)
    const cut = () => {
      client.destroy()
      upstream.destroy()
      pairs.delete(pair)
    }
    client.setNoDelay(true)
    client.on('error', cut).on('close', cut)
    upstream.on('error', cut).on('close', cut)
    client.on('data', (chunk: Buffer) => upstream.write(chunk))
    upstream.on('data', (chunk: Buffer) => {
      const part = chunk.subarray(0, bytesLeft)
      bytesLeft -= part.length
      if (part.length === chunk.length) client.write(chunk)
      // The driver sees the beginning of an answer, and then the end of the connection.
      else client.end(part, cut)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` }).href
  return {
    url,
    connections: () => pairs.size,
    /** By which the database knows those that are not cut. */
    ports: () => [...pairs].flatMap(([, { localPort }]) => localPort ?? []),
    /** At once, so far. */
    mostConnections: () => most,
    cut: () => {
      for (const [client] of pairs) client.destroy()
    },
    /** Cuts each connection after so many more bytes of answers. */
    cutAfter: (bytes: number) => {
      bytesLeft = bytes
    },
    refuse: (isOn: boolean) => {
      isRefusing = isOn
    },
    close: async () => {
      for (const [client] of pairs) client.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const isAway = (error: unknown) => {
  assert.equal((faultFromSql(error) as { code?: string }).code, 'database_away', String(error))
  return true
}

const sleepShortly = (sql: Transaction) => sql`select pg_sleep(0.05)`

describe('base/pool', () => {
  let database: TestDatabase
  let proxy: Awaited<ReturnType<typeof openProxy>>
  let pool: Pool
  before(async () => (database = await openTestDatabase()))
  after(() => database.drop())
  beforeEach(async () => {
    proxy = await openProxy(database.url)
    pool = openPool(proxy.url, { connections: 5, queries: 2, name: 'test of the pool' })
  })
  afterEach(async () => {
    await pool.end({ timeout: 1 })
    await proxy.close()
  })

  /** Waits until so many statements sleep in the database and are thus under way. Those that were cut may sleep on. */
  const asleep = (count: number) =>
    eventually(async () => {
      const [found] = await database.sql<[{ count: number }]>`
        select count(*)::integer from pg_stat_activity
        where wait_event = 'PgSleep' and client_port = any(${proxy.ports()}::integer[])`
      return found.count === count
    })
  const one = async () => (await pool<[{ one: number }]>`select 1 as one`)[0].one
  /** The pool has heard of a cut when this process has gone round a few times, however long that takes. */
  const heard = async () => {
    for (let turns = 0; turns < 20; turns += 1) await turn()
  }
  /** Right after a cut, for more queries at once than there are connections, so that none is left out. */
  const works = async () => {
    await heard()
    const found = await Promise.all(Array.from({ length: 12 }, one))
    assert.deepEqual(found, Array(12).fill(1))
  }
  /** A finding is believed for a tenth of a second. */
  const worksSoon = () =>
    eventually(() =>
      works().then(
        () => true,
        () => false,
      ),
    )

  it('fails at once when nobody listens, however many ask, and works when somebody does', async () => {
    const nowhere = openPool('postgres://x:y@127.0.0.1:1/z', { connections: 2, name: 'test' })
    const asked = Array.from({ length: 50 }, () => nowhere`select 1`)
    for (const query of asked) await assert.rejects(query, isAway)
    await nowhere.end({ timeout: 0 })
    proxy.refuse(true)
    for (let n = 0; n < 20; n += 1) await assert.rejects(one(), isAway)
    proxy.refuse(false)
    await worksSoon()
  })

  it('fails queries under way when the connection is cut, and goes on with another', async () => {
    await works()
    for (let round = 0; round < 5; round += 1) {
      const asked = Array.from({ length: 9 }, (_, n) => pool`select pg_sleep(30), ${n}::integer as n`)
      const outcomes = Promise.allSettled(asked)
      await asleep(2)
      proxy.cut()
      for (const outcome of await outcomes) assert.ok(outcome.status === 'rejected' && isAway(outcome.reason))
      await works()
    }
  })

  it('does not notice a cut of connections that were idle', async () => {
    await works()
    proxy.cut()
    await works()
  })

  it('ends a transaction whose connection is cut, whatever it is doing', async () => {
    const gate = new EventEmitter()
    const whileAsleep: readonly ((sql: Pool) => Promise<unknown>)[] = [
      (sql) => sql`select pg_sleep(30)`,
      (sql) => sql`select pg_sleep(30), ${1}::integer`,
      (sql) => Promise.all([sql`select pg_sleep(30)`, sql`select ${1}::integer`, sql`select ${2}::integer`]),
      (sql) => sql`select pg_sleep(30)`.catch(() => sql`select 1`),
    ]
    // When nothing is under way.
    const betweenStatements: readonly ((sql: Pool) => Promise<unknown>)[] = [
      async (sql) => {
        await once(gate, 'cut')
        return sql`select 1`
      },
      async () => {
        await once(gate, 'cut')
        throw new Error('a reason of its own')
      },
    ]
    for (const moment of [...whileAsleep, ...betweenStatements]) {
      const begun = once(gate, 'begun')
      const outcome = assert.rejects(
        transaction(pool, async (sql) => {
          await sql`select 1`
          setImmediate(() => gate.emit('begun'))
          return moment(sql as unknown as Pool)
        }),
      )
      await begun
      if (whileAsleep.includes(moment)) await asleep(1)
      proxy.cut()
      gate.emit('cut')
      await outcome
      await works()
    }
  })

  it('takes and gives lists, with gaps, quotes, commas and backslashes in them', async () => {
    const lists = {
      bools: [true, false, null],
      ints: [1, -2, null],
      texts: ['', 'null', 'NULL', null, 'a,b', '{"c"}', 'd\\"e', 'f\ng', ' '],
      longs: [1, 9007199254740993n, null],
      numbers: [1.5, -1e300, null],
      times: [0, -62135596800000, null],
    }
    const { bools, ints, texts, longs, numbers, times } = lists
    const [row] = await pool`
      select ${pool.typed(bools as never, 1000)}::boolean[] as bools, ${ints}::integer[] as ints, ${texts}::text[] as texts,
        ${longs as never}::bigint[] as longs, ${numbers}::double precision[] as numbers,
        ${times}::timestamptz[] as times, '{}'::text[] as empty`
    assert.deepEqual({ ...row }, { ...lists, empty: [] })
  })

  it('goes on with queries that wait behind transactions that are cut', async () => {
    const sleep = () => transaction(pool, (sql) => sql`select pg_sleep(30), ${1}::integer`)
    const cut = Promise.allSettled(Array.from({ length: 3 }, sleep))
    await asleep(3)
    const waiting = Array.from({ length: 10 }, (_, n) => transaction(pool, (sql) => sql`select ${n}::integer as n`))
    proxy.cut()
    for (const outcome of await cut) assert.ok(outcome.status === 'rejected' && isAway(outcome.reason))
    assert.deepEqual(
      (await Promise.all(waiting)).map(([row]) => row!['n']),
      Array.from({ length: 10 }, (_, n) => n),
    )
  })

  it('reads nothing outside a transaction whose beginning was lost with a connection that was not ready in time', async () => {
    const { hostname, port } = new URL(database.url)
    let lose = () => {}
    const lost = new Promise<void>((resolve) => {
      lose = resolve
    })
    let connections = 0
    const silentAtFirst = createServer((socket) => {
      connections += 1
      if (connections === 1) return void socket.resume().on('close', lose)
      const way = connect(Number(port), hostname)
      socket.on('error', () => way.destroy()).on('close', () => way.destroy())
      way.on('error', () => socket.destroy()).on('close', () => socket.destroy())
      socket.pipe(way).pipe(socket)
    }).listen(0, '127.0.0.1')
    await once(silentAtFirst, 'listening')
    const url = new URL(database.url)
    url.port = String((silentAtFirst.address() as AddressInfo).port)
    url.hostname = '127.0.0.1'
    const late = openPool(url.href, { connections: 2, name: 'late' })
    const levels: string[] = []
    const readLate = (sql: Transaction) =>
      within(5000, async () => {
        const level = sql<[{ level: string }]>`select current_setting('transaction_isolation') as level`
        return level.then(
          ([row]) => levels.push(row.level) > 0,
          () => false,
        )
      })
    try {
      await assert.rejects(
        snapshot(late, async (sql) => {
          await lost
          await readLate(sql)
        }),
        isAway,
      )
      await snapshot(late, readLate)
      assert.equal(levels.at(-1), 'repeatable read')
    } finally {
      await late.end({ timeout: 0 })
      silentAtFirst.close()
    }
  })

  it('settles every query, and with the truth, when connections are cut at any moment', async () => {
    await database.sql`create table acknowledged (n integer primary key)`
    const kinds: readonly ((n: number) => Promise<unknown>)[] = [
      () => one(),
      async (n) => assert.deepEqual([...(await pool`select ${n}::integer as n`)], [{ n }]),
      async (n) =>
        assert.equal((await pool`select n from generate_series(1, ${n % 300}::integer) as n`).length, n % 300),
      (n) =>
        transaction(pool, async (sql) => {
          await sql`insert into acknowledged values (${n})`
          await sql`select ${n}::integer`
        }).then(() => committed.push(n)),
    ]
    const committed: number[] = []
    const state = { isOver: false, next: 0, failed: 0, answered: 0 }
    const work = async () => {
      while (!state.isOver) {
        state.next += 1
        const n = state.next
        await kinds[n % kinds.length]!(n).then(
          () => (state.answered += 1),
          (error: unknown) => {
            state.failed += 1
            return isAway(error)
          },
        )
      }
    }
    const working = Promise.all(Array.from({ length: 20 }, work))
    for (let cut = 0; cut < 40; cut += 1) {
      // Right after the last cut, while connections are opened, or after some more answers.
      const until = state.answered + 3 * (cut % 9)
      do await turn()
      while (state.answered < until)
      proxy.cut()
    }
    state.isOver = true
    await working
    assert.ok(state.failed > 0 && committed.length > 0)
    const kept = new Set((await database.sql<{ n: number }[]>`select n from acknowledged`).map(({ n }) => n))
    assert.deepEqual(
      committed.filter((n) => !kept.has(n)),
      [],
    )
    await worksSoon()
  })

  it('stores nothing of a transaction in which a query has failed and nobody cared', async () => {
    await database.sql`create table careless (n integer primary key)`
    const careless = transaction(pool, async (sql) => {
      await sql`insert into careless values (1)`
      await sql`select 1 / 0`.catch(() => {})
    })
    await assert.rejects(careless, { message: 'the transaction was rolled back because a query in it had failed' })
    assert.equal((await database.sql`select from careless`).length, 0)
    await transaction(pool, (sql) => sql`insert into careless values (2)`)
    assert.equal((await database.sql`select from careless`).length, 1)
  })

  it('refuses a query of a transaction that is over, wherever its connection is by then', async () => {
    await database.sql`create table late (n integer primary key)`
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    const over = { message: 'the transaction is over' }
    const late: Promise<void>[] = []
    /** Fails at once, and goes on with its other branch: while it is rolled back, or later. */
    const failing = (n: number, waitMs: number) =>
      transaction(pool, async (sql) => {
        const failed = Promise.resolve(sql`select 1 / 0`)
        const branch = async () => {
          await failed.catch(() => pause(waitMs))
          await sql`insert into late values (${n})`
        }
        late.push(assert.rejects(branch(), over))
        return failed
      })
    await assert.rejects(failing(1, 0), { code: '22012' })
    await Promise.all(late)
    // The connection of the one that failed goes to another transaction, which is stored.
    await assert.rejects(failing(2, 50), { code: '22012' })
    await transaction(pool, async (sql) => {
      await Promise.all(late)
      await sql`insert into late values (3)`
    })
    // One that forgets to wait for a branch has not stored it, but does not hand it on either.
    await transaction(pool, async (sql) => {
      late.push(
        assert.rejects(
          pause(10).then(() => sql`insert into late values (4)`),
          over,
        ),
      )
    })
    await Promise.all(late)
    assert.deepEqual([...(await database.sql`select n from late`)], [{ n: 3 }])
  })

  it('runs no more transactions at once than it has connections for, and all of them in the end', async () => {
    let most = 0
    let running = 0
    await Promise.all(
      Array.from({ length: 10 }, () =>
        transaction(pool, async (sql) => {
          running += 1
          most = Math.max(most, running)
          await sql`select`
          // The first ones wait until all that may are there: to connect takes its time.
          await eventually(async () => most >= 3)
          await sql`select`
          running -= 1
        }),
      ),
    )
    assert.equal(most, 3)
  })

  it('fails a query whose answer breaks off, wherever that is', async () => {
    for (let bytes = 0; bytes < 3000; bytes += 331) {
      await works()
      proxy.cutAfter(bytes)
      const outcome = await pool`select n, repeat('x', n) as text from generate_series(1, 200) as n`.then(
        () => 'answered',
        (error: unknown) => isAway(error),
      )
      proxy.cutAfter(Number.POSITIVE_INFINITY)
      assert.equal(outcome, true)
    }
    const rows = await pool`select n, repeat('x', n) as text from generate_series(1, 2000) as n`
    assert.deepEqual(
      rows.map(({ n, text }) => (text as string).length === n),
      Array(2000).fill(true),
    )
  })

  it('carries answers of any size', async () => {
    const [row] = await pool<[{ text: string }]>`select repeat('0123456789', 1000000) as text`
    assert.equal(row.text.length, 10_000_000)
  })

  it('lets others have their turn between the pieces of a large answer', async () => {
    const straight = openPool(database.url, { connections: 2, name: 'test of the pool' })
    let rows = 0
    let sinceTurn = 0
    let mostInTurn = 0
    let isOver = false
    const nextTurn = () => {
      mostInTurn = Math.max(mostInTurn, sinceTurn)
      sinceTurn = 0
      if (!isOver) setImmediate(nextTurn)
    }
    nextTurn()
    await straight`select repeat('x', 1000) from generate_series(1, 10000)`.forEach(() => {
      rows += 1
      sinceTurn += 1
      // Using a row takes its time; meanwhile the database sends more.
      for (let n = 0; n < 50; n += 1) JSON.stringify({ row: String(rows).repeat(20) })
    })
    isOver = true
    await straight.end({ timeout: 1 })
    assert.equal(rows, 10_000)
    assert.ok(mostInTurn <= 200, String(mostInTurn))
  })

  it('replaces connections whose statements have become too many, and answers all that was asked of them', async () => {
    const text = (number: number) => `select $1::int + ${number} as sum /* ${'x'.repeat(1000)} */`
    const ask = (sql: Pool, number: number) => sql.unsafe<[{ sum: number }]>(text(number), [1], { prepare: true })
    const ways = {
      queries: (number: number) => ask(pool, number),
      transactions: (number: number) => transaction(pool, (sql) => ask(sql as unknown as Pool, number)),
      lent: (number: number) => onOwnConnection(pool, undefined, (sql) => ask(sql, number)),
    }
    const prepared = (sql: Pool) => sql<[{ pid: number; bytes: number }]>`
      select pg_backend_pid() as pid, coalesce(sum(length(statement)), 0)::int as bytes from pg_prepared_statements`
    const seen = new Map<number, number>()
    let number = 0
    for (const [name, way] of Object.entries(ways)) {
      seen.clear()
      for (let round = 0; round < 12; round += 1) {
        const numbers = Array.from({ length: 100 }, () => (number += 1))
        const rows = await Promise.all(numbers.map((asked) => way(asked)))
        for (const [index, [row]] of rows.entries()) assert.equal(row.sum, numbers[index]! + 1)
        const [{ pid, bytes }] = await (name === 'queries'
          ? prepared(pool)
          : onOwnConnection(pool, undefined, prepared))
        seen.set(pid, Math.max(bytes, seen.get(pid) ?? 0))
      }
      assert.ok(seen.size > 1, name)
      // All that was asked at once came before the count was looked at.
      for (const bytes of seen.values()) assert.ok(bytes < 128 * 1024 + 110_000, `${name}: ${bytes}`)
    }
  })

  it('leaves no connection behind', async () => {
    await works()
    for (let round = 0; round < 5; round += 1) {
      proxy.cut()
      await pool`select 1`.catch(() => {})
      await works()
    }
    assert.ok(proxy.connections() <= 3, String(proxy.connections()))
    await pool.end({ timeout: 1 })
    await eventually(async () => proxy.connections() === 0)
    await assert.rejects(one(), (error) => sqlCode(error) === 'CONNECTION_ENDED')
  })

  it('opens no more connections than it is given, for transactions and single queries together', async () => {
    const six = openPool(proxy.url, { connections: 6, name: 'test of the pool' })
    await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        n % 2 === 0 ? six`select pg_sleep(0.05)` : transaction(six, (sql) => sql`select pg_sleep(0.05)`),
      ),
    )
    assert.equal(proxy.mostConnections(), 6)
    await six.end({ timeout: 1 })
  })

  it('closes connections that are of no use for a while, and opens them again', async () => {
    const closing = openPool(proxy.url, { connections: 6, name: 'test of the pool', idleMs: 100 })
    const ask = () =>
      Promise.all([closing`select 1`, ...Array.from({ length: 4 }, () => transaction(closing, sleepShortly))])
    for (let round = 0; round < 3; round += 1) {
      await ask()
      // One that is asked all the time stays.
      while (proxy.connections() > 1) await transaction(closing, (sql) => sql`select 1`)
      while (proxy.connections() > 0) await new Promise((resolve) => setTimeout(resolve, 10))
    }
    // The one under way is not cut.
    assert.equal((await closing`select pg_sleep(0.5), 7 as n`)[0]!['n'], 7)
    await closing.end({ timeout: 1 })
  })

  it('names the reason when the database takes no more connections, also while nobody asks it again', async () => {
    const name = new URL(database.url).pathname.slice(1)
    await database.sql.unsafe(`alter database ${name} connection limit 0`)
    try {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one() : transaction(pool, sleepShortly))),
      )
      for (const outcome of outcomes) {
        assert.ok(outcome.status === 'rejected')
        const fault = faultFromSql(outcome.reason)
        assert.ok(fault instanceof Fault)
        assert.deepEqual(
          [fault.status, fault.code, fault.message],
          [503, 'database_busy', 'the database takes no more connections'],
        )
        assert.match(String(fault.detail), /max_connections.*DATABASE_CONNECTIONS/)
      }
    } finally {
      await database.sql.unsafe(`alter database ${name} connection limit -1`)
      fullness.forget()
    }
    await worksSoon()
  })

  it('lets queries under way on other connections end when one is lost', async () => {
    await works()
    const slow = pool`select pg_sleep(1.5), 7 as n`
    const waiting = Promise.resolve(slow)
    await asleep(1)
    const [{ pid }] = await pool<[{ pid: number }]>`select pg_backend_pid() as pid`
    await database.sql`select pg_terminate_backend(${pid}, 5000)`
    await worksSoon()
    assert.equal((await waiting)[0]!['n'], 7)
  })

  it('cancels a query', async () => {
    const sleeping = pool`select pg_sleep(30)`
    const outcome = assert.rejects(Promise.resolve(sleeping), { code: '57014' })
    await asleep(1)
    sleeping.cancel()
    await outcome
    await works()
  })

  it('lends a connection again only when the cancellation of the query there has been sent', async () => {
    const two = openPool(proxy.url, { connections: 2, queries: 1, name: 'test of the pool' })
    const [ofShared, ofNext] = [77, 78]
    const waitsFor = async (lock: number) =>
      (await database.sql`select from pg_locks where locktype = 'advisory' and objid = ${lock} and not granted`)
        .length > 0
    const leaving = new AbortController()
    let next: Promise<readonly { readonly pid: number }[]> | undefined
    let held: Promise<unknown> | undefined
    let before: number | undefined
    await transaction(database.sql, async (holder) => {
      await holder`select pg_advisory_xact_lock(${ofNext})`
      await transaction(database.sql, async (inner) => {
        await inner`select pg_advisory_xact_lock(${ofShared})`
        // The one connection for single queries: the cancellation waits behind this one.
        held = Promise.resolve(two`select pg_advisory_xact_lock(${ofShared})`.execute())
        await eventually(() => waitsFor(ofShared))
        before = await onOwnConnection(two, leaving.signal, async (sql) => {
          const [{ pid }] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
          leaving.abort()
          return pid
        })
        next = onOwnConnection(
          two,
          undefined,
          (sql) => sql<{ pid: number }[]>`select pg_backend_pid() as pid, pg_advisory_xact_lock(${ofNext})`,
        )
        next.catch(() => {})
        // Time to be asked too early, if the connection were lent.
        for (let look = 0; look < 25 && !(await waitsFor(ofNext)); look += 1)
          await new Promise((resolve) => setTimeout(resolve, 20))
      })
      // The wait of the cancellation is over, and this comes behind it.
      await held
      await two`select 1`
      let isOver = false
      next!.finally(() => (isOver = true)).catch(() => {})
      await eventually(async () => isOver || (await waitsFor(ofNext)))
    })
    assert.deepEqual(await next!.then((rows) => rows.map(({ pid }) => pid)), [before])
    await two.end({ timeout: 1 })
  })

  it('survives a cancellation that cannot be sent', async () => {
    // A server ends by a rejection that nobody handles.
    const unhandled: unknown[] = []
    const note = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    try {
      await works()
      const sleeping = pool`select pg_sleep(1)`
      const outcome = Promise.resolve(sleeping)
      await asleep(1)
      proxy.refuse(true)
      const another = transaction(pool, (sql) => sql`select 1`)
      await assert.rejects(another, isAway)
      sleeping.cancel()
      await outcome
      assert.deepEqual(unhandled, [])
    } finally {
      process.off('unhandledRejection', note)
    }
    proxy.refuse(false)
    await worksSoon()
  })
})
