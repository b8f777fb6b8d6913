// Streams: what a component's samples are kept in, in the order of their definition (service.md 2.2).
// Positions are 1, 2, ... without holes; whoever inserts, moves or removes streams holds the lock on their
// component's row (lockComponent), so the order is the same for everybody.
import type { Sql, Transaction } from '../base/sql.ts'

export const streamKinds = ['random', 'interval', 'point'] as const
export type StreamKind = (typeof streamKinds)[number]

export const valueTypes = ['DOUBLE', 'LONG', 'BOOLEAN', 'STRING', 'FILE'] as const
export type ValueType = (typeof valueTypes)[number]

/** A name in a derived stream's expression and the stream that stands behind it (decisions 10). */
export type Variable = {
  readonly name: string
  /** Missing: the derived stream's own component. */
  readonly componentId?: string
  readonly streamId: string
  readonly offset?: number
  readonly cycleId?: string
  readonly statistic?: string
}

export type StreamDefinition = {
  readonly id: string | null
  readonly name: string
  readonly description: string
  readonly kind: StreamKind
  readonly valueType: ValueType
  /** The base cycle of an interval stream, null in all others. */
  readonly baseCycleKey: number | null
  readonly unitKey: number | null
  readonly expression: string | null
  readonly variables: readonly Variable[] | null
}

export type Stream = StreamDefinition & {
  readonly key: number
  readonly uid: string
  readonly componentKey: number
  /** The place in the definition order, from 1. */
  readonly position: number
  readonly version: number
}

/** What auto-creation makes: a random stream without a unit, named by its ID. */
export const randomStream = (id: string, valueType: ValueType): StreamDefinition => ({
  id,
  name: id,
  description: '',
  kind: 'random',
  valueType,
  baseCycleKey: null,
  unitKey: null,
  expression: null,
  variables: null,
})

const columns = (sql: Sql) => sql`
  stream.key, stream.uid, stream.component_key as "componentKey", stream.id, stream.name, stream.description,
  stream.kind, stream.value_type as "valueType", stream.base_cycle_key as "baseCycleKey",
  stream.unit_key as "unitKey", stream.position, stream.expression, stream.variables, stream.version`

/** The streams of a component or template in definition order. */
export const streamsOf = (sql: Sql, componentKey: number): Promise<readonly Stream[]> =>
  sql<Stream[]>`
    select ${columns(sql)} from stream where component_key = ${componentKey} order by position`

/** Appends streams in the order given. The caller holds the component's lock and knows that the IDs are free. */
export const insertStreams = async (
  sql: Transaction,
  componentKey: number,
  definitions: readonly StreamDefinition[],
): Promise<readonly Stream[]> => {
  if (definitions.length === 0) return []
  const rows = definitions.map((definition, index) => ({ ...definition, n: index + 1 }))
  const streams = await sql<Stream[]>`
    insert into stream (component_key, id, name, description, kind, value_type, base_cycle_key, unit_key,
      position, expression, variables)
    select ${componentKey}, id, name, description, kind, "valueType", "baseCycleKey", "unitKey",
      n + (select coalesce(max(position), 0) from stream where component_key = ${componentKey}),
      expression, variables
    from jsonb_to_recordset(${sql.json(rows)}) as definition (
      n integer, id text, name text, description text, kind text, "valueType" text, "baseCycleKey" integer,
      "unitKey" integer, expression text, variables jsonb)
    returning ${columns(sql)}`
  return streams.toSorted((a, b) => a.position - b.position)
}
