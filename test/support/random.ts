// Chance that can be repeated: the same seed gives the same numbers and bytes.

export type Random = {
  /** From 0 up to, not including, `below`. */
  readonly integer: (below: number) => number
  readonly bytes: (count: number) => Buffer
  readonly pick: <T>(values: readonly T[]) => T
}

/** mulberry32, 32 bits of state. */
export const openRandom = (seed: number): Random => {
  let state = seed
  const word = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const integer = (below: number) => Math.floor((word() / 2 ** 32) * below)
  return {
    integer,
    bytes: (count) => {
      const bytes = Buffer.alloc(count)
      for (let at = 0; at + 4 <= count; at += 4) bytes.writeUInt32LE(word(), at)
      for (let at = count - (count % 4); at < count; at += 1) bytes[at] = word()
      return bytes
    },
    pick: (values) => values[integer(values.length)]!,
  }
}
