// The loads of energy meters, in kW: an office that follows its working days and the weather, a bakery that begins at two,
// a data centre that hardly changes, a school with holidays, a home with an electric car, a solar roof.
import type { LocalTime } from './local-time.ts'
import { chance, clamp, wander } from './noise.ts'
import type { Weather } from './weather.ts'

export type LoadKind = 'office' | 'bakery' | 'data centre' | 'school' | 'home' | 'solar roof'

/** From 0 before `from` to 1 after `until`. */
const ramp = (hour: number, from: number, until: number): number => clamp((hour - from) / (until - from), 0, 1)

/** 1 between two hours, with slopes of an hour on both sides. */
const between = (hour: number, from: number, until: number, slope = 1): number =>
  ramp(hour, from - slope / 2, from + slope / 2) * (1 - ramp(hour, until - slope / 2, until + slope / 2))

const isHoliday = (date: number): boolean => date >= 1224 || date <= 101

const isSchoolHoliday = (date: number): boolean =>
  isHoliday(date) || date <= 201 || date >= 1218 || (date >= 410 && date <= 424) || (date >= 704 && date <= 719)

export const loadAt = (kind: LoadKind, seed: number, ms: number, local: LocalTime, weather: Weather): number => {
  const { hour, weekday, date } = local
  const jitter = 1 + 0.03 * wander(seed, ms / 1_000_000) + 0.02 * (chance(seed + 1, ms / 900_000) - 0.5)
  const heating = Math.max(0, 16 - weather.temperature)
  const cooling = Math.max(0, weather.temperature - 22)
  switch (kind) {
    case 'office': {
      const lunch = 1 - 0.18 * between(hour, 12, 13, 0.5)
      const people =
        between(hour, 7.8, 17.8, 2.2) * lunch * (weekday > 5 || isHoliday(date) ? 0.1 : 1) * (weekday === 5 ? 0.85 : 1)
      return (9.5 + 36 * people + 1.1 * heating * (0.35 + 0.65 * people) + 1.7 * cooling * (0.15 + people)) * jitter
    }
    case 'bakery': {
      const isOpen = weekday < 7 && !isHoliday(date)
      const ovens = (between(hour, 2.2, 6.8, 0.8) + 0.35 * between(hour, 10.5, 12, 0.5)) * (weekday === 6 ? 1.25 : 1)
      return (6.5 + (isOpen ? 78 * ovens + 11 * between(hour, 6, 18) : 0) + 0.3 * cooling) * jitter
    }
    case 'data centre':
      return (
        205 +
        14 * wander(seed + 2, ms / (9 * 86_400_000)) +
        2.4 * Math.max(0, weather.temperature - 8) +
        5 * wander(seed + 3, ms / 1_800_000)
      )
    case 'school': {
      const pupils = between(hour, 8, 15.2, 0.7) * (weekday > 5 || isSchoolHoliday(date) ? 0.06 : 1)
      return (7 + 31 * pupils + 0.8 * heating * (0.3 + pupils) + 2.1 * cooling * pupils) * jitter
    }
    case 'home': {
      const morning = 1.6 * between(hour, 6.2, 8.4) * (weekday > 5 ? 0.4 : 1)
      const evening = 2.3 * between(hour, 17.5, 22.3, 1.6)
      const isCharging =
        chance(seed + 4, Math.floor((ms - 12 * 3_600_000) / 86_400_000)) < 0.4 &&
        between(hour, 22.6, 24, 0.1) + between(hour, -1, 2.2, 0.1) > 0.5
      const kettle = chance(seed + 5, ms / 900_000) < 0.06 ? 1.4 * between(hour, 6, 23) : 0
      return (0.28 + morning + evening + kettle + 0.09 * heating) * jitter + (isCharging ? 7.2 : 0)
    }
    case 'solar roof': {
      const cellC = weather.temperature + weather.sun / 32
      return Math.min(50, 0.058 * weather.sun * (1 - 0.0039 * (cellC - 25)))
    }
  }
}
