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

/** A task, and its place among others. */
type Waiting = { readonly task: Task; readonly depth: number; readonly fleet: number }

const placesOf = async (sql: Sql, keys: readonly number[]): Promise<ReadonlyMap<number, Omit<Waiting, 'task'>>> => {
  const rows = await sql<{ key: number; depth: number; fleet: number }[]>`
    select stream_key as key, depth, hashtext(stream.id || ' ' || expression) as fleet
    from derivation
    join stream on stream.key = stream_key
    where stream_key = any(${[...keys]}::integer[])`
  return new Map(rows.map(({ key, depth, fleet }) => [key, { depth, fleet }]))
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

export type ChainsDone = {
  /** Work that is left: there was no time for it, others hold the stream, or it is beyond the number allowed. */
  readonly left: readonly Task[]
  /** The depth that was reached. */
  readonly depth: number
}

export const deriveChains = async (
  work: Work,
  touched: TouchedSpans,
  tasks: readonly Task[],
  { whenHeld, mostStreams, withWaiting }: ChainOptions,
): Promise<ChainsDone> => {
  const waiting = new Map<number, Waiting>()
  const add = (key: number, depth: number, fleet: number): Task => {
    const known = waiting.get(key) ?? { task: newTask(key), depth, fleet }
    waiting.set(key, known)
    return known.task
  }
  const spread = async (sources: TouchedSpans): Promise<void> => {
    for (const { source, derived, depth, fleet } of await work.usersOf(work.sql, [...sources.keys()])) {
      const { bySource } = add(derived, depth, fleet)
      const [known, spans] = [bySource.get(source), sources.get(source)!]
      // Of many streams with one source, all have the same list.
      bySource.set(source, known ? joinSpans([...known, ...spans]) : spans)
    }
  }
  if (tasks.length > 0) {
    const places = await placesOf(
      work.sql,
      tasks.map(({ key }) => key),
    )
    for (const task of tasks) {
      const place = places.get(task.key)
      if (place) waiting.set(task.key, { task, ...place })
    }
  }
  await spread(touched)
  const left: Task[] = []
  let derived = 0
  let depth = 0
  while (waiting.size > 0 && !isOver(work) && derived < mostStreams) {
    depth = leastDepth(waiting)
    const next = nextLevel(waiting, depth, Math.min(mostAtOnce, mostStreams - derived))
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
  return { left, depth }
}

const leastDepth = (waiting: ReadonlyMap<number, Waiting>): number => {
  let least = Number.POSITIVE_INFINITY
  for (const { depth } of waiting.values()) least = Math.min(least, depth)
  return least
}

/** Of one depth, streams of one fleet next to each other: what is held together is worked out together. */
const nextLevel = (waiting: ReadonlyMap<number, Waiting>, depth: number, most: number): readonly Task[] =>
  Array.from(waiting.values())
    .filter((each) => each.depth === depth)
    .toSorted((a, b) => a.fleet - b.fleet)
    .slice(0, most)
    .map(({ task }) => task)
    .toSorted((a, b) => a.key - b.key)
