// The door of assistants (docs/assistants.md): the Model Context Protocol over HTTP, and the metadata of RFC 9728, by which
// clients find the authorization service.
import type { Access } from '../access/guard.ts'
import { baseUrlOf } from '../base/http/address.ts'
import type { Call, Handler, Route } from '../base/http/call.ts'
import type { Description } from '../base/http/description.ts'
import { Fault } from '../base/errors.ts'
import { readInput } from '../base/http/input.ts'
import type { Reply } from '../base/http/reply.ts'
import { jsonReply } from '../base/http/reply.ts'
import { objectSchema } from '../base/http/schema.ts'
import type { World } from '../base/world.ts'
import { openTurns, weights } from '../base/turns.ts'
import type { Turns } from '../base/turns.ts'
import { holdersOf } from '../core/caller.ts'
import type { Caller } from '../core/caller.ts'
import { answerMessage } from './answer.ts'
import type { Outcome } from './answer.ts'
import { catalogTools } from './catalog-tools.ts'
import { openInnerCalls } from './inner-call.ts'
import { readMessage } from './message.ts'
import { readTools } from './read-tools.ts'
import type { Tool } from './tool.ts'
import { writeTools } from './write-tools.ts'

const path = '/api/mcp'
const wellKnown = '/.well-known/oauth-protected-resource'

export const mcpRoutes = (
  world: World,
  access: Access,
  /** The calls that tools are made of. */
  routes: readonly Route[],
  count: (tool: string, outcome: Outcome) => void,
  /** The SDK takes 0.7 ms for a ping, and 7 for the largest message: 60 that came at once were worked on in one go. */
  turns: Turns = openTurns(),
): readonly Route[] => {
  const nowMs = () => world.clock.now()
  const tools = [...catalogTools, ...readTools(nowMs), ...writeTools(nowMs)]
  const callsOf = openInnerCalls(routes)
  const answer = access.guard(async (caller: Caller, call: Call): Promise<Reply> => {
    const message = readMessage(await readInput(call))
    const holders = holdersOf(caller, call.address)
    await new Promise<void>((enter) => turns.begin(weights.message, () => holders, enter))
    const desk = { tools: tools.filter((tool) => mayUse(caller, tool)), calls: callsOf(call), count, log: world.log }
    return answerMessage(desk, message, call.headers['mcp-protocol-version'] as string | undefined)
  })
  const metadata: Handler = async ({ headers }) => {
    const base = baseUrlOf(world.config, headers)
    return jsonReply({
      resource: `${base}${path}`,
      authorization_servers: [base],
      scopes_supported: ['read', 'write'],
      bearer_methods_supported: ['header', 'query'],
      resource_name: 'Coppice',
    })
  }
  return [
    { method: 'POST', path, handle: challenging(world, answer), description: about.message },
    { method: 'GET', path: wellKnown, handle: metadata, description: about.metadata },
    { method: 'GET', path: `${wellKnown}${path}`, handle: metadata, description: about.metadata },
  ]
}

/** A key may have the right to single components only. */
const mayUse = ({ may, key }: Caller, { writes }: Tool): boolean =>
  writes === undefined || may(writes) || (key?.named.get('component') ?? []).some((uid) => may(writes, uid))

/** A client without a good credential learns where to get one (RFC 9728, 5.1). */
const challenging =
  ({ config }: World, handle: Handler): Handler =>
  async (call) => {
    try {
      return await handle(call)
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== 401) throw error
      const address = `${baseUrlOf(config, call.headers)}${wellKnown}${path}`
      const headers = {
        'WWW-Authenticate': `Bearer resource_metadata="${address}"`,
        // For assistants that are pages.
        'Access-Control-Expose-Headers': 'WWW-Authenticate',
      }
      throw new Fault('unauthorized', error.message, { headers })
    }
  }

const about = {
  message: {
    part: 'assistants',
    summary: 'A message of the Model Context Protocol (streamable HTTP, without sessions)',
    details: 'For assistants. Its tools make the calls of this API by the same credential.',
    body: {
      schema: {
        type: 'object',
        properties: { jsonrpc: { type: 'string' }, method: { type: 'string' } },
        additionalProperties: true,
      },
      example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    },
    reply: {
      schema: { type: 'object', properties: { jsonrpc: { type: 'string' } }, additionalProperties: true },
    },
  },
  metadata: {
    part: 'assistants',
    summary: 'Where assistants get a token (RFC 9728)',
    by: 'nobody',
    reply: {
      schema: objectSchema({
        resource: { type: 'string' },
        authorization_servers: { type: 'array', items: { type: 'string' } },
        scopes_supported: { type: 'array', items: { type: 'string' } },
        bearer_methods_supported: { type: 'array', items: { type: 'string' } },
        resource_name: { type: 'string' },
      }),
    },
  },
} satisfies Record<string, Description>
