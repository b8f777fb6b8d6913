// Batches of an import's effects: bounded by rows and by bytes, whatever comes after what.
import assert from 'node:assert/strict'
import { onOwnConnection } from '../../src/base/database/pool.ts'
import { transaction } from '../../src/base/database/sql.ts'
import { effectsOf } from '../../src/gsql/ingest/import-effects.ts'
import { makeTables, openResult } from '../../src/gsql/ingest/imported.ts'
import { compileScript } from '../../src/gsql/script.ts'
import { openTestDatabase } from '../support/database.ts'
import type { TestDatabase } from '../support/database.ts'

const script = compileScript(
  `INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
   SELECT 'c', 'x', t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 t LONG, 2 v STRING)`,
  65_536,
  'import',
)
const mebibyte = 1024 * 1024

describe('batches of effects', function () {
  this.timeout(30_000)
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.drop())

  type Fetched = { readonly times: readonly number[]; readonly texts: readonly string[] }

  const batchesOf = (order: 'given' | 'time', rows: readonly (readonly [string, string | null])[], atOnce = 10_000) =>
    onOwnConnection(database.sql, undefined, async (own) => {
      try {
        await makeTables(own, script)
        const result = openResult(own, script, ['t', 'v'])
        for (let from = 0; from < rows.length; from += atOnce) await result.add(rows.slice(from, from + atOnce))
        await result.end()
        const fixed = { variables: new Map(), nowMs: 0, zone: 'UTC' }
        return await transaction(own, async (sql) => {
          const batches: Fetched[] = []
          for await (const { effect, before } of effectsOf(sql, script, fixed, order)) {
            assert.ok(effect.kind === 'insert')
            assert.equal(
              before,
              batches.reduce((sum, { times }) => sum + times.length, 0),
            )
            batches.push({
              times: effect.rows.map(({ timeMs }) => timeMs!),
              texts: effect.rows.map(({ sample }) => sample as string),
            })
          }
          return batches
        })
      } finally {
        await own`discard temp`
      }
    })

  it('have 20,000 rows, and few where texts are long, whatever comes before them', async () => {
    const small = Array.from({ length: 45_000 }, (_, n) => [String(n), n === 7 ? null : 'x'] as const)
    const long = Array.from({ length: 400 }, (_, n) => [String(45_000 + n), 'é'.repeat(30_000)] as const)
    const huge = [['45400', 'x'.repeat(6 * mebibyte)] as const, ['45401', 'last'] as const]
    const rows = [...small, ...long, ...huge]
    const batches = await batchesOf('given', rows)
    assert.deepEqual(
      batches.flatMap(({ times }) => times),
      rows.map((_, n) => n),
    )
    assert.deepEqual(
      batches.slice(0, 2).map(({ times }) => times.length),
      [20_000, 20_000],
    )
    for (const { texts } of batches) {
      const [first, ...others] = texts.map((text) => Buffer.byteLength(text ?? ''))
      const bytes = others.reduce((sum, length) => sum + length, 0)
      assert.ok(bytes <= 4 * mebibyte, `${bytes} beside ${first}`)
    }
    assert.ok(batches.length < 15, String(batches.length))
  })

  it('come in the order of their times, where that is asked for', async () => {
    const rows = Array.from({ length: 300 }, (_, n) => [String((n * 7) % 300), 'y'.repeat(n % 2 ? 60_000 : 1)] as const)
    const batches = await batchesOf('time', rows)
    assert.ok(batches.length > 1)
    assert.deepEqual(
      batches.flatMap(({ times }) => times),
      rows.map((_, n) => n),
    )
  })

  it('come in the order in which their rows did, however wide those before were', async () => {
    const wide = Array.from({ length: 400 }, (_, n) => [String(n), 'w'.repeat(1500)] as const)
    const narrow = Array.from({ length: 200 }, (_, n) => [String(400 + n), 'x'] as const)
    const rows = [...wide, ...narrow]
    const batches = await batchesOf('given', rows, 50)
    assert.deepEqual(
      batches.flatMap(({ times }) => times),
      rows.map((_, n) => n),
    )
    const same = await batchesOf(
      'time',
      rows.map(([t, v]) => ['7', `${t} ${v}`]),
      50,
    )
    assert.deepEqual(
      same.flatMap(({ texts }) => texts.map((text) => Number.parseInt(text, 10))),
      rows.map((_, n) => n),
    )
  })

  it('are none where there are no rows', async () => {
    assert.deepEqual(await batchesOf('given', []), [])
  })
})
