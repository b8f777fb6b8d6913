// The values at the cursor, beside it: the time as the component's clock shows it, and of each line the value there.
import type uPlot from 'uplot'
import { itemAt, shownValue, startOf } from './item.ts'
import type { Series, Window } from './window.ts'
import { offsetText, spanText, timeText } from './zone.ts'

type Lined = {
  readonly label: string
  readonly unit: string
  readonly series: Series
  readonly colour: string
  readonly window: Window
}

/** A sample further away than this is not meant. */
const reachPixels = 40

export const addTip = (plot: uPlot, zone: string, lines: () => readonly Lined[]): void => {
  const tip = document.createElement('div')
  tip.className = 'tip'
  tip.hidden = true
  plot.over.append(tip)
  const show = () => {
    const { left = -1, top = -1 } = plot.cursor
    const rows = left < 0 ? [] : rowsAt(plot, left, lines())
    tip.hidden = rows.length === 0
    if (tip.hidden) return
    tip.replaceChildren(textOf('div', 'time', headOf(rows, plot.posToVal(left, 'x'), zone)), ...rows.map(rowOf))
    const { clientWidth, clientHeight, offsetLeft } = plot.over
    const beside = left > clientWidth / 2 ? left - tip.offsetWidth - 14 : left + 14
    // On a phone it may lie over the axes, but not beyond the picture.
    const most = plot.width - offsetLeft - tip.offsetWidth
    tip.style.left = `${Math.max(-offsetLeft, Math.min(beside, most))}px`
    tip.style.top = `${Math.max(0, Math.min(top + 14, clientHeight - tip.offsetHeight))}px`
  }
  const hooks = (plot.hooks.setCursor ??= [])
  hooks.push(show)
}

type Row = { readonly line: Lined; readonly index: number; readonly time: number }

const rowsAt = (plot: uPlot, left: number, lines: readonly Lined[]): readonly Row[] =>
  lines.flatMap((line) => {
    const time = plot.posToVal(left, 'x')
    const reach = (reachPixels * (line.window.to - line.window.from)) / Math.max(1, plot.over.clientWidth)
    const index = itemAt(line.series, time, reach)
    return index === undefined ? [] : [{ line, index, time: line.series.times[index]! }]
  })

/** Of samples the time of the nearest, of intervals from when to when the first of them is. */
const headOf = (rows: readonly Row[], time: number, zone: string): string => {
  const samples = rows.filter(({ line }) => !line.series.isInterval).map((row) => row.time)
  const nearest = samples.toSorted((a, b) => Math.abs(a - time) - Math.abs(b - time))[0]
  if (nearest !== undefined) return `${timeText(nearest, zone)} ${offsetText(nearest, zone)}`
  const [{ line, index }] = rows as [Row]
  const [start, end] = [startOf(line.series, index), line.series.times[index]!]
  return spanText(start, end, zone)
}

const rowOf = ({ line: { label, unit, series, colour }, index }: Row): HTMLElement => {
  const row = document.createElement('div')
  const swatch = textOf('span', 'swatch', '')
  swatch.style.background = colour
  row.append(swatch, textOf('span', 'name', label), textOf('strong', '', shownValue(series, index, unit)))
  return row
}

const textOf = (name: string, className: string, text: string): HTMLElement => {
  const element = document.createElement(name)
  element.className = className
  element.textContent = text
  return element
}
