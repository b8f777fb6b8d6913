// Long texts in pieces, whatever blanks stand between their signs, against JSON.parse.
import assert from 'node:assert/strict'
import { readJsonInPieces } from '../../src/base/json-pieces.ts'
import type { Json } from '../../src/base/json-pieces.ts'
import { readJsonText } from '../../src/base/json-text.ts'
import { atOnce } from '../../src/base/slices.ts'
import { withSeed } from '../support/random.ts'

const pieceLength = 16
const limits = { depth: 20, members: 100 }

const said = (read: () => unknown): unknown => {
  try {
    return read()
  } catch {
    return undefined
  }
}

describe('base/json-pieces', () => {
  it('refuses what JSON.parse refuses, and reads the same of all else, with long runs of blanks between signs', () =>
    withSeed((random) => {
      const blank = () => random.pick(['', '', ' ', '\r\n\t ', ' '.repeat(15), '\n'.repeat(16), '\t '.repeat(40)])
      const string = () => random.pick(['"a"', '" "', `"${' '.repeat(40)}"`, '"\\" ,]"'])
      const value = (depth: number): string => {
        const kind = random.integer(depth > 0 ? 5 : 3)
        if (kind === 0) return random.pick(['12', '-1.5', 'true', 'null'])
        if (kind === 1) return string()
        if (kind === 2) return random.pick(['[]', '{}', `[${blank()}]`, `{${blank()}}`])
        const inside = Array.from({ length: random.integer(4) }, () => {
          const one = `${blank()}${value(depth - 1)}${blank()}`
          return kind === 3 ? one : `${blank()}${string()}${blank()}:${one}`
        })
        return kind === 3 ? `[${inside.join()}]` : `{${inside.join()}}`
      }
      const signs = ['', ',', ':', '[', ']', '}', '1', 'x', '\0', ' \v ', `${' '.repeat(30)}\0${' '.repeat(30)}`, ' 1']
      let wrong = 0
      for (let round = 0; round < 10_000; round += 1) {
        const whole = `${blank()}${value(4)}${blank()}`
        const at = random.integer(whole.length + 1)
        const text = random.integer(2) === 0 ? whole : `${whole.slice(0, at)}${random.pick(signs)}${whole.slice(at)}`
        const wanted = said(() => JSON.parse(text) as unknown)
        if (wanted === undefined) wrong += 1
        const parse = (piece: string) => JSON.parse(piece) as Json
        assert.deepEqual(
          said(() => atOnce(readJsonInPieces(text, parse, { ...limits, pieceLength }))),
          wanted,
          text,
        )
      }
      assert.ok(wrong > 1000, `${wrong} were no JSON`)
    }))

  it('makes one blank of a run longer than a piece, wherever it stands', () => {
    const run = ' '.repeat(100_000)
    for (const text of [`[1,${run}2]`, `{"a":${run}1}`, `{"a"${run}:${run}[${run}1${run}]${run}}`, `${run}1${run}`]) {
      let longest = 0
      const parse = (piece: string) => {
        longest = Math.max(longest, piece.length)
        return JSON.parse(piece) as Json
      }
      assert.deepEqual(atOnce(readJsonInPieces(text, parse, { ...limits, pieceLength })), JSON.parse(text))
      assert.ok(longest < 2 * pieceLength, `${longest} in a piece`)
    }
  })

  it('gives way in long runs of blanks, also while it looks for the place of an error', () => {
    const run = ' '.repeat(1_000_000)
    const long = `[${'1,'.repeat(20_000)}1]`
    for (const text of [
      `[1,${run}]`,
      `[1 ${run}1]`,
      `{${run}1}`,
      `{"a"${run}1}`,
      `[${run},]`,
      `[1]${run}1`,
      `${long}${run}1`,
    ]) {
      let slices = 0
      assert.throws(() => {
        for (const _ of readJsonText(text, limits)) slices += 1
      })
      // Of 16 KiB each, in two passes.
      assert.ok(slices >= 120, `${slices} for ${text.replace(run, '…')}`)
    }
  })
})
