import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { auditChange, briefDetail } from '../../src/core/audit-change.ts'

describe('the detail of a change in the audit log', () => {
  it('has the members that differ, before and after', async () => {
    const before = { uid: 'U', name: 'a', role: 'guest', tags: ['x', 'y'], unit: null, version: 1 }
    const after = { uid: 'U', name: 'a', role: 'admin', tags: ['y', 'z'], unit: 'u', version: 2 }
    assert.deepEqual(await auditChange(before, after), {
      before: { role: 'guest', tags: ['x'], unit: null },
      after: { role: 'admin', tags: ['z'], unit: 'u' },
    })
    assert.deepEqual(await auditChange(before, before), { before: {}, after: {} })
  })

  it('has all members of a created or deleted entity', async () => {
    const shown = { uid: 'U', name: 'a', enabled: true, version: 1 }
    assert.deepEqual(await auditChange(undefined, shown), { after: { name: 'a', enabled: true } })
    assert.deepEqual(await auditChange(shown, undefined), { before: { name: 'a', enabled: true } })
  })

  it('names secrets and never shows them', async () => {
    const change = await auditChange({ name: 'a' }, { name: 'b', secret: 'sesame' }, ['password'])
    assert.deepEqual(change, {
      before: { name: 'a' },
      after: { name: 'b', secret: '(not shown)', password: '(not shown)' },
    })
  })

  it('is never long, whatever was sent', async () => {
    const stream = (index: number, name: string) => ({ uid: `S${index}`, name })
    const many = (name: string) => Array.from({ length: 5000 }, (_, index) => stream(index, name))
    const change = await auditChange({ sql: 'a'.repeat(50_000), stream: many('a') }, { sql: 'b', stream: many('b') })
    assert.ok(JSON.stringify(change).length < 10_000)
    assert.match(String(change.before!['sql']), /… \(50002 characters\)$/)
    assert.match(String(change.before!['stream']), /… \(100 elements\)$/)
    const one = [...many('a').slice(0, 4999), stream(4999, 'b')]
    assert.deepEqual(await auditChange({ stream: many('a') }, { stream: one }), {
      before: { stream: [stream(4999, 'a')] },
      after: { stream: [stream(4999, 'b')] },
    })
  })

  it('has both lists when only the order of their elements is another', async () => {
    const [a, b] = [{ id: 'a' }, { id: 'b' }]
    assert.deepEqual(await auditChange({ stream: [a, b] }, { stream: [b, a] }), {
      before: { stream: [a, b] },
      after: { stream: [b, a] },
    })
  })

  it('writes no more elements of a new list than an entry shows, and lets others be served while it compares', async () => {
    let written = 0
    const element = { toJSON: () => `element ${(written += 1)}` }
    const many = Array.from({ length: 10_000 }, () => element)
    const change = await auditChange(undefined, { stream: many })
    assert.match(String(change.after!['stream']), /… \(10000 elements\)$/)
    assert.ok(written < 500, String(written))

    let turns = 0
    const slow = { toJSON: () => sumUpTo(50_000) }
    const state = { isOver: false }
    const others = (async () => {
      for (; !state.isOver; turns += 1) await nextTurn()
    })()
    const list = Array.from({ length: 400 }, () => slow)
    await auditChange({ stream: list }, { stream: list })
    state.isOver = true
    await others
    assert.ok(turns > 3, String(turns))
  })

  it('keeps all names, and of long values the beginning, where it is brief', async () => {
    const text = 'SELECT '.repeat(1000)
    const uid = '8d3c6f0e-6f0b-4a53-9d0e-2f6a5b7c1d90'
    const rows = [{ resource: 'component/*/feed', methods: ['GET', 'PUT'] }]
    const before = { sql: 'x', text: 'a'.repeat(41), capabilities: [], runAsUserUid: null, stays: text }
    const after = { sql: text, text: 'b'.repeat(40), capabilities: rows, runAsUserUid: uid, stays: text }
    assert.deepEqual(briefDetail(await auditChange(before, after, ['password'])), {
      before: { sql: 'x', text: `${'a'.repeat(40)}… (41 characters)`, capabilities: [], runAsUserUid: null },
      after: {
        sql: `"${text.slice(0, 39)}… (7002 characters)`,
        text: 'b'.repeat(40),
        capabilities: '[{"resource":"component/*/feed","methods… (1 elements)',
        runAsUserUid: uid,
        password: '(not shown)',
      },
      cut: 'long values: more than the share of the day',
    })
    assert.deepEqual(briefDetail({ created: [uid, uid], updated: [], streams: 3 }), {
      created: `["${uid}",… (2 elements)`,
      updated: [],
      streams: 3,
      cut: 'long values: more than the share of the day',
    })
  })
})

/** Takes a while. */
const sumUpTo = (most: number): number => {
  let sum = 0
  for (let n = 0; n < most; n += 1) sum += n % 7
  return sum
}
