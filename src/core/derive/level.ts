// Derives streams that do not hang on each other, in the transaction given: finds out which of their samples are to be
// worked out, has it done, and writes down how far they are.
//
// Samples behind a stream's last one are stored. Those before it are only compared with the stored ones: the first that
// differs is where the stream is stale from. So nothing is marked by a sample that has been derived already, whoever
// did it first, and to do a piece of work twice does no harm.
import { Fault } from '../../base/errors.ts'
import { cutSpans, joinSpans, meetSpans } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import { affectedSpans } from './affected.ts'
import { lastMs as endOfTime } from '../../base/http/params.ts'
import { deriveByRows } from './by-rows.ts'
import { deriveBySamples } from './by-samples.ts'
import type { Piece } from './by-samples.ts'
import { shapeName } from './definition.ts'
import { findIncomplete, onlyDue } from './incomplete.ts'
import { noteStale, openProgress, openSpans } from './progress.ts'
import type { Progress } from './progress.ts'
import type { Mode } from './statement.ts'
import { isOver } from './work.ts'
import type { Work } from './work.ts'

/** A derived stream with something to do. */
export type Task = {
  readonly key: number
  /** Stored times of its sources that were touched. */
  readonly bySource: Map<number, readonly Span[]>
  /** Times of its own, as shown. */
  own: readonly Span[]
}

export const newTask = (key: number): Task => ({ key, bySource: new Map(), own: [] })

/** A stream that fails, of which nothing was touched. */
export const isOnlyToTry = ({ bySource, own }: Task): boolean => bySource.size === 0 && own.length === 0

export type LevelDone = {
  readonly progresses: readonly Progress[]
  /** Those that somebody else holds, or that there was no time for. */
  readonly left: readonly Task[]
}

export const deriveLevel = async (
  work: Work,
  tasks: readonly Task[],
  whenHeld: 'wait' | 'skip',
): Promise<LevelDone> => {
  const keys = tasks.map(({ key }) => key)
  const held = new Map((await work.hold(keys)).map((row) => [row.key, row]))
  // Asked once they are held: what is saved meanwhile waits for us.
  const definitions = new Map((await work.definitionsOf(work.sql, [...held.keys()])).map((each) => [each.key, each]))
  const progresses: Progress[] = []
  const appends: Piece[] = []
  const compares: Piece[] = []
  const due: Progress[] = []
  const left = tasks.filter(({ key }) => !held.has(key) && whenHeld === 'skip')
  for (const task of newsFirst(tasks)) {
    const [row, definition] = [held.get(task.key), definitions.get(task.key)]
    if (row === undefined || definition === undefined) continue
    // Finding its spans may take long, too. The first one has its turn, so that something is done.
    if (task.bySource.size > 0 && progresses.length > 0 && performance.now() > work.endAt) {
      left.push(task)
      continue
    }
    const progress = openProgress(definition, row)
    progresses.push(progress)
    const affected = openSpans(progress, await spansOf(work, progress, task))
    if (!canCompile(work, progress, affected)) continue
    divide(progress, affected, appends, compares)
    if (isDue(work, progress, affected)) due.push(progress)
  }
  await deriveAll(work, await onlyDue(work.sql, appends), 'append')
  await deriveAll(work, compares, 'compare')
  const { behind, untried } = await retry(work, due)
  await deriveAll(work, behind, 'append')
  // An upload takes no samples away.
  if (whenHeld === 'wait')
    for (const [progress, { timeMs }] of await findIncomplete(work.sql, progresses)) noteStale(progress, timeMs)
  await work.keep(progresses)
  for (const progress of progresses) {
    const { definition, left: spans } = progress
    if (spans.length > 0 || untried.has(progress)) left.push({ ...newTask(definition.key), own: joinSpans(spans) })
  }
  return { progresses, left }
}

/** Those that were only left before may have a great many samples, and others would wait for them. */
const newsFirst = (tasks: readonly Task[]): readonly Task[] =>
  tasks.toSorted((a, b) => Number(a.bySource.size === 0) - Number(b.bySource.size === 0))

/** An expression that was right when it was saved may not be by what it is about now. */
const canCompile = (work: Work, progress: Progress, affected: readonly Span[]): boolean => {
  try {
    work.compiled(progress.definition)
    return true
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const [first] = affected
    const firstMs = Math.max(first?.[0] ?? progress.error?.timeMs ?? work.nowMs, progress.lastMs + 1)
    const timeMs = Math.min(progress.error?.timeMs ?? firstMs, firstMs)
    progress.error = { timeMs, message: error.message }
    if (first) progress.touchedMs = Math.min(progress.touchedMs ?? first[0], first[0])
    progress.pendingMs = Math.max(progress.pendingMs ?? timeMs + 1, affected.at(-1)?.[1] ?? timeMs + 1)
    return false
  }
}

const spansOf = async (
  { sql }: Work,
  { definition, lastMs }: Progress,
  { bySource, own }: Task,
): Promise<readonly Span[]> => {
  const spans = [...own]
  for (const [source, touched] of bySource)
    for (const span of await affectedSpans(sql, definition, source, touched, lastMs)) spans.push(span)
  return joinSpans(spans)
}

/** Spans behind the last sample are appended; those before it are compared, unless they are stale anyway. */
const divide = (progress: Progress, spans: readonly Span[], appends: Piece[], compares: Piece[]): void => {
  const { lastMs, staleMs, error, definition } = progress
  const [first] = spans
  if (first === undefined) return
  const behind: Span = [lastMs + 1, Number.POSITIVE_INFINITY]
  const waiting: Span = [error?.timeMs ?? Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  // Before this a clock at the ends of cycles is done, but for what was touched.
  const doneMs = definition.shape === 'clocked' && definition.calendar === undefined ? progress.touchedMs : undefined
  progress.touchedMs = doneMs ?? Math.min(progress.touchedMs ?? first[0], first[0])
  // A clock goes on by itself, from where it was, as far as all variables have samples.
  const goesOn = definition.shape === 'clocked' && spans.at(-1)![1] > lastMs + 1
  const restMs = Math.max(lastMs + 1, progress.touchedMs)
  const appended = goesOn
    ? openSpans(progress, [
        ...(doneMs === undefined ? [] : meetSpans(spans, [[lastMs + 1, restMs]])),
        [restMs, endOfTime + 1],
      ])
    : meetSpans(spans, [behind])
  for (const span of cutSpans(appended, [waiting])) appends.push({ progress, span })
  // Behind a sample that fails nothing is derived before that one is.
  const untilMs = appended.at(-1)?.[1]
  if (untilMs !== undefined) progress.pendingMs = Math.max(progress.pendingMs ?? untilMs, untilMs)
  const before: Span = [Number.NEGATIVE_INFINITY, Math.min(lastMs + 1, staleMs ?? Number.POSITIVE_INFINITY)]
  for (const span of meetSpans(spans, [before])) compares.push({ progress, span })
}

/** How often a sample that takes too long is tried, unless it is touched: it takes as long each time. */
export const retryLateAfterMs = 10_000

const isDue = ({ nowMs }: Work, { error, triedMs, wasLate }: Progress, affected: readonly Span[]): boolean =>
  error !== undefined &&
  (!wasLate ||
    nowMs - triedMs >= retryLateAfterMs ||
    meetSpans(affected, [[error.timeMs, error.timeMs + 1]]).length > 0)

type Retried = { readonly behind: readonly Piece[]; readonly untried: ReadonlySet<Progress> }

/** Those that failed are tried with the sample that they failed at; gives what waited behind it, if that is past. */
const retry = async (work: Work, progresses: readonly Progress[]): Promise<Retried> => {
  const behind: Piece[] = []
  const untried = new Set<Progress>()
  let isFirst = true
  for (const progress of progresses) {
    const { error, pendingMs } = progress
    if (error === undefined || error.message !== undefined || pendingMs === undefined) continue
    // One of them has its turn, however much else there is to do.
    if (isOver(work) && !isFirst) {
      untried.add(progress)
      continue
    }
    isFirst = false
    progress.error = undefined
    const { timeMs } = error
    const { left } = progress
    await deriveAll({ ...work, endAt: Number.POSITIVE_INFINITY }, [{ progress, span: [timeMs, timeMs + 1] }], 'append')
    if (progress.left.length > left.length) {
      // It took too long, which may be the machine's fault: it stays as it is until the next time.
      progress.left = left
      progress.error = error
      continue
    }
    if (progress.error === undefined && pendingMs > timeMs + 1) behind.push({ progress, span: [timeMs + 1, pendingMs] })
  }
  return { behind, untried }
}

/** Streams of one shape together, in the order given; the pieces of each are in the order of time. */
export const deriveAll = async (work: Work, pieces: readonly Piece[], mode: Mode): Promise<void> => {
  const shapes = new Map<string, Piece[]>()
  for (const piece of pieces) {
    const name = shapeName(piece.progress.definition)
    const known = shapes.get(name)
    if (known) known.push(piece)
    else shapes.set(name, [piece])
  }
  for (const same of shapes.values())
    if (same[0]!.progress.definition.shape === 'samples') await deriveBySamples(work, same, mode)
    else await deriveByRows(work, same, mode)
}
