// A database with one stream of a component in UTC, whose tiles are made at a fixed time.
import { transaction } from '../../../src/base/database/sql.ts'
import { openGate } from '../../../src/core/sample/gate.ts'
import { emptyRows, pushRow } from '../../../src/core/sample/rows.ts'
import { upsertSamples, deleteSamples } from '../../../src/core/sample/sample.ts'
import { markStale } from '../../../src/core/sample/stale.ts'
import { rollUp, rollupMetrics } from '../../../src/core/statistic/rollup.ts'
import { readStatistic } from '../../../src/core/statistic/statistic-read.ts'
import type { Statistic } from '../../../src/core/statistic/statistic.ts'
import { openCalendar } from '../../../src/core/time/calendar.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addStreams } from '../../support/streams.ts'

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs
export const nowMs = Date.parse('2026-05-10T12:00:00Z')
export const oldMs = Date.parse('2026-05-01T06:00:00Z')

export const daysIn = (zone: string) => openCalendar({ size: 1, unit: 'day', reference: '2001-01-01T00:00:00' }, zone)

/** A new one for each test of a suite. */
export class TileBed {
  database!: TestDatabase
  /** The stream that is written and read. */
  streamKey!: number

  constructor() {
    beforeEach(async () => {
      this.database = await openTestDatabase()
      this.streamKey = await this.addStream('UTC')
    })
    afterEach(() => this.database.drop())
  }

  get stream() {
    return { key: this.streamKey, kind: 'random', valueType: 'DOUBLE', calendar: undefined } as const
  }

  readonly addStream = async (zone: string): Promise<number> =>
    (await addStreams(this.database.sql, [{}], { zone }))[0]!

  readonly rowsOf = (...samples: readonly (readonly [number, number])[]) => {
    const rows = emptyRows()
    for (const [timeMs, value] of samples) pushRow(rows, this.streamKey, null, timeMs, 'DOUBLE', value)
    return rows
  }

  readonly write = (...samples: readonly (readonly [number, number])[]) =>
    transaction(this.database.sql, async (sql) => {
      const { claimedUntilMs } = await openGate(sql, 0)
      await markStale(sql, this.rowsOf(...samples), claimedUntilMs)
      await upsertSamples(sql, this.rowsOf(...samples))
    })

  readonly remove = (timeMs: number) =>
    transaction(this.database.sql, async (sql) => {
      const { claimedUntilMs } = await openGate(sql, 0)
      await deleteSamples(sql, this.stream, { startMs: timeMs, endMs: timeMs + 1 }, claimedUntilMs)
    })

  readonly rollAll = async () => {
    while (await rollUp(this.database.sql, nowMs));
  }

  readonly marks = async () => (await rollupMetrics(this.database.sql, nowMs)).stale

  readonly readDays = (zone: string, statistic: Statistic = 'sum') =>
    readStatistic(
      this.database.sql,
      [this.stream],
      daysIn(zone),
      statistic,
      { startMs: undefined, endMs: undefined },
      10,
    )
}
