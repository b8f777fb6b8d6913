// Changes of a template's streams reach the components that were made from it (docs/management.md#templates): one that is
// added, changed or removed there is so in them, too, as far as theirs still is as the template made it. A key that may not add,
// change or delete one of theirs, by a row for the stream or for its component, may not do it by the template either.
import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../base/database/sql.ts'
import { writeAudit } from '../core/audit.ts'
import type { Caller, Method } from '../core/caller.ts'
import { demandOfNamed, namedBy } from '../core/caller.ts'
import { closeGate, noteChange } from '../core/sample/catalog-change.ts'
import { streamDetailsOf } from '../core/stream.ts'
import type { StreamDetail } from '../core/stream.ts'
import {
  addReached,
  changeReached,
  hasComponents,
  lockComponentsOf,
  removeReached,
  unusedCopies,
} from '../core/template-reach.ts'
import type { ReachingMembers, StreamChange } from '../core/template-reach.ts'
import { saveDerivations } from './derivation.ts'

/** A template whose streams are about to change. */
export type Reaching = {
  /** To be called when they have, with the streams as they were. */
  readonly reach: (former: readonly StreamDetail[]) => Promise<void>
}

type Reached = { readonly key: number; readonly uid: string }

/**
 * To be called before the template's row is locked: writers remember by what streams of components are derived, and take
 * the gate before any row. `mayDerive`: by what is known so far, something that is derived will change.
 */
export const openReach = async (
  sql: Transaction,
  caller: Caller,
  template: Reached,
  mayDerive: boolean,
): Promise<Reaching> => {
  let isClosed = mayDerive && (await hasComponents(sql, template.key))
  if (isClosed) await closeGate(sql, caller.organizationKey)
  const close = async () => {
    if (!isClosed) await closeGate(sql, caller.organizationKey)
    isClosed = true
  }
  return {
    reach: async (former) => {
      const now = await streamDetailsOf(sql, [template.key])
      const changes = changesBetween(former, now)
      if (changes.length === 0 || !(await hasComponents(sql, template.key))) return
      // Somebody was faster.
      if (changes.some(derives)) await close()
      const streams = await reachComponents(sql, caller, template.key, former, now, changes)
      if (streams > 0) await writeAudit(sql, caller, 'template.reach', template.uid, { streams })
    },
  }
}

const reachComponents = async (
  sql: Transaction,
  caller: Caller,
  key: number,
  former: readonly StreamDetail[],
  now: readonly StreamDetail[],
  changes: readonly Change[],
): Promise<number> => {
  const { organizationKey } = caller
  await lockComponentsOf(sql, key)
  const known = new Set(former.map((stream) => stream.key))
  const changed = await changeReached(
    sql,
    key,
    changes.filter(({ stream }) => known.has(stream.key)).map(({ change }) => change),
    namedBy(caller),
  )
  demandReached(caller, 'PUT', changed.uids)
  const added = await addReached(sql, key, neededFor(changes, now, known), namedBy(caller))
  demandReached(caller, 'POST', added.uids)
  await saveDerivations(sql, { organizationKey }, [...changed.derived, ...added.derived])
  for (const { derivedIn } of [changed, added]) await noteChange(sql, derivedIn)
  return changed.streams + added.streams
}

/** The uids of streams and of their components, as far as rows of the key name them. */
const demandReached = (caller: Caller, method: Method, uids: readonly string[]): void => {
  const reached = uids.map((uid) => ({ uid }))
  demandOfNamed(caller, `${method} stream`, reached)
  demandOfNamed(caller, `${method} component/stream`, reached)
}

/** A stream of a template that is about to be removed. */
export type RemovalReach = {
  /** To be called when it is. */
  readonly reach: () => Promise<void>
}

/**
 * To be called before the template's row is locked: the copies of the stream that nobody has used go with it, and writers
 * remember streams of components.
 */
export const openRemovalReach = async (
  sql: Transaction,
  caller: Caller,
  template: Reached,
  stream: StreamDetail,
): Promise<RemovalReach> => {
  const copies = stream.id === null ? [] : await unusedCopies(sql, stream)
  if (copies.length === 0) return { reach: async () => {} }
  await closeGate(sql, caller.organizationKey)
  return {
    reach: async () => {
      await lockComponentsOf(sql, template.key)
      const removed = await removeReached(sql, copies)
      demandReached(
        caller,
        'DELETE',
        removed.flatMap(({ uid, componentUid }) => [uid, componentUid]),
      )
      await noteChange(
        sql,
        removed.map(({ componentKey }) => componentKey),
      )
      await writeAudit(sql, caller, 'template.reach', template.uid, { removed: removed.length })
    },
  }
}

type Change = { readonly stream: StreamDetail; readonly change: StreamChange }

const reaching = ({ name, description, unitKey, expression, variables }: StreamDetail): ReachingMembers => ({
  name,
  description,
  unitKey,
  expression,
  variables,
})

/** Whether a change has to do with what a stream is derived by. */
const derives = ({ change: { former, now } }: Change): boolean =>
  former.expression !== now.expression || !isDeepStrictEqual(former.variables, now.variables)

const notDerived = { expression: null, variables: null }

const changesBetween = (former: readonly StreamDetail[], now: readonly StreamDetail[]): readonly Change[] => {
  const before = new Map(former.map((stream) => [stream.key, stream]))
  return now.flatMap((stream) => {
    const known = before.get(stream.key)
    const members = reaching(stream)
    const was = known ? reaching(known) : { ...members, ...notDerived }
    if (known && isDeepStrictEqual(was, members)) return []
    const { kind, valueType, baseCycleKey } = stream
    // The name that it had when components were made from it.
    const { id } = known ?? stream
    return { stream, change: { id, kind, valueType, baseCycleKey, former: was, now: members } }
  })
}

/** Streams that are new, and all that the changed ones are derived from in the template. */
const neededFor = (
  changes: readonly Change[],
  now: readonly StreamDetail[],
  known: ReadonlySet<number>,
): readonly StreamDetail[] => {
  const byId = new Map(now.map((stream) => [stream.id, stream]))
  const needed = new Set<StreamDetail>()
  const left = changes.filter(derives).map(({ stream }) => stream)
  for (let stream = left.pop(); stream; stream = left.pop())
    for (const { streamId } of stream.variables ?? []) {
      const source = byId.get(streamId)!
      if (needed.has(source)) continue
      needed.add(source)
      left.push(source)
    }
  for (const { stream } of changes) if (!known.has(stream.key)) needed.add(stream)
  return [...needed]
}
