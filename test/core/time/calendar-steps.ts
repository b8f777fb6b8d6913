// A step of a calendar, for a test that counts its work.
import { openCalendar } from '../../../src/core/time/calendar.ts'
import type { CycleDefinition } from '../../../src/core/time/calendar.ts'

export const stepFromNow = (cycle: CycleDefinition, zone: string, by: number): number => {
  const calendar = openCalendar(cycle, zone)
  return calendar.step(calendar.startOf(Date.parse('2026-07-01T00:00:00Z')), by)
}
