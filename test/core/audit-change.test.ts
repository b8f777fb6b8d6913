import assert from 'node:assert/strict'
import { auditChange } from '../../src/core/audit-change.ts'

describe('the detail of a change in the audit log', () => {
  it('has the members that differ, before and after', () => {
    const before = { uid: 'U', name: 'a', role: 'guest', tags: ['x', 'y'], unit: null, version: 1 }
    const after = { uid: 'U', name: 'a', role: 'admin', tags: ['y', 'z'], unit: 'u', version: 2 }
    assert.deepEqual(auditChange(before, after), {
      before: { role: 'guest', tags: ['x'], unit: null },
      after: { role: 'admin', tags: ['z'], unit: 'u' },
    })
    assert.deepEqual(auditChange(before, before), { before: {}, after: {} })
  })

  it('has all members of a created or deleted entity', () => {
    const shown = { uid: 'U', name: 'a', enabled: true, version: 1 }
    assert.deepEqual(auditChange(undefined, shown), { after: { name: 'a', enabled: true } })
    assert.deepEqual(auditChange(shown, undefined), { before: { name: 'a', enabled: true } })
  })

  it('names secrets and never shows them', () => {
    const change = auditChange({ name: 'a' }, { name: 'b', secret: 'sesame' }, ['password'])
    assert.deepEqual(change, {
      before: { name: 'a' },
      after: { name: 'b', secret: '(not shown)', password: '(not shown)' },
    })
  })

  it('is never long, whatever was sent', () => {
    const stream = (index: number, name: string) => ({ uid: `S${index}`, name })
    const many = (name: string) => Array.from({ length: 5000 }, (_, index) => stream(index, name))
    const change = auditChange({ sql: 'a'.repeat(50_000), stream: many('a') }, { sql: 'b', stream: many('b') })
    assert.ok(JSON.stringify(change).length < 10_000)
    assert.match(String(change.before!['sql']), /… \(50002 characters\)$/)
    const one = [...many('a').slice(0, 4999), stream(4999, 'b')]
    assert.deepEqual(auditChange({ stream: many('a') }, { stream: one }), {
      before: { stream: [stream(4999, 'a')] },
      after: { stream: [stream(4999, 'b')] },
    })
  })
})
