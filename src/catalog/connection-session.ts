// The test of a connection and the preview of a statement on it (docs/imports.md#tests-and-previews): the first look of
// a user who sets one up.
//
//   POST /api/connection/{uid}/test  ->  {"success":true,"message":"","test":{"ok":true,"version":"17.2","ms":43,"error":""}}
import type { Description } from '../base/http/description.ts'
import { envelopeReply } from '../base/http/description.ts'
import { badRequest, busy, notFound } from '../base/errors.ts'
import type { Call, Route } from '../base/http/call.ts'
import { readInput } from '../base/http/input.ts'
import { readMembers, schemaOf, text, timeZone } from '../base/http/members.ts'
import { untilGone } from '../base/http/reading.ts'
import { jsonReply } from '../base/http/reply.ts'
import { objectSchema } from '../base/http/schema.ts'
import type { Secrets } from '../base/secret.ts'
import { openShares } from '../base/shares.ts'
import type { Holders } from '../base/shares.ts'
import type { World } from '../base/world.ts'
import type { Caller } from '../core/caller.ts'
import { demand, holdersOf } from '../core/caller.ts'
import { findConnection } from '../core/connection.ts'
import { organizationTimeZone } from '../core/organization.ts'
import { targetOf } from '../outbound/connection-target.ts'
import { fetchRows, testConnection } from '../outbound/fetch.ts'
import type { Target } from '../outbound/target.ts'
import type { Guard } from './entity.ts'

/** Tests and previews at once, in this process: each has a thread. Half of them are one caller's at most. */
const mostSessions = 6
/** A test is answered within five seconds. */
const testMs = 4500
const previewMs = 30_000
const previewRows = 20
const previewColumns = 1000
const previewCharacters = 200
/** Of all cells, beside those of the last row. */
const previewInAll = 1_000_000

const previewMembers = { sql: text(1, 1_000_000), timeZone }
const path = { uid: { type: 'string' } } as const
const about: Readonly<Record<'test' | 'preview', Description>> = {
  test: {
    part: 'imports',
    summary: 'Try a connection, within five seconds',
    path,
    reply: envelopeReply(
      'test',
      objectSchema(
        { ok: { type: 'boolean' }, version: { type: 'string' }, ms: { type: 'integer' }, error: { type: 'string' } },
        ['version'],
      ),
    ),
  },
  preview: {
    part: 'imports',
    summary: 'Show the first rows of an External SQL, and their types',
    path,
    body: { schema: schemaOf(previewMembers, ['sql']), example: { sql: 'SELECT 1 AS one' } },
    reply: envelopeReply(
      'preview',
      objectSchema({
        columns: { type: 'array', items: objectSchema({ name: { type: 'string' }, type: { type: 'string' } }) },
        rows: { type: 'array', items: { type: 'array', items: { type: ['string', 'null'] } } },
        truncated: { type: 'boolean' },
      }),
    ),
  },
}

export const connectionSessionRoutes = (world: World, guard: Guard, secrets: Secrets): readonly Route[] => {
  const sessions = openShares(mostSessions)
  /** With the caller's share of sessions, on a connection that the caller may use. */
  const withTarget = async <T>(
    caller: Caller,
    call: Call,
    use: (target: Target, asked: { readonly signal: AbortSignal; readonly holders: Holders }) => Promise<T>,
  ): Promise<T> => {
    const uid = call.params['uid']!
    demand(caller, 'POST connection', uid)
    const connection = await findConnection(world.sql, caller.organizationKey, uid)
    if (connection === undefined) throw notFound('connection', uid)
    const holders = holdersOf(caller, call.address)
    const session = sessions.open(holders)
    if (!session.take(1)) throw busy('too many tests and previews of connections at once')
    try {
      return await untilGone(call, (signal) => use(targetOf(world.config, secrets, connection), { signal, holders }))
    } finally {
      session.give()
    }
  }
  const test = async (caller: Caller, call: Call) => {
    const found = await withTarget(caller, call, (target, asked) =>
      testConnection(target, { ...asked, timeoutMs: testMs }),
    )
    return jsonReply({ success: true, message: '', test: { ...found, error: found.error ?? '' } })
  }
  const preview = async (caller: Caller, call: Call) => {
    const { sql, timeZone: given } = readMembers('preview', await readInput(call), previewMembers)
    if (sql === undefined) throw badRequest('sql is missing')
    return withTarget(caller, call, async (target, asked) => {
      const zone = given ?? (await organizationTimeZone(world.sql, caller.organizationKey))
      const options = {
        maxRows: previewRows,
        timeZone: zone,
        timeoutMs: previewMs,
        ...asked,
        mostColumns: previewColumns,
        mostCharacters: previewCharacters,
        mostInAll: previewInAll,
      }
      const { columns, batches, truncated } = await fetchRows(target, sql, options)
      const rows: (readonly (string | null)[])[] = []
      for await (const batch of batches) rows.push(...batch)
      return jsonReply({ success: true, message: '', preview: { columns, rows, truncated: truncated() } })
    })
  }
  return [
    { method: 'POST', path: '/api/connection/:uid/test', handle: guard(test), description: about.test },
    { method: 'POST', path: '/api/connection/:uid/preview', handle: guard(preview), description: about.preview },
  ]
}
