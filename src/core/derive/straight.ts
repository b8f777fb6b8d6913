// The straight way of an upload that derives at once: where all that hangs on it are samples at the same times, behind the
// last sample of each, the statements of a whole chain are known beforehand and go to the database together.
import { shownMs } from '../sample/rows.ts'
import { joinSpans } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import { settleRow } from './by-samples.ts'
import { shapeName } from './definition.ts'
import type { Definition } from './definition.ts'
import type { TouchedSpans } from './mark.ts'
import { openProgress, openSpans } from './progress.ts'
import type { Held, Progress } from './progress.ts'
import { findStarts, slotsOf, statementOfWindows } from './statement.ts'
import type { Statement } from './parameters.ts'
import type { Outcome, Window } from './statement.ts'
import { runStatement } from './work.ts'
import type { Work } from './work.ts'

/** In the order in which they hang on each other. */
export type Ahead = readonly { readonly definition: Definition; readonly held: Held }[]

/** Undefined: the straight way is not open. */
export const deriveStraight = async (
  work: Work,
  touched: TouchedSpans,
  ahead: Ahead,
): Promise<readonly Progress[] | undefined> => {
  const planned = planStraight(touched, ahead)
  if (planned === undefined) return undefined
  const ran = await Promise.all(
    planned.map(async ({ windows, progresses }) => {
      const [{ definition }] = progresses as [Progress]
      const compiled = work.compiled(definition)
      const { nowMs, claimedUntilMs, heard } = work
      const asked = { definition, compiled, mode: 'append', nowMs, claimedUntilMs, heard } as const
      const statement: Statement = statementOfWindows(asked, windows, await findStarts(work.sql, definition, windows))
      return runStatement<Outcome>(work, compiled, statement)
    }),
  )
  for (const [at, { progresses }] of planned.entries()) {
    const done = ran[at]!
    const byKey = new Map(progresses.map((progress) => [progress.definition.key, progress]))
    if (done.kind === 'done') for (const row of done.rows) settleRow(byKey.get(row.key)!, row, 'append')
  }
  return planned.flatMap(({ progresses }) => progresses)
}

type Planned = { readonly shape: string; readonly windows: Window[]; readonly progresses: Progress[] }

const planStraight = (touched: TouchedSpans, ahead: Ahead): readonly Planned[] | undefined => {
  const planned: Planned[] = []
  const windowsOf = new Map<number, readonly Span[]>(touched)
  for (const { definition, held } of ahead) {
    const progress = openProgress(definition, held)
    if (definition.shape !== 'samples' || progress.error !== undefined) return undefined
    const spans: Span[] = []
    for (const { back, source } of definition.variables) {
      if (back > 0 || source.kind === 'point') return undefined
      for (const span of windowsOf.get(source.key) ?? [])
        spans.push([shownMs(source.kind, span[0]), shownMs(source.kind, span[1])])
    }
    const own = joinSpans(spans)
    if (own.length === 0 || own[0]![0] <= progress.lastMs) return undefined
    const open = openSpans(progress, own)
    windowsOf.set(definition.key, open)
    const shape = shapeName(definition)
    const before = planned.at(-1)
    // Of a fleet together, unless one hangs on the other.
    const isSame =
      before?.shape === shape && !before.progresses.some(({ definition: { key } }) => hangsOn(definition, key))
    const group = isSame ? before : { shape, windows: [], progresses: [] }
    if (!isSame) planned.push(group)
    const sourceKeys = slotsOf(definition).map(({ first }) => first.source.key)
    for (const span of open) group.windows.push({ key: definition.key, span, sourceKeys })
    group.progresses.push(progress)
  }
  return planned.filter(({ windows }) => windows.length > 0)
}

const hangsOn = ({ variables }: Definition, key: number) => variables.some(({ source }) => source.key === key)
