// The commands of all entities: components, templates, streams, units, cycles, folders, users, keys, OAuth clients,
// connectors, connections, saved queries, dashboards, organizations.
import type { Client } from '../../client/client.ts'
import { exit } from '../command.ts'
import type { Context } from '../context.ts'
import type { Given } from '../given.ts'
import { isGiven, textOf, textsOf, UsageError } from '../given.ts'
import { readMembers } from '../members.ts'
import { formOf, printRows, withTimes } from '../table.ts'
import type { Row } from '../table.ts'
import type { EntityCommand } from './entity.ts'
import { entityCommand, findEntity, printOne } from './entity.ts'

const byId = (id: string | undefined) => (id === undefined ? {} : { id })
const byName = (name: string | undefined) => (name === undefined ? {} : { name })

const component: EntityCommand = {
  name: 'components',
  entity: 'component',
  one: 'a component',
  many: 'components',
  columns: ['id', 'name', 'folder', 'timeZone', 'uid'],
  known: ['id'],
  options: { folder: { type: 'string', value: 'FOLDER', about: 'list those of this folder; make it there' } },
  filters: (_, given) => folderOf(given),
  begin: (id, _, given) => ({ ...byId(id), ...folderOf(given) }),
  examples: [
    'coppice components list boil',
    'coppice components make Tank folder=/Components/North timeZone=Europe/Berlin stream:=\'[{"id":"level"},{"id":"flow"}]\'',
    'coppice components change Tank description="Behind the hall"',
    'coppice components show Tank --json',
    'coppice components list --folder /Components/North --csv',
  ],
}
const folderOf = (given: Given) => {
  const folder = textOf(given, 'folder')
  return folder === undefined ? {} : { folder }
}

const template: EntityCommand = {
  name: 'templates',
  entity: 'template',
  one: 'a template',
  many: 'templates',
  columns: ['id', 'name', 'timeZone', 'uid'],
  known: ['id', 'name'],
  begin: byId,
  examples: [
    'coppice templates make heating stream:=\'[{"id":"temp"},{"id":"kWh","kind":"interval","baseCycleId":"15minute"}]\'',
    'coppice templates',
    'coppice put Boiler-7 temp=20 --template heating',
  ],
}

/** Streams are named within a component or a template. */
const ownerOf = async (client: Client, given: Given): Promise<Readonly<Record<string, string>>> => {
  const [of, ofTemplate] = [textOf(given, 'of'), textOf(given, 'of-template')]
  if (of !== undefined) return { componentUid: (await findEntity(client, component, of, {})).uid }
  return ofTemplate === undefined ? {} : { templateUid: (await findEntity(client, template, ofTemplate, {})).uid }
}

const stream: EntityCommand = {
  name: 'streams',
  entity: 'stream',
  one: 'a stream',
  many: 'streams',
  columns: ['id', 'name', 'kind', 'valueType', 'baseCycleId', 'expression', 'uid'],
  known: ['id', 'name'],
  options: {
    of: { type: 'string', value: 'COMPONENT', about: 'the component whose streams are meant' },
    'of-template': { type: 'string', value: 'TEMPLATE', about: 'the template whose streams are meant' },
  },
  filters: ownerOf,
  begin: async (id, _, given, client) => ({ ...byId(id), ...(await ownerOf(client, given)) }),
  examples: [
    'coppice streams --of Boiler',
    'coppice streams make fahrenheit --of Boiler expression="t * 9 / 5 + 32" variables:=\'[{"name":"t","streamId":"temp"}]\'',
    'coppice streams change temp --of Boiler name="Flow temperature"',
  ],
}

const unit: EntityCommand = {
  name: 'units',
  entity: 'unit',
  one: 'a unit',
  many: 'units',
  columns: ['id', 'name', 'symbol', 'numberFormat', 'uid'],
  known: ['id', 'name'],
  begin: byId,
  examples: [
    'coppice units make celsius symbol=" °C" numberFormat=0.0',
    'coppice streams change temp --of Boiler unitUid=$(coppice units uid celsius)',
  ],
}

const cycle: EntityCommand = {
  name: 'cycles',
  entity: 'cycle',
  one: 'a cycle',
  many: 'cycles',
  columns: ['id', 'name', 'size', 'unit', 'reference', 'timeZone', 'uid'],
  known: ['id', 'name'],
  begin: byId,
  examples: ['coppice cycles make shift size:=8 unit=hour reference=2026-01-01T06:00:00', 'coppice cycles list'],
}

const folder: EntityCommand = {
  name: 'folders',
  entity: 'folder',
  one: 'a folder',
  many: 'folders',
  columns: ['path', 'uid'],
  known: ['path'],
  begin: (path) => (path === undefined ? {} : { path }),
  examples: [
    'coppice folders make /Components/South',
    'coppice folders change /Components/South path=/Components/Coast',
    'coppice folders',
  ],
}

/** One's own password and e-mail are changed with the password that holds now. */
const currentPassword = async ({ uid }: Row, { ask }: Context, client: Client): Promise<Row> => {
  const { userUid } = await client.call('GET /api/login')
  return userUid === uid ? { currentPassword: await ask('current password: ', true) } : {}
}

const user: EntityCommand = {
  name: 'users',
  entity: 'user',
  one: 'a user',
  many: 'users',
  columns: ['email', 'firstName', 'lastName', 'role', 'uid'],
  known: ['email'],
  options: {
    role: { type: 'string', value: 'ROLE', about: 'of a new one: guest, member, admin, owner' },
    password: {
      type: 'boolean',
      about: 'ask for the password of a new or changed one (from the input, where that is no terminal)',
    },
  },
  begin: async (email, { ask }, given) => ({
    ...(email === undefined ? {} : { email }),
    ...(textOf(given, 'role') === undefined ? {} : { role: textOf(given, 'role') }),
    ...(isGiven(given, 'password') ? { password: await ask('password of the new user: ', true) } : {}),
  }),
  beforeChange: async (row, members, context, client) => {
    const { email = row['email'], currentPassword: given } = members
    return email === row['email'] || given !== undefined ? {} : currentPassword(row, context, client)
  },
  actions: {
    password: {
      usage: 'EMAIL (asks for the new password, and for your own where it is yours)',
      run: async ({ context, given, client, find }, [word]) => {
        const row = await find(word)
        const current = await currentPassword(row, context, client)
        const password = await context.ask('new password: ', true)
        return printOne(context, given, await client.entities('user').change(row.uid, { password, ...current }))
      },
    },
  },
  examples: [
    'coppice users make ann@example.org --role member --password < password.txt',
    'coppice users change ann@example.org firstName=Ann role=admin',
    'coppice users',
  ],
}

const key: EntityCommand = {
  name: 'keys',
  entity: 'api_key',
  one: 'an API key',
  many: 'API keys',
  columns: ['name', 'enabled', 'capabilities', 'addresses', 'uid'],
  known: ['name'],
  options: {
    can: {
      type: 'string',
      multiple: true,
      value: 'RIGHT',
      about: "a right of a new one, such as 'component/*/feed:GET,PUT'; repeatable",
    },
  },
  details: 'The secret of a new key is shown with it; coppice keys secret NAME shows it again, and that is audited.',
  begin: (name, _, given) => ({
    ...byName(name),
    ...(textsOf(given, 'can').length === 0 ? {} : { capabilities: textsOf(given, 'can').map(readRight) }),
  }),
  actions: {
    secret: {
      usage: 'NAME',
      run: async ({ context, client, find }, [word]) => {
        const { uid } = await find(word)
        const { secret } = await client.call('GET /api/api_key/{uid}/secret', { path: { uid } })
        await context.out(`${secret}\n`)
        return exit.done
      },
    },
  },
  examples: [
    "coppice keys make gateway --can 'component/*/feed:GET,PUT' --can gql:GET",
    'coppice keys',
    'coppice keys change gateway enabled:=false',
    'coppice keys secret gateway',
  ],
}

const readRight = (text: string) => {
  const mark = text.lastIndexOf(':')
  if (mark < 1) throw new UsageError(`'${text}' is no right such as component/*/feed:GET,PUT`)
  return {
    resource: text.slice(0, mark),
    methods: text
      .slice(mark + 1)
      .toUpperCase()
      .split(',')
      .filter(Boolean),
  }
}

const oauthClient: EntityCommand = {
  name: 'clients',
  entity: 'oauth_client',
  one: 'an OAuth client',
  many: 'OAuth clients',
  columns: ['clientId', 'name', 'redirectUris', 'hasSecret', 'uid'],
  known: ['clientId', 'name'],
  begin: byName,
  examples: [
    'coppice clients make Portal clientId=portal redirectUris:=\'["https://portal.example/back"]\' secret:=true',
    'coppice clients',
  ],
}

const connector: EntityCommand = {
  name: 'connectors',
  entity: 'connector',
  one: 'a connector',
  many: 'connectors',
  columns: ['name', 'type', 'enabled', 'endpoint', 'sinkUrl', 'uid'],
  known: ['name', 'endpoint'],
  begin: byName,
  details: 'The runs of imports: coppice imports.',
  actions: {
    calls: {
      usage: 'NAME',
      run: async ({ context, given, client, find }, [word]) => {
        const { uid } = await find(word)
        const { call } = await client.call('GET /api/connector/{uid}/call', { path: { uid } })
        await printRows(
          context,
          ['time', 'method', 'bytes', 'rows', 'ms', 'error'],
          withTimes(call, formOf(given)),
          formOf(given),
        )
        return exit.done
      },
    },
    test: {
      usage: 'sql=@script.sql variables:=\'{"HTTP_BODY":"21"}\'',
      run: async ({ context, given, client }, words) => {
        const body = await readMembers(context, given, words)
        const { rows } = await client.call('POST /api/connector/test', { body: body as never })
        await printRows(context, ['cid', 'id', 'time', 'sample'], rows, formOf(given))
        return exit.done
      },
    },
  },
  examples: [
    'coppice connectors test sql=@sink.sql variables:=\'{"HTTP_BODY":"{\\"d\\":\\"a\\",\\"v\\":1}"}\'',
    'coppice connectors make Hook type=http endpoint=hook runAsUserUid=$(coppice users uid $EMAIL) sql=@sink.sql',
    'coppice connectors calls Hook',
    'coppice connectors make Meters type=import connectionUid=$(coppice connections uid Plant) runningUserUid=$(coppice users uid $EMAIL) externalSql="SELECT meter, at, kwh FROM reading" ingestSql=@ingest.sql',
  ],
}

const connection: EntityCommand = {
  name: 'connections',
  entity: 'connection',
  one: 'a connection',
  many: 'connections',
  columns: ['name', 'kind', 'host', 'port', 'database', 'user', 'uid'],
  known: ['name'],
  options: {
    password: {
      type: 'boolean',
      about: 'ask for the password of a new one (from the input, where that is no terminal)',
    },
  },
  begin: async (name, { ask }, given) => ({
    ...byName(name),
    ...(isGiven(given, 'password') ? { password: await ask('password of the database user: ', true) } : {}),
  }),
  actions: {
    test: {
      usage: 'NAME',
      run: async ({ context, given, client, find }, [word]) => {
        const { uid } = await find(word)
        const { test } = await client.call('POST /api/connection/{uid}/test', { path: { uid } })
        await printOne(context, given, test)
        return test.ok ? exit.done : exit.refused
      },
    },
    preview: {
      usage: 'NAME SQL',
      run: async ({ context, given, client, find }, [word, sql]) => {
        const { uid } = await find(word)
        if (sql === undefined) throw new UsageError('which SQL?')
        const { preview } = await client.call('POST /api/connection/{uid}/preview', { path: { uid }, body: { sql } })
        const columns = preview.columns.map(({ name }) => name)
        const rows = preview.rows.map((row) => Object.fromEntries(columns.map((name, n) => [name, row[n]])))
        await printRows(context, columns, rows, formOf(given))
        return exit.done
      },
    },
  },
  examples: [
    'coppice connections make Plant kind=postgresql host=$DB_HOST port:=$DB_PORT database=$DB_NAME user=$DB_USER tls:=false --password < db-password.txt',
    'coppice connections test Plant',
    'coppice connections preview Plant "SELECT 1 AS meter, 2.5 AS kwh"',
    'coppice connections',
  ],
}

const savedQuery: EntityCommand = {
  name: 'queries',
  entity: 'query',
  one: 'a saved GS SQL script',
  many: 'saved GS SQL scripts',
  columns: ['name', 'timeZone', 'sql', 'uid'],
  known: ['name'],
  begin: byName,
  examples: ['coppice queries make all-streams sql=@script.sql', 'coppice queries'],
}

const dashboard: EntityCommand = {
  name: 'dashboards',
  entity: 'dashboard',
  one: 'a dashboard',
  many: 'dashboards',
  columns: ['name', 'description', 'uid'],
  known: ['name'],
  begin: byName,
  examples: [
    'coppice dashboards make North tile:=\'[{"kind":"text","text":"On duty: Ada"}]\'',
    'coppice dashboards show North --json',
    'coppice dashboards',
  ],
}

const organization: EntityCommand = {
  name: 'organizations',
  entity: 'organization',
  one: 'an organization',
  many: 'organizations',
  columns: ['name', 'timeZone', 'public', 'retentionDays', 'uid'],
  known: ['name'],
  begin: byName,
  examples: [
    'coppice organizations',
    'coppice organizations change "$ORG_NAME" brand:=null',
    'coppice organizations make "Second plant" timeZone=Europe/Paris',
    'coppice organizations remove "Second plant" --org $(coppice organizations uid "Second plant")',
  ],
}

export const entityCommands = [
  component,
  template,
  unit,
  stream,
  cycle,
  folder,
  user,
  key,
  oauthClient,
  connection,
  connector,
  savedQuery,
  dashboard,
  organization,
].map(entityCommand)

export { connector as connectorAbout, component as componentAbout, stream as streamAbout }
