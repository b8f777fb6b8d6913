// Calls of one script that come while it is busy are asked together: a round trip costs this server and Postgres
// several times what one more small body does, and fleets push the same small body to the same script all day.
//
//   select q.*, x.n from unnest($1::text[], $2::text[]) with ordinality x(p1, p4, n) cross join lateral (...) q
//
// where ... is the statement itself, with x.p1 and x.p4 for what differs between calls. Each call thus has its own
// rows, limits and errors. If anything goes wrong, each is asked again by itself, so that nobody sees the error of
// another; and who takes longer than the connections that calls share allow, alone on a connection of its own. Only for statements that read no streams: they see nothing but what they are given.
import type { Pool } from '../base/sql.ts'
import { sqlCode } from '../base/sql.ts'
import type { Emitted, Parameter } from './emit.ts'
import { arrayText } from './postgres-array.ts'

export type BoundValue = string | boolean | null
type OnRow = (raw: readonly unknown[]) => void
/** Asks it on a connection of its own, within what is left of its time. */
type Alone = (onRow: OnRow) => Promise<void>
type Call = {
  readonly values: readonly BoundValue[]
  readonly onRow: OnRow
  readonly alone: Alone
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

type Statement = {
  readonly emitted: Emitted
  readonly together: { readonly text: string; readonly differing: readonly number[]; readonly fixed: readonly number[] }
  readonly waiting: Call[]
  running: number
  /** Whether its last answer was small and fast: what is not runs by itself, and holds nobody up. */
  isQuick: boolean
}

const mostAtOnce = 2
const mostTogether = 16
const mostCharacters = 16_384
const quickRows = 1000
const quickMs = 100

const statements = new WeakMap<Pool, WeakMap<Emitted, Statement>>()

export const askTogether = (
  pool: Pool,
  emitted: Emitted,
  values: readonly BoundValue[],
  onRow: OnRow,
  alone: Alone,
): Promise<void> => {
  const statement = statementOf(pool, emitted)
  if (!statement.isQuick || sizeOf(values) > mostCharacters) return askAlone(pool, statement, { values, onRow, alone })
  return new Promise((resolve, reject) => {
    statement.waiting.push({ values, onRow, alone, resolve, reject })
    if (statement.running < mostAtOnce) void askWaiting(pool, statement)
  })
}

const statementOf = (pool: Pool, emitted: Emitted): Statement => {
  const known = statements.get(pool) ?? new WeakMap<Emitted, Statement>()
  statements.set(pool, known)
  const found = known.get(emitted) ?? {
    emitted,
    together: togetherOf(emitted),
    waiting: [],
    running: 0,
    isQuick: true,
  }
  known.set(emitted, found)
  return found
}

const sizeOf = (values: readonly BoundValue[]) =>
  values.reduce((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)

const differs = (parameter: Parameter): boolean =>
  parameter.kind === 'derived'
    ? parameter.of.some(({ kind }) => kind !== 'constant')
    : parameter.kind !== 'value' && parameter.kind !== 'most rows' && parameter.kind !== 'most bytes'

const togetherOf = ({ text, parameters }: Emitted): Statement['together'] => {
  const all = parameters.map((_, index) => index)
  const differing = all.filter((index) => differs(parameters[index]!))
  const fixed = all.filter((index) => !differs(parameters[index]!))
  // unnest wants an array; of what all share, one will do.
  const arrays = differing.length > 0 ? differing : [-1]
  const inner = text.replaceAll(/\$(\d+)::/g, (_, number: string) => {
    const index = Number(number) - 1
    const place = fixed.indexOf(index)
    return place < 0 ? `x.p${number}::` : `$${arrays.length + place + 1}::`
  })
  const unnested = arrays.map((_, place) => `$${place + 1}::text[]`).join(', ')
  const names = arrays.map((index) => `p${index + 1}`).join(', ')
  return {
    text: `select q.*, x.n from unnest(${unnested}) with ordinality x(${names}, n) cross join lateral (${inner}) q`,
    differing: arrays,
    fixed,
  }
}

const askWaiting = async (pool: Pool, statement: Statement): Promise<void> => {
  statement.running += 1
  while (statement.waiting.length > 0) {
    const calls = statement.waiting.splice(0, mostTogether)
    if (calls.length === 1 || !(await answeredTogether(pool, statement, calls)))
      await Promise.all(calls.map((call) => askAlone(pool, statement, call).then(call.resolve, call.reject)))
  }
  statement.running -= 1
}

/** False when something went wrong: nobody has been told anything then. */
const answeredTogether = async (pool: Pool, statement: Statement, calls: readonly Call[]): Promise<boolean> => {
  const { text, differing, fixed } = statement.together
  const arrays = differing.map((index) => arrayText(calls.map(({ values }) => values[index] ?? null)))
  const rows: unknown[][][] = calls.map(() => [])
  const beganMs = performance.now()
  try {
    await pool
      .unsafe(text, [...arrays, ...fixed.map((index) => calls[0]!.values[index]!)], { prepare: true })
      .values()
      .forEach((raw) => {
        const call = (raw as unknown[]).pop() as number
        rows[call - 1]!.push(raw as unknown[])
      })
  } catch {
    return false
  }
  statement.isQuick = performance.now() - beganMs < quickMs && rows.every(({ length }) => length <= quickRows)
  for (const [index, { onRow, resolve }] of calls.entries()) {
    for (const row of rows[index]!) onRow(row)
    resolve()
  }
  return true
}

const askAlone = async (
  pool: Pool,
  statement: Statement,
  { values, onRow, alone }: Pick<Call, 'values' | 'onRow' | 'alone'>,
): Promise<void> => {
  const beganMs = performance.now()
  let rows = 0
  const counted: OnRow = (raw) => {
    rows += 1
    onRow(raw)
  }
  try {
    if (!statement.isQuick || !(await answeredInTime(pool, statement, values, counted))) await alone(counted)
  } finally {
    statement.isQuick = performance.now() - beganMs < quickMs && rows <= quickRows
  }
}

/** False when it took too long; then no row was handed over. */
const answeredInTime = async (
  pool: Pool,
  { emitted: { text } }: Statement,
  values: readonly BoundValue[],
  onRow: OnRow,
): Promise<boolean> => {
  const rows: (readonly unknown[])[] = []
  try {
    await pool
      .unsafe(text, [...values], { prepare: true })
      .values()
      .forEach((raw) => rows.push(raw))
  } catch (error) {
    if (sqlCode(error) === '57014') return false
    throw error
  }
  for (const row of rows) onRow(row)
  return true
}
