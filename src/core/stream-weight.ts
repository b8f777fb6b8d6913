// The weight of the streams of a component or template. They are shown with it, remembered by writers, and copied from
// templates, all of them at once: 10,000 with the longest texts would be 700 MB.
import type { Sql, Transaction } from '../base/database/sql.ts'
import { tooLarge } from '../base/errors.ts'

/**
 * The most bytes of the streams of one component or template together: they are in memory several times while one is
 * changed.
 */
export const mostStreamBytes = 16 * 1024 * 1024

/** Ten thousand with so few characters cannot be too heavy, and are not weighed. */
const lightCharacters = 300

/** The characters of a definition that is not light, else 0. */
export const heavyCharacters = ({ id, name, description, expression, variables }: Texts): number => {
  const texts = (id?.length ?? 0) + name.length + description.length + (expression?.length ?? 0)
  const characters = texts + (variables ? JSON.stringify(variables).length : 0)
  return characters > lightCharacters ? characters : 0
}

export const tooHeavy = () =>
  tooLarge(`the texts of a component's streams may take ${mostStreamBytes} bytes: shorten their descriptions`)

/** Throws when streams that are not light have made one of the components or templates too heavy. */
export const refuseHeavy = async (sql: Transaction, componentKeys: readonly number[]): Promise<void> => {
  const [heavy] = await sql`
    select from stream
    where component_key = any(${[...new Set(componentKeys)]}::integer[])
    group by component_key
    having ${sumOfBytes(sql)} > ${mostStreamBytes}
    limit 1`
  if (heavy) throw tooHeavy()
}

const bytesOf = (sql: Sql) => sql`(${streamBytes} + octet_length(concat(id, name, description, expression, variables)))`

const sumOfBytes = (sql: Sql) => sql`coalesce(sum(${bytesOf(sql)}), 0)::double precision`

/** The bytes of streams as JSON: those of their texts, and so many for the rest. */
export const weighStreams = async (sql: Sql, componentKeys: readonly number[]): Promise<number> => {
  const [row] = await sql<[{ bytes: number }]>`
    select ${sumOfBytes(sql)} as bytes
    from stream
    where component_key = any(${componentKeys}::integer[])`
  return row.bytes
}

/** The same for the component or template with this uid. */
export const weighStreamsOf = async (sql: Sql, organizationKey: number, ownerUid: string): Promise<number> => {
  const [owner] = await sql<{ key: number }[]>`
    select key from component where organization_key = ${organizationKey} and uid = ${ownerUid}`
  return owner ? weighStreams(sql, [owner.key]) : 0
}

export type WeighedStream = { readonly key: number; readonly bytes: number }

/** The streams of a component or template by themselves, in definition order: all of them, or those that are derived. */
export const streamWeights = (
  sql: Sql,
  componentKey: number,
  which: 'all' | 'derived',
): Promise<readonly WeighedStream[]> => sql<WeighedStream[]>`
  select key, ${bytesOf(sql)}::integer as bytes
  from stream
  where component_key = ${componentKey} and ${which === 'all' ? sql`true` : sql`expression is not null`}
  order by position`

/** The bytes of a stream's member names and short values. */
const streamBytes = 350

/** The long texts in the definition of a stream. */
type Texts = {
  readonly id: string | null
  readonly name: string
  readonly description: string
  readonly expression: string | null
  readonly variables: readonly object[] | null
}
