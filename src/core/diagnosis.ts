// The facts about a database that tell whether it is fit to serve: for `coppice doctor`, which judges them. It reads only,
// needs no migrated schema, and gives up after some seconds.
import { Client } from 'pg'
import { missingScriptGrant, presentMigrations } from '../base/database/migrate.ts'
import { primaryUrl } from '../base/database/primary.ts'
import { pgTarget } from '../base/database/url.ts'

export type Diagnosis = {
  readonly postgres: string
  /** Null where the extension is not made yet; '' where the server has none. */
  readonly timescaledb: string | null
  readonly edition: 'apache' | 'community' | 'unknown'
  readonly migrations: readonly string[]
  /** For this user. */
  readonly connections: number
  readonly used: number
  readonly mayMakeRoles: boolean
  readonly hasScriptRole: boolean
  /** The grant that the server asks for at its start; '' if none is missing. */
  readonly missingGrant: string
  readonly isStandby: boolean
  /** How long ago the last transaction was that a standby has replayed. */
  readonly lagSeconds: number | null
  /** How far its clock is ahead of ours. */
  readonly aheadMs: number
  readonly bytes: number
  /** The size of the samples of the last four weeks; null where there is no table of them. */
  readonly recentBytes: number | null
  readonly keyCheck: Buffer | null
  readonly backedUpMs: number | null
}

const withinMs = 8000

export const diagnose = async (databaseUrl: string): Promise<Diagnosis> => {
  const client = new Client({
    ...pgTarget(await primaryUrl(databaseUrl)),
    application_name: 'coppice doctor',
    connectionTimeoutMillis: withinMs,
    statement_timeout: withinMs,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    const askedMs = Date.now()
    const facts = await row<Facts>(client, factsText)
    const aheadMs = Number(facts.now) - (askedMs + Date.now()) / 2
    const migrations = await presentMigrations(client)
    const installation = migrations.length > 0 ? await installationOf(client) : undefined
    return {
      postgres: facts.postgres,
      timescaledb: facts.available === null ? '' : facts.installed,
      edition: facts.license === 'timescale' ? 'community' : facts.license === 'apache' ? 'apache' : 'unknown',
      migrations,
      connections: Number(facts.connections),
      used: Number(facts.used),
      mayMakeRoles: facts.mayMakeRoles,
      hasScriptRole: facts.hasScriptRole,
      missingGrant: await missingScriptGrant(client),
      isStandby: facts.isStandby,
      lagSeconds: facts.lag === null ? null : Number(facts.lag),
      aheadMs,
      bytes: Number(facts.bytes),
      recentBytes: migrations.length > 0 ? await recentBytesOf(client) : null,
      keyCheck: installation?.keyCheck ?? null,
      backedUpMs: installation?.backedUp ? Number(installation.backedUp) : null,
    }
  } finally {
    await client.end().catch(() => {})
  }
}

type Facts = {
  readonly postgres: string
  readonly available: string | null
  readonly installed: string | null
  readonly license: string | null
  readonly connections: string
  readonly used: string
  readonly mayMakeRoles: boolean
  readonly hasScriptRole: boolean
  readonly isStandby: boolean
  readonly lag: string | null
  readonly now: string
  readonly bytes: string
}

const factsText = `
  select split_part(current_setting('server_version'), ' ', 1) as postgres,
    (select default_version from pg_available_extensions where name = 'timescaledb') as available,
    (select extversion from pg_extension where extname = 'timescaledb') as installed,
    current_setting('timescaledb.license', true) as license,
    least(
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        - coalesce(current_setting('reserved_connections', true)::integer, 0),
      (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
      (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)) as connections,
    (select count(*) from pg_stat_activity where backend_type = 'client backend' and application_name not like 'coppice%') as used,
    (select rolcreaterole or rolsuper from pg_roles where rolname = current_user) as "mayMakeRoles",
    exists (select from pg_roles where rolname = 'coppice_gsql' and pg_has_role(oid, 'member')) as "hasScriptRole",
    pg_is_in_recovery() as "isStandby",
    extract(epoch from now() - pg_last_xact_replay_timestamp()) as lag,
    extract(epoch from clock_timestamp()) * 1000 as now,
    pg_database_size(current_database()) as bytes`

const row = async <T extends object>(client: Client, text: string): Promise<T> => (await client.query<T>(text)).rows[0]!

/** A database of an older version has no column for the last backup. */
const installationOf = async (client: Client) => {
  const { rows } = await client.query<{ keyCheck: string; backedUp: string | null }>(
    `select to_jsonb(installation) ->> 'key_check' as "keyCheck",
       extract(epoch from (to_jsonb(installation) ->> 'backed_up_at')::timestamptz) * 1000 as "backedUp"
     from installation`,
  )
  const found = rows[0]
  return found && { keyCheck: Buffer.from(found.keyCheck.replace(/^\\x/, ''), 'hex'), backedUp: found.backedUp }
}

const recentBytesOf = async (client: Client): Promise<number> => {
  const { bytes } = await row<{ bytes: string }>(
    client,
    `select coalesce(sum(pg_total_relation_size(format('%I.%I', chunk_schema, chunk_name)::regclass)), 0) as bytes
     from timescaledb_information.chunks
     where hypertable_name = 'sample' and range_end > now() - interval '28 days' and range_start < now()`,
  )
  return Number(bytes)
}
