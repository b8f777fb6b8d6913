// The plan by which a window of cycle intervals is read, for one stream: from tiles of days and hours where these are ready
// and not stale, from the archive where samples are gone, and from samples for the rest: the latest hours, times that
// were touched lately, and hours that an edge of the cycle cuts. Pure.
import type { Calendar } from '../time/calendar.ts'
import type { TileCoverage } from './reader.ts'
import { ceilTo, cutSpans, floorTo, joinSpans, meetSpans, touchedSteps, wholeSteps } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import { dayMs, dayPhaseOf, hourMs, hourPhaseOf, mainPhase, phaseOf } from './tile.ts'
import type { Phase } from './tile.ts'

export type TileSpans = {
  readonly table: string
  readonly spans: readonly Span[]
  /** Whether edges may lie inside of its tiles: then a tile counts where all of its samples lie in one interval. */
  readonly isCut: boolean
}

export type Plan = {
  readonly tiles: readonly TileSpans[]
  readonly samples: readonly Span[]
}

/** Edges are those of the window, its start and end included. */
export const planWindow = (calendar: Calendar, edges: readonly number[], coverage: TileCoverage): Plan => {
  const window: Span = [edges[0]!, edges.at(-1)!]
  const archived = meetSpans([window], coverage.archived)
  const live = cutSpans([window], archived)
  const parts = usesTiles(calendar)
    ? phaseRuns(edges, coverage).map(([phase, run]) => planRun(phase, run, live, coverage))
    : []
  const spansOf = new Map<string, Span[]>()
  const add = (table: string, spans: readonly Span[]) => {
    const known = spansOf.get(table)
    if (known) known.push(...spans)
    else spansOf.set(table, [...spans])
  }
  for (const { phase, days, hours } of parts) {
    add(phase.dayTable, days)
    add(phase.hourTable, hours)
  }
  const tiles = [...spansOf].map(([table, spans]): TileSpans => ({ table, spans: joinSpans(spans), isCut: false }))
  const covered = joinSpans(tiles.flatMap(({ spans }) => spans))
  const archive: TileSpans = { table: 'archive', spans: archived, isCut: true }
  return { tiles: [archive, ...tiles].filter(({ spans }) => spans.length > 0), samples: cutSpans(live, covered) }
}

/** Intervals shorter than an hour, or that cut hours all the time, have nothing from tiles. */
export const usesTiles = ({ fixed }: Calendar) =>
  fixed === undefined || (fixed.lengthMs % hourMs === 0 && phaseOf(fixed.originMs) !== undefined)

/** The edges in runs whose days begin at the same time of the day; in the days of most zones that changes twice a year. */
const phaseRuns = (edges: readonly number[], { readyUntilMs }: TileCoverage): [Phase, number[]][] => {
  const runs: [Phase, number[]][] = []
  for (const [index, edge] of edges.entries()) {
    const isOfDays = (edges[index + 1] ?? edge) - edge >= dayMs
    const wanted = [isOfDays ? dayPhaseOf(edge) : undefined, phaseOf(edge)]
    const phase = wanted.find((each) => each && readyUntilMs.has(each)) ?? mainPhase
    const run = runs.at(-1)
    run?.[1].push(edge)
    if (run?.[0] !== phase && index < edges.length - 1) runs.push([phase, [edge]])
  }
  return runs
}

const planRun = (phase: Phase, edges: readonly number[], live: readonly Span[], coverage: TileCoverage) => {
  const { offsetMs } = phase
  const ready = (of: Phase): readonly Span[] => {
    const untilMs = coverage.readyUntilMs.get(of)
    return untilMs === undefined ? [] : [[Number.NEGATIVE_INFINITY, untilMs]]
  }
  const run = meetSpans(meetSpans(live, [[edges[0]!, edges.at(-1)!]]), ready(hourPhaseOf(phase)))
  const cut = edges.filter((edge) => floorTo(edge, offsetMs, hourMs) !== edge).map((edge): Span => [edge, edge + 1])
  const holes = touchedSteps(joinSpans([...coverage.stale, ...cut]), offsetMs, hourMs)
  const whole = wholeSteps(cutSpans(run, holes), offsetMs, hourMs)
  const inside: Span[] = []
  for (let at = 1; at < edges.length; at += 1) {
    const fromMs = ceilTo(edges[at - 1]!, offsetMs, dayMs)
    const untilMs = floorTo(edges[at]!, offsetMs, dayMs)
    if (fromMs < untilMs) inside.push([fromMs, untilMs])
  }
  const days = wholeSteps(meetSpans(meetSpans(joinSpans(inside), whole), ready(phase)), offsetMs, dayMs)
  return { phase, days, hours: cutSpans(whole, days) }
}
