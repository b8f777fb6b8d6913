// The first start: an empty database gets an owner, an organization and an API key for feeds
// (docs/operations.md#running-it).
import type { Secrets } from '../base/secret.ts'
import { hashPassword, randomPassword, randomToken } from '../base/secret.ts'
import type { Sql } from '../base/database/sql.ts'
import { transaction } from '../base/database/sql.ts'
import type { World } from '../base/world.ts'
import { insertApiKey } from './api-key.ts'
import { createOrganization } from './organization.ts'
import { insertUser } from './user.ts'

/** Secrets to be printed once; those that came from the environment are left out. */
export type FirstSecrets = {
  readonly organizationUid: string
  readonly ownerEmail: string
  readonly ownerPassword: string | undefined
  readonly feedApiKey: string | undefined
}

/** Gives undefined when the database already has a user. Of two servers that start at once, one does it. */
export const bootstrap = async (
  { sql: pool, config }: World,
  secrets: Secrets,
  hash: (password: string) => Promise<string> = hashPassword,
): Promise<FirstSecrets | undefined> => {
  if (!(await isEmpty(pool))) return undefined
  const ownerPassword = config.ownerPassword ?? randomPassword()
  const feedApiKey = config.feedApiKey ?? randomToken()
  const passwordHash = await hash(ownerPassword)
  return transaction(pool, async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtext('coppice bootstrap'))`
    if (!(await isEmpty(sql))) return undefined
    const owner = await insertUser(sql, {
      email: config.ownerEmail,
      firstName: '',
      lastName: '',
      timeZone: config.organizationTimeZone,
      passwordHash,
      madeIn: null,
    })
    const organization = await createOrganization(sql, config.organizationName, owner.key)
    const feeds = [{ resource: 'component/*/feed', methods: ['GET', 'PUT'] as const }]
    const apiKey = { name: 'First key', capabilities: feeds, addresses: [], enabled: true, expiresMs: null }
    await insertApiKey(sql, secrets, organization.key, apiKey, feedApiKey)
    return {
      organizationUid: organization.uid,
      ownerEmail: config.ownerEmail,
      ownerPassword: config.ownerPassword === undefined ? ownerPassword : undefined,
      feedApiKey: config.feedApiKey === undefined ? feedApiKey : undefined,
    }
  })
}

// Users count, not organizations: after its last organization is deleted, an installation is not new again.
const isEmpty = async (sql: Sql): Promise<boolean> => {
  const rows = await sql`select from user_account limit 1`
  return rows.length === 0
}
