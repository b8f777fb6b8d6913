// Texts that strangers push are read in slices, so that others are served in between: how often the work can be left
// grows with the text, whatever stands in it. And a long JSON text read in pieces is what JSON.parse makes of it.
import assert from 'node:assert/strict'
import { csvTable } from '../../src/gsql/text/csv-table.ts'
import { parseJsonPath } from '../../src/gsql/text/json-path.ts'
import type { Json } from '../../src/gsql/value.ts'
import { readJsonInPieces } from '../../src/base/json-pieces.ts'
import { readJsonText, rowsOfJson } from '../../src/gsql/text/json-table.ts'
import { openMemory, openScriptMemory } from '../../src/gsql/memory.ts'
import { atOnce, inSlices, openBreath } from '../../src/base/slices.ts'
import type { Sliced } from '../../src/base/slices.ts'
import { openRandom } from '../support/random.ts'
import type { Random } from '../support/random.ts'
import { shortOrLong } from '../support/soak.ts'

const at = { line: 1, column: 1 }
const newMemory = () => openMemory(openScriptMemory(), ['key a', 'address b', 'organization c'])

/** How often the work can be left until it is done or fails. */
const slicesOf = (work: Sliced<unknown>): number => {
  let count = 0
  try {
    while (!work.next().done) count += 1
  } catch {
    // As far as it came.
  }
  return count
}

const jsonTexts: Readonly<Record<string, string>> = {
  'empty arrays': `[${'[],'.repeat(300_000)}1]`,
  objects: `[${'{"a":"x"},'.repeat(100_000)}1]`,
  'an object of members': `{${Array.from({ length: 90_000 }, (_, n) => `"k${n}":[]`).join()}}`,
  'long whole numbers': `[${'9007199254740993,'.repeat(60_000)}1]`,
  texts: `[${'"[{,\\"",'.repeat(120_000)}1]`,
  nesting: `${'{"a":'.repeat(400)}[${'[],'.repeat(300_000)}1]${'}'.repeat(400)}`,
  'what is no JSON': `[${'[],'.repeat(300_000)}`,
}

describe('reading in slices', () => {
  for (const [title, text] of Object.entries(jsonTexts))
    it(`can be left after every 100,000 characters of JSON: ${title}`, () => {
      const slices = slicesOf(readJsonText(text, at, newMemory()))
      assert.ok(slices >= Math.floor(text.length / 100_000), `${slices}`)
    })

  const column = (path: string) => [{ at, name: 'a', type: 'STRING' as const, path: parseJsonPath(path, at) }]
  const paths: readonly [path: string, text: string, least: number][] = [
    ['$[*]', jsonTexts['objects']!, 10],
    ['$[*].a', jsonTexts['objects']!, 10],
    ['$..b', jsonTexts['empty arrays']!, 10],
    ['$..*', jsonTexts['objects']!, 10],
    ['$[?(@.a == "y")].a', jsonTexts['objects']!, 10],
  ]
  for (const [path, text, least] of paths)
    it(`can be left on the way through 100,000 values by ${path}`, () => {
      const document = atOnce(readJsonText(text, at, newMemory()))
      const slices = slicesOf(rowsOfJson(document, column(path), at, newMemory()))
      assert.ok(slices >= least, `${slices}`)
    })

  it('can be left after every cell that is written as a text of 100,000 characters', () => {
    const text = `${'{"a":'.repeat(99)}[${'[],'.repeat(33_000)}1]${'}'.repeat(99)}`
    const document = atOnce(readJsonText(text, at, newMemory()))
    const slices = slicesOf(rowsOfJson(document, column('$..a'), at, newMemory()))
    assert.ok(slices >= 99, `${slices}`)
  })

  it('can be left between the columns of one row', () => {
    const document = atOnce(readJsonText(jsonTexts['objects']!, at, newMemory()))
    const columns = Array.from({ length: 20 }, () => column('$')[0]!)
    assert.ok(slicesOf(rowsOfJson(document, columns, at, newMemory())) >= 20)
  })

  const lines: Readonly<Record<string, string>> = {
    lines: 'a\n'.repeat(300_000),
    'blank lines': ' \n'.repeat(300_000),
    fields: 'a,'.repeat(300_000),
    'doubled quotes': `"${'""'.repeat(300_000)}`,
  }
  for (const [title, text] of Object.entries(lines))
    it(`can be left after every 10,000 of CSV's ${title}`, () => {
      const columns = [{ at, name: 'a', type: 'STRING' as const, position: 1 }]
      const slices = slicesOf(csvTable(text, columns, { header: false, delimiter: ',' }, at, newMemory()))
      assert.ok(slices >= 30, `${slices}`)
    })

  it("can be left after every 10,000 cells of CSV's columns, though one field is in all of them", () => {
    const columns = Array.from({ length: 1000 }, () => ({ at, name: 'a', type: 'LONG' as const, position: 1 }))
    const slices = slicesOf(csvTable('1\n'.repeat(300), columns, { header: false, delimiter: ',' }, at, newMemory()))
    assert.ok(slices >= 30, `${slices}`)
  })

  it('serves others in between, and ends when the work is not wanted any more', async () => {
    let turns = 0
    let isOver = false
    const count = () => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const endless = (function* (): Sliced<void> {
      for (;;) yield
    })()
    const breathe = openBreath(() => {
      if (turns >= 5) throw new Error('not wanted')
    })
    await assert.rejects(inSlices(endless, breathe), /not wanted/)
    isOver = true
  })
})

describe('JSON in pieces', () => {
  const limits = { depth: 500, members: 100 }
  const inPieces = (text: string, pieceLength: number): Json | undefined => {
    try {
      return atOnce(readJsonInPieces(text, (piece) => JSON.parse(piece) as Json, { ...limits, pieceLength }))
    } catch (error) {
      assert.ok(error instanceof SyntaxError, String(error))
      return undefined
    }
  }
  const texts = ['', 'a,b', '"[', '\\"]{', 'x\\', 'ü😀\u2028']
  const names = ['a', 'b,', '__proto__', '{"', '5', 'constructor']
  const made = (random: Random, depth: number): unknown => {
    const list = <T>(one: () => T): T[] => Array.from({ length: random.integer(5) }, one)
    switch (random.integer(depth > 4 ? 3 : 6)) {
      case 0:
        return random.pick([0, -1.5, 1e300, true, false, null])
      case 1:
        return random.pick(texts)
      case 2:
        return random.pick([[], {}])
      case 3:
        return Object.fromEntries(list(() => [random.pick(names), made(random, depth + 1)]))
      default:
        return list(() => made(random, depth + 1))
    }
  }
  const signs = ['[', ']', '{', '}', ',', ':', '"', '1', ' ', '\\', '"a"', 'null', '']

  it('equals the result of JSON.parse, and is refused where JSON.parse refuses it, wherever the pieces end', () => {
    const random = openRandom(13)
    for (let round = 0; round < shortOrLong(8000, 20_000); round += 1) {
      let text = JSON.stringify(made(random, 0), undefined, random.pick([0, 1]))
      if (random.integer(2) === 0) {
        const place = random.integer(text.length + 1)
        text = text.slice(0, place) + random.pick(signs) + text.slice(place + random.integer(3))
      }
      const read = inPieces(text, 1 + random.integer(12))
      let expected: unknown
      try {
        expected = JSON.parse(text)
      } catch {
        // It stays undefined.
      }
      assert.equal(JSON.stringify(read), JSON.stringify(expected), text)
    }
  })

  it('keeps whole numbers beyond 2^53, names the place of an error, and refuses an object of 100,001 members', () => {
    const read = (text: string) => atOnce(readJsonText(text, at, newMemory()))
    const many = '[],'.repeat(100_000)
    assert.deepEqual((read(`[${many}9007199254740993]`) as Json[]).at(-1), 9007199254740993n)
    assert.throws(() => read(`[${many}x]`), /not JSON: unexpected 'x' at position 300002$/)
    assert.throws(() => read(`[${many}`), /the text ends too early at position 300002$/)
    const members = (count: number) => `{${Array.from({ length: count }, (_, n) => `"${n}":1`).join()}}`
    assert.equal(Object.keys(read(members(100_000)) as object).length, 100_000)
    assert.throws(() => read(members(100_001)), /an object has more than 100000 members/)
  })
})
