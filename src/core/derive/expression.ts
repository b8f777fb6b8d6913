// Expressions as this room sees them: SQL over a row of variables, made by the language engine, which is handed in.
import type { ValueType } from '../stream.ts'

/** Numbers are DOUBLE; files are their names. */
export type VariableType = 'DOUBLE' | 'BOOLEAN' | 'STRING'

export type TypedVariable = { readonly name: string; readonly type: VariableType }

export type Constant = { readonly sqlType: string; readonly value: string | boolean | null }

export type CompiledExpression = {
  /** SQL of a value for the column that the stream has: over t1.c1, t1.c2 ... (the variables) and k.p1, k.p2 ... */
  readonly text: string
  /** The columns of k; NOW and the zone of dates are those of the run. */
  readonly constants: (nowMs: number, zone: string) => readonly Constant[]
  /** The error in the value of a row, in words for users; undefined: it is not the expression's fault. */
  readonly explain: (error: unknown, timeoutMs: number) => string | undefined
}

/** Throws a Fault where the expression does not parse, or does not go together with the types. */
export type CompileExpression = (
  expression: string,
  variables: readonly TypedVariable[],
  valueType: ValueType,
) => CompiledExpression

/** The message of an error by time, which begins like this. */
export const tookTooLong = (ms: number): string => `${tooLong} ${ms} ms`
export const tooLong = 'the expression takes longer than'
