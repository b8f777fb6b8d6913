// Group commit: the calls that wait while a write is under way leave together in the next one, so that a
// thousand devices with one sample each cost a few commits and not a thousand. Each caller is answered after
// the commit that holds its samples.
//
// Samples that append to their stream go by COPY, the rest by an upsert in the same transaction. What appends
// is a guess from memory (registry.ts); where it was wrong, Postgres refuses the COPY with a unique violation
// and the whole group goes again as an upsert. COPY runs on `pg`, because a COPY that is refused never
// settles in postgres.js and takes its transaction with it.
import { Client } from 'pg'
import type { QueryResult } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { finished } from 'node:stream/promises'
import { busy } from '../base/errors.ts'
import { sqlCode } from '../base/sql.ts'
import { gateFromRows } from './gate.ts'
import type { Gate } from './gate.ts'
import { markDirtyText, dirtyParameters } from './rollup.ts'
import { copyBuffer, copyText, emptyRows, setPointsText, sortRows, upsertParameters, upsertText } from './sample.ts'
import type { SampleRows } from './sample.ts'

/** What one call wants written. */
export type Write = {
  /** Later than all that this process knows of their streams. */
  readonly appends: SampleRows
  readonly merges: SampleRows
  readonly points: SampleRows
}

/** Thrown to every call of a group when something it may have remembered has changed: look again, write again. */
export class CatalogChanged extends Error {}

export type WriterOptions = {
  readonly databaseUrl: string
  /** Two are as fast as more on small machines, and one commit's disk write overlaps the other's work. */
  readonly lanes: number
  readonly onChange: (gate: Gate) => void
  readonly knownSerial: () => number
}

type Waiting = { readonly write: Write; readonly resolve: () => void; readonly reject: (error: unknown) => void }

const mostWaitingRows = 400_000
const mostGroupRows = 20_000

export class Writer {
  readonly #lanes: Lane[]
  #queue: Waiting[] = []
  #waitingRows = 0
  #closed = false

  constructor(options: WriterOptions) {
    this.#lanes = Array.from({ length: options.lanes }, () => new Lane(options))
  }

  get waitingRows(): number {
    return this.#waitingRows
  }

  write(write: Write): Promise<void> {
    const rows = rowCount(write)
    if (rows === 0) return Promise.resolve()
    if (this.#closed) return Promise.reject(busy('the server is stopping'))
    if (this.#waitingRows + rows > mostWaitingRows) return Promise.reject(busy('too many uploads are waiting'))
    this.#waitingRows += rows
    return new Promise((resolve, reject) => {
      this.#queue.push({ write, resolve, reject })
      this.#leave()
    })
  }

  /** Waits for what is under way and closes the connections. */
  async close(): Promise<void> {
    this.#closed = true
    while (this.#queue.length > 0 || this.#lanes.some((lane) => lane.isBusy))
      await new Promise((done) => setTimeout(done, 10))
    await Promise.all(this.#lanes.map((lane) => lane.close()))
  }

  #leave(): void {
    const lane = this.#lanes.find((each) => !each.isBusy)
    if (lane === undefined || this.#queue.length === 0) return
    const group = this.#takeGroup()
    lane.isBusy = true
    void this.#run(lane, group).finally(() => {
      lane.isBusy = false
      this.#leave()
    })
  }

  #takeGroup(): Waiting[] {
    let rows = 0
    let taken = 0
    while (taken < this.#queue.length && (taken === 0 || rows + rowCount(this.#queue[taken]!.write) <= mostGroupRows)) {
      rows += rowCount(this.#queue[taken]!.write)
      taken += 1
    }
    return this.#queue.splice(0, taken)
  }

  async #run(lane: Lane, group: readonly Waiting[]): Promise<void> {
    try {
      await lane.commit(group.map((each) => each.write))
      for (const each of group) this.#settle(each)
    } catch (error) {
      // A failure of the group may be the fault of one call: each is tried alone, so that none fails its neighbours.
      const isShared = error instanceof CatalogChanged || group.length === 1 || lane.isAway
      for (const each of group) {
        if (isShared) this.#settle(each, error)
        else
          await lane.commit([each.write]).then(
            () => this.#settle(each),
            (own: unknown) => this.#settle(each, own),
          )
      }
    }
  }

  #settle(each: Waiting, error?: unknown): void {
    this.#waitingRows -= rowCount(each.write)
    if (error === undefined) each.resolve()
    else each.reject(error)
  }
}

const rowCount = ({ appends, merges, points }: Write) =>
  appends.streamKeys.length + merges.streamKeys.length + points.streamKeys.length

/** One connection that writes one group at a time. */
class Lane {
  readonly #options: WriterOptions
  #client: Client | undefined
  isBusy = false

  constructor(options: WriterOptions) {
    this.#options = options
  }

  get isAway(): boolean {
    return this.#client === undefined
  }

  async commit(writes: readonly Write[]): Promise<void> {
    const appends = joinRows(writes.map((write) => write.appends))
    const merges = joinRows(writes.map((write) => write.merges))
    const points = joinRows(writes.map((write) => write.points))
    try {
      await this.#attempt(appends, merges, points)
    } catch (error) {
      // 23505: an append that was none. 40P01: two groups merged the same samples in another order.
      const code = sqlCode(error)
      if (code !== '23505' && code !== '40P01') throw error
      await this.#attempt(emptyRows(), joinRows([appends, merges]), points)
    }
  }

  async #attempt(appends: SampleRows, merges: SampleRows, points: SampleRows): Promise<void> {
    const client = await this.#connect()
    try {
      const { claimedUntilMs } = await this.#begin(client)
      for (const rows of [appends, merges]) {
        const dirty = dirtyParameters(rows, claimedUntilMs)
        if (dirty) await client.query({ name: 'mark-dirty', text: markDirtyText, values: dirty })
      }
      if (appends.streamKeys.length > 0) {
        const copy = client.query(copyFrom(copyText))
        copy.end(copyBuffer(appends))
        await finished(copy)
      }
      if (merges.streamKeys.length > 0)
        await client.query({ name: 'upsert-samples', text: upsertText, values: upsertParameters(sortRows(merges)) })
      if (points.streamKeys.length > 0)
        await client.query({ name: 'set-points', text: setPointsText, values: upsertParameters(points) })
      await client.query('commit')
    } catch (error) {
      await this.#abandon(client)
      throw error
    }
  }

  async #begin(client: Client): Promise<Gate> {
    const known = this.#options.knownSerial()
    // One message for both; the serial is our own integer.
    const results = (await client.query(`
      begin;
      select (extract(epoch from claimed_until) * 1000)::double precision as "claimedUntilMs",
             serial::double precision, component_key as "componentKey"
      from open_gate(${known})`)) as unknown as readonly QueryResult[]
    const gate = gateFromRows(results[1]!.rows, known)
    if (gate.changedComponentKeys.length > 0) {
      this.#options.onChange(gate)
      throw new CatalogChanged()
    }
    return gate
  }

  async #connect(): Promise<Client> {
    if (this.#client) return this.#client
    const client = new Client({
      connectionString: this.#options.databaseUrl,
      application_name: 'coppice writer',
      connectionTimeoutMillis: 2000,
    })
    client.on('error', () => this.#drop(client))
    client.on('end', () => this.#drop(client))
    await client.connect()
    await client.query("set timezone = 'UTC'; set synchronous_commit = on; set plan_cache_mode = force_generic_plan")
    this.#client = client
    return client
  }

  #drop(client: Client): void {
    if (this.#client === client) this.#client = undefined
  }

  async #abandon(client: Client): Promise<void> {
    try {
      await client.query('rollback')
    } catch {
      this.#drop(client)
      client.end().catch(() => {})
    }
  }

  async close(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await client?.end()
  }
}

const joinRows = (parts: readonly SampleRows[]): SampleRows => {
  const filled = parts.filter((part) => part.streamKeys.length > 0)
  if (filled.length === 1) return filled[0]!
  const joined = emptyRows()
  for (const part of filled) {
    for (const name of Object.keys(joined) as (keyof SampleRows)[]) {
      const to = joined[name] as unknown[]
      for (const value of part[name]) to.push(value)
    }
  }
  return joined
}
