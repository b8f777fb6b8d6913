// The drawing of a chart by uPlot: an axis for each unit, a band from minimum to maximum, time in the component's zone.
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { showTime } from '../time.ts'
import type { Series, Window } from './window.ts'

export type Drawn = { readonly label: string; readonly unit: string; readonly series: Series }

export const Picture = ({
  drawn,
  window,
  zone,
  zoom,
}: {
  readonly drawn: readonly Drawn[]
  readonly window: Window
  readonly zone: string
  readonly zoom: (window: Window) => void
}) => {
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef({ window, zoom })
  latest.current = { window, zoom }
  useEffect(() => {
    const host = place.current!
    const plot = new uPlot(optionsOf(drawn, host.clientWidth, zone, latest), dataOf(drawn), host)
    const watch = new ResizeObserver(() =>
      plot.setSize({ width: host.clientWidth, height: heightFor(host.clientWidth) }),
    )
    watch.observe(host)
    return () => {
      watch.disconnect()
      plot.destroy()
    }
  }, [drawn, window.from, window.to, zone])
  return <div class="picture" ref={place} role="img" aria-label={drawn.map(({ label }) => label).join(', ')} />
}

const heightFor = (width: number) => Math.max(220, Math.min(460, Math.round(width * 0.45)))

/** Each stream is a table of its own times; joined, they share one axis. Nulls are gaps, times of the others are not. */
const dataOf = (drawn: readonly Drawn[]): uPlot.AlignedData => {
  const tables = drawn.map(({ series: { times, values, least, most } }) => [
    [...times],
    [...values],
    ...(least && most ? [[...least], [...most]] : []),
  ]) as uPlot.AlignedData[]
  if (tables.length === 0) return [[]]
  const keepNulls = tables.map((table) => table.map(() => 1 as const))
  return uPlot.join(tables, keepNulls)
}

const optionsOf = (
  drawn: readonly Drawn[],
  width: number,
  zone: string,
  latest: { readonly current: { readonly window: Window; readonly zoom: (window: Window) => void } },
): uPlot.Options => {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const units = [...new Set(drawn.map(({ unit }) => unit))]
  const series: uPlot.Series[] = [{ value: (_, time) => (time === null ? '' : showTime(time, zone, true)) }]
  const bands: uPlot.Band[] = []
  const stepped = uPlot.paths.stepped!({ align: -1 })
  for (const [index, { label, unit, series: one }] of drawn.entries()) {
    const stroke = colour(`--series-${1 + (index % 6)}`)
    const common = { scale: scaleOf(unit), ...(one.isInterval ? { paths: stepped } : {}) }
    const isFew = one.times.length < width / 6
    series.push({
      ...common,
      label,
      stroke,
      width: 1.75,
      points: { show: one.cycle === undefined && isFew, size: 5 },
      value: (_, value) => (value === null || value === undefined ? '–' : `${shown(value)}${unit}`),
    })
    if (one.least && one.most) {
      const edge = { ...common, stroke: 'transparent', points: { show: false } }
      series.push({ ...edge, label: `${label} min`, value: (_, value) => plain(value) })
      series.push({ ...edge, label: `${label} max`, value: (_, value) => plain(value) })
      bands.push({ series: [series.length - 1, series.length - 2], fill: `${stroke}2e` })
    }
  }
  const axisColours = {
    stroke: colour('--quiet'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line') },
  }
  return {
    width,
    height: heightFor(width),
    ms: 1,
    tzDate: (time) => uPlot.tzDate(new Date(time), zone),
    series,
    bands,
    scales: { x: { time: true, range: () => [latest.current.window.from, latest.current.window.to] } },
    axes: [{ ...axisColours, space: 70 }, ...units.map((unit, index) => axisOf(unit, index, axisColours))],
    cursor: { drag: { x: true, y: false, setScale: false }, focus: { prox: 24 } },
    hooks: { setSelect: [(plot) => zoomToSelection(plot, latest)], ready: [(plot) => addGestures(plot, latest)] },
  }
}

const axisOf = (unit: string, index: number, colours: uPlot.Axis): uPlot.Axis => ({
  ...colours,
  scale: scaleOf(unit),
  side: index % 2 === 0 ? 3 : 1,
  grid: { ...colours.grid, show: index === 0 },
  values: (_, ticks) => ticks.map((tick) => `${shown(tick)}${unit}`),
  size: (_, values) => 16 + 7 * Math.max(3, ...(values ?? []).map(({ length }) => length)),
})

const scaleOf = (unit: string) => `y${unit}`

const shown = (value: number) => Number(value.toPrecision(7)).toLocaleString('en', { maximumFractionDigits: 10 })
const plain = (value: number | null | undefined) => (value === null || value === undefined ? '–' : shown(value))

type Latest = { readonly current: { readonly window: Window; readonly zoom: (window: Window) => void } }

const zoomToSelection = (plot: uPlot, latest: Latest) => {
  const { left, width } = plot.select
  if (width < 4) return
  latest.current.zoom({ from: plot.posToVal(left, 'x'), to: plot.posToVal(left + width, 'x') })
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
}

/** The wheel zooms around the cursor, Shift and drag moves, a double click shows twice as much. */
const addGestures = (plot: uPlot, latest: Latest) => {
  const scaled = (factor: number, middle: number) => {
    const { from, to } = latest.current.window
    latest.current.zoom({ from: middle - (middle - from) * factor, to: middle + (to - middle) * factor })
  }
  plot.over.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      scaled(event.deltaY < 0 ? 0.75 : 1.333, plot.posToVal(event.offsetX, 'x'))
    },
    { passive: false },
  )
  plot.over.addEventListener('dblclick', (event) => scaled(2, plot.posToVal(event.offsetX, 'x')))
  plot.over.addEventListener(
    'mousedown',
    (event) => {
      if (!event.shiftKey) return
      event.stopImmediatePropagation()
      const { from, to } = latest.current.window
      const begin = event.clientX
      const msPerPixel = (to - from) / plot.over.clientWidth
      const end = (up: MouseEvent) => {
        const moved = (begin - up.clientX) * msPerPixel
        latest.current.zoom({ from: from + moved, to: to + moved })
      }
      addEventListener('mouseup', end, { once: true })
    },
    { capture: true },
  )
}
