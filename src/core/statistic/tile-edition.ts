// The relations of tiles: made in the way of the edition, and made anew where they were made by the other edition, from
// which the database was moved here, or by an earlier version with other columns or of other streams.
import type { Pool, Transaction } from '../../base/database/sql.ts'
import { transaction } from '../../base/database/sql.ts'
import { holdChunksAlone } from '../sample/chunk.ts'
import { daySelect, hourSelect, kindOf, layoutOf, mainPhase } from './tile.ts'
import type { Phase, TileKind } from './tile.ts'
import { tileAggregates } from './tile-aggregate.ts'
import { mendDaysToo, readAllPhases, readPhases } from './tile-state.ts'
import type { TileEdition } from './tile-state.ts'
import { tileTables } from './tile-table.ts'

export const tileEditions: Readonly<Record<TileKind, TileEdition>> = { aggregate: tileAggregates, table: tileTables }

/** Makes a phase's relations, in place of those that are there. */
export const makeTiles = (pool: Pool, phase: Phase, edition: TileKind): Promise<void> =>
  transaction(pool, async (sql) => {
    await removeRelations(sql, (made) => made === phase || (phase === mainPhase && made.hasDaysOnly))
    const kind = kindOf(phase, edition)
    const { hour, day } = tileEditions[edition].chunks
    if (!phase.hasDaysOnly) await makeRelation(sql, kind, phase.hourTable, hourSelect(phase), hour)
    await makeRelation(sql, kind, phase.dayTable, daySelect(phase), day)
    await sql`insert into rollup_phase (minutes, kind, layout) values (${phase.minutes}, ${kind}, ${layoutOf(phase)})`
  })

export const removeTiles = (pool: Pool, phase: Phase): Promise<void> =>
  transaction(pool, (sql) => removeRelations(sql, (made) => made === phase))

const removeRelations = async (sql: Transaction, isRemoved: (made: Phase) => boolean): Promise<void> => {
  // A reader would find the new ones, which are empty, by the names of those that its snapshot has. Making or removing an
  // aggregate waits for writers, and other writers would wait behind; better to try again later.
  await holdChunksAlone(sql, 500)
  // Days are made of hours, and so go before them: in aggregates they depend on each other.
  const found = (await readAllPhases(sql)).filter(({ phase }) => isRemoved(phase)).toReversed()
  for (const { phase, kind, layout } of found) {
    await sql`delete from rollup_phase where minutes = ${phase.minutes}`
    const names = relationsOf(phase).toReversed()
    for (const name of names) await tileEditions[kind].drop(sql, layout === layoutOf(phase) ? name : nameBefore(name))
  }
}

/**
 * The name in the version before, whose tiles were of all streams. A server of it cannot make its own anew in place of
 * these, which it does not find, and so leaves the roll-up to those of this version.
 */
const nameBefore = (name: string): string => name.replace(/^zone_/, 'tile_')

/** The relations that a phase has of its own. */
const relationsOf = ({ hourTable, dayTable, hasDaysOnly }: Phase): readonly string[] =>
  hasDaysOnly ? [dayTable] : [hourTable, dayTable]

const makeRelation = async (sql: Transaction, kind: TileKind, name: string, select: string, chunk: string) => {
  const { make, tableOf } = tileEditions[kind]
  await make(sql, name, select, chunk)
  // Times before the year 2000 have few chunks (db/0012_chunk.sql); times to come have no tiles.
  await sql.unsafe(`
    select lay_out_chunks('${await tableOf(sql, name)}', 'bucket', interval '${chunk}', '2000-01-01 00:00:00+00', 'infinity')`)
}

/** A relation of tiles: its name, the table behind it, and the length of its chunks. */
export type CompressibleTiles = {
  readonly name: string
  readonly kind: TileKind
  readonly table: string
  readonly chunk: string
}

/** The tiles of the Community edition, which can be compressed. */
export const compressibleTiles = (pool: Pool): Promise<readonly CompressibleTiles[]> =>
  transaction(pool, async (sql) => {
    const { chunks } = tileAggregates
    const relations: CompressibleTiles[] = []
    for (const { phase, kind } of await readPhases(sql))
      if (kind === kindOf(phase, 'aggregate'))
        for (const name of relationsOf(phase)) {
          const chunk = name === phase.dayTable ? chunks.day : chunks.hour
          relations.push({ name, kind, table: await tileEditions[kind].tableOf(sql, name), chunk })
        }
    return relations
  })

/** Removes all that is left of streams that are gone. Rows are deleted: a refresh would take the time of all streams. */
export const forgetTiles = async (sql: Transaction, streamKeys: readonly number[]): Promise<void> => {
  if (streamKeys.length === 0) return
  await mendDaysToo(sql)
  const tables = ['stale_mark', 'archive', 'kept', ...(await storedTiles(sql))]
  for (const table of tables) await sql`delete from ${sql(table)} where stream_key = any(${streamKeys}::integer[])`
}

/** The tables that hold tiles. */
const storedTiles = async (sql: Transaction): Promise<readonly string[]> => {
  const tables: string[] = []
  for (const { phase, kind } of await readPhases(sql))
    for (const name of relationsOf(phase)) tables.push(await tileEditions[kind].tableOf(sql, name))
  return tables
}
