import assert from 'node:assert/strict'
import { isStale, newerOf, openDrafts, unlessSame } from '../../src/studio/web/drafts.ts'

type Script = { readonly uid: string; readonly version: number; readonly sql: string }

const first: Script = { uid: 'a', version: 1, sql: 'select 1' }
const valueOf = ({ sql }: Script) => ({ sql })

describe('drafts', () => {
  it('keep what is typed until it is as it was, and say whether there are any', () => {
    const said: boolean[] = []
    const drafts = openDrafts((isAny) => said.push(isAny))
    const type = (name: string, sql: string) => drafts.keep(name, unlessSame({ first, value: { sql } }, valueOf))
    type('a', 'select 1')
    assert.deepEqual([drafts.of('a'), said.splice(0)], [undefined, []])
    type('a', 'select 2')
    type('b', 'select 3')
    assert.deepEqual(drafts.of('a'), { first, value: { sql: 'select 2' } })
    assert.deepEqual(said.splice(0), [true, true])
    type('a', 'select 1')
    assert.deepEqual([drafts.of('a'), said.splice(0)], [undefined, [true]])
    drafts.keep('b', undefined)
    drafts.keep('b', undefined)
    assert.deepEqual([drafts.of('b'), said], [undefined, [false]])
  })

  it('know that somebody else has saved meanwhile', () => {
    assert.equal(isStale(first, first), false)
    assert.equal(isStale(first, { ...first, version: 2 }), true)
    assert.equal(isStale(undefined, undefined), false)
  })

  it('go on from the version that was saved, though an older one is loaded after it, and never from another entity', () => {
    const saved = { ...first, version: 2 }
    assert.equal(newerOf(saved, first), saved)
    const newest = { ...first, version: 3 }
    assert.equal(newerOf(saved, newest), newest)
    const other = { ...first, uid: 'b' }
    assert.equal(newerOf(saved, other), other)
    assert.equal(newerOf<Script | undefined>(undefined, first), first)
  })
})
