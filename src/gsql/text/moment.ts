// A moment as a text in Range(...): a date or a local time in the script's zone, or epoch milliseconds.
//
//   '2026-11-01'  '2026-11-01T06:00'  '2026-11-01 06:00:30.5'  '2026-11-01T06:00Z'  '2026-11-01T06:00+01:00'
import { shorten } from '../../base/errors.ts'
import { localMsOf } from '../../core/time/calendar.ts'
import { openZone } from '../../core/time/zone.ts'
import { scriptFault } from '../fault.ts'
import type { Position } from '../fault.ts'

const shape = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/i

/** A local time that happens twice is its first, one that does not happen the moment after the gap. */
export const momentOf = (text: string, zone: string, at: Position): number => {
  const written = text.trim()
  if (/^[+-]?\d{5,15}$/.test(written)) return Number(written)
  const [, date, time = '00:00', offset] = shape.exec(written) ?? []
  const localMs = date === undefined ? undefined : localOf(`${date}T${time}`)
  const offsetMs = offset === undefined ? 0 : offsetOf(offset)
  if (localMs === undefined || offsetMs === undefined)
    throw scriptFault(at, `'${shorten(text)}' is no date such as 2026-11-01 or 2026-11-01T06:00`)
  return offset === undefined ? openZone(zone).momentOf(localMs) : localMs - offsetMs
}

const localOf = (written: string): number | undefined => {
  try {
    return localMsOf(written)
  } catch {
    return undefined
  }
}

const offsetOf = (written: string): number | undefined => {
  if (/^z$/i.test(written)) return 0
  const [hours, minutes] = written.slice(1).split(':').map(Number) as [number, number]
  if (hours > 18 || minutes > 59) return undefined
  return (written.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}
