// Samples that the thread of an external session gathers: in the order of their streams and times, and as the rows that
// they came in.
import assert from 'node:assert/strict'
import type { Gathers } from '../../src/gsql/ingest/import-encoder.ts'
import { openEncoder } from '../../src/gsql/ingest/import-encoder.ts'
import { openRandom } from '../support/random.ts'

const spool = [
  { position: 1, type: 'STRING' },
  { position: 2, type: 'LONG' },
  { position: 3, type: 'DOUBLE' },
] as const
const gathers: Gathers = {
  fields: spool.map((column, at) => ({ ...column, spool: 0, column: at })),
  kept: ['name', 'number', 'number'],
  parts: [{ cid: { field: 0 }, id: { constant: 'kwh' }, time: 1, sample: { field: 2 } }],
}
const open = (own?: Gathers) => openEncoder({ spools: [spool], gathers: own })

/** Rows of a binary COPY, as hexadecimal fields. */
const rowsOf = (pieces: readonly Uint8Array[]): readonly (readonly (string | null)[])[] => {
  const bytes = Buffer.concat(pieces)
  const rows: (string | null)[][] = []
  for (let at = 19; bytes.readInt16BE(at) !== -1;) {
    const count = bytes.readInt16BE(at)
    const row: (string | null)[] = []
    at += 2
    for (let column = 0; column < count; column += 1) {
      const length = bytes.readInt32BE(at)
      at += 4
      row.push(length < 0 ? null : bytes.toString('hex', at, at + length))
      at += Math.max(0, length)
    }
    rows.push(row)
  }
  return rows
}
const number = (value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes.toString('hex')
}
const whole = (value: number | bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(value))
  return bytes.toString('hex')
}
const key = (value: number) => value.toString(16).padStart(8, '0')
const samples = (encoder: ReturnType<typeof open>, keys: readonly number[], timeAs: 'time' | 'ms', isLong = false) =>
  rowsOf(
    [
      ...encoder.give({
        kind: 'samples',
        keys: [Int32Array.from(keys)],
        longs: [Uint8Array.from(keys, () => (isLong ? 1 : 0))],
        timeAs,
      }),
    ].map(([piece]) => piece!),
  )
/** All that goes into the table of the script. */
const spooled = (encoder: ReturnType<typeof open>) => {
  const found = []
  while (encoder.bytes() > 0) found.push(...rowsOf([encoder.take()[0]!]))
  return found
}

describe('gathered samples', () => {
  it('come in the order of keys and times, of each time the last, and as often as they are asked for', () => {
    const encoder = open(gathers)
    for (const [cid, ms, value] of [
      ['b', '3', '1'],
      ['a', '2', '2.5'],
      ['b', '1', '3'],
      ['a', '2', '-0'],
      ['b', '1', null],
    ] as const)
      assert.equal(encoder.add([cid, ms, value]), undefined)
    const known = encoder.finish()!
    assert.deepEqual(known, {
      parts: [
        {
          cids: ['b', 'a'],
          ids: ['kwh', 'kwh'],
          firstMs: [1, 2],
          lastMs: [3, 2],
          stretches: [
            [0, 1, 3],
            [1, 2, 2],
          ],
        },
      ],
      samples: 3,
    })
    const expected = [
      [key(7), whole(2), number(0), null],
      [key(9), whole(1), number(3), null],
      [key(9), whole(3), number(1), null],
    ]
    assert.deepEqual(samples(encoder, [9, 7], 'ms'), expected)
    assert.deepEqual(samples(encoder, [9, 7], 'ms'), expected)
    assert.deepEqual(encoder.take(), [])
  })

  it('have times and whole numbers as Postgres keeps them', () => {
    const encoder = open(gathers)
    for (const ms of [-62_135_596_800_000, 0, 946_684_800_001, 253_402_300_799_999])
      encoder.add(['a', String(ms), String(-(2 ** 53 - 1))])
    encoder.finish()
    assert.deepEqual(
      samples(encoder, [1], 'time', true),
      [-63_082_281_600_000_000n, -946_684_800_000_000n, 1000n, 252_455_615_999_999_000n].map((time) => [
        key(1),
        whole(time),
        null,
        whole(-(2 ** 53 - 1)),
      ]),
    )
  })

  it('are parted into stretches where six hours are between them', () => {
    const encoder = open(gathers)
    const hour = 3_600_000
    for (const ms of [20 * hour, 0, 6 * hour, 13 * hour]) encoder.add(['a', String(ms), '1'])
    assert.deepEqual(encoder.finish()!.parts[0]!.stretches, [
      [0, 0, 6 * hour],
      [0, 13 * hour, 13 * hour],
      [0, 20 * hour, 20 * hour],
    ])
  })

  it('go into the tables when they have too many stretches, as those of days have', () => {
    const encoder = open(gathers)
    const day = 86_400_000
    for (let n = 0; n <= 50_000; n += 1) encoder.add(['a', String(n * day), '1'])
    assert.equal(encoder.finish(), undefined)
    assert.equal(encoder.bytes(), Infinity)
  })

  it('refuse a cell as the tables do', () => {
    for (const own of [gathers, undefined]) {
      const encoder = open(own)
      assert.equal(encoder.add(['a', '1', '1']), undefined)
      assert.deepEqual(encoder.add(['a', '1', 'x']), { spool: 0, column: 2, row: 2, field: 'x' })
    }
  })

  /** A name, a time or a number that is not kept as it is. */
  for (const odd of [
    [null, '1', '1'],
    ['a', null, '1'],
    ['a', '9223372036854775807', '1'],
  ])
    it(`go into the tables with all rows before and after ${JSON.stringify(odd)}, in their order`, () => {
      const random = openRandom(7)
      const rows = Array.from({ length: 9000 }, () => [
        random.pick(['a', 'b']),
        String(random.integer(100)),
        random.pick(['1.5', null]),
      ])
      const [one, other] = [open(gathers), open()]
      const [got, expected]: [string[], string[]] = [[], []]
      for (const row of [...rows, odd, ...rows]) {
        assert.equal(one.add(row), undefined)
        assert.equal(other.add(row), undefined)
        if (one.bytes() > 10_000) got.push(...spooled(one).map(String))
        if (other.bytes() > 10_000) expected.push(...spooled(other).map(String))
      }
      got.push(...spooled(one).map(String))
      expected.push(...spooled(other).map(String))
      assert.equal(one.finish(), undefined)
      assert.equal(got.length, 18_001)
      assert.equal(got.join('\n'), expected.join('\n'))
    })

  it('go into the tables where two statements write to one stream', () => {
    const part = gathers.parts[0]!
    const encoder = open({ ...gathers, parts: [part, { ...part, sample: { constant: 7 } }] })
    encoder.add(['a', '1', '1.5'])
    assert.equal(encoder.finish(), undefined)
    assert.deepEqual(spooled(encoder), [['61', whole(1), number(1.5), whole(1)]])
  })

  it('go into the tables where they are of more streams than are worth it', () => {
    const encoder = open(gathers)
    let rows = 0
    for (; encoder.bytes() === 0; rows += 1) encoder.add([`m${rows}`, '1', '1'])
    assert.equal(spooled(encoder).length, rows)
    assert.equal(rows, 20_001)
  })

  it('can be had as the rows that they came in, with their numbers', () => {
    const encoder = open(gathers)
    encoder.add(['b', '2', null])
    encoder.add(['a', '1', '1'])
    encoder.finish()
    const tables = [...encoder.give({ kind: 'rows' })].map(([piece]) => piece!)
    assert.deepEqual(
      tables.flatMap((piece) => rowsOf([piece])),
      [
        ['62', whole(2), null, whole(1)],
        ['61', whole(1), number(1), whole(2)],
      ],
    )
  })
})
