// The lines of a chart on uPlot's canvas, each from its own times: samples as a line, intervals as steps from their start
// to their end, the band between least and most behind them; totals as bars, texts as a strip of states. Gaps stay empty.
import type uPlot from 'uplot'
import type { Series, Window } from './window.ts'
import { seenIn, startOf, statesOf } from './item.ts'

export type Line = {
  readonly series: Series
  readonly scale: string
  readonly colour: string
  readonly isDashed: boolean
  /** Which of how many bars of each interval; undefined: a line. */
  readonly bar?: readonly [index: number, count: number] | undefined
}

/** `colours` are those of states, `width` that of lines in CSS pixels. */
export type Pens = { readonly colours: readonly string[]; readonly card: string; readonly width: number }

export const drawLines = (plot: uPlot, lines: readonly Line[], window: Window, pens: Pens): void => {
  const { ctx, bbox } = plot
  // A page that is not laid out yet has no room beside its axes. A drawing that fails there would be the last one.
  if (bbox.width <= 0 || bbox.height <= 0) return
  const ratio = bbox.width / Math.max(1, plot.over.clientWidth)
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  ctx.lineJoin = 'round'
  for (const line of lines) {
    if (line.series.texts) continue
    const pen = penOf(plot, line, window)
    if (line.bar) fillBars(ctx, line, pen)
    else {
      if (line.series.least && line.series.most) fillBand(ctx, line, pen)
      strokeLine(ctx, line, pen, pens.width * ratio)
      if (!line.series.isInterval) drawDots(ctx, line, pen, ratio)
    }
  }
  const states = lines.filter(({ series }) => series.texts)
  for (const [lane, { series }] of states.entries())
    drawStates(plot, series, window, pens, { ratio, bottom: bbox.top + bbox.height - lane * stateHeight * ratio })
  ctx.restore()
}

type Pen = {
  readonly x: (ms: number) => number
  readonly y: (value: number) => number
  readonly seen: readonly [number, number]
}

const penOf = (plot: uPlot, { series, scale }: Line, window: Window): Pen => ({
  x: (ms) => plot.valToPos(ms, 'x', true),
  y: (value) => plot.valToPos(value, scale, true),
  seen: seenIn(series, window),
})

/** Runs of items without a gap between them: the first and the last of each. */
const runsOf = (series: Series, [first, last]: readonly [number, number]): readonly (readonly [number, number])[] => {
  const runs: [number, number][] = []
  let isOpen = false
  for (let index = first; index <= last; index += 1) {
    if (series.values[index] === null) {
      isOpen = false
      continue
    }
    const isNext = isOpen && !(series.starts && startOf(series, index) > series.times[index - 1]!)
    if (isNext) runs.at(-1)![1] = index
    else runs.push([index, index])
    isOpen = true
  }
  return runs
}

/** The corners of a run: of steps two for each item. */
const trace = (
  { series }: Line,
  values: readonly (number | null)[],
  [first, last]: readonly [number, number],
  { x, y }: Pen,
  to: (x: number, y: number) => void,
): void => {
  for (let index = first; index <= last; index += 1) {
    const value = values[index]
    if (value === null || value === undefined) continue
    const height = y(value)
    if (series.isInterval) to(x(startOf(series, index)), height)
    to(x(series.times[index]!), height)
  }
}

const strokeLine = (ctx: CanvasRenderingContext2D, line: Line, pen: Pen, width: number): void => {
  ctx.strokeStyle = line.colour
  ctx.lineWidth = width
  ctx.setLineDash(line.isDashed ? [4 * width, 2.3 * width] : [])
  ctx.beginPath()
  for (const run of runsOf(line.series, pen.seen)) {
    let isFirst = true
    trace(line, line.series.values, run, pen, (x, y) => {
      if (isFirst) ctx.moveTo(x, y)
      else ctx.lineTo(x, y)
      isFirst = false
    })
  }
  ctx.stroke()
  ctx.setLineDash([])
}

const fillBand = (ctx: CanvasRenderingContext2D, line: Line, pen: Pen): void => {
  ctx.fillStyle = `${line.colour}30`
  for (const run of runsOf(line.series, pen.seen)) {
    const back: [number, number][] = []
    trace(line, line.series.least!, run, pen, (x, y) => back.push([x, y]))
    ctx.beginPath()
    trace(line, line.series.most!, run, pen, (x, y) => ctx.lineTo(x, y))
    for (const [x, y] of back.toReversed()) ctx.lineTo(x, y)
    ctx.fill()
  }
}

/** Samples are marked where there is room for it, and one that stands alone always: it has no line. */
const roomForDots = 9

const drawDots = (ctx: CanvasRenderingContext2D, line: Line, pen: Pen, ratio: number): void => {
  const { series } = line
  const [first, last] = pen.seen
  const isRoomy = (last - first + 1) * roomForDots * ratio < ctx.canvas.width
  ctx.fillStyle = line.colour
  for (const [from, to] of runsOf(series, pen.seen)) {
    if (!isRoomy && from < to) continue
    for (let index = from; index <= to; index += 1) {
      ctx.beginPath()
      ctx.arc(pen.x(series.times[index]!), pen.y(series.values[index]!), 2.4 * ratio, 0, 2 * Math.PI)
      ctx.fill()
    }
  }
}

/** The part of an interval that its bars take together. */
const barShare = 0.72

const fillBars = (ctx: CanvasRenderingContext2D, { series, colour, bar }: Line, { x, y, seen }: Pen): void => {
  const [first, last] = seen
  const [place, count] = bar!
  const ground = y(0)
  ctx.fillStyle = `${colour}c0`
  for (let index = first; index <= last; index += 1) {
    const value = series.values[index]
    if (value === null || value === undefined) continue
    const [start, end] = [x(startOf(series, index)), x(series.times[index]!)]
    const width = ((end - start) * barShare) / count
    const left = start + ((end - start) * (1 - barShare)) / 2 + place * width
    ctx.fillRect(left, Math.min(ground, y(value)), Math.max(1, width * 0.94), Math.abs(ground - y(value)))
  }
}

/** In CSS pixels, of one stream of texts. */
export const stateHeight = 30

const drawStates = (
  plot: uPlot,
  series: Series,
  { to }: Window,
  { colours, card }: Pens,
  { ratio, bottom }: { readonly ratio: number; readonly bottom: number },
): void => {
  const { ctx, bbox } = plot
  const { times, texts = [] } = series
  const places = new Map(statesOf(series).map((text, place) => [text, place]))
  const height = (stateHeight - 6) * ratio
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  ctx.font = `600 ${12 * ratio}px system-ui, sans-serif`
  for (const [index, text] of texts.entries()) {
    const left = Math.max(bbox.left, plot.valToPos(times[index]!, 'x', true))
    const right = Math.min(
      bbox.left + bbox.width,
      plot.valToPos(times[index + 1] ?? Math.min(to, Date.now()), 'x', true),
    )
    if (right <= left) continue
    ctx.fillStyle = colours[places.get(text)! % colours.length]!
    ctx.fillRect(left, bottom - height, Math.max(1, right - left - ratio), height)
    const room = right - left - 12 * ratio
    if (room < 24 * ratio || ctx.measureText(text).width > room) continue
    ctx.fillStyle = card
    ctx.fillText(text, left + 6 * ratio, bottom - height / 2)
  }
}
