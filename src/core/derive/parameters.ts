// Parameters of the statements that work out derived streams, and the parts of these that they share.
import type { ValueType } from '../stream.ts'
import type { Constant, VariableType } from './expression.ts'

type Value = string | number | boolean | null

/** Collects parameters while a text is written. */
export const openParameters = () => {
  const values: Value[] = []
  return {
    values,
    add: (value: Value, sqlType: string): string => `$${values.push(value)}::${sqlType}`,
    /** A list as a text: to join it is several times faster than a driver's encoding. */
    list: (items: readonly Value[], sqlType: string): string => `$${values.push(listText(items))}::text::${sqlType}[]`,
  }
}

export type Parameters = ReturnType<typeof openParameters>

const listText = (items: readonly Value[]): string => {
  let joined = ''
  for (const item of items)
    joined +=
      item === null ? ',null' : typeof item === 'string' ? `,"${item.replaceAll(/["\\]/g, '\\$&')}"` : `,${item}`
  return `{${joined.slice(1)}}`
}

export type Statement = { readonly text: string; readonly values: readonly Value[] }

export const columnOf = (valueType: ValueType): 'num' | 'long' | 'text' =>
  valueType === 'LONG' ? 'long' : valueType === 'STRING' || valueType === 'FILE' ? 'text' : 'num'

export const sqlTypes: Readonly<Record<VariableType, string>> = { DOUBLE: 'float8', BOOLEAN: 'bool', STRING: 'text' }

/** k: what is constant in the expression. Not looked into while planning, so that none fails that no row comes to. */
export const constantRow = (parameters: Parameters, constants: readonly Constant[]): string =>
  constants.length === 0
    ? 'select 1 as p0 offset 0'
    : `select ${constants
        .map(({ sqlType, value }, at) => {
          const parameter = sqlType === 'jsonb' ? parameters.add(value, 'text::jsonb') : parameters.add(value, sqlType)
          return `${parameter} as p${at + 1}`
        })
        .join(', ')} offset 0`
