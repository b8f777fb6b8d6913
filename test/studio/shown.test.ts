// Numbers as people read them.
import assert from 'node:assert/strict'
import { shownNumber, shownValue } from '../../src/studio/web/chart/item.ts'
import { shown } from '../../src/studio/web/dashboard/shown.ts'
import { shortened } from '../../src/studio/web/shortened.ts'

describe('a number on a page', () => {
  it('has seven digits in groups of three, and an exponent where all of its zeros would be shown', () => {
    for (const [value, text] of [
      [21.123456789, '21.12346'],
      [123456.7, '123,456.7'],
      [0.00012345, '0.00012345'],
      [-1e300, '-1e+300'],
      [1.23456789e-9, '1.234568e-9'],
      [0, '0'],
    ] as const)
      assert.equal(shownNumber(value), text)
  })

  it('is written by the format of its unit on a tile, and short ones as they are', () => {
    assert.equal(shown({ time: 1, data: 123456789, fData: '123456789.00 Wh', unit: ' Wh' }), '123456789.00 Wh')
    assert.equal(shown({ time: 1, data: 12345, fData: '12345 W', unit: ' W' }), '12345 W')
    assert.equal(shown({ time: 1, data: 'on', fData: 'on' }), 'on')
    assert.equal(shown({ time: 1, data: '/x/a.png', fileName: 'a.png' }), 'a.png')
  })

  it('keeps all digits before the dot on a tile, in groups, with its unit', () => {
    assert.equal(shown({ time: 1, data: 123456789, fData: '123456789 Wh', unit: ' Wh' }), '123,456,789 Wh')
    assert.equal(shown({ time: 1, data: 123456789.125, fData: '€123456789.125', unit: '€' }), '€123,456,789')
    assert.equal(shown({ time: 1, data: 21.123456789, fData: '21.123456789 °C', unit: ' °C' }), '21.12346 °C')
    assert.equal(shown({ time: 1, data: 1e300, fData: '1e+300' }), '1e+300')
    assert.equal(shown({ time: 1, data: -123456789 }), '-123,456,789')
  })
})

describe('a text on a page', () => {
  const long = 'x'.repeat(4000)

  it('is cut where there is room for a line of it, between two letters', () => {
    assert.equal(shortened('as it is'), 'as it is')
    assert.equal(shortened(long), `${'x'.repeat(200)}…`)
    assert.equal(shortened(`${'x'.repeat(9)}🌳🌳`, 10), `${'x'.repeat(9)}…`)
  })

  it('is cut on a tile and at the cursor of a chart', () => {
    assert.equal(shown({ time: 1, data: long, fData: long }), `${'x'.repeat(200)}…`)
    const series = { times: [1], values: [], least: undefined, most: undefined, cycle: undefined, isInterval: false }
    assert.equal(shownValue({ ...series, texts: [long] }, 0, ''), `${'x'.repeat(80)}…`)
  })
})
