// The definition of a derived stream, with all that working it out needs: the streams behind its variables, their
// calendars, and the expression as SQL.
import { Fault } from '../../base/errors.ts'
import type { Fragment, Sql } from '../../base/database/sql.ts'
import { findStatistic, typeOfStatistic } from '../statistic/statistic.ts'
import type { Statistic, StatisticStream } from '../statistic/statistic.ts'
import type { StreamKind, ValueType, Variable } from '../stream.ts'
import { openCalendar } from '../time/calendar.ts'
import type { Calendar, CycleDefinition } from '../time/calendar.ts'
import type { CompiledExpression, CompileExpression, VariableType } from './expression.ts'

export type DefinedVariable = {
  readonly name: string
  readonly type: VariableType
  readonly source: StatisticStream
  /** How many samples or intervals it goes back. */
  readonly back: number
  /** Of its cycle, or of the base intervals it is rolled up by; undefined: it is a sample of its stream. */
  readonly calendar: Calendar | undefined
  /** Calendars of one name are the same. */
  readonly calendarName: string
  /** Whether it has no cycle. */
  readonly isPlain: boolean
  readonly statistic: Statistic
}

export type Definition = {
  readonly key: number
  readonly kind: StreamKind
  readonly valueType: ValueType
  /** Of an interval stream. */
  readonly calendar: Calendar | undefined
  readonly zone: string
  readonly expression: string
  readonly variables: readonly DefinedVariable[]
  /**
   * Where it has samples: 'samples' where those of its plain variables are, all of which are; 'mixed' likewise, beside
   * variables with cycles; 'clocked' at the ends of intervals, its own or its variables'.
   */
  readonly shape: 'samples' | 'mixed' | 'clocked'
}

type Cycle = CycleDefinition & { readonly timeZone: string | null }

type VariableRow = {
  readonly name: string
  readonly offset: number | null
  readonly statistic: string | null
  readonly cycle: Cycle | null
  readonly source: {
    readonly key: number
    readonly kind: StreamKind
    readonly valueType: ValueType
    readonly zone: string
    readonly base: Cycle | null
  } | null
}

type Row = Omit<Definition, 'calendar' | 'variables' | 'shape'> & {
  readonly base: Cycle | null
  readonly variables: readonly VariableRow[]
}

/** Of those that are there and derived. */
export const readDefinitions = async (sql: Sql, keys: readonly number[]): Promise<readonly Definition[]> => {
  const rows = await sql<Row[]>`
    ${definitionsOf(sql)}
    from stream as derived
    ${definitionJoins(sql)}
    where derived.key = any(${[...keys]}::integer[]) and derived.expression is not null`
  return rows.map(definitionFrom)
}

/** A stream that is not saved. */
export type Drafted = {
  readonly kind: StreamKind
  readonly valueType: ValueType
  /** Of an interval stream. */
  readonly baseCycleKey: number | null
  /** The component that variables without a componentId mean, and whose zone counts. */
  readonly componentKey: number
  readonly expression: string
  readonly variables: readonly Variable[]
}

export const readDraft = async (sql: Sql, drafted: Drafted): Promise<Definition | undefined> => {
  const { kind, valueType, baseCycleKey, componentKey, expression, variables } = drafted
  const [row] = await sql<Row[]>`
    ${definitionsOf(sql)}
    from (
      select 0 as key, ${kind}::text as kind, ${valueType}::text as value_type, ${baseCycleKey}::integer as base_cycle_key,
        ${componentKey}::integer as component_key, ${expression}::text as expression, ${sql.json(variables)}::jsonb as variables
    ) as derived
    ${definitionJoins(sql)}`
  return row && definitionFrom(row)
}

const cycleOf = (sql: Sql, alias: 'base' | 'cycle' | 'source_base'): Fragment => {
  const name = sql(alias)
  return sql`
    case when ${name}.key is not null then jsonb_build_object('size', ${name}.size, 'unit', ${name}.unit,
      'reference', ${name}.reference, 'timeZone', ${name}.time_zone) end`
}

const definitionsOf = (sql: Sql): Fragment => sql`
  select derived.key, derived.kind, derived.value_type as "valueType", derived.expression,
    component.time_zone as zone, ${cycleOf(sql, 'base')} as base, (
      select jsonb_agg(jsonb_build_object(
        'name', variable ->> 'name', 'offset', (variable ->> 'offset')::integer, 'statistic', variable ->> 'statistic',
        'cycle', ${cycleOf(sql, 'cycle')},
        'source', case when source.key is not null then jsonb_build_object('key', source.key, 'kind', source.kind,
          'valueType', source.value_type, 'zone', owner.time_zone, 'base', ${cycleOf(sql, 'source_base')}) end)
        order by place)
      from jsonb_array_elements(derived.variables) with ordinality as given (variable, place)
      -- Each is looked up by itself, however many components and streams there are.
      left join lateral (
        select owner.key, owner.time_zone
        from component as owner
        where owner.key = case
          when variable ? 'componentId' then (
            select named.key
            from component as named
            where named.organization_key = component.organization_key and not named.is_template
              and named.id = variable ->> 'componentId')
          else derived.component_key
        end
        limit 1
      ) as owner on true
      left join lateral (
        select *
        from stream as source
        where source.component_key = owner.key and source.id = variable ->> 'streamId'
        limit 1
      ) as source on true
      left join cycle as source_base on source_base.key = source.base_cycle_key
      left join cycle on cycle.organization_key = component.organization_key and cycle.id = variable ->> 'cycleId'
    ) as variables`

const definitionJoins = (sql: Sql): Fragment => sql`
  join component on component.key = derived.component_key
  left join cycle as base on base.key = derived.base_cycle_key`

const calendarOf = (cycle: Cycle | null, zone: string): Calendar | undefined =>
  cycle === null ? undefined : openCalendar(cycle, cycle.timeZone ?? zone)

const definitionFrom = ({ base, variables: rows, ...row }: Row): Definition => {
  const calendar = calendarOf(base, row.zone)
  const variables = rows.map((variable): DefinedVariable => {
    const { name, cycle, offset, source } = variable
    // A variable that names nothing is refused when saved, and a stream that one names is neither renamed nor removed.
    if (source === null) throw new Fault('not_found', `variable '${name}' names no stream`)
    const { valueType, zone, base: sourceBase, ...stream } = source
    const isText = valueType === 'STRING' || valueType === 'FILE'
    const own = cycle === null ? calendar : calendarOf(cycle, zone)
    const calendarName = JSON.stringify(cycle === null ? [base, row.zone] : [cycle, zone])
    const statistic = findStatistic(variable.statistic ?? (isText ? 'last' : 'avg'))!
    return {
      name,
      back: -(offset ?? 0),
      isPlain: cycle === null,
      calendar: own,
      calendarName,
      statistic,
      type: variableType(own === undefined ? valueType : typeOfStatistic(statistic, valueType)),
      source: { ...stream, valueType, calendar: calendarOf(sourceBase, zone) },
    }
  })
  const isClocked = row.kind === 'interval' || variables.every(({ isPlain }) => !isPlain)
  const shape = isClocked ? 'clocked' : variables.every(({ isPlain }) => isPlain) ? 'samples' : 'mixed'
  return { ...row, calendar, variables, shape }
}

const variableType = (valueType: ValueType): VariableType => {
  switch (valueType) {
    case 'DOUBLE':
    case 'LONG':
      return 'DOUBLE'
    case 'BOOLEAN':
      return 'BOOLEAN'
    case 'STRING':
    case 'FILE':
      return 'STRING'
  }
}

/** Of characters of expressions: those of a fleet are one. */
const mostRemembered = 2_000_000

/** Compiles each expression once, as long as it is in use. */
export const rememberCompiled = (compile: CompileExpression): ((definition: Definition) => CompiledExpression) => {
  const known = new Map<string, CompiledExpression>()
  let characters = 0
  return (definition) => {
    const { expression, variables, valueType } = definition
    const name = shapeName(definition)
    const remembered = known.get(name)
    if (remembered) return remembered
    const compiled = compile(
      expression,
      variables.map(({ name: variable, type }) => ({ name: variable, type })),
      valueType,
    )
    characters += name.length
    if (characters > mostRemembered) {
      known.clear()
      characters = name.length
    }
    known.set(name, compiled)
    return compiled
  }
}

/** Streams with the same are worked out by the same statement. */
export const shapeName = ({ expression, valueType, kind, zone, variables }: Definition): string =>
  JSON.stringify([
    expression,
    valueType,
    kind,
    zone,
    ...variables.map(({ name, type, back, isPlain, source }) => [
      name,
      type,
      back,
      isPlain,
      source.kind,
      source.valueType,
      // Which of them are the same stream.
      variables.findIndex((other) => other.source.key === source.key),
    ]),
  ])

/** Streams with the same have variables that can be read together, too. */
export const fleetName = (definition: Definition): string =>
  JSON.stringify([
    shapeName(definition),
    ...definition.variables.map(({ calendarName, statistic }) => [calendarName, statistic]),
  ])
