// Rows that are those of the last run: they are held back, and come only when they are asked for.
import assert from 'node:assert/strict'
import { inThreads } from '../../src/base/thread.ts'
import { fetchEncoded } from '../../src/outbound/fetch.ts'
import type { Comparison } from '../../src/outbound/fetch.ts'
import type { Target } from '../../src/outbound/target.ts'
import { openEmptyDatabase } from '../support/database.ts'
import { openMariadb } from '../support/mariadb.ts'
import { fetchAll, holders, targetFrom } from '../support/outbound.ts'
import { skipWithout } from '../support/skip.ts'
import { eventually } from '../support/within.ts'

/** Several blocks, and several batches of the reader: of wide rows, since both are measured in bytes, and rows take time. */
const rowCount = 4000
const filling = ' of the hall'.repeat(18)

type Server = {
  readonly target: Target
  readonly run: (sql: string) => Promise<unknown>
  /** The transactions of sessions that are open there. */
  readonly transactions: string
  readonly close: () => Promise<unknown>
}

const servers: Readonly<Record<string, (context: Mocha.Context) => Promise<Server>>> = {
  PostgreSQL: async () => {
    const { sql, url, drop } = await openEmptyDatabase()
    await sql.unsafe(
      `create table r as
       select n, 'meter ' || n || '${filling}' as name, n / 7.0::double precision as v from generate_series(1, ${rowCount}) n`,
    )
    const transactions = `select count(*) from pg_stat_activity where application_name = 'coppice import' and xact_start is not null and pid <> pg_backend_pid()`
    return { target: targetFrom('postgresql', url), run: (text) => sql.unsafe(text), transactions, close: drop }
  },
  MariaDB: async (context) => {
    const server = await openMariadb()
    if (server === undefined) return skipWithout(context, 'a MariaDB')
    await server.run(
      'create table r (n integer primary key, name varchar(400), v double)',
      `insert into r select seq, concat('meter ', seq, '${filling}'), seq / 7 from seq_1_to_${rowCount}`,
    )
    const transactions = 'select count(*) from information_schema.innodb_trx'
    return { target: targetFrom('mysql', server.url), run: server.run, transactions, close: server.stop }
  },
}

for (const [name, open] of Object.entries(servers))
  describe(`rows of an external ${name} that were fetched before`, () => {
    let server: Server | undefined
    before(async function () {
      this.timeout(600_000)
      server = await open(this)
    })
    after(() => server?.close())

    const columns = [1, 2, 3].map((position) => ({ position, type: 'STRING' }))
    const encoding = {
      module: inThreads(new URL('../../src/gsql/ingest/import-encoder.ts', import.meta.url)).href,
      given: { spools: [columns], gathers: undefined },
      refusal: () => new Error('a row was refused'),
    }
    const select = 'select n, name, v from r order by n'
    const types = ['LONG', 'STRING', 'DOUBLE']
    const fetch = (
      blocks?: Uint8Array,
      sql = select,
      onHeld: Comparison['onHeld'] = () => {},
      given: unknown = encoding.given,
    ) => {
      const options = { maxRows: 0, timeZone: 'UTC', timeoutMs: 60_000, signal: new AbortController().signal, holders }
      return fetchEncoded(server!.target, sql, options, { ...encoding, given }, { blocks, onHeld })
    }
    /** All rows in the format of COPY, without what stands around each batch. */
    const readAll = async ({ batches, print }: Awaited<ReturnType<typeof fetch>>) => {
      const parts: Uint8Array[] = []
      let rows = 0
      for await (const batch of batches) {
        rows += batch.rows
        parts.push(batch.encoded[0]!.subarray(19, -2))
      }
      return { rows, bytes: Buffer.concat(parts), print: print()! }
    }

    /** All rows as they are: read again only after a change. */
    let known: ReturnType<typeof readAll> | undefined
    const readWhole = () => (known ??= fetch().then(readAll))
    const change = async (sql: string) => {
      known = undefined
      await server!.run(sql)
    }

    const noTransaction = () =>
      eventually(async () => (await fetchAll(server!.target, server!.transactions)).rows[0]![0] === '0')

    it('keep no transaction open there once all were sent, whoever waits for the reader', async () => {
      const { print } = await readWhole()
      const again = await fetch(print.blocks)
      await noTransaction()
      again.same!.release()
      assert.equal((await readAll(again)).rows, rowCount)
      // Samples that cannot be gathered after all: both parts are of one stream.
      const part = { cid: { field: 1 }, id: { constant: 'x' }, time: 0, sample: { field: 2 } }
      const fields = types.map((type, at) => ({ position: at + 1, type, spool: 0, column: at }))
      const gathers = { fields, kept: ['number', 'name', 'number'], parts: [part, part] }
      const twice = `select a.n, a.name, a.v from r a join r b on b.n <= 2`
      const { batches } = await fetch(undefined, twice, () => {}, { spools: [fields], gathers })
      let rows = 0
      let given = 0
      for await (const { rows: more, encoded } of batches) {
        if (encoded.length > 0) await noTransaction()
        rows += more
        given += encoded.length
      }
      assert.equal(rows, 2 * rowCount)
      assert.ok(given > 1, `${given}`)
    })

    it('are held back, and dropped without being read', async () => {
      const { print, rows } = await readWhole()
      assert.equal(rows, rowCount)
      assert.equal(print.rows, rowCount)
      assert.ok(print.blocks.length > 16, 'several blocks')
      const again = await fetch(print.blocks)
      assert.equal(again.same?.basis, print.basis)
      again.same?.drop()
    })

    it('come all the same when they are released', async () => {
      const first = await readWhole()
      const again = await fetch(first.print.blocks)
      again.same?.release()
      const { bytes, print } = await readAll(again)
      assert.ok(bytes.equals(first.bytes))
      assert.deepEqual(print, first.print)
    })

    for (const [which, n] of [
      ['first', 1],
      ['last', rowCount],
    ] as const)
      it(`come when the ${which} of them has changed`, async () => {
        const before = await readWhole()
        await change(`update r set v = v + 1 where n = ${n}`)
        const changed = await fetch(before.print.blocks)
        assert.equal(changed.same, undefined)
        const { bytes, rows, print } = await readAll(changed)
        assert.equal(rows, rowCount)
        assert.ok(!bytes.equals(before.bytes))
        const alone = await readWhole()
        assert.ok(bytes.equals(alone.bytes))
        assert.deepEqual(print, alone.print)
      })

    it('come when there is one more of them, or one less', async () => {
      const before = await readWhole()
      await change(`insert into r values (${rowCount + 1}, 'another', 1)`)
      const more = await fetch(before.print.blocks)
      assert.equal(more.same, undefined)
      const after = await readAll(more)
      assert.equal(after.rows, rowCount + 1)
      await change(`delete from r where n = ${rowCount + 1}`)
      const less = await fetch(after.print.blocks)
      assert.equal(less.same, undefined)
      assert.equal((await readAll(less)).rows, rowCount)
    })

    it('are known by the types of their columns too', async () => {
      const one = await readAll(await fetch(undefined, "select '1' as a, 'b' as b, 'c' as c"))
      const other = await fetch(one.print.blocks, "select 1 as a, 'b' as b, 'c' as c")
      assert.notEqual(other.same?.basis, one.print.basis)
      other.same?.drop()
      if (!other.same) await readAll(other)
    })

    it('are none where there are none', async () => {
      const none = select.replace('order', 'where n < 0 order')
      const { print, rows } = await readAll(await fetch(undefined, none))
      assert.equal(rows, 0)
      const again = await fetch(print.blocks, none)
      assert.equal(again.same?.basis, print.basis)
      again.same?.drop()
    })

    it('are reported with the error that ends them, and not taken for the same', async () => {
      const before = await readWhole()
      const failing = {
        PostgreSQL: `select n, name, case when n = ${rowCount} then 1 / (n - ${rowCount}) else v end from r order by n`,
        MariaDB: `select n, name, case when n = ${rowCount} then (select 1 union select 2) else v end from r order by n`,
      }[name]!
      await assert.rejects(async () => readAll(await fetch(before.print.blocks, failing)), /division|more than 1 row/)
    })
  })
