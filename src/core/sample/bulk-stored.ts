// Whether exactly the samples that an import made before are stored (docs/imports.md#skip-unchanged), by a digest of them:
// a million take 0.6 s of our database's CPU. They are looked at while the same rows come from the external database once
// more, and the end of the run makes sure that this look still holds. An upload that comes after the look is one that
// comes after the run: uploads leave no note of it (seen.ts), and the next run finds it.
import { snapshot } from '../../base/database/sql.ts'
import type { Pool, Transaction } from '../../base/database/sql.ts'
import { digestOf } from './bulk-latest.ts'
import type { BulkDigest } from './bulk-latest.ts'
import { openPlaces } from './bulk-place.ts'
import type { Places } from './bulk-place.ts'
import { findComponents, findPlaces } from './bulk-streams.ts'
import type { BulkStreams } from './bulk-streams.ts'
import type { Caller } from '../caller.ts'
import { holdChunks } from './chunk.ts'
import { goesOn, isChangedSince, latestChange } from './gate.ts'
import type { Gate, Moment } from './gate.ts'
import { isChanged, seenOf, sightColumns } from './seen.ts'
import type { Seen, Sight } from './seen.ts'
import { timeOf } from './stale.ts'

/** Thrown inside the transaction, which has perhaps made streams that were missing. */
export class NotStored extends Error {}

type Wanted = {
  readonly streams: () => AsyncIterable<BulkStreams>
  readonly nowMs: number
  /** Time that each statement may take. */
  readonly timeoutMs: number
}

/** Stored samples as they were at a moment. */
export type StoredLook = {
  readonly areStored: boolean
  readonly moment: Moment
  readonly componentKeys: readonly number[]
  readonly seen: Seen
}

/**
 * Looks whether the samples of a digest are stored, making nothing, on a connection that nobody else uses meanwhile. Undefined: it was
 * stopped, or somebody has to look at them inside the gate.
 */
export const lookAtStored = (
  own: Pool,
  caller: Caller,
  { streams, nowMs, timeoutMs }: Wanted,
  wanted: BulkDigest,
  isStopped: () => boolean,
): Promise<StoredLook | undefined> =>
  snapshot(own, async (sql) => {
    await holdChunks(sql)
    await setUp(sql, timeoutMs)
    const { serial, history } = await latestChange(sql)
    const [sight] = await sql<[Sight]>`select ${sightColumns(sql)}`
    const places = openPlaces(nowMs)
    const componentKeys = await findPlaces(sql, caller, streams, places)
    if (componentKeys === undefined || !places.arePlain()) return undefined
    const spans = places.spans()
    const found = await digestStored(sql, spans, wanted.seed, isStopped)
    return (
      found && {
        areStored: isSame(found, wanted),
        moment: { serial, history },
        componentKeys,
        seen: await seenOf(
          sql,
          sight,
          spans.map(([key]) => key),
        ),
      }
    )
  })

/**
 * Demands that exactly the samples of a digest are stored in these streams, and no others between them: they need not be known
 * for that. Throws NotStored where that is not so, or where somebody must look at them. The gate is open.
 */
export const demandStored = async (
  sql: Transaction,
  caller: Caller,
  { streams, nowMs, timeoutMs }: Wanted,
  wanted: BulkDigest,
  gate: Gate,
  look: StoredLook | undefined,
): Promise<void> => {
  if (look?.areStored && (await holdsStill(sql, caller, gate, look))) return
  await setUp(sql, timeoutMs)
  const places = openPlaces(nowMs)
  await findComponents(sql, caller, streams, places)
  if (!places.arePlain()) throw new NotStored()
  const found = await digestStored(sql, places.spans(), wanted.seed)
  if (!isSame(found!, wanted)) throw new NotStored()
}

/** Whether since then no name, type or age of these streams was changed, no script has written to them and nobody deleted samples. */
const holdsStill = async (
  sql: Transaction,
  { organizationKey }: Caller,
  { history }: Gate,
  { moment, componentKeys, seen }: StoredLook,
): Promise<boolean> =>
  goesOn(moment, history) &&
  !(await isChangedSince(sql, moment.serial, organizationKey, componentKeys)) &&
  !(await isChanged(sql, organizationKey, seen))

const setUp = (sql: Transaction, timeoutMs: number) =>
  sql`select set_config('statement_timeout', ${String(timeoutMs)}, true), set_config('plan_cache_mode', 'force_custom_plan', true)`

const isSame = (found: BulkDigest, { samples, digest }: BulkDigest): boolean =>
  found.samples === samples && found.digest === digest

/** So many statements for all streams: whoever stops a look waits for one of them. */
const mostPieces = 8

/** The digest of all samples that are stored in these spans; undefined when it was stopped. */
export const digestStored = async (
  sql: Transaction,
  spans: ReturnType<Places['spans']>,
  seed: string,
  isStopped?: () => boolean,
): Promise<BulkDigest | undefined> => {
  const pieceLength = Math.ceil(spans.length / (isStopped ? mostPieces : 1))
  let [samples, digest] = [0, 0n]
  for (let from = 0; from < spans.length; from += pieceLength) {
    if (isStopped?.()) return undefined
    const found = await digestPiece(sql, spans.slice(from, from + pieceLength), seed)
    samples += found.samples
    digest += BigInt(found.digest)
  }
  return { seed, samples, digest: String(digest) }
}

const digestPiece = async (sql: Transaction, spans: ReturnType<Places['spans']>, seed: string) => {
  const column = (index: 0 | 1 | 2) => spans.map((span) => span[index])
  const [firstMs, lastMs] = [Math.min(...column(1)), Math.max(...column(2))]
  const [found] = await sql.unsafe<[Omit<BulkDigest, 'seed'>]>(
    `select count(*) as samples, ${digestOf('sample', seed)}
     from unnest($1::integer[], $2::bigint[], $3::bigint[]) as span (stream_key, first_ms, last_ms)
     join sample on sample.stream_key = span.stream_key
       and sample.time >= ${timeOf('first_ms')} and sample.time <= ${timeOf('last_ms')}
     where sample.time >= ${timeOf(`${BigInt(firstMs)}::bigint`)} and sample.time <= ${timeOf(`${BigInt(lastMs)}::bigint`)}`,
    [column(0), column(1), column(2)] as never,
  )
  return found
}
