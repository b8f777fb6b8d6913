// External rows on their way into our database, in the thread of their session (outbound/thread.ts). Where the Ingest SQL
// only copies columns its samples are gathered (gathered.ts) until all rows are there. All other rows go into the
// tables of the script as they come (spool-encoder.ts), and so do those that were gathered before one that cannot be.
import { openGathered } from './gathered.ts'
import type { Gathered, GatheredFields, GatheredOrder, GatheredSummary } from './gathered.ts'
import { openEncoder as openSpools } from './spool-encoder.ts'
import type { RefusedCell, SpoolColumns } from './spool-encoder.ts'
import { cellFromNumber, cellFromText } from '../text/cell.ts'
import type { Type, Value } from '../value.ts'

export type ImportColumns = { readonly spools: SpoolColumns; readonly gathers: Gathers | undefined }

/** The different columns of all tables, each with the first that has it. */
export type Gathers = GatheredFields & {
  readonly fields: readonly {
    readonly position: number
    readonly type: Type
    readonly spool: number
    readonly column: number
  }[]
}

/** The gathered samples, or the rows that they were made of. */
export type ImportOrder = ({ readonly kind: 'samples' } & GatheredOrder) | { readonly kind: 'rows' }

type Cells = readonly (string | number | null)[]
type Tables = readonly Uint8Array<ArrayBuffer>[]

export type ImportEncoder = {
  readonly add: (cells: Cells) => RefusedCell | undefined
  readonly bytes: () => number
  /** Rows for the tables, as far as they are ready. */
  readonly take: () => Tables
  /** The samples that were gathered, all of them or none. */
  readonly finish: () => GatheredSummary | undefined
  readonly give: (order: ImportOrder) => Generator<Tables>
}

const pieceBytes = 512 * 1024

export const openEncoder = ({ spools, gathers }: ImportColumns): ImportEncoder => {
  const tables = openSpools(spools)
  let gathered = gathers && openGathered(gathers)
  /** Rows that were gathered, and now go into the tables after all. */
  let spilled: Iterator<Cells> | undefined
  let row = 0
  const spill = (last: readonly Cells[]) => {
    spilled = joined(cellsOf(gathers!, gathered!), last)
    gathered = undefined
  }
  return {
    add: (cells) => {
      if (gathered === undefined) return tables.add(cells)
      row += 1
      const values = valuesOf(gathers!, cells, row)
      if ('field' in values) return values
      if (!gathered.add(values)) spill([[...cells]])
      return undefined
    },
    bytes: () => (spilled ? Infinity : tables.bytes()),
    take: () => {
      if (gathered) return []
      if (spilled && addUntilFull(tables, spilled)) spilled = undefined
      return tables.take()
    },
    finish: () => {
      const summary = gathered?.finish()
      if (gathered && summary === undefined) spill([])
      return summary
    },
    give: function* (order) {
      if (order.kind === 'samples') for (const piece of gathered!.samples(order)) yield [piece]
      else {
        const again = openSpools(spools)
        const rows = cellsOf(gathers!, gathered!)
        for (let isOver = false; !isOver;) {
          isOver = addUntilFull(again, rows)
          yield again.take()
        }
      }
    },
  }
}

/** Whether there are no more. None is refused: each was looked at before. */
const addUntilFull = (tables: ReturnType<typeof openSpools>, rows: Iterator<Cells>): boolean => {
  while (tables.bytes() < pieceBytes) {
    const next = rows.next()
    if (next.done) return true
    tables.add(next.value)
  }
  return false
}

const valuesOf = ({ fields }: Gathers, cells: Cells, row: number): readonly Value[] | RefusedCell => {
  const values: Value[] = []
  for (let at = 0; at < fields.length; at += 1) {
    const { position, type, spool, column } = fields[at]!
    const field = cells[position - 1] ?? null
    const value = field === null ? null : valueOf(field, type)
    if (value === undefined || (value === null && field !== null)) return { spool, column, row, field: String(field) }
    values.push(value)
  }
  return values
}

const valueOf = (field: string | number, type: Type): Value | undefined =>
  typeof field === 'number' ? cellFromNumber(field, type) : cellFromText(field, type)

/** Rows as they came, without the cells that no sample is made of. */
const cellsOf = function* ({ fields }: Gathers, gathered: Gathered): Generator<Cells> {
  const cells = Array.from(
    { length: Math.max(...fields.map(({ position }) => position)) },
    (): string | number | null => null,
  )
  for (const values of gathered.rows()) {
    fields.forEach(({ position }, at) => {
      const value = values[at]!
      cells[position - 1] = typeof value === 'number' || value === null ? value : String(value)
    })
    yield cells
  }
}

const joined = function* (first: Iterable<Cells>, last: Iterable<Cells>): Generator<Cells> {
  yield* first
  yield* last
}
