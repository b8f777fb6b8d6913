// coppice sql-role: roles of the database for people who ask by SQL (docs/bi.md).
import { Fault } from '../../base/errors.ts'
import type { Config } from '../../base/config.ts'
import { openPool } from '../../base/database/pool.ts'
import { primaryUrl } from '../../base/database/primary.ts'
import type { Pool } from '../../base/database/sql.ts'
import { organizationNames } from '../../core/organization.ts'
import { createSqlRole, dropSqlRole, listSqlRoles } from '../../core/sql-role/sql-role.ts'
import type { Command } from '../command.ts'
import { exit } from '../command.ts'
import type { Context } from '../context.ts'
import type { Given } from '../given.ts'
import { isGiven, textOf, UsageError } from '../given.ts'
import { HostError, hostConfig, refuseOutdated, withDatabase } from './host.ts'

export const runSqlRole: Command['run'] = (context, given) => {
  const [action, name, ...more] = given.positionals
  const isWhole = more.length === 0 && (action === 'drop') === (name !== undefined)
  if (!isWhole || (action !== 'create' && action !== 'list' && action !== 'drop'))
    throw new UsageError('create a role, list them, or drop one by its name')
  const config = hostConfig(context)
  return withDatabase(context, config, async (databaseUrl, adminUrl = databaseUrl) => {
    await refuseOutdated(databaseUrl)
    const sql = openPool(databaseUrl, { connections: 2, name: 'coppice sql-role' })
    const admin = openPool(adminUrl, { connections: 1, name: 'coppice sql-role' })
    try {
      if (action === 'create') await create(context, given, config, { sql, admin }, databaseUrl)
      else if (action === 'list') await list(context, given, sql)
      else await dropSqlRole(sql, name!).then(() => context.err(`The role ${name} is gone.\n`))
      return exit.done
    } catch (error) {
      throw error instanceof Fault ? new HostError(sentenceOf(error)) : error
    } finally {
      await Promise.all([sql, admin].map((pool) => pool.end({ timeout: 1 })))
    }
  })
}

const sentenceOf = ({ message }: Fault) => `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`

const create = async (
  context: Context,
  given: Given,
  config: Config,
  { sql, admin }: { readonly sql: Pool; readonly admin: Pool },
  databaseUrl: string,
): Promise<void> => {
  const organizationUid = textOf(given, 'org') ?? (await onlyOrganization(sql))
  const role = await createSqlRole(sql, { organizationUid, name: textOf(given, 'name') }, context.now(), admin)
  const own = new URL(await primaryUrl(databaseUrl))
  const url = `postgres://${role.name}:${role.password}@${own.host}${own.pathname}`
  const shown = { role: role.name, password: role.password, url, organization: role.organizationName }
  await context.err(`A role for ${role.organizationName}. The password is shown only this once:\n`)
  if (isGiven(given, 'json')) await context.out(`${JSON.stringify(shown)}\n`)
  else await context.out(`role      ${shown.role}\npassword  ${shown.password}\nurl       ${shown.url}\n`)
  if (!role.isClosed)
    await context.err(
      "The database's user is no superuser: until one has taken some functions from everybody, this role could remove samples of all organizations and stop uploads (docs/bi.md#rights-and-limits-of-a-role).\n",
    )
  if (role.elsewhere.length > 0)
    await context.err(
      `It may connect to other databases of this PostgreSQL, too, and do there what everybody may. As a superuser, run: revoke connect on database ${role.elsewhere.join(', ')} from public\n`,
    )
  if (config.databaseUrl === undefined && config.embeddedPort === undefined)
    await context.err('The port is another one after the next start of the server: set EMBEDDED_PORT.\n')
}

const onlyOrganization = async (sql: Pool): Promise<string> => {
  const [only, ...others] = await organizationNames(sql)
  if (only !== undefined && others.length === 0) return only.uid
  const listed = [only, ...others].map((one) => `${one?.uid} (${one?.name})`).join(', ')
  throw new HostError(`Name the organization by --org: ${listed}.`)
}

const list = async (context: Context, given: Given, sql: Pool): Promise<void> => {
  const roles = await listSqlRoles(sql)
  if (isGiven(given, 'json')) return context.out(`${JSON.stringify(roles)}\n`)
  if (roles.length === 0) await context.err('There are no SQL roles.\n')
  for (const { name, organizationUid, organizationName, createdMs, state } of roles)
    await context.out(
      `${name}  ${organizationUid ?? '-'}  ${new Date(createdMs).toISOString()}  ${state}  ${organizationName ?? 'its organization is gone'}\n`,
    )
}
