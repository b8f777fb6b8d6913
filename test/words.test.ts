// Words of strangers are looked up in Maps, or in what is an object's own (src/base/own.ts). The compiler shows every
// place that asks an object by a text: there is none but those named here, each with its reason.
import assert from 'node:assert/strict'
import type { Node } from 'typescript/unstable/ast'
import { ownMember, wordTable } from '../src/base/own.ts'
import { findInSource, SyntaxKind } from './support/source.ts'

const allowed: Readonly<Record<string, string>> = {
  'src/base/own.ts': 'asks for what is its own',
  'src/base/http/short.ts': 'names of headers have a-z, 0-9 and - only; one that every object knows goes to node:http',
}

/** constructor, toString, __proto__ and their like. */
const names = [...Object.getOwnPropertyNames(Object.prototype), 'prototype']

describe('words that JavaScript knows', function () {
  it("are no members of a table of words, nor an object's own", () => {
    const table = wordTable({ a: 1 })
    assert.equal(table.get('a'), 1)
    assert.equal(ownMember({ a: 1 }, 'a'), 1)
    for (const name of names) {
      assert.equal(table.get(name), undefined)
      assert.equal(ownMember({ a: 1 }, name), undefined)
    }
    assert.equal(ownMember(JSON.parse('{"__proto__":5}') as Record<string, number>, '__proto__'), 5)
  })

  it('are never used to ask an object: no text is, in all of the source', () => {
    const asked = findInSource([SyntaxKind.ElementAccessExpression], ({ node, text, place }, checker) => {
      const { argumentExpression } = node as Node & { readonly argumentExpression: Node }
      const type = checker.getTypeAtLocation(argumentExpression)
      const isText = type === undefined || /\b(string|any|unknown)\b(?!_)/.test(checker.typeToString(type))
      return { place, text, isText }
    })
    assert.ok(asked.length > 500, `${asked.length} are too few: they are not found any more`)
    const wrong = asked.filter(({ place, isText }) => isText && !Object.hasOwn(allowed, place.replace(/:\d+$/, '')))
    assert.deepEqual(
      wrong.map(({ place, text }) => `${place} ${text}`),
      [],
    )
  })

  it('are never looked for by in', () => {
    const wrong = findInSource([SyntaxKind.BinaryExpression], ({ text, place }) => ({ text, place })).filter(
      ({ text }) => /^[\w.]+ in [\w.]+$/.test(text),
    )
    assert.deepEqual(wrong, [])
  })
})
