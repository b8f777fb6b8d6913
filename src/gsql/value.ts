// The values that scripts work with, their types, and the JSON that they are read from.

/** ANY: each row has a type of its own, as a stream's samples have. NULL: nothing but NULL has been seen. */
export type Type = 'STRING' | 'LONG' | 'DOUBLE' | 'BOOLEAN' | 'ANY' | 'NULL'

export type Value = string | number | bigint | boolean | null

export type { Json } from '../base/json.ts'
