// Values on their way to Postgres and back: what each parameter of an emitted statement is in this run, and what the
// columns of the result mean.
import { integerFromText } from '../base/sql.ts'
import type { Parameter } from './emit.ts'
import { jsonText } from './json-text.ts'
import type { Term, Type, Value } from './plan.ts'
import { arrayText } from './postgres-array.ts'
import type { Rows } from './rows.ts'
import { factArray } from './stream-facts.ts'
import type { StreamFacts } from './stream-facts.ts'

/** The rows of a source, with the text of each row where the source was read from several. */
export type SourceRows = Rows & { readonly texts: readonly string[] | undefined }

export type Binding = {
  readonly variables: ReadonlyMap<string, Value>
  readonly nowMs: number
  readonly zone: string
  readonly sources: readonly SourceRows[]
  readonly mostRows: number
  readonly mostBytes: number
  readonly facts: StreamFacts
}

export const bind = (parameters: readonly Parameter[], binding: Binding): (string | boolean | null)[] =>
  parameters.map((parameter) => bound(parameter, binding))

const bound = (parameter: Parameter, binding: Binding): string | boolean | null => {
  switch (parameter.kind) {
    case 'value':
      return plain(parameter.value)
    case 'variable': {
      const value = binding.variables.get(parameter.name) ?? null
      return parameter.type === 'ANY' && value !== null ? jsonText(value) : plain(value)
    }
    case 'derived':
      return plain(parameter.derive(parameter.of.map((term) => fixedValue(term, binding))))
    case 'now':
      return String(binding.nowMs)
    case 'zone':
      return binding.zone
    case 'source': {
      const rows = binding.sources[parameter.source]!
      return arrayText(parameter.column === 'text' ? (rows.texts ?? []) : rows.columns[parameter.column]!)
    }
    case 'most rows':
      return String(binding.mostRows)
    case 'most bytes':
      return String(binding.mostBytes)
    case 'cycle':
    case 'statistic':
      return factArray(binding.facts, parameter)
  }
}

const plain = (value: Value): string | boolean | null =>
  typeof value === 'number' || typeof value === 'bigint' ? String(value) : value

/** A term that needs no database. */
export const fixedValue = (term: Term, binding: Pick<Binding, 'variables' | 'nowMs' | 'zone'>): Value => {
  // A LONG is a number wherever that is exact.
  if (term.kind === 'constant') return typeof term.value === 'bigint' ? integerFromText(String(term.value)) : term.value
  if (term.kind === 'variable') return binding.variables.get(term.name) ?? null
  if (term.kind === 'system') return term.name === 'now' ? binding.nowMs : binding.zone
  throw new Error(`a ${term.kind} is not known before the statement runs`)
}

/** What the driver gives for a column of this type, as a value. */
export const valueFromColumn = (raw: unknown, type: Type): Value => {
  if (type !== 'ANY' || raw === null) return raw as Value
  const text = raw as string
  if (/^["tf]/.test(text)) return JSON.parse(text) as string | boolean
  return /^-?\d+$/.test(text) ? integerFromText(text) : Number(text)
}
