// HTTP connectors in the management API (docs/connectors.md#the-sink). A script is checked when it is saved.
//
//   POST {"type":"http","name":"TTN","endpoint":"ttn","runAsUserUid":"...","sql":"INSERT OR REPLACE ..."}
import { demandRunAs } from '../access/cover.ts'
import { badRequest, notFound } from '../base/errors.ts'
import {
  blankable,
  boolean,
  identifier,
  ignored,
  nullable,
  oneOf,
  readMembers,
  text,
  timeZone,
  wholeNumber,
} from '../base/http/members.ts'
import type { Members, Reader } from '../base/http/members.ts'
import type { Holders } from '../base/shares.ts'
import type { Transaction } from '../base/database/sql.ts'
import type { Caller } from '../core/caller.ts'
import {
  deleteConnector,
  findConnector,
  insertConnector,
  listConnectors,
  lockConnector,
  updateConnector,
} from '../core/connector.ts'
import type { Connector, ConnectorDefinition } from '../core/connector.ts'
import { findMember } from '../core/user.ts'
import type { Entity } from './entity.ts'
import { readPage, refuseStale, withGiven } from './entity.ts'

/** The last part of the sink's address, escaped there; clients make other addresses of two of them. */
const endpoint: Reader<string> = (name, value) => {
  const given = identifier(name, value)
  if (given === '.' || given === '..')
    throw badRequest(`${name} must not be . or .., which lead elsewhere in an address`)
  return given
}

const members = {
  uid: ignored,
  type: oneOf('http'),
  name: text(1, 512),
  enabled: boolean,
  endpoint,
  // Null is shown of a user who has left; given back it changes nothing.
  runAsUserUid: nullable(text(1, 64)),
  timeZone: blankable(timeZone),
  sql: text(1, 1_000_000),
  debug: boolean,
  sinkUrl: ignored,
  version: wholeNumber(1, 2 ** 31 - 1),
}

type Change = Members<typeof members>
type New = Change & Required<Pick<Change, 'name' | 'endpoint' | 'sql'>> & { readonly runAsUserUid: string }

/** `check` throws where a script is wrong, with line and column; `baseUrl` is where sinks are reached. */
export const connectorEntity = (
  check: (script: string, holders: Holders) => unknown,
  baseUrl: () => string,
): Entity<Connector, New, Change> => {
  const read = (input: unknown): Change => readMembers('connector', input, members)
  return {
    name: 'connector',
    fixed: ['sinkUrl'],
    readNew: (input) => {
      const given = read(input)
      const { name, endpoint: place, runAsUserUid, sql } = given
      if (name === undefined || place === undefined || typeof runAsUserUid !== 'string' || sql === undefined)
        throw badRequest('a connector needs name, endpoint, runAsUserUid and sql')
      return { ...given, name, endpoint: place, runAsUserUid, sql }
    },
    readChange: read,
    judge: async ({ sql }, holders) => {
      if (sql !== undefined) await check(sql, holders)
    },
    readSearch: readPage,
    list: (sql, caller, page) => listConnectors(sql, caller.organizationKey, page),
    find: (sql, caller, uid) => findConnector(sql, caller.organizationKey, uid),
    create: async (sql, caller, given) => {
      const { organizationKey } = caller
      const uid = await insertConnector(sql, organizationKey, {
        name: given.name,
        enabled: given.enabled ?? true,
        endpoint: given.endpoint,
        runAsUserKey: await runAs(sql, caller, given.runAsUserUid),
        timeZone: given.timeZone ?? null,
        sql: given.sql,
        debug: given.debug ?? false,
      })
      return (await findConnector(sql, organizationKey, uid))!
    },
    update: async (sql, caller, seen, given) => {
      const { organizationKey } = caller
      const locked = await lockConnector(sql, seen.key)
      const connector = locked && (await findConnector(sql, organizationKey, seen.uid))
      if (connector === undefined) throw notFound('connector', seen.uid)
      refuseStale('connector', given, connector)
      const changed = withGiven(connector, { ...given, runAsUserUid: given.runAsUserUid ?? undefined })
      const userUid = changed.runAsUserUid
      const isOther = userUid !== connector.runAsUserUid || doesOther(connector, changed)
      // One who has left may come back in any role.
      if (isOther && userUid === null) demandRunAs(caller, 'owner')
      const runAsUserKey = isOther && userUid !== null ? await runAs(sql, caller, userUid) : null
      await updateConnector(sql, connector.key, { ...changed, runAsUserKey })
      return (await findConnector(sql, organizationKey, seen.uid))!
    },
    remove: async (sql, _caller, { key }) => {
      await deleteConnector(sql, key)
      return false
    },
    show: (connector) => ({
      uid: connector.uid,
      type: connector.type,
      name: connector.name,
      enabled: connector.enabled,
      endpoint: connector.endpoint,
      runAsUserUid: connector.runAsUserUid,
      timeZone: connector.timeZone,
      sql: connector.sql,
      debug: connector.debug,
      sinkUrl: `${baseUrl()}/api/conn_sink/${connector.organizationUid}/${encodeURIComponent(connector.endpoint)}`,
      version: connector.version,
    }),
  }
}

/** Another name, the log's switch and switching it off let it do nothing else. */
const doesOther = (before: Connector, after: Omit<ConnectorDefinition, 'runAsUserKey'>): boolean =>
  (after.enabled && !before.enabled) ||
  after.endpoint !== before.endpoint ||
  after.timeZone !== before.timeZone ||
  after.sql !== before.sql

/** The key of the user whom the caller may let a script run as. */
const runAs = async (sql: Transaction, caller: Caller, uid: string): Promise<number> => {
  const member = await findMember(sql, caller.organizationKey, uid)
  // A caller that may give no role at all does not learn which users there are.
  demandRunAs(caller, member?.role ?? 'guest')
  if (member === undefined) throw notFound('user', uid)
  return member.key
}
