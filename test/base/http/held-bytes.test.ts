import assert from 'node:assert/strict'
import { openHeldBytes } from '../../../src/base/http/held-bytes.ts'
import { openRandom } from '../../support/random.ts'

const mostBytes = 64 * 1024 * 1024

describe('base/http/held-bytes', () => {
  const random = openRandom(71)
  for (const isDeclared of [true, false])
    for (const chunkBytes of [1, 7, 1000, 65_536])
      it(`gives back the added bytes: chunks of ${chunkBytes}, ${isDeclared ? 'declared' : 'of unknown size'}`, () => {
        for (const size of [1, 511, 5000, 70_000, chunkBytes * 40, ...(chunkBytes > 7 ? [3_000_000] : [])]) {
          const bytes = random.bytes(size)
          const parts = openHeldBytes(isDeclared ? size : 0, mostBytes)
          for (let at = 0; at < size; at += chunkBytes) parts.add(bytes.subarray(at, at + chunkBytes))
          assert.ok(parts.join().equals(bytes), `${size}`)
        }
      })

  it('gives its memory back at once when it is dropped, or grows', () => {
    const taken = () => process.memoryUsage().rss
    const before = taken()
    const chunk = Buffer.alloc(65_536, 1)
    for (let n = 0; n < 10; n += 1) {
      const parts = openHeldBytes(0, mostBytes)
      for (let size = 0; size + chunk.length <= 40_000_000; size += chunk.length) parts.add(chunk)
      parts.drop()
    }
    assert.ok(taken() - before < 40_000_000)
  })

  it('takes next to no memory for a length that was only declared', () => {
    const held: unknown[] = []
    const before = process.memoryUsage().arrayBuffers
    for (let n = 0; n < 2000; n += 1) {
      const parts = openHeldBytes(mostBytes, mostBytes)
      for (let times = 0; times < 3; times += 1) parts.add(Buffer.from('a'))
      held.push(parts)
    }
    assert.ok(process.memoryUsage().arrayBuffers - before < 8_000_000)
    assert.equal(held.length, 2000)
  })

  it('takes twice the memory of the bytes that have come at the most, however many are declared', () => {
    const declared = 1024 * 1024
    const came = declared / 4
    const held: unknown[] = []
    const before = process.memoryUsage().arrayBuffers
    for (let n = 0; n < 100; n += 1) {
      const parts = openHeldBytes(declared, mostBytes)
      for (let size = 0; size < came; size += 65_536) parts.add(Buffer.alloc(65_536, 1))
      held.push(parts)
    }
    assert.ok(process.memoryUsage().arrayBuffers - before < 2.5 * held.length * came)
  })
})
