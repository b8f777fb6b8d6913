// How far a stream is while it is derived: its row, held by this transaction, and what becomes of it.
import type { Transaction } from '../../base/database/sql.ts'
import { shownMs, storedMs } from '../sample/rows.ts'
import { cutSpans, joinSpans, meetSpans } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import type { Definition } from './definition.ts'
import { tooLong } from './expression.ts'

type Row = {
  readonly key: number
  readonly lastMs: number | null
  readonly touchedMs: number | null
  readonly staleMs: number | null
  readonly pendingMs: number | null
  readonly errorMs: number | null
  readonly triedMs: number | null
  readonly wasLate: boolean | null
  /** Before this nothing is written; null: there is no such time. */
  readonly keptMs: number | null
  /** From, until, from, until ... of what is archived. */
  readonly archived: readonly number[] | null
}

export type Held = Row

/** Holds the rows of streams until the transaction ends; those that somebody else holds are waited for, or left out. */
export const holdDerivations = (
  sql: Transaction,
  keys: readonly number[],
  whenHeld: 'wait' | 'skip',
): Promise<readonly Held[]> =>
  sql<Row[]>`
    select derivation.stream_key as key, last_time as "lastMs", touched_from as "touchedMs", stale_from as "staleMs",
      pending_until as "pendingMs", error_time as "errorMs", error_at as "triedMs",
      error_message like ${`${tooLong}%`} as "wasLate",
      case when organization.retention_days is not null then organization.kept_until end as "keptMs", (
        select array_agg(edge order by edge)
        from kept, unnest(array[since, until]) as edge
        where kept.stream_key = derivation.stream_key
      ) as archived
    from derivation
    join organization on organization.key = derivation.organization_key
    where derivation.stream_key = any(${[...keys]}::integer[])
    order by derivation.stream_key
    for update of derivation ${whenHeld === 'skip' ? sql`skip locked` : sql``}`

/** Times are as shown. */
export type Progress = {
  readonly definition: Definition
  /** Where it can be written, of stored times: retention has taken nothing away there. */
  readonly open: readonly Span[]
  /** Of its last sample. */
  lastMs: number
  /** The first time that was touched. A clock at the ends of cycles goes on from there, and takes it along to where it is done. */
  touchedMs: number | undefined
  staleMs: number | undefined
  error: { readonly timeMs: number; readonly message: string | undefined } | undefined
  /** Where it has failed just now. */
  failed: { readonly timeMs: number; readonly message: string } | undefined
  /** When it last failed. */
  readonly triedMs: number
  /** Whether it failed by time. */
  readonly wasLate: boolean
  /** Up to where it is to be derived once the error is gone. */
  pendingMs: number | undefined
  /** Stored times of samples that were stored or removed. */
  changed: Span | undefined
  /** How many were. */
  samples: number
  /** Spans that are still to be done, and not in this transaction. */
  left: readonly Span[]
}

export const openProgress = (definition: Definition, row: Held): Progress => {
  const { kind } = definition
  const everything: Span = [row.keptMs ?? Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const edges = row.archived ?? []
  const archived = Array.from({ length: edges.length / 2 }, (_, n): Span => [edges[2 * n]!, edges[2 * n + 1]!])
  return {
    definition,
    open: cutSpans([everything], joinSpans(archived)),
    lastMs: row.lastMs === null ? Number.NEGATIVE_INFINITY : shownMs(kind, row.lastMs),
    touchedMs: row.touchedMs ?? undefined,
    staleMs: row.staleMs ?? undefined,
    error: row.errorMs === null ? undefined : { timeMs: row.errorMs, message: undefined },
    triedMs: row.triedMs ?? Number.NEGATIVE_INFINITY,
    wasLate: row.wasLate ?? false,
    failed: undefined,
    pendingMs: row.pendingMs ?? undefined,
    changed: undefined,
    samples: 0,
    left: [],
  }
}

/** Those of the times that can be written. */
export const openSpans = ({ definition: { kind }, open }: Progress, spans: readonly Span[]): readonly Span[] =>
  open.length === 1 && open[0]![0] === Number.NEGATIVE_INFINITY
    ? spans
    : meetSpans(
        spans,
        open.map(([fromMs, untilMs]): Span => [shownMs(kind, fromMs), shownMs(kind, untilMs)]),
      )

/** Takes note of stored times that were changed, which are those of samples now unless they were removed. */
export const noteChanged = (progress: Progress, firstMs: number, lastMs: number): void => {
  const { changed } = progress
  progress.changed = [Math.min(changed?.[0] ?? firstMs, firstMs), Math.max(changed?.[1] ?? lastMs, lastMs + 1)]
  progress.lastMs = Math.max(progress.lastMs, shownMs(progress.definition.kind, lastMs))
}

export const noteStale = (progress: Progress, fromMs: number): void => {
  progress.staleMs = Math.min(progress.staleMs ?? fromMs, fromMs)
}

/** Writes down what has become of them. */
export const keepProgress = async (sql: Transaction, all: readonly Progress[], nowMs: number): Promise<void> => {
  if (all.length === 0) return
  const times = (read: (progress: Progress) => number | undefined) =>
    all.map((each) => {
      const ms = read(each)
      return ms === undefined || !Number.isFinite(ms) ? null : ms
    }) as number[]
  await sql`
    update derivation
    set last_time = given.last_time, touched_from = given.touched_from, stale_from = given.stale_from,
      pending_until = given.pending_until, error_time = given.error_time,
      error_at = case
        when given.error_time is null then null when given.message is null then error_at else ${nowMs}::timestamptz end,
      error_message = case when given.error_time is null then null else coalesce(given.message, error_message) end,
      samples = derivation.samples + given.samples
    from unnest(
      ${all.map(({ definition: { key } }) => key)}::integer[],
      ${times(({ definition: { kind }, lastMs }) => storedMs(kind, lastMs))}::timestamptz[],
      ${times(({ touchedMs }) => touchedMs)}::timestamptz[],
      ${times(({ staleMs }) => staleMs)}::timestamptz[],
      ${times(({ error, pendingMs }) => (error ? pendingMs : undefined))}::timestamptz[],
      ${times(({ error }) => error?.timeMs)}::timestamptz[],
      ${all.map(({ error }) => error?.message ?? null) as string[]}::text[],
      ${all.map(({ samples }) => samples)}::integer[]
    ) as given (key, last_time, touched_from, stale_from, pending_until, error_time, message, samples)
    where derivation.stream_key = given.key`
}
