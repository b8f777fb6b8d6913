// The drawing of a chart: uPlot has the axes, one for each unit, and the cursor; draw.ts the lines. A new window is drawn
// at once, with what is there already; new data when it comes. Time is that of the component's zone (ticks.ts).
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { drawLines } from './draw.ts'
import type { Line } from './draw.ts'
import { addGestures, windowAfterKey } from './gestures.ts'
import { extremesIn, shownNumber } from './item.ts'
import { texts } from '../texts.ts'
import { ticksOf } from './ticks.ts'
import { addTip } from './tip.ts'
import type { Drawn, Window } from './window.ts'
import { offsetText } from './zone.ts'

export type { Drawn } from './window.ts'

export const Picture = ({
  drawn,
  window,
  zone,
  zoom,
  height,
}: {
  readonly drawn: readonly Drawn[]
  readonly window: Window
  readonly zone: string
  readonly zoom: (window: Window) => void
  /** In pixels; else it goes by the width. */
  readonly height?: number
}) => {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | undefined>(undefined)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const isDark = useDark()
  const shown = useMemo(() => drawn.filter(({ label }) => !hidden.has(label)), [drawn, hidden])
  const latest = useRef<Latest>(undefined!)
  latest.current = { drawn: shown, all: drawn, window, zone, zoom }
  const units = [...new Set(drawn.map(({ unit }) => unit))]
  useEffect(() => {
    const host = place.current!
    const sizeOf = () => ({ width: host.clientWidth, height: height ?? heightFor(host.clientWidth) })
    const made = new uPlot(optionsOf(units, sizeOf(), latest), dataOf(latest.current, units), host)
    plot.current = made
    const watch = new ResizeObserver(() => made.setSize(sizeOf()))
    watch.observe(host)
    return () => {
      watch.disconnect()
      made.destroy()
    }
  }, [JSON.stringify(units), zone, isDark, height])
  useEffect(() => plot.current?.setData(dataOf(latest.current, units)), [shown, window.from, window.to])
  const press = (event: KeyboardEvent) => {
    const next = event.ctrlKey || event.metaKey || event.altKey ? undefined : windowAfterKey(event.key, window)
    if (!next) return
    event.preventDefault()
    zoom(next)
  }
  const toggle = (label: string) =>
    setHidden((before) => new Set(before.has(label) ? [...before].filter((one) => one !== label) : [...before, label]))
  return (
    <div class="chart">
      <div
        class="picture"
        ref={place}
        role="img"
        tabIndex={0}
        aria-label={`${drawn.map(({ label }) => label).join(', ')}. ${texts.chart.zone(zone)}`}
        onKeyDown={press}
      />
      <ul class="legend">
        {drawn.map(({ label, unit, isOverlay }, index) => (
          <li key={label}>
            <button class="bare" aria-pressed={!hidden.has(label)} onClick={() => toggle(label)}>
              <span class={`swatch series-${1 + (index % 6)} ${isOverlay ? 'dashed' : ''}`} />
              {label}
              {unit.trim() !== '' && <span class="quiet">{unit}</span>}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

type Latest = {
  readonly drawn: readonly Drawn[]
  /** The hidden ones, too: each keeps its colour. */
  readonly all: readonly Drawn[]
  readonly window: Window
  readonly zone: string
  readonly zoom: (window: Window) => void
}
type LatestOf = { readonly current: Latest }

const heightFor = (width: number) => Math.max(240, Math.min(460, Math.round(width * 0.42)))

/** The colours of the canvas are asked for when it is made: it is made anew when they change. */
const useDark = (): boolean => {
  const query = useMemo(() => matchMedia('(prefers-color-scheme: dark)'), [])
  const [isDark, setDark] = useState(query.matches)
  useEffect(() => {
    const follow = () => setDark(query.matches)
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])
  return isDark
}

/** Of each unit the least and the most that is seen, by which uPlot scales its axis; the lines are drawn by draw.ts. */
const dataOf = ({ drawn, window }: Latest, units: readonly string[]): uPlot.AlignedData => [
  [window.from, window.to],
  ...units.map((unit): (number | null)[] => {
    const all = drawn.filter((one) => one.unit === unit).map(({ series }) => extremesIn(series, window))
    const seen = all.filter((one) => one !== undefined)
    if (seen.length === 0) return [null, null]
    return [Math.min(...seen.map(([low]) => low)), Math.max(...seen.map(([, high]) => high))]
  }),
]

const font = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif'

const optionsOf = (
  units: readonly string[],
  size: { readonly width: number; readonly height: number },
  latest: LatestOf,
): uPlot.Options => {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const colourOf = (one: Drawn) => colour(`--series-${1 + (latest.current.all.indexOf(one) % 6)}`)
  const lines = (): readonly Line[] =>
    latest.current.drawn.map((one) => ({
      series: one.series,
      scale: scaleOf(one.unit),
      colour: colourOf(one),
      isDashed: one.isOverlay ?? false,
    }))
  const axis: uPlot.Axis = {
    stroke: colour('--quiet'),
    font,
    labelFont: font,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), size: 5 },
  }
  return {
    ...size,
    series: [{}, ...units.map((unit) => ({ scale: scaleOf(unit), paths: () => null, points: { show: false } }))],
    scales: { x: { time: false, range: () => [latest.current.window.from, latest.current.window.to] } },
    axes: [timeAxis(axis, latest), ...units.map((unit, index) => valueAxis(unit, index, axis, size.width))],
    legend: { show: false },
    cursor: { drag: { x: true, y: false, setScale: false }, points: { show: false }, y: false },
    hooks: {
      setSelect: [(plot) => zoomToSelection(plot, latest)],
      draw: [(plot) => drawLines(plot, lines(), latest.current.window)],
      ready: [
        (plot) => {
          const { current } = latest
          addGestures(plot, { window: () => latest.current.window, zoom: (next) => latest.current.zoom(next) })
          addTip(plot, current.zone, () =>
            latest.current.drawn.map((one) => ({ ...one, colour: colourOf(one), window: latest.current.window })),
          )
        },
      ],
    },
  }
}

/** The marks of one picture, of which uPlot asks for the places and the texts. */
const timeAxis = (axis: uPlot.Axis, latest: LatestOf): uPlot.Axis => {
  const ticks = (plot: uPlot) => {
    const { window, zone } = latest.current
    return ticksOf(window, zone, plot.over.clientWidth / 88)
  }
  const { zone } = latest.current
  return {
    ...axis,
    splits: (plot) => [...ticks(plot).times],
    values: (plot) => [...ticks(plot).labels],
    size: 44,
    gap: 4,
    label: `${zone} (UTC${offsetText(latest.current.window.to, zone)})`,
    labelSize: 20,
    labelGap: 2,
  }
}

/** On a phone there is room for two; the values at the cursor have all units. */
const roomForAxes = 520

const valueAxis = (unit: string, index: number, axis: uPlot.Axis, width: number): uPlot.Axis => ({
  ...axis,
  show: index < 2 || width >= roomForAxes,
  scale: scaleOf(unit),
  side: index % 2 === 0 ? 3 : 1,
  grid: { ...axis.grid, show: index === 0 },
  values: (_, ticks) => ticks.map((tick) => `${shownNumber(tick)}${unit}`),
  size: (_, values) => 18 + 6.6 * Math.max(3, ...(values ?? []).map(({ length }) => length)),
})

const scaleOf = (unit: string) => `y${unit}`

const zoomToSelection = (plot: uPlot, latest: LatestOf) => {
  const { left, width } = plot.select
  if (width < 4) return
  latest.current.zoom({ from: plot.posToVal(left, 'x'), to: plot.posToVal(left + width, 'x') })
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
}
