// Times as people read them, in the zone of the component.

/** Sweden writes times as ISO does, but for the comma before milliseconds. */
export const showTime = (ms: number, timeZone: string, withMilliseconds = false): string =>
  formatIn(timeZone, withMilliseconds).format(ms).replace(',', '.')

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making a format costs a millisecond, and a table has a thousand times. */
const formatIn = (timeZone: string, withMilliseconds: boolean): Intl.DateTimeFormat => {
  const name = `${timeZone} ${withMilliseconds}`
  const known = formats.get(name)
  if (known) return known
  const made = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: undefined,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    ...(withMilliseconds ? { fractionalSecondDigits: 3 as const } : {}),
  })
  formats.set(name, made)
  return made
}

/** Clocks of browsers and devices differ by so much, and ages on a page are counted anew every few seconds. */
const aheadMs = 60_000

/** 3 min ago, as the last values of a component say it. A time that lies ahead is shown as such: in 3 yr. */
export const showAge = (ms: number, nowMs: number): string => {
  const seconds = ms > nowMs && ms - nowMs < aheadMs ? 0 : Math.round((ms - nowMs) / 1000)
  const size = Math.abs(seconds)
  const [unit, length] = ages.find(([, each]) => size >= each) ?? (['second', 1] as const)
  return relative.format(Math.round(seconds / length), unit)
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })

const ages = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const
