// Values on their way to Postgres and back: the parameters of an emitted statement in this run, and the columns of its
// result.
import { anyFromText, anyText, anyType, shownValue } from '../text/any.ts'
import { derive } from '../text/derive.ts'
import type { Parameter } from '../emit/emitted.ts'
import type { Term } from '../plan/plan.ts'
import type { Type, Value } from '../value.ts'
import { arrayText } from '../emit/postgres-array.ts'
import type { Rows } from '../text/rows.ts'
import { factArray } from './stream-facts.ts'
import type { StreamFacts } from './stream-facts.ts'

/** The rows of a source; `texts` holds the text of each row where the source was read from several. */
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
      return parameter.type === 'ANY' && value !== null ? anyText(value) : plain(value)
    }
    case 'derived':
      return plain(
        derive(
          parameter.derived,
          parameter.of.map((term) => fixedValue(term, binding)),
        ),
      )
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
export const fixedValue = (term: Term, binding: Pick<Binding, 'variables' | 'nowMs' | 'zone'>): Value =>
  shownValue(keptValue(term, binding))

/** The value as a variable keeps it: of any type, a LONG is a bigint and a DOUBLE a number. */
export const keptValue = (term: Term, binding: Pick<Binding, 'variables' | 'nowMs' | 'zone'>): Value => {
  if (term.kind === 'constant') return term.value
  if (term.kind === 'variable') return binding.variables.get(term.name) ?? null
  if (term.kind === 'system') return term.name === 'now' ? binding.nowMs : binding.zone
  throw new Error(`a ${term.kind} is not known before the statement runs`)
}

/** The value that the driver gave for a column; of a column of any type, `seen` collects the type. */
export const valueFromColumn = (raw: unknown, seen: Set<Type> | undefined): Value => {
  if (!seen || raw === null) return raw as Value
  seen.add(anyType(raw as string))
  return shownValue(anyFromText(raw as string))
}
