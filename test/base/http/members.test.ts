import assert from 'node:assert/strict'
import type { Reader } from '../../../src/base/http/members.ts'
import {
  blankable,
  boolean,
  epochMs,
  identifier,
  list,
  nullable,
  oneOf,
  readMembers,
  shownUid,
  text,
  timeZone,
  wholeNumber,
} from '../../../src/base/http/members.ts'
import { countSteps } from '../../support/steps.ts'

const shape = { uid: shownUid, name: text(1, 5), size: wholeNumber(1, 9) }

describe('base/members', () => {
  const refused: readonly [reader: Reader<unknown>, value: unknown, message: string][] = [
    [text(0, 5), 5, 'name must be a string'],
    [text(0, 5), null, 'name must be a string'],
    [text(1, 5), '', 'name must not be empty'],
    [text(3, 5), 'ab', 'name must have at least 3 characters'],
    [text(0, 5), 'abcdef', 'name must have at most 5 characters'],
    [text(0, 5), 'a\0b', 'name has a character that cannot be stored'],
    [text(0, 5), '\ud800', 'name has a character that cannot be stored'],
    [boolean, 'true', 'name must be true or false'],
    [boolean, 1, 'name must be true or false'],
    [wholeNumber(1, 9), 0, 'name must be a whole number from 1 to 9'],
    [wholeNumber(1, 9), 10, 'name must be a whole number from 1 to 9'],
    [wholeNumber(1, 9), 1.5, 'name must be a whole number from 1 to 9'],
    [wholeNumber(1, 9), '5', 'name must be a whole number from 1 to 9'],
    [epochMs, '2026-12-31', 'name must be epoch milliseconds, such as 1798761600000 for 2027-01-01T00:00:00Z'],
    [oneOf('a', 'b'), 'c', 'name must be one of a, b'],
    [oneOf('a', 'b'), ['a'], 'name must be one of a, b'],
    [nullable(boolean), 0, 'name must be true or false'],
    [blankable(identifier), '\n', 'name has a control character'],
    [list(2, boolean), {}, 'name must be an array'],
    [list(2, boolean), [true, true, true], 'name must have at most 2 elements'],
    [list(2, boolean), [true, 'x'], 'name[1] must be true or false'],
    [timeZone, 'Mars/Olympus', "name 'Mars/Olympus' is not a time zone"],
    [timeZone, '+05:00', 'name must be a time zone such as Europe/Berlin'],
    [identifier, '', 'name must not be empty'],
    [identifier, 7, 'name must be a string'],
    [identifier, 'a\u0000', 'name has a character that cannot be stored'],
    [identifier, 'a\u0001', 'name has a control character'],
    [identifier, 'a\u007f', 'name has a control character'],
    [identifier, 'a\u009f', 'name has a control character'],
    [identifier, 'x'.repeat(513), 'name must have at most 512 characters'],
  ]
  for (const [reader, value, message] of refused)
    it(`refuses ${JSON.stringify(value).slice(0, 40)}: ${message}`, () =>
      assert.throws(() => reader('name', value), { status: 400, message }))

  const taken: readonly [reader: Reader<unknown>, value: unknown, result: unknown][] = [
    [text(0, 5), '', ''],
    // Length is counted in code points.
    [text(0, 5), '😀😀😀😀😀', '😀😀😀😀😀'],
    [text(0, 5), 'a\nb', 'a\nb'],
    [nullable(boolean), null, null],
    [blankable(identifier), null, null],
    [blankable(identifier), '', null],
    [list(2, boolean), [], []],
    [list(2, boolean), [true, false], [true, false]],
    [timeZone, 'europe/berlin', 'Europe/Berlin'],
    [timeZone, 'Asia/Kolkata', 'Asia/Kolkata'],
    [identifier, ' not trimmed ', ' not trimmed '],
    [identifier, '__proto__', '__proto__'],
    [identifier, '😀'.repeat(512), '😀'.repeat(512)],
  ]
  for (const [reader, value, result] of taken)
    it(`takes ${JSON.stringify(value).slice(0, 40)}`, () => assert.deepEqual(reader('name', value), result))

  it('counts no characters of a text that is too long by far', async () => {
    const module = new URL('../../../src/base/http/members.ts', import.meta.url)
    const texts = [2000, 200_000].map((length) => ['id', 'x'.repeat(length)])
    const [few, many] = await countSteps(module, 'identifier', texts)
    assert.ok(many! < few! + 100, `${few} and ${many} steps`)
  })

  it('refuses a body that is no object', () => {
    for (const body of [null, undefined, [], 'x', 5])
      assert.throws(() => readMembers('unit', body, shape), { status: 400, message: 'unit must be a JSON object' })
  })

  it('refuses a member that is not on the list, by name', () => {
    assert.throws(() => readMembers('unit', { nmae: 'x' }, shape), {
      status: 400,
      message: "unit has no member 'nmae', it has uid, name, size",
    })
    assert.throws(() => readMembers('unit', JSON.parse('{"__proto__":1}'), shape), {
      status: 400,
      message: "unit has no member '__proto__', it has uid, name, size",
    })
    assert.throws(() => readMembers('unit', { toString: 1 }, shape), {
      status: 400,
      message: "unit has no member 'toString', it has uid, name, size",
    })
  })

  it('gives the members that are there, and none that are ignored', () => {
    assert.deepEqual(readMembers('unit', { uid: {}, name: 'c' }, shape), { name: 'c' })
  })
})
