// The schedule of an import (docs/imports.md#schedule): cron text of five fields, or six with seconds first, in a zone.
// A time that the clocks leave out comes as soon as they have moved; one that they repeat comes once, unless the hour
// is a wildcard: every half hour stays every half hour.
import { Cron } from 'croner'
import { badRequest, shorten } from '../../base/errors.ts'
import type { Reader } from '../../base/http/members.ts'
import { further, text } from '../../base/http/members.ts'
import { openZone } from '../time/zone.ts'
import type { Zone } from '../time/zone.ts'

const mostLength = 200

/** Cron text that names at least one time. */
export const schedule: Reader<string> = further(text(1, mostLength), { examples: ['*/5 * * * *'] }, (name, written) => {
  const given = written.trim()
  const refuse = (why: string) => badRequest(`${name} '${shorten(given)}' ${why}`)
  if (!isCron(given)) throw refuse('must have five fields, or six with seconds: minute hour day month weekday')
  let next: Date | null
  try {
    next = withinYears(given).nextRun()
  } catch (error) {
    throw refuse(`is not cron text: ${(error as Error).message.replace(/^CronPattern: /, '')}`)
  }
  if (next === null) throw refuse('never comes')
  return given
})

const isCron = (given: string) => [5, 6].includes(given.split(/\s+/).length)

/** The rarest, the 29th of February on one weekday, comes within 40; to look through a thousand took 15 to 200 ms of CPU at each save. */
const mostYears = 50

const withinYears = (given: string): Cron => {
  const seconds = given.split(/\s+/).length === 5 ? '0 ' : ''
  const year = new Date().getUTCFullYear()
  return new Cron(`${seconds}${given} ${year}-${year + mostYears}`, { timezone: 'UTC', paused: true })
}

const cronOf = (given: string, zone: string) => new Cron(given, { timezone: zone, paused: true, mode: '5-or-6-parts' })

/** The first time after the moment; null: never again. */
export const nextRunMs = (given: string, zone: string, afterMs: number): number | null => {
  const cron = cronOf(given, zone)
  const hasFixedHours = !given.split(/\s+/).at(-4)!.includes('*')
  const clock = openZone(zone)
  let next = cron.nextRun(new Date(afterMs))
  // An hour has 3,600 of them, which held up everybody for 0.7 s one by one.
  if (hasFixedHours)
    while (next !== null && isRepeated(next.getTime(), clock))
      next = cron.nextRun(new Date(endOfRepeated(next.getTime(), clock) - 1))
  return next === null ? null : next.getTime()
}

/** The moment at which the clocks showed this time first. */
const firstShownMs = (ms: number, clock: Zone): number => clock.momentOf(ms + clock.offsetMs(ms))

/** Whether clocks have shown this time before. */
const isRepeated = (ms: number, clock: Zone): boolean => firstShownMs(ms, clock) < ms

/** The first moment after a repeated one at which clocks show what they have not shown before. */
const endOfRepeated = (ms: number, clock: Zone): number => {
  let low = ms
  // As far as the clocks were set back: times that are shown from then on had not come before.
  let high = ms + (ms - firstShownMs(ms, clock))
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isRepeated(middle, clock)) low = middle
    else high = middle
  }
  return high
}
