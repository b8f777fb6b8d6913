// Rows of the journal and stored samples as events (docs/live.md#events). Samples look as GET feed shows them: the feed's
// own presentation is handed in, because doors do not know each other.
import { toJson } from '../base/http/reply.ts'
import type { Sql } from '../base/database/sql.ts'
import { fileDetails } from '../core/file/blob.ts'
import type { HeardStream } from '../core/live/heard-stream.ts'
import type { JournalRow } from '../core/live/journal.ts'
import { eventIdOf } from '../core/live/position.ts'
import type { Position } from '../core/live/position.ts'
import type { Feed } from '../core/reading/feed-read.ts'
import { shownMs } from '../core/sample/rows.ts'
import type { Sample } from '../core/sample/sample.ts'

/** The members of a sample; the optional ones where they were asked for. */
export type Show = {
  readonly componentId: true
  readonly streamId: true
  readonly intervalStart: boolean
  readonly formatted: boolean
  readonly unit: boolean
}

/** A sample of a component as a reply has it. */
export type ShowSamples = (
  componentId: string,
  feed: Feed,
  show: Show,
) => (sample: Sample) => Readonly<Record<string, unknown>>

export type Streams = ReadonlyMap<number, HeardStream>

/** An event, without its id and the empty line behind it. */
export type EventText = string

const sampleFromRow = (row: JournalRow, { kind }: HeardStream): Sample => ({
  streamKey: row.streamKey,
  timeMs: shownMs(kind, row.storedMs),
  span: row.span,
  num: row.num,
  long: row.long,
  text: row.text,
  textBytes: null,
})

/** The files among samples, by the keys of their contents. */
export const filesOf = (sql: Sql, samples: readonly Sample[], streams: Streams): Promise<Feed['files']> =>
  fileDetails(
    sql,
    samples.flatMap(({ streamKey, long }) =>
      long !== null && streams.get(streamKey)?.valueType === 'FILE' ? [long] : [],
    ),
  )

export const sampleEvent = (
  showSamples: ShowSamples,
  sample: Sample,
  streams: Streams,
  files: Feed['files'],
  show: Show,
): EventText => {
  const { componentId } = streams.get(sample.streamKey)!
  return `data: ${toJson(showSamples(componentId, { streams, samples: [sample], files }, show)(sample))}\n`
}

/** Makes the event of a row; of several channels that show the same, once. */
export const eventMaker = async (
  sql: Sql,
  showSamples: ShowSamples,
  rows: readonly JournalRow[],
  streams: Streams,
): Promise<(row: JournalRow, shown: Shown) => EventText> => {
  const samples = new Map(
    rows.flatMap((row) => {
      const stream = row.deletedUntilMs === null ? streams.get(row.streamKey) : undefined
      return stream === undefined ? [] : [[row, sampleFromRow(row, stream)]]
    }),
  )
  const files = await filesOf(sql, [...samples.values()], streams)
  const made = new Map<string, Map<JournalRow, EventText>>()
  return (row, { show, form }) => {
    const known = made.get(form) ?? new Map<JournalRow, EventText>()
    made.set(form, known)
    const sample = samples.get(row)
    const event =
      known.get(row) ??
      (sample
        ? sampleEvent(showSamples, sample, streams, files, show)
        : deletionEvent(row, streams.get(row.streamKey)!))
    known.set(row, event)
    return event
  }
}

/** How a channel shows samples, and the same as a text: channels of one form have the same events. */
type Shown = { readonly show: Show; readonly form: string }

const deletionEvent = ({ storedMs, deletedUntilMs }: JournalRow, { componentId, id, kind }: HeardStream) =>
  namedEvent('deleted', {
    compId: componentId,
    streamId: id ?? '',
    sd: shownMs(kind, storedMs),
    ed: shownMs(kind, deletedUntilMs!),
  })

export const namedEvent = (name: string, data: object): EventText => `event: ${name}\ndata: ${toJson(data)}\n`

/** Events as they are sent. The last has the position behind all of them; the others have none. */
export const joinEvents = (events: readonly EventText[], position: Position | undefined): string =>
  events.length === 0 && position === undefined ? '' : `${events.join('\n')}${idLine(position)}\n`

const idLine = (position: Position | undefined) => (position ? `id: ${eventIdOf(position)}\n` : '')

/** A browser takes the id of an event that has no data, and shows no event. */
export const heartbeat = (position: Position | undefined): string => `:\n${idLine(position)}\n`
