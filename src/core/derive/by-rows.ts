// Streams with variables that are statistics: their rows are collected, some at a time, and worked out by one statement.
import type { Span } from '../time/span.ts'
import { fail, isBlocked, leave, settleRow } from './by-samples.ts'
import type { Piece } from './by-samples.ts'
import { collectRows } from './collect.ts'
import { shapeName } from './definition.ts'
import { shownMs } from '../sample/rows.ts'
import { statementOfRows } from './statement.ts'
import type { Difference, GivenRows, Mode, Outcome } from './statement.ts'
import { isOver, runStatement } from './work.ts'
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
    const { rows, reachedMs } = await collectRows(work.sql, definition, rest.span, work.paces.of(shape))
    const ran = await deriveRows(work, progress, rows, mode)
    if (ran === 'late') {
      const isOne = work.paces.of(shape) === 1
      work.paces.note(shape, false)
      const [storedMs, ...others] = rows.timesMs
      if (storedMs === undefined || others.length > 0 || !isOne) return leave(rest, mode)
      const message = `the expression takes longer than ${work.statementMs} ms`
      return fail({ progress, span: [shownMs(definition.kind, storedMs), span[1]] }, mode, message)
    }
    work.paces.note(shape, true)
    fromMs = reachedMs
  }
}

const deriveRows = async (
  work: Work,
  progress: Piece['progress'],
  rows: GivenRows,
  mode: Mode,
): Promise<'done' | 'late'> => {
  if (isBlocked({ progress, span: rows.span }, mode)) return 'done'
  // Nothing is to be stored, but something may be to remove, or to be found that should not be there.
  if (rows.timesMs.length === 0 && mode === 'append') return 'done'
  const { definition } = progress
  const compiled = work.compiled(definition)
  const { nowMs, claimedUntilMs, heard } = work
  const asked = { definition, compiled, mode, nowMs, claimedUntilMs, heard }
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
      if (done === 'late') return 'late'
    }
    fail({ progress, span: mode === 'compare' ? rows.span : failed }, mode, ran.message)
    return 'done'
  }
  for (const half of halvesOf(rows, definition.kind)) {
    const done = await deriveRows(work, progress, half, mode)
    if (done === 'late') return 'late'
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
