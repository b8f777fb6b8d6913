// GET and POST /api/gql (docs/connectors.md#gs-sql-over-http): GS SQL for signed-in users, by GET also for API keys
// that may, which read what their rows say of components. Rows as JSON or CSV.
import type { IncomingMessage } from 'node:http'
import accepts from 'accepts'
import type { Call } from '../base/http/call.ts'
import { badRequest, Fault, forbidden } from '../base/errors.ts'
import { readInput } from '../base/http/input.ts'
import { blankable, readMembers, text, timeZone } from '../base/http/members.ts'
import { withDoubles } from '../base/database/quote.ts'
import { untilGone } from '../base/http/reading.ts'
import type { Reply } from '../base/http/reply.ts'
import { jsonReply, keepUntilSent } from '../base/http/reply.ts'
import type { Caller } from '../core/caller.ts'
import { demand, holdersOf } from '../core/caller.ts'
import type { Value } from '../gsql/value.ts'
import type { CompiledScript } from '../gsql/script.ts'
import type { Ran, Scripts } from './run-script.ts'

export const runGql =
  (scripts: Scripts) =>
  async (caller: Caller, call: Call): Promise<Reply> => {
    const { s, tz } = await readScript(call)
    if (s === undefined) throw badRequest('s, the script, is missing')
    const holders = holdersOf(caller, call.address)
    return untilGone(call, async (signal) => {
      const script = await scripts.compile(s, holders, signal)
      demandGql(caller, call, script)
      const memory = scripts.openMemory(holders)
      return keepUntilSent(
        () => memory.close(),
        async () => {
          const ran = await scripts.run(caller, { script, holders, memory, timeZone: tz, variables: {}, signal })
          const { columns = [], rows, inserted, updated, deleted } = ran
          return wantsCsv(call, ran)
            ? csvReply(ran)
            : jsonReply({ success: true, message: '', cols: columns, rows, inserted, updated, deleted })
        },
      )
    })
  }

const demandGql = (caller: Caller, { method }: Call, script: CompiledScript): void => {
  if (method === 'POST') {
    if (caller.user === undefined) throw forbidden('an API key runs reading scripts, by GET')
    demand(caller, 'POST gql')
    return
  }
  demand(caller, 'GET gql')
  if (script.writes)
    throw new Fault('method_not_allowed', 'a script that writes needs POST', { headers: { Allow: 'POST' } })
}

const mostScript = 10_000_000

type GivenScript = { readonly s: string | undefined; readonly tz: string | undefined }

const readScript = async (call: Call): Promise<GivenScript> => {
  const input = call.method === 'POST' ? await readInput(call, 'form too') : undefined
  const body =
    input === undefined ? {} : readMembers('the body', input, { s: text(0, mostScript), tz: blankable(timeZone) })
  const tz = call.query.get('tz')
  return { s: body.s ?? call.query.get('s'), tz: body.tz ?? (tz ? timeZone('tz', tz) : undefined) }
}

/** JSON for who takes either, or neither. A script without SELECT has no rows, but counts. */
const wantsCsv = ({ headers }: Call, { columns }: Ran) =>
  columns !== undefined && accepts({ headers } as IncomingMessage).type(['application/json', 'text/csv']) === 'text/csv'

/** RFC 4180; a NULL is an empty field, an empty text "". */
const csvReply = ({ columns = [], rows }: Ran): Reply => ({
  status: 200,
  headers: { 'Content-Type': 'text/csv; charset=utf-8' },
  body: [columns.map(({ name }) => name), ...rows].map((row) => `${row.map(csvField).join(',')}\r\n`).join(''),
})

const csvField = (value: Value): string => {
  if (value === null) return ''
  const plain = String(value)
  return plain === '' || /[",\r\n]/.test(plain) ? `"${withDoubles(plain)}"` : plain
}
