// A chart's values as CSV, and its picture as PNG.
import type { Drawn } from './picture.tsx'

export const downloadCsv = (drawn: readonly Drawn[]): void => {
  const lines = drawn.flatMap(({ label, series }) =>
    series.times.map((time, index) =>
      [label, time, new Date(time).toISOString(), series.values[index] ?? ''].map(cell).join(','),
    ),
  )
  save(new Blob([['stream,time,iso,value', ...lines].join('\r\n'), '\r\n'], { type: 'text/csv' }), 'chart.csv')
}

/** A spreadsheet would take a name that begins so for a formula. */
const cell = (value: string | number): string => {
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const downloadPicture = (): void => {
  const drawn = document.querySelector<HTMLCanvasElement>('.picture canvas')
  if (!drawn) return
  // The canvas is transparent; a picture has a ground.
  const whole = document.createElement('canvas')
  whole.width = drawn.width
  whole.height = drawn.height
  const context = whole.getContext('2d')!
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--card')
  context.fillRect(0, 0, whole.width, whole.height)
  context.drawImage(drawn, 0, 0)
  whole.toBlob((blob) => blob && save(blob, 'chart.png'))
}

const save = (content: Blob, name: string): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
