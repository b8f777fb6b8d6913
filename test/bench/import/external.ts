// The external databases of the bench, each with the same readings: a thousand meters, a thousand times each, in the order
// of their times, as a historian has them.
import { atEnd } from '../harness/process.ts'
import { query } from '../harness/database.ts'
import { openMariadb } from '../../support/mariadb.ts'

export type External = {
  readonly name: string
  readonly kind: 'postgresql' | 'mysql'
  readonly url: string
  /** The readings, of meters whose names begin so. */
  readonly select: (prefix: string) => string
}

const meters = 1000

export const openPostgresql = async (databaseUrl: string, rows: number): Promise<External> => {
  // Of the same server: its database's owner may make schemas and no databases.
  await query(databaseUrl, 'create schema plant')
  await query(
    databaseUrl,
    `create table plant.reading as
     select 'm' || n % ${meters} as meter, timestamptz '2026-01-01Z' + n / ${meters} * interval '1 minute' as at,
       round((20 + 5 * sin(n))::numeric, 2)::double precision as kwh
     from generate_series(0, ${rows - 1}) as n`,
  )
  const select = (prefix: string) => `select '${prefix}' || meter, at, kwh from plant.reading`
  return { name: 'PostgreSQL', kind: 'postgresql', url: databaseUrl, select }
}

export const openMariadbPlant = async (rows: number): Promise<External | undefined> => {
  const server = await openMariadb()
  if (server === undefined) return undefined
  atEnd(server.stop)
  await server.run(
    'create table reading (meter varchar(20), at datetime, kwh double)',
    `insert into reading
     select concat('m', seq % ${meters}), timestamp '2026-01-01 00:00:00' + interval floor(seq / ${meters}) minute,
       round(20 + 5 * sin(seq), 2)
     from seq_0_to_${rows - 1}`,
  )
  const select = (prefix: string) => `select concat('${prefix}', meter), at, kwh from reading`
  return { name: `MariaDB ${server.version}`, kind: 'mysql', url: server.url, select }
}
