// Streams to choose from, by what one types: streams that are named so, and components, whose own streams are asked for
// when one is opened. There may be 100,000 components and 10,000 streams in one of them, so that no call asks for components
// with all of theirs.
import type { Client } from '../../client/client.ts'
import type { Component, Stream } from './catalogue.ts'

export type StreamChoice = {
  readonly componentUid: string
  readonly compId: string
  readonly streamId: string
  readonly valueType: Stream['valueType']
  /** With the component, and without. */
  readonly label: string
  readonly name: string
}

export type Choices = { readonly choices: readonly StreamChoice[]; readonly totalCount: number }

export type Found = {
  readonly components: readonly Component[]
  readonly componentCount: number
  readonly streams: Choices
}

const mostComponents = 8
const mostOfAll = 12
const mostOfOne = 50

export const labelOf = ({ id, name }: Pick<Component, 'id' | 'name'>, stream: string): string =>
  `${name || (id ?? '')} · ${stream}`

const choiceOf = (component: Component, { id, name, valueType }: Stream): StreamChoice => ({
  componentUid: component.uid,
  compId: component.id ?? '',
  streamId: id ?? '',
  valueType,
  name: name || (id ?? ''),
  label: labelOf(component, name || (id ?? '')),
})

/** A component without its streams; undefined where there is none. */
export const findHead = async (client: Client, uid: string, signal: AbortSignal): Promise<Component | undefined> => {
  const query = { uid, streams: false, limit: 1 }
  return (await client.call('GET /api/component', { query, signal })).component[0]
}

/** The same; where there is none, the server says so in its own words. */
export const showHead = async (client: Client, uid: string, signal: AbortSignal): Promise<Component> =>
  (await findHead(client, uid, signal)) ?? client.entities('component').show(uid, { signal })

export type StreamRows = { readonly rows: readonly Stream[]; readonly totalCount: number }

type StreamPage = {
  readonly text?: string | undefined
  readonly valueType?: Stream['valueType']
  readonly start?: number
  readonly limit: number
}

export const streamsPage = async (
  client: Client,
  componentUid: string,
  page: StreamPage,
  signal: AbortSignal,
): Promise<StreamRows> => {
  const { stream, totalCount } = await client.call('GET /api/stream', { query: { componentUid, ...page }, signal })
  return { rows: stream, totalCount }
}

/** As many as a page shows at once. */
export const firstStreams = (
  client: Client,
  componentUid: string,
  filter: Omit<StreamPage, 'start' | 'limit'>,
  signal: AbortSignal,
): Promise<StreamRows> => streamsPage(client, componentUid, { ...filter, limit: 100 }, signal)

export const findChoices = async (client: Client, text: string, signal: AbortSignal): Promise<Found> => {
  const named = text.trim() || undefined
  const [{ component: components, totalCount: componentCount }, streams] = await Promise.all([
    client.call('GET /api/component', { query: { text: named, limit: mostComponents, streams: false }, signal }),
    named === undefined ? { choices: [], totalCount: 0 } : findStreams(client, named, signal),
  ])
  return { components, componentCount, streams }
}

const findStreams = async (client: Client, text: string, signal: AbortSignal): Promise<Choices> => {
  const { stream, totalCount } = await client.call('GET /api/stream', { query: { text, limit: mostOfAll }, signal })
  const uids = [...new Set(stream.map(({ componentUid }) => componentUid ?? ''))]
  const heads = await Promise.all(uids.map((uid) => findHead(client, uid, signal)))
  const byUid = new Map(heads.flatMap((head) => (head ? [[head.uid, head] as const] : [])))
  return {
    choices: stream.flatMap((each) => {
      const component = byUid.get(each.componentUid ?? '')
      return component ? [choiceOf(component, each)] : []
    }),
    totalCount,
  }
}

export const findChoicesOf = async (
  client: Client,
  component: Component,
  text: string,
  signal: AbortSignal,
): Promise<Choices> => {
  const page = { text: text.trim() || undefined, limit: mostOfOne }
  const { rows, totalCount } = await streamsPage(client, component.uid, page, signal)
  return { choices: rows.map((each) => choiceOf(component, each)), totalCount }
}
