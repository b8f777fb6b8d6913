// Statistics of a point stream: over its one sample.
import type { Sql } from '../../base/database/sql.ts'
import { textColumns } from '../reading/long-text.ts'
import type { Sample } from '../sample/sample.ts'
import { sampleValue } from '../sample/sample.ts'
import type { Span } from '../time/span.ts'
import type { Part } from './measure.ts'
import type { StatisticSample, StatisticStream } from './statistic.ts'
import { statisticValue } from './statistic.ts'
import type { StatisticQuestion } from './window-read.ts'

type Row = Pick<Sample, 'timeMs' | 'num' | 'long' | 'text' | 'textBytes'>

export const readStatisticOfPoints = async (
  sql: Sql,
  stream: StatisticStream,
  { calendar, statistic, texts }: StatisticQuestion,
  [fromMs, untilMs]: Span,
): Promise<readonly StatisticSample[]> => {
  const rows = await sql<Row[]>`
    select time as "timeMs", num, long,
      ${sql.unsafe(texts === 'whole' ? 'text, null as "textBytes"' : textColumns('text', 'text', texts))}
    from point_sample
    where stream_key = ${stream.key}`
  const row = rows.find(({ timeMs }) => timeMs >= fromMs && timeMs < untilMs)
  if (row === undefined) return []
  const part: Part = {
    streamKey: stream.key,
    interval: 1,
    filled: sampleValue(stream.valueType, row) === null && row.textBytes === null ? 0 : 1,
    covered: null,
    value: row.num ?? row.long ?? row.text,
    textBytes: row.textBytes,
    sum: row.num ?? (row.long === null ? null : String(row.long)),
    atMs: row.timeMs,
  }
  const startMs = calendar.startOf(row.timeMs)
  const timeMs = calendar.endOf(row.timeMs)
  const value = statisticValue(statistic, { stream, part, interval: [startMs, timeMs], bounds: undefined })
  return [{ streamKey: stream.key, startMs, timeMs, value, textBytes: row.textBytes }]
}
