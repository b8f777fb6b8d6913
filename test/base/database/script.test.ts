// Scripts on the wire of a real database: all of one or nothing, and no more of it ahead than was asked for.
import assert from 'node:assert/strict'
import { Client } from 'pg'
import { Script } from '../../../src/base/database/script.ts'
import type { Step } from '../../../src/base/database/script.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openEmptyDatabase } from '../../support/database.ts'

const execute = (name: string, ...values: readonly (string | Buffer)[]): Step => ({ kind: 'execute', name, values })
const data = (text: string): Step => ({ kind: 'data', bytes: Buffer.from(text) })
const endOfData: Step = { kind: 'end-of-data' }

describe('a script', () => {
  let database: Omit<TestDatabase, 'edition'>
  let client: Client
  let lost: Error[]
  before(async () => {
    database = await openEmptyDatabase()
    await database.sql.unsafe('create table thing (n integer primary key, text text)')
  })
  after(() => database.drop())
  beforeEach(async () => {
    await database.sql`truncate thing`
    client = new Client({ connectionString: database.url })
    lost = []
    client.on('error', (error) => lost.push(error))
    await client.connect()
    await run([
      { kind: 'prepare', name: 'insert', text: 'insert into thing values ($1::integer, $2::text)' },
      { kind: 'prepare', name: 'copy', text: 'copy thing from stdin' },
    ])
  })
  afterEach(() => client.end())

  const run = (steps: Iterable<Step>, mostAheadBytes?: number) => client.query(new Script(steps, mostAheadBytes)).done
  const stored = async () =>
    (await database.sql<{ n: number; text: string }[]>`select n, text from thing order by n`).map(
      ({ n, text }) => [n, text] as const,
    )

  it('sends values as texts and as bytes, and data in pieces', async () => {
    const bytes = Buffer.from('bytes\u{1f600}')
    await run([
      execute('insert', '1', 'text \u{1f600}'),
      execute('insert', Buffer.from([0, 0, 0, 2]), bytes),
      execute('insert', '3', ''),
      execute('copy'),
      data('4\ta'),
      data('b\n5\t'),
      data('c\n'),
      endOfData,
    ])
    assert.deepEqual(await stored(), [
      [1, 'text \u{1f600}'],
      [2, 'bytes\u{1f600}'],
      [3, ''],
      [4, 'ab'],
      [5, 'c'],
    ])
  })

  it('lets go of long values and data once they are sent', async () => {
    const value = Buffer.alloc(100_000, 'a')
    const bytes = Buffer.from(`2\t${'b'.repeat(100_000)}\n`)
    await run([execute('insert', '1', value), execute('copy'), { kind: 'data', bytes }, endOfData])
    assert.deepEqual([value.length, bytes.length], [0, 0])
    assert.deepEqual(
      (await stored()).map(([n, text]) => [n, text.length]),
      [
        [1, 100_000],
        [2, 100_000],
      ],
    )
  })

  it('stores nothing behind or before a step that is refused, and the connection goes on', async () => {
    const refused = [execute('insert', '1', 'a'), execute('insert', '1', 'b'), execute('insert', '2', 'c')]
    await assert.rejects(run(refused), { code: '23505' })
    const copied = [execute('insert', '1', 'a'), execute('copy'), data('2\tb\n1\tc\n'), endOfData]
    await assert.rejects(run([...copied, execute('insert', '3', 'd')]), { code: '23505' })
    assert.deepEqual(await stored(), [])
    await run([execute('insert', '3', 'e')])
    assert.deepEqual(await stored(), [[3, 'e']])
    assert.deepEqual(lost, [])
  })

  it('makes no further steps once one is refused, and the connection goes on', async () => {
    let made = 0
    const many = 1000
    const steps = function* (): Generator<Step> {
      yield execute('insert', '1', 'a')
      yield execute('copy')
      yield data('1\tb\n2\tc\n')
      while (made < many) {
        made += 1
        // Postgres says what is wrong with a row when it has read the next ones.
        yield data(`${made + 2}\t${'d'.repeat(100_000)}\n`)
      }
    }
    await assert.rejects(run(steps(), 200_000), { code: '23505' })
    assert.ok(made < many)
    const madeBefore = made
    await run([execute('insert', '1', 'e')])
    assert.equal(made, madeBefore)
    assert.deepEqual(await stored(), [[1, 'e']])
    assert.deepEqual(lost, [])
  })

  it('makes steps when those before are sent, and all of them in the end', async () => {
    const pieces = 60
    const pieceBytes = 200_000
    const mostAheadBytes = 1_000_000
    const { stream } = client.connection
    const ahead: number[] = []
    const turns = new Set<number>()
    let turn = 0
    const counting = setInterval(() => (turn += 1), 0)
    await run(
      (function* (): Generator<Step> {
        yield execute('copy')
        for (let n = 0; n < pieces; n += 1) {
          ahead.push(stream.writableLength)
          turns.add(turn)
          yield data(`${n}\t${'x'.repeat(pieceBytes)}\n`)
        }
        yield endOfData
      })(),
      mostAheadBytes,
    )
    clearInterval(counting)
    assert.ok(Math.max(...ahead) <= mostAheadBytes, `${Math.max(...ahead)}`)
    assert.ok(turns.size > 1)
    assert.equal((await stored()).length, pieces)
  })

  for (const mostAheadBytes of [Infinity, 0])
    it(`stores nothing when a step cannot be made, and ends the connection, with ${mostAheadBytes} bytes ahead`, async () => {
      const broken = new Error('no more steps')
      const failing = function* (): Generator<Step> {
        yield execute('insert', '1', 'a')
        yield execute('copy')
        for (let n = 2; n < 20; n += 1) yield data(`${n}\t${'x'.repeat(100_000)}\n`)
        throw broken
      }
      await assert.rejects(run(failing(), mostAheadBytes), broken)
      assert.deepEqual(lost, [broken])
      await assert.rejects(run([execute('insert', '1', 'b')]))
      assert.deepEqual(await stored(), [])
    })

  it('fails when its connection is lost while it waits, and makes no further steps', async () => {
    let isEnded = false
    let made = 0
    const many = 1000
    const steps = function* (): Generator<Step> {
      try {
        yield execute('copy')
        for (; made < many; made += 1) {
          if (made === 20) client.connection.stream.destroy(new Error('cut'))
          yield data(`${made}\t${'x'.repeat(100_000)}\n`)
        }
      } finally {
        isEnded = true
      }
    }
    await assert.rejects(run(steps(), 300_000), /cut/)
    assert.ok(made < many)
    assert.equal(isEnded, true)
    assert.deepEqual(await stored(), [])
  })
})
