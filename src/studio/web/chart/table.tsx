// The values of a chart's window as a table, latest first.
import { texts } from '../texts.ts'
import { shownNumber, startOf } from './item.ts'
import type { Drawn, Window } from './window.ts'
import { isoOf, spanText } from './zone.ts'

const mostRows = 1000
const words = texts.chart

export const ChartTable = ({
  drawn,
  zone,
  window,
}: {
  readonly drawn: readonly Drawn[]
  readonly zone: string
  readonly window?: Window
}) => {
  const columns = drawn.flatMap(columnsOf)
  const byTime = new Map<number, Row>()
  for (const [index, { times, values, startAt }] of columns.entries())
    for (const [n, time] of times.entries()) {
      if (values[n] === null || (window && (time < window.from || time > window.to))) continue
      const row = byTime.get(time) ?? { values: columns.map(() => null), starts: new Set() }
      row.values[index] = values[n]
      row.starts.add(startAt(n))
      byTime.set(time, row)
    }
  const rows = [...byTime].toSorted(([a], [b]) => b - a)
  return (
    <>
      <div class="scroll tall" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>{texts.component.timeIn(zone)}</th>
              {columns.map(({ title }) => (
                <th class="number">{title}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, mostRows).map(([time, { values, starts }]) => (
              <tr key={time}>
                <td class="numbers">{whenText(time, starts, zone)}</td>
                {values.map((value) => (
                  <td class={typeof value === 'number' ? 'number one-line' : 'number'}>
                    {typeof value === 'number' ? shownNumber(value) : value}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length === 0 && <p class="empty">{words.empty}</p>}
      {rows.length > mostRows && <p class="quiet">{words.cut(mostRows)}</p>}
    </>
  )
}

type Row = {
  readonly values: (number | string | null | undefined)[]
  /** Where the intervals of its values start; undefined: one is a sample. */
  readonly starts: Set<number | undefined>
}

/** Of values of one interval from when to when it is, so that a day has its own date. */
const whenText = (time: number, starts: ReadonlySet<number | undefined>, zone: string): string => {
  const [start] = starts
  if (starts.size === 1 && start !== undefined) return spanText(start, time, zone)
  return isoOf(time, zone)
    .replace('T', ' ')
    .replace(/\.000$/, '')
}

type Column = {
  readonly startAt: (n: number) => number | undefined
  readonly title: string
  readonly times: readonly number[]
  readonly values: readonly (number | string | null)[]
}

/** Statistics have their extremes beside them. */
const columnsOf = ({ label, unit, series }: Drawn): readonly Column[] => {
  const { times, values, least, most, texts: written, isInterval } = series
  const startAt = (n: number) => (isInterval ? startOf(series, n) : undefined)
  const column = (title: string, of: Column['values']) => ({ title: `${title}${unit}`, times, values: of, startAt })
  return [
    column(`${label} `, written ?? values),
    ...(least && most ? [column(`${words.least} `, least), column(`${words.most} `, most)] : []),
  ]
}
