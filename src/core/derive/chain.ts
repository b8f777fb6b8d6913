// Follows chains: what was touched leads to the streams that are derived from it, and what these have stored leads on.
// Streams are taken by their depth, so that each comes after all that it hangs on, and once.
import type { Sql } from '../../base/database/sql.ts'
import { joinSpans } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import { deriveLevel, newTask } from './level.ts'
import type { Task } from './level.ts'
import { addWaiting } from './mark.ts'
import type { TouchedSpans } from './mark.ts'
import { isOver } from './work.ts'
import type { Work } from './work.ts'

const depthsOf = async (sql: Sql, keys: readonly number[]): Promise<ReadonlyMap<number, number>> => {
  const rows = await sql<{ key: number; depth: number }[]>`
    select stream_key as key, depth from derivation where stream_key = any(${[...keys]}::integer[])`
  return new Map(rows.map(({ key, depth }) => [key, depth]))
}

export type ChainOptions = {
  readonly whenHeld: 'wait' | 'skip'
  /** Of streams that are derived; those that have derived nothing do not count. */
  readonly mostStreams: number
  /** Times that others touched before and nobody has derived yet come first, lest they be late; their marks stay. */
  readonly withWaiting?: true
}

/** Streams that are held together. */
const mostAtOnce = 500

/** Gives what is left to do: what there was no time for, what others hold, and what is beyond the number allowed. */
export const deriveChains = async (
  work: Work,
  touched: TouchedSpans,
  tasks: readonly Task[],
  { whenHeld, mostStreams, withWaiting }: ChainOptions,
): Promise<readonly Task[]> => {
  const waiting = new Map<number, { readonly task: Task; readonly depth: number }>()
  const add = (key: number, depth: number): Task => {
    const known = waiting.get(key) ?? { task: newTask(key), depth }
    waiting.set(key, known)
    return known.task
  }
  const spread = async (sources: TouchedSpans): Promise<void> => {
    for (const { source, derived, depth } of await work.usersOf(work.sql, [...sources.keys()])) {
      const { bySource } = add(derived, depth)
      bySource.set(source, joinSpans([...(bySource.get(source) ?? []), ...sources.get(source)!]))
    }
  }
  if (tasks.length > 0) {
    const depths = await depthsOf(
      work.sql,
      tasks.map(({ key }) => key),
    )
    for (const task of tasks) if (depths.has(task.key)) waiting.set(task.key, { task, depth: depths.get(task.key)! })
  }
  await spread(touched)
  const left: Task[] = []
  let derived = 0
  while (waiting.size > 0 && !isOver(work) && derived < mostStreams) {
    const next = nextLevel(waiting, Math.min(mostAtOnce, mostStreams - derived))
    for (const { key } of next) waiting.delete(key)
    const level = withWaiting ? await addWaiting(work.sql, next) : next
    if (level.length < next.length) left.push(...next.filter((task) => !level.includes(task)))
    const done = await deriveLevel(work, level, whenHeld)
    for (const task of done.left) left.push(task)
    const changed = new Map<number, readonly Span[]>()
    for (const { definition, changed: span } of done.progresses) if (span) changed.set(definition.key, [span])
    derived += changed.size
    await spread(changed)
  }
  for (const { task } of waiting.values()) left.push(task)
  return left
}

const nextLevel = (
  waiting: ReadonlyMap<number, { readonly task: Task; readonly depth: number }>,
  most: number,
): readonly Task[] => {
  let depth = Number.POSITIVE_INFINITY
  for (const each of waiting.values()) depth = Math.min(depth, each.depth)
  const level: Task[] = []
  for (const each of waiting.values()) {
    if (each.depth === depth) level.push(each.task)
    if (level.length === most) break
  }
  return level.toSorted((a, b) => a.key - b.key)
}
