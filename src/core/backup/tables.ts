// The tables that a backup holds: all that the migrations make, but for those that are of no use elsewhere. A new table
// is in the backup without anybody having to think of it.
import type { Client } from 'pg'
import { migrationTexts } from '../../base/database/migrate.ts'
import { BackupError } from './backup-error.ts'
import type { Table } from './format.ts'

/** Tables that are left out, each with its reason. Unlogged ones are, too: a crash loses them as well. */
export const leftTables: ReadonlyMap<string, string> = new Map([
  ['access_change', 'reports of one running server to others, by numbers of transactions'],
  ['catalog_change', 'the same about components and streams'],
  ['stream_change', 'the same about streams that running scripts have read'],
  ['live_interest', 'servers that have listeners now'],
  ['live_journal', 'samples on their way to listeners, by numbers of transactions'],
  ['live_mark', 'as above'],
  ['live_state', 'as above'],
  ['rollup_state', 'tiles are made anew from samples, in the way of the edition that is restored to'],
  ['rollup_phase', 'as above'],
  ['stale_mark', 'as above'],
  ['stale_group', 'as above'],
  ['tile_zone', 'as above'],
  ['tile_member', 'as above'],
  ['zone_change', 'as above'],
  ['chunk_hold', 'it never has a row'],
  ['bi.role', 'roles are of the database server, whose own backup has them; others are made anew (docs/bi.md)'],
  ['bi.calendar', 'made anew, by the rules of the server that is restored to'],
  ['bi.edge', 'as above'],
  ['bi.zone', 'as above'],
])

type Found = { readonly name: string; readonly columns: readonly string[]; readonly needs: readonly string[] }

/** In an order in which each table comes after those that it refers to. */
export const tablesOf = async (client: Client, migrations: readonly string[]): Promise<readonly Table[]> => {
  const text = (await migrationTexts(migrations)).join('\n')
  const made = [...text.matchAll(/^create table (?:if not exists )?([\w.]+)/gim)]
  const names = [...new Set(made.map(([, name]) => name!))].filter((name) => !leftTables.has(name))
  const { rows } = await client.query<Found>(
    `select made.name,
       array(
         select quote_ident(attname) from pg_attribute
         where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
         order by attnum) as columns,
       array(
         select needed.name
         from unnest($1::text[]) as needed (name)
         join pg_constraint on confrelid = to_regclass(needed.name)
         where conrelid = pg_class.oid and contype = 'f' and needed.name <> made.name) as needs
     from unnest($1::text[]) as made (name)
     join pg_class on pg_class.oid = to_regclass(made.name)
     where relkind in ('r', 'p')
     order by made.name`,
    [names],
  )
  return inOrder(rows)
}

const inOrder = (found: readonly Found[]): readonly Table[] => {
  const placed = new Map<string, Table>()
  while (placed.size < found.length) {
    const ready = found.filter(({ name, needs }) => !placed.has(name) && needs.every((needed) => placed.has(needed)))
    if (ready.length === 0) throw new BackupError('Tables of this database refer to each other in a circle.')
    for (const { name, columns } of ready) placed.set(name, { name, columns })
  }
  return [...placed.values()]
}

/** The last number that each sequence of these tables has given, as a text; none has given a number yet: '0'. */
export const sequencesOf = async (
  client: Client,
  tables: readonly Table[],
): Promise<Readonly<Record<string, string>>> => {
  const { rows } = await client.query<{ place: string; last: string }>(
    `select made.name || '.' || attname as place,
       coalesce(pg_sequence_last_value(pg_get_serial_sequence(made.name, attname)::regclass), 0)::text as last
     from unnest($1::text[]) as made (name)
     join pg_attribute on attrelid = to_regclass(made.name) and attnum > 0 and not attisdropped
     where pg_get_serial_sequence(made.name, attname) is not null
     order by 1`,
    [tables.map(({ name }) => name)],
  )
  return Object.fromEntries(rows.map(({ place, last }) => [place, last]))
}

/** Sequences go on where they were, so that no number is given twice, not even one of a row that was deleted. */
export const setSequences = async (client: Client, sequences: Readonly<Record<string, string>>): Promise<void> => {
  const places = Object.entries(sequences).filter(([, last]) => last !== '0')
  await client.query(
    `select setval(
       pg_get_serial_sequence(regexp_replace(place, '\\.[^.]+$', ''), regexp_replace(place, '^.*\\.', ''))::regclass, last)
     from unnest($1::text[], $2::bigint[]) as sequence (place, last)`,
    [places.map(([place]) => place), places.map(([, last]) => last)],
  )
}

/** COPY of a table's rows, out of it or into it. Of a hypertable, COPY itself would give nothing. */
export const copyOut = ({ name, columns }: Table) =>
  `copy (select ${columns.join(', ')} from ${name}) to stdout (format binary)`
export const copyIn = ({ name, columns }: Table) => `copy ${name} (${columns.join(', ')}) from stdin (format binary)`
