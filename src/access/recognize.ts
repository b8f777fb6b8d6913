// Recognizes a credential: finds its owner in the database or in memory (memory.ts). judge.ts decides whether it is
// good for the call at hand.
import type { AddressRange } from '../base/config.ts'
import { addressRange } from '../base/config.ts'
import { unauthorized } from '../base/errors.ts'
import type { Secrets } from '../base/secret.ts'
import type { Sql } from '../base/database/sql.ts'
import { readAccessChanges } from '../core/access-change.ts'
import { findApiKeyBySecret } from '../core/api-key.ts'
import type { Caller } from '../core/caller.ts'
import { publicCaller } from '../core/caller.ts'
import { findOrganization } from '../core/organization.ts'
import type { TokenHolder } from '../core/session.ts'
import { findTokenHolder } from '../core/session.ts'
import type { Membership } from '../core/user.ts'
import { keyRights, namedIn, rowThatShuts, rulesFrom } from './capability.ts'
import type { Credential } from './credential.ts'
import type { LookUps } from './look-up.ts'
import { openLookUps } from './look-up.ts'
import type { Memory, Remembered } from './memory.ts'
import { openMemory } from './memory.ts'

/** A user who signed in, before the organization of the call is settled. */
export type SignedIn = {
  readonly userKey: number
  readonly userUid: string
  /** An OAuth token has that of its organization alone. */
  readonly memberships: readonly Membership[]
  readonly by: BySession | ByGrant
}
export type BySession = { readonly kind: 'session'; readonly hash: Buffer }
/** The grant of an OAuth token. */
type ByGrant = { readonly kind: 'grant' } & NonNullable<TokenHolder['grant']>

export type KnownKey = Remembered & {
  readonly kind: 'api_key'
  readonly caller: Caller
  readonly cookieCaller: Caller
  readonly isEnabled: boolean
  readonly expiresMs: number | null
  readonly ranges: readonly AddressRange[]
  /** All that says what it may do, from where and until when. */
  readonly rights: string
}
export type KnownToken = Remembered & {
  readonly kind: 'token'
  readonly user: SignedIn
  expiresMs: number
  touchedMs: number | null
}
type KnownOrganization = Remembered & { readonly kind: 'organization'; readonly caller: Caller | undefined }
type Known = KnownKey | KnownToken | KnownOrganization

export type Recognition = {
  readonly sql: Sql
  readonly secrets: Secrets
  readonly memory: Memory<Known>
  readonly lookUps: LookUps
}

export const openRecognition = (sql: Sql, secrets: Secrets): Recognition => ({
  sql,
  secrets,
  memory: openMemory<Known>((since) => readAccessChanges(sql, since)),
  lookUps: openLookUps(),
})

/** Throws 401 where nobody has such a credential of that kind; without waiting where memory serves. */
export const recognize = (
  recognition: Recognition,
  credential: Credential,
  address: string,
): KnownKey | KnownToken | Promise<KnownKey | KnownToken> => {
  const { memory } = recognition
  const settling = memory.settle()
  const known = settling === undefined ? memory.get(credential.secret) : undefined
  return known === undefined
    ? recognizeSlowly(recognition, credential, address, settling)
    : demandKind(known, credential)
}

const recognizeSlowly = async (
  recognition: Recognition,
  credential: Credential,
  address: string,
  settling: Promise<void> | undefined,
): Promise<KnownKey | KnownToken> => {
  await settling
  return demandKind(
    await find(recognition, credential.secret, address, () => lookUp(recognition, credential), credential.kind),
    credential,
  )
}

/** The turn comes first: a look-up that changes of others overtake is not remembered. */
const find = async (
  { memory, lookUps }: Recognition,
  name: string,
  address: string,
  look: () => Promise<Known | undefined>,
  place: Known['kind'] | 'bearer',
): Promise<Known | undefined> =>
  memory.get(name) ?? lookUps.inTurn(address, async () => memory.get(name) ?? memory.find(name, look, place))

const demandKind = (known: Known | undefined, { kind }: Credential): KnownKey | KnownToken => {
  if (known === undefined || known.kind === 'organization' || (kind !== 'bearer' && known.kind !== kind))
    throw unauthorized(`unknown ${credentialWords[kind]}`)
  return known
}

const credentialWords = { token: 'session or token', api_key: 'API key', bearer: 'session, token or API key' }

/** The caller that anyone is to a public organization; undefined where there is none. */
export const findPublicCaller = async (
  recognition: Recognition,
  uid: string,
  address: string,
): Promise<Caller | undefined> => {
  const { memory, sql } = recognition
  await memory.settle()
  const known = await find(
    recognition,
    `organization ${uid}`,
    address,
    () => lookUpOrganization(sql, uid),
    'organization',
  )
  return known?.kind === 'organization' ? known.caller : undefined
}

const lookUp = ({ sql, secrets }: Recognition, { kind, secret }: Credential): Promise<Known | undefined> => {
  const hash = secrets.hash(secret)
  switch (kind) {
    case 'token':
      return lookUpToken(sql, hash)
    case 'api_key':
      return lookUpKey(sql, hash)
    case 'bearer':
      return lookUpBearer(sql, hash)
  }
}

const lookUpBearer = async (sql: Sql, hash: Buffer): Promise<Known | undefined> =>
  (await lookUpToken(sql, hash)) ?? lookUpKey(sql, hash)

const lookUpKey = async (sql: Sql, hash: Buffer): Promise<KnownKey | undefined> => {
  const apiKey = await findApiKeyBySecret(sql, hash)
  if (apiKey === undefined) return undefined
  const rules = rulesFrom(apiKey.capabilities)
  const caller: Caller = {
    organizationKey: apiKey.organizationKey,
    organizationUid: apiKey.organizationUid,
    tenantUid: apiKey.tenantUid,
    actor: `api_key ${apiKey.uid}`,
    user: undefined,
    byCookie: false,
    may: keyRights(rules),
    key: {
      named: namedIn(apiKey.capabilities),
      addresses: apiKey.addresses,
      expiresMs: apiKey.expiresMs,
      rowThatShuts: (permission) => rowThatShuts(rules, permission),
    },
  }
  const rights = JSON.stringify([apiKey.capabilities, apiKey.addresses, apiKey.enabled, apiKey.expiresMs])
  return {
    kind: 'api_key',
    tags: [`api_key ${apiKey.key}`, `organization ${apiKey.organizationKey}`],
    // As a text, as rows, and as rules; and each address as a range.
    bytes: 4 * rights.length + 250 * apiKey.addresses.length,
    group: `tenant ${apiKey.tenantUid}`,
    caller,
    cookieCaller: { ...caller, byCookie: true },
    isEnabled: apiKey.enabled,
    expiresMs: apiKey.expiresMs,
    ranges: apiKey.addresses.map(addressRange),
    rights,
  }
}

const lookUpToken = async (sql: Sql, hash: Buffer): Promise<KnownToken | undefined> => {
  const holder = await findTokenHolder(sql, hash)
  if (holder === undefined) return undefined
  const { grant, userKey, userUid, tenantUid, memberships } = holder
  return {
    kind: 'token',
    bytes: 300 * memberships.length,
    // Each by itself, a few people of one tenant would together have what all others need.
    group: `people of tenant ${tenantUid ?? ''}`,
    person: `user ${userUid}`,
    tags: [`user ${userKey}`, grant === null ? `session \\x${hash.toString('hex')}` : `grant ${grant.key}`],
    user: {
      userKey,
      userUid,
      memberships,
      by: grant === null ? { kind: 'session', hash } : { kind: 'grant', ...grant },
    },
    expiresMs: holder.expiresMs,
    touchedMs: holder.usedMs,
  }
}

const lookUpOrganization = async (sql: Sql, uid: string): Promise<KnownOrganization | undefined> => {
  const organization = await findOrganization(sql, uid)
  if (organization === undefined) return undefined
  const { key, isPublic } = organization
  const caller = isPublic ? publicCaller(organization) : undefined
  return { kind: 'organization', tags: [`organization ${key}`], caller }
}
