// The plan of a statement, made by check.ts: every name resolved, every value typed, every conversion written out.
// emit.ts prints it as Postgres SQL without another decision.
import type { Statistic } from '../../core/statistic/statistic.ts'
import type { JoinKind, SetOperator } from '../syntax/ast.ts'
import type { Position } from '../fault.ts'
import type { CsvColumn } from '../text/csv-table.ts'
import type { Derived } from '../text/derive.ts'
import type { JsonTableColumn } from '../text/json-table.ts'
import type { Type, Value } from '../value.ts'

/**
 * An expression. `site`, where there is one, is where it can fail: an index into the statement's positions that
 * travels to Postgres and comes back with the error.
 */
export type Term =
  | { readonly kind: 'constant'; readonly type: Type; readonly value: Value }
  | { readonly kind: 'variable'; readonly type: Type; readonly name: string }
  /** A value that TypeScript makes of a text before the statement runs, such as a date pattern's regular expression. */
  | {
      readonly kind: 'derived'
      readonly sqlType: string
      readonly type: Type
      readonly of: readonly Term[]
      readonly derived: Derived
    }
  | { readonly kind: 'system'; readonly type: Type; readonly name: 'now' | 'zone' }
  | {
      readonly kind: 'column'
      readonly type: Type
      readonly relation: Relation
      readonly column: number
      readonly at: Position
    }
  /** The value that a row of a GROUP BY stands for. */
  | { readonly kind: 'key'; readonly type: Type; readonly group: number; readonly key: number }
  | {
      readonly kind: 'apply'
      readonly type: Type
      readonly name: string
      readonly arguments: readonly Term[]
      readonly site: number | undefined
    }
  | { readonly kind: 'infix'; readonly type: Type; readonly operator: string; readonly operands: readonly Term[] }
  | { readonly kind: 'not'; readonly type: Type; readonly operand: Term }
  | { readonly kind: 'is null'; readonly type: Type; readonly negated: boolean; readonly operand: Term }
  | { readonly kind: 'convert'; readonly type: Type; readonly sqlType: string; readonly operand: Term }
  | { readonly kind: 'collate'; readonly type: Type; readonly operand: Term }
  | {
      readonly kind: 'choose'
      readonly type: Type
      readonly branches: readonly { readonly when: Term; readonly result: Term }[]
      readonly otherwise: Term
    }
  | { readonly kind: 'in list'; readonly type: Type; readonly operand: Term; readonly list: readonly Term[] }
  | {
      readonly kind: 'in query'
      readonly type: Type
      readonly operand: Term
      readonly query: QueryPlan
      readonly site: number
    }
  | { readonly kind: 'exists'; readonly type: Type; readonly query: QueryPlan }
  | { readonly kind: 'scalar query'; readonly type: Type; readonly query: QueryPlan }
  | {
      readonly kind: 'aggregate'
      readonly type: Type
      readonly name: string
      readonly distinct: boolean
      readonly arguments: readonly Term[]
      /** The order in which the rows are taken: by this term, or that of the tables. */
      readonly by: Term | readonly Relation[] | undefined
      readonly at: Position
    }

/** A table as a SELECT sees it. `id` names it in the SQL: t1, and its columns t1.c1, t1.c2 ... */
export type Relation = {
  readonly id: number
  readonly name: string | undefined
  readonly columns: readonly RelationColumn[]
  readonly origin: Origin
  /** Whether FULL JOIN adds it: it then stands in the SQL twice, as t1 and b1, and each row has one of them (emit.ts). */
  readonly isFull: boolean
  /** Whether its rows are counted, in the column r: for First, Last and Group_Concat, which go by their order. */
  readonly isNumbered: boolean
}

export type RelationColumn = {
  readonly name: string
  readonly type: Type
  /** A hidden column is found by its name, but not part of `*`. */
  readonly hidden: boolean
}

export type Origin =
  | { readonly kind: 'query'; readonly query: QueryPlan }
  | { readonly kind: 'common'; readonly common: number }
  | { readonly kind: 'source'; readonly source: SourcePlan }
  /** Its reading stands in the statement's `streams`. */
  | { readonly kind: 'stream' }

/** A JSON_TABLE or CSV_TABLE: TypeScript reads its text and hands its rows to Postgres, column by column. */
export type SourcePlan = {
  readonly index: number
  readonly at: Position
  readonly text: Term
  readonly table:
    | { readonly kind: 'json'; readonly columns: readonly JsonTableColumn[] }
    | {
        readonly kind: 'csv'
        readonly columns: readonly CsvColumn[]
        readonly header: Term | undefined
        readonly delimiter: Term | undefined
      }
  /**
   * The source of the text: it stands in the script or a variable; or a query must be asked first, over the tables to
   * the left when the text comes from their rows. `where` are the conditions of their rows, in this order, so that the
   * text of a row that is filtered out is never parsed.
   */
  readonly asked:
    | { readonly left: readonly JoinPlan[]; readonly commons: readonly CommonPlan[]; readonly where: readonly Term[] }
    | undefined
}

/** Seconds, minutes, hours, days, weeks, months, years. */
export type OffsetUnit = 's' | 'm' | 'h' | 'd' | 'w' | 'M' | 'y'

export type Edge =
  | { readonly kind: 'time'; readonly time: Term }
  | { readonly kind: 'now' }
  | { readonly kind: 'streamEd' }
  | { readonly kind: 'offset'; readonly count: number; readonly unit: OffsetUnit; readonly site: number }

export type Range =
  | { readonly kind: 'between'; readonly from: Edge | undefined; readonly to: Edge | undefined }
  | { readonly kind: 'last'; readonly count: number }
  | { readonly kind: 'cycle'; readonly cycleId: string; readonly at: Position }

/**
 * The columns, samples and statistics that a SELECT reads of Stream. Statistics are columns behind the others, in the
 * order of `statistics`.
 */
export type StreamReading = {
  /** One row per sample instead of one per stream. */
  readonly samples: boolean
  /** undefined: the last value. */
  readonly range: Range | undefined
  readonly cycleId: string | undefined
  readonly cycleAt: Position | undefined
  readonly statistics: readonly Statistic[]
  /** The columns that are looked at. */
  readonly used: ReadonlySet<number>
}

/** A Stream in a FROM, its reading, and the conditions of WHERE about its streams as such. */
export type StreamPlan = {
  readonly relation: Relation
  readonly reading: StreamReading
  readonly at: Position
  readonly where: Term | undefined
}

export type JoinPlan = {
  readonly join: JoinKind
  readonly relation: Relation
  readonly on: Term | undefined
}

export type CommonPlan = { readonly id: number; readonly query: QueryPlan }

export type SelectPlan = {
  readonly kind: 'select'
  readonly distinct: boolean
  readonly items: readonly Term[]
  readonly from: readonly JoinPlan[]
  readonly where: Term | undefined
  readonly group: { readonly id: number; readonly keys: readonly Term[] } | undefined
  readonly having: Term | undefined
}

export type ValuesPlan = { readonly kind: 'values'; readonly rows: readonly (readonly Term[])[] }

export type QueryPlan = {
  readonly commons: readonly CommonPlan[]
  readonly terms: readonly { readonly operator: SetOperator | undefined; readonly body: SelectPlan | ValuesPlan }[]
  readonly columns: readonly { readonly name: string; readonly type: Type }[]
  /** A column of the result by its index; from columns.length on, a hidden one that is there for the order only. */
  readonly order: readonly {
    readonly column: number
    readonly type: Type
    readonly descending: boolean
    readonly nulls: 'first' | 'last'
  }[]
  readonly limit: Term | undefined
  readonly offset: Term | undefined
}

export type StatementPlan = {
  readonly at: Position
  readonly action: Action
  readonly sources: readonly SourcePlan[]
  readonly streams: readonly StreamPlan[]
  readonly sites: readonly Position[]
  /** The aggregates that Postgres works out by itself: it does not say which of them became too large. */
  readonly overflows: readonly Position[]
  /** Whether it reads stored streams, which needs a plan that includes GS SQL. */
  readonly readsStreams: boolean
}

export type Action =
  | { readonly kind: 'set'; readonly variable: string; readonly value: Term }
  | { readonly kind: 'select'; readonly query: QueryPlan }
  | {
      readonly kind: 'insert'
      readonly query: QueryPlan
      /** The columns of the query that SAMPLE takes; TIME may be missing. */
      readonly columns: Readonly<Record<'cid' | 'id' | 'sample', number>> & { readonly time: number | undefined }
      readonly options: InsertOptions
      readonly places: InsertPlaces
    }
  /** CID, ID, TIME of the samples in question, and the new SAMPLE of an update. */
  | { readonly kind: 'update'; readonly query: QueryPlan; readonly sampleAt: Position }
  | { readonly kind: 'delete'; readonly query: QueryPlan }

export type InsertOptions = Readonly<Partial<Record<InsertOption, Term>>>

export type InsertOption = 'compTmplId' | 'folder' | 'dtId' | 'dsId'

/** The places of the values of an INSERT: one for all rows, or one for each. */
export type InsertPlaces = Readonly<Record<'cid' | 'id' | 'time' | 'sample', Position | readonly Position[]>> & {
  readonly options: Readonly<Partial<Record<InsertOption, Position>>>
}
