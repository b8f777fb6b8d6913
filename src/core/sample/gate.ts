// The write gate, which lets writers work from memory. A process keeps components and streams in memory (registry.ts)
// and writes samples without looking them up; so a writer must find out, inside its own transaction, whether something
// it remembers was changed meanwhile. It opens the gate (a shared lock), which reports every change since the serial it
// knows. A change or removal of such a thing closes the gate (the exclusive lock, held until its transaction ends) and
// is noted (catalog-change.ts). So a sample is never written into a stream that is gone, and one small query per write
// replaces a look-up per stream.
//
// There is one gate for all, and one for each organization (db/0044_own_gate.sql). A group of uploads stands in that of all and in
// those of its organizations (db/0048_lane_gate.sql). A writer that may take long stands in that of its organization, and passes the
// gate of all at its end. A change closes the gate of its organization for as long as it takes, and that of all for its commit, at
// which it is noted. So nobody waits for what others do, nor uploads behind them.
import type { Sql, Transaction } from '../../base/database/sql.ts'
import { memoryText } from '../history.ts'

/**
 * The answer to a writer: how far aggregates are claimed, which organizations somebody listens to, and which components
 * changed since it last asked.
 */
export type Gate = Moment & {
  readonly claimedUntilMs: number
  readonly heard: Heard
  /** Those since the moment that was known; of another history, all that are noted. */
  readonly changedComponentKeys: readonly number[]
}

/** The state of the catalogue that something remembered is of: a serial means something in one history only. */
export type Moment = {
  readonly serial: number
  /** Of the database (../history.ts). */
  readonly history: string
}

/** Of a history that is not known, which every other is taken for. */
export type KnownMoment = { readonly serial: number; readonly history?: string | undefined }

/** The organizations that somebody listens to, by their keys: what is stored in them is written down (journal.ts). */
export type Heard = ReadonlySet<number>

export type GateRow = {
  readonly claimedUntilMs: number
  readonly heard: string | null
  readonly serial: number | null
  readonly componentKey: number | null
  readonly history: string
}

const enterText = (enter: (serial: string) => string) => `
  select (extract(epoch from claimed_until) * 1000)::double precision as "claimedUntilMs", heard,
         serial::double precision, component_key as "componentKey", history
  from ${memoryText} as known (history),
       ${enter('case when history = coalesce($2::text, history) then $1::bigint else 0 end')}`

/** Takes the serial and the history that are known, and gives GateRows to either driver. */
export const openGateText = enterText((serial) => `enter_gate(${serial})`)

const enterOwnText = enterText((serial) => `enter_own_gate($3::integer, ${serial})`)

/** The gate of all, in which a transaction stands until its end. */
export const openGate = async (sql: Transaction, serial: number, history?: string): Promise<Gate> => {
  const known = [serial, history ?? null]
  return gateFromRows(await sql.unsafe<GateRow[]>(openGateText, known, { prepare: true }), { serial, history })
}

type Enter = (known: KnownMoment) => Promise<Gate>

/** Thrown to a transaction that has to begin anew: nothing of it is stored. */
class GateMoved extends Error {}

/**
 * Runs a transaction that writes samples of an organization and may take long. `work` enters the gate of the organization,
 * once; at the end the transaction passes the gate of all. If more was claimed for aggregates meanwhile, or somebody began to
 * listen, it begins anew; in the gate of all when that happens again and again.
 */
export const inOwnGate = async <T>(
  begin: (work: (sql: Transaction) => Promise<T>) => Promise<T>,
  organizationKey: number,
  work: (sql: Transaction, enter: Enter) => Promise<T>,
): Promise<T> => {
  for (let run = 1; run <= mostOwnRuns; run += 1)
    try {
      return await begin(async (sql) => {
        let entered: Gate | undefined
        const result = await work(sql, async (known) => (entered = await enterOwnGate(sql, organizationKey, known)))
        if (entered) await passAfter(sql, organizationKey, entered)
        return result
      })
    } catch (error) {
      if (!(error instanceof GateMoved)) throw error
    }
  return begin((sql) =>
    work(sql, async (known) => {
      await enterOwnGate(sql, organizationKey, known)
      return openGate(sql, known.serial, known.history)
    }),
  )
}

/** Claims are hours apart, and an interest stays for minutes. */
const mostOwnRuns = 3

const enterOwnGate = async (sql: Transaction, organizationKey: number, known: KnownMoment): Promise<Gate> => {
  const given = [known.serial, known.history ?? null, organizationKey]
  return gateFromRows(await sql.unsafe<GateRow[]>(enterOwnText, given, { prepare: true }), known)
}

const passWaitMs = 20_000

const passAfter = async (sql: Transaction, organizationKey: number, entered: Gate): Promise<void> => {
  // As long as a lane waits, whatever the work has set: all of it would be in vain.
  await sql`select set_config('lock_timeout', ${String(passWaitMs)}, true)`
  const now = await openGate(sql, Number.MAX_SAFE_INTEGER)
  const isNew = now.heard.has(organizationKey) && !entered.heard.has(organizationKey)
  if (now.claimedUntilMs !== entered.claimedUntilMs || isNew) throw new GateMoved()
}

export const gateFromRows = (rows: readonly GateRow[], known: KnownMoment): Gate => {
  const { claimedUntilMs, heard, history } = rows[0]!
  const knownSerial = goesOn(known, history) ? known.serial : 0
  return {
    claimedUntilMs,
    heard: heardFrom(heard),
    history,
    serial: rows.at(-1)!.serial ?? knownSerial,
    changedComponentKeys: rows.flatMap((row) => row.componentKey ?? []),
  }
}

/** The things that something remembered is of. */
export type Concern = {
  readonly organizationKey: number
  readonly components: readonly { readonly key: number }[]
}

/** Gives whether the changes that the gate reports may be of these things. */
export const changesOf = ({ changedComponentKeys }: Gate): ((concern: Concern) => boolean) => {
  const changed = new Set(changedComponentKeys)
  return ({ organizationKey, components }) =>
    changed.has(everything) ||
    changed.has(allOfOrganization(organizationKey)) ||
    components.some(({ key }) => changed.has(key))
}

/** Whether what was known goes on in this history. */
export const goesOn = ({ history }: KnownMoment, now: string): boolean => history === undefined || history === now

export const nobodyHears: Heard = new Set()

const heardFrom = (keys: string | null): Heard => (keys === null ? nobodyHears : new Set(keys.split(',').map(Number)))

/** In place of a component's key: everything that is remembered. */
export const everything = 0

/** In place of a component's key: everything that is remembered of an organization. */
export const allOfOrganization = (organizationKey: number): number => -organizationKey

export const latestSerial = async (sql: Sql): Promise<number> => (await latestChange(sql)).serial

/** The latest serial, and whom somebody listens to as of then. */
export const latestChange = async (sql: Sql): Promise<Moment & Pick<Gate, 'heard'>> => {
  const [row] = await sql<[Moment & { heard: string | null }]>`
    select coalesce(max(serial), 0) as serial, ${sql.unsafe(memoryText)} as history,
      (select string_agg(organization_key::text, ',') from live_interest) as heard
    from catalog_change`
  return { ...row, heard: heardFrom(row.heard) }
}

/** Whether anything of these components was changed or removed after that serial. The gate is open. */
export const isChangedSince = async (
  sql: Transaction,
  serial: number,
  organizationKey: number,
  componentKeys: readonly number[],
): Promise<boolean> => {
  const these = [everything, allOfOrganization(organizationKey), ...componentKeys]
  const changed = await sql`
    select from catalog_change where serial > ${serial} and component_key = any(${these}::integer[]) limit 1`
  return changed.length > 0
}
