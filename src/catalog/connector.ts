// Connectors in the management API (docs/connectors.md#the-sink; imports: import-connector.ts). A script is checked when
// it is saved.
//
//   POST {"type":"http","name":"TTN","endpoint":"ttn","runAsUserUid":"...","sql":"INSERT OR REPLACE ..."}
import type { Clock } from '../base/clock.ts'
import { badRequest, notFound } from '../base/errors.ts'
import {
  blankable,
  boolean,
  further,
  identifier,
  needed,
  nullable,
  oneOf,
  readMembers,
  shownOnly,
  shownUid,
  text,
  timeZone,
  trueOrFalse,
  versionNumber,
} from '../base/http/members.ts'
import type { Members, Reader } from '../base/http/members.ts'
import type { Holders } from '../base/shares.ts'
import {
  connectorSorts,
  deleteConnector,
  findConnector,
  insertConnector,
  listConnectors,
  lockConnector,
  updateConnector,
} from '../core/connector.ts'
import type { Connector, ConnectorDefinition, HttpConnector } from '../core/connector.ts'
import type { Entity } from './entity.ts'
import { refuseStale, withGiven } from './entity.ts'
import { importConnectors, importMembers, readNewImport, showImport } from './import-connector.ts'
import type { NewImport } from './import-connector.ts'
import { runAs, runAsAgain } from './run-as.ts'

/** The last part of the sink's address, escaped there; clients make other addresses of two of them. */
const endpoint: Reader<string> = further(identifier, {}, (name, given) => {
  if (given === '.' || given === '..')
    throw badRequest(`${name} must not be . or .., which lead elsewhere in an address`)
  return given
})

const common = {
  uid: shownUid,
  type: oneOf('http', 'import'),
  name: text(1, 512),
  enabled: boolean,
  timeZone: blankable(timeZone),
  version: versionNumber,
}

const httpMembers = {
  endpoint,
  // Null is shown of a user who has left; given back it changes nothing.
  runAsUserUid: nullable(text(1, 64)),
  sql: text(1, 1_000_000),
  debug: boolean,
  sinkUrl: shownOnly({ type: 'string' }),
}

const members = { ...common, ...httpMembers, ...importMembers }

const filters = {
  type: common.type,
  enabled: trueOrFalse,
  endpoint: text(0, 512),
  connectionUid: text(0, 64),
  runAsUserUid: text(0, 64),
  runningUserUid: text(0, 64),
}

type Change = Members<typeof members> & {
  /** The names of all that is given. */
  readonly given: readonly string[]
}
type NewHttp = Change & Required<Pick<Change, 'name' | 'endpoint' | 'sql'>> & { readonly runAsUserUid: string }
type New = ({ readonly type: 'http' } & NewHttp) | ({ readonly type: 'import' } & Change & NewImport)

/** An http connector has no schedule, an import no endpoint. */
const refuseForeign = (type: Connector['type'], { given }: Change): void => {
  const [others, kind] = type === 'http' ? [importMembers, 'an http connector'] : [httpMembers, 'an import']
  const foreign = given.find((name) => Object.hasOwn(others, name))
  if (foreign !== undefined) throw badRequest(`${foreign} is no member of ${kind}`)
}

/** `check` and `checkIngest` throw where a script is wrong, with line and column; `baseUrl` is where sinks are reached. */
export const connectorEntity = ({
  check,
  checkIngest,
  baseUrl,
  clock,
}: {
  readonly check: (script: string, holders: Holders) => unknown
  readonly checkIngest: (script: string, holders: Holders) => unknown
  readonly baseUrl: () => string
  readonly clock: Clock
}): Entity<Connector, New, Change, typeof filters> => {
  const read = (input: unknown): Change => {
    const found = readMembers('connector', input, members)
    return { ...found, given: Object.keys(input as object) }
  }
  const imports = importConnectors(clock)
  return {
    name: 'connector',
    about: {
      part: 'connectors',
      one: 'a connector',
      many: 'connectors',
      newMembers: members,
      changeMembers: members,
      needs: ['name'],
      // The members of the other type.
      seldom: [...Object.keys(httpMembers), ...Object.keys(importMembers)],
      example: {
        name: 'Weather',
        endpoint: 'weather',
        runAsUserUid: '0b8f2d6e-4a1c-4d6b-9c57-3f5e8a7d1c20',
        sql: "INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Mast', 'wind', NOW(), JSON_Value(@HTTP_BODY, '$.wind')",
      },
    },
    fixed: ['sinkUrl'],
    readNew: (input) => {
      const given = read(input)
      const { type = 'http' } = given
      refuseForeign(type, given)
      if (type === 'import') return { ...given, type, ...readNewImport(given) }
      return { ...needed('an http connector', given, 'name', 'endpoint', 'runAsUserUid', 'sql'), type }
    },
    readChange: read,
    judge: async ({ sql, ingestSql }, holders) => {
      if (sql !== undefined) await check(sql, holders)
      if (ingestSql !== undefined) await checkIngest(ingestSql, holders)
    },
    filters,
    sorts: connectorSorts,
    list: (sql, caller, { runAsUserUid, runningUserUid, ...search }) =>
      listConnectors(sql, caller.organizationKey, search, { ...search, userUid: runAsUserUid ?? runningUserUid }),
    find: (sql, caller, uid) => findConnector(sql, caller.organizationKey, uid),
    create: async (sql, caller, given) => {
      const { organizationKey } = caller
      const uid =
        given.type === 'import'
          ? await imports.create(sql, caller, given)
          : await insertConnector(sql, organizationKey, {
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
      if (given.type !== undefined && given.type !== connector.type)
        throw badRequest(`type of connector cannot change, it is ${connector.type}`)
      refuseForeign(connector.type, given)
      refuseStale('connector', given, connector)
      if (connector.type === 'import') await imports.update(sql, caller, connector, given)
      else {
        const changed = withGiven(connector, {
          ...given,
          type: undefined,
          runAsUserUid: given.runAsUserUid ?? undefined,
        })
        const isOther = changed.runAsUserUid !== connector.runAsUserUid || doesOther(connector, changed)
        const runAsUserKey = isOther ? await runAsAgain(sql, caller, changed.runAsUserUid) : null
        await updateConnector(sql, connector.key, { ...changed, runAsUserKey })
      }
      return (await findConnector(sql, organizationKey, seen.uid))!
    },
    remove: async (sql, _caller, { key, uid }) => {
      if (!(await deleteConnector(sql, key))) throw notFound('connector', uid)
      return undefined
    },
    show: (connector) => {
      const { uid, type, name, enabled, runAsUserUid, sql, version } = connector
      if (connector.type === 'import') return showImport(connector)
      const sinkUrl = `${baseUrl()}/api/conn_sink/${connector.organizationUid}/${encodeURIComponent(connector.endpoint)}`
      return {
        uid,
        type,
        name,
        enabled,
        endpoint: connector.endpoint,
        runAsUserUid,
        timeZone: connector.timeZone,
        sql,
        debug: connector.debug,
        sinkUrl,
        version,
      }
    },
  }
}

/** Another name, the log's switch and switching it off let it do nothing else. */
const doesOther = (before: HttpConnector, after: Omit<ConnectorDefinition, 'runAsUserKey'>): boolean =>
  (after.enabled && !before.enabled) ||
  after.endpoint !== before.endpoint ||
  after.timeZone !== before.timeZone ||
  after.sql !== before.sql
