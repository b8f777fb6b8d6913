// Chance that can be repeated: the same seed gives the same numbers and bytes. Most tests have a seed of their own, and
// so are the same in every run. Those that try others each time name theirs when they fail, and SEED plays it again.
//
//   it('keeps what it is given', () => withSeed(async (random) => ...))

export type Random = {
  /** From 0 up to, not including, 1. */
  readonly fraction: () => number
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
  const fraction = () => word() / 2 ** 32
  const integer = (below: number) => Math.floor(fraction() * below)
  return {
    fraction,
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

/** SEED, or another one each time. */
export const chooseSeed = (): number => Number(process.env['SEED'] ?? Date.now() % 1_000_000_007)

/** An error is thrown with the seed in front of its message. */
export const withSeed = async (work: (random: Random) => void | Promise<void>): Promise<void> => {
  const seed = chooseSeed()
  try {
    await work(openRandom(seed))
  } catch (error) {
    if (error instanceof Error) {
      // Printers take either the stack or the message.
      error.stack = `SEED=${seed} ${error.stack}`
      error.message = `SEED=${seed} ${error.message}`
    }
    throw error
  }
}
