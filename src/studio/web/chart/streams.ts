// The streams of a chart, named as component/stream in its address: their zone, unit, kind and last time.
import type { Client, EntityOf, Sample } from '../../../client/client.ts'
import type { StreamOf, Window } from './window.ts'

export type ChartStream = StreamOf & {
  readonly label: string
  readonly unit: string
  readonly zone: string
  readonly lastTime: number | undefined
}

/** A stream's ID may hold a slash, a component's too: both are escaped in the name. */
export const nameOf = (compId: string, streamId: string) =>
  `${encodeURIComponent(compId)}/${encodeURIComponent(streamId)}`

const partsOf = (name: string): readonly [string, string] => {
  const mark = name.indexOf('/')
  return [decodeURIComponent(name.slice(0, mark)), decodeURIComponent(name.slice(mark + 1))]
}

export const loadStreams = (
  client: Client,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly ChartStream[]> =>
  Promise.all(
    names.map(async (name) => {
      const [compId, streamId] = partsOf(name)
      const component = await findComponent(client, compId, signal)
      const stream = ((component.stream ?? []) as readonly EntityOf<'stream'>[]).find(({ id }) => id === streamId)
      const [last] = (await client.lastValues(compId, {
        stream: streamId,
        retUnit: true,
        signal,
      })) as readonly (Sample & {
        readonly unit?: string
      })[]
      return {
        compId,
        streamId,
        isInterval: stream?.kind === 'interval',
        label:
          names.length === 1 ? stream?.name || streamId : `${component.name || compId} ${stream?.name || streamId}`,
        unit: last?.unit ?? '',
        zone: component.timeZone ?? 'UTC',
        lastTime: last === undefined ? undefined : last.time,
      }
    }),
  )

/** The API finds a component of the catalogue by its uid; by its ID the search does. */
const findComponent = async (client: Client, compId: string, signal: AbortSignal) => {
  const { component } = await client.call('GET /api/component', { query: { text: compId, limit: 1000 }, signal })
  const found = component.find(({ id }) => id === compId)
  if (found === undefined) throw new Error(`component '${compId}' not found`)
  return client.entities('component').show(found.uid, { signal })
}

export const spans: Readonly<Record<string, number>> = {
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
  year: 365 * 86_400_000,
}

/** The day that ends with the latest sample. */
export const latestWindow = (streams: readonly ChartStream[]): Window => {
  const last = Math.max(...streams.map(({ lastTime }) => lastTime ?? Number.NEGATIVE_INFINITY))
  const to = (Number.isFinite(last) ? last : Date.now()) + 1
  return { from: to - spans['day']!, to }
}

/** From the first year with samples to the latest sample. */
export const wholeWindow = async (client: Client, streams: readonly ChartStream[]): Promise<Window> => {
  const firsts = await Promise.all(
    streams.map(async ({ compId, streamId }) => {
      let first: number | undefined
      for await (const { sdTime } of client.statistics(compId, {
        stream: streamId,
        cycle: 'year',
        statistic: 'nongapcount',
        retIntvlSd: true,
      }) as AsyncIterable<{ readonly sdTime?: number }>)
        first = sdTime
      return first
    }),
  )
  const { from, to } = latestWindow(streams)
  return { from: Math.min(from, ...firsts.filter((first) => first !== undefined)), to }
}
