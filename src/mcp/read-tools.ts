// Tools that read samples, last values and statistics, and that run GS SQL.
import type { Json } from '../base/json.ts'
import type { Reader } from '../base/http/members.ts'
import { further, identifier, text, timeZone, wholeNumber } from '../base/http/members.ts'
import { toJson } from '../base/http/reply.ts'
import { ownMember } from '../base/own.ts'
import { momentReader, shownTime } from './moment.ts'
import { mostTextBytes, shortened, tableText } from './table.ts'
import type { Tool } from './tool.ts'
import { tool } from './tool.ts'

/** Of the reader's own type: a type of its value alone would be lost in the shape of a tool. */
export const described = <R extends Reader<unknown>>(read: R, description: string): R =>
  further(read, { description }, (_, value) => value) as unknown as R

export const componentId = described(identifier, 'ID of the component (compId), as find_components shows it')
export const streamId = described(identifier, 'ID of the stream within the component; without it all its streams')

const mostRows = 500
const limit = (fallback: number) => described(wholeNumber(1, mostRows), `the most rows, ${fallback} by default`)

type Sample = Readonly<Record<string, unknown>>

const window = (nowMs: () => number) => ({
  start: momentReader(nowMs, 'the first moment, inclusive; only together with end'),
  end: momentReader(nowMs, 'the end, exclusive; without it the latest'),
})

/** The latest rows come first, so that the rest is before the last of them. */
const goOn = (samples: readonly Sample[], isOneStream: boolean) => (shown: number) =>
  isOneStream
    ? `call again with end ${String(shownTime(samples[shown - 1]!['time']))}`
    : 'ask for one stream at a time, with stream'

const samplesText = (found: Json, stream: string | undefined, most: number, columns: readonly string[]): string => {
  const samples = found as unknown as readonly Sample[]
  const isOneStream = stream !== undefined
  const shown = isOneStream ? columns.filter((name) => name !== 'streamId') : columns
  const cell = (sample: Sample, name: string) =>
    isTime.has(name) ? shownTime(ownMember(sample, name)) : shortened(ownMember(sample, name))
  const rows = samples.map((sample) => shown.map((name) => cell(sample, name)))
  return tableText({ columns: shown.map((name) => titles.get(name) ?? name), rows }, most, goOn(samples, isOneStream))
}

const isTime: ReadonlySet<string> = new Set(['time', 'sdTime'])
const titles = new Map([
  ['streamId', 'stream'],
  ['data', 'value'],
  ['sdTime', 'start'],
])

const addressOf = (component: string, stream: string | undefined, rest: string) => ({
  route: `GET /api/comp/:compId${stream === undefined ? '' : '/stream/:streamId'}/${rest}`,
  params: { compId: component, ...(stream === undefined ? {} : { streamId: stream }) },
})

export const readTools = (nowMs: () => number): readonly Tool[] => [
  tool({
    name: 'read_samples',
    title: 'Read samples',
    description: 'Samples of a component or of one of its streams, the latest first.',
    shape: { component: componentId, stream: streamId, ...window(nowMs), limit: limit(100) },
    required: ['component'],
    run: async ({ json }, { component, stream, start, end, limit: most = 100 }) => {
      // One more than is shown, to know whether there are more.
      const query = { sd: start, ed: end, limit: most + 1, retStreamId: '', retUnit: '' }
      const found = await json({ ...addressOf(component, stream, 'feed'), query })
      return samplesText(found, stream, most, ['streamId', 'time', 'data', 'unit'])
    },
  }),
  tool({
    name: 'last_values',
    title: 'Last values',
    description: 'The last sample of each stream of a component, or of one stream.',
    shape: { component: componentId, stream: streamId },
    required: ['component'],
    run: async ({ json }, { component, stream }) => {
      const query = { limit: mostRows + 1, retStreamId: '', retUnit: '' }
      const found = await json({ ...addressOf(component, stream, 'last_value'), query })
      return samplesText(found, stream, mostRows, ['streamId', 'time', 'data', 'unit'])
    },
  }),
  tool({
    name: 'read_statistics',
    title: 'Read statistics',
    description:
      "A statistic per interval of a cycle (hour, day, month, ...) in the component's time zone, exact at every moment, the latest interval first; time is the interval's end. Prefer it to adding up samples.",
    shape: {
      component: componentId,
      stream: streamId,
      cycle: described(identifier, 'ID of a cycle: minute, 15minute, hour, day, week, month, year, or one of explain'),
      statistic: described(
        text(1, 40),
        'first, last, min, max, avg, sum, minoccurrence, maxoccurrence, gapcount, nongapcount, intvlcount, milliseccount, nongapmilliseccount',
      ),
      ...window(nowMs),
      limit: limit(100),
    },
    required: ['component', 'cycle', 'statistic'],
    run: async ({ json }, { component, stream, cycle, statistic, start, end, limit: most = 100 }) => {
      const { route, params } = addressOf(component, stream, 'cycle/:cycleId/stat/:statId/feed')
      const query = { sd: start, ed: end, limit: most + 1, retStreamId: '', retUnit: '', retIntvlSd: '' }
      const found = await json({ route, params: { ...params, cycleId: cycle, statId: statistic }, query })
      return samplesText(found, stream, most, ['streamId', 'sdTime', 'time', 'data', 'unit'])
    },
  }),
  tool({
    name: 'run_gs_sql',
    title: 'Run a reading GS SQL script',
    description:
      'Runs a GS SQL script that reads, over many components at once, and gives its rows as CSV. The resource coppice://gs-sql explains the language. Scripts that write are refused.',
    shape: {
      script: described(
        text(1, 65_536),
        "such as SELECT cid, id, lastValue, lastTime FROM Stream WHERE cid LIKE 'boiler%'",
      ),
      timeZone: described(timeZone, "zone of dates in the script, in place of the organization's"),
    },
    required: ['script'],
    run: async ({ csv }, { script, timeZone: tz }) => {
      const { text: rows, isCut } = await csv({ route: 'GET /api/gql', query: { s: script, tz } }, mostTextBytes)
      return isCut
        ? `${rows}\n${toJson({ cut: true, goOn: 'select fewer columns or rows: LIMIT, WHERE, or a statistic in place of samples' })}`
        : rows
    },
  }),
]
