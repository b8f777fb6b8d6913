// JSON_TABLE (grammar/REFERENCE.md#tables): JSON becomes rows. Paths that iterate form a tree, each branch named by its
// path up to the iterating step. A column repeats over the rows that lie below its branch; branches of one parent run
// side by side, position by position, and the shorter ones end in NULL.
//
//   $.id, $.list[*].t, $.list[*].v[*]     one row per v; id and t repeat
//   $.time[*], $.temperature[*]           side by side
import { scriptFault } from '../fault.ts'
import type { Position } from '../fault.ts'
import { cellFromJson } from './cell.ts'
import { isIterating, iterate, valueAt } from './json-path.ts'
import type { Step } from './json-path.ts'
import type { Json, Type, Value } from '../value.ts'
import { NotJson, readJsonText as readJson } from '../../base/json-text.ts'
import { jsonText } from './write-json.ts'
import { charactersOf } from '../memory.ts'
import type { ScriptMemory } from '../memory.ts'
import { doesNotConvert, isTooLarge } from './rows.ts'
import type { Rows } from './rows.ts'
import type { Sliced } from '../../base/slices.ts'

export type JsonTableColumn = {
  readonly at: Position
  readonly name: string
  readonly type: Type
  /** undefined: the number of the row. */
  readonly path: readonly Step[] | undefined
}

type Branch = {
  /** From the parent's value to the value that this branch iterates, and the iterating step. */
  readonly way: readonly Step[]
  readonly iteration: Step | undefined
  readonly columns: { readonly index: number; readonly way: readonly Step[] }[]
  readonly branches: Map<string, Branch>
}

export const jsonLimits = { depth: 500, members: 100_000 }

/** A BOM before the text is no part of it, but counts in positions. */
export const readJsonText = function* (text: string, at: Position, memory: ScriptMemory): Sliced<Json> {
  memory.spendJson(at, text)
  const from = text.charCodeAt(0) === 0xfeff ? 1 : 0
  try {
    return yield* readJson(text.slice(from), jsonLimits)
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    throw scriptFault(at, `the text is not JSON: ${error.message} at position ${error.position + from}`)
  }
}

export const rowsOfJson = function* (
  document: Json,
  columns: readonly JsonTableColumn[],
  at: Position,
  memory: ScriptMemory,
): Sliced<Rows> {
  const tree = treeOf(columns)
  const table: Table = { columns, cells: columns.map(() => []), at, memory, filled: 0, weight: 0 }
  const count = yield* fill(table, tree, document, 0)
  memory.spend(at, count * columns.length - table.filled, 0)
  for (const [index, column] of columns.entries()) {
    const list = table.cells[index]!
    table.weight += count
    if (isHeavy(table)) yield
    if (!column.path) for (let row = 0; row < count; row++) list[row] = row + 1
    // Rows that a shorter branch did not reach are holes so far.
    else for (let row = 0; row < count; row++) list[row] ??= null
  }
  return { count, columns: table.cells }
}

/** A table that is being filled. */
type Table = {
  readonly columns: readonly JsonTableColumn[]
  readonly cells: Value[][]
  readonly at: Position
  readonly memory: ScriptMemory
  filled: number
  /** The work since the last pause, in values and the characters in them. */
  weight: number
}

/** Some milliseconds. */
const weightPerSlice = 10_000

const isHeavy = (table: Table): boolean => {
  if (table.weight < weightPerSlice) return false
  table.weight = 0
  return true
}

/** Writes the rows that one value of a branch makes, from `row` on, and returns how many. */
const fill = function* (table: Table, branch: Branch, value: Json, row: number): Sliced<number> {
  let count = branch.branches.size === 0 ? 1 : 0
  for (const below of branch.branches.values()) {
    const iterated = valueAt(value, below.way)
    let next = row
    if (iterated !== undefined)
      for (const one of iterate(iterated, below.iteration!)) {
        table.weight += 1
        if (isHeavy(table)) yield
        if (one === undefined) continue
        // Most values have nothing that iterates below them: no generator for each of these.
        if (below.branches.size > 0) next += yield* fill(table, below, one, next)
        else {
          for (const column of below.columns) {
            write(table, column, one, next, 1)
            if (isHeavy(table)) yield
          }
          next += 1
        }
      }
    count = Math.max(count, next - row)
  }
  for (const column of branch.columns) {
    if (count === 0) break
    write(table, column, value, row, count)
    if (isHeavy(table)) yield
  }
  return count
}

const write = (
  table: Table,
  { index, way }: Branch['columns'][number],
  value: Json,
  row: number,
  count: number,
): void => {
  const column = table.columns[index]!
  const json = valueAt(value, way)
  const cell = cellFromJson(json, column.type)
  if (cell === undefined) {
    if (typeof json === 'number' && !Number.isFinite(json)) throw isTooLarge(column.at, row + 1, column.name)
    const shown = typeof json === 'string' ? json : typeof json === 'number' ? String(json) : jsonText(json!)
    throw doesNotConvert(column.at, row + 1, column.name, shown, column.type)
  }
  const characters = charactersOf(cell)
  table.memory.spend(table.at, count, count * characters)
  table.filled += count
  table.weight += count + characters
  const list = table.cells[index]!
  for (let each = row; each < row + count; each++) list[each] = cell
}

const trees = new WeakMap<readonly JsonTableColumn[], Branch>()

const treeOf = (columns: readonly JsonTableColumn[]): Branch => {
  const known = trees.get(columns)
  if (known) return known
  const root = emptyBranch([], undefined)
  for (const [index, { path }] of columns.entries()) {
    if (!path) continue
    let branch = root
    let way: Step[] = []
    for (const step of path) {
      if (!isIterating(step)) {
        way.push(step)
        continue
      }
      const key = JSON.stringify([...way, step])
      const below = branch.branches.get(key) ?? emptyBranch(way, step)
      branch.branches.set(key, below)
      branch = below
      way = []
    }
    branch.columns.push({ index, way })
  }
  trees.set(columns, root)
  return root
}

const emptyBranch = (way: readonly Step[], iteration: Step | undefined): Branch => ({
  way,
  iteration,
  columns: [],
  branches: new Map(),
})
