// The columns and statistics that a SELECT reads of a Stream turn up one at a time. They are collected here while the
// SELECT is checked, and the reading is closed when that is done: the plan gets a reading that nothing changes any
// more.
import type { Statistic } from '../../core/statistic/statistic.ts'
import type { Position } from '../fault.ts'
import type { Range, StreamReading } from '../plan/plan.ts'

export type OpenReading = {
  samples: boolean
  range: Range | undefined
  cycleId: string | undefined
  cycleAt: Position | undefined
  readonly statistics: Statistic[]
  readonly used: Set<number>
  /** The place of the plain `sample`, which cannot stand beside statistics. */
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

/** The reading of every stored sample. */
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
