// Which samples of a derived stream hang on those of a source that were touched: the same times, later ones where a
// variable goes back, and those behind the end of an interval where it is a statistic. Sometimes a few more than that.
import type { Sql } from '../../base/database/sql.ts'
import { lastMs } from '../../base/http/params.ts'
import { shownMs, storedMs } from '../sample/rows.ts'
import type { Calendar } from '../time/calendar.ts'
import { joinSpans } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import type { DefinedVariable, Definition } from './definition.ts'

/** Of spans of stored times of a source, those of the derived stream, which has samples up to derivedMs; as shown. */
export const affectedSpans = async (
  sql: Sql,
  { variables, kind, calendar }: Definition,
  sourceKey: number,
  touched: readonly Span[],
  derivedMs: number,
): Promise<readonly Span[]> => {
  const affected: Span[] = []
  for (const variable of variables) {
    if (variable.source.key !== sourceKey) continue
    for (const [fromMs, untilMs] of touched) {
      const shown: Span = [shownMs(variable.source.kind, fromMs), shownMs(variable.source.kind, untilMs)]
      if (variable.calendar === undefined) affected.push([shown[0], await reach(sql, variable, shown[1], derivedMs)])
      else affected.push(behindEnds(variable, variable.calendar, shown, kind === 'interval'))
      // A base interval in which a variable of any sort has samples is one of the stream's.
      if (calendar && (!variable.isPlain || variable.back > 0))
        affected.push([
          intervalEnd(calendar, variable.source.kind, shown[0]),
          intervalEnd(calendar, variable.source.kind, shown[1] - 1) + 1,
        ])
    }
  }
  // Those behind the end of time become one moment there: they have no samples, but a clock may go on by them.
  return joinSpans(
    affected.map(([fromMs, untilMs]): Span => [Math.min(fromMs, lastMs + 1), Math.min(untilMs, lastMs + 2)]),
  )
}

/** Up to where samples look back at one before untilMs. */
const reach = async (
  sql: Sql,
  { source: { key, kind }, back }: DefinedVariable,
  untilMs: number,
  derivedMs: number,
): Promise<number> => {
  if (back === 0 || kind === 'point') return untilMs
  // Behind the last sample all is to be derived.
  if (untilMs > derivedMs) return lastMs + 1
  const [row] = await sql<{ timeMs: number }[]>`
    select time as "timeMs"
    from sample
    where stream_key = ${key} and time >= ${storedMs(kind, untilMs)}
    order by time
    offset ${back - 1}
    limit 1`
  return row ? shownMs(kind, row.timeMs) + 1 : lastMs + 1
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
