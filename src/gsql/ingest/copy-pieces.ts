// Samples as COPY's bytes, piece by piece: stream_key, then time or ms, num and long.
const header = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
/** So much goes over at once. */
const pieceBytes = 512 * 1024
// Number of columns, four lengths, a key, a time and one value: 2 + 4 * 4 + 4 + 8 + 8.
const rowBytes = 38
const columns = 4
const word = 2 ** 32
const postgresEpochMs = Date.UTC(2000, 0, 1)

export const openCopy = (timeAs: 'time' | 'ms') => {
  let view = new DataView(new ArrayBuffer(pieceBytes))
  new Uint8Array(view.buffer).set(header)
  let at = header.length
  /** Of 64 bits, without a bigint while the number is exact. */
  const writeWhole = (value: number, thousands: number) => {
    view.setInt32(at, 8)
    const whole = value * thousands
    if (Number.isSafeInteger(whole)) {
      const high = Math.floor(whole / word)
      view.setInt32(at + 4, high)
      view.setUint32(at + 8, whole - high * word)
    } else view.setBigInt64(at + 4, BigInt(value) * BigInt(thousands))
    at += 12
  }
  const writeNull = () => {
    view.setInt32(at, -1)
    at += 4
  }
  const take = (): Uint8Array<ArrayBuffer> => {
    const taken = new Uint8Array(view.buffer, 0, at)
    view = new DataView(new ArrayBuffer(pieceBytes))
    at = 0
    return taken
  }
  return {
    add: (key: number, ms: number, value: number, isLong: boolean) => {
      view.setInt16(at, columns)
      view.setInt32(at + 2, 4)
      view.setInt32(at + 6, key)
      at += 10
      if (timeAs === 'time') writeWhole(ms - postgresEpochMs, 1000)
      else writeWhole(ms, 1)
      if (isLong) {
        writeNull()
        writeWhole(value, 1)
      } else {
        view.setInt32(at, 8)
        view.setFloat64(at + 4, value)
        at += 12
        writeNull()
      }
    },
    isFull: () => at + rowBytes + 2 > pieceBytes,
    take,
    /** The rest, and the end of the table. */
    end: () => {
      view.setInt16(at, -1)
      at += 2
      return take()
    },
  }
}
