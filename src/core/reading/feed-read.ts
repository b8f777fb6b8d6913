// The readings of GET feed and last_value: the latest samples of a component, or of one of its streams, within a
// window, with the streams, units and files that belong to them, all as they are at one moment (docs/replies.md): of an
// upload a reader sees all or nothing, and no stream that is only half there.
//
// Mostly that is one statement, which finds the component and its streams and goes through these in their order until
// there are enough samples: of ten thousand streams it touches those that it shows. Where it must look further back
// than some weeks, or for files, all is asked again in one snapshot; the next time the snapshot is asked at once, and
// goes on from the samples of the last weeks (far-questions.ts). Before, it took a statement for the streams, all of
// them, and one for the first, the next four, the next sixteen ...; a last_value is answered in 0.8 of that time, and
// of a component with 10,000 streams one in 2 ms where it took 90.
import { snapshot } from '../../base/database/sql.ts'
import type { Pool, Sql, Transaction } from '../../base/database/sql.ts'
import { fileDetails } from '../file/blob.ts'
import type { FileDetail } from '../file/blob.ts'
import { holdChunks } from '../sample/chunk.ts'
import type { FarQuestions } from './far-questions.ts'
import { textColumns } from './long-text.ts'
import { firstPart, mostOfNear, readSamplesIn, withinText } from './sample-read.ts'
import type { Part } from './sample-read.ts'
import { shownMs } from '../sample/rows.ts'
import type { Sample, Window } from '../sample/sample.ts'
import { findForReading, readInOrder } from './stream-read.ts'
import type { After, ReadStream } from './stream-read.ts'
import { unitColumns, unitsOf } from '../unit.ts'
import type { Unit } from '../unit.ts'

export type FeedQuestion = {
  readonly organizationKey: number
  readonly componentId: string
  /** Undefined: all streams. */
  readonly streamId: string | undefined
  readonly window: Window
  readonly limit: number
  readonly mostPerStream: number
  readonly needsUnits: boolean
  readonly after: After | undefined
}

export type FeedStream = Pick<ReadStream, 'key' | 'id' | 'kind' | 'valueType' | 'position'> & {
  readonly unit: Unit | null
}

export type Feed = {
  readonly streams: ReadonlyMap<number, FeedStream>
  readonly samples: readonly Sample[]
  /** Files by the key in their samples. */
  readonly files: ReadonlyMap<number | bigint, FileDetail>
}

/** Throws where the caller may not read the component, or where there is none, or no such stream. */
export type Judge = (componentUid: string | undefined, hasStream: boolean) => void

/** Long texts have to be read separately (long-text.ts). */
export const readFeed = async (
  pool: Pool,
  question: FeedQuestion,
  judge: Judge,
  farQuestions: FarQuestions,
): Promise<Feed> => {
  const { window, after, streamId, mostPerStream } = question
  const inSnapshot = () => snapshot(pool, (sql) => readInSnapshot(sql, question, judge))
  if (after !== undefined && streamId === undefined) return inSnapshot()
  const { part, isWhole } = firstPart(window)
  const ask = async (sql: Sql): Promise<readonly Found[]> => {
    const { componentUid, streams } = await readAtOnce(sql, question, part, isWhole)
    judge(componentUid, streamId === undefined || streams.length > 0)
    return streams
  }
  // With many samples some are often further back: then the search goes on from those that were found.
  const isOftenFurther = mostPerStream > mostOfNear
  if ((isOftenFurther || farQuestions.has(question)) && !isWhole)
    return snapshot(pool, async (sql) => {
      const [, found] = await Promise.all([holdChunks(sql), ask(sql)])
      const isNear = isAnswer(found, question, isWhole)
      if (!isOftenFurther) farQuestions.note(question, !isNear)
      if (isNear) return feedOf(found)
      return rowsOf(found) < question.limit ? goOn(sql, question, found) : readInSnapshot(sql, question, judge)
    })
  const found = await ask(pool)
  if (isAnswer(found, question, isWhole)) return feedOf(found)
  if (!isWhole) farQuestions.note(question, true)
  return inSnapshot()
}

/** A stream and its samples; those that were looked for in vain are there without. */
type Found = { readonly stream: FeedStream; readonly samples: Sample[] }

/** A row as it comes: the facts of a stream, in the first of its rows only, and a sample. */
type Row = readonly [
  componentUid: string | null,
  stream: string | null,
  storedMs: number | null,
  span: number | null,
  num: number | null,
  long: number | bigint | null,
  text: string | null,
  textBytes: number | null,
]

/**
 * One statement, of which at least a row comes back where there is such a component. Where the part is not the whole
 * window, streams without a sample in it have a row, too: they are to be looked for further back.
 *
 * A text and its values, because to put it together of the driver's fragments takes a fifth of a reading's time here;
 * and rows without names and with nothing in them twice, because of a thousand that counts. Limits are hidden from the planner:
 * where streams have many samples, a plan for a given limit seems so much cheaper than one for any that Postgres plans each
 * time, which takes twice as long as the reading (700 to 970 last values a second, and 1,500 to 1,870 with it hidden).
 */
const readAtOnce = async (
  sql: Sql,
  { organizationKey, componentId, streamId, window, limit, mostPerStream, needsUnits }: FeedQuestion,
  part: Part,
  isWhole: boolean,
): Promise<{ readonly componentUid: string | undefined; readonly streams: readonly Found[] }> => {
  const values: (string | number)[] = []
  const value = (given: string | number) => `$${values.push(given)}`
  const columns = `
    case when stream.key is null or latest.nth > 1 then null else
      json_build_object('key', stream.key, 'id', stream.id, 'kind', stream.kind, 'valueType', stream.value_type,
        'position', stream.position, 'unit', ${needsUnits ? `case when unit.key is not null then ${unitJson} end` : 'null'})
    end::text as stream,
    latest.time, latest.span, latest.num, latest.long, ${textColumns('latest.text')}`
  const unit = needsUnits ? 'left join unit on unit.key = stream.unit_key' : ''
  const component = `component.organization_key = ${value(organizationKey)} and component.id = ${value(componentId)}
    and not component.is_template and not organization.is_removed`
  const latest = `(
    select ${mostPerStream === 1 ? '1' : 'row_number() over ()'} as nth, time, span, num, long, text
    from (
      select *
      from sample
      where stream_key = stream.key ${withinText(part, value, streamShift)}
      order by time desc
      limit (select ${value(mostPerStream)}::bigint)
    ) as sample
    union all
    select 1, time, null, num, long, text
    from point_sample
    where stream_key = stream.key ${withinText({ ...window, edges: [] }, value, undefined)}
  ) as latest on true`
  const text =
    streamId === undefined
      ? `
        select case when found.stream is null and found.time is not null then null else component.uid end, found.*
        from component
        join organization on organization.key = component.organization_key
        left join lateral (
          select ${columns}
          from stream
          ${unit}
          ${isWhole ? '' : 'left'} join lateral ${latest}
          where stream.component_key = component.key
          order by stream.position, latest.time desc
          limit (select ${value(limit)}::bigint)
        ) as found on true
        where ${component}`
      : `
        select case when latest.nth > 1 then null else component.uid end, ${columns}
        from component
        join organization on organization.key = component.organization_key
        left join stream on stream.component_key = component.key and stream.id = ${value(streamId)}
        ${unit}
        left join lateral ${latest}
        where ${component}
        order by latest.time desc`
  const rows = (await sql.unsafe(text, values, { prepare: true }).values()) as unknown as readonly Row[]
  return { componentUid: rows[0]?.[0] ?? undefined, streams: foundIn(rows) }
}

const streamShift = `case stream.kind when 'interval' then interval '1 millisecond' else interval '0' end`

const unitJson = `json_build_object(${Object.entries(unitColumns)
  .map(([name, column]) => `'${name}', unit.${column}`)
  .join()})`

const foundIn = (rows: readonly Row[]): readonly Found[] => {
  const found: Found[] = []
  let last: Found | undefined
  for (const [, about, storedMs, span, num, long, text, textBytes] of rows) {
    if (about !== null) {
      last = { stream: JSON.parse(about) as FeedStream, samples: [] }
      found.push(last)
    }
    if (last === undefined || storedMs === null) continue
    const { key, kind } = last.stream
    last.samples.push({ streamKey: key, timeMs: shownMs(kind, storedMs), span, num, long, text, textBytes })
  }
  return found
}

/** Whether nothing more has to be asked for. */
const isAnswer = (
  found: readonly Found[],
  { limit, mostPerStream }: Pick<FeedQuestion, 'limit' | 'mostPerStream'>,
  isWhole: boolean,
): boolean => {
  if (found.some(({ stream }) => stream.valueType === 'FILE')) return false
  if (isWhole) return true
  // A point stream has one sample at most, and none further back.
  const isWanting = found.some(({ stream, samples }) => stream.kind !== 'point' && samples.length < mostPerStream)
  const hasAll = found.every(({ samples }) => samples.length > 0)
  return rowsOf(found) >= limit ? hasAll : !isWanting
}

/** Fewer than the limit: then all streams are among them. */
const rowsOf = (found: readonly Found[]): number =>
  found.reduce((sum, { samples }) => sum + Math.max(1, samples.length), 0)

const feedOf = (found: readonly Found[]): Feed => ({
  streams: new Map(found.map(({ stream }) => [stream.key, stream])),
  samples: found.length === 1 ? found[0]!.samples : found.flatMap(({ samples }) => samples),
  files: new Map(),
})

/** All streams are known, and their latest samples. */
const goOn = async (sql: Transaction, question: FeedQuestion, found: readonly Found[]): Promise<Feed> => {
  const streams = new Map(found.map(({ stream }) => [stream.key, stream]))
  const known = new Map(found.map(({ stream, samples }) => [stream.key, samples]))
  const { window, limit, mostPerStream } = question
  const samples = await readSamplesIn(sql, [...streams.values()], window, limit, mostPerStream, known)
  return { streams, samples, files: await filesOf(sql, streams, samples) }
}

/** The same in a transaction that has one snapshot. */
export const readInSnapshot = async (sql: Transaction, question: FeedQuestion, judge: Judge): Promise<Feed> => {
  const { organizationKey, componentId, streamId, needsUnits } = question
  const [, found] = await Promise.all([holdChunks(sql), findForReading(sql, organizationKey, componentId, streamId)])
  judge(found?.component.uid, streamId === undefined || found?.stream !== undefined)
  const { component, stream } = found!
  const { streams, items: samples } = await readInOrder(sql, component, stream, question, (some, window, most) =>
    readSamplesIn(sql, some, window, most, Math.min(question.mostPerStream, most)),
  )
  const [files, units] = await Promise.all([
    filesOf(sql, streams, samples),
    needsUnits ? unitsOf(sql, [...new Set(samples.map(({ streamKey }) => streamKey))]) : new Map<number, Unit>(),
  ])
  const shown = new Map(
    Array.from(streams.values(), (each) => [each.key, { ...each, unit: units.get(each.key) ?? null }] as const),
  )
  return { streams: shown, samples, files }
}

const filesOf = (
  sql: Transaction,
  streams: ReadonlyMap<number, Pick<ReadStream, 'valueType'>>,
  samples: readonly Sample[],
): Promise<Feed['files']> =>
  fileDetails(
    sql,
    samples.flatMap(({ streamKey, text, long }) =>
      text !== null && streams.get(streamKey)!.valueType === 'FILE' ? [long!] : [],
    ),
  )
