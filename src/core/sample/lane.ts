// A lane: one connection that writes one group of calls at a time, in one transaction. All of it is sent in one go and
// answered in one go, as prepared statements before a single sync, which Postgres takes as one transaction. With a
// round trip per step, a group of 64 samples costs this server 580 µs and the database 1,150; in one go it costs 230
// and 780 (test/bench/README.md).
//
// It is possible because the gate refuses in the database (pass_gates) instead of reporting something to decide on. COPY runs on `pg`, because a COPY that is refused never settles in postgres.js and takes its transaction along.
import { Client, DatabaseError } from 'pg'
import type { Connection, Submittable } from 'pg'
import { primaryTarget, refuseStandby } from '../../base/database/primary.ts'
import { connectWithin } from '../../base/database/silence.ts'
import { connectionFault, endsConnection, isUnreplicated, sqlCode, unreplicated } from '../../base/database/sql.ts'
import { free } from '../../base/free.ts'
import { inSlices, openBreath } from '../../base/slices.ts'
import type { Sliced } from '../../base/slices.ts'
import { gateFromRows, goesOn, openGateText } from './gate.ts'
import type { Gate, GateRow, KnownMoment } from './gate.ts'
import { copyBuffer, copyText } from './copy-rows.ts'
import { copyJournalText, journalBuffer } from './journal.ts'
import type { JournalRows } from './journal.ts'
import { setPointsText, upsertParameters, upsertText } from './sample.ts'
import { slicesOf } from './rows.ts'
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
  /** The last that the database has refused: it may still be reading the data. */
  #refused: Script | undefined

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
        script = new Script(
          await inSlices(
            stepsOf(group, this.#claimedUntilMs, heldMs),
            openBreath(() => {}),
          ),
        )
        await this.#settled(client, client.query(script).done)
        this.#freeRefused()
        script.free()
        if (this.#isUnreplicated) throw unreplicated()
        return
      } catch (error) {
        // It has read all that came before this one.
        if (error instanceof DatabaseError) this.#freeRefused()
        if (script) this.#refused = script
        if (sqlCode(error) === gateClosed) throw new GateClosed(closedIn(error as DatabaseError))
        if (sqlCode(error) === notForeseenCode) throw new NotForeseen()
        if (sqlCode(error) === '55P03' && script?.isInside) throw new SamplesHeld()
        mustAsk ||= sqlCode(error) === gateRefused
        // The gate is closed for longer than a sample may be held: the group comes again.
        const comesAgain = sqlCode(error) === '55P03' && performance.now() < endAt
        if (sqlCode(error) !== gateRefused && !comesAgain) throw error
      }
    }
  }

  #freeRefused(): void {
    this.#refused?.free()
    this.#refused = undefined
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
    this.#refused = undefined
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
  await client.query(new Script(Object.keys(statements).map((name) => ({ kind: 'prepare', name: name as Name })))).done
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
  'upsert-samples': upsertText,
  'set-points': setPointsText,
  'mark-sources': markSourcesText,
  'copy-journal': copyJournalText,
  'pass-foreseen': passForeseenText,
}

type Name = keyof typeof statements

type Step =
  | { readonly kind: 'prepare'; readonly name: Name }
  | { readonly kind: 'execute'; readonly name: Name; readonly values: readonly string[] }
  | { readonly kind: 'copy'; readonly name: Name; readonly data: Buffer }

/** In slices: the texts of 100,000 samples that overwrite others take 70 ms. */
export const stepsOf = function* (
  { at, organizationKeys, appends, merges, points, touched, journal, foreseen = [] }: Group,
  claimedUntilMs: number,
  heldMs: number | undefined,
): Sliced<readonly Step[]> {
  const steps: Step[] = []
  const execute = (name: Name, values: readonly string[] | undefined) => {
    if (values) steps.push({ kind: 'execute', name, values })
  }
  execute('pass-gates', [String(at.serial), String(claimedUntilMs), `{${organizationKeys.join()}}`])
  if (heldMs !== undefined) execute('set-patience', [String(heldMs)])
  for (const each of foreseen) execute('pass-foreseen', foreseenParameters(each))
  for (const rows of [appends, merges]) {
    const { spans, groups } = staleMarks(rows, claimedUntilMs)
    execute('mark-stale', spans)
    for (const group of groups) execute('mark-group', group)
  }
  if (appends.streamKeys.length > 0) steps.push({ kind: 'copy', name: 'copy-samples', data: copyBuffer(appends) })
  for (const some of slicesOf(merges)) {
    yield
    execute('upsert-samples', upsertParameters(some))
  }
  if (points.streamKeys.length > 0) execute('set-points', upsertParameters(points))
  execute('mark-sources', sourceParameters(touched))
  if (journal) steps.push({ kind: 'copy', name: 'copy-journal', data: journalBuffer(journal) })
  return steps
}

/** Steps that succeed or fail as one. After a failed one Postgres skips the others, the data of a COPY included. */
class Script implements Submittable {
  readonly done: Promise<void>
  readonly #steps: readonly Step[]
  /** Whether it has passed the gate. */
  isInside = false
  #resolve!: () => void
  #reject!: (error: Error) => void

  constructor(steps: readonly Step[]) {
    this.#steps = steps
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  submit(connection: Connection): void {
    const { stream } = connection
    stream.cork()
    for (const step of this.#steps) {
      const { kind, name } = step
      if (kind === 'prepare') {
        connection.parse({ name, text: statements[name], types: [] }, true)
        continue
      }
      connection.bind({ statement: name, values: kind === 'execute' ? [...step.values] : [] }, true)
      connection.execute(null, true)
      if (kind === 'copy') {
        const head = Buffer.from('d0000', 'latin1')
        head.writeInt32BE(step.data.length + 4, 1)
        stream.write(head)
        stream.write(step.data)
        stream.write(copyDone)
      }
    }
    connection.sync()
    stream.uncork()
  }

  // pg calls these as the answers come in.
  handleError(error: Error): void {
    this.#reject(error)
  }
  handleReadyForQuery(): void {
    this.#resolve()
  }
  handleDataRow(): void {}
  handleCommandComplete(): void {
    this.isInside = true
  }
  handleCopyInResponse(): void {}

  /** Once all of it was read. The collector would leave 90 MB of it under an overload. */
  free(): void {
    for (const step of this.#steps) if (step.kind === 'copy') free(step.data)
  }
}

const copyDone = Buffer.from('c\0\0\0\x04', 'latin1')
