// The files of the demo: a report of each service visit, four times a year, as CSV that opens in any program.
import type { DemoComponent } from './fleet.ts'
import { chance, rounded } from './noise.ts'

export type Report = { readonly fileName: string; readonly time: number; readonly text: string }

const quarterYearMs = 91 * 86_400_000

export const reportsOf = (
  { templateId, name, seed }: DemoComponent,
  afterMs: number,
  untilMs: number,
): readonly Report[] => {
  if (templateId === 'demo-meter') return []
  const first = Math.floor(afterMs / quarterYearMs)
  const visits = Array.from({ length: Math.ceil((untilMs - afterMs) / quarterYearMs) + 1 }, (_, n) => first + n)
  return visits
    .map((visit) => ({ visit, time: Math.round(visit * quarterYearMs + chance(seed + 60, visit) * quarterYearMs) }))
    .filter(({ time }) => time > afterMs && time <= untilMs)
    .map(({ visit, time }) => {
      const date = new Date(time).toISOString().slice(0, 10)
      const checks = templateId === 'demo-machine' ? machineChecks : stationChecks
      const lines = checks.map(
        ([check, unit, usual], n) =>
          `${check},${rounded(usual * (0.93 + 0.14 * chance(seed + n, visit)), 2)},${unit},ok`,
      )
      return {
        fileName: `service-${date}.csv`,
        time,
        text: [`check,value,unit,result`, ...lines, `"${name}, ${date}",,,\r\n`].join('\r\n'),
      }
    })
}

type Check = readonly [check: string, unit: string, usual: number]
const machineChecks: readonly Check[] = [
  ['Oil pressure', 'bar', 4.2],
  ['Belt tension', 'N', 320],
  ['Bearing clearance', 'mm', 0.08],
]
const stationChecks: readonly Check[] = [
  ['Battery', 'V', 12.7],
  ['Gauge calibration', 'mm', 10],
  ['Data logger free', '%', 82],
]
