import assert from 'node:assert/strict'
import { epoch, epochNumber, flag, integer, integerFrom } from '../../../src/base/http/params.ts'

describe('base/params', () => {
  const noInteger = [
    '',
    ' ',
    '1.0',
    '1e3',
    '0x10',
    'a',
    '1a',
    '--1',
    '1 2',
    '٣',
    '9007199254740992',
    '1'.repeat(18),
    'NaN',
  ]
  for (const text of noInteger)
    it(`refuses '${text}' as an integer`, () =>
      assert.throws(() => integer('limit', text), { status: 400, message: `limit must be an integer, not '${text}'` }))

  it('quotes no more than 80 characters of a refused value', () => {
    assert.throws(() => integer('limit', 'x'.repeat(1000)), {
      message: `limit must be an integer, not '${'x'.repeat(79)}…'`,
    })
  })

  const integers: readonly [text: string, value: number][] = [
    ['0', 0],
    ['-0', -0],
    ['+5', 5],
    [' 5 ', 5],
    ['007', 7],
    ['-9007199254740991', -9007199254740991],
    ['9007199254740991', 9007199254740991],
  ]
  for (const [text, value] of integers) it(`reads '${text}'`, () => assert.equal(integer('limit', text), value))

  it('refuses a number below the least', () => {
    assert.throws(() => integerFrom('limit', '0', 1), { status: 400, message: 'limit must be at least 1, not 0' })
    assert.equal(integerFrom('limit', '1', 1), 1)
  })

  it('takes times from the first moment of year 1 to the last of 9999, and none beyond', () => {
    const [first, last] = [-62135596800000, 253402300799999]
    assert.equal(epoch('sd', String(first)), first)
    assert.equal(epoch('sd', String(last)), last)
    for (const ms of [first - 1, last + 1, -9007199254740991, 9007199254740991])
      assert.throws(() => epoch('sd', String(ms)), { status: 400, message: `sd ${ms} is outside the years 1 to 9999` })
  })

  it('refuses whole numbers beyond all times for what they are', () => {
    for (const text of ['9007199254740993', '-99999999999999999', '9'.repeat(30)])
      assert.throws(() => epoch('sd', ` ${text}`), {
        status: 400,
        message: `sd ${text} is outside the years 1 to 9999`,
      })
    assert.throws(() => epochNumber('time', 2 ** 53), { message: /^time 9007199254740992 is outside/ })
    assert.throws(() => epochNumber('time', 2n ** 53n + 1n), { message: /^time 9007199254740993 is outside/ })
  })

  it('refuses times that are no whole milliseconds', () => {
    for (const ms of [1.5, Number.NaN, Number.POSITIVE_INFINITY])
      assert.throws(() => epochNumber('time', ms), {
        status: 400,
        message: 'time must be epoch milliseconds, an integer',
      })
  })

  const flags: readonly [value: string | undefined, isOn: boolean][] = [
    [undefined, false],
    ['false', false],
    ['FALSE', false],
    ['', true],
    ['true', true],
    ['0', true],
    ['no', true],
  ]
  for (const [value, isOn] of flags) it(`reads a flag with ${value} as ${isOn}`, () => assert.equal(flag(value), isOn))
})
