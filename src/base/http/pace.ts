// The least pace of a body. A modem of 1980 is fast enough, and a file may take half a day; a client that sends next to
// nothing is refused, so that nobody keeps thousands of bodies open for ever.
import { badRequest } from '../errors.ts'
import type { Fault } from '../errors.ts'

export type PaceLimits = {
  /** In every window of windowMs at least so much must come: 1 KiB in 30 s are 34 bytes a second. */
  readonly leastBytes: number
  readonly windowMs: number
  /** The most time from beginning to end. */
  readonly withinMs: number
}

const window = { leastBytes: 1024, windowMs: 30_000 }

/** The pace of bodies held in memory: 64 MiB need 75 KB a second, a megabyte 1.2. */
const heldPace: PaceLimits = { ...window, withinMs: 15 * 60_000 }
/** The pace of callers without a credential: sign-ins are small. */
const strangersPace: PaceLimits = { ...window, withinMs: 60_000 }
export const heldPaces = { known: heldPace, strangers: strangersPace }
/** The pace of files: the largest, 256 MiB, needs 6 KB a second. */
export const streamPace: PaceLimits = { ...window, withinMs: 12 * 3_600_000 }

export type Pace = {
  readonly count: (bytes: number) => void
  /** While we ourselves do not read, time does not count. */
  readonly hold: (isHeld: boolean) => void
  readonly end: () => void
}

const looksPerWindow = 30

/** Calls onLate at most once; and onLook thirty times in a window, which is each second. */
export const openPace = (
  { leastBytes, windowMs, withinMs }: PaceLimits,
  onLate: (fault: Fault) => void,
  onLook?: () => void,
): Pace => {
  let came = 0
  let looks = 0
  let isHeld = false
  const look = () => {
    if (isHeld) return onLook?.()
    looks += 1
    if (looks * everyMs >= withinMs) return late('the body did not arrive in time')
    if (looks % looksPerWindow === 0) {
      if (came < leastBytes) return late('the body comes too slowly, or stopped coming')
      came = 0
    }
    onLook?.()
  }
  const everyMs = windowMs / looksPerWindow
  const timer = setInterval(look, everyMs)
  const late = (message: string) => {
    clearInterval(timer)
    onLate(badRequest(message, { headers: { Connection: 'close' } }))
  }
  return {
    count: (bytes) => {
      came += bytes
    },
    hold: (held) => {
      isHeld = held
    },
    end: () => clearInterval(timer),
  }
}
