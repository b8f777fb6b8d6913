// Which samples of a derived stream hang on those of a source that were touched: the same times, later ones where a
// variable goes back, and those behind the end of an interval where it is a statistic. Sometimes a few more than that.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Sql } from '../../base/database/sql.ts'
import { lastMs } from '../../base/http/params.ts'
import { shownMs, storedMs } from '../sample/rows.ts'
import type { StatisticStream } from '../statistic/statistic.ts'
import type { Calendar } from '../time/calendar.ts'
import { coarsenSpans, joinSpans } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import type { DefinedVariable, Definition } from './definition.ts'

/** A list of more spans is made coarser: there are as many as samples that came late, times variables. */
const mostSpans = 10_000
/** Spans after which others have their turn. */
const spansInTurn = 2_000

/** Of spans of stored times of a source, those of the derived stream, which has samples up to derivedMs; as shown. */
export const affectedSpans = async (
  sql: Sql,
  { variables, kind, calendar }: Definition,
  sourceKey: number,
  touched: readonly Span[],
  derivedMs: number,
): Promise<readonly Span[]> => {
  const own = variables.filter(({ source: { key } }) => key === sourceKey)
  const [first] = own
  if (first === undefined) return []
  const { source } = first
  const shown = touched.map(([fromMs, untilMs]): Span => [shownMs(source.kind, fromMs), shownMs(source.kind, untilMs)])
  let affected: readonly Span[] = []
  let sinceTurn = 0
  const add = async (spans: readonly Span[]): Promise<void> => {
    affected = coarsenSpans(joinSpans([...affected, ...spans]), mostSpans)
    sinceTurn += spans.length
    if (sinceTurn <= spansInTurn) return
    await nextTurn()
    sinceTurn = 0
  }
  const samples = own.filter((variable) => variable.calendar === undefined)
  // The one that goes back furthest finds what the others do.
  const back = Math.max(...samples.map((variable) => variable.back))
  if (samples.length > 0) await add(await spansBehind(sql, source, back, shown, derivedMs))
  for (const variable of own)
    if (variable.calendar !== undefined) {
      const ends = variable.calendar
      await add(shown.map((span) => behindEnds(variable, ends, span, kind === 'interval')))
    }
  // A base interval in which a variable of any sort has samples is one of the stream's.
  if (calendar && own.some((variable) => !variable.isPlain || variable.back > 0))
    await add(
      shown.map(([fromMs, untilMs]): Span => [
        intervalEnd(calendar, source.kind, fromMs),
        intervalEnd(calendar, source.kind, untilMs - 1) + 1,
      ]),
    )
  // Those behind the end of time become one moment there: they have no samples, but a clock may go on by them.
  return joinSpans(
    affected.map(([fromMs, untilMs]): Span => [Math.min(fromMs, lastMs + 1), Math.min(untilMs, lastMs + 2)]),
  )
}

/** Samples that are gone through to find those that look back at others: as many take some 20 ms. */
const mostLookedAt = 20_000

/** Spans with all samples that look back at one of them. */
const spansBehind = async (
  sql: Sql,
  { key, kind }: StatisticStream,
  back: number,
  spans: readonly Span[],
  derivedMs: number,
): Promise<readonly Span[]> => {
  if (back === 0 || kind === 'point') return spans
  // Behind the last sample all is to be derived.
  const isOpen = ([, untilMs]: Span) => back > mostLookedAt || untilMs > derivedMs
  const open = spans.filter(isOpen).map(([fromMs]): Span => [fromMs, lastMs + 1])
  const asked = coarsenSpans(
    spans.filter((span) => !isOpen(span)),
    Math.floor(mostLookedAt / back),
  )
  if (asked.length === 0) return open
  const rows = await sql<{ timeMs: number | null }[]>`
    select (
      select time from sample where stream_key = ${key} and time >= until and time >= ${storedMs(kind, asked[0]![1])}
      order by time
      offset ${back - 1}
      limit 1) as "timeMs"
    from unnest(${asked.map(([, untilMs]) => storedMs(kind, untilMs))}::timestamptz[]) with ordinality as asked (until, place)
    order by place`
  return [
    ...open,
    ...asked.map(([fromMs], at): Span => {
      const { timeMs } = rows[at]!
      return [fromMs, timeMs === null ? lastMs + 1 : shownMs(kind, timeMs) + 1]
    }),
  ]
}

/** A base interval ends where its sample is; a statistic of a cycle counts until the next one is there. */
const behindEnds = (
  { source, back, isPlain }: DefinedVariable,
  calendar: Calendar,
  [fromMs, untilMs]: Span,
  isInterval: boolean,
): Span => {
  const first = intervalEnd(calendar, source.kind, fromMs)
  const last = intervalEnd(calendar, source.kind, untilMs - 1)
  // The end of a cycle's interval that holds samples is a time of its own, in a stream without plain variables.
  const from = isPlain && isInterval ? calendar.step(first, back) : first
  // Far behind the end of time numbers are no times any more.
  const until = Math.min(calendar.step(last, back), lastMs + 1)
  return [from, isPlain && isInterval ? until + 1 : calendar.endOf(until)]
}

/** The end of the interval that a sample counts in, by the time that is shown of it. */
export const intervalEnd = (calendar: Calendar, kind: DefinedVariable['source']['kind'], timeMs: number): number =>
  kind === 'interval' ? calendar.endAtOrAfter(timeMs) : calendar.endOf(timeMs)
