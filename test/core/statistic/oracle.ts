// The oracle: every sample in memory, and docs/statistics.md by brute force, word by word. It shares with the
// server only the calendar, which has an oracle of its own (test/core/time/calendar.test.ts).
import type { Calendar } from '../../../src/core/time/calendar.ts'
import type { Span } from '../../../src/core/time/span.ts'
import type { StatisticSample, StatisticStream } from '../../../src/core/statistic/statistic.ts'
import type { Statistic } from '../../../src/core/statistic/statistic.ts'
import type { Value } from '../../../src/core/sample/value.ts'

export type OracleSample = { readonly timeMs: number; readonly value: Value }

/** A stream and all that is stored in it. */
export type OracleStream = StatisticStream & {
  /** By the time as it is shown. */
  readonly values: Map<number, Value>
  /** In order of time; undefined when it has to be sorted anew. */
  sorted: readonly OracleSample[] | undefined
  /** Spans of stored time that are archived: of them only whole quarters of an hour are known. */
  archived: readonly Span[]
}

const quarterMs = 900_000

/** Interval samples lie before their end. */
const storedMs = (stream: OracleStream, timeMs: number) => (stream.kind === 'interval' ? timeMs - 1 : timeMs)

export const isArchived = (stream: OracleStream, timeMs: number): boolean => {
  const atMs = storedMs(stream, timeMs)
  return stream.kind !== 'point' && stream.archived.some(([fromMs, untilMs]) => atMs >= fromMs && atMs < untilMs)
}

/** Everything that is stored before the moment: from the first that is not archived yet, or where the span before ends. */
export const archiveUntil = (stream: OracleStream, untilMs: number): void => {
  const first = samplesOf(stream).find(({ timeMs }) => !isArchived(stream, timeMs))
  const fromMs = first && storedMs(stream, first.timeMs)
  if (stream.kind === 'point' || fromMs === undefined || fromMs >= untilMs) return
  const before = stream.archived.findLast((span) => span[1] < fromMs)
  const joined = stream.archived.filter((span) => span === before || (span[0] <= untilMs && span[1] >= fromMs))
  const span: Span = [
    Math.min(fromMs, ...joined.map(([from]) => from)),
    Math.max(untilMs, ...joined.map(([, until]) => until)),
  ]
  stream.archived = [...stream.archived.filter((each) => !joined.includes(each)), span].toSorted((a, b) => a[0] - b[0])
}

/** The archived samples, by the quarter. */
const archivedQuarters = (stream: OracleStream): readonly (readonly OracleSample[])[] => {
  const quarters = new Map<number, OracleSample[]>()
  if (stream.kind === 'point') return []
  for (const sample of samplesOf(stream)) {
    if (!isArchived(stream, sample.timeMs)) continue
    const quarter = Math.floor(storedMs(stream, sample.timeMs) / quarterMs)
    const known = quarters.get(quarter)
    if (known) known.push(sample)
    else quarters.set(quarter, [sample])
  }
  return [...quarters.values()]
}

/** Changes the stream as an upload does (docs/feeds.md#interval-streams). */
export const upload = (
  stream: OracleStream,
  samples: readonly OracleSample[],
  fillsGaps: boolean,
  uploadMs: number,
): void => {
  stream.sorted = undefined
  if (stream.kind === 'point') {
    const last = samples.findLast(({ value }) => value !== null)
    if (last === undefined) return
    stream.values.clear()
    stream.values.set(uploadMs, last.value)
  } else if (stream.kind === 'random') {
    for (const { timeMs, value } of samples) if (value !== null) stream.values.set(timeMs, value)
  } else uploadIntervals(stream, samples, fillsGaps)
}

const uploadIntervals = (stream: OracleStream, samples: readonly OracleSample[], fillsGaps: boolean) => {
  const latest = new Map<number, OracleSample>()
  for (const sample of samples) {
    const endMs = stream.calendar!.endAtOrAfter(sample.timeMs)
    const known = latest.get(endMs)
    if (known === undefined || sample.timeMs >= known.timeMs) latest.set(endMs, sample)
  }
  if (fillsGaps) {
    const [first, last] = [Math.min(...latest.keys()), Math.max(...latest.keys())]
    for (let endMs = first; endMs <= last; endMs = stream.calendar!.endOf(endMs)) stream.values.set(endMs, null)
  }
  for (const [endMs, { value }] of latest) stream.values.set(endMs, value)
}

/** Gives how many there were. Of what is archived whole quarters go, uncounted. */
export const remove = (stream: OracleStream, startMs: number, endMs: number): number => {
  const isInside = (timeMs: number) => timeMs >= startMs && timeMs < endMs
  const gone = archivedQuarters(stream).filter((quarter) => quarter.every(({ timeMs }) => isInside(timeMs)))
  let removed = 0
  for (const timeMs of stream.values.keys())
    if (isInside(timeMs) && !isArchived(stream, timeMs)) {
      stream.values.delete(timeMs)
      removed += 1
    }
  for (const { timeMs } of gone.flat()) stream.values.delete(timeMs)
  stream.sorted = undefined
  return removed
}

/** Of what is archived single samples cannot go. */
export const removeAt = (stream: OracleStream, timesMs: readonly number[]): void => {
  stream.sorted = undefined
  if (stream.kind === 'point') stream.values.clear()
  for (const timeMs of timesMs) if (!isArchived(stream, timeMs)) stream.values.delete(timeMs)
}

type Window = { readonly startMs: number | undefined; readonly endMs: number | undefined }

/** The latest samples that are no archive: stream by stream, as far as the limit goes. */
export const expectSamples = (
  streams: readonly OracleStream[],
  { startMs = -Infinity, endMs = Infinity }: Window,
  limit: number,
  mostPerStream: number,
): readonly (readonly [streamKey: number, timeMs: number, value: Value])[] =>
  streams
    .flatMap((stream) =>
      samplesOf(stream)
        .filter(({ timeMs }) => timeMs >= startMs && timeMs < endMs)
        .filter(({ timeMs }) => !isArchived(stream, timeMs))
        .toReversed()
        .slice(0, mostPerStream)
        .map(({ timeMs, value }) => [stream.key, timeMs, value] as const),
    )
    .slice(0, limit)

export const samplesOf = (stream: OracleStream): readonly OracleSample[] => {
  stream.sorted ??= [...stream.values]
    .map(([timeMs, value]) => ({ timeMs, value }))
    .toSorted((a, b) => a.timeMs - b.timeMs)
  return stream.sorted
}

/** A statistic, and how large the numbers were that it was made of: sums of doubles are compared by that. */
export type Expected = Omit<StatisticSample, 'textBytes'> & { readonly scale: number }

export const isSame = (found: Value, expected: Value, scale: number): boolean => {
  if (typeof found !== 'number' || typeof expected !== 'number') return found === expected
  return Math.abs(found - expected) <= Math.max(1e-9 * Math.abs(expected), 1e-13 * scale)
}

export const expectStatistic = (
  streams: readonly OracleStream[],
  calendar: Calendar,
  statistic: Statistic,
  window: Window,
  limit: number,
  mostPerStream = limit,
): readonly Expected[] => {
  const expected: Expected[] = []
  for (const stream of streams) {
    const most = Math.min(mostPerStream, limit - expected.length)
    const samples = samplesOf(stream)
    const startOf = (timeMs: number) => calendar.startOf(storedMs(stream, timeMs))
    // Intervals that share an archived quarter with another have no value.
    const cutIntervals = new Set(
      archivedQuarters(stream)
        .filter((quarter) => startOf(quarter[0]!.timeMs) !== startOf(quarter.at(-1)!.timeMs))
        .flatMap((quarter) => quarter.map(({ timeMs }) => startOf(timeMs))),
    )
    let taken = 0
    for (let last = samples.length - 1, first = last; last >= 0 && taken < most; last = first) {
      const startMs = startOf(samples[last]!.timeMs)
      while (first >= 0 && startOf(samples[first]!.timeMs) === startMs) first -= 1
      const timeMs = calendar.endOf(startMs)
      if (window.startMs !== undefined && timeMs < window.startMs) break
      if (window.endMs !== undefined && timeMs >= window.endMs) continue
      if (cutIntervals.has(startMs)) continue
      const inside = samples.slice(first + 1, last + 1)
      expected.push({ streamKey: stream.key, startMs, timeMs, ...valueOf(stream, statistic, inside, startMs, timeMs) })
      taken += 1
    }
  }
  return expected
}

type Valued = { readonly value: Value; readonly scale: number }

const plain = (value: Value): Valued => ({ value, scale: 0 })

const valueOf = (
  stream: OracleStream,
  statistic: Statistic,
  inside: readonly OracleSample[],
  startMs: number,
  endMs: number,
): Valued => {
  const isInterval = stream.kind === 'interval'
  const filled = inside.filter(({ value }) => value !== null)
  const isNumber = stream.valueType !== 'STRING' && stream.valueType !== 'FILE'
  const extreme = (isMore: (a: number | bigint, b: number | bigint) => boolean): OracleSample | undefined => {
    let found: OracleSample | undefined
    if (isNumber)
      for (const sample of filled)
        if (found === undefined || isMore(numberOf(sample.value), numberOf(found.value))) found = sample
    return found
  }
  const weightOf = ({ timeMs }: OracleSample) => (isInterval ? timeMs - stream.calendar!.startOf(timeMs - 1) : 1)
  switch (statistic) {
    case 'first':
      return plain(stream.valueType === 'FILE' ? null : (filled[0]?.value ?? null))
    case 'last':
      return plain(stream.valueType === 'FILE' ? null : (filled.at(-1)?.value ?? null))
    case 'min':
      return plain(extreme((a, b) => a < b)?.value ?? null)
    case 'max':
      return plain(extreme((a, b) => a > b)?.value ?? null)
    case 'minoccurrence':
      return plain(extreme((a, b) => a < b)?.timeMs ?? null)
    case 'maxoccurrence':
      return plain(extreme((a, b) => a > b)?.timeMs ?? null)
    case 'sum':
      return isNumber && filled.length > 0 ? sumOf(stream, filled) : plain(null)
    case 'avg':
      return isNumber && filled.length > 0 ? meanOf(filled, weightOf) : plain(null)
    case 'gapcount':
      return plain(isInterval ? baseEnds(stream, startMs, endMs).length - filled.length : 0)
    case 'nongapcount':
      return plain(filled.length)
    case 'intvlcount':
      return plain(isInterval ? baseEnds(stream, startMs, endMs).length : filled.length)
    case 'milliseccount':
      return plain(isInterval ? lengthOf(stream, baseEnds(stream, startMs, endMs)) : endMs - startMs)
    case 'nongapmilliseccount':
      return plain(isInterval ? filled.reduce((total, sample) => total + weightOf(sample), 0) : endMs - startMs)
  }
}

const numberOf = (value: Value): number | bigint =>
  typeof value === 'bigint' ? value : typeof value === 'boolean' ? Number(value) : (value as number)

const sumOf = (stream: OracleStream, filled: readonly OracleSample[]): Valued => {
  if (stream.valueType === 'LONG') {
    let exact = 0n
    for (const { value } of filled) exact += BigInt(numberOf(value))
    return { value: Number.isSafeInteger(Number(exact)) ? Number(exact) : exact, scale: 0 }
  }
  let sum = 0
  let scale = 0
  for (const { value } of filled) {
    sum += Number(value)
    scale += Math.abs(Number(value))
  }
  return { value: Number.isFinite(sum) ? sum : null, scale }
}

const meanOf = (filled: readonly OracleSample[], weightOf: (sample: OracleSample) => number): Valued => {
  let mean = 0
  let sum = 0
  let scale = 0
  const total = filled.reduce((weights, sample) => weights + weightOf(sample), 0)
  for (const sample of filled) {
    const share = Number(sample.value) * (weightOf(sample) / total)
    sum += Number(sample.value) * weightOf(sample)
    mean += share
    scale += Math.abs(share)
  }
  // Shares are not exact, so that five of them may make 5.999999999999999 of 6; a sum may be too large for a number.
  return { value: Number.isFinite(sum) ? sum / total : mean, scale }
}

/** The ends of the base intervals in (startMs, endMs], from the stream's first sample on and up to its last. */
const baseEnds = (stream: OracleStream, startMs: number, endMs: number): readonly number[] => {
  const samples = samplesOf(stream)
  const [first, last] = [samples[0]!.timeMs, samples.at(-1)!.timeMs]
  const ends: number[] = []
  const fromMs = Math.max(startMs + 1, first)
  for (let end = stream.calendar!.endAtOrAfter(fromMs); end <= Math.min(endMs, last); end = stream.calendar!.endOf(end))
    ends.push(end)
  return ends
}

const lengthOf = (stream: OracleStream, ends: readonly number[]) =>
  ends.reduce((total, end) => total + end - stream.calendar!.startOf(end - 1), 0)
