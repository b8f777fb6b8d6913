// OAuth clients in the management API (docs/oauth.md#clients).
//
//   POST {"name":"Watch","redirectUris":["https://watch.example/back"],"secret":true}
//   ->  the client with its clientId, and this once its secret
import { isDeepStrictEqual } from 'node:util'
import { demandClient } from '../access/cover.ts'
import { inRanges } from '../base/http/address.ts'
import { addressRange } from '../base/config.ts'
import { badRequest, notFound, shorten } from '../base/errors.ts'
import type { Members, Reader } from '../base/http/members.ts'
import {
  boolean,
  further,
  list,
  needed,
  readMembers,
  shownOnly,
  shownUid,
  text,
  trueOrFalse,
  versionNumber,
} from '../base/http/members.ts'
import type { Secrets } from '../base/secret.ts'
import { randomToken } from '../base/secret.ts'
import { endSomeOfClient, unfinishedAfter } from '../core/ending.ts'
import type { OauthClient } from '../core/oauth-client.ts'
import {
  clientSorts,
  deleteClient,
  findClient,
  insertClient,
  listClients,
  lockClient,
  updateClient,
} from '../core/oauth-client.ts'
import type { Entity } from './entity.ts'
import { refuseStale, withGiven } from './entity.ts'

const loopback = [addressRange('127.0.0.0/8'), addressRange('::1')]

/** Schemes that are no app's own: of a page's content, and of the network or a mail, where others read the code. */
const noSchemesOfApps: ReadonlySet<string> = new Set(
  'javascript data vbscript file blob about filesystem view-source ftp ws wss mailto'
    .split(' ')
    .map((name) => `${name}:`),
)

/** https, a scheme of an app's own, or http to the user's own machine (RFC 9700, 2.1; RFC 8252). */
const redirectUri: Reader<string> = further(text(1, 2000), {}, (name, written) => {
  // A scheme of one letter is a drive of some other system, and no URI to oauth2-server.
  if (!/^[A-Za-z][\x21-\x7e]*$/.test(written) || !URL.canParse(written) || /^.:|#/.test(written))
    throw badRequest(`${name} must be an absolute address without a fragment, not '${shorten(written)}'`)
  const { protocol, hostname } = new URL(written)
  if (noSchemesOfApps.has(protocol)) throw badRequest(`${name} must not have the scheme ${protocol}`)
  const isLocal = hostname === 'localhost' || inRanges(hostname.replace(/^\[|\]$/g, ''), loopback)
  // To a page of ours `https:portal.example` is an address of our own.
  if (/^https?:(?!\/\/)/i.test(written))
    throw badRequest(`${name} must have // behind ${protocol}, not '${shorten(written)}'`)
  if (protocol === 'http:' && !isLocal) throw badRequest(`${name} must be https, except on this machine itself`)
  return written
})
const clientId: Reader<string> = further(text(1, 200), {}, (name, written) => {
  if (!/^[A-Za-z0-9._~-]+$/.test(written)) throw badRequest(`${name} may have letters, digits and - . _ ~ only`)
  return written
})
const redirectUris: Reader<readonly string[]> = further(list(50, redirectUri), { minItems: 1 }, (name, uris) => {
  if (uris.length === 0) throw badRequest(`${name} must have an element`)
  return uris
})

const members = {
  uid: shownUid,
  clientId,
  name: text(1, 512),
  redirectUris,
  /** True asks for a new one, false takes it away. */
  secret: boolean,
  hasSecret: shownOnly({ type: 'boolean' }),
  passwordLogin: boolean,
  requirePkce: boolean,
  version: versionNumber,
}

type Row = OauthClient & { readonly secret?: string | undefined }
type Change = Members<typeof members>
type New = Change & Required<Pick<Change, 'name' | 'redirectUris'>>

const readClient = (input: unknown) => readMembers('oauth_client', input, members)

const filters = { clientId: text(0, 200), passwordLogin: trueOrFalse, requirePkce: trueOrFalse }

export const oauthClientEntity = (secrets: Secrets): Entity<Row, New, Change, typeof filters> => ({
  name: 'oauth_client',
  about: {
    part: 'oauth',
    one: 'an OAuth client',
    many: 'OAuth clients',
    newMembers: members,
    changeMembers: members,
    needs: ['name', 'redirectUris'],
    shown: { secret: { type: 'string', description: 'of a new secret, this once' } },
    seldom: ['secret'],
    example: { name: 'Portal', redirectUris: ['https://portal.example/callback'] },
  },
  fixed: ['hasSecret'],
  readNew: (input) => {
    return needed('an OAuth client', readClient(input), 'name', 'redirectUris')
  },
  readChange: readClient,
  filters,
  sorts: clientSorts,
  list: (sql, caller, search) => listClients(sql, caller.organizationKey, search, search),
  find: (sql, caller, uid) => findClient(sql, caller.organizationKey, uid),
  create: async (sql, caller, given) => {
    demandClient(caller)
    const secret = given.secret ? randomToken() : undefined
    const client = await insertClient(sql, caller.organizationKey, {
      clientId: given.clientId ?? randomToken().slice(0, 24),
      name: given.name,
      redirectUris: given.redirectUris,
      secretHash: secret === undefined ? null : secrets.hash(secret),
      // A client without a secret could be anybody: it gets no passwords, and proves that a code is its own.
      passwordLogin: given.passwordLogin ?? secret !== undefined,
      requirePkce: given.requirePkce ?? secret === undefined,
    })
    return { ...client, secret }
  },
  update: async (sql, caller, { key, uid }, given) => {
    const client = await lockClient(sql, key)
    if (client === undefined) throw notFound('oauth_client', uid)
    refuseStale('oauth_client', given, client)
    if (given.clientId !== undefined && given.clientId !== client.clientId)
      throw badRequest('clientId is set when a client is made, and stays')
    const secret = given.secret ? randomToken() : undefined
    const secretHash = secret === undefined ? (given.secret === false ? null : undefined) : secrets.hash(secret)
    const wanted = withGiven(client, { ...given, secretHash })
    // Every member decides who gets the grants to this client.
    if (!isDeepStrictEqual(wanted, client)) demandClient(caller)
    const changed = await updateClient(sql, key, wanted)
    return { ...changed, secret }
  },
  remove: async (sql, caller, { key, uid }) => {
    if ((await lockClient(sql, key)) === undefined) throw notFound('oauth_client', uid)
    const ended = await endSomeOfClient(sql, key)
    if (ended) return unfinishedAfter(sql, caller, 'oauth_client.end_some', uid, ended)
    await deleteClient(sql, key)
    return undefined
  },
  show: (client) => ({
    uid: client.uid,
    clientId: client.clientId,
    name: client.name,
    redirectUris: client.redirectUris,
    hasSecret: client.secretHash !== null,
    passwordLogin: client.passwordLogin,
    requirePkce: client.requirePkce,
    version: client.version,
    ...(client.secret === undefined ? {} : { secret: client.secret }),
  }),
})
