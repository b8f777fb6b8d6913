// Every script of test/gsql/cases beside the Postgres query that a person would write for it: both run, and both give
// the rows that stand below the script, one per line.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import type { Effect } from '../../src/gsql/run/effects.ts'
import { fillDatabase } from './data.ts'
import { openScripts } from './scripts.ts'
import type { Scripts } from './scripts.ts'

const directory = new URL('cases/', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, directory), 'utf8')
const names = readdirSync(directory).flatMap((file) =>
  file.endsWith('.gs.sql') ? [file.slice(0, -'.gs.sql'.length)] : [],
)

/** The effects of a script, as rows of CID, ID, TIME and, unless it deletes, SAMPLE. */
const rowsOfEffect = (effect: Effect): readonly unknown[][] =>
  effect.kind === 'delete'
    ? effect.rows.map(({ cid, id, timeMs }) => [cid, id, timeMs])
    : effect.rows.map(({ cid, id, timeMs, sample }) => [cid, id, timeMs ?? null, sample])

/** LONGs beyond 2^53 are bigints, which JSON has not. */
const lineOf = (row: unknown) =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))

describe('the cases', () => {
  let scripts: Scripts
  before(async () => {
    scripts = await openScripts()
    await fillDatabase(scripts.sql)
  })
  after(() => scripts.close())

  it('are at least 150, each with its Postgres query', () => {
    assert.ok(names.length >= 150, `${names.length} cases`)
    assert.deepEqual(
      names.map((name) => `${name}.pg.sql`),
      readdirSync(directory).filter((file) => file.endsWith('.pg.sql')),
    )
  })

  for (const name of names)
    it(`give the same rows as their Postgres query: ${name.replaceAll('-', ' ')}`, async () => {
      const text = read(`${name}.gs.sql`)
      const expected = [...text.matchAll(/^-- (\[.*)$/gm)].map(([, row]) => row)
      const script = text.replaceAll(/^-- \[.*\n/gm, '')
      // The third and fourth come while the script is busy, and are asked together.
      const [ran, ...others] = await Promise.all(Array.from({ length: 4 }, () => scripts.run(script)))
      const { rows, effects } = ran!
      for (const other of others) assert.deepEqual(other, ran, 'asked together')
      const given = effects.length > 0 ? effects.flatMap(rowsOfEffect) : rows
      assert.deepEqual(given.map(lineOf), expected, 'the script')
      assert.deepEqual((await scripts.sql.unsafe(read(`${name}.pg.sql`)).values()).map(lineOf), expected, 'the query')
    })
})
