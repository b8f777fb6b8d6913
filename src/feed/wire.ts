// Samples as replies show them (docs/feeds.md#read): the only place that knows the ret flags and the order of
// members: compId, streamId, sdTime, time, data, fData, unit.
import type { Unit } from '../core/unit.ts'
import { formatValue } from '../core/unit.ts'
import type { ValueType } from '../core/stream.ts'
import type { Value } from '../core/sample/value.ts'

/** The optional members that were asked for. */
export type Show = {
  readonly componentId: boolean
  readonly streamId: boolean
  readonly intervalStart: boolean
  readonly formatted: boolean
  readonly unit: boolean
}

/** The columns of these members in CSV, the time for people among them (docs/replies.md#formats). */
export const columnsOf = (show: Show, hasFiles: boolean): readonly string[] => [
  ...(show.componentId ? ['compId'] : []),
  ...(show.streamId ? ['streamId'] : []),
  ...(show.intervalStart ? ['sdTime'] : []),
  'time',
  'isoTime',
  'data',
  ...(show.formatted ? ['fData'] : []),
  ...(show.unit ? ['unit'] : []),
  ...(hasFiles ? ['fileName', 'size', 'contentType'] : []),
]

/** A sample or a statistic, ready to be shown. */
export type ShownSample = {
  readonly streamId: string | null
  /** The start of the interval; in random and point streams the time itself. */
  readonly startMs: number
  readonly timeMs: number
  readonly value: Value
  readonly valueType: ValueType
  readonly unit: Unit | undefined
  /** Members that files have besides their path. */
  readonly more?: Readonly<Record<string, unknown>>
}

export const presentSample = (componentId: string, sample: ShownSample, show: Show): Record<string, unknown> => ({
  ...(show.componentId ? { compId: componentId } : undefined),
  ...(show.streamId ? { streamId: sample.streamId ?? '' } : undefined),
  ...(show.intervalStart ? { sdTime: sample.startMs } : undefined),
  time: sample.timeMs,
  data: sample.value,
  ...(show.formatted ? { fData: formatValue(sample.value, sample.valueType, sample.unit) } : undefined),
  ...(show.unit ? { unit: sample.unit?.symbol ?? '' } : undefined),
  ...sample.more,
})
