// Times of MySQL are the same as its driver reads them.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { readFaster } from '../../src/outbound/mysql-times.ts'
import { openRandom } from '../support/random.ts'

type Packet = { offset: number; readDateTimeString: (decimals: number, separator: null, type: number) => string }
const require = createRequire(import.meta.url)
const Packet = require(join(dirname(require.resolve('mysql2')), 'lib/packets/packet.js')) as new (
  id: number,
  buffer: Buffer,
  start: number,
  end: number,
) => Packet

describe('times of MySQL', () => {
  it('are read as the driver reads them, whole seconds, fractions, dates and zeros', () => {
    const random = openRandom(12)
    const bytes: number[] = []
    let count = 0
    for (; count < 2000; count += 1) {
      const length = random.pick([0, 4, 7, 7, 7, 11])
      const year = random.pick([0, 1, 999, 2026, 9999])
      const parts = [year & 255, year >> 8, random.integer(13), random.integer(32), random.integer(24)]
      parts.push(random.pick([0, 59]), random.pick([0, 59]), 64, 66, 15, 0)
      const one = [length, ...parts.slice(0, length)]
      // One time, again and again.
      for (let again = random.integer(2); again >= 0; again -= 1) bytes.push(...one)
    }
    const [slow, fast] = [0, 1].map(() => new Packet(0, Buffer.from(bytes), 0, bytes.length))
    fast!.readDateTimeString = readFaster(slow!.readDateTimeString as never)
    while (slow!.offset < bytes.length) {
      assert.equal(fast!.readDateTimeString(6, null, 12), slow!.readDateTimeString(6, null, 12))
      assert.equal(fast!.offset, slow!.offset)
    }
  })
})
