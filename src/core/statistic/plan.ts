// The plan by which a window of cycle intervals is read, for one stream: from tiles of days and hours where these are ready
// and not stale, from the archive where samples are gone, and from samples for the rest: the latest hours, times that
// were touched lately, and hours that an edge of the cycle cuts. Pure.
import type { Calendar } from '../time/calendar.ts'
import type { TileCoverage } from './reader.ts'
import { ceilTo, cutSpans, floorTo, joinSpans, meetSpans, touchedSteps, wholeSteps } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import { dayMs, hourMs, phaseOf, phases } from './tile.ts'
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
  const tiles = phases.flatMap((phase) => {
    const own = parts.filter((part) => part.phase === phase)
    return [
      { table: phase.dayTable, spans: joinSpans(own.flatMap(({ days }) => days)), isCut: false },
      { table: phase.hourTable, spans: joinSpans(own.flatMap(({ hours }) => hours)), isCut: false },
    ]
  })
  const covered = joinSpans(tiles.flatMap(({ spans }) => spans))
  const archive: TileSpans = { table: 'archive', spans: archived, isCut: true }
  return { tiles: [archive, ...tiles].filter(({ spans }) => spans.length > 0), samples: cutSpans(live, covered) }
}

/** Intervals shorter than an hour, or that cut hours all the time, have nothing from tiles. */
export const usesTiles = ({ fixed }: Calendar) =>
  fixed === undefined || (fixed.lengthMs % hourMs === 0 && phaseOf(fixed.originMs) !== undefined)

/** The edges in runs whose hours begin at the same minute; in Lord Howe's days that changes twice a year. */
const phaseRuns = (edges: readonly number[], { readyUntilMs }: TileCoverage): [Phase, number[]][] => {
  const runs: [Phase, number[]][] = []
  for (const [index, edge] of edges.entries()) {
    const wanted = phaseOf(edge)
    const phase = wanted && readyUntilMs.has(wanted) ? wanted : phases[0]!
    const run = runs.at(-1)
    run?.[1].push(edge)
    if (run?.[0] !== phase && index < edges.length - 1) runs.push([phase, [edge]])
  }
  return runs
}

const planRun = (phase: Phase, edges: readonly number[], live: readonly Span[], coverage: TileCoverage) => {
  const { offsetMs } = phase
  const ready: Span = [Number.NEGATIVE_INFINITY, coverage.readyUntilMs.get(phase) ?? Number.NEGATIVE_INFINITY]
  const run = meetSpans(meetSpans(live, [[edges[0]!, edges.at(-1)!]]), [ready])
  const cut = edges.filter((edge) => floorTo(edge, offsetMs, hourMs) !== edge).map((edge): Span => [edge, edge + 1])
  const holes = touchedSteps(joinSpans([...coverage.stale, ...cut]), offsetMs, hourMs)
  const whole = wholeSteps(cutSpans(run, holes), offsetMs, hourMs)
  const inside: Span[] = []
  for (let at = 1; at < edges.length; at += 1) {
    const fromMs = ceilTo(edges[at - 1]!, offsetMs, dayMs)
    const untilMs = floorTo(edges[at]!, offsetMs, dayMs)
    if (fromMs < untilMs) inside.push([fromMs, untilMs])
  }
  const days = wholeSteps(meetSpans(joinSpans(inside), whole), offsetMs, dayMs)
  return { phase, days, hours: cutSpans(whole, days) }
}
