import assert from 'node:assert/strict'
import { readConfig } from '../../../src/base/config.ts'
import { openShares } from '../../../src/base/shares.ts'
import { transaction } from '../../../src/base/database/sql.ts'
import type { World } from '../../../src/base/world.ts'
import {
  fileDetails,
  findFileAt,
  findLatestFile,
  keepContent,
  publishContent,
  sweepContents,
  untieContents,
  untieStreams,
} from '../../../src/core/file/blob.ts'
import type { Content } from '../../../src/core/file/blob.ts'
import { BlobStore, pieceBytes } from '../../../src/core/file/blob-store.ts'
import type { FileCaller } from '../../../src/core/file/blob-store.ts'
import { upsertSamples } from '../../../src/core/sample/sample.ts'
import { emptyRows, pushRow } from '../../../src/core/sample/rows.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase, quietLog } from '../../support/database.ts'
import { openRandom } from '../../support/random.ts'

const random = openRandom(46)
const total = 64 * 1024 * 1024
const shares = openShares(total)
const someone: FileCaller = { holders: ['someone'], whileThere: (work) => work() }
const memory = () => shares.open(someone.holders)
const uploadMs = Date.parse('2026-03-04T05:06:07.890Z')

describe('contents of files', () => {
  let database: TestDatabase
  let world: World
  let store: BlobStore
  before(async () => {
    database = await openTestDatabase()
    const { sql } = database
    world = {
      config: readConfig({}),
      sql,
      readSql: sql,
      clock: { now: () => uploadMs },
      log: quietLog,
    }
    store = new BlobStore(world, database.url)
  })
  after(async () => {
    await store.close()
    await database.drop()
  })
  beforeEach(async () => {
    await database.sql`truncate blob, blob_piece, sample`
  })

  const upload = async (bytes: Buffer, chunkBytes = 65_536): Promise<Content> => {
    const uploading = store.begin(someone, memory())
    for (let at = 0; at < bytes.length; at += chunkBytes) await uploading.write(bytes.subarray(at, at + chunkBytes))
    return uploading.finish('text/plain')
  }
  const read = async (key: number, from: number, until: number): Promise<Buffer> => {
    const chunks: Buffer[] = []
    for await (const chunk of store.read(someone, key, from, until)) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
  const publish = (content: Content, timeMs: number, name = 'a', { mayMove = false, streamKey = 1 } = {}) =>
    transaction(database.sql, async (sql) => {
      const rows = emptyRows()
      pushRow(rows, streamKey, null, timeMs, 'FILE', name, content.key)
      const placed = await publishContent(sql, { content, mayMove }, rows, uploadMs)
      await upsertSamples(sql, placed)
      return placed.storedMs[0]!
    })
  const counts = async () => {
    const [row] = await database.sql<[{ contents: number; pieces: number }]>`
      select (select count(*)::integer from blob) as contents, (select count(*)::integer from blob_piece) as pieces`
    return row
  }
  /** As if the time had come to look at all contents. */
  const makeDue = () => database.sql`update blob set check_at = now()`
  const sweep = async () => {
    while (await sweepContents(database.sql));
  }

  for (const size of [0, 1, pieceBytes - 1, pieceBytes, pieceBytes + 1, 3 * pieceBytes + 17])
    it(`come back as they were: ${size} bytes`, async () => {
      const bytes = random.bytes(size)
      const { key, ...content } = await upload(bytes)
      assert.equal(content.size, size)
      assert.ok((await read(key, 0, size)).equals(bytes))
      for (let round = 0; round < 10; round += 1) {
        const from = random.integer(size + 1)
        const until = from + random.integer(size - from + 1)
        assert.ok((await read(key, from, until)).equals(bytes.subarray(from, until)), `${from} until ${until}`)
      }
    })

  it('are the same in whatever chunks they come', async () => {
    const bytes = random.bytes(pieceBytes + 1000)
    const [one, other] = [await upload(bytes, 997), await upload(bytes, bytes.length)]
    assert.deepEqual(one.hash, other.hash)
    assert.ok((await read(one.key, 0, bytes.length)).equals(bytes))
  })

  it('are read by the pieces of the range alone', async () => {
    const bytes = random.bytes(4 * pieceBytes)
    const { key } = await upload(bytes)
    await database.sql`delete from blob_piece where number in (0, 3)`
    const [from, until] = [pieceBytes, 3 * pieceBytes]
    assert.ok((await read(key, from, until)).equals(bytes.subarray(from, until)))
    await assert.rejects(read(key, from - 1, until), /has no bytes at/)
    await assert.rejects(read(key, from, until + 1), /has no bytes at/)
  })

  it('are stored as they are, not compressed', async () => {
    await upload(Buffer.alloc(pieceBytes))
    const [row] = await database.sql<[{ bytes: number }]>`
      select pg_column_size(bytes) as bytes from blob_piece`
    assert.equal(row.bytes, pieceBytes)
  })

  it('leave nothing behind when their upload is discarded', async () => {
    const uploading = store.begin(someone, memory())
    await uploading.write(Buffer.alloc(3 * pieceBytes))
    assert.deepEqual(await counts(), { contents: 1, pieces: 3 })
    await uploading.discard()
    assert.deepEqual(await counts(), { contents: 0, pieces: 0 })
  })

  it('leave nothing behind when a whole upload is discarded', async () => {
    const uploading = store.begin(someone, memory())
    await uploading.finish('text/plain')
    await uploading.discard()
    assert.deepEqual(await counts(), { contents: 0, pieces: 0 })
  })

  it('stay when they were published and then discarded, because the answer to a commit was lost', async () => {
    const uploading = store.begin(someone, memory())
    await uploading.write(Buffer.from('abc'))
    const content = await uploading.finish('text/plain')
    await publish(content, 1000)
    await uploading.discard()
    assert.equal((await read(content.key, 0, 3)).toString(), 'abc')
  })

  it('hold the part of a piece that has come, and nothing between two pieces of a slow upload or after it', async () => {
    const uploads = Array.from({ length: 1000 }, () => store.begin(someone, memory()))
    for (const each of uploads) await each.write(Buffer.from('a'))
    assert.ok(total - shares.free() <= 1000 * 4096)
    const [first] = uploads
    await first!.write(Buffer.alloc(pieceBytes - 2))
    assert.ok(total - shares.free() >= 999 + pieceBytes)
    await new Promise((done) => setTimeout(done, 200))
    await first!.write(Buffer.alloc(1))
    assert.ok(total - shares.free() <= 999 * 4096)
    for (const each of uploads) await each.discard()
    assert.equal(shares.free(), total)
  })

  it('are found by stream, time and name', async () => {
    const content = await upload(Buffer.from('abc'))
    await publish(content, 1000)
    const { pieces: _pieces, history: _history, ...detail } = content
    const file = { ...detail, storedMs: uploadMs }
    const found = await findFileAt(database.sql, 1, 1000, 'a')
    assert.deepEqual({ ...found }, file)
    assert.equal(await findFileAt(database.sql, 1, 1001, 'a'), undefined)
    assert.equal(await findFileAt(database.sql, 1, 1000, 'b'), undefined)
    assert.equal(await findFileAt(database.sql, 2, 1000, 'a'), undefined)
    const details = await fileDetails(database.sql, [content.key, 999])
    assert.equal(details.size, 1)
    assert.deepEqual({ ...details.get(content.key) }, { key: content.key, size: 3, contentType: 'text/plain' })
  })

  it('are found by name, the newest first, whatever was uploaded last', async () => {
    const [newer, older, other] = [
      await upload(random.bytes(1)),
      await upload(random.bytes(2)),
      await upload(Buffer.alloc(3)),
    ]
    await publish(newer, 2000)
    await publish(older, 1000)
    await publish(other, 3000, 'b')
    assert.equal((await findLatestFile(database.sql, 1, 'a'))?.key, newer.key)
    assert.equal((await findLatestFile(database.sql, 1, 'b'))?.key, other.key)
    assert.equal(await findLatestFile(database.sql, 1, 'c'), undefined)
    assert.equal(await findLatestFile(database.sql, 2, 'a'), undefined)
  })

  it('are found by name behind any number of files whose samples are gone', async () => {
    const content = await upload(Buffer.from('abc'))
    await publish(content, 1000)
    await database.sql`
      insert into blob (stream_key, time, name, size, hash, content_type, stored_at, check_at)
      select 1, to_timestamp(100 + n), 'a', 0, '', '', now(), now() from generate_series(1, 250) as n`
    assert.equal((await findLatestFile(database.sql, 1, 'a'))?.key, content.key)
  })

  it('replace the file of the same time, which can be read on', async () => {
    const [old, replacing] = [await upload(Buffer.from('old')), await upload(Buffer.from('new'))]
    await publish(old, 1000)
    await publish(replacing, 1000, 'b')
    const tied = await database.sql<{ key: number }[]>`select key from blob where stream_key is not null`
    assert.deepEqual([...tied], [{ key: replacing.key }])
    assert.equal(await findLatestFile(database.sql, 1, 'a'), undefined)
    assert.equal((await findLatestFile(database.sql, 1, 'b'))?.key, replacing.key)
    await sweep()
    assert.equal((await read(old.key, 0, 3)).toString(), 'old')
    await makeDue()
    await sweep()
    await assert.rejects(read(old.key, 0, 3))
    assert.equal((await read(replacing.key, 0, 3)).toString(), 'new')
    assert.deepEqual(await counts(), { contents: 1, pieces: 1 })
  })

  it('move to the next free time where the server chose it', async () => {
    for (const timeMs of [1000, 1001, 1003]) await publish(await upload(Buffer.from(String(timeMs))), timeMs)
    const moved = { mayMove: true }
    assert.equal(await publish(await upload(Buffer.from('x')), 1000, 'x', moved), 1002)
    assert.equal(await publish(await upload(Buffer.from('y')), 1000, 'y', moved), 1004)
    assert.equal(await publish(await upload(Buffer.from('z')), 999, 'z', moved), 999)
    assert.equal((await counts()).contents, 6)
  })

  it('find a free time behind a thousand that are taken', async () => {
    await database.sql`
      insert into sample (stream_key, time, text, long)
      select 1, to_timestamp(1) + n * interval '1 millisecond', 'a', n from generate_series(0, 2499) as n`
    assert.equal(await publish(await upload(Buffer.from('x')), 1000, 'x', { mayMove: true }), 3500)
  })

  it('are swept when nothing points to them and their time has come, not before', async () => {
    await upload(random.bytes(2 * pieceBytes))
    await sweep()
    assert.deepEqual(await counts(), { contents: 1, pieces: 2 })
    await makeDue()
    await sweep()
    assert.deepEqual(await counts(), { contents: 0, pieces: 0 })
  })

  it('take no further bytes and cannot be published when they are swept too early', async () => {
    const uploading = store.begin(someone, memory())
    await uploading.write(Buffer.alloc(pieceBytes))
    const whole = await upload(Buffer.from('abc'))
    await makeDue()
    await sweep()
    await assert.rejects(uploading.write(Buffer.alloc(pieceBytes)), { status: 503 })
    await uploading.discard()
    await assert.rejects(publish(whole, 1000), { status: 503 })
    assert.deepEqual(await counts(), { contents: 0, pieces: 0 })
    const [row] = await database.sql<[{ count: number }]>`select count(*)::integer as count from sample`
    assert.equal(row.count, 0)
  })

  it('cannot be published when a piece is lost, as a database that crashes may lose it', async () => {
    const content = await upload(random.bytes(3 * pieceBytes))
    await database.sql`delete from blob_piece where number = 1`
    await assert.rejects(publish(content, 1000), { status: 503, code: 'busy' })
    assert.equal(await findLatestFile(database.sql, 1, 'a'), undefined)
  })

  it('are kept while a sample points to them, and looked at again after a day or two', async () => {
    await publish(await upload(Buffer.from('abc')), 1000)
    await makeDue()
    await sweep()
    const [row] = await database.sql<[{ isLater: boolean }]>`
      select check_at between now() + interval '23 hours' and now() + interval '49 hours' as "isLater" from blob`
    assert.ok(row.isLater)
  })

  it('are looked at again together with those that they were looked at with', async () => {
    for (const timeMs of [1000, 2000, 3000]) await publish(await upload(Buffer.from('abc')), timeMs)
    await makeDue()
    await sweep()
    assert.equal((await database.sql`select distinct check_at from blob`).length, 1)
  })

  it('are swept when their samples went away unnoticed, as chunks do', async () => {
    await publish(await upload(Buffer.from('abc')), 1000)
    await publish(await upload(Buffer.from('def')), 2000)
    await database.sql`delete from sample where time = to_timestamp(1)`
    await makeDue()
    await sweep()
    assert.deepEqual(await counts(), { contents: 1, pieces: 1 })
  })

  it('are swept when their sample points elsewhere by now', async () => {
    await publish(await upload(Buffer.from('abc')), 1000)
    await database.sql`update sample set long = -1`
    await makeDue()
    await sweep()
    assert.deepEqual(await counts(), { contents: 0, pieces: 0 })
  })

  it('are swept after the grace period when samples and streams are deleted', async () => {
    for (const timeMs of [1000, 2000, 3000]) await publish(await upload(Buffer.from('abc')), timeMs)
    for (const timeMs of [1000, 2000]) await publish(await upload(Buffer.from('abc')), timeMs, 'a', { streamKey: 2 })
    await publish(await upload(Buffer.from('abc')), 1000, 'a', { streamKey: 3 })
    await transaction(database.sql, (sql) => untieContents(sql, 1, 1000, 3000))
    await transaction(database.sql, (sql) => untieStreams(sql, [2], 2000))
    await transaction(database.sql, (sql) => untieStreams(sql, [3]))
    const due = await database.sql<{ isSoon: boolean }[]>`
      select check_at between now() + interval '14 minutes' and now() + interval '16 minutes' as "isSoon"
      from blob where stream_key is null`
    assert.deepEqual(
      due.map(({ isSoon }) => isSoon),
      [true, true, true, true],
    )
    await makeDue()
    await sweep()
    assert.deepEqual(await counts(), { contents: 2, pieces: 2 })
  })

  it('are kept for longer while somebody still reads them', async () => {
    const { key } = await upload(Buffer.from('abc'))
    await makeDue()
    await keepContent(database.sql, key)
    await sweep()
    assert.equal((await read(key, 0, 3)).toString(), 'abc')
  })

  it('give signs that they are in use when they take long to come or to go', async () => {
    const busy = new BlobStore(world, database.url, { signEveryMs: 0 })
    try {
      const uploading = busy.begin(someone, memory())
      await uploading.write(Buffer.alloc(pieceBytes))
      await makeDue()
      await uploading.write(Buffer.alloc(1))
      await sweep()
      const { key } = await uploading.finish('text/plain')
      await makeDue()
      const reading = busy.read(someone, key, 0, pieceBytes + 1)
      assert.equal((await reading.next()).value?.length, pieceBytes)
      const next = await reading.next()
      await sweep()
      assert.equal(next.value?.length, 1)
      assert.deepEqual(await counts(), { contents: 1, pieces: 2 })
    } finally {
      await busy.close()
    }
  })

  it('are swept a bounded number of pieces at a time, until nothing is left', async () => {
    await database.sql`
      with made as (insert into blob (check_at) select now() from generate_series(1, 3) returning key)
      insert into blob_piece select key, n, decode('00', 'hex') from made, generate_series(0, 1499) as n`
    let steps = 0
    while (await sweepContents(database.sql)) steps += 1
    assert.equal(steps, 3)
    assert.deepEqual(await counts(), { contents: 0, pieces: 0 })
  })
})
