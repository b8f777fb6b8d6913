// A batch: what one call wants to store, as the doors' parsers give it, and its conversion into rows once
// the components and streams are known. Pure: nothing here reads or writes the database.
import { badRequest, Fault, shorten } from '../../base/errors.ts'
import type { About } from '../../base/errors.ts'
import type { BatchFile } from '../file/blob.ts'
import { fillIntervals } from '../time/interval.ts'
import type { NamedStreams, RegisteredComponent, RegisteredStream } from './registry.ts'
import { positionOf, streamByRef, uidOf } from './registry.ts'
import { copyRow, emptyRows, noRows, pushRow, shownMs, storedMs } from './rows.ts'
import type { SampleRows } from './rows.ts'
import type { RawValue, Value } from './value.ts'
import { mostTextLength, quoteValue, valueFor } from './value.ts'
import type { Write } from './writer.ts'

export type SampleBatch = {
  /** Where the samples come from. New streams take their type from their values, those of a script by its types. */
  readonly form: 'url' | 'json' | 'script' | 'file'
  readonly uploadMs: number
  readonly components: readonly BatchComponent[]
  readonly samples: BatchSamples
  /** Streams of the first component that the call wants to exist even if it writes nothing there (rsid). */
  readonly wantedStreamIds: readonly string[]
  readonly creation: Creation
  readonly fillsGaps: boolean
  /** The samples with which parts begin whose gaps are filled each by itself; undefined: all are one. */
  readonly partStarts?: readonly number[]
  readonly derivation: Derivation
  /** Why a stream of this ID is not made by this call, if it is not. */
  readonly refuseNew?: (streamId: string) => string | undefined
  /** What the one sample of the form 'file' stands for; its value is the file's name. */
  readonly file?: BatchFile
}

export type BatchComponent = {
  /** An ID or a uidRef (registry.ts). */
  readonly ref: string
  readonly name: string | undefined
  readonly templateId: string | undefined
}

/** In columns; the component is its index in the batch, the stream an ID, a uidRef or a positionRef. */
export type BatchSamples = {
  readonly components: number[]
  readonly streamRefs: string[]
  readonly values: RawValue[]
  readonly timesMs: number[]
}

/** How missing components and streams are made (compTmplId, folder, dtId and dsId of docs/feeds.md#what-is-created). */
export type Creation = {
  readonly folderPath: string
  readonly streamTemplate: { readonly templateId: string; readonly streamId: string } | undefined
}

/** derMaxS and derTout of docs/feeds.md#upload-in-the-url. */
export type Derivation = { readonly mostStreams: number; readonly timeoutMs: number }

export const noDerivation: Derivation = { mostStreams: 0, timeoutMs: 0 }

export const emptySamples = (): BatchSamples => ({ components: [], streamRefs: [], values: [], timesMs: [] })

export const pushSample = (
  samples: BatchSamples,
  component: number,
  streamRef: string,
  value: RawValue,
  timeMs: number,
) => {
  samples.components.push(component)
  samples.streamRefs.push(streamRef)
  samples.values.push(value)
  samples.timesMs.push(timeMs)
}

/** The streams that a batch is about, by whatever it calls them. */
export const namedStreams = ({ samples, wantedStreamIds }: SampleBatch): NamedStreams => {
  const ids = new Set(wantedStreamIds)
  const uids: string[] = []
  let upTo = 0
  for (const ref of new Set(samples.streamRefs)) {
    const uid = uidOf(ref)
    const position = positionOf(ref)
    if (uid !== undefined) uids.push(uid)
    else if (position === undefined) ids.add(ref)
    else {
      upTo = Math.max(upTo, position)
      // What it becomes where there is no such position (docs/feeds.md#what-is-created).
      ids.add(`data${position}`)
    }
  }
  return { ids: [...ids], uids, upTo }
}

export type PlacedRows = {
  readonly rows: SampleRows
  /** The stream of each row. */
  readonly streams: RegisteredStream[]
  readonly points: SampleRows
}

type IntervalSeries = { readonly timesMs: number[]; readonly values: Value[] }

/** The batch as rows; undefined when it names a stream that its component does not have. */
export const placeBatch = (batch: SampleBatch, components: readonly RegisteredComponent[]): PlacedRows | undefined => {
  const { samples, uploadMs } = batch
  const contentKey = batch.file?.content.key ?? null
  const rows = emptyRows()
  const streams: RegisteredStream[] = []
  let points = noRows
  let intervals: Map<RegisteredStream, IntervalSeries> | undefined
  let fillsLeft = mostFills
  let part = 0
  let nextStart = batch.partStarts?.[1] ?? samples.values.length
  const fillPart = (): void => {
    for (const [stream, series] of intervals ?? []) {
      const about = { first: batch.partStarts?.[part] ?? 0, last: nextStart - 1, member: 'time' } as const
      const filled = faultsAbout(about, () =>
        fillIntervals(stream.calendar!, series.timesMs, series.values, batch.fillsGaps, fillsLeft),
      )
      fillsLeft -= filled.fills
      for (const { endMs, span, value } of filled.intervals) {
        if (isArchived(stream, endMs)) throw badRequest(isGone(stream, endMs), { about })
        pushRow(rows, stream.key, span, storedMs('interval', endMs), stream.valueType, value, contentKey)
        streams.push(stream)
      }
    }
    intervals = undefined
    part += 1
    nextStart = batch.partStarts?.[part + 1] ?? samples.values.length
  }
  // Only who names a stream by its position can name it twice.
  const refs = batch.form === 'url' && samples.values.length > 1 ? new Map<RegisteredStream, string>() : undefined
  for (let at = 0; at < samples.values.length; at += 1) {
    if (at === nextStart) fillPart()
    const component = components[samples.components[at]!]!
    const ref = samples.streamRefs[at]!
    const stream = streamByRef(component, ref)
    if (stream === undefined) return undefined
    if (refs && refs.get(stream) !== ref) {
      if (refs.has(stream)) throw badRequest(`stream '${shorten(stream.id ?? ref)}' is given by name and by position`)
      refs.set(stream, ref)
    }
    const raw = samples.values[at]!
    const value = batch.form === 'file' ? fileFor(stream, raw) : valueFor(stream.valueType, raw)
    const timeMs = samples.timesMs[at]!
    if (value === undefined || stream.isDerived)
      throw badRequest(refusal(batch, component, stream, raw), { about: { first: at, last: at, member: 'value' } })
    if (component.retentionDays !== null || stream.archived.length > 0) {
      const tooOld = whyTooOld(component, stream, timeMs, uploadMs)
      if (tooOld !== undefined) throw badRequest(tooOld, { about: { first: at, last: at, member: 'time' } })
    }
    switch (stream.kind) {
      case 'random':
        if (value === null) break
        pushRow(rows, stream.key, null, timeMs, stream.valueType, value, contentKey)
        streams.push(stream)
        break
      case 'point':
        if (value === null) break
        if (points === noRows) points = emptyRows()
        pushRow(points, stream.key, null, uploadMs, stream.valueType, value)
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
  return { rows, streams, points }
}

const faultsAbout = <T>(about: About, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw error instanceof Fault ? new Fault(error.code, error.message, { about }) : error
  }
}

/** Why a sample of that time cannot be stored; undefined: it can. */
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
  // Of an interval its end counts, which is not known yet.
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

/** Undefined where a file cannot be: point streams have none (docs/files.md#download). */
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

/**
 * Whether a sample of this time can only be new, by all that this process has written to the stream: because it is
 * later than everything, or because it falls between the last two, as happens when of several uploads that are under
 * way at once the later is read first. An upsert in place of the COPY costs the database twice as much.
 */
const appendTo = (stream: RegisteredStream, timeMs: number): boolean => {
  const { latestMs, beforeMs } = stream
  if (timeMs > latestMs) {
    stream.latestMs = timeMs
    // Of what was there before the first sample, nothing is known.
    stream.beforeMs = latestMs === Number.NEGATIVE_INFINITY ? timeMs : latestMs
  } else if (timeMs > beforeMs && timeMs < latestMs) stream.beforeMs = timeMs
  else return false
  return true
}

/**
 * Divides rows into those that append to their stream and those that may overwrite. It remembers what it let
 * append, so it is called once, just before the rows are handed to the writer.
 */
export const writeFromPlaced = ({ rows, streams, points }: PlacedRows, serial: number): Write => {
  const merging: number[] = []
  for (let row = 0; row < streams.length; row += 1) {
    const stream = streams[row]!
    const timeMs = rows.storedMs[row]!
    if (!appendTo(stream, timeMs)) merging.push(row)
  }
  if (merging.length === 0) return { serial, appends: rows, merges: noRows, points }
  if (merging.length === streams.length) return { serial, appends: noRows, merges: rows, points }
  const write = { serial, appends: emptyRows(), merges: emptyRows(), points }
  let next = 0
  for (let row = 0; row < streams.length; row += 1) {
    const isMerging = merging[next] === row
    if (isMerging) next += 1
    copyRow(rows, row, isMerging ? write.merges : write.appends)
  }
  return write
}
