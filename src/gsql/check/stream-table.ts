// The table Stream (grammar/REFERENCE.md#tables): its columns, and the names in sample(Range(...), cycleId='day',
// stat='max'). Its rows come from the views of the schema gs, which show one organization at a time.
import { wordTable } from '../../base/own.ts'
import type { RelationColumn, Term } from '../plan/plan.ts'
import type { Type } from '../value.ts'

const shown: readonly (readonly [string, Type])[] = [
  ['cid', 'STRING'],
  ['cuid', 'STRING'],
  ['cname', 'STRING'],
  ['id', 'STRING'],
  ['uid', 'STRING'],
  ['name', 'STRING'],
  ['description', 'STRING'],
  ['folderPath', 'STRING'],
  ['timeZoneId', 'STRING'],
  ['streamType', 'STRING'],
  ['valueType', 'STRING'],
  ['unit', 'STRING'],
  ['lastValue', 'ANY'],
  ['lastTime', 'LONG'],
  ['startDate', 'LONG'],
  ['endDate', 'LONG'],
  ['lastUpdated', 'LONG'],
]

/** Naming one of these in a SELECT makes its rows samples instead of streams. */
const sampleColumns: readonly (readonly [string, Type])[] = [
  ['sample', 'ANY'],
  ['time', 'LONG'],
  ['timeSd', 'LONG'],
  ['timeEd', 'LONG'],
]

const otherNames = wordTable({
  _component_id: 'cid',
  _component_uid: 'cuid',
  _component_name: 'cname',
  _id: 'id',
  _uid: 'uid',
  _name: 'name',
  _folder_path: 'folderPath',
  _last_value: 'lastValue',
  _last_updated: 'lastUpdated',
  _sample: 'sample',
  _time: 'time',
})

export const streamColumns: readonly RelationColumn[] = [
  ...shown.map(([name, type]) => ({ name, type, hidden: false })),
  ...sampleColumns.map(([name, type]) => ({ name, type, hidden: true })),
]

/** The column that a name means, in any spelling; undefined when there is none. */
export const streamColumn = (name: string): number | undefined => {
  const meant = (otherNames.get(name.toLowerCase()) ?? name).toLowerCase()
  const index = streamColumns.findIndex((column) => column.name.toLowerCase() === meant)
  return index < 0 ? undefined : index
}

export const isSampleColumn = (column: number) => column >= shown.length

export const sampleColumn = streamColumn('sample')!
export const lastValueColumn = streamColumn('lastValue')!

/** A stored value right from its table, where it has a column for each type (emit-stream.ts). */
export const isSample = (term: Term): boolean =>
  term.kind === 'column' &&
  term.relation.origin.kind === 'stream' &&
  (term.column === sampleColumn || term.column === lastValueColumn)

/** Whether the column is known without a look at the samples. */
export const isOfStream = (column: number) => column < shown.findIndex(([name]) => name === 'lastValue')

export const streamColumnNames: readonly string[] = [
  ...streamColumns.map(({ name }) => name),
  ...Object.keys(otherNames),
]
