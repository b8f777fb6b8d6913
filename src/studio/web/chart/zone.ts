// The clock of a time zone: how far it is from UTC at a moment, and the moment of what it shows. By the browser's own
// rules, which it has for every zone.

const quarterMs = 900_000
const mostKept = 5000

const formats = new Map<string, Intl.DateTimeFormat>()
const kept = new Map<string, number>()

/** Rules change at full quarters of an hour, and a format takes 3 µs. */
export const offsetOf = (ms: number, zone: string): number => {
  const name = `${zone} ${Math.floor(ms / quarterMs)}`
  const known = kept.get(name)
  if (known !== undefined) return known
  if (kept.size >= mostKept) kept.clear()
  const offset = readOffset(ms, zone)
  kept.set(name, offset)
  return offset
}

const readOffset = (ms: number, zone: string): number => {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    formats.set(zone, format)
  }
  const [, sign, hours, minutes, seconds = '0'] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(format.format(Math.floor(ms))) ?? []
  if (sign === undefined) return 0
  const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -size : size
}

/** What the clocks show, as if it were UTC. */
export const localOf = (ms: number, zone: string): number => ms + offsetOf(ms, zone)

/** The moment at which clocks show this; of two the first, of none the one after the clocks were set forward. */
export const momentOf = (localMs: number, zone: string): number => {
  const early = localMs - offsetOf(localMs - 86_400_000, zone)
  const late = localMs - offsetOf(localMs + 86_400_000, zone)
  const fits = [early, late].filter((ms) => localOf(ms, zone) === localMs)
  return fits.length > 0 ? Math.min(...fits) : Math.max(early, late)
}

/** 2026-03-29T14:00:00.000 as clocks show it. */
export const isoOf = (ms: number, zone: string): string =>
  new Date(localOf(Math.floor(ms), zone)).toISOString().slice(0, -1)

/** +02:00 */
export const offsetText = (ms: number, zone: string): string => {
  const offset = offsetOf(ms, zone)
  const minutes = Math.abs(Math.round(offset / 60_000))
  const two = (n: number) => String(n).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Milliseconds where there are any, and the date alone at midnight. */
export const timeText = (ms: number, zone: string): string =>
  isoOf(ms, zone)
    .replace('T', ' ')
    .replace(/( 00:00:00)?\.000$/, '')

/** From when to when an interval is; the date once where both have the same. */
export const spanText = (start: number, end: number, zone: string): string => {
  const [from, to] = [timeText(start, zone), timeText(end, zone)]
  const [day = '', time] = to.split(' ')
  return `${from} – ${time !== undefined && from.startsWith(`${day} `) ? time : to}`
}

/** Spans of a window within which the clock is not set, each with its offset. */
export const offsetSpans = (
  from: number,
  to: number,
  zone: string,
): readonly { readonly from: number; readonly to: number; readonly offset: number }[] => {
  const spans: { from: number; to: number; offset: number }[] = []
  const step = 6 * 3_600_000
  for (let at = from; at < to; at += step) {
    const end = Math.min(at + step, to)
    const offset = offsetOf(at, zone)
    const last = spans.at(-1)
    if (last && last.offset === offset) last.to = end
    else spans.push({ from: at, to: end, offset })
    const next = offsetOf(end, zone)
    if (next === offset) continue
    const change = changeBetween(at, end, zone)
    spans.at(-1)!.to = change
    spans.push({ from: change, to: end, offset: next })
  }
  return spans
}

const changeBetween = (from: number, to: number, zone: string): number => {
  const offset = offsetOf(from, zone)
  let [low, high] = [Math.floor(from / quarterMs), Math.ceil(to / quarterMs)]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (offsetOf(middle * quarterMs, zone) === offset) low = middle
    else high = middle
  }
  return high * quarterMs
}
