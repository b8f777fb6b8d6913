// THE write path: every sample, from a URL, a JSON body, a file or a script, is stored by ingest().
// It asks whether the caller may, finds the components and streams in memory or makes them, turns the batch
// into rows and has them written; it returns after the commit.
//
// Two ways lead there. When everything the call names exists, its rows join the writer's next group commit.
// When something is missing, the call has a transaction of its own that creates and writes together, so that
// a call that fails has created nothing. So has a file, whose content is published with its sample, and a script that
// writes in several steps or more than an upload may have.
import type { World } from '../base/world.ts'
import { sqlCode, transaction } from '../base/sql.ts'
import type { Transaction } from '../base/sql.ts'
import { writeAuditOfMany } from './audit.ts'
import { namedStreams, placeBatch, writeFromPlaced } from './batch.ts'
import type { PlacedRows, SampleBatch } from './batch.ts'
import { publishContent } from './blob.ts'
import type { Caller } from './caller.ts'
import { demand } from './caller.ts'
import { createMissing } from './create.ts'
import { latestSerial, openGate } from './gate.ts'
import type { Gate } from './gate.ts'
import { CatalogChanged } from './lane.ts'
import { readComponents, Registry, streamByRef } from './registry.ts'
import type { RegisteredComponent } from './registry.ts'
import { deleteSamplesAt, setPoints, sortRows, upsertSamples } from './sample.ts'
import { markStale } from './stale.ts'
import { Writer } from './writer.ts'

export type Ingested = {
  /** The batch's components as they are now, in its order. */
  readonly components: readonly RegisteredComponent[]
  /** Those of the batch's wantedStreamIds that were missing before the call. */
  readonly missingStreamIds: readonly string[]
}

/** One of several things that are stored together. */
export type WriteStep =
  | {
      readonly kind: 'batch'
      readonly batch: SampleBatch
      /** What is told in place of what was thrown, by those who know more of where the samples came from. */
      readonly explain?: (error: unknown) => unknown
    }
  | { readonly kind: 'delete'; readonly series: readonly SampleTimes[] }

/** Samples of one stream. */
export type SampleTimes = { readonly cid: string; readonly id: string; readonly timesMs: readonly number[] }

/** What the writer takes of one call at most; a script may have more. */
const mostUploaded = 100_000

/** What a call may do and would write, by what held at the serial. */
type Judged = {
  readonly serial: number
  readonly components: readonly (RegisteredComponent | undefined)[]
  /** Undefined when something that the batch names is missing. */
  readonly placed: PlacedRows | undefined
}

const mostAttempts = 3

export class Ingestion {
  readonly #world: World
  readonly #registry: Registry
  readonly writer: Writer

  static async open(world: World, databaseUrl: string): Promise<Ingestion> {
    return new Ingestion(world, databaseUrl, new Registry(await latestSerial(world.sql)))
  }

  private constructor(world: World, databaseUrl: string, registry: Registry) {
    this.#world = world
    this.#registry = registry
    this.writer = new Writer({
      databaseUrl,
      lanes: 2,
      onChange: (gate) => registry.heed(gate),
    })
  }

  /** `also` is what the caller must be allowed besides PUT: GET, when the call returns last values (rsid). */
  async ingest(caller: Caller, batch: SampleBatch, also?: 'GET'): Promise<Ingested> {
    for (;;) {
      const { serial, components, placed } =
        this.#judgeAtOnce(caller, batch, also) ?? (await this.#judge(caller, batch, also))
      if (placed === undefined || batch.file !== undefined) return await this.#create(caller, batch)
      try {
        await this.writer.write(writeFromPlaced(placed, serial))
        return { components: components as readonly RegisteredComponent[], missingStreamIds: [] }
      } catch (error) {
        if (!(error instanceof CatalogChanged)) throw error
      }
    }
  }

  /** Throws what ingest() would throw now: for those who would rather know before a long upload. */
  async foresee(caller: Caller, batch: SampleBatch): Promise<void> {
    await this.#judge(caller, batch)
  }

  /** By what is remembered, which is the rule: nothing has to be waited for then. Undefined where that does not do. */
  #judgeAtOnce(caller: Caller, batch: SampleBatch, also?: 'GET'): Judged | undefined {
    const { serial } = this.#registry
    const components = this.#remembered(caller, batch)
    if (components === undefined) return undefined
    try {
      return this.#judged(serial, caller, batch, components, also)
    } catch {
      return undefined
    }
  }

  async #judge(caller: Caller, batch: SampleBatch, also?: 'GET'): Promise<Judged> {
    for (;;) {
      // Read before what is remembered is looked at: the gate then tells of every change that came after.
      const { serial } = this.#registry
      const components = this.#remembered(caller, batch) ?? (await this.#find(caller, batch))
      try {
        return this.#judged(serial, caller, batch, components, also)
      } catch (error) {
        // What is refused by what is remembered may be right by what holds now.
        if (!(await this.#heedChanges())) throw error
      }
    }
  }

  #judged(
    serial: number,
    caller: Caller,
    batch: SampleBatch,
    components: readonly (RegisteredComponent | undefined)[],
    also: 'GET' | undefined,
  ): Judged {
    for (const component of components) {
      demand(caller, 'PUT component/feed', component?.uid)
      if (also) demand(caller, `${also} component/feed`, component?.uid)
    }
    return { serial, components, placed: this.#place(batch, components) }
  }

  /** Undefined when something that the batch names is missing. */
  #place(batch: SampleBatch, components: readonly (RegisteredComponent | undefined)[]) {
    if (components.includes(undefined)) return undefined
    const complete = components as readonly RegisteredComponent[]
    const hasWanted = batch.wantedStreamIds.every((id) => streamByRef(complete[0]!, id))
    return hasWanted ? placeBatch(batch, complete) : undefined
  }

  /** Whether something that may have been remembered is forgotten now. */
  async #heedChanges(): Promise<boolean> {
    const known = this.#registry.serial
    if ((await latestSerial(this.#world.sql)) <= known) return false
    this.#registry.heed(await transaction(this.#world.sql, (sql) => openGate(sql, known)))
    return true
  }

  /** The batch's components when all of them are in memory. */
  #remembered({ organizationKey }: Caller, batch: SampleBatch): readonly RegisteredComponent[] | undefined {
    const found: RegisteredComponent[] = []
    for (const { ref } of batch.components) {
      const component = this.#registry.get(organizationKey, ref)
      if (component === undefined) return undefined
      found.push(component)
    }
    return found
  }

  async #find({ organizationKey }: Caller, batch: SampleBatch): Promise<readonly (RegisteredComponent | undefined)[]> {
    const { sql } = this.#world
    const get = (ref: string) => this.#registry.get(organizationKey, ref)
    const refs = batch.components.map(({ ref }) => ref)
    const unknown = refs.filter((ref) => get(ref) === undefined)
    if (await this.#registry.load(sql, organizationKey, unknown)) return refs.map(get)
    // Components with so many streams that all of them are not to be remembered: those that the batch is about.
    const found = await readComponents(sql, organizationKey, refs, namedStreams(batch))
    return refs.map((ref) => found.get(ref))
  }

  /** Several steps as one: in order, all of them or none. */
  async ingestAll(caller: Caller, steps: readonly WriteStep[]): Promise<void> {
    const [first] = steps
    if (first === undefined) return
    const isUpload = steps.length === 1 && first.kind === 'batch' && first.batch.samples.values.length <= mostUploaded
    if (isUpload) await explained(first, this.ingest(caller, first.batch))
    else
      await this.#alone(async (sql, gate) => {
        const touched: RegisteredComponent[] = []
        const deleted: Tally = new Map()
        for (const step of steps) {
          if (step.kind === 'delete') {
            touched.push(...(await deleteThese(sql, caller, step.series, gate, deleted)))
            continue
          }
          const storing = storeBatch(sql, caller, step.batch, gate, this.#world.clock.now())
          touched.push(...(await explained(step, storing)).components)
        }
        // As a DELETE by HTTP does; what overwrites is not told, by whatever way it comes.
        await writeAuditOfMany(
          sql,
          caller,
          'feed.delete',
          [...deleted.keys()],
          Array.from(deleted.values(), (count) => ({ deleted: count })),
        )
        return { components: touched }
      })
  }

  async #create(caller: Caller, batch: SampleBatch): Promise<Ingested> {
    const made = await this.#inTransaction((sql, gate) => storeBatch(sql, caller, batch, gate, this.#world.clock.now()))
    for (const component of made.components) this.#registry.learn(component)
    return made
  }

  /** The same for several steps; what they touched is not remembered but read anew. */
  async #alone<T extends Pick<Ingested, 'components'>>(
    work: (sql: Transaction, gate: Gate) => Promise<T>,
  ): Promise<void> {
    const { components } = await this.#inTransaction(work)
    for (const { key } of components) this.#registry.forget(key)
  }

  /** A transaction of its own inside the gate. */
  async #inTransaction<T>(work: (sql: Transaction, gate: Gate) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await transaction(this.#world.sql, async (sql) => {
          const gate = await openGate(sql, this.#registry.serial)
          this.#registry.heed(gate)
          return work(sql, gate)
        })
      } catch (error) {
        // Another took the same samples in another order, and Postgres ended this one, which has stored nothing.
        if (sqlCode(error) !== '40P01' || attempt === mostAttempts) throw error
      }
  }

  close(): Promise<void> {
    return this.writer.close()
  }
}

const explained = <T>({ explain }: Extract<WriteStep, { kind: 'batch' }>, storing: Promise<T>): Promise<T> =>
  storing.catch((error: unknown) => {
    throw explain ? explain(error) : error
  })

/** How many samples of each stream were deleted, by the stream's uid. */
type Tally = Map<string, number>

const addTo = (tally: Tally, streamUid: string, count: number): void => {
  if (count > 0) tally.set(streamUid, (tally.get(streamUid) ?? 0) + count)
}

/** Creates what is missing and writes, in the transaction given. */
const storeBatch = async (
  sql: Transaction,
  caller: Caller,
  batch: SampleBatch,
  gate: Gate,
  nowMs: number,
): Promise<Ingested> => {
  const made = await createMissing(sql, caller, batch)
  const placed = placeBatch(made.batch, made.components)!
  const sorted = sortRows(placed.rows)
  const rows = batch.file ? await publishContent(sql, batch.file, sorted, nowMs) : sorted
  await markStale(sql, rows, gate.claimedUntilMs)
  await upsertSamples(sql, rows)
  await setPoints(sql, placed.points)
  return made
}

const deleteThese = async (
  sql: Transaction,
  caller: Caller,
  series: readonly SampleTimes[],
  gate: Gate,
  tally: Tally,
): Promise<readonly RegisteredComponent[]> => {
  const componentIds = [...new Set(series.map(({ cid }) => cid))]
  const ids = [...new Set(series.map(({ id }) => id))]
  const components = await readComponents(sql, caller.organizationKey, componentIds, { ids, uids: [], upTo: 0 })
  for (const component of components.values()) demand(caller, 'DELETE component/feed', component.uid)
  for (const { cid, id, timesMs } of series) {
    const stream = components.get(cid)?.streamsById.get(id)
    if (stream) addTo(tally, stream.uid, await deleteSamplesAt(sql, stream, timesMs, gate.claimedUntilMs))
  }
  return [...components.values()]
}
