// The reader of YAML for the files to deploy by: exact values, and everything that it does not know is refused.
import assert from 'node:assert/strict'
import { readYaml } from './yaml.ts'

describe('the reader of YAML', () => {
  it('reads mappings, lists, anchors, blocks and several documents', () => {
    const text = `# first
a: &one
  b: 1 # one
  c: 'it''s # 1'
list:
  - name: x
    more:
      - 0.0.0.0:80
      - ['a, b', c#d, 17]
  - plain: text
d:
  <<: *one
  b: true
e: *one
empty: {}
none:
---
- |
  for x in 1; do
    echo # kept
  done
- >-
  joined
  again
`
    assert.deepEqual(readYaml(text), [
      {
        a: { b: 1, c: "it's # 1" },
        list: [{ name: 'x', more: ['0.0.0.0:80', ['a, b', 'c#d', 17]] }, { plain: 'text' }],
        d: { b: true, c: "it's # 1" },
        e: { b: 1, c: "it's # 1" },
        empty: {},
        none: null,
      },
      ['for x in 1; do\n  echo # kept\ndone\n', 'joined again'],
    ])
  })

  const refused: readonly [text: string, complaint: RegExp][] = [
    ['', /an empty document/],
    ['a:\n\tb: 1', /line 2: a tab/],
    ['a: 1\r\nb: 2', /line 1: a tab, or the end of a line in DOS/],
    ['a: 1\nb: 2\na: 3', /line 3: a is there twice/],
    ['a: 1\n  b: 2', /line 2: does not belong to anything/],
    ['a:\n  b: 1\n c: 2', /line 3: does not belong to anything/],
    ['- a\nb: 1', /line 2: no item of the list/],
    ['a:\n  - b\n  c: 1', /line 3: no item of the list/],
    ['a: one\n  two', /line 2: does not belong/],
    ['a:b', /line 1: no key/],
    ['a: b: c', /line 1: b: c is no plain text/],
    ['a: "b"', /line 1: "b" is no plain text/],
    ["a: 'b", /line 1: 'b is no plain text/],
    ['a: {b: c}', /is no plain text/],
    ['a: [b', /line 1: no list in one line/],
    ['a: [b, [c]]', /line 1: no list in one line/],
    ['a: *b', /line 1: nothing has the name b/],
    ['<<: 1', /line 1: << takes a mapping/],
    ['a: |\nb: 1', /nothing stands below/],
    ['-  a', /line 1: one blank/],
    ...['off', 'Yes', '~', '010', '0x1f', '1.5', '1e3', '1_000', '12:30', '-1'].map((word): [string, RegExp] => [
      `a: ${word}`,
      /belongs in quotes|is no plain text/,
    ]),
  ]
  for (const [text, complaint] of refused)
    it(`refuses ${JSON.stringify(text)}`, () => assert.throws(() => readYaml(text), complaint))
})
