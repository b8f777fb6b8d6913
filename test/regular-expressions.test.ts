// Every regular expression of the source takes time by the length of what it is given, not by its square. They are
// found by the compiler, not listed: a new one is judged as soon as it is there.
import assert from 'node:assert/strict'
import { findSlowRepetition } from './support/backtracking.ts'
import { openTestService } from './support/service.ts'
import { findInSource, SyntaxKind } from './support/source.ts'

describe('regular expressions', function () {
  const slow: readonly [expression: RegExp, repetition: string][] = [
    [/0+$/, '0'],
    [/^\s+|\s+$/g, ' '],
    [/x*y/, 'x'],
    [/^\d+\.?\d*$/, '0'],
    [/^bytes\s*=\s*(\d*)\s*-\s*(\d*)$/i, ' '],
    [/(a+)+b/, 'a'],
    [/(?:a*)*b/, 'a'],
    [/(a|a)*$/, 'a'],
    [/^(a|ab|b)*$/, 'ab'],
    [/^(?:a?){30}a{30}$/, 'a'],
    [/x(?:[ax]*b)?/g, 'x'],
    [/(.*),(.*),(.*)z/, 'a'],
    [/(?=a*b)a/, 'a'],
    [/"(?:[^"\\]|\\.|x)*"/, 'x'],
  ]
  for (const [expression, repetition] of slow)
    it(`finds that ${expression} is slow, by ${repetition} over and over`, () =>
      assert.equal(findSlowRepetition(expression), repetition))

  const quick = [
    /^\d+(?:\.\d*)?$/,
    /(?<!0)0+$/,
    /\d+(?:\.\d+)?/,
    /^\s*(\w+)\s*=\s*(\w+)\s*$/,
    /"(?:[^"\\]|\\.)*"/y,
    /[^\x20-\x7e]|["%]/g,
    /^(?:[a-z]+-)*[a-z]+$/i,
    /\b(?:one|two|three)\b/gi,
  ]
  for (const expression of quick)
    it(`finds that ${expression} is not slow`, () => assert.equal(findSlowRepetition(expression), undefined))

  it('are all linear in the source, whatever text they meet', () => {
    const all = findInSource([SyntaxKind.RegularExpressionLiteral], ({ text, place }) => ({ text, place }))
    assert.ok(all.length > 150, `${all.length} are too few: they are not found any more`)
    const wrong = all.flatMap(({ text, place }) => {
      const end = text.lastIndexOf('/')
      const repetition = findSlowRepetition({ source: text.slice(1, end), flags: text.slice(end + 1) })
      return repetition === undefined ? [] : `${place} ${text} is slow, by ${JSON.stringify(repetition)} over and over`
    })
    assert.deepEqual(wrong, [])
  })

  it('are made while the service runs for its routes only, and those are linear', async () => {
    const made = findInSource([SyntaxKind.NewExpression, SyntaxKind.CallExpression], ({ text, place }) =>
      /^(?:new )?RegExp\b/.test(text) ? [place.replace(/:\d+$/, '')] : [],
    ).flat()
    assert.deepEqual(made, ['src/app.ts'])

    const real = globalThis.RegExp
    const seen: RegExp[] = []
    globalThis.RegExp = new Proxy(real, {
      construct: (target, given) => {
        const expression = new target(...(given as [string, string]))
        if (new Error('where').stack?.includes('/src/app.ts')) seen.push(expression)
        return expression
      },
    })
    try {
      await (await openTestService()).close()
    } finally {
      globalThis.RegExp = real
    }
    const ofRoutes = [...new Set(seen.map(({ source }) => source))].filter((source) => source.startsWith('^\\/api'))
    assert.ok(ofRoutes.length > 4, `${ofRoutes.length}`)
    for (const source of ofRoutes) assert.equal(findSlowRepetition({ source, flags: '' }), undefined, source)
  })
})
