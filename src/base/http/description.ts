// A route's description of itself, from which the OpenAPI document is made (openapi/document.ts): its purpose, its
// parameters, its body and its reply, each with the schema that judges it.
import type { Shape } from './members.ts'
import { listParameters } from './page.ts'
import type { RowsAbout } from './row-format.ts'
import type { Schema } from './schema.ts'
import { objectSchema } from './schema.ts'

/** The pages of docs/, by which operations are grouped. */
export type Part =
  | 'feeds'
  | 'live'
  | 'statistics'
  | 'derived'
  | 'files'
  | 'management'
  | 'connectors'
  | 'imports'
  | 'transfer'
  | 'access'
  | 'oauth'
  | 'assistants'
  | 'operations'

export type Description = {
  readonly part: Part
  /** One line: the use of the call to its caller. */
  readonly summary: string
  readonly details?: string
  readonly path?: Readonly<Record<string, Described>>
  readonly query?: Readonly<Record<string, Described>>
  readonly body?: Content
  readonly reply: Content & { readonly status?: number }
  /** Any credential, unless it is given. */
  readonly by?: 'nobody' | 'API key'
}

/** An address that a person's browser opens, and no program. */
export type PageDescription = { readonly isPage: true }

/** The example is part of the example of the call. */
export type Described = Schema & { readonly example?: string; readonly isRequired?: boolean }

/** JSON where no other type is named. */
export type Content = { readonly type?: string; readonly schema: Schema; readonly example?: unknown }

const done: Readonly<Record<string, Schema>> = { success: { type: 'boolean' }, message: { type: 'string' } }

/** {"success":true,"message":""} */
export const doneReply: Content = { schema: objectSchema(done) }

/** {"success":true,"message":"","unit":{...}} */
export const envelopeReply = (name: string, shown: Schema): Content => ({
  schema: objectSchema({ ...done, [name]: shown }),
})

export const describeList = (
  part: Part,
  name: string,
  summary: string,
  shown: Schema,
  filters: Shape = {},
  sorts: readonly string[] = [],
): Description & { readonly rows: RowsAbout } => ({
  part,
  summary,
  rows: rowsAbout(name, shown),
  query: schemasOf(listParameters(filters, sorts)),
  reply: {
    schema: objectSchema({ ...done, [name]: { type: 'array', items: shown }, totalCount: { type: 'integer' } }),
  },
})

export const rowsAbout = (name: string, { properties = {} }: Schema): RowsAbout => ({
  name,
  columns: Object.keys(properties),
})

export const schemasOf = (shape: Shape): Readonly<Record<string, Schema>> =>
  Object.fromEntries(Object.entries(shape).map(([name, { schema }]) => [name, schema]))
