// The offsets of a time zone from UTC, at every moment of the years 1 to 9999. The rules are the ones
// Temporal works from (Intl); this file only remembers them, which is thirty times as fast
// (docs/dependencies.md#time-zones).
//
// Time is cut into blocks of 2^35 ms, about 398 days. The first question about a block looks at every other
// day of it (0.5 ms of work): no offset in the tables lasts less than six days. Moments are epoch ms, local times
// are the epoch ms that the same clock reading would have in UTC.
import { ownText } from '../../base/own-text.ts'

export type Zone = {
  readonly name: string
  /** Local time minus UTC. */
  readonly offsetMs: (ms: number) => number
  /** The first moment whose local time is at or after the given: a time that happens twice is its first,
   * one that does not happen the moment after the gap. */
  readonly momentOf: (localMs: number) => number
  /** The moments at which the clock was set forward by a whole day or more, ascending. */
  readonly skippedDays: () => readonly number[]
}

type Range = { readonly fromMs: number; readonly untilMs: number; readonly offsetMs: number }

const dayMs = 86_400_000
const blockMs = 2 ** 35
const stepMs = 2 * dayMs
/** The farthest moments that Intl knows; offsets beyond are those at the end. */
const farthestMs = 8_640_000_000_000_000 - blockMs
/** More than any offset there ever was (Manila had -15:56, Juneau +15:02). */
const mostOffsetMs = 16 * 3_600_000
/** No zone knows a change before, and after the table's end the rules repeat each year. */
const firstChangeMs = Date.UTC(1800, 0, 1)
const lastSkipMs = Date.UTC(2040, 0, 1)
/** Less than a day by more than summer time, which may be on one side of it only; nothing else moves a clock as far. */
const skipAtLeastMs = dayMs - 4 * 3_600_000

export const openZone = (name: string): Zone => {
  const known = zones.get(name)
  if (known) return known
  const own = ownText(name)
  const zone = makeZone(own)
  if (zones.size >= mostZones) zones.clear()
  zones.set(own, zone)
  return zone
}

/** There are about 600 names; the bound is for the spellings of their upper and lower case. */
const mostZones = 2_000
const zones = new Map<string, Zone>()

const makeZone = (name: string): Zone => {
  const readOffset = offsetReader(name)
  const blocks = new Map<number, readonly Range[]>()
  let last: Range = { fromMs: 0, untilMs: 0, offsetMs: 0 }
  let skipped: readonly number[] | undefined

  const blockAt = (index: number): readonly Range[] => {
    const known = blocks.get(index)
    if (known) return known
    const block = readBlock(readOffset, index * blockMs)
    blocks.set(index, block)
    return block
  }
  const rangeAt = (ms: number): Range => {
    if (ms >= last.fromMs && ms < last.untilMs) return last
    const within = Math.max(-farthestMs, Math.min(farthestMs, ms))
    const block = blockAt(Math.floor(within / blockMs))
    let at = block.length - 1
    while (block[at]!.fromMs > within) at -= 1
    last = block[at]!
    return last
  }
  return {
    name,
    offsetMs: (ms) => rangeAt(ms).offsetMs,
    momentOf: (localMs) => {
      if (Math.abs(localMs) > farthestMs) return localMs - rangeAt(localMs).offsetMs
      // Far from the range's ends nothing but this offset can be meant.
      if (localMs - mostOffsetMs >= last.fromMs && localMs + mostOffsetMs < last.untilMs) return localMs - last.offsetMs
      let range = rangeAt(localMs - mostOffsetMs)
      while (localMs - range.offsetMs >= range.untilMs) range = rangeAt(range.untilMs)
      return Math.max(range.fromMs, localMs - range.offsetMs)
    },
    skippedDays: () => (skipped ??= findSkipped(readOffset, rangeAt)),
  }
}

/** Only blocks that end a day ahead are looked into: all of them together are 400 ms of work, their edges 2 ms. */
const findSkipped = (readOffset: (ms: number) => number, rangeAt: (ms: number) => Range): readonly number[] => {
  const found: number[] = []
  let startMs = Math.floor(firstChangeMs / blockMs) * blockMs
  let offsetMs = readOffset(startMs)
  for (; startMs < lastSkipMs; startMs += blockMs) {
    const endMs = startMs + blockMs
    const nextOffsetMs = readOffset(endMs)
    if (nextOffsetMs - offsetMs >= skipAtLeastMs)
      for (let range = rangeAt(startMs); range.untilMs <= endMs;) {
        const next = rangeAt(range.untilMs)
        if (next.offsetMs - range.offsetMs >= dayMs) found.push(next.fromMs)
        range = next
      }
    offsetMs = nextOffsetMs
  }
  return found
}

const readBlock = (readOffset: (ms: number) => number, startMs: number): readonly Range[] => {
  const endMs = startMs + blockMs
  const ranges: Range[] = []
  let fromMs = startMs
  let offsetMs = readOffset(startMs)
  if (endMs > firstChangeMs) {
    for (let atMs = startMs; atMs < endMs;) {
      const nextMs = Math.min(atMs + stepMs, endMs - 1)
      const next = readOffset(nextMs)
      if (next !== offsetMs) {
        const changeMs = findChange(readOffset, atMs, nextMs)
        ranges.push({ fromMs, untilMs: changeMs, offsetMs })
        fromMs = changeMs
        offsetMs = next
      }
      atMs = nextMs === endMs - 1 ? endMs : nextMs
    }
  }
  ranges.push({ fromMs, untilMs: endMs, offsetMs })
  return ranges
}

/** The first moment after beforeMs with another offset; afterMs has one. */
const findChange = (readOffset: (ms: number) => number, beforeMs: number, afterMs: number): number => {
  const offsetMs = readOffset(beforeMs)
  let low = beforeMs
  let high = afterMs
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (readOffset(middle) === offsetMs) low = middle
    else high = middle
  }
  return high
}

const offsetReader = (name: string): ((ms: number) => number) => {
  const format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' })
  return (ms) => {
    // '11/14/1849, GMT-03:30:52', and 'GMT' alone for zero.
    const text = format.format(ms)
    const found = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text)
    if (!found) throw new Error(`cannot read the offset of ${name} in '${text}'`)
    if (!found[1]) return 0
    const seconds = Number(found[2]) * 3_600 + Number(found[3]) * 60 + Number(found[4] ?? 0)
    return found[1] === '-' ? -seconds * 1_000 : seconds * 1_000
  }
}
