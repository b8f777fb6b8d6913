// The same samples as each of the servers wants them: one per request, or by the thousand in a JSON array or in
// InfluxDB's lines, which VictoriaMetrics takes as well.
import type { Batch, Load, Times } from '../harness/load.ts'
import { benchApiKey } from '../harness/subjects.ts'

export type Loads = Readonly<Record<'Coppice' | 'InfluxDB' | 'VictoriaMetrics', Load>>

/** Components of so many streams each. */
export type Fleet = { readonly name: string; readonly components: number; readonly streams: number }

/** As new as samples are, and from then on: VictoriaMetrics takes them up to two days ahead. */
export const startMs = Date.now() - 3_600_000

const byServer: Times = { fromMs: 0, stepMs: 0 }

/** As small devices do it: everything in the URL, and the server's time. */
export const singleLoads = (prefix: string, devices: number): Loads => {
  const line = `temp,device=${prefix}$DEVICE value=$VALUE`
  const path = `/api/feed?api_key=${benchApiKey}&compId=${prefix}$DEVICE&temp=$VALUE`
  return {
    Coppice: { method: 'PUT', path, devices, times: byServer },
    InfluxDB: { method: 'POST', path: '/write?db=bench', body: line, devices, times: byServer },
    VictoriaMetrics: { method: 'POST', path: '/write', body: line, devices, times: byServer },
  }
}

/** As gateways do it: `size` streams of the fleet at a time, `blocks` samples of each. */
export const batchLoads = (fleet: Fleet, size: number, blocks: number, times: Times): Loads => {
  const json: Batch = {
    open: '[',
    slices: slicesOf(fleet, size, ',', (compId, id) => `{"compId":"${compId}","streamId":"${id}","data":$SAMPLE}`),
    sample: '$VALUE,"time":$TIME',
    blocks,
    between: ',',
    close: ']',
  }
  const lines: Batch = {
    open: '',
    slices: slicesOf(fleet, size, '\n', (compId, id) => `${fleet.name},compId=${compId},streamId=${id} value=$SAMPLE`),
    sample: '$VALUE $TIME',
    blocks,
    between: '\n',
    close: '\n',
  }
  const path = `/api/feed?api_key=${benchApiKey}`
  return {
    Coppice: { method: 'PUT', path, body: json, devices: 1, times },
    InfluxDB: { method: 'POST', path: '/write?db=bench&precision=ms', body: lines, devices: 1, times },
    VictoriaMetrics: { method: 'POST', path: '/write?precision=ms', body: lines, devices: 1, times },
  }
}

const slicesOf = (
  { name, components, streams }: Fleet,
  size: number,
  between: string,
  element: (componentId: string, streamId: string) => string,
): readonly string[] => {
  const elements = Array.from({ length: components * streams }, (_, at) =>
    element(`${name}${Math.floor(at / streams)}`, `s${at % streams}`),
  )
  return Array.from({ length: Math.ceil(elements.length / size) }, (_, slice) =>
    elements.slice(slice * size, (slice + 1) * size).join(between),
  )
}
