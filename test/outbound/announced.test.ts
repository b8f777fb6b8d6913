// The lengths that messages of PostgreSQL announce.
import assert from 'node:assert/strict'
import { messageLengths } from '../../src/outbound/announced.ts'

const message = (bodyBytes: number): Buffer => {
  const bytes = Buffer.alloc(5 + bodyBytes)
  bytes.write('D')
  bytes.writeUInt32BE(4 + bodyBytes, 1)
  return bytes
}

describe('messages of PostgreSQL', () => {
  const heardOf = (pieces: readonly Buffer[]): readonly number[] => {
    const heard: number[] = []
    const hear = messageLengths((bytes) => heard.push(bytes))
    for (const piece of pieces) hear(piece)
    return heard
  }
  const bytes = Buffer.concat([0, 1, 7, 0, 100, 2].map(message))
  const lengths = [5, 6, 12, 5, 105, 7]

  it('announce their lengths, however their bytes are cut', () => {
    assert.deepEqual(heardOf([bytes]), lengths)
    for (let size = 1; size < 20; size += 1) {
      const pieces = []
      for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
      assert.deepEqual(heardOf(pieces), lengths, `pieces of ${size}`)
    }
  })

  it('announce them with their first five bytes', () => {
    assert.deepEqual(heardOf([Buffer.from('447fffffff', 'hex')]), [2 ** 31])
    assert.deepEqual(heardOf([Buffer.from('447fffff', 'hex')]), [])
  })

  it('are endless where a length does not count itself', () => {
    assert.deepEqual(heardOf([Buffer.from('4400000003', 'hex')]), [Infinity])
  })
})
