// The demo fleet as data: units, templates and components in several time zones, and of each component the values that its
// streams have at any moment. Pure, and the same for the same seed: the moment alone decides.
import type { LoadKind } from './load.ts'
import { loadAt } from './load.ts'
import { openLocalTime } from './local-time.ts'
import { readingAt, stateAt } from './machine.ts'
import { chance, rounded, seedOf } from './noise.ts'
import type { Place } from './weather.ts'
import { weatherAt } from './weather.ts'

export type DemoUnit = {
  readonly id: string
  readonly name: string
  readonly symbol: string
  readonly numberFormat: string
}

export type DemoStream = {
  readonly id: string
  readonly name: string
  readonly kind: 'interval' | 'random'
  readonly valueType: 'DOUBLE' | 'LONG' | 'STRING' | 'BOOLEAN' | 'FILE'
  readonly unit?: string
  readonly baseCycleId?: string
  readonly expression?: string
  readonly variables?: readonly { readonly name: string; readonly streamId: string }[]
}

export type DemoTemplate = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly stream: readonly DemoStream[]
}

type Value = number | string
/** The value at a moment; undefined where the stream has none then. */
export type Sampler = {
  readonly streamId: string
  readonly stepMs: number
  readonly at: (ms: number) => Value | undefined
}

export type DemoComponent = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly folder: string
  readonly timeZone: string
  readonly templateId: string
  /** The first one has a sample at every step of its, so its last sample shows how far a fleet was filled. */
  readonly samplers: readonly Sampler[]
  /** Whether the device was away at a moment. */
  readonly isAway: (ms: number) => boolean
  /** Whether it keeps its samples meanwhile and sends them later. */
  readonly isLate: boolean
  readonly seed: number
}

export const demoSizes = ['small', 'medium', 'large'] as const
export type DemoSize = (typeof demoSizes)[number]

const minuteMs = 60_000
const quarterMs = 15 * minuteMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Days of history, and how many of each kind there are; places come again with a number when there are more. */
export const extent: Readonly<
  Record<
    DemoSize,
    { readonly days: number; readonly stations: number; readonly meters: number; readonly machines: number }
  >
> = {
  small: { days: 30, stations: 1, meters: 2, machines: 1 },
  medium: { days: 365, stations: 5, meters: 6, machines: 4 },
  large: { days: 730, stations: 15, meters: 24, machines: 20 },
}

export const demoFolder = '/Components/Demo'

export const demoUnits: readonly DemoUnit[] = [
  { id: 'demo-celsius', name: 'Degree Celsius', symbol: ' °C', numberFormat: '0.0' },
  { id: 'demo-percent', name: 'Percent', symbol: ' %', numberFormat: '0' },
  { id: 'demo-hpa', name: 'Hectopascal', symbol: ' hPa', numberFormat: '0,000.0' },
  { id: 'demo-ms', name: 'Metre per second', symbol: ' m/s', numberFormat: '0.0' },
  { id: 'demo-mm', name: 'Millimetre', symbol: ' mm', numberFormat: '0.0' },
  { id: 'demo-wm2', name: 'Watt per square metre', symbol: ' W/m²', numberFormat: '0' },
  { id: 'demo-kw', name: 'Kilowatt', symbol: ' kW', numberFormat: '0,000.00' },
  { id: 'demo-kwh', name: 'Kilowatt hour', symbol: ' kWh', numberFormat: '0,000.00' },
  { id: 'demo-volt', name: 'Volt', symbol: ' V', numberFormat: '0.0' },
  { id: 'demo-mms', name: 'Millimetre per second', symbol: ' mm/s', numberFormat: '0.00' },
  { id: 'demo-rpm', name: 'Revolutions per minute', symbol: ' rpm', numberFormat: '0,000' },
  { id: 'demo-pieces', name: 'Pieces', symbol: '', numberFormat: '0,000' },
]

const quarterly = { kind: 'interval', baseCycleId: '15minute', valueType: 'DOUBLE' } as const
const spontaneous = { kind: 'random' } as const

export const demoTemplates: readonly DemoTemplate[] = [
  {
    id: 'demo-weather',
    name: 'Weather station',
    description: 'Mean values of each quarter of an hour; the dew point is derived from temperature and humidity.',
    stream: [
      { id: 'temperature', name: 'Temperature', ...quarterly, unit: 'demo-celsius' },
      { id: 'humidity', name: 'Relative humidity', ...quarterly, unit: 'demo-percent' },
      { id: 'pressure', name: 'Air pressure', ...quarterly, unit: 'demo-hpa' },
      { id: 'wind', name: 'Wind speed', ...quarterly, unit: 'demo-ms' },
      { id: 'rain', name: 'Rain', ...quarterly, unit: 'demo-mm' },
      { id: 'sun', name: 'Solar irradiance', ...quarterly, unit: 'demo-wm2' },
      {
        id: 'dewpoint',
        name: 'Dew point',
        ...quarterly,
        unit: 'demo-celsius',
        expression:
          'Round(243.04 * (Ln(h / 100) + 17.625 * t / (243.04 + t)) / (17.625 - Ln(h / 100) - 17.625 * t / (243.04 + t)), 1)',
        variables: [
          { name: 't', streamId: 'temperature' },
          { name: 'h', streamId: 'humidity' },
        ],
      },
      { id: 'report', name: 'Reports of service visits', ...spontaneous, valueType: 'FILE' },
    ],
  },
  {
    id: 'demo-meter',
    name: 'Energy meter',
    description: 'Mean power of each quarter of an hour; the energy is derived from it.',
    stream: [
      { id: 'power', name: 'Power', ...quarterly, unit: 'demo-kw' },
      {
        id: 'energy',
        name: 'Energy',
        ...quarterly,
        unit: 'demo-kwh',
        expression: 'p / 4',
        variables: [{ name: 'p', streamId: 'power' }],
      },
      { id: 'voltage', name: 'Voltage', ...spontaneous, valueType: 'DOUBLE', unit: 'demo-volt' },
      { id: 'tariff', name: 'Tariff', ...spontaneous, valueType: 'STRING' },
    ],
  },
  {
    id: 'demo-machine',
    name: 'Machine',
    description:
      'Readings of a controller every five minutes; the alarm is derived from the vibration (ISO 10816: 7.1 mm/s).',
    stream: [
      { id: 'vibration', name: 'Vibration', ...spontaneous, valueType: 'DOUBLE', unit: 'demo-mms' },
      {
        id: 'temperature',
        name: 'Temperature of the bearing',
        ...spontaneous,
        valueType: 'DOUBLE',
        unit: 'demo-celsius',
      },
      { id: 'speed', name: 'Speed', ...spontaneous, valueType: 'LONG', unit: 'demo-rpm' },
      {
        id: 'pieces',
        name: 'Pieces',
        kind: 'interval',
        baseCycleId: '15minute',
        valueType: 'LONG',
        unit: 'demo-pieces',
      },
      { id: 'state', name: 'State', ...spontaneous, valueType: 'STRING' },
      {
        id: 'alarm',
        name: 'Alarm of the vibration',
        ...spontaneous,
        valueType: 'BOOLEAN',
        expression: 'If(v > 7.1, 1, 0)',
        variables: [{ name: 'v', streamId: 'vibration' }],
      },
      { id: 'report', name: 'Maintenance reports', ...spontaneous, valueType: 'FILE' },
    ],
  },
]

type Site = Place & { readonly name: string; readonly timeZone: string }

const sites: readonly Site[] = [
  {
    name: 'Hamburg',
    timeZone: 'Europe/Berlin',
    latitude: 53.5,
    longitude: 10,
    meanC: 9.6,
    seasonC: 8.6,
    dayC: 3.6,
    wind: 4.8,
    wet: 1,
  },
  {
    name: 'Denver',
    timeZone: 'America/Denver',
    latitude: 39.7,
    longitude: -105,
    meanC: 10.4,
    seasonC: 12.2,
    dayC: 7.4,
    wind: 3.6,
    wet: 0.6,
  },
  {
    name: 'Kathmandu',
    timeZone: 'Asia/Kathmandu',
    latitude: 27.7,
    longitude: 85.3,
    meanC: 18.6,
    seasonC: 6.8,
    dayC: 5.6,
    wind: 1.6,
    wet: 1.6,
  },
  {
    name: 'Perth',
    timeZone: 'Australia/Perth',
    latitude: -31.9,
    longitude: 115.9,
    meanC: 18.8,
    seasonC: 5.9,
    dayC: 5.2,
    wind: 4.3,
    wet: 0.8,
  },
  {
    name: 'Reykjavik',
    timeZone: 'Atlantic/Reykjavik',
    latitude: 64.1,
    longitude: -21.9,
    meanC: 5.1,
    seasonC: 5.7,
    dayC: 1.7,
    wind: 6.2,
    wet: 0.9,
  },
]

const meters: readonly { readonly kind: LoadKind; readonly name: string; readonly site: string }[] = [
  { kind: 'office', name: 'Office', site: 'Hamburg' },
  { kind: 'solar roof', name: 'Solar roof', site: 'Hamburg' },
  { kind: 'bakery', name: 'Bakery', site: 'Hamburg' },
  { kind: 'data centre', name: 'Data centre', site: 'Denver' },
  { kind: 'school', name: 'School', site: 'Perth' },
  { kind: 'home', name: 'Home', site: 'Kathmandu' },
]

const machines: readonly {
  readonly name: string
  readonly speed: number
  readonly pieces: number
  readonly isFailing: boolean
  readonly site: string
}[] = [
  { name: 'Press 3', speed: 420, pieces: 38, isFailing: true, site: 'Hamburg' },
  { name: 'Press 4', speed: 420, pieces: 38, isFailing: false, site: 'Hamburg' },
  { name: 'Mill 1', speed: 2900, pieces: 12, isFailing: false, site: 'Denver' },
  { name: 'Packer 2', speed: 960, pieces: 210, isFailing: false, site: 'Perth' },
]

/** A device of three is away for some hours or a day in each month; the moment alone decides, here too. */
const awayOf = (seed: number) => (ms: number) => {
  const monthMs = 30 * dayMs
  const month = Math.floor(ms / monthMs)
  if (chance(seed + 50, month) > 0.35) return false
  const fromMs = month * monthMs + chance(seed + 51, month) * (monthMs - 2 * dayMs)
  return ms >= fromMs && ms < fromMs + hourMs + chance(seed + 52, month) ** 2 * 30 * hourMs
}

const slug = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** The n-th of a list that is gone through again and again. */
const turnOf = <T extends { readonly name: string }>(list: readonly T[], n: number): T => {
  const one = list[n % list.length]!
  const round = Math.floor(n / list.length)
  return round === 0 ? one : { ...one, name: `${one.name} ${round + 1}` }
}

const common = (kind: string, name: string, site: Site, seed: number) => {
  const id = `demo-${kind}-${slug(name)}`
  const own = seedOf(id, seed)
  return { id, timeZone: site.timeZone, isAway: awayOf(own), seed: own }
}

const stationOf = (n: number, seed: number): DemoComponent => {
  const site = turnOf(sites, n)
  const base = common('weather', site.name, site, seed)
  const at = (ms: number) => weatherAt(site, base.seed, ms - quarterMs / 2)
  /** Six streams ask for the same moment. */
  let known = { ms: Number.NaN, weather: at(0) }
  const weather = (ms: number) => (known.ms === ms ? known : (known = { ms, weather: at(ms) })).weather
  const sampler = (streamId: string, value: (ms: number) => number): Sampler => ({
    streamId,
    stepMs: quarterMs,
    at: value,
  })
  return {
    ...base,
    name: `Weather station ${site.name}`,
    description: `On a mast of 10 m, at ${Math.abs(site.latitude)}° ${site.latitude < 0 ? 'south' : 'north'}.`,
    folder: `${demoFolder}/Weather`,
    templateId: 'demo-weather',
    // Its logger keeps what it could not send.
    isLate: n === 1,
    samplers: [
      sampler('temperature', (ms) => rounded(weather(ms).temperature, 1)),
      sampler('humidity', (ms) => rounded(weather(ms).humidity, 0)),
      sampler('pressure', (ms) => rounded(weather(ms).pressure, 1)),
      sampler('wind', (ms) => rounded(weather(ms).wind, 1)),
      sampler('rain', (ms) => rounded(weather(ms).rain, 1)),
      sampler('sun', (ms) => rounded(weather(ms).sun, 0)),
    ],
  }
}

const meterOf = (n: number, seed: number): DemoComponent => {
  const { kind, name, site: siteName } = turnOf(meters, n)
  const site = sites.find((one) => one.name === siteName)!
  const base = common('meter', name, site, seed)
  const localAt = openLocalTime(site.timeZone)
  // The weather of the station in the same town.
  const weatherSeed = seedOf(`demo-weather-${slug(site.name)}`, seed)
  const tariffAt = (ms: number) => {
    const { hour } = localAt(ms)
    return hour >= 6 && hour < 22 ? 'day' : 'night'
  }
  return {
    ...base,
    name: `${name}, ${site.name}`,
    description:
      kind === 'solar roof' ? 'An inverter of 50 kW; production counts as positive.' : `Main meter of the ${kind}.`,
    folder: `${demoFolder}/Energy`,
    templateId: 'demo-meter',
    isLate: false,
    samplers: [
      {
        streamId: 'power',
        stepMs: quarterMs,
        at: (ms) => {
          const middleMs = ms - quarterMs / 2
          return rounded(
            loadAt(kind, base.seed, middleMs, localAt(middleMs), weatherAt(site, weatherSeed, middleMs)),
            2,
          )
        },
      },
      {
        streamId: 'voltage',
        stepMs: hourMs,
        at: (ms) =>
          rounded(
            (site.name === 'Denver' ? 277 : 231) +
              3.2 * Math.sin(ms / 9e6) +
              2 * (chance(base.seed + 1, ms / hourMs) - 0.5),
            1,
          ),
      },
      {
        streamId: 'tariff',
        stepMs: quarterMs,
        at: (ms) => (tariffAt(ms) === tariffAt(ms - quarterMs) ? undefined : tariffAt(ms)),
      },
    ],
  }
}

const machineOf = (n: number, seed: number): DemoComponent => {
  const { name, site: siteName, ...values } = turnOf(machines, n)
  const site = sites.find((one) => one.name === siteName)!
  const base = common('machine', name, site, seed)
  const machine = { ...values, seed: base.seed }
  const localAt = openLocalTime(site.timeZone)
  let known = { ms: Number.NaN, reading: readingAt(machine, 0, localAt) }
  const reading = (ms: number) =>
    (known.ms === ms ? known : (known = { ms, reading: readingAt(machine, ms, localAt) })).reading
  const stepMs = 5 * minuteMs
  const state = (ms: number) => stateAt(machine, ms, localAt(ms))
  return {
    ...base,
    name: `${name}, ${site.name}`,
    description: values.isFailing ? 'Its bearing wears out faster than it should.' : 'Runs in two shifts.',
    folder: `${demoFolder}/Factory ${site.name}`,
    templateId: 'demo-machine',
    isLate: false,
    samplers: [
      { streamId: 'vibration', stepMs, at: (ms) => rounded(reading(ms).vibration, 2) },
      { streamId: 'temperature', stepMs, at: (ms) => rounded(reading(ms).temperature, 1) },
      { streamId: 'speed', stepMs, at: (ms) => rounded(reading(ms).speed, 0) },
      { streamId: 'pieces', stepMs: quarterMs, at: (ms) => reading(ms).pieces },
      { streamId: 'state', stepMs, at: (ms) => (state(ms) === state(ms - stepMs) ? undefined : state(ms)) },
    ],
  }
}

export const demoFleet = (size: DemoSize, seed: number): readonly DemoComponent[] => {
  const { stations, meters: meterCount, machines: machineCount } = extent[size]
  const each = (count: number, make: (n: number, of: number) => DemoComponent) =>
    Array.from({ length: count }, (_, n) => make(n, seed))
  return [...each(stations, stationOf), ...each(meterCount, meterOf), ...each(machineCount, machineOf)]
}

export type DemoSample = { readonly streamId: string; readonly time: number; readonly data: Value }

/**
 * The samples after one moment and up to another, in the order of time, in arrays of about so many that never part a
 * moment. `isWanted` chooses the times of outages: those that were sent, or those that were kept.
 */
export function* samplesOf(
  { samplers, seed }: DemoComponent,
  afterMs: number,
  untilMs: number,
  isWanted: (ms: number) => boolean,
  most = 5000,
): Generator<readonly DemoSample[]> {
  const stepMs = Math.min(...samplers.map((one) => one.stepMs))
  let batch: DemoSample[] = []
  for (let time = (Math.floor(afterMs / stepMs) + 1) * stepMs; time <= untilMs; time += stepMs) {
    if (!isWanted(time)) continue
    for (const [n, { streamId, stepMs: own, at }] of samplers.entries()) {
      if (time % own !== 0) continue
      // A reading in a thousand is lost; the first stream's never, since it shows how far all are.
      if (n > 0 && chance(seed + n, time / minuteMs) < 0.001) continue
      const data = at(time)
      if (data !== undefined) batch.push({ streamId, time, data })
    }
    if (batch.length < most) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
