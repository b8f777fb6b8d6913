// The relations of tiles: made in the way of the edition, and made anew where they were made by the other edition, from
// which the database was moved here, or by an earlier version with other columns.
import type { Pool, Transaction } from '../../base/database/sql.ts'
import { transaction } from '../../base/database/sql.ts'
import { daySelect, hourSelect, tileLayout } from './tile.ts'
import type { Phase, TileKind } from './tile.ts'
import { tileAggregates } from './tile-aggregate.ts'
import { readPhases } from './tile-state.ts'
import type { TileEdition } from './tile-state.ts'
import { tileTables } from './tile-table.ts'

export const tileEditions: Readonly<Record<TileKind, TileEdition>> = { aggregate: tileAggregates, table: tileTables }

/** Makes a phase's relations, in place of those that are there. */
export const makeTiles = (pool: Pool, phase: Phase, kind: TileKind): Promise<void> =>
  transaction(pool, async (sql) => {
    // Making an aggregate waits for writers, and other writers would wait behind; better to try again later.
    await sql`select set_config('lock_timeout', '500ms', true)`
    const { minutes, hourTable, dayTable } = phase
    const [found] = await sql<{ kind: TileKind }[]>`
      delete from rollup_phase where minutes = ${minutes} returning kind`
    // Days are made of hours.
    if (found !== undefined) for (const name of [dayTable, hourTable]) await tileEditions[found.kind].drop(sql, name)
    const { hour, day } = tileEditions[kind].chunks
    await makeRelation(sql, kind, hourTable, hourSelect(phase), hour)
    await makeRelation(sql, kind, dayTable, daySelect(phase), day)
    await sql`insert into rollup_phase (minutes, kind, layout) values (${minutes}, ${kind}, ${tileLayout})`
  })

const makeRelation = async (sql: Transaction, kind: TileKind, name: string, select: string, chunk: string) => {
  const { make, tableOf } = tileEditions[kind]
  await make(sql, name, select, chunk)
  // Times before the year 2000 have few chunks (db/0012_chunk.sql); times to come have no tiles.
  await sql.unsafe(`
    select lay_out_chunks('${await tableOf(sql, name)}', 'bucket', interval '${chunk}', '2000-01-01 00:00:00+00', 'infinity')`)
}

/** A relation of tiles that can be compressed: its name, the table behind it, and the length of its chunks. */
export type CompressibleTiles = { readonly view: string; readonly table: string; readonly chunk: string }

export const compressibleTiles = (pool: Pool): Promise<readonly CompressibleTiles[]> =>
  transaction(pool, async (sql) => {
    const { chunks, tableOf } = tileAggregates
    const relations: CompressibleTiles[] = []
    for (const { phase, kind } of await readPhases(sql))
      if (kind === 'aggregate')
        for (const [view, chunk] of [[phase.hourTable, chunks.hour] as const, [phase.dayTable, chunks.day] as const])
          relations.push({ view, table: await tableOf(sql, view), chunk })
    return relations
  })

/** Removes all that is left of streams that are gone. Rows are deleted: a refresh would take the time of all streams. */
export const forgetTiles = async (sql: Transaction, streamKeys: readonly number[]): Promise<void> => {
  if (streamKeys.length === 0) return
  const tables = ['stale', 'archive', 'kept', ...(await storedTiles(sql))]
  for (const table of tables) await sql`delete from ${sql(table)} where stream_key = any(${streamKeys}::integer[])`
}

/** The tables that hold tiles. */
const storedTiles = async (sql: Transaction): Promise<readonly string[]> => {
  const tables: string[] = []
  for (const { phase, kind } of await readPhases(sql))
    for (const name of [phase.hourTable, phase.dayTable]) tables.push(await tileEditions[kind].tableOf(sql, name))
  return tables
}
