// Emitted SQL with a description of its parameters, by which it is bound each time it runs (bind.ts), and the writer of
// its parts.
import type { QueryPlan, Relation, StreamReading, Term } from '../plan/plan.ts'
import type { Derived } from '../text/derive.ts'
import type { Type, Value } from '../value.ts'

export type Parameter =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'variable'; readonly name: string; readonly type: Type }
  | { readonly kind: 'derived'; readonly of: readonly Term[]; readonly derived: Derived }
  | { readonly kind: 'now' }
  | { readonly kind: 'zone' }
  /** One column of a JSON_TABLE or CSV_TABLE as an array; 'text': for each row, the text that it was read from. */
  | { readonly kind: 'source'; readonly source: number; readonly column: number | 'text' }
  | { readonly kind: 'most rows' }
  | { readonly kind: 'most bytes' }
  | StreamParameter

/** Facts about streams that TypeScript must find before the statement can run. */
export type StreamParameter =
  /** The current interval of a cycle, for each zone there is. */
  | { readonly kind: 'cycle'; readonly cycleId: string; readonly column: 'zone' | 'low' | 'high' }
  /** The statistics of one Stream of the statement; a number is the index of a statistic. */
  | { readonly kind: 'statistic'; readonly relation: number; readonly column: 'stream' | 'start' | 'end' | number }

export type Emitted = { readonly text: string; readonly parameters: readonly Parameter[] }

/** Origins of a statement's rows that the tables themselves do not say. */
export type RowOrigins = {
  /** The reading of each Stream, by the number of its relation. */
  readonly readings: ReadonlyMap<number, StreamReading>
  /** In an import, the tables that hold the rows already (imported.ts), by the number of their source. */
  readonly spools: ReadonlyMap<number, number>
}

export type Writer = {
  readonly origins: RowOrigins
  /** Whether Postgres must work a query out by itself (weight.ts). */
  readonly isApart: (query: QueryPlan) => boolean
  readonly parameter: (key: string, sqlType: string, parameter: Parameter) => string
  readonly term: (term: Term) => string
  readonly query: (query: QueryPlan) => string
  /** A query inside another, kept apart where it must be. */
  readonly inner: (query: QueryPlan) => string
  readonly column: (relation: Relation, name: string) => string
  /** Relations that FULL JOIN adds, while its ON is written: there they stand once. */
  readonly single: Set<number>
}
