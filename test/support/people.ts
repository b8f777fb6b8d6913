// Users, keys, organizations and OAuth clients for tests, made directly in the database.
import { openSecrets, randomToken } from '../../src/base/secret.ts'
import type { Pool } from '../../src/base/database/sql.ts'
import { transaction } from '../../src/base/database/sql.ts'
import type { Capability } from '../../src/core/api-key.ts'
import { insertApiKey } from '../../src/core/api-key.ts'
import type { Role, Scope } from '../../src/core/caller.ts'
import type { NewOauthClient } from '../../src/core/oauth-client.ts'
import { insertClient } from '../../src/core/oauth-client.ts'
import { insertTokens } from '../../src/core/oauth-grant.ts'
import type { Organization } from '../../src/core/organization.ts'
import { createOrganization, findOrganization } from '../../src/core/organization.ts'
import { insertSession } from '../../src/core/session.ts'
import type { User } from '../../src/core/user.ts'
import { insertUser } from '../../src/core/user.ts'
import { hashCheaply, testMasterKey } from './service.ts'

export const testSecrets = openSecrets(testMasterKey)

export const testPassword = 'correct horse battery staple'

export const addUser = async (sql: Pool, email: string, timeZone = 'UTC'): Promise<User> => {
  const passwordHash = await hashCheaply(testPassword)
  return insertUser(sql, { email, firstName: 'Ada', lastName: 'Oak', timeZone, passwordHash, madeIn: null })
}

export const addMember = async (sql: Pool, organizationUid: string, user: User, role: Role): Promise<void> => {
  await sql`
    insert into member (organization_key, user_key, role)
    select key, ${user.key}, ${role} from organization where uid = ${organizationUid}`
}

export const addOrganization = (sql: Pool, name: string, owner: User): Promise<Organization> =>
  transaction(sql, (tx) => createOrganization(tx, name, owner.key))

/** Gives the session's token. */
export const addSession = async (sql: Pool, user: User, nowMs = Date.now()): Promise<string> => {
  const token = randomToken()
  await insertSession(sql, testSecrets.hash(token), user.key, nowMs)
  return token
}

export const addApiKey = async (
  sql: Pool,
  organizationUid: string,
  capabilities: readonly Capability[],
  more: { readonly addresses?: readonly string[]; readonly enabled?: boolean; readonly expiresMs?: number } = {},
) => {
  const organization = (await findOrganization(sql, organizationUid))!
  const apiKey = { name: 'a key', capabilities, addresses: [], enabled: true, expiresMs: null, ...more }
  return insertApiKey(sql, testSecrets, organization.key, apiKey)
}

export const addClient = async (
  sql: Pool,
  organizationUid: string,
  more: Partial<NewOauthClient> & { readonly secret?: string } = {},
) => {
  const organization = (await findOrganization(sql, organizationUid))!
  const { secret, ...client } = more
  return insertClient(sql, organization.key, {
    clientId: randomToken(),
    name: 'Greenhouse Watch',
    redirectUris: ['https://client.example/callback'],
    secretHash: secret === undefined ? null : testSecrets.hash(secret),
    passwordLogin: true,
    requirePkce: false,
    ...client,
  })
}

/** Gives an access token of a new client, as if the user had agreed. */
export const addToken = async (
  sql: Pool,
  organizationUid: string,
  user: User,
  { scope = 'read write', nowMs = Date.now() }: { readonly scope?: Scope; readonly nowMs?: number } = {},
): Promise<string> => {
  const client = await addClient(sql, organizationUid)
  const [grant] = await sql<[{ key: number }]>`
    insert into oauth_grant (client_key, user_key, organization_key, scope, created_at)
    values (${client.key}, ${user.key}, ${client.organizationKey}, ${scope}, ${nowMs})
    returning key`
  const token = randomToken()
  await insertTokens(sql, grant.key, scope, testSecrets.hash(token), testSecrets.hash(randomToken()), nowMs)
  return token
}
