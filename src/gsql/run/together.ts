// Calls of one script that come while it is busy are asked together: a round trip costs this server and Postgres
// several times what one more small body does, and fleets push the same small body to the same script all day.
//
//   select q.*, x.n from unnest($1::text[], $2::text[]) with ordinality x(p1, p4, n) cross join lateral (...) q
//
// where ... is the statement itself, with x.p1 and x.p4 for the parameters that differ between calls. Each call thus
// has its own rows, limits and errors. If anything goes wrong, each is asked again by itself, so that nobody sees the
// error of another; and a call that takes longer than a query in company may is asked in a transaction with a limit of
// its own. Only for statements that read no streams: they see nothing but what they are given. A compiled script
// belongs to one organization, and so do the calls that are joined.
import type { Pool } from '../../base/database/sql.ts'
import { sqlCode } from '../../base/database/sql.ts'
import type { Emitted, Parameter } from '../emit/emitted.ts'
import { arrayText } from '../emit/postgres-array.ts'

export type BoundValue = string | boolean | null
export type OnRow = (raw: readonly unknown[]) => void
/** The ways to ask for a single call. */
export type Ways = {
  /** A single query, on a connection that nobody else uses meanwhile. */
  readonly single: <T>(work: (sql: Pool) => Promise<T>) => Promise<T>
  /** The statement in a transaction, within what is left of its time. */
  readonly alone: (onRow: OnRow) => Promise<void>
}
type Call = {
  readonly values: readonly BoundValue[]
  readonly onRow: OnRow
  readonly ways: Ways
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

type Statement = {
  readonly emitted: Emitted
  /** Made when there are several calls for the first time. */
  together: Together | undefined
  readonly waiting: Call[]
  running: number
  /** Whether the waiting calls are asked as soon as all calls that have arrived by now have joined them. */
  isBeginning: boolean
  /** Whether its last answer was small and fast: a slow or large one runs by itself, and holds nobody up. */
  isQuick: boolean
}

type Together = { readonly text: string; readonly differing: readonly number[]; readonly fixed: readonly number[] }

const mostAtOnce = 2
const mostTogether = 16
const mostCharacters = 16_384
const quickRows = 1000
const quickMs = 100
/**
 * The most values of an answer that is kept until it is whole: only rows that are handed over are charged to their
 * caller (memory.ts).
 */
const mostKeptValues = 100_000
const mostKeptCharacters = 1_000_000

const statements = new WeakMap<Emitted, Statement>()

export const askTogether = (
  emitted: Emitted,
  values: readonly BoundValue[],
  onRow: OnRow,
  ways: Ways,
): Promise<void> => {
  const statement = statementOf(emitted)
  const isLarge = emitted.text.length > mostCharacters || sizeOf(values) > mostCharacters
  if (!statement.isQuick || isLarge) return askAlone(statement, { values, onRow, ways })
  return new Promise((resolve, reject) => {
    statement.waiting.push({ values, onRow, ways, resolve, reject })
    if (statement.running < mostAtOnce && !statement.isBeginning) beginSoon(statement)
  })
}

/** Not at once: the first two of those that arrive together would each be asked alone, for as much as all the others. */
const beginSoon = (statement: Statement): void => {
  statement.isBeginning = true
  setImmediate(() => {
    statement.isBeginning = false
    void askWaiting(statement)
  })
}

const statementOf = (emitted: Emitted): Statement => {
  const known = statements.get(emitted)
  if (known) return known
  const statement: Statement = {
    emitted,
    together: undefined,
    waiting: [],
    running: 0,
    isBeginning: false,
    isQuick: true,
  }
  statements.set(emitted, statement)
  return statement
}

const sizeOf = (values: readonly BoundValue[]) =>
  values.reduce((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)

const differs = (parameter: Parameter): boolean =>
  parameter.kind === 'derived'
    ? parameter.of.some(({ kind }) => kind !== 'constant')
    : parameter.kind !== 'value' && parameter.kind !== 'most rows' && parameter.kind !== 'most bytes'

const togetherOf = ({ text, parameters }: Emitted): Together => {
  const all = parameters.map((_, index) => index)
  const differing = all.filter((index) => differs(parameters[index]!))
  const fixed = all.filter((index) => !differs(parameters[index]!))
  const places = new Map(fixed.map((index, place) => [index, place]))
  // unnest needs an array: one of nulls, where no parameter differs.
  const arrays = differing.length > 0 ? differing : [-1]
  const inner = text.replaceAll(/\$(\d+)::/g, (_, number: string) => {
    const place = places.get(Number(number) - 1)
    return place === undefined ? `x.p${number}::` : `$${arrays.length + place + 1}::`
  })
  const unnested = arrays.map((_, place) => `$${place + 1}::text[]`).join(', ')
  const names = arrays.map((index) => `p${index + 1}`).join(', ')
  return {
    text: `select q.*, x.n from unnest(${unnested}) with ordinality x(${names}, n) cross join lateral (${inner}) q`,
    differing: arrays,
    fixed,
  }
}

const askWaiting = async (statement: Statement): Promise<void> => {
  statement.running += 1
  while (statement.waiting.length > 0) {
    const calls = statement.waiting.splice(0, mostTogether)
    try {
      if (calls.length === 1 || !(await answeredTogether(statement, calls)))
        await Promise.all(calls.map((call) => askAlone(statement, call).then(call.resolve, call.reject)))
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }
  statement.running -= 1
}

/** False when something went wrong: nobody has been answered then. */
const answeredTogether = async (statement: Statement, calls: readonly Call[]): Promise<boolean> => {
  const { text, differing, fixed } = (statement.together ??= togetherOf(statement.emitted))
  const arrays = differing.map((index) => arrayText(calls.map(({ values }) => values[index] ?? null)))
  const values = [...arrays, ...fixed.map((index) => calls[0]!.values[index]!)]
  const rows: unknown[][][] = calls.map(() => [])
  const beganMs = performance.now()
  const keep = keepWhole((raw) => rows[((raw as unknown[]).pop() as number) - 1]!.push(raw as unknown[]))
  try {
    await calls[0]!.ways.single((sql) => sql.unsafe(text, values, { prepare: true }).values().forEach(keep.row))
  } catch {
    return false
  }
  statement.isQuick =
    keep.isWhole() && performance.now() - beganMs < quickMs && rows.every(({ length }) => length <= quickRows)
  if (!keep.isWhole()) return false
  for (const [index, call] of calls.entries()) handOver(call, rows[index]!)
  return true
}

/** An error of one call with its rows concerns none of the others. */
const handOver = ({ onRow, resolve, reject }: Call, rows: readonly (readonly unknown[])[]): void => {
  try {
    for (const row of rows) onRow(row)
    resolve()
  } catch (error) {
    reject(error)
  }
}

const askAlone = async (
  statement: Statement,
  { values, onRow, ways }: Pick<Call, 'values' | 'onRow' | 'ways'>,
): Promise<void> => {
  const beganMs = performance.now()
  let rows = 0
  const counted: OnRow = (raw) => {
    rows += 1
    onRow(raw)
  }
  try {
    if (!statement.isQuick || !(await answeredInTime(statement, values, counted, ways))) await ways.alone(counted)
  } finally {
    statement.isQuick = performance.now() - beganMs < quickMs && rows <= quickRows
  }
}

/** False when the answer took too long or was too large; then no row was handed over. */
const answeredInTime = async (
  { emitted }: Statement,
  values: readonly BoundValue[],
  onRow: OnRow,
  { single }: Ways,
): Promise<boolean> => {
  const rows: (readonly unknown[])[] = []
  const keep = keepWhole((raw) => rows.push(raw))
  try {
    await single((sql) =>
      sql
        .unsafe(emitted.text, [...values], preparing(emitted))
        .values()
        .forEach(keep.row),
    )
  } catch (error) {
    if (sqlCode(error) === '57014') return false
    throw error
  }
  if (!keep.isWhole()) return false
  for (const row of rows) onRow(row)
  return true
}

const keepWhole = (keep: OnRow) => {
  let values = 0
  let characters = 0
  const isWhole = () => values <= mostKeptValues && characters <= mostKeptCharacters
  return {
    row: (raw: readonly unknown[]): void => {
      values += raw.length
      for (const value of raw) if (typeof value === 'string') characters += value.length
      if (isWhole()) keep(raw)
    },
    isWhole,
  }
}

const asked = new WeakSet<Emitted>()

/** A statement asked once may never be asked again: the connection prepares it only the second time. */
export const preparing = (emitted: Emitted): { readonly prepare: boolean } => {
  const prepare = asked.has(emitted)
  asked.add(emitted)
  return { prepare }
}
