import assert from 'node:assert/strict'
import { openUids } from '../../src/catalog/restored-uids.ts'

describe('the uids of a catalogue that is imported', () => {
  it('are charged once each, by their length', () => {
    let bytes = 0
    const uids = openUids((more) => (bytes += more))
    for (const made of ['here', 'here again']) uids.keep(uids.read('unit', { uid: 'there' }), made)
    assert.deepEqual([uids.translate('there'), uids.translate('other'), bytes], ['here again', 'other', 110])
    uids.keep(uids.read('component', { uid: 'x'.repeat(64) }), 'made')
    assert.equal(bytes, 110 + 228)
  })

  it('are kept only of entities that lines name', () => {
    const uids = openUids(() => assert.fail('it keeps one'))
    for (const kind of ['cycle', 'folder'] as const) assert.equal(uids.read(kind, { uid: 'a' }), null)
    for (const uid of ['', 7, null, undefined]) assert.equal(uids.read('unit', { uid }), null)
  })

  it('have 64 characters, and are 200,000, at most', () => {
    const uids = openUids(() => {})
    assert.throws(() => uids.read('folder', { uid: 'x'.repeat(65) }), {
      message: 'uid must have at most 64 characters',
    })
    for (let n = 0; n < 200_000; n += 1) uids.keep(uids.read('component', { uid: `${n}` }), 'made')
    assert.throws(() => uids.read('unit', { uid: 'one more' }), { status: 413 })
    assert.equal(uids.read('unit', { uid: '7' }), '7')
  })
})
