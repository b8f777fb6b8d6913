// Rows of an import in the order of their streams and times (gathered.ts): of several for one time the last, and none
// without a value.

/** As writers of tiles mark them (core/sample/stale.ts). */
const joinWithinMs = 6 * 3_600_000

type OfRow = (row: number) => number

export type StreamOrder = {
  /** Numbers of rows, stream by stream. */
  readonly order: Uint32Array
  /** Where each stream begins, and at last where all end. */
  readonly starts: Uint32Array
  /** Undefined: there are too many. */
  readonly stretches: (timeOf: OfRow) => Stretches | undefined
}

export type Stretches = readonly (readonly [stream: number, firstMs: number, lastMs: number])[]

export const orderByStream = (
  count: number,
  streamOf: OfRow,
  streamCount: number,
  timeOf: OfRow,
  valueOf: OfRow,
): StreamOrder => {
  const counts = new Uint32Array(streamCount)
  for (let row = 0; row < count; row += 1) if (!Number.isNaN(valueOf(row))) counts[streamOf(row)]! += 1
  const next = new Uint32Array(streamCount)
  for (let stream = 1; stream < streamCount; stream += 1) next[stream] = next[stream - 1]! + counts[stream - 1]!
  const order = new Uint32Array(streamCount === 0 ? 0 : next[streamCount - 1]! + counts[streamCount - 1]!)
  const isAscending = new Uint8Array(streamCount).fill(1)
  for (let row = 0; row < count; row += 1) {
    if (Number.isNaN(valueOf(row))) continue
    const stream = streamOf(row)
    const at = next[stream]!
    const isFirst = counts[stream]! > 0
    if (!isFirst && timeOf(row) <= timeOf(order[at - 1]!)) isAscending[stream] = 0
    counts[stream] = 0
    order[at] = row
    next[stream] = at + 1
  }
  return lastOfEach(order, next, isAscending, timeOf)
}

/** `ends`: where each stream ends. */
const lastOfEach = (order: Uint32Array, ends: Uint32Array, isAscending: Uint8Array, timeOf: OfRow): StreamOrder => {
  const starts = new Uint32Array(ends.length + 1)
  let kept = 0
  for (let stream = 0; stream < ends.length; stream += 1) {
    const [from, to] = [stream === 0 ? 0 : ends[stream - 1]!, ends[stream]!]
    const own = order.subarray(from, to)
    if (isAscending[stream] === 0) own.sort((a, b) => timeOf(a) - timeOf(b) || a - b)
    starts[stream] = kept
    for (let at = from; at < to; at += 1)
      if (at + 1 === to || timeOf(order[at + 1]!) !== timeOf(order[at]!)) order[kept++] = order[at]!
  }
  starts[ends.length] = kept
  const left = order.subarray(0, kept)
  return { order: left, starts, stretches: (ofRow) => stretchesOf(left, starts, ofRow) }
}

/** Samples of days are a stretch each, and the server holds all of them at once. */
export const mostStretches = 50_000

const stretchesOf = (order: Uint32Array, starts: Uint32Array, timeOf: OfRow): Stretches | undefined => {
  const found: [stream: number, firstMs: number, lastMs: number][] = []
  for (let stream = 0; stream + 1 < starts.length; stream += 1)
    for (let at = starts[stream]!; at < starts[stream + 1]!; at += 1) {
      const time = timeOf(order[at]!)
      const last = found.at(-1)
      if (at > starts[stream]! && time - last![2] <= joinWithinMs) last![2] = time
      else if (found.push([stream, time, time]) > mostStretches) return undefined
    }
  return found
}
