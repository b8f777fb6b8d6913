// The judgement of an upload: whether its caller may write, and the rows of its samples, by the components and streams in
// memory, or by a look at the database for those that are not there. It is of a moment, as of which the gate then reports
// every change.
import type { Pool } from '../../base/database/sql.ts'
import { transaction } from '../../base/database/sql.ts'
import { namedStreams } from './batch.ts'
import type { SampleBatch } from './batch.ts'
import type { Caller } from '../caller.ts'
import { demand } from '../caller.ts'
import { goesOn, latestChange, openGate } from './gate.ts'
import type { Heard, KnownMoment } from './gate.ts'
import { placeBatch } from './place.ts'
import type { PlacedRows } from './place.ts'
import type { ComponentRef } from './ref.ts'
import { readComponents, streamByRef } from './registered.ts'
import type { RegisteredComponent } from './registered.ts'
import type { Registry } from './registry.ts'
import type { RowRoom } from './row-room.ts'

/** The rights of a call and its rows, by the state at a moment. */
export type Judged = {
  readonly at: KnownMoment
  /** Whether somebody listens to the organization. */
  readonly isHeard: boolean
  readonly components: readonly (RegisteredComponent | undefined)[]
  /** Undefined when something that the batch names is missing. */
  readonly placed: PlacedRows | undefined
}

export type Judge = {
  /** Judges by memory, mostly, without waiting for anything. Undefined where memory does not do. */
  readonly atOnce: (caller: Caller, batch: SampleBatch, also: 'GET' | undefined, room: RowRoom) => Judged | undefined
  /** Throws the refusal of what may not be. */
  readonly now: (caller: Caller, batch: SampleBatch, also?: 'GET', room?: RowRoom) => Promise<Judged>
}

type Components = readonly (RegisteredComponent | undefined)[]

export const openJudge = (sql: Pool, registry: Registry): Judge => {
  /** The batch's components when all of them are in memory. */
  const remembered = ({ organizationKey }: Caller, batch: SampleBatch): readonly RegisteredComponent[] | undefined => {
    const found: RegisteredComponent[] = []
    for (const { ref } of batch.components) {
      const component = registry.get(organizationKey, ref)
      if (component === undefined) return undefined
      found.push(component)
    }
    return found
  }

  const find = async ({ organizationKey }: Caller, batch: SampleBatch): Promise<Components> => {
    const get = (ref: ComponentRef) => registry.get(organizationKey, ref)
    const refs = batch.components.map(({ ref }) => ref)
    // As of before the wait, in which one may be forgotten: it would be taken for one that is missing.
    const before = refs.map(get)
    const unknown = refs.filter((_, index) => before[index] === undefined)
    if (await registry.load(sql, organizationKey, unknown)) return refs.map((ref, index) => before[index] ?? get(ref))
    // Components with too many streams to be remembered: only those that the batch names are read.
    const found = await readComponents(sql, organizationKey, refs, namedStreams(batch))
    return refs.map((ref) => found.get(ref))
  }

  /** Whether something that may have been remembered is forgotten now. */
  const applyChanges = async (): Promise<boolean> => {
    const known = registry.moment
    const { serial, history } = await latestChange(sql)
    if (serial <= known.serial && goesOn(known, history)) return false
    await transaction(sql, async (tx) => registry.applyChanges(await openGate(tx, known.serial, known.history)))
    return true
  }

  return {
    atOnce: (caller, batch, also, room) => {
      const { moment, heard } = registry
      const components = remembered(caller, batch)
      if (components === undefined) return undefined
      try {
        return judgedAs(moment, heard, caller, batch, components, also, room)
      } catch {
        return undefined
      }
    },
    now: async (caller, batch, also, room) => {
      for (;;) {
        // The moment is read before the memory: the gate then reports every change that came after.
        const { moment, heard } = registry
        const components = remembered(caller, batch) ?? (await find(caller, batch))
        try {
          return judgedAs(moment, heard, caller, batch, components, also, room)
        } catch (error) {
          // A refusal by memory may be wrong by now, and nothing was remembered while something changed.
          if (moment === registry.moment && !(await applyChanges())) throw error
        }
      }
    },
  }
}

const judgedAs = (
  at: KnownMoment,
  heard: Heard,
  caller: Caller,
  batch: SampleBatch,
  components: Components,
  also: 'GET' | undefined,
  room: RowRoom | undefined,
): Judged => {
  for (const component of components) {
    demand(caller, 'PUT component/feed', component?.uid)
    if (also) demand(caller, `${also} component/feed`, component?.uid)
  }
  return { at, isHeard: heard.has(caller.organizationKey), components, placed: place(batch, components, room) }
}

/** Undefined when something that the batch names is missing. */
const place = (batch: SampleBatch, components: Components, room: RowRoom | undefined): PlacedRows | undefined => {
  if (components.includes(undefined)) return undefined
  const complete = components as readonly RegisteredComponent[]
  const hasWanted = batch.wantedStreamIds.every((id) => streamByRef(complete[0]!, id))
  // Of a try before.
  room?.give()
  return hasWanted ? placeBatch(batch, complete, room) : undefined
}
