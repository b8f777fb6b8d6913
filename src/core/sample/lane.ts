// A lane: one connection that writes one group of calls at a time, in one transaction. All of it is sent in one go and
// answered in one go, as prepared statements before a single sync, which Postgres takes as one transaction. With a
// round trip per step, a group of 64 samples costs this server 580 µs and the database 1,150; in one go it costs 230
// and 780 (test/bench/README.md).
//
// It is possible because the gate refuses in the database (pass_gates) instead of reporting something to decide on. COPY runs on `pg`, because a COPY that is refused never settles in postgres.js and takes its transaction along.
import { Client, DatabaseError } from 'pg'
import { primaryTarget, refuseStandby } from '../../base/database/primary.ts'
import { Script } from '../../base/database/script.ts'
import type { Step } from '../../base/database/script.ts'
import { connectWithin } from '../../base/database/silence.ts'
import { connectionFault, endsConnection, isUnreplicated, sqlCode, unreplicated } from '../../base/database/sql.ts'
import { openBreath } from '../../base/slices.ts'
import { gateFromRows, goesOn, openGateText } from './gate.ts'
import type { Gate, GateRow, KnownMoment } from './gate.ts'
import { binaryParameters, copyData, copyText } from './copy-rows.ts'
import { copyJournalText, journalData, lastOfEach } from './journal.ts'
import type { JournalRows } from './journal.ts'
import { setPointsBinaryText, upsertBinaryText } from './sample.ts'
import { haveMoreText, slicesOf, sortRows } from './rows.ts'
import type { SampleRows } from './rows.ts'
import { foreseenParameters, NotForeseen, notForeseenCode, passForeseenText } from './foreseen.ts'
import type { Foreseen } from './foreseen.ts'
import { markGroupText, markStaleText, staleMarks } from './stale.ts'
import { markSourcesText, sourceParameters } from './touched.ts'
import type { Touched } from './touched.ts'

/** Something that a call may have remembered has changed, by the answer of the gate: it then reads and writes again. */
export class CatalogChanged extends Error {
  readonly gate: Gate

  constructor(gate: Gate) {
    super()
    this.gate = gate
  }
}

/** Somebody holds samples of a group for long, by a deletion or an import. */
export class SamplesHeld extends Error {
  /** Whether it is known that they are those of the call it is thrown to. */
  readonly isCertain: boolean

  constructor(isCertain = false) {
    super()
    this.isCertain = isCertain
  }
}

/** The catalogue of organizations is being changed, which may take long. */
export class GateClosed extends Error {
  readonly organizationKeys: ReadonlySet<number>

  constructor(organizationKeys: ReadonlySet<number>) {
    super()
    this.organizationKeys = organizationKeys
  }
}

export type LaneOptions = {
  readonly databaseUrl: string
  readonly onChange: (gate: Gate) => void
  /** The longest wait of a group for the gate; its work may take as long again. */
  readonly patienceMs?: number
  /** The longest wait for a sample that somebody else writes. */
  readonly samplePatienceMs?: number
}

const usualPatienceMs = 20_000
/** Another lane has a sample for some milliseconds, under an overload for some hundred. */
export const samplePatienceMs = 1000

/** The rows of a group; appends and merges are sorted (sortRows). */
export type Group = {
  /** The moment of the catalogue that the rows were made by. */
  readonly at: KnownMoment
  readonly organizationKeys: readonly number[]
  readonly appends: SampleRows
  readonly merges: SampleRows
  readonly points: SampleRows
  readonly touched?: Touched | undefined
  readonly journal?: readonly JournalRows[] | undefined
  /** Its rows are among the appends. */
  readonly foreseen?: readonly Foreseen[]
}

export class Lane {
  readonly #options: LaneOptions
  #client: Client | undefined
  /** The moment up to which aggregates are claimed, as the gate last reported to this lane. */
  #claimedUntilMs = Number.NaN
  /** Of the database that the lane is connected to: it stays for as long as the connection. */
  #history = ''
  /** Whether the commit may be on no standby (base/database/sql.ts). */
  #isUnreplicated = false

  constructor(options: LaneOptions) {
    this.#options = options
  }

  get isAway(): boolean {
    return this.#client === undefined
  }

  /**
   * Fails with GateClosed when organizations are being changed, with NotForeseen when a derived stream is not as foreseen, with 23505 when a row of appends was stored before, with
   * SamplesHeld when one is held for longer than the usual time, or than `heldMs`.
   */
  async commit(group: Group, heldMs?: number): Promise<void> {
    const client = await this.#connect()
    this.#isUnreplicated = false
    const endAt = performance.now() + (this.#options.patienceMs ?? usualPatienceMs)
    let mustAsk = Number.isNaN(this.#claimedUntilMs) || !goesOn(group.at, this.#history)
    for (;;) {
      let script: Script | undefined
      try {
        if (mustAsk) await this.#ask(client, group.at)
        mustAsk = false
        script = await scriptOf(group, stepsOf(group, this.#claimedUntilMs, heldMs))
        await this.#settled(client, client.query(script).done)
        if (this.#isUnreplicated) throw unreplicated()
        return
      } catch (error) {
        if (sqlCode(error) === gateClosed) throw new GateClosed(closedIn(error as DatabaseError))
        if (sqlCode(error) === notForeseenCode) throw new NotForeseen()
        if (sqlCode(error) === '55P03' && script?.isBegun) throw new SamplesHeld()
        mustAsk ||= sqlCode(error) === gateRefused
        // The gate is closed for longer than a sample may be held: the group comes again.
        const comesAgain = sqlCode(error) === '55P03' && performance.now() < endAt
        if (sqlCode(error) !== gateRefused && !comesAgain) throw error
      }
    }
  }

  /** Asks the gate for changes. */
  async #ask(client: Client, known: KnownMoment): Promise<void> {
    const given = [known.serial, known.history ?? null]
    const { rows } = await this.#settled(client, client.query<GateRow>(openGateText, given))
    const gate = gateFromRows(rows, known)
    this.#claimedUntilMs = gate.claimedUntilMs
    this.#history = gate.history
    if (gate.changedComponentKeys.length === 0 && goesOn(known, gate.history)) return
    this.#options.onChange(gate)
    throw new CatalogChanged(gate)
  }

  async #connect(): Promise<Client> {
    if (this.#client) return this.#client
    const client = new Client({
      ...primaryTarget(this.#options.databaseUrl),
      application_name: 'coppice writer',
    })
    client.on('error', () => this.#drop(client))
    client.on('end', () => this.#drop(client))
    client.on('notice', (notice) => {
      this.#isUnreplicated ||= isUnreplicated(notice)
    })
    await this.#settled(client, prepare(client, this.#options)).catch((error: unknown) => {
      client.end().catch(() => {})
      throw error
    })
    // Asked for before the first group.
    this.#claimedUntilMs = Number.NaN
    this.#client = client
    return client
  }

  /** Waits for the database, and lets go of the connection unless the error ended its statement only. */
  async #settled<T>(client: Client, work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      if (error instanceof DatabaseError && !endsConnection(error)) throw error
      this.#drop(client)
      client.end().catch(() => {})
      throw connectionFault(error)
    }
  }

  #drop(client: Client): void {
    if (this.#client === client) this.#client = undefined
  }

  async close(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await client?.end()
  }
}

const connectWithinMs = 2000

const prepare = async (
  client: Client,
  { patienceMs = usualPatienceMs, samplePatienceMs: heldMs = samplePatienceMs }: LaneOptions,
): Promise<void> => {
  await connectWithin(client, connectWithinMs)
  await refuseStandby(client)
  await client.query(`
    set lock_timeout = ${Math.min(heldMs, patienceMs)};
    set statement_timeout = ${2 * patienceMs};
    set timezone = 'UTC';
    set synchronous_commit = on;
    set plan_cache_mode = force_generic_plan;
    set timescaledb.max_tuples_decompressed_per_dml_transaction = 0`)
  await client.query(new Script(Object.entries(statements).map(([name, text]) => ({ kind: 'prepare', name, text }))))
    .done
}

const gateRefused = 'CG001'
const gateClosed = 'CG002'

const closedIn = ({ detail = '' }: DatabaseError): ReadonlySet<number> => new Set(detail.split(',').map(Number))

const statements = {
  'pass-gates': 'select pass_gates($1, $2, $3)',
  'set-patience': `select set_config('lock_timeout', $1, true)`,
  'copy-samples': copyText,
  'mark-stale': markStaleText,
  'mark-group': markGroupText,
  'upsert-samples': upsertBinaryText,
  'set-points': setPointsBinaryText,
  'mark-sources': markSourcesText,
  'copy-journal': copyJournalText,
  'pass-foreseen': passForeseenText,
}

type Name = keyof typeof statements

/** Each step is made when it is asked for: the texts of 100,000 samples that overwrite others take 70 ms. */
export const stepsOf = function* (
  { at, organizationKeys, appends, merges, points, touched, journal, foreseen = [] }: Group,
  claimedUntilMs: number,
  heldMs: number | undefined,
): Generator<Step> {
  yield execute('pass-gates', [String(at.serial), String(claimedUntilMs), `{${organizationKeys.join()}}`])
  if (heldMs !== undefined) yield execute('set-patience', [String(heldMs)])
  for (const each of foreseen) yield execute('pass-foreseen', foreseenParameters(each))
  for (const rows of [appends, merges]) {
    const { spans, groups } = staleMarks(rows, claimedUntilMs)
    if (spans) yield execute('mark-stale', spans)
    for (const group of groups) yield execute('mark-group', group)
  }
  if (appends.streamKeys.length > 0) yield* copy('copy-samples', copyData(appends))
  for (const some of slicesOf(merges)) yield execute('upsert-samples', binaryParameters(some))
  // In the order of their streams in all slices, so that two lanes do not wait for each other.
  for (const some of slicesOf(sortRows(lastOfEach(points)))) yield execute('set-points', binaryParameters(some))
  const sources = sourceParameters(touched)
  if (sources) yield execute('mark-sources', sources)
  if (journal) yield* copy('copy-journal', journalData(journal))
}

const execute = (name: Name, values: readonly (string | Buffer)[]): Step => ({ kind: 'execute', name, values })

const copy = function* (name: Name, data: Iterable<Buffer>): Generator<Step> {
  yield execute(name, [])
  for (const bytes of data) yield { kind: 'data', bytes }
  yield { kind: 'end-of-data' }
}

/** Long texts are made as they are sent: 64 MB of them that overwrite others took 166 MB more. Others are faster made before. */
const mostMadeBefore = 4 * 1024 * 1024
const mostAheadBytes = 1024 * 1024

const scriptOf = async (group: Group, steps: Generator<Step>): Promise<Script> => {
  if (haveMoreText([group.appends, group.merges, group.points], mostMadeBefore))
    return new Script(steps, mostAheadBytes)
  const made: Step[] = []
  const breathe = openBreath(() => {})
  for (const step of steps) {
    made.push(step)
    const turn = breathe()
    if (turn) await turn
  }
  return new Script(made)
}
