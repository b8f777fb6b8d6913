// The one drawing of curves, on the page of a chart, in the tiles of a dashboard and beside figures: uPlot has the axes,
// one for each unit, and the cursor; draw.ts the lines. A new window is drawn at once, with what is there already; new
// data when it comes. Time is that of the component's zone (ticks.ts).
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { drawLines, stateHeight } from './draw.ts'
import type { Line } from './draw.ts'
import { addGestures, windowAfterKey } from './gestures.ts'
import { extremesIn, shownNumber } from './item.ts'
import { ticksOf } from './ticks.ts'
import { addTip } from './tip.ts'
import type { Drawn, Window } from './window.ts'
import { offsetText } from './zone.ts'

/** `page` as high as its width asks for, `tile` as large as its place, `bare` so, too, without axes and cursor. */
export type Look = 'page' | 'tile' | 'bare'

export type PlotOf = {
  readonly drawn: readonly Drawn[]
  /** Labels of those that are not drawn; each keeps its colour. */
  readonly hidden?: ReadonlySet<string>
  readonly window: Window
  readonly zone: string
  readonly label: string
  readonly look?: Look
  readonly isBars?: boolean
  /** Undefined: it stands still. */
  readonly zoom?: ((window: Window) => void) | undefined
}

type Latest = Required<Pick<PlotOf, 'drawn' | 'hidden' | 'window' | 'zone' | 'isBars' | 'look'>> & Pick<PlotOf, 'zoom'>
type LatestOf = { readonly current: Latest }

const nothing: ReadonlySet<string> = new Set()

export const Plot = (props: PlotOf) => {
  const { drawn, hidden = nothing, window, zone, label, look = 'page', isBars = false, zoom } = props
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | undefined>(undefined)
  const isDark = useDark()
  const latest = useRef<Latest>(undefined!)
  latest.current = { drawn, hidden, window, zone, isBars, look, zoom }
  const units = unitsOf(drawn)
  const isStates = isOfTexts({ drawn })
  useEffect(() => {
    const host = place.current!
    const sizeOf = () => ({
      width: host.clientWidth,
      height: look === 'page' ? heightFor(host.clientWidth, latest.current.drawn) : host.clientHeight,
    })
    const made = new uPlot(optionsOf(host, units, sizeOf(), latest), dataOf(latest.current, units), host)
    plot.current = made
    const watch = new ResizeObserver(() => made.setSize(sizeOf()))
    watch.observe(host)
    return () => {
      watch.disconnect()
      made.destroy()
      plot.current = undefined
    }
  }, [JSON.stringify(units), isStates && drawn.length, zone, isDark, look, isBars, zoom === undefined])
  useEffect(() => plot.current?.setData(dataOf(latest.current, units)), [drawn, hidden, window.from, window.to])
  const press = (event: KeyboardEvent) => {
    const next = event.ctrlKey || event.metaKey || event.altKey ? undefined : windowAfterKey(event.key, window)
    if (!next || !zoom) return
    event.preventDefault()
    zoom(next)
  }
  const keyboard = zoom ? { tabIndex: 0, onKeyDown: press } : {}
  const kind = look !== 'page' ? 'plot' : isStates ? 'picture states' : 'picture'
  return <div class={kind} ref={place} role="img" aria-label={label} {...keyboard} />
}

/** Strips of states need their own height and that of the time axis. */
const heightFor = (width: number, drawn: readonly Drawn[]) =>
  isOfTexts({ drawn }) ? drawn.length * stateHeight + 110 : Math.max(240, Math.min(460, Math.round(width * 0.42)))

/** There are six colours: further curves are dashed. */
const colourCount = 6

export const colourOf = (index: number): string => `--series-${1 + (index % colourCount)}`

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

/** Texts have no unit, and need no axis; a chart has one at least. */
const unitsOf = (drawn: readonly Drawn[]): readonly string[] => {
  const units = [...new Set(drawn.filter(({ series }) => !series.texts).map(({ unit }) => unit))]
  return units.length > 0 ? units : ['']
}

/** Of each unit the least and the most that is seen, by which uPlot scales its axis; the lines are drawn by draw.ts. */
const dataOf = ({ drawn, hidden, window }: Latest, units: readonly string[]): uPlot.AlignedData => [
  [window.from, window.to],
  ...units.map((unit): (number | null)[] => {
    const shown = drawn.filter((one) => one.unit === unit && !hidden.has(one.label))
    const seen = shown.map(({ series }) => extremesIn(series, window)).filter((one) => one !== undefined)
    if (seen.length === 0) return [null, null]
    return [Math.min(...seen.map(([low]) => low)), Math.max(...seen.map(([, high]) => high))]
  }),
]

const family = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif'

const optionsOf = (
  host: HTMLElement,
  units: readonly string[],
  size: { readonly width: number; readonly height: number },
  latest: LatestOf,
): uPlot.Options => {
  const { look, isBars, zone, zoom } = latest.current
  const style = getComputedStyle(host)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const colours = Array.from({ length: colourCount }, (_, index) => colour(colourOf(index)))
  // Walls are looked at from afar: the letters of tiles grow with them.
  const pixels = look === 'page' ? 12 : Number.parseFloat(style.fontSize) * 0.8
  const font = `${pixels}px ${family}`
  const pens = { colours, card: colour('--card'), width: look === 'bare' ? 1.5 : 1.75 }
  const shown = () =>
    latest.current.drawn.flatMap((one, index) =>
      latest.current.hidden.has(one.label)
        ? []
        : [{ ...one, colour: colours[index % colourCount]!, index, window: latest.current.window }],
    )
  const lines = (): readonly Line[] => {
    const all = shown()
    return all.map(({ series, unit, colour: own, isOverlay, index }, at) => ({
      series,
      scale: scaleOf(unit),
      colour: own,
      isDashed: isOverlay === true || index >= colourCount,
      bar: isBars ? [at, all.length] : undefined,
    }))
  }
  const axis: uPlot.Axis = {
    show: look !== 'bare',
    stroke: colour('--quiet'),
    font,
    labelFont: font,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: look === 'page' ? { stroke: colour('--line'), size: 5 } : { show: false },
  }
  const side = 4 + widthOf('2026-12-30', font) / 2
  const beside: uPlot.PaddingSide = (_, at, hasAxis) => (hasAxis[at] ? 0 : side)
  return {
    ...size,
    series: [{}, ...units.map((unit) => ({ scale: scaleOf(unit), paths: () => null, points: { show: false } }))],
    scales: {
      x: { time: false, range: () => [latest.current.window.from, latest.current.window.to] },
      ...Object.fromEntries(
        units.map((unit) => [scaleOf(unit), { range: aboveStates(rangeOf(look, isBars), size, latest) }]),
      ),
    },
    axes: [
      timeAxis(axis, pixels, latest),
      ...units.map((unit, n) => valueAxis(unit, n, { axis, pixels, width: size.width, side }, latest)),
    ],
    // Half of a date has room beside its mark: in an axis of values, or where none stands.
    padding: look === 'bare' ? [2, 0, 2, 0] : [look === 'page' ? null : 8, beside, null, beside],
    legend: { show: false },
    cursor:
      look === 'bare'
        ? { show: false }
        : { drag: { x: zoom !== undefined, y: false, setScale: false }, points: { show: false }, y: false },
    hooks: {
      setSelect: [(plot) => zoomToSelection(plot, latest)],
      // The page may know of a new unit while the plot without its axis is drawn a last time.
      draw: [
        (plot) =>
          drawLines(
            plot,
            lines().filter(({ scale }) => plot.scales[scale]),
            latest.current.window,
            pens,
          ),
      ],
      ready: [
        (plot) => {
          if (look === 'bare') return
          if (zoom) addGestures(plot, { window: () => latest.current.window, zoom: (to) => latest.current.zoom?.(to) })
          addTip(plot, zone, () => shown())
        },
      ],
    },
  }
}

const widthOf = (text: string, font: string): number => {
  const context = new OffscreenCanvas(1, 1).getContext('2d')!
  context.font = font
  return context.measureText(text).width
}

/** The marks of one picture, of which uPlot asks for the places and the texts; on a chart's own page it names the zone. */
const timeAxis = (axis: uPlot.Axis, pixels: number, latest: LatestOf): uPlot.Axis => {
  const ticks = (plot: uPlot) => {
    const { window, zone } = latest.current
    return ticksOf(window, zone, plot.over.clientWidth / (7.4 * pixels))
  }
  const isNamed = latest.current.look === 'page'
  return {
    ...axis,
    splits: (plot) => [...ticks(plot).times],
    values: (plot) => [...ticks(plot).labels],
    size: isNamed ? 44 : 3.4 * pixels,
    gap: 4,
    ...(isNamed && {
      label: () => `${latest.current.zone} (UTC${offsetText(latest.current.window.to, latest.current.zone)})`,
      labelSize: 20,
      labelGap: 2,
    }),
  }
}

/** On a phone there is room for two; the values at the cursor have all units. */
const roomForAxes = 520

/** Of a longer one the legend alone has the letters: beside every number it would leave no room for the curve. */
const longestUnit = 12

const valueAxis = (
  unit: string,
  index: number,
  {
    axis,
    pixels,
    width,
    side,
  }: { readonly axis: uPlot.Axis; readonly pixels: number; readonly width: number; readonly side: number },
  latest: LatestOf,
): uPlot.Axis => {
  const beside = unit.length > longestUnit ? '' : unit
  return {
    ...axis,
    show: axis.show === true && (index < 2 || width >= roomForAxes),
    scale: scaleOf(unit),
    side: index % 2 === 0 ? 3 : 1,
    space: 34,
    grid: { ...axis.grid, show: index === 0 },
    // Without a number there is nothing to measure.
    values: (_, ticks) => ticks.map((tick) => (isOfTexts(latest.current) ? '' : `${shownNumber(tick)}${beside}`)),
    size: (_, values) =>
      Math.max(side, 18 + 0.55 * pixels * Math.max(0, ...(values ?? []).map(({ length }) => length))),
  }
}

const isOfTexts = ({ drawn }: Pick<Latest, 'drawn'>) => drawn.length > 0 && drawn.every(({ series }) => series.texts)

const scaleOf = (unit: string) => `y${unit}`

const zoomToSelection = (plot: uPlot, latest: LatestOf) => {
  const { left, width } = plot.select
  if (width < 4) return
  latest.current.zoom?.({ from: plot.posToVal(left, 'x'), to: plot.posToVal(left + width, 'x') })
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
}

/** As uPlot does without being asked: a tenth more, to a round number. */
const round: uPlot.Range.Function = (_, least, most) =>
  least === null || most === null ? [null, null] : uPlot.rangeNum(least, most, 0.1, true)

const rangeOf = (look: Look, isBars: boolean) => (look === 'page' ? round : isBars ? fromZero : padded)

/** Strips of states stand at the bottom: the curves stay above them. */
const aboveStates =
  (range: uPlot.Range.Function, size: { readonly height: number }, latest: LatestOf): uPlot.Range.Function =>
  (plot, ...given) => {
    const [low, high] = range(plot, ...given)
    if (low === null || high === null) return [low, high]
    const { drawn, hidden } = latest.current
    const lanes = drawn.filter(({ series, label }) => series.texts && !hidden.has(label)).length
    const share = Math.min(0.6, (lanes * stateHeight) / Math.max(1, plot.over?.clientHeight || size.height - 70))
    return lanes === 0 ? [low, high] : [Math.max(-8e307, low - (high - low) * (share / (1 - share))), high]
  }

/** A little room above and below; a constant has a line in the middle. */
const padded: uPlot.Range.Function = (_, least, most) => {
  if (least === null || most === null) return [0, 1]
  const room = most > least ? (most - least) * 0.08 : Math.abs(most) * 0.1 || 1
  return [least - room, most + room].map((edge) => Math.max(-8e307, Math.min(8e307, edge))) as [number, number]
}

const fromZero: uPlot.Range.Function = (_, least, most) => {
  const [low, high] = [Math.min(0, least ?? 0), Math.max(0, most ?? 0)]
  return low === high ? [0, 1] : [low * 1.08, high * 1.08]
}
