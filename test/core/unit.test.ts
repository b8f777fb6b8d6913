import assert from 'node:assert/strict'
import { Fault } from '../../src/base/errors.ts'
import type { ValueType } from '../../src/core/stream.ts'
import { booleanStyles, formatValue, numberFormat } from '../../src/core/unit.ts'

const unit = { symbol: '', symbolLocation: 'after', numberFormat: '', booleanStyle: 'TRUE_FALSE' } as const

describe('core/unit', () => {
  describe('a number format', () => {
    for (const wrong of [
      'x',
      '0.0.0',
      '0,',
      ',0',
      '.0',
      '0 000',
      '-0',
      '0%',
      '0.#0',
      '٠',
      `0.${'0'.repeat(21)}`,
      7,
      null,
    ])
      it(`is refused when it is not digits, commas and one dot: ${JSON.stringify(wrong)}`, () => {
        assert.throws(
          () => numberFormat('numberFormat', wrong),
          (error) => error instanceof Fault && error.status === 400 && error.message.startsWith('numberFormat must be'),
        )
      })
  })

  it('takes number formats with grouping and with fixed and optional decimals', () => {
    for (const right of [
      '',
      '0',
      '#',
      '0,000',
      '#,##0',
      '0.',
      '0.00',
      '0,000.00',
      '#,##0.0##',
      '0.##',
      `0.${'0'.repeat(20)}`,
    ])
      assert.equal(numberFormat('numberFormat', right), right)
  })

  describe('a number formatted by its unit', () => {
    const table: readonly [value: number | bigint, format: string, text: string][] = [
      [12345.678, '', '12345.678'],
      [12345.678, '0', '12346'],
      [12345.678, '0.00', '12345.68'],
      [12345.678, '0,000.00', '12,345.68'],
      [1234567.5, '#,##0.0', '1,234,567.5'],
      [12.5, '0,000.00', '12.50'],
      [0.5, '#.00', '0.50'],
      [20, '0.0##', '20.0'],
      [20.12345, '0.0##', '20.123'],
      [20, '0.##', '20'],
      [20, '0.', '20'],
      // As people round what they see, not the binary fraction behind it.
      [1.005, '0.00', '1.01'],
      [2.5, '0', '3'],
      [-2.5, '0', '-3'],
      [-1234.5, '0,000.00', '-1,234.50'],
      [-0.001, '0.00', '0.00'],
      [-0, '', '0'],
      [-0, '0.0', '0.0'],
      [1e21, '0', '1000000000000000000000'],
      [1e21, '', '1e+21'],
      [0.1 + 0.2, '', '0.30000000000000004'],
      [9007199254740993n, '', '9007199254740993'],
      [9007199254740993n, '0,000', '9,007,199,254,740,993'],
      [-9223372036854775808n, '0.0', '-9223372036854775808.0'],
    ]
    for (const [value, format, text] of table)
      it(`is '${text}' for ${value} by '${format}'`, () => {
        const type: ValueType = typeof value === 'bigint' ? 'LONG' : 'DOUBLE'
        assert.equal(formatValue(value, type, { ...unit, numberFormat: format }), text)
      })
  })

  it('joins the symbol without a blank, before or after the number', () => {
    assert.equal(formatValue(21.5, 'DOUBLE', { ...unit, symbol: '°C' }), '21.5°C')
    assert.equal(formatValue(21.5, 'DOUBLE', { ...unit, symbol: ' °C' }), '21.5 °C')
    assert.equal(
      formatValue(-3, 'LONG', { ...unit, symbol: '€', symbolLocation: 'before', numberFormat: '0.00' }),
      '€-3.00',
    )
  })

  it('writes booleans in the words of the style, the first of which is true', () => {
    const words = booleanStyles.map((booleanStyle) =>
      [true, false].map((value) => formatValue(value, 'BOOLEAN', { ...unit, symbol: '°C', booleanStyle })),
    )
    assert.deepEqual(words, [
      ['True', 'False'],
      ['One', 'Zero'],
      ['On', 'Off'],
      ['Yes', 'No'],
      ['Close', 'Open'],
      ['Open', 'Close'],
      ['High', 'Low'],
      ['Low', 'High'],
    ])
  })

  it('leaves strings as they are', () => {
    assert.equal(formatValue('12.50', 'STRING', { ...unit, symbol: '°C', numberFormat: '0' }), '12.50')
  })

  it('writes plain text without a unit, and nothing for null', () => {
    assert.equal(formatValue(12345.678, 'DOUBLE', undefined), '12345.678')
    assert.equal(formatValue(true, 'BOOLEAN', undefined), 'true')
    assert.equal(formatValue('on', 'STRING', undefined), 'on')
    assert.equal(formatValue(null, 'DOUBLE', undefined), '')
    assert.equal(formatValue(null, 'BOOLEAN', { ...unit, symbol: '°C' }), '')
  })
})
