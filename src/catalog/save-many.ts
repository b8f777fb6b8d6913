// The transaction behind component-bulk.ts: what is there is locked and compared, and the rest is made, by statements
// for all of it.
import { isDeepStrictEqual } from 'node:util'
import { conflict, tooLarge } from '../base/errors.ts'
import type { Transaction } from '../base/database/sql.ts'
import type { Breathe } from '../base/slices.ts'
import type { Caller } from '../core/caller.ts'
import { demand, demandOfNamed } from '../core/caller.ts'
import { ensureFolders, insertMany, lockComponentsById, updateMany } from '../core/component-bulk.ts'
import type { KnownComponent } from '../core/component-bulk.ts'
import { rootFolder } from '../core/folder.ts'
import { uidNotFound } from '../core/named.ts'
import { organizationTimeZone } from '../core/organization.ts'
import { findTemplateByUid, withStreams } from '../core/template.ts'
import type { Template } from '../core/template.ts'
import { withGiven } from './entity.ts'
import type { GivenComponent } from './given-components.ts'
import { mostNamedStreams, placed } from './given-components.ts'
import { saveStreams } from './save-many-streams.ts'
import type { Made } from './save-many-streams.ts'

export type SavedMany = {
  readonly id: string
  readonly uid: string
  readonly state: 'created' | 'updated' | 'unchanged'
}

/** So many are some milliseconds of work between two statements. */
const atOnce = 1_000

export const saveMany = async (
  sql: Transaction,
  caller: Caller,
  given: readonly GivenComponent[],
  breathe: Breathe,
): Promise<readonly SavedMany[]> => {
  const { organizationKey } = caller
  const known = new Map<string, KnownComponent>()
  for (const component of await lockComponentsById(
    sql,
    organizationKey,
    given.map(({ id }) => id),
  ))
    known.set(component.id, component)
  for (const { uid } of known.values()) demand(caller, 'PUT component', uid)
  if (known.size < given.length) demand(caller, 'POST component')
  const folders = await ensureFolders(sql, organizationKey, [
    rootFolder,
    ...given.flatMap(({ folder }) => folder ?? []),
  ])
  const folderKeyOf = (path: string) => folders.get(path)!
  const made = await makeMissing(
    sql,
    caller,
    given.filter(({ id }) => !known.has(id)),
    folderKeyOf,
  )
  const updated = await changeKnown(sql, given, known, folderKeyOf, breathe)
  const touched = await saveStreams(sql, caller, given, known, made, breathe)
  return given.map(({ id }) => {
    const { uid, key } = known.get(id) ?? made.get(id)!
    if (!known.has(id)) return { id, uid, state: 'created' }
    return { id, uid, state: updated.has(key) || touched.has(key) ? 'updated' : 'unchanged' }
  })
}

const makeMissing = async (
  sql: Transaction,
  caller: Caller,
  missing: readonly GivenComponent[],
  folderKeyOf: (path: string) => number,
): Promise<ReadonlyMap<string, Made>> => {
  const { organizationKey } = caller
  const templates = await templatesOf(sql, caller, missing)
  const templateOf = ({ templateUid }: GivenComponent) => (templateUid ? templates.get(templateUid) : undefined)
  const made = new Map<string, Made>()
  if (missing.length === 0) return made
  const copies = missing.reduce((sum, one) => sum + (templateOf(one)?.streams.length ?? 0), 0)
  if (copies > mostNamedStreams) throw tooLarge(`a call makes up to ${mostNamedStreams} streams, these templates more`)
  const zone = await organizationTimeZone(sql, organizationKey)
  const byId = new Map(missing.map((one) => [one.id, one]))
  // Those who make the same ones wait for each other in one order.
  const ids = [...byId.keys()].toSorted()
  for (let from = 0; from < ids.length; from += atOnce) {
    const rows = ids.slice(from, from + atOnce).map((id) => {
      const one = byId.get(id)!
      const template = templateOf(one)
      return {
        id,
        name: one.name ?? id,
        description: one.description ?? template?.description ?? '',
        folderKey: folderKeyOf(one.folder ?? rootFolder),
        timeZone: one.timeZone ?? template?.timeZone ?? zone,
        templateKey: template?.key ?? null,
      }
    })
    for (const { key, uid, id } of await insertMany(sql, organizationKey, rows))
      made.set(id, { key, uid, template: templateOf(byId.get(id)!) })
  }
  const late = ids.find((id) => !made.has(id))
  if (late !== undefined) throw conflict(`component '${late}' was made by another call just now: make this call again`)
  return made
}

const templatesOf = async (
  sql: Transaction,
  caller: Caller,
  missing: readonly GivenComponent[],
): Promise<ReadonlyMap<string, Template>> => {
  const templates = new Map<string, Template>()
  for (const { templateUid } of missing) {
    if (!templateUid || templates.has(templateUid)) continue
    demand(caller, 'GET template', templateUid)
    const template = await findTemplateByUid(sql, caller.organizationKey, templateUid)
    if (template === undefined) throw await uidNotFound(sql, caller, 'template', templateUid)
    const whole = await withStreams(sql, template)
    demandOfNamed(caller, 'GET stream', whole.streams)
    templates.set(templateUid, whole)
  }
  return templates
}

/** Gives the keys of those that differ from what is given. */
const changeKnown = async (
  sql: Transaction,
  given: readonly GivenComponent[],
  known: ReadonlyMap<string, KnownComponent>,
  folderKeyOf: (path: string) => number,
  breathe: Breathe,
): Promise<ReadonlySet<number>> => {
  const changes: KnownComponent[] = []
  for (const [index, one] of given.entries()) {
    const component = known.get(one.id)
    if (component === undefined) continue
    const changed = changedComponent(index, component, one, folderKeyOf)
    if (changed !== undefined) changes.push(changed)
    await breathe()
  }
  for (let from = 0; from < changes.length; from += atOnce) await updateMany(sql, changes.slice(from, from + atOnce))
  return new Set(changes.map(({ key }) => key))
}

/** Undefined when it is as it shall be. */
const changedComponent = (
  index: number,
  component: KnownComponent,
  { id, name, description, folder, timeZone, templateUid }: GivenComponent,
  folderKeyOf: (path: string) => number,
): KnownComponent | undefined => {
  const other =
    timeZone !== undefined && timeZone !== component.timeZone
      ? 'timeZone'
      : templateUid !== undefined && templateUid !== component.templateUid
        ? 'templateUid'
        : undefined
  if (other !== undefined)
    throw placed(index, conflict(`'${id}' is there with another ${other}, which this call does not change`))
  const changed = withGiven(component, {
    name,
    description,
    folderKey: folder === undefined ? undefined : folderKeyOf(folder),
  })
  return isDeepStrictEqual(changed, component) ? undefined : changed
}
