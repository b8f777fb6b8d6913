// The questions, in each zone: to this server by HTTP, to its samples by SQL, and to InfluxDB, which knows zones but
// neither months nor the time of an extreme.
import { benchApiKey } from '../harness/subjects.ts'
import type { Plant } from './data.ts'

export const zones = ['UTC', 'America/New_York', 'Asia/Kathmandu'] as const

export type Case = {
  readonly title: string
  /** Of this server, without the base URL. */
  readonly path: string
  /** The same intervals, once it is known which they are. */
  readonly sql: (fromMs: number, untilMs: number) => { readonly text: string; readonly values: readonly unknown[] }
  readonly influx: ((fromMs: number, untilMs: number) => string) | undefined
}

const dayMs = 86_400_000

const monthOf = ({ endMs }: Plant) => Date.UTC(new Date(endMs).getUTCFullYear(), new Date(endMs).getUTCMonth(), 1)
const isYoung = (plant: Plant) => plant.endMs - monthOf(plant) < 10 * dayMs

export const casesFor = (plant: Plant): readonly Case[] =>
  zones.flatMap((zone) => [
    ofStream('1,000 days of one stream', plant, zone, 'day', 'avg', 1_000),
    ofStream('1,000 days of one stream, when the least was', plant, zone, 'day', 'minoccurrence', 1_000),
    ofStream('36 months of one stream', plant, zone, 'month', 'avg', 36),
    ofComponent('50 days of 20 streams', plant, zone),
    ofMonth('last_value of the month of 20 streams', plant, zone),
  ])

/** Of the last stream alone, of which two months are stored. */
export const besidePath = ({ streamKeys }: Plant): string =>
  pathOf(`/stream/s${streamKeys.length - 1}`, 'day', 'UTC', 'avg', 'feed?limit=50')

type Unit = 'day' | 'month'
type Statistic = 'avg' | 'minoccurrence'

const pathOf = (stream: string, unit: Unit, zone: string, statistic: Statistic, rest: string) =>
  `/api/comp/plant${stream}/cycle/${encodeURIComponent(`${unit} in ${zone}`)}/stat/${statistic}/${rest}` +
  `&retIntvlSd&retStreamId&api_key=${benchApiKey}`

const values = {
  avg: 'avg(num)',
  minoccurrence: 'extract(epoch from first(time, num order by time))::double precision * 1000',
}

const sqlOf =
  (plant: Plant, zone: string, unit: Unit, statistic: Statistic, streams: number) =>
  (fromMs: number, untilMs: number) => ({
    text: `
    select stream_key, ${unit === 'day' && zone === 'UTC' ? "time_bucket('1 day', time)" : `time_bucket('1 ${unit}', time, $4::text)`} as start,
      ${values[statistic]} as value
    from sample
    where stream_key = any($1::integer[]) and time >= $2 and time < $3 and $4::text is not null
    group by 1, 2
    order by 1, 2 desc`,
    values: [plant.streamKeys.slice(0, streams), new Date(fromMs), new Date(untilMs), zone],
  })

const influxOf = (plant: Plant, zone: string, window: string, streams: number) => (fromMs: number, untilMs: number) => {
  const chosen = plant.streamKeys.slice(0, streams).map((key) => `"stream" = '${key}'`)
  return (
    `select mean("value") from "plant" where (${chosen.join(' or ')}) and time >= ${fromMs}ms and time < ${untilMs}ms ` +
    `group by ${window}"stream" ${zone === 'UTC' ? '' : `tz('${zone}')`}`
  )
}

const ofStream = (what: string, plant: Plant, zone: string, unit: Unit, statistic: Statistic, limit: number): Case => ({
  title: `${what}, ${zone}`,
  path: pathOf('/stream/s0', unit, zone, statistic, `feed?limit=${limit}`),
  sql: sqlOf(plant, zone, unit, statistic, 1),
  // Thirty days are the nearest that it has to a month.
  influx: statistic === 'avg' ? influxOf(plant, zone, unit === 'day' ? 'time(1d), ' : 'time(30d), ', 1) : undefined,
})

const ofComponent = (what: string, plant: Plant, zone: string): Case => ({
  title: `${what}, ${zone}`,
  path: pathOf('', 'day', zone, 'avg', `feed?sd=${plant.endMs - 50 * dayMs}&ed=${plant.endMs}`),
  sql: sqlOf(plant, zone, 'day', 'avg', plant.streamKeys.length),
  influx: influxOf(plant, zone, 'time(1d), ', plant.streamKeys.length),
})

/** In the first days of a month, in which there is little to add up, the month before is asked for. */
const ofMonth = (what: string, plant: Plant, zone: string): Case => ({
  title: `${what}, ${zone}`,
  path: pathOf('', 'month', zone, 'avg', `last_value?${isYoung(plant) ? `ed=${monthOf(plant) + dayMs}` : ''}`),
  sql: sqlOf(plant, zone, 'month', 'avg', plant.streamKeys.length),
  influx: influxOf(plant, zone, '', plant.streamKeys.length),
})
