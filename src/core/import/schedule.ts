// The schedule of an import (docs/imports.md#schedule): cron text of five fields, or six with seconds first, in a zone.
// A time that the clocks leave out comes as soon as they have moved; one that they repeat comes once, unless the hour
// is a wildcard: every half hour stays every half hour.
import { Cron } from 'croner'
import { badRequest, shorten } from '../../base/errors.ts'
import type { Reader } from '../../base/http/members.ts'
import { further, text } from '../../base/http/members.ts'

const mostLength = 200

/** Cron text that names at least one time. */
export const schedule: Reader<string> = further(text(1, mostLength), { examples: ['*/5 * * * *'] }, (name, written) => {
  const given = written.trim()
  const refuse = (why: string) => badRequest(`${name} '${shorten(given)}' ${why}`)
  if (!isCron(given)) throw refuse('must have five fields, or six with seconds: minute hour day month weekday')
  let next: Date | null
  try {
    next = cronOf(given, 'UTC').nextRun()
  } catch (error) {
    throw refuse(`is not cron text: ${(error as Error).message.replace(/^CronPattern: /, '')}`)
  }
  if (next === null) throw refuse('never comes')
  return given
})

const isCron = (given: string) => [5, 6].includes(given.split(/\s+/).length)

const cronOf = (given: string, zone: string) => new Cron(given, { timezone: zone, paused: true, mode: '5-or-6-parts' })

/** The first time after the moment; null: never again. */
export const nextRunMs = (given: string, zone: string, afterMs: number): number | null => {
  const cron = cronOf(given, zone)
  const hasFixedHours = !given.split(/\s+/).at(-4)!.includes('*')
  let next = cron.nextRun(new Date(afterMs))
  if (hasFixedHours) while (next !== null && isRepeated(next.getTime(), zone)) next = cron.nextRun(next)
  return next === null ? null : next.getTime()
}

/** Clocks are set back by an hour, or by half of one as on Lord Howe Island. */
const setBackMs = [3_600_000, 1_800_000]

/** Whether clocks have shown this time before. */
const isRepeated = (ms: number, zone: string): boolean => {
  const clock = new Intl.DateTimeFormat('en', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  return setBackMs.some((back) => clock.format(ms - back) === clock.format(ms))
}
