// MySQL's dates and times as the driver reads them, faster: it pads and joins six numbers for each, which took a quarter of a
// session's CPU. Rows that follow each other often have one time, and all others have parts from a table of two digits.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The part of the driver's packets that reads them; `offset` is that of the next byte. */
type Packet = {
  buffer: Buffer
  offset: number
  readDateTimeString: ReadTime
}
type ReadTime = (this: Packet, decimals: number, separator: string | null, columnType: number | null) => string

const twoDigits = Array.from({ length: 256 }, (_, number) => String(number).padStart(2, '0'))

/** The length before a time of whole seconds: a year of two bytes, and five parts of one. */
const wholeSeconds = 7

export const readFaster = (read: ReadTime): ReadTime => {
  let [lastDay, lastTime, lastText] = [-1, -1, '']
  return function (decimals, separator, columnType) {
    const { buffer, offset } = this
    if (buffer[offset] !== wholeSeconds || separator !== null) return read.call(this, decimals, separator, columnType)
    const day = buffer.readUInt32LE(offset + 1)
    const time = buffer.readUIntLE(offset + 5, 3)
    this.offset += 1 + wholeSeconds
    if (day === lastDay && time === lastTime) return lastText
    const year = String(day & 0xffff).padStart(4, '0')
    const at = (part: number) => twoDigits[buffer[offset + part]!]!
    lastText = `${year}-${at(3)}-${at(4)} ${at(5)}:${at(6)}:${at(7)}`
    ;[lastDay, lastTime] = [day, time]
    return lastText
  }
}

/** Of this thread, which has one session. A driver that reads them otherwise is left as it is. */
export const readTimesFaster = (): void => {
  const require = createRequire(import.meta.url)
  let prototype: Packet | undefined
  try {
    const file = join(dirname(require.resolve('mysql2')), 'lib/packets/packet.js')
    prototype = (require(file) as { readonly prototype?: Packet }).prototype
  } catch {
    // It has moved.
  }
  if (typeof prototype?.readDateTimeString !== 'function' || isFaster) return
  prototype.readDateTimeString = readFaster(prototype.readDateTimeString)
  isFaster = true
}

let isFaster = false
