// Group commit: the calls that wait while a write is under way leave together in the next one, so that a
// thousand devices with one sample each cost a few commits and not a thousand. Each caller is answered after
// the commit that holds its samples.
//
// Samples that append to their stream go by COPY, the rest by an upsert in the same transaction (lane.ts). An append is
// a guess from memory (append.ts); where it was wrong, Postgres refuses the COPY with a unique violation and the
// whole group goes again as an upsert.
//
// A group is of many callers, so whatever is in the way of one of them must not be in that of the others: a call that is wrong, a
// change of the catalogue that was made or is being made, samples that somebody holds. Each is found out, and the others are stored together.
import { busy, Fault } from '../../base/errors.ts'
import { sqlCode } from '../../base/database/sql.ts'
import type { Holding } from '../../base/shares.ts'
import { openShares } from '../../base/shares.ts'
import { NotForeseen } from './foreseen.ts'
import { changesOf, goesOn } from './gate.ts'
import type { Gate } from './gate.ts'
import { isLarge, takeGroup } from '../commit-group.ts'
import type { Company, Leaving } from '../commit-group.ts'
import { CatalogChanged, GateClosed, Lane, SamplesHeld } from './lane.ts'
import { joinRows, noRows, sortRows } from './rows.ts'
import { groupOf, leavingOf, rowCount } from './write.ts'
import type { Write } from './write.ts'

export type WriterOptions = {
  readonly databaseUrl: string
  /** Two are as fast as more on small machines, and one commit's disk write overlaps the other's work. */
  readonly lanes: number
  readonly onChange: (gate: Gate) => void
  readonly patienceMs?: number
  readonly samplePatienceMs?: number
}

type Waiting = {
  readonly write: Write
  /** Its share of those without room of their own. */
  readonly room: Holding | undefined
  readonly leaving: Leaving
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  /** Where the gate of its organization was closed: how long it comes again to a lane. */
  readonly closedUntilMs?: number
}

/**
 * Of calls without room of their own (ingest.ts), which are small. Callers share it: 700 connections of two tenants, with 1,000 samples each in
 * addresses of 2 KB, had all of it, and every third upload of others was refused.
 */
const mostWaitingRows = 400_000

/** The longest time that a lane looks for the calls whose samples are held, and that each try waits for them. */
const searchMs = 1000
const briefMs = 50

/**
 * For so long after a call of another caller, one lane is free of large calls: all others waited for them, for a second and more. For so
 * long after one of another tenant, calls of more than 1,000 samples are large.
 */
const companyMs = 10_000

/** Most changes take some milliseconds; behind one that takes longer, a call waits in another way. */
const mostClosedMs = 250
const comesAgainMs = 10

export class Writer {
  readonly #lanes: readonly Lane[]
  readonly #free: Lane[]
  #queue: Waiting[] = []
  #waitingRows = 0
  readonly #withoutRoom = openShares(mostWaitingRows)
  #storedRows = 0
  /** Calls that come again. */
  #away = 0
  #largeUnderWay = 0
  readonly #callers = new Others()
  readonly #tenants = new Others()
  #isLeaving = false
  #closed = false

  constructor({ lanes, ...options }: WriterOptions) {
    this.#lanes = Array.from({ length: lanes }, () => new Lane(options))
    this.#free = [...this.#lanes]
  }

  get waitingRows(): number {
    return this.#waitingRows
  }

  /** Since it was opened. */
  get storedRows(): number {
    return this.#storedRows
  }

  write(write: Write): Promise<void> {
    const rows = rowCount(write)
    if (rows === 0) return Promise.resolve()
    if (this.#closed) return Promise.reject(busy('the server is stopping'))
    const leaving = leavingOf(write)
    const room = write.hasRoom ? undefined : this.#withoutRoom.open(leaving.holders)
    if (room?.take(rows) === false) return Promise.reject(busy('too many uploads are waiting'))
    this.#waitingRows += rows
    this.#tenants.note(leaving.holders[0])
    this.#callers.note(leaving.holders.at(-1)!)
    return new Promise((resolve, reject) => {
      this.#queue.push({ write, room, leaving, resolve, reject })
      this.#leaveSoon()
    })
  }

  /** Waits for the writes under way and closes the connections. */
  async close(): Promise<void> {
    this.#closed = true
    while (this.#queue.length + this.#away > 0 || this.#free.length < this.#lanes.length)
      await new Promise((done) => setTimeout(done, 10))
    await Promise.all(this.#lanes.map((lane) => lane.close()))
  }

  /** A group leaves after all requests that have arrived by now are read, so that they leave together. */
  #leaveSoon(): void {
    if (this.#isLeaving || this.#free.length === 0) return
    this.#isLeaving = true
    setImmediate(() => {
      this.#isLeaving = false
      this.#leave()
    })
  }

  #leave(): void {
    if (this.#free.length === 0) return
    const company: Company = { isAlone: !this.#callers.areThere(), isShared: this.#tenants.areThere() }
    const mayBeLarge = company.isAlone || this.#largeUnderWay < Math.max(1, this.#lanes.length - 1)
    const { group, rest } = takeGroup(this.#queue, ({ leaving }) => leaving, { ...company, mayBeLarge })
    this.#queue = rest
    if (group.length === 0) return
    const lane = this.#free.pop()!
    const large = Number(group.some(({ leaving }) => isLarge(leaving.weight, company)))
    this.#largeUnderWay += large
    void this.#run(lane, group).finally(() => {
      this.#largeUnderWay -= large
      this.#free.push(lane)
      this.#leaveSoon()
    })
    // Calls that do not fit into the group leave by the next lane.
    this.#leave()
  }

  /** `held`: it is searched for held samples; those that are go there, and are not settled. */
  async #run(lane: Lane, group: readonly Waiting[], held?: (readonly Waiting[])[]): Promise<void> {
    if (group.length === 0) return
    try {
      await commit(lane, group, held && briefMs)
      for (const each of group) this.#settle(each)
    } catch (error) {
      if (error instanceof GateClosed) return await this.#runOpen(lane, group, error, held)
      if (error instanceof NotForeseen) return await this.#runForeseen(lane, group, error, held)
      if (error instanceof CatalogChanged) return await this.#runUnchanged(lane, group, error, held)
      if (error instanceof SamplesHeld) return held ? void held.push(group) : await this.#search(lane, group)
      // A failure of the group may be the fault of one call: each is tried alone, so that none fails its neighbours. A
      // timeout is no call's fault, and each would wait as long again; nor is a fault of the database, which may have
      // stored all of them already.
      const isShared = error instanceof Fault || isTimeout(error) || group.length === 1 || lane.isAway
      for (const each of group) {
        if (isShared) this.#settle(each, error)
        else
          await commit(lane, [each]).then(
            () => this.#settle(each),
            (own: unknown) => this.#settle(each, own),
          )
      }
    }
  }

  /** Calls of organizations that are being changed come again soon; the others are one group still. */
  async #runOpen(
    lane: Lane,
    group: readonly Waiting[],
    error: GateClosed,
    held: (readonly Waiting[])[] | undefined,
  ): Promise<void> {
    const isClosed = ({ write }: Waiting) => error.organizationKeys.has(write.organizationKey)
    this.#comeAgain(group.filter(isClosed), error)
    await this.#run(
      lane,
      group.filter((each) => !isClosed(each)),
      held,
    )
  }

  #comeAgain(calls: readonly Waiting[], error: GateClosed): void {
    const nowMs = performance.now()
    const again: Waiting[] = []
    for (const each of calls) {
      const { closedUntilMs = nowMs + mostClosedMs } = each
      if (nowMs > closedUntilMs) this.#settle(each, error)
      else again.push({ ...each, closedUntilMs })
    }
    if (again.length === 0) return
    this.#away += again.length
    setTimeout(() => {
      this.#away -= again.length
      this.#queue.push(...again)
      this.#leaveSoon()
    }, comesAgainMs)
  }

  /** The calls that foresaw something store it in another way; the others are one group still. */
  async #runForeseen(
    lane: Lane,
    group: readonly Waiting[],
    error: NotForeseen,
    held: (readonly Waiting[])[] | undefined,
  ): Promise<void> {
    const others = group.filter(({ write }) => write.foreseen === undefined)
    for (const each of group) if (each.write.foreseen) this.#settle(each, error)
    await this.#run(lane, others, held)
  }

  /**
   * The calls that the change may concern read and write again; the others are one group still, of the moment after it. Else
   * somebody who changes one thing after the other would have everybody else's uploads made anew each time.
   */
  async #runUnchanged(
    lane: Lane,
    group: readonly Waiting[],
    error: CatalogChanged,
    held: (readonly Waiting[])[] | undefined,
  ): Promise<void> {
    const { serial, history, heard } = error.gate
    const isChanged = changesOf(error.gate)
    const others: Waiting[] = []
    for (const each of group) {
      const { write } = each
      const isSame =
        goesOn(write.at, history) &&
        write.foreseen === undefined &&
        heard.has(write.organizationKey) === (write.isHeard ?? false) &&
        !isChanged(write)
      if (isSame) others.push({ ...each, write: { ...write, at: { serial, history } } })
      else this.#settle(each, error)
    }
    await this.#run(lane, others, held)
  }

  /**
   * Finds the calls whose samples are held, and stores the others: by organization, then by halves. All parts are tried
   * before one is divided, so that those who have nothing to do with it wait least.
   */
  async #search(lane: Lane, group: readonly Waiting[]): Promise<void> {
    const endAt = performance.now() + searchMs
    let found: readonly (readonly Waiting[])[] = [group]
    while (found.length > 0) {
      const isOver = performance.now() > endAt
      const parts: (readonly Waiting[])[] = []
      for (const part of found)
        if (part.length === 1 || isOver)
          for (const each of part) this.#settle(each, new SamplesHeld(part.length === 1 && !isOver))
        else parts.push(...partsOf(part))
      const held: (readonly Waiting[])[] = []
      for (const part of parts) {
        if (performance.now() > endAt) held.push(part)
        else await this.#run(lane, part, held)
      }
      found = held
    }
  }

  #settle(each: Waiting, error?: unknown): void {
    const rows = rowCount(each.write)
    this.#waitingRows -= rows
    each.room?.give()
    if (error !== undefined) return each.reject(error)
    this.#storedRows += rows
    return each.resolve()
  }
}

/** Whether several have come lately. */
class Others {
  #last: string | undefined
  #changedMs = -Infinity

  note(name: string): void {
    if (name === this.#last) return
    if (this.#last !== undefined) this.#changedMs = performance.now()
    this.#last = name
  }

  areThere(): boolean {
    return performance.now() - this.#changedMs <= companyMs
  }
}

/** Raised by lock_timeout or statement_timeout. */
const isTimeout = (error: unknown): boolean => sqlCode(error) === '55P03' || sqlCode(error) === '57014'

/** One of each organization; of one alone, two. */
const partsOf = (group: readonly Waiting[]): readonly (readonly Waiting[])[] => {
  const parts = new Map<number, Waiting[]>()
  for (const each of group) {
    const part = parts.get(each.write.organizationKey)
    if (part) part.push(each)
    else parts.set(each.write.organizationKey, [each])
  }
  const middle = Math.ceil(group.length / 2)
  return parts.size > 1 ? [...parts.values()] : [group.slice(0, middle), group.slice(middle)]
}

const commit = async (lane: Lane, waiting: readonly Waiting[], heldMs?: number): Promise<void> => {
  const { appends, merges, ...rest } = groupOf(waiting.map(({ write }) => write))
  try {
    await lane.commit({ ...rest, appends: sortRows(appends), merges: sortRows(merges) }, heldMs)
  } catch (error) {
    // 23505: an append that was none. 40P01: two groups merged the same samples in another order.
    const code = sqlCode(error)
    if (code !== '23505' && code !== '40P01') throw error
    if (code === '23505') noteRefused(error, waiting)
    await lane.commit({ ...rest, appends: noRows, merges: sortRows(joinRows([appends, merges])) }, heldMs)
  }
}

/** So that the guess is not made again and again. The key of the stream stands in the error, in every language. */
const noteRefused = (error: unknown, waiting: readonly Waiting[]): void => {
  const { detail = '' } = error as { detail?: string }
  const key = Number(/=\((\d+), /.exec(detail)?.[1])
  for (const { write } of waiting) {
    write.onRefused?.()
    for (const stream of write.streams ?? []) if (stream.key === key) stream.written.refuse()
  }
}
