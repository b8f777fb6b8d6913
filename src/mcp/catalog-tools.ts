// Tools that find and describe components and streams, and explain the catalogue.
import { Fault } from '../base/errors.ts'
import { oneOf, text, wholeNumber } from '../base/http/members.ts'
import { ownMember } from '../base/own.ts'
import type { InnerCalls } from './inner-call.ts'
import { shownTime } from './moment.ts'
import { componentId, described } from './read-tools.ts'
import { statisticsText } from './reference.ts'
import { shortened, tableText } from './table.ts'
import type { Tool } from './tool.ts'
import { tool } from './tool.ts'

type Row = Readonly<Record<string, unknown>>

const mostRows = 50
const page = {
  text: described(text(0, 512), 'searched in ID, name and description, ignoring case'),
  start: described(wholeNumber(0, 1_000_000_000), 'how many are left out before the first'),
  limit: described(wholeNumber(1, mostRows), 'the most rows, 20 by default'),
}

const listed = async (
  { json }: InnerCalls,
  name: string,
  query: Readonly<Record<string, string | number | undefined>>,
): Promise<{ readonly rows: readonly Row[]; readonly totalCount: number }> => {
  const found = (await json({ route: `GET /api/${name}`, query })) as unknown as Row
  return { rows: ownMember(found, name) as readonly Row[], totalCount: found['totalCount'] as number }
}

/** Rows of a list with the number of all; where some are left, the page that follows. */
const pageText = (
  { rows, totalCount }: { readonly rows: readonly Row[]; readonly totalCount: number },
  columns: readonly string[],
  start: number,
  cell: (row: Row, column: string) => unknown = (row, column) => ownMember(row, column),
): string => {
  const shown = rows.map((row) => columns.map((column) => shortened(cell(row, column))))
  const next = start + rows.length
  const more = { totalCount, ...(next < totalCount ? { goOn: `call again with start ${next}` } : {}) }
  return tableText({ columns, rows: shown, more }, rows.length, (count) => `call again with start ${start + count}`)
}

const mostStreamsNamed = 20

const streamNames = (component: Row): unknown => {
  const streams = component['stream'] as readonly Row[]
  const names = streams.slice(0, mostStreamsNamed).map(({ id, name }) => id ?? name)
  return streams.length > names.length ? [...names, `and ${streams.length - names.length} more`] : names
}

const findComponents = tool({
  name: 'find_components',
  title: 'Find components',
  description: 'Components by text and folder, with the IDs of their streams. Start here.',
  shape: { ...page, folder: described(text(1, 1024), 'only of this folder, such as /Components/Plant') },
  required: [],
  run: async (calls, { text: searched, folder, start = 0, limit = 20 }) => {
    const found = await listed(calls, 'component', { text: searched, folder, start, limit })
    const columns = ['id', 'name', 'description', 'folder', 'timeZone', 'uid', 'streams']
    return pageText(found, columns, start, (row, column) =>
      column === 'streams' ? streamNames(row) : ownMember(row, column),
    )
  },
})

const findStreams = tool({
  name: 'find_streams',
  title: 'Find streams',
  description: 'Streams of all components by text, each with the ID of its component.',
  shape: page,
  required: [],
  run: async (calls, { text: searched, start = 0, limit = 20 }) => {
    const found = await listed(calls, 'stream', { text: searched, start, limit })
    const ids = new Map<unknown, unknown>()
    for (const { componentUid: uid } of found.rows)
      if (typeof uid === 'string' && !ids.has(uid)) ids.set(uid, await idOfComponent(calls, uid))
    const columns = ['component', 'id', 'name', 'description', 'kind', 'valueType', 'baseCycleId', 'uid']
    const cell = (row: Row, column: string) =>
      column === 'component' ? (ids.get(row['componentUid']) ?? 'a template') : ownMember(row, column)
    return pageText(found, columns, start, cell)
  },
})

/** Without its streams: twenty components with 2,000 each took six seconds, and one with 4 MiB of texts was too much. */
const idOfComponent = async (calls: InnerCalls, uid: string): Promise<unknown> => {
  const [component] = (await listed(calls, 'component', { uid, streams: 'false', limit: 1 })).rows
  return component?.['id'] ?? component?.['name']
}

const describeComponent = tool({
  name: 'describe_component',
  title: 'Describe a component',
  description: 'A component: its zone, folder and template, and its streams with type, unit, cycle and last value.',
  shape: { component: componentId },
  required: ['component'],
  run: async (calls, { component: id }) => {
    const last = (await calls.json({
      route: 'GET /api/comp/:compId/last_value',
      params: { compId: id },
      query: { retStreamId: '', retUnit: '' },
    })) as unknown as readonly Row[]
    const lastOf = new Map(last.map((sample) => [sample['streamId'], sample]))
    const [component] = await catalogued(calls, id)
    const streams = (component?.['stream'] ?? last.map(({ streamId: own }) => ({ id: own }))) as readonly Row[]
    const columns = ['id', 'name', 'description', 'kind', 'valueType', 'baseCycleId', 'expression']
    const rows = streams.map((stream) => {
      const sample = lastOf.get(stream['id'])
      const own = columns.map((column) => shortened(ownMember(stream, column)))
      return own.concat([sample?.['unit'], shownTime(sample?.['time']), shortened(sample?.['data'])])
    })
    const { stream: _, ...about } = component ?? {
      id,
      note: 'this credential may not see the catalogue: streams with samples',
    }
    const shown = [...columns, 'unit', 'lastTime', 'lastValue']
    return tableText({ columns: shown, rows, more: about }, rows.length, () => 'use last_values or find_streams')
  },
})

/** None where the credential reads feeds alone. */
const catalogued = async (calls: InnerCalls, id: string): Promise<readonly Row[]> => {
  try {
    return (await listed(calls, 'component', { id, limit: 1 })).rows
  } catch (error) {
    if (error instanceof Fault && error.status === 403) return []
    throw error
  }
}

const subjects = {
  units: ['unit', ['id', 'name', 'symbol', 'numberFormat', 'booleanStyle', 'uid']],
  cycles: ['cycle', ['id', 'name', 'size', 'unit', 'reference', 'timeZone']],
  templates: ['template', ['id', 'name', 'description', 'timeZone', 'uid', 'streams']],
  folders: ['folder', ['path', 'uid']],
} as const

const explain = tool({
  name: 'explain',
  title: 'Explain the catalogue',
  description: 'Lists units, cycles, templates, folders or time zones of the organization, or explains the statistics.',
  shape: {
    ...page,
    about: described(oneOf('units', 'cycles', 'templates', 'folders', 'time zones', 'statistics'), 'the subject'),
  },
  required: ['about'],
  run: async (calls, { about, text: searched = '', start = 0, limit = mostRows }) => {
    if (about === 'statistics') return statisticsText
    if (about === 'time zones') {
      const all = Intl.supportedValuesOf('timeZone').filter((zone) =>
        zone.toLowerCase().includes(searched.toLowerCase()),
      )
      const rows = all.slice(start, start + limit).map((zone) => ({ zone }))
      return pageText({ rows, totalCount: all.length }, ['zone'], start)
    }
    const [name, columns] = subjects[about]
    const found = await listed(calls, name, { text: searched, start, limit })
    return pageText(found, columns, start, (row, column) =>
      column === 'streams' ? streamNames(row) : ownMember(row, column),
    )
  },
})

export const catalogTools: readonly Tool[] = [findComponents, findStreams, describeComponent, explain]
