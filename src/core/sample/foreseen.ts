// Samples of derived streams that were worked out before the upload they follow from (../derive): they are stored with
// it, by the same COPY, if nothing has happened to their streams meanwhile. The transaction itself finds that out, so
// that an upload that derives at once is sent and answered in one go like any other.
import type { Pool } from '../../base/database/sql.ts'
import type { Holders } from '../../base/shares.ts'
import type { KnownMoment } from './gate.ts'
import type { PlacedRows } from './place.ts'
import type { SampleRows } from './rows.ts'

/** Derived samples, and the streams behind an upload, which all are as they were when these were worked out. */
export type Foreseen = {
  readonly rows: SampleRows
  readonly derived: readonly {
    readonly key: number
    /** Stored times: what was worked out begins there, and its last sample; null: there is none. */
    readonly firstMs: number
    readonly lastMs: number | null
    readonly samples: number
  }[]
  /** All streams that the derived ones hang on, and they themselves. */
  readonly concernedKeys: readonly number[]
}

/** Undefined: it is not to be foreseen, and derived when the upload is stored, or after. */
export type Foresee = (
  pool: Pool,
  holders: Holders,
  placed: PlacedRows,
  /** Of the catalogue by which the rows were placed. */
  at: KnownMoment,
  limits: DeriveLimits,
) => Promise<Foreseen | undefined>

/** `endAt` by performance.now(). */
export type DeriveLimits = { readonly mostStreams: number; readonly endAt: number }

/** A derived stream is not as it was foreseen: nothing is stored. */
export class NotForeseen extends Error {}

/** The error of passForeseenText. */
export const notForeseenCode = 'GS001'

const time = (ms: string) => `to_timestamp(${ms} / 1000) + (${ms} % 1000) * interval '1 millisecond'`

// Nothing fails there, no sample is before the last one, nothing is archived, and nobody else derives it just now.
const heldText = (lock: string) => `
  with given as materialized (
    select key, ${time('first_ms')} as first_time, ${time('last_ms')} as last_time, samples
    from unnest($1::text::integer[], $2::text::bigint[], $3::text::bigint[], $4::text::integer[])
      as given (key, first_ms, last_ms, samples)
  ), held as materialized (
    select derivation.stream_key
    from given
    join derivation on derivation.stream_key = given.key
    join organization on organization.key = derivation.organization_key
    where derivation.error_time is null
      and (derivation.last_time is null or derivation.last_time < given.first_time)
      and (organization.retention_days is null or organization.kept_until is null
        or organization.kept_until <= given.first_time)
      and not exists (select from kept where kept.stream_key = given.key and kept.until > given.first_time)
    ${lock}
  ), state as materialized (
    -- Marks are of what others have touched before and nobody has derived yet: that comes first.
    select (select count(*) from held) = (select count(*) from given)
      and not exists (select from derive_mark where source_key = any($5::text::integer[])) as is_foreseen)`

/** Whether all is as foreseen; `is_foreseen`. */
export const isForeseenText = `${heldText('')} select is_foreseen as "isForeseen" from state`

/** Holds the streams and writes down how far they are, or fails. */
export const passForeseenText = `${heldText('for update of derivation skip locked')}, noted as (
    update derivation
    set last_time = given.last_time, samples = derivation.samples + given.samples
    from given
    where derivation.stream_key = given.key and given.samples > 0
  )
  select gs.fail(case when is_foreseen then null else 'a derived stream is not as foreseen' end, -1)
  from state
  where not is_foreseen`

const list = (values: readonly (number | null)[]) => `{${values.map((value) => value ?? 'null').join(',')}}`

export const foreseenParameters = ({ derived, concernedKeys }: Omit<Foreseen, 'rows'>): string[] => [
  list(derived.map(({ key }) => key)),
  list(derived.map(({ firstMs }) => firstMs)),
  list(derived.map(({ lastMs }) => lastMs)),
  list(derived.map(({ samples }) => samples)),
  list(concernedKeys),
]
