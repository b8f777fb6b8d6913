// The statement that works out all streams behind an upload by its values: a common table for each, over those that it
// is derived from. Nothing is read from storage, so that its plan is made once.
import type { SampleRows } from '../sample/rows.ts'
import { shownMs } from '../sample/rows.ts'
import type { DefinedVariable, Definition } from './definition.ts'
import { constantRow, openParameters, sqlTypes } from './parameters.ts'
import type { Parameters, Statement } from './parameters.ts'
import { asVariable, slotsOf } from './statement.ts'
import type { Tools } from './work.ts'

export type Plan = {
  /** Its rows have n, the place of a stream in spans, ms, the time of a sample, and its value as a text. */
  readonly statement: (nowMs: number) => Statement
  readonly spans: readonly { readonly definition: Definition; readonly firstMs: number }[]
  readonly concernedKeys: readonly number[]
}

/** Rows of a stream of the upload, and its times as shown. */
type Given = { readonly from: number; readonly until: number; readonly timesMs: readonly number[] }

/** Undefined: values are needed that are not at hand. Rows are in order, definitions behind what they hang on. */
export const openPlan = (
  tools: Tools,
  sources: ReadonlySet<number>,
  rows: SampleRows,
  definitions: readonly Definition[],
): Plan | undefined => {
  const given = givenRows(sources, rows, definitions)
  const timesOf = new Map(Array.from(given, ([key, { timesMs }]) => [key, timesMs]))
  for (const definition of definitions) {
    const { key, shape, kind, variables } = definition
    if (shape !== 'samples' || kind !== 'random' || variables.some(({ back }) => back > 0)) return undefined
    const [times, ...others] = slotsOf(definition).map(({ first }) => timesOf.get(first.source.key))
    // Where one is given and another is not, that may be stored.
    if (times === undefined || !others.every((other) => other !== undefined && areSame(times, other))) return undefined
    timesOf.set(key, times)
  }
  return {
    statement: (nowMs) => statementOf(tools, given, rows, definitions, nowMs),
    spans: definitions.map((definition) => ({ definition, firstMs: timesOf.get(definition.key)![0]! })),
    concernedKeys: [...timesOf.keys()],
  }
}

const areSame = (one: readonly number[], other: readonly number[]): boolean =>
  one === other || (one.length === other.length && one.every((ms, at) => ms === other[at]))

/** Of the streams of the upload that others are derived from. */
const givenRows = (
  sources: ReadonlySet<number>,
  { streamKeys, storedMs }: SampleRows,
  definitions: readonly Definition[],
): ReadonlyMap<number, Given> => {
  const kinds = new Map(
    definitions.flatMap(({ variables }) => variables.map(({ source }) => [source.key, source.kind] as const)),
  )
  const given = new Map<number, Given>()
  for (let from = 0, until: number; from < streamKeys.length; from = until) {
    const key = streamKeys[from]!
    for (until = from + 1; until < streamKeys.length && streamKeys[until] === key; until += 1);
    const kind = kinds.get(key)
    if (sources.has(key) && kind !== undefined)
      given.set(key, { from, until, timesMs: storedMs.slice(from, until).map((ms) => shownMs(kind, ms)) })
  }
  return given
}

const statementOf = (
  tools: Tools,
  given: ReadonlyMap<number, Given>,
  rows: SampleRows,
  definitions: readonly Definition[],
  nowMs: number,
): Statement => {
  const parameters = openParameters()
  const tables = new Map<number, string>()
  const parts: string[] = []
  const sourceOf = new Map(
    definitions.flatMap(({ variables }) => variables.map((variable) => [variable.source.key, variable] as const)),
  )
  for (const [key, each] of given) {
    tables.set(key, `s${tables.size + 1}`)
    parts.push(`${tables.get(key)} as materialized (${valuesOf(parameters, rows, each, sourceOf.get(key)!)})`)
  }
  for (const definition of definitions) {
    const compiled = tools.compiled(definition)
    const k = constantRow(parameters, compiled.constants(nowMs, definition.zone))
    const t1 = rowsOf(definition, tables, given)
    tables.set(definition.key, `s${tables.size + 1}`)
    parts.push(`${tables.get(definition.key)} as materialized (
      select * from (select t1.ms, ${compiled.text} as value from (${t1} offset 0) as t1, (${k}) as k offset 0) as v
      where value is not null)`)
  }
  const found = definitions.map(({ key }, n) => `select ${n} as n, ms, value::text from ${tables.get(key)}`)
  return { text: `with ${parts.join(',\n')}\n${found.join('\nunion all\n')}`, values: parameters.values }
}

const valuesOf = (
  parameters: Parameters,
  rows: SampleRows,
  { from, until, timesMs }: Given,
  { source: { valueType }, type }: DefinedVariable,
): string => {
  const values =
    valueType === 'LONG'
      ? rows.longs.slice(from, until).map((value) => (value === null ? null : Number(value)))
      : type === 'STRING'
        ? rows.texts.slice(from, until)
        : rows.nums.slice(from, until).map((value) => (type === 'BOOLEAN' && value !== null ? value !== 0 : value))
  return `select ms, value from unnest(${parameters.list(timesMs, 'bigint')}, ${parameters.list(values, sqlTypes[type])}) as given (ms, value)`
}

/** t1 of a stream: ms and c1, c2 ... */
const rowsOf = (
  definition: Definition,
  tables: ReadonlyMap<number, string>,
  given: ReadonlyMap<number, Given>,
): string => {
  const slots = slotsOf(definition)
  const columns = definition.variables.map((variable, index) => {
    const at = slots.findIndex((slot) => slot.variables.includes(variable)) + 1
    const value = `a${at}.value`
    // Given values are of the variable's type already.
    return `${given.has(variable.source.key) ? value : asVariable(value, variable)} as c${index + 1}`
  })
  const [first, ...others] = slots.map((slot, at) => `${tables.get(slot.first.source.key)} as a${at + 1}`)
  const joins = others.map((table, at) => `join ${table} on a${at + 2}.ms = a1.ms`)
  return `select a1.ms, ${columns.join(', ')} from ${[first, ...joins].join(' ')}`
}
