import assert from 'node:assert/strict'
import { free } from '../../src/base/free.ts'

describe('base/free', () => {
  it('empties the buffer of a body that is larger than small ones are', () => {
    const buffer = Buffer.alloc(64 * 1024)
    free(buffer)
    assert.equal(buffer.length, 0)
  })

  it('leaves a small buffer, whose memory may be that of others too', () => {
    const one = Buffer.from('one')
    const other = Buffer.from('other')
    assert.equal(one.buffer, other.buffer)
    free(one)
    assert.equal(other.toString(), 'other')
  })

  it('leaves a part of memory of 64 KiB, which Node.js 26 has for small buffers together', () => {
    const shared = Buffer.alloc(64 * 1024, 'x')
    free(shared.subarray(0, 30_000))
    assert.equal(shared.length, 64 * 1024)
    const made = Array.from({ length: 40 }, () => Buffer.allocUnsafe(3000))
    for (const each of made) free(each)
    assert.ok(made.every(({ length }) => length === 3000))
  })
})
