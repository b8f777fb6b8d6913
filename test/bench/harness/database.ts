// The database of a bench: an embedded one with the settings it has in production, made for the run, or that of
// BENCH_DATABASE_URL, where it gets a database of its own that is dropped at the end.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Client } from 'pg'
import { openCluster } from '../../../src/embedded/cluster.ts'
import { quietLog, testInstallation } from '../../support/database.ts'
import { atEnd, temporaryDirectory } from './process.ts'

export type BenchDatabase = { readonly url: string; readonly description: string; readonly edition: Edition }

type Edition = 'apache' | 'community'

let opened: BenchDatabase | undefined

/** That which the bench has opened, for the page of figures. */
export const openedDatabase = (): BenchDatabase | undefined => opened

export const openBenchDatabase = async (): Promise<BenchDatabase> => {
  const url = await (process.env['BENCH_DATABASE_URL']
    ? otherDatabase(process.env['BENCH_DATABASE_URL'])
    : ownDatabase())
  // Only then it says which edition it is.
  await query(url, 'create extension if not exists timescaledb')
  const [versions] = await query<{ postgres: string; timescaledb: string; license: string }>(
    url,
    `select split_part(current_setting('server_version'), ' ', 1) as postgres, default_version as timescaledb,
       current_setting('timescaledb.license') as license
     from pg_available_extensions where name = 'timescaledb'`,
  )
  const { postgres, timescaledb, license } = versions!
  const edition = license === 'timescale' ? 'community' : 'apache'
  opened = { url, description: `PostgreSQL ${postgres}, TimescaleDB ${timescaledb}, ${edition} edition`, edition }
  return opened
}

const ownDatabase = async (): Promise<string> => {
  const dir = await temporaryDirectory()
  const cluster = await openCluster({
    installation: await testInstallation(),
    dir: join(dir, 'postgres'),
    connections: 100,
    log: quietLog,
  })
  atEnd(cluster.stop)
  return cluster.url
}

const otherDatabase = async (adminUrl: string): Promise<string> => {
  const name = `coppice_bench_${randomBytes(4).toString('hex')}`
  await query(adminUrl, `create database ${name}`)
  atEnd(() => query(adminUrl, `drop database ${name} with (force)`))
  return Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
}

/** One statement on a connection of its own. */
export const query = async <Row extends object>(url: string, text: string, values: unknown[] = []): Promise<Row[]> => {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}
