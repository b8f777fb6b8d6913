// GET and POST /api/gql (docs/connectors.md#gs-sql-over-http): GS SQL for signed-in users, by GET, and by POST with `reads`,
// also for API keys with the right, which read the components of their rows. Rows as JSON, CSV or NDJSON.
import type { Call } from '../base/http/call.ts'
import { badRequest, Fault, forbidden } from '../base/errors.ts'
import { readInput } from '../base/http/input.ts'
import { readMembers, timeZone } from '../base/http/members.ts'
import { untilGone } from '../base/http/reading.ts'
import type { Reply } from '../base/http/reply.ts'
import { keepUntilSent } from '../base/http/reply.ts'
import { rowFormat } from '../base/http/row-format.ts'
import type { Caller } from '../core/caller.ts'
import { demand, holdersOf } from '../core/caller.ts'
import type { CompiledScript } from '../gsql/script.ts'
import { gqlMembers } from './descriptions.ts'
import { resultReply, shownAs, unrefusedReply } from './result-reply.ts'
import type { Scripts } from './run-script.ts'

export const runGql =
  (scripts: Scripts) =>
  async (caller: Caller, call: Call): Promise<Reply> => {
    const { s, tz, reads } = await readScript(call)
    if (s === undefined) throw badRequest('s, the script, is missing: {"s":"SELECT 1"}, or s in the URL')
    const holders = holdersOf(caller, call.address)
    return untilGone(call, async (signal) => {
      const script = await scripts.compile(s, holders, signal)
      demandGql(caller, call.method === 'POST' && !reads, script, call)
      const memory = scripts.openMemory(holders)
      const show = async () => {
        const ran = await scripts.run(caller, { script, holders, memory, timeZone: tz, variables: {}, signal })
        return shownAs(rowFormat(call), ran)
      }
      if (script.writes)
        return keepUntilSent(
          () => memory.close(),
          async () => unrefusedReply(await show()),
        )
      try {
        return await resultReply(call, holders, await show())
      } finally {
        memory.close()
      }
    })
  }

const demandGql = (caller: Caller, mayWrite: boolean, script: CompiledScript, { method }: Call): void => {
  if (mayWrite) {
    if (caller.user === undefined) throw forbidden('an API key runs reading scripts, by GET or with "reads":true')
    demand(caller, 'POST gql')
    return
  }
  demand(caller, 'GET gql')
  if (!script.writes) return
  if (method === 'POST') throw badRequest('a script that writes is refused with "reads":true')
  throw new Fault('method_not_allowed', 'a script that writes needs POST', { headers: { Allow: 'POST' } })
}

type GivenScript = { readonly s: string | undefined; readonly tz: string | undefined; readonly reads: boolean }

const readScript = async (call: Call): Promise<GivenScript> => {
  const input = call.method === 'POST' ? await readInput(call, 'form too') : undefined
  const body = input === undefined ? {} : readMembers('the body', input, gqlMembers)
  const tz = call.query.get('tz')
  return {
    s: body.s ?? call.query.get('s'),
    tz: body.tz ?? (tz ? timeZone('tz', tz) : undefined),
    reads: body.reads ?? false,
  }
}
