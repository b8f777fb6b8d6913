// The clock on the wall: people and machines follow it, through summer time.

export type LocalTime = {
  /** 0 to below 24, with its fraction. */
  readonly hour: number
  /** 1 is Monday. */
  readonly weekday: number
  /** 101 is the first of January, 1231 the last of December. */
  readonly date: number
}

const hourMs = 3_600_000

export const openLocalTime = (timeZone: string): ((ms: number) => LocalTime) => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  const offsetAt = (ms: number): number => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(ms / 60_000) * 60_000
  }
  /** By the hour: a year has 8,766. */
  const offsets = new Map<number, number>()
  return (ms) => {
    const current = Math.floor(ms / hourMs)
    const offsetMs = offsets.get(current) ?? offsetAt(current * hourMs)
    offsets.set(current, offsetMs)
    const local = new Date(ms + offsetMs)
    const hour = local.getUTCHours() + local.getUTCMinutes() / 60 + local.getUTCSeconds() / 3600
    return {
      hour,
      weekday: local.getUTCDay() === 0 ? 7 : local.getUTCDay(),
      date: (local.getUTCMonth() + 1) * 100 + local.getUTCDate(),
    }
  }
}
