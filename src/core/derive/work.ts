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
import type { Statement } from './parameters.ts'

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
  /** Statements that came to their end or took too long, samples found to fail, times found to be without any. */
  readonly done: { steps: number }
  /** Time that a statement with an expression may take, and others. */
  readonly statementMs: number
  readonly usualMs: number
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

/**
 * Not before something was done, however slow the machine is. A statement that only fails is nothing yet: the search for
 * the sample that it fails at goes on with half of it each time.
 */
export const isOver = ({ endAt, done }: Pick<Work, 'endAt' | 'done'>): boolean =>
  done.steps > 0 && performance.now() > endAt

/** A search takes some twice as long as its first statement, unless one sample takes all the time: then the next has fewer. */
export const isSearchOver = ({ endAt, statementMs, paces }: Work, shape: string): boolean =>
  paces.of(shape) > 1 && performance.now() > endAt + 2 * statementMs

/** How many samples of a shape of streams are worked out at once: fewer, where that took too long. */
export type Paces = {
  readonly of: (shape: string) => number
  /** True: one sample alone took too long, again and again. Once may be the machine's fault. */
  readonly note: (shape: string, isFast: boolean) => boolean
}

/** As many take some 60 ms, and whoever derives is inside the write gate meanwhile. */
const mostRows = 5_000
const mostShapes = 1000
const mostLate = 5

export const openPaces = (): Paces => {
  const slow = new Map<string, { readonly rows: number; readonly late: number }>()
  const of = (shape: string) => slow.get(shape)?.rows ?? mostRows
  return {
    of,
    note: (shape, isFast) => {
      const before = slow.get(shape)
      if (isFast && before === undefined) return false
      const rows = isFast ? of(shape) * 2 : Math.max(1, Math.floor(of(shape) / 8))
      const late = !isFast && before?.rows === 1 ? before.late + 1 : 0
      if (rows >= mostRows) slow.delete(shape)
      else slow.set(shape, { rows, late })
      if (slow.size > mostShapes) slow.clear()
      return late >= mostLate
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
  work: Work,
  compiled: CompiledExpression,
  { text, values }: Statement,
): Promise<Ran<Row>> => {
  const { sql, statementMs, isTrusting, done } = work
  // Texts are prepared that are likely to come again; the others would only fill the connection.
  const run = () => sql.unsafe<Row[]>(text, values as (string | number)[], { prepare: text.length < 6000 })
  if (isTrusting)
    try {
      const rows = await run()
      done.steps += 1
      return { kind: 'done', rows }
    } catch (error) {
      throw compiled.explain(error, statementMs) === undefined ? error : new Distrusted()
    }
  await nextTurn()
  const ran = await withLimit(work, statementMs, run, (error) => compiled.explain(error, statementMs))
  if (ran.kind === 'done') done.steps += 1
  return ran
}

/** Rows that are only read for an expression may take longer. */
const readingMs = 1000

/** Undefined: it took too long. */
export const readInTime = async <Row extends object>(
  work: Work,
  read: () => Promise<Row>,
): Promise<Row | undefined> => {
  if (work.isTrusting) return read()
  const limitMs = Math.max(work.statementMs, readingMs)
  const ran = await withLimit(
    work,
    limitMs,
    async () => [await read()],
    (error) => (sqlCode(error) === '57014' ? '' : undefined),
  )
  return ran.kind === 'done' ? ran.rows[0] : undefined
}

const withLimit = async <Row>(
  { sql, usualMs, done }: Work,
  limitMs: number,
  run: () => Promise<readonly Row[]>,
  explain: (error: unknown) => string | undefined,
): Promise<Ran<Row>> => {
  const limit = (ms: number) => sql`select set_config('statement_timeout', ${String(ms)}, true)`
  await Promise.all([sql`savepoint derived`, limit(limitMs)])
  try {
    const rows = await run()
    await Promise.all([sql`release savepoint derived`, limit(usualMs)])
    return { kind: 'done', rows }
  } catch (error) {
    const message = explain(error)
    if (message === undefined) throw error
    // Settings made behind the savepoint go with it.
    await sql`rollback to savepoint derived`
    if (sqlCode(error) !== '57014') return { kind: 'failed', message }
    done.steps += 1
    return { kind: 'late' }
  }
}

/** The settings that a transaction has again when it has derived. */
export type Usual = { readonly statementTimeout: string; readonly lockTimeout: string }

/**
 * Settings of a transaction that derives: plans are made for the times at hand, nothing runs for long, and with `lockMs` nothing waits for
 * longer. Gives the usual limits.
 */
export const settleTransaction = async (sql: Transaction, statementMs: number, lockMs?: number): Promise<Usual> => {
  const [usual] = await sql<[Usual]>`
    select current_setting('statement_timeout') as "statementTimeout", current_setting('lock_timeout') as "lockTimeout",
      set_config('plan_cache_mode', 'force_custom_plan', true), set_config('jit', 'off', true),
      set_config('statement_timeout', ${String(statementMs)}, true),
      set_config('lock_timeout', coalesce(${lockMs === undefined ? null : String(lockMs)}, current_setting('lock_timeout')), true)`
  return usual
}

export const restoreLimits = (sql: Transaction, { statementTimeout, lockTimeout }: Usual) =>
  sql`select set_config('statement_timeout', ${statementTimeout}, true), set_config('lock_timeout', ${lockTimeout}, true)`

export const halves = ([fromMs, untilMs]: Span): readonly [Span, Span] => {
  const middleMs = fromMs + Math.floor((untilMs - fromMs) / 2)
  return [
    [fromMs, middleMs],
    [middleMs, untilMs],
  ]
}
