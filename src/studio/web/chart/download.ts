// A chart's values as CSV, and its picture as PNG.
import { saveCsv, saveFile } from '../csv.ts'
import type { Drawn, Window } from './window.ts'
import { isoOf, offsetText } from './zone.ts'

/** Of the window, where one is given; times as numbers and as the zone's clocks show them. */
export const downloadCsv = (drawn: readonly Drawn[], window?: Window, zone = 'UTC'): void => {
  const lines = drawn.flatMap(({ label, series: { times, values, starts, least, most, texts } }) =>
    times.flatMap((time, index) => {
      const value = texts?.[index] ?? values[index]
      if (value === null || value === undefined || (window && (time < window.from || time > window.to))) return []
      const iso = `${isoOf(time, zone)}${offsetText(time, zone)}`
      return [[label, time, iso, value, starts?.[index], least?.[index], most?.[index]]]
    }),
  )
  saveCsv([['stream', 'time', 'iso', 'value', 'start', 'min', 'max'], ...lines], 'chart.csv')
}

/** The picture with a title above and its legend below, on the ground that the page has. */
export const downloadPicture = (title = '', drawn: readonly Drawn[] = []): void => {
  const picture = document.querySelector<HTMLCanvasElement>('.picture canvas')
  if (!picture) return
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const ratio = picture.width / Math.max(1, picture.clientWidth)
  const line = 26 * ratio
  const whole = document.createElement('canvas')
  whole.width = picture.width + 2 * line
  whole.height = picture.height + line * (3 + drawn.length)
  const context = whole.getContext('2d')!
  context.fillStyle = colour('--card')
  context.fillRect(0, 0, whole.width, whole.height)
  context.textBaseline = 'middle'
  context.font = `600 ${17 * ratio}px system-ui, sans-serif`
  context.fillStyle = colour('--ink')
  context.fillText(title, line, line)
  context.drawImage(picture, line, 2 * line)
  context.font = `${13 * ratio}px system-ui, sans-serif`
  for (const [index, { label, unit }] of drawn.entries()) {
    const y = picture.height + line * (2.5 + index)
    context.fillStyle = colour(`--series-${1 + (index % 6)}`)
    context.fillRect(line, y - 2 * ratio, 16 * ratio, 4 * ratio)
    context.fillStyle = colour('--ink')
    context.fillText(`${label}${unit}`, line + 24 * ratio, y)
  }
  whole.toBlob((blob) => blob && saveFile(blob, 'chart.png'))
}
