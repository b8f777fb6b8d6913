// The means of deriving in a transaction, and running one statement of it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Transaction } from '../../base/database/sql.ts'
import { sqlCode } from '../../base/database/sql.ts'
import type { Heard } from '../sample/gate.ts'
import type { Span } from '../time/span.ts'
import type { Definition } from './definition.ts'
import type { CompiledExpression } from './expression.ts'
import type { Memory } from './memory.ts'
import type { Held, Progress } from './progress.ts'
import type { Statement } from './statement.ts'

/** Tools that all deriving in a process shares. */
export type Tools = {
  readonly compiled: (definition: Definition) => CompiledExpression
  readonly paces: Paces
}

export type Work = Tools & {
  readonly sql: Transaction
  readonly claimedUntilMs: number
  readonly heard: Heard
  readonly nowMs: number
  /** When what is left is left to the next transaction, by performance.now(). */
  readonly endAt: number
  /** Time that a statement may take. */
  readonly statementMs: number
  /** Whether so little was touched that nobody need count it. */
  readonly isSmall: boolean
  /** Whether a statement that fails may end all that was done: whoever began it does it again, with care. */
  readonly isTrusting: boolean
  readonly usersOf: Memory['usersOf']
  readonly definitionsOf: Memory['definitionsOf']
  readonly hold: (keys: readonly number[]) => Promise<readonly Held[]>
  readonly keep: (progresses: readonly Progress[]) => Promise<void>
}

/** A statement failed where none was expected to. */
export class Distrusted extends Error {}

export const isOver = ({ endAt }: Pick<Work, 'endAt'>): boolean => performance.now() > endAt

/** How many samples of a shape of streams are worked out at once: fewer, where that took too long. */
export type Paces = { readonly of: (shape: string) => number; readonly note: (shape: string, isFast: boolean) => void }

const mostRows = 20_000
const mostShapes = 1000

export const openPaces = (): Paces => {
  const slow = new Map<string, number>()
  const of = (shape: string) => slow.get(shape) ?? mostRows
  return {
    of,
    note: (shape, isFast) => {
      if (isFast && !slow.has(shape)) return
      const rows = isFast ? of(shape) * 2 : Math.max(1, Math.floor(of(shape) / 8))
      if (rows >= mostRows) slow.delete(shape)
      else slow.set(shape, rows)
      if (slow.size > mostShapes) slow.clear()
    },
  }
}

/** The end of a statement: its rows, or why its expression failed, or that its time was over. */
export type Ran<Row> =
  | { readonly kind: 'done'; readonly rows: readonly Row[] }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'late' }

/** In a savepoint: if it fails by its expression, the transaction goes on. */
export const runStatement = async <Row extends object>(
  { sql, statementMs, isTrusting }: Work,
  compiled: CompiledExpression,
  { text, values }: Statement,
): Promise<Ran<Row>> => {
  // Texts are prepared that are likely to come again; the others would only fill the connection.
  const prepare = text.length < 6000
  if (isTrusting)
    try {
      const rows = await sql.unsafe<Row[]>(text, values as (string | number)[], { prepare })
      return { kind: 'done', rows }
    } catch (error) {
      throw compiled.explain(error, statementMs) === undefined ? error : new Distrusted()
    }
  await nextTurn()
  await sql`savepoint derived`
  try {
    const rows = await sql.unsafe<Row[]>(text, values as (string | number)[], { prepare })
    await sql`release savepoint derived`
    return { kind: 'done', rows }
  } catch (error) {
    const message = compiled.explain(error, statementMs)
    if (message === undefined) throw error
    await sql`rollback to savepoint derived`
    return sqlCode(error) === '57014' ? { kind: 'late' } : { kind: 'failed', message }
  }
}

/** Settings of a transaction that derives: plans are made for the times at hand, and nothing runs for long. Gives the usual limit. */
export const settleTransaction = async (sql: Transaction, statementMs: number): Promise<string> => {
  const [row] = await sql<[{ usual: string }]>`
    select current_setting('statement_timeout') as usual, set_config('plan_cache_mode', 'force_custom_plan', true), set_config('jit', 'off', true),
      set_config('statement_timeout', ${String(statementMs)}, true)`
  return row.usual
}

export const halves = ([fromMs, untilMs]: Span): readonly [Span, Span] => {
  const middleMs = fromMs + Math.floor((untilMs - fromMs) / 2)
  return [
    [fromMs, middleMs],
    [middleMs, untilMs],
  ]
}
