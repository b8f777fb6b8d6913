// Long texts of samples: a thousand may have 200 MB. They are not read along with the others: their length stands in their
// place. A reply that shows them waits for memory first (base/http/large-reply.ts) and reads them in pieces.
import type { Sql, Transaction } from '../../base/database/sql.ts'
import type { ReadableStream, Sample } from './sample.ts'
import { storedMs } from './rows.ts'

const mostShortBytes = 1024
/** Texts are read in pieces of about so many bytes. */
export const pieceBytes = 1024 * 1024

/** Stands in front of a length; a text that begins with it is not read along either, however short. */
const mark = '\u0001'

/** A column of texts as it is read along. No name of a file is that long. */
export const shortText = (column: string): string =>
  `case when octet_length(${column}) > ${mostShortBytes} or starts_with(${column}, E'\\x01')
    then E'\\x01' || octet_length(${column}) else ${column} end`

/** How long a text is that was not read along; 0 where it was. */
export const longBytes = (text: string | null): number =>
  text !== null && text.charCodeAt(0) === 1 ? Math.max(1, Number(text.slice(mark.length))) : 0

/** The bytes of all texts that were not read along. */
export const longTextBytes = (samples: readonly Sample[]): number =>
  samples.reduce((sum, { text }) => sum + longBytes(text), 0)

/** The same samples with their texts, in pieces of about a megabyte, in the snapshot in which they were read. */
export async function* withLongTexts(
  sql: Transaction,
  samples: readonly Sample[],
  streams: ReadonlyMap<number, Pick<ReadableStream, 'kind'>>,
): AsyncGenerator<readonly Sample[]> {
  for (let from = 0; from < samples.length;) {
    let until = from
    for (let bytes = 0; until < samples.length && bytes < pieceBytes; until += 1)
      bytes += longBytes(samples[until]!.text)
    yield await withTexts(sql, samples.slice(from, until), streams)
    from = until
  }
}

const withTexts = async (
  sql: Transaction,
  samples: readonly Sample[],
  streams: ReadonlyMap<number, Pick<ReadableStream, 'kind'>>,
): Promise<readonly Sample[]> => {
  const long = samples.filter(({ text }) => longBytes(text) > 0)
  const kindOf = ({ streamKey }: Sample) => streams.get(streamKey)!.kind
  const places = long.flatMap((sample) =>
    kindOf(sample) === 'point' ? [] : [[sample.streamKey, storedMs(kindOf(sample), sample.timeMs)] as const],
  )
  const points = long.flatMap((sample) => (kindOf(sample) === 'point' ? [sample.streamKey] : []))
  const texts = new Map<string, string>()
  if (places.length > 0) for (const { key, atMs, text } of await readAt(sql, places)) texts.set(`${key} ${atMs}`, text)
  if (points.length > 0) for (const { key, text } of await readPointTexts(sql, points)) texts.set(`${key}`, text)
  return samples.map((sample) => {
    if (longBytes(sample.text) === 0) return sample
    const { streamKey } = sample
    const kind = kindOf(sample)
    const name = kind === 'point' ? `${streamKey}` : `${streamKey} ${storedMs(kind, sample.timeMs)}`
    return { ...sample, text: texts.get(name)! }
  })
}

type TextRow = { readonly key: number; readonly atMs: number; readonly text: string }

/** The bounds say the same for all, so that chunks outside are left out at once. */
const readAt = (sql: Sql, places: readonly (readonly [key: number, atMs: number])[]) => {
  const times = places.map(([, atMs]) => atMs)
  const values = [places.map(([key]) => key), times, Math.min(...times), Math.max(...times)]
  return sql.unsafe<TextRow[]>(
    `select stream_key as key, time as "atMs", text
     from unnest($1::integer[], $2::timestamptz[]) as given (key, at)
     join sample on stream_key = given.key and time = given.at
     where time >= $3::timestamptz and time <= $4::timestamptz`,
    values as number[],
    { prepare: true },
  )
}

const readPointTexts = (sql: Sql, keys: readonly number[]) => sql<TextRow[]>`
  select stream_key as key, text from point_sample where stream_key = any(${keys}::integer[])`
