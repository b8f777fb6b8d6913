// Which samples of an Ingest SQL are gathered in the thread of the external session (gathered.ts): those of INSERTs that
// only copy columns and constants, numbers with times of their own.
import type { Cell } from '../copied-columns.ts'
import type { Given, GatheredPart } from './gathered.ts'
import { writingIn } from './import-effects.ts'
import type { Writing } from './import-effects.ts'
import type { Gathers } from './import-encoder.ts'
import type { CompiledScript, CompiledStatement } from '../script.ts'

/** Undefined: rows go into the tables of the script. */
export const gathersOf = (script: CompiledScript): Gathers | undefined => {
  const { imported, statements, writesWhatItReads } = script
  if (writesWhatItReads || imported!.readsText || !statements.every(isPlain)) return undefined
  const fields = fieldsOf(imported!.spools)
  // One cell is one value.
  if (new Set(fields.map(({ position }) => position)).size < fields.length) return undefined
  const kept: Gathers['kept'][number][] = fields.map(() => undefined)
  const fieldOf = (spool: number, column: number) => {
    const { position } = imported!.spools[spool]![column]!
    return fields.findIndex((field) => field.position === position)
  }
  const parts = writingIn(script).map((writing) => partOf(writing, fieldOf))
  if (parts.length === 0 || parts.includes(undefined)) return undefined
  for (const { cid, id, time, sample } of parts as readonly GatheredPart[]) {
    for (const name of [cid, id]) if ('field' in name) kept[name.field] = 'name'
    for (const number of [{ field: time }, sample]) if ('field' in number) kept[number.field] = 'number'
  }
  return { fields, kept, parts: parts as readonly GatheredPart[] }
}

const isPlain = ({ action, spooled }: CompiledStatement): boolean =>
  action.kind === 'insert' ? spooled !== undefined : action.kind === 'set' && action.value !== undefined

const fieldsOf = (spools: NonNullable<CompiledScript['imported']>['spools']): Gathers['fields'] => {
  const found = new Map<string, Gathers['fields'][number]>()
  spools.forEach((columns, spool) =>
    columns.forEach(({ position, type }, column) => {
      const name = `${position} ${type}`
      if (!found.has(name)) found.set(name, { position, type, spool, column })
    }),
  )
  return [...found.values()]
}

const partOf = (
  { statement: { action, spooled }, types }: Writing,
  fieldOf: (spool: number, column: number) => number,
): GatheredPart | undefined => {
  if (action.kind !== 'insert' || spooled === undefined) return undefined
  const { cells, spool } = spooled
  const given = <T>(at: number, constantOf: (cell: Cell) => T | undefined): Given<T> | undefined => {
    const cell = cells[at]!
    if (cell.kind === 'column') return { field: fieldOf(spool, cell.column) }
    const constant = constantOf(cell)
    return constant === undefined ? undefined : { constant }
  }
  const { takes } = action
  const cid = types[takes.cid] === 'STRING' ? given(takes.cid, constantText) : undefined
  const id = types[takes.id] === 'STRING' ? given(takes.id, constantText) : undefined
  const timeCell = takes.time === undefined || types[takes.time] !== 'LONG' ? undefined : cells[takes.time]!
  const isNumber = types[takes.sample] === 'LONG' || types[takes.sample] === 'DOUBLE'
  const sample = isNumber ? given(takes.sample, constantNumber) : undefined
  if (cid === undefined || id === undefined || sample === undefined || timeCell?.kind !== 'column') return undefined
  return { cid, id, sample, time: fieldOf(spool, timeCell.column) }
}

const constantText = (cell: Cell): string | undefined => {
  const value = constantOf(cell)
  return typeof value === 'string' ? value : undefined
}

const constantNumber = (cell: Cell): number | undefined => {
  const value = constantOf(cell)
  return typeof value === 'number' ? value : undefined
}

const constantOf = (cell: Cell) =>
  cell.kind === 'fixed' && cell.term.kind === 'constant' ? cell.term.value : undefined
