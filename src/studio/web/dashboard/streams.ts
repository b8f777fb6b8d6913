// The streams that tiles name, found with the rights of the person who looks: a component that is gone, or was never for
// their eyes, is a state of its tile and no error of the page.
import { CoppiceError } from '../../../client/client.ts'
import type { Client } from '../../../client/client.ts'
import type { Component } from '../catalogue.ts'
import { streamsOf } from '../catalogue.ts'
import type { Tile, TileStream } from './tile.ts'

export type FoundStream = {
  readonly kind: 'found'
  readonly compId: string
  readonly streamId: string
  readonly componentUid: string
  readonly componentName: string
  readonly name: string
  readonly isInterval: boolean
  readonly isNumber: boolean
  readonly isText: boolean
  readonly zone: string
  readonly unit: string
}
export type StreamState = FoundStream | { readonly kind: 'no component' | 'no stream' | 'not allowed' }

export type Streams = (of: TileStream) => StreamState

/** As many at a time as a browser has connections for, less the one that listens. */
const atOnce = 4

export const loadStreams = async (client: Client, tiles: readonly Tile[], signal: AbortSignal): Promise<Streams> => {
  const waiting = [...new Set(tiles.flatMap(({ stream }) => stream.map(({ componentUid }) => componentUid)))]
  const found = new Map<string, Component | 'no component' | 'not allowed'>()
  const work = async () => {
    for (let uid = waiting.pop(); uid !== undefined; uid = waiting.pop())
      found.set(uid, await findComponent(client, uid, signal))
  }
  const [units] = await Promise.all([loadUnits(client, signal), ...Array.from({ length: atOnce }, work)])
  return ({ componentUid, streamId }) => {
    const component = found.get(componentUid) ?? 'no component'
    return typeof component === 'string' ? { kind: component } : stateOf(component, streamId, units)
  }
}

const findComponent = async (client: Client, uid: string, signal: AbortSignal) => {
  try {
    return await client.entities('component').show(uid, { signal })
  } catch (error) {
    if (error instanceof CoppiceError && error.status === 404) return 'no component'
    if (error instanceof CoppiceError && error.status === 403) return 'not allowed'
    throw error
  }
}

type Units = ReadonlyMap<string, string>

const loadUnits = async (client: Client, signal: AbortSignal): Promise<Units> => {
  const symbols = new Map<string, string>()
  for await (const { uid, symbol } of client.entities('unit').list({}, { signal })) symbols.set(uid, symbol)
  return symbols
}

const stateOf = (component: Component, streamId: string, units: Units): StreamState => {
  const stream = streamsOf(component).find(({ id }) => id === streamId)
  if (stream === undefined) return { kind: 'no stream' }
  return {
    kind: 'found',
    compId: component.id ?? '',
    streamId,
    componentUid: component.uid,
    componentName: component.name || (component.id ?? ''),
    name: stream.name || streamId,
    isInterval: stream.kind === 'interval',
    isNumber: stream.valueType === 'DOUBLE' || stream.valueType === 'LONG' || stream.valueType === 'BOOLEAN',
    isText: stream.valueType === 'STRING',
    zone: component.timeZone ?? 'UTC',
    unit: units.get(stream.unitUid ?? '') ?? '',
  }
}

export const isFound = (state: StreamState): state is FoundStream => state.kind === 'found'

/** The title that somebody gave it, or the names of its streams. */
export const titleOf = ({ title, stream }: Pick<Tile, 'title' | 'stream'>, streams: Streams): string => {
  if (title !== '') return title
  const found = stream.map(streams).filter(isFound)
  const components = [...new Set(found.map(({ componentName }) => componentName))]
  const names = [...new Set(found.map(({ name }) => name))]
  if (found.length === 0) return ''
  return components.length === 1 ? `${components[0]} · ${names.join(', ')}` : components.join(', ')
}
