// Quotes in messages: cut by whole characters, never with half of a surrogate pair or a NUL in them.
import assert from 'node:assert/strict'
import { badRequest, firstCharacters, shorten } from '../../src/base/errors.ts'

describe('texts in messages', () => {
  it('are cut between characters, wherever the pairs lie', () => {
    for (const before of ['', 'a']) {
      const cut = shorten(`${before}${'🌳'.repeat(80)}`)
      assert.ok(cut.isWellFormed())
      assert.equal(cut, `${before}${'🌳'.repeat(39)}…`)
    }
    assert.equal(firstCharacters('a🌳b', 2), 'a')
    assert.equal(firstCharacters('a🌳b', 3), 'a🌳')
  })

  it('show a half of a pair as the replacement character, at their end too', () => {
    assert.equal(shorten('x\ud83cy'), 'x\ufffdy')
    assert.equal(shorten('x\ud83c'), 'x\ufffd')
    assert.equal(badRequest("it is 'x\ud83cy'").message, "it is 'x\ufffdy'")
  })

  it('show a NUL as the replacement character', () => {
    assert.equal(shorten('x\0y'), 'x\ufffdy')
    assert.equal(badRequest("it is 'x\0y'").message, "it is 'x\ufffdy'")
  })

  it('are left alone when they are short', () => assert.equal(shorten('Zähler 🌳'), 'Zähler 🌳'))
})
