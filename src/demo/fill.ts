// Fills an organization with the demo fleet over the API, by the typed client: for the command line and for the studio.
// Components that are there are left as they are, and samples go on where they ended: to run it again adds what has come
// since, and nothing twice.
import type { Client } from '../client/client.ts'
import { demoDashboardAbout, demoDashboardName, demoTiles } from './dashboard.ts'
import type { DemoComponent, DemoSize } from './fleet.ts'
import { demoFleet, demoFolder, demoTemplates, demoUnits, extent, samplesOf } from './fleet.ts'
import { reportsOf } from './report.ts'

export type FillOptions = {
  readonly size: DemoSize
  readonly seed: number
  readonly nowMs: number
  readonly progress?: (samples: number, total: number, note: string) => void
  readonly signal?: AbortSignal
}

export type Filled = { readonly components: number; readonly samples: number; readonly files: number }

const dayMs = 86_400_000
/** Uploads under way at once: each component has a limit of calls of its own. */
const atOnce = 3

export const fillDemo = async (client: Client, options: FillOptions): Promise<Filled> => {
  const { size, seed, nowMs } = options
  const fleet = demoFleet(size, seed)
  const uids = await makeCatalogue(client, fleet, options)
  const startMs = nowMs - extent[size].days * dayMs
  const ends = new Map<string, number>()
  for (const component of fleet) ends.set(component.id, (await lastTime(client, component)) ?? startMs)
  const total = fleet.reduce((sum, component) => sum + countOf(component, ends.get(component.id)!, nowMs), 0)
  let samples = 0
  let files = 0
  const report = (more: number, note: string) => {
    samples += more
    options.progress?.(samples, Math.max(total, samples), note)
  }
  await inTurns(atOnce, fleet, async (component) => {
    const afterMs = ends.get(component.id)!
    for (const batch of samplesOf(component, afterMs, nowMs, (ms) => !component.isAway(ms))) {
      await send(client, component, batch, options)
      report(batch.length, component.name)
    }
    for (const { fileName, time, text } of reportsOf(component, Math.max(afterMs, startMs), nowMs)) {
      await client.call('PUT /api/comp/{compId}/stream/{streamId}/feed/file/{fileName}', {
        path: { compId: component.id, streamId: 'report', fileName },
        query: { time },
        body: new TextEncoder().encode(text),
        signal: options.signal,
      })
      files += 1
    }
    if (component.isLate && afterMs === startMs) await sendLate(client, component, startMs, options, uids, report)
  })
  return { components: fleet.length, samples, files }
}

/** Samples that a logger kept while it could not send come last, behind newer ones; derived streams are asked for them. */
const sendLate = async (
  client: Client,
  component: DemoComponent,
  startMs: number,
  options: FillOptions,
  uids: ReadonlyMap<string, string>,
  report: (more: number, note: string) => void,
): Promise<void> => {
  for (const batch of samplesOf(component, startMs, options.nowMs, component.isAway)) {
    await send(client, component, batch, options)
    report(batch.length, `${component.name}, late`)
  }
  const { stream } = await client.entities('component').show(uids.get(component.id)!)
  for (const { uid, expression } of stream as readonly { readonly uid: string; readonly expression: string | null }[])
    if (expression !== null)
      await client.call('POST /api/stream/{uid}/derive', {
        path: { uid },
        query: { wait: false },
        body: {},
        signal: options.signal,
      })
}

const send = async (
  client: Client,
  { id }: DemoComponent,
  batch: Parameters<Client['put']>[0],
  { signal }: FillOptions,
): Promise<void> => {
  signal?.throwIfAborted()
  // Missing intervals stay missing. The component in the address has a rate limit of its own.
  await client.put(batch, { compId: id, autofillGapsWithNulls: false }, { isRepeatable: true, signal })
}

const countOf = ({ samplers, isAway }: DemoComponent, afterMs: number, untilMs: number): number => {
  const isMostlyThere = isAway(untilMs) ? 1 : 0.99
  return Math.round(
    samplers
      .filter(({ streamId }) => !['state', 'tariff'].includes(streamId))
      .reduce((sum, { stepMs }) => sum + Math.max(0, (untilMs - afterMs) / stepMs), 0) * isMostlyThere,
  )
}

/** The time of the last sample of the stream that shows how far the component is; undefined before the first. */
const lastTime = async (client: Client, { id, samplers }: DemoComponent): Promise<number | undefined> => {
  const [last] = await client.lastValues(id, { stream: samplers[0]!.streamId })
  return last?.time
}

/** Makes the units, templates and components that are missing; gives the uids of components by their IDs. */
const makeCatalogue = async (
  client: Client,
  fleet: readonly DemoComponent[],
  { progress, signal }: FillOptions,
): Promise<ReadonlyMap<string, string>> => {
  progress?.(0, 0, 'units and templates')
  const manner = { signal } as never
  const units = await uidsOf(client, 'unit')
  for (const unit of demoUnits)
    if (!units.has(unit.id)) units.set(unit.id, (await client.entities('unit').make(unit, manner)).uid)
  const templates = await uidsOf(client, 'template')
  for (const { stream, ...template } of demoTemplates) {
    if (templates.has(template.id)) continue
    const streams = stream.map(({ unit, ...each }) =>
      Object.assign(each, unit === undefined ? {} : { unitUid: units.get(unit) }),
    )
    const made = await client.entities('template').make({ ...template, stream: streams } as never, manner)
    templates.set(template.id, made.uid)
  }
  const components = await uidsOf(client, 'component')
  for (const { id, name, description, folder, timeZone, templateId } of fleet) {
    if (components.has(id)) continue
    const made = await client
      .entities('component')
      .make({ id, name, description, folder, timeZone, templateUid: templates.get(templateId) } as never, manner)
    components.set(id, made.uid)
  }
  if ((await dashboardsOf(client)).length === 0) {
    const tile = [...demoTiles(fleet, components)]
    await client.entities('dashboard').make({ name: demoDashboardName, description: demoDashboardAbout, tile }, manner)
  }
  return components
}

/** Of the demo, by both its texts: one that somebody has made their own is left alone. */
const dashboardsOf = async (client: Client): Promise<readonly string[]> => {
  const found: string[] = []
  for await (const { uid, description } of client.entities('dashboard').list({ name: demoDashboardName }))
    if (description === demoDashboardAbout) found.push(uid)
  return found
}

/** Of the demo, by ID: others are left alone. */
const uidsOf = async (client: Client, name: 'unit' | 'template' | 'component'): Promise<Map<string, string>> => {
  const found = new Map<string, string>()
  for await (const one of client.entities(name).list({ text: 'demo-' })) {
    const { id, uid } = one as { readonly id: string | null; readonly uid: string }
    if (id?.startsWith('demo-')) found.set(id, uid)
  }
  return found
}

export type Removed = { readonly components: number }

/** Takes the demo away: all components, templates and units whose IDs begin with demo-, their folders, its dashboard. */
export const removeDemo = async (
  client: Client,
  progress?: (done: number, total: number) => void,
): Promise<Removed> => {
  const components = await uidsOf(client, 'component')
  let done = 0
  for (const uid of components.values()) {
    await client.entities('component').remove(uid)
    done += 1
    progress?.(done, components.size)
  }
  for (const uid of await dashboardsOf(client)) await client.entities('dashboard').remove(uid)
  for (const name of ['template', 'unit'] as const)
    for (const uid of (await uidsOf(client, name)).values()) await client.entities(name).remove(uid)
  const folders: { readonly uid: string; readonly path: string }[] = []
  for await (const folder of client.entities('folder').list({ text: 'Demo' })) folders.push(folder)
  const own = folders.filter(({ path }) => path === demoFolder || path.startsWith(`${demoFolder}/`))
  // The deepest first.
  for (const { uid } of own.toSorted((one, other) => other.path.length - one.path.length))
    // One in which somebody has put a component of their own stays.
    await client
      .entities('folder')
      .remove(uid)
      .catch(() => {})
  return { components: components.size }
}

const inTurns = async <T>(count: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const left = [...items]
  const go = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: count }, go))
}
