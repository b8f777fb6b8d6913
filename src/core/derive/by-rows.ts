// Streams with variables that are statistics: their rows are collected, some at a time, and worked out by one statement.
import type { Span } from '../time/span.ts'
import { fail, isBlocked, leave, settleRow } from './by-samples.ts'
import type { Piece } from './by-samples.ts'
import { collectRows } from './collect.ts'
import { shapeName } from './definition.ts'
import { tookTooLong } from './expression.ts'
import { shownMs } from '../sample/rows.ts'
import { statementOfRows } from './statement.ts'
import type { Difference, GivenRows, Mode, Outcome } from './statement.ts'
import { isOver, readInTime, runStatement } from './work.ts'
import type { Work } from './work.ts'

export const deriveByRows = async (work: Work, { progress, span }: Piece, mode: Mode): Promise<void> => {
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
    const collected = await readInTime(work, () => collectRows(work.sql, definition, rest.span, work.paces.of(shape)))
    const ran = collected ? await deriveRows(work, progress, collected.rows, mode) : 'late'
    if (ran !== 'done') {
      const isHopeless = work.paces.note(shape, false) && ran === 'late'
      if (!isHopeless) return leave(rest, mode)
      const storedMs = collected?.rows.timesMs[0]
      const failedMs = storedMs === undefined ? fromMs : shownMs(definition.kind, storedMs)
      return fail({ progress, span: [failedMs, span[1]] }, mode, tookTooLong(work.statementMs))
    }
    work.paces.note(shape, true)
    fromMs = collected!.reachedMs
  }
}

const deriveRows = async (
  work: Work,
  progress: Piece['progress'],
  rows: GivenRows,
  mode: Mode,
): Promise<'done' | 'late' | 'over'> => {
  if (isBlocked({ progress, span: rows.span }, mode)) return 'done'
  // Nothing is to be stored, but something may be to remove, or to be found that should not be there.
  if (rows.timesMs.length === 0 && mode === 'append') return 'done'
  const { definition } = progress
  const compiled = work.compiled(definition)
  const { nowMs, claimedUntilMs } = work
  const asked = { definition, compiled, mode, nowMs, claimedUntilMs }
  const ran = await runStatement<Outcome | Difference>(work, compiled, statementOfRows(asked, rows))
  if (ran.kind === 'late') return 'late'
  if (ran.kind === 'done') {
    for (const row of ran.rows) settleRow(progress, row, mode)
    return 'done'
  }
  if (mode === 'compare' || rows.timesMs.length <= 1) {
    const timeMs = rows.timesMs[0]
    const failed: Span = timeMs === undefined ? rows.span : [shownMs(definition.kind, timeMs), rows.span[1]]
    // Stored samples before the failing one that should not be there are removed.
    if (mode === 'rewrite' && failed[0] > rows.span[0]) {
      const done = await deriveRows(work, progress, emptyRows(rows, [rows.span[0], failed[0]]), mode)
      if (done !== 'done') return done
    }
    fail({ progress, span: mode === 'compare' ? rows.span : failed }, mode, ran.message)
    return 'done'
  }
  for (const half of halvesOf(rows, definition.kind)) {
    if (isOver(work) && work.paces.of(shapeName(definition)) > 1) return 'over'
    const done = await deriveRows(work, progress, half, mode)
    if (done !== 'done') return done
  }
  return 'done'
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
