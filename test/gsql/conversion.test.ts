// Cells of JSON_TABLE and CSV_TABLE are converted in TypeScript, everything else in Postgres: both must agree.
import assert from 'node:assert/strict'
import { cellFromText } from '../../src/gsql/text/cell.ts'
import type { Value } from '../../src/gsql/value.ts'
import { openRandom } from '../support/random.ts'
import { openScripts } from './scripts.ts'
import type { Scripts } from './scripts.ts'

const fixed = [
  '',
  ' ',
  '\t\r\n',
  '0',
  '-0',
  '+5',
  ' 12 ',
  '12.7',
  '-12.7',
  '.5',
  '5.',
  '.',
  '-',
  '1e3',
  '1E+3',
  '1e-3',
  '1e',
  'e5',
  '0x10',
  '1_000',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '-9223372036854775809',
  '9223372036854775807.9',
  '1e18',
  '9.3e18',
  '1e19',
  '1e308',
  '1e309',
  '-1e309',
  '1e-323',
  '1e-400',
  '0e999',
  '123456789012345678901234567890',
  '0.1',
  '1.7976931348623157e308',
  '4.9e-324',
  '9007199254740993',
  'nan',
  'NaN',
  'inf',
  'Infinity',
  '-inf',
  'true',
  'TRUE',
  ' False ',
  't',
  'yes',
  '1',
  '1.0',
  '٣',
  '12\t',
  '\n12',
  '12,5',
  '1 2',
  '--5',
  '+-5',
  '0012',
  '00.50',
]

describe('conversions in TypeScript and in Postgres', () => {
  let scripts: Scripts
  before(async () => (scripts = await openScripts()))
  after(() => scripts.close())

  const agree = async (texts: readonly string[]) => {
    for (const type of ['LONG', 'DOUBLE', 'BOOLEAN'] as const) {
      const name = `gs.try_${type.toLowerCase()}`
      const rows = await scripts.pool
        .unsafe(`select ${name}(t) from unnest($1::text[]) with ordinality x(t, n) order by n`, [texts as string[]])
        .values()
      const theirs = rows.map(([value]) => value as Value)
      const ours = texts.map((text) => cellFromText(text, type) ?? null)
      for (const [index, text] of texts.entries())
        assert.deepEqual(
          ours[index] === 0 ? 0 : ours[index],
          theirs[index] === 0 ? 0 : theirs[index],
          `'${text}' as ${type}`,
        )
    }
  }

  it('agree on texts that are hard', () => agree(fixed))

  it('agree on texts of about 1100 characters, the most that a number has', () =>
    agree(
      [1099, 1100, 1101, 5000].flatMap((length) => [
        '9007199254740993'.padStart(length, '0'),
        '9007199254740993.'.padEnd(length, '0'),
        '5'.padStart(length),
        '5'.padEnd(length, '\n'),
        `0.${'1'.padStart(length - 2, '0')}`,
        `1e${'2'.padStart(length - 2, '0')}`,
        '9'.repeat(length),
        `${'9'.repeat(length - 1)}x`,
        'true'.padEnd(length),
      ]),
    ))

  it('agree on random texts', async () => {
    const random = openRandom(20_260_301)
    const alphabet = ['0', '1', '9', '5', '.', '-', '+', 'e', 'E', ' ', '00', '999', 'true', '\t']
    await agree(
      Array.from({ length: 3000 }, () =>
        Array.from({ length: 1 + random.integer(8) }, () => random.pick(alphabet)).join(''),
      ),
    )
  })

  it('agree on decimals of up to 18 digits, to the last bit', async () => {
    const random = openRandom(15)
    await agree(
      Array.from({ length: 3000 }, () => {
        const digits = Array.from({ length: 1 + random.integer(18) }, () => random.integer(10)).join('')
        const point = random.integer(digits.length + 1)
        return `${random.pick(['', '-'])}${digits.slice(0, point)}.${digits.slice(point)}`
      }),
    )
  })

  it('agree on the text of random numbers', async () => {
    const random = openRandom(7)
    const numbers = Array.from({ length: 3000 }, () => {
      const bits = new DataView(new ArrayBuffer(8))
      bits.setUint32(0, random.integer(2 ** 32))
      bits.setUint32(4, random.integer(2 ** 32))
      const wild = bits.getFloat64(0)
      return Number.isFinite(wild) && random.integer(2) === 0
        ? wild
        : (random.integer(2_000_001) - 1_000_000) / 10 ** random.integer(12)
    })
    const rows = await scripts.pool
      .unsafe(`select gs.text_of(v) from unnest($1::text[]::float8[]) with ordinality x(v, n) order by n`, [
        numbers.map(String),
      ])
      .values()
    assert.deepEqual(
      rows.map(([text]) => text as string),
      numbers.map(String),
    )
  })
})
