// The values of a chart's window as a table, latest first.
import { texts } from '../texts.ts'
import { shownNumber } from './item.ts'
import type { Drawn, Window } from './window.ts'
import { isoOf } from './zone.ts'

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
  const byTime = new Map<number, (number | string | null | undefined)[]>()
  for (const [index, { times, values }] of columns.entries())
    for (const [n, time] of times.entries()) {
      if (values[n] === null || (window && (time < window.from || time > window.to))) continue
      const row = byTime.get(time) ?? columns.map(() => null)
      row[index] = values[n]
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
            {rows.slice(0, mostRows).map(([time, values]) => (
              <tr key={time}>
                <td class="numbers">
                  {isoOf(time, zone)
                    .replace('T', ' ')
                    .replace(/\.000$/, '')}
                </td>
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

type Column = {
  readonly title: string
  readonly times: readonly number[]
  readonly values: readonly (number | string | null)[]
}

/** Statistics have their extremes beside them. */
const columnsOf = ({
  label,
  unit,
  series: { times, values, least, most, texts: written },
}: Drawn): readonly Column[] => {
  const column = (title: string, of: Column['values']) => ({ title: `${title}${unit}`, times, values: of })
  return [
    column(`${label} `, written ?? values),
    ...(least && most ? [column(`${words.least} `, least), column(`${words.most} `, most)] : []),
  ]
}
