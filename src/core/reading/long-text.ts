// Long texts of samples: a thousand may have 200 MB. They are not read along with the others: a column beside the texts
// says how long they are, and is null where a text was read. A reply that shows them has memory for that first
// (base/http/large-reply.ts), and reads them in pieces.
import type { Sql, Transaction } from '../../base/database/sql.ts'
import type { ReadableStream, Sample } from '../sample/sample.ts'
import { storedMs } from '../sample/rows.ts'

const mostShortBytes = 1024
/** The limit of texts where a hundred thousand may be read at once. */
const mostBriefBytes = 128
/** Texts are read in pieces of about so many bytes. */
export const pieceBytes = 1024 * 1024

/**
 * A column of texts as two: those that are short, and the bytes of those that are not, which Postgres knows without
 * reading them. No name of a file is that long.
 */
export const textColumns = (column: string, name = 'text', size: 'short' | 'brief' = 'short'): string => {
  const most = size === 'brief' ? mostBriefBytes : mostShortBytes
  return `
  case when octet_length(${column}) <= ${most} then ${column} end as ${name},
  nullif(greatest(octet_length(${column}), ${most}), ${most}) as "textBytes"`
}

/** The bytes of all texts that were not read along. */
export const longTextBytes = (samples: readonly Sample[]): number =>
  samples.reduce((sum, { textBytes }) => sum + (textBytes ?? 0), 0)

/** The same samples with their texts, in pieces of about a megabyte, in the snapshot in which they were read. */
export async function* withLongTexts(
  sql: Transaction,
  samples: readonly Sample[],
  streams: ReadonlyMap<number, Pick<ReadableStream, 'kind'>>,
): AsyncGenerator<readonly Sample[]> {
  for (let from = 0; from < samples.length;) {
    let until = from
    for (let bytes = 0; until < samples.length && bytes < pieceBytes; until += 1)
      bytes += samples[until]!.textBytes ?? 0
    yield await withTexts(sql, samples.slice(from, until), streams)
    from = until
  }
}

const withTexts = async (
  sql: Transaction,
  samples: readonly Sample[],
  streams: ReadonlyMap<number, Pick<ReadableStream, 'kind'>>,
): Promise<readonly Sample[]> => {
  const long = samples.filter(({ textBytes }) => textBytes !== null)
  const kindOf = ({ streamKey }: Sample) => streams.get(streamKey)!.kind
  const places = long.flatMap((sample) =>
    kindOf(sample) === 'point' ? [] : [[sample.streamKey, storedMs(kindOf(sample), sample.timeMs)] as const],
  )
  const points = long.flatMap((sample) => (kindOf(sample) === 'point' ? [sample.streamKey] : []))
  const texts = new Map<string, string>()
  if (places.length > 0) for (const { key, atMs, text } of await readAt(sql, places)) texts.set(`${key} ${atMs}`, text)
  if (points.length > 0) for (const { key, text } of await readPointTexts(sql, points)) texts.set(`${key}`, text)
  return samples.map((sample) => {
    if (sample.textBytes === null) return sample
    const { streamKey } = sample
    const kind = kindOf(sample)
    const name = kind === 'point' ? `${streamKey}` : `${streamKey} ${storedMs(kind, sample.timeMs)}`
    return { ...sample, text: texts.get(name)!, textBytes: null }
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
