// HTTP connectors in the management API (decisions 12, gs-sql.md 6). A script is checked when it is saved.
//
//   POST {"type":"http","name":"TTN","endpoint":"ttn","runAsUserUid":"...","sql":"INSERT OR REPLACE ..."}
import { badRequest, notFound } from '../base/errors.ts'
import { boolean, ignored, nullable, oneOf, readMembers, text, timeZone, wholeNumber } from '../base/members.ts'
import type { Members, Reader } from '../base/members.ts'
import type { Holders } from '../base/shares.ts'
import type { Transaction } from '../base/sql.ts'
import {
  deleteConnector,
  findConnector,
  insertConnector,
  listConnectors,
  lockConnector,
  updateConnector,
} from '../core/connector.ts'
import type { Connector } from '../core/connector.ts'
import { findMember } from '../core/user.ts'
import type { Entity } from './entity.ts'
import { readPage, stale } from './entity.ts'

/** The last part of the sink's address: what needs no escaping there. */
const endpoint: Reader<string> = (name, value) => {
  const given = text(1, 128)(name, value)
  if (!/^[A-Za-z0-9._~-]+$/.test(given) || /^\.+$/.test(given))
    throw badRequest(`${name} may have letters, digits and . _ ~ - only`)
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
  timeZone: nullable(timeZone),
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
    create: async (sql, { organizationKey }, given) => {
      const uid = await insertConnector(sql, organizationKey, {
        name: given.name,
        enabled: given.enabled ?? true,
        endpoint: given.endpoint,
        runAsUserKey: await userKey(sql, organizationKey, given.runAsUserUid),
        timeZone: given.timeZone ?? null,
        sql: given.sql,
        debug: given.debug ?? false,
      })
      return (await findConnector(sql, organizationKey, uid))!
    },
    update: async (sql, { organizationKey }, seen, given) => {
      const locked = await lockConnector(sql, seen.key)
      const connector = locked && (await findConnector(sql, organizationKey, seen.uid))
      if (connector === undefined) throw notFound('connector', seen.uid)
      if (given.version !== undefined && given.version !== connector.version) throw stale('connector')
      await updateConnector(sql, connector.key, {
        name: given.name ?? connector.name,
        enabled: given.enabled ?? connector.enabled,
        endpoint: given.endpoint ?? connector.endpoint,
        runAsUserKey:
          typeof given.runAsUserUid === 'string' ? await userKey(sql, organizationKey, given.runAsUserUid) : null,
        timeZone: given.timeZone === undefined ? connector.timeZone : given.timeZone,
        sql: given.sql ?? connector.sql,
        debug: given.debug ?? connector.debug,
      })
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
      sinkUrl: `${baseUrl()}/api/conn_sink/${connector.organizationUid}/${connector.endpoint}`,
      version: connector.version,
    }),
  }
}

const userKey = async (sql: Transaction, organizationKey: number, uid: string): Promise<number> => {
  const member = await findMember(sql, organizationKey, uid)
  if (member === undefined) throw notFound('user', uid)
  return member.key
}
