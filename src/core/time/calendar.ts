// The intervals of a cycle in a time zone (docs/statistics.md#cycles): where they begin and end, for every moment.
//
//   const days = openCalendar({ size: 1, unit: 'day', reference: '2001-01-01T00:00:00' }, 'Europe/Berlin')
//   days.startOf(ms) <= ms && ms < days.endOf(ms)
//
// Second to hour have a fixed length, counted from the moment of the reference. Day and longer follow the
// local calendar; month-like cycles clamp the reference's day to the month's end. Edges increase strictly:
// where a whole day never happened (Pacific/Apia, 2011-12-30), its interval does not exist.
// A look-up costs 12 to 50 ns in a sequence of near times and up to 200 ns at random.
import { ownText } from '../../base/own-text.ts'
import { openZone } from './zone.ts'
import type { Zone } from './zone.ts'

export const cycleUnits = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const
export type CycleUnit = (typeof cycleUnits)[number]

export type CycleDefinition = {
  readonly size: number
  readonly unit: CycleUnit
  /** A local time such as 2001-01-01T00:00:00. */
  readonly reference: string
}

export type Calendar = {
  /** The moment of the reference and the length, where all intervals have one length. */
  readonly fixed: { readonly originMs: number; readonly lengthMs: number } | undefined
  /** The start of the interval [start, end) that holds the moment: the last edge at or before it. */
  readonly startOf: (ms: number) => number
  /** The end of that interval: the first edge after the moment. */
  readonly endOf: (ms: number) => number
  /** The end of the interval (start, end] that holds the moment: the first edge at or after it. */
  readonly endAtOrAfter: (ms: number) => number
  /** The edges from fromMs to toMs, both included, ascending, the first `most` of them. */
  readonly edgesBetween: (fromMs: number, toMs: number, most: number) => number[]
  /** The number of edges after fromMs and up to toMs, without listing them. */
  readonly countEdges: (fromMs: number, toMs: number) => number
  /** The edge so many edges after one, or before it, without going through them. It may lie beyond all samples. */
  readonly step: (edgeMs: number, by: number) => number
}

export const openCalendar = (cycle: CycleDefinition, zone: string): Calendar => {
  const name = `${cycle.size} ${cycle.unit} ${cycle.reference} ${zone}`
  const known = calendars.get(name)
  if (known) return known
  const calendar = makeCalendar(cycle, openZone(zone))
  if (calendars.size >= mostCalendars) calendars.clear()
  calendars.set(ownText(name), calendar)
  return calendar
}

const mostCalendars = 10_000
const calendars = new Map<string, Calendar>()

const dayMs = 86_400_000

const makeCalendar = ({ size, unit, reference }: CycleDefinition, zone: Zone): Calendar =>
  calendarOf[unit](zone, localMsOf(reference), size)

type Maker = (zone: Zone, referenceMs: number, size: number) => Calendar

const calendarOf: Readonly<Record<CycleUnit, Maker>> = {
  second: (zone, referenceMs, size) => fixedCalendar(zone.momentOf(referenceMs), size * 1_000),
  minute: (zone, referenceMs, size) => fixedCalendar(zone.momentOf(referenceMs), size * 60_000),
  hour: (zone, referenceMs, size) => fixedCalendar(zone.momentOf(referenceMs), size * 3_600_000),
  day: (zone, referenceMs, size) => localCalendar(zone, dayRow(referenceMs, size)),
  week: (zone, referenceMs, size) => localCalendar(zone, dayRow(referenceMs, size * 7)),
  month: (zone, referenceMs, size) => localCalendar(zone, monthRow(referenceMs, size)),
  year: (zone, referenceMs, size) => localCalendar(zone, monthRow(referenceMs, size * 12)),
}

/** Reads 2001-01-01T00:00:00 (or without seconds, or with a fraction) as if it were UTC. */
export const localMsOf = (reference: string): number => {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(reference)
    ? Date.parse(`${reference}Z`)
    : Number.NaN
  // Date.parse takes February 30 for March 2, and 24:00 for the next day.
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 13) !== reference.slice(0, 13))
    throw new RangeError(`'${reference}' is not a local time such as 2001-01-01T00:00:00`)
  return ms
}

const fixedCalendar = (originMs: number, lengthMs: number): Calendar => {
  const startOf = (ms: number) => originMs + Math.floor((ms - originMs) / lengthMs) * lengthMs
  const endAtOrAfter = (ms: number) => originMs + Math.ceil((ms - originMs) / lengthMs) * lengthMs
  return {
    fixed: { originMs, lengthMs },
    startOf,
    endOf: (ms) => startOf(ms) + lengthMs,
    endAtOrAfter,
    edgesBetween: (fromMs, toMs, most) => {
      const edges: number[] = []
      for (let edge = endAtOrAfter(fromMs); edge <= toMs && edges.length < most; edge += lengthMs) edges.push(edge)
      return edges
    },
    countEdges: (fromMs, toMs) => Math.max(0, (startOf(toMs) - startOf(fromMs)) / lengthMs),
    step: (edgeMs, by) => edgeMs + by * lengthMs,
  }
}

/** The local times of a cycle's edges, numbered from the reference, which is number 0. */
type Row = {
  readonly at: (index: number) => number
  /** The number of the last one at or before a local time. */
  readonly indexOf: (localMs: number) => number
  /** Whether two neighbours can be one moment where the zone skipped a day. */
  readonly canCollapse: boolean
}

const localCalendar = (zone: Zone, row: Row): Calendar => {
  // The interval found last: most questions come in the order of time.
  let startMs = 0
  let endMs = 0
  let index = 0

  const edge = (at: number) => zone.momentOf(row.at(at))
  const find = (ms: number) => {
    if (ms >= startMs && ms < endMs) return
    index = row.indexOf(ms + zone.offsetMs(ms))
    startMs = edge(index)
    // Near a change of the clock the local reading may lie on the other side of an edge.
    while (startMs > ms) startMs = edge(--index)
    endMs = edge(index + 1)
    while (endMs <= ms) {
      index += 1
      startMs = endMs
      endMs = edge(index + 1)
    }
  }
  const startOf = (ms: number) => {
    find(ms)
    return startMs
  }
  const endOf = (ms: number) => {
    find(ms)
    return endMs
  }
  // Edges as they are counted: where two numbers are one moment, the second of them is left out.
  let leftOut: readonly number[] | undefined
  const findLeftOut = (): readonly number[] => {
    if (!row.canCollapse) return []
    return zone.skippedDays().flatMap((ms) => {
      find(ms)
      return edge(index - 1) === ms ? [index] : []
    })
  }
  const placeOf = (ms: number) => {
    leftOut ??= findLeftOut()
    find(ms)
    return leftOut.reduce((place, each) => (each <= index ? place - 1 : place), index)
  }
  const edgeIn = (place: number) => edge(leftOut!.reduce((at, each) => (each <= at ? at + 1 : at), place))
  return {
    fixed: undefined,
    startOf,
    endOf,
    endAtOrAfter: (ms) => endOf(ms - 1),
    edgesBetween: (fromMs, toMs, most) => {
      const edges: number[] = []
      for (let at = endOf(fromMs - 1); at <= toMs && edges.length < most; at = endOf(at)) edges.push(at)
      return edges
    },
    countEdges: (fromMs, toMs) => (toMs <= fromMs ? 0 : placeOf(toMs) - placeOf(fromMs)),
    step: (edgeMs, by) => edgeIn(placeOf(edgeMs) + by),
  }
}

const dayRow = (referenceMs: number, days: number): Row => {
  const lengthMs = days * dayMs
  return {
    at: (index) => referenceMs + index * lengthMs,
    indexOf: (localMs) => Math.floor((localMs - referenceMs) / lengthMs),
    canCollapse: days === 1,
  }
}

const monthRow = (referenceMs: number, months: number): Row => {
  const referenceDay = Math.floor(referenceMs / dayMs)
  const timeMs = referenceMs - referenceDay * dayMs
  const referenceMonth = monthOf(referenceDay)
  const dayOfMonth = referenceDay - firstDayOf(referenceMonth)
  const at = (index: number) => {
    const month = referenceMonth + index * months
    const firstDay = firstDayOf(month)
    return Math.min(firstDay + dayOfMonth, firstDayOf(month + 1) - 1) * dayMs + timeMs
  }
  return {
    at,
    indexOf: (localMs) => {
      const index = Math.floor((monthOf(Math.floor(localMs / dayMs)) - referenceMonth) / months)
      return at(index) > localMs ? index - 1 : index
    },
    canCollapse: false,
  }
}

// Months are numbered from January of year 0, days from 1970-01-01, in the proleptic Gregorian calendar.
// Date.UTC is of no use here: it takes the years 0 to 99 for 1900 to 1999. Years are counted from March, so
// that the leap day is a year's last and month lengths follow one formula.

const firstDayOf = (month: number): number => {
  const shifted = month - 2
  const year = Math.floor(shifted / 12)
  const monthOfYear = shifted - year * 12
  const leapDays = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400)
  return year * 365 + leapDays + Math.floor((153 * monthOfYear + 2) / 5) - 719_468
}

const monthOf = (day: number): number => {
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  return (yearOfEra + era * 400) * 12 + Math.floor((5 * dayOfYear + 2) / 153) + 2
}
