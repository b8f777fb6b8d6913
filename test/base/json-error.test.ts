// The error that is shown of long texts that are not JSON, against JSON.parse itself.
import assert from 'node:assert/strict'
import { jsonErrorOf } from '../../src/base/json-error.ts'
import { atOnce } from '../../src/base/slices.ts'
import { withSeed } from '../support/random.ts'

const saidByNode = (text: string): string | undefined => {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const says = (text: string, pieceLength?: number) =>
  assert.equal(atOnce(jsonErrorOf(text, pieceLength)), saidByNode(text), text.slice(0, 500))

/** Pieces longer than the context that messages show. */
const shortPiece = 32

describe('base/json-error', () => {
  it('says what JSON.parse says, wherever a text breaks off or has a sign too many', () =>
    withSeed((random) => {
      const number = () => random.pick(['0', '-1.5e3', '12.25', '1E+2'])
      const string = () => random.pick(['""', '"a,[b"', '"\\"}"', '"\\u00e4\\n"', '"ä𝄞"', `"${'x'.repeat(40)}"`])
      const blank = () => random.pick(['', '', ' ', '\n', '\r\n', '\t\r'])
      const value = (depth: number): string => {
        const kind = random.integer(depth > 0 ? 5 : 3)
        if (kind === 0) return number()
        if (kind === 1) return string()
        if (kind === 2) return random.pick(['true', 'false', 'null', '[]', '{ }'])
        const inside = Array.from({ length: random.integer(6) }, () => {
          const one = `${blank()}${value(depth - 1)}${blank()}`
          return kind === 3 ? one : `${blank()}${string()}${blank()}:${one}`
        })
        return kind === 3 ? `[${inside.join()}]` : `{${inside.join()}}`
      }
      const signs = ['', ',', ':', '[', ']', '{', '}', '"', '\\', '1', '.', '-', 't', 'x', '\n', '\0', '𝄞', ' ,', '"" ']
      let wrong = 0
      for (let round = 0; round < 3000; round += 1) {
        const text = `[${Array.from({ length: 6 }, () => value(4)).join()}]`
        const at = random.integer(text.length)
        const broken = random.pick([
          text.slice(0, at),
          `${text.slice(0, at)}${random.pick(signs)}${text.slice(at)}`,
          `${text.slice(0, at)}${random.pick(signs)}${text.slice(at + 1)}`,
        ])
        if (saidByNode(broken) !== undefined) wrong += 1
        says(broken, shortPiece)
      }
      assert.ok(wrong > 1000, `${wrong} were no JSON`)
    }))

  it('says it of a comma before a closing bracket, wherever the text is cut', () => {
    for (const [one, wrong] of [
      ['[1],', '[1,],'],
      ['[{"a":1}],', '[{"a":1,}],'],
    ] as const)
      for (let blanks = 0; blanks < 2 * shortPiece; blanks += 1)
        says(`[${' '.repeat(blanks)}${one.repeat(20)}${wrong}${one.repeat(60)}1]`, shortPiece)
  })

  it('says it of a text that is longer than its pieces', () => {
    const numbers = '1.5,\n'.repeat(40_000)
    for (const end of [
      '',
      ']',
      '1}',
      '1]]',
      'x]',
      '"',
      '"\\x"]',
      '1 2]',
      '-]',
      '1.]',
      'tru]',
      '{"a"}]',
      '{"a":1,}]',
      '1]',
    ])
      says(`[${numbers}${end}`)
    for (const text of [`"${'a'.repeat(100_000)}`, 'x'.repeat(100_000), `${' '.repeat(100_000)}}`, `[1] ${numbers}`])
      says(text)
  })

  it('leaves others room, also in a text of arrays, and in one without a place to cut it', () => {
    // Blanks, so that a piece ends between the brackets.
    for (const sign of ['[1],', '        [],', '1 ', ' ', ']', ':'])
      assert.ok([...jsonErrorOf(`[1,${sign.repeat(100_000)}]`)].length >= 5, sign)
  })
})
