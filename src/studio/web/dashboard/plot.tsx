// The picture of a tile, by uPlot: as large as the tile, drawn on when samples come. The values under the cursor stand in
// the tile's legend.
import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import type { Series, Window } from '../chart/window.ts'
import { showTime } from '../time.ts'

export type Curve = { readonly label: string; readonly unit: string; readonly series: Series }

type Look = 'axes' | 'bare'

export const Plot = ({
  curves,
  window,
  zone,
  label,
  look = 'axes',
  isBars = false,
  point,
}: {
  readonly curves: readonly Curve[]
  readonly window: Window
  readonly zone: string
  readonly label: string
  readonly look?: Look
  readonly isBars?: boolean
  /** Called with the time and the values under the cursor, and without when it leaves. */
  readonly point?: (at?: { readonly time: string; readonly values: readonly (number | null)[] }) => void
}) => {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | undefined>(undefined)
  const latest = useRef({ window, point })
  latest.current = { window, point }
  const dark = useDarkness()
  const form = JSON.stringify([
    curves.map(({ label: name, unit, series }) => [name, unit, shapeOf(series)]),
    zone,
    look,
  ])
  useEffect(() => {
    const host = place.current!
    const made = new uPlot(optionsOf(curves, { zone, look, isBars, host, latest }), dataOf(curves), host)
    plot.current = made
    const watch = new ResizeObserver(() => made.setSize({ width: host.clientWidth, height: host.clientHeight }))
    watch.observe(host)
    return () => {
      watch.disconnect()
      made.destroy()
      plot.current = undefined
    }
  }, [form, dark, isBars])
  useEffect(() => plot.current?.setData(dataOf(curves)), [curves, window.to])
  return <div class="plot" ref={place} role="img" aria-label={label} />
}

/** What a plot is made for; its numbers may change. */
const shapeOf = ({ cycle, isInterval, least }: Series) => [cycle ?? '', isInterval, least !== undefined]

const darkness = matchMedia('(prefers-color-scheme: dark)')

/** Colours are drawn, so a picture is drawn anew when they change. */
const useDarkness = (): boolean => {
  const [isDark, setDark] = useState(darkness.matches)
  useEffect(() => {
    const follow = () => setDark(darkness.matches)
    darkness.addEventListener('change', follow)
    return () => darkness.removeEventListener('change', follow)
  }, [])
  return isDark
}

/** Nulls are gaps, times of the other curves are not. */
const dataOf = (curves: readonly Curve[]): uPlot.AlignedData => {
  const tables = curves.map(({ series: { times, values, least, most } }) => [
    [...times],
    [...values],
    ...(least && most ? [[...least], [...most]] : []),
  ]) as uPlot.AlignedData[]
  if (tables.length === 0) return [[]]
  return uPlot.join(
    tables,
    tables.map((table) => table.map(() => 1 as const)),
  )
}

export const colourOf = (index: number): string => `--series-${1 + (index % 6)}`

type Drawing = {
  readonly zone: string
  readonly look: Look
  readonly isBars: boolean
  readonly host: HTMLElement
  readonly latest: {
    readonly current: {
      readonly window: Window
      readonly point:
        | ((at?: { readonly time: string; readonly values: readonly (number | null)[] }) => void)
        | undefined
    }
  }
}

const optionsOf = (curves: readonly Curve[], { zone, look, isBars, host, latest }: Drawing): uPlot.Options => {
  const style = getComputedStyle(host)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const units = [...new Set(curves.map(({ unit }) => unit))]
  const series: uPlot.Series[] = [{}]
  const bands: uPlot.Band[] = []
  const main: number[] = []
  const stepped = uPlot.paths.stepped!({ align: -1 })
  const bars = uPlot.paths.bars!({ size: [0.7, 60], align: -1 })
  for (const [index, { unit, series: one }] of curves.entries()) {
    const stroke = colour(colourOf(index))
    const paths = isBars ? { paths: bars, fill: `${stroke}99` } : one.isInterval ? { paths: stepped } : {}
    const common = { scale: `y${unit}`, ...paths }
    main.push(series.length)
    const isLonely = one.cycle === undefined && one.times.length < 40 && look === 'axes'
    const width = look === 'bare' ? 1.5 : 1.75
    // There are six colours: further curves are dashed.
    const dash = index < 6 ? {} : { dash: [7, 5] }
    series.push({ ...common, ...dash, stroke, width, points: { show: isLonely, size: 4 } })
    if (!one.least || !one.most) continue
    const edge = { scale: `y${unit}`, ...(one.isInterval ? { paths: stepped } : {}), stroke: 'transparent' }
    series.push({ ...edge, points: { show: false } }, { ...edge, points: { show: false } })
    bands.push({ series: [series.length - 1, series.length - 2], fill: `${stroke}2e` })
  }
  return {
    width: host.clientWidth,
    height: host.clientHeight,
    ms: 1,
    tzDate: (time) => uPlot.tzDate(new Date(time), zone),
    legend: { show: false },
    series,
    bands,
    scales: {
      x: { time: true, range: () => [latest.current.window.from, latest.current.window.to] },
      ...Object.fromEntries(units.map((unit) => [`y${unit}`, { range: isBars ? fromZero : padded }])),
    },
    axes:
      look === 'bare'
        ? [{ show: false }, ...units.map(hiddenAxis)]
        : axesOf(units, colour, Number.parseFloat(style.fontSize) * 0.8),
    padding: look === 'bare' ? [2, 0, 2, 0] : [8, 8, 0, 0],
    cursor: look === 'bare' ? { show: false } : { drag: { x: false, y: false }, points: { size: 6 } },
    hooks: {
      setCursor: [
        (plot) => {
          const at = plot.cursor.idx
          if (at === null || at === undefined || (plot.cursor.left ?? -1) < 0) return latest.current.point?.()
          const time = plot.data[0][at]
          if (time === undefined) return latest.current.point?.()
          const values = main.map((n) => plot.data[n]?.[at] ?? null)
          return latest.current.point?.({ time: showTime(time, zone), values })
        },
      ],
    },
  }
}

const hiddenAxis = (unit: string): uPlot.Axis => ({ show: false, scale: `y${unit}` })

const axesOf = (units: readonly string[], colour: (name: string) => string, size: number): uPlot.Axis[] => {
  const colours = {
    stroke: colour('--quiet'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: `${size}px system-ui, sans-serif`,
  }
  return [
    { ...colours, space: 5.4 * size, size: 3.4 * size, grid: { show: false }, values: timeTexts },
    ...units.map((unit, index) => ({
      ...colours,
      scale: `y${unit}`,
      side: index % 2 === 0 ? 3 : 1,
      space: 34,
      grid: { ...colours.grid, show: index === 0 },
      values: (_: uPlot, ticks: number[]) => ticks.map((tick) => `${showNumber(tick)}${unit}`),
      size: (_: uPlot, values: string[]) =>
        14 + 0.55 * size * Math.max(2, ...(values ?? []).map(({ length }) => length)),
    })),
  ]
}

/** By the distance of ticks: the text of a tick, and what is added where a year, a month or a day begins. */
const timeTexts = (
  [
    [31_536_000_000, '{YYYY}', null, null],
    [2_419_200_000, '{MMM}', '\n{YYYY}', null],
    [86_400_000, '{D} {MMM}', '\n{YYYY}', null],
    [60_000, '{HH}:{mm}', '\n{D} {MMM}', '\n{D} {MMM}'],
    [1000, '{HH}:{mm}:{ss}', '\n{D} {MMM}', '\n{D} {MMM}'],
    [1, '{HH}:{mm}:{ss}.{fff}', '\n{D} {MMM}', '\n{D} {MMM}'],
  ] as const
).map(([step, text, year, day]) => [step, text, year, null, day, null, null, null, 1]) as uPlot.Axis.Values

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

export const showNumber = (value: number): string =>
  Number(value.toPrecision(6)).toLocaleString('en', { maximumFractionDigits: 8 })
