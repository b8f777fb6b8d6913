// Streams with variables that are statistics: their rows are collected, some at a time, and worked out by one statement.
import type { Span } from '../time/span.ts'
import { fail, isBlocked, leave, settleRow } from './by-samples.ts'
import type { Piece } from './by-samples.ts'
import { collectRows, rowsAtOnce } from './collect.ts'
import type { Collected } from './collect.ts'
import { fleetName, shapeName } from './definition.ts'
import { tookTooLong } from './expression.ts'
import { shownMs } from '../sample/rows.ts'
import { statementOfRows } from './statement.ts'
import type { Difference, GivenRows, Mode, Outcome } from './statement.ts'
import { isOver, isSearchOver, readInTime, runStatement } from './work.ts'
import type { Work } from './work.ts'

/** Streams of one shape. Those of a fleet are done together, unless one of them fails or takes too long. */
export const deriveByRows = async (work: Work, pieces: readonly Piece[], mode: Mode): Promise<void> => {
  const fleets = new Map<string, Piece[]>()
  for (const piece of pieces) {
    const name = fleetName(piece.progress.definition)
    const known = fleets.get(name)
    if (known) known.push(piece)
    else fleets.set(name, [piece])
  }
  for (const fleet of fleets.values())
    if (mode === 'append' && fleet.length > 1) await appendFleet(work, fleet)
    else for (const piece of fleet) await deriveOne(work, piece, mode)
}

const appendFleet = async (work: Work, pieces: readonly Piece[]): Promise<void> => {
  const { definition } = pieces[0]!.progress
  const shape = shapeName(definition)
  let waiting = pieces
  while (waiting.length > 0) {
    if (isOver(work)) {
      for (const piece of waiting) leave(piece, 'append')
      return
    }
    const pace = rowsAtOnce(definition, work.paces.of(shape))
    const some = firstOfEach(waiting).slice(0, pace)
    const wanted = some.map(({ progress, span }) => ({ definition: progress.definition, span }))
    // One alone has nobody to be tried with.
    const collected =
      some.length === 1
        ? undefined
        : await readInTime(work, () => collectRows(work.sql, wanted, Math.max(1, Math.floor(pace / some.length))))
    const isDone = collected !== undefined && (await appendTogether(work, some, collected))
    if (isDone) work.paces.note(shape, true)
    else if (some.length > 1 && isOver(work)) {
      // Nobody's turn was had. With fewer each time it comes to one alone, who has it.
      work.paces.note(shape, false)
      for (const piece of waiting) leave(piece, 'append')
      return
    } else for (const piece of some) await deriveOne(work, piece, 'append')
    const taken = new Set(some)
    const left = isDone
      ? some.map(({ progress, span }, n): Piece => ({ progress, span: [collected[n]!.reachedMs, span[1]] }))
      : []
    if (isDone) for (const [n, piece] of some.entries()) noteDone(work, piece, collected[n]!, 'append')
    waiting = [...left, ...waiting.filter((piece) => !taken.has(piece))].filter(
      (piece) => piece.span[0] < piece.span[1] && !isBlocked(piece, 'append'),
    )
  }
}

/** One piece of each stream at a time, in the order of time. */
const firstOfEach = (pieces: readonly Piece[]): readonly Piece[] => {
  const first = new Map<Piece['progress'], Piece>()
  for (const piece of pieces) if (!first.has(piece.progress)) first.set(piece.progress, piece)
  return [...first.values()]
}

/** False: an expression fails or takes too long, and nothing is stored. */
const appendTogether = async (
  work: Work,
  pieces: readonly Piece[],
  collected: readonly Collected[],
): Promise<boolean> => {
  const filled = collected.map(({ rows }) => rows).filter(({ timesMs }) => timesMs.length > 0)
  if (filled.length === 0) return true
  const { definition } = pieces[0]!.progress
  const compiled = work.compiled(definition)
  const { nowMs, claimedUntilMs, heard } = work
  const asked = { definition, compiled, mode: 'append', nowMs, claimedUntilMs, heard } as const
  const ran = await runStatement<Outcome>(work, compiled, statementOfRows(asked, filled))
  if (ran.kind !== 'done') return false
  const byKey = new Map(pieces.map(({ progress }) => [progress.definition.key, progress]))
  for (const row of ran.rows) settleRow(byKey.get(row.key)!, row, 'append')
  return true
}

const deriveOne = async (work: Work, { progress, span }: Piece, mode: Mode): Promise<void> => {
  const { definition } = progress
  const shape = shapeName(definition)
  let fromMs = span[0]
  // A request goes on by a piece each time, however slow.
  let mustGoOn = mode === 'rewrite'
  while (fromMs < span[1]) {
    const rest: Piece = { progress, span: [fromMs, span[1]] }
    if (isBlocked(rest, mode)) return
    if (isOver(work) && !mustGoOn) return leave(rest, mode)
    mustGoOn = false
    const most = rowsAtOnce(definition, work.paces.of(shape))
    const [collected] =
      (await readInTime(work, () => collectRows(work.sql, [{ definition, span: rest.span }], most))) ?? []
    const ran: RowsDone = collected ? await deriveRows(work, progress, collected.rows, mode) : { kind: 'late', fromMs }
    if (collected) noteDone(work, rest, collected, mode, ran.kind === 'done' ? undefined : ran.fromMs)
    if (ran.kind !== 'done') {
      const isHopeless = work.paces.note(shape, false) && ran.kind === 'late'
      if (!isHopeless) return leave({ progress, span: [ran.fromMs, span[1]] }, mode)
      const storedMs = collected?.rows.timesMs[0]
      const failedMs = Math.max(ran.fromMs, storedMs === undefined ? fromMs : shownMs(definition.kind, storedMs))
      return fail({ progress, span: [failedMs, span[1]] }, mode, tookTooLong(work.statementMs))
    }
    work.paces.note(shape, true)
    fromMs = collected!.reachedMs
  }
}

/**
 * Rows were worked out up to there, or all that were collected. A clock goes on behind them, also where it has stored
 * nothing. Where there were none, no statement has counted it.
 */
const noteDone = (
  work: Work,
  { progress, span }: Piece,
  { doneMs, reachedMs, rows }: Collected,
  mode: Mode,
  untilMs = Number.POSITIVE_INFINITY,
): void => {
  if (rows.timesMs.length === 0) work.done.steps += 1
  if (doneMs === undefined || mode === 'compare') return
  const wasMs = progress.touchedMs ?? span[0]
  if (span[1] > wasMs) progress.touchedMs = Math.max(wasMs, Math.min(doneMs, untilMs, progress.error?.timeMs ?? doneMs))
  // Sources that had come so far have lost samples.
  else if (reachedMs >= span[1] && doneMs < span[1]) progress.touchedMs = Math.min(wasMs, doneMs)
}

/** Why not all was done (GroupDone), and from where on. */
type RowsDone = { readonly kind: 'done' } | { readonly kind: 'late' | 'over'; readonly fromMs: number }

const rowsDone: RowsDone = { kind: 'done' }

const deriveRows = async (work: Work, progress: Piece['progress'], rows: GivenRows, mode: Mode): Promise<RowsDone> => {
  if (isBlocked({ progress, span: rows.span }, mode)) return rowsDone
  // Nothing is to be stored, but something may be to remove, or to be found that should not be there.
  if (rows.timesMs.length === 0 && mode === 'append') return rowsDone
  const { definition } = progress
  const compiled = work.compiled(definition)
  const { nowMs, claimedUntilMs, heard } = work
  const asked = { definition, compiled, mode, nowMs, claimedUntilMs, heard }
  const ran = await runStatement<Outcome | Difference>(work, compiled, statementOfRows(asked, [rows]))
  if (ran.kind === 'late') return { kind: 'late', fromMs: rows.span[0] }
  if (ran.kind === 'done') {
    for (const row of ran.rows) settleRow(progress, row, mode)
    return rowsDone
  }
  if (mode === 'compare' || rows.timesMs.length <= 1) {
    const timeMs = rows.timesMs[0]
    const failed: Span = timeMs === undefined ? rows.span : [shownMs(definition.kind, timeMs), rows.span[1]]
    // Stored samples before the failing one that should not be there are removed.
    if (mode === 'rewrite' && failed[0] > rows.span[0]) {
      const done = await deriveRows(work, progress, emptyRows(rows, [rows.span[0], failed[0]]), mode)
      if (done.kind !== 'done') return done
    }
    fail({ progress, span: mode === 'compare' ? rows.span : failed }, mode, ran.message)
    work.done.steps += 1
    return rowsDone
  }
  for (const half of halvesOf(rows, definition.kind)) {
    if (isOver(work) || isSearchOver(work, shapeName(definition))) return { kind: 'over', fromMs: half.span[0] }
    const done = await deriveRows(work, progress, half, mode)
    if (done.kind !== 'done') return done
  }
  return rowsDone
}

const emptyRows = ({ key, columns }: GivenRows, span: Span): GivenRows => ({
  key,
  span,
  timesMs: [],
  spans: [],
  columns: columns.map(() => []),
})

const halvesOf = (rows: GivenRows, kind: 'random' | 'interval' | 'point'): readonly GivenRows[] => {
  const middle = Math.ceil(rows.timesMs.length / 2)
  const middleMs = shownMs(kind, rows.timesMs[middle]!)
  const part = (from: number, until: number, span: Span): GivenRows => ({
    key: rows.key,
    span,
    timesMs: rows.timesMs.slice(from, until),
    spans: rows.spans.slice(from, until),
    columns: rows.columns.map((column) => column.slice(from, until)),
  })
  return [part(0, middle, [rows.span[0], middleMs]), part(middle, rows.timesMs.length, [middleMs, rows.span[1]])]
}
