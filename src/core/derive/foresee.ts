// Works out what follows from an upload before it is stored: where all that hangs on it are samples at the same times,
// behind the last sample of each, one statement gives the samples of a whole chain by the values at hand. They are then
// stored together with the upload (../sample/foreseen.ts), and an expression that takes long or fails has held nothing.
import type { Clock } from '../../base/clock.ts'
import { callerTransaction } from '../../base/database/caller-transaction.ts'
import { integerFromText } from '../../base/database/sql.ts'
import type { Transaction } from '../../base/database/sql.ts'
import type { KnownMoment } from '../sample/gate.ts'
import { foreseenParameters, isForeseenText } from '../sample/foreseen.ts'
import type { Foresee, Foreseen } from '../sample/foreseen.ts'
import { emptyRows, pushRow, sortRows } from '../sample/rows.ts'
import type { Value } from '../sample/value.ts'
import { streamsAhead } from './ahead.ts'
import type { Definition } from './definition.ts'
import type { Memory } from './memory.ts'
import { openPlan } from './foresee-plan.ts'
import type { Plan } from './foresee-plan.ts'
import type { Tools } from './work.ts'

/** Samples that are worked out at once. */
const mostSamples = 20_000

export const openForesee =
  (clock: Clock, tools: Tools, memoryOf: (at: KnownMoment) => Memory): Foresee =>
  async (pool, holders, { rows, streams, touchedPoints }, at, { mostStreams, endAt }) => {
    if (touchedPoints) return undefined
    const sources = new Set(streams.flatMap(({ isSource, key }) => (isSource ? key : [])))
    const memory = memoryOf(at)
    const ahead = await streamsAhead(pool, memory.usersOf, [...sources])
    // The memory of a source may be older than the change by which nobody is derived from it any more.
    if (ahead === undefined || ahead.length === 0) return undefined
    if (ahead.length > mostStreams || ahead.length * streams.length > mostSamples) return undefined
    const known = new Map((await memory.definitionsOf(pool, ahead)).map((each) => [each.key, each]))
    const definitions = ahead.flatMap((key) => known.get(key) ?? [])
    const plan = definitions.length === ahead.length ? openPlan(tools, sources, sortRows(rows), definitions) : undefined
    if (plan === undefined) return undefined
    const timeoutMs = Math.floor(endAt - performance.now())
    if (timeoutMs <= 0) return undefined
    try {
      return await callerTransaction(pool, holders, (sql) => workOut(sql, plan, clock.now(), timeoutMs))
    } catch {
      // It fails, or takes too long: whoever derives it finds out at which sample, and why. An upload never fails by it.
      return undefined
    }
  }

type Row = { readonly n: number; readonly ms: number; readonly value: string }

/** Sent in one go. */
const workOut = async (
  sql: Transaction,
  { statement, spans, concernedKeys }: Plan,
  nowMs: number,
  timeoutMs: number,
): Promise<Foreseen | undefined> => {
  const derivedOf = (each: (key: number) => { lastMs: number | null; samples: number }) =>
    spans.map(({ definition: { key }, firstMs }) => ({ key, firstMs, ...each(key) }))
  const unknown = foreseenParameters({ derived: derivedOf(() => ({ lastMs: null, samples: 0 })), concernedKeys })
  const { text, values } = statement(nowMs)
  const [, [state], found] = await Promise.all([
    sql`select set_config('statement_timeout', ${String(timeoutMs)}, true), set_config('plan_cache_mode', 'force_generic_plan', true), set_config('jit', 'off', true)`,
    sql.unsafe<{ isForeseen: boolean }[]>(isForeseenText, unknown, { prepare: true }),
    sql.unsafe<Row[]>(text, values as (string | number)[], { prepare: text.length < 6000 }),
  ])
  if (!state!.isForeseen) return undefined
  const rows = emptyRows()
  const done = new Map<number, { lastMs: number; samples: number }>()
  for (const { n, ms, value } of found) {
    const { definition } = spans[n]!
    pushRow(rows, definition.key, null, ms, definition.valueType, valueFrom(definition, value))
    const before = done.get(definition.key)
    done.set(definition.key, { lastMs: Math.max(before?.lastMs ?? ms, ms), samples: (before?.samples ?? 0) + 1 })
  }
  return { rows, derived: derivedOf((key) => done.get(key) ?? { lastMs: null, samples: 0 }), concernedKeys }
}

const valueFrom = ({ valueType }: Definition, text: string): Value => {
  switch (valueType) {
    case 'DOUBLE':
    case 'BOOLEAN':
      return Number(text)
    case 'LONG':
      return integerFromText(text)
    case 'STRING':
    case 'FILE':
      return text
  }
}
