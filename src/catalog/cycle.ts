// Cycles in the management API (docs/statistics.md#cycles). The cycle of an interval stream does not change under its
// samples, and stock cycles never do.
//
//   POST {"id":"shift","size":8,"unit":"hour","reference":"2026-01-01T06:00:00"}
import { badRequest, conflict, notFound } from '../base/errors.ts'
import {
  blankable,
  further,
  identifier,
  needed,
  oneOf,
  readMembers,
  shownOnly,
  shownUid,
  text,
  timeZone,
  trueOrFalse,
  versionNumber,
  wholeNumber,
} from '../base/http/members.ts'
import type { Members, Reader } from '../base/http/members.ts'
import type { Transaction } from '../base/database/sql.ts'
import { cycleUnits, localMsOf } from '../core/time/calendar.ts'
import {
  cycleSorts,
  deleteCycle,
  findCycleByUid,
  insertCycle,
  isBaseCycle,
  listCycles,
  lockCycle,
  longestSeconds,
  mostCycleSeconds,
  stockReference,
  updateCycle,
} from '../core/cycle.ts'
import type { Cycle, CycleDefinition } from '../core/cycle.ts'
import { derivedByCycle } from '../core/derivation.ts'
import { closeGate } from '../core/sample/catalog-change.ts'
import { useOfCycleId } from '../core/stream.ts'
import { saveDerivations } from './derivation.ts'
import type { Entity } from './entity.ts'
import { refuseStale, withGiven } from './entity.ts'
import { refuseUse } from './stream.ts'

const reference: Reader<string> = further(text(1, 32), { examples: [stockReference] }, (name, written) => {
  try {
    const seconds = new Date(localMsOf(written)).toISOString().slice(0, 19)
    if (seconds.startsWith(written) && seconds >= '0001') return seconds
  } catch {}
  throw badRequest(`${name} must be a local time such as ${stockReference}`)
})

const members = {
  uid: shownUid,
  isStock: shownOnly({ type: 'boolean' }),
  id: blankable(identifier),
  name: text(1, 512),
  size: wholeNumber(1, 1_000_000),
  unit: oneOf(...cycleUnits),
  reference,
  timeZone: blankable(timeZone),
  version: versionNumber,
}

type CycleMembers = Members<typeof members>

const readCycle = (input: unknown) => readMembers('cycle', input, members)

const filters = { id: text(0, 512), unit: oneOf(...cycleUnits), isStock: trueOrFalse }

export const cycleEntity: Entity<Cycle, CycleDefinition, CycleMembers, typeof filters> = {
  name: 'cycle',
  about: {
    part: 'management',
    one: 'a cycle',
    many: 'cycles',
    newMembers: members,
    changeMembers: members,
    example: { id: 'shift', name: 'Shift', size: 8, unit: 'hour' },
  },
  fixed: ['isStock'],
  readNew: (input) => {
    const { id = null, size, unit, ...given } = needed('a cycle', readCycle(input), 'size', 'unit')
    const name = given.name ?? id
    if (name === null) throw badRequest('a cycle must have a name or an id')
    refuseTooLong({ size, unit })
    return {
      id,
      name,
      size,
      unit,
      reference: given.reference ?? stockReference,
      timeZone: given.timeZone ?? null,
    }
  },
  readChange: readCycle,
  filters,
  sorts: cycleSorts,
  list: (sql, caller, search) => listCycles(sql, caller.organizationKey, search, search),
  find: (sql, caller, uid) => findCycleByUid(sql, caller.organizationKey, uid),
  create: (sql, caller, given) => insertCycle(sql, caller.organizationKey, given),
  update: async (sql, { organizationKey }, seen, given) => {
    const cycle = await lockOwn(sql, seen)
    refuseStale('cycle', given, cycle)
    const definition = withGiven(cycle, given)
    refuseTooLong(definition)
    if (cycle.id !== null && definition.id !== cycle.id)
      refuseUse(`cycle '${cycle.id}'`, await useOfCycleId(sql, organizationKey, cycle.id))
    if (isRecut(cycle, definition) && (await isBaseCycle(sql, cycle.key)))
      throw conflict(`cycle '${cycle.id ?? cycle.name}' is the base of interval streams: it can only be renamed`)
    if (cycle.id === null || !isRecut(cycle, definition)) return updateCycle(sql, cycle.key, definition)
    const derived = await derivedByCycle(sql, organizationKey, cycle.id)
    if (derived.length > 0) await closeGate(sql, organizationKey)
    const changed = await updateCycle(sql, cycle.key, definition)
    await saveDerivations(sql, { organizationKey }, derived)
    return changed
  },
  remove: async (sql, { organizationKey }, seen) => {
    const cycle = await lockOwn(sql, seen)
    if (await isBaseCycle(sql, cycle.key))
      throw conflict(`cycle '${cycle.id ?? cycle.name}' is the base of interval streams`)
    if (cycle.id !== null) refuseUse(`cycle '${cycle.id}'`, await useOfCycleId(sql, organizationKey, cycle.id))
    await deleteCycle(sql, cycle.key)
    return undefined
  },
  show: (cycle) => ({
    uid: cycle.uid,
    id: cycle.id,
    name: cycle.name,
    size: cycle.size,
    unit: cycle.unit,
    reference: cycle.reference,
    timeZone: cycle.timeZone,
    isStock: cycle.isStock,
    version: cycle.version,
  }),
}

const refuseTooLong = (definition: Pick<CycleDefinition, 'size' | 'unit'>) => {
  if (longestSeconds(definition) > mostCycleSeconds) throw badRequest('a cycle may have 10,000 years at most')
}

/** Streams name their base cycle by ID, so in use it cannot go blank either. */
const isRecut = (cycle: Cycle, { id, size, unit, reference: from, timeZone: zone }: CycleDefinition) =>
  size !== cycle.size ||
  unit !== cycle.unit ||
  from !== cycle.reference ||
  zone !== cycle.timeZone ||
  (id === null && cycle.id !== null)

const lockOwn = async (sql: Transaction, seen: Cycle): Promise<Cycle> => {
  if (seen.isStock) throw conflict(`cycle '${seen.id}' belongs to every organization and stays as it is`)
  const cycle = await lockCycle(sql, seen.key)
  if (cycle === undefined) throw notFound('cycle', seen.uid)
  return cycle
}
