// The values that scripts work with, their types, and the JSON that they are read from.

/** ANY: each row has a type of its own, as a stream's samples have. NULL: nothing but NULL has been seen. */
export type Type = 'STRING' | 'LONG' | 'DOUBLE' | 'BOOLEAN' | 'ANY' | 'NULL'

export type Value = string | number | bigint | boolean | null

/** What a JSON text holds: a whole number that a DOUBLE cannot hold exactly is a bigint. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [member: string]: Json }
