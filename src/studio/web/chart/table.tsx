// The values of a chart as a table, latest first.
import { showTime } from '../time.ts'
import { texts } from '../texts.ts'
import type { Drawn } from './picture.tsx'

const most = 1000

export const ChartTable = ({ drawn, zone }: { readonly drawn: readonly Drawn[]; readonly zone: string }) => {
  const byTime = new Map<number, (number | null)[]>()
  for (const [index, { series }] of drawn.entries())
    for (const [n, time] of series.times.entries()) {
      const row = byTime.get(time) ?? drawn.map(() => null)
      row[index] = series.values[n]!
      byTime.set(time, row)
    }
  const rows = [...byTime].toSorted(([a], [b]) => b - a)
  return (
    <div class="scroll tall">
      <table>
        <thead>
          <tr>
            <th>{texts.component.time}</th>
            {drawn.map(({ label, unit }) => (
              <th class="number">
                {label} {unit}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map(([time, values]) => (
            <tr key={time}>
              <td class="numbers">{showTime(time, zone, true)}</td>
              {values.map((value) => (
                <td class="number">{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
