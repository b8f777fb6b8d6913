// Expressions of a template's streams reach the components that were made from it (docs/derived.md#templates): one that
// is added, changed or removed there is in them, too, unless theirs has become another.
import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../base/database/sql.ts'
import { writeAudit } from '../core/audit.ts'
import type { Caller } from '../core/caller.ts'
import { allOfOrganization, closeGate, noteChange } from '../core/sample/gate.ts'
import { streamDetailsOf } from '../core/stream.ts'
import type { StreamDetail } from '../core/stream.ts'
import { addReached, changeReached, hasComponents, lockComponentsOf } from '../core/template-reach.ts'
import type { DerivationChange } from '../core/template-reach.ts'
import { saveDerivations } from './derivation.ts'

/** A template whose streams are about to change. */
export type Reaching = {
  /** To be called when they have, with the streams as they were. */
  readonly reach: (former: readonly StreamDetail[]) => Promise<void>
}

type Reached = { readonly key: number; readonly uid: string }

/**
 * To be called before the template's row is locked: writers remember streams of components, and take the gate before any
 * row. `mayReach`: by what is known so far, something that is derived will change.
 */
export const openReach = async (
  sql: Transaction,
  caller: Caller,
  template: Reached,
  mayReach: boolean,
): Promise<Reaching> => {
  let isClosed = mayReach && (await hasComponents(sql, template.key))
  if (isClosed) await closeGate(sql)
  const close = async () => {
    if (!isClosed) await closeGate(sql)
    isClosed = true
  }
  return {
    reach: async (former) => {
      const now = await streamDetailsOf(sql, [template.key])
      const changes = changesBetween(former, now)
      if (changes.length === 0 || !(await hasComponents(sql, template.key))) return
      // Somebody was faster.
      await close()
      const streams = await reachComponents(sql, caller.organizationKey, template.key, former, now, changes)
      if (streams > 0) await writeAudit(sql, caller, 'template.reach', template.uid, { streams })
    },
  }
}

const reachComponents = async (
  sql: Transaction,
  organizationKey: number,
  key: number,
  former: readonly StreamDetail[],
  now: readonly StreamDetail[],
  changes: readonly Change[],
): Promise<number> => {
  await lockComponentsOf(sql, key)
  const known = new Set(former.map((stream) => stream.key))
  const reached = [
    ...(await changeReached(
      sql,
      key,
      changes.filter(({ stream }) => known.has(stream.key)).map(({ change }) => change),
    )),
    ...(await addReached(sql, key, neededFor(changes, now, known))),
  ]
  const componentKeys = [...new Set(reached.map(({ componentKey }) => componentKey))]
  await saveDerivations(
    sql,
    { organizationKey },
    reached.map((stream) => stream.key),
  )
  await noteChange(sql, componentKeys.length > mostNoted ? [allOfOrganization(organizationKey)] : componentKeys)
  return reached.length
}

/** Each is a row that every server reads; beyond that forgetting everything costs less. */
const mostNoted = 1_000

type Change = { readonly stream: StreamDetail; readonly change: DerivationChange }

const notDerived = { expression: null, variables: null }

const changesBetween = (former: readonly StreamDetail[], now: readonly StreamDetail[]): readonly Change[] => {
  const before = new Map(former.map((stream) => [stream.key, stream]))
  return now.flatMap((stream) => {
    const known = before.get(stream.key)
    const { expression, variables } = known ?? notDerived
    if (expression === stream.expression && isDeepStrictEqual(variables, stream.variables)) return []
    const { kind, valueType, baseCycleKey } = stream
    return {
      stream,
      change: {
        // The name that it had when components were made from it.
        id: (known ?? stream).id,
        kind,
        valueType,
        baseCycleKey,
        former: { expression, variables },
        now: { expression: stream.expression, variables: stream.variables },
      },
    }
  })
}

/** Derived streams that are new, and all that the changed ones are derived from in the template. */
const neededFor = (
  changes: readonly Change[],
  now: readonly StreamDetail[],
  known: ReadonlySet<number>,
): readonly number[] => {
  const byId = new Map(now.map((stream) => [stream.id, stream]))
  const needed = new Set<StreamDetail>()
  const left = changes.map(({ stream }) => stream)
  for (let stream = left.pop(); stream; stream = left.pop())
    for (const { streamId } of stream.variables ?? []) {
      const source = byId.get(streamId)!
      if (needed.has(source)) continue
      needed.add(source)
      left.push(source)
    }
  for (const { stream } of changes) if (!known.has(stream.key)) needed.add(stream)
  return Array.from(needed, ({ key }) => key)
}
