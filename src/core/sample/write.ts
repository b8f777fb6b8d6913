// The write of one call: its rows, and the things that they were made by; and several of them as a group, which a lane sends in one go.
import type { Holders } from '../../base/shares.ts'
import { weightOf } from '../commit-group.ts'
import type { Leaving } from '../commit-group.ts'
import { weekMs } from './chunk.ts'
import type { Foreseen } from './foreseen.ts'
import type { Concern, KnownMoment } from './gate.ts'
import { lastOfEach } from './journal.ts'
import type { JournalRows } from './journal.ts'
import type { Group } from './lane.ts'
import { joinRows, noRows, sortRows } from './rows.ts'
import type { SampleRows } from './rows.ts'
import { joinTouched } from './touched.ts'
import type { Touched } from './touched.ts'
import type { WrittenTimes } from './written-times.ts'

/** The rows of one call, and the things that they were made by. */
export type Write = Concern & {
  /** The moment of the catalogue that they are of. */
  readonly at: KnownMoment
  /** Rows later than all that this process knows of their streams. */
  readonly appends: SampleRows
  readonly merges: SampleRows
  readonly points: SampleRows
  /** Of streams that others are derived from. */
  readonly touched?: Touched | undefined
  /** Whether somebody listens to the organization. */
  readonly isHeard?: boolean | undefined
  /** Whether somebody else has made room for the rows. */
  readonly hasRoom?: boolean | undefined
  /** Of whom it is: the tenant and the caller, who have turns. */
  readonly holders?: Holders | undefined
  /** Samples that follow from these; instead of touched. */
  readonly foreseen?: Foreseen
  /** The streams of the rows. */
  readonly streams?: readonly { readonly key: number; readonly written: Pick<WrittenTimes, 'refuse'> }[]
  /** Called when a row of appends was stored before: of this call, or of another in its group. */
  readonly onRefused?: (() => void) | undefined
}

const anybody: Holders = ['anybody']

export const leavingOf = (write: Write): Leaving => ({
  organizationKey: write.organizationKey,
  weight: weightOf(rowCount(write), textLength(write), weekCount(write)),
  holders: write.holders ?? anybody,
})

const textLength = ({ appends, merges, points, foreseen }: Write) => {
  let length = 0
  for (const rows of [appends, merges, points, foreseen?.rows])
    for (const text of rows?.texts ?? []) length += text?.length ?? 0
  return length
}

/** The weeks of its rows, each of which has a chunk of its own; points have none. */
const weekCount = ({ appends, merges, foreseen }: Write): number => {
  const weeks = new Set<number>()
  let last = Number.NaN
  for (const rows of [appends, merges, foreseen?.rows])
    for (const ms of rows?.storedMs ?? []) {
      const week = Math.floor(ms / weekMs)
      if (week !== last) weeks.add(week)
      last = week
    }
  return weeks.size
}

/** The calls of a group together, looked at once: most have appends and nothing else. */
export const groupOf = (writes: readonly Write[]): Group => {
  let { at } = writes[0]!
  const appends: SampleRows[] = []
  const merges: SampleRows[] = []
  const points: SampleRows[] = []
  const foreseen: Foreseen[] = []
  const heard: Write[] = []
  const organizationKeys = new Set<number>()
  let touched: Touched[] | undefined
  for (const write of writes) {
    at = earlier(at, write.at)
    organizationKeys.add(write.organizationKey)
    appends.push(write.appends)
    if (write.merges !== noRows) merges.push(write.merges)
    if (write.points !== noRows) points.push(write.points)
    if (write.foreseen) foreseen.push(write.foreseen)
    if (write.isHeard) heard.push(write)
    if (write.touched) (touched ??= []).push(write.touched)
  }
  for (const { rows } of foreseen) appends.push(rows)
  return {
    at,
    organizationKeys: [...organizationKeys],
    appends: joinRows(appends),
    merges: joinRows(merges),
    points: joinRows(points),
    touched: touched && joinTouched(touched),
    foreseen,
    journal: heard.length === 0 ? undefined : journalOf(heard),
  }
}

/** Those of several histories are of none that goes on: all of them are made anew. */
const earlier = (one: KnownMoment, other: KnownMoment): KnownMoment => {
  if (one.history !== other.history) return { serial: 0, history: 'several' }
  return other.serial < one.serial ? other : one
}

export const rowCount = ({ appends, merges, points, foreseen }: Write) =>
  appends.streamKeys.length +
  merges.streamKeys.length +
  points.streamKeys.length +
  (foreseen?.rows.streamKeys.length ?? 0)

/** The rows of writes that somebody listens to, by organization. */
const journalOf = (heard: readonly Write[]): readonly JournalRows[] => {
  const parts = new Map<number, { rows: SampleRows[]; points: SampleRows[] }>()
  for (const { organizationKey, appends, merges, points, foreseen } of heard) {
    const part = parts.get(organizationKey) ?? { rows: [], points: [] }
    part.rows.push(appends, merges, foreseen?.rows ?? noRows)
    part.points.push(points)
    parts.set(organizationKey, part)
  }
  return Array.from(parts, ([organizationKey, { rows, points }]) => ({
    organizationKey,
    rows: sortRows(joinRows(rows)),
    points: lastOfEach(joinRows(points)),
  }))
}
