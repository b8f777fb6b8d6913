// The connectors' calls, described (base/http/description.ts), and the members of a trial.
import { badRequest, shorten } from '../base/errors.ts'
import type { Description } from '../base/http/description.ts'
import { describeList, doneReply } from '../base/http/description.ts'
import type { Reader } from '../base/http/members.ts'
import { blankable, boolean, reader, schemaOf, text, timeZone, trueOrFalse } from '../base/http/members.ts'
import type { Schema } from '../base/http/schema.ts'
import { objectSchema } from '../base/http/schema.ts'
import type { Value } from '../gsql/value.ts'

/** The limit of a variable, which is that of a sink's body. */
const mostVariable = 16 * 1024 * 1024

const readVariables: Reader<Readonly<Record<string, Value>>> = reader({ type: 'object' }, (name, value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badRequest(`${name} must be an object`)
  for (const [variable, content] of Object.entries(value)) {
    const full = `${name}.${shorten(variable, 40)}`
    if (typeof content === 'object' && content !== null) throw badRequest(`${full} must be a plain value`)
    if (typeof content === 'string') text(0, mostVariable)(full, content)
  }
  return value as Readonly<Record<string, Value>>
})

export const triedMembers = { sql: text(0, 10_000_000), timeZone: blankable(timeZone), variables: readVariables }

const mostScript = 10_000_000

/** A form has texts only. */
const reads: Reader<boolean> = reader(
  { type: 'boolean', description: 'refuses a script that writes, as GET does, and is for those who may GET' },
  (name, value) => (typeof value === 'string' ? trueOrFalse : boolean)(name, value),
)

export const gqlMembers = { s: text(0, mostScript), tz: blankable(timeZone), reads }

const whole = { type: 'integer' } as const
const value: Schema = { type: ['number', 'string', 'boolean', 'null'] }
const counts = { inserted: whole, updated: whole, deleted: whole }
/** Only of a script that has such statements. */
const seldom = ['updated', 'deleted']

const withDone = (properties: Readonly<Record<string, Schema>>): Schema =>
  objectSchema({ ...doneReply.schema.properties, ...properties }, seldom)

const found = {
  schema: withDone({
    cols: { type: 'array', items: objectSchema({ name: { type: 'string' }, valueType: { type: 'string' } }) },
    rows: { type: 'array', items: { type: 'array', items: value } },
    ...counts,
  }),
}

const sink = {
  part: 'connectors',
  summary: 'Push data to a connector',
  by: 'API key',
  path: { org: { type: 'string', description: 'uid of the organization' }, endpoint: { type: 'string' } },
  reply: { schema: withDone(counts) },
} as const

export const connectorDescriptions = {
  pushQuery: { ...sink, details: "The connector's script reads the query as @HTTP_QUERY_STRING." },
  push: {
    ...sink,
    details: "The body is of any kind: the connector's script reads it as @HTTP_BODY.",
    body: { type: 'text/plain', schema: {}, example: '{"wind":4.2}' },
  },
  read: {
    part: 'connectors',
    summary: 'Run a GS SQL script that reads',
    details:
      'Accept: text/csv gives the rows as CSV. An API key with the capability gql GET sees the components whose feeds it may read.',
    query: {
      s: { type: 'string', isRequired: true, description: 'the script', example: 'SELECT cid, id FROM Stream' },
      tz: { type: 'string', description: "its time zone, in place of the organization's" },
    },
    reply: found,
  },
  run: {
    part: 'connectors',
    summary: 'Run a GS SQL script',
    details:
      'As JSON or as a form. Accept: text/csv gives the rows as CSV. With reads it is as GET is, for scripts that are too long for an address.',
    body: { schema: schemaOf(gqlMembers, ['s']), example: { s: 'SELECT cid, id FROM Stream' } },
    reply: found,
  },
  test: {
    part: 'connectors',
    summary: 'Try a script: the samples that it would write, and nothing is stored',
    body: {
      schema: schemaOf(triedMembers, ['sql']),
      example: {
        sql: "INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Mast', 'wind', 1767225600000, 4.2",
      },
    },
    reply: {
      schema: withDone({
        rows: {
          type: 'array',
          items: objectSchema({ cid: { type: 'string' }, id: { type: 'string' }, time: whole, sample: value }),
        },
        updated: whole,
        deleted: whole,
      }),
    },
  },
  calls: {
    ...describeList(
      'connectors',
      'call',
      'List the last calls of a connector, with their errors',
      objectSchema({
        time: whole,
        method: { type: 'string' },
        bytes: whole,
        rows: whole,
        ms: whole,
        error: { type: ['string', 'null'] },
        body: { type: ['string', 'null'] },
        query: { type: ['string', 'null'] },
      }),
    ),
    path: { uid: { type: 'string' } },
  },
} satisfies Record<string, Description>
