// A result as a chart: where a column is a time and others are numbers.
import type { QueryResult } from '../../../client/client.ts'
import type { Drawn } from '../chart/picture.tsx'
import { withGaps } from '../chart/window.ts'
import type { Window } from '../chart/window.ts'

/** Whether it is a column of times. */
export const isTime = (column: QueryResult['cols'][number] | undefined): boolean =>
  column?.valueType === 'LONG' && /time|date/i.test(column.name)

/** Undefined where the result has no time, or no number beside it. */
export const drawnFrom = ({
  cols,
  rows,
}: QueryResult): { readonly drawn: readonly Drawn[]; readonly window: Window } | undefined => {
  const timeAt = cols.findIndex(isTime)
  const numbersAt = cols.flatMap(({ valueType }, index) =>
    index !== timeAt && (valueType === 'DOUBLE' || valueType === 'LONG') ? [index] : [],
  )
  if (timeAt < 0 || numbersAt.length === 0 || rows.length < 2) return undefined
  const ordered = (rows as readonly (readonly unknown[])[])
    .filter((row) => typeof row[timeAt] === 'number')
    .toSorted((a, b) => Number(a[timeAt]) - Number(b[timeAt]))
  const times = ordered.map((row) => Number(row[timeAt]))
  const drawn = numbersAt.slice(0, 6).map((at): Drawn => {
    const values = ordered.map((row) => (typeof row[at] === 'number' ? row[at] : null))
    return {
      label: cols[at]!.name,
      unit: '',
      series: { ...withGaps(times, values), least: undefined, most: undefined, cycle: undefined, isInterval: false },
    }
  })
  return { drawn, window: { from: times[0] ?? 0, to: times.at(-1) ?? 1 } }
}
