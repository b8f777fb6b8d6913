// A last value as a tile writes it.
import { shownWhole } from '../chart/item.ts'
import type { LiveSample } from '../last-values.ts'
import { shortened } from '../shortened.ts'

/** Longer numbers are not read without groups. */
const mostPlain = 8

/** By the format of its unit, or, where that has none and the number is long, in groups of three and rounded behind the dot. */
export const shown = ({ fileName, fData, data, unit = '' }: LiveSample): string => {
  if (fileName !== undefined || typeof data !== 'number') return shortened(fileName ?? fData ?? `${data ?? ''}`)
  const plain = String(data)
  const isPlain = fData === undefined || fData === `${plain}${unit}` || fData === `${unit}${plain}`
  if (!isPlain || (fData !== undefined && plain.length <= mostPlain)) return fData
  return fData === undefined ? shownWhole(data) : fData.replace(plain, () => shownWhole(data))
}
