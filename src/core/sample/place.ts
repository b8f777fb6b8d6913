// Placement: a batch becomes rows once its components and streams are known, or is refused with the sample that cannot
// be stored. Pure: the same batch and streams give the same rows, and nothing is changed on the way.
import { badRequest, Fault, shorten } from '../../base/errors.ts'
import type { About } from '../../base/errors.ts'
import { fillIntervals } from '../time/interval.ts'
import type { SampleBatch } from './batch.ts'
import type { RegisteredComponent, RegisteredStream } from './registered.ts'
import { streamByRef } from './registered.ts'
import type { StreamRef } from './ref.ts'
import { noRows, shownMs, storedMs, withRow } from './rows.ts'
import type { SampleRows } from './rows.ts'
import { touch } from './touched.ts'
import type { Touched } from './touched.ts'
import type { RawValue, Value } from './value.ts'
import { mostTextLength, quoteValue, valueFor } from './value.ts'

export type PlacedRows = {
  readonly rows: SampleRows
  /** The stream of each row. */
  readonly streams: RegisteredStream[]
  readonly points: SampleRows
  /** Those of the points' streams that others are derived from. */
  readonly touchedPoints: Touched | undefined
}

type IntervalSeries = { readonly timesMs: number[]; readonly values: Value[] }

/**
 * The batch as rows; undefined when it names a stream that its component does not have. `room` is asked before they are
 * made, and may refuse.
 */
export const placeBatch = (
  batch: SampleBatch,
  components: readonly RegisteredComponent[],
  room?: { readonly take: (rows: number) => void },
): PlacedRows | undefined => {
  const { samples, uploadMs, refusals } = batch
  refusals?.clear()
  room?.take(samples.values.length)
  const contentKey = batch.file?.content.key ?? null
  let rows = noRows
  let streams: RegisteredStream[] | undefined
  let points = noRows
  let touchedPoints: Touched | undefined
  let intervals: Map<RegisteredStream, IntervalSeries> | undefined
  let fillsLeft = mostFills
  const takeRoom = room && ((fills: number) => room.take(fills))
  let part = 0
  let nextStart = batch.partStarts?.[1] ?? samples.values.length
  const fillPart = (): void => {
    for (const [stream, series] of intervals ?? []) {
      const about = { first: batch.partStarts?.[part] ?? 0, last: nextStart - 1, member: 'time' } as const
      const filled = faultsAbout(about, () =>
        fillIntervals(stream.calendar!, series.timesMs, series.values, batch.fillsGaps, fillsLeft, takeRoom),
      )
      fillsLeft -= filled.fills
      for (const { endMs, span, value } of filled.intervals) {
        if (isArchived(stream, endMs)) throw badRequest(isGone(stream, endMs), { about })
        rows = withRow(rows, stream.key, span, storedMs('interval', endMs), stream.valueType, value, contentKey)
        streams = withStream(streams, stream)
      }
    }
    intervals = undefined
    part += 1
    nextStart = batch.partStarts?.[part + 1] ?? samples.values.length
  }
  // Only a call that names a stream by its position can name it twice.
  const refs = batch.form === 'url' && samples.values.length > 1 ? new Map<RegisteredStream, StreamRef>() : undefined
  for (let at = 0; at < samples.values.length; at += 1) {
    if (at === nextStart) fillPart()
    const component = components[samples.components[at]!]!
    const ref = samples.streamRefs[at]!
    const stream = streamByRef(component, ref)
    if (stream === undefined) return undefined
    if (refs && refs.get(stream) !== ref) {
      if (refs.has(stream))
        throw badRequest(`stream '${shorten(stream.id ?? stream.uid)}' is given by name and by position`)
      refs.set(stream, ref)
    }
    const raw = samples.values[at]!
    const value = batch.form === 'file' ? fileFor(stream, raw) : valueFor(stream.valueType, raw)
    const timeMs = samples.timesMs[at]!
    if (value === undefined || (stream.isDerived && !batch.isRestored)) {
      refuseOne(batch, at, 'value', refusal(batch, component, stream, raw))
      continue
    }
    if (component.retentionDays !== null || stream.archived.length > 0) {
      const tooOld = whyTooOld(component, stream, timeMs, uploadMs)
      if (tooOld !== undefined) {
        refuseOne(batch, at, 'time', tooOld)
        continue
      }
    }
    switch (stream.kind) {
      case 'random':
        if (value === null) break
        rows = withRow(rows, stream.key, null, timeMs, stream.valueType, value, contentKey)
        streams = withStream(streams, stream)
        break
      case 'point':
        if (value === null) break
        points = withRow(points, stream.key, null, batch.isRestored ? timeMs : uploadMs, stream.valueType, value)
        if (stream.isSource) touchedPoints = touch(touchedPoints, stream, batch.isRestored ? timeMs : uploadMs)
        break
      case 'interval': {
        intervals ??= new Map()
        const series = intervals.get(stream) ?? { timesMs: [], values: [] }
        series.timesMs.push(timeMs)
        series.values.push(value)
        intervals.set(stream, series)
        break
      }
    }
  }
  fillPart()
  return { rows, streams: streams ?? [], points, touchedPoints }
}

/** As withRow does. */
const withStream = (streams: RegisteredStream[] | undefined, stream: RegisteredStream): RegisteredStream[] => {
  if (streams === undefined) return [stream]
  streams.push(stream)
  return streams
}

const refuseOne = ({ refusals }: SampleBatch, at: number, member: About['member'], reason: string): void => {
  if (refusals === undefined) throw badRequest(reason, { about: { first: at, last: at, member } })
  refusals.set(at, reason)
}

const faultsAbout = <T>(about: About, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw error instanceof Fault && error.code === 'bad_request' ? badRequest(error.message, { about }) : error
  }
}

/** The reason why a sample of that time cannot be stored; undefined: it can. */
const whyTooOld = (
  { retentionDays, keptUntilMs }: RegisteredComponent,
  stream: RegisteredStream,
  timeMs: number,
  uploadMs: number,
): string | undefined => {
  if (stream.kind === 'point') return undefined
  if (retentionDays !== null) {
    const oldestMs = Math.max(uploadMs - retentionDays * 86_400_000, keptUntilMs ?? Number.NEGATIVE_INFINITY)
    if (storedMs(stream.kind, timeMs) < oldestMs)
      return `time ${timeMs} is older than the organization keeps samples: retentionDays is ${retentionDays}, the oldest time ${shownMs(stream.kind, oldestMs)}`
  }
  // The end of an interval counts, which is not known yet.
  return stream.kind === 'random' && isArchived(stream, timeMs) ? isGone(stream, timeMs) : undefined
}

const archivedSpan = ({ kind, archived }: RegisteredStream, timeMs: number) =>
  archived.find(([fromMs, untilMs]) => storedMs(kind, timeMs) >= fromMs && storedMs(kind, timeMs) < untilMs)

const isArchived = (stream: RegisteredStream, timeMs: number): boolean => archivedSpan(stream, timeMs) !== undefined

const isGone = (stream: RegisteredStream, timeMs: number) => {
  const { id, uid, kind } = stream
  const [fromMs, untilMs] = archivedSpan(stream, timeMs)!.map((ms) => shownMs(kind, ms))
  return `time ${timeMs} of stream '${shorten(id ?? uid)}' is archived, from ${fromMs} to before ${untilMs}, and takes no samples any more`
}

const mostFills = 100_000

/** Undefined where a stream cannot have a file: point streams have none (docs/files.md#download). */
const fileFor = ({ kind, valueType }: RegisteredStream, name: RawValue): Value | undefined =>
  valueType === 'FILE' && kind !== 'point' ? name : undefined

const refusal = (
  { form }: SampleBatch,
  component: RegisteredComponent,
  stream: RegisteredStream,
  raw: RawValue,
): string => {
  const where = `stream '${shorten(stream.id ?? stream.uid)}' of component '${shorten(component.id ?? component.uid)}'`
  if (stream.isDerived) return `${where} is derived by an expression and takes no uploads`
  if (form === 'file')
    return `${where} is ${stream.kind === 'point' ? 'a point stream' : stream.valueType} and takes no files`
  if (stream.valueType === 'STRING' && typeof raw === 'string' && raw.length > mostTextLength)
    return `${where} cannot take a text of more than ${mostTextLength} characters`
  const cannot = `${where} is ${stream.valueType} and cannot take ${quoteValue(raw)}`
  return stream.valueType === 'STRING' && typeof raw === 'string'
    ? `${cannot}: it holds a character that cannot be stored`
    : cannot
}
