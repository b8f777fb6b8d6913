// THE write path: every sample, from a URL, a JSON body, a file or a script, is stored by ingest(). It asks for the
// caller's rights, finds the components and streams in memory or makes them, turns the batch into rows and has them
// written; it returns after the commit.
//
// Two ways lead there. When everything the call names exists, its rows join the writer's next group commit.
// When something is missing, the call has a transaction of its own that creates and writes together, so that
// a call that fails has created nothing. So has a file, whose content is published with its sample, a script that
// writes in several steps or more than an upload may have, and a call whose samples somebody else holds for long.
import { writerLanes } from '../../base/database/connections.ts'
import type { Holders } from '../../base/shares.ts'
import { openShares } from '../../base/shares.ts'
import type { World } from '../../base/world.ts'
import { busy, conflict } from '../../base/errors.ts'
import { callerTransaction } from '../../base/database/caller-transaction.ts'
import { sqlCode, transaction } from '../../base/database/sql.ts'
import type { Pool, Transaction } from '../../base/database/sql.ts'
import { writeFromPlaced } from './append.ts'
import type { SampleBatch } from './batch.ts'
import { MetOthers } from './bulk-latest.ts'
import type { Caller } from '../caller.ts'
import { NotForeseen } from './foreseen.ts'
import type { DeriveLimits, Foresee } from './foreseen.ts'
import { changesOf, goesOn, inOwnGate, latestChange } from './gate.ts'
import type { Gate, KnownMoment } from './gate.ts'
import { HeldComponents } from './held.ts'
import { CatalogChanged, GateClosed, samplePatienceMs, SamplesHeld } from './lane.ts'
import { openLateLook } from './late-look.ts'
import type { LateLook } from './late-look.ts'
import { openJudge } from './judge.ts'
import type { Judge } from './judge.ts'
import { LateTimes } from './late-times.ts'
import { areOfWeeks, openNewChunks } from './new-chunks.ts'
import type { MakeChunksFor } from './new-chunks.ts'
import type { PlacedRows } from './place.ts'
import { Registry } from './registry.ts'
import type { RegisteredComponent } from './registered.ts'
import { openRowShares, RowRoom } from './row-room.ts'
import { demandUnchanged, lockTurn, noteStreamChanges, openTurns, Overtaken } from './seen.ts'
import type { Seen } from './seen.ts'
import { sortRows } from './rows.ts'
import { explained, storeBatch, storeRows, storeSteps } from './store.ts'
import type { DeriveAtOnce, Ingested, WriteStep } from './store.ts'
import { touchedBy } from './touched.ts'
import type { Touched } from './touched.ts'
import { Writer } from './writer.ts'
import type { Write } from './write.ts'

/** The writer takes so many samples of one call at most; a script may have more. */
const mostUploaded = 100_000

const mostAttempts = 3

const holdersIn = ({ tenantUid, actor }: Caller): Holders => [`tenant ${tenantUid}`, actor]

/** Both are needed (docs/feeds.md#upload-in-the-url). */
const derives = ({ derivation: { mostStreams, timeoutMs } }: SampleBatch) => mostStreams > 0 && timeoutMs > 0

/** The time counts from here on: it is that of the whole call, but for the reading of its body. */
const limitsOf = ({ derivation: { mostStreams, timeoutMs } }: SampleBatch): DeriveLimits => ({
  mostStreams,
  endAt: performance.now() + timeoutMs,
})

/** Means to derive in the transaction of an upload, or before it. */
export type Derive = { readonly deriveAtOnce: DeriveAtOnce; readonly foresee: Foresee }

/** The steps of a script that reads streams, and the streams and snapshot that it read. */
export type SeenSteps<T> = { readonly steps: readonly WriteStep[]; readonly seen: Seen; readonly result: T }

/** As long as other uploads that create wait for each other (service.ts). */
const ownLockMs = 10_000

type Begin<T> = (work: (sql: Transaction) => Promise<T>) => Promise<T>

/** Of a try where samples were held lately: other samples of the component may not be. */
const briefMs = 50
/** Of the connections for transactions, those that may wait for held samples. */
const heldPlaces = 2

/** From the second run on, only uploads over the very samples that it writes can overtake a script. */
const mostRuns = 6

export class Ingestion {
  readonly #world: World
  readonly #registry: Registry
  readonly #judge: Judge
  readonly #turns = openTurns()
  readonly #late = new LateTimes()
  readonly #lateLook: LateLook
  readonly #derive: Derive | undefined
  readonly writer: Writer
  readonly #held = new HeldComponents()
  readonly #heldPlaces = openShares(heldPlaces)
  readonly #rowShares = openRowShares()
  readonly #makeChunks: MakeChunksFor
  /** Of transactions of their own. */
  #storedAlone = 0

  /** Without `derive` all is derived in the background. */
  static async open(world: World, databaseUrl: string, derive?: Derive): Promise<Ingestion> {
    const { heard, ...moment } = await latestChange(world.sql)
    return new Ingestion(world, databaseUrl, new Registry(moment, undefined, heard), derive)
  }

  private constructor(world: World, databaseUrl: string, registry: Registry, derive: Derive | undefined) {
    this.#world = world
    this.#derive = derive
    this.#registry = registry
    this.#judge = openJudge(world.sql, registry)
    this.#lateLook = openLateLook(world.sql, this.#late)
    this.#makeChunks = openNewChunks(world.sql)
    this.writer = new Writer({
      databaseUrl,
      lanes: writerLanes,
      onChange: (gate) => registry.applyChanges(gate),
    })
  }

  /** Samples that were stored since it was opened. */
  get storedSamples(): number {
    return this.writer.storedRows + this.#storedAlone
  }

  /** `also` is a right that the caller needs besides PUT: GET, when the call returns last values (rsid). */
  async ingest(caller: Caller, batch: SampleBatch, also?: 'GET'): Promise<Ingested> {
    const room = new RowRoom(this.#rowShares, () => holdersIn(caller))
    try {
      return await this.#ingestWithin(room, caller, batch, also)
    } finally {
      room.give()
    }
  }

  async #ingestWithin(room: RowRoom, caller: Caller, batch: SampleBatch, also: 'GET' | undefined): Promise<Ingested> {
    for (;;) {
      const { at, isHeard, components, placed } =
        this.#judge.atOnce(caller, batch, also, room) ?? (await this.#judge.now(caller, batch, also, room))
      // Of years there are hundreds: uploads of others would wait for all of them.
      const storedMs = placed?.rows.storedMs ?? batch.samples.timesMs
      if (storedMs.length > 1 && areOfWeeks(storedMs)) await this.#makeChunks(holdersIn(caller), storedMs)
      if (placed === undefined || batch.file !== undefined) {
        room.give()
        return await this.#create(caller, batch)
      }
      const known = components as readonly RegisteredComponent[]
      const { organizationKey } = caller
      const concern = { organizationKey, components: known, isHeard, hasRoom: room.isTaken, holders: holdersIn(caller) }
      const write = writeFromPlaced(placed, at, concern, this.#late)
      this.#lateLook.soon()
      const limits = derives(batch) && touchedBy(placed) ? limitsOf(batch) : undefined
      try {
        if (!(await this.#storeByLane(caller, placed, write, limits)))
          await this.#storeAlone(caller, placed, write, limits)
        return { components: known, missingStreamIds: [] }
      } catch (error) {
        if (!(error instanceof CatalogChanged)) throw error
      }
    }
  }

  /**
   * The same in a transaction of its own: `look` sees the new state before it is committed, and an error of it undoes
   * everything.
   */
  async ingestAndLook<T>(
    caller: Caller,
    batch: SampleBatch,
    also: 'GET',
    look: (sql: Transaction, ingested: Ingested) => Promise<T>,
  ): Promise<{ readonly ingested: Ingested; readonly seen: T }> {
    await this.#judge.now(caller, batch, also)
    let seen: T
    const ingested = await this.#create(caller, batch, async (sql, made) => {
      seen = await look(sql, made)
    })
    return { ingested, seen: seen! }
  }

  /** Throws the refusal that ingest() would throw now, before a long upload begins. */
  async foresee(caller: Caller, batch: SampleBatch): Promise<void> {
    await this.#judge.now(caller, batch)
  }

  /** Several steps as one: in order, all of them or none. */
  async ingestAll(caller: Caller, steps: readonly WriteStep[]): Promise<void> {
    const [first] = steps
    if (first === undefined) return
    const isUpload = steps.length === 1 && first.kind === 'batch' && first.batch.samples.values.length <= mostUploaded
    if (isUpload) return void (await explained(first, this.ingest(caller, first.batch)))
    await this.#makeChunksOf(caller, steps)
    for (let attempt = 1; ; attempt += 1)
      try {
        return void (await this.#alone(caller, async (sql, enter) =>
          storeSteps(sql, caller, steps, await enter(), this.#world.clock.now()),
        ))
      } catch (error) {
        // A sample that it deletes was being changed, and is there again by a new row.
        if (!(error instanceof Overtaken)) throw error
        if (attempt === mostAttempts) throw conflict('the samples were changed at each try, try again')
      }
  }

  /** Before they are stored in one transaction, which may take long. */
  async #makeChunksOf(caller: Caller, steps: readonly WriteStep[]): Promise<void> {
    // Others may write to single components, or to none: that is known when their samples are stored.
    if (!caller.may('PUT component/feed')) return
    for (const step of steps)
      if (step.kind === 'batch') await this.#makeChunks(holdersIn(caller), step.batch.samples.timesMs)
  }

  /**
   * Of what is on a connection of its own, which nobody else uses meanwhile: it is stored there. `stepOf` is asked again, and has
   * to expect others, when they have stored the same samples meanwhile.
   */
  async ingestFrom(own: Pool, caller: Caller, stepOf: (expectsOthers: boolean) => WriteStep): Promise<void> {
    const store = (expectsOthers: boolean) =>
      this.#alone(
        caller,
        async (sql, enter) => {
          await sql`select set_config('lock_timeout', ${`${ownLockMs}ms`}, true)`
          return storeSteps(sql, caller, [stepOf(expectsOthers)], await enter(), this.#world.clock.now())
        },
        (work) => transaction(own, work),
      )
    await store(false).catch((error: unknown) => {
      if (!(error instanceof MetOthers)) throw error
      return store(true)
    })
  }

  /**
   * Runs a script that reads streams, and stores its effects. If a stream that it has read was changed meanwhile it
   * runs again, then within its organization's turn, so that no other script comes between (seen.ts).
   */
  async ingestSeen<T>(caller: Caller, run: () => Promise<SeenSteps<T>>, signal?: AbortSignal): Promise<T> {
    for (let attempt = 1; ; attempt += 1)
      try {
        const { moment } = this.#registry
        const early = attempt === 1 ? await run() : undefined
        if (early?.steps.length === 0) return early.result
        if (early) await this.#makeChunksOf(caller, early.steps)
        return await this.#inTurn(caller, signal, early ? () => Promise.resolve(early) : run, moment)
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error
        if (attempt === mostRuns)
          throw conflict('the samples that the script reads were changed at each run, try again')
      }
  }

  async #inTurn<T>(
    caller: Caller,
    signal: AbortSignal | undefined,
    run: () => Promise<SeenSteps<T>>,
    before: KnownMoment,
  ): Promise<T> {
    const { organizationKey } = caller
    const storing = () =>
      this.#alone(caller, async (sql, enter) => {
        await lockTurn(sql, organizationKey)
        const { steps, seen, result } = await run()
        if (steps.length === 0) return { components: [], rows: 0, result }
        const gate = await enter()
        // Its snapshot says nothing about another history.
        if (!goesOn(before, gate.history)) throw new Overtaken()
        await demandUnchanged(sql, organizationKey, seen)
        const stored = await storeSteps(sql, caller, steps, gate, this.#world.clock.now(), seen.snapshot)
        // Again: a deletion that was under way at the first look has ended by now, where it has the same samples.
        await demandUnchanged(sql, organizationKey, seen)
        await noteStreamChanges(sql, organizationKey, stored.streamKeys)
        return { components: stored.components, rows: stored.rows, result }
      })
    return (await this.#turns(caller, signal, storing)).result
  }

  async #create(
    caller: Caller,
    batch: SampleBatch,
    look?: (sql: Transaction, made: Ingested) => Promise<void>,
  ): Promise<Ingested> {
    const made = await this.#inTransaction(caller, async (sql, enter) => {
      const derive = derives(batch) ? this.#deriving(sql, limitsOf(batch)) : undefined
      const stored = await storeBatch(sql, caller, batch, await enter(), this.#world.clock.now(), undefined, derive)
      await look?.(sql, stored)
      return stored
    })
    this.#storedAlone += made.rows
    for (const component of made.components) this.#registry.learn(component)
    return made
  }

  /**
   * With others in a lane, which all callers share. False where that is not the way: for samples that somebody holds, for those of
   * an organization whose catalogue is being changed, and for those to derive from that are not as foreseen.
   */
  async #storeByLane(caller: Caller, placed: PlacedRows, write: Write, limits?: DeriveLimits): Promise<boolean> {
    if (this.#held.has(caller.tenantUid, write.components)) return false
    try {
      if (limits === undefined) await this.writer.write(write)
      else {
        const foreseen = await this.#derive?.foresee(this.#world.sql, holdersIn(caller), placed, write.at, limits)
        if (foreseen === undefined) return false
        await this.writer.write({ ...write, touched: undefined, foreseen })
      }
      return true
    } catch (error) {
      if (error instanceof NotForeseen || error instanceof GateClosed) return false
      if (!(error instanceof SamplesHeld)) throw error
      if (error.isCertain) this.#held.add(caller.tenantUid, write.components)
      return false
    }
  }

  /**
   * In a transaction of its own, of streams that exist already. Throws CatalogChanged where that is no longer so. Where somebody
   * holds the samples it waits, in one of few places, so that others have connections meanwhile.
   */
  async #storeAlone(caller: Caller, placed: PlacedRows, write: Write, limits?: DeriveLimits): Promise<void> {
    if (!(await this.#storeAtOnce(caller, placed, write, limits))) {
      const place = this.#heldPlaces.open(holdersIn(caller))
      if (!(await place.wait(1, ownLockMs))) throw busy('the samples are being changed by somebody else, try again')
      try {
        await this.#storeWithin(undefined, caller, placed, write, limits)
      } finally {
        place.give()
      }
    }
    this.#storedAlone += placed.rows.streamKeys.length + placed.points.streamKeys.length
  }

  /** False where somebody holds the samples. */
  async #storeAtOnce(caller: Caller, placed: PlacedRows, write: Write, limits?: DeriveLimits): Promise<boolean> {
    const isExpected = this.#held.has(caller.tenantUid, write.components)
    try {
      await this.#storeWithin(isExpected ? briefMs : samplePatienceMs, caller, placed, write, limits)
      return true
    } catch (error) {
      if (!(error instanceof SamplesHeld)) throw error
      this.#held.add(caller.tenantUid, write.components)
      return false
    }
  }

  /** Throws SamplesHeld after the time, if one is given. */
  async #storeWithin(
    patienceMs: number | undefined,
    caller: Caller,
    placed: PlacedRows,
    write: Write,
    limits: DeriveLimits | undefined,
  ): Promise<void> {
    await this.#inTransaction(caller, async (sql, enter) => {
      const gate = await enter(write.at)
      if (changesOf(gate)(write) || !goesOn(write.at, gate.history)) throw new CatalogChanged(gate)
      if (patienceMs !== undefined) await sql`select set_config('lock_timeout', ${String(patienceMs)}, true)`
      const deriving = limits && this.#deriving(sql, limits)
      await storeRows(sql, caller, placed, gate, sortRows(placed.rows), undefined, deriving).catch((error: unknown) => {
        throw patienceMs !== undefined && sqlCode(error) === '55P03' ? new SamplesHeld() : error
      })
    })
  }

  #deriving(sql: Transaction, limits: DeriveLimits) {
    const derive = this.#derive?.deriveAtOnce
    return derive && ((gate: Gate, touched: Touched) => derive(sql, gate, touched, limits))
  }

  /** The same for several steps; the components they touched are not remembered but read anew. */
  async #alone<T extends Pick<Ingested, 'components'> & { readonly rows: number }>(
    caller: Caller,
    work: (sql: Transaction, enter: () => Promise<Gate>) => Promise<T>,
    begin?: Begin<T>,
  ): Promise<T> {
    const done = await this.#inTransaction(caller, work, begin)
    this.#storedAlone += done.rows
    for (const { key } of done.components) this.#registry.forget(key)
    return done
  }

  /** A transaction of its own, which enters the gate: once, and by default as of what is remembered now. */
  async #inTransaction<T>(
    caller: Caller,
    work: (sql: Transaction, enter: (at?: KnownMoment) => Promise<Gate>) => Promise<T>,
    begin: Begin<T> = (inside) => callerTransaction(this.#world.sql, holdersIn(caller), inside),
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await inOwnGate(begin, caller.organizationKey, (sql, enter) =>
          work(sql, async (at = this.#registry.moment) => {
            const gate = await enter(at)
            this.#registry.applyChanges(gate)
            return gate
          }),
        )
      } catch (error) {
        // Another took the same samples in another order, and Postgres ended this one, which has stored nothing.
        if (sqlCode(error) !== '40P01' || attempt === mostAttempts) throw error
      }
  }

  async close(): Promise<void> {
    await this.#lateLook.close()
    await this.writer.close()
  }
}
