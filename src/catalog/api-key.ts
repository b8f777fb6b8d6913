// API keys in the management API (docs/access.md#api-keys), with View Secret Key.
//
//   POST {"name":"Boiler","capabilities":[{"resource":"component/<uid>/feed","methods":["PUT"]}]}
//   ->  the key, and this once its secret
import { isDeepStrictEqual } from 'node:util'
import { namedIn, readCapabilities } from '../access/capability.ts'
import { demandCapabilities } from '../access/cover.ts'
import type { Call, Route } from '../base/http/call.ts'
import { envelopeReply } from '../base/http/description.ts'
import { writtenRange } from '../base/config.ts'
import { badRequest, conflict, notFound, shorten } from '../base/errors.ts'
import type { Members, Reader } from '../base/http/members.ts'
import {
  boolean,
  epochMs,
  further,
  list,
  nullable,
  reader,
  readMembers,
  shownUid,
  text,
  trueOrFalse,
  versionNumber,
} from '../base/http/members.ts'
import { jsonReply } from '../base/http/reply.ts'
import type { Clock } from '../base/clock.ts'
import type { Secrets } from '../base/secret.ts'
import type { Transaction } from '../base/database/sql.ts'
import { callerTransaction } from '../base/database/caller-transaction.ts'
import { holdersOfCall } from '../base/http/room.ts'
import type { World } from '../base/world.ts'
import type { ApiKey, Capability, NewApiKey } from '../core/api-key.ts'
import {
  apiKeySorts,
  deleteApiKey,
  findApiKey,
  insertApiKey,
  listApiKeys,
  lockApiKey,
  revealSecret,
  updateApiKey,
} from '../core/api-key.ts'
import { writeAudit } from '../core/audit.ts'
import type { Caller } from '../core/caller.ts'
import { demand } from '../core/caller.ts'
import { existingUids, uidByName } from '../core/named.ts'
import type { Entity, Guard } from './entity.ts'
import { entityRoutes, refuseStale, withGiven } from './entity.ts'

const address: Reader<string> = further(text(1, 50), { examples: ['10.0.0.0/8'] }, (name, given) => {
  const written = given.trim()
  try {
    writtenRange(written)
  } catch {
    throw badRequest(`${name} '${shorten(written)}' is not an address, nor a range such as 10.0.0.0/8`)
  }
  return written
})

/**
 * Characters that can stand in a URL, a cookie and a header; a colon would divide it in the Basic header
 * (docs/access.md#api-keys).
 */
const secret: Reader<string> = further(text(8, 256), {}, (name, written) => {
  if (!/^[!#-+\-./0-9<-[\]-~]+$/.test(written))
    throw badRequest(
      `${name} may have letters, digits and signs, but no blank, quote, comma, colon, semicolon or backslash`,
    )
  return written
})

const members = {
  uid: shownUid,
  name: text(1, 512),
  capabilities: readCapabilities,
  addresses: list(100, address),
  enabled: boolean,
  expires: nullable(epochMs),
  secret,
  version: versionNumber,
}

const fixedSecret: Reader<undefined> = reader({ readOnly: true }, () => {
  throw badRequest('the secret of an API key stays; make a new key instead')
})

type Row = ApiKey & { readonly secret?: string }
type New = { readonly apiKey: NewApiKey; readonly secret: string | undefined }
type Change = Omit<Members<typeof members>, 'secret'>

const filters = { name: text(0, 512), enabled: trueOrFalse }

const apiKeyEntity = (secrets: Secrets, clock: Clock): Entity<Row, New, Change, typeof filters> => ({
  name: 'api_key',
  about: {
    part: 'access',
    one: 'an API key',
    many: 'API keys',
    newMembers: members,
    changeMembers: { ...members, secret: fixedSecret },
    needs: ['name'],
    shown: { secret: { type: 'string', description: 'of a new key, this once' } },
    seldom: ['secret'],
    example: { name: 'Gateway', capabilities: [{ resource: 'component/*/feed', methods: ['GET', 'PUT'] }] },
  },
  readNew: (input) => {
    const given = readMembers('api_key', input, members)
    if (given.name === undefined) throw badRequest('an API key must have a name')
    refusePast(given.expires, clock)
    const apiKey = {
      name: given.name,
      capabilities: given.capabilities ?? [],
      addresses: given.addresses ?? [],
      enabled: given.enabled ?? true,
      expiresMs: given.expires ?? null,
    }
    return { apiKey, secret: given.secret }
  },
  readChange: (input) => readMembers('api_key', input, { ...members, secret: fixedSecret }),
  filters,
  sorts: apiKeySorts,
  list: (sql, caller, search) => listApiKeys(sql, caller.organizationKey, search, search),
  find: (sql, caller, uid) => findApiKey(sql, caller.organizationKey, uid),
  create: async (sql, caller, { apiKey, secret: given }) => {
    demandCapabilities(caller, apiKey)
    await refuseUnknown(sql, caller, apiKey.capabilities)
    return insertApiKey(sql, secrets, caller.organizationKey, apiKey, given)
  },
  update: async (sql, caller, { key, uid }, given) => {
    const apiKey = await lockApiKey(sql, key)
    if (apiKey === undefined) throw notFound('api_key', uid)
    refuseStale('api_key', given, apiKey)
    const changed = withGiven(apiKey, { ...given, expiresMs: given.expires })
    // An expired key can be sent back as it was read.
    if (changed.expiresMs !== apiKey.expiresMs) refusePast(changed.expiresMs, clock)
    if (isStronger(apiKey, changed)) demandCapabilities(caller, changed)
    // A row may name an entity that is gone by now: it does no harm, and the key can be sent back as it was read.
    const isNew = ({ resource }: Capability) => apiKey.capabilities.every((row) => row.resource !== resource)
    await refuseUnknown(sql, caller, changed.capabilities.filter(isNew))
    return updateApiKey(sql, key, changed)
  },
  remove: async (sql, _caller, { key, uid }) => {
    if (!(await deleteApiKey(sql, key))) throw notFound('api_key', uid)
    return undefined
  },
  show: (apiKey) => ({
    uid: apiKey.uid,
    name: apiKey.name,
    // The database keeps members in an order of its own.
    capabilities: apiKey.capabilities.map(({ resource, methods }) => ({ resource, methods })),
    addresses: apiKey.addresses,
    enabled: apiKey.enabled,
    expires: apiKey.expiresMs,
    version: apiKey.version,
    ...(apiKey.secret === undefined ? {} : { secret: apiKey.secret }),
  }),
})

const refusePast = (expiresMs: number | null | undefined, clock: Clock): void => {
  if (typeof expiresMs === 'number' && expiresMs <= clock.now())
    throw badRequest('expires is in the past: to switch a key off, set enabled to false')
}

/** Everything but another name and switching it off can give rights. */
const isStronger = (before: NewApiKey, after: NewApiKey): boolean =>
  (after.enabled && !before.enabled) ||
  after.expiresMs !== before.expiresMs ||
  !isDeepStrictEqual(after.addresses, before.addresses) ||
  !isDeepStrictEqual(after.capabilities, before.capabilities)

const refuseUnknown = async (sql: Transaction, caller: Caller, capabilities: readonly Capability[]): Promise<void> => {
  for (const [entity, uids] of namedIn(capabilities)) {
    const known = await existingUids(sql, caller.organizationKey, entity, uids)
    const unknown = uids.find((uid) => !known.has(uid))
    if (unknown === undefined) continue
    const meant = entity === 'component' ? await uidByName(sql, caller.organizationKey, entity, unknown) : undefined
    const hint =
      meant !== undefined && caller.may('GET component', meant)
        ? `that is the ID of the component with the uid ${meant}`
        : `there is no ${entity} with this uid`
    throw badRequest(`capabilities name a ${entity} by its uid, not its ID, and '${shorten(unknown)}' is none: ${hint}`)
  }
}

export const apiKeyRoutes = (world: World, guard: Guard, secrets: Secrets): readonly Route[] => {
  const reveal = async (caller: Caller, call: Call) => {
    const uid = call.params['uid']!
    demand(caller, 'GET api_key/secret', uid)
    const revealed = await callerTransaction(world.sql, holdersOfCall(call), async (sql) => {
      const apiKey = await findApiKey(sql, caller.organizationKey, uid)
      if (apiKey === undefined) throw notFound('api_key', uid)
      // A caller who knows the secret has the rights of its key.
      demandCapabilities(caller, apiKey)
      await writeAudit(sql, caller, 'api_key.reveal', uid)
      return revealSecret(sql, secrets, apiKey.key)
    })
    if (revealed === undefined) throw conflict('this secret was encrypted by another MASTER_KEY')
    const reply = jsonReply({ success: true, message: '', secret: revealed })
    return { ...reply, headers: { ...reply.headers, 'Cache-Control': 'no-store' } }
  }
  return [
    ...entityRoutes(world, guard, apiKeyEntity(secrets, world.clock)),
    {
      method: 'GET',
      path: '/api/api_key/:uid/secret',
      handle: guard(reveal),
      description: {
        part: 'access',
        summary: 'View the secret of an API key',
        path: { uid: { type: 'string' } },
        reply: envelopeReply('secret', { type: 'string' }),
      },
    },
  ]
}
