// Pieces of files in turns of tenants. While the test holds the table of pieces, the first of them wait in the database and
// all others for a place; afterwards they come in the order of their turns.
import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { readConfig } from '../../../src/base/config.ts'
import { clientGone } from '../../../src/base/errors.ts'
import { openShares } from '../../../src/base/shares.ts'
import { transaction } from '../../../src/base/database/sql.ts'
import type { World } from '../../../src/base/world.ts'
import { BlobStore, pieceBytes } from '../../../src/core/file/blob-store.ts'
import type { FileCaller } from '../../../src/core/file/blob-store.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase, quietLog } from '../../support/database.ts'
import { eventually } from '../../support/within.ts'

const shares = openShares(64 * 1024 * 1024)
const many = 200
/** One under way on each connection when the table is free again, and one more on each. */
const few = 6

describe('pieces of files', () => {
  let database: TestDatabase
  let world: World
  let store: BlobStore
  let key: number
  before(async () => {
    database = await openTestDatabase()
    const { sql } = database
    world = { config: readConfig({}), sql, readSql: sql, clock: { now: () => 0 }, log: quietLog }
  })
  after(() => database.drop())
  beforeEach(async () => {
    store = new BlobStore(world, database.url)
    key = await write(caller('somebody'))
    // All connections are there, so that no order depends on how long one takes to open.
    await Promise.all(['a', 'b', 'c'].map((tenant) => read(caller(tenant))))
  })
  afterEach(() => store.close())

  const caller = (tenant: string, signal?: AbortSignal, name = `key of ${tenant}`): FileCaller => ({
    holders: [`tenant ${tenant}`, name],
    whileThere: async (work) => {
      try {
        return await work(signal)
      } catch (error) {
        throw signal?.aborted ? clientGone() : error
      }
    },
  })
  const read = async (by: FileCaller, from = store): Promise<void> => {
    const chunks = from.read(by, key, 0, 10)
    assert.equal((await chunks.next()).value?.length, 10)
    await chunks.return(undefined)
  }
  const write = async (by: FileCaller, to = store): Promise<number> => {
    const upload = to.begin(by, shares.open(by.holders))
    try {
      await upload.write(Buffer.alloc(100))
      return (await upload.finish('text/plain')).key
    } catch (error) {
      await upload.discard()
      throw error
    }
  }
  /** Nobody gets at a piece until the work is done. */
  const holdingPieces = <T>(work: () => Promise<T>): Promise<T> =>
    transaction(database.sql, async (sql) => {
      await sql`lock table blob_piece in access exclusive mode`
      return work()
    })
  const inDatabase = async () => {
    const [row] = await database.sql<[{ count: number }]>`
      select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and application_name = 'coppice files' and wait_event_type = 'Lock'`
    return row.count
  }
  /** The names in the order in which their work was done. */
  const inOrder = () => {
    const order: string[] = []
    const works: Promise<unknown>[] = []
    const note = (name: string, work: Promise<unknown>) => void works.push(work.then(() => order.push(name)))
    return { order, note, all: () => Promise.all(works) }
  }

  for (const [isRead, use] of [
    [true, read],
    [false, write],
  ] as const) {
    it(`${isRead ? 'are read' : 'are written'} for others after a few of a tenant that waits with many`, async () => {
      const { order, note, all } = inOrder()
      await holdingPieces(async () => {
        for (let nth = 0; nth < many; nth += 1) note('many', use(caller('many', undefined, `key ${nth % 20}`)))
        await eventually(async () => (await inDatabase()) >= 2)
        note('another', use(caller('another')))
        note('one', use(caller('one')))
        // One of them waits in the database; the other, which is as far, before it.
        await eventually(async () => (await inDatabase()) === 3)
        await nextTurn()
      })
      await all()
      assert.equal(order.length, many + 2)
      for (const name of ['one', 'another']) assert.ok(order.indexOf(name) < few, `${order.indexOf(name)}`)
    })

    it(`${isRead ? 'are read' : 'are written'} on two connections for one tenant, and on the last one for others`, async () => {
      const { note, all } = inOrder()
      await holdingPieces(async () => {
        for (let nth = 0; nth < 10; nth += 1) note('many', use(caller('many')))
        await eventually(async () => (await inDatabase()) === 2)
        note('one', use(caller('one')))
        await eventually(async () => (await inDatabase()) === 3)
      })
      await all()
    })

    it(`${isRead ? 'are not read' : 'are not written'} for clients that have gone, who wait no longer and leave their turns`, async () => {
      const leaving = Array.from({ length: many }, () => new AbortController())
      const { order, note, all } = inOrder()
      const left: Promise<unknown>[] = []
      await holdingPieces(async () => {
        for (let nth = 0; nth < 2; nth += 1) note('stays', use(caller('many')))
        await eventually(async () => (await inDatabase()) === 2)
        for (const { signal } of leaving)
          left.push(assert.rejects(use(caller('many', signal)), { message: 'the client has gone away' }))
        note('next', use(caller('many')))
        await nextTurn()
        for (const each of leaving) each.abort()
        // While the table is still held.
        await Promise.all(left)
      })
      await all()
      assert.deepEqual(order.toSorted(), ['next', 'stays', 'stays'])
    })

    it(`${isRead ? 'are not read' : 'are not written'} where the turn does not come in time: the caller gets busy`, async () => {
      const impatient = new BlobStore(world, database.url, { patienceMs: 20 })
      try {
        await holdingPieces(async () => {
          const first = [use(caller('many'), impatient), use(caller('many'), impatient)]
          await eventually(async () => (await inDatabase()) === 2)
          await assert.rejects(use(caller('many'), impatient), { code: 'busy', status: 503 })
          return first
        }).then((first) => Promise.all(first))
      } finally {
        await impatient.close()
      }
    })
  }

  it('wait as long for the sign of a file under way as for its pieces', async () => {
    const signing = new BlobStore(world, database.url, { patienceMs: 300, signEveryMs: -1 })
    const upload = signing.begin(caller('many'), shares.open(['many']))
    try {
      await upload.write(Buffer.alloc(pieceBytes))
      const under: Promise<unknown>[] = []
      const signed = await holdingPieces(async () => {
        for (let nth = 0; nth < 2; nth += 1) under.push(read(caller('many'), signing).catch((error: unknown) => error))
        await eventually(async () => (await inDatabase()) === 2)
        const writing = upload.write(Buffer.alloc(1)).then(
          () => 'signed',
          (error: unknown) => error,
        )
        // One that begins behind it has lost its patience.
        await assert.rejects(read(caller('many'), signing), { code: 'busy' })
        return { writing }
      })
      await Promise.all(under)
      assert.equal(await signed.writing, 'signed')
    } finally {
      await upload.discard()
      await signing.close()
    }
  })

  it('hold no connection and no place between two of them', async () => {
    const open = Array.from({ length: 20 }, () => store.begin(caller('slow'), shares.open(['slow'])))
    for (const upload of open) await upload.write(Buffer.alloc(pieceBytes + 1))
    const long = await write(caller('slow'))
    const reading = store.read(caller('slow'), long, 0, 100)
    await reading.next()
    await read(caller('slow'))
    for (const upload of open) await upload.discard()
  })
})
