// Places the samples of an import where they are, in SQL (bulk.ts). place.ts has the rules by which a sample is refused or
// becomes a row, and says why; what is here knows when they would let all samples of an import through: the streams take values of
// that type as they are, and no time is too old. A million rows then never leave the database.
import { firstMs as firstOfCalendar, lastMs as lastOfCalendar } from '../../base/http/params.ts'
import type { Transaction } from '../../base/database/sql.ts'
import type { ValueType } from '../stream.ts'
import type { Given } from './bulk-latest.ts'
import type { RegisteredComponent, RegisteredStream } from './registered.ts'
import type { ComponentRef, StreamRef } from './ref.ts'

/** Samples as rows of a query, whose columns are place (their order), cid, id, ms (null: the time of the run) and value. */
export type BulkQuery = {
  readonly text: (firstParameter: number) => string
  readonly values: readonly (string | boolean | null)[]
  readonly type: 'LONG' | 'DOUBLE' | 'BOOLEAN' | 'STRING'
}

/** A stream, and whether its samples are whole numbers. */
export type BulkPlace = { readonly key: number; readonly isLong: boolean }

type Span = { readonly firstMs: number; readonly lastMs: number }

export type Places = {
  /** A stream by the names that the rows have for it, and what there is for it. */
  readonly add: (
    cid: ComponentRef,
    id: StreamRef,
    component: RegisteredComponent,
    stream: RegisteredStream,
    span: Span,
    type: BulkQuery['type'] | undefined,
  ) => void
  /** Whether no rule could refuse one of the samples. */
  readonly arePlain: () => boolean
  /** The stream of these names, where all are plain. */
  readonly placeOf: (cid: string, id: string) => BulkPlace
  /** None of the samples is outside. */
  readonly range: Given['range']
  /** The streams and the times that the samples are of, where all are plain. */
  readonly spans: () => readonly (readonly [streamKey: number, firstMs: number, lastMs: number])[]
  readonly place: (sql: Transaction, queries: readonly BulkQuery[]) => Promise<Given>
}

/** Which values each type of stream stores as they come; of all others place.ts decides one by one. */
const taken: Record<ValueType, readonly BulkQuery['type'][]> = {
  DOUBLE: ['DOUBLE', 'LONG'],
  LONG: ['LONG'],
  BOOLEAN: ['BOOLEAN'],
  STRING: ['STRING'],
  FILE: [],
}

export const openPlaces = (nowMs: number): Places => {
  const names: { cids: string[]; ids: string[]; streamKeys: number[]; componentKeys: number[]; longs: number[] } = {
    cids: [],
    ids: [],
    streamKeys: [],
    componentKeys: [],
    longs: [],
  }
  const range = { firstMs: Infinity, lastMs: -Infinity, firstKey: Infinity, lastKey: -Infinity }
  const known = new Map<number, Span>()
  const byNames = new Map<string, Map<string, BulkPlace>>()
  let isPlain = true
  return {
    add: (cid, id, component, stream, span, type) => {
      if (!isPlain) return
      const { key, kind, valueType, isDerived } = stream
      const takes = type !== undefined && taken[valueType].includes(type)
      if (typeof cid !== 'string' || typeof id !== 'string' || kind !== 'random' || isDerived || !takes) isPlain = false
      else if (!isKept(component, stream, span, nowMs)) isPlain = false
      else {
        range.firstMs = Math.min(range.firstMs, span.firstMs)
        range.lastMs = Math.max(range.lastMs, span.lastMs)
        // Several statements may write to one.
        const before = known.get(key)
        known.set(key, before ? joined(before, span) : span)
        const ofComponent = byNames.get(cid) ?? new Map<string, BulkPlace>()
        byNames.set(cid, ofComponent.set(id, { key, isLong: valueType === 'LONG' }))
        if (before) return
        range.firstKey = Math.min(range.firstKey, key)
        range.lastKey = Math.max(range.lastKey, key)
        names.cids.push(cid)
        names.ids.push(id)
        names.streamKeys.push(key)
        names.componentKeys.push(component.key)
        names.longs.push(valueType === 'LONG' ? 1 : 0)
      }
    },
    placeOf: (cid, id) => byNames.get(cid)!.get(id)!,
    range,
    arePlain: () => isPlain && names.cids.length > 0,
    spans: () => Array.from(known, ([key, { firstMs, lastMs }]) => [key, firstMs, lastMs]),
    place: async (sql, queries) => {
      await sql`
        create temp table place on commit drop as
        select cid, id, stream_key, component_key, long = 1 as is_long
        from unnest(${names.cids}::text[], ${names.ids}::text[], ${names.streamKeys}::integer[],
                    ${names.componentKeys}::integer[], ${names.longs}::integer[])
          as place (cid, id, stream_key, component_key, long)`
      await sql`analyze place`
      const values: BulkQuery['values'][number][] = []
      const parts = queries.map((query, part) => {
        const text = placedText(query, part, values.length + 1, nowMs)
        values.push(...query.values)
        return text
      })
      return { text: parts.join(' union all '), values, order: parts.length > 1 ? ['part', 'place'] : ['place'], range }
    },
  }
}

const joined = (one: Span, other: Span): Span => ({
  firstMs: Math.min(one.firstMs, other.firstMs),
  lastMs: Math.max(one.lastMs, other.lastMs),
})

/** Whether all its times are of the calendar, and none is or will soon be archived. */
const isKept = (
  { retentionDays, keptUntilMs }: RegisteredComponent,
  { archived }: RegisteredStream,
  { firstMs, lastMs }: Span,
  nowMs: number,
): boolean => {
  if (firstMs < firstOfCalendar || lastMs > lastOfCalendar) return false
  if (retentionDays !== null && firstMs < Math.max(nowMs - retentionDays * 86_400_000, keptUntilMs ?? -Infinity))
    return false
  return archived.every(([fromMs, untilMs]) => lastMs < fromMs || firstMs >= untilMs)
}

/** A null is no sample of a random stream. */
const placedText = ({ text, type }: BulkQuery, part: number, firstParameter: number, nowMs: number): string => `
  select ${part} as part, given.place, place.stream_key, place.component_key, null::integer as span,
    coalesce(given.ms, ${nowMs}) as ms, ${columnsOf[type]},
    coalesce(given.ms = ${nowMs}, true) as is_by_run, false as is_point
  from (${text(firstParameter)}) as given
  join place on place.cid = given.cid and place.id = given.id
  where given.value is not null`

/** As pushRow does (rows.ts). */
const columnsOf: Record<BulkQuery['type'], string> = {
  DOUBLE: 'given.value as num, null::bigint as long, null::text as text',
  LONG: `
    case when not is_long then given.value end::double precision as num, case when is_long then given.value end as long,
    null::text as text`,
  BOOLEAN: 'given.value::integer::double precision as num, null::bigint as long, null::text as text',
  STRING: 'null::double precision as num, null::bigint as long, given.value as text',
}
