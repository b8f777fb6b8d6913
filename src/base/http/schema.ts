// JSON Schema 2020-12, the part by which this service describes its calls.

export type Schema = {
  /** A schema with a title is written once in a document, and referred to. */
  readonly title?: string
  readonly type?: JsonType | readonly JsonType[]
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly (string | number | boolean | null)[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: readonly Schema[]
  readonly readOnly?: boolean
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly $ref?: string
}

type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null'

export const orNull = (schema: Schema): Schema => {
  if (schema.type === undefined) return { anyOf: [schema, { type: 'null' }] }
  return {
    ...schema,
    type: [...[schema.type].flat(), 'null'],
    ...(schema.enum ? { enum: [...schema.enum, null] } : {}),
  }
}

/** An object with all of these members, but for those that some lack, and no others. */
export const objectSchema = (properties: Readonly<Record<string, Schema>>, seldom: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !seldom.includes(name)),
  additionalProperties: false,
})
