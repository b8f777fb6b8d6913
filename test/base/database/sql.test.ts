import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { openPool } from '../../../src/base/database/pool.ts'
import { Fault, tooManyConnections } from '../../../src/base/errors.ts'
import {
  endsConnection,
  faultFromSql,
  isStandbyLoss,
  openFullness,
  msFromTimestamptz,
  timestamptzFromMs,
  transaction,
} from '../../../src/base/database/sql.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'

describe('times in sql', () => {
  let database: TestDatabase
  before(async () => (database = await openTestDatabase()))
  after(() => database.drop())

  for (const text of [
    '2026-11-15T01:31:48.250Z',
    '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '+010000-01-01T05:00:00.001Z',
    '+012345-06-07T08:09:10.000Z',
    '0000-12-31T23:00:00.000Z',
    '-000001-12-31T00:00:00.000Z',
    '-000012-01-01T00:00:00.000Z',
  ])
    it(`keeps ${text} to the millisecond on the way to Postgres and back`, async () => {
      const ms = Date.parse(text)
      const [row] =
        await database.sql`select ${ms}::timestamptz as time, extract(epoch from ${ms}::timestamptz) as seconds`
      assert.equal(row!['time'], ms)
      assert.equal(Number(row!['seconds']) * 1000, ms)
      assert.equal(msFromTimestamptz(timestamptzFromMs(ms).replace('T', ' ').replace('Z', '+00')), ms)
    })

  it('refuses a text that is no time', () => {
    assert.throws(() => msFromTimestamptz('infinity'), RangeError)
  })
})

describe('errors in sql', () => {
  let database: TestDatabase
  before(async () => (database = await openTestDatabase()))
  after(() => database.drop())

  it('are for the caller to try again when they end a deadlock', async () => {
    let arrived = 0
    let meet = () => {}
    const met = new Promise<void>((resolve) => {
      meet = resolve
    })
    const lockBoth = (first: number, second: number) =>
      transaction(database.sql, async (sql) => {
        await sql`select pg_advisory_xact_lock(${first})`
        arrived += 1
        if (arrived === 2) meet()
        await met
        await sql`select pg_advisory_xact_lock(${second})`
      })
    const outcomes = await Promise.allSettled([lockBoth(1, 2), lockBoth(2, 1)])
    const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [faultFromSql(outcome.reason)] : []))
    assert.deepEqual(
      errors.map((error) => error instanceof Fault && error.code),
      ['busy'],
    )
  })

  it('are answered by the code of Postgres: a full disk and a standby as a database that is away, to be tried again', async () => {
    for (const [code, expected] of [
      ['53100', 'database_away'],
      ['25006', 'database_away'],
      ['57P01', 'database_away'],
      ['53200', 'busy'],
      ['55P03', 'busy'],
      ['53400', 'bad_request'],
      ['22021', 'bad_request'],
      ['23503', 'conflict'],
    ] as const) {
      const raised: unknown = await database.sql
        .unsafe(`do $$ begin raise exception using errcode = '${code}'; end $$`)
        .then(() => assert.fail('nothing was raised'), faultFromSql)
      assert.ok(raised instanceof Fault, code)
      assert.equal(raised.code, expected, code)
      if (raised.status === 503) assert.match(raised.headers['Retry-After'] ?? '', /^\d+$/, code)
    }
  })

  it('end their connection, or only their statement, by their code: a server says so in its own language', () => {
    const ofCode = (code: string) => endsConnection(Object.assign(new Error('x'), { code, severity: 'FEHLER' }))
    for (const code of ['08006', '25P03', '25P04', '28000', '53300', '57P01', '57P03', '57P05'])
      assert.equal(ofCode(code), true, code)
    for (const code of ['CG001', 'GS001', '23505', '40P01', '55P03', '57014', '53100', '53200', '22008', 'XX000'])
      assert.equal(ofCode(code), false, code)
  })

  it('mean a busy database when connections come late after it has just refused some, and else one that is away', () => {
    let nowMs = 0
    const { note, nameOf } = openFullness(() => nowMs)
    assert.equal(nameOf(new Error('late'), true).code, 'database_away')
    assert.equal(note(new Error('sorry, too many clients already')).code, 'database_busy')
    nowMs += 4000
    assert.equal(nameOf(new Error('late'), true).code, 'database_busy')
    assert.equal(nameOf(new Error('refused'), false).code, 'database_away')
    nowMs += 2000
    assert.equal(nameOf(new Error('late'), true).code, 'database_away')
  })

  it('distinguish a connection that was closed before it was ready from one that was lost', async () => {
    const closing = createServer((socket) => socket.on('data', () => socket.destroy())).listen(0, '127.0.0.1')
    await once(closing, 'listening')
    const { port } = closing.address() as AddressInfo
    const pool = openPool(`postgres://nobody@127.0.0.1:${port}/x`, { connections: 1, name: 'test' })
    try {
      await assert.rejects(async () => pool`select 1`, { code: '08001' })
    } finally {
      await pool.end({ timeout: 0 })
      closing.close()
    }
    const lost = openPool(database.url, { connections: 2, name: 'test' })
    try {
      await assert.rejects(async () => lost`select pg_terminate_backend(pg_backend_pid())`, {
        code: 'CONNECTION_CLOSED',
      })
    } finally {
      await lost.end({ timeout: 0 })
    }
  })
})

describe('a reading at a standby', () => {
  const failed = (code: string) => Object.assign(new Error('failed'), { code })

  it('is begun anew where the standby refuses it, is full, starts, stops, is behind or broken', () => {
    const codes = [
      '53300',
      '53200',
      '53100',
      '57P03',
      '57P01',
      '28000',
      '28P01',
      '3D000',
      '25006',
      '40001',
      '58030',
      'XX001',
    ]
    for (const code of codes) assert.ok(isStandbyLoss(failed(code)), code)
    assert.ok(isStandbyLoss(tooManyConnections(failed('53300'))))
  })

  it('is over where it would fail at the primary too', () => {
    for (const code of ['57014', '22012', '42601', '53400', '42501']) assert.ok(!isStandbyLoss(failed(code)), code)
  })
})
