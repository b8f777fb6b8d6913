// The streams of a chart, named as component/stream in its address: their zone, unit, kind and last time.
import type { Client, Sample } from '../../../client/client.ts'
import type { Component } from '../catalogue.ts'
import { decoded } from '../decoded.ts'
import { texts } from '../texts.ts'
import type { StreamOf, Window } from './window.ts'

export type ChartStream = StreamOf & {
  /** As the address of a chart names it. */
  readonly name: string
  readonly label: string
  readonly componentUid: string
  readonly componentName: string
  readonly streamName: string
  readonly unit: string
  readonly zone: string
  readonly lastTime: number | undefined
}

/** Addresses are typed by people, too. */
const partsOf = (name: string): readonly [string, string] => {
  const [compId = '', ...streamId] = name.split('/')
  return [decoded(compId), decoded(streamId.join('/'))]
}

export const loadStreams = async (
  client: Client,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly ChartStream[]> => {
  const components = new Map<string, Promise<Component>>()
  /** Once, however many of its streams are drawn, and without the others. */
  const componentOf = (compId: string): Promise<Component> => {
    const known = components.get(compId) ?? findComponent(client, compId, signal)
    components.set(compId, known)
    return known
  }
  const found = await Promise.all(
    names.map(async (name) => {
      const [compId, streamId] = partsOf(name)
      const component = await componentOf(compId)
      const query = { componentUid: component.uid, id: streamId, limit: 1 }
      const [stream] = (await client.call('GET /api/stream', { query, signal })).stream
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
        name,
        componentUid: component.uid,
        componentName: component.name || compId,
        streamName: stream?.name || streamId,
        isInterval: stream?.kind === 'interval',
        isText: stream?.valueType === 'STRING',
        unit: last?.unit ?? '',
        zone: component.timeZone ?? 'UTC',
        lastTime: last === undefined ? undefined : last.time,
      }
    }),
  )
  const labels = labelsOf(found)
  return found.map((one, index) => Object.assign(one, { label: labels[index]! }))
}

/** Names, of which several may be the same; then with IDs, which are not: a legend hides a line by its label. */
export const labelsOf = (
  streams: readonly Pick<ChartStream, 'compId' | 'streamId' | 'componentName' | 'streamName'>[],
): readonly string[] => {
  const isOfOne = new Set(streams.map(({ compId }) => compId)).size === 1
  const names = streams.map((one) => (isOfOne ? one.streamName : `${one.componentName} · ${one.streamName}`))
  return streams.map(({ compId, streamId }, index) => {
    const name = names[index]!
    const isAlone = names.indexOf(name) === names.lastIndexOf(name)
    return isAlone ? name : `${name} (${isOfOne ? streamId : `${compId}/${streamId}`})`
  })
}

const findComponent = async (client: Client, compId: string, signal: AbortSignal): Promise<Component> => {
  const { component } = await client.call('GET /api/component', {
    query: { id: compId, streams: false, limit: 1 },
    signal,
  })
  if (component[0] === undefined) throw new Error(texts.chart.noComponent(compId))
  return component[0]
}

export const spans: Readonly<Record<string, number>> = {
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
  year: 365 * 86_400_000,
}

type Last = Pick<ChartStream, 'lastTime'>

/** Behind the latest sample; undefined: there is none. */
const endOf = (streams: readonly Last[]): number | undefined => {
  const last = Math.max(...streams.map(({ lastTime }) => lastTime ?? Number.NEGATIVE_INFINITY))
  return Number.isFinite(last) ? last + 1 : undefined
}

/** The day that ends with the latest sample. */
const latestWindow = (streams: readonly ChartStream[]): Window => {
  const to = endOf(streams) ?? Date.now() + 1
  return { from: to - spans['day']!, to }
}

/** So much at the end of a window, which may lie behind the latest sample: nothing is there. */
export const spanAtEnd = (window: Window, streams: readonly Last[], span: number): Window => {
  const to = Math.min(window.to, endOf(streams) ?? window.to)
  return { from: to - span, to }
}

/** From the first sample of all streams to the last. */
export const wholeWindow = async (
  client: Client,
  streams: readonly ChartStream[],
  signal?: AbortSignal,
): Promise<Window | undefined> => {
  const all = await Promise.all(
    streams.map(async ({ compId, streamId }) => {
      const { sd, ed } = await client.call('GET /api/comp/{compId}/stream/{streamId}/chart', {
        path: { compId, streamId },
        query: { points: 0 },
        ...(signal ? { signal } : {}),
      })
      return sd === null || ed === null ? [] : [{ from: sd, to: ed }]
    }),
  )
  const found = all.flat()
  if (found.length === 0) return undefined
  const [from, to] = [Math.min(...found.map((one) => one.from)), Math.max(...found.map((one) => one.to))]
  return { from, to }
}

/** The first and the last sample do not stand at the very edge; a single one stands in an hour. */
export const withMargin = ({ from, to }: Window): Window => {
  const margin = to - from > 1 ? Math.max(1, (to - from) * 0.02) : spans['hour']! / 2
  return { from: from - margin, to: to + margin }
}

/** So many samples are a picture. */
const firstSamples = 400

/** The window that a chart begins with: the latest day, but no more than there is, and as much as makes a picture. */
export const firstWindow = async (
  client: Client,
  streams: readonly ChartStream[],
  signal: AbortSignal,
): Promise<Window> => {
  const whole = await wholeWindow(client, streams, signal)
  if (whole === undefined) return latestWindow(streams)
  const spanned = await Promise.all(
    streams.map(async ({ compId, streamId }) => {
      const reply = await client.fetch('GET /api/comp/{compId}/stream/{streamId}/feed', {
        path: { compId, streamId },
        query: { limit: firstSamples },
        signal,
      })
      const samples = (await reply.json()) as readonly Sample[]
      return whole.to - (samples.at(-1)?.time ?? whole.to)
    }),
  )
  const length = Math.max(spans['day']!, Math.min(...spanned) * 1.02)
  return withMargin({ from: Math.max(whole.from, whole.to - length), to: whole.to })
}
