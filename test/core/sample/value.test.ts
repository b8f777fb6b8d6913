import assert from 'node:assert/strict'
import type { ValueType } from '../../../src/core/stream.ts'
import type { RawValue, Value } from '../../../src/core/sample/value.ts'
import {
  findNotFinite,
  quoteValue,
  typeForScripted,
  typeForUploaded,
  valueFor,
} from '../../../src/core/sample/value.ts'

const show = (raw: unknown) => (typeof raw === 'bigint' ? `${raw}n` : (JSON.stringify(raw) ?? String(raw))).slice(0, 40)

describe('core/value', () => {
  const refused: readonly [type: ValueType, raws: readonly RawValue[]][] = [
    [
      'DOUBLE',
      [
        '',
        ' ',
        'a',
        '1a',
        '1,5',
        '0x10',
        '0b1',
        '1_000',
        'nan',
        'NaN',
        'inf',
        '-Infinity',
        '1e999',
        '٣',
        '+',
        '.',
        'e5',
        '--1',
      ],
    ],
    ['DOUBLE', [true, false, Number.POSITIVE_INFINITY, 10n ** 400n]],
    [
      'LONG',
      ['', '1.5', 'a', '0x10', 'nan', 'Infinity', '9223372036854775808', '-9223372036854775809', '1e19', '1e-1'],
    ],
    ['LONG', [1.5, true, false, 2 ** 63, 9223372036854775808n, -9223372036854775809n, Number.POSITIVE_INFINITY]],
    ['BOOLEAN', ['', 'yes', 'on', '2', '-1', '1.0', 'truee', 'nan', 2, -1, 0.5, 2n]],
    ['STRING', ['a\0b', '\0', '\ud800', 'a\udc00', Number.POSITIVE_INFINITY]],
    ['FILE', ['a', 1, true]],
  ]
  for (const [type, raws] of refused)
    for (const raw of raws) it(`refuses ${show(raw)} as ${type}`, () => assert.equal(valueFor(type, raw), undefined))

  const taken: readonly [type: ValueType, raw: RawValue, value: Value][] = [
    ['DOUBLE', '21.50', 21.5],
    ['DOUBLE', ' 21.5\t', 21.5],
    ['DOUBLE', '+1', 1],
    ['DOUBLE', '-.5', -0.5],
    ['DOUBLE', '5.', 5],
    ['DOUBLE', '1E-3', 0.001],
    ['DOUBLE', '1e+3', 1000],
    ['DOUBLE', '007', 7],
    ['DOUBLE', '1e-999', 0],
    ['DOUBLE', '9007199254740993', 9007199254740992],
    ['DOUBLE', 9007199254740993n, 9007199254740992],
    ['DOUBLE', 0.1, 0.1],
    ['LONG', '5', 5],
    ['LONG', ' +5 ', 5],
    ['LONG', '-0', 0],
    ['LONG', '5.0', 5],
    ['LONG', '1.50e1', 15],
    ['LONG', '1500e-2', 15],
    ['LONG', '0e99999999999', 0],
    ['LONG', '.0', 0],
    ['LONG', '00000000000000000000000012', 12],
    ['LONG', '9007199254740991', 9007199254740991],
    ['LONG', '9007199254740993', 9007199254740993n],
    ['LONG', '9007199254740993.000', 9007199254740993n],
    ['LONG', '9.007199254740993e15', 9007199254740993n],
    ['LONG', '9223372036854775807', 9223372036854775807n],
    ['LONG', '-9223372036854775808', -9223372036854775808n],
    ['LONG', 5, 5],
    ['LONG', 5.0, 5],
    ['LONG', 2 ** 60, 2n ** 60n],
    ['LONG', 9007199254740993n, 9007199254740993n],
    ['BOOLEAN', true, true],
    ['BOOLEAN', false, false],
    ['BOOLEAN', 'True', true],
    ['BOOLEAN', ' FALSE ', false],
    ['BOOLEAN', '1', true],
    ['BOOLEAN', '0', false],
    ['BOOLEAN', 1, true],
    ['BOOLEAN', 0, false],
    ['STRING', '', ''],
    ['STRING', ' as it is ', ' as it is '],
    ['STRING', 'a\nb\u0001', 'a\nb\u0001'],
    ['STRING', 'NaN', 'NaN'],
    ['STRING', 'null', 'null'],
    ['STRING', 21.5, '21.5'],
    ['STRING', true, 'true'],
    ['STRING', 9007199254740993n, '9007199254740993'],
    ['STRING', '😀', '😀'],
  ]
  for (const [type, raw, value] of taken)
    it(`takes ${show(raw)} as ${type}`, () => assert.equal(valueFor(type, raw), value))

  it('takes the longest text that a number can have: the smallest DOUBLE to its last digit', () => {
    const digits = String(5n ** 1074n)
    const written = `-0.${'0'.repeat(1074 - digits.length)}${digits}`
    assert.equal(written.length, 1077)
    assert.equal(valueFor('DOUBLE', written), -5e-324)
    assert.equal(valueFor('DOUBLE', '0.1000000000000000055511151231257827021181583404541015625'), 0.1)
    assert.equal(valueFor('DOUBLE', String(BigInt(Number.MAX_VALUE))), Number.MAX_VALUE)
  })

  it('keeps a LONG exact behind as many zeros as a number may have', () => {
    const padded = '9007199254740993'.padStart(1100, '0')
    assert.equal(valueFor('LONG', padded), 9007199254740993n)
    assert.equal(valueFor('LONG', '9007199254740993.'.padEnd(1100, '0')), 9007199254740993n)
    assert.equal(valueFor('LONG', `${'1'.padEnd(1094, '0')}e-1093`), 1)
  })

  it('refuses a number text of more than 1100 characters, however plain', () => {
    for (const text of ['1'.padStart(1101, '0'), '1.'.padEnd(1101, '0'), '1'.padStart(1101), '1'.padStart(2e7, '0')])
      for (const type of ['DOUBLE', 'LONG'] as const) assert.equal(valueFor(type, text), undefined, type)
    assert.equal(typeForUploaded(['1'.padStart(1100, '0')]), 'DOUBLE')
    assert.equal(typeForUploaded(['1'.padStart(1101, '0')]), 'STRING')
  })

  it('takes null as the gap of every type', () => {
    for (const type of ['DOUBLE', 'LONG', 'BOOLEAN', 'STRING', 'FILE'] as const)
      assert.equal(valueFor(type, null), null)
  })

  it('finds nan, inf and infinity in any spelling, and nothing else', () => {
    for (const text of ['nan', 'NaN', 'NAN', 'inf', '-Inf', '+INF', 'infinity', 'Infinity', ' -infinity '])
      for (const values of [[text], ['a', text], [null, text]]) assert.equal(findNotFinite(values), text)
    assert.equal(findNotFinite(['nanometre', 'infinite', 'in f', '1', 1, null, true]), undefined)
  })

  const newByUrl: readonly [values: readonly RawValue[], type: ValueType][] = [
    [['1', ' -2.5e3 ', '+.5'], 'DOUBLE'],
    [['1', null], 'DOUBLE'],
    [[null], 'DOUBLE'],
    [['1', 'a'], 'STRING'],
    [['0x10'], 'STRING'],
    [['true'], 'STRING'],
    [['1.2.3'], 'STRING'],
    [[' '], 'STRING'],
    [['nanometre'], 'STRING'],
    [['infinite'], 'STRING'],
  ]
  for (const [values, type] of newByUrl)
    it(`makes a ${type} of ${show(values)} (URL)`, () => assert.equal(typeForUploaded(values), type))

  const newByJson: readonly [values: readonly RawValue[], type: ValueType][] = [
    [[1, 2.5, null, 9007199254740993n], 'DOUBLE'],
    [[null], 'DOUBLE'],
    [['21.5'], 'DOUBLE'],
    [['21.5', 3, null, ' -1e3 '], 'DOUBLE'],
    [['21.5', 'on'], 'STRING'],
    [['21.5', true], 'STRING'],
    [['0x10'], 'STRING'],
    [[''], 'STRING'],
    [[true], 'STRING'],
    [[1, 'a'], 'STRING'],
  ]
  for (const [values, type] of newByJson)
    it(`makes a ${type} of ${values.map(show).join(', ')} (JSON)`, () => assert.equal(typeForUploaded(values), type))

  const newByScript: readonly [values: readonly RawValue[], type: ValueType][] = [
    [[1, null, 9007199254740993n], 'DOUBLE'],
    [['21.5'], 'STRING'],
    [[1, '2'], 'STRING'],
  ]
  for (const [values, type] of newByScript)
    it(`makes a ${type} of ${values.map(show).join(', ')} (script)`, () => assert.equal(typeForScripted(values), type))

  it('quotes no more than 80 characters of a value', () => {
    assert.equal(quoteValue(5n), "'5'")
    assert.equal(quoteValue('x'.repeat(1000)).length, 82)
  })
})
