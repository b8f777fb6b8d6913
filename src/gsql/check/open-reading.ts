// What a SELECT wants of a Stream turns up one column and one sample(...) at a time. It is collected here while the SELECT
// is checked, and closed when that is done: the plan gets a reading that nothing changes any more.
import type { Statistic } from '../../core/statistic/statistic.ts'
import type { Position } from '../fault.ts'
import type { Range, StreamReading } from '../plan.ts'

export type OpenReading = {
  samples: boolean
  range: Range | undefined
  cycleId: string | undefined
  cycleAt: Position | undefined
  readonly statistics: Statistic[]
  readonly used: Set<number>
  /** Where the plain `sample` stands, for which there is no place beside statistics. */
  sampleAt: Position | undefined
}

export const openReading = (): OpenReading => ({
  samples: false,
  range: undefined,
  cycleId: undefined,
  cycleAt: undefined,
  statistics: [],
  used: new Set(),
  sampleAt: undefined,
})

/** Of every stored sample. */
export const openReadingOfAll = (): OpenReading => ({
  ...openReading(),
  samples: true,
  range: { kind: 'between', from: undefined, to: undefined },
})

export const closedReading = ({ samples, range, cycleId, cycleAt, statistics, used }: OpenReading): StreamReading => ({
  samples,
  range,
  cycleId,
  cycleAt,
  statistics: [...statistics],
  used: new Set(used),
})
