// Streams all of whose variables are samples: those of one shape, a fleet of one template as much as one stream, are
// worked out together, by a statement for up to so many samples.
import { shownMs } from '../sample/rows.ts'
import type { Span } from '../time/span.ts'
import { shapeName } from './definition.ts'
import type { CompiledExpression } from './expression.ts'
import { noteChanged, noteStale } from './progress.ts'
import type { Progress } from './progress.ts'
import { findStarts, slotsOf, statementOfWindows } from './statement.ts'
import type { Difference, Mode, Outcome, Window } from './statement.ts'
import { halves, isOver, isSearchOver, runStatement } from './work.ts'
import type { Ran, Work } from './work.ts'

/** A stream and times of it that are to be worked out. */
export type Piece = { readonly progress: Progress; readonly span: Span }

/** Windows that one statement has at most. */
const mostWindows = 1000

/** Of one shape, and of each stream in the order of time. Pieces that there is no time for are left. */
export const deriveBySamples = async (work: Work, pieces: readonly Piece[], mode: Mode): Promise<void> => {
  const [first] = pieces
  if (first === undefined) return
  const { definition } = first.progress
  const shape = shapeName(definition)
  const compiled = work.compiled(definition)
  const waiting = [...pieces].toReversed()
  // A request goes on by a piece each time, however slow.
  let mustGoOn = mode === 'rewrite'
  while (waiting.length > 0) {
    if (isOver(work) && !mustGoOn) {
      for (const piece of waiting) leave(piece, mode)
      return
    }
    mustGoOn = false
    const group = await takeGroup(work, waiting, work.paces.of(shape))
    const ran = await deriveGroup(work, compiled, group, mode)
    if (ran.kind === 'done') {
      work.paces.note(shape, true)
      continue
    }
    // It took too long: next time fewer at once, and if it was one, it is the expression's fault in the end.
    const isHopeless = work.paces.note(shape, false) && ran.kind === 'late'
    for (const piece of ran.rest)
      if (isBlocked(piece, mode)) continue
      else if (isHopeless) fail(await fromFirst(work, piece), mode, compiled.explain(late, work.statementMs)!)
      else leave(piece, mode)
  }
}

/** From its first sample on. */
const fromFirst = async (work: Work, { progress, span }: Piece): Promise<Piece> => {
  const [found] = await countSamples(work, [{ progress, span }], 0)
  const firstMs = found?.nextMs ?? null
  return { progress, span: [firstMs === null ? span[0] : Math.max(span[0], firstMs), span[1]] }
}

const late = Object.assign(new Error(), { code: '57014' })

export const isBlocked = ({ progress: { failed }, span }: Piece, mode: Mode): boolean =>
  mode !== 'compare' && failed !== undefined && span[0] >= failed.timeMs

export const leave = (piece: Piece, mode: Mode): void => {
  if (!isBlocked(piece, mode)) piece.progress.left = [...piece.progress.left, piece.span]
}

const windowOf = ({ progress: { definition }, span }: Piece): Window => ({
  key: definition.key,
  span,
  sourceKeys: slotsOf(definition).map(({ first }) => first.source.key),
})

/** The next pieces that have so many samples together; of a piece that has more, its first ones. */
const takeGroup = async (work: Work, waiting: Piece[], mostRows: number): Promise<readonly Piece[]> => {
  const some = waiting.slice(-mostWindows).toReversed()
  const isPoints = some.every(({ span }) => span[1] - span[0] <= 1)
  const counts =
    work.isSmall || (isPoints && some.length <= mostRows) ? undefined : await countSamples(work, some, mostRows)
  const group: Piece[] = []
  let rows = 0
  for (const [at, piece] of some.entries()) {
    const count = counts?.[at]
    if (group.length > 0 && rows + (count?.count ?? 1) > mostRows) break
    waiting.pop()
    rows += count?.count ?? 1
    if (count === undefined || count.nextMs === null) {
      group.push(piece)
      continue
    }
    const { progress, span } = piece
    group.push({ progress, span: [span[0], count.nextMs] })
    waiting.push({ progress, span: [count.nextMs, span[1]] })
    break
  }
  return group
}

type Count = {
  readonly n: number
  readonly count: number
  /** Times as shown: of the first sample beyond so many, of the first and of the last that were counted. */
  readonly nextMs: number | null
  readonly firstMs: number | null
  readonly lastMs: number | null
}

/** Of the first source of each piece: how many samples, up to one more than so many. */
const countSamples = async ({ sql }: Work, pieces: readonly Piece[], most: number): Promise<readonly Count[]> => {
  const windows = pieces.map(windowOf)
  const from = Math.min(...windows.map(({ span }) => span[0])) - 1
  const until = Math.max(...windows.map(({ span }) => span[1]))
  const counts = await sql<Count[]>`
    select n::integer, own.count::integer, own.next as "nextMs", own.first as "firstMs", own.last as "lastMs"
    from unnest(${windows.map(({ sourceKeys }) => sourceKeys[0]!)}::integer[],
      ${windows.map(({ span }) => span[0] - 1)}::timestamptz[],
      ${windows.map(({ span }) => span[1])}::timestamptz[]) with ordinality as given (key, low, high, n)
    cross join lateral (
      select count(*) as count, case when count(*) > ${most} then max(time) end as next, min(time) as first,
        max(time) as last
      from (
        select time
        from sample
        where stream_key = key and time >= low and time < high and time >= ${from} and time < ${until}
        order by time
        limit ${most + 1}
      ) as counted
    ) as own
    order by n`
  return counts.map(({ n, count, nextMs, firstMs, lastMs }, at) => {
    const { kind } = slotsOf(pieces[at]!.progress.definition)[0]!.first.source
    const shown = (ms: number | null) => (ms === null ? null : shownMs(kind, ms))
    return { n, count, nextMs: shown(nextMs), firstMs: shown(firstMs), lastMs: shown(lastMs) }
  })
}

/** 'late': it took too long. 'over': the time of all was over before the sample that fails was found. Both with what is left. */
type GroupDone = { readonly kind: 'done' } | { readonly kind: 'late' | 'over'; readonly rest: readonly Piece[] }

const groupDone: GroupDone = { kind: 'done' }

const deriveGroup = async (
  work: Work,
  compiled: CompiledExpression,
  group: readonly Piece[],
  mode: Mode,
): Promise<GroupDone> => {
  const pieces = group.filter((piece) => !isBlocked(piece, mode))
  if (pieces.length === 0) return groupDone
  const ran = await runPieces(work, compiled, pieces, mode)
  if (ran.kind === 'late') return { kind: 'late', rest: pieces }
  if (ran.kind === 'done') {
    settle(pieces, ran.rows, mode)
    return groupDone
  }
  // Some sample fails: half of the streams at a time, and then half of the time, until it is found.
  const parts = await halvesOf(work, pieces, mode)
  if (parts === undefined) {
    fail(pieces[0]!, mode, ran.message)
    work.done.steps += 1
    return groupDone
  }
  const shape = shapeName(pieces[0]!.progress.definition)
  for (const [at, part] of parts.entries()) {
    if (isOver(work) || isSearchOver(work, shape)) return { kind: 'over', rest: parts.slice(at).flat() }
    const done = await deriveGroup(work, compiled, part, mode)
    if (done.kind !== 'done') return { kind: done.kind, rest: [...done.rest, ...parts.slice(at + 1).flat()] }
  }
  return groupDone
}

/** Undefined: it is one sample. */
const halvesOf = async (
  work: Work,
  pieces: readonly Piece[],
  mode: Mode,
): Promise<readonly (readonly Piece[])[] | undefined> => {
  if (pieces.length > 1) {
    const middle = Math.ceil(pieces.length / 2)
    return [pieces.slice(0, middle), pieces.slice(middle)]
  }
  const [{ progress, span }] = pieces as [Piece]
  if (mode === 'compare' || span[1] - span[0] <= 1) return undefined
  const [found] = await countSamples(work, pieces, mostCounted)
  const firstMs = Math.max(span[0], found?.firstMs ?? span[0])
  // Samples stored before the first one, which should not be, are a part by themselves.
  if (firstMs > span[0]) return [[{ progress, span: [span[0], firstMs] }], [{ progress, span: [firstMs, span[1]] }]]
  const untilMs = found && found.lastMs !== null && found.nextMs === null ? found.lastMs + 1 : span[1]
  const halved = untilMs - firstMs > 1 ? halves([firstMs, untilMs]) : [[firstMs, untilMs] as const]
  return [...halved, ...(untilMs < span[1] ? [[untilMs, span[1]] as const] : [])].map((part) => [
    { progress, span: part },
  ])
}

/** No more are worked out at once. */
const mostCounted = 20_000

type Result = Outcome | Difference

const runPieces = async (
  work: Work,
  compiled: CompiledExpression,
  pieces: readonly Piece[],
  mode: Mode,
): Promise<Ran<Result>> => {
  const { definition } = pieces[0]!.progress
  const windows = pieces.map(windowOf)
  const starts = await findStarts(work.sql, definition, windows)
  const { nowMs, claimedUntilMs, heard } = work
  return runStatement<Result>(
    work,
    compiled,
    statementOfWindows({ definition, compiled, mode, nowMs, claimedUntilMs, heard }, windows, starts),
  )
}

const settle = (pieces: readonly Piece[], rows: readonly Result[], mode: Mode): void => {
  const byKey = new Map(pieces.map(({ progress }) => [progress.definition.key, progress]))
  for (const row of rows) settleRow(byKey.get(row.key)!, row, mode)
}

export const settleRow = (progress: Progress, row: Result, mode: Mode): void => {
  if (mode === 'compare') noteStale(progress, shownMs(progress.definition.kind, row.firstMs))
  else {
    noteChanged(progress, row.firstMs, (row as Outcome).lastMs)
    progress.samples += (row as Outcome).count
  }
}

/** A sample of the piece fails; what was to be compared may differ. */
export const fail = ({ progress, span }: Piece, mode: Mode, message: string): void => {
  if (mode === 'compare') {
    noteStale(progress, span[0])
    return
  }
  progress.failed = { timeMs: span[0], message }
  // One that comes before stays: there the stream stops.
  if (progress.error === undefined || progress.error.timeMs >= span[0]) progress.error = progress.failed
  progress.pendingMs = Math.max(progress.pendingMs ?? span[1], span[1])
}
