// Connections to external databases in the management API (docs/imports.md#connections). Password, key and wallet come
// in and are never shown; a user who leads a connection elsewhere must know the password, so that it cannot be sent to
// a host of their own.
//
//   POST {"name":"ERP","kind":"postgresql","host":"erp.example","database":"erp","user":"reader","password":"..."}
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { badRequest, conflict, listed, notFound } from '../base/errors.ts'
import { ownMember } from '../base/own.ts'
import {
  blankable,
  boolean,
  further,
  needed,
  nullable,
  oneOf,
  readMembers,
  reader,
  shownOnly,
  shownUid,
  text,
  timeZone,
  versionNumber,
  wholeNumber,
} from '../base/http/members.ts'
import type { Members, Reader } from '../base/http/members.ts'
import type { Secrets } from '../base/secret.ts'
import type {
  Connection,
  ConnectionDefinition,
  ConnectionSecrets,
  ConnectionSettings,
  EncryptedSecrets,
} from '../core/connection.ts'
import {
  connectionKinds,
  connectionSorts,
  connectorsOfConnection,
  decryptSecrets,
  deleteConnection,
  encryptSecrets,
  findConnection,
  insertConnection,
  listConnections,
  lockConnection,
  updateConnection,
} from '../core/connection.ts'
import type { Listing } from '../core/listing.ts'
import type { Entity } from './entity.ts'
import { refuseStale, withGiven } from './entity.ts'

/** A name or an address; the address it leads to is checked when it is used. */
const host: Reader<string> = further(text(1, 253), {}, (name, given) => {
  if (isIP(given) === 0 && (!/^[\w.-]+$/.test(given) || /^[.-]/.test(given)))
    throw badRequest(`${name} must be a host's name or address, without a port`)
  return given
})

/** MariaDB is the kind mysql, and many look for it by its own name. */
const knownKind: Reader<Connection['kind']> = (() => {
  const read = oneOf(...connectionKinds)
  return reader(read.schema, (name, value) => read(name, value === 'mariadb' ? 'mysql' : value))
})()

const tls: Reader<Connection['tls']> = reader({ enum: [true, false, 'no-verify'] }, (name, value) => {
  if (value === true || value === false) return value ? 'true' : 'false'
  if (value === 'no-verify') return value
  throw badRequest(`${name} must be true, false or "no-verify"`)
})

const pem = (what: string, parse: (pem: string) => unknown): Reader<string> =>
  further(text(1, 100_000), { description: `${what} in PEM` }, (name, given) => {
    try {
      parse(given)
    } catch {
      throw badRequest(`${name} must be ${what} in PEM`)
    }
    return given
  })
const certificate = pem('a certificate', (given) => new X509Certificate(given))
const privateKey = pem('a private key without a passphrase', (given) => createPrivateKey(given))

/** A zone as MySQL's time_zone takes it. */
const sessionTimeZone: Reader<string> = reader({ type: 'string' }, (name, value) =>
  typeof value === 'string' && /^[+-](0?\d|1[0-4]):[0-5]\d$/.test(value) ? value : timeZone(name, value),
)

const instance: Reader<string> = further(text(1, 64), {}, (name, given) => {
  if (!/^[\w$#-]+$/.test(given)) throw badRequest(`${name} must be the name of an instance`)
  return given
})

const members = {
  uid: shownUid,
  name: text(1, 512),
  kind: knownKind,
  host,
  port: nullable(wholeNumber(1, 65_535)),
  database: text(1, 512),
  user: text(1, 512),
  password: text(0, 4096),
  tls,
  ca: blankable(certificate),
  certificate: blankable(certificate),
  key: blankable(privateKey),
  connectTimeoutMs: nullable(wholeNumber(100, 60_000)),
  searchPath: blankable(text(1, 1000)),
  sessionTimeZone: blankable(sessionTimeZone),
  instance: blankable(instance),
  sid: nullable(boolean),
  wallet: blankable(text(1, 100_000)),
  walletPassword: blankable(text(1, 4096)),
  hasPassword: shownOnly({ type: 'boolean' }),
  hasKey: shownOnly({ type: 'boolean' }),
  hasWallet: shownOnly({ type: 'boolean' }),
  version: versionNumber,
}

/** Members that one kind alone has. */
const ownMembers: Readonly<Record<string, Connection['kind']>> = {
  searchPath: 'postgresql',
  sessionTimeZone: 'mysql',
  instance: 'sqlserver',
  sid: 'oracle',
  wallet: 'oracle',
  walletPassword: 'oracle',
}

const settingNames = [
  'ca',
  'certificate',
  'connectTimeoutMs',
  'searchPath',
  'sessionTimeZone',
  'instance',
  'sid',
] as const satisfies readonly (keyof ConnectionSettings)[]
const secretNames = [
  'password',
  'key',
  'wallet',
  'walletPassword',
] as const satisfies readonly (keyof ConnectionSecrets)[]

/** A connection as replies show it: of its secrets, whether they are there. */
type Row = Omit<Connection, keyof EncryptedSecrets> & {
  readonly hasPassword: boolean
  readonly hasKey: boolean
  readonly hasWallet: boolean
}
type Change = Members<typeof members>
type New = Change & Required<Pick<Change, 'name' | 'kind' | 'host' | 'database' | 'user'>>

const read = (input: unknown): Change => readMembers('connection', input, members)

const filters = { kind: knownKind, host: text(0, 253) }

export const connectionEntity = (secrets: Secrets): Entity<Row, New, Change, typeof filters> => ({
  name: 'connection',
  about: {
    part: 'imports',
    one: 'a connection',
    many: 'connections',
    newMembers: members,
    changeMembers: members,
    needs: ['name', 'kind', 'host', 'database', 'user'],
    shown: { password: null, key: null, wallet: null, walletPassword: null },
    example: { name: 'Plant', kind: 'postgresql', host: '192.0.2.7', database: 'plant', user: 'reader', password: 'x' },
  },
  fixed: ['hasPassword', 'hasKey', 'hasWallet'],
  readNew: (input) => {
    return needed('a connection', read(input), 'name', 'kind', 'host', 'database', 'user')
  },
  readChange: read,
  filters,
  sorts: connectionSorts,
  list: async (sql, caller, search) =>
    rowsOf(secrets, await listConnections(sql, caller.organizationKey, search, search)),
  find: async (sql, caller, uid) => {
    const connection = await findConnection(sql, caller.organizationKey, uid)
    return connection && rowOf(secrets, connection)
  },
  secretsIn: (given) => secretNames.filter((name) => given[name] !== undefined),
  create: async (sql, caller, given) => {
    refuseOtherKinds(given.kind, given)
    const definition = {
      name: given.name,
      kind: given.kind,
      host: given.host,
      port: given.port ?? null,
      database: given.database,
      user: given.user,
      tls: given.tls ?? 'true',
      settings: settingsWith({}, given),
    }
    const encrypted = encryptSecrets(secrets, secretsWith({ password: '' }, given))
    return rowOf(secrets, await insertConnection(sql, caller.organizationKey, definition, encrypted))
  },
  update: async (sql, _caller, seen, given) => {
    const connection = await lockConnection(sql, seen.key)
    if (connection === undefined) throw notFound('connection', seen.uid)
    refuseStale('connection', given, connection)
    const named = withGiven<ConnectionDefinition>(connection, given)
    refuseOtherKinds(named.kind, given)
    const changed = { ...named, settings: keptOf(named.kind, settingsWith(connection.settings, given)) }
    const known = decryptSecrets(secrets, connection)
    const elsewhere = leadsElsewhere(connection, changed) ?? otherWallet(known, given)
    if (elsewhere !== undefined && given.password === undefined && known.password !== '')
      throw badRequest(`another ${elsewhere} needs the password again: give it in the same call`)
    const encrypted = encryptSecrets(secrets, keptOf(named.kind, secretsWith(known, given)))
    return rowOf(secrets, await updateConnection(sql, connection.key, changed, encrypted))
  },
  remove: async (sql, _caller, { key, uid }) => {
    if ((await lockConnection(sql, key)) === undefined) throw notFound('connection', uid)
    const users = await connectorsOfConnection(sql, key)
    if (users.length > 0) throw conflict(`this connection is used by ${listed(users)}`)
    await deleteConnection(sql, key)
    return undefined
  },
  show: (connection) => ({
    uid: connection.uid,
    name: connection.name,
    kind: connection.kind,
    host: connection.host,
    port: connection.port,
    database: connection.database,
    user: connection.user,
    tls: connection.tls === 'no-verify' ? connection.tls : connection.tls === 'true',
    ...Object.fromEntries(settingNames.map((name) => [name, connection.settings[name] ?? null])),
    hasPassword: connection.hasPassword,
    hasKey: connection.hasKey,
    hasWallet: connection.hasWallet,
    version: connection.version,
  }),
})

const rowOf = (secrets: Secrets, { passwordEncrypted, secretsEncrypted, ...connection }: Connection): Row => {
  const known = decryptSecrets(secrets, { passwordEncrypted, secretsEncrypted })
  return {
    ...connection,
    hasPassword: known.password !== '',
    hasKey: typeof known.key === 'string',
    hasWallet: typeof known.wallet === 'string',
  }
}

/** The secrets of a connection are most of what is read of it: none stays. */
const rowsOf = (secrets: Secrets, listing: Listing<Connection>): Listing<Row> => ({
  ...listing,
  read: async (most, roomBytes) => {
    const connections = await listing.read(most, roomBytes)
    return typeof connections === 'number' ? connections : connections.map((each) => rowOf(secrets, each))
  },
})

const settingsWith = (settings: ConnectionSettings, given: Change): ConnectionSettings =>
  withNames(settings, given, settingNames)

const secretsWith = (known: ConnectionSecrets, given: Change): ConnectionSecrets => withNames(known, given, secretNames)

/** The members there, with the given ones in their place; null takes one away. */
const withNames = <T extends object>(there: T, given: Change, names: readonly (keyof Change)[]): T => {
  const set = names.filter((name) => given[name] !== undefined).map((name) => [name, given[name]] as const)
  const all = { ...there, ...Object.fromEntries(set) }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null && value !== undefined)) as T
}

/** Members of another kind go with a change of kind. */
const keptOf = <T extends object>(kind: Connection['kind'], there: T): T =>
  Object.fromEntries(Object.entries(there).filter(([name]) => (ownMember(ownMembers, name) ?? kind) === kind)) as T

const refuseOtherKinds = (kind: Connection['kind'], given: Change): void => {
  for (const [name, owner] of Object.entries(ownMembers)) {
    const value = given[name as keyof Change]
    if (value !== undefined && value !== null && owner !== kind)
      throw badRequest(`${name} is for connections of the kind ${owner}`)
  }
}

/** A wallet has the authorities that a server is believed by, as ca has. */
const otherWallet = ({ wallet }: ConnectionSecrets, given: Change): string | undefined =>
  given.wallet !== undefined && (given.wallet ?? undefined) !== wallet ? 'wallet' : undefined

/** The member by whose change the password would be sent to somebody else, or where others can read it. */
const leadsElsewhere = (before: ConnectionDefinition, after: ConnectionDefinition): string | undefined => {
  for (const name of ['kind', 'host', 'port', 'user'] as const) if (before[name] !== after[name]) return name
  for (const name of ['instance', 'ca'] as const)
    if ((before.settings[name] ?? null) !== (after.settings[name] ?? null)) return name
  const strength = { true: 2, 'no-verify': 1, false: 0 }
  return strength[after.tls] < strength[before.tls] ? 'tls' : undefined
}
