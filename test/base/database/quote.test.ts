import assert from 'node:assert/strict'
import { withBackslashes, withDoubles, withoutDoubles } from '../../../src/base/database/quote.ts'

describe('base/quote', () => {
  const texts = ['', 'plain', '"', '""', '"""', 'a"b\\c', '\\"', 'é"€"😀"\ud800"', '\n"\t\\']
  for (const text of texts)
    it(`treats ${JSON.stringify(text)} the same way short and long`, () => {
      const padded = text + 'x'.repeat(1000)
      for (const change of [withBackslashes, withDoubles, withoutDoubles])
        assert.equal(change(padded), change(text) + 'x'.repeat(1000))
      assert.equal(withBackslashes(text), text.replaceAll(/["\\]/g, String.raw`\$&`))
      assert.equal(withoutDoubles(withDoubles(padded)), padded)
    })

  it('takes a text that is quotes all through', () => {
    const count = 4_000_000
    assert.ok(withBackslashes('"'.repeat(count)) === '\\"'.repeat(count))
    assert.ok(withDoubles('"'.repeat(count)) === '"'.repeat(2 * count))
    assert.ok(withoutDoubles('"'.repeat(2 * count)) === '"'.repeat(count))
  })
})
