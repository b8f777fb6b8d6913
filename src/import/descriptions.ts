// The calls of imports, described (base/http/description.ts), and the members of a trial.
import type { Description } from '../base/http/description.ts'
import { describeList, doneReply, envelopeReply } from '../base/http/description.ts'
import { blankable, schemaOf, text, timeZone } from '../base/http/members.ts'
import { objectSchema } from '../base/http/schema.ts'

const mostSql = 1_000_000

export const triedMembers = {
  connectionUid: text(1, 64),
  externalSql: text(1, mostSql),
  ingestSql: text(1, mostSql),
  timeZone: blankable(timeZone),
}

const whole = { type: 'integer' } as const
const run = objectSchema({
  uid: { type: 'string' },
  state: { type: 'string', enum: ['waiting', 'running', 'succeeded', 'failed'] },
  place: { type: ['integer', 'null'], description: 'in the queue, while it waits' },
  start: { type: ['integer', 'null'] },
  end: { type: ['integer', 'null'] },
  fetched: whole,
  inserted: whole,
  skipped: whole,
  error: { type: ['string', 'null'] },
  truncated: { type: 'boolean' },
  scheduled: { type: 'boolean' },
  elapsed: { type: 'integer', description: 'milliseconds' },
})
const path = { uid: { type: 'string', description: 'of the connector' } } as const

export const importDescriptions = {
  test: {
    part: 'imports',
    summary: 'Try an import on the first rows: the samples that it would write, and nothing is stored',
    body: {
      schema: schemaOf(triedMembers, ['connectionUid', 'externalSql', 'ingestSql']),
      example: {
        connectionUid: '0b8f2d6e-4a1c-4d6b-9c57-3f5e8a7d1c20',
        externalSql: 'SELECT 1 AS v',
        ingestSql:
          "INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Mast', 'wind', 1767225600000, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 v DOUBLE)",
      },
    },
    reply: {
      schema: objectSchema({
        ...doneReply.schema.properties,
        columns: {
          type: 'array',
          items: objectSchema({ name: { type: 'string' }, type: { type: 'string' } }),
        },
        fetched: whole,
        rows: {
          type: 'array',
          items: objectSchema({
            cid: { type: 'string' },
            id: { type: 'string' },
            time: whole,
            sample: { type: ['number', 'string', 'boolean', 'null'] },
          }),
        },
      }),
    },
  },
  start: {
    part: 'imports',
    summary: 'Run an import now',
    path,
    query: { wait: { type: 'boolean', default: true, description: 'answer when it has ended' } },
    reply: envelopeReply('run', run),
  },
  list: { ...describeList('imports', 'run', 'List the runs of an import, latest first', run), path },
  cancel: {
    part: 'imports',
    summary: 'Cancel a run',
    path: { ...path, run: { type: 'string' } },
    reply: envelopeReply('run', run),
  },
} satisfies Record<string, Description>
