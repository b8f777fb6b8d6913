// The syntax tree of GS SQL: the script as written, before any name or type is looked at. build.ts makes it from the
// parse tree, check.ts reads it. Every node knows its first character.
import type { Position } from '../fault.ts'

export type Word = { readonly at: Position; readonly text: string }

export type Script = { readonly statements: readonly Statement[] }

export type Statement = SetVariable | Insert | Update | Delete | Select

export type SetVariable = {
  readonly kind: 'set'
  readonly at: Position
  readonly variable: Word
  readonly value: Expression
}

export type Insert = {
  readonly kind: 'insert'
  readonly at: Position
  readonly table: TableName
  readonly columns: readonly Word[] | undefined
  readonly options: readonly { readonly name: Word; readonly value: Expression }[]
  readonly query: Query
}

export type Update = {
  readonly kind: 'update'
  readonly at: Position
  readonly table: TableName
  readonly assignments: readonly { readonly column: Word; readonly value: Expression }[]
  readonly where: Expression | undefined
}

export type Delete = {
  readonly kind: 'delete'
  readonly at: Position
  readonly table: TableName
  readonly where: Expression | undefined
}

export type Select = { readonly kind: 'select'; readonly at: Position; readonly query: Query }

export type Query = {
  readonly at: Position
  readonly commonTables: readonly CommonTable[]
  /** The first term stands alone; each further one is joined to all before it, from left to right. */
  readonly terms: readonly QueryTerm[]
  readonly orderBy: readonly OrderTerm[]
  readonly limit: Expression | undefined
  readonly offset: Expression | undefined
}

export type SetOperator = 'union' | 'union all' | 'except' | 'intersect'

export type QueryTerm = {
  readonly at: Position
  readonly operator: SetOperator | undefined
  readonly body: SelectBody | ValuesBody
}

export type CommonTable = {
  readonly name: Word
  readonly columns: readonly Word[] | undefined
  readonly query: Query
}

export type SelectBody = {
  readonly kind: 'select'
  readonly at: Position
  readonly distinct: boolean
  readonly items: readonly SelectItem[]
  readonly from: readonly FromItem[]
  readonly where: Expression | undefined
  readonly groupBy: readonly Expression[]
  readonly having: Expression | undefined
}

export type ValuesBody = {
  readonly kind: 'values'
  readonly at: Position
  readonly rows: readonly (readonly Expression[])[]
}

export type SelectItem =
  | { readonly kind: 'all'; readonly at: Position; readonly table: Word | undefined }
  | {
      readonly kind: 'one'
      readonly at: Position
      readonly value: Expression
      readonly alias: Word | undefined
      /** The words of the expression, which name a column that has no alias. */
      readonly text: string
    }

export type OrderTerm = {
  readonly value: Expression
  readonly descending: boolean
  readonly nulls: 'first' | 'last'
}

export type JoinKind = 'cross' | 'inner' | 'left' | 'right' | 'full'

export type FromItem = {
  readonly at: Position
  readonly join: JoinKind
  readonly on: Expression | undefined
  readonly source: TableSource
  readonly alias: Word | undefined
}

export type TableName = { readonly at: Position; readonly qualifier: string | undefined; readonly name: string }

export type TableSource =
  | ({ readonly kind: 'named' } & TableName)
  | { readonly kind: 'query'; readonly at: Position; readonly query: Query }
  /** All stored samples, which UPDATE and DELETE look through. */
  | { readonly kind: 'samples'; readonly at: Position }
  | {
      readonly kind: 'function'
      readonly at: Position
      readonly name: string
      readonly arguments: readonly Expression[]
      readonly columns: readonly TableColumn[] | undefined
    }

/** JSON_TABLE: name, type, path (`n Ordinality` has none); CSV_TABLE: position, name, type. */
export type TableColumn = {
  readonly at: Position
  readonly position: number | undefined
  readonly name: Word
  readonly type: Word
  readonly path: Word | undefined
}

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='
export type Arithmetic = '+' | '-' | '*' | '/' | '%'

export type Expression =
  | { readonly kind: 'literal'; readonly at: Position; readonly value: Literal }
  | { readonly kind: 'duration'; readonly at: Position; readonly text: string }
  | { readonly kind: 'variable'; readonly at: Position; readonly name: string; readonly text: string }
  | { readonly kind: 'column'; readonly at: Position; readonly table: Word | undefined; readonly name: string }
  /** "text": a column when there is one of that name, else a string. */
  | { readonly kind: 'quoted'; readonly at: Position; readonly text: string }
  | { readonly kind: 'sign'; readonly at: Position; readonly negative: boolean; readonly operand: Expression }
  | { readonly kind: 'not'; readonly at: Position; readonly operand: Expression }
  | {
      readonly kind: 'logic'
      readonly at: Position
      readonly operator: 'and' | 'or'
      readonly operands: readonly Expression[]
    }
  | {
      readonly kind: 'arithmetic'
      readonly at: Position
      readonly sign: Position
      readonly operator: Arithmetic
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly kind: 'comparison'
      readonly at: Position
      readonly operator: Comparison
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly kind: 'is null'; readonly at: Position; readonly negated: boolean; readonly operand: Expression }
  | {
      readonly kind: 'like'
      readonly at: Position
      readonly negated: boolean
      readonly operand: Expression
      readonly pattern: Expression
      readonly escape: Expression | undefined
    }
  | {
      readonly kind: 'in list'
      readonly at: Position
      readonly negated: boolean
      readonly operand: Expression
      readonly list: readonly Expression[]
    }
  | {
      readonly kind: 'in query'
      readonly at: Position
      readonly negated: boolean
      readonly operand: Expression
      readonly query: Query
    }
  | {
      readonly kind: 'between'
      readonly at: Position
      readonly negated: boolean
      readonly operand: Expression
      readonly low: Expression
      readonly high: Expression
    }
  | { readonly kind: 'exists'; readonly at: Position; readonly query: Query }
  | { readonly kind: 'scalar query'; readonly at: Position; readonly query: Query }
  | {
      readonly kind: 'case'
      readonly at: Position
      readonly operand: Expression | undefined
      readonly branches: readonly { readonly when: Expression; readonly result: Expression }[]
      readonly otherwise: Expression | undefined
    }
  | {
      readonly kind: 'cast'
      readonly at: Position
      readonly operand: Expression
      readonly type: Word
      readonly lenient: boolean
    }
  | {
      readonly kind: 'call'
      readonly at: Position
      readonly name: string
      readonly distinct: boolean
      /** Count(*) */
      readonly star: boolean
      readonly arguments: readonly Expression[]
    }

export type Call = Extract<Expression, { kind: 'call' }>

/** A LONG is a bigint, a DOUBLE a number. */
export type Literal = string | number | bigint | boolean | null
