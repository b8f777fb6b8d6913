// Values whose type is known by their row only: their text for Postgres, and the type that a column of them is shown
// with.
import assert from 'node:assert/strict'
import { anyFromText, anyText, anyType } from '../../../src/gsql/text/any.ts'
import { fillDatabase } from '../data.ts'
import { openScripts } from '../scripts.ts'
import type { Scripts } from '../scripts.ts'

const numbers = [
  7,
  -7,
  0,
  0.1,
  1e-7,
  -1.5e-300,
  2 ** 53,
  2 ** 62,
  2 ** 63,
  1e20,
  1e21,
  1.2345e22,
  -1.7976931348623157e308,
]

describe('values of any type', () => {
  let scripts: Scripts
  before(async () => {
    scripts = await openScripts()
    await fillDatabase(scripts.sql)
  })
  after(() => scripts.close())

  it('are the same after a way through their text', () => {
    for (const value of [...numbers, 7n, -9223372036854775808n, true, false, '', '7', '"', 'true'])
      assert.equal(anyFromText(anyText(value)), value)
  })

  it('have decimals where they are DOUBLEs, and none where they are LONGs', () => {
    for (const value of numbers) assert.equal(anyType(anyText(value)), 'DOUBLE', anyText(value))
    assert.equal(anyType(anyText(7n)), 'LONG')
  })

  it('have the text that Postgres gives them', async () => {
    for (const value of numbers) {
      const [row] =
        await scripts.sql`select gs.any_of(${value}::float8)::text as text, ${anyText(value)}::text::jsonb::text as own`
      assert.equal(row!.own, row!.text)
    }
  })

  const shown = async (script: string) => (await scripts.run(script)).columns!.map(({ valueType }) => valueType)

  it('are shown with the type of their rows', async () => {
    for (const [id, type] of [
      ['count', 'LONG'],
      ['temp', 'DOUBLE'],
      ['kwh', 'DOUBLE'],
      ['on', 'BOOLEAN'],
      ['state', 'STRING'],
      ['empty', 'STRING'],
    ])
      assert.deepEqual(await shown(`SELECT lastValue, lastValue FROM Stream WHERE id = '${id}'`), [type, type], id)
  })

  it('are shown as DOUBLE where LONGs and DOUBLEs meet, and as STRING where others do', async () => {
    assert.deepEqual(await shown("SELECT lastValue FROM Stream WHERE id IN ('count', 'temp')"), ['DOUBLE'])
    assert.deepEqual(await shown("SELECT lastValue FROM Stream WHERE id IN ('count', 'on')"), ['STRING'])
    assert.deepEqual(await shown('SELECT lastValue FROM Stream'), ['STRING'])
  })

  it('are shown alike where their rows are only copied', async () => {
    const none = "UNION ALL SELECT s FROM CSV_TABLE('') WITH (1 s STRING)"
    assert.deepEqual(await shown(`SELECT 7 ${none}`), ['LONG'])
    assert.deepEqual(await shown(`SELECT 7.0 ${none}`), ['DOUBLE'])
    assert.deepEqual(await shown(`SELECT n FROM CSV_TABLE('7') WITH (1 n DOUBLE) ${none}`), ['DOUBLE'])
    assert.deepEqual(await shown("SET @v = JSON_Value('7.0', '$'); SELECT @v, JSON_Value('9007199254740993', '$')"), [
      'DOUBLE',
      'LONG',
    ])
    assert.deepEqual(await shown("SET @v = JSON_Value('9007199254740993', '$'); SELECT @v"), ['LONG'])
  })
})
